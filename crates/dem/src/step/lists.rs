//! The engine's side of the neighbour lists: when bodies are put in order, how wide the skin is, and what becomes of the
//! contacts when new lists are built.

use crate::calibration::{BUILD_COST, STEPS_PER_BUILD};
use crate::check::LARGEST_SKIN;
use crate::contact::{Contacts, Detached, Ended};
use crate::domain::Axis;
use crate::engine::{Engine, Space};
use crate::error::{Stop, StopCause};
use crate::integrate;
use crate::neighbour::{Crowded, morton_places};
use crate::random::Random;
use crate::rows_by_id::{MOST, index32};
use crate::step::REORDER_EVERY;
use crate::wall::Region;
use tumble_math::LabVec;

/// The skin, as parts of the mean radius of the spheres: at least, and at most.
pub(crate) const SKIN_RANGE: [f64; 2] = [0.05, 1.5];

impl Engine {
    /// Builds the neighbour lists for the present positions, with the skin that fits the present speeds.
    pub(crate) fn build_neighbours(&mut self, detached: Vec<Detached>) -> Result<(), Stop> {
        self.choose_skin(self.space.neighbours.pairs.spheres.len(), self.space.bodies.len());
        if self.progress.steps.is_multiple_of(REORDER_EVERY) {
            self.space.bodies.curve = morton_places(&self.space.bodies, &self.threads);
            self.space.bodies.sort_rows(&mut self.sums, &self.threads);
        }
        self.shuffle();
        self.build_lists(detached)
    }

    /// Builds the lists and hands the contacts over.
    pub(crate) fn build_lists(&mut self, detached: Vec<Detached>) -> Result<(), Stop> {
        let region = self.bounding_region();
        let (ended, built) = self.build_lists_within(region, detached);
        for (book, Ended { row, energy, .. }) in &ended {
            self.sums.books.row_mut(*row as usize)[*book] += energy;
        }
        if self.has_heat() {
            self.note_parted(ended.iter().map(|(_, ended)| ended));
        }
        built
    }

    /// The same, with the ball that holds all bodies. Tells which contacts have no place in the new lists.
    pub(crate) fn build_lists_within(
        &mut self,
        region: Region,
        detached: Vec<Detached>,
    ) -> (Vec<(usize, Ended)>, Result<(), Stop>) {
        self.keep_stage_times();
        // They are all in `detached`, and need not be there twice.
        self.contacts = Vec::new();
        let mover = self.mover();
        integrate::place_all(&mut self.space.bodies, &mut self.sums, &mover, &self.threads);
        self.space.bodies.note_built(mover.staggered(), &self.threads);
        self.space.neighbours.built_at = self.progress.steps;
        self.space.free.iter_mut().for_each(|wall| wall.built = wall.place);
        if let Some(cell) = &mut self.space.cell {
            cell.built = (cell.lengths, cell.tilt());
        }
        self.bonds.settle(&self.space.bodies);
        self.space.neighbours.range = self.rules.groups.range(self.space.bodies.largest);
        self.space.region = region;
        let (domain, walls, poses) = (&self.space.domain, &self.space.walls, &self.space.poses);
        let built = self.space.neighbours.build(
            (&self.space.bodies, &self.bonds),
            domain,
            walls,
            poses,
            (self.rules.set, &self.rules.thresholds),
            &self.threads,
        );
        self.space.neighbours.part_by_group(&self.space.bodies, walls, &self.rules.groups, &self.threads);
        let ended;
        (self.contacts, ended) = self.attach(detached);
        (ended, built.map_err(|Crowded| self.stop(0, StopCause::Crowded { most: MOST })))
    }

    /// Lays the rows out at random whenever lists are built, from the next time on. Nothing but the time it takes may
    /// change by it, which is what it is for: a test that no result depends on where bodies lie.
    #[doc(hidden)]
    pub fn shuffle_rows(&mut self, seed: u64) {
        self.shuffled = Some(Random::new(seed));
    }

    pub(crate) fn shuffle(&mut self) {
        if let Some(random) = &mut self.shuffled {
            let mut order: Vec<u32> = (0..index32(self.space.bodies.len())).collect();
            order.sort_by_cached_key(|_| random.bits());
            self.space.bodies.permute(&mut self.sums, &order, &self.threads);
        }
    }

    /// A skin that fits the present speeds and the number of pairs in the lists of all bodies.
    pub(crate) fn choose_skin(&mut self, pairs: usize, bodies: usize) {
        let radius = self.space.bodies.mean_radius;
        let mut wanted = 2.0 * STEPS_PER_BUILD * self.progress.longest;
        if self.space.neighbours.builds > 0 && bodies > 0 {
            // A step costs C/k for a build every k = s/2v steps and P(s) ∝ (2R + s)³ pairs to look through, per body.
            // The sum is least where C 2v/s² = 3P/(2R + s).
            let pairs = pairs as f64 / bodies as f64;
            let room = 2.0 * radius + self.space.neighbours.skin;
            wanted = (BUILD_COST * 2.0 * self.progress.longest * room / (3.0 * pairs.max(1.0))).sqrt();
        }
        let mut chosen = wanted.clamp(SKIN_RANGE[0] * radius, SKIN_RANGE[1] * radius);
        if self.space.domain.is_periodic() {
            // No two bodies may come near each other through two images.
            chosen = chosen.min(LARGEST_SKIN * self.space.bodies.largest);
        }
        // A contact that ends in this step still has to be in the lists, so that all that end do so in their order.
        let largest = self.space.bodies.largest;
        let room = self.space.domain.lengths().into_iter().fold(f64::INFINITY, f64::min) / 2.0
            - (2.0 * largest + self.rules.groups.range(largest));
        let moved = (2.0 * self.progress.longest + self.progress.wall_displacement)
            .min(LARGEST_SKIN * largest)
            .min(room);
        self.space.neighbours.skin = self.rules.settings.skin.unwrap_or(chosen).max(moved);
    }

    /// Brings bodies into a periodic domain that were put outside.
    pub(crate) fn wrap_positions(&mut self) {
        if self.space.domain.is_periodic() {
            for row in 0..self.space.bodies.len() {
                let position =
                    self.space.domain.wrap(LabVec::from_array(self.space.bodies.position.row(row)));
                self.space.bodies.position.set_row(row, position.to_array());
                self.space.bodies.at_force[row].position = position.to_array();
            }
        }
    }

    /// A ball that holds all bodies, and what they can reach before the next build. About the centre of the box that
    /// holds their centres, which does not depend on the order in which they are looked at.
    fn bounding_region(&self) -> Region {
        if self.space.bodies.len() == 0 {
            return self.region(LabVec::zero(), 0.0);
        }
        let centre = self.region_centre(self.extent());
        self.region(centre, self.reach_from(centre))
    }

    /// The box that holds the centres of all bodies that are not ghosts: its low and its high corner.
    pub(crate) fn extent(&self) -> [[f64; 3]; 2] {
        let bodies = &self.space.bodies;
        let both = |a: [[f64; 3]; 2], b: [[f64; 3]; 2]| {
            let low = core::array::from_fn(|axis| a[0][axis].min(b[0][axis]));
            [low, core::array::from_fn(|axis| a[1][axis].max(b[1][axis]))]
        };
        let none = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let boxes = self.threads.split_range(bodies.len(), |rows| {
            let own = rows.into_iter().filter(|row| !bodies.ghost[*row]);
            own.map(|row| [bodies.position.row(row); 2]).fold(none, both)
        });
        boxes.into_iter().fold(none, both)
    }

    /// About what the region lies.
    pub(crate) fn region_centre(&self, [low, high]: [[f64; 3]; 2]) -> LabVec<f64> {
        // Along a periodic axis they may be anywhere before the next build.
        let ends: [[f64; 2]; 3] = core::array::from_fn(|axis| match self.space.domain.axes[axis] {
            Axis::Periodic { low, high } => [low, high],
            Axis::Open => [low[axis], high[axis]],
        });
        LabVec::from_array(ends.map(|[low, high]| 0.5 * low + 0.5 * high))
    }

    /// How far bodies that are not ghosts reach from there.
    pub(crate) fn reach_from(&self, centre: LabVec<f64>) -> f64 {
        let (bodies, centre) = (&self.space.bodies, centre.to_array());
        let farther = |a: f64, b: f64| if a > b { a } else { b };
        let reach = |row: usize| {
            let at = bodies.position.row(row);
            let arm = core::array::from_fn(|axis| match self.space.domain.axes[axis] {
                Axis::Periodic { low, high } => 0.5 * (high - low),
                Axis::Open => at[axis] - centre[axis],
            });
            LabVec::from_array(arm).norm() + bodies.bounding[row]
        };
        let farthest = self.threads.split_range(bodies.len(), |rows| {
            let own = rows.into_iter().filter(|row| !bodies.ghost[*row]);
            own.map(reach).fold(0.0, farther)
        });
        farthest.into_iter().fold(0.0, farther)
    }

    /// The region of bodies that reach so far.
    pub(crate) fn region(&self, centre: LabVec<f64>, reach: f64) -> Region {
        let largest = self.space.bodies.largest;
        Region { centre, radius: reach + self.space.neighbours.skin + self.rules.groups.range(largest) }
    }

    /// Gives contacts their places in the present lists, and tells those that have none, with the book for what
    /// was left in them. Groups that are not there have no contacts.
    pub(crate) fn attach(&self, detached: Vec<Detached>) -> (Vec<Contacts>, Vec<(usize, Ended)>) {
        self.attach_apart(detached, 0)
    }

    /// The same, with no segment that goes across a place.
    pub(crate) fn attach_apart(
        &self,
        detached: Vec<Detached>,
        cut: usize,
    ) -> (Vec<Contacts>, Vec<(usize, Ended)>) {
        let mut detached = detached.into_iter();
        let threads = (&self.threads, self.rules.thresholds.pairs_per_segment);
        let Space { bodies, neighbours, .. } = &self.space;
        let groups = self.rules.groups.iter().zip(&neighbours.parts);
        let (contacts, ended): (Vec<_>, Vec<_>) = groups
            .map(|(group, part)| {
                let detached = detached.next().unwrap_or_default();
                Contacts::attached(detached, bodies, (neighbours, part), group.model, threads, cut)
            })
            .unzip();
        let books = self.rules.groups.iter().map(|group| group.pairs.postings.ended);
        let ended =
            books.zip(ended).flat_map(|(book, ended)| ended.into_iter().map(move |each| (book, each)));
        (contacts, ended.collect())
    }
}
