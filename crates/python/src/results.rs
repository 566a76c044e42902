//! Folders of results: the frames of a trajectory, and films.

use crate::errors::Exception;
use numpy::PyArray1;
use numpy::PyArrayMethods as _;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tumble::output::trajectory::TrajectoryReader;
use tumble_viewer::{ExportOptions, Source, export};

/// A trajectory that is being read.
#[pyclass(frozen, module = "tumble._native")]
pub(crate) struct Trajectory(Mutex<TrajectoryReader>);

#[pymethods]
impl Trajectory {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> Result<Self, Exception> {
        Ok(Self(Mutex::new(py.detach(|| TrajectoryReader::open(&path))?)))
    }

    /// The steps of the frames.
    fn steps(&self) -> Vec<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).steps().to_vec()
    }

    /// Names of templates, their spheres as rows of x, y, z and radius, and names of materials.
    fn model(&self) -> (Vec<String>, Vec<Vec<[f32; 4]>>, Vec<String>) {
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let header = reader.header();
        let names = header.templates.iter().map(|template| template.name.clone()).collect();
        let spheres = header.templates.iter().map(|template| template.spheres.clone()).collect();
        (names, spheres, header.materials.clone())
    }

    /// A frame as arrays.
    fn frame<'py>(&self, py: Python<'py>, number: usize) -> Result<Bound<'py, PyDict>, Exception> {
        let frame = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).frame(number))?;
        let vectors = |rows: &[[f32; 3]]| {
            let numbers: Vec<f64> = rows.as_flattened().iter().map(|&number| f64::from(number)).collect();
            PyArray1::from_vec(py, numbers).reshape([rows.len(), 3])
        };
        let numbers = |row: &[f32]| PyArray1::from_iter(py, row.iter().map(|&number| f64::from(number)));
        let quaternions: Vec<f64> =
            frame.orientations.as_flattened().iter().map(|&part| f64::from(part)).collect();
        let table = PyDict::new(py);
        table.set_item("step", frame.step)?;
        table.set_item("time", frame.time)?;
        table.set_item("ids", PyArray1::from_slice(py, &frame.ids))?;
        table.set_item("templates", PyArray1::from_iter(py, frame.kinds.iter().map(|kind| kind[0])))?;
        table.set_item("materials", PyArray1::from_iter(py, frame.kinds.iter().map(|kind| kind[1])))?;
        table.set_item("scales", numbers(&frame.scales))?;
        table.set_item("positions", vectors(&frame.positions)?)?;
        table.set_item(
            "quaternions",
            PyArray1::from_vec(py, quaternions).reshape([frame.orientations.len(), 4])?,
        )?;
        table.set_item("speeds", numbers(&frame.speeds))?;
        table.set_item("spins", numbers(&frame.spins))?;
        table.set_item("contact_points", vectors(&frame.contact_points)?)?;
        table.set_item("contact_forces", vectors(&frame.contact_forces)?)?;
        Ok(table)
    }
}

/// Writes a film of a folder of results: one page that needs nothing else. Gives its number of frames.
#[pyfunction]
pub(crate) fn film(
    py: Python<'_>,
    results: PathBuf,
    to: PathBuf,
    every: usize,
    force: bool,
) -> Result<usize, Exception> {
    let every =
        NonZeroUsize::new(every).ok_or_else(|| Exception::input("every: expected 1 or more, found 0"))?;
    py.detach(|| Ok(export(&Source::at(&results)?, &to, ExportOptions { every, force })?.frames))
}
