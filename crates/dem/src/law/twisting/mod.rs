//! Twisting resistance: the couple about the normal against the relative spin there.

use super::{Contact, Pair, Resistance, ResistanceInfo, Support};
use tumble_math::Real;

/// A twisting resistance: a pure function of one contact.
pub trait TwistingModel: Copy + Default + 'static {
    /// The facts.
    const INFO: ResistanceInfo;

    /// The resistance, with the overlap and the couple of its spring at the last step.
    fn resist<R: Real>(
        pair: &Pair<R>,
        contact: &Contact<R>,
        support: &Support<R>,
        overlap_before: R,
        history: R,
        dt: R,
    ) -> Resistance<R, R>;
}

super::registry::choices! {
    /// A twisting resistance chosen at run time.
    TwistingKind of TwistingModel, ResistanceInfo, TwistingVisitor, twisting:
    none::None,
    elastic_plastic::ElasticPlastic,
}
