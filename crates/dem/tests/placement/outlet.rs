//! Outlets take out what is in their zone, count it, and leave the rest and the books alone.

use super::{BALL, ROD, v, world};
use tumble_dem::placement::{Outlet, Taken, Zone};
use tumble_dem::{Body, BodyId, Engine, LabVec, Settings};

#[test]
fn zones_contain_what_they_should() {
    let (low, high) = (v(-1.0, -2.0, -3.0), v(1.0, 2.0, 3.0));
    let up = v(0.0, 0.0, 1.0);
    let zones = [
        (Zone::Box { low, high }, v(0.9, -1.9, 2.9), v(0.9, -2.1, 2.9)),
        (Zone::Cylinder { from: low, to: high, radius: 1.0 }, v(0.0, 0.5, 0.0), v(0.0, 1.3, 0.0)),
        (
            Zone::Cylinder { from: LabVec::zero(), to: up * 2.0, radius: 1.0 },
            v(0.9, 0.0, 1.9),
            v(0.9, 0.0, 2.1),
        ),
        (Zone::Sphere { centre: high, radius: 2.0 }, v(1.0, 2.0, 1.1), v(1.0, 2.0, 0.9)),
        (Zone::HalfSpace { point: up, normal: up * 3.0 }, v(50.0, 50.0, 0.99), v(0.0, 0.0, 1.01)),
    ];
    for (zone, inside, outside) in zones {
        assert!(zone.contains(inside) && !zone.contains(outside), "{zone:?}");
    }
}

#[test]
fn bodies_leave_and_are_counted() {
    let mut world = world();
    for k in 0..10 {
        let template = if k % 2 == 0 { BALL } else { ROD };
        let body = Body::at(template, v(10.0 * f64::from(k), 0.0, 0.0)).scaled(1.0 + 0.1 * f64::from(k));
        world.add_body(if k == 7 { body.held() } else { body.moving(v(0.0, 0.0, 1.0)) });
    }
    let mut engine = Engine::new(world, Settings::new(1e-4)).unwrap();
    engine.advance(10).unwrap();
    let before = engine.ledger();
    let mut outlet =
        Outlet::new("end", Zone::HalfSpace { point: v(45.0, 0.0, 0.0), normal: v(-1.0, 0.0, 0.0) }).unwrap();
    let masses: f64 = engine.bodies().iter().filter(|b| b.position.x > 45.0 && !b.held).map(|b| b.mass).sum();
    let due = outlet.due(&engine);
    assert_eq!(due, [5, 6, 8, 9].map(BodyId), "the held one stays");
    engine.remove_bodies(&due).unwrap();
    assert_eq!(outlet.taken(), Taken { bodies: 4, mass: masses });
    assert_eq!(engine.body_count(), 6);
    // What they carried away is in the books.
    let after = engine.ledger();
    let lost = 0.5 * masses;
    assert!((before.exchanged - after.exchanged - lost).abs() < 1e-9 * lost, "{}", after.exchanged);
    assert!(outlet.due(&engine).is_empty());
    assert_eq!(outlet.taken().bodies, 4);
}

#[test]
fn counts_come_back_from_bytes() {
    let taken = Taken { bodies: 77, mass: 0.123 };
    assert_eq!(Taken::from_bytes(&taken.to_bytes()), Some(taken));
    let wrong = Taken { bodies: 1, mass: f64::NAN };
    assert_eq!(Taken::from_bytes(&wrong.to_bytes()), None);
    let mut outlet = Outlet::new("end", Zone::Sphere { centre: LabVec::zero(), radius: 1.0 }).unwrap();
    outlet.restore(taken);
    assert_eq!(outlet.taken(), taken);
}

#[test]
fn impossible_zones_say_why() {
    let message = |zone: Zone| Outlet::new("end", zone).unwrap_err().to_string();
    let (zero, up) = (LabVec::zero(), v(0.0, 0.0, 1.0));
    assert!(message(Zone::Box { low: up, high: zero }).contains("no inside"));
    assert!(message(Zone::Sphere { centre: up, radius: 0.0 }).contains("radius of the sphere is 0"));
    assert!(message(Zone::HalfSpace { point: up, normal: zero }).contains("normal of the plane is 0"));
    assert!(
        message(Zone::Cylinder { from: up, to: up, radius: 1.0 }).contains("length of the cylinder is 0")
    );
}
