//! Twisting resistance: the couple about the normal against the relative spin there.

use super::{Contact, Resistance, ResistanceInfo, Support};
use crate::material::{MaterialError, Meeting};
use crate::record::Record;
use core::fmt::Debug;
use tumble_math::Real;

/// A twisting resistance: a pure function of one contact.
pub trait TwistingModel: Copy + Default + Debug + 'static {
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
    ) -> Resistance<R, R, Self::Memory<R>>;
}

super::registry::choices! {
    /// A twisting resistance chosen at run time.
    TwistingKind of TwistingModel, ResistanceInfo, TwistingVisitor, twisting:
    none::None,
    elastic_plastic::ElasticPlastic,
}
