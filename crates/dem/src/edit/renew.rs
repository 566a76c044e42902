//! What follows from a change by hand: forces, contacts, books and schemes of the new state, at the same instant.
//!
//! | who | forces | contacts | scheme |
//! | --- | --- | --- | --- |
//! | bodies and walls that are changed | anew | evaluated anew; no time has gone by, so those that go on keep their springs | starts anew |
//! | whoever touched them, or touches them now | summed anew | the others stay as they are | brought to tₙ with the old forces, starts anew with the new ones |
//! | whoever is in a contact whose law reads other numbers now | summed anew | evaluated anew; springs keep what they exert, unless that is more than friction holds now | as above |
//! | all others | stay | stay | goes on, with the same bits |
//!
//! A leapfrog so gets vₙ₊½ = vₙ + ½Δt F/m with the forces of after the change, whatever was before it. Rates in
//! the books count half with what they were before, half with what they are after it.

use crate::bodies::{AtInstant, BookTable, Sums, Wrench};
use crate::contact::{Detached, Groups, Physics, SumRows, couple, image_shift, load_walls};
use crate::engine::{Alterable, Engine, Since};
use crate::error::{Error, Stop};
use crate::field::{BatchField, Drag, ForceField};
use crate::integrate;
use crate::physics::contact::Action;
use crate::precision::{Float, Precision, narrow, wide};
use crate::saved::SavedState;
use crate::wall::{Motion, Pose};
use crate::world::BodyId;
use std::sync::Arc;
use tumble_math::{LabVec, Quat};

/// What a change is about.
#[derive(Clone, Copy, Default)]
pub(super) struct Concerns<'a> {
    /// Rows that are changed or taken out.
    pub(super) rows: &'a [usize],
    pub(super) wall: Option<usize>,
    /// Whether what acts on all bodies changes.
    pub(super) all_loads: bool,
    /// Whether what laws read changes.
    pub(super) all_contacts: bool,
    /// Gravity after the change, where it is another; then all loads change.
    pub(super) gravity: Option<LabVec<f64>>,
}

/// What is needed of the state before a change.
struct Before {
    state: SavedState,
    motions: Vec<Motion>,
    poses: Vec<Pose>,
    drag: Option<Drag>,
    fields: Vec<Arc<dyn ForceField>>,
    batch_fields: Vec<Arc<dyn BatchField>>,
    rules: Alterable,
    groups: Groups,
    since: Since,
    balance: f64,
    /// All rows at the present instant.
    now: Vec<AtInstant>,
    /// What the rates of the present instant put into the books, by the rows of the state.
    rates: BookTable,
    /// Which contacts have to be evaluated anew, in the order of the state's.
    reviewed: Vec<bool>,
    /// By these rows, of bodies whose forces are summed anew: their weight and what the other contacts do.
    base: Vec<Option<Wrench>>,
}

impl Before {
    /// The row that a body had.
    fn row(&self, id: u32) -> Option<usize> {
        self.state.bodies.row(BodyId(id))
    }
}

impl Engine {
    /// Makes a change, and all that follows from it. If its forces cannot be told, the old state is there again.
    /// Overlaps are as large as they are: several changes may lead through states that no run may begin from.
    pub(super) fn change(
        &mut self,
        concerns: Concerns<'_>,
        change: impl FnOnce(&mut Self),
    ) -> Result<(), Error> {
        let before = self.before(concerns);
        if !self.mover().shows() {
            // Nobody has asked for them so far; what is added may.
            self.space.bodies.at_force.clone_from(&before.now);
        }
        // Until all is done, only those whose schemes start anew.
        self.space.bodies.fresh.fill(false);
        for &row in concerns.rows {
            self.make_fresh(row, &before.now[row]);
        }
        change(self);
        if let Err(stop) = self.renew(&before) {
            self.undo(before);
            return Err(Error::Stopped(stop));
        }
        self.last_good = None;
        self.progress.made_by_hand = true;
        Ok(())
    }

    fn before(&self, concerns: Concerns<'_>) -> Before {
        let bodies = &self.space.bodies;
        let mut touched = vec![false; bodies.len()];
        for &row in concerns.rows {
            touched[row] = true;
        }
        let all = concerns.all_loads
            || concerns.gravity.is_some()
            || !self.rules.batch_fields.is_empty()
            || !bodies.prescribed.is_empty();
        let mut summed_anew: Vec<bool> = touched.iter().map(|touched| all || *touched).collect();
        let mut reviewed = Vec::with_capacity(self.contact_count());
        for (kept, with_wall, _) in self.with_outcomes() {
            for key in kept.keys() {
                let [a, b] = [key.a, key.b].map(|row| row as usize);
                let review = concerns.all_contacts
                    || touched[a]
                    || if with_wall { concerns.wall == Some(b) } else { touched[b] };
                reviewed.push(review);
                summed_anew[a] |= review;
                if !with_wall {
                    summed_anew[b] |= review;
                }
            }
        }
        for (_, [a, b]) in self.bonds.with_rows() {
            if touched[a] || touched[b] {
                (summed_anew[a], summed_anew[b]) = (true, true);
            }
        }
        Before {
            state: self.save(),
            motions: self.space.walls.iter().map(|wall| wall.motion.clone()).collect(),
            poses: self.space.poses.clone(),
            drag: self.rules.drag,
            fields: self.rules.fields.clone(),
            batch_fields: self.rules.batch_fields.clone(),
            rules: self.rules.alterable(),
            groups: self.rules.groups.clone(),
            since: self.progress.since,
            balance: self.ledger().balance(),
            now: integrate::synchronised(bodies, &self.sums, &self.mover()),
            rates: self.rates(),
            base: self.base(&summed_anew, &reviewed, concerns.gravity.unwrap_or(self.rules.gravity)),
            reviewed,
        }
    }

    /// What the present rates put into the books, by row.
    fn rates(&self) -> BookTable {
        let mut rates = BookTable::like(&self.sums.books);
        self.each_rate(|_, _| {}, |row, book, value| rates.row_mut(row)[book] += value);
        rates
    }

    /// The weight of some rows, and what those contacts do to them that stay as they are.
    fn base(&self, summed_anew: &[bool], reviewed: &[bool], gravity: LabVec<f64>) -> Vec<Option<Wrench>> {
        let bodies = &self.space.bodies;
        let weight = |row: usize| summed_anew[row].then(|| self.weight(row, gravity));
        let mut base: Vec<Option<Wrench>> = (0..bodies.len()).map(weight).collect();
        let mut reviewed = reviewed.iter();
        for (kept, with_wall, physics) in self.with_outcomes() {
            for (index, key) in kept.keys().iter().enumerate() {
                if reviewed.next() != Some(&false) {
                    continue;
                }
                let Action { force, point, .. } = kept.action(index);
                let acts = Acts { force, point, couple: couple(kept.outcome(index), &physics.layout) };
                let place = |row: u32| LabVec::from_array(bodies.position.row(row as usize));
                let origin = place(key.a);
                let torque = |centre| match self.rules.settings.precision {
                    Precision::Double => acts.torque::<f64>(centre, origin),
                    Precision::Single => acts.torque::<f32>(centre, origin),
                };
                if let Some(load) = &mut base[key.a as usize] {
                    *load = plus(load, acts.force, torque(origin));
                }
                if let Some(load) =
                    base.get_mut(key.b as usize).and_then(Option::as_mut).filter(|_| !with_wall)
                {
                    let shift = LabVec::from_array(image_shift(&self.space, key.place as usize));
                    *load = plus(load, -acts.force, -torque(place(key.b) + shift));
                }
            }
        }
        base
    }

    fn weight(&self, row: usize, gravity: LabVec<f64>) -> Wrench {
        let weight = gravity * self.space.bodies.kind(row).mass;
        Wrench { force: weight.to_array(), torque: [0.0; 3] }
    }

    /// Brings a row to the present instant: as a body that has just been put in.
    fn make_fresh(&mut self, row: usize, now: &AtInstant) {
        let q = Quat::from_array(now.q);
        self.space.bodies.velocity.set_row(row, now.velocity);
        self.space.bodies.q.set_row(row, now.q);
        self.space.bodies.omega.set_row(row, q.to_body(LabVec::from_array(now.omega)).to_array());
        self.space.bodies.fresh[row] = true;
    }

    /// Lists, forces, books and schemes of the state as it is now.
    fn renew(&mut self, before: &Before) -> Result<(), Stop> {
        self.wrap_positions();
        self.shuffle();
        integrate::show_fresh(&mut self.space.bodies, self.rules.settings.precision);
        let fresh = (0..self.space.bodies.len()).filter(|&row| self.space.bodies.fresh[row]);
        let displacements = fresh.map(|row| self.displacement_to_come(row));
        self.progress.longest = displacements.fold(self.progress.longest, integrate::longer);
        let (kept, reviewed) = Self::split_contacts(before);
        self.build_lists(kept)?;
        let anew: Vec<bool> = (0..self.space.bodies.len()).map(|row| self.sum_anew(row, before)).collect();
        let slipped = self.evaluate_reviewed(reviewed);
        self.renew_bonds(&anew, before.rules.dt);
        self.ask_batch_fields()?;
        for row in (0..anew.len()).filter(|&row| anew[row]) {
            let (load, ..) = self.fields().load(row);
            self.sums.acting[row] = plus(&self.sums.acting[row], load.force, load.torque);
        }
        load_walls(self.contacts.iter().zip(self.rules.groups.layouts()), &self.space, &mut self.loads);
        self.restart(before);
        self.renew_books(before, &slipped);
        self.settle_liquid();
        self.exchange.brought += self.ledger().balance() - before.balance;
        Ok(())
    }

    /// Contacts that stay as they are, and those that are evaluated anew, of each group.
    fn split_contacts(before: &Before) -> (Vec<Detached>, Vec<Detached>) {
        let mut review = before.reviewed.iter();
        let split = |all: &Detached| {
            let [mut kept, mut reviewed] = [0, 0].map(|room| Detached::with_room(all.widths, room));
            for (index, (name, review)) in all.names.iter().zip(review.by_ref()).enumerate() {
                let part = if *review { &mut reviewed } else { &mut kept };
                let (memory, deed) = all.numbers(index);
                part.push(*name, memory.iter().copied(), deed.iter().copied());
            }
            (kept, reviewed)
        };
        before.state.contacts.iter().map(split).unzip()
    }

    /// Sets what acts on a row to what is known so far, if it is summed anew.
    fn sum_anew(&mut self, row: usize, before: &Before) -> bool {
        let base = match before.row(self.space.bodies.id[row]) {
            Some(was) => before.base[was],
            None => Some(self.weight(row, self.rules.gravity)),
        };
        if let Some(load) = base {
            self.sums.acting[row] = load;
        }
        base.is_some()
    }

    /// Evaluates the contacts that are not kept, and gives what their springs lost by slipping, by row.
    fn evaluate_reviewed(&mut self, reviewed: Vec<Detached>) -> BookTable {
        let (mut anew, _) = self.attach(reviewed);
        let mut sums = Sums { acting: self.sums.acting.clone(), books: BookTable::like(&self.sums.books) };
        // Nothing is known of the time before the change, and none has gone by.
        let now = |physics| Physics { elapsed: 0.0, ..physics };
        let mut all = Vec::with_capacity(anew.len());
        for (anew, (kept, physics)) in anew.iter_mut().zip(self.groups()) {
            let (space, physics) = (&self.space, now(physics));
            anew.evaluate_all_but(kept, space, physics, &mut SumRows::all(&mut sums));
            let mut contacts = kept.detached(space, physics, true);
            contacts.append(&anew.detached(space, physics, true));
            all.push(contacts);
        }
        self.sums.acting = sums.acting;
        (self.contacts, _) = self.attach(all);
        sums.books
    }

    /// Starts the schemes of bodies anew that are changed, or that something else acts on than before.
    fn restart(&mut self, before: &Before) {
        let (old, old_sums) = (&before.state.bodies, &before.state.sums);
        for row in 0..self.space.bodies.len() {
            let Some(was) = before.row(self.space.bodies.id[row]) else { continue };
            if !self.space.bodies.fresh[row] && self.sums.acting[row] != old_sums.acting[was] {
                self.make_fresh(row, &before.now[was]);
            }
        }
        let mover = self.mover();
        integrate::start(&mut self.space.bodies, &mut self.sums, &mover);
        for row in 0..self.space.bodies.len() {
            self.space.bodies.fresh[row] |=
                before.row(self.space.bodies.id[row]).is_some_and(|was| old.fresh[was]);
        }
    }

    /// By the trapezoid rule, half of a step's rates are those of its beginning: of before the change for the step
    /// that has ended, of after it for the one to come.
    fn renew_books(&mut self, before: &Before, lost: &BookTable) {
        for (row, rates) in self.rates().iter().enumerate() {
            let old = before.row(self.space.bodies.id[row]).map(|was| before.rates.row(was));
            for (book, rate) in rates.iter().enumerate() {
                let old = old.map_or(0.0, |old| old[book]);
                self.sums.books.row_mut(row)[book] += 0.5 * (rate - old);
            }
        }
        for (id, old) in before.state.bodies.id.iter().zip(before.rates.iter()) {
            if self.space.bodies.row(BodyId(*id)).is_none() {
                for (sum, old) in self.exchange.removed.iter_mut().zip(old) {
                    sum.add(-0.5 * old);
                }
            }
        }
        // What springs lost by slipping is lost, though no time has gone by.
        let slipped: Vec<usize> = self.rules.groups.accounts.slipped().collect();
        for (row, lost) in lost.iter().enumerate() {
            let books = self.sums.books.row_mut(row);
            for &book in &slipped {
                books[book] += lost[book];
            }
        }
    }

    fn undo(&mut self, before: Before) {
        for (wall, motion) in self.space.walls.iter_mut().zip(before.motions) {
            wall.motion = motion;
        }
        self.rules.drag = before.drag;
        self.rules.fields = before.fields;
        self.rules.batch_fields = before.batch_fields;
        self.rules.set(before.rules);
        self.rules.groups = before.groups;
        self.progress.since = before.since;
        // Its lists were there before, so they can be built again.
        let _ = self.put_back(before.state);
        // As they were, without asking programs again.
        self.space.poses = before.poses;
    }
}

/// What a contact does to its first body.
struct Acts {
    force: LabVec<f64>,
    point: LabVec<f64>,
    couple: LabVec<f64>,
}

impl Acts {
    /// The torque about a centre, as the contact had it.
    fn torque<R: Float>(&self, centre: LabVec<f64>, origin: LabVec<f64>) -> LabVec<f64> {
        let arm = R::nearby(self.point, origin) - R::nearby(centre, origin);
        wide(arm.cross(narrow(self.force)) + narrow(self.couple))
    }
}

fn plus(load: &Wrench, force: LabVec<f64>, torque: LabVec<f64>) -> Wrench {
    let [old_force, old_torque] = [load.force, load.torque].map(LabVec::from_array);
    Wrench { force: (old_force + force).to_array(), torque: (old_torque + torque).to_array() }
}
