//! Changes during a run: bodies put in, taken out, moved by hand; rules that are others from now on.
//!
//! Each takes effect at the present instant, forces included, or gives an error and changes nothing. Whether bodies
//! overlap too much, or are outside a closed wall, is asked when the run goes on. The energy that a change brings in
//! or takes away goes into the ledger as [`exchanged`](crate::Ledger::exchanged).

mod renew;
mod rules;

pub use rules::{PropertyOf, Rule};

use crate::check;
use crate::contact::Groups;
use crate::engine::Engine;
use crate::error::Error;
use crate::field::{BatchField, Drag, ForceField};
use crate::id::{BodyId, WallId};
use crate::wall::Motion;
use crate::world::Body;
use renew::Concerns;
use std::sync::Arc;
use tumble_math::{LabVec, Quat};

/// What is changed of a body; what is absent stays as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Which body.
    pub id: BodyId,
    /// Centre of mass, m.
    pub position: Option<LabVec<f64>>,
    /// Takes vectors along the principal axes to the lab; of any length but zero.
    pub orientation: Option<Quat<f64>>,
    /// m/s
    pub velocity: Option<LabVec<f64>>,
    /// In the lab frame, rad/s. A body that is only turned keeps its angular velocity in its own frame.
    pub angular_velocity: Option<LabVec<f64>>,
    /// Whether it is fixed or moved by hand.
    pub held: Option<bool>,
    /// K; only in a world with heat.
    pub temperature: Option<f64>,
}

impl Change {
    /// A change that leaves everything about a body as it is.
    pub fn of(id: BodyId) -> Self {
        Self {
            id,
            position: None,
            orientation: None,
            velocity: None,
            angular_velocity: None,
            held: None,
            temperature: None,
        }
    }
}

impl Engine {
    /// Puts bodies in. If they touch something already there, its contact forces begin at once.
    pub fn add_bodies(&mut self, bodies: &[Body]) -> Result<Vec<BodyId>, Error> {
        let (templates, materials) =
            (self.space.bodies.shapes.templates.len(), self.rules.materials.as_slice().len());
        for (number, body) in bodies.iter().enumerate() {
            let of = format!("added body {number}");
            check::body(body, &of, templates, materials)?;
            let precision = self.rules.settings.precision;
            check::size(body, &of, &self.space.bodies.shapes.templates, &self.rules.materials, precision)?;
            check::roundness(body, &of, &self.space.bodies.shapes.templates, &self.space.walls)?;
        }
        let radius = |body: &Body| {
            self.space.bodies.shapes.templates[usize::from(body.template.0)].bounding_radius() * body.scale
        };
        let largest = bodies.iter().map(radius).fold(0.0, f64::max);
        let of_bodies =
            self.space.bodies.material.iter().copied().chain(bodies.iter().map(|body| body.material.0));
        let groups = Groups::new(&self.rules.materials, &self.rules.settings, of_bodies, &self.space.walls)?;
        let of_all = largest.max(self.space.bodies.largest);
        let range = groups.range(of_all);
        let largest = if range > 0.0 { of_all } else { largest };
        check::domain(&self.space.domain, largest + 0.5 * range, self.rules.settings.skin)?;
        self.rules.groups = groups;
        self.space.bodies.check_room(bodies)?;
        let (first, rows) = (self.space.bodies.by_id.next(), self.space.bodies.len());
        if let Some(heat) = &self.rules.heat {
            let of_all = self.space.bodies.material.iter().copied();
            let of_all = of_all.chain(bodies.iter().map(|body| body.material.0));
            heat.check(&self.rules.materials, of_all, &self.space.walls)?;
        }
        for (number, body) in bodies.iter().enumerate() {
            crate::liquid::check_film(&format!("added body {number}"), body.film, self.has_liquid())?;
        }
        self.change(Concerns::default(), |engine| {
            let density = |material: u16| engine.rules.materials.as_slice()[usize::from(material)].density;
            engine.space.bodies.append(&mut engine.sums, bodies, density);
            engine.warm_bodies(rows, bodies);
            engine.moisten_bodies(rows, bodies);
        })?;
        Ok((first..self.space.bodies.by_id.next()).map(BodyId).collect())
    }

    /// Takes bodies out. Their numbers are not used again; what they lost so far stays in the ledger.
    pub fn remove_bodies(&mut self, ids: &[BodyId]) -> Result<(), Error> {
        let mut keep = vec![true; self.space.bodies.len()];
        let rows = ids.iter().map(|&id| self.row(id)).collect::<Result<Vec<_>, _>>()?;
        for &row in &rows {
            keep[row] = false;
        }
        self.change(Concerns { rows: &rows, ..Concerns::default() }, |engine| {
            for row in (0..keep.len()).filter(|&row| !keep[row]) {
                for (sum, book) in engine.exchange.removed.iter_mut().zip(engine.sums.books.row(row)) {
                    sum.add(*book);
                }
            }
            engine.take_films_out((0..keep.len()).filter(|&row| !keep[row]));
            let (bodies, dt) = (&engine.space.bodies, engine.rules.settings.dt);
            engine.bonds.take_out(bodies, |id| bodies.row(BodyId(id)).is_none_or(|row| !keep[row]), dt);
            let order: Vec<u32> = (0..).zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| row).collect();
            engine.space.bodies.permute(&mut engine.sums, &order, &engine.threads);
        })
    }

    /// Gives a body another velocity and angular velocity, both in the lab frame.
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: LabVec<f64>,
        angular_velocity: LabVec<f64>,
    ) -> Result<(), Error> {
        let (velocity, angular_velocity) = (Some(velocity), Some(angular_velocity));
        self.change_bodies(&[Change { velocity, angular_velocity, ..Change::of(id) }])
    }

    /// Puts a body somewhere else. Contacts that it leaves end.
    pub fn set_pose(
        &mut self,
        id: BodyId,
        position: LabVec<f64>,
        orientation: Quat<f64>,
    ) -> Result<(), Error> {
        let (position, orientation) = (Some(position), Some(orientation));
        self.change_bodies(&[Change { position, orientation, ..Change::of(id) }])
    }

    /// Holds a body, so that it keeps its velocity whatever pushes it, or lets go of it.
    pub fn set_held(&mut self, id: BodyId, held: bool) -> Result<(), Error> {
        self.change_bodies(&[Change { held: Some(held), ..Change::of(id) }])
    }

    /// Changes many bodies at once, all of them or, if something is wrong, none. Contacts that they leave end, those that
    /// go on keep their springs, and new ones begin.
    pub fn change_bodies(&mut self, changes: &[Change]) -> Result<(), Error> {
        let mut rows = Vec::with_capacity(changes.len());
        for change in changes {
            let of = || format!("body {}", change.id.0);
            let vectors = [
                ("position", change.position),
                ("velocity", change.velocity),
                ("angular velocity", change.angular_velocity),
            ];
            for (what, vector) in vectors {
                if let Some(vector) = vector {
                    check::finite(&of(), what, &vector.to_array())?;
                }
            }
            if let Some(orientation) = change.orientation {
                check::finite(&of(), "orientation", &orientation.to_array())?;
                check::positive(&of(), "length of the orientation", orientation.norm())?;
            }
            if let Some(temperature) = change.temperature {
                check::positive(&of(), "temperature in K", temperature)?;
                if !self.has_heat() {
                    return Err(Error::Invalid {
                        of: of(),
                        what: "temperature",
                        value: format!("{temperature} K"),
                        expected: "none in a world without heat",
                    });
                }
            }
            rows.push(self.row(change.id)?);
        }
        let heat = self.rules.heat.clone();
        self.change(Concerns { rows: &rows, ..Concerns::default() }, |engine| {
            let bodies = &mut engine.space.bodies;
            for (&row, change) in rows.iter().zip(changes) {
                if let Some(position) = change.position {
                    bodies.position.set_row(row, position.to_array());
                }
                if let Some(orientation) = change.orientation {
                    bodies.q.set_row(row, orientation.normalised().to_array());
                }
                if let Some(velocity) = change.velocity {
                    bodies.velocity.set_row(row, velocity.to_array());
                }
                if let Some(angular_velocity) = change.angular_velocity {
                    let (_, q) = bodies.pose(row);
                    bodies.omega.set_row(row, q.to_body(angular_velocity).to_array());
                }
                if let Some(held) = change.held {
                    bodies.set_held(row, held);
                }
                if let (Some(temperature), Some(rules)) = (change.temperature, &heat) {
                    let more = temperature - bodies.temperature(row, rules);
                    bodies.warmth[row].gained += bodies.heat_capacity(row, rules) * more;
                }
            }
        })
    }

    /// Gives a wall another motion. The wall is at once where that motion puts it at the present time; one that moves by itself goes on
    /// along its way from where it is and as fast as it is, if the way is the one that it had. One that was not there
    /// must not appear where bodies are.
    pub fn set_wall_motion(&mut self, wall: WallId, motion: Motion) -> Result<(), Error> {
        let WallId(number) = wall;
        let wall = wall.index();
        if wall >= self.space.walls.len() {
            return Err(Error::Unknown {
                of: "the engine".into(),
                what: "wall",
                number: number.into(),
                count: self.space.walls.len(),
            });
        }
        let free = self.space.free[wall].with_motion(
            &motion,
            &self.space.walls[wall].motion,
            &self.space.poses[wall],
        );
        let pose = match motion.freedom() {
            Some(_) => free.pose(&motion, free.place, self.time()),
            None => motion.try_at(self.time()).map_err(|reason| Error::Prescribed { reason })?,
        };
        // At the start nothing has moved, and the run asks when it begins.
        let appears = pose.present && !self.space.poses[wall].present && self.progress.steps > 0;
        let before =
            appears.then(|| (self.save(), self.space.walls[wall].motion.clone(), self.space.poses.clone()));
        self.change(Concerns { wall: Some(wall), ..Concerns::default() }, |engine| {
            engine.space.walls[wall].motion = motion;
            engine.space.poses[wall] = pose;
            engine.space.free[wall] = free;
        })?;
        let Some((state, motion, poses)) = before else { return Ok(()) };
        self.check_appeared(wall).map_err(|stop| {
            self.space.walls[wall].motion = motion;
            // Its lists were there before, so they can be built again.
            let _ = self.put_back(state);
            self.space.poses = poses;
            Error::Stopped(stop)
        })
    }

    /// Lets a wall appear or vanish where its motion has it.
    pub(crate) fn set_wall_present(&mut self, wall: usize, present: bool) -> Result<(), Error> {
        self.change(Concerns { wall: Some(wall), ..Concerns::default() }, |engine| {
            engine.space.poses[wall].present = present;
        })
    }

    /// Puts another fluid around the bodies, or none. Like the motions of walls it is no part of a saved state: whoever
    /// goes on from one sets it before.
    pub fn set_drag(&mut self, drag: Option<Drag>) -> Result<(), Error> {
        check::drag(drag.as_ref())?;
        self.change(Concerns { all_loads: true, ..Concerns::default() }, |engine| engine.rules.drag = drag)
    }

    /// Prescribes other forces on every body than those that were there. Like the motions of walls they are no part of a
    /// saved state: whoever goes on from one sets them before.
    pub fn set_fields(&mut self, fields: Vec<Arc<dyn ForceField>>) -> Result<(), Error> {
        self.change(Concerns { all_loads: true, ..Concerns::default() }, |engine| {
            engine.rules.fields = fields;
        })
    }

    /// Adds a force on all bodies.
    pub fn add_batch_field(&mut self, field: Arc<dyn BatchField>) -> Result<(), Error> {
        self.change(Concerns { all_loads: true, ..Concerns::default() }, |engine| {
            engine.rules.batch_fields.push(field);
        })
    }

    /// Removes all forces that were added by [`add_batch_field`](Self::add_batch_field). Membranes stay.
    pub fn clear_batch_fields(&mut self) -> Result<(), Error> {
        self.change(Concerns { all_loads: true, ..Concerns::default() }, |engine| {
            engine.rules.batch_fields.truncate(engine.rules.membranes.len());
        })
    }

    fn row(&self, id: BodyId) -> Result<usize, Error> {
        self.space.bodies.row(id).ok_or_else(|| Error::Unknown {
            of: "the engine".into(),
            what: "body",
            number: id.0.into(),
            count: self.space.bodies.len(),
        })
    }
}
