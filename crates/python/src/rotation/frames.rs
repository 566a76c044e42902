//! Vectors between the frames of bodies and the lab.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use tumble_rotation::math::{BodyVec, LabVec, Quat};

/// Body vectors (n, 3) of bodies (n, 4), seen from the lab. Of either there may be one row, for all of the other.
#[pyfunction]
pub(crate) fn to_lab<'py>(
    py: Python<'py>,
    q: &Bound<'py, PyAny>,
    vectors: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    turned(py, q, vectors, |q, vector| q.to_lab(BodyVec::from_array(vector)).to_array())
}

/// Lab vectors, seen from the bodies; rows as those of [`to_lab`].
#[pyfunction]
pub(crate) fn to_body<'py>(
    py: Python<'py>,
    q: &Bound<'py, PyAny>,
    vectors: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    turned(py, q, vectors, |q, vector| q.to_body(LabVec::from_array(vector)).to_array())
}

fn turned<'py>(
    py: Python<'py>,
    q: &Bound<'py, PyAny>,
    vectors: &Bound<'py, PyAny>,
    turn: impl Fn(Quat<f64>, [f64; 3]) -> [f64; 3] + Sync,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    let q = Array::<[f64; 4]>::borrow("q", q)?.finite()?;
    let vectors = Array::<[f64; 3]>::convert("vectors", vectors)?.finite()?;
    let (quaternions, given) = (q.rows()?, vectors.rows()?);
    let count = if quaternions.len() == 1 { given.len() } else { quaternions.len() };
    if ![1, count].contains(&given.len()) {
        return Err(Exception::input(format_args!(
            "vectors: expected as many rows as q has, {}, or one; found {}",
            quaternions.len(),
            given.len()
        )));
    }
    // One row is repeated; of both there are `count` otherwise.
    let rows = py.detach(|| {
        let pairs = quaternions.iter().cycle().zip(given.iter().cycle()).take(count);
        pairs.map(|(&q, &vector)| turn(Quat::from_array(q), vector)).collect()
    });
    Ok(new_array(py, rows)?)
}
