//! Rotation schemes, and vectors between the frames of bodies and the lab.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{Order, SchemeKind, trace};

/// The facts of a scheme: the fields of `tumble.rotation.Scheme`, as a dictionary.
#[derive(IntoPyObject)]
#[expect(clippy::struct_excessive_bools, reason = "columns of a table")]
pub(crate) struct Facts {
    name: &'static str,
    title: &'static str,
    time_level: &'static str,
    torque_times: &'static [f64],
    order_free: (u8, u8),
    order_body_torque: (u8, u8),
    order_orientation_torque: (u8, u8),
    order_velocity_torque: (u8, u8),
    conserves_energy: bool,
    conserves_momentum: bool,
    reversible: bool,
    normalises: bool,
    flops: usize,
    memory: usize,
    source: &'static str,
    citation: &'static str,
    doi: Option<&'static str>,
}

impl Facts {
    fn of(scheme: SchemeKind) -> Self {
        let info = scheme.info();
        let order = |order: Order| (order.q, order.omega);
        Self {
            name: info.name,
            title: info.summary,
            time_level: info.time_level.name(),
            torque_times: info.torque_times,
            order_free: order(info.orders.free),
            order_body_torque: order(info.orders.body_torque),
            order_orientation_torque: order(info.orders.orientation_torque),
            order_velocity_torque: order(info.orders.velocity_torque),
            conserves_energy: info.conserves.energy,
            conserves_momentum: info.conserves.momentum,
            reversible: info.conserves.reversible,
            normalises: info.normalises,
            flops: trace::flops(scheme),
            memory: scheme.memory_width(),
            source: info.citation.short,
            citation: info.citation.full,
            doi: info.citation.doi,
        }
    }
}

/// The facts of all schemes, in the order of the tables.
#[pyfunction]
pub(crate) fn schemes() -> Vec<Facts> {
    SchemeKind::ALL.iter().copied().map(Facts::of).collect()
}

/// Body vectors (n, 3), or one (1, 3) for all, seen from the lab.
#[pyfunction]
pub(crate) fn to_lab<'py>(
    py: Python<'py>,
    q: &Bound<'py, PyAny>,
    vectors: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    turned(py, q, vectors, |q, vector| q.to_lab(BodyVec::from_array(vector)).to_array())
}

/// Lab vectors (n, 3), or one (1, 3) for all, seen from the bodies.
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
    if ![1, quaternions.len()].contains(&given.len()) {
        return Err(Exception::input(format_args!(
            "vectors: expected as many rows as q has, {}, or one; found {}",
            quaternions.len(),
            given.len()
        )));
    }
    // One vector is repeated, others end with the quaternions.
    let rows = py.detach(|| {
        let pairs = quaternions.iter().zip(given.iter().cycle());
        pairs.map(|(&q, &vector)| turn(Quat::from_array(q), vector)).collect()
    });
    Ok(new_array(py, rows)?)
}
