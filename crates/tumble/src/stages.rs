//! The stages of a run: which one it is in, when each began, and why it ended.
//!
//! A stage is looked at when its steps are over, and every so many of its steps where something may end it earlier. So
//! where it ends depends on the scene alone: not on when results are written, nor on how often the run was interrupted.
//! What a stage changes is an edit of the engine at its first instant. Motions of walls, the fluid and fields are no part of a saved
//! state; since each is a function of time that begins where the one before it was, they follow from when the stages began.
//! So do the intervals of outputs.

mod changes;
mod ending;

pub(crate) use ending::took_too_long;

use crate::Error;
use crate::clock::StepLength;
use changes::{Acting, changed, fluid, only_fields, passed_on};
use ending::over;
use tumble_dem::Solver;
use tumble_dem::wall::Motion;
use tumble_measure::Measures;
use tumble_output::{StageEnded, StageRecord, stages_from_bytes, stages_to_bytes};
use tumble_scene::{Built, Series, StageEnd, StagePlan};

/// What a stage has written, with the steps from one row or frame to the next; none where it is not.
pub(crate) type Interval = (Series, Option<u64>);

/// The stages of a simulation; none where the scene has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages {
    plans: Vec<StagePlan>,
    /// Those that have begun.
    records: Vec<StageRecord>,
    /// What acts as fields since a stage has changed them.
    fields: Option<Vec<Acting>>,
    /// When the run ends, s, whatever the last of them says.
    ends: Option<f64>,
    step_length: StepLength,
}

/// Why a last stage ended, where the run has an end of its own.
const RUN_ENDS: &str = "the time of the whole run was over";

impl Stages {
    /// Those of a scene.
    pub(crate) fn new(built: &Built) -> Self {
        Self { plans: built.stages.clone(), ..Self::default() }
    }

    /// Those of a run that began at a time, s, which ends when the scene says so.
    pub(crate) fn of_run(built: &Built, began: f64) -> Self {
        Self { ends: built.ends.map(|ends| began + ends), ..Self::new(built) }
    }

    /// How long steps are, for whoever cannot ask the engine.
    pub(crate) fn step_length(&self) -> &StepLength {
        &self.step_length
    }

    /// How many steps a stage takes at the most that began at a time, s. Where the run has an end, the last stage takes as many as
    /// there are up to that, and no other takes more.
    fn most_steps(&self, number: usize, began: f64) -> u64 {
        let Some(plan) = self.plans.get(number) else { return 0 };
        let Some(ends) = self.ends else { return plan.steps };
        let left = steps_within(ends - began, plan.dt);
        if number + 1 == self.plans.len() { left } else { left.min(plan.steps) }
    }

    /// Those that have begun.
    pub(crate) fn records(&self) -> &[StageRecord] {
        &self.records
    }

    /// How many there are, begun or not.
    pub(crate) fn count(&self) -> usize {
        self.plans.len()
    }

    /// The stage that the run is in, with when it began; none before the first, after the last, or without stages.
    fn present(&self) -> Option<(&StagePlan, &StageRecord)> {
        let number = self.records.len().checked_sub(1)?;
        let record = self.records.get(number).filter(|record| record.ended.is_none())?;
        Some((self.plans.get(number)?, record))
    }

    /// Whether the last of them is over.
    pub(crate) fn are_over(&self) -> bool {
        !self.plans.is_empty()
            && self.records.len() == self.plans.len()
            && self.records.last().is_some_and(|record| record.ended.is_some())
    }

    /// The last step, if every stage that is still to end takes as long as it may; none without stages.
    pub(crate) fn last_step(&self) -> Option<u64> {
        if self.plans.is_empty() {
            return None;
        }
        let (mut number, mut step, mut time) = match self.records.last() {
            None => (0, 0, 0.0),
            Some(record) => match &record.ended {
                Some(ended) if !self.is_to_the_end() => (self.records.len(), ended.step, ended.time_s),
                _ => (self.records.len() - 1, record.step, record.time_s),
            },
        };
        while let Some(plan) = self.plans.get(number) {
            let steps = self.most_steps(number, time);
            (step, time) = (step.saturating_add(steps), time + steps as f64 * plan.dt);
            number += 1;
        }
        Some(step)
    }

    /// Whether the run ends at a time of its own, whatever the last stage says.
    pub(crate) fn has_own_end(&self) -> bool {
        self.ends.is_some() && !self.plans.is_empty()
    }

    /// The next step at which the present stage is looked at.
    pub(crate) fn next_look(&self, now: u64) -> u64 {
        let Some((plan, record)) = self.present() else { return u64::MAX };
        if self.is_to_the_end() {
            return record.step.saturating_add(self.most_steps(self.records.len() - 1, record.time_s));
        }
        let last = record.step + plan.steps;
        match plan.end {
            StageEnd::Duration => last,
            StageEnd::Until { every, shortest, .. } => {
                let done = (now.saturating_sub(record.step)).max(shortest.saturating_sub(1));
                (record.step + (done / every + 1) * every).min(last)
            }
        }
    }

    /// Whether the present stage is the last one, and lasts until the run ends.
    fn is_to_the_end(&self) -> bool {
        self.has_own_end() && self.records.len() == self.plans.len()
    }

    /// Begins the first stage of a simulation at its start.
    pub(crate) fn begin(&mut self, engine: &mut dyn Solver) -> Result<(), Error> {
        if self.records.is_empty() && !self.plans.is_empty() {
            self.enter(engine)?;
        }
        Ok(())
    }

    /// Looks at the present stage, and goes on to the next if it is over. Whether it is.
    pub(crate) fn look(&mut self, engine: &mut dyn Solver, measures: &Measures) -> Result<bool, Error> {
        let number = self.records.len().saturating_sub(1);
        let (to_the_end, most) = match self.records.last() {
            Some(record) => (self.is_to_the_end(), self.most_steps(number, record.time_s)),
            None => return Ok(false),
        };
        let (Some(plan), Some(record)) = (self.plans.get(number), self.records.get_mut(number)) else {
            return Ok(false);
        };
        if record.ended.is_some() {
            return Ok(false);
        }
        let (now, time) = (engine.steps(), engine.time());
        let why = if to_the_end {
            (now >= record.step.saturating_add(most)).then(|| RUN_ENDS.to_owned())
        } else {
            over(plan, record, engine, measures)
        };
        let Some(why) = why else { return Ok(false) };
        record.ended = Some(StageEnded { step: now, time_s: time, why });
        record.seen.clear();
        if self.records.len() < self.plans.len() {
            self.enter(engine)?;
        }
        Ok(true)
    }

    /// Begins the next stage at the present instant.
    fn enter(&mut self, engine: &mut dyn Solver) -> Result<(), Error> {
        let Some(plan) = self.plans.get(self.records.len()) else { return Ok(()) };
        let time = engine.time();
        let failed = |trouble| Error::Stage { stage: plan.name.clone(), trouble: Box::new(trouble) };
        for change in &plan.walls {
            let scenery = engine.scenery();
            let Some(wall) = scenery.walls.get(change.wall.index()) else { continue };
            let motion = changed(&wall.motion, change, time, plan.ramp);
            engine.set_wall_motion(change.wall, motion).map_err(failed)?;
        }
        self.step_length.set(plan.dt);
        engine.change_rules(&plan.rules).map_err(failed)?;
        if let Some(drag) = fluid(plan) {
            engine.set_drag(drag).map_err(failed)?;
        }
        let fields = passed_on(plan, self.fields.as_deref(), engine, time);
        if let Some(fields) = &fields {
            engine.set_fields(only_fields(fields)).map_err(failed)?;
        }
        self.records.push(StageRecord {
            name: plan.name.clone(),
            step: engine.steps(),
            time_s: time,
            ended: None,
            changes: plan.changes(),
            seen: Vec::new(),
        });
        self.fields = fields.or(self.fields.take());
        engine.pass_on(&stages_to_bytes(&self.records));
        Ok(())
    }

    /// Gives walls the motions that they have in the present stage, and the fluid and fields theirs, without the rest of what
    /// led there: before a saved state is put in their midst.
    pub(crate) fn set_up(&mut self, engine: &mut dyn Solver) -> Result<(), Error> {
        self.move_walls(engine)?;
        let begun = self.plans.iter().zip(&self.records);
        if let Some(drag) = begun.clone().filter_map(|(plan, _)| fluid(plan)).next_back() {
            engine.set_drag(drag)?;
        }
        let mut fields = None;
        for (plan, record) in begun {
            fields = passed_on(plan, fields.as_deref(), engine, record.time_s).or(fields);
        }
        if let Some(fields) = &fields {
            engine.set_fields(only_fields(fields))?;
        }
        self.fields = fields;
        engine.pass_on(&stages_to_bytes(&self.records));
        Ok(())
    }

    fn move_walls(&self, engine: &mut dyn Solver) -> Result<(), Error> {
        let mut motions: Vec<Option<Motion>> = vec![None; engine.scenery().walls.len()];
        for (plan, record) in self.plans.iter().zip(&self.records) {
            for change in &plan.walls {
                let scenery = engine.scenery();
                let wall = change.wall.index();
                let (Some(motion), Some(first)) = (motions.get_mut(wall), scenery.walls.get(wall)) else {
                    continue;
                };
                let before = motion.as_ref().unwrap_or(&first.motion);
                *motion = Some(changed(before, change, record.time_s, plan.ramp));
            }
        }
        for (wall, motion) in (0..).zip(motions) {
            if let Some(motion) = motion {
                engine.set_wall_motion(tumble_dem::WallId(wall), motion)?;
            }
        }
        Ok(())
    }

    /// What a stream takes for the time: only that in stages in which it pours. None if it does not pour now.
    pub(crate) fn stream_time(&self, stream: usize, time: f64) -> Option<f64> {
        let pours = |plan: &StagePlan| plan.pours.get(stream).copied().unwrap_or(true);
        if self.plans.iter().all(pours) {
            return Some(time);
        }
        let mut before = 0.0;
        for (plan, record) in self.plans.iter().zip(&self.records) {
            match &record.ended {
                Some(ended) if pours(plan) => before += ended.time_s - record.time_s,
                None if pours(plan) => return Some(before + (time - record.time_s)),
                _ => {}
            }
        }
        None
    }

    /// Goes on from what [`stages_to_bytes`](tumble_output::stages_to_bytes) made of its records, at a step.
    pub(crate) fn restore(&mut self, bytes: &[u8], step: u64) -> Result<(), Error> {
        let mismatch = |what: &str| Error::Mismatch { what: what.into() };
        let records = if bytes.is_empty() { Some(Vec::new()) } else { stages_from_bytes(bytes) };
        let mut records = records.ok_or_else(|| mismatch("what it says of stages cannot be read"))?;
        let same = records.len() <= self.plans.len()
            && records.iter().zip(&self.plans).all(|(record, plan)| record.name == plan.name)
            && records.last().is_none_or(|record| record.step <= step);
        if !same || records.is_empty() != self.plans.is_empty() {
            return Err(mismatch("it has other stages"));
        }
        for (record, plan) in records.iter_mut().zip(&self.plans) {
            record.changes = plan.changes();
        }
        self.records = records;
        self.go_on_with_the_last();
        Ok(())
    }

    /// A last stage that had ended goes on, where the run is to end later than it did.
    fn go_on_with_the_last(&mut self) {
        let number = self.records.len().saturating_sub(1);
        if !self.are_over() || !self.has_own_end() {
            return;
        }
        let most = self.records.last().map_or(0, |record| self.most_steps(number, record.time_s));
        if let Some(record) = self.records.last_mut() {
            let ended = record.ended.take_if(|ended| ended.step < record.step.saturating_add(most));
            drop(ended);
        }
    }

    /// Changes rules as the stages that have begun did, one after the other.
    pub(crate) fn change_rules(&self, engine: &mut dyn Solver) -> Result<(), Error> {
        for (plan, _) in self.plans.iter().zip(&self.records) {
            engine.change_rules(&plan.rules)?;
        }
        Ok(())
    }

    /// How often the present stage has things written, if it says that.
    pub(crate) fn newest_output(&self) -> &[Interval] {
        self.records
            .len()
            .checked_sub(1)
            .and_then(|newest| self.plans.get(newest))
            .map_or(&[], |plan| &plan.output)
    }

    /// How often something is written since the stage with this number began, with the step at which that was; none if that stage
    /// has not begun.
    pub(crate) fn output(&self, number: usize) -> Option<(u64, &[Interval])> {
        Some((self.records.get(number)?.step, &self.plans.get(number)?.output))
    }
}

/// How many steps there are in a time, s, which is whole ones whatever the rounding; none if it is over.
fn steps_within(time: f64, dt: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; at least zero")]
    let steps = (time / dt * (1.0 - 1e-12)).ceil().max(0.0) as u64;
    steps
}
