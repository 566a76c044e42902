//! What drives the bodies of a batch.
//!
//! Everything but a Python function is computed body by body without the interpreter, on any thread. A function
//! is called for all bodies at once, on the thread of the caller, so that debuggers and Ctrl-C work in it.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tumble_rotation::Spin;
use tumble_rotation::batch::Seen;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_study::TorqueKind;

pub(super) enum Torque {
    /// Constant in the lab, one for each body.
    Lab(Vec<LabVec<f64>>),
    /// Constant in the body, one for each.
    Body(Vec<BodyVec<f64>>),
    /// One that has a name, the same function for all bodies.
    Named(tumble_study::Torque),
    Function(Function),
}

impl Torque {
    /// From what `tumble.rotation` hands over: nothing, a function, a name with its numbers, or an array.
    pub(super) fn new(
        given: &Bound<'_, PyAny>,
        in_body: bool,
        bodies: usize,
        one: bool,
    ) -> Result<Self, Exception> {
        if given.is_none() {
            return Ok(Self::Lab(vec![LabVec::zero(); bodies]));
        }
        if given.is_callable() {
            return Ok(Self::Function(Function { python: given.clone().unbind(), in_body, one }));
        }
        if let Ok(named) = given.cast::<PyTuple>() {
            let (name, numbers): (String, Vec<f64>) = named.extract()?;
            return TorqueKind::find(&name).and_then(|kind| kind.with(&numbers)).map(Self::Named).ok_or_else(
                || Exception::input(format_args!("there is no torque `{name}` of such numbers")),
            );
        }
        let array = Array::<[f64; 3]>::convert("torque", given)?.finite()?;
        let rows = for_bodies("torque", array.rows()?, bodies)?;
        Ok(if in_body {
            Self::Body(rows.map(BodyVec::from_array).collect())
        } else {
            Self::Lab(rows.map(LabVec::from_array).collect())
        })
    }

    /// How many threads compute it, of those that are asked for: no more than can run at once.
    pub(super) fn threads(&self, wanted: usize) -> usize {
        match self {
            Self::Function(_) => 1,
            _ => wanted.min(std::thread::available_parallelism().map_or(1, usize::from)),
        }
    }

    /// The torque on one body; zero for a function, which does not know single bodies.
    pub(super) fn at(&self, body: usize, spin: Spin<f64>, time: f64) -> LabVec<f64> {
        match self {
            Self::Lab(torques) => torques.get(body).copied().unwrap_or(LabVec::zero()),
            Self::Body(torques) => torques.get(body).map_or(LabVec::zero(), |torque| spin.q.to_lab(*torque)),
            Self::Named(torque) => torque.at(spin, time),
            Self::Function(_) => LabVec::zero(),
        }
    }
}

/// `f(t, q, omega)` of Python.
pub(super) struct Function {
    python: Py<PyAny>,
    in_body: bool,
    /// Whether there is one body, given as (4,) and (3,), and the function sees it so.
    one: bool,
}

impl Function {
    /// The torques in the lab on bodies that are as seen.
    pub(super) fn of_columns(&self, seen: Seen<'_, f64>, time: f64) -> Result<Vec<LabVec<f64>>, Exception> {
        let body = |row| {
            let (q, omega) = seen.body(row);
            spin(q, omega)
        };
        self.call((0..seen.len()).map(body), time)
    }

    /// The torques in the lab on these bodies.
    pub(super) fn call(
        &self,
        spins: impl Iterator<Item = Spin<f64>> + Clone,
        time: f64,
    ) -> Result<Vec<LabVec<f64>>, Exception> {
        Python::attach(|py| {
            let q: Vec<[f64; 4]> = spins.clone().map(|spin| spin.q.to_array()).collect();
            let omega: Vec<[f64; 3]> = spins.clone().map(|spin| spin.omega.to_array()).collect();
            let bodies = q.len();
            let (mut q, mut omega) = (new_array(py, q)?.into_any(), new_array(py, omega)?.into_any());
            if self.one {
                (q, omega) = (q.get_item(0)?, omega.get_item(0)?);
            }
            let given = self.python.bind(py).call1((time, q, omega))?;
            // One torque, of shape (3,), is for all bodies. What is no array is refused below.
            let rows = py
                .import(intern!(py, "numpy"))?
                .call_method1(intern!(py, "atleast_2d"), (&given,))
                .unwrap_or(given);
            let array = Array::<[f64; 3]>::convert(RETURNED, &rows)?.finite()?;
            let rows = for_bodies(RETURNED, array.rows()?, bodies)?;
            let lab = |(row, spin): ([f64; 3], Spin<f64>)| {
                if self.in_body { spin.q.to_lab(BodyVec::from_array(row)) } else { LabVec::from_array(row) }
            };
            Ok(rows.zip(spins).map(lab).collect())
        })
    }
}

/// The torque of this name, with these numbers for its parameters.
fn named_torque(name: &str, numbers: &[f64]) -> Result<tumble_study::Torque, Exception> {
    TorqueKind::find(name).and_then(|kind| kind.with(numbers)).ok_or_else(|| {
        Exception::input(format_args!("there is no torque `{name}` of {} numbers", numbers.len()))
    })
}

/// The torque of a name in the lab, on bodies q (n, 4) and omega (n, 3).
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes no slices of sequences")]
pub(crate) fn torque_at<'py>(
    py: Python<'py>,
    name: &str,
    numbers: Vec<f64>,
    t: f64,
    q: &Bound<'py, PyAny>,
    omega: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    let torque = named_torque(name, &numbers)?;
    let q = Array::<[f64; 4]>::convert("q", q)?;
    let omega = Array::<[f64; 3]>::convert("omega", omega)?;
    let quaternions = q.rows()?;
    let omega = for_bodies("omega", omega.rows()?, quaternions.len())?;
    let at = |(&q, omega)| torque.at(spin(Quat::from_array(q), BodyVec::from_array(omega)), t).to_array();
    Ok(new_array(py, quaternions.iter().zip(omega).map(at).collect())?)
}

/// How messages name what a function returned.
const RETURNED: &str = "what the torque function returns";

/// One row for each body, of an array with as many rows or one.
pub(super) fn for_bodies<R: Copy>(
    name: &str,
    rows: &[R],
    bodies: usize,
) -> Result<impl Iterator<Item = R>, Exception> {
    if rows.len() == bodies || rows.len() == 1 {
        Ok(rows.iter().copied().cycle().take(bodies))
    } else {
        Err(Exception::input(format_args!(
            "{name}: expected one row for each body, {bodies}, or one for all; found {}",
            rows.len()
        )))
    }
}

/// A body as torques see it.
pub(super) fn spin(q: Quat<f64>, omega: BodyVec<f64>) -> Spin<f64> {
    Spin { q, omega }
}
