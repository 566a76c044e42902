//! No twisting resistance.

use super::TwistingModel;
use crate::law::{Contact, Pair, Resistance, ResistanceInfo, Support};
use tumble_math::Real;

/// No twisting resistance.
#[derive(Clone, Copy, Debug, Default)]
pub struct None;

impl TwistingModel for None {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "none",
        summary: "no twisting resistance",
        citation: Option::None,
        uses_velocity: false,
        has_history: false,
        needs: &[],
    };

    #[inline(always)]
    fn resist<R: Real>(
        _: &Pair<R>,
        _: &Contact<R>,
        _: &Support<R>,
        _: R,
        _: R,
        _: R,
    ) -> Resistance<R, R> {
        let zero = R::lit(0.0);
        Resistance { torque: zero, history: zero, stored: zero, slipped: zero, damped: zero }
    }
}
