//! Parallel bonds: increments of the published form, objectivity, both momenta, books that close with second order, strength at the rim, the same bits.

use crate::bonds::soft_world;
use crate::common::{
    X, Y, Z, add_clump, add_sphere, assert_close, assert_near, lopsided, order_of, spin_momentum,
};
use tumble_dem::bond::{Bond, BondKind, BreakMode, Limits, ParallelBond};
use tumble_dem::physics::bond::{BondConstants, BondEnd, BondedBody};
use tumble_dem::physics::parallel_bond::{BondMemory, follow, parallel_bond};
use tumble_dem::placement::near_pairs;
use tumble_dem::random::Random;
use tumble_dem::{Body, BodyId, BodyVec, Engine, LabVec, Quat, Settings, World};

const RADIUS: f64 = 4e-3;

fn disc(length: f64) -> ParallelBond {
    ParallelBond::of_modulus(2e7, 2.5, length, RADIUS)
}

/// Makes all bonds of a world parallel ones, with these strengths.
pub(crate) fn make_parallel(world: &mut World, tension: f64, shear: f64) {
    for bond in &mut world.bonds {
        let [from, to] = [0, 1].map(|end| world.bodies[bond.bodies[end].index()].position + bond.arms[end]);
        let disc = disc((to - from).norm());
        (bond.kind, bond.stiffness) = (BondKind::Parallel { at: 0.4 }, disc.stiffness());
        bond.limits = disc.limits(tension, shear);
    }
}

#[derive(Clone, Copy)]
struct Pose {
    position: LabVec<f64>,
    q: Quat<f64>,
}

struct Case {
    constants: BondConstants<f64>,
    ends: [BondEnd<f64>; 2],
    at: f64,
}

impl Case {
    fn random(random: &mut Random, damping: f64) -> Self {
        let mut number = || random.between(0.5, 2.0);
        let [length, axial, shear, bending, twist, at] = [(); 6].map(|()| number());
        let constants = BondConstants { length, axial, shear, bending, twist, damping };
        let end = |random: &mut Random| {
            let arm = random.direction() * 0.4;
            BondEnd { arm: BodyVec::new(arm.x, arm.y, arm.z), frame: random.orientation() }
        };
        Self { constants, ends: [end(random), end(random)], at: 0.5 * at }
    }

    fn memory(&self, poses: &[Pose; 2], random: &mut Random) -> BondMemory<f64> {
        let line = self.line(poses);
        let sheared = random.direction() * 0.2;
        let e = line * (1.0 / line.norm());
        BondMemory {
            sheared: sheared - e * e.dot(sheared),
            turned: random.direction() * 0.3,
            ..BondMemory::at_rest(line, poses.map(|pose| pose.q))
        }
    }

    fn line(&self, poses: &[Pose; 2]) -> LabVec<f64> {
        let [from, to] = [0, 1].map(|k| poses[k].position + poses[k].q.to_lab(self.ends[k].arm));
        to - from
    }

    fn bodies(poses: &[Pose; 2], motion: [[LabVec<f64>; 2]; 2]) -> ([BondedBody<f64>; 2], LabVec<f64>) {
        let body = |k: usize| BondedBody { q: poses[k].q, velocity: motion[k][0], omega: motion[k][1] };
        ([body(0), body(1)], poses[1].position - poses[0].position)
    }

    fn follow(&self, memory: &BondMemory<f64>, poses: &[Pose; 2]) -> BondMemory<f64> {
        let (bodies, apart) = Self::bodies(poses, [[LabVec::zero(); 2]; 2]);
        follow(memory, self.at, &self.ends, &bodies, apart)
    }
}

fn poses(random: &mut Random) -> [Pose; 2] {
    [
        Pose { position: random.direction(), q: random.orientation() },
        Pose { position: X * 3.0 + random.direction(), q: random.orientation() },
    ]
}

#[test]
fn turning_all_as_one_by_any_angle_changes_no_force_and_looking_twice_nothing_at_all() {
    let mut random = Random::new(7);
    for _ in 0..50 {
        let case = Case::random(&mut random, 0.0);
        let before = poses(&mut random);
        let memory = case.memory(&before, &mut random);
        let turn = Quat::from_rotation_vector(random.direction() * random.between(0.0, 2.5));
        let lab = |v: LabVec<f64>| turn.to_lab(BodyVec::new(v.x, v.y, v.z));
        let shift = random.direction();
        let after = before.map(|pose| Pose { position: lab(pose.position) + shift, q: turn * pose.q });
        let moved = case.follow(&memory, &after);
        assert_near("shear", moved.sheared, lab(memory.sheared), 1e-13);
        assert_near("turn", moved.turned, lab(memory.turned), 1e-13);
        let again = case.follow(&moved, &after);
        assert_near("shear", again.sheared, moved.sheared, 1e-15);
        assert_near("turn", again.turned, moved.turned, 1e-15);
    }
}

#[test]
fn what_springs_do_is_what_they_store_and_moments_cancel() {
    let mut random = Random::new(3);
    for damping in [0.0, 0.3] {
        for _ in 0..50 {
            let case = Case::random(&mut random, damping);
            let now = poses(&mut random);
            let memory = case.memory(&now, &mut random);
            let motion = [(); 2].map(|()| [random.direction(), random.direction()]);
            let act = |poses: &[Pose; 2], memory: &BondMemory<f64>| {
                let (bodies, apart) = Case::bodies(poses, motion);
                parallel_bond(&case.constants, memory, case.at, &case.ends, &bodies, apart)
            };
            let action = act(&now, &memory);
            let energy_after = |h: f64| {
                let moved = [0, 1].map(|k| Pose {
                    position: now[k].position + motion[k][0] * h,
                    q: now[k].q.turn_lab(motion[k][1], h),
                });
                act(&moved, &case.follow(&memory, &moved)).stored
            };
            let rate = |h: f64| (energy_after(h) - energy_after(-h)) / (2.0 * h);
            let rate = (4.0 * rate(1e-4) - rate(2e-4)) / 3.0;
            assert!((action.released + rate).abs() < 1e-8, "{} and {rate}", action.released);
            let power = action.force.dot(motion[1][0] - motion[0][0])
                + action.torque_first.dot(motion[0][1])
                + action.torque_second.dot(motion[1][1]);
            assert!((power - (action.released - action.damped)).abs() < 1e-12);
            assert!(action.damped >= 0.0 && (damping > 0.0) == (action.damped > 0.0));
            let apart = now[1].position - now[0].position;
            let moment = apart.cross(action.force) + action.torque_first + action.torque_second;
            assert!(moment.norm() < 1e-13, "{moment:?}");
        }
    }
}

/// Spheres and clumps in a row with parallel bonds, each with another velocity and spin.
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
        let stiffness = disc((line + arms[1] - arms[0]).norm()).stiffness();
        let (kind, limits) = (BondKind::Parallel { at: 0.3 }, Limits::NONE);
        world.bonds.push(Bond { bodies, arms, kind, stiffness, damping, limits, contact: false });
    }
    world
}

#[test]
fn both_momenta_are_kept_and_the_books_close_with_second_order() {
    let momenta = |engine: &Engine| {
        let bodies = engine.bodies();
        let momentum = bodies.iter().fold(LabVec::zero(), |sum, body| sum + body.velocity * body.mass);
        let angular = bodies.iter().fold(LabVec::zero(), |sum, body| {
            sum + body.position.cross(body.velocity * body.mass) + spin_momentum(body)
        });
        [momentum, angular]
    };
    for damping in [0.0, 2e-4] {
        let mut errors = Vec::new();
        for halvings in 0..3 {
            let dt = 4e-5 / f64::from(1 << halvings);
            let mut engine = Engine::new(tumbling_chain(damping), Settings::new(dt)).unwrap();
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
            assert!(engine.bonds().iter().all(|bond| bond.parallel && bond.stored > 0.0));
        }
        assert!((order_of(&errors) - 2.0).abs() < 0.2, "{damping}: {errors:?}");
        assert!(errors.iter().all(|error| *error < 1e-4), "{errors:?}");
    }
}

/// Two held spheres and a bond of theirs, moved so by hand.
fn held(tension: f64, shear: f64, shift: LabVec<f64>, turn: LabVec<f64>) -> Engine {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.01);
    let bodies = [LabVec::zero(), X * 0.02].map(|at| world.add_body(Body::at(sphere, at).held()));
    let near = near_pairs(&world, 1e-4);
    let disc = disc(0.02);
    world.bonds.push(Bond {
        bodies,
        arms: near[0].arms,
        kind: BondKind::Parallel { at: 0.5 },
        stiffness: disc.stiffness(),
        damping: 0.0,
        limits: disc.limits(tension, shear),
        contact: false,
    });
    let mut engine = Engine::new(world, Settings::new(1e-6)).unwrap();
    let half = |side: f64| Quat::from_rotation_vector(turn * (0.5 * side));
    engine.set_pose(BodyId(0), LabVec::zero(), half(-1.0)).unwrap();
    engine.set_pose(BodyId(1), X * 0.02 + shift, half(1.0)).unwrap();
    engine
}

#[test]
fn a_bond_breaks_where_the_stress_at_its_rim_is_its_strength() {
    let (strain, turn) = (1e-5, 3e-5);
    // From the published form, with A = πR², I = πR⁴/4, J = πR⁴/2: kₙ(U + θR) and kₛ(U + θR) at the rim.
    let normal = 2e7 / 0.02;
    let tension = normal * (strain * 0.02 + turn * RADIUS);
    let shear = normal / 2.5 * (strain * 0.02 + turn * RADIUS);
    let pulled = |strength: f64| held(strength, f64::INFINITY, X * (strain * 0.02), Y * turn);
    let sheared = |strength: f64| held(f64::INFINITY, strength, Z * (strain * 0.02), X * turn);
    assert_close("used", pulled(tension).bonds()[0].used, 1.0, 1e-6);
    assert_close("used", sheared(shear).bonds()[0].used, 1.0, 1e-6);
    let broken = |mut engine: Engine| {
        engine.advance(1).unwrap();
        engine.breakages().first().map(|event| event.mode)
    };
    assert_eq!(broken(pulled(tension * 1.0001)), None);
    assert_eq!(broken(pulled(tension * 0.9999)), Some(BreakMode::Tension));
    assert_eq!(broken(sheared(shear * 1.0001)), None);
    assert_eq!(broken(sheared(shear * 0.9999)), Some(BreakMode::Shear));
    // Pressure takes stress off the rim: bending alone is beyond the strength, and with enough pressure no more.
    let bent = normal * turn * RADIUS;
    assert_eq!(broken(held(0.9 * bent, f64::INFINITY, LabVec::zero(), Y * turn)), Some(BreakMode::Tension));
    assert_eq!(broken(held(0.9 * bent, f64::INFINITY, X * -1e-7, Y * turn)), None);
}

/// The same end by two ways: with a potential, as beams have it, forces would be the same.
#[test]
fn forces_depend_on_the_way_once_bodies_turn_far() {
    let along = |turns: [LabVec<f64>; 2]| {
        let mut engine = held(f64::INFINITY, f64::INFINITY, LabVec::zero(), LabVec::zero());
        let mut q = Quat::identity();
        for turn in turns {
            for _ in 0..200 {
                q = Quat::from_rotation_vector(turn * (1.0 / 200.0)) * q;
                engine.set_pose(BodyId(1), X * 0.02, q).unwrap();
            }
        }
        (q, engine.bonds()[0])
    };
    // Turning about two axes in one order, and to the same pose at once.
    let (end, [quarter, other]) = (1.2, [Y, Z]);
    let (q, by_two) = along([quarter * end, other * end]);
    let (same, by_one) = along([q.rotation_vector(), LabVec::zero()]);
    assert!((q - same).norm() < 1e-12);
    assert!((by_two.stored / by_one.stored - 1.0).abs() > 0.1, "{} and {}", by_two.stored, by_one.stored);
}
