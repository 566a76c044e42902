//! Constants that were measured. They decide what a run costs; its bits depend on them only where
//! [`Settings::skin`](crate::Settings::skin) says so.
//!
//! `cargo xtask bench --calibrate` measures them again on your machine, and prints them beside these;
//! `--calibrate=thresholds` those of [`Thresholds`].

use crate::engine::Engine;

/// What building the lists costs per body, in pairs of spheres looked through: the time of a build per body, over
/// the time that a step spends on finding contacts per pair in the lists.
pub const BUILD_COST: f64 = 400.0;

/// Steps that the first neighbour lists should last at the present speeds: about what lists last whose skin makes
/// steps cheapest.
pub const STEPS_PER_BUILD: f64 = 45.0;

/// Where one of two ways to the same bits becomes faster than the other, and how large pieces of work are best.
/// `tumble bench --calibrate=thresholds` measures both ways on both sides of each, and prints where they cost the same; of sizes
/// it prints the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Contacts are searched for without branches, which would often be mispredicted, where one in so many listed pairs
    /// touched in the step before.
    pub pairs_per_contact: usize,
    /// Pairs of spheres in a piece of the lists, or fewer. In a packing few short pieces change in a step, but each costs
    /// something.
    pub pairs_per_segment: usize,
    /// For fewer contacts than this between rows of different threads, or with walls, it does not pay to wake other
    /// threads to add them up.
    pub contacts_to_share: usize,
    /// Of bodies with up to so many spheres all are placed, several bodies at a time; of others those that are listed.
    pub spheres_to_place: usize,
    /// So many rows stay in the caches from step to step, and are not asked for ahead of time.
    pub rows_in_cache: usize,
    /// Where they do not, the earlier of two bodies that touch is asked for ahead of time if so many rows lie between them.
    pub rows_between: usize,
    /// Lists are made in so many pieces for each thread: whoever is done early takes one of another's.
    pub pieces_per_thread: usize,
    /// Bodies in a piece of the lists, or fewer. What is found is sorted piece by piece, which takes memory for a copy of one
    /// at a time; smaller pieces save little more of it.
    pub bodies_per_piece: usize,
    /// Of two bodies with up to so many pairs of spheres all are looked at, without asking first which spheres are near the
    /// other body at all.
    pub sphere_pairs: usize,
    /// What a thread does to rows of others is noted in a list for the rows of so many parts of the contacts together.
    pub parts_per_list: usize,
}

impl Thresholds {
    /// Those in use.
    pub const USED: Self = Self {
        pairs_per_contact: 10,
        pairs_per_segment: 2048,
        contacts_to_share: 2048,
        spheres_to_place: 8,
        rows_in_cache: 4096,
        rows_between: 512,
        pieces_per_thread: 4,
        bodies_per_piece: 1 << 16,
        sphere_pairs: 32,
        parts_per_list: 4,
    };
}

impl Engine {
    /// Has other thresholds used from the next step on, and from the next lists on. Changes what steps cost, and no
    /// result.
    #[doc(hidden)]
    pub fn set_thresholds(&mut self, thresholds: Thresholds) {
        self.rules.thresholds = thresholds;
    }

    /// How many contacts were added up after all others in the last step: those with walls and those between rows of
    /// different threads. None on one thread.
    #[doc(hidden)]
    pub fn contacts_added_last(&self) -> usize {
        self.contacts.iter().map(|contacts| contacts.added_last).sum()
    }

    /// The distance up to which spheres are in the neighbour lists, m: chosen from the speeds, or as the settings have it.
    pub fn skin(&self) -> f64 {
        self.space.neighbours.skin
    }

    /// How many pairs of spheres are in the neighbour lists, touching or not.
    pub fn listed_pairs(&self) -> usize {
        self.space.neighbours.pairs.spheres.len()
    }
}
