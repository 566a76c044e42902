//! No rolling resistance.

use super::RollingModel;
use crate::law::{Contact, Resistance, ResistanceInfo, Resisted, Support};
use crate::material::{MaterialError, Meeting};
use crate::record::{Nothing, Record};
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
        needs: &[],
    };

    type Constants<R: Real> = Nothing;
    type Memory<R: Real> = Nothing;

    fn constants(_: &Meeting<'_>) -> Result<Nothing, MaterialError> {
        Ok(Nothing)
    }

    #[inline(always)]
    fn resist<R: Real>(
        _: &Nothing,
        _: &Contact<R>,
        _: &Support<R>,
        _: Nothing,
        _: R,
    ) -> Resistance<R, LabVec<R>, Nothing> {
        Resistance { torque: LabVec::zero(), memory: Nothing, books: Resisted::zero() }
    }
}
