//! Guarantee: a held body keeps its velocity to the last bit whatever hits it, in every kind of scheme, and the ledger
//! knows the work of the hand that holds it. It can break where schemes hold velocities of other instants than the
//! present one.

use crate::crowds::{RADIUS, SCHEMES, advance, busy_world, engine, settings, v, with};
use tumble_dem::domain::Domain;
use tumble_dem::{Body, BodyId, LabVec, TemplateId};

#[test]
fn a_held_body_keeps_its_velocity_whatever_hits_it() {
    for scheme in SCHEMES {
        let mut world = busy_world(Domain::open());
        let velocity = v(0.1, 0.2, -0.1);
        let ids: Vec<BodyId> = (0..10).map(|i| BodyId(20 * i)).collect();
        for id in &ids {
            let body = &mut world.bodies[id.0 as usize];
            *body = body.moving(velocity).held();
        }
        let mut engine = engine(&world, &with(scheme));
        let mut pushed = 0.0;
        for _ in 0..100 {
            advance(&mut engine, 4);
            let bodies = engine.bodies();
            for body in ids.iter().map(|id| bodies[id.0 as usize]) {
                let start = world.bodies[body.id.0 as usize];
                assert_eq!(body.velocity.to_array().map(f64::to_bits), velocity.to_array().map(f64::to_bits));
                let spin = start.angular_velocity;
                assert!((body.angular_velocity - spin).norm() < 1e-11 * spin.norm(), "{}", scheme.name());
                let flown = start.position + velocity * engine.time();
                assert!((body.position - flown).norm() < 1e-14, "{}", scheme.name());
                pushed += (body.force - v(1.0, 0.0, -9.81) * body.mass).norm();
            }
        }
        assert!(pushed > 10.0, "nothing hit them: {pushed} N");
        let id = ids[1];
        engine.set_held(id, false).unwrap();
        let free = engine.bodies()[20];
        assert!((free.velocity - velocity).norm() < 1e-14 && !free.held);
        advance(&mut engine, 50);
        assert!((engine.bodies()[20].velocity - velocity).norm() > 1e-4);
    }
}

/// A hand that keeps a body at rest under a load does no work; one that drives it does all there is.
#[test]
fn the_work_of_a_hand() {
    let mut world = crate::crowds::world();
    // The held ball is pushed into the free one, which flies off.
    world.add_body(Body::at(TemplateId(0), LabVec::zero()).moving(v(1.0, 0.0, 0.0)).held());
    world.add_body(Body::at(TemplateId(0), v(2.02 * RADIUS, 0.0, 0.0)));
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 2000);
    let ledger = engine.ledger();
    assert!(engine.bodies()[1].velocity.x > 1.2 && engine.contact_count() == 0);
    let off = ledger.hand_work - ledger.kinetic() - ledger.lost();
    assert!(off.abs() < 1e-4 * ledger.hand_work, "{ledger:?}");
    assert!(ledger.exchanged.abs() < 1e-15);
}
