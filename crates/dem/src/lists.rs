//! The engine's side of the neighbour lists: when bodies are put in order, how wide the skin is, and what becomes of the
//! contacts when new lists are built.

use crate::bodies::Book;
use crate::calibration::{BUILD_COST, STEPS_PER_BUILD};
use crate::check::LARGEST_SKIN;
use crate::contact::{Contacts, Ended, Loose};
use crate::domain::Axis;
use crate::engine::Engine;
use crate::error::{Stop, StopCause};
use crate::ids::{MOST, index32};
use crate::integrate;
use crate::neighbour::{Crowded, morton_places};
use crate::random::Random;
use crate::step::REORDER_EVERY;
use crate::wall::Region;
use tumble_math::LabVec;

/// The skin, as parts of the mean radius of the spheres: at least, and at most.
const SKIN_RANGE: [f64; 2] = [0.05, 1.5];

impl Engine {
    /// Builds the neighbour lists for the present positions, with the skin that fits the present speeds.
    pub(crate) fn build_neighbours(&mut self, loose: &Loose) -> Result<(), Stop> {
        self.choose_skin();
        if self.steps.is_multiple_of(REORDER_EVERY) {
            self.bodies.curve = morton_places(&self.bodies);
            self.bodies.sort_rows();
        }
        self.shuffle();
        self.build_lists(loose)
    }

    /// Builds the lists and hands the contacts over.
    pub(crate) fn build_lists(&mut self, loose: &Loose) -> Result<(), Stop> {
        self.keep_stage_times();
        let motion = self.motion();
        integrate::place_all(&mut self.bodies, &motion, &self.threads);
        self.bodies.note_built(motion.staggered());
        self.neighbours.built_at = self.steps;
        self.neighbours.range = self.pairs.range;
        self.region = self.bounding_region();
        let (domain, walls, poses) = (&self.domain, &self.walls, &self.poses);
        let built = self.neighbours.build(&self.bodies, domain, walls, poses, self.set, &self.threads);
        let ended;
        (self.contacts, ended) = self.settle(loose);
        for Ended { row, energy } in ended {
            self.bodies.books[row as usize][Book::Separation as usize] += energy;
        }
        built.map_err(|Crowded| self.stop(0, StopCause::Crowded { most: MOST }))
    }

    /// Lays the rows out at random whenever lists are built, from the next time on. Nothing but the time it takes may
    /// change by it, which is what it is for: a test that no result depends on where bodies lie.
    #[doc(hidden)]
    pub fn shuffle_rows(&mut self, seed: u64) {
        self.shuffled = Some(Random::new(seed));
    }

    pub(crate) fn shuffle(&mut self) {
        if let Some(random) = &mut self.shuffled {
            let mut order: Vec<u32> = (0..index32(self.bodies.len())).collect();
            order.sort_by_cached_key(|_| random.bits());
            self.bodies.permute(&order);
        }
    }

    fn choose_skin(&mut self) {
        let radius = self.bodies.mean_radius;
        let mut wanted = 2.0 * STEPS_PER_BUILD * self.longest;
        if self.neighbours.builds > 0 && !self.bodies.id.is_empty() {
            // A step costs C/k for a build every k = s/2v steps and P(s) ∝ (2R + s)³ pairs to look through, per body.
            // The sum is least where C 2v/s² = 3P/(2R + s).
            let pairs = self.neighbours.pairs.spheres.len() as f64 / self.bodies.len() as f64;
            let room = 2.0 * radius + self.neighbours.skin;
            wanted = (BUILD_COST * 2.0 * self.longest * room / (3.0 * pairs.max(1.0))).sqrt();
        }
        let mut chosen = wanted.clamp(SKIN_RANGE[0] * radius, SKIN_RANGE[1] * radius);
        if self.domain.is_periodic() {
            // No two bodies may come near each other through two images.
            chosen = chosen.min(LARGEST_SKIN * self.bodies.largest());
        }
        // A contact that ends in this step still has to be in the lists, so that all that end do so in their order.
        let largest = self.bodies.largest();
        let taken = 2.0 * largest + self.pairs.range;
        let room = self.domain.lengths().into_iter().fold(f64::INFINITY, f64::min) / 2.0 - taken;
        let moved = (2.0 * self.longest + self.wall_way).min(LARGEST_SKIN * largest).min(room);
        self.neighbours.skin = self.settings.skin.unwrap_or(chosen).max(moved);
    }

    /// Brings bodies into a periodic domain that were put outside.
    pub(crate) fn wrap_positions(&mut self) {
        if self.domain.is_periodic() {
            for row in 0..self.bodies.len() {
                let position = self.domain.wrap(LabVec::from_array(self.bodies.position.row(row)));
                self.bodies.position.set_row(row, position.to_array());
                self.bodies.seen[row].position = position.to_array();
            }
        }
    }

    /// A ball that holds all bodies, and what they can reach before the next build. About the centre of the box that
    /// holds their centres, which does not depend on the order in which they are looked at.
    fn bounding_region(&self) -> Region {
        let positions = || self.bodies.position.iter();
        let none = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let (low, high) = positions().fold(none, |(low, high), at| {
            let pick = |of: fn(f64, f64) -> f64, ends: [f64; 3]| {
                core::array::from_fn(|axis| of(ends[axis], at[axis]))
            };
            (pick(f64::min, low), pick(f64::max, high))
        });
        if self.bodies.len() == 0 {
            return Region { centre: LabVec::zero(), radius: self.neighbours.skin + self.pairs.range };
        }
        // Along a periodic axis they may be anywhere before the next build.
        let ends: [[f64; 2]; 3] = core::array::from_fn(|axis| match self.domain.axes[axis] {
            Axis::Periodic { low, high } => [low, high],
            Axis::Open => [low[axis], high[axis]],
        });
        let centre = ends.map(|[low, high]| 0.5 * low + 0.5 * high);
        let reach = positions().zip(&self.bodies.bounding).map(|(at, bounding)| {
            let arm = core::array::from_fn(|axis| match self.domain.axes[axis] {
                Axis::Periodic { low, high } => 0.5 * (high - low),
                Axis::Open => at[axis] - centre[axis],
            });
            LabVec::from_array(arm).norm() + bounding
        });
        let radius = reach.fold(0.0, |a, b| if a > b { a } else { b });
        Region {
            centre: LabVec::from_array(centre),
            radius: radius + self.neighbours.skin + self.pairs.range,
        }
    }

    /// Gives contacts their places in the present lists, and tells those that have none.
    pub(crate) fn settle(&self, loose: &Loose) -> (Contacts, Vec<Ended>) {
        self.settle_apart(loose, 0)
    }

    /// The same, with no segment that goes across a place.
    pub(crate) fn settle_apart(&self, loose: &Loose, cut: usize) -> (Contacts, Vec<Ended>) {
        let (model, threads) = (self.settings.contact, self.threads.count());
        Contacts::settled(loose, &self.bodies, &self.neighbours, model, threads, cut)
    }
}
