//! No twisting resistance.

use super::TwistingModel;
use crate::law::{Contact, Resistance, ResistanceInfo, Resisted, Support};
use crate::material::{MaterialError, Meeting};
use crate::record::{Nothing, Record};
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
    ) -> Resistance<R, R, Nothing> {
        Resistance { torque: R::lit(0.0), memory: Nothing, books: Resisted::zero() }
    }
}
