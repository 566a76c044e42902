//! Guarantee: what all bodies move together moves alike on every rank, and as on one process: walls that move by themselves, and periodic cells that
//! are strained, sheared, or hold stresses. It can break where what acts on it is added up in another way than by integers, by bodies of which a rank has
//! copies, or where the images of a sheared cell are not those that ranks look for ghosts through.

use crate::common::settings;
use tumble_dem::law::LawKind;
use tumble_dem::ranks::{Channels, RankedEngine, Worker};
use tumble_dem::{Engine, Settings, Solver, World};

type Seen = (Vec<u8>, String);

fn run(solver: &mut dyn Solver, parts: &[u64]) -> Vec<Seen> {
    let part = |steps: &u64| {
        solver.advance(*steps).unwrap_or_else(|error| panic!("{error}"));
        (solver.save_bytes(), format!("{:?} {:?} {:?}", solver.ledger(), solver.cell(), solver.walls()))
    };
    parts.iter().map(part).collect()
}

#[track_caller]
fn assert_same(found: &[Seen], expected: &[Seen], what: &str) {
    for (part, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.1, expected.1, "{what}, part {part}");
        assert!(found.0 == expected.0, "{what}, part {part}: bytes");
    }
}

fn agree(world: &World, base: &Settings, parts: &[u64], cases: &[(usize, bool)], what: &str) {
    let mut one = Engine::new(world.clone(), base.clone()).unwrap();
    let expected = run(&mut one, parts);
    assert!(one.contact_count() > 10, "{what}");
    for &(ranks, at_random) in cases {
        let what = format!("{what}, {ranks} ranks");
        let whole = Engine::new(world.clone(), base.clone()).unwrap();
        let mut several = RankedEngine::new(whole, ranks).unwrap();
        if at_random {
            several.give_away_at_random(ranks as u64);
        }
        assert_same(&run(&mut several, parts), &expected, &what);
        assert_eq!(several.costs().steps, parts.iter().sum::<u64>(), "{what} did the steps");
    }
    // From saved bytes, on other numbers of ranks.
    let mut bytes = expected[0].0.clone();
    for (ranks, steps) in [(3, &parts[1..2]), (5, &parts[2..])] {
        let mut several =
            RankedEngine::new(Engine::new(world.clone(), base.clone()).unwrap(), ranks).unwrap();
        several.give_away_at_random(8);
        several.restore_bytes(&bytes).unwrap();
        bytes = run(&mut several, steps).pop().unwrap().0;
    }
    assert!(bytes == expected[2].0, "{what}, going on");
}

#[test]
fn walls_that_move_by_themselves() {
    let base = settings(LawKind::HertzMindlin, 2e-5);
    let world = crate::free_walls::pile(2.0);
    agree(&world, &base, &[1, 699, 600], &[(1, true), (2, true), (3, false), (8, true)], "a lid");
}

#[test]
fn cells_that_are_strained_and_hold_pressures() {
    let world = crate::cell::crowd(5, crate::cell::mixed(), 0.4);
    let base = Settings::new(1e-5);
    agree(&world, &base, &[1, 499, 500], &[(1, true), (2, true), (3, true), (5, false)], "a cell");
}

#[test]
fn cells_that_are_sheared() {
    let base = Settings::new(1e-5);
    for (cell, ranks, what) in [
        (crate::cell_shear::mixed(), [(3, true), (4, false)], "a rate"),
        (crate::cell_shear::dragged(), [(2, false), (8, true)], "a stress"),
    ] {
        let world = crate::cell_shear::crowd(5, cell, 0.4, true);
        agree(&world, &base, &[1, 599, 600], &ranks, what);
    }
}

/// Threads in the place of processes: they are told how far walls and the cell have come, and what the cell weighs.
#[test]
fn ranks_in_other_processes_move_them_alike() {
    let lid = (crate::free_walls::pile(2.0), settings(LawKind::HertzMindlin, 2e-5));
    let cell = (crate::cell_shear::crowd(4, crate::cell_shear::dragged(), 0.4, true), Settings::new(1e-5));
    for (world, base) in [lid, cell] {
        let mut one = Engine::new(world.clone(), base.clone()).unwrap();
        one.advance(500).unwrap();
        // Which has another mass, where that is the one of the bodies.
        let cell = world.cell.map(|cell| tumble_dem::Cell { mass: 1.0, ..cell });
        let empty = World { bodies: Vec::new(), cell, ..world.clone() };
        let mut ranks = Channels::join(3).into_iter();
        let first = ranks.next().unwrap();
        std::thread::scope(|scope| {
            for peers in ranks {
                let worker = Worker::new(Engine::new(empty.clone(), base.clone()).unwrap(), Box::new(peers));
                scope.spawn(|| worker.serve(&mut |_| Err("nothing can be passed on".into())));
            }
            let mut several =
                RankedEngine::across(Engine::new(world.clone(), base.clone()).unwrap(), Box::new(first));
            several.give_away_at_random(5);
            several.advance(200).unwrap();
            several.advance(300).unwrap();
            assert!(several.save_bytes() == one.save().to_bytes());
            assert_eq!(several.costs().steps, 500);
        });
    }
}
