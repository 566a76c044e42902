//! Rolling resistance: the couple in the tangent plane against the relative spin there.

use super::{Contact, Resistance, ResistanceInfo, Support};
use crate::material::{MaterialError, Meeting};
use crate::record::Record;
use core::fmt::Debug;
use tumble_math::{LabVec, Real};

/// A rolling resistance: a pure function of one contact.
pub trait RollingModel: Copy + Default + Debug + 'static {
    /// The facts.
    const INFO: ResistanceInfo;

    /// What it has to know of two materials: a [record](crate::record!) of its own.
    type Constants<R: Real>: Record<R>;

    /// What its contacts remember from step to step, [`Nothing`](crate::record::Nothing) if nothing: a record, all zero when a contact begins.
    type Memory<R: Real>: Record<R>;

    /// The constants of two materials.
    fn constants(meeting: &Meeting<'_>) -> Result<Self::Constants<f64>, MaterialError>;

    /// The resistance, with what it remembers of the last step.
    fn resist<R: Real>(
        constants: &Self::Constants<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        memory: Self::Memory<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>, Self::Memory<R>>;
}

super::registry::choices! {
    /// A rolling resistance chosen at run time.
    RollingKind of RollingModel, ResistanceInfo, RollingVisitor, rolling:
    none::None,
    constant_torque::ConstantTorque,
    elastic_plastic::ElasticPlastic,
}
