//! Bonds: forces are the gradient of a potential, both momenta are kept, the books close with second order, also where bonds break.

use crate::common::{
    X, Y, Z, add_clump, add_floor, add_sphere, assert_close, assert_near, largest, lopsided,
};
use crate::common::{order_of, spin_momentum, world};
use tumble_dem::bond::{Beam, BeamModel, Bond, BondKind, BreakMode, Limits, Strength};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::physics::bond::{BondAction, BondConstants, BondEnd, BondedBody, bond};
use tumble_dem::placement::near_pairs;
use tumble_dem::random::Random;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyId, BodyVec, Engine, LabVec, MaterialId, Quat, Settings, World};

pub(crate) const BEAM: Beam = Beam { model: BeamModel::Timoshenko, young: 2e7, poisson: 0.25, radius: 4e-3 };

pub(crate) fn soft_world() -> World {
    world(Material::new("glass", 2500.0, 1e7, 0.25), PairProperties::new(0.8, 0.3))
}

/// Bonds between all bodies that are near, which break under these stresses.
pub(crate) fn bond_all(world: &mut World, damping: f64, strength: &Strength) {
    for near in near_pairs(world, 1e-4) {
        let [from, to] = [0, 1].map(|end| world.bodies[near.bodies[end].index()].position + near.arms[end]);
        world.bonds.push(Bond {
            bodies: near.bodies,
            arms: near.arms,
            kind: BondKind::Beam,
            stiffness: BEAM.stiffness((to - from).norm()),
            damping,
            limits: BEAM.limits(strength),
            contact: false,
        });
    }
}

pub(crate) const UNBREAKABLE: Strength =
    Strength { tension: f64::INFINITY, shear: f64::INFINITY, bending: f64::INFINITY, twist: f64::INFINITY };

/// Spheres and clumps in a row, bonded, each with another velocity and spin.
fn tumbling_chain(damping: f64) -> World {
    let mut world = soft_world();
    let (sphere, clump) = (add_sphere(&mut world, 0.01), add_clump(&mut world, &lopsided()));
    let mut random = Random::new(4);
    for number in 0..6_u32 {
        let template = if number % 3 == 1 { clump } else { sphere };
        let place = X * (0.0225 * f64::from(number)) + random.direction() * 1e-3;
        let body = Body::at(template, place).moving(random.direction() * 0.3);
        world.add_body(body.turned(random.orientation()).spinning(random.direction() * 20.0));
    }
    for number in 0..5 {
        let bodies = [BodyId(number), BodyId(number + 1)];
        let line = world.bodies[bodies[1].index()].position - world.bodies[bodies[0].index()].position;
        let arms = [line * 0.2 + Y * 1e-3, line * -0.3];
        let length = (line + arms[1] - arms[0]).norm();
        let stiffness = BEAM.stiffness(length);
        let (kind, limits) = (BondKind::Beam, Limits::NONE);
        world.bonds.push(Bond { bodies, arms, kind, stiffness, damping, limits, contact: false });
    }
    world
}

struct Pose {
    position: LabVec<f64>,
    q: Quat<f64>,
}

fn action(
    constants: &BondConstants<f64>,
    ends: &[BondEnd<f64>; 2],
    poses: &[Pose; 2],
    motion: [[LabVec<f64>; 2]; 2],
) -> BondAction<f64> {
    let body = |k: usize| BondedBody { q: poses[k].q, velocity: motion[k][0], omega: motion[k][1] };
    bond(constants, ends, &[body(0), body(1)], poses[1].position - poses[0].position)
}

#[test]
fn forces_are_the_gradient_of_the_potential_however_far_bodies_turn() {
    let mut random = Random::new(1);
    for damping in [0.0, 0.3] {
        for _ in 0..50 {
            let mut number = || random.between(0.5, 2.0);
            let constants = BondConstants {
                length: number(),
                axial: number(),
                shear: number(),
                bending: number(),
                twist: number(),
                damping,
            };
            let arm = |random: &mut Random| {
                let arm = random.direction() * 0.4;
                BondEnd { arm: BodyVec::new(arm.x, arm.y, arm.z), frame: random.orientation() }
            };
            let ends = [arm(&mut random), arm(&mut random)];
            let poses = [
                Pose { position: random.direction(), q: random.orientation() },
                Pose { position: X * 3.0 + random.direction(), q: random.orientation() },
            ];
            let motion = [[random.direction(), random.direction()], [random.direction(), random.direction()]];
            let now = action(&constants, &ends, &poses, motion);
            // How fast the potential changes along this motion.
            let energy_after = |h: f64| {
                let moved = [0, 1].map(|k| Pose {
                    position: poses[k].position + motion[k][0] * h,
                    q: poses[k].q.turn_lab(motion[k][1], h),
                });
                action(&constants, &ends, &moved, motion).stored
            };
            let rate = |h: f64| (energy_after(h) - energy_after(-h)) / (2.0 * h);
            let rate = (4.0 * rate(1e-4) - rate(2e-4)) / 3.0;
            assert!((now.released + rate).abs() < 1e-8, "{} and {rate}", now.released);
            // What all forces do is what springs give, less what dashpots take.
            let power = now.force.dot(motion[1][0] - motion[0][0])
                + now.torque_first.dot(motion[0][1])
                + now.torque_second.dot(motion[1][1]);
            assert!((power - (now.released - now.damped)).abs() < 1e-12);
            assert!(now.damped >= 0.0 && (damping > 0.0) == (now.damped > 0.0));
            let apart = poses[1].position - poses[0].position;
            let moment = apart.cross(now.force) + now.torque_first + now.torque_second;
            assert!(moment.norm() < 1e-13, "{moment:?}");
        }
    }
}

fn momenta(engine: &Engine) -> [LabVec<f64>; 2] {
    let bodies = engine.bodies();
    let momentum = bodies.iter().fold(LabVec::zero(), |sum, body| sum + body.velocity * body.mass);
    let angular = bodies.iter().fold(LabVec::zero(), |sum, body| {
        sum + body.position.cross(body.velocity * body.mass) + spin_momentum(body)
    });
    [momentum, angular]
}

#[test]
fn both_momenta_are_kept_and_the_books_close_with_second_order() {
    let mut errors = Vec::new();
    for halvings in 0..3 {
        let dt = 4e-5 / f64::from(1 << halvings);
        let mut engine = Engine::new(tumbling_chain(2e-4), Settings::new(dt)).unwrap();
        let [momentum, angular] = momenta(&engine);
        let balance = engine.ledger().balance();
        let mut worst: f64 = 0.0;
        for _ in 0..20 {
            engine.advance(50 << halvings).unwrap();
            worst = worst.max((engine.ledger().balance() - balance).abs());
        }
        errors.push(worst);
        let [momentum_now, angular_now] = momenta(&engine);
        assert_near("momentum", momentum_now, momentum, 1e-14 * momentum.norm().max(1e-3));
        assert_near("angular momentum", angular_now, angular, 1e-5 * angular.norm());
        let ledger = engine.ledger();
        let entry = |key: &str| ledger.entries().find(|(known, _)| *known == key).unwrap().1;
        assert!(entry("bonds") > 0.0 && entry("bond_damping") > 0.05 * ledger.mechanical());
        assert!(entry("bond_breakage").abs() <= 0.0);
    }
    assert!((order_of(&errors) - 2.0).abs() < 0.2, "{errors:?}");
    assert!(largest(errors) < 1e-4);
}

/// Two spheres that fly apart and tear their bond.
fn torn(dt: f64) -> Engine {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.01);
    for side in [-1.0, 1.0] {
        world.add_body(
            Body::at(sphere, X * (0.01 * side)).moving(X * (0.4 * side)).spinning(Y * (3.0 * side)),
        );
    }
    bond_all(&mut world, 1e-5, &Strength { tension: 2e5, ..UNBREAKABLE });
    Engine::new(world, Settings::new(dt)).unwrap()
}

#[test]
fn a_bond_that_breaks_leaves_its_energy_in_the_books() {
    let mut errors = Vec::new();
    for halvings in 0..4 {
        let dt = 2e-5 / f64::from(1 << halvings);
        let mut engine = torn(dt);
        let balance = engine.ledger().balance();
        let mut worst: f64 = 0.0;
        while engine.bond_counts().broken == 0 {
            engine.advance(1).unwrap();
            worst = worst.max((engine.ledger().balance() - balance).abs());
        }
        engine.advance(10).unwrap();
        worst = worst.max((engine.ledger().balance() - balance).abs());
        errors.push(worst);
        let [event] = engine.breakages() else { panic!("{:?}", engine.breakages()) };
        assert_eq!((event.mode, event.bodies), (BreakMode::Tension, [BodyId(0), BodyId(1)]));
        assert_near("place", event.place, LabVec::zero(), 1e-12);
        // Of the spring alone, which broke at the strength: F²/2c_A, and a little more by the step. Bending stores some as well.
        let (force, stiffness) = (2e5 * BEAM.area(), BEAM.stiffness(0.02).axial);
        let least = 0.5 * force * force / stiffness;
        assert!(event.energy > least && event.energy < 1.6 * least, "{} and {least}", event.energy);
        let ledger = engine.ledger();
        let entry = |key: &str| ledger.entries().find(|(known, _)| *known == key).unwrap().1;
        assert_close("energy of the event", entry("bond_breakage"), event.energy, 1e-15);
        assert!(entry("bonds").abs() <= 0.0);
    }
    assert!((order_of(&errors) - 2.0).abs() < 0.4, "{errors:?}");
}

#[test]
fn bonds_break_in_the_way_that_they_are_loaded() {
    let cases = [
        (BreakMode::Tension, X * 0.3, LabVec::zero()),
        (BreakMode::Shear, Z * 0.3, LabVec::zero()),
        (BreakMode::Bending, LabVec::zero(), Z * 60.0),
        (BreakMode::Twist, LabVec::zero(), X * 60.0),
    ];
    for (mode, velocity, spin) in cases {
        let mut world = soft_world();
        let sphere = add_sphere(&mut world, 0.01);
        world.add_body(Body::at(sphere, LabVec::zero()).moving(-velocity).spinning(-spin));
        world.add_body(Body::at(sphere, X * 0.02).moving(velocity).spinning(spin));
        let weak = |of: BreakMode| if of == mode { 1e4 } else { f64::INFINITY };
        let [tension, shear, bending, twist] = BreakMode::ALL.map(weak);
        bond_all(&mut world, 0.0, &Strength { tension, shear, bending, twist });
        let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
        engine.advance(500).unwrap();
        assert_eq!(engine.breakages().iter().map(|event| event.mode).collect::<Vec<_>>(), [mode]);
    }
}

#[test]
fn bonded_bodies_touch_only_when_asked_or_when_the_bond_is_gone() {
    let pressed = |contact: bool, strength: &Strength| {
        let mut world = soft_world();
        let sphere = add_sphere(&mut world, 0.01);
        for side in [-1.0, 1.0] {
            let velocity = X * (-0.2 * side) + Z * (0.1 * side);
            world.add_body(Body::at(sphere, X * (0.01 * side)).moving(velocity));
        }
        bond_all(&mut world, 0.0, strength);
        world.bonds[0].contact = contact;
        Engine::new(world, Settings::new(2e-6)).unwrap()
    };
    let mut engine = pressed(false, &UNBREAKABLE);
    engine.advance(100).unwrap();
    assert!(engine.bonds()[0].tension < 0.0 && engine.contact_count() == 0);
    let mut engine = pressed(true, &UNBREAKABLE);
    engine.advance(100).unwrap();
    assert_eq!(engine.contact_count(), 1);
    let mut engine = pressed(false, &Strength { shear: 3e3, ..UNBREAKABLE });
    let balance = engine.ledger().balance();
    engine.advance(100).unwrap();
    assert_eq!(engine.breakages()[0].mode, BreakMode::Shear);
    assert_eq!(engine.contact_count(), 1);
    // The contact begins with the energy of its overlap, which the books know of.
    assert_close("books", engine.ledger().balance(), balance, 1e-5);
    engine.advance(3000).unwrap();
    assert_eq!(engine.contact_count(), 0);
}

/// A contact that was there beside its bond is none that begins as the bond breaks.
#[test]
fn a_bond_beside_a_contact_leaves_its_own_energy_alone() {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.01);
    for side in [-1.0, 1.0] {
        let velocity = X * (-0.2 * side) + Z * (0.1 * side);
        world.add_body(Body::at(sphere, X * (0.01 * side)).moving(velocity));
    }
    bond_all(&mut world, 0.0, &Strength { shear: 3e3, ..UNBREAKABLE });
    world.bonds[0].contact = true;
    let mut engine = Engine::new(world, Settings::new(2e-6)).unwrap();
    let balance = engine.ledger().balance();
    engine.advance(100).unwrap();
    let ledger = engine.ledger();
    let [event] = engine.breakages() else { panic!("{:?}", engine.breakages()) };
    assert_eq!((event.mode, engine.contact_count()), (BreakMode::Shear, 1));
    assert!(ledger.elastic_normal > 0.05 * event.energy, "{ledger:?}");
    let entry = ledger.entries().find(|(known, _)| *known == "bond_breakage").unwrap().1;
    assert_close("energy of the event", entry, event.energy, 1e-15);
    assert_close("books", ledger.balance(), balance, 1e-5);
}

#[test]
fn an_agglomerate_breaks_on_a_floor_and_the_books_close() {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.005);
    for number in 0..27_u32 {
        let place = [number % 3, number / 3 % 3, number / 9].map(|k| 0.01 * f64::from(k));
        let at = LabVec::from_array(place) + Z * 0.006;
        world.add_body(Body::at(sphere, at).moving(Z * -3.0 + X * 0.5));
    }
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    let strength = Strength { tension: 2e4, shear: 2e4, bending: 4e4, twist: 4e4 };
    bond_all(&mut world, 5e-6, &strength);
    let mut engine = Engine::new(world, Settings::new(2e-6)).unwrap();
    let balance = engine.ledger().balance();
    assert_eq!(engine.bond_counts().made, 54);
    engine.advance(4000).unwrap();
    let counts = engine.bond_counts();
    assert!(counts.broken > 5 && counts.whole > 5, "{counts:?}");
    assert_eq!(counts.made, counts.whole + counts.broken);
    let kinetic = 0.5 * 27.0 * engine.bodies()[0].mass * (3.0 * 3.0 + 0.5 * 0.5);
    assert!((engine.ledger().balance() - balance).abs() < 2e-3 * kinetic, "{:?}", engine.ledger());
}

#[test]
fn the_time_step_that_is_advised_follows_the_stiffest_bond() {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.01);
    world.add_body(Body::at(sphere, LabVec::zero()));
    world.add_body(Body::at(sphere, X * 0.02));
    bond_all(&mut world, 0.0, &UNBREAKABLE);
    let advice = Engine::new(world.clone(), Settings::new(1e-9)).unwrap().advise();
    let limit = advice.limit(tumble_dem::advice::LimitKind::Bonds).unwrap().seconds;
    // The stretching of two spheres has ω² = 2c_A/m, bending ω² = 2c_B/I, sliding 2c_D(1/m + (a/2)²/I): the limit is below that of each, and
    // not much below that of all together.
    let body = Engine::new(world.clone(), Settings::new(1e-9)).unwrap().bodies()[0];
    let bond = BEAM.stiffness(0.02);
    let squares = [
        2.0 * bond.axial / body.mass,
        2.0 * bond.shear * (1.0 / body.mass + 1e-4 / body.moments.x),
        2.0 * bond.bending.max(bond.twist) / body.moments.x,
    ];
    let stiffest = largest(squares);
    assert!(limit <= 2.0 / stiffest.sqrt() && limit >= 2.0 / squares.iter().sum::<f64>().sqrt() * 0.999);
    // And it is a limit: beyond twice of it, the bond explodes.
    let run = |dt: f64| {
        let mut world = world.clone();
        world.bodies[1].velocity = (X + Y + Z) * 1e-6;
        let mut engine = Engine::new(world, Settings::new(dt)).unwrap();
        engine.advance(2000).map(|()| engine.ledger().kinetic())
    };
    assert!(run(0.9 * limit).unwrap() < 1e-13);
    assert!(run(2.5 * limit).is_err() || run(2.5 * limit).unwrap() > 1e-9);
}
