//! Rolling resistance: the couple in the tangent plane against the relative spin there.

use super::{Contact, Pair, Resistance, ResistanceInfo, Support};
use tumble_math::{LabVec, Real};

/// A rolling resistance: a pure function of one contact.
pub trait RollingModel: Copy + Default + 'static {
    /// The facts.
    const INFO: ResistanceInfo;

    /// The resistance, with the couple its spring had at the last step.
    fn resist<R: Real>(
        pair: &Pair<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        history: LabVec<R>,
        dt: R,
    ) -> Resistance<R, LabVec<R>>;
}

super::registry::choices! {
    /// A rolling resistance chosen at run time.
    RollingKind of RollingModel, ResistanceInfo, RollingVisitor, rolling:
    none::None,
    constant_torque::ConstantTorque,
    elastic_plastic::ElasticPlastic,
}
