//! Guarantee: everything that happens to a contact in a step is one function, which replays to the same bits when recorded and
//! gives them as printed C, for every law and resistance, in both precisions. So a GPU that runs the printed form agrees with
//! the CPU in all of it: geometry, motion at the point, turning of the frame, law, first and last kick, books.

use crate::law::bench::random_constants;
use crate::printing::{Bits, Printed, check_printed, words};
use tumble_dem::law::{ContactLaw, ContactModel, ContactVisitor, RollingModel, TwistingModel};
use tumble_dem::physics::contact::{Ahead, Remembered, Track};
use tumble_dem::physics::trace::{BodyKernel, Pieces, evaluate_numbers, flops, record};
use tumble_dem::random::Random;
use tumble_dem::record::{Record, to_numbers};

fn cases() -> impl Iterator<Item = (ContactModel, Pieces)> {
    ContactModel::all().flat_map(|model| Pieces::ALL.map(|pieces| (model, pieces)))
}

/// The numbers of a contact in the order of a recording: new and old ones, deep and shallow ones, damped or not.
fn numbers(random: &mut Random, model: ContactModel, pieces: Pieces) -> Vec<f64> {
    let mut n = Vec::new();
    let some = |random: &mut Random, scale: f64| -> [f64; 3] {
        let on = if random.uniform() < 0.1 { 0.0 } else { scale };
        (random.direction() * on).to_array()
    };
    let (radius_a, radius_b) = (random.between(1e-3, 5e-3), random.between(1e-3, 5e-3));
    let normal = random.direction();
    let depth = if random.uniform() < 0.3 { random.between(0.0, 1e-8) } else { random.between(-1e-7, 1e-5) };
    let centre = normal * (radius_a + radius_b - depth);
    let part = radius_a / (radius_a + radius_b);
    let point = centre - normal * ((radius_a + radius_b - depth) * part);
    match pieces {
        Pieces::Spheres => {
            n.extend(centre.to_array());
            n.extend([radius_a, 0.0, 0.0, 0.0, radius_b]);
        }
        Pieces::Known => {
            n.extend([depth, random.between(0.5, 1.0)]);
            n.extend(normal.to_array());
            n.extend(point.to_array());
            n.push(part * radius_b);
        }
    }
    for offset in [centre, centre * 0.0] {
        n.extend((offset + random.direction() * 2e-3).to_array());
        n.extend(some(random, 0.1));
        n.extend(some(random, 10.0));
        let axis = random.direction() * 0.8;
        n.extend([0.6, axis.x, axis.y, axis.z]);
        let held = random.uniform() < 0.05 && offset.norm() < 1e-9;
        n.extend((0..3).map(|_| if held { 0.0 } else { random.between(1e8, 1e9) }));
        n.push(if held { 0.0 } else { random.between(1e3, 1e5) });
    }
    let together = random.uniform() < 0.3;
    n.extend([
        if together { 0.5 } else { 1.0 },
        if together { 1e-4 } else { 0.0 },
        if together { 0.5 } else { 1.0 },
    ]);
    let known = random.uniform() < 0.7;
    n.push(if known { 1.0 } else { 0.0 });
    let past = if known { 1.0 } else { 0.0 };
    let track = Track {
        normal: (normal + random.direction() * 1e-3) * past,
        motion: random.direction() * (0.1 * past),
        overlap: depth.max(0.0) * past,
        ending: 1e-9 * past,
    };
    n.extend(model.visit(OfModel { random, track, past }).unwrap());
    let dt = random.between(1e-7, 1e-5);
    // Nothing at the start of a run; nothing with plain kicks.
    let mut or_zero = || if random.uniform() < 0.1 { 0.0 } else { dt };
    n.extend([dt, or_zero(), or_zero()]);
    assert_eq!(n.len(), pieces.inputs(model));
    n
}

/// The numbers that a model has for itself: its constants, and what it remembers.
struct OfModel<'a> {
    random: &'a mut Random,
    track: Track<f64>,
    past: f64,
}

impl ContactVisitor for OfModel<'_> {
    type Output = Vec<f64>;
    fn visit<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) -> Vec<f64> {
        let Self { random, track, past } = self;
        let mut n = random_constants::<L, M, T>(1e8, |low, high| random.between(low, high));
        let scales =
            [(L::Memory::<f64>::SIZE, 1e-2), (M::Memory::<f64>::SIZE + T::Memory::<f64>::SIZE, 1e-6)];
        let springs = scales.map(|(size, scale)| vec![scale * past; size]).concat();
        let springs: Vec<f64> = springs.into_iter().map(|scale| scale * random.between(-1.0, 1.0)).collect();
        let (spin, history) = (random.direction() * (10.0 * past), Record::read(&springs[..], 0));
        // Of a kick before that was thought to be the last.
        let given = if random.uniform() < 0.2 { past } else { 0.0 };
        let ahead = Ahead { force: 1e-2 * given * random.between(-1.0, 1.0), rest: given * random.uniform() };
        n.extend(to_numbers(Remembered::<L, M, T, f64> { track, spin, ahead, history }));
        n
    }
}

fn replays<R: Bits>() {
    let mut random = Random::new(7);
    for (model, pieces) in cases() {
        let tape = record(model, pieces);
        for _ in 0..500 {
            let given: Vec<R> = numbers(&mut random, model, pieces).into_iter().map(R::lit).collect();
            let direct = evaluate_numbers(model, pieces, &given).unwrap();
            assert!(direct.iter().all(|&x| x.into().is_finite()), "{model:?} {pieces:?}: {given:?}");
            assert_eq!(words(&tape.replay(&given)), words(&direct), "{model:?} {pieces:?}");
        }
    }
}

#[test]
fn a_contact_replays_to_the_same_bits_in_both_precisions() {
    replays::<f64>();
    replays::<f32>();
}

fn printed<R: Bits>() {
    let mut random = Random::new(11);
    let kernel = |(model, pieces): (ContactModel, Pieces)| {
        let mut run = || {
            let given: Vec<R> = numbers(&mut random, model, pieces).into_iter().map(R::lit).collect();
            let became = evaluate_numbers(model, pieces, &given).unwrap();
            [given, became]
        };
        let runs = (0..5).map(|_| run()).collect();
        Printed { what: format!("{model:?} {pieces:?}"), tape: record(model, pieces), runs }
    };
    check_printed("contacts", &cases().map(kernel).collect::<Vec<_>>());
}

#[test]
fn printed_c_gives_the_same_bits() {
    printed::<f64>();
    printed::<f32>();
}

#[test]
fn what_a_step_does_to_a_body_replays_to_the_same_bits() {
    fn check<R: Bits>() {
        let mut random = Random::new(5);
        for kernel in BodyKernel::ALL {
            let tape = kernel.record();
            for _ in 0..500 {
                let given: Vec<R> = (0..kernel.inputs()).map(|_| R::lit(random.between(-2.0, 2.0))).collect();
                assert_eq!(words(&tape.replay(&given)), words(&kernel.evaluate(&given)), "{kernel:?}");
            }
        }
    }
    check::<f64>();
    check::<f32>();
}

/// A law costs what the whole contact costs; a change shows here, so that it is made knowingly.
#[test]
fn the_cost_of_a_contact_is_known() {
    let cost = |name: &str| {
        let law = tumble_dem::law::LawKind::ALL.iter().copied().find(|law| law.name() == name).unwrap();
        flops(ContactModel { law, ..ContactModel::default() })
    };
    assert_eq!(["hertz", "linear", "hertz-mindlin"].map(cost), [191, 673, 712]);
}
