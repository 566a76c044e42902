//! Clumps: spheres from files, from the built-in list and for meshes, their mass properties and those of capsules, ellipsoids, boxes and hulls, a picture.
//!
//! Spheres are rows x, y, z, r in m, in the frame they are given in; capsules are rows of both ends and the radius, x, y, z, x, y, z, r;
//! ellipsoids of the centre, the semi-axes and the quaternion that turns these from x, y and z: x, y, z, a, b, c, w, x, y, z; boxes of the
//! centre, the size, the rounding and such a quaternion: x, y, z, a, b, c, r, w, x, y, z. A hull is its corners, rows x, y, z, and the rounding.

use crate::arrays::{Array, new_array};
use crate::errors::Exception;
use numpy::{PyArray1, PyArray2, PyArrayDyn, PyArrayMethods as _};
use pyo3::prelude::*;
use std::path::PathBuf;
use tumble::dem::clump::MassProperties;
use tumble::dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel, shapes,
};
use tumble::output::RoundedSurface;
use tumble::scene::{SceneText, Shape, tolerance};
use tumble_report::{Ball, Oval, Rod, Snapshot, Stone};
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

/// Corners of a hull and the rounding.
type GivenHull<'py> = (Bound<'py, PyAny>, f64);

/// Mass properties of spheres, capsules, ellipsoids, boxes and hulls: of their union, of all of them, or as given by volume, centre, and inertia divided by
/// density, with components xx, yy, zz, yz, xz, xy.
#[pyfunction]
#[pyo3(signature = (spheres, capsules, ellipsoids, boxes, hulls, *, union, given))]
#[expect(clippy::too_many_arguments, reason = "a list for each kind of piece")]
pub(crate) fn mass_properties(
    py: Python<'_>,
    spheres: &Bound<'_, PyAny>,
    capsules: &Bound<'_, PyAny>,
    ellipsoids: &Bound<'_, PyAny>,
    boxes: &Bound<'_, PyAny>,
    hulls: Vec<GivenHull<'_>>,
    union: bool,
    given: Option<GivenMass>,
) -> Result<MassFacts, Exception> {
    let (spheres, capsules, ellipsoids) =
        (clump(spheres)?, capsules_of(capsules)?, ellipsoids_of(ellipsoids)?);
    let hulls = hulls_of(boxes, &hulls)?;
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
    let pieces =
        ClumpPieces { spheres: &spheres, capsules: &capsules, ellipsoids: &ellipsoids, hulls: &hulls };
    let template = py.detach(|| ClumpTemplate::of("", pieces, model))?;
    Ok(MassFacts {
        volume: template.volume(),
        centre: template.centre().to_array(),
        orientation: template.orientation().to_array(),
        moments_per_density: template.moments_per_density().to_array(),
        bounding_radius: template.bounding_radius(),
    })
}

/// A picture of spheres, capsules, ellipsoids, boxes and hulls as an SVG document.
#[pyfunction]
pub(crate) fn clump_svg(
    spheres: &Bound<'_, PyAny>,
    capsules: &Bound<'_, PyAny>,
    ellipsoids: &Bound<'_, PyAny>,
    boxes: &Bound<'_, PyAny>,
    hulls: Vec<GivenHull<'_>>,
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
    let stone = |hull: ClumpHull| {
        let faces = hull.surface().map(|surface| surface.faces).unwrap_or_default();
        let corners = hull.corners.iter().map(|corner| corner.to_array()).collect();
        Stone { corners, faces, rounding: hull.rounding, group: 0, body: 0 }
    };
    let stones = hulls_of(boxes, &hulls)?.into_iter().map(stone).collect();
    Ok(Snapshot { caption, balls, rods, ovals, stones, ..Snapshot::default() }.to_svg())
}

/// The faces of the convex hull of some corners, rows x, y, z, each by their numbers, counter-clockwise seen from outside.
#[pyfunction]
pub(crate) fn hull_faces(corners: &Bound<'_, PyAny>, rounding: f64) -> Result<Vec<Vec<u32>>, Exception> {
    let corners = Array::<[f64; 3]>::convert("corners", corners)?.finite()?;
    let surface = ClumpHull::new(corners.rows()?, rounding).surface();
    Ok(surface.map_err(|problem| Exception::input(format_args!("the polyhedron {problem}")))?.faces)
}

/// Numbers of corners, normals, triangles.
type RoundedArrays<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArrayDyn<f64>>, Bound<'py, PyArray2<u32>>);

/// Triangles of the surface of a rounded polyhedron: of each point the number of the corner that it lies away from, by the rounding along a normal; those normals; and
/// the triangles by the numbers of points.
#[pyfunction]
pub(crate) fn rounded_surface<'py>(
    py: Python<'py>,
    corners: &Bound<'_, PyAny>,
    faces: Vec<Vec<u32>>,
) -> Result<RoundedArrays<'py>, Exception> {
    let corners = Array::<[f64; 3]>::convert("corners", corners)?.finite()?;
    let corners = corners.rows()?;
    if let Some(corner) = faces.iter().flatten().find(|corner| **corner as usize >= corners.len()) {
        return Err(Exception::input(format_args!("faces: there is no corner {corner}")));
    }
    let place = |corner: u32| LabVec::from_array(corners[corner as usize]);
    let surface = RoundedSurface::of(faces.into_iter(), place);
    let (numbers, normals): (Vec<u32>, Vec<[f64; 3]>) =
        surface.points.iter().map(|(corner, normal)| (*corner, normal.to_array())).unzip();
    let triangles = PyArray1::from_slice(py, surface.triangles.as_flattened());
    Ok((
        PyArray1::from_vec(py, numbers),
        new_array(py, normals)?,
        triangles.reshape([surface.triangles.len(), 3])?,
    ))
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

/// Boxes, then hulls.
fn hulls_of(boxes: &Bound<'_, PyAny>, hulls: &[GivenHull<'_>]) -> Result<Vec<ClumpHull>, Exception> {
    let boxes = Array::<[f64; 11]>::convert("boxes", boxes)?.finite()?;
    let mut all = Vec::new();
    for (row, &[x, y, z, a, b, c, rounding, w, i, j, k]) in boxes.rows()?.iter().enumerate() {
        // Otherwise its corners would change places.
        if [a, b, c].into_iter().any(|side| side <= 2.0 * rounding) {
            return Err(Exception::input(format_args!(
                "boxes: row {row} has a rounding of half of its shortest side or more, which leaves no flat sides"
            )));
        }
        let turn = Quat::from_array([w, i, j, k]);
        if turn.norm_squared() <= 0.0 {
            return Err(Exception::input(format_args!("boxes: the quaternion of row {row} is zero")));
        }
        all.push(ClumpHull::cuboid([a, b, c], rounding).turned(turn).at([x, y, z]));
    }
    for (corners, rounding) in hulls {
        let corners = Array::<[f64; 3]>::convert("hulls", corners)?.finite()?;
        all.push(ClumpHull::new(corners.rows()?, *rounding));
    }
    Ok(all)
}

fn rows(spheres: &[ClumpSphere]) -> Vec<[f64; 4]> {
    let row = |sphere: &ClumpSphere| {
        let [x, y, z] = sphere.centre.to_array();
        [x, y, z, sphere.radius]
    };
    spheres.iter().map(row).collect()
}
