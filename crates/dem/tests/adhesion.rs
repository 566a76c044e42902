//! Guarantee: surfaces that adhere do what the closed forms of JKR and DMT say (other laws that pull are verified by cases of their own), however steps fall on first touch and on the end of a
//! contact, at which their forces jump: to second order in Δt at every phase, not on average. What tears is booked to the joule.

use crate::common::{
    X, Z, add_clump, add_floor, add_sphere, assert_close, largest, lopsided, order_of, world,
};
use crate::crowds::same_on_threads_and_after_a_restart;
use std::f64::consts::PI;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::jkr::TEAR_OFF;
use tumble_dem::law::lubrication::LIQUID_VISCOSITY;
use tumble_dem::law::luding::{ADHESION_STIFFNESS, UNLOADING_STIFFNESS};
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::{ATTRACTION_RANGE, HAMAKER, SMALLEST_GAP};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::liquid::Liquid;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::{ADHESIVE_FRICTION, WORK_OF_ADHESION};
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, World};

const RADIUS: f64 = 1e-3;
const DENSITY: f64 = 2000.0;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
/// J/m²
const WORK: f64 = 0.05;

/// What a sphere meets.
#[derive(Clone, Copy, Debug, PartialEq)]
enum With {
    Sphere,
    Wall,
}

impl With {
    /// Effective radius and mass.
    fn effective(self) -> (f64, f64) {
        let part = if self == Self::Sphere { 0.5 } else { 1.0 };
        (part * RADIUS, part * 4.0 / 3.0 * PI * RADIUS.powi(3) * DENSITY)
    }

    /// 7.0922 (W⁵R⁴/E*²)^{1/3}: from touch to the tear-off.
    fn torn(self) -> f64 {
        let (radius, modulus) = (self.effective().0, YOUNG / (2.0 * (1.0 - POISSON * POISSON)));
        7.092_195_971_817 * (WORK.powi(5) * radius.powi(4) / (modulus * modulus)).cbrt()
    }

    /// The speed below which JKR's spheres stick.
    fn sticking(self) -> f64 {
        (2.0 * self.torn() / self.effective().1).sqrt()
    }

    /// A sphere that is `gap` away, and moves towards the other at this velocity.
    fn engine(
        self,
        law: LawKind,
        properties: PairProperties,
        (gap, velocity): (f64, LabVec<f64>),
        dt: f64,
    ) -> Engine {
        let mut world = stuff(properties);
        let ball = add_sphere(&mut world, RADIUS);
        if self == Self::Wall {
            add_floor(&mut world, MaterialId(0), Motion::fixed());
        } else {
            world.add_body(Body::at(ball, Z * -RADIUS));
        }
        world.add_body(Body::at(ball, Z * (RADIUS + gap)).moving(velocity));
        let contact = ContactModel { law, ..ContactModel::default() };
        Engine::new(world, Settings { contact, ..Settings::new(dt) }).unwrap()
    }
}

fn stuff(properties: PairProperties) -> World {
    world(Material::new("gum", DENSITY, YOUNG, POISSON).with_stiffness(1e4), properties)
}

fn smooth() -> PairProperties {
    PairProperties::new(1.0, 0.0).with(&WORK_OF_ADHESION, WORK)
}

/// How fast the last body leaves the first, or the floor, when the contact has ended; none if it has not after so many steps.
fn leaving(engine: &mut Engine, most: u32) -> Option<LabVec<f64>> {
    let mut begun = false;
    for _ in 0..most {
        engine.advance(1).unwrap();
        let now = engine.contact_count() > 0;
        if begun && !now {
            let bodies = engine.bodies();
            let first = if bodies.len() > 1 { bodies[0].velocity } else { LabVec::zero() };
            return Some(bodies[bodies.len() - 1].velocity - first);
        }
        begun |= now;
    }
    None
}

/// The largest of errors at many phases between steps, touch and end, with the steps in a collision halved from one to the next.
fn worst(error: impl Fn(f64, f64) -> f64) -> [f64; 4] {
    [50.0, 100.0, 200.0, 400.0].map(|steps| {
        largest((0..24).map(|phase| {
            let part = f64::from(phase) / 24.0;
            error(steps * (1.0 + 0.07 * part), part)
        }))
    })
}

#[track_caller]
fn assert_second_order(what: &str, errors: &[f64; 4], finest: f64) {
    let order = order_of(errors);
    assert!(order > 1.8 && errors[3] < finest, "{what}: order {order:.2}, {errors:?}");
}

/// Of a collision as fast as this, without adhesion.
fn duration(with: With, speed: f64) -> f64 {
    let (radius, mass) = with.effective();
    let mut materials = stuff(smooth()).materials;
    materials.set_default(smooth());
    let ids = (MaterialId(0), MaterialId(0));
    LawKind::Hertz.contact_time(&materials, ids, (radius, mass), speed).unwrap()
}

/// e = √(1 − (V_s/V)²), and all that is lost is `adhesion`.
#[test]
fn jkr_spheres_rebound_with_the_closed_form() {
    for with in [With::Sphere, With::Wall] {
        for times in [1.3, 3.0] {
            let speed = times * with.sticking();
            let exact = speed * (1.0 - 1.0 / (times * times)).sqrt();
            let errors = worst(|steps, phase| {
                let dt = duration(with, speed) / steps;
                let mut engine = with.engine(LawKind::Jkr, smooth(), (phase * speed * dt, Z * -speed), dt);
                let start = engine.ledger();
                let velocity = leaving(&mut engine, 100_000).unwrap();
                let end = engine.ledger();
                let [(entry, lost)] = end.own[..] else { panic!("{end:?}") };
                assert_eq!((entry.key, end.separation, end.elastic()), ("adhesion", 0.0, 0.0));
                assert_close("lost", lost, with.torn(), 1e-10);
                let balance = (end.balance() / start.balance() - 1.0).abs();
                (velocity.z / exact - 1.0).abs().max(balance)
            });
            assert_second_order(&format!("{with:?} {times}"), &errors, 2e-4);
        }
    }
}

#[test]
fn slower_jkr_spheres_stick_and_swing_about_the_equilibrium() {
    for with in [With::Sphere, With::Wall] {
        let speed = 0.9 * with.sticking();
        let dt = duration(with, speed) / 200.0;
        let mut engine = with.engine(LawKind::Jkr, smooth(), (0.3 * speed * dt, Z * -speed), dt);
        let start = engine.ledger().balance();
        assert_eq!(leaving(&mut engine, 20_000), None);
        assert_close("balance", engine.ledger().balance(), start, 1e-3);
        // With a dashpot it comes to rest where the force vanishes.
        let damped = smooth().with(&tumble_dem::property::RESTITUTION, 0.3);
        let mut engine = with.engine(LawKind::Jkr, damped, (0.3 * speed * dt, Z * -speed), dt);
        assert_eq!(leaving(&mut engine, 60_000), None);
        let (radius, modulus) = (with.effective().0, YOUNG / (2.0 * (1.0 - POISSON * POISSON)));
        let exact = 1.948_888_544_860 * (WORK * WORK * radius / (modulus * modulus)).cbrt();
        let bodies = engine.bodies();
        let below = if bodies.len() > 1 { bodies[0].position.z + RADIUS } else { 0.0 };
        let overlap = below - (bodies[bodies.len() - 1].position.z - RADIUS);
        assert_close("overlap", overlap, exact, 1e-6);
    }
}

/// Without hysteresis, and where the pull ends with touch anyway, a collision gives back what it took, jumps and all.
#[test]
fn what_ends_where_it_began_loses_nothing() {
    for (law, properties) in [(LawKind::Jkr, smooth().with(&TEAR_OFF, 0.0)), (LawKind::Dmt, smooth())] {
        for with in [With::Sphere, With::Wall] {
            for times in [0.3, 2.0] {
                let speed = times * with.sticking();
                let errors = worst(|steps, phase| {
                    let dt = duration(with, speed) / steps;
                    let gap = phase * speed * dt;
                    let mut engine = with.engine(law, properties.clone(), (gap, Z * -speed), dt);
                    let start = engine.ledger().balance();
                    let velocity = leaving(&mut engine, 100_000).unwrap();
                    let balance = (engine.ledger().balance() / start - 1.0).abs();
                    (velocity.z / speed - 1.0).abs().max(balance)
                });
                assert_second_order(&format!("{law:?} {with:?} {times}"), &errors, 4e-3);
            }
        }
    }
}

/// Dashpots and friction that jump with the force, too: books close to second order whatever is left when the contact ends.
#[test]
fn the_books_of_an_oblique_collision_with_a_dashpot_close() {
    let with = With::Wall;
    for law in [LawKind::Jkr, LawKind::Dmt] {
        for hold in [1.0, 2.0] {
            let properties = PairProperties::new(0.8, 0.4).with(&WORK_OF_ADHESION, WORK);
            let properties = properties.with(&ADHESIVE_FRICTION, hold);
            let speed = 4.0 * with.sticking();
            let velocity = Z * -speed + X * (2.0 * speed);
            let errors = worst(|steps, phase| {
                let dt = duration(with, speed) / steps;
                let mut engine = with.engine(law, properties.clone(), (phase * speed * dt, velocity), dt);
                let start = engine.ledger();
                leaving(&mut engine, 100_000).unwrap();
                let end = engine.ledger();
                assert!(end.normal_damping > 0.0 && end.sliding > 0.0, "{end:?}");
                (end.balance() / start.balance() - 1.0).abs()
            });
            assert_second_order(&format!("{law:?} {hold}"), &errors, 1e-3);
        }
    }
}

/// Laws whose contacts pull.
const ATTRACTING: [LawKind; 8] = [
    LawKind::Jkr,
    LawKind::Dmt,
    LawKind::VanDerWaals,
    LawKind::Willett,
    LawKind::Rabinovich,
    LawKind::FilmBridge,
    LawKind::Luding,
    LawKind::ThorntonNing,
];

/// Spheres and clumps, thrown about; wet ones where the law has films.
fn lumps(law: LawKind, domain: Domain) -> World {
    let properties = PairProperties::new(0.6, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1);
    let properties = properties.with(&HAMAKER, 1e-5).with(&SMALLEST_GAP, 1e-3).with(&ATTRACTION_RANGE, 5.0);
    let properties = properties.with(&SURFACE_TENSION, 1.0).with(&BRIDGE_VOLUME, 1e-9);
    let properties = properties.with(&UNLOADING_STIFFNESS, 3.0).with(&ADHESION_STIFFNESS, 0.5);
    let properties = properties.with(&LARGEST_BRIDGE, 1e-9).with(&LIQUID_VISCOSITY, 0.05);
    let mut world = stuff(properties.with(&WORK_OF_ADHESION, 2.0).with(&YIELD_PRESSURE, 4e5));
    let film = if law == LawKind::FilmBridge { 3e-9 } else { 0.0 };
    world.liquid = (film > 0.0).then_some(Liquid { share: 0.2 });
    let ball = add_sphere(&mut world, 0.01);
    let clump = add_clump(&mut world, &lopsided());
    let mut random = Random::new(3);
    for number in 0..64 {
        let place = LabVec::new(f64::from(number % 4), f64::from(number / 4 % 4), f64::from(number / 16));
        let place = (place + LabVec::new(0.5, 0.5, 0.5)) * 0.05;
        let body = Body::at(if number % 3 == 0 { clump } else { ball }, place);
        world.add_body(
            body.moving(random.direction() * 1.5).spinning(random.direction() * 50.0).with_film(film),
        );
    }
    world.domain = domain;
    if !domain.is_periodic() {
        let walls = Enclosure::new(LabVec::zero(), LabVec::new(0.2, 0.2, 0.2)).unwrap();
        world.walls.push(Wall::new("box", walls, MaterialId(0), Motion::fixed()).unwrap());
    }
    world
}

#[test]
fn the_same_bits_on_threads_and_after_a_restart() {
    let axis = Axis::Periodic { low: 0.0, high: 0.2 };
    for domain in [Domain::open(), Domain::of([axis; 3])] {
        for law in ATTRACTING {
            let world = lumps(law, domain);
            let contact = ContactModel {
                law,
                rolling: RollingKind::ElasticPlastic,
                twisting: TwistingKind::ElasticPlastic,
            };
            let settings = Settings { contact, max_overlap: 1.0, ..Settings::new(5e-5) };
            let engine = same_on_threads_and_after_a_restart(&world, &settings);
            assert!(engine.contact_count() > 3, "{}", engine.contact_count());
        }
    }
}

/// The books of many close, however many contacts tore.
#[test]
fn the_books_of_lumps_close_to_second_order() {
    for law in ATTRACTING {
        let world = lumps(law, Domain::open());
        let contact = ContactModel { law, ..ContactModel::default() };
        let errors = [400_u32, 800, 1600].map(|steps| {
            let settings = Settings { contact, max_overlap: 1.0, ..Settings::new(0.04 / f64::from(steps)) };
            let mut engine = Engine::new(world.clone(), settings).unwrap();
            let start = engine.ledger();
            engine.advance(steps.into()).unwrap();
            let end = engine.ledger();
            let torn: f64 = end.own.iter().map(|(_, energy)| energy).sum();
            let keeps = matches!(law, LawKind::Dmt | LawKind::VanDerWaals);
            assert!(keeps == (torn == 0.0) && torn >= 0.0, "{end:?}");
            ((end.balance() - start.balance()) / start.kinetic()).abs()
        });
        assert!(errors[2] < errors[0] / 6.0 && errors[0] < 1e-2, "{law:?}: {errors:?}");
    }
}
