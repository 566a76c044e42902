//! Guarantee: the fixed number of rounds finds the direction of least overlap for all ratios of semi-axes that are allowed, with two rounds to
//! spare. It can break where the first rounds leave Newton's method too far away.

use super::{any_semi_axes, ellipsoid};
use crate::common::largest;
use tumble_dem::LabVec;
use tumble_dem::physics::ellipsoid::{FIRST_ROUNDS, MOST_SLENDER, ROUNDS, Search};
use tumble_dem::physics::solid::Solid;
use tumble_dem::random::Random;

/// Two ellipsoids and the direction in which they overlap the least, by so much of the smaller radius: the second is put where the normals at the two
/// points are opposite, which is what a minimum asks for, and there is one where the overlap is less than the radii of curvature.
fn pair(random: &mut Random, part: f64) -> [Solid<f64>; 2] {
    let [a, b] =
        [0; 2].map(|_| ellipsoid(any_semi_axes(random, MOST_SLENDER), LabVec::zero(), random.orientation()));
    let n = random.direction();
    let overlap = part * a.radius.min(b.radius);
    let centre = a.farthest(n) - b.farthest(-n) - n * overlap;
    [a, Solid { centre, ..b }]
}

/// After how many rounds of Newton's method the direction stays the same to twelve digits.
fn rounds_needed(a: &Solid<f64>, b: &Solid<f64>) -> usize {
    let mut search = Search::of(a, b);
    for _ in 0..FIRST_ROUNDS {
        search = search.closer();
    }
    let mut directions = vec![search.facing()];
    for _ in 0..2 * ROUNDS {
        directions.push(directions[directions.len() - 1].turned());
    }
    let last = directions[directions.len() - 1].normal;
    directions.iter().position(|search| (search.normal - last).norm() < 1e-12).unwrap()
}

#[test]
fn two_fewer_would_do() {
    let mut random = Random::new(1);
    let mut most = 0;
    for part in [-0.1, -0.01, 0.0, 0.01, 0.1] {
        for _ in 0..20_000 {
            let [a, b] = pair(&mut random, part);
            most = most.max(rounds_needed(&a, &b));
        }
    }
    assert!(most + 2 <= ROUNDS && most > 3, "{most} rounds of {ROUNDS}");
}

/// The first rounds alone give the direction where two touch: there both problems have the same answer.
#[test]
fn at_a_touch_the_first_rounds_lead_there() {
    let mut random = Random::new(2);
    let off = largest((0..2000).map(|_| {
        let [a, b] = pair(&mut random, 0.0);
        let mut search = Search::of(&a, &b);
        for _ in 0..60 {
            search = search.closer();
        }
        search.facing().overlap().abs() / a.radius.min(b.radius)
    }));
    assert!(off < 1e-12, "{off:e}");
}
