//! Folders of results: the frames of a trajectory, and films.

use crate::arrays::new_array;
use crate::errors::Exception;
use numpy::PyArray1;
use numpy::PyArrayMethods as _;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use tumble::output::trajectory::{TrajectoryFrame, TrajectoryReader, WallOutline};
use tumble_viewer::{ExportOptions, Source, export};

/// Spheres, and the numbers of those at the ends of capsules, of those that are points of ellipsoids, and of those at the corners of each face of polyhedra.
type TemplatePieces = (Vec<[f32; 4]>, Vec<[u32; 2]>, Vec<[u32; 4]>, Vec<Vec<Vec<u32>>>);

/// Names of templates, what they are made of, names of materials, names of walls, and their pivots.
type TrajectoryModel = (Vec<String>, Vec<TemplatePieces>, Vec<String>, Vec<String>, Vec<[f64; 3]>);

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

    /// Names of templates, their spheres as rows of x, y, z and radius with the numbers of those at the ends of capsules and in ellipsoids and polyhedra, names of
    /// materials, and names and pivots of walls.
    fn model(&self) -> TrajectoryModel {
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let header = reader.header();
        let names = header.templates.iter().map(|template| template.name.clone()).collect();
        let pieces = header
            .templates
            .iter()
            .cloned()
            .map(|each| (each.spheres, each.capsules, each.ellipsoids, each.polyhedra));
        let (walls, pivots) = header.walls.iter().map(|wall| (wall.name.clone(), wall.pivot)).unzip();
        (names, pieces.collect(), header.materials.clone(), walls, pivots)
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
        let velocities: Option<Vec<[f64; 3]>> =
            (0..frame.ids.len()).map(|row| Some(frame.velocity(row)?.to_array())).collect();
        let velocities = velocities.map(|rows| new_array(py, rows)).transpose()?;
        let table = PyDict::new(py);
        table.set_item("velocities", velocities)?;
        let (places, turns) = self.walls(&frame);
        table.set_item("wall_positions", new_array(py, places)?)?;
        table.set_item("wall_quaternions", new_array(py, turns)?)?;
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

impl Trajectory {
    /// Where the pivot of each wall is in a frame, and its rotation; NaN for a wall that is not there. Walls without a place in
    /// the frames of older files stay where they are drawn.
    fn walls(&self, frame: &TrajectoryFrame) -> (Vec<[f64; 3]>, Vec<[f64; 4]>) {
        let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut places = frame.wall_places.iter();
        let place = |wall: &WallOutline| {
            let drawn = (wall.pivot, [1.0, 0.0, 0.0, 0.0]);
            let Some(place) = wall.moves.then(|| places.next()).flatten() else { return drawn };
            let [x, y, z, rotation @ ..] = place.map(f64::from);
            let length = rotation.iter().map(|part| part * part).sum::<f64>().sqrt();
            if length > 0.0 {
                ([x, y, z], rotation.map(|part| part / length))
            } else {
                ([f64::NAN; 3], [f64::NAN; 4])
            }
        };
        reader.header().walls.iter().map(place).unzip()
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
