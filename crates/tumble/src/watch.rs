//! What a run tells while it goes on, and how it is asked to stop.

use crate::Simulation;
use crate::clock::Clock;
use tumble_dem::ranks::RankCosts;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time, s.
    pub time: f64,
    /// Simulated time at the end, s.
    pub end: f64,
    /// Steps done.
    pub step: u64,
    /// Steps per second of real time, lately.
    pub steps_per_second: f64,
    /// Energy that the books cannot account for, relative to the energy there is; NaN before the first row of the
    /// table of energies.
    pub energy_error: f64,
    /// Contacts now.
    pub contacts: usize,
    /// Bodies now.
    pub bodies: usize,
    /// The stage it is in, from 0, and how many there are; none where the scene has none.
    pub stage: Option<(usize, usize)>,
    /// Those of them that had left the scene at the last row of the table of energies: they fall for ever, or fly away.
    pub left: usize,
    /// Bodies of streams that are due, but have found no room yet.
    pub waiting: u64,
    /// Where several ranks do the steps.
    pub ranks: Option<Ranks>,
}

/// How it goes for ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// How many there are.
    pub count: usize,
    /// Copies of bodies of others that they are told of in every step.
    pub ghosts: usize,
    /// How many times as many bodies as the mean the one with the most has.
    pub imbalance: f64,
    /// The part of the time that they waited for each other.
    pub waited: f64,
}

impl From<&RankCosts> for Ranks {
    fn from(costs: &RankCosts) -> Self {
        Self {
            count: costs.ranks(),
            ghosts: costs.ghosts.iter().sum(),
            imbalance: costs.imbalance(),
            waited: costs.waited_share(),
        }
    }
}

impl Progress {
    /// Where a run to `last_step` stands, whose energy nobody has looked at.
    pub(crate) fn of(simulation: &Simulation, last_step: u64, clock: &Clock) -> Self {
        let engine = simulation.engine();
        let left = last_step.saturating_sub(engine.steps()) as f64 * engine.settings().dt;
        let count = simulation.stage_count();
        Self {
            time: engine.time(),
            end: engine.time() + left,
            stage: (count > 0).then(|| (simulation.stages().len().saturating_sub(1), count)),
            step: engine.steps(),
            steps_per_second: clock.steps_per_second(),
            energy_error: f64::NAN,
            contacts: engine.contact_count(),
            bodies: engine.body_count(),
            left: 0,
            waiting: simulation.flows().waiting().iter().sum(),
            ranks: engine.ranks().map(Ranks::from),
        }
    }
}

/// Somebody who looks on. `()` looks on in silence.
pub trait Watch {
    /// Called several times a second.
    fn progress(&mut self, _: &Progress) {}

    /// Asked several times a second; if it says so, the run saves its state and ends.
    fn wants_stop(&mut self) -> bool {
        false
    }

    /// Called with what a person should know: bodies that found no room, for one.
    fn notice(&mut self, _: &str) {}
}

impl Watch for () {}
