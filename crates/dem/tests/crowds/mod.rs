//! Worlds for the tests of the engine, and the state of an engine bit by bit.

use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::Drag;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::property::{FRICTION, RESTITUTION};
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Movement, Plane, TriangleMesh, Wall};
use tumble_dem::{
    Body, BodyId, BodyState, Change, Engine, LabVec, MaterialId, SavedState, SchemeKind, Settings, Sharing,
    Solver, TemplateId, World,
};

/// Radius of the sphere that [`world`] has as its first template, m.
pub(crate) const RADIUS: f64 = 5e-3;

/// A time step that resolves collisions of the materials of [`world`] at some m/s, s.
pub(crate) const DT: f64 = 1e-5;

/// So small that lists are built every few steps, and rows reordered several times in a run.
pub(crate) const THIN_SKIN: f64 = 1e-4;

/// One of each kind: leapfrogs with and without memory, kicks at both ends, synchronous, staggered.
pub(crate) const SCHEMES: [SchemeKind; 8] = [
    SchemeKind::SpiralLeapfrog,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::Fincham,
    SchemeKind::KickRotateKick,
    SchemeKind::NoSquish,
    SchemeKind::Johnson,
    SchemeKind::DirectEuler,
    SchemeKind::ImprovedPcdm,
];

pub(crate) fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

/// An empty world of two soft materials with every kind of friction, and four templates: a sphere, a rod of
/// three spheres, a pawn of about a hundred, a T.
pub(crate) fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("rubber", 1200.0, 5e6, 0.3).with_stiffness(2e3)).unwrap();
    world.materials.add(Material::new("gel", 2500.0, 2e6, 0.4).with_stiffness(1e3)).unwrap();
    let general = PairProperties::new(0.7, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1);
    world.materials.set_default(general.clone());
    world.materials.set_pair(
        MaterialId(0),
        MaterialId(1),
        general.clone().with(&RESTITUTION, 0.5).with(&FRICTION, 0.8),
    );
    let spheres = [
        ("sphere", shapes::sphere(RADIUS)),
        ("rod", shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS)),
        ("pawn", shapes::chess::pawn(5.0 * RADIUS)),
        ("t-handle", shapes::t_handle(5.0 * RADIUS, 0.5 * RADIUS)),
    ];
    for (name, spheres) in spheres {
        world.add_template(ClumpTemplate::new(name, &spheres, MassModel::Union).unwrap()).unwrap();
    }
    world
}

/// Settings for [`world`] under which small spheres of clumps may be pressed deep into others.
pub(crate) fn settings() -> Settings {
    Settings { max_overlap: 20.0, ..Settings::new(DT) }
}

pub(crate) fn with(rotation: SchemeKind) -> Settings {
    Settings { rotation: rotation.into(), ..settings() }
}

/// `count` bodies of all templates, materials and several sizes in a cube of edge `size`, moving and turning
/// at random, none of them touching another.
pub(crate) fn crowd(world: &World, count: usize, size: f64, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let which: Vec<TemplateId> = (0..count).map(|i| TemplateId([0, 1, 0, 3, 1, 0, 2, 1][i % 8])).collect();
    let bodies =
        random_cloud(&world.templates, &which, LabVec::zero(), v(size, size, size), 0.02, &mut random);
    let mut scales = [1.0, 0.7, 0.9].into_iter().cycle();
    let lively = |body: Body| {
        let scale = scales.next().unwrap_or(1.0);
        let (velocity, spin) = (random.direction() * 2.0, random.direction() * random.between(0.0, 300.0));
        let material = u16::from(random.uniform() < 0.3);
        body.moving(velocity).spinning(spin).scaled(scale).made_of(MaterialId(material))
    };
    bodies.unwrap().into_iter().map(lively).collect()
}

/// Spheres on a cubic lattice of `n` × `n` × `n`, each pressed a little into its six neighbours.
pub(crate) fn lattice(n: u32, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let place = |i: u32| RADIUS * (1.0 + 1.98 * f64::from(i));
    let mut bodies = Vec::new();
    for (x, y, z) in (0..n).flat_map(|x| (0..n).flat_map(move |y| (0..n).map(move |z| (x, y, z)))) {
        bodies.push(
            Body::at(TemplateId(0), v(place(x), place(y), place(z)))
                .moving(random.direction() * 0.5)
                .spinning(random.direction() * 50.0),
        );
    }
    bodies
}

/// A mixed crowd in a box with a shaking floor, a spinning cube of triangles, gravity and drag.
pub(crate) fn busy_world(domain: Domain) -> World {
    let mut world = self::world();
    let size = 0.12;
    world.bodies = crowd(&world, 220, size, 1);
    world.bodies[7].held = true;
    world.gravity = v(1.0, 0.0, -9.81);
    world.drag = Some(Drag { viscosity: 1e-3, density: 1.2, coefficient: 0.4, flow: v(0.5, 0.0, 0.0) });
    world.domain = domain;
    if !domain.is_periodic() {
        world.walls.push(closed_box(size));
    }
    let shaking = Movement::Vibration { amplitude: v(0.0, 0.0, 2e-3), frequency: 100.0, phase: 0.3 };
    world.walls.push(plane("floor", v(0.0, 0.0, -2e-3), v(0.0, 0.0, 1.0), vec![shaking]));
    world.walls.push(plane("lid", v(0.0, 0.0, size), v(0.0, 0.0, -1.0), Vec::new()));
    let cube = box_mesh(v(0.055, 0.055, 0.055), v(0.065, 0.065, 0.065));
    let spin = Movement::Spin { axis: v(1.0, 2.0, 0.5), pivot: v(0.06, 0.06, 0.06), rate: 30.0 };
    world.walls.push(Wall::new("mixer", cube, MaterialId(1), Motion::new(vec![spin]).unwrap()).unwrap());
    let outside_mixer = |body: &Body| (body.position - v(0.06, 0.06, 0.06)).norm() > 0.025;
    world.bodies.retain(outside_mixer);
    world
}

/// A closed box from the origin.
pub(crate) fn closed_box(size: f64) -> Wall {
    let shape = Enclosure::new(LabVec::zero(), v(size, size, size)).unwrap();
    Wall::new("box", shape, MaterialId(1), Motion::fixed()).unwrap()
}

/// A plane of material 0 through `point`.
pub(crate) fn plane(name: &str, point: LabVec<f64>, normal: LabVec<f64>, parts: Vec<Movement>) -> Wall {
    Wall::new(name, Plane::new(point, normal).unwrap(), MaterialId(0), Motion::new(parts).unwrap()).unwrap()
}

/// The surface of the box between two corners: twelve triangles.
pub(crate) fn box_mesh(low: LabVec<f64>, high: LabVec<f64>) -> TriangleMesh {
    let corner = |i: usize| {
        let pick = |axis: usize, low: f64, high: f64| if i >> axis & 1 == 0 { low } else { high };
        v(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
    };
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles: Vec<_> =
        faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|t| t.map(corner)).collect();
    TriangleMesh::new(&triangles, tumble_dem::wall::MeshOptions::default()).unwrap()
}

/// An engine that has to exist.
pub(crate) fn engine(world: &World, settings: &Settings) -> Engine {
    Engine::new(world.clone(), settings.clone()).unwrap_or_else(|error| panic!("{error}"))
}

/// Steps that have to succeed.
pub(crate) fn advance(engine: &mut Engine, steps: u64) {
    engine.advance(steps).unwrap_or_else(|error| panic!("{error}"));
}

/// Everything that an engine tells of its state, with names.
pub(crate) fn state(engine: &Engine) -> Vec<(String, f64)> {
    let mut state = vec![("time".to_owned(), engine.time())];
    let mut tell = |name: String, values: &[f64]| {
        state.extend(values.iter().map(|&value| (name.clone(), value)));
    };
    for body in engine.bodies() {
        for (name, values) in parts(&body) {
            tell(format!("{name} of body {}", body.id.0), &values);
        }
        if let Some(temperature) = body.temperature {
            tell(format!("temperature of body {}", body.id.0), &[temperature]);
        }
    }
    for (number, wall) in engine.walls().iter().enumerate() {
        tell(format!("force on wall {number}"), &wall.force.to_array());
        tell(format!("torque on wall {number}"), &wall.torque.to_array());
        tell(format!("place of wall {number}"), &wall.about.to_array());
        tell(format!("power of wall {number}"), &[wall.power]);
        if let Some(heat) = wall.heat {
            tell(format!("heat of wall {number}"), &heat);
        }
    }
    for (name, value) in engine.ledger().entries() {
        tell(format!("ledger: {name}"), &[value]);
    }
    for contact in engine.contacts() {
        let values = [contact.force.to_array(), contact.point.to_array(), contact.stored].concat();
        tell(format!("contact of {:?} with {:?}", contact.body, contact.with), &values);
    }
    state
}

/// Hertz–Mindlin with rolling and twisting resistance.
pub(crate) const RESISTING: ContactModel = ContactModel {
    law: LawKind::HertzMindlin,
    rolling: RollingKind::ElasticPlastic,
    twisting: TwistingKind::ElasticPlastic,
};

/// A law without resistances.
pub(crate) fn plain(law: LawKind) -> ContactModel {
    ContactModel { law, ..ContactModel::default() }
}

/// Periodic along two axes, as wide as [`busy_world`].
pub(crate) fn periodic() -> Domain {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    Domain::of([axis, axis, Axis::Open])
}

/// What a crowd of clumps is looked at in, one after the other: space, contacts, how several of them share, a rotation scheme. Each
/// with its name.
pub(crate) fn kinds_of_crowds() -> impl Iterator<Item = (String, World, Settings)> {
    [
        (Domain::open(), RESISTING, Sharing::Sum, SchemeKind::MagnusLeapfrog),
        (periodic(), RESISTING, Sharing::Sum, SchemeKind::SpiralLeapfrog),
        (Domain::open(), plain(LawKind::Hertz), Sharing::Sum, SchemeKind::MagnusLeapfrog),
        (periodic(), plain(LawKind::Hertz), Sharing::Average, SchemeKind::Fincham),
        (periodic(), plain(LawKind::HertzMindlin), Sharing::Average, SchemeKind::KickRotateKick),
        (Domain::open(), plain(LawKind::Linear), Sharing::Average, SchemeKind::ImprovedPcdm),
    ]
    .into_iter()
    .map(|(domain, contact, sharing, rotation)| {
        let name = format!("{} {sharing:?} periodic: {}", contact.law.name(), domain.is_periodic());
        let settings = Settings { contact, sharing, skin: Some(THIN_SKIN), ..with(rotation) };
        (name, busy_world(domain), settings)
    })
}

/// Bodies are put in, taken out, and changed.
pub(crate) fn edit(engine: &mut dyn Solver) {
    let leaving: Vec<_> = engine.bodies().into_iter().filter(|body| body.id.0 % 17 == 5).collect();
    engine.remove_bodies(&leaving.iter().map(|body| body.id).collect::<Vec<_>>()).unwrap();
    let small = |body: &tumble_dem::BodyState| {
        Body::at(TemplateId(0), body.position).scaled(0.4 * body.scale).moving(v(0.0, 1.0, 0.5))
    };
    engine.add_bodies(&leaving.iter().map(small).collect::<Vec<_>>()).unwrap();
    let (velocity, angular_velocity) = (Some(v(0.2, -0.4, 0.3)), Some(v(20.0, 0.0, 9.0)));
    engine.change_bodies(&[Change { velocity, angular_velocity, ..Change::of(BodyId(3)) }]).unwrap();
    // Nothing stops a held body that moves.
    let stop = |id| Change { velocity: Some(LabVec::zero()), held: Some(true), ..Change::of(id) };
    let held = engine.bodies().into_iter().filter(|body| body.held || body.id.0 == 12);
    engine.change_bodies(&held.map(|body| stop(body.id)).collect::<Vec<_>>()).unwrap();
}

/// Runs a world whole and in two parts with saved bytes between them, on 1, 2 and 3 threads: all end alike. Gives the whole run.
pub(crate) fn same_on_threads_and_after_a_restart(world: &World, base: &Settings) -> Engine {
    let mut whole = engine(world, base);
    advance(&mut whole, 300);
    for threads in [2, 3] {
        let mut other = engine(world, &Settings { threads, ..base.clone() });
        advance(&mut other, 170);
        let bytes = other.save().to_bytes();
        advance(&mut other, 130);
        assert_same(&state(&whole), &state(&other), &format!("{threads} threads"));
        let mut next = engine(world, &Settings { threads: 4 - threads, ..base.clone() });
        next.restore(&SavedState::from_bytes(&bytes, world).unwrap()).unwrap();
        advance(&mut next, 130);
        assert_same(&state(&whole), &state(&next), &format!("restored from {threads} threads"));
    }
    whole
}

/// The motion of a body and what acts on it, with names.
pub(crate) fn parts(body: &BodyState) -> [(&'static str, Vec<f64>); 6] {
    [
        ("position", body.position.to_array().to_vec()),
        ("velocity", body.velocity.to_array().to_vec()),
        ("orientation", body.orientation.to_array().to_vec()),
        ("spin", body.angular_velocity.to_array().to_vec()),
        ("force", body.force.to_array().to_vec()),
        ("torque", body.torque.to_array().to_vec()),
    ]
}

/// Fails with the first difference between two states, and if anything in them is not a number.
pub(crate) fn assert_same(expected: &[(String, f64)], found: &[(String, f64)], case: &str) {
    for ((name, a), (other, b)) in expected.iter().zip(found) {
        assert_eq!(name, other, "{case}");
        assert!(a.is_finite(), "{case}: {name} is {a}");
        assert!(a.to_bits() == b.to_bits(), "{case}: {name} is {a:e}, but {b:e}");
    }
    assert_eq!(expected.len(), found.len(), "{case}: another number of contacts");
}
