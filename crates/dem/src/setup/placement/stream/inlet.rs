//! What comes in, where, when.

use super::super::choice::Choice;
use super::super::error::{PlacementError, not_negative, positive};
use super::super::region::Region;
use super::super::room::{self, Outline};
use crate::clump::ClumpTemplate;
use crate::random::Random;
use crate::wall::Timing;
use tumble_math::LabVec;

/// How fast bodies come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Bodies per second.
    Bodies(f64),
    /// kg/s
    Mass(f64),
}

/// What comes in, where, when.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet {
    /// What the bodies are like.
    pub choice: Choice,
    /// Where they start.
    pub region: Region,
    /// The least distance from anything else, as a part of the radii.
    pub gap: f64,
    /// How fast they come.
    pub rate: Rate,
    /// As which part of the rate, if it changes: the first comes as soon as anything is due, and times count from the start. What has
    /// become due is the exact integral, a function of time alone.
    pub pace: Timing,
    /// When the first comes, s.
    pub start: f64,
    /// From when on none becomes due any more, s; infinite for never.
    pub stop: f64,
    /// How many come at most.
    pub count: Option<u64>,
    /// Which mass comes at most, kg: to within half a body.
    pub mass: Option<f64>,
}

/// Bodies tried in the empty region to see whether it is large enough, and places for each where that is left to chance.
const SAMPLES: u64 = 1000;
const PLACES: u32 = 10;
/// What times and rates may be off by, relative, through rounding: no body is lost to a sum of 0.99999….
const ROUNDING: f64 = 1e-12;

impl Inlet {
    /// One body a second into a box from the start, without end.
    pub fn new(choice: Choice, low: LabVec<f64>, high: LabVec<f64>) -> Self {
        Self {
            choice,
            region: Region::Box { low, high },
            gap: 1e-3,
            rate: Rate::Bodies(1.0),
            pace: Timing::Always,
            start: 0.0,
            stop: f64::INFINITY,
            count: None,
            mass: None,
        }
    }

    /// How many bodies of a rate by number have become due until a time (s), that instant included; body k is at
    /// start + k/rate, and where the rate changes as soon as its integral is more than k. Of a rate by mass, the most that can come.
    pub fn due_until(&self, time: f64) -> u64 {
        let most = self.count.unwrap_or(u64::MAX);
        let Rate::Bodies(rate) = self.rate else { return most };
        let until = |time: f64| (time - self.start) * rate;
        let due = if let Timing::Always = self.pace {
            // Those from `stop` on are none: with 100 a second from 0 to 1 s there are 100.
            let before_stop = (until(self.stop) * (1.0 - ROUNDING)).ceil();
            let now = (until(time) * (1.0 + ROUNDING)).floor() + 1.0;
            if before_stop < now { before_stop } else { now }
        } else {
            (self.paced(rate, time) * (1.0 - ROUNDING)).ceil()
        };
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates; NaN gives none"
        )]
        let due = due.max(0.0) as u64;
        due.min(most)
    }

    /// The integral of a rate that changes, from the start to a time, s, or to the stop.
    fn paced(&self, rate: f64, time: f64) -> f64 {
        let elapsed = |time: f64| self.pace.elapsed((time - self.start).max(0.0));
        rate * (elapsed(time.min(self.stop)) - elapsed(self.start))
    }

    /// The mass that has become due until a time (s) by a rate of mass, kg.
    pub fn mass_until(&self, time: f64) -> f64 {
        match self.rate {
            Rate::Bodies(_) => f64::INFINITY,
            Rate::Mass(rate) if self.pace == Timing::Always => {
                rate * (time.min(self.stop) - self.start).max(0.0)
            }
            Rate::Mass(rate) => self.paced(rate, time),
        }
    }

    /// Whether the body that follows this mass has become due: a stream begins with a body, and the next comes when the
    /// mass of all before it was due.
    pub(super) fn is_mass_due(&self, before: f64, time: f64) -> bool {
        let Rate::Mass(rate) = self.rate else { return true };
        if self.pace != Timing::Always {
            return before < self.paced(rate, time) * (1.0 - ROUNDING);
        }
        let at = before / rate;
        // None comes at `stop` or later, as for rates by number.
        at <= (time - self.start) * (1.0 + ROUNDING) && at < (self.stop - self.start) * (1.0 - ROUNDING)
    }

    pub(super) fn goes_by_mass(&self) -> bool {
        self.mass.is_some() || matches!(self.rate, Rate::Mass(_))
    }

    pub(super) fn check(
        &self,
        templates: &[impl AsRef<ClumpTemplate>],
        seed: u64,
    ) -> Result<(), PlacementError> {
        self.region.check()?;
        not_negative("gap of the stream", self.gap)?;
        let (Rate::Bodies(rate) | Rate::Mass(rate)) = self.rate;
        positive("rate of the stream", rate)?;
        self.check_pace()?;
        if let Some(mass) = self.mass {
            positive("mass of the stream", mass)?;
        }
        not_negative("start of the stream", self.start)?;
        if self.stop.is_nan() || self.stop <= self.start {
            let (value, expected) = (self.stop.to_string(), "a time after the start");
            return Err(PlacementError::Invalid { what: "stop of the stream", value, expected });
        }
        self.choice.check(templates.len())?;
        let shapes: Vec<&ClumpTemplate> = templates.iter().map(AsRef::as_ref).collect();
        if (0..SAMPLES).any(|number| self.fits(number, &shapes, seed)) {
            return Ok(());
        }
        let largest = self.choice.largest(&shapes, ClumpTemplate::bounding_radius);
        Err(PlacementError::RegionTooSmall { needed: 2.0 * largest * (1.0 + self.gap) })
    }

    /// Bodies that came do not go back, and there have to be some.
    fn check_pace(&self) -> Result<(), PlacementError> {
        let Timing::Table(rows) = &self.pace else { return Ok(()) };
        for row in rows {
            not_negative("rate in the table of the stream", row.speed())?;
        }
        if rows.iter().all(|row| row.speed() <= 0.0) {
            let (value, expected) = ("zero in every row".into(), "a rate above zero in some row");
            return Err(PlacementError::Invalid { what: "table of rates of the stream", value, expected });
        }
        Ok(())
    }

    /// Whether a body has room in the empty region.
    fn fits(&self, number: u64, shapes: &[&ClumpTemplate], seed: u64) -> bool {
        let mut random = Random::numbered(seed, number);
        let body = self.choice.draw(&mut random);
        let mut spheres = Outline::new();
        room::outline(shapes[usize::from(body.template.0)], &body, self.gap, &mut spheres);
        let Region::Box { low, high } = self.region else {
            return (0..PLACES).any(|_| self.region.draw(&spheres, &mut random).is_some());
        };
        let (low, high) = (low.to_array(), high.to_array());
        (0..3).all(|axis| {
            let ends = spheres.iter().map(|&(centre, radius)| (centre.to_array()[axis], radius));
            let [down, up] = ends.fold([0.0, 0.0], |[down, up], (x, radius)| {
                [f64::min(down, x - radius), f64::max(up, x + radius)]
            });
            up - down <= high[axis] - low[axis]
        })
    }
}
