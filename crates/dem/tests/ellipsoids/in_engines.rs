//! Guarantee: engines with ellipsoids keep what engines with spheres keep. Momentum and angular momentum to round-off, energy in elastic collisions,
//! books that close to second order; the same bits on any number of threads and ranks, with any instruction set and skin, after a
//! restart; a periodic end is nowhere. It can break wherever an ellipsoid is taken for a sphere at one of its points.

use crate::common::{Y, Z, add_floor, largest, order_of};
use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, closed_box, engine, plain, plane,
    same_on_threads_and_after_a_restart, state, v,
};
use crate::momentum::momenta;
use crate::same_bits::{agree, agree_on_skins};
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel, shapes,
};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::{overlaps, random_cloud};
use tumble_dem::random::Random;
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::{Cylinder, Motion, Movement, Side, Wall};
use tumble_dem::{
    Body, Engine, LabVec, MaterialId, Precision, Quat, SchemeKind, Settings, Solver, TemplateId, World,
};

const RADIUS: f64 = 2e-3;
const SIZE: f64 = 0.06;

/// A lentil, an almond, two grains beside a ball, a sphere, a rod of three spheres, and with `capsules` a fibre.
fn world(properties: PairProperties, capsules: bool) -> World {
    let mut world = World::default();
    for (name, density, young) in [("rubber", 1200.0, 5e6), ("gel", 2500.0, 2e6)] {
        world.materials.add(Material::new(name, density, young, 0.3).with_stiffness(2e3)).unwrap();
    }
    world.materials.set_default(properties);
    let mut add =
        |name: &str, spheres: &[ClumpSphere], capsules: &[ClumpCapsule], ellipsoids: &[ClumpEllipsoid]| {
            let pieces = ClumpPieces { spheres, capsules, ellipsoids, ..ClumpPieces::default() };
            world.add_template(ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()).unwrap();
        };
    let of = |axes: [f64; 3]| ClumpEllipsoid::new(axes.map(|axis| axis * RADIUS));
    let grain = of([1.0, 0.6, 0.5]).turned(Quat::from_rotation_vector(v(0.3, 0.1, 0.8)));
    let ball = ClumpSphere::new([0.0; 3], 0.8 * RADIUS);
    let grains = [grain.at([1.9 * RADIUS, 0.0, 0.0]), grain.at([-1.9 * RADIUS, 0.2 * RADIUS, 0.0])];
    add("lentil", &[], &[], &[of([1.3, 1.3, 0.6])]);
    add("almond", &[], &[], &[of([1.7, 1.0, 0.7])]);
    add("grains and ball", &[ball], &[], &grains);
    add("sphere", &shapes::sphere(RADIUS), &[], &[]);
    add("rod", &shapes::rod(3, 0.8 * RADIUS, 1.2 * RADIUS), &[], &[]);
    if capsules {
        add("fibre", &[], &[ClumpCapsule::new([0.0; 3], [4.0 * RADIUS, 0.0, 0.0], 0.5 * RADIUS)], &[]);
    } else {
        add("another sphere", &shapes::sphere(0.9 * RADIUS), &[], &[]);
    }
    world
}

fn rubbing() -> PairProperties {
    PairProperties::new(0.7, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1)
}

/// Bodies of all templates in a cube, lively.
fn crowd(world: &World, count: usize, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let which: Vec<TemplateId> = (0..count).map(|i| TemplateId([0, 1, 2, 0, 3, 4, 5, 1][i % 8])).collect();
    let [low, high] = [0.1, 0.9].map(|part| v(part, part, part) * SIZE);
    let bodies = random_cloud(&world.templates, &which, low, high, 0.02, &mut random);
    let scales = [1.0, 0.7, 0.9].into_iter().cycle();
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
fn busy(domain: Domain, capsules: bool) -> World {
    let mut world = self::world(rubbing(), capsules);
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
    Settings { max_overlap: 0.5, contact: RESISTING, ..Settings::new(5e-6) }
}

fn periodic() -> Domain {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    Domain::of([axis, axis, Axis::Open])
}

#[test]
fn placed_bodies_do_not_overlap() {
    let mut world = world(rubbing(), true);
    world.bodies = crowd(&world, 240, 1);
    world.bodies.iter_mut().for_each(|body| body.scale = 1.0);
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
    // Two lentils one on the other touch; a little nearer they overlap, and so do one and a floor.
    world.walls.push(plane("floor", LabVec::zero(), Z, Vec::new()));
    for (height, expected) in [(1.001, 0), (0.99, 2)] {
        let place = |z: f64| Body::at(TemplateId(0), v(0.0, 0.0, z * 0.6 * RADIUS));
        world.bodies = vec![place(height), place(3.0 * height)];
        let found = overlaps(&world, 0.0, 10);
        assert_eq!(found.total, expected, "{found:?}");
        if let [with_floor, between] = &found.found[..] {
            let depths =
                [with_floor.depth / 0.01, between.depth / 0.02].map(|depth| depth / (0.6 * RADIUS) - 1.0);
            assert!(largest(depths.map(f64::abs)) < 1e-10, "{depths:?}");
        }
    }
}

#[test]
fn the_same_bits_on_threads_instruction_sets_and_skins() {
    for capsules in [false, true] {
        let world = busy(Domain::open(), capsules);
        for contact in [RESISTING, plain(LawKind::Hertz)] {
            let base = Settings { contact, skin: Some(THIN_SKIN), ..settings() };
            let contacts = agree(&world, &base, &[2, 3], 250, contact.law.name());
            assert!(contacts > 10, "{contacts} contacts");
        }
        let single = Settings { precision: Precision::Single, skin: Some(THIN_SKIN), ..settings() };
        assert!(agree(&world, &single, &[2], 250, "single precision") > 10);
        agree_on_skins(&busy(periodic(), capsules), &settings(), 300, "periodic");
    }
}

#[test]
fn the_same_bits_after_a_restart_and_on_ranks() {
    for (domain, capsules) in [(Domain::open(), false), (periodic(), true)] {
        let world = busy(domain, capsules);
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
        let mut world = world(rubbing(), true);
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
    let mut world = world(PairProperties::new(1.0, 0.0), true);
    let mut random = Random::new(5);
    let which: Vec<TemplateId> = (0..100).map(|number| TemplateId(templates[number % 2])).collect();
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
    assert!(touched > 100, "{touched} contacts");
    worst
}

#[test]
fn elastic_collisions_keep_their_energy_as_those_of_clumps_do() {
    // Spheres and rods of spheres, and the pieces that have ellipsoids.
    let spheres = drift([3, 4]);
    for templates in [[0, 0], [0, 3], [1, 2], [0, 5], [1, 4]] {
        let ellipsoids = drift(templates);
        assert!(
            ellipsoids < 3.0 * spheres && ellipsoids < 1e-4,
            "{templates:?}: {ellipsoids:e} beside {spheres:e}"
        );
    }
}

/// A lentil on an almond on a shaking floor, and an almond in a turning drum, all in touch for the whole run: the balance of the books.
fn imbalance(contact: ContactModel, steps: u32) -> f64 {
    let properties = PairProperties::new(0.5, 0.2).with_rolling(0.05, 0.3).with_twisting(0.2);
    let mut world = world(properties, false);
    world.gravity = v(0.0, 0.0, -9.81);
    let shaking = Movement::Vibration { amplitude: v(2e-5, 0.0, 5e-5), frequency: 80.0, phase: 0.3 };
    add_floor(&mut world, MaterialId(0), Motion::new(vec![shaking]).unwrap());
    let drum = Cylinder::new(Z * 0.02, Y, 0.03, Side::Inside, None).unwrap();
    let turning = Motion::new(vec![Movement::Spin { axis: Y, pivot: Z * 0.02, rate: 20.0 }]).unwrap();
    world.walls.push(Wall::new("drum", drum, MaterialId(0), turning).unwrap());
    let spin = v(20.0, -30.0, 25.0);
    let turned = Quat::from_rotation_vector(v(0.0, 0.02, 1.1));
    world.add_body(
        Body::at(TemplateId(1), Z * (0.66 * RADIUS)).moving(v(0.1, 0.05, -0.05)).spinning(spin * 0.2),
    );
    world.add_body(
        Body::at(TemplateId(0), Z * (1.88 * RADIUS))
            .turned(turned)
            .moving(v(-0.1, 0.1, -0.1))
            .spinning(spin * -0.1),
    );
    world.add_body(
        Body::at(TemplateId(1), v(0.03 - 1.65 * RADIUS, 0.02, 0.02))
            .moving(v(0.05, 0.1, 0.0))
            .spinning(Z * 5.0),
    );
    let mut engine =
        Engine::new(world, Settings { contact, ..Settings::new(8e-5 / f64::from(steps)) }).unwrap();
    assert_eq!(engine.contact_count(), 3);
    let start = engine.ledger();
    let scale = start.kinetic() + start.elastic_normal;
    largest((0..8).map(|_| {
        engine.advance(u64::from(steps / 8)).unwrap();
        assert_eq!(engine.contact_count(), 3);
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

/// Ellipsoids and a sphere collide across a periodic end as they do in the middle.
#[test]
fn a_collision_across_the_end_is_one_in_the_middle() {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    let collide = |at: LabVec<f64>| {
        let mut world = world(rubbing(), true);
        world.domain = Domain::of([axis; 3]);
        let q = Quat::from_rotation_vector(v(0.3, 0.7, 1.2));
        world.add_body(Body::at(TemplateId(0), at).moving(v(1.0, 0.3, 0.1)).spinning(v(30.0, 50.0, 20.0)));
        world.add_body(
            Body::at(TemplateId(1), at + v(2.4, 0.2, 1.1) * RADIUS).turned(q).moving(v(-1.0, 0.1, -0.4)),
        );
        world.add_body(Body::at(TemplateId(3), at + v(-1.0, 2.1, 0.0) * RADIUS).moving(v(0.0, -1.0, 0.1)));
        world.add_body(Body::at(TemplateId(5), at + v(0.0, 0.0, -2.0) * RADIUS).moving(v(0.0, 0.0, 1.0)));
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
