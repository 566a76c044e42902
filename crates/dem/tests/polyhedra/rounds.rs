//! Guarantee: the fixed number of rounds finds where two edges overlap the most, for all roundings that are allowed, also for edges that are nearly or exactly parallel, with
//! rounds to spare. It can break where a round of Newton's method goes too far.

use tumble_dem::LabVec;
use tumble_dem::physics::edge::{Edge, EdgeSearch, ROUNDS};
use tumble_dem::random::Random;

fn any_between(random: &mut Random, low: f64, high: f64) -> f64 {
    (random.between(low.ln(), high.ln())).exp()
}

/// Two edges, a distance apart at places on both where the lesser radius is not too small a part of the sum.
fn pair(random: &mut Random, parallel: bool) -> [Edge<f64>; 2] {
    let along = random.direction();
    let other = if parallel {
        let tilt = if random.uniform() < 0.2 { 0.0 } else { any_between(random, 1e-12, 0.1) };
        (along + random.direction() * tilt).unit() * if random.uniform() < 0.5 { 1.0 } else { -1.0 }
    } else {
        random.direction()
    };
    let halves = [0; 2].map(|_| any_between(random, 0.3, 3.0));
    // From the sharpest that is allowed to edges that are short beside their rounding.
    let first = halves[0] * any_between(random, 0.011, 3.0);
    let second = (first * any_between(random, 0.1, 10.0)).clamp(0.011 * halves[1], 3.0 * halves[1]);
    let across =
        if random.uniform() < 0.3 { random.direction() } else { along.cross(random.direction()).unit() };
    let gap = across * ((first + second) * random.between(0.6, 1.0));
    let places = halves.map(|half| half * random.between(-1.0, 1.0));
    let middle = gap - along * places[0] + other * places[1];
    let edge = |middle: LabVec<f64>, along: LabVec<f64>, half: f64, radius: f64| {
        Edge::between([middle - along * half, middle + along * half], radius)
    };
    [edge(middle, along, halves[0], first), edge(LabVec::zero(), other, halves[1], second)]
}

/// After how many rounds the maximum is found, if the edges overlap by no more than a run allows.
fn rounds_needed([a, b]: &[Edge<f64>; 2]) -> Option<usize> {
    let mut search = EdgeSearch::new(a, b);
    let mut needed = None;
    for round in 0..3 * ROUNDS {
        let ([first, _], overlap) = search.touch(a, b);
        if needed.is_none() && !first.radius.is_nan() {
            needed = Some((round, overlap));
        }
        search = search.nearer(a, b);
    }
    let (_, overlap) = search.touch(a, b);
    let smaller = a.radius.min(b.radius);
    let counts = (-0.1 * smaller..0.35 * smaller).contains(&overlap);
    assert!(!counts || needed.is_some(), "{a:?} {b:?}: not found, {overlap}");
    needed.filter(|_| counts).map(|(round, _)| round)
}

#[test]
fn fewer_would_do() {
    let mut random = Random::new(1);
    for (parallel, pairs) in [(false, 100_000), (true, 100_000)] {
        let needed = (0..pairs).filter_map(|_| rounds_needed(&pair(&mut random, parallel)));
        let (count, most) = needed.fold((0, 0), |(count, most), rounds| (count + 1, rounds.max(most)));
        assert!(
            count > 10_000 && most + 2 <= ROUNDS,
            "{count} pairs, parallel {parallel}: {most} rounds of {ROUNDS}"
        );
    }
}

/// On a grid over both edges no place overlaps more.
#[test]
fn no_other_place_overlaps_more() {
    const STEPS: i32 = 60;
    let mut random = Random::new(2);
    for number in 0..400 {
        let [a, b] = pair(&mut random, number % 2 == 0);
        let (_, overlap) = tumble_dem::physics::edge::touch(&a, &b);
        let place = |edge: &Edge<f64>, step: i32| {
            let s = edge.half * f64::from(step) / f64::from(STEPS);
            let w = ((s.abs() - edge.half + edge.taper) / edge.taper).max(0.0);
            let radius = edge.radius * (1.0 - 0.05 * (s / edge.half).powi(2) - 0.95 * w.powi(3));
            (edge.middle + edge.along * s, radius)
        };
        for i in -STEPS..=STEPS {
            for j in -STEPS..=STEPS {
                let ((p, r), (q, s)) = (place(&a, i), place(&b, j));
                assert!(r + s - (p - q).norm() < overlap + 1e-12);
            }
        }
    }
}
