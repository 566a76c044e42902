//! No rolling resistance.

use super::RollingModel;
use crate::law::{Contact, Pair, Resistance, ResistanceInfo, Support};
use tumble_math::{LabVec, Real};

/// No rolling resistance.
#[derive(Clone, Copy, Debug, Default)]
pub struct None;

impl RollingModel for None {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "none",
        summary: "no rolling resistance",
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
        _: LabVec<R>,
        _: R,
    ) -> Resistance<R, LabVec<R>> {
        let zero = R::lit(0.0);
        Resistance { torque: LabVec::zero(), history: LabVec::zero(), stored: zero, slipped: zero, damped: zero }
    }
}
