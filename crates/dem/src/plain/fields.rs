//! What acts on bodies beside contacts, as plain data, and what of it only this engine can tell.

use super::Plan;
use crate::bodies::{AtInstant, Wrench};
use crate::engine::Engine;
use crate::field::{self, BodyView, Form, Formula};
use crate::step::view;
use crate::world::BodyId;

/// Who evaluates prescribed fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldPlan {
    /// Each is a formula, of which the numbers are told for each step ([`Engine::formulas_at`]): which form each has. None, where there
    /// are no fields.
    Formulas(Vec<FormKind>),
    /// The engine does, drag included, once bodies have moved to a step ([`Engine::loads_at`]).
    Host,
}

/// The form of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// The same acceleration everywhere.
    Uniform,
    /// A pull towards a point.
    Attraction,
}

/// What acts on bodies beside contacts, told by the engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loads {
    /// Force, torque, the power lost to drag and that put in by fields, of each body.
    pub all: Vec<[f64; 8]>,
    /// Of these, forces and torques from fields that see all bodies at once; none where there is no such field.
    pub prescribed: Vec<[f64; 6]>,
}

/// The vector and the number of a formula, and its two parts.
pub fn formula_numbers(formula: &Formula) -> [f64; 6] {
    let (vector, number) = match formula.form {
        Form::Uniform { acceleration, factor } => (acceleration, factor),
        Form::Attraction { centre, rate } => (centre, rate),
    };
    [vector.x, vector.y, vector.z, number, formula.parts[0], formula.parts[1]]
}

impl Plan {
    /// Whether anything but weight and contacts acts on bodies.
    pub fn has_fields(&self) -> bool {
        self.drag.is_some() || self.fields != FieldPlan::Formulas(Vec::new())
    }
}

impl Engine {
    pub(super) fn plain_fields(&self) -> FieldPlan {
        let kind = |formula: &Formula| match formula.form {
            Form::Uniform { .. } => FormKind::Uniform,
            Form::Attraction { .. } => FormKind::Attraction,
        };
        match self.formulas_at(self.steps() + 1) {
            Some(formulas) if self.rules.batch_fields.is_empty() => {
                FieldPlan::Formulas(formulas.iter().map(kind).collect())
            }
            _ => FieldPlan::Host,
        }
    }

    /// The formulas of all fields at a step, if all have one.
    pub fn formulas_at(&self, step: u64) -> Option<Vec<Formula>> {
        let time = self.time_at(step);
        self.rules.fields.iter().map(|field| field.formula(time)).collect()
    }

    /// What acts beside contacts on bodies with these ids, all that there are, which are seen like this at a step; or why a field
    /// cannot tell.
    pub fn loads_at(&self, step: u64, ids: &[u32], at_force: &[[f64; 13]]) -> Result<Loads, String> {
        let (bodies, time) = (&self.space.bodies, self.time_at(step));
        let row = |id: &u32| bodies.row(BodyId(*id)).ok_or_else(|| format!("there is no body {id}"));
        let rows = ids.iter().map(row).collect::<Result<Vec<usize>, String>>()?;
        let seen = rows.iter().zip(at_force);
        let views: Vec<BodyView> =
            seen.map(|(row, numbers)| view(bodies, *row, &AtInstant::from_numbers(*numbers))).collect();
        let prescribed = self.prescribed_on(&views, time)?;
        let fields = self.fields_at(time);
        let load = |(index, (view, row)): (usize, (&BodyView, &usize))| {
            let (load, drag, put_in) =
                fields.load_on(view, prescribed.get(index).copied(), bodies.held[*row]);
            let Wrench { force: [a, b, c], torque: [d, e, f] } = load.into();
            [a, b, c, d, e, f, drag, put_in]
        };
        Ok(Loads {
            all: views.iter().zip(&rows).enumerate().map(load).collect(),
            prescribed: prescribed.iter().map(numbers_of).collect(),
        })
    }

    /// What fields give that see all bodies at once, in the order of their ids.
    fn prescribed_on(&self, views: &[BodyView], time: f64) -> Result<Vec<Wrench>, String> {
        if self.rules.batch_fields.is_empty() {
            return Ok(Vec::new());
        }
        let mut order: Vec<usize> = (0..views.len()).collect();
        order.sort_unstable_by_key(|index| views[*index].id.0);
        let sorted: Vec<BodyView> = order.iter().map(|index| views[*index]).collect();
        let mut loads = vec![field::Load::ZERO; views.len()];
        for field in &self.rules.batch_fields {
            field.add_loads(&sorted, time, &mut loads)?;
        }
        let mut prescribed = vec![Wrench::default(); views.len()];
        for (index, load) in order.into_iter().zip(loads) {
            prescribed[index] = load.into();
        }
        Ok(prescribed)
    }
}

fn numbers_of(wrench: &Wrench) -> [f64; 6] {
    let Wrench { force: [a, b, c], torque: [d, e, f] } = *wrench;
    [a, b, c, d, e, f]
}
