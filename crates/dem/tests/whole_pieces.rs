//! Guarantee: how pieces touch that are no spheres, and ellipsoids and walls, is made of functions that replay to the same bits when recorded and give
//! them as printed C, in both precisions; and one after the other they are the whole that the processor computes.

use crate::printing::{Bits, Printed, check_printed, words};
use tumble_dem::physics::ellipsoid::{FIRST_ROUNDS, ROUNDS, SEARCH, facing};
use tumble_dem::physics::solid::{SOLID, Solid};
use tumble_dem::physics::trace::{PieceKernel, Place};
use tumble_dem::random::Random;
use tumble_dem::record::{Record, to_numbers};
use tumble_math::{BodyVec, LabVec};

/// The four points of a piece and its radius: an ellipsoid, a capsule or a sphere, the ends of which are not where an ellipsoid's are.
fn points(random: &mut Random, centre: LabVec<f64>, kind: usize) -> Vec<f64> {
    let turn = random.orientation();
    let along = |x, y, z| centre + turn.to_lab(BodyVec::new(x, y, z));
    let [a, b, c] = [0; 3].map(|_| random.between(0.008, 0.012));
    let (points, radius) = match kind {
        0 => ([centre, along(a, 0.0, 0.0), along(0.0, b, 0.0), along(0.0, 0.0, c)], (a * b * c).cbrt()),
        1 => ([centre, along(a, 0.0, 0.0), centre, centre], b),
        _ => ([centre; 4], a),
    };
    points.iter().flat_map(|point| point.to_array()).chain([radius]).collect()
}

fn run(kernel: PieceKernel, numbers: &[f64]) -> Vec<f64> {
    kernel.evaluate(numbers)
}

/// Two solids side by side, one of which is an ellipsoid.
fn solids(random: &mut Random, other: usize) -> Vec<f64> {
    let apart = random.direction() * random.between(0.019, 0.026);
    let [a, b] = [(LabVec::zero(), 0), (apart, other)].map(|(centre, kind)| points(random, centre, kind));
    [run(PieceKernel::Solid, &a), run(PieceKernel::Solid, &b)].concat()
}

/// A search at its beginning, after its first rounds, and at its end.
fn searches(solids: &[f64], place: Place) -> [Vec<f64>; 3] {
    let begun = run(PieceKernel::Begin(place), solids);
    let first = (0..FIRST_ROUNDS).fold(begun.clone(), |search, _| run(PieceKernel::Closer, &search));
    let facing = run(PieceKernel::Facing, &first);
    let last = (0..ROUNDS).fold(facing.clone(), |search, _| run(PieceKernel::Turned, &search));
    [begun, facing, last]
}

fn one_of_three(random: &mut Random) -> usize {
    usize::try_from(random.bits() % 3).unwrap_or(0)
}

const PLACES: [Place; 3] = [Place::Last, Place::First, Place::Axis];

/// Numbers in the order of a recording.
fn numbers(random: &mut Random, kernel: PieceKernel) -> Vec<f64> {
    let [kind, place] = [0; 2].map(|_| one_of_three(random));
    let place = PLACES[place];
    let n = match kernel {
        PieceKernel::Nearest => {
            let mut ends = || (random.direction() * random.between(0.0, 0.03)).to_array();
            let four = [ends(), ends(), ends(), ends()].concat();
            [&four[..6], &[0.01], &four[6..], &[0.02]].concat()
        }
        PieceKernel::Solid => points(random, LabVec::new(0.01, 0.02, -0.01), kind),
        PieceKernel::Begin(_) => solids(random, kind),
        PieceKernel::Closer | PieceKernel::Facing => searches(&solids(random, kind), place)[0].clone(),
        PieceKernel::Turned | PieceKernel::Overlap => searches(&solids(random, kind), place)[1].clone(),
        PieceKernel::Touch => {
            let solids = solids(random, if kind == 1 { 2 } else { kind });
            let [.., last] = searches(&solids, Place::Last);
            [solids, last].concat()
        }
        PieceKernel::TouchOfAny => {
            let solids = solids(random, kind);
            let [a, b, c] = PLACES.map(|place| searches(&solids, place)[2].clone());
            [solids, a, b, c].concat()
        }
        PieceKernel::Height | PieceKernel::Behind => {
            [&solids(random, kind)[..SOLID], &random.direction().to_array()].concat()
        }
        PieceKernel::InTube => {
            let axis = LabVec::new(0.0, 0.6, 0.8).to_array();
            let across = [1.0, 0.0, 0.0];
            [&solids(random, kind)[..SOLID], &[0.01, 0.0, 0.02], &axis, &across, &[0.1]].concat()
        }
    };
    assert_eq!(n.len(), kernel.inputs(), "{kernel:?}");
    n
}

fn kernels<R: Bits>(runs: usize) -> Vec<Printed<R>> {
    let mut random = Random::new(41);
    let mut all = |kernel: PieceKernel| {
        let run = |_| {
            let given: Vec<R> = numbers(&mut random, kernel).into_iter().map(R::lit).collect();
            let became = kernel.evaluate(&given);
            [given, became]
        };
        let runs = (0..runs).map(run).collect();
        Printed { what: format!("{kernel:?}"), tape: kernel.record(), runs }
    };
    PieceKernel::ALL.map(&mut all).into()
}

fn replays<R: Bits>(found: bool) {
    for Printed { what, tape, runs } in kernels::<R>(300) {
        for [given, became] in runs {
            assert!(!found || became.iter().all(|&x| x.into().is_finite()), "{what}: {given:?}");
            assert_eq!(words(&tape.replay(&given)), words(&became), "{what}");
        }
    }
}

#[test]
fn a_touch_of_pieces_replays_to_the_same_bits_in_both_precisions() {
    replays::<f64>(true);
    // No direction is found as exactly as is asked for, and no radius is told.
    replays::<f32>(false);
}

#[test]
fn printed_c_of_pieces_gives_the_same_bits() {
    check_printed::<f64>("pieces", &kernels(20));
    check_printed::<f32>("pieces", &kernels(20));
}

/// The rounds, one by one, come to what is computed at once.
#[test]
fn rounds_one_by_one_are_the_whole() {
    let mut random = Random::new(7);
    for number in 0..300 {
        let solids = solids(&mut random, number % 3);
        let [a, b] = [0, SOLID].map(|at| Solid::read(&solids[..], at));
        let [last, first, axis] = PLACES.map(|place| searches(&solids, place)[2].clone());
        assert_eq!(last.len(), SEARCH);
        let found = run(PieceKernel::TouchOfAny, &[&solids[..], &last, &first, &axis].concat());
        assert_eq!(words(&found), words(&to_numbers(facing(&a, &b, true))), "{number}");
        if number % 3 != 1 {
            let found = run(PieceKernel::Touch, &[&solids[..], &last].concat());
            assert_eq!(words(&found), words(&to_numbers(facing(&a, &b, false))), "{number}");
        }
    }
}
