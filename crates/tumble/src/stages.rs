//! The stages of a run: which one it is in, when each began, and why it ended.
//!
//! A stage is looked at when its steps are over, and every so many of its steps where something may end it earlier. So
//! where it ends depends on the scene alone: not on when results are written, nor on how often the run was interrupted.
//! What a stage changes is an edit of the engine at its first instant. Motions of walls, the fluid and fields are no part of a saved
//! state; since each is a function of time that begins where the one before it was, they follow from when the stages began.
//! So do the intervals of outputs.

use crate::Error;
use crate::clock::StepLength;
use std::sync::Arc;
use tumble_dem::Solver;
use tumble_dem::field::{Drag, ForceField};
use tumble_dem::wall::{Motion, Presence};
use tumble_measure::{Measures, Region};
use tumble_output::{StageEnded, StageRecord, stages_from_bytes};
use tumble_scene::{Built, Condition, FluidChange, Series, StageEnd, StagePlan, WallChange, fading};

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

/// A field, and when it has ended, s.
#[derive(Clone, Debug)]
struct Acting {
    field: Arc<dyn ForceField>,
    until: f64,
}

/// Why a stage ended, in a few words for people and files.
const LASTED: &str = "its time was over";
const CAME_ABOUT: &str = "it came about that ";
const LONGEST: &str = "its longest time was over before it came about that ";
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
                _ if self.is_to_the_end() => (self.records.len() - 1, record.step, record.time_s),
                None => (self.records.len() - 1, record.step, record.time_s),
                Some(ended) => (self.records.len(), ended.step, ended.time_s),
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
        Ok(())
    }

    /// Gives walls the motions that they have in the present stage, and the fluid and fields theirs, without the rest of what
    /// led there: before a saved state is put in their midst.
    pub(crate) fn set_up(&mut self, engine: &mut dyn Solver) -> Result<(), Error> {
        self.move_walls(engine)?;
        let begun = self.plans.iter().zip(&self.records);
        if let Some(drag) = begun.clone().filter_map(|(plan, _)| fluid(plan)).last() {
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
    pub(crate) fn newest_output(&self) -> &[(Series, Option<u64>)] {
        self.records
            .len()
            .checked_sub(1)
            .and_then(|newest| self.plans.get(newest))
            .map_or(&[], |plan| &plan.output)
    }

    /// How often something is written since the stage with this number began, with the step at which that was; none if that stage
    /// has not begun.
    pub(crate) fn output(&self, number: usize) -> Option<(u64, &[(Series, Option<u64>)])> {
        Some((self.records.get(number)?.step, &self.plans.get(number)?.output))
    }
}

/// How many steps there are in a time, s, which is whole ones whatever the rounding; none if it is over.
fn steps_within(time: f64, dt: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; at least zero")]
    let steps = (time / dt * (1.0 - 1e-12)).ceil().max(0.0) as u64;
    steps
}

/// The fluid from the beginning of a stage on, if it is another one.
#[allow(clippy::option_option, reason = "it may become none")]
fn fluid(plan: &StagePlan) -> Option<Option<Drag>> {
    match plan.fluid {
        FluidChange::Stays => None,
        FluidChange::Gone => Some(None),
        FluidChange::Becomes(drag) => Some(Some(drag)),
    }
}

/// What acts as fields from the beginning of a stage on, if it prescribes other ones: these, and while its ramp lasts those
/// that were there before. Without any `before`, these are what the engine has.
fn passed_on(
    plan: &StagePlan,
    before: Option<&[Acting]>,
    engine: &dyn Solver,
    time: f64,
) -> Option<Vec<Acting>> {
    let fields = plan.fields.as_ref()?;
    let of_engine = || {
        let acting = |field: &Arc<dyn ForceField>| Acting { field: field.clone(), until: f64::INFINITY };
        engine.scenery().fields.iter().map(acting).collect()
    };
    let before = before.map_or_else(of_engine, <[Acting]>::to_vec);
    let gone = time + plan.ramp;
    let ending = before
        .into_iter()
        .filter(|acting| gone > time && acting.until > time)
        .map(|acting| Acting { field: fading(acting.field, time, plan.ramp), until: acting.until.min(gone) });
    let new = fields.iter().map(|field| Acting { field: field.from(time), until: f64::INFINITY });
    Some(ending.chain(new).collect())
}

fn only_fields(acting: &[Acting]) -> Vec<Arc<dyn ForceField>> {
    acting.iter().map(|acting| acting.field.clone()).collect()
}

/// How a wall moves from the beginning of a stage on.
fn changed(before: &Motion, change: &WallChange, time: f64, ramp: f64) -> Motion {
    let motion = match &change.motion {
        Some(motion) => motion.clone().following(before.at(time), time, ramp).present(before.presence()),
        None => before.clone(),
    };
    match change.present {
        Some(true) => motion.present(Presence::ALWAYS),
        Some(false) => motion.present(Presence::NEVER),
        None => motion,
    }
}

/// Why the present stage is over, if it is.
fn over(
    plan: &StagePlan,
    record: &mut StageRecord,
    engine: &dyn Solver,
    measures: &Measures,
) -> Option<String> {
    let steps = engine.steps().saturating_sub(record.step);
    let last = steps >= plan.steps;
    match &plan.end {
        StageEnd::Duration => last.then(|| LASTED.to_owned()),
        StageEnd::Until { condition, every, shortest } => {
            let regular = steps.is_multiple_of(*every);
            if let (Condition::MeasureSteady { column, steps, .. }, true) = (condition, regular) {
                see(&mut record.seen, measures.value(column), steps.div_ceil(*every));
            }
            let looked_at = steps >= *shortest && (last || regular);
            match looked_at.then(|| came_about(condition, *every, engine, measures, &record.seen)) {
                Some(true) => Some(format!("{CAME_ABOUT}{condition}")),
                _ => last.then(|| format!("{LONGEST}{condition}")),
            }
        }
    }
}

/// Whether a stage ended because it took too long.
pub(crate) fn took_too_long(record: &StageRecord) -> bool {
    record.ended.as_ref().is_some_and(|ended| ended.why.starts_with(LONGEST))
}

/// Keeps the newest values, of one look more than there are intervals; none before a measure has its first one.
fn see(seen: &mut Vec<f64>, value: Option<f64>, intervals: u64) {
    seen.extend(value.filter(|value| value.is_finite()));
    let most = usize::try_from(intervals).unwrap_or(usize::MAX).saturating_add(1);
    seen.drain(..seen.len().saturating_sub(most));
}

/// Whether it has, at a look of which there is one every so many steps. `seen` are the newest values of a measure.
fn came_about(
    condition: &Condition,
    every: u64,
    engine: &dyn Solver,
    measures: &Measures,
    seen: &[f64],
) -> bool {
    match condition {
        Condition::SpeedBelow(limit) => {
            let mut fastest = 0.0_f64;
            engine.visit_bodies(&mut |some| {
                let free = some.iter().filter(|body| !body.held);
                fastest = free.fold(fastest, |fastest, body| fastest.max(body.velocity.norm()));
            });
            fastest < *limit
        }
        // Before its first row a measure has no value, and nothing has come about.
        Condition::MeasureAbove(column, limit) => measures.value(column).is_some_and(|value| value > *limit),
        Condition::MeasureBelow(column, limit) => measures.value(column).is_some_and(|value| value < *limit),
        Condition::MeasureSteady { part, steps, .. } => {
            let least = seen.iter().copied().fold(f64::INFINITY, f64::min);
            let most = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let mean = seen.iter().sum::<f64>() / seen.len() as f64;
            seen.len() as u64 > steps.div_ceil(every) && most - least <= part * mean.abs()
        }
        Condition::KineticEnergyBelow(limit) => engine.ledger().kinetic() < *limit,
        Condition::BodiesAbove(limit, region) => count(engine, region.as_ref()).0 > *limit,
        Condition::BodiesBelow(limit, region) => count(engine, region.as_ref()).0 < *limit,
        Condition::MassAbove(limit, region) => count(engine, region.as_ref()).1 > *limit,
        Condition::MassBelow(limit, region) => count(engine, region.as_ref()).1 < *limit,
    }
}

/// Number and mass of the bodies whose centres are in a region. In the order of their numbers, so that the sum is always
/// the same.
fn count(engine: &dyn Solver, region: Option<&Region>) -> (u64, f64) {
    let (mut bodies, mut mass) = (0, 0.0);
    engine.visit_bodies(&mut |some| {
        for body in
            some.iter().filter(|body| !body.held && region.is_none_or(|region| region.has(body.position)))
        {
            bodies += 1;
            mass += body.mass;
        }
    });
    (bodies, mass)
}
