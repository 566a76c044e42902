//! A contact law may act beyond touch: from the first touch on up to a range, or whenever surfaces are within it. Lists and
//! walls reach that far, energies close to second order, and nothing depends on threads or restarts.

mod laws;

use crate::common::{X, Z, add_floor, add_sphere, assert_close, largest, order_of, world};
use crate::crowds::{assert_same, state};
use laws::{HOLD, STIFFNESS, halo, tape};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::ContactModel;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Body, Engine, Error, LabVec, MaterialId, SavedState, Settings, World};

const RADIUS: f64 = 0.01;
const RANGE: f64 = 1e-3;
const SPEED: f64 = 1.0;

fn stuff(friction: f64) -> World {
    let properties = PairProperties::new(1.0, friction).with(&HOLD, RANGE);
    world(Material::new("gum", 1000.0, 1e6, 0.3), properties)
}

/// What two spheres meet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum With {
    Sphere,
    Wall,
}

/// A sphere that flies towards another, or towards the floor, at `speed` in this direction relative to it.
struct Meet {
    with: With,
    contact: ContactModel,
    way: LabVec<f64>,
    speed: f64,
    friction: f64,
}

impl Meet {
    fn head_on(with: With, contact: ContactModel, speed: f64) -> Self {
        Self { with, contact, way: Z * -1.0, speed, friction: 0.3 }
    }

    /// The effective mass.
    fn mass(&self) -> f64 {
        let sphere = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * 1000.0;
        if self.with == With::Sphere { 0.5 * sphere } else { sphere }
    }

    /// The angular frequency of the contact.
    fn omega(&self) -> f64 {
        (STIFFNESS / self.mass()).sqrt()
    }

    /// Begins at a gap of 1.3 ranges, with so many steps in a period of the spring.
    fn engine(&self, steps: f64) -> Engine {
        let mut world = stuff(self.friction);
        let ball = add_sphere(&mut world, RADIUS);
        let height = RADIUS + 1.3 * RANGE;
        let other = match self.with {
            With::Wall => {
                add_floor(&mut world, MaterialId(0), Motion::fixed());
                0.0
            }
            With::Sphere => {
                let half = self.way * (-0.5 * self.speed);
                world.add_body(Body::at(ball, Z * -RADIUS).moving(half));
                0.5
            }
        };
        world.add_body(Body::at(ball, Z * height).moving(self.way * ((1.0 - other) * self.speed)));
        let dt = 2.0 * std::f64::consts::PI / self.omega() / steps;
        Engine::new(world, Settings { contact: self.contact, ..Settings::new(dt) }).unwrap()
    }
}

/// How fast the last body leaves the first, or the floor.
fn leaving(engine: &Engine) -> f64 {
    let bodies = engine.bodies();
    let first = if bodies.len() > 1 { bodies[0].velocity.z } else { 0.0 };
    bodies[bodies.len() - 1].velocity.z - first
}

/// Steps until the contact has ended, and gives the deepest and the farthest overlap on the way.
fn through(engine: &mut Engine) -> (f64, u32) {
    let (mut begun, mut steps) = (false, 0);
    let mut widest: f64 = 0.0;
    for _ in 0..1_000_000 {
        engine.advance(1).unwrap();
        let now = engine.contact_count() > 0;
        if begun && !now {
            return (widest, steps);
        }
        begun |= now;
        if now {
            steps += 1;
            let bodies = engine.bodies();
            let below = if bodies.len() > 1 { bodies[0].position.z + RADIUS } else { 0.0 };
            widest = widest.max(bodies[bodies.len() - 1].position.z - RADIUS - below);
        }
    }
    panic!("the contact does not end");
}

/// Half a period in the overlap, then out to the range: what is stored there is lost, v'² = v² − k h²/m.
#[test]
fn a_tape_breaks_at_its_range_and_takes_what_it_stored() {
    for with in [With::Sphere, With::Wall] {
        let meet = Meet::head_on(with, tape(), SPEED);
        for which in 0..2 {
            let medians = [40.0, 80.0, 160.0, 320.0].map(|steps| {
                let each = (0..16).map(|phase| break_up(&meet, steps + f64::from(phase) / 16.0)[which]);
                let mut errors: Vec<f64> = each.collect();
                errors.sort_by(f64::total_cmp);
                // The force jumps where the tape breaks: now and then half a kick falls on the wrong side of it.
                let half_a_kick = std::f64::consts::PI / steps * RANGE * meet.omega() / SPEED;
                assert!(errors[15] < 2.0 * half_a_kick, "{with:?}, {which}: {errors:?}, {half_a_kick}");
                0.5 * (errors[7] + errors[8])
            });
            let order = order_of(&medians);
            assert!(order > 1.8 && medians[3] < 5e-5, "{with:?}, {which}: order {order:.2}, {medians:?}");
        }
    }
}

/// The relative errors of the speed after a tape broke, and of the books.
fn break_up(meet: &Meet, steps: f64) -> [f64; 2] {
    let mut engine = meet.engine(steps);
    let start = engine.ledger();
    let (widest, lasted) = through(&mut engine);
    assert!(widest > 0.5 * RANGE && widest <= RANGE, "{widest}");
    let stored = 0.5 * STIFFNESS * RANGE * RANGE;
    let end = engine.ledger();
    assert_close("lost", end.separation, stored, 1e-12);
    let time = std::f64::consts::PI + (RANGE * meet.omega() / SPEED).asin();
    let expected = time / (2.0 * std::f64::consts::PI) * steps;
    assert!((f64::from(lasted) - expected).abs() < 1.5, "{lasted} steps instead of {expected}");
    let exact = (SPEED * SPEED - 2.0 * stored / meet.mass()).sqrt();
    let balance = ((end.balance() - start.balance()) / start.balance()).abs();
    [(leaving(&engine) / exact - 1.0).abs(), balance]
}

/// Too slow to get away, a sphere swings about touch for ever; its spring is known when it touches again.
#[test]
fn a_slow_sphere_is_held_for_ever() {
    for with in [With::Sphere, With::Wall] {
        let speed = 0.5 * RANGE * Meet::head_on(with, tape(), 1.0).omega();
        let meet = Meet::head_on(with, tape(), speed);
        let drift = |steps: f64| {
            let mut engine = meet.engine(steps);
            while engine.contact_count() == 0 {
                engine.advance(1).unwrap();
            }
            let start = engine.ledger().balance();
            largest((0..50).map(|_| {
                engine.advance(13).unwrap();
                assert_eq!(engine.contact_count(), 1);
                assert!(engine.ledger().separation == 0.0);
                (engine.ledger().balance() / start - 1.0).abs()
            }))
        };
        let errors = [40.0, 80.0, 160.0].map(drift);
        let order = order_of(&errors);
        assert!(order > 1.8 && errors[2] < 2e-3, "{with:?}: order {order:.2}, {errors:?}");
    }
}

/// A halo gives back what it took: its contacts begin and end at the range.
#[test]
fn a_halo_begins_before_touch_and_keeps_the_energy() {
    for with in [With::Sphere, With::Wall] {
        // The second is drawn in more than it moves by itself.
        let slow = 0.3 * RANGE * Meet::head_on(with, halo(), 1.0).omega();
        for speed in [SPEED, slow] {
            let meet = Meet::head_on(with, halo(), speed);
            // Over phases between steps and the range.
            let errors = [40.0, 80.0, 160.0].map(|steps| {
                let squares = (0..8).map(|phase| {
                    let mut engine = meet.engine(steps + f64::from(phase) / 8.0);
                    let start = engine.ledger().balance();
                    let (widest, _) = through(&mut engine);
                    assert!(widest <= RANGE);
                    let end = engine.ledger();
                    assert!(end.separation.abs() < 1e-15 * start, "{end:?}");
                    let balance = (end.balance() / start - 1.0).abs();
                    (leaving(&engine) / speed - 1.0).abs().max(balance).powi(2)
                });
                (squares.sum::<f64>() / 8.0).sqrt()
            });
            let order = order_of(&errors);
            assert!(order > 1.7 && errors[2] < 5e-3, "{with:?} {speed}: order {order:.2}, {errors:?}");
        }
    }
}

/// A first pass beyond touch is free, and the way is straight: no tape before a touch.
#[test]
fn a_tape_that_was_never_touched_does_nothing() {
    let mut world = stuff(0.3);
    let ball = add_sphere(&mut world, RADIUS);
    world.add_body(Body::at(ball, LabVec::zero()));
    world.add_body(Body::at(ball, X * -0.05 + Z * (2.0 * RADIUS + 0.5 * RANGE)).moving(X * SPEED));
    let run = |contact| {
        let mut engine = Engine::new(world.clone(), Settings { contact, ..Settings::new(1e-4) }).unwrap();
        engine.advance(1000).unwrap();
        engine.bodies()
    };
    let passed = run(tape());
    assert!(passed[1].velocity == X * SPEED && passed[0].velocity == LabVec::zero(), "{passed:?}");
    assert!(run(halo())[0].velocity.norm() > 1e-3, "a halo is felt there");
}

/// Sticky spheres in a box, thrown about: they make lumps.
fn lumps(domain: Domain) -> World {
    let mut world = stuff(0.3);
    let ball = add_sphere(&mut world, RADIUS);
    let edge = 0.2;
    let mut random = Random::new(3);
    for (x, y, z) in (0..5).flat_map(|x| (0..5).flat_map(move |y| (0..5).map(move |z| (x, y, z)))) {
        let place = LabVec::new(f64::from(x), f64::from(y), f64::from(z)) * 0.028 + (X + Z) * 0.03;
        let place = place + LabVec::new(0.0, 0.03, 0.0);
        let body = Body::at(ball, place).moving(random.direction() * 0.4);
        world.add_body(body.spinning(random.direction() * 50.0));
    }
    world.domain = domain;
    if !domain.is_periodic() {
        let walls = Enclosure::new(LabVec::zero(), LabVec::new(edge, edge, edge)).unwrap();
        world.walls.push(Wall::new("box", walls, MaterialId(0), Motion::fixed()).unwrap());
    }
    world
}

#[test]
fn the_same_bits_on_threads_and_from_the_middle_of_a_pull() {
    let axis = Axis::Periodic { low: 0.0, high: 0.2 };
    for domain in [Domain::open(), Domain::of([axis; 3])] {
        let world = lumps(domain);
        for contact in [tape(), halo()] {
            let of = |threads, skin| {
                let settings = Settings { contact, threads, skin, max_overlap: 1.0, ..Settings::new(1e-4) };
                Engine::new(world.clone(), settings).unwrap()
            };
            let mut whole = of(1, None);
            whole.advance(400).unwrap();
            let apart = whole.contacts().iter().filter(|contact| contact.overlap < 0.0).count();
            assert!(apart > 10, "{contact:?}: {apart} of {}", whole.contact_count());
            // However wide the lists are, nothing within the range is missed.
            for (threads, skin) in [(1, Some(1e-4)), (2, Some(5e-3)), (3, None)] {
                let mut other = of(threads, skin);
                other.advance(230).unwrap();
                let bytes = other.save().to_bytes();
                let mut next = of(4 - threads, skin);
                next.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
                for engine in [&mut other, &mut next] {
                    engine.advance(170).unwrap();
                    assert_same(&state(&whole), &state(engine), &format!("{contact:?} {threads} {skin:?}"));
                }
            }
        }
    }
}

/// The books of lumps close: to second order if nothing breaks.
#[test]
fn the_books_of_lumps_close() {
    let world = lumps(Domain::open());
    for contact in [halo(), tape()] {
        let errors = [400_u32, 800, 1600].map(|steps| {
            let dt = 0.04 / f64::from(steps);
            let settings = Settings { contact, max_overlap: 1.0, ..Settings::new(dt) };
            let mut engine = Engine::new(world.clone(), settings).unwrap();
            let start = engine.ledger();
            engine.advance(steps.into()).unwrap();
            let end = engine.ledger();
            assert_eq!(contact == tape(), end.separation > 1e-2 * start.kinetic(), "{end:?}");
            assert!(end.sliding > 1e-2 * start.kinetic(), "{end:?}");
            ((end.balance() - start.balance()) / start.kinetic()).abs()
        });
        let closes = errors[2] < errors[0] / 6.0 || contact == tape();
        assert!(largest(errors) < 1e-3 && closes, "{contact:?}: {errors:?}");
    }
}

/// What a law with a range cannot be given is refused, and the reason said.
#[test]
fn meshes_and_short_axes_are_refused() {
    let mut world = stuff(0.3);
    let ball = add_sphere(&mut world, RADIUS);
    world.add_body(Body::at(ball, LabVec::zero()));
    let refused = |world: &World| {
        let settings = Settings { contact: tape(), skin: Some(1e-4), ..Settings::new(1e-5) };
        Engine::new(world.clone(), settings).unwrap_err()
    };
    let mut meshed = world.clone();
    let mesh = crate::crowds::box_mesh(X, X + LabVec::new(1.0, 1.0, 1.0));
    meshed.walls.push(Wall::new("block", mesh, MaterialId(0), Motion::fixed()).unwrap());
    let error = refused(&meshed).to_string();
    assert!(error.contains("'block'") && error.contains("beyond touch"), "{error}");
    // Long enough for touch, but not for the range.
    let length = 4.0 * RADIUS + 2e-4 + RANGE;
    let axis = Axis::Periodic { low: 0.0, high: length };
    world.domain = Domain::of([axis, Axis::Open, Axis::Open]);
    assert!(matches!(refused(&world), Error::DomainTooSmall { .. }));
}
