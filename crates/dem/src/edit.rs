//! Changes during a run: bodies put in, taken out, moved by hand.
//!
//! Each takes effect at the present instant. The energy that it brings in or takes away goes into the ledger
//! as [`exchanged`](crate::Ledger::exchanged).

use crate::bodies::Load;
use crate::check;
use crate::contact::PairTable;
use crate::engine::Engine;
use crate::error::Error;
use crate::integrate;
use crate::world::{Body, BodyId};
use tumble_math::{LabVec, Quat};

impl Engine {
    /// Puts bodies in. If they touch something already there, contact forces begin with the next step.
    pub fn add_bodies(&mut self, bodies: &[Body]) -> Result<Vec<BodyId>, Error> {
        let (templates, materials) = (self.bodies.shapes.templates.len(), self.materials.as_slice().len());
        for (number, body) in bodies.iter().enumerate() {
            check::body(body, &format!("added body {number}"), templates, materials)?;
        }
        let radius = |body: &Body| {
            self.bodies.shapes.templates[usize::from(body.template.0)].bounding_radius() * body.scale
        };
        let largest = bodies.iter().map(radius).fold(0.0, f64::max);
        check::domain(&self.domain, largest, self.settings.skin)?;
        let of_bodies = self.bodies.material.iter().copied().chain(bodies.iter().map(|body| body.material));
        self.pairs = PairTable::new(&self.materials, self.settings.contact, of_bodies, &self.walls)?;
        let first = self.bodies.row_of.len();
        self.change(None, |engine| {
            let density = |material: u16| engine.materials.as_slice()[usize::from(material)].density;
            engine.bodies.append(bodies, density);
        });
        Ok((first..self.bodies.row_of.len())
            .map(|id| BodyId(u32::try_from(id).unwrap_or(u32::MAX)))
            .collect())
    }

    /// Takes bodies out. Their numbers are not used again; what they lost so far stays in the ledger.
    pub fn remove_bodies(&mut self, ids: &[BodyId]) -> Result<(), Error> {
        let mut keep = vec![true; self.bodies.len()];
        for &id in ids {
            keep[self.row(id)?] = false;
        }
        self.change(None, |engine| {
            for row in (0..keep.len()).filter(|&row| !keep[row]) {
                for (sum, book) in engine.exchange.removed.iter_mut().zip(engine.bodies.books[row]) {
                    *sum += book;
                }
            }
            let order: Vec<u32> = (0..).zip(&keep).filter(|(_, keep)| **keep).map(|(row, _)| row).collect();
            engine.bodies.permute(&order);
        });
        Ok(())
    }

    /// Gives a body another velocity and angular velocity, both in the lab frame.
    pub fn set_velocity(
        &mut self,
        id: BodyId,
        velocity: LabVec<f64>,
        angular_velocity: LabVec<f64>,
    ) -> Result<(), Error> {
        let of = format!("body {}", id.0);
        check::finite(&of, "velocity", &velocity.to_array())?;
        check::finite(&of, "angular velocity", &angular_velocity.to_array())?;
        let row = self.row(id)?;
        self.change(Some(row), |engine| {
            let (_, q) = engine.bodies.pose(row);
            engine.bodies.velocity.set_row(row, velocity.to_array());
            engine.bodies.omega.set_row(row, q.to_body(angular_velocity).to_array());
        });
        Ok(())
    }

    /// Puts a body somewhere else. Contacts that it leaves end.
    pub fn set_pose(
        &mut self,
        id: BodyId,
        position: LabVec<f64>,
        orientation: Quat<f64>,
    ) -> Result<(), Error> {
        let of = format!("body {}", id.0);
        check::finite(&of, "position", &position.to_array())?;
        check::finite(&of, "orientation", &orientation.to_array())?;
        check::positive(&of, "length of the orientation", orientation.norm())?;
        let row = self.row(id)?;
        self.change(Some(row), |engine| {
            engine.bodies.position.set_row(row, position.to_array());
            engine.bodies.q.set_row(row, orientation.normalised().to_array());
        });
        Ok(())
    }

    /// Holds a body, so that it keeps its velocity whatever pushes it, or lets go of it.
    pub fn set_held(&mut self, id: BodyId, held: bool) -> Result<(), Error> {
        let row = self.row(id)?;
        self.change(Some(row), |engine| engine.bodies.set_held(row, held));
        Ok(())
    }

    fn row(&self, id: BodyId) -> Result<usize, Error> {
        self.bodies.row(id).ok_or_else(|| Error::Unknown {
            of: "the engine".into(),
            what: "body",
            number: id.0.into(),
            count: self.bodies.row_of.len(),
        })
    }

    /// Brings a row, and all that are fresh, to the present instant: as bodies that have just been put in.
    fn synchronise(&mut self, touched: Option<usize>) {
        if touched.is_none() && !self.bodies.fresh.contains(&true) {
            return;
        }
        let now = integrate::synchronised(&self.bodies, &self.motion());
        for (row, now) in now.iter().enumerate() {
            if touched == Some(row) || self.bodies.fresh[row] {
                let q = Quat::from_array(now.q);
                self.bodies.velocity.set_row(row, now.velocity);
                self.bodies.q.set_row(row, now.q);
                self.bodies.omega.set_row(row, q.to_body(LabVec::from_array(now.omega)).to_array());
                self.bodies.fresh[row] = true;
            }
        }
    }

    /// Makes a change, then brings what is fresh to the instants of the schemes, and the lists up to date.
    fn change(&mut self, touched: Option<usize>, change: impl FnOnce(&mut Self)) {
        let before = self.ledger().balance();
        let loose = self.contacts.loosened(self.scene(), self.physics(), true);
        let old = self.bodies.row_of.len();
        self.synchronise(touched);
        change(self);
        // All of them: the lists that are built below count from here how far anything may have gone.
        self.wrap_positions();
        integrate::show_fresh(&mut self.bodies);
        for row in 0..self.bodies.len() {
            if self.bodies.id[row] as usize >= old {
                let weight = self.gravity * self.bodies.kind(row).mass;
                let (load, ..) = self.field_load(row);
                self.bodies.acting[row] =
                    Load { force: (weight + load.force).to_array(), torque: load.torque.to_array() };
            }
        }
        let motion = self.motion();
        integrate::start(&mut self.bodies, &motion);
        self.build_lists(&loose);
        self.exchange.brought += self.ledger().balance() - before;
        self.last_good = None;
    }
}
