//! Guarantee: a periodic end is nowhere. What happens across it happens as it would in the middle, to
//! round-off: collisions, friction, springs that are wound up while a body is brought back to the other side.
//! Momentum is kept. It can break where a position, an arm or a velocity is taken from the wrong image.

use crate::crowds::{DT, RADIUS, advance, crowd, engine, settings, v};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::{Body, BodyState, Engine, LabVec, SchemeKind, Settings, TemplateId, Touching, World};

const LENGTH: f64 = 0.2;

fn periodic_world(bodies: &[Body]) -> World {
    let mut world = crate::crowds::world();
    let axis = Axis::Periodic { low: 0.0, high: LENGTH };
    world.domain = Domain::of([axis; 3]);
    world.bodies = bodies.to_vec();
    world
}

/// The largest difference of positions (of the nearest images), velocities, turns and spins, each in units of
/// its own.
fn difference(domain: &Domain, a: &[BodyState], b: &[BodyState], shift: LabVec<f64>) -> f64 {
    assert_eq!(a.len(), b.len());
    let mut worst = 0.0;
    for (a, b) in a.iter().zip(b) {
        let place = domain.nearest(a.position + shift, b.position).norm() / RADIUS;
        let velocity = (a.velocity - b.velocity).norm();
        let turn = (a.orientation.to_array().iter().zip(b.orientation.to_array()))
            .fold(0.0, |sum: f64, (p, q)| sum + (p - q).abs());
        let spin = (a.angular_velocity - b.angular_velocity).norm() / 100.0;
        for difference in [place, velocity, turn, spin] {
            // Written so that NaN stays.
            worst = if difference <= worst { worst } else { difference };
        }
    }
    worst
}

/// Two rods and a ball pressed into each other off-centre, spinning, and drifting together along `drift`.
fn meeting(middle: LabVec<f64>, drift: LabVec<f64>) -> Vec<Body> {
    let at = |template, x: f64, y: f64, z: f64| Body::at(TemplateId(template), middle + v(x, y, z) * RADIUS);
    vec![
        at(1, -1.9, 0.2, 0.2).moving(v(0.5, 0.0, 0.0) + drift).spinning(v(40.0, 60.0, -30.0)),
        at(1, 1.9, -0.3, 0.1).moving(v(-0.5, 0.2, 0.0) + drift).spinning(v(-80.0, 30.0, 40.0)),
        at(0, 0.3, 1.6, 0.0).moving(v(0.0, -0.5, 0.1) + drift).spinning(v(300.0, 0.0, 100.0)),
    ]
}

/// By how much to shift everything so that this body is at an end, an edge or a corner of the domain soon.
fn to_the_end(body: &Body) -> LabVec<f64> {
    let soon = 2e-4;
    let shift = |x: f64, velocity: f64| {
        let end = if velocity > 0.0 { LENGTH } else { 0.0 };
        if velocity == 0.0 { 0.0 } else { end - velocity * soon - x }
    };
    let ([x, y, z], [a, b, c]) = (body.position.to_array(), body.velocity.to_array());
    v(shift(x, a), shift(y, b), shift(z, c))
}

/// The same collision in the middle and across ends, edges and corners, with builds at almost every step, so
/// that bodies are brought back in the midst of contacts.
#[test]
fn a_collision_across_the_end_is_one_in_the_middle() {
    let middle = v(0.5, 0.5, 0.5) * LENGTH;
    let resisting = ContactModel {
        law: LawKind::HertzMindlin,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let linear = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    for (contact, rotation) in [
        (resisting, SchemeKind::MagnusLeapfrog),
        (linear, SchemeKind::KickRotateKick),
        (ContactModel::default(), SchemeKind::ImprovedPcdm),
    ] {
        for drift in [v(1.0, 0.0, 0.0), v(-1.0, 0.5, 0.0), v(0.7, -0.8, 0.9)] {
            let settings = Settings { contact, rotation: rotation.into(), skin: Some(1e-5), ..settings() };
            let bodies = meeting(middle, drift);
            for crossing in 0..3 {
                let mut inside = engine(&periodic_world(&bodies), &settings);
                let shift = to_the_end(&bodies[crossing]);
                let world = periodic_world(&meeting(middle + shift, drift));
                let mut across = engine(&world, &settings);
                let mut contacts = 0;
                for _ in 0..50 {
                    advance(&mut inside, 2);
                    advance(&mut across, 2);
                    contacts += inside.contact_count();
                    assert_eq!(across.contact_count(), inside.contact_count());
                    let off = difference(&world.domain, &inside.bodies(), &across.bodies(), shift);
                    assert!(off < 1e-10, "{}, drift {drift:?}, body {crossing}: {off:e}", rotation.name());
                }
                assert!(contacts > 50, "{contacts}");
            }
        }
    }
}

#[test]
fn momentum_is_kept() {
    let mut world = crate::crowds::world();
    world.bodies = crowd(&world, 220, 0.12, 8);
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    world.domain = Domain::of([axis; 3]);
    let mut engine = engine(&world, &Settings { skin: Some(1e-4), ..settings() });
    let momentum = |engine: &Engine| {
        let of = |body: &BodyState| body.velocity * body.mass;
        engine.bodies().iter().fold(LabVec::zero(), |sum, body| sum + of(body))
    };
    let scale = engine.bodies().iter().fold(0.0, |sum, body| sum + body.mass * body.velocity.norm());
    let before = momentum(&engine);
    let mut contacts = 0;
    for _ in 0..100 {
        advance(&mut engine, 10);
        contacts += engine.contact_count();
        let change = (momentum(&engine) - before).norm();
        assert!(change < 1e-13 * scale, "{change:e} of {scale:e}");
    }
    assert!(contacts > 1000, "{contacts}");
}

/// A rod whose middle is just inside one end reaches beyond it and pushes a ball near the other.
#[test]
fn a_clump_reaches_through_the_end() {
    let rod = Body::at(TemplateId(1), v(0.1 * RADIUS, 0.1, 0.1));
    // The last sphere of the rod is centred 1.2 R to the left, and 0.8 R large.
    let ball = Body::at(TemplateId(0), v(LENGTH - (1.1 + 1.7) * RADIUS, 0.1, 0.1));
    let mut engine = engine(&periodic_world(&[rod, ball]), &settings());
    let contacts = engine.contacts();
    assert_eq!(contacts.len(), 1);
    let Touching::Body(other, 0) = contacts[0].with else { panic!("{contacts:?}") };
    assert_eq!((contacts[0].body.0.0, other.0), (0, 1));
    assert!(contacts[0].force.x > 0.0 && contacts[0].force.y.abs() < 1e-12);
    // The point is near the rod, beyond the end.
    assert!((contacts[0].point.x + 1.85 * RADIUS).abs() < 0.01 * RADIUS, "{:?}", contacts[0].point);
    advance(&mut engine, 2000);
    let bodies = engine.bodies();
    assert!(bodies[0].velocity.x > 0.0 && bodies[1].velocity.x < 0.0 && engine.contact_count() == 0);
    let spin = bodies[0].angular_velocity.norm() + bodies[1].angular_velocity.norm();
    assert!(spin < 1e-9, "a push through the middle turns nothing: {spin}");
}

/// Bodies are brought back into the domain, and free flight goes on as if there were no end.
#[test]
fn free_flight_goes_round() {
    let velocity = v(3.0, -2.0, 1.0);
    let start = v(0.1, 0.1, 0.1);
    let mut engine = engine(&periodic_world(&[Body::at(TemplateId(1), start).moving(velocity)]), &settings());
    let domain = Domain::periodic(LabVec::zero(), v(1.0, 1.0, 1.0) * LENGTH);
    for steps in [1000, 9000, 30_000] {
        advance(&mut engine, steps);
        let body = engine.bodies()[0];
        let flown = start + velocity * (engine.steps() as f64 * DT);
        assert!(domain.nearest(flown, body.position).norm() < 1e-11);
        assert!(body.position.to_array().iter().all(|x| (0.0..LENGTH).contains(x)));
    }
}

/// So far out that rounding loses the image: the body is put somewhere, and nothing breaks.
#[test]
fn places_too_far_out_to_have_an_image() {
    for far in (0..60).map(|k| 1e16 * 1.7_f64.powi(k)).chain([-1e30, 1e200]) {
        let bodies = [Body::at(TemplateId(0), v(far, 0.1, 0.1)), Body::at(TemplateId(1), v(0.1, 0.15, 0.1))];
        let mut world = periodic_world(&bodies);
        let length = 0.17;
        world.domain.axes[0] = Axis::Periodic { low: 0.0, high: length };
        let mut engine = engine(&world, &settings());
        advance(&mut engine, 10);
        assert!((0.0..length).contains(&engine.bodies()[0].position.x));
    }
}

/// Each change builds the lists anew, and none of them may forget how far bodies have already gone.
#[test]
fn changes_in_every_few_steps_let_nobody_run_away() {
    let across = |i: i32| v(0.0, 4.0 * RADIUS * f64::from(i), 0.0);
    let runner = |i: i32| {
        Body::at(TemplateId(0), v(0.5 * LENGTH, 0.0, 0.0) + across(i)).moving(v(
            if i % 2 == 0 { 40.0 } else { -40.0 },
            0.0,
            0.0,
        ))
    };
    let mut world = periodic_world(&(0..6).map(runner).collect::<Vec<_>>());
    world.domain.axes[1] = Axis::Open;
    let mut engine = engine(&world, &Settings { skin: Some(RADIUS), ..settings() });
    for _ in 0..400 {
        advance(&mut engine, 4);
        let visitor = engine.add_bodies(&[Body::at(TemplateId(0), across(20))]).unwrap();
        engine.remove_bodies(&visitor).unwrap();
        for body in engine.bodies() {
            assert!((0.0..LENGTH).contains(&body.position.x), "{:?}", body.position);
        }
    }
}
