//! Guarantee: engines with rounded polyhedra keep what engines with spheres keep. Momentum and angular momentum to round-off, energy in elastic collisions,
//! books that close to second order; the same bits on any number of threads and ranks, with any instruction set and skin, after a
//! restart; a periodic end is nowhere. It can break wherever a feature is taken for another one.

use super::irregular;
use crate::common::{X, Z, add_floor, largest, order_of};
use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, closed_box, engine, plain, plane,
    same_on_threads_and_after_a_restart, state, v,
};
use crate::momentum::momenta;
use crate::same_bits::{agree, agree_on_skins};
use tumble_dem::clump::{
    ClumpCapsule, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel, shapes,
};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::{overlaps, random_cloud};
use tumble_dem::random::Random;
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{
    Body, Engine, LabVec, MaterialId, Precision, Quat, SchemeKind, Settings, Solver, TemplateId, World,
};

const RADIUS: f64 = 2e-3;
const SIZE: f64 = 0.06;
const ROUNDING: f64 = 0.4 * RADIUS;

/// A die, a tetrahedron, an irregular stone, a hammer of two pieces and a rod, a sphere, a rod of three spheres, and a fibre.
fn world(properties: PairProperties) -> World {
    let mut world = World::default();
    for (name, density, young) in [("rubber", 1200.0, 5e6), ("gel", 2500.0, 2e6)] {
        world.materials.add(Material::new(name, density, young, 0.3).with_stiffness(2e3)).unwrap();
    }
    world.materials.set_default(properties);
    let mut add = |name: &str, spheres: &[ClumpSphere], capsules: &[ClumpCapsule], hulls: &[ClumpHull]| {
        let pieces = ClumpPieces { spheres, capsules, hulls, ..ClumpPieces::default() };
        world.add_template(ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()).unwrap();
    };
    let mut stone = irregular(&mut Random::new(3), 9, ROUNDING);
    stone.corners.iter_mut().for_each(|corner| *corner = *corner * (0.9 * RADIUS));
    let die = ClumpHull::cuboid([2.0 * RADIUS; 3], ROUNDING);
    let head = ClumpHull::cuboid([1.6 * RADIUS, 3.0 * RADIUS, 1.4 * RADIUS], ROUNDING);
    let handle = ClumpCapsule::new([1.3 * RADIUS, 0.0, 0.0], [3.5 * RADIUS, 0.0, 0.0], 0.4 * RADIUS);
    add("die", &[], &[], &[die]);
    add("tetrahedron", &[], &[], &[ClumpHull::tetrahedron(1.5 * RADIUS, ROUNDING)]);
    add("stone", &[], &[], &[stone]);
    add("sphere", &shapes::sphere(RADIUS), &[], &[]);
    add("rod", &shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS), &[], &[]);
    add("fibre", &[], &[ClumpCapsule::new([0.0; 3], [4.0 * RADIUS, 0.0, 0.0], 0.5 * RADIUS)], &[]);
    add("hammer", &[], &[handle], &[head]);
    world
}

fn rubbing() -> PairProperties {
    PairProperties::new(0.7, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1)
}

/// Bodies of all templates in a cube, lively.
fn crowd(world: &World, count: usize, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let which: Vec<TemplateId> = (0..count).map(|i| TemplateId([0, 1, 2, 6, 3, 4, 5, 0][i % 8])).collect();
    let [low, high] = [0.05, 0.95].map(|part| v(part, part, part) * SIZE);
    let bodies = random_cloud(&world.templates, &which, low, high, 0.02, &mut random);
    let scales = [1.0, 0.8, 0.9].into_iter().cycle();
    let middle = v(0.5, 0.5, 0.5) * SIZE;
    let lively = |(body, scale): (Body, f64)| {
        let (velocity, spin) = (random.direction(), random.direction() * random.between(0.0, 200.0));
        // Together, so that many touch.
        let inwards = (middle - body.position) * 100.0;
        body.moving(velocity + inwards)
            .spinning(spin)
            .scaled(scale)
            .made_of(MaterialId(u16::from(random.uniform() < 0.3)))
    };
    bodies.unwrap().into_iter().zip(scales).map(lively).collect()
}

/// A crowd in a box with a shaking floor, or in a periodic domain above one.
fn busy(domain: Domain) -> World {
    let mut world = self::world(rubbing());
    world.bodies = crowd(&world, 240, 1);
    world.bodies[7].held = true;
    world.gravity = v(1.0, 0.0, -9.81);
    world.domain = domain;
    if !domain.is_periodic() {
        world.walls.push(closed_box(SIZE));
    }
    let shaking = Movement::Vibration { amplitude: v(0.0, 0.0, 1e-3), frequency: 100.0, phase: 0.3 };
    world.walls.push(plane("floor", v(0.0, 0.0, -1e-3), Z, vec![shaking]));
    world.walls.push(plane("lid", v(0.0, 0.0, SIZE), -Z, Vec::new()));
    world
}

fn settings() -> Settings {
    Settings { max_overlap: 0.9, contact: RESISTING, ..Settings::new(5e-6) }
}

fn periodic() -> Domain {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    Domain::of([axis, axis, Axis::Open])
}

#[test]
fn placed_bodies_do_not_overlap() {
    let mut world = world(rubbing());
    world.bodies = crowd(&world, 240, 1);
    world.bodies.iter_mut().for_each(|body| body.scale = 1.0);
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
    // A die on a floor and a sphere on it touch; a little nearer they overlap.
    world.walls.push(plane("floor", LabVec::zero(), Z, Vec::new()));
    for (height, expected) in [(1.001, 0), (0.99, 2)] {
        let place = |template: u16, z: f64| Body::at(TemplateId(template), v(0.0, 0.0, z * RADIUS));
        world.bodies = vec![place(0, height), place(3, 3.0 * height)];
        let found = overlaps(&world, 0.0, 10);
        assert_eq!(found.total, expected, "{found:?}");
        if let [with_floor, between] = &found.found[..] {
            let depths = [with_floor.depth / 0.01, between.depth / 0.02].map(|depth| depth / RADIUS - 1.0);
            assert!(largest(depths.map(f64::abs)) < 1e-10, "{depths:?}");
        }
    }
    // One within another.
    world.walls.clear();
    world.bodies = vec![Body::at(TemplateId(0), X), Body::at(TemplateId(1), X).scaled(0.1)];
    assert_eq!(overlaps(&world, 0.0, 10).total, 1);
}

#[test]
fn the_same_bits_on_threads_instruction_sets_and_skins() {
    let world = busy(Domain::open());
    for contact in [RESISTING, plain(LawKind::Hertz)] {
        let base = Settings { contact, skin: Some(THIN_SKIN), ..settings() };
        let contacts = agree(&world, &base, &[2, 3], 250, contact.law.name());
        assert!(contacts > 10, "{contacts} contacts");
    }
    let single = Settings { precision: Precision::Single, skin: Some(THIN_SKIN), ..settings() };
    assert!(agree(&world, &single, &[2], 250, "single precision") > 10);
    agree_on_skins(&busy(periodic()), &settings(), 200, "periodic");
}

#[test]
fn the_same_bits_after_a_restart_and_on_ranks() {
    for domain in [Domain::open(), periodic()] {
        let world = busy(domain);
        let whole = same_on_threads_and_after_a_restart(&world, &settings());
        assert!(whole.contact_count() > 10);
        for ranks in [2, 3] {
            let mut spread = RankedEngine::new(engine(&world, &settings()), ranks).unwrap();
            Solver::advance(&mut spread, 300).unwrap();
            assert_same(&state(&whole), &state(spread.engine()), &format!("{ranks} ranks"));
        }
    }
}

#[test]
fn momentum_and_angular_momentum_are_kept() {
    for law in [LawKind::HertzMindlin, LawKind::Linear, LawKind::Hertz] {
        let mut world = world(rubbing());
        world.bodies = crowd(&world, 240, 3);
        let settings =
            Settings { contact: plain(law), rotation: SchemeKind::KickRotateKick.into(), ..settings() };
        let mut engine = engine(&world, &settings);
        let ([p, l], [p_size, l_size]) = momenta(&engine.bodies());
        let mut most = 0;
        for _ in 0..25 {
            advance(&mut engine, 20);
            most = most.max(engine.contact_count());
            let ([p_now, l_now], _) = momenta(&engine.bodies());
            let drifts = [(p_now - p).norm() / p_size, (l_now - l).norm() / l_size];
            assert!(drifts[0] < 1e-14 && drifts[1] < 3e-13, "{}: {drifts:?}", law.name());
        }
        assert!(most > 10, "{}: {most} contacts", law.name());
    }
}

/// How far the energy of an elastic gas of bodies of these templates in a box goes away from what it was, as a part of it.
fn drift(templates: [u16; 2]) -> f64 {
    let mut world = world(PairProperties::new(1.0, 0.0));
    let mut random = Random::new(5);
    let which: Vec<TemplateId> = (0..60).map(|number| TemplateId(templates[number % 2])).collect();
    let corner = v(SIZE, SIZE, SIZE) * 0.7;
    world.bodies = random_cloud(&world.templates, &which, LabVec::zero(), corner, 0.02, &mut random).unwrap();
    for body in &mut world.bodies {
        body.velocity = random.direction() * 0.2;
        body.angular_velocity = random.direction() * 20.0;
    }
    world.walls.push(closed_box(0.7 * SIZE));
    let settings = Settings {
        contact: plain(LawKind::Hertz),
        rotation: SchemeKind::KickRotateKick.into(),
        max_overlap: 0.3,
        ..Settings::new(4e-6)
    };
    let mut engine = Engine::new(world, settings).unwrap();
    let start = engine.ledger().mechanical();
    let mut touched = 0;
    let worst = largest((0..100).map(|_| {
        engine.advance(125).unwrap();
        touched += engine.contact_count();
        (engine.ledger().mechanical() / start - 1.0).abs()
    }));
    assert!(touched > 50, "{touched} contacts");
    worst
}

#[test]
fn elastic_collisions_keep_their_energy_as_those_of_clumps_do() {
    // Spheres and rods of spheres, and the bodies that have polyhedra.
    let spheres = drift([3, 4]);
    for templates in [[0, 0], [1, 3], [2, 1], [0, 5], [6, 4]] {
        let hulls = drift(templates);
        assert!(hulls < 5.0 * spheres && hulls < 2e-4, "{templates:?}: {hulls:e} beside {spheres:e}");
    }
}

/// A die on its face on a shaking floor, a rod across it, and two dice edge on edge, all in touch for the whole run: the balance of the books.
fn imbalance(contact: ContactModel, steps: u32) -> f64 {
    let properties = PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2);
    let mut world = world(properties);
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(2e-5, 0.0, 5e-5), frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking]).unwrap());
    let deep = 0.02 * RADIUS;
    world.add_body(Body::at(TemplateId(0), Z * (RADIUS - deep)).moving(v(0.02, 0.01, -0.01)));
    world.add_body(
        Body::at(TemplateId(5), Z * (2.5 * RADIUS - 2.0 * deep))
            .moving(v(-0.02, 0.03, -0.02))
            .spinning(Z * 2.0),
    );
    // Turned by 45° about x and y: the lower edge of the second across the upper edge of the first.
    let quarter = 0.25 * core::f64::consts::PI;
    let [low, high] = [X, v(0.0, 1.0, 0.0)].map(|axis| Quat::from_rotation_vector(axis * quarter));
    let reach = (RADIUS - ROUNDING) * 2.0f64.sqrt() + ROUNDING;
    let far = X * (20.0 * RADIUS);
    world.add_body(Body::at(TemplateId(0), far + Z * RADIUS * 8.0).turned(low).moving(Z * 0.02));
    world.add_body(
        Body::at(TemplateId(0), far + Z * (RADIUS * 8.0 + 2.0 * (reach - deep)) + X * (0.2 * RADIUS))
            .turned(high)
            .moving(v(0.02, 0.03, -0.02))
            .spinning(v(1.0, 2.0, 3.0)),
    );
    let mut engine =
        Engine::new(world, Settings { contact, ..Settings::new(8e-5 / f64::from(steps)) }).unwrap();
    let contacts = engine.contact_count();
    assert!(contacts > 5, "{contacts}");
    let start = engine.ledger();
    let scale = start.kinetic() + start.elastic_normal;
    largest((0..8).map(|_| {
        engine.advance(u64::from(steps / 8)).unwrap();
        assert_eq!(engine.contact_count(), contacts);
        ((engine.ledger().balance() - start.balance()) / scale).abs()
    }))
}

#[test]
fn the_books_close_to_second_order() {
    for contact in [RESISTING, plain(LawKind::HertzMindlin), plain(LawKind::Linear)] {
        let errors = [200, 400, 800, 1600].map(|steps| imbalance(contact, steps));
        let order = order_of(&errors);
        assert!(
            (order - 2.0).abs() < 0.25 && errors[3] < 1e-4,
            "{}: order {order:.2}, {errors:?}",
            contact.law.name()
        );
    }
}

/// Polyhedra, a sphere and a fibre collide across a periodic end as they do in the middle.
#[test]
fn a_collision_across_the_end_is_one_in_the_middle() {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    let collide = |at: LabVec<f64>| {
        let mut world = world(rubbing());
        world.domain = Domain::of([axis; 3]);
        let q = Quat::from_rotation_vector(v(0.3, 0.7, 1.2));
        world.add_body(Body::at(TemplateId(0), at).moving(v(1.0, 0.3, 0.1)).spinning(v(30.0, 50.0, 20.0)));
        world.add_body(
            Body::at(TemplateId(2), at + v(2.4, 0.2, 1.1) * RADIUS).turned(q).moving(v(-1.0, 0.1, -0.4)),
        );
        world.add_body(Body::at(TemplateId(3), at + v(-1.0, 2.4, 0.0) * RADIUS).moving(v(0.0, -1.0, 0.1)));
        world.add_body(Body::at(TemplateId(5), at + v(0.0, 0.0, -2.2) * RADIUS).moving(v(0.0, 0.0, 1.0)));
        let mut engine = engine(&world, &Settings { skin: Some(1e-5), ..settings() });
        let mut touched = 0;
        for _ in 0..200 {
            advance(&mut engine, 5);
            touched += engine.contact_count();
        }
        assert!(touched > 50, "{touched}");
        engine
    };
    let inside = collide(v(0.5, 0.5, 0.5) * SIZE);
    for at in [v(0.0, 0.5, 0.5), v(0.99, 0.5, 0.03), v(0.99, 0.01, 0.98)] {
        let across = collide(at * SIZE);
        for (a, b) in inside.bodies().iter().zip(&across.bodies()) {
            let velocity = (a.velocity - b.velocity).norm();
            let spin = (a.angular_velocity - b.angular_velocity).norm() / 100.0;
            assert!(velocity < 1e-9 && spin < 1e-9, "at {at:?}: {velocity:e}, {spin:e}");
        }
    }
}
