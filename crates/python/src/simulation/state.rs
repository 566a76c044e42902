//! Bodies, contacts and walls as arrays, and changes of bodies.
//!
//! The engine keeps its columns in chunks and in an order of its own; what goes out is copied into the order of ids.

use super::Simulation;
use crate::arrays::{Array, Row, new_array};
use crate::errors::Exception;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tumble::dem::{
    Body, BodyId, BodyState, Change, ContactState, LabVec, MaterialId, Quat, TemplateId, Touching,
};
use tumble::output::Flow;

/// One column of the table of bodies, by name, in the order of ids.
#[pyfunction]
pub(crate) fn column<'py>(
    simulation: &Simulation,
    py: Python<'py>,
    name: &str,
) -> Result<Bound<'py, PyAny>, Exception> {
    column_of(simulation, py, &bodies(simulation, py)?, name)
}

/// Several of them, of the same instant.
#[pyfunction]
pub(crate) fn columns<'py>(
    simulation: &Simulation,
    py: Python<'py>,
    names: Vec<String>,
) -> Result<Vec<Bound<'py, PyAny>>, Exception> {
    let bodies = bodies(simulation, py)?;
    names.iter().map(|name| column_of(simulation, py, &bodies, name)).collect()
}

/// All bodies, in the order of ids.
fn bodies(simulation: &Simulation, py: Python<'_>) -> Result<Vec<BodyState>, Exception> {
    let stage = simulation.lock()?;
    let engine = stage.simulation()?.engine();
    Ok(py.detach(|| engine.bodies()))
}

fn column_of<'py>(
    simulation: &Simulation,
    py: Python<'py>,
    bodies: &[BodyState],
    name: &str,
) -> Result<Bound<'py, PyAny>, Exception> {
    let vectors = |of: fn(&BodyState) -> [f64; 3]| new_array(py, bodies.iter().map(of).collect());
    Ok(match name {
        "ids" => PyArray1::from_iter(py, bodies.iter().map(|body| body.id.0)).into_any(),
        "templates" => PyArray1::from_iter(py, bodies.iter().map(|body| body.template.0)).into_any(),
        "materials" => PyArray1::from_iter(py, bodies.iter().map(|body| body.material.0)).into_any(),
        "held" => PyArray1::from_iter(py, bodies.iter().map(|body| body.held)).into_any(),
        "scales" => PyArray1::from_iter(py, bodies.iter().map(|body| body.scale)).into_any(),
        "radii" => {
            PyArray1::from_iter(py, bodies.iter().map(|body| simulation.bounding_radius(body))).into_any()
        }
        "masses" => PyArray1::from_iter(py, bodies.iter().map(|body| body.mass)).into_any(),
        "temperatures" => {
            let temperatures: Option<Vec<f64>> = bodies.iter().map(|body| body.temperature).collect();
            let missing =
                || Exception::input(format_args!("there are no temperatures: the scene has no table [heat]"));
            PyArray1::from_vec(py, temperatures.ok_or_else(missing)?).into_any()
        }
        "films" => {
            let films: Option<Vec<f64>> = bodies.iter().map(|body| body.film).collect();
            let missing =
                || Exception::input(format_args!("there are no films: the scene has no table [liquid]"));
            PyArray1::from_vec(py, films.ok_or_else(missing)?).into_any()
        }
        "moments" => vectors(|body| body.moments.to_array())?.into_any(),
        "positions" => vectors(|body| body.position.to_array())?.into_any(),
        "velocities" => vectors(|body| body.velocity.to_array())?.into_any(),
        "spins" => vectors(|body| body.angular_velocity.to_array())?.into_any(),
        "forces" => vectors(|body| body.force.to_array())?.into_any(),
        "torques" => vectors(|body| body.torque.to_array())?.into_any(),
        "quaternions" => {
            let rows: Vec<[f64; 4]> = bodies.iter().map(|body| body.orientation.to_array()).collect();
            new_array(py, rows)?.into_any()
        }
        _ => return Err(Exception::input(format_args!("bodies have no column {name}"))),
    })
}

/// The spheres of all bodies: whose, where, and how large.
#[pyfunction]
pub(crate) fn spheres<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let bodies = bodies(simulation, py)?;
    let templates = &simulation.built.world.templates;
    let (mut owners, mut numbers, mut centres, mut radii) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for body in &bodies {
        let Some(template) = templates.get(usize::from(body.template)) else { continue };
        // The corners of polyhedra and the points of ellipsoids come last, and are none.
        let spheres = template.round_pieces() + 2 * template.capsules().len();
        for (number, sphere) in (0_u32..).zip(&template.spheres()[..spheres]) {
            owners.push(body.id.0);
            numbers.push(number);
            let arm = body.orientation.to_lab(sphere.centre * body.scale);
            centres.push((body.position + arm).to_array());
            radii.push(sphere.radius * body.scale);
        }
    }
    let table = PyDict::new(py);
    table.set_item("body", PyArray1::from_vec(py, owners))?;
    table.set_item("sphere", PyArray1::from_vec(py, numbers))?;
    table.set_item("centre", new_array::<[f64; 3]>(py, centres)?)?;
    table.set_item("radius", PyArray1::from_vec(py, radii))?;
    Ok(table)
}

/// The capsules of all bodies: whose, which of the spheres is at their first end, where, and how large.
#[pyfunction]
pub(crate) fn capsules<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let bodies = bodies(simulation, py)?;
    let templates = &simulation.built.world.templates;
    let (mut owners, mut numbers, mut radii) = (Vec::new(), Vec::new(), Vec::new());
    let mut ends = [Vec::new(), Vec::new()];
    for body in &bodies {
        let Some(template) = templates.get(usize::from(body.template)) else { continue };
        for capsule in template.capsules() {
            owners.push(body.id.0);
            numbers.push(u32::try_from(capsule[0]).unwrap_or(u32::MAX));
            radii.push(template.spheres()[capsule[0]].radius * body.scale);
            for (column, sphere) in ends.iter_mut().zip(capsule) {
                let arm = body.orientation.to_lab(template.spheres()[sphere].centre * body.scale);
                column.push((body.position + arm).to_array());
            }
        }
    }
    let [from, to] = ends;
    let table = PyDict::new(py);
    table.set_item("body", PyArray1::from_vec(py, owners))?;
    table.set_item("sphere", PyArray1::from_vec(py, numbers))?;
    table.set_item("from", new_array::<[f64; 3]>(py, from)?)?;
    table.set_item("to", new_array::<[f64; 3]>(py, to)?)?;
    table.set_item("radius", PyArray1::from_vec(py, radii))?;
    Ok(table)
}

/// The corners of the rounded polyhedra of all bodies: whose, by which number contacts know all of the polyhedron, and which of the spheres is at the corner, where, and how
/// large.
#[pyfunction]
pub(crate) fn corners<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let bodies = bodies(simulation, py)?;
    let templates = &simulation.built.world.templates;
    let (mut owners, mut cores, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut centres, mut radii) = (Vec::new(), Vec::new());
    for body in &bodies {
        let Some(template) = templates.get(usize::from(body.template)) else { continue };
        for hull in template.hulls() {
            for corner in hull.corners() {
                let sphere = template.spheres()[corner as usize];
                owners.push(body.id.0);
                cores.push(hull.core());
                numbers.push(corner);
                centres
                    .push((body.position + body.orientation.to_lab(sphere.centre * body.scale)).to_array());
                radii.push(sphere.radius * body.scale);
            }
        }
    }
    let table = PyDict::new(py);
    table.set_item("body", PyArray1::from_vec(py, owners))?;
    table.set_item("core", PyArray1::from_vec(py, cores))?;
    table.set_item("sphere", PyArray1::from_vec(py, numbers))?;
    table.set_item("centre", new_array::<[f64; 3]>(py, centres)?)?;
    table.set_item("radius", PyArray1::from_vec(py, radii))?;
    Ok(table)
}

/// The ellipsoids of all bodies: whose, which of the spheres is at their centre, where, how long their semi-axes are and how they are turned.
#[pyfunction]
pub(crate) fn ellipsoids<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let bodies = bodies(simulation, py)?;
    let templates = &simulation.built.world.templates;
    let (mut owners, mut numbers, mut centres) = (Vec::new(), Vec::new(), Vec::new());
    let mut axes = [Vec::new(), Vec::new(), Vec::new()];
    for body in &bodies {
        let Some(template) = templates.get(usize::from(body.template)) else { continue };
        for [first, tips @ ..] in template.ellipsoids() {
            let arm = |sphere: usize| body.orientation.to_lab(template.spheres()[sphere].centre * body.scale);
            owners.push(body.id.0);
            numbers.push(u32::try_from(first).unwrap_or(u32::MAX));
            centres.push((body.position + arm(first)).to_array());
            for (column, tip) in axes.iter_mut().zip(tips) {
                column.push((arm(tip) - arm(first)).to_array());
            }
        }
    }
    let [a, b, c] = axes;
    let table = PyDict::new(py);
    table.set_item("body", PyArray1::from_vec(py, owners))?;
    table.set_item("sphere", PyArray1::from_vec(py, numbers))?;
    table.set_item("centre", new_array::<[f64; 3]>(py, centres)?)?;
    table.set_item("a", new_array::<[f64; 3]>(py, a)?)?;
    table.set_item("b", new_array::<[f64; 3]>(py, b)?)?;
    table.set_item("c", new_array::<[f64; 3]>(py, c)?)?;
    Ok(table)
}

/// All contacts, a column for each of their properties; `centre` is that of the sphere by which the first body touches.
#[pyfunction]
pub(crate) fn contacts<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let stage = simulation.lock()?;
    let engine = stage.simulation()?.engine();
    let (contacts, bodies) = py.detach(|| (engine.contacts(), engine.bodies()));
    drop(stage);
    let templates = &simulation.built.world.templates;
    let centre = |contact: &ContactState| {
        let row = bodies.binary_search_by_key(&contact.body.0, |body| body.id).ok();
        let centre = row.and_then(|row| {
            let template = templates.get(usize::from(bodies[row].template))?;
            bodies[row].touching_centre(template, contact.body.1, contact.with, contact.point)
        });
        centre.map_or([f64::NAN; 3], LabVec::to_array)
    };
    let other = |contact: &ContactState| match contact.with {
        Touching::Body(id, sphere) => (i64::from(id.0), i64::from(sphere), -1),
        Touching::Wall(wall) => (-1, -1, i64::from(wall.0)),
    };
    let vectors = |of: fn(&ContactState) -> [f64; 3]| new_array(py, contacts.iter().map(of).collect());
    let integers = |of: &dyn Fn(&ContactState) -> i64| PyArray1::from_iter(py, contacts.iter().map(of));
    let table = PyDict::new(py);
    table.set_item("body", integers(&|contact| i64::from(contact.body.0.0)))?;
    table.set_item("sphere", integers(&|contact| i64::from(contact.body.1)))?;
    table.set_item("other_body", integers(&|contact| other(contact).0))?;
    table.set_item("other_sphere", integers(&|contact| other(contact).1))?;
    table.set_item("wall", integers(&|contact| other(contact).2))?;
    table.set_item("point", vectors(|contact| contact.point.to_array())?)?;
    table.set_item("centre", new_array(py, contacts.iter().map(centre).collect())?)?;
    table.set_item("force", vectors(|contact| contact.force.to_array())?)?;
    table.set_item("couple", vectors(|contact| contact.couple.to_array())?)?;
    table.set_item("overlap", PyArray1::from_iter(py, contacts.iter().map(|contact| contact.overlap)))?;
    let energy = contacts.iter().map(|contact| contact.stored.iter().sum::<f64>());
    table.set_item("elastic_energy", PyArray1::from_iter(py, energy))?;
    Ok(table)
}

/// What each wall feels: force, torque about a point, that point, power.
#[pyfunction]
pub(crate) fn wall_loads<'py>(
    simulation: &Simulation,
    py: Python<'py>,
) -> Result<Bound<'py, PyDict>, Exception> {
    let walls = simulation.lock()?.simulation()?.engine().walls();
    let table = PyDict::new(py);
    table.set_item(
        "force",
        new_array(py, walls.iter().map(|wall| wall.force.to_array()).collect::<Vec<_>>())?,
    )?;
    table.set_item(
        "torque",
        new_array(py, walls.iter().map(|wall| wall.torque.to_array()).collect::<Vec<_>>())?,
    )?;
    table.set_item(
        "about",
        new_array(py, walls.iter().map(|wall| wall.about.to_array()).collect::<Vec<_>>())?,
    )?;
    table.set_item("power", PyArray1::from_iter(py, walls.iter().map(|wall| wall.power)))?;
    table.set_item("moved", PyArray1::from_iter(py, walls.iter().map(|wall| wall.moved)))?;
    table.set_item("speed", PyArray1::from_iter(py, walls.iter().map(|wall| wall.speed)))?;
    Ok(table)
}

/// What bears on the triangles of a wall, a column for each quantity; none if it is no mesh, or nobody asked for it.
#[pyfunction]
pub(crate) fn surface<'py>(
    simulation: &Simulation,
    py: Python<'py>,
    wall: u32,
) -> Result<Option<Bound<'py, PyDict>>, Exception> {
    let surfaces = simulation.lock()?.simulation()?.engine().surfaces();
    let Some(found) = surfaces.into_iter().find(|surface| surface.wall.0 == wall) else { return Ok(None) };
    let table = PyDict::new(py);
    table.set_item("area", PyArray1::from_vec(py, found.area))?;
    table.set_item("pressure", PyArray1::from_vec(py, found.pressure))?;
    let traction: Vec<[f64; 3]> = found.traction.iter().map(|traction| traction.to_array()).collect();
    table.set_item("traction", new_array(py, traction)?)?;
    table.set_item("friction_work", PyArray1::from_vec(py, found.friction_work))?;
    table.set_item("sliding_load", PyArray1::from_vec(py, found.sliding_load))?;
    Ok(Some(table))
}

/// Name, direction, bodies, mass, how many wait.
type FlowRow = (String, &'static str, u64, f64, u64);

/// What went through each stream and outlet so far: name, direction, bodies, mass, how many wait.
#[pyfunction]
pub(crate) fn flows(simulation: &Simulation) -> Result<Vec<FlowRow>, Exception> {
    let stage = simulation.lock()?;
    let simulation = stage.simulation()?;
    let flows = simulation.flows().report();
    let row = |flow: Flow| (flow.name, flow.direction.name(), flow.bodies, flow.mass_kg, flow.waiting);
    Ok(flows.into_iter().map(row).collect())
}

/// Changes bodies: each array has a row for each id, or is absent.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "columns of a table")]
pub(crate) fn change_bodies(
    simulation: &Simulation,
    py: Python<'_>,
    ids: PyReadonlyArray1<'_, u32>,
    positions: Option<&Bound<'_, PyAny>>,
    quaternions: Option<&Bound<'_, PyAny>>,
    velocities: Option<&Bound<'_, PyAny>>,
    spins: Option<&Bound<'_, PyAny>>,
    held: Option<bool>,
) -> Result<(), Exception> {
    let count = ids.as_array().len();
    let positions = rows::<[f64; 3]>("positions", positions, count)?;
    let quaternions = rows::<[f64; 4]>("quaternions", quaternions, count)?;
    let velocities = rows::<[f64; 3]>("velocities", velocities, count)?;
    let spins = rows::<[f64; 3]>("spins", spins, count)?;
    let vector = |rows: &Option<Vec<[f64; 3]>>, row: usize| {
        rows.as_ref().and_then(|rows| rows.get(row)).map(|&vector| LabVec::from_array(vector))
    };
    let turned =
        |row: usize| quaternions.as_ref().and_then(|rows| rows.get(row)).map(|&q| Quat::from_array(q));
    let change = |(row, &id): (usize, &u32)| Change {
        id: BodyId(id),
        position: vector(&positions, row),
        orientation: turned(row),
        velocity: vector(&velocities, row),
        angular_velocity: vector(&spins, row),
        held,
        temperature: None,
    };
    let changes: Vec<Change> = ids.as_array().iter().enumerate().map(change).collect();
    simulation.edit(py, |engine| engine.change_bodies(&changes))
}

/// Puts bodies in, and gives their ids. Numbers of templates and materials are those of the lists of names.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "columns of a table")]
pub(crate) fn add_bodies<'py>(
    simulation: &Simulation,
    py: Python<'py>,
    template: u16,
    material: u16,
    scale: f64,
    held: bool,
    positions: &Bound<'py, PyAny>,
    quaternions: &Bound<'py, PyAny>,
    velocities: &Bound<'py, PyAny>,
    spins: &Bound<'py, PyAny>,
) -> Result<Bound<'py, PyArray1<u32>>, Exception> {
    let positions = Array::<[f64; 3]>::convert("positions", positions)?.finite()?;
    let positions = positions.rows()?;
    let count = positions.len();
    let quaternions = rows::<[f64; 4]>("quaternions", Some(quaternions), count)?.unwrap_or_default();
    let velocities = rows::<[f64; 3]>("velocities", Some(velocities), count)?.unwrap_or_default();
    let spins = rows::<[f64; 3]>("spins", Some(spins), count)?.unwrap_or_default();
    let motions = quaternions.iter().zip(velocities.iter().zip(&spins));
    let bodies = positions.iter().zip(motions).map(|(&position, (&q, (&velocity, &spin)))| Body {
        template: TemplateId(template),
        material: MaterialId(material),
        scale,
        position: LabVec::from_array(position),
        velocity: LabVec::from_array(velocity),
        orientation: Quat::from_array(q),
        angular_velocity: LabVec::from_array(spin),
        held,
        temperature: tumble::dem::heat::ROOM,
        film: 0.0,
    });
    let bodies: Vec<Body> = bodies.collect();
    let ids = simulation.edit(py, |engine| engine.add_bodies(&bodies))?;
    Ok(PyArray1::from_iter(py, ids.into_iter().map(|id| id.0)))
}

/// Takes bodies out.
#[pyfunction]
pub(crate) fn remove_bodies(
    simulation: &Simulation,
    py: Python<'_>,
    ids: PyReadonlyArray1<'_, u32>,
) -> Result<(), Exception> {
    let ids: Vec<BodyId> = ids.as_array().iter().map(|&id| BodyId(id)).collect();
    simulation.edit(py, |engine| engine.remove_bodies(&ids))
}

impl Simulation {
    /// The radius of the ball about its centre of mass that holds a body, m.
    fn bounding_radius(&self, body: &BodyState) -> f64 {
        let template = self.built.world.templates.get(usize::from(body.template));
        template.map_or(0.0, |template| template.bounding_radius() * body.scale)
    }
}

/// The rows of an argument that may be absent; as many as there are bodies.
fn rows<R: Row>(
    name: &'static str,
    given: Option<&Bound<'_, PyAny>>,
    count: usize,
) -> Result<Option<Vec<R>>, Exception> {
    let Some(given) = given else { return Ok(None) };
    let array = Array::<R>::convert(name, given)?.finite()?;
    let found = array.rows()?;
    if found.len() != count {
        return Err(Exception::input(format_args!(
            "{name}: expected a row for each of {count} bodies, found {}",
            found.len()
        )));
    }
    Ok(Some(found.to_vec()))
}
