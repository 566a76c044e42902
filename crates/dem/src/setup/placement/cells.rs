//! Spheres by the cell that their centre is in, to find those near a point while more are put in.
//!
//! Spheres of similar size share a level, whose cells are as wide as its largest sphere, so that a boulder
//! does not blow up the cells of the sand. Levels come into being with their first sphere; how many cells
//! they have is bounded by the number of spheres expected, however large the box. Centres beyond the box
//! belong to its outermost cells.

use crate::domain::{Axis, Domain};
use crate::neighbour::{fold, spread, wrapped};
use core::ops::ControlFlow;
use tumble_math::LabVec;

/// A sphere that was put in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) centre: LabVec<f64>,
    pub(super) radius: f64,
    /// The number of its body, and its own number in it.
    pub(super) body: u32,
    pub(super) sphere: u32,
    /// The one put into the same cell before, or `NONE`.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// Beyond so many halvings of the radius, spheres share the cells of the last level.
const MOST_LEVELS: usize = 16;

/// Cells per expected sphere, at most: a level of spheres that fill a tenth of the box has this many.
const CELLS_PER_SPHERE: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Cells {
    low: [f64; 3],
    high: [f64; 3],
    domain: Domain,
    /// Which axes are periodic, and whether any is.
    periodic: [bool; 3],
    any_periodic: bool,
    largest: f64,
    expected: usize,
    levels: Vec<Option<Level>>,
    spheres: Vec<Placed>,
}

/// The cells of spheres whose radii are within a factor of two.
#[derive(Clone, Debug)]
struct Level {
    largest: f64,
    low: [f64; 3],
    counts: [i64; 3],
    /// Cells per length; zero for an axis with one cell.
    density: [f64; 3],
    /// Along such axes, cells that are `counts` apart share one.
    periodic: [bool; 3],
    /// The sphere put into each cell last, or `NONE`.
    last: Vec<u32>,
}

impl Cells {
    /// Cells over a box, along periodic axes over the domain, for about so many spheres up to this radius.
    pub(super) fn new(
        low: LabVec<f64>,
        high: LabVec<f64>,
        domain: &Domain,
        largest: f64,
        expected: usize,
    ) -> Self {
        let (mut low, mut high, mut periodic) = (low.to_array(), high.to_array(), [false; 3]);
        for (axis, kind) in domain.axes.iter().enumerate() {
            if let Axis::Periodic { low: from, high: to } = *kind {
                (low[axis], high[axis], periodic[axis]) = (from, to, true);
            }
        }
        let any_periodic = domain.is_periodic();
        let levels = vec![None; MOST_LEVELS];
        Self {
            low,
            high,
            domain: *domain,
            periodic,
            any_periodic,
            largest,
            expected,
            levels,
            spheres: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, centre: LabVec<f64>, radius: f64, body: u32, sphere: u32) {
        let centre = self.wrap(centre);
        let (mut number, mut upper) = (0, self.largest);
        while radius <= 0.5 * upper && number + 1 < MOST_LEVELS {
            upper *= 0.5;
            number += 1;
        }
        let level = self.levels[number].get_or_insert_with(|| {
            Level::new(self.low, self.high, self.periodic, upper.max(radius), self.expected)
        });
        level.largest = level.largest.max(radius);
        let cell = level.cell(level.index(centre));
        let number = u32::try_from(self.spheres.len()).unwrap_or(NONE);
        self.spheres.push(Placed { centre, radius, body, sphere, next: level.last[cell] });
        level.last[cell] = number;
    }

    /// Whether no sphere overlaps this one.
    pub(super) fn is_free(&self, centre: LabVec<f64>, radius: f64) -> bool {
        let apart = |other: &Placed, square: f64| {
            let reach = radius + other.radius;
            if square >= reach * reach { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.visit_near(centre, radius, apart).is_continue()
    }

    /// Visits all spheres whose surfaces are within `reach` of a point, and some that are farther, with the
    /// squared distance of the nearest image of their centre, until told to stop.
    #[inline]
    pub(super) fn visit_near(
        &self,
        centre: LabVec<f64>,
        reach: f64,
        mut visit: impl FnMut(&Placed, f64) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let centre = self.wrap(centre);
        for level in self.levels.iter().flatten() {
            let [xs, ys, zs] = self.ranges(level, centre, reach + level.largest);
            for z in zs.0..=zs.1 {
                let z = wrapped(z, level.counts[2]);
                for y in ys.0..=ys.1 {
                    let y = wrapped(y, level.counts[1]);
                    for x in xs.0..=xs.1 {
                        let mut number = level.last[level.cell([wrapped(x, level.counts[0]), y, z])];
                        while let Some(other) = self.spheres.get(number as usize) {
                            let between = if self.any_periodic {
                                self.domain.nearest(centre, other.centre)
                            } else {
                                other.centre - centre
                            };
                            visit(other, between.norm_squared())?;
                            number = other.next;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn wrap(&self, centre: LabVec<f64>) -> LabVec<f64> {
        if self.any_periodic { self.domain.wrap(centre) } else { centre }
    }

    /// The first and last cell of a level within `reach` along each axis; beyond the ends of a periodic one.
    #[inline]
    fn ranges(&self, level: &Level, centre: LabVec<f64>, reach: f64) -> [(i64, i64); 3] {
        let corner = LabVec::new(reach, reach, reach);
        let (from, to) = (level.index(centre - corner), level.index(centre + corner));
        core::array::from_fn(|axis| {
            let (from, to, last) = (from[axis], to[axis], level.counts[axis] - 1);
            if !self.periodic[axis] {
                (from.clamp(0, last), to.clamp(0, last))
            } else if to - from >= last {
                (0, last)
            } else {
                let first = from.rem_euclid(last + 1);
                (first, first + (to - from))
            }
        })
    }
}

impl Level {
    fn new(low: [f64; 3], high: [f64; 3], periodic: [bool; 3], largest: f64, expected: usize) -> Self {
        let most = (CELLS_PER_SPHERE * expected + 64) as f64;
        let lengths: [f64; 3] = core::array::from_fn(|axis| high[axis] - low[axis]);
        let size = 2.0 * largest;
        let needed = lengths.map(|length| (length / size).max(1.0)).into_iter().product::<f64>();
        let (counts, density) = if needed > most && periodic.contains(&true) {
            fold(lengths, size, periodic, most)
        } else {
            spread(lengths, size, most)
        };
        let cells = usize::try_from(counts.iter().product::<i64>()).unwrap_or(1);
        Self { largest, low, counts, density, periodic, last: vec![NONE; cells] }
    }

    /// The cell of a point along each axis; beyond the grid if the point is.
    #[inline]
    fn index(&self, point: LabVec<f64>) -> [i64; 3] {
        const FAR: f64 = 1e12;
        let point = point.to_array();
        core::array::from_fn(|axis| {
            let cells = (point[axis] - self.low[axis]) * self.density[axis];
            #[allow(clippy::cast_possible_truncation, reason = "clamped; NaN gives 0")]
            {
                cells.floor().clamp(-FAR, FAR) as i64
            }
        })
    }

    #[inline]
    fn cell(&self, index: [i64; 3]) -> usize {
        let [x, y, z] = core::array::from_fn(|axis| {
            let (index, n) = (index[axis], self.counts[axis]);
            if self.periodic[axis] { index.rem_euclid(n) } else { index.clamp(0, n - 1) }
        });
        usize::try_from(x + self.counts[0] * (y + self.counts[1] * z)).unwrap_or(0)
    }
}
