//! Guarantee: bodies that touch are bonded where a rule says so, at rest as they are then: the bond pulls with its own stiffness about that length, what
//! their contact had stored is lost and booked, and the books close with second order. Who is bonded, and every bit of what follows, depends on
//! nothing but the world: not on threads, rows, ranks, or where a run was saved.

use crate::bonds::soft_world;
use crate::common::{X, Z, add_clump, add_floor, add_sphere, assert_close, lopsided};
use tumble_dem::bond::{BeamModel, BondRule, Making, Strength, TouchBonds, Width};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::ranks::{Channels, RankedEngine, Worker};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, SavedState, Settings, Solver, World};

const RADIUS: f64 = 5e-3;
const YOUNG: f64 = 2e7;

fn rule() -> BondRule {
    let beam = Making::Beam { model: BeamModel::Timoshenko, young: YOUNG, poisson: 0.25 };
    BondRule { width: Width::OfSmaller(0.5), ..BondRule::new(beam) }
}

/// Two spheres that come together, without friction and dashpots.
fn pair(speed: f64, rules: Vec<TouchBonds>) -> World {
    let material = Material::new("glass", 2500.0, 1e7, 0.25);
    let mut world = crate::common::world(material, PairProperties::new(1.0, 0.0));
    let sphere = add_sphere(&mut world, RADIUS);
    for side in [-1.0, 1.0] {
        let at = X * (side * (RADIUS + 1e-6));
        world.add_body(Body::at(sphere, at).moving(X * (-side * 0.5 * speed)));
    }
    world.touch_bonds = rules;
    world
}

/// As many steps as are nearest to a time.
fn steps_of(time: f64, dt: f64) -> u64 {
    (0_u32..1_000_000).find(|steps| (f64::from(*steps) + 0.5) * dt > time).map_or(0, u64::from)
}

fn entry(engine: &Engine, name: &str) -> f64 {
    engine.ledger().entries().find(|(key, _)| *key == name).map_or(0.0, |(_, energy)| energy)
}

/// With the axial stiffness EA/a about the length at which it was made; so it swings with the frequency of that spring.
#[test]
fn two_spheres_that_touch_are_bonded_and_swing_on_their_bond() {
    let speed = 0.02;
    let mut engine = Engine::new(pair(speed, vec![TouchBonds::new(rule())]), Settings::new(1e-7)).unwrap();
    while engine.bond_counts().made == 0 {
        assert!(engine.bonds().is_empty());
        engine.advance(1).unwrap();
    }
    assert_eq!(engine.contact_count(), 0, "the contact has given way");
    let counts = engine.bond_counts();
    assert_eq!((counts.made, counts.by_touch, counts.whole), (1, 1, 1));
    // At rest a step ago.
    let bond = engine.bonds()[0];
    assert!(bond.line.norm() < 2.0 * RADIUS && bond.line.norm() > 2.0 * RADIUS - 1e-8);
    let (rest, area) = (bond.line.norm(), core::f64::consts::PI * (0.5 * RADIUS).powi(2));
    let stiffness = YOUNG * area / rest;
    assert!(bond.tension.abs() < stiffness * 1.1 * speed * 1e-7, "{}", bond.tension);
    // The speed comes back with the opposite sign after half a period, and the spring holds all of it after a quarter.
    let mass = 2500.0 * 4.0 / 3.0 * core::f64::consts::PI * RADIUS.powi(3);
    let quarter = 0.25 * core::f64::consts::TAU * (0.5 * mass / stiffness).sqrt();
    let steps = |time: f64| steps_of(time, 1e-7);
    engine.advance(steps(quarter)).unwrap();
    let deepest = speed * (0.5 * mass / stiffness).sqrt();
    assert_close("pushed", rest - engine.bonds()[0].line.norm(), deepest, 2e-3);
    engine.advance(steps(2.0 * quarter)).unwrap();
    assert_close("pulled", engine.bonds()[0].tension, stiffness * deepest, 2e-3);
    assert!(engine.breakages().is_empty());
}

/// Hard enough that the contact holds much when it gives way, in a window that opens while the two are pressed together.
fn balance_after(dt: f64) -> (f64, f64) {
    let late = TouchBonds { from: 3.03e-4, ..TouchBonds::new(BondRule { damping: 2e-6, ..rule() }) };
    let mut world = pair(2.0, vec![late]);
    world.materials.set_default(PairProperties::new(0.8, 0.3));
    let mut engine = Engine::new(world, Settings { max_overlap: 0.9, ..Settings::new(dt) }).unwrap();
    let start = engine.ledger().balance();
    engine.advance(steps_of(6e-4, dt)).unwrap();
    assert_eq!(engine.bond_counts().by_touch, 1);
    ((engine.ledger().balance() - start).abs() / start, entry(&engine, "bond_making") / start)
}

#[test]
fn what_a_contact_had_stored_is_booked_to_second_order() {
    let [(coarse, _), (fine, lost)] = [2e-6, 5e-7].map(balance_after);
    assert!(lost > 0.02, "{lost}: the contact had stored something");
    assert!(coarse < 2e-3 && fine < coarse / 6.0, "{coarse:e} {fine:e}");
}

#[test]
fn bonds_beside_their_contacts_begin_and_end_with_the_window() {
    let window = TouchBonds { until: 1e-9, ..TouchBonds::new(BondRule { contact: true, ..rule() }) };
    let mut engine = Engine::new(pair(0.02, vec![window.clone()]), Settings::new(1e-7)).unwrap();
    engine.advance(2000).unwrap();
    assert_eq!(engine.bond_counts().made, 0, "it was over before they touched");
    let open = TouchBonds { until: 1.0, ..window };
    let mut engine = Engine::new(pair(0.02, vec![open]), Settings::new(1e-7)).unwrap();
    engine.advance(1500).unwrap();
    assert_eq!((engine.bond_counts().made, engine.contact_count()), (1, 1));
    assert!(entry(&engine, "bond_making").abs() < 1e-30);
}

/// Spheres and clumps of two materials that fall onto a floor, stick to each other, and break off again.
fn heap() -> World {
    let mut world = soft_world();
    let other = world.materials.add(Material::new("other", 1500.0, 8e6, 0.3)).unwrap();
    let (sphere, clump) = (add_sphere(&mut world, RADIUS), add_clump(&mut world, &lopsided()));
    let mut random = Random::new(8);
    for number in 0..60_u32 {
        let place = [number % 4, number / 4 % 4, number / 16].map(|k| 2.1 * RADIUS * f64::from(k));
        let at = LabVec::from_array(place) + Z * (1.2 * RADIUS) + random.direction() * (0.02 * RADIUS);
        let body = if number % 5 == 2 { Body::at(clump, at).scaled(0.3) } else { Body::at(sphere, at) };
        let material = if number % 3 == 0 { other } else { MaterialId(0) };
        world.add_body(body.made_of(material).moving(Z * -1.0 + random.direction() * 0.5));
    }
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    let strength = Strength { tension: 2e5, shear: 2e5, bending: 4e5, twist: 4e5 };
    let weak = BondRule { strength, damping: 1e-6, ..rule() };
    let parallel = Making::Parallel { young: YOUNG, ratio: 2.0 };
    world.touch_bonds = vec![
        TouchBonds { between: Some([MaterialId(0), other]), from: 4e-4, ..TouchBonds::new(weak) },
        TouchBonds {
            among: Some(vec![0..20, 40..60]),
            until: 3e-3,
            between: Some([MaterialId(0); 2]),
            ..TouchBonds::new(BondRule { making: parallel, contact: true, damping: 1e-6, ..rule() })
        },
    ];
    world
}

fn settings(threads: usize) -> Settings {
    Settings { threads, max_overlap: 5.0, ..Settings::new(4e-6) }
}

const STEPS: [u64; 3] = [333, 467, 400];

type Seen = (Vec<u8>, String);

fn run(solver: &mut dyn Solver) -> Vec<Seen> {
    let part = |steps: u64| {
        solver.advance(steps).unwrap_or_else(|error| panic!("{error}"));
        let told = format!(
            "{:?} {:?} {:?} {:?}",
            solver.bond_counts(),
            solver.ledger(),
            solver.bonds(),
            solver.breakages()
        );
        (solver.save_bytes(), told)
    };
    STEPS.into_iter().map(part).collect()
}

#[track_caller]
fn assert_same(found: &[Seen], expected: &[Seen], what: &str) {
    for (part, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.1, expected.1, "{what}, part {part}");
        assert!(found.0 == expected.0, "{what}, part {part}: bytes");
    }
}

#[test]
fn a_heap_that_sinters_has_the_same_bits_however_it_is_computed() {
    let mut one = Engine::new(heap(), settings(1)).unwrap();
    let expected = run(&mut one);
    let counts = one.bond_counts();
    assert!(counts.by_touch > 20 && counts.broken > 3 && counts.whole > 10, "{counts:?}");
    let parallel = one.bonds().iter().filter(|bond| bond.parallel).count();
    assert!(parallel > 0 && parallel < one.bonds().len(), "{parallel} of {}", one.bonds().len());

    let mut threaded = Engine::new(heap(), settings(3)).unwrap();
    threaded.shuffle_rows(3);
    assert_same(&run(&mut threaded), &expected, "threads");

    for (ranks, threads, at_random) in [(1, 1, true), (2, 1, true), (3, 1, true), (5, 1, false), (8, 1, true)]
    {
        let engine = Engine::new(heap(), settings(threads)).unwrap();
        let mut several = RankedEngine::new(engine, ranks).unwrap();
        if at_random {
            several.give_away_at_random(ranks as u64);
        }
        assert_same(&run(&mut several), &expected, &format!("{ranks} ranks"));
        assert_eq!(several.costs().steps, STEPS.iter().sum::<u64>(), "{ranks} ranks did the steps");
    }
}

#[test]
fn a_heap_that_sinters_goes_on_from_saved_bytes_on_any_number_of_ranks() {
    let world = heap();
    let mut one = Engine::new(world.clone(), settings(1)).unwrap();
    let mut bytes = one.save().to_bytes();
    for (ranks, steps) in [(0, 250), (3, 250), (5, 300), (0, 200), (2, 200)] {
        one.advance(steps).unwrap();
        let mut other = Engine::new(world.clone(), settings(2)).unwrap();
        other.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
        bytes = if ranks == 0 {
            other.advance(steps).unwrap();
            other.save().to_bytes()
        } else {
            let mut several = RankedEngine::new(other, ranks).unwrap();
            several.give_away_at_random(9);
            several.advance(steps).unwrap();
            several.save_bytes()
        };
        assert!(bytes == one.save().to_bytes(), "{ranks} ranks, step {}", one.steps());
    }
}

/// Threads in the place of processes, whose world has the rules and no bodies.
#[test]
fn ranks_in_other_processes_bond_what_touches() {
    let world = heap();
    let mut one = Engine::new(world.clone(), settings(1)).unwrap();
    one.advance(600).unwrap();
    let empty = World { bodies: Vec::new(), ..world.clone() };
    let mut ranks = Channels::join(3).into_iter();
    let first = ranks.next().unwrap();
    std::thread::scope(|scope| {
        for peers in ranks {
            let worker = Worker::new(Engine::new(empty.clone(), settings(1)).unwrap(), Box::new(peers));
            scope.spawn(|| worker.serve(&mut |_| Err("nothing can be passed on".into())));
        }
        let whole = Engine::new(world.clone(), settings(1)).unwrap();
        let mut several = RankedEngine::across(whole, Box::new(first));
        several.give_away_at_random(5);
        several.advance(600).unwrap();
        assert!(several.save_bytes() == one.save().to_bytes());
        assert_eq!(several.costs().steps, 600);
    });
}

#[test]
fn rules_that_make_no_sense_are_refused_by_name() {
    let refused =
        |own: TouchBonds| Engine::new(pair(0.1, vec![own]), Settings::new(1e-7)).unwrap_err().to_string();
    let open = || TouchBonds::new(rule());
    let late = refused(TouchBonds { from: 2.0, until: 1.0, ..open() });
    assert!(late.starts_with("bonds by touch 0: the end is 1, expected"), "{late}");
    let unknown = refused(TouchBonds { between: Some([MaterialId(0), MaterialId(7)]), ..open() });
    assert!(unknown.starts_with("bonds by touch 0: there is no material 7"), "{unknown}");
    let beam = Making::Beam { model: BeamModel::Timoshenko, young: 0.0, poisson: 0.25 };
    let slack = refused(TouchBonds::new(BondRule { making: beam, ..rule() }));
    assert!(slack.contains("axial stiffness is 0"), "{slack}");
    let engine = Engine::new(pair(0.1, vec![open()]), Settings::new(1e-7)).unwrap();
    assert_eq!(engine.beyond_motion().as_deref(), Some("bonds between bodies"));
}
