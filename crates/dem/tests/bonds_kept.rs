//! Bonds on threads, in rows that lie anywhere, in saved states and after changes by hand: the same bits, or a clear answer.

use crate::bonds::{UNBREAKABLE, bond_all, soft_world};
use crate::common::{X, Z, add_floor, add_sphere};
use tumble_dem::bond::{Bond, BondKind, Limits, Stiffness, Strength, weibull_factor};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::fingerprint;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyId, Change, Clock, Engine, LabVec, MaterialId, SavedState, Settings, World};

/// A block of spheres of which some bonds break on a floor.
pub(crate) fn block() -> World {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.005);
    for number in 0..48_u32 {
        let place = [number % 4, number / 4 % 4, number / 16].map(|k| 0.01 * f64::from(k));
        let at = LabVec::from_array(place) + Z * 0.006;
        world.add_body(Body::at(sphere, at).moving(Z * -3.0 + X));
    }
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    bond_all(&mut world, 5e-6, &Strength { tension: 1e5, shear: 1e5, bending: 2e5, twist: 2e5 });
    for bond in &mut world.bonds {
        bond.limits = bond.limits.times(weibull_factor(3.0, 5, bond.bodies));
    }
    world
}

/// The same with parallel bonds.
pub(crate) fn parallel_block() -> World {
    let mut world = block();
    crate::parallel_bonds::make_parallel(&mut world, 1e5, 1e5);
    for bond in &mut world.bonds {
        bond.limits = bond.limits.times(weibull_factor(3.0, 5, bond.bodies));
    }
    world
}

fn settings(threads: usize) -> Settings {
    Settings { threads, ..Settings::new(2e-6) }
}

fn outcome(engine: &Engine) -> (u64, usize, u64) {
    (fingerprint::of(engine), engine.breakages().len(), engine.ledger().balance().to_bits())
}

#[test]
fn the_same_bits_on_threads_in_any_row_and_after_a_restart() {
    same_bits(block);
}

#[test]
fn parallel_bonds_have_the_same_bits_on_threads_in_any_row_and_after_a_restart() {
    same_bits(parallel_block);
}

fn same_bits(block: fn() -> World) {
    let mut plain = Engine::new(block(), settings(1)).unwrap();
    plain.advance(2500).unwrap();
    let expected = outcome(&plain);
    assert!(expected.1 > 5 && plain.bond_counts().whole > 5, "{:?}", plain.bond_counts());
    let expected_events = plain.breakages().to_vec();

    let mut threaded = Engine::new(block(), settings(3)).unwrap();
    threaded.shuffle_rows(8);
    threaded.advance(2500).unwrap();
    assert_eq!(outcome(&threaded), expected);

    let mut first = Engine::new(block(), settings(1)).unwrap();
    let mut bytes = Vec::new();
    // One step at a time while bonds break, so that states in the middle of that are among them.
    while first.breakages().len() < 3 {
        first.advance(1).unwrap();
        bytes = first.save().to_bytes();
        let mut next = Engine::new(block(), settings(1)).unwrap();
        next.restore(&SavedState::from_bytes(&bytes, &block()).unwrap()).unwrap();
        assert_eq!(outcome(&next), outcome(&first));
        assert_eq!(next.bonds(), first.bonds());
        if !first.steps().is_multiple_of(50) && first.breakages().is_empty() {
            first.advance(49).unwrap();
        }
    }
    let mut next = Engine::new(block(), settings(2)).unwrap();
    next.restore(&SavedState::from_bytes(&bytes, &block()).unwrap()).unwrap();
    next.advance(2500 - next.steps()).unwrap();
    assert_eq!(outcome(&next), expected);
    assert_eq!(next.breakages(), expected_events);
}

#[test]
fn damaged_bonds_are_refused_and_never_a_panic() {
    damaged(block);
    damaged(parallel_block);
}

fn damaged(block: fn() -> World) {
    let mut engine = Engine::new(block(), settings(1)).unwrap();
    engine.advance(200).unwrap();
    let bytes = engine.save().to_bytes();
    let (world, state) = (block(), |bytes: &[u8]| SavedState::from_bytes(bytes, &block()));
    assert!(state(&bytes).is_ok());
    let mut refused = 0;
    for place in (bytes.len() - 3000..bytes.len()).step_by(7) {
        for change in [0x80, 0x01, 0x7f] {
            let mut damaged = bytes.clone();
            damaged[place] ^= change;
            match SavedState::from_bytes(&damaged, &world) {
                Err(_) => refused += 1,
                Ok(state) => {
                    let mut engine = Engine::new(block(), settings(1)).unwrap();
                    if engine.restore(&state).is_ok() {
                        let _ = engine.advance(2);
                    }
                }
            }
        }
    }
    assert!(refused > 20, "{refused}");
    assert!(state(&bytes[..bytes.len() - 1]).is_err());
}

#[test]
fn bonds_go_with_their_bodies_and_feel_what_is_moved_by_hand() {
    let mut world = soft_world();
    let sphere = add_sphere(&mut world, 0.01);
    for number in 0..4_u32 {
        world.add_body(Body::at(sphere, X * (0.02 * f64::from(number))));
    }
    bond_all(&mut world, 1e-5, &UNBREAKABLE);
    let mut engine = Engine::new(world.clone(), Settings::new(1e-6)).unwrap();
    engine.advance(10).unwrap();
    let balance = engine.ledger().balance();
    // By hand at the present instant: the force is there at once, on both sides.
    let position = Some(X * 0.0601);
    engine.change_bodies(&[Change { position, ..Change::of(BodyId(3)) }]).unwrap();
    let stiffness = world.bonds[2].stiffness.axial;
    let force = engine.bodies()[2].force.x;
    assert!((force / (stiffness * 1e-4) - 1.0).abs() < 1e-9, "{force}");
    assert!((engine.bodies()[3].force.x + force).abs() < 1e-12 * force);
    assert!((engine.ledger().balance() - balance).abs() < 1e-15);
    engine.advance(50).unwrap();
    // What the step leaves of 10⁻⁵ of what was put in.
    let after = engine.ledger().balance();
    assert!((after - balance).abs() < 1e-5 * 0.5 * stiffness * 1e-8, "{}", after - balance);
    engine.remove_bodies(&[BodyId(3)]).unwrap();
    let counts = engine.bond_counts();
    assert_eq!((counts.made, counts.whole, counts.taken_out, counts.broken), (3, 2, 1, 0));
    assert!((engine.ledger().balance() - after).abs() < 1e-15);
    engine.advance(50).unwrap();

    // In another world, they go along with their bodies.
    let mut softer = world;
    softer.gravity = Z * -1.0;
    let mut next = Engine::new(softer, Settings::new(5e-7)).unwrap();
    let taken = next.take_over(&engine, Clock::GoesOn).unwrap();
    assert_eq!((taken.bodies, taken.bonds, taken.unchanged), (3, 2, false));
    assert_eq!(next.bonds()[1].stored.to_bits(), engine.bonds()[1].stored.to_bits());
    next.advance(10).unwrap();
}

#[test]
fn a_bond_leads_across_the_end_of_a_periodic_domain() {
    let chain = |shift: f64| {
        let mut world = soft_world();
        let sphere = add_sphere(&mut world, 0.01);
        world.domain = Domain::of([Axis::Periodic { low: 0.0, high: 0.3 }, Axis::Open, Axis::Open]);
        for (number, side) in [(0.0, -1.0), (1.0, 1.0)] {
            let at = world.domain.wrap(X * (0.1 + shift + 0.02 * number));
            world.add_body(Body::at(sphere, at).moving(Z * side));
        }
        bond_all(&mut world, 0.0, &UNBREAKABLE);
        let bond = Bond {
            bodies: [BodyId(1), BodyId(0)],
            arms: [LabVec::zero(); 2],
            kind: BondKind::Beam,
            stiffness: crate::bonds::BEAM.stiffness(0.02),
            damping: 0.0,
            limits: Limits::NONE,
            contact: false,
        };
        world.bonds = vec![bond];
        let mut engine = Engine::new(world, Settings::new(1e-5)).unwrap();
        engine.advance(500).unwrap();
        (engine.bonds()[0].stored, engine.bodies()[0].angular_velocity.y)
    };
    let (inside, across) = (chain(0.0), chain(0.19));
    assert!((across.0 / inside.0 - 1.0).abs() < 1e-9 && (across.1 / inside.1 - 1.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_bonded_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut Bond)| {
        let mut world = block();
        change(&mut world.bonds[0]);
        Engine::new(world, settings(1)).unwrap_err().to_string()
    };
    let same = refused(&|bond| bond.bodies = [BodyId(3); 2]);
    assert_eq!(same, "bond 0: the pair of bodies is 3 and 3, expected two different bodies");
    assert!(refused(&|bond| bond.bodies[1] = BodyId(99)).starts_with("bond 0: there is no body 99"));
    let short = refused(&|bond| bond.arms = [X * 0.01, LabVec::zero()]);
    assert!(short.contains("expected two ends at different places"), "{short}");
    let slack = refused(&|bond| bond.stiffness = Stiffness::default());
    assert!(slack.contains("axial stiffness is 0"), "{slack}");
    let weak = refused(&|bond| bond.limits.shear = -1.0);
    assert!(weak.contains("load that it bears is -1"), "{weak}");

    let beyond = Engine::new(block(), settings(1)).unwrap().beyond_motion();
    assert_eq!(beyond.as_deref(), Some("bonds between bodies"));
}

#[test]
fn strengths_are_scattered_as_weibull_has_it() {
    let (modulus, count) = (4.0, 20_000_u32);
    let mut factors: Vec<f64> =
        (0..count).map(|k| weibull_factor(modulus, 3, [BodyId(k), BodyId(k + 1)])).collect();
    factors.sort_unstable_by(f64::total_cmp);
    for percent in [5_u32, 25, 50, 75, 95] {
        let part = f64::from(percent) / 100.0;
        let drawn = factors[(count / 100 * percent) as usize];
        let exact = (-(1.0 - part).ln()).powf(1.0 / modulus);
        // Four standard deviations of an empirical quantile, by its density.
        let density = modulus * exact.powf(modulus - 1.0) * (1.0 - part);
        let spread = (part * (1.0 - part) / f64::from(count)).sqrt() / density;
        assert!((drawn - exact).abs() < 4.0 * spread, "{part}: {drawn} is not {exact}");
    }
    let both = [[BodyId(2), BodyId(9)], [BodyId(9), BodyId(2)]].map(|pair| weibull_factor(3.0, 1, pair));
    assert_eq!(both[0].to_bits(), both[1].to_bits());
}
