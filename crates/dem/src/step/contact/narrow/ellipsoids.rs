//! Pairs of pieces where some are ellipsoids: they touch as two spheres do that stand behind the points at which the pieces overlap the most.
//!
//! As for [capsules](super::capsules), what is told here is which pairs touch, and where those two spheres are. A round of the search is
//! done for all lanes before the next one.

use crate::bodies::Points;
use crate::contact::block::Block;
use crate::contact::lanes::{LANES, Lanes, row, set_four, set_row};
use crate::contact::{Key, image_shift};
use crate::engine::Space;
use crate::physics::ellipsoid::{FIRST_ROUNDS, Facing, ROUNDS, SEARCH, Search, ended, facing_along, settled};
use crate::physics::solid::{SOLID, Solid};
use crate::rows_by_id::index32;
use core::ops::Range;
use tumble_math::LabVec;
use tumble_rotation::batch::Kernel;

/// The pieces of each pair in lanes, and the searches for where they touch.
struct Pairs {
    points_a: [[Lanes; 4]; 4],
    points_b: [[Lanes; 4]; 4],
    a: [Lanes; SOLID],
    b: [Lanes; SOLID],
    /// For the second end of a capsule, for its first end, and for its axis.
    last: [Lanes; SEARCH],
    first: [Lanes; SEARCH],
    axis: [Lanes; SEARCH],
    /// Whether any piece is a capsule.
    capsules: bool,
}

impl Pairs {
    fn new(space: &Space) -> Self {
        let zero = Lanes::all(0.0);
        Self {
            points_a: [[zero; 4]; 4],
            points_b: [[zero; 4]; 4],
            a: [zero; SOLID],
            b: [zero; SOLID],
            last: [zero; SEARCH],
            first: [zero; SEARCH],
            axis: [zero; SEARCH],
            capsules: space.bodies.shapes.has_capsules,
        }
    }

    /// Puts the pieces at these places into lanes, the second of each pair where its image is that is near the first.
    #[inline(always)]
    fn set(&mut self, places: &[u32; LANES], space: &Space, one: f64) {
        let (pairs, bodies) = (&space.neighbours.pairs.spheres[..], &space.bodies);
        for group in 0..LANES / 4 {
            let lane = 4 * group;
            let four = [0, 1, 2, 3].map(|k| pairs[places[lane + k] as usize]);
            set_points(
                &mut self.points_a,
                lane,
                four.map(|[a, _]| bodies.points_of(a)),
                &bodies.spheres,
                one,
            );
            set_points(
                &mut self.points_b,
                lane,
                four.map(|[_, b]| bodies.points_of(b)),
                &bodies.spheres,
                one,
            );
        }
        if space.periods.any {
            for (lane, &place) in places.iter().enumerate() {
                let shift = image_shift(space, place as usize);
                for point in &mut self.points_b {
                    for (column, shift) in point.iter_mut().zip(shift) {
                        column[lane] += shift;
                    }
                }
            }
        }
        for k in 0..LANES {
            set_row(&mut self.a, k, solid(&self.points_a, k).to_array());
            set_row(&mut self.b, k, solid(&self.points_b, k).to_array());
        }
    }

    #[inline(always)]
    fn solids(&self, lane: usize) -> [Solid<f64>; 2] {
        [&self.a, &self.b].map(|of| Solid::from_array(row(of, lane)))
    }

    /// The first rounds of all lanes, and for each a bound from above of how far the two overlap, m: more than the greatest number where it is
    /// not known yet.
    #[inline(always)]
    fn begin(&mut self) -> Lanes {
        for k in 0..LANES {
            let [a, b] = self.solids(k);
            let [c, d] = ended(&a, &b, 1.0);
            set_row(&mut self.last, k, Search::of(&c, &d).to_array());
        }
        first_rounds(&mut self.last);
        let mut bound = Lanes::all(f64::INFINITY);
        if self.capsules {
            for k in 0..LANES {
                let [a, b] = self.solids(k);
                let [c, d] = ended(&a, &b, -1.0);
                set_row(&mut self.first, k, Search::of(&c, &d).to_array());
                set_row(&mut self.axis, k, Search::along_axis(&a, &b).to_array());
            }
            first_rounds(&mut self.first);
            first_rounds(&mut self.axis);
        } else {
            for k in 0..LANES {
                bound[k] = search(&self.last, k).overlap();
            }
        }
        bound
    }

    /// The other rounds.
    #[inline(always)]
    fn finish(&mut self) {
        rounds(&mut self.last);
        if self.capsules {
            rounds(&mut self.first);
            rounds(&mut self.axis);
        }
    }

    /// How the pieces in a lane touch.
    #[inline(always)]
    fn facing(&self, lane: usize) -> Facing<f64> {
        let [a, b] = self.solids(lane);
        let last = search(&self.last, lane);
        if self.capsules {
            let (first, axis) = (search(&self.first, lane), search(&self.axis, lane));
            let (search, [c, d]) = settled([&last, &first, &axis], &a, &b);
            facing_along(&search, [&c, &d], [&a, &b])
        } else {
            facing_along(&last, [&a, &b], [&a, &b])
        }
    }
}

#[inline(always)]
fn search(columns: &[Lanes; SEARCH], lane: usize) -> Search<f64> {
    Search::from_array(row(columns, lane))
}

#[inline(always)]
fn first_rounds(columns: &mut [Lanes; SEARCH]) {
    for _ in 0..FIRST_ROUNDS {
        for k in 0..LANES {
            set_row(columns, k, search(columns, k).closer().to_array());
        }
    }
    for k in 0..LANES {
        set_row(columns, k, search(columns, k).facing().to_array());
    }
}

#[inline(always)]
fn rounds(columns: &mut [Lanes; SEARCH]) {
    for _ in 0..ROUNDS {
        for k in 0..LANES {
            set_row(columns, k, search(columns, k).turned().to_array());
        }
    }
}

/// Puts the points of four pieces into lanes.
#[inline(always)]
fn set_points(
    points: &mut [[Lanes; 4]; 4],
    lane: usize,
    [k, l, m, n]: [Points; 4],
    spheres: &[[f64; 4]],
    one: f64,
) {
    for (number, columns) in points.iter_mut().enumerate() {
        let of = |points: Points| &spheres[points[number] as usize];
        set_four(columns, lane, [of(k), of(l), of(m), of(n)], one);
    }
}

#[inline(always)]
fn solid(points: &[[Lanes; 4]; 4], lane: usize) -> Solid<f64> {
    let point = |[x, y, z, _]: &[Lanes; 4]| LabVec::new(x[lane], y[lane], z[lane]);
    let [first, second, third, fourth] = points;
    Solid::of_points([point(first), point(second), point(third), point(fourth)], first[3][lane])
}

/// The search for pairs of pieces that touch.
pub(super) struct FindSolids<'a> {
    pub(super) space: &'a Space,
    pub(super) range: Range<usize>,
    /// How far beyond touch contacts are looked for, m.
    pub(super) reach: f64,
    pub(super) found: &'a mut Vec<u32>,
    /// See [`set_four`].
    pub(super) one: f64,
}

impl Kernel for FindSolids<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { space, range: Range { start, end }, reach, found, one } = self;
        found.clear();
        let mut pairs = Pairs::new(space);
        for first in (start..end).step_by(LANES) {
            // Lanes that are not used hold the last pair once more.
            let (mut places, last) = ([0; LANES], index32(end - 1));
            for (place, number) in places.iter_mut().zip(index32(first)..) {
                *place = if number < last { number } else { last };
            }
            pairs.set(&places, space, one);
            // Any direction bounds the overlap from above. Most blocks of a loose crowd end here.
            let bound = pairs.begin();
            if bound.iter().all(|bound| *bound <= -reach) {
                continue;
            }
            pairs.finish();
            for k in 0..LANES.min(end - first) {
                // What is no number is told by whoever asks where they touch.
                let apart = bound[k] <= -reach || pairs.facing(k).overlap <= -reach;
                if !apart {
                    found.push(places[k]);
                }
            }
        }
    }
}

/// Puts the spheres by which pieces touch into the lanes of a block.
pub(super) struct SetFacingSpheres<'a> {
    pub(super) block: &'a mut Block,
    pub(super) keys: &'a [Key],
    pub(super) space: &'a Space,
    /// See [`set_four`].
    pub(super) one: f64,
}

impl Kernel for SetFacingSpheres<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { block, keys, space, one } = self;
        let Some(last) = keys.last() else { return };
        // Lanes that are not used hold the last contact once more.
        let (mut pairs, mut places) = (Pairs::new(space), [last.place; LANES]);
        for (place, key) in places.iter_mut().zip(keys) {
            *place = key.place;
        }
        pairs.set(&places, space, one);
        pairs.begin();
        pairs.finish();
        for k in 0..LANES {
            let facing = pairs.facing(k);
            set_row(&mut block.sphere_a, k, facing.first.to_array());
            set_row(&mut block.sphere_b, k, facing.second.to_array());
        }
    }
}
