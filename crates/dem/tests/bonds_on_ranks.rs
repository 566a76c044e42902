//! Guarantee: bonds on ranks have the bits of one process, whoever owns the bodies at their ends: what they do, store and lose, what parallel bonds
//! remember, when each breaks and in which order that is told, and the contacts that begin by it. It can break where a bond is counted by
//! both owners or by none, where its body is far away, or where ranks do not agree that lists are to be built.

use crate::bonds_kept::{block, parallel_block};
use tumble_dem::bond::{Bond, Limits};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::ranks::{Channels, RankedEngine, Worker};
use tumble_dem::{BodyId, Engine, Settings, Solver, World};

const STEPS: [u64; 4] = [1, 699, 900, 900];

fn settings(threads: usize) -> Settings {
    Settings { threads, max_overlap: 5.0, ..Settings::new(2e-6) }
}

fn ranked(world: &World, (ranks, threads, at_random): (usize, usize, bool)) -> RankedEngine {
    let engine = Engine::new(world.clone(), settings(threads)).unwrap();
    let mut several = RankedEngine::new(engine, ranks).unwrap();
    if at_random {
        several.give_away_at_random(3 + ranks as u64);
    }
    several
}

/// A block that is also held together across its whole width, beyond what lists reach, with some bonds twice and some beside contacts.
fn laced(mut world: World) -> World {
    let tie = |world: &World, bodies: [u32; 2]| {
        let bond = world.bonds[0];
        let [a, b] = bodies.map(BodyId);
        let line = world.bodies[b.index()].position - world.bodies[a.index()].position;
        let arms = [line * 0.1, line * -0.1];
        Bond { bodies: [a, b], arms, limits: Limits::NONE, damping: 2e-6, ..bond }
    };
    let far = [[0, 15], [3, 44], [47, 12]].map(|bodies| tie(&world, bodies));
    let twice: Vec<Bond> =
        world.bonds.iter().step_by(9).map(|bond| Bond { damping: 1e-6, ..*bond }).collect();
    world.bonds.extend(far.into_iter().chain(twice));
    world.bonds.iter_mut().step_by(4).for_each(|bond| bond.contact = true);
    world
}

type Seen = (Vec<u8>, String);

/// What somebody who looks can tell.
fn seen(solver: &dyn Solver) -> Seen {
    let told = format!("{:?} {:?} {:?}", solver.ledger(), solver.bonds(), solver.breakages());
    (solver.save_bytes(), told)
}

fn run(solver: &mut dyn Solver) -> Vec<Seen> {
    let part = |steps: u64| {
        solver.advance(steps).unwrap_or_else(|error| panic!("{error}"));
        seen(solver)
    };
    STEPS.into_iter().map(part).collect()
}

fn agree(world: &World, cases: &[(usize, usize, bool)], what: &str) {
    let mut one = Engine::new(world.clone(), settings(1)).unwrap();
    let expected = run(&mut one);
    let counts = one.bond_counts();
    assert!(counts.broken > 5 && counts.whole > 5, "{what}: {counts:?}");
    for &case in cases {
        let mut several = ranked(world, case);
        for (part, (found, expected)) in run(&mut several).iter().zip(&expected).enumerate() {
            assert_eq!(found.1, expected.1, "{what}, {case:?}, part {part}");
            assert!(found.0 == expected.0, "{what}, {case:?}, part {part}: bytes");
        }
        assert_eq!(several.bond_counts(), counts, "{what}, {case:?}");
        let costs = several.costs();
        assert_eq!(costs.steps, STEPS.iter().sum::<u64>(), "{what}, {case:?}: ranks did the steps");
        assert!(!case.2 || case.0 == 1 || costs.given > 0 && costs.messages > 0, "{what}: {costs:?}");
    }
}

#[test]
fn bonds_break_as_on_one_process() {
    agree(&block(), &[(1, 1, true), (2, 1, true), (3, 2, true), (5, 1, false)], "beams");
}

#[test]
fn parallel_bonds_remember_what_they_do_on_one_process() {
    agree(&parallel_block(), &[(3, 1, true), (8, 1, true), (2, 2, false)], "parallel bonds");
}

#[test]
fn bonds_reach_beyond_the_lists() {
    agree(&laced(block()), &[(2, 1, false), (5, 1, true), (8, 1, true)], "laced");
    let mut world = laced(parallel_block());
    world.domain = Domain::of([Axis::Periodic { low: 0.0151, high: 0.1051 }, Axis::Open, Axis::Open]);
    agree(&world, &[(3, 1, true), (4, 1, false)], "laced, periodic");
}

#[test]
fn bonded_states_go_on_with_any_number_of_ranks() {
    let world = laced(parallel_block());
    let mut one = Engine::new(world.clone(), settings(1)).unwrap();
    one.advance(2000).unwrap();
    let mut bytes = Vec::new();
    for (case, steps) in [((3, 1, true), 800), ((5, 1, true), 700), ((1, 2, false), 500)] {
        let mut several = ranked(&world, case);
        if !bytes.is_empty() {
            several.restore_bytes(&bytes).unwrap();
        }
        several.advance(steps).unwrap();
        bytes = several.save_bytes();
    }
    assert!(one.save_bytes() == bytes);
    assert!(one.bond_counts().broken > 3);
}

/// Threads in the place of processes, which know of each other what is sent and nothing else.
#[test]
fn ranks_in_other_processes_have_bonds() {
    let world = laced(block());
    let mut one = Engine::new(world.clone(), settings(1)).unwrap();
    one.advance(1500).unwrap();
    let empty = World { bodies: Vec::new(), bonds: Vec::new(), ..world.clone() };
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
        several.advance(1500).unwrap();
        assert_eq!(seen(&several), seen(&one));
        assert_eq!(several.costs().steps, 1500);
    });
}
