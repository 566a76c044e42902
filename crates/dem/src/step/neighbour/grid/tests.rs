//! Pairs that are found are those that looking at all of them finds, and finding them costs what it should.

use super::*;
use crate::domain::Axis;
use tumble_math::LabVec;

/// Numbers in [0, 1), the same in every run.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

/// The squared distance to the nearest of all images beside the domain.
fn of_all_images(domain: &Domain, from: [f64; 3], to: [f64; 3]) -> f64 {
    let way = LabVec::from_array(to) - LabVec::from_array(from);
    domain.images().map(|image| (way + image).norm_squared()).fold(f64::INFINITY, f64::min)
}

/// Bodies together in a corner of a large periodic domain: each looks at its neighbourhood, not at all others, and
/// finds those on the other side of the corner as well.
#[test]
fn a_large_empty_domain_costs_nothing() {
    let threads = Threads::new(1).unwrap();
    let axis = |high: f64| Axis::Periodic { low: 0.0, high };
    for axes in [
        [axis(1e4), axis(1e4), axis(1e4)],
        [axis(1e6), axis(14.0), axis(14.0)],
        [axis(1e7), Axis::Open, axis(1e3)],
    ] {
        let domain = Domain::of(axes);
        let side = 12_i32;
        let place = |n: i32, k: usize| {
            // Around the corner, where periodic axes begin and end.
            let x = f64::from(n) - 0.5 * f64::from(side) + 0.25;
            let length = domain.lengths()[k];
            if x < 0.0 && length.is_finite() { x + length } else { x }
        };
        let cells = (0..side).flat_map(|z| (0..side).flat_map(move |y| (0..side).map(move |x| [x, y, z])));
        let balls: Vec<Ball> =
            cells.map(|n| Ball { centre: core::array::from_fn(|k| place(n[k], k)), radius: 0.5 }).collect();
        let grids = Grids::new(&balls, &domain, 0.05, &threads);
        let mut found = Vec::new();
        let mut looked_at = 0;
        for (row, ball) in balls.iter().enumerate() {
            grids.partners(row, ball, &mut found);
            let grid = &grids.levels[0];
            grid.for_each_near(ball.centre, 1.05, (0, 0), |others| looked_at += others.len());
        }
        let (n, pairs) = (balls.len(), 3 * 12 * 12 * 11);
        assert_eq!(found.len(), pairs, "{axes:?}");
        assert!(looked_at < 100 * n, "{axes:?}: {} for each", looked_at / n);
    }
}

#[test]
fn finds_the_same_pairs_as_looking_at_all() {
    let mut state = 7;
    for case in 0..63 {
        let threads = Threads::new(1 + case % 3).unwrap();
        let ratio = [1.0, 3.0, 100.0][case % 3];
        let sheared = |flow, gradient, by| {
            let tilt = Tilt { flow, gradient, by };
            Domain::periodic(LabVec::zero(), LabVec::new(1.0, 1.0, 1.0)).tilted(tilt)
        };
        // From few cells, each of which is visited once, to many.
        let largest = if case < 42 || ratio > 3.0 { 0.2 } else { 0.05 };
        let domain = match case % 7 {
            0 => Domain::open(),
            1 => Domain::periodic(LabVec::new(0.0, 0.0, 0.0), LabVec::new(1.0, 1.0, 1.0)),
            2 => Domain::of([Axis::Periodic { low: 0.0, high: 1.0 }, Axis::Open, Axis::Open]),
            3 => sheared(0, 1, 0.37),
            4 => sheared(2, 0, -0.5),
            5 => sheared(1, 2, 0.11),
            _ => Domain::of([Axis::Open, Axis::Open, Axis::Periodic { low: 0.0, high: 1.0 }]),
        };
        let balls: Vec<Ball> = (0..300)
            .map(|_| {
                let centre = core::array::from_fn(|_| uniform(&mut state));
                let size = uniform(&mut state);
                Ball { centre, radius: largest / (1.0 + (ratio - 1.0) * size * size) }
            })
            .collect();
        let skin = 0.01;
        let grids = Grids::new(&balls, &domain, skin, &threads);
        let mut found = Vec::new();
        for (row, ball) in balls.iter().enumerate() {
            grids.partners(row, ball, &mut found);
        }
        let unordered = |pair: &NearBodies| (pair.a.min(pair.b) as usize, pair.a.max(pair.b) as usize);
        let mut found: Vec<_> = found.iter().map(unordered).collect();
        found.sort_unstable();
        let mut expected = Vec::new();
        for a in 0..balls.len() {
            for b in a + 1..balls.len() {
                let near = balls[a].radius + balls[b].radius + skin;
                if of_all_images(&domain, balls[a].centre, balls[b].centre) < near * near {
                    expected.push((a, b));
                }
            }
        }
        assert!(expected.len() > 20, "case {case} is too empty to test anything");
        assert_eq!(found, expected, "case {case}");
    }
}
