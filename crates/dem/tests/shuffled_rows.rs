//! Guarantee: no result depends on which rows of memory bodies lie in. Rows are thrown about whenever neighbour lists are
//! built; bodies, contacts, ledger, loads of walls and the bytes of saved states stay those of the ordinary run, on any
//! number of threads. It can break wherever something is compared, sorted or added up by row.

use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, closed_box, edit, engine, kinds_of_crowds, lattice, plain,
    settings, state,
};
use tumble_dem::law::LawKind;
use tumble_dem::{LabVec, Settings, World};

pub(crate) fn agree(world: &World, base: &Settings, steps: u64, case: &str) {
    let run = |threads: usize, shuffled: bool| {
        let mut engine = engine(world, &Settings { threads, ..base.clone() });
        if shuffled {
            engine.shuffle_rows(threads as u64);
        }
        let mut states = Vec::new();
        for (part, steps) in [steps / 10, 2 * (steps / 5), steps / 2].into_iter().enumerate() {
            advance(&mut engine, steps);
            states.push((state(&engine), engine.save().to_bytes()));
            if part == 0 {
                edit(&mut engine);
                states.push((state(&engine), engine.save().to_bytes()));
            }
        }
        assert!(engine.stage_times().builds > 5, "{case}: {} builds", engine.stage_times().builds);
        assert!(engine.contact_count() > 20, "{case}: {} contacts", engine.contact_count());
        states
    };
    let expected = run(1, false);
    for threads in [1, 2, 3] {
        for (part, (expected, found)) in expected.iter().zip(run(threads, true)).enumerate() {
            assert_same(&expected.0, &found.0, &format!("{case}, {threads} threads, part {part}"));
            assert!(expected.1 == found.1, "{case}, {threads} threads, part {part}: bytes");
        }
    }
}

#[test]
fn crowds_of_clumps_have_the_bits_of_rows_in_order() {
    for (case, world, base) in kinds_of_crowds() {
        // Beyond the step at which bodies get new places in the order.
        agree(&world, &base, 2200, &case);
    }
}

/// Enough pairs for several pieces of the lists, so that threads note things for each other.
#[test]
fn a_lattice_has_the_bits_of_rows_in_order() {
    for contact in [RESISTING, plain(LawKind::Hertz)] {
        let mut world = crate::crowds::world();
        world.bodies = lattice(11, 4);
        world.walls.push(closed_box(0.12));
        world.gravity = LabVec::new(0.0, 2.0, -9.81);
        let base = Settings { contact, skin: Some(THIN_SKIN), ..settings() };
        agree(&world, &base, 120, contact.law.name());
    }
}
