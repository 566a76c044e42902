//! Bonds that break, or go with their bodies.
//!
//! A bond that is loaded beyond its limits at tₙ acts for the last time then, as all forces do from tₙ₋½ to tₙ₊½. So it ends at tₙ₊½, with the
//! energy U − ½Δt P that it has left there, where P is what its springs do to the bodies at tₙ: the books close with second order.
//!
//! Its bodies may touch from tₙ₊₁ on. If they overlap then, their contact begins with the energy that its springs have at once, which is taken out of
//! what the bond left: the entry counts what is lost in all.

use super::Bonds;
use super::spread::is_told_elsewhere;
use crate::bodies::{AtInstant, Bodies};
use crate::bond::BreakMode;
use crate::contact::image_shift;
use crate::engine::Engine;
use crate::id::BodyId;
use crate::law::EntryKind;
use crate::physics::contact::Action;
use crate::record::Numbers;
use tumble_math::{ExactSum, LabVec, Quat};

/// A bond that broke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakage {
    /// When, s.
    pub time: f64,
    /// The step in which it happened.
    pub step: u64,
    /// The two bodies, the lower number first.
    pub bodies: [BodyId; 2],
    /// The middle of the bond when it was last seen, m.
    pub place: LabVec<f64>,
    /// Which load was too much for it.
    pub mode: BreakMode,
    /// What was stored in it, J.
    pub energy: f64,
}

impl Bonds {
    /// Drops bonds, and tells whether bodies may touch now that could not before. What the others do stays known.
    fn keep(&mut self, bodies: &Bodies, keep: impl Fn(usize) -> bool) -> bool {
        let mut parted = false;
        let mut kept = 0;
        for number in 0..self.ties.len() {
            if keep(number) {
                self.ties.swap(kept, number);
                self.actions.swap(kept, number);
                kept += 1;
            } else {
                parted |= !self.ties[number].contact;
                if !is_told_elsewhere(&self.ties[number], bodies) {
                    self.lost += self.ties[number].lost;
                }
            }
        }
        self.ties.truncate(kept);
        self.actions.truncate(kept);
        self.settle(bodies);
        parted
    }

    /// Drops the bonds of bodies that are to be taken out, with the rates of the present instant.
    pub(crate) fn take_out(&mut self, bodies: &Bodies, gone: impl Fn(u32) -> bool, dt: f64) {
        let before = self.ties.len();
        for (tie, action) in self.ties.iter_mut().zip(&self.actions) {
            if tie.bodies.into_iter().any(&gone) {
                tie.lost -= 0.5 * dt * action.damped;
            }
        }
        let stays: Vec<bool> = self.ties.iter().map(|tie| !tie.bodies.into_iter().any(&gone)).collect();
        self.keep(bodies, |number| stays[number]);
        self.taken_out += (before - self.ties.len()) as u64;
    }

    /// The bonds of those bodies that are here, on their way into another world, where the books begin anew.
    pub(crate) fn taken_over(&self, bodies: &Bodies) -> Self {
        let is_here = |id: u32| bodies.by_id.row(id).is_some();
        let mut all = self.clone();
        let stays: Vec<bool> = self.ties.iter().map(|tie| tie.bodies.into_iter().all(is_here)).collect();
        all.keep(bodies, |number| stays[number]);
        Self::new_of(all.ties)
    }
}

impl Engine {
    /// Lets go of the bonds that what acted on them at the end of the last step was too much for. Tells whose contacts begin by that.
    pub(crate) fn drop_broken_bonds(&mut self) -> Vec<[u32; 2]> {
        if self.bonds.ties.iter().all(|tie| tie.breaking.is_none()) {
            return Vec::new();
        }
        let broken: Vec<bool> = self.bonds.ties.iter().map(|tie| tie.breaking.is_some()).collect();
        let (dt, step) = (self.rules.settings.dt, self.progress.steps);
        let time = self.time_at(step) - 0.5 * dt;
        let bodies = &self.space.bodies;
        let mut released = Vec::new();
        let mut events = Vec::new();
        for ((tie, action), (_, rows)) in self.bonds.iter().zip(self.bonds.with_rows()) {
            let Some(mode) = tie.breaking else { continue };
            let [from, to] = [0, 1].map(|end| {
                let body = &bodies.at_force[rows[end]];
                let q = Quat::from_array(body.q);
                LabVec::from_array(body.position) + q.to_lab(tie.ends[end].arm)
            });
            // A contact beside its bond has begun long since.
            if !tie.contact {
                released.push(tie.bodies);
            }
            if is_told_elsewhere(tie, bodies) {
                continue;
            }
            events.push(Breakage {
                time,
                step,
                bodies: tie.bodies.map(BodyId),
                place: self.space.domain.wrap(from + self.space.domain.nearest(from, to) * 0.5),
                mode,
                energy: action.stored - 0.5 * dt * action.released,
            });
        }
        for event in &events {
            self.bonds.broken += event.energy;
        }
        self.bonds.breakages.extend(events);
        if self.bonds.keep(&self.space.bodies, |number| !broken[number]) {
            // They are in no list yet.
            self.space.neighbours.travelled = f64::INFINITY;
        }
        released.dedup();
        // What their contacts have stored is asked for.
        self.progress.observed = true;
        released
    }

    /// Takes what contacts have stored that began because bonds broke out of what those had left.
    pub(crate) fn book_released(&mut self, released: &[[u32; 2]]) {
        // Half a step earlier, when the bond ended and the contact began.
        let begun = self.left_in_contacts(released, -1.0, 1.0);
        self.bonds.broken.merge(&begun);
    }

    /// What the springs of all contacts of some pairs of bodies have half a step `earlier` (1) or later (−1), times a sign, as far as own books
    /// count it. Pairs are in the order of their numbers.
    pub(super) fn left_in_contacts(&self, pairs: &[[u32; 2]], sign: f64, earlier: f64) -> ExactSum {
        let mut left = ExactSum::ZERO;
        if pairs.is_empty() {
            return left;
        }
        let (bodies, dt) = (&self.space.bodies, self.rules.settings.dt);
        for (kept, with_wall, physics) in self.with_outcomes() {
            if with_wall {
                continue;
            }
            for (index, key) in kept.keys().iter().enumerate() {
                let ids = [key.a, key.b].map(|row| bodies.id[row as usize]);
                if bodies.ghost[key.a as usize] || pairs.binary_search(&ids).is_err() {
                    continue;
                }
                let outcome = kept.outcome(index);
                for posting in &physics.pairs.postings.stored {
                    left += sign * outcome.number(posting.from);
                }
                // What its springs do in between, which is what all of it does and what its dashpots lose.
                let Action { force, point, .. } = kept.action(index);
                let shift = LabVec::from_array(image_shift(&self.space, key.place as usize));
                let velocity = |row: u32, shift: LabVec<f64>| {
                    let AtInstant { position, velocity, omega, .. } = bodies.at_force[row as usize];
                    let arm = point - LabVec::from_array(position) - shift;
                    LabVec::from_array(velocity) + LabVec::from_array(omega).cross(arm)
                };
                let power = force.dot(velocity(key.a, LabVec::zero()) - velocity(key.b, shift));
                left += sign * earlier * (0.5 * dt * power);
                for posting in physics.pairs.postings.lost.iter().filter(|to| to.kind == EntryKind::Damped) {
                    left += sign * earlier * (0.5 * outcome.number(posting.from));
                }
            }
        }
        left
    }
}
