//! Forces on bodies and motions of walls that are functions of Python.
//!
//! The engine calls them on a thread of its own, once per step; they take the interpreter only for that. What they
//! raise stops the run, and is raised again where Python called it.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use tumble::dem::field::{BatchField, BodyView, Load};
use tumble::dem::wall::{Drive, Pose};
use tumble::dem::{LabVec, Quat};

/// The first exception that a function of Python raised during a run.
#[derive(Clone, Default)]
pub(super) struct Failures(Arc<Mutex<Option<PyErr>>>);

impl Failures {
    /// Keeps an exception, unless there is one already, and gives its text.
    pub(super) fn keep(&self, error: PyErr) -> String {
        let text = error.to_string();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        text
    }

    pub(super) fn any(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Raises what was kept.
    pub(super) fn raise(&self) -> Result<(), Exception> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        kept.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// A force on all bodies.
pub(super) struct PythonForce {
    function: Py<PyAny>,
    failures: Failures,
}

impl PythonForce {
    pub(super) fn new(function: Py<PyAny>, failures: Failures) -> Self {
        Self { function, failures }
    }

    fn ask(
        &self,
        py: Python<'_>,
        bodies: &[BodyView],
        time: f64,
        loads: &mut [Load],
    ) -> Result<(), Exception> {
        let ids = PyArray1::from_iter(py, bodies.iter().map(|body| body.id.0));
        let vectors = |of: fn(&BodyView) -> LabVec<f64>| {
            new_array(py, bodies.iter().map(|body| of(body).to_array()).collect::<Vec<[f64; 3]>>())
        };
        let orientations: Vec<[f64; 4]> = bodies.iter().map(|body| body.orientation.to_array()).collect();
        let arguments = (
            time,
            ids,
            vectors(|body| body.position)?,
            new_array(py, orientations)?,
            vectors(|body| body.velocity)?,
            vectors(|body| body.angular_velocity)?,
        );
        let (forces, torques) =
            self.function.bind(py).call1(arguments)?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        let forces = Array::<[f64; 3]>::convert("forces", &forces)?.finite()?;
        let torques = Array::<[f64; 3]>::convert("torques", &torques)?.finite()?;
        let (forces, torques) = (forces.rows()?, torques.rows()?);
        for (what, rows) in [("forces", forces.len()), ("torques", torques.len())] {
            if rows != bodies.len() {
                return Err(Exception::input(format_args!(
                    "{what}: expected a row for each of {} bodies, found {rows}",
                    bodies.len()
                )));
            }
        }
        for (load, (force, torque)) in loads.iter_mut().zip(forces.iter().zip(torques)) {
            load.force = load.force + LabVec::from_array(*force);
            load.torque = load.torque + LabVec::from_array(*torque);
        }
        Ok(())
    }
}

impl BatchField for PythonForce {
    fn add_loads(&self, bodies: &[BodyView], time: f64, loads: &mut [Load]) -> Result<(), String> {
        Python::attach(|py| {
            let asked = self.ask(py, bodies, time, loads);
            asked.map_err(|exception| format!("a force: {}", self.failures.keep(exception.into())))
        })
    }
}

/// A motion of a wall.
pub(super) struct PythonDrive {
    function: Py<PyAny>,
    pivot: LabVec<f64>,
    failures: Failures,
}

/// Displacement, velocity, rotation about the pivot and angular velocity.
type Place = ([f64; 3], [f64; 3], [f64; 4], [f64; 3]);

impl PythonDrive {
    pub(super) fn new(function: Py<PyAny>, pivot: [f64; 3], failures: Failures) -> Self {
        Self { function, pivot: LabVec::from_array(pivot), failures }
    }
}

impl Drive for PythonDrive {
    fn pose(&self, t: f64) -> Result<Pose, String> {
        let asked = Python::attach(|py| self.function.call1(py, (t,))?.extract::<Place>(py));
        let (displacement, velocity, rotation, spin) = asked.map_err(|error| self.failures.keep(error))?;
        Ok(Pose {
            pivot: self.pivot,
            origin: self.pivot + LabVec::from_array(displacement),
            orientation: Quat::from_array(rotation),
            velocity: LabVec::from_array(velocity),
            angular_velocity: LabVec::from_array(spin),
            present: true,
        })
    }
}

/// Functions of Python tell nothing about themselves that helps.
macro_rules! opaque {
    ($($name:ident),+) => {
        $(impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        })+
    };
}

opaque!(PythonForce, PythonDrive);
