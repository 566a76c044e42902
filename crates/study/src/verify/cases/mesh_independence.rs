//! A floor of triangles is a floor: whatever the triangles, a body on it moves as on a plane.

use crate::verify::arrange::{add_clump, add_sphere, lopsided, settings, world};
use crate::verify::citations::KREMMER_2001;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, hertz_sinkage, largest, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{MeshOptions, Motion, Plane, Shape, TriangleMesh, Wall};
use tumble_dem::{Body, BodyState, BodyVec, Engine, LabVec, MaterialId, Quat, World};
use tumble_report::{Band, Finding, Outcome};

setup! {
    /// Radius of the sphere
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Restitution
    restitution: 0.5, "";
    /// Coefficient of friction
    friction: 0.3, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Speed of the sphere, which slides and then rolls
    speed: 1.0, "m/s";
    /// Time step
    dt: 4e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "mesh-independence",
    title: "a floor of triangles is a plane",
    group: Group::Shape,
    sources: &[KREMMER_2001],
    setup: "A sphere slides and rolls over a floor, and a clump bounces on it, once on a plane and once each on five \
            triangulations: large and small squares, slivers, shaken corners, and one with an edge right below the path. \
            Gravity and everything else is tilted, so that no coordinate of a corner is exact.",
    exact: "the motion on the plane; touching edges or corners twice, or forgetting a spring there, would show at once",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// A floor of nx × ny cells, each cut in two, between x = −0.1 and 0.4, y = −0.1 and 0.1 m.
struct Floor {
    name: &'static str,
    cells: (u32, u32),
    /// How far inner corners are shaken, in cells.
    shaken: f64,
    /// Shifted along y, in cells.
    shift: f64,
}

const FLOORS: [Floor; 5] = [
    Floor { name: "large squares", cells: (7, 3), shaken: 0.0, shift: 0.31 },
    Floor { name: "small squares", cells: (170, 70), shaken: 0.0, shift: 0.31 },
    Floor { name: "slivers", cells: (400, 4), shaken: 0.0, shift: 0.31 },
    Floor { name: "shaken corners", cells: (60, 24), shaken: 0.35, shift: 0.0 },
    Floor { name: "edge below the path", cells: (25, 10), shaken: 0.0, shift: 0.0 },
];

impl Floor {
    fn mesh(&self) -> Result<TriangleMesh, Error> {
        let (nx, ny) = self.cells;
        let (dx, dy) = (0.5 / f64::from(nx), 0.2 / f64::from(ny));
        let mut random = Random::new(5);
        let mut corners = Vec::new();
        for i in 0..=nx {
            for j in 0..=ny {
                let inner = i > 0 && i < nx && j > 0 && j < ny;
                let mut shake = || if inner { self.shaken * random.between(-1.0, 1.0) } else { 0.0 };
                let x = -0.1 + dx * (f64::from(i) + shake());
                let y = -0.1 + dy * (f64::from(j) + self.shift + shake());
                corners.push(tilted(x, y, 0.0));
            }
        }
        let corner = |i: u32, j: u32| corners[(i * (ny + 1) + j) as usize];
        let mut triangles = Vec::new();
        for (i, j) in (0..nx).flat_map(|i| (0..ny).map(move |j| (i, j))) {
            triangles.push([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)]);
            triangles.push([corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)]);
        }
        Ok(TriangleMesh::new(&triangles, MeshOptions::default())?)
    }
}

/// A vector in the frame of the floor, as the lab has it.
fn tilted(x: f64, y: f64, z: f64) -> LabVec<f64> {
    Quat::from_rotation_vector(LabVec::new(0.4, -0.3, 0.7)).to_lab(BodyVec::new(x, y, z))
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let plane = || -> Result<Shape, Error> { Ok(Plane::new(LabVec::zero(), tilted(0.0, 0.0, 1.0))?.into()) };
    let (slid, bounced) = (slide(theory, plane()?)?, bounce(theory, plane()?)?);
    let mut outcome = Outcome::default();
    let fell = tilted(theory.speed, 0.3 * theory.speed, -theory.speed);
    let changed = bounced.last().map_or(f64::NAN, |body| (body.velocity - fell).norm()) / theory.speed;
    let reason = "or it would not have bounced";
    outcome.findings.push(Finding::alone(
        "clump on the plane: change of velocity over v",
        changed,
        Band::AtLeast(1.0),
        reason,
    ));
    let reason = "rounding of the corners, and of sums in another order";
    for floor in FLOORS {
        let off = |on_mesh: &[BodyState], on_plane: &[BodyState], reach: f64| {
            largest(on_mesh.iter().zip(on_plane).map(|(a, b)| {
                let turning = (a.angular_velocity - b.angular_velocity).norm() * reach;
                largest([(a.velocity - b.velocity).norm(), turning]) / theory.speed
            }))
        };
        let rolled = slide(simulation, floor.mesh()?.into())?;
        outcome.findings.push(at_most(
            format!("{}: sphere, worst difference over v", floor.name),
            off(&rolled, &slid, theory.radius),
            1e-10,
            reason,
        ));
        let thrown = bounce(simulation, floor.mesh()?.into())?;
        outcome.findings.push(at_most(
            format!("{}: clump, worst difference over v", floor.name),
            off(&thrown, &bounced, theory.radius),
            1e-10,
            reason,
        ));
    }
    Ok(outcome)
}

fn engine(
    setup: Setup,
    floor: Shape,
    body: impl FnOnce(&mut World) -> Result<Body, Error>,
) -> Result<Engine, Error> {
    let Setup { density, young, poisson, restitution, friction, gravity, dt, .. } = setup;
    let properties = PairProperties::new(restitution, friction);
    let mut world = world(Material::new("m", density, young, poisson), properties);
    world.gravity = tilted(0.0, 0.0, -gravity);
    world.walls.push(Wall::new("floor", floor, MaterialId(0), Motion::fixed())?);
    let body = body(&mut world)?;
    world.add_body(body);
    Ok(Engine::new(world, settings(LawKind::HertzMindlin, dt))?)
}

/// Twenty states of a sphere that slides along x and begins to roll.
fn slide(setup: Setup, floor: Shape) -> Result<Vec<BodyState>, Error> {
    let weight = sphere_mass(setup.density, setup.radius) * setup.gravity;
    let overlap = hertz_sinkage(same_material(setup.young, setup.poisson), setup.radius, weight);
    let mut engine = engine(setup, floor, |world| {
        let sphere = add_sphere(world, setup.radius)?;
        let place = tilted(0.0, 0.0, setup.radius - overlap);
        Ok(Body::at(sphere, place).moving(tilted(setup.speed, 0.0, 0.0)))
    })?;
    states(&mut engine, 20, 250)
}

/// Twenty states of a clump that is thrown down, turns, and touches with several spheres.
fn bounce(setup: Setup, floor: Shape) -> Result<Vec<BodyState>, Error> {
    let mut engine = engine(setup, floor, |world| {
        let clump = add_clump(world, &lopsided())?;
        let velocity = tilted(setup.speed, 0.3 * setup.speed, -setup.speed);
        Ok(Body::at(clump, tilted(0.0, 0.0, 0.025)).moving(velocity).spinning(tilted(20.0, -30.0, 25.0)))
    })?;
    states(&mut engine, 20, 50)
}

fn states(engine: &mut Engine, count: usize, steps: u64) -> Result<Vec<BodyState>, Error> {
    let mut states = Vec::new();
    for _ in 0..count {
        engine.advance(steps)?;
        states.extend(engine.bodies());
    }
    Ok(states)
}
