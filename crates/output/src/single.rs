//! To single precision: half the bytes, and a millionth of the size of the scene is enough for pictures.

use tumble_dem::LabVec;

#[allow(clippy::cast_possible_truncation, reason = "for pictures")]
pub(crate) fn narrow(value: f64) -> f32 {
    value as f32
}

pub(crate) fn single(vector: LabVec<f64>) -> [f32; 3] {
    vector.to_array().map(narrow)
}
