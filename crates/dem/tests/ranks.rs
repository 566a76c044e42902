//! Guarantee: no result depends on the number of ranks, or on who owns which body. Bodies are given to ranks at random whenever
//! lists are built, or by boxes as in any run; bodies, contacts, ledger, loads of walls and triangles, and the bytes of saved
//! states are those of one process. It can break wherever something is compared, sorted, decided or added up by a rank alone.

use crate::crowds::{
    DT, RADIUS, RESISTING, THIN_SKIN, assert_same, busy_world, closed_box, edit, engine, kinds_of_crowds,
    lattice, periodic, settings, state, v,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tumble_dem::domain::Domain;
use tumble_dem::field::{BatchField, BodyView, ForceField, Load};
use tumble_dem::ranks::{Channels, Lost, Peers, RankedEngine, Worker};
use tumble_dem::wall::{Motion, Presence};
use tumble_dem::{
    Body, GravityTable, LabVec, Precision, Rule, SavedState, Settings, Solver, TemplateId, World,
};

/// Numbers of ranks and threads, and whether bodies are given away at random.
pub(crate) type Case = (usize, usize, bool);

fn ranked(world: &World, base: &Settings, (ranks, threads, at_random): Case) -> RankedEngine {
    let mut ranked = RankedEngine::new(engine(world, &Settings { threads, ..base.clone() }), ranks).unwrap();
    if at_random {
        ranked.give_away_at_random(ranks as u64);
    }
    ranked
}

/// Runs a world in three pieces, with changes by hand after the first.
fn run(solver: &mut dyn Solver, steps: u64, look: &mut dyn FnMut(&dyn Solver)) {
    for (part, steps) in [steps / 10, 2 * (steps / 5), steps / 2].into_iter().enumerate() {
        solver.advance(steps).unwrap_or_else(|error| panic!("{error}"));
        look(solver);
        if part == 0 {
            edit(solver);
            look(solver);
        }
    }
}

/// Whether all of it is the same on ranks, which do all steps but so many.
pub(crate) fn agree(
    world: &World,
    base: &Settings,
    (steps, not_by_ranks): (u64, u64),
    cases: &[Case],
    what: &str,
) {
    let mut expected = Vec::new();
    let mut one = engine(world, base);
    run(&mut one, steps, &mut |solver| {
        expected.push((solver.save_bytes(), solver.ledger(), solver.surfaces()));
    });
    assert!(one.stage_times().builds > 5, "{what}: {} builds", one.stage_times().builds);
    assert!(one.contact_count() > 20, "{what}: {} contacts", one.contact_count());
    for &case in cases {
        let what = format!("{what}, ranks, threads, at random: {case:?}");
        let mut several = ranked(world, base, case);
        let mut seen = expected.iter().enumerate();
        run(&mut several, steps, &mut |solver| {
            let (part, (bytes, ledger, surfaces)) = seen.next().unwrap();
            assert_eq!(solver.ledger(), *ledger, "{what}, part {part}");
            assert_eq!(solver.surfaces(), *surfaces, "{what}, part {part}");
            assert!(solver.save_bytes() == *bytes, "{what}, part {part}: bytes");
        });
        assert_same(&state(&one), &state(several.engine()), &what);
        let costs = several.costs();
        let all = steps / 10 + 2 * (steps / 5) + steps / 2;
        assert_eq!(costs.steps, all - not_by_ranks, "{what}: ranks did the steps");
        assert_eq!(costs.bodies.iter().sum::<usize>(), one.body_count(), "{what}");
        assert!(case.0 == 1 || costs.messages > 0 && costs.bytes_of_builds > 0, "{what}: {costs:?}");
        assert!(!case.2 || case.0 == 1 || costs.doubled > 0 && costs.given > 0, "{what}: {costs:?}");
    }
}

#[test]
fn crowds_of_clumps_have_the_bits_of_one_process() {
    let cases = [[(1, 1, false), (2, 1, true)], [(3, 2, true), (5, 1, false)], [(8, 1, true), (2, 2, false)]];
    for (number, (what, world, base)) in kinds_of_crowds().enumerate() {
        let base = Settings { surface_interval: Some(37), ..base };
        agree(&world, &base, (300, 0), &cases[number % 3], &what);
    }
}

/// Beyond the step at which bodies get new places in the order, with a skin that ranks choose together.
#[test]
fn a_new_order_is_that_of_one_process() {
    let base = Settings { contact: RESISTING, ..settings() };
    agree(&busy_world(periodic()), &base, (2200, 0), &[(3, 1, true), (4, 1, false)], "new order");
}

#[test]
fn several_models_and_single_precision() {
    let world = crate::groups::mixed(periodic());
    agree(&world, &settings(), (200, 0), &[(3, 1, true), (2, 2, true)], "several models");
    let base = Settings { precision: Precision::Single, contact: RESISTING, ..settings() };
    agree(&busy_world(Domain::open()), &base, (200, 0), &[(3, 1, true)], "single precision");
}

/// More ranks than bodies leave some without, and a boulder is a ghost of nearly all.
#[test]
fn a_boulder_over_many_ranks() {
    let mut world = crate::crowds::world();
    let centre = v(0.03, 0.03, 0.03);
    world.bodies = lattice(6, 3);
    world.bodies.retain(|body| (body.position - centre).norm() > 0.027);
    world.bodies.push(Body::at(TemplateId(0), centre).scaled(0.0221 / RADIUS).moving(v(0.5, 0.2, 0.1)));
    world.walls.push(closed_box(0.0605));
    world.gravity = v(0.0, 0.0, -9.81);
    let base = Settings { contact: RESISTING, skin: Some(THIN_SKIN), ..settings() };
    agree(&world, &base, (150, 0), &[(27, 1, false), (27, 1, true)], "boulder");
}

/// Pulls each body towards the one before it.
#[derive(Debug)]
struct Chain;
impl BatchField for Chain {
    fn add_loads(&self, bodies: &[BodyView], _: f64, loads: &mut [Load]) -> Result<(), String> {
        for ((before, body), load) in bodies.iter().zip(&bodies[1..]).zip(&mut loads[1..]) {
            load.force = load.force + (before.position - body.position) * (3.0 * body.mass);
        }
        Ok(())
    }
}

/// Walls that come and go, gravity that turns, and forces that are asked for all bodies at once.
#[test]
fn what_changes_with_time_and_forces_on_all_bodies() {
    let mut world = busy_world(periodic());
    let until = Presence { until: 77.5 * DT, ..Presence::ALWAYS };
    world.walls[1].motion = Motion::fixed().present(until);
    let (down, aside) = (v(0.0, 0.0, -9.81), v(5.0, 0.0, -9.0));
    world.gravity_table = Some(GravityTable::new(vec![(0.0, down), (150.0 * DT, aside)]).unwrap());
    let base = Settings { contact: RESISTING, ..settings() };
    agree(&world, &base, (200, 1), &[(3, 1, true), (5, 1, false)], "walls and gravity");

    let run = |solver: &mut dyn Solver| {
        solver.add_batch_field(Arc::new(Chain)).unwrap();
        solver.advance(120).unwrap();
        solver.save_bytes()
    };
    let expected = run(&mut engine(&world, &base));
    for case in [(3, 1, true), (2, 2, false)] {
        let mut several = ranked(&world, &base, case);
        assert!(run(&mut several) == expected, "{case:?}");
        assert_eq!(several.costs().steps, 119);
    }
}

#[test]
fn states_go_on_with_any_number_of_ranks() {
    let world = busy_world(Domain::open());
    let base = Settings { contact: RESISTING, ..settings() };
    let mut one = engine(&world, &base);
    one.advance(200).unwrap();
    let mut bytes = Vec::new();
    for (case, steps) in [((3, 1, true), 70), ((5, 1, false), 60), ((1, 2, true), 70)] {
        let mut several = ranked(&world, &base, case);
        if !bytes.is_empty() {
            several.restore_bytes(&bytes).unwrap();
        }
        several.advance(steps).unwrap();
        bytes = several.save_bytes();
    }
    assert!(one.save_bytes() == bytes);
    let mut last = engine(&world, &base);
    last.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
    assert_same(&state(&one), &state(&last), "resumed");
}

/// A load on one body from some time on, or no load at all but a panic.
#[derive(Debug)]
struct Trouble {
    body: u32,
    since: f64,
    force: f64,
}

impl ForceField for Trouble {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let on = body.id.0 == self.body && time > self.since;
        assert!(!on || self.force > 0.0, "a field that fails");
        Load { force: if on { v(self.force, 0.0, 0.0) } else { LabVec::zero() }, torque: LabVec::zero() }
    }
}

#[test]
fn what_happens_to_one_rank_stops_all_with_the_words_of_one_process() {
    // Not finite, out of the box, too deep in a neighbour.
    for force in [f64::INFINITY, 1e6, 30.0] {
        let mut world = crate::crowds::world();
        world.bodies = lattice(5, 5);
        world.walls.push(closed_box(0.06));
        world.fields.push(Arc::new(Trouble { body: 77, since: 30.5 * DT, force }));
        let base = Settings { max_overlap: 0.2, ..settings() };
        let stop = |solver: &mut dyn Solver| {
            solver.advance(20).unwrap();
            let error = solver.advance(2000).unwrap_err();
            (error.to_string(), solver.save_bytes())
        };
        let (text, bytes) = stop(&mut engine(&world, &base));
        for case in [(2, 1, false), (5, 1, true)] {
            let (other, others) = stop(&mut ranked(&world, &base, case));
            assert_eq!(other, text, "{case:?}");
            assert!(others == bytes, "{force} {case:?}");
        }
    }
}

/// Threads in the place of processes, which know of each other what is sent and nothing else.
#[test]
fn ranks_in_other_processes_are_told_all_that_they_have_to_know() {
    let world = busy_world(Domain::open());
    let base = settings();
    let heavier = Rule::Gravity(v(0.5, 0.0, -12.0));
    let mut one = engine(&world, &base);
    let mut expected = Vec::new();
    one.change_rules(std::slice::from_ref(&heavier)).unwrap();
    run(&mut one, 200, &mut |solver| expected.push(solver.save_bytes()));
    let empty = World { bodies: Vec::new(), ..world.clone() };
    for (count, at_random) in [(2, false), (3, true)] {
        let mut ranks = Channels::join(count).into_iter();
        let first = ranks.next().unwrap();
        std::thread::scope(|scope| {
            for peers in ranks {
                let worker = Worker::new(engine(&empty, &base), Box::new(peers));
                scope.spawn(|| worker.serve(&mut |_| Err("nothing can be passed on".into())));
            }
            let mut several = RankedEngine::across(engine(&world, &base), Box::new(first));
            if at_random {
                several.give_away_at_random(5);
            }
            several.change_rules(std::slice::from_ref(&heavier)).unwrap();
            let mut seen = expected.iter();
            run(&mut several, 200, &mut |solver| assert!(solver.save_bytes() == *seen.next().unwrap()));
            let costs = several.costs();
            assert!(costs.steps > 150 && costs.ranks() == count, "{costs:?}");
            assert!(costs.ghosts.iter().all(|ghosts| *ghosts > 0) && costs.bytes > 0, "{costs:?}");
            let refused = |several: &mut RankedEngine, reason: &str| {
                let error = several.advance(1).unwrap_err().to_string();
                assert!(error.contains(reason), "{error}");
            };
            // Functions cannot be sent; who says what became of them is asked to tell the others.
            several.set_drag(None).unwrap();
            refused(
                &mut several,
                "the fluid was changed by hand, which ranks in other processes cannot be told",
            );
            several.pass_on(b"no fluid");
            refused(&mut several, "rank 1 cannot take part: nothing can be passed on");
        });
    }
}

/// Nobody waits for a rank that is gone.
#[test]
fn a_panic_on_one_rank_ends_all() {
    let mut world = crate::crowds::world();
    world.bodies = lattice(4, 5);
    let mut several = ranked(&world, &settings(), (3, 1, false));
    several.advance(5).unwrap();
    several.set_fields(vec![Arc::new(Trouble { body: 7, since: 9.5 * DT, force: 0.0 })]).unwrap();
    let panic = catch_unwind(AssertUnwindSafe(|| several.advance(20))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a field that fails"));
    // Where it was before, and it goes on.
    several.set_fields(Vec::new()).unwrap();
    several.advance(20).unwrap();
    let mut one = engine(&world, &settings());
    one.advance(25).unwrap();
    assert_same(&state(&one), &state(several.engine()), "after a panic");
}

#[test]
fn impossible_numbers_of_ranks_are_refused() {
    let world = crate::crowds::world();
    for ranks in [0, 100_000] {
        let error = RankedEngine::new(engine(&world, &settings()), ranks).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the engine: the number of ranks is {ranks}, expected a number from 1 to 1024")
        );
    }
}

#[test]
fn messages_arrive_where_they_are_sent() {
    std::thread::scope(|scope| {
        for mut peers in Channels::join(6) {
            scope.spawn(move || {
                let (rank, count) = (peers.rank(), peers.count());
                let byte = |number: usize| vec![u8::try_from(number).unwrap()];
                let mut numbers = [rank as u64, 10 - rank as u64];
                peers.maxima(&mut numbers).unwrap();
                assert_eq!(numbers, [5, 10]);
                peers.sums(&mut numbers).unwrap();
                assert_eq!(numbers, [30, 60]);
                let [next, last] = [(rank + 1) % count, (rank + count - 1) % count];
                assert_eq!(peers.exchange(vec![(next, byte(rank))], &[last]).unwrap(), [byte(last)]);
                let all = peers.gather(byte(rank)).unwrap();
                assert_eq!(all, if rank == 0 { (0..count).map(byte).collect() } else { Vec::new() });
                assert_eq!(peers.broadcast(byte(rank)).unwrap(), byte(0));
                let told = peers.all_to_all((0..count).map(|other| byte(10 * rank + other)).collect());
                let expected: Vec<Vec<u8>> = (0..count).map(|other| byte(10 * other + rank)).collect();
                assert_eq!(told.unwrap(), expected);
            });
        }
    });
    let mut ranks = Channels::join(2);
    drop(ranks.remove(1));
    assert_eq!(ranks[0].gather(Vec::new()), Err(Lost { rank: 1 }));
}
