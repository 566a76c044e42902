//! Guarantee: a body that moves in one step much farther than any did in the step before, out of the neighbour lists, meets
//! all that is there; and every bit is that of a run with lists built in every step, out of which nobody can leap. It can
//! break where a step is half done when the leap is noticed.

use crate::crowds::{advance, assert_same, box_mesh, engine, state, v};
use crate::neighbours::{DT, follow, ghosts, scatter, settings};
use std::sync::Arc;
use tumble_dem::field::{BodyView, ForceField, Load};
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat};
use tumble_dem::random::Random;
use tumble_dem::wall::{Motion, Wall};
use tumble_dem::{Body, HeatLedger, LabVec, MaterialId, SavedState, Settings, TemplateId, World};

/// Throws every other body somewhere else within a single step, every tenth step: by most of a radius, where it stops.
#[derive(Debug)]
struct Leaps;

impl ForceField for Leaps {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let step = (time / DT).round() as u64;
        let acceleration = match step % 10 {
            3 if body.id.0.is_multiple_of(2) => {
                let direction = Random::new(step * 1000 + u64::from(body.id.0)).direction();
                direction * (0.7 * body.equivalent_radius / (DT * DT))
            }
            4 => body.velocity * (-2.0 / DT),
            _ => LabVec::zero(),
        };
        Load { force: acceleration * body.mass, torque: LabVec::zero() }
    }
}

/// Nothing in the step before tells that the lists will not last: contacts that they miss must be caught up on.
#[test]
fn bodies_that_leap_from_rest() {
    leap(ghosts());
}

/// Nor does the heat of contacts that ended before the leap is noticed get lost.
#[test]
fn bodies_with_temperatures_that_leap_from_rest() {
    let mut world = ghosts();
    for property in [&HEAT_CAPACITY, &CONDUCTIVITY] {
        world.materials.set_property(MaterialId(0), property, 1.0).unwrap();
    }
    world.heat = Some(Heat::default());
    let heat = leap(world);
    assert!(heat.is_some_and(|heat| heat.of_contacts > 0.0), "{heat:?}");
}

fn leap(mut world: World) -> Option<HeatLedger> {
    scatter(&mut world, 60, 0.1, 20.0, 100.0, 8);
    let cube = box_mesh(v(0.03, 0.03, 0.03), v(0.07, 0.08, 0.09));
    world.walls.push(Wall::new("cube", cube, MaterialId(0), Motion::fixed()).unwrap());
    world.fields.push(Arc::new(Leaps));
    // With the thinnest skin lists are built in every step, and nobody can leap out of them.
    let run = |threads: usize, skin: f64| {
        let settings = Settings { threads, skin: Some(skin), ..settings() };
        let (contacts, changes) = follow(&world, &settings, 60, "leaps");
        assert!(contacts > 2000 && changes > 5, "{contacts} {changes}");
        let mut engine = engine(&world, &settings);
        // Once with a look at the leaps, once past them.
        advance(&mut engine, 34);
        let amid = state(&engine);
        advance(&mut engine, 26);
        (amid, state(&engine), engine.stage_times().builds, engine.ledger().heat)
    };
    let (amid, end, builds, heat) = run(1, 1e-9);
    assert_eq!(builds, 60);
    for (threads, skin) in [(1, 2e-3), (2, 2e-3), (3, 2e-3), (1, 5e-4), (1, 8e-3), (2, 8e-3)] {
        let (other_amid, other_end, builds, _) = run(threads, skin);
        let case = format!("{threads} threads, skin {skin}, {builds} builds");
        assert_same(&amid, &other_amid, &case);
        assert_same(&end, &other_end, &case);
        assert!(builds < 60 || skin < 1e-3, "{case}");
    }
    heat
}

/// Throws one body by most of a radius every tenth step, and stops it in the next.
#[derive(Debug)]
struct Throws(u32);

impl ForceField for Throws {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        let step = (time / DT).round() as u64;
        let sign = match step % 10 {
            3 if body.id.0 == self.0 => 1.0,
            4 if body.id.0 == self.0 => -1.0,
            _ => return Load::ZERO,
        };
        let way = Random::new(step / 10).direction() * (0.7 * body.equivalent_radius);
        Load { force: way * (sign * body.mass / (DT * DT)), torque: LabVec::zero() }
    }
}

/// The last of many bodies leaps, when most contacts of the step have been evaluated. With lists built in every step it
/// cannot, and still every bit is the same.
#[test]
fn the_last_body_leaps() {
    let mut world = ghosts();
    let place = |i: u32| 9.9e-3 * f64::from(i);
    // All of them move a little, so that the thinnest skin never lasts.
    let drift = v(0.1, 0.0, 0.0);
    for i in 0..4096 {
        let at = v(place(i / 256), place(i / 16 % 16), place(i % 16));
        world.add_body(Body::at(TemplateId(0), at).moving(drift).spinning(v(
            f64::from(i % 7),
            20.0,
            f64::from(i % 11),
        )));
    }
    world.fields.push(Arc::new(Throws(4095)));
    let run = |threads: usize, skin: f64| {
        let mut engine = engine(&world, &Settings { threads, skin: Some(skin), ..settings() });
        advance(&mut engine, 24);
        let amid = state(&engine);
        advance(&mut engine, 26);
        (amid, state(&engine), engine.stage_times().builds)
    };
    let (amid, end, builds) = run(1, 1e-9);
    assert_eq!(builds, 50);
    for (threads, skin) in [(1, 2e-3), (2, 2e-3), (1, 1e-3)] {
        let (other_amid, other_end, builds) = run(threads, skin);
        let case = format!("{threads} threads, skin {skin}, {builds} builds");
        assert_same(&amid, &other_amid, &case);
        assert_same(&end, &other_end, &case);
        assert!(builds < 30, "{case}");
    }
}

/// A state that was read from bytes has lists of its own, and with lists built in every step, out of which nobody can leap, every bit
/// is the same.
#[test]
fn leaps_after_a_restart() {
    let mut world = ghosts();
    scatter(&mut world, 250, 0.12, 10.0, 100.0, 9);
    world.fields.push(Arc::new(Leaps));
    let settings = Settings { skin: Some(4e-3), ..settings() };
    let mut whole = engine(&world, &settings);
    let mut restarted = engine(&world, &settings);
    for step in 1..=60 {
        advance(&mut whole, 1);
        advance(&mut restarted, 1);
        assert_eq!(whole.bodies(), restarted.bodies(), "step {step}");
        if step % 3 == 0 {
            let state = SavedState::from_bytes(&restarted.save().to_bytes(), &world).unwrap();
            restarted = engine(&world, &settings);
            restarted.restore(&state).unwrap();
        }
    }
    assert_eq!(whole.ledger(), restarted.ledger());
    let mut never = engine(&world, &Settings { skin: Some(1e-9), ..settings });
    advance(&mut never, 60);
    assert!(whole.stage_times().builds < 60 && never.stage_times().builds == 60);
    assert_same(&state(&never), &state(&whole), "no leaps");
}
