//! Where the time of a step goes.

use core::time::Duration;
use std::time::Instant;

/// A clock that is read once between two stages, for both of them: with few bodies, reading it is a good part of a step.
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Adds the time since the start or the last lap to that of a stage.
    pub(crate) fn lap(&mut self, stage: &mut Duration) {
        let now = Instant::now();
        *stage += now - self.0;
        self.0 = now;
    }
}

/// Time spent in the stages of the step. What several threads did at once counts for each of them in
/// `find_contacts` and `apply_laws`, and once in the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Integration, placing of spheres, showing bodies at the instant of the force.
    pub move_bodies: Duration,
    /// Building neighbour lists.
    pub update_neighbours: Duration,
    /// Looking through the lists for pairs that touch.
    pub find_contacts: Duration,
    /// Contact laws, and adding what they give to the bodies.
    pub apply_laws: Duration,
    /// Drag and fields, loads of walls.
    pub add_fields: Duration,
    /// Steps done.
    pub steps: u64,
    /// How often the neighbour lists were built.
    pub builds: u64,
}

impl StageTimes {
    /// Each stage from what is asked for it, in the order of the step; without steps and builds.
    pub(crate) fn of_stages(mut each: impl FnMut(fn(&Self) -> Duration) -> Duration) -> Self {
        Self {
            move_bodies: each(|times| times.move_bodies),
            update_neighbours: each(|times| times.update_neighbours),
            find_contacts: each(|times| times.find_contacts),
            apply_laws: each(|times| times.apply_laws),
            add_fields: each(|times| times.add_fields),
            steps: 0,
            builds: 0,
        }
    }

    /// The stages by name, in the order of the step.
    pub fn stages(&self) -> [(&'static str, Duration); 5] {
        [
            ("move bodies", self.move_bodies),
            ("update neighbours", self.update_neighbours),
            ("find contacts", self.find_contacts),
            ("apply contact laws", self.apply_laws),
            ("add fields", self.add_fields),
        ]
    }
}
