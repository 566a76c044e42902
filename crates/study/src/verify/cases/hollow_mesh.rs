//! Hollow surfaces of triangles: energy is kept whatever the triangles, loads count once, and finer is smoother.

mod surfaces;

use crate::verify::arrange::{Z, add_clump, add_sphere, first, settings, world};
use crate::verify::citations::KREMMER_2001;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, hertz_sinkage, largest, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use surfaces::{ball, saddle, trough};
use tumble_dem::clump::shapes;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cylinder, Motion, Movement, Plane, Shape, Side, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, World};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius of the spheres
    radius: 0.01, "m";
    /// Radius of the hollow
    hollow: 0.1, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Normal stiffness in the linear law
    stiffness: 1e4, "N/m";
    /// Restitution, of what is not elastic
    restitution: 0.5, "";
    /// Coefficient of friction, of what is not elastic
    friction: 0.3, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Speed of those that fly about
    speed: 1.5, "m/s";
    /// Time step
    dt: 1e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "hollow-mesh",
    title: "hollow surfaces of triangles",
    group: Group::Shape,
    sources: &[KREMMER_2001],
    setup: "Elastic spheres and rods fly about in a ball of 320 and 1280 triangles and over a saddle; a sphere slides to and fro in \
            a trough of 24 to 2000 strips, elastic, and with friction and dashpot; another lies in an edge at its bottom; \
            spheres tumble in a turning drum of 90 facets and in a round one.",
    exact: "the energy stays, or is in the ledger; the trough tends to the smooth tube; the load in an edge has the overlap of one \
            contact, Hertz's. Two facets that each count would bring in up to all the energy there is, whatever the step",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let reason = "of second order in the step, as with walls that are not meshes";
    for law in [LawKind::Hertz, LawKind::Linear] {
        for times in [2, 3] {
            let triangles = 20 * 4_u32.pow(times);
            let gain = drift(&mut in_a_ball(simulation, law, times)?, 0.2)?;
            let what = format!("{}, ball of {triangles} triangles: energy", law.name());
            outcome.findings.push(at_most(what, gain, 1e-4, reason));
        }
    }
    let gain = drift(&mut over_a_saddle(simulation)?, 0.2)?;
    outcome.findings.push(at_most("hertz, rods over a saddle: energy", gain, 3e-4, reason));
    let mut series = Vec::new();
    for law in [LawKind::Hertz, LawKind::Linear, LawKind::HertzMindlin] {
        let curve = troughs(simulation, law, &mut outcome)?;
        series.push(Series::new(law.name(), curve, Mark::LinePoints));
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::log("strips of the trough"),
        y: Axis::log("farthest from the motion in a smooth tube (m)"),
        series,
    };
    let figure = Figure { title: "a trough of strips".into(), panels: vec![panel] };
    outcome.figures.push(("hollow-mesh".into(), figure));

    let weight = sphere_mass(theory.density, theory.radius) * theory.gravity;
    let sinkage = hertz_sinkage(same_material(theory.young, theory.poisson), theory.radius, weight);
    let (contacts, overlap) = in_an_edge(simulation)?;
    let reason = "what is left is the angle between two strips, of 1.6 mrad";
    outcome.findings.push(equals("in an edge of 2000 strips: overlap (m)", sinkage, overlap, 1e-3, reason));
    outcome.findings.push(equals("in an edge of 2000 strips: contacts", 1.0, contacts, 1e-12, reason));
    let (facets, smooth) = (tumbled(simulation, Drum::Facets)?, tumbled(simulation, Drum::Smooth)?);
    let reason = "with every facet counted it would be off by 10⁻³ to 10⁻²";
    outcome.findings.push(at_most(
        "drum of facets: gap in the books, of the losses",
        facets.gap,
        2e-4,
        reason,
    ));
    outcome.findings.push(at_most(
        "built-in drum: gap in the books, of the losses",
        smooth.gap,
        2e-4,
        reason,
    ));
    let reason = "twelve spheres tumble in another order; their mean work is that of a round drum";
    outcome.findings.push(equals(
        "drum of facets: work of the wall (J)",
        smooth.work,
        facets.work,
        0.25,
        reason,
    ));
    Ok(outcome)
}

fn stuff(setup: Setup, elastic: bool) -> World {
    let Setup { density, young, poisson, stiffness, restitution, friction, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let (restitution, friction) = if elastic { (1.0, 0.0) } else { (restitution, friction) };
    world(material, PairProperties::new(restitution, friction))
}

/// The largest deviation of the balance, over the kinetic energy at the start.
fn drift(engine: &mut Engine, duration: f64) -> Result<f64, Error> {
    let start = engine.ledger();
    let mut worst = Vec::new();
    while engine.time() < duration {
        engine.advance(100)?;
        worst.push((engine.ledger().balance() - start.balance()).abs() / start.kinetic());
    }
    Ok(largest(worst))
}

/// Three spheres and two rods in a ball of triangles.
fn in_a_ball(setup: Setup, law: LawKind, times: u32) -> Result<Engine, Error> {
    let Setup { radius, hollow, speed, dt, .. } = setup;
    let mut world = stuff(setup, true);
    world.walls.push(Wall::new("ball", ball(times, hollow)?, MaterialId(0), Motion::fixed())?);
    let sphere = add_sphere(&mut world, radius)?;
    let rod = add_clump(&mut world, &shapes::rod(3, 0.6 * radius, 0.9 * radius))?;
    let mut random = Random::new(3);
    for (template, place) in [(sphere, -2.0), (rod, -1.0), (sphere, 0.0), (rod, 1.0), (sphere, 2.0)] {
        let mut any = || LabVec::from_array([(); 3].map(|()| random.between(-1.0, 1.0)));
        let at = LabVec::new(3.0 * radius * place, 0.0, 0.0);
        world.add_body(Body::at(template, at).moving(any() * speed).spinning(any() * (0.1 * speed / radius)));
    }
    Ok(Engine::new(world, settings(law, dt))?)
}

/// Rods that fall onto a saddle.
fn over_a_saddle(setup: Setup) -> Result<Engine, Error> {
    let Setup { radius, hollow, gravity, speed, dt, .. } = setup;
    let mut world = stuff(setup, true);
    world.walls.push(Wall::new("saddle", saddle(hollow)?, MaterialId(0), Motion::fixed())?);
    let rod = add_clump(&mut world, &shapes::rod(3, 0.6 * radius, 0.9 * radius))?;
    world.gravity = Z * -gravity;
    for place in [-1.0, 0.0, 1.0] {
        let at = LabVec::new(0.37 * place, 0.21 * place, 0.3) * hollow;
        world.add_body(Body::at(rod, at).moving(Z * (-0.3 * speed)).spinning(LabVec::new(20.0, 30.0, -10.0)));
    }
    Ok(Engine::new(world, settings(LawKind::Hertz, dt))?)
}

/// How far the motions in troughs of more and more strips are from that in a tube; with findings.
fn troughs(setup: Setup, law: LawKind, outcome: &mut Outcome) -> Result<Vec<(f64, f64)>, Error> {
    let mut curve = Vec::new();
    let available = sphere_mass(setup.density, setup.radius) * setup.gravity * 0.5 * setup.hollow;
    for strips in [24, 120, 600, 2000] {
        let mut on_strips = in_a_trough(setup, trough(strips, setup.hollow)?.into(), law, 1.0)?;
        let mut in_a_tube = in_a_trough(setup, tube(setup)?, law, 1.0)?;
        let before = on_strips.ledger().balance();
        let (mut apart, mut gaps) = (Vec::new(), Vec::new());
        while on_strips.time() < 0.3 {
            on_strips.advance(50)?;
            in_a_tube.advance(50)?;
            apart.push((first(&on_strips).position - first(&in_a_tube).position).norm());
            gaps.push((on_strips.ledger().balance() - before).abs() / available);
        }
        let what = format!("{}, trough of {strips} strips: gap in the books", law.name());
        let reason = "of second order in the step, over the energy available";
        outcome.findings.push(at_most(what, largest(gaps), 1e-4, reason));
        curve.push((f64::from(strips), largest(apart)));
    }
    let finest = curve.last().map_or(f64::NAN, |point| point.1);
    let what = format!("{}, 2000 strips: from the smooth tube, of R", law.name());
    let reason = "falls with the square of the angle between strips";
    outcome.findings.push(at_most(what, finest / setup.radius, 1e-3, reason));
    Ok(curve)
}

fn tube(setup: Setup) -> Result<Shape, Error> {
    let along = LabVec::new(0.0, 1.0, 0.0);
    Ok(Cylinder::new(LabVec::zero(), along, setup.hollow, Side::Inside, None)?.into())
}

/// A sphere that is let go at an angle from the bottom.
fn in_a_trough(setup: Setup, shape: Shape, law: LawKind, angle: f64) -> Result<Engine, Error> {
    let mut world = stuff(setup, law != LawKind::HertzMindlin);
    world.walls.push(Wall::new("trough", shape, MaterialId(0), Motion::fixed())?);
    world.gravity = Z * -setup.gravity;
    let sphere = add_sphere(&mut world, setup.radius)?;
    let down = LabVec::new(-angle.sin(), 0.0, -angle.cos());
    world.add_body(Body::at(sphere, down * (setup.hollow - 1.001 * setup.radius)));
    Ok(Engine::new(world, settings(law, 2.0 * setup.dt))?)
}

/// The number of contacts and the overlap of a sphere at rest in the edge at the bottom.
fn in_an_edge(setup: Setup) -> Result<(f64, f64), Error> {
    let mut engine = in_a_trough(setup, trough(2000, setup.hollow)?.into(), LawKind::HertzMindlin, 0.0)?;
    engine.advance(30_000)?;
    let contacts = engine.contacts();
    Ok((contacts.len() as f64, contacts.first().map_or(f64::NAN, |contact| contact.overlap)))
}

#[derive(Clone, Copy)]
enum Drum {
    Facets,
    Smooth,
}

/// What became of spheres in a turning drum.
struct Tumbled {
    /// The gap in the books over what they lost.
    gap: f64,
    /// What the drum spent on them, J.
    work: f64,
}

/// Twelve spheres in a drum that turns for three seconds.
fn tumbled(setup: Setup, drum: Drum) -> Result<Tumbled, Error> {
    let Setup { radius, hollow, gravity, dt, .. } = setup;
    let mut world = stuff(setup, false);
    let half = 2.0 * radius;
    let axis = LabVec::new(0.0, 1.0, 0.0);
    let turning = Movement::Spin { axis, pivot: LabVec::zero(), rate: 6.0 };
    let motion = Motion::new(vec![turning])?;
    match drum {
        Drum::Facets => {
            world.walls.push(Wall::new(
                "drum",
                surfaces::drum(90, hollow, 2.0 * half)?,
                MaterialId(0),
                motion,
            )?);
        }
        Drum::Smooth => {
            world.walls.push(Wall::new("shell", tube(setup)?, MaterialId(0), motion.clone())?);
            for end in [-1.0, 1.0] {
                let plane = Plane::new(axis * (end * half), axis * -end)?;
                world.walls.push(Wall::new("end", plane, MaterialId(0), motion.clone())?);
            }
        }
    }
    let sphere = add_sphere(&mut world, radius)?;
    world.gravity = Z * -gravity;
    for i in 0..12 {
        let place = LabVec::new(f64::from(i % 4) - 1.5, 0.02 * f64::from(i % 3), f64::from(i / 4) - 1.5);
        world.add_body(Body::at(sphere, place * (2.2 * radius)));
    }
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, dt))?;
    let before = engine.ledger().balance();
    engine.advance(300_000)?;
    let ledger = engine.ledger();
    Ok(Tumbled { gap: (ledger.balance() - before).abs() / ledger.lost(), work: ledger.wall_work })
}
