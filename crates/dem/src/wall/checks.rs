//! Checks of what the user gives for a shape or a motion.

use super::Error;
use tumble_math::LabVec;

/// Magnitudes above this are refused: products of four of them would overflow, far beyond any laboratory.
pub(super) const LARGEST: f64 = 1e75;

pub(super) fn in_range(what: &'static str, value: f64) -> Result<f64, Error> {
    // Written so that NaN fails.
    if value.abs() < LARGEST { Ok(value) } else { Err(Error::OutOfRange { what, value }) }
}

pub(super) fn positive(what: &'static str, value: f64) -> Result<f64, Error> {
    in_range(what, value)?;
    if value > 0.0 { Ok(value) } else { Err(Error::NotPositive { what, value }) }
}

pub(super) fn not_negative(what: &'static str, value: f64) -> Result<f64, Error> {
    in_range(what, value)?;
    if value >= 0.0 { Ok(value) } else { Err(Error::Negative { what, value }) }
}

pub(super) fn vector(what: &'static str, v: LabVec<f64>) -> Result<LabVec<f64>, Error> {
    for component in v.to_array() {
        in_range(what, component)?;
    }
    Ok(v)
}

/// The unit vector along `v`.
pub(super) fn direction(what: &'static str, v: LabVec<f64>) -> Result<LabVec<f64>, Error> {
    vector(what, v)?;
    let largest = v.to_array().into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    if largest == 0.0 {
        return Err(Error::NoDirection { what });
    }
    // Scaled twice, since the square of a small number may vanish.
    let scaled = LabVec::from_array(v.to_array().map(|component| component / largest));
    Ok(scaled * (1.0 / scaled.norm()))
}
