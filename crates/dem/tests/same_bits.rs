//! Guarantee: the state of a run, its ledger and what its walls feel have the same bits for any number of
//! threads and any instruction set, with every law and kind of rotation scheme. It can break wherever a sum is
//! split among threads or a loop among lanes. Nor does it depend on the skin, and so on when
//! neighbour lists are built, in open space and in a periodic one.

use crate::crowds::{
    THIN_SKIN, advance, assert_same, busy_world, closed_box, engine, lattice, settings, state, v,
};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::wall::{Motion, Wall};
use tumble_dem::{InstructionSet, MaterialId, SchemeKind, Settings, Sharing, World};

fn model(law: LawKind, rolling: RollingKind, twisting: TwistingKind) -> ContactModel {
    ContactModel { law, rolling, twisting }
}

/// Runs the world with each number of threads and each instruction set; all must agree. Gives the number of
/// contacts at the end.
pub(crate) fn agree(world: &World, base: &Settings, threads: &[usize], steps: u64, case: &str) -> usize {
    let mut one = engine(world, &Settings { threads: 1, ..base.clone() });
    advance(&mut one, steps);
    let expected = state(&one);
    for &threads in threads {
        let mut other = engine(world, &Settings { threads, ..base.clone() });
        advance(&mut other, steps);
        assert_same(&expected, &state(&other), &format!("{case}, {threads} threads"));
    }
    for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
        let mut other = engine(world, &Settings { instruction_set: Some(set), ..base.clone() });
        advance(&mut other, steps);
        assert_same(&expected, &state(&other), &format!("{case}, {set:?}"));
    }
    assert!(one.stage_times().builds > 1, "{case}: only {} builds", one.stage_times().builds);
    one.contact_count()
}

#[test]
fn schemes_and_laws_on_any_threads_and_instruction_set() {
    let world = busy_world(Domain::open());
    let [none, both] = [
        (RollingKind::None, TwistingKind::None),
        (RollingKind::ElasticPlastic, TwistingKind::ElasticPlastic),
    ];
    let constant = (RollingKind::ConstantTorque, TwistingKind::None);
    let cases = [
        (SchemeKind::SpiralLeapfrog, LawKind::Hertz, none, Sharing::Sum),
        (SchemeKind::MagnusLeapfrog, LawKind::HertzMindlin, both, Sharing::Sum),
        (SchemeKind::KickRotateKick, LawKind::Linear, none, Sharing::Average),
        (SchemeKind::ImprovedPcdm, LawKind::HertzMindlin, none, Sharing::Average),
        (SchemeKind::Fincham, LawKind::Linear, both, Sharing::Sum),
        (SchemeKind::Omelyan, LawKind::Hertz, none, Sharing::Average),
        (SchemeKind::Johnson, LawKind::HertzMindlin, constant, Sharing::Sum),
    ];
    for (rotation, law, (rolling, twisting), sharing) in cases {
        let contact = model(law, rolling, twisting);
        let base =
            Settings { rotation: rotation.into(), contact, sharing, skin: Some(THIN_SKIN), ..settings() };
        let case = format!("{} with {}, {sharing:?}", rotation.name(), law.name());
        let contacts = agree(&world, &base, &[2, 3, 8], 250, &case);
        assert!(contacts > 10, "{case}: only {contacts} contacts");
    }
}

/// Steps that nobody looks at write over what contacts remembered; those that somebody may look at keep it.
#[test]
fn looking_at_every_step_changes_nothing() {
    let world = busy_world(Domain::open());
    let (rolling, twisting) = (RollingKind::ElasticPlastic, TwistingKind::ElasticPlastic);
    for law in [LawKind::Hertz, LawKind::HertzMindlin, LawKind::Linear] {
        for threads in [1, 2] {
            let contact = model(law, rolling, twisting);
            let settings = Settings { contact, threads, skin: Some(THIN_SKIN), ..settings() };
            let (mut unseen, mut seen) = (engine(&world, &settings), engine(&world, &settings));
            advance(&mut unseen, 200);
            for _ in 0..200 {
                advance(&mut seen, 1);
            }
            assert_same(&state(&seen), &state(&unseen), &format!("{}, {threads} threads", law.name()));
        }
    }
}

#[test]
fn periodic_domains_on_any_threads_and_instruction_set() {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    let world = busy_world(Domain::of([axis, axis, Axis::Open]));
    let contact = model(LawKind::HertzMindlin, RollingKind::ElasticPlastic, TwistingKind::None);
    let base = Settings { contact, skin: Some(THIN_SKIN), ..settings() };
    assert!(agree(&world, &base, &[2, 3, 8], 250, "periodic") > 10);
}

/// Enough rows and contacts that every stage of a step really is split.
#[test]
fn thousands_of_bodies_on_any_threads() {
    let mut world = crate::crowds::world();
    world.bodies = lattice(13, 2);
    world.gravity = v(0.0, 0.0, -9.81);
    world.walls.push(closed_box(13.0 * 1.99 * crate::crowds::RADIUS));
    for (skin, threads) in [(THIN_SKIN, &[2, 3, 8][..]), (2.0 * THIN_SKIN, &[3])] {
        let base = Settings { skin: Some(skin), ..settings() };
        let contacts = agree(&world, &base, threads, 60, "lattice");
        assert!(contacts > 5000, "{contacts} contacts");
    }
}

/// Runs the world with very different skins, down to one for which lists are built in every step; all must agree.
pub(crate) fn agree_on_skins(world: &World, base: &Settings, steps: u64, case: &str) {
    let run = |skin: Option<f64>| {
        let mut engine = engine(world, &Settings { skin, ..base.clone() });
        advance(&mut engine, steps);
        (state(&engine), engine.stage_times().builds)
    };
    let (expected, builds) = run(None);
    for skin in [1e-9, 1e-4, 1e-3, 3e-3] {
        let (found, other_builds) = run(Some(skin));
        assert!(other_builds != builds, "{case}, skin {skin}: {other_builds} builds");
        assert_same(&expected, &found, &format!("{case}, skin {skin}, {other_builds} builds"));
        if skin < 1e-8 {
            assert_eq!(other_builds, steps, "{case}: as many builds as steps");
        }
    }
}

/// Forces are added up in the order of the bodies, whatever the lists hold, and that is chosen anew every two
/// thousand steps, whenever the lists are built.
#[test]
fn the_skin_changes_nothing_in_open_space() {
    let mut world = crate::crowds::world();
    world.bodies = lattice(6, 3);
    world.walls.push(closed_box(6.0 * 1.99 * crate::crowds::RADIUS));
    agree_on_skins(&world, &settings(), 2100, "lattice");
}

/// Bodies are brought back into the domain in the step in which they leave it, whatever lists there are.
#[test]
fn the_skin_changes_nothing_in_a_periodic_domain() {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    let both = model(LawKind::HertzMindlin, RollingKind::ElasticPlastic, TwistingKind::ElasticPlastic);
    let plain = |law| model(law, RollingKind::None, TwistingKind::None);
    for (axes, contact, sharing) in [
        ([axis, axis, Axis::Open], both, Sharing::Sum),
        ([axis; 3], plain(LawKind::Hertz), Sharing::Sum),
        ([Axis::Open, axis, axis], plain(LawKind::Linear), Sharing::Average),
    ] {
        let mut world = busy_world(Domain::of(axes));
        world.bodies.iter_mut().for_each(|body| body.velocity = body.velocity + v(1.5, 1.0, 0.0));
        let case = format!("{} {axes:?}", contact.law.name());
        agree_on_skins(&world, &Settings { contact, sharing, ..settings() }, 900, &case);
    }
}

/// Obstacles beside both ends: who comes in again meets one that was on the other side of the domain.
#[test]
fn the_skin_changes_nothing_for_walls_at_periodic_ends() {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    for law in [LawKind::HertzMindlin, LawKind::Hertz] {
        let mut world = busy_world(Domain::of([axis, axis, Axis::Open]));
        for (number, x) in [4e-3, 0.108].into_iter().enumerate() {
            for y in [0.02, 0.07] {
                let block = crate::crowds::box_mesh(v(x, y, 0.01), v(x + 8e-3, y + 0.02, 0.1));
                let name = format!("block {number} at {y}");
                world.walls.push(Wall::new(&name, block, MaterialId(1), Motion::fixed()).unwrap());
            }
        }
        let free = |body: &tumble_dem::Body| (0.03..0.09).contains(&body.position.x);
        world.bodies.retain(free);
        for (number, body) in world.bodies.iter_mut().enumerate() {
            body.velocity = v(if number % 2 == 0 { 3.0 } else { -3.0 }, 0.3, 0.0);
        }
        let base = Settings { contact: model(law, RollingKind::None, TwistingKind::None), ..settings() };
        agree_on_skins(&world, &base, 2500, law.name());
    }
}
