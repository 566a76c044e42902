//! Guarantee: a field is asked once per step for each body, held ones included, by several threads where there are some,
//! and what comes of it has the same bits on any number of them.

use crate::crowds::{DT, advance, assert_same, engine, state, v};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;
use tumble_dem::field::{BodyView, Drag, ForceField, Load};
use tumble_dem::{Body, Settings, TemplateId, World};

/// A vortex that notes who asks.
#[derive(Debug, Default)]
struct Vortex {
    calls: Mutex<BTreeMap<(u32, u64), u32>>,
    askers: Mutex<HashSet<ThreadId>>,
    slow: bool,
}

impl ForceField for Vortex {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        *self.calls.lock().unwrap().entry((body.id.0, time.to_bits())).or_default() += 1;
        self.askers.lock().unwrap().insert(thread::current().id());
        if self.slow && body.id.0.is_multiple_of(64) {
            // Long enough for another thread to wake up and take its share.
            thread::sleep(Duration::from_millis(1));
        }
        let force = v(-body.position.y, body.position.x, 0.1) * (body.mass * 30.0);
        Load { force, torque: body.angular_velocity * (-1e-9 - 1e-10 * time) }
    }
}

/// Spheres far from each other, some of them held, in a fluid and a vortex.
fn vortex(count: u32, slow: bool) -> (World, Arc<Vortex>) {
    let mut world = crate::crowds::world();
    for number in 0..count {
        let place = |n: u32| 0.03 * f64::from(n) - 0.2;
        let position = v(place(number % 16), place(number / 16 % 16), place(number / 256));
        let body = Body::at(TemplateId(u16::from(number % 2 == 1)), position)
            .moving(v(0.1, 0.01 * f64::from(number % 7), 0.0))
            .spinning(v(1.0, 2.0, f64::from(number % 5)));
        world.add_body(if number % 10 == 3 { body.held() } else { body });
    }
    world.drag = Some(Drag { viscosity: 1e-3, density: 1.2, coefficient: 0.4, flow: v(0.5, 0.0, 0.0) });
    let field = Arc::new(Vortex { slow, ..Vortex::default() });
    world.fields.push(field.clone());
    (world, field)
}

#[test]
fn each_body_is_asked_about_once_per_step() {
    for threads in [1, 2, 3] {
        let (world, field) = vortex(700, false);
        let mut engine = engine(&world, &Settings { threads, ..Settings::new(DT) });
        advance(&mut engine, 5);
        let calls = core::mem::take(&mut *field.calls.lock().unwrap());
        assert_eq!(calls.len(), 700 * 6, "at the start and after each step, on {threads} threads");
        let often: Vec<_> = calls.iter().filter(|(_, count)| **count != 1).collect();
        assert!(often.is_empty(), "{often:?}");
        let _ = engine.ledger();
        let again = field.calls.lock().unwrap();
        assert!(again.len() == 700 && again.values().all(|count| *count == 1), "once for the books");
    }
}

#[test]
fn several_threads_ask() {
    let (world, field) = vortex(2048, true);
    let mut engine = engine(&world, &Settings { threads: 3, ..Settings::new(DT) });
    field.askers.lock().unwrap().clear();
    advance(&mut engine, 3);
    assert!(field.askers.lock().unwrap().len() > 1, "one thread did all the work");
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    let (world, _) = vortex(1000, false);
    let end = |threads: usize| {
        let mut engine = engine(&world, &Settings { threads, ..Settings::new(DT) });
        advance(&mut engine, 60);
        let ledger = engine.ledger();
        assert!(ledger.field_work != 0.0 && ledger.drag != 0.0 && ledger.hand_work == 0.0);
        state(&engine)
    };
    let one = end(1);
    for threads in [2, 3, 8] {
        assert_same(&one, &end(threads), &format!("{threads} threads"));
    }
}
