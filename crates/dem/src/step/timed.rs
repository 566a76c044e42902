//! What changes with the time alone, beside the places of walls: gravity, and which walls are there.
//!
//! Gravity of tₙ₊₁ acts from the move to tₙ₊₁ on. With the potential energy −m g·x, its change Δg in a step puts in
//! −½ m Δg·(xₙ + xₙ₊₁), so that the books close as they do where it is constant.
//!
//! A wall comes or goes at the end of a step, as if by hand: contacts with it begin or end, and what they store is exchanged.

use crate::bodies::Book;
use crate::contact;
use crate::engine::Engine;
use crate::error::{Error, Stop, StopCause};
use tumble_math::{ExactSum, LabVec};

/// A wall that appears may overlap a sphere by this part of its radius: as others that it lies on do, and no more.
const APPEARING: f64 = 0.05;

impl Engine {
    /// Gives gravity its value at the end of the present step, before anybody moves, and tells how it changed.
    pub(crate) fn turn_gravity(&mut self) -> Option<LabVec<f64>> {
        let now = self.rules.gravity_table.as_ref()?.at(self.time());
        let change = now - self.rules.gravity;
        if change == LabVec::zero() {
            return None;
        }
        self.book_gravity(change);
        self.rules.gravity = now;
        Some(change)
    }

    /// Half of what a change of gravity puts in: with positions before the move, or after it.
    pub(crate) fn book_gravity(&mut self, change: LabVec<f64>) {
        let bodies = &self.space.bodies;
        let mut sum = ExactSum::ZERO;
        for row in (0..bodies.len()).filter(|&row| !bodies.held[row] && !bodies.ghost[row]) {
            let position = LabVec::from_array(bodies.position.row(row));
            sum += -0.5 * (bodies.kind(row).mass * change.dot(position));
        }
        self.exchange.removed[Book::FieldWork as usize].merge(&sum);
    }

    /// Whether a wall comes or goes at a step.
    pub(crate) fn is_wall_due(&self, step: u64) -> bool {
        let time = self.time_at(step);
        let mut walls = self.space.walls.iter().zip(&self.space.poses);
        walls.any(|(wall, pose)| wall.motion.presence().at(time) != pose.present)
    }

    /// Lets walls come and go that do so now.
    pub(super) fn let_walls_come_and_go(&mut self) -> Result<(), Stop> {
        let time = self.time();
        for wall in 0..self.space.walls.len() {
            let present = self.space.walls[wall].motion.presence().at(time);
            if present == self.space.poses[wall].present {
                continue;
            }
            // To go back to, if bodies are in the way.
            let good = self.last_good.take();
            let done = self.set_wall_present(wall, present).and_then(|()| {
                self.check_appeared(wall).and_then(|()| self.check_present()).map_err(Error::Stopped)
            });
            match done {
                Ok(()) => self.progress.made_by_hand = false,
                Err(error) => {
                    self.last_good = good;
                    return Err(match error {
                        Error::Stopped(stop) => stop,
                        other => self.stop(0, StopCause::Prescribed { reason: other.to_string() }),
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether bodies are in the way of a wall that has just appeared: the deepest is named.
    pub(crate) fn check_appeared(&self, wall: usize) -> Result<(), Stop> {
        let mut worst: Option<(f64, Stop)> = None;
        for (contacts, physics) in self.groups() {
            for (kept, with_wall) in contacts.kept().filter(|(_, with_wall)| *with_wall) {
                for &key in kept.keys().iter().filter(|key| key.b as usize == wall) {
                    let overlap = contact::overlap(&self.space, physics, key, with_wall);
                    let radius = contact::smaller_radius(&self.space, key, with_wall);
                    let part = overlap / radius;
                    if part > APPEARING && worst.as_ref().is_none_or(|(deepest, _)| part > *deepest) {
                        let wall = self.space.walls[wall].name.clone();
                        let cause = StopCause::InTheWay { wall, overlap, radius, limit: APPEARING };
                        worst = Some((part, self.stop(key.a as usize, cause)));
                    }
                }
            }
        }
        worst.map_or(Ok(()), |(_, stop)| Err(stop))
    }
}
