//! The energy books of driven contacts: work + stored + lost stays zero, to second order in the step.

use crate::common::for_every_law;
use crate::law::bench::{self, Energies, UP, largest};
use std::f64::consts::PI;
use tumble_dem::law::{
    Constants, Contact, ContactLaw, ContactModel, ContactVisitor, RollingModel, TwistingModel, react,
};
use tumble_dem::law::{HertzMindlin, LawKind, Linear, rolling, twisting};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::record::Record;
use tumble_math::LabVec;

/// A prescribed motion for 0 ≤ t ≤ 1 (in units of `PERIOD`): value and rate.
type Path = fn(f64) -> (f64, f64);

#[derive(Clone, Copy)]
struct Drive {
    overlap: Path,
    /// Along x and along y.
    slide: [Path; 2],
    /// About x, and about the normal.
    turn: [Path; 2],
}

const PERIOD: f64 = 1e-3;
const DEPTH: f64 = 1e-5;
const RADIUS: f64 = 5e-3;

fn still(_: f64) -> (f64, f64) {
    (0.0, 0.0)
}
/// In and out: a whole contact.
fn pulse(t: f64) -> (f64, f64) {
    let (s, c) = (PI * t).sin_cos();
    (s * s, 2.0 * PI * s * c)
}
/// A contact that lasts, and whose overlap goes up, down, and up again.
fn squeeze(t: f64) -> (f64, f64) {
    let (s, c) = (1.5 * PI * t).sin_cos();
    (1.0 + 0.6 * s * s, 1.8 * PI * s * c)
}
/// There and back, beginning and ending at rest.
fn sway(t: f64) -> (f64, f64) {
    let (s, c) = (PI * t).sin_cos();
    (s * s, 2.0 * PI * s * c)
}
/// To one side, to the other, and back, beginning and ending at rest.
fn shake(t: f64) -> (f64, f64) {
    let ((s, c), (s2, c2)) = ((PI * t).sin_cos(), (2.5 * PI * t).sin_cos());
    (s * s * s2, 2.0 * PI * s * c * s2 + 2.5 * PI * s * s * c2)
}

/// The largest excess of the books at any instant, and at the end, over the largest energy in them.
fn excess<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
    constants: &Constants<L, Ro, Tw, f64>,
    drive: Drive,
    n: u32,
) -> [f64; 2] {
    let dt = PERIOD / f64::from(n);
    let reach = 0.5 * DEPTH;
    let at = |path: Path, scale: f64, i: u32| {
        let (value, rate) = path(f64::from(i) / f64::from(n));
        (scale * value, scale * rate / PERIOD)
    };
    let contact = |i: u32| {
        let before = i.saturating_sub(1);
        let moved = |path: Path, scale: f64| at(path, scale, i).0 - at(path, scale, before).0;
        let overlap = at(drive.overlap, DEPTH, i);
        let ([x, y], [roll, twist]) = (drive.slide, drive.turn);
        let angle = reach / RADIUS;
        Contact {
            overlap_before: at(drive.overlap, DEPTH, before).0,
            velocity: LabVec::new(at(x, reach, i).1, at(y, reach, i).1, -overlap.1),
            spin: LabVec::new(at(roll, angle, i).1, 0.0, at(twist, 40.0 * angle, i).1),
            slide: LabVec::new(moved(x, reach), moved(y, reach), 0.0),
            turn: LabVec::new(moved(roll, angle), 0.0, moved(twist, 40.0 * angle)),
            mass: 1e-3,
            inertia: 1e-8,
            ..Contact::at_rest(UP, RADIUS, overlap.0)
        }
    };
    let mut history = Record::zero();
    let mut step = |i: u32| {
        let now = contact(i);
        let reacted = react::<L, Ro, Tw, f64>(constants, now, history, dt);
        history = reacted.history;
        let power = reacted.force.dot(now.velocity) + reacted.torque.dot(now.spin);
        (Energies::of_model(&reacted), power)
    };

    // As if it had been at rest before, with the overlap that it has.
    let (first, mut last_power) = step(0);
    let (mut work, mut lost, mut scale) = (0.0, 0.0, 0.0_f64);
    let mut balances = Vec::new();
    for i in 1..=n {
        let (energies, power) = step(i);
        energies.assert_no_gain();
        work += 0.5 * dt * (last_power + power);
        last_power = power;
        lost += energies.lost();
        scale = scale.max(energies.stored).max(lost);
        // The dashpots are counted as power × Δt; by the trapezoid rule the last one counts half.
        balances.push(work + energies.stored - first.stored + lost - 0.5 * energies.damped);
    }
    let end = balances.last().map_or(f64::NAN, |b| b.abs());
    [largest(balances.into_iter().map(f64::abs)) / scale, end / scale]
}

fn constants<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(
    properties: PairProperties,
) -> Constants<L, Ro, Tw, f64> {
    let material = Material::new("m", 2500.0, 1e9, 0.25).with_stiffness(1e6);
    let properties = for_every_law(properties).with(&WORK_OF_ADHESION, 10.0);
    bench::constants::<L, Ro, Tw>(material.clone(), material, properties)
}

struct Excess {
    properties: PairProperties,
    drive: Drive,
    n: u32,
}

impl ContactVisitor for Excess {
    type Output = [f64; 2];
    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> [f64; 2] {
        excess::<L, Ro, Tw>(&constants::<L, Ro, Tw>(self.properties), self.drive, self.n)
    }
}

/// Measured order of the excess, and the excess with the finest step; `which` of the two of [`excess`].
fn order(model: ContactModel, properties: &PairProperties, drive: Drive, which: usize) -> (f64, f64) {
    let errors = [500, 1000, 2000, 4000, 8000]
        .map(|n| model.visit(Excess { properties: properties.clone(), drive, n }).unwrap()[which]);
    ((errors[0] / errors[4]).log2() / 4.0, errors[4])
}

#[track_caller]
fn assert_second_order(what: &str, (order, finest): (f64, f64)) {
    // Books that close to rounding are good enough, too.
    assert!(finest < 1e-11 || (order > 1.75 && finest < 1e-4), "{what}: order {order:.2}, finest {finest:e}");
}

#[test]
fn the_books_of_sticking_and_sliding_close_to_second_order() {
    let motions: [(&str, Path, [Path; 2]); 5] = [
        ("head-on", pulse, [still, still]),
        ("whole contact", pulse, [shake, sway]),
        ("lasting, to and fro", squeeze, [shake, still]),
        ("lasting, around", squeeze, [shake, sway]),
        ("lasting, squeezed only", squeeze, [still, still]),
    ];
    for &law in LawKind::ALL {
        let model = ContactModel { law, ..ContactModel::default() };
        for (motion, overlap, slide) in motions {
            for (regime, friction) in
                [("stick", 50.0), ("stick and slip", 0.3), ("slip", 0.02), ("smooth", 0.0)]
            {
                for restitution in [1.0, 0.8, 0.3] {
                    let properties = PairProperties::new(restitution, friction);
                    let drive = Drive { overlap, slide, turn: [still, still] };
                    let what = format!("{} {motion} {regime} e = {restitution}", law.name());
                    assert_second_order(&what, order(model, &properties, drive, 0));
                }
            }
        }
    }
}

#[test]
fn the_books_of_rolling_and_twisting_close_to_second_order() {
    let properties = PairProperties::new(0.8, 0.3).with_rolling(0.05, 0.3).with_twisting(0.3);
    for model in ContactModel::all() {
        for overlap in [pulse as Path, squeeze] {
            let drive = Drive { overlap, slide: [shake, sway], turn: [shake, sway] };
            let what = format!("{model:?}");
            assert_second_order(&what, order(model, &properties, drive, 0));
        }
    }
}

/// The tangential spring itself is second order in the step, through stiffening, softening and sliding.
#[test]
fn the_tangential_force_is_second_order() {
    fn force<L: ContactLaw>(friction: f64, n: u32) -> f64 {
        let properties = PairProperties::new(0.7, friction);
        let pair = constants::<L, rolling::None, twisting::None>(properties);
        let dt = PERIOD / f64::from(n);
        let mut memory = Record::zero();
        let mut force = f64::NAN;
        // Up to an instant in the middle of the motion.
        for i in 1..=n * 4 / 5 {
            let (t, before) = (f64::from(i) / f64::from(n), f64::from(i - 1) / f64::from(n));
            let slide = 0.5 * DEPTH;
            let contact = Contact {
                overlap_before: DEPTH * squeeze(before).0,
                velocity: LabVec::new(slide * shake(t).1, 0.0, -DEPTH * squeeze(t).1) * (1.0 / PERIOD),
                slide: LabVec::new(slide * (shake(t).0 - shake(before).0), 0.0, 0.0),
                mass: 1e-3,
                ..Contact::at_rest(UP, RADIUS, DEPTH * squeeze(t).0)
            };
            let reaction = L::react(&pair.law, contact, memory, dt);
            memory = reaction.memory;
            force = reaction.force.x;
        }
        force
    }
    for friction in [50.0, 0.3] {
        for law in [force::<HertzMindlin> as fn(f64, u32) -> f64, force::<Linear>] {
            let limit = law(friction, 1_000_000);
            // Where it begins to slide within a step matters: the worst of several steps of about the same
            // size.
            let worst = |n: u32| {
                largest((0..20).map(|i| (law(friction, n + n / 100 / 5 * 5 * i) / limit - 1.0).abs()))
            };
            let errors = [500, 4000].map(worst);
            let order = (errors[0] / errors[1]).log2() / 3.0;
            assert!(errors[1] < 1e-12 || order > 1.8, "friction {friction}: order {order:.2}, {errors:?}");
        }
    }
}

/// The cycle of Elata & Berryman: load tangentially when shallow, unload when deep or the other way round. A
/// spring whose stiffness just follows the overlap gives energy back that it never got.
#[test]
fn no_cycle_of_squeezing_and_sliding_gains_energy() {
    let properties = PairProperties::new(1.0, 1e6);
    let pair = constants::<HertzMindlin, rolling::None, twisting::None>(properties).law;
    let depth_then_slide: [[(f64, f64); 5]; 2] = [
        [(1.0, 0.0), (1.0, 1.0), (4.0, 1.0), (4.0, 0.0), (1.0, 0.0)],
        [(4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 0.0), (4.0, 0.0)],
    ];
    for corners in depth_then_slide {
        let (mut memory, mut overlap_before) = (Record::zero(), DEPTH * corners[0].0);
        let (mut work, mut lost, mut stored) = (0.0, 0.0, 0.0);
        let mut last: LabVec<f64> = LabVec::zero();
        for side in corners.windows(2) {
            for i in 1..=1000 {
                let part = f64::from(i) / 1000.0;
                let slide = LabVec::new(0.001 * (side[1].1 - side[0].1) * 0.1 * DEPTH, 0.0, 0.0);
                let overlap = DEPTH * (side[0].0 + part * (side[1].0 - side[0].0));
                let contact =
                    Contact { overlap_before, slide, mass: 1e-3, ..Contact::at_rest(UP, RADIUS, overlap) };
                let reaction = HertzMindlin::react(&pair, contact, memory, 1e-6);
                (memory, overlap_before) = (reaction.memory, overlap);
                work += 0.5 * (last + reaction.force).dot(slide);
                last = reaction.force;
                lost += Energies::of(reaction.books).lost();
                stored = reaction.books.tangential;
            }
        }
        // Done by the contact: negative, and what is not stored is lost.
        assert!(work < 0.0 && lost > 0.0, "work {work:e}, lost {lost:e}");
        assert!((work + stored + lost).abs() < 1e-12 * lost, "{work:e} + {stored:e} + {lost:e}");
    }
}
