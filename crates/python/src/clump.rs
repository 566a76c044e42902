//! Clumps: spheres from files and from the built-in list, their mass properties, a picture.
//!
//! Spheres are rows x, y, z, r in m, in the frame they are given in.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::path::PathBuf;
use tumble::dem::clump::{ClumpSphere, ClumpTemplate, MassModel, shapes};
use tumble::scene::{SceneText, Shape};
use tumble_report::{Ball, Snapshot};
use tumble_rotation::math::{LabVec, SymTensor};

/// A shape of the built-in list.
#[derive(IntoPyObject)]
pub(crate) struct ShapeFacts {
    name: &'static str,
    title: &'static str,
    /// Names, and usual values.
    parameters: Vec<(&'static str, f64)>,
}

/// What the motion of a clump depends on, divided by its density.
#[derive(IntoPyObject)]
pub(crate) struct MassFacts {
    volume: f64,
    centre: [f64; 3],
    orientation: [f64; 4],
    moments_per_density: [f64; 3],
    bounding_radius: f64,
}

/// The built-in shapes.
#[pyfunction]
pub(crate) fn shape_list() -> Vec<ShapeFacts> {
    let facts = |shape: &shapes::BuiltinShape| ShapeFacts {
        name: shape.name,
        title: shape.summary,
        parameters: Shape::parameters(shape.name).collect(),
    };
    shapes::ALL.iter().map(facts).collect()
}

/// The spheres of a built-in shape: a text with its keys as in a template of a scene. Messages call it by the name.
#[pyfunction]
pub(crate) fn shape_spheres<'py>(
    py: Python<'py>,
    name: &str,
    keys: &str,
) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    let shape = Shape::read(SceneText::new(name, keys)).map_err(|wrong| Exception::input(wrong.by_path()))?;
    Ok(new_array(py, rows(shape.spheres()))?)
}

/// The spheres of a clump file, in a format that it finds out.
#[pyfunction]
pub(crate) fn read_clump(py: Python<'_>, path: PathBuf) -> Result<Bound<'_, PyArrayDyn<f64>>, Exception> {
    let spheres = py.detach(|| tumble::dem::clump::read_clump(path))?;
    Ok(new_array(py, rows(&spheres))?)
}

/// Mass properties of spheres: of their union, of all of them, or as given by volume, centre, and inertia divided by
/// density, with components xx, yy, zz, yz, xz, xy.
#[pyfunction]
#[pyo3(signature = (spheres, *, union, given))]
pub(crate) fn mass_properties(
    py: Python<'_>,
    spheres: &Bound<'_, PyAny>,
    union: bool,
    given: Option<(f64, [f64; 3], [f64; 6])>,
) -> Result<MassFacts, Exception> {
    let spheres = clump(spheres)?;
    let model = match given {
        Some((volume, centre, [xx, yy, zz, yz, xz, xy])) => MassModel::Given {
            volume,
            centre: LabVec::from_array(centre),
            inertia: SymTensor::new(LabVec::new(xx, yy, zz), LabVec::new(yz, xz, xy)),
        },
        None if union => MassModel::Union,
        None => MassModel::SumOfSpheres,
    };
    if matches!(model, MassModel::Union) && !Shape::is_integrable(&spheres) {
        return Err(Exception::input(
            "too many of the spheres overlap each other; use fewer spheres or a larger spacing; mass=\"sum\" needs no \
             integration",
        ));
    }
    let template = py.detach(|| ClumpTemplate::new("", &spheres, model))?;
    Ok(MassFacts {
        volume: template.volume(),
        centre: template.centre().to_array(),
        orientation: template.orientation().to_array(),
        moments_per_density: template.moments_per_density().to_array(),
        bounding_radius: template.bounding_radius(),
    })
}

/// A picture of spheres as an SVG document.
#[pyfunction]
pub(crate) fn clump_svg(spheres: &Bound<'_, PyAny>, caption: String) -> Result<String, Exception> {
    let ball = |sphere: ClumpSphere| Ball {
        centre: sphere.centre.to_array(),
        radius: sphere.radius,
        group: 0,
        body: 0,
    };
    let balls = clump(spheres)?.into_iter().map(ball).collect();
    Ok(Snapshot { caption, balls, ..Snapshot::default() }.to_svg())
}

fn clump(spheres: &Bound<'_, PyAny>) -> Result<Vec<ClumpSphere>, Exception> {
    let spheres = Array::<[f64; 4]>::convert("spheres", spheres)?.finite()?;
    Ok(spheres.rows()?.iter().map(|&[x, y, z, r]| ClumpSphere::new([x, y, z], r)).collect())
}

fn rows(spheres: &[ClumpSphere]) -> Vec<[f64; 4]> {
    let row = |sphere: &ClumpSphere| {
        let [x, y, z] = sphere.centre.to_array();
        [x, y, z, sphere.radius]
    };
    spheres.iter().map(row).collect()
}
