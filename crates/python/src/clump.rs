//! Clumps: spheres from files, from the built-in list and for meshes, their mass properties and those of capsules and ellipsoids, a picture.
//!
//! Spheres are rows x, y, z, r in m, in the frame they are given in; capsules are rows of both ends and the radius, x, y, z, x, y, z, r;
//! ellipsoids of the centre, the semi-axes and the quaternion that turns these from x, y and z: x, y, z, a, b, c, w, x, y, z.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use std::path::PathBuf;
use tumble::dem::clump::MassProperties;
use tumble::dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel, shapes,
};
use tumble::scene::{SceneText, Shape, tolerance};
use tumble_report::{Ball, Oval, Rod, Snapshot};
use tumble_rotation::math::{BodyVec, LabVec, Quat, SymTensor};
use tumble_shape::{Bodies, Fitted, MassFrom, Solid, Tolerance, Wanted};

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

/// Volume, centre, and inertia divided by density, with components xx, yy, zz, yz, xz, xy.
type GivenMass = (f64, [f64; 3], [f64; 6]);

/// Spheres for a mesh, and how well they stand for it.
#[derive(IntoPyObject)]
pub(crate) struct MeshFacts<'py> {
    spheres: Bound<'py, PyArrayDyn<f64>>,
    /// That of the mesh, where that of the union differs.
    given: Option<GivenMass>,
    /// m.
    size: f64,
    surface: f64,
    seen: f64,
    mean: f64,
    volume_error: f64,
    inertia_error: f64,
    reached: bool,
    repairs: Vec<String>,
    warnings: Vec<String>,
}

/// What is asked of spheres for a mesh. Lengths are texts: a part of the size such as 2%, or a length.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked {
    scale: f64,
    largest_body: bool,
    surface: String,
    spheres_max: usize,
    volume: Option<f64>,
    inertia: Option<f64>,
    smallest_radius: Option<String>,
    equal: bool,
    seed: u64,
}

/// Spheres for a closed triangle mesh.
#[pyfunction]
pub(crate) fn mesh_clump(py: Python<'_>, path: PathBuf, asked: Asked) -> Result<MeshFacts<'_>, Exception> {
    let (solid, fitted) = py.detach(|| {
        let bodies = if asked.largest_body { Bodies::Largest } else { Bodies::One };
        let solid = Solid::read(&path, asked.scale, bodies)?;
        let fitted = fitted(&solid, &asked)?;
        Ok::<_, Exception>((solid, fitted))
    })?;
    let MassProperties { volume, centre, inertia } = *solid.mass();
    let [[xx, yy, zz], [yz, xz, xy]] = [inertia.diagonal, inertia.off_diagonal].map(LabVec::to_array);
    let given = (volume, centre.to_array(), [xx, yy, zz, yz, xz, xy]);
    let certificate = &fitted.certificate;
    Ok(MeshFacts {
        spheres: new_array(py, rows(&fitted.spheres))?,
        given: (fitted.mass == MassFrom::Mesh).then_some(given),
        size: solid.size(),
        surface: certificate.surface.upper,
        seen: certificate.surface.lower,
        mean: certificate.mean,
        volume_error: certificate.volume_error,
        inertia_error: certificate.inertia_error,
        reached: fitted.reached,
        repairs: solid.mended().repairs(),
        warnings: solid.mended().warnings(),
    })
}

fn fitted(solid: &Solid, asked: &Asked) -> Result<Fitted, Exception> {
    let length = |name: &str, text: &str| {
        let length = if text == "0" { Ok(Tolerance::Metres(0.0)) } else { tolerance(text) };
        let length = length.map_err(|wrong| Exception::input(format!("{name}: {wrong}")))?;
        Ok::<_, Exception>(length.metres(solid))
    };
    let radius = asked.smallest_radius.as_deref().map(|text| length("smallest_radius", text)).transpose()?;
    if asked.equal {
        let fitted = tumble_shape::fit_equal(solid, radius, asked.spheres_max, asked.seed);
        return fitted
            .ok_or_else(|| Exception::input("smallest_radius: no sphere of this radius fits into the mesh"));
    }
    let wanted = Wanted {
        surface: length("surface", &asked.surface)?,
        spheres_max: asked.spheres_max,
        volume: asked.volume.unwrap_or(f64::INFINITY),
        inertia: asked.inertia.unwrap_or(f64::INFINITY),
        smallest_radius: radius.unwrap_or(0.0),
        seed: asked.seed,
    };
    let mut heard = Ok(());
    let mut fitted = tumble_shape::fit(solid, &wanted, |_| {
        #[expect(clippy::redundant_closure_for_method_calls, reason = "the method alone is for one lifetime")]
        let signals = Python::attach(|py| py.check_signals());
        heard = signals;
        heard.is_ok()
    });
    heard?;
    // With no error to keep, as many spheres as there may be are what was asked for.
    fitted.reached |= wanted.surface <= 0.0 && asked.volume.is_none() && asked.inertia.is_none();
    Ok(fitted)
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

/// Mass properties of spheres, capsules and ellipsoids: of their union, of all of them, or as given by volume, centre, and inertia divided by
/// density, with components xx, yy, zz, yz, xz, xy.
#[pyfunction]
#[pyo3(signature = (spheres, capsules, ellipsoids, *, union, given))]
pub(crate) fn mass_properties(
    py: Python<'_>,
    spheres: &Bound<'_, PyAny>,
    capsules: &Bound<'_, PyAny>,
    ellipsoids: &Bound<'_, PyAny>,
    union: bool,
    given: Option<GivenMass>,
) -> Result<MassFacts, Exception> {
    let (spheres, capsules, ellipsoids) =
        (clump(spheres)?, capsules_of(capsules)?, ellipsoids_of(ellipsoids)?);
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
    let pieces = ClumpPieces {
        spheres: &spheres,
        capsules: &capsules,
        ellipsoids: &ellipsoids,
        ..ClumpPieces::default()
    };
    let template = py.detach(|| ClumpTemplate::of("", pieces, model))?;
    Ok(MassFacts {
        volume: template.volume(),
        centre: template.centre().to_array(),
        orientation: template.orientation().to_array(),
        moments_per_density: template.moments_per_density().to_array(),
        bounding_radius: template.bounding_radius(),
    })
}

/// A picture of spheres, capsules and ellipsoids as an SVG document.
#[pyfunction]
pub(crate) fn clump_svg(
    spheres: &Bound<'_, PyAny>,
    capsules: &Bound<'_, PyAny>,
    ellipsoids: &Bound<'_, PyAny>,
    caption: String,
) -> Result<String, Exception> {
    let ball = |sphere: ClumpSphere| Ball {
        centre: sphere.centre.to_array(),
        radius: sphere.radius,
        group: 0,
        body: 0,
    };
    let balls = clump(spheres)?.into_iter().map(ball).collect();
    let rod = |capsule: ClumpCapsule| {
        let ends = capsule.ends.map(LabVec::to_array);
        Rod { ends, radius: capsule.radius, group: 0, body: 0 }
    };
    let rods = capsules_of(capsules)?.into_iter().map(rod).collect();
    let oval = |ellipsoid: ClumpEllipsoid| {
        let [a, b, c] = ellipsoid.semi_axes;
        let axes = [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]];
        let q = ellipsoid.orientation.normalised();
        let semi_axes = axes.map(|axis| q.to_lab(BodyVec::from_array(axis)).to_array());
        Oval { centre: ellipsoid.centre.to_array(), semi_axes, group: 0, body: 0 }
    };
    let ovals = ellipsoids_of(ellipsoids)?.into_iter().map(oval).collect();
    Ok(Snapshot { caption, balls, rods, ovals, ..Snapshot::default() }.to_svg())
}

fn clump(spheres: &Bound<'_, PyAny>) -> Result<Vec<ClumpSphere>, Exception> {
    let spheres = Array::<[f64; 4]>::convert("spheres", spheres)?.finite()?;
    Ok(spheres.rows()?.iter().map(|&[x, y, z, r]| ClumpSphere::new([x, y, z], r)).collect())
}

fn capsules_of(capsules: &Bound<'_, PyAny>) -> Result<Vec<ClumpCapsule>, Exception> {
    let capsules = Array::<[f64; 7]>::convert("capsules", capsules)?.finite()?;
    let capsule = |&[x, y, z, u, v, w, r]: &[f64; 7]| ClumpCapsule::new([x, y, z], [u, v, w], r);
    Ok(capsules.rows()?.iter().map(capsule).collect())
}

fn ellipsoids_of(ellipsoids: &Bound<'_, PyAny>) -> Result<Vec<ClumpEllipsoid>, Exception> {
    let ellipsoids = Array::<[f64; 10]>::convert("ellipsoids", ellipsoids)?.finite()?;
    let ellipsoid = |&[x, y, z, a, b, c, w, i, j, k]: &[f64; 10]| {
        ClumpEllipsoid::new([a, b, c]).at([x, y, z]).turned(Quat::from_array([w, i, j, k]))
    };
    Ok(ellipsoids.rows()?.iter().map(ellipsoid).collect())
}

fn rows(spheres: &[ClumpSphere]) -> Vec<[f64; 4]> {
    let row = |sphere: &ClumpSphere| {
        let [x, y, z] = sphere.centre.to_array();
        [x, y, z, sphere.radius]
    };
    spheres.iter().map(row).collect()
}
