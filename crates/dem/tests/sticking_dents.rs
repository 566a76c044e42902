//! Guarantee: spheres that yield and adhere do what Thornton & Ning's law says, as an integration of it apart from the engine has it, with what is lost booked to the joule; they are those of `jkr` where
//! nothing yields, and of `thornton` where nothing adheres. They tear off where flatter spheres do, within the overlap as well, to second order in Δt at every phase.

use crate::common::{X, Z, add_floor, add_sphere, assert_close, largest, order_of, world};
use std::f64::consts::PI;
use tumble_dem::law::jkr::Jkr;
use tumble_dem::law::thornton::{Thornton, YIELD_PRESSURE};
use tumble_dem::law::thornton_ning::{Stuck, ThorntonNing};
use tumble_dem::law::{Contact, ContactLaw, ContactModel, LawKind, rolling, twisting};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::property::{ADHESIVE_FRICTION, WORK_OF_ADHESION};
use tumble_dem::record::{Record, to_numbers};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings};

const RADIUS: f64 = 1e-3;
const DENSITY: f64 = 2000.0;
const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
/// J/m²
const WORK: f64 = 0.05;
/// Pa: a little more than that in the middle of a contact without force.
const PRESSURE: f64 = 1.5e5;

fn gum() -> Material {
    Material::new("gum", DENSITY, YOUNG, POISSON)
}

fn smooth(work: f64, pressure: f64) -> PairProperties {
    PairProperties::new(1.0, 0.0).with(&WORK_OF_ADHESION, work).with(&YIELD_PRESSURE, pressure)
}

fn pair<L: ContactLaw>(properties: PairProperties) -> L::Constants<f64> {
    let mut materials = Materials::default();
    let id = materials.add(gum()).unwrap();
    materials.set_default(properties);
    tumble_dem::law::constants::<L, rolling::None, twisting::None>(&materials, id, id).unwrap().law
}

/// Force and energy of the law on a way from overlap to overlap, without motion.
fn way<L: ContactLaw>(pair: &L::Constants<f64>, overlaps: &[f64]) -> Vec<[f64; 3]> {
    let mut memory = L::Memory::<f64>::zero();
    let along = overlaps.iter().map(|&overlap| {
        let reaction = L::react(pair, Contact::at_rest(Z, RADIUS, overlap), memory, 1e-6);
        memory = reaction.memory;
        let books = to_numbers(reaction.books);
        [reaction.force.z, books[0], books.get(5).copied().unwrap_or(0.0)]
    });
    along.collect()
}

/// In and out again, to a part of the way.
fn in_and_out(deepest: f64, back: f64) -> Vec<f64> {
    let parts = |from: f64, to: f64| (0..200).map(move |i| from + (to - from) * f64::from(i) / 200.0);
    parts(1e-3 * deepest, deepest).chain(parts(deepest, back)).collect()
}

#[test]
fn where_nothing_yields_it_is_jkr() {
    let [ours, jkr] = [
        way::<ThorntonNing>(&pair::<ThorntonNing>(smooth(WORK, 1e9)), &in_and_out(5e-6, -5e-8)),
        way::<Jkr>(&pair::<Jkr>(smooth(WORK, 1e9)), &in_and_out(5e-6, -5e-8)),
    ];
    for ([force, energy, plastic], [exact, stored, _]) in ours.into_iter().zip(jkr) {
        assert!((force - exact).abs() <= 1e-14 * exact.abs(), "{force:e} instead of {exact:e}");
        assert!((energy - stored).abs() <= 1e-14 * stored.abs() && plastic == 0.0, "{energy:e}, {stored:e}");
    }
}

#[test]
fn where_nothing_adheres_it_is_thornton() {
    // Adhesion is of the order of √(W/δp).
    let properties = || smooth(1e-28, 3e5);
    let ours = way::<ThorntonNing>(&pair::<ThorntonNing>(properties()), &in_and_out(5e-5, 1e-6));
    let thornton = way::<Thornton>(&pair::<Thornton>(properties()), &in_and_out(5e-5, 1e-6));
    let most = thornton.iter().fold([0.0_f64; 3], |most, one| core::array::from_fn(|i| most[i].max(one[i])));
    assert!(most[2] > 0.0);
    for (ours, exact) in ours.into_iter().zip(thornton) {
        for ((a, b), most) in ours.into_iter().zip(exact).zip(most) {
            assert!((a - b).abs() <= 3e-12 * most, "{ours:?} instead of {exact:?}");
        }
    }
}

/// The law, integrated over the root of the radius of the area.
struct Integral {
    modulus: f64,
    radius: f64,
    pressure: f64,
}

/// What a collision comes to.
#[derive(Clone, Copy, Debug)]
struct End {
    restitution: f64,
    plastic: f64,
    adhesion: f64,
    /// Where it tears off, m.
    torn_at: f64,
}

impl Integral {
    fn overlap(&self, radius: f64, z: f64) -> f64 {
        z.powi(4) / radius - (2.0 * PI * WORK / self.modulus).sqrt() * z
    }

    fn jkr(&self, radius: f64, z: f64) -> f64 {
        4.0 * self.modulus * z.powi(6) / (3.0 * radius) - (8.0 * PI * WORK * self.modulus).sqrt() * z.powi(3)
    }

    /// The work of JKR's force from one area to another, by Simpson's rule.
    fn elastic(&self, radius: f64, from: f64, to: f64) -> f64 {
        let (pieces, h) = (2000, (to - from) / 2000.0);
        let power = |z: f64| {
            let rate = 4.0 * z.powi(3) / radius - (2.0 * PI * WORK / self.modulus).sqrt();
            self.jkr(radius, z) * rate
        };
        let each = |i: i32| power(from + h * f64::from(i));
        (0..pieces)
            .map(|i| h / 6.0 * (each(i) + 4.0 * power(from + h * (f64::from(i) + 0.5)) + each(i + 1)))
            .sum()
    }

    /// A collision with this energy.
    fn end(&self, energy: f64) -> End {
        let Self { modulus, radius, pressure } = *self;
        let root = (2.0 * PI * WORK / modulus).sqrt();
        let touch = (radius * root).cbrt();
        let middle = |z: f64| 2.0 * modulus * z * z / (PI * radius) - (2.0 * WORK * modulus / PI).sqrt() / z;
        let (mut low, mut high) = (touch, radius.sqrt());
        for _ in 0..200 {
            let z = 0.5 * (low + high);
            if middle(z) < pressure { low = z } else { high = z }
        }
        let first = low;
        // Beyond: dF/dz and dW/dz, by the classical Runge–Kutta rule, until the energy is spent.
        let rate = |z: f64, [force, _]: [f64; 2]| {
            let grows = 2.0 * z * (2.0 * PI * pressure * z * z - (2.0 * PI * WORK * modulus).sqrt() * z);
            [grows, force * (4.0 * z.powi(3) / radius - root)]
        };
        let h = first / 4000.0;
        let step = |z: f64, at: [f64; 2], h: f64| {
            let plus = |k: [f64; 2], by: f64| [at[0] + by * k[0], at[1] + by * k[1]];
            let k1 = rate(z, at);
            let k2 = rate(z + 0.5 * h, plus(k1, 0.5 * h));
            let k3 = rate(z + 0.5 * h, plus(k2, 0.5 * h));
            let k4 = rate(z + h, plus(k3, h));
            core::array::from_fn(|i| at[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
        };
        let (mut z, mut at) = (first, [self.jkr(radius, first), self.elastic(radius, touch, first)]);
        assert!(at[1] < energy, "it does not yield");
        loop {
            let next: [f64; 2] = step(z, at, h);
            if next[1] > energy {
                break;
            }
            (z, at) = (z + h, next);
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let part = 0.5 * (low + high);
            if step(z, at, part)[1] < energy { low = part } else { high = part }
        }
        let (z, force) = (z + low, step(z, at, low)[0]);
        let flatter =
            4.0 * modulus * z.powi(6) / (3.0 * (force + (8.0 * PI * WORK * modulus).sqrt() * z.powi(3)));
        // dδ/dz vanishes where it tears off.
        let last = (0.25 * flatter * root).cbrt();
        let given = -self.elastic(flatter, z, last);
        let left = z.powi(4) * (1.0 / radius - 1.0 / flatter);
        let adhesion = self.elastic(flatter, (flatter * root).cbrt(), last);
        let back = given.max(0.0);
        End {
            restitution: (back / energy).sqrt(),
            plastic: energy - given - adhesion,
            adhesion,
            torn_at: left + self.overlap(flatter, last),
        }
    }
}

/// A ball that is thrown at a floor with this velocity, from so many steps above.
fn thrown(properties: &PairProperties, velocity: LabVec<f64>, steps: f64, phase: f64) -> Engine {
    let mut world = world(gum(), properties.clone());
    let ball = add_sphere(&mut world, RADIUS);
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    let ids = (MaterialId(0), MaterialId(0));
    let mass = 4.0 / 3.0 * PI * RADIUS.powi(3) * DENSITY;
    let time =
        LawKind::ThorntonNing.contact_time(&world.materials, ids, (RADIUS, mass), -velocity.z).unwrap();
    let dt = time / steps;
    world.add_body(Body::at(ball, Z * (RADIUS - phase * velocity.z * dt)).moving(velocity));
    let contact = ContactModel { law: LawKind::ThorntonNing, ..ContactModel::default() };
    Engine::new(world, Settings { contact, max_overlap: 1.0, ..Settings::new(dt) }).unwrap()
}

/// Runs until the contact has ended; none if the ball still sticks after so many steps.
fn leaves(engine: &mut Engine, most: u32) -> Option<LabVec<f64>> {
    let mut begun = false;
    for _ in 0..most {
        engine.advance(1).unwrap();
        let now = engine.contact_count() > 0;
        if begun && !now {
            return Some(engine.bodies()[0].velocity);
        }
        begun |= now;
    }
    None
}

fn entry(engine: &Engine, key: &str) -> f64 {
    engine.ledger().entries().filter(|entry| entry.0 == key).map(|entry| entry.1).sum()
}

/// The largest of errors at many phases, with the steps in a collision halved from one to the next.
fn worst(error: impl Fn(f64, f64) -> f64) -> [f64; 4] {
    [80.0, 160.0, 320.0, 640.0].map(|steps| {
        largest((0..12).map(|phase| {
            let part = f64::from(phase) / 12.0;
            error(steps * (1.0 + 0.07 * part), part)
        }))
    })
}

#[track_caller]
fn assert_second_order(what: &str, errors: &[f64; 4], finest: f64) {
    let order = order_of(errors);
    // The worst of so few phases wanders.
    assert!(order > 1.6 && errors[3] < finest, "{what}: order {order:.2}, {errors:?}");
}

/// Speeds, in m/s, from one that just yields, and tears off beyond touch, to one that leaves a dent many times as deep as JKR's contacts are drawn out.
const SPEEDS: [f64; 3] = [0.01, 0.05, 0.2];

fn integral() -> Integral {
    Integral { modulus: YOUNG / (2.0 * (1.0 - POISSON * POISSON)), radius: RADIUS, pressure: PRESSURE }
}

#[test]
fn collisions_are_those_of_the_law_integrated_apart() {
    let mass = 4.0 / 3.0 * PI * RADIUS.powi(3) * DENSITY;
    let ends = SPEEDS.map(|speed| integral().end(0.5 * mass * speed * speed));
    assert!(ends[0].torn_at < 0.0 && ends[2].torn_at > 0.0, "{ends:?}");
    for (speed, exact) in SPEEDS.into_iter().zip(ends) {
        let errors = worst(|steps, phase| {
            let mut engine = thrown(&smooth(WORK, PRESSURE), Z * -speed, steps, phase);
            let start = engine.ledger().balance();
            let velocity = leaves(&mut engine, 1_000_000).unwrap();
            assert_close("adhesion", entry(&engine, "adhesion"), exact.adhesion, 3e-4);
            let errors = [
                velocity.z / speed / exact.restitution,
                entry(&engine, "plastic") / exact.plastic,
                engine.ledger().balance() / start,
            ];
            largest(errors.map(|ratio| (ratio - 1.0).abs()))
        });
        assert_second_order(&format!("{speed} m/s"), &errors, 2e-4);
    }
}

/// A ball too slow to tear off again swings in its dent.
#[test]
fn slow_ones_stick_and_keep_their_books() {
    let mut engine = thrown(&smooth(WORK, PRESSURE), Z * -0.005, 400.0, 0.4);
    let start = engine.ledger().balance();
    assert_eq!(leaves(&mut engine, 20_000), None);
    assert_close("balance", engine.ledger().balance(), start, 1e-3);
    assert!(entry(&engine, "adhesion") == 0.0);
}

/// A dashpot and friction, which jump at the tear-off as well.
#[test]
fn the_books_of_oblique_collisions_close() {
    for speed in SPEEDS {
        let properties =
            PairProperties::new(0.9, 0.4).with(&WORK_OF_ADHESION, WORK).with(&YIELD_PRESSURE, PRESSURE);
        let properties = properties.with(&ADHESIVE_FRICTION, 2.0);
        let errors = worst(|steps, phase| {
            let mut engine = thrown(&properties, Z * -speed + X * (2.0 * speed), steps, phase);
            let start = engine.ledger().balance();
            leaves(&mut engine, 1_000_000).unwrap();
            let end = engine.ledger();
            assert!(end.normal_damping > 0.0 && end.sliding > 0.0, "{end:?}");
            (end.balance() / start - 1.0).abs()
        });
        assert_second_order(&format!("{speed} m/s"), &errors, 1e-3);
    }
}

/// What has torn off within the overlap meets again where the flatter spheres touch, and gives back what it takes from there.
#[test]
fn a_dent_is_met_again_where_it_was_left() {
    let pair = pair::<ThorntonNing>(smooth(WORK, PRESSURE));
    let mut memory: Stuck<f64> = Record::zero();
    let mut lost = [0.0; 2];
    let (mut work, mut before, mut stored) = (0.0, (0.0, 0.0), 0.0);
    let mut forces = Vec::new();
    let turns = [0.0, 4e-5, 0.0, 4e-5, 6e-5, -1e-8];
    for ends in turns.windows(2) {
        let steps = 40_000;
        for step in 1..=steps {
            let overlap = ends[0] + (ends[1] - ends[0]) * f64::from(step) / f64::from(steps);
            let reaction = ThorntonNing::react(&pair, Contact::at_rest(Z, RADIUS, overlap), memory, 1e-6);
            memory = reaction.memory;
            let books = reaction.books;
            let force = reaction.force.z;
            if before.1 != 0.0 && force != 0.0 {
                work += 0.5 * (before.1 + force) * (overlap - before.0);
            }
            assert!(books.plastic >= -1e-14 * books.normal.abs() && books.drawn >= 0.0);
            lost = [lost[0] + books.plastic, lost[1] + books.drawn];
            (before, stored) = ((overlap, force), books.normal);
        }
        forces.push(before.1);
    }
    assert!(stored == 0.0 && forces[1] == 0.0 && forces[4] == 0.0, "{forces:?}");
    assert_close("force at the same depth", forces[2], forces[0], 1e-12);
    assert_close("work", work, lost[0] + lost[1], 1e-5);
}
