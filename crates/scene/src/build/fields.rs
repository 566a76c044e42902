//! Prescribed forces, drag and periodic axes.

use crate::diagnostic::Problem;
use crate::keys::{self, AxisName, SceneKeys, Timed as _};
use core::f64::consts::TAU;
use std::sync::Arc;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::{BodyView, Drag, ForceField, Form, Formula, Load};
use tumble_dem::wall::Timing;
use tumble_dem::{GravityTable, LabVec};
use tumble_math::elementary::sin_cos;

pub(super) fn domain(keys: &SceneKeys) -> Domain {
    let Some(keys::Domain { low, high, periodic, .. }) = &keys.domain else { return Domain::open() };
    let names = [AxisName::X, AxisName::Y, AxisName::Z];
    let axis = |i: usize| {
        let is_periodic = periodic.contains(&names[i]);
        if is_periodic { Axis::Periodic { low: low[i], high: high[i] } } else { Axis::Open }
    };
    Domain::of([axis(0), axis(1), axis(2)])
}

pub(super) fn drag(drag: Option<&keys::Drag>) -> Option<Drag> {
    drag.map(|&keys::Drag { viscosity, density, coefficient, flow, .. }| Drag {
        viscosity,
        density,
        coefficient,
        flow: LabVec::from_array(flow),
    })
}

pub(super) fn fields(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Vec<Arc<dyn ForceField>> {
    let each = |field: &keys::Field| {
        let whole = Prescribed::of(field)?;
        match field.when().timing() {
            Ok(Timing::Always) => Some(whole.field()),
            Ok(timing) => Some(Arc::new(TimedField { whole: whole.field(), timing }) as Arc<dyn ForceField>),
            Err(error) => {
                problems.push(Problem::error(field.places.table(), format!("the field: {error}")));
                None
            }
        }
    };
    keys.fields.iter().filter_map(each).collect()
}

/// The fields that a stage prescribes, with its ramp, if it does.
pub(super) fn of_stage(stage: &keys::Stage, problems: &mut Vec<Problem>) -> Option<Vec<FieldPlan>> {
    let each = |field: &keys::Field| match field.when().timing_in_stage(stage.ramp) {
        Ok(timing) => Some(FieldPlan { whole: Prescribed::of(field)?, timing }),
        Err(error) => {
            let message = format!("a field of the stage `{}`: {error}", stage.name);
            problems.push(Problem::error(field.places.table(), message));
            None
        }
    };
    Some(stage.fields.as_ref()?.iter().filter_map(each).collect())
}

/// A field that a stage prescribes: times count from its beginning.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPlan {
    whole: Prescribed,
    timing: Timing,
}

impl FieldPlan {
    /// The field of a stage that began at a time, s.
    pub fn from(&self, began: f64) -> Arc<dyn ForceField> {
        Arc::new(FieldOfStage { plan: self.clone(), began })
    }
}

/// A field that ends from a time on, within a ramp, s.
pub fn fading(whole: Arc<dyn ForceField>, from: f64, ramp: f64) -> Arc<dyn ForceField> {
    match Timing::window(None, Some(from), ramp) {
        Ok(timing) => Arc::new(TimedField { whole, timing }),
        // No time that a run reaches.
        Err(_) => whole,
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Prescribed {
    Uniform(Uniform),
    Attraction(Attraction),
}

impl Prescribed {
    /// As it was written; exactly one of the keys is given.
    fn of(field: &keys::Field) -> Option<Self> {
        let v = LabVec::from_array;
        if let Some(keys::Uniform { acceleration, frequency, phase, .. }) = field.uniform {
            return Some(Self::Uniform(Uniform { acceleration: v(acceleration), frequency, phase }));
        }
        let keys::Attraction { centre, rate, .. } = field.attraction.as_ref()?;
        Some(Self::Attraction(Attraction { centre: v(*centre), rate: *rate }))
    }

    fn field(self) -> Arc<dyn ForceField> {
        match self {
            Self::Uniform(field) => Arc::new(field),
            Self::Attraction(field) => Arc::new(field),
        }
    }

    fn load(&self, body: &BodyView, time: f64) -> Load {
        match self {
            Self::Uniform(field) => field.load(body, time),
            Self::Attraction(field) => field.load(body, time),
        }
    }

    fn formula(&self, time: f64) -> Option<Formula> {
        match self {
            Self::Uniform(field) => field.formula(time),
            Self::Attraction(field) => field.formula(time),
        }
    }
}

/// A field with the time of its stage.
#[derive(Debug)]
struct FieldOfStage {
    plan: FieldPlan,
    /// s
    began: f64,
}

impl ForceField for FieldOfStage {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        let time = time - self.began;
        self.plan.whole.load(body, time).times(self.plan.timing.speed(time))
    }

    fn formula(&self, time: f64) -> Option<Formula> {
        let time = time - self.began;
        self.plan.whole.formula(time)?.times(self.plan.timing.speed(time))
    }
}

/// How gravity changes, if it does.
pub(super) fn gravity_table(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Option<GravityTable> {
    let rows = keys.gravity_table.as_ref()?;
    let table = rows.iter().map(|row| (row.time, LabVec::from_array(row.value))).collect();
    let place = keys.places.of("gravity_table");
    GravityTable::new(table).map_err(|error| problems.push(Problem::error(place, error.to_string()))).ok()
}

/// A field that does not act all the time.
#[derive(Debug)]
struct TimedField {
    whole: Arc<dyn ForceField>,
    timing: Timing,
}

impl ForceField for TimedField {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        self.whole.load(body, time).times(self.timing.speed(time))
    }

    fn formula(&self, time: f64) -> Option<Formula> {
        self.whole.formula(time)?.times(self.timing.speed(time))
    }
}

/// The same acceleration everywhere, times a sine if it has a frequency.
#[derive(Clone, Debug, PartialEq)]
struct Uniform {
    acceleration: LabVec<f64>,
    frequency: Option<f64>,
    phase: f64,
}

impl Uniform {
    fn at(&self, time: f64) -> Formula {
        let factor = self.frequency.map_or(1.0, |frequency| {
            // Whole turns are left out, so that only the rounding of the time itself grows.
            let turns = frequency * time;
            sin_cos(TAU * (turns - turns.round_ties_even()) + keys::without_turns(self.phase)).0
        });
        Formula::whole(Form::Uniform { acceleration: self.acceleration, factor })
    }
}

impl ForceField for Uniform {
    fn load(&self, body: &BodyView, time: f64) -> Load {
        self.at(time).load(body)
    }

    fn formula(&self, time: f64) -> Option<Formula> {
        Some(self.at(time))
    }
}

/// A pull towards a point, proportional to the distance.
#[derive(Clone, Debug, PartialEq)]
struct Attraction {
    centre: LabVec<f64>,
    rate: f64,
}

impl Attraction {
    fn whole(&self) -> Formula {
        Formula::whole(Form::Attraction { centre: self.centre, rate: self.rate })
    }
}

impl ForceField for Attraction {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        self.whole().load(body)
    }

    fn formula(&self, _: f64) -> Option<Formula> {
        Some(self.whole())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_dem::{BodyId, Quat};

    #[test]
    fn forces_are_mass_times_acceleration() {
        let body = BodyView {
            id: BodyId(0),
            mass: 2.0,
            equivalent_radius: 1.0,
            position: LabVec::new(1.0, 0.0, -3.0),
            velocity: LabVec::zero(),
            orientation: Quat::identity(),
            angular_velocity: LabVec::zero(),
        };
        let pull = Attraction { centre: LabVec::new(0.0, 0.0, -1.0), rate: 5.0 };
        assert!((pull.load(&body, 7.0).force - LabVec::new(-10.0, 0.0, 20.0)).norm() < 1e-14);
        let shake = Uniform { acceleration: LabVec::new(0.0, 4.0, 0.0), frequency: Some(2.0), phase: 0.0 };
        assert!((shake.load(&body, 1.0e6 + 0.125).force.y - 8.0).abs() < 1e-6);
        assert!(shake.load(&body, 0.25).force.norm() < 1e-12);
        let steady = Uniform { frequency: None, ..shake };
        assert!((steady.load(&body, 0.3).force.y - 8.0).abs() < 1e-14);
    }
}
