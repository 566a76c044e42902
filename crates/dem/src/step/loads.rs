//! What is not a contact: loads of walls, drag, prescribed fields, the work of hands.
//!
//! Each field is asked once per step and body. Threads share the rows out; what a row gets depends on that row alone.

use crate::bodies::{AtInstant, Bodies, Book, Wrench};
use crate::contact::{SumRows, load_walls};
use crate::engine::{Engine, Rules, Space};
use crate::error::{Stop, StopCause};
use crate::field::{self, BodyView};
use crate::id::BodyId;
use crate::physics::field::{Pushed, hand_power};
use std::time::Instant;
use tumble_math::{BodyVec, LabVec, Quat};

/// What acts on bodies beside contacts, at one instant.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    space: &'a Space,
    rules: &'a Rules,
    time: f64,
}

impl Fields<'_> {
    /// Whether there is anything but weight.
    fn any(&self) -> bool {
        self.rules.drag.is_some() || !self.rules.fields.is_empty() || !self.space.bodies.prescribed.is_empty()
    }

    /// Drag and fields on a row: the load, the power lost to drag, the power put in by fields.
    pub(crate) fn load(&self, row: usize) -> (field::Load, f64, f64) {
        if !self.any() {
            return (field::Load::ZERO, 0.0, 0.0);
        }
        let bodies = &self.space.bodies;
        let view = view(bodies, row, &bodies.at_force[row]);
        self.load_on(&view, bodies.prescribed.get(row).copied(), bodies.held[row])
    }

    /// The same on a body that is seen like this, with what forces on all bodies at once gave for it.
    pub(crate) fn load_on(
        &self,
        view: &BodyView,
        prescribed: Option<Wrench>,
        held: bool,
    ) -> (field::Load, f64, f64) {
        let (mut sum, mut drag_power, mut field_power) = (field::Load::ZERO, 0.0, 0.0);
        let power =
            |load: &field::Load| load.force.dot(view.velocity) + load.torque.dot(view.angular_velocity);
        let plus = |sum: field::Load, load: field::Load| field::Load {
            force: sum.force + load.force,
            torque: sum.torque + load.torque,
        };
        if let Some(drag) = &self.rules.drag {
            let load = drag.load(view);
            drag_power = -power(&load);
            sum = load;
        }
        for field in &self.rules.fields {
            let load = field.load(view, self.time);
            field_power += power(&load);
            sum = plus(sum, load);
        }
        if let Some(load) = prescribed {
            let load = field::Load::from(load);
            field_power += power(&load);
            sum = plus(sum, load);
        }
        if held {
            (drag_power, field_power) = (0.0, 0.0);
        }
        (sum, drag_power, field_power)
    }

    /// What the hand that moves a held body spends on what the body pushes: all that acts on it but its weight and the
    /// load of fields.
    pub(crate) fn hand_power(&self, row: usize, acting: &Wrench, load: &field::Load) -> f64 {
        let bodies = &self.space.bodies;
        let weight = self.rules.gravity * bodies.kind(row).mass;
        let [acting, load] =
            [field::Load::from(*acting), *load].map(|field::Load { force, torque }| Pushed { force, torque });
        let q = Quat::from_array(bodies.q.row(row));
        let omega = q.to_lab(BodyVec::from_array(bodies.omega.row(row)));
        hand_power(&acting, weight, &load, LabVec::from_array(bodies.velocity.row(row)), omega)
    }

    /// Adds all of it to what acts on some rows, and to their books.
    fn add_to(&self, SumRows { first, acting, books, .. }: SumRows<'_>) {
        let dt = self.rules.settings.dt;
        for (row, (acting, books)) in (first as usize..).zip(acting.iter_mut().zip(books.into_iter())) {
            let (load, drag_power, field_power) = self.load(row);
            if self.any() {
                let (force, torque) = (load.force.to_array(), load.torque.to_array());
                for axis in 0..3 {
                    acting.force[axis] += force[axis];
                    acting.torque[axis] += torque[axis];
                }
                books[Book::Drag as usize] += drag_power * dt;
                books[Book::FieldWork as usize] += field_power * dt;
            }
            if self.space.bodies.held[row] {
                books[Book::HandWork as usize] += self.hand_power(row, acting, &load) * dt;
            }
        }
    }
}

impl Engine {
    /// What acts on bodies beside contacts, now.
    pub(crate) fn fields(&self) -> Fields<'_> {
        self.fields_at(self.time())
    }

    /// The same at another time.
    pub(crate) fn fields_at(&self, time: f64) -> Fields<'_> {
        Fields { space: &self.space, rules: &self.rules, time }
    }

    /// A body as fields see it.
    pub(crate) fn view(&self, row: usize) -> BodyView {
        view(&self.space.bodies, row, &self.space.bodies.at_force[row])
    }

    /// Has the forces on all bodies evaluated, for the present instant.
    pub(crate) fn ask_batch_fields(&mut self) -> Result<(), Stop> {
        self.space.bodies.prescribed.clear();
        if self.rules.batch_fields.is_empty() {
            return Ok(());
        }
        let begin = Instant::now();
        let bodies = &self.space.bodies;
        let views: Vec<BodyView> =
            bodies.by_id.rows().map(|row| view(bodies, row, &bodies.at_force[row])).collect();
        let mut loads = vec![field::Load::ZERO; views.len()];
        for field in &self.rules.batch_fields {
            if let Err(reason) = field.add_loads(&views, self.time(), &mut loads) {
                return Err(self.stop(0, StopCause::Prescribed { reason }));
            }
        }
        let bodies = &mut self.space.bodies;
        bodies.prescribed.resize(bodies.len(), Wrench::default());
        for (row, load) in bodies.by_id.rows().zip(loads) {
            bodies.prescribed[row] = load.into();
        }
        self.times.add_fields += begin.elapsed();
        Ok(())
    }

    /// Adds what is not a contact to the forces of the present instant, and to the books.
    pub(crate) fn add_fields(&mut self) {
        let held = self.space.bodies.held.contains(&true);
        if !self.progress.observed && !held && !self.fields().any() {
            return;
        }
        let begin = Instant::now();
        // For whoever may look.
        if self.progress.observed {
            load_walls(self.contacts.iter().zip(self.rules.groups.layouts()), &self.space, &mut self.loads);
        }
        let fields = Fields { space: &self.space, rules: &self.rules, time: self.time() };
        if fields.any() || held {
            let rows = SumRows::all(&mut self.sums);
            let threads = &self.threads;
            threads.install(|| {
                threads.split_rows(rows, SumRows::len, SumRows::split_at, |rows| fields.add_to(rows))
            });
        }
        self.times.add_fields += begin.elapsed();
    }
}

/// A body as fields see it.
pub(crate) fn view(bodies: &Bodies, row: usize, body: &AtInstant) -> BodyView {
    BodyView {
        id: BodyId(bodies.id[row]),
        mass: bodies.kind(row).mass,
        equivalent_radius: bodies.equivalent_radius(row),
        position: LabVec::from_array(body.position),
        velocity: LabVec::from_array(body.velocity),
        orientation: Quat::from_array(body.q),
        angular_velocity: LabVec::from_array(body.omega),
    }
}
