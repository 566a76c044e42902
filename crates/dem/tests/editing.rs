//! Guarantee: bodies can be put in, taken out and moved by hand at any instant of a run. Numbers stay with their
//! bodies, the ledger tells exactly what the change brought in, and nobody else notices. It can break where schemes
//! hold velocities of other instants than the present one.

use crate::crowds::{DT, RADIUS, SCHEMES, advance, engine, parts, plane, settings, state, v, with};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::random::Random;
use tumble_dem::{Body, BodyId, BodyState, Change, Engine, Error, LabVec, Quat, Settings, TemplateId, World};

const BALL: TemplateId = TemplateId(0);
const ROD: TemplateId = TemplateId(1);

/// Rods and balls that fall on a floor, spin and meet.
fn falling() -> World {
    let mut world = crate::crowds::world();
    world.gravity = v(0.0, 0.0, -9.81);
    world.walls.push(plane("floor", LabVec::zero(), v(0.0, 0.0, 1.0), Vec::new()));
    for i in 0..6 {
        let x = f64::from(i) * 3.0 * RADIUS;
        let body = Body::at(TemplateId(i % 2), v(x, 0.0, 1.2 * RADIUS)).moving(v(0.3, 0.0, -0.5));
        world.add_body(body.spinning(v(30.0, 200.0 - 50.0 * f64::from(i), 10.0)));
    }
    world
}

/// The largest relative difference of what bodies do, not of what acts on them.
fn difference(a: &BodyState, b: &BodyState) -> f64 {
    assert_eq!(a.id, b.id);
    let mut worst = 0.0;
    for ((_, a), (_, b)) in parts(a).iter().zip(&parts(b)).take(4) {
        let size = a.iter().fold(1e-3, |sum: f64, x| sum + x.abs());
        for (a, b) in a.iter().zip(b) {
            let difference = (a - b).abs() / size;
            // Written so that NaN stays.
            worst = if difference <= worst { worst } else { difference };
        }
    }
    worst
}

fn assert_undisturbed(before: &[BodyState], after: &[BodyState], case: &str) {
    for body in before {
        let now = after.iter().find(|other| other.id == body.id).expect("is still there");
        let off = difference(body, now);
        assert!(off < 1e-14, "{case}: body {} moved by {off:e}", body.id.0);
    }
}

/// At the start, where all bodies are fresh, in the middle of contacts, and twice in a row.
#[test]
fn nobody_else_notices() {
    for scheme in SCHEMES {
        for steps in [0, 1, 57] {
            let mut engine = engine(&falling(), &with(scheme));
            advance(&mut engine, steps);
            let before = engine.bodies();
            let case = format!("{} after {steps} steps", scheme.name());
            for far in [1.0, 2.0, 3.0] {
                engine.add_bodies(&[Body::at(ROD, v(far, 0.0, 1.0)).moving(v(1.0, 0.0, 0.0))]).unwrap();
                assert_undisturbed(&before, &engine.bodies(), &format!("{case}, added"));
            }
            engine.remove_bodies(&[BodyId(7)]).unwrap();
            assert_undisturbed(&before, &engine.bodies(), &format!("{case}, removed"));
            engine.set_velocity(BodyId(6), v(1.0, 2.0, 3.0), v(9.0, 0.0, 1.0)).unwrap();
            engine.set_held(BodyId(8), true).unwrap();
            engine.set_pose(BodyId(6), v(5.0, 5.0, 5.0), Quat::new(0.6, 0.8, 0.0, 0.0)).unwrap();
            assert_undisturbed(&before, &engine.bodies(), &format!("{case}, moved"));
        }
    }
}

/// The future of a group does not depend on what is done to bodies far away. With a fixed skin and before rows
/// are reordered (every fifty builds) that holds bit for bit, contacts included.
#[test]
fn a_far_group_has_the_same_bits() {
    for scheme in SCHEMES {
        let settings = Settings { skin: Some(2e-3), ..with(scheme) };
        let mut world = falling();
        let hand = world.add_body(Body::at(ROD, v(1.0, 0.0, 0.5)));
        let mut alone = engine(&world, &settings);
        let mut edited = engine(&world, &settings);
        advance(&mut alone, 600);
        for round in 0..3 {
            advance(&mut edited, 100);
            let place = v(2.0, 0.0, 0.1 * f64::from(round));
            let new =
                edited.add_bodies(&[Body::at(BALL, place), Body::at(ROD, v(3.0, 0.0, 1.0) + place)]).unwrap();
            advance(&mut edited, 50);
            edited.remove_bodies(&new[..1]).unwrap();
            edited.set_velocity(hand, v(0.0, 1.0, 0.0), v(0.0, 0.0, 40.0)).unwrap();
            edited.set_held(hand, round == 1).unwrap();
            advance(&mut edited, 50);
            edited.set_pose(hand, v(1.0, 0.0, 0.5), Quat::identity()).unwrap();
        }
        assert!(alone.stage_times().builds < 50 && edited.stage_times().builds < 50);
        assert!(alone.contact_count() > 2, "{} contacts", alone.contact_count());
        for (a, b) in alone.bodies().iter().zip(&edited.bodies()).take(6) {
            for ((name, a), (_, b)) in parts(a).iter().zip(&parts(b)) {
                let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(a), bits(b), "{}: {name}", scheme.name());
            }
        }
    }
}

#[test]
fn one_by_one_or_all_at_once() {
    let new: Vec<Body> = (0..4)
        .map(|i| {
            Body::at(ROD, v(0.01 * f64::from(i), 0.1, 0.1))
                .moving(v(1.0, 0.0, 0.0))
                .spinning(v(1.0, 50.0, 9.0))
        })
        .collect();
    for scheme in SCHEMES {
        let mut at_once = engine(&falling(), &with(scheme));
        let mut one_by_one = engine(&falling(), &with(scheme));
        for engine in [&mut at_once, &mut one_by_one] {
            advance(engine, 20);
        }
        at_once.add_bodies(&new).unwrap();
        for body in &new {
            one_by_one.add_bodies(&[*body]).unwrap();
        }
        for engine in [&mut at_once, &mut one_by_one] {
            advance(engine, 100);
        }
        for (a, b) in at_once.bodies().iter().zip(&one_by_one.bodies()) {
            let off = difference(a, b);
            assert!(off < 1e-12, "{}: body {}: {off:e}", scheme.name(), a.id.0);
        }
    }
}

#[test]
fn numbers_stay_and_are_not_used_again() {
    let mut engine = engine(&falling(), &settings());
    advance(&mut engine, 10);
    let added =
        engine.add_bodies(&[Body::at(BALL, v(0.0, 1.0, 0.0)), Body::at(ROD, v(0.0, 2.0, 0.0))]).unwrap();
    assert_eq!(added, [BodyId(6), BodyId(7)]);
    engine.remove_bodies(&[BodyId(2), BodyId(7), BodyId(2)]).unwrap();
    assert_eq!((engine.body_count(), engine.sphere_count()), (6, 3 + 3 * 3));
    assert_eq!(engine.add_bodies(&[Body::at(ROD, v(0.0, 3.0, 0.0))]).unwrap(), [BodyId(8)]);
    advance(&mut engine, 10);
    let ids: Vec<u32> = engine.bodies().iter().map(|body| body.id.0).collect();
    assert_eq!(ids, [0, 1, 3, 4, 5, 6, 8]);
    let rod = engine.bodies()[6];
    assert!(rod.template == TemplateId(1) && (rod.position.y - 3.0).abs() < 1e-3);
}

/// The ledger takes what a change brings as `exchanged`, and the balance goes on unbroken.
#[test]
fn the_ledger_knows_what_a_change_brings() {
    let mut engine = engine(&falling(), &settings());
    advance(&mut engine, 57);
    let scale = engine.ledger().mechanical();
    let energy = |body: &BodyState| {
        let spin = body.orientation.to_body(body.angular_velocity);
        0.5 * (body.mass * body.velocity.norm_squared() + spin.dot(body.moments.times(spin)))
            + body.mass * 9.81 * body.position.z
    };
    let exchange = |engine: &mut Engine, change: &mut dyn FnMut(&mut Engine), expected: f64, case: &str| {
        let before = engine.ledger();
        change(engine);
        let after = engine.ledger();
        let brought = after.exchanged - before.exchanged;
        assert!((brought - expected).abs() < 1e-12 * scale, "{case}: {brought:e}, expected {expected:e}");
        assert!((after.balance() - before.balance()).abs() < 1e-12 * scale, "{case}");
        let difference = after.mechanical() - before.mechanical();
        assert!((difference - expected).abs() < 1e-12 * scale, "{case}: {difference:e}");
        advance(engine, 20);
        let drift = engine.ledger().balance() - before.balance();
        assert!(drift.abs() < 1e-4 * scale, "{case}: {drift:e} of {scale:e}");
    };

    let new = Body::at(ROD, v(0.0, 1.0, 1.0)).moving(v(1.0, 2.0, 0.0)).spinning(v(30.0, 20.0, -100.0));
    let mut probe = crate::crowds::engine(&falling(), &settings());
    let id = probe.add_bodies(&[new]).unwrap()[0];
    let state = *probe.bodies().last().unwrap();
    exchange(&mut engine, &mut |e| drop(e.add_bodies(&[new]).unwrap()), energy(&state), "added");

    let old = *engine.bodies().last().unwrap();
    let changed = BodyState { velocity: v(0.0, 0.0, 2.0), angular_velocity: v(0.0, 9.0, 0.0), ..old };
    let mut push = |e: &mut Engine| e.set_velocity(id, changed.velocity, changed.angular_velocity).unwrap();
    exchange(&mut engine, &mut push, energy(&changed) - energy(&old), "pushed");

    let old = *engine.bodies().last().unwrap();
    let lifted = BodyState { position: v(0.0, 1.0, 3.0), ..old };
    let mut lift = |e: &mut Engine| e.set_pose(id, lifted.position, old.orientation).unwrap();
    exchange(&mut engine, &mut lift, energy(&lifted) - energy(&old), "lifted");

    // A held body has no energy of its own.
    let old = *engine.bodies().last().unwrap();
    exchange(&mut engine, &mut |e| e.set_held(id, true).unwrap(), -energy(&old), "held");
    let old = *engine.bodies().last().unwrap();
    exchange(&mut engine, &mut |e| e.set_held(id, false).unwrap(), energy(&old), "let go");
    let old = *engine.bodies().last().unwrap();
    exchange(&mut engine, &mut |e| e.remove_bodies(&[id]).unwrap(), -energy(&old), "removed");
}

/// What was set is what is there, and the body moves on from it.
#[test]
fn velocities_and_poses_are_what_was_asked_for() {
    for scheme in SCHEMES {
        let mut engine = engine(&falling(), &with(scheme));
        advance(&mut engine, 31);
        let (velocity, spin) = (v(1.0, -2.0, 0.5), v(20.0, 40.0, -60.0));
        let (place, turn) = (v(0.0, 1.0, 1.0), Quat::new(0.5, -0.5, 0.5, 0.5));
        let id = BodyId(3);
        engine.set_pose(id, place, turn).unwrap();
        engine.set_velocity(id, velocity, spin).unwrap();
        let check = |engine: &Engine, place: LabVec<f64>, velocity: LabVec<f64>, allowed: f64| {
            let body = engine.bodies()[3];
            let off = [
                (body.position - place).norm(),
                (body.velocity - velocity).norm(),
                (body.angular_velocity - spin).norm() / 100.0,
            ];
            assert!(off.iter().all(|off| *off < allowed), "{}: {off:?}", scheme.name());
        };
        check(&engine, place, velocity, 1e-13);
        let q = engine.bodies()[3].orientation.to_array();
        let off = q.iter().zip(turn.to_array()).fold(0.0, |sum, (a, b)| sum + (a - b).abs());
        assert!(off < 1e-13, "{}: {off:e}", scheme.name());
        // A set velocity of an axis of inertia stays; here the turn takes x, y, z to the rod's own axes.
        let along = turn.to_lab(tumble_dem::BodyVec::new(100.0, 0.0, 0.0));
        engine.set_velocity(id, velocity, along).unwrap();
        advance(&mut engine, 100);
        let (t, g) = (100.0 * DT, v(0.0, 0.0, -9.81));
        let body = engine.bodies()[3];
        // Nothing is left of the contacts of the old place.
        assert!((body.velocity - velocity - g * t).norm() < 1e-13, "{}: {:?}", scheme.name(), body.velocity);
        assert!(
            (body.angular_velocity - along).norm() < 1e-9,
            "{}: {:?}",
            scheme.name(),
            body.angular_velocity
        );
    }
}

#[test]
fn errors_change_nothing() {
    let mut engine = engine(&falling(), &settings());
    advance(&mut engine, 31);
    engine.remove_bodies(&[BodyId(1)]).unwrap();
    let before = state(&engine);
    let text = |result: Result<(), Error>| result.expect_err("is an error").to_string();
    let (zero, one) = (LabVec::zero(), Quat::identity());
    for unknown in [1, 6, u32::MAX] {
        let id = BodyId(unknown);
        let expected = format!("the engine: there is no body {unknown}; the world has 5");
        assert_eq!(text(engine.set_velocity(id, zero, zero)), expected);
        assert_eq!(text(engine.set_pose(id, zero, one)), expected);
        assert_eq!(text(engine.set_held(id, true)), expected);
        assert_eq!(text(engine.remove_bodies(&[BodyId(0), id])), expected);
    }
    let nan = v(0.0, f64::NAN, 0.0);
    let id = BodyId(0);
    assert_eq!(
        text(engine.set_velocity(id, nan, zero)),
        "body 0: the velocity is [0.0, NaN, 0.0], expected finite numbers"
    );
    assert!(text(engine.set_velocity(id, zero, nan)).starts_with("body 0: the angular velocity is"));
    assert!(text(engine.set_pose(id, nan, one)).starts_with("body 0: the position is"));
    let no_turn = Quat::new(0.0, 0.0, 0.0, 0.0);
    assert_eq!(
        text(engine.set_pose(id, zero, no_turn)),
        "body 0: the length of the orientation is 0, expected a positive finite number"
    );
    let bad = [Body::at(BALL, zero), Body::at(BALL, zero).scaled(-1.0)];
    assert_eq!(
        text(engine.add_bodies(&bad).map(drop)),
        "added body 1: the scale is -1, expected a positive finite number"
    );
    crate::crowds::assert_same(&before, &state(&engine), "after errors");
}

/// Bodies come and go until none is left, and then come again.
#[test]
fn down_to_nothing_and_back() {
    for scheme in SCHEMES {
        let mut engine = engine(&falling(), &with(scheme));
        advance(&mut engine, 10);
        engine.remove_bodies(&(0..6).map(BodyId).collect::<Vec<_>>()).unwrap();
        advance(&mut engine, 10);
        assert_eq!((engine.body_count(), engine.contact_count(), engine.steps()), (0, 0, 20));
        assert!(engine.ledger().mechanical().abs() < 1e-18);
        let ids = engine.add_bodies(&[Body::at(ROD, v(0.0, 0.0, 1.0))]).unwrap();
        assert_eq!(ids, [BodyId(6)]);
        advance(&mut engine, 100);
        let fall = engine.bodies()[0].velocity.z + 9.81 * 100.0 * DT;
        assert!(fall.abs() < 1e-12, "{}: {fall:e}", scheme.name());
    }
}

/// In a periodic domain a place outside is that of its image, however far.
#[test]
fn places_beyond_a_periodic_end() {
    let mut world = crate::crowds::world();
    let axis = Axis::Periodic { low: 0.0, high: 0.2 };
    world.domain = Domain::of([axis, axis, Axis::Open]);
    world.add_body(Body::at(BALL, v(0.1, 0.1, 0.0)));
    world.add_body(Body::at(BALL, v(0.1, 0.15, 0.0)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 5);
    // The image of this place is 1.9 radii from the first ball, three domains away.
    engine.add_bodies(&[Body::at(BALL, v(0.7 + 1.9 * RADIUS, -0.5, 0.0))]).unwrap();
    engine.set_pose(BodyId(1), v(-0.7, 2.1 + 1.9 * RADIUS, 0.0), Quat::identity()).unwrap();
    advance(&mut engine, 1);
    assert_eq!(engine.contact_count(), 2);
    let bodies = engine.bodies();
    assert!(bodies.iter().all(|b| (0.0..0.2).contains(&b.position.x) && (0.0..0.2).contains(&b.position.y)));

    let huge = Body::at(BALL, v(0.1, 0.1, 1.0)).scaled(8.0);
    let error = engine.add_bodies(&[huge]).expect_err("too large for the domain");
    assert!(matches!(error, Error::DomainTooSmall { axis: 'x', .. }), "{error}");
}

/// Many bodies changed at once are the same bodies changed one by one; and if one cannot be, none is.
#[test]
fn many_bodies_change_at_once() {
    for scheme in SCHEMES {
        let mut at_once = engine(&falling(), &with(scheme));
        advance(&mut at_once, 40);
        let mut by_one = engine(&falling(), &with(scheme));
        advance(&mut by_one, 40);
        let change = |i: u32| Change {
            position: Some(v(f64::from(i), 0.5, 0.3)),
            orientation: Some(Quat::new(1.0, f64::from(i), 0.0, 0.5)),
            velocity: Some(v(0.0, f64::from(i), 1.0)),
            angular_velocity: Some(v(1.0, 2.0, f64::from(i))),
            ..Change::of(BodyId(i))
        };
        let changes: Vec<Change> = [4, 1, 2].map(change).to_vec();
        at_once.change_bodies(&changes).unwrap();
        for one in &changes {
            by_one.set_pose(one.id, one.position.unwrap(), one.orientation.unwrap()).unwrap();
            by_one.set_velocity(one.id, one.velocity.unwrap(), one.angular_velocity.unwrap()).unwrap();
        }
        for (a, b) in at_once.bodies().iter().zip(by_one.bodies()) {
            assert!(difference(a, &b) < 1e-12, "{scheme:?}: {a:?} {b:?}");
        }
        let before = state(&at_once);
        let bad = Change { velocity: Some(v(f64::NAN, 0.0, 0.0)), ..Change::of(BodyId(3)) };
        assert!(at_once.change_bodies(&[change(0), bad]).is_err());
        assert!(at_once.change_bodies(&[change(0), Change::of(BodyId(77))]).is_err());
        assert_eq!(state(&at_once), before);
    }
}

/// Bodies of all sizes come in and go again. What is kept of them, but for their books, is nothing.
#[test]
fn what_came_and_went_leaves_nothing() {
    let mut random = Random::new(5);
    let mut engine = engine(&falling(), &settings());
    let mut sizes = Vec::new();
    for round in 0..60 {
        let new: Vec<Body> = (0..20)
            .map(|place| {
                let at = v(1.0 + 0.1 * f64::from(place), 1.0, 0.1);
                Body::at(TemplateId(place % 2), at).scaled(random.between(0.5, 1.0))
            })
            .collect();
        let ids = engine.add_bodies(&new).unwrap();
        assert_eq!(ids[0].0, 6 + 20 * round);
        advance(&mut engine, 2);
        assert_eq!(engine.bodies().iter().filter(|body| ids.contains(&body.id)).count(), 20);
        engine.remove_bodies(&ids).unwrap();
        sizes.push(engine.save().to_bytes().len());
    }
    let (least, most) = (sizes.iter().min().unwrap(), sizes.iter().max().unwrap());
    // Sums of the books may need a few more digits.
    assert!(most - least < 200, "{sizes:?}");
    assert_eq!(engine.bodies().len(), 6);
}
