//! Walls that move by themselves, along their ways: [`Freedom`] has the equations.
//!
//! ```text
//! push_free_walls    half a kick and the drift, with what acted on them at tₙ
//! move_walls         puts them there, before anything touches them
//! …                  bodies move, contacts are evaluated, loads of walls are summed
//! settle_free_walls  half a kick with what acts on them at tₙ₊₁; their books
//! ```
//! What bodies do to a wall is an exact sum, whatever the order of the contacts; so is what becomes of it.
//!
//! **Books.** Such a wall belongs to the system. Its kinetic energy is stored, damping and stops lose, and what drive and weight put in counts as work of
//! walls; what it exchanges with bodies is nobody's gain.

use crate::engine::{Engine, Space};
use crate::error::Error;
use crate::law::{Entry, EntryKind};
use crate::wall::{Drifted, Freedom, Motion, Pose};

/// Kinetic energy of walls that move by themselves.
pub(crate) const FREE_WALLS: Entry =
    Entry::new("free_walls", "kinetic energy of walls that move by themselves", EntryKind::Stored);
/// Lost by their damping.
pub(crate) const WALL_DAMPING: Entry =
    Entry::new("wall_damping", "lost to the damping of walls that move by themselves", EntryKind::Damped);
/// Lost at their stops.
pub(crate) const WALL_STOPS: Entry =
    Entry::new("wall_stops", "lost where walls that move by themselves met a stop", EntryKind::Slipped);

/// A wall that moves by itself, at the end of a step; all zero of any other one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FreeWall {
    /// How far it has come along its way, m or rad.
    pub(crate) place: f64,
    /// m/s or rad/s
    pub(crate) speed: f64,
    /// The speed that contacts see.
    pub(crate) seen: f64,
    /// What drive and weight have put in, J.
    pub(crate) work: f64,
    /// What its damping has lost, J.
    pub(crate) damped: f64,
    /// What its stops have lost, J.
    pub(crate) stopped: f64,
    /// Where it was when the lists were built.
    pub(crate) built: f64,
}

/// A wall in the middle of a step.
pub(crate) struct Pushed {
    pub(super) wall: usize,
    pub(super) drifted: Drifted,
    /// All that acted on it, and drive and weight alone, when the step began.
    force: f64,
    given: f64,
}

/// Walls that move by themselves, with their states.
fn free(space: &Space) -> impl Iterator<Item = (usize, &Freedom)> {
    space.walls.iter().enumerate().filter_map(|(number, wall)| Some((number, wall.motion.freedom()?)))
}

impl Engine {
    /// Whether any wall moves by itself.
    pub(crate) fn has_free_walls(&self) -> bool {
        free(&self.space).next().is_some()
    }

    /// Bodies that are held touch no walls, and one that moves by itself would go through them.
    pub(crate) fn check_nobody_is_held(&self) -> Result<(), Error> {
        let (Some((wall, _)), Some(row)) =
            (free(&self.space).next(), self.space.bodies.held.iter().position(|held| *held))
        else {
            return Ok(());
        };
        let (id, name) = (self.space.bodies.id[row], &self.space.walls[wall].name);
        Err(Error::Invalid {
            of: format!("body {id} beside the wall '{name}', which moves by itself"),
            what: "motion",
            value: "that of a body that is held".into(),
            expected: "bodies that are not held: the wall would go through them",
        })
    }

    /// All that acts on a wall along its way at a place of it, and drive and weight alone.
    fn acting_on(&self, wall: usize, freedom: &Freedom, place: f64) -> [f64; 2] {
        let load = &self.loads[wall];
        let given = freedom.given(self.time(), place, self.rules.gravity);
        [given + freedom.along_way(load.force, load.torque), given]
    }

    /// Begins the step of all walls that move by themselves, before the time goes on; one that is not there stays where it is.
    pub(crate) fn push_free_walls(&mut self) -> Vec<Pushed> {
        let dt = self.rules.settings.dt;
        let push = |(wall, freedom): (usize, &Freedom)| {
            let FreeWall { place, speed, .. } = self.space.free[wall];
            let [force, given] = self.acting_on(wall, freedom, place);
            let drifted = freedom.begin_step(place, speed, force, dt);
            Pushed { wall, drifted, force, given }
        };
        let there = free(&self.space).filter(|(wall, _)| self.space.poses[*wall].present);
        there.map(push).collect()
    }

    /// The numbers of those that do.
    pub(crate) fn free_walls(&self) -> Vec<usize> {
        free(&self.space).map(|(wall, _)| wall).collect()
    }

    /// Ends their step, with all forces known.
    pub(crate) fn settle_free_walls(&mut self, pushed: &[Pushed]) {
        let dt = self.rules.settings.dt;
        for Pushed { wall, drifted, force, given } in pushed {
            let Some(freedom) = self.space.walls[*wall].motion.freedom() else { continue };
            let before = self.space.free[*wall];
            let mut after = FreeWall { place: drifted.place, seen: drifted.seen, ..before };
            let [force_now, given_now] = self.acting_on(*wall, freedom, after.place);
            let way = after.place - before.place;
            after.speed = freedom.end_step(drifted, force_now, dt);
            after.work += 0.5 * (given + given_now) * way;
            if drifted.stopped {
                // All that it had, and got on the last bit of its way.
                after.stopped += freedom.kinetic(before.speed) + 0.5 * (force + force_now) * way;
            } else {
                after.damped += freedom.damped_in_step(drifted.half, dt);
            }
            self.space.free[*wall] = after;
        }
    }

    /// What drive and weight put in, what walls have in motion, and what was lost to damping and to stops, J; none where no wall moves by
    /// itself, or did.
    pub(crate) fn free_wall_energies(&self) -> Option<(f64, [f64; 3])> {
        let idle =
            |wall: &FreeWall| [wall.work, wall.damped, wall.stopped].iter().all(|energy| *energy == 0.0);
        if !self.has_free_walls() && self.space.free.iter().all(idle) {
            return None;
        }
        let (mut work, mut rest) = (0.0, [0.0; 3]);
        for (wall, state) in self.space.free.iter().enumerate() {
            let kinetic = self.space.walls[wall].motion.freedom().map_or(0.0, |own| own.kinetic(state.speed));
            work += state.work;
            for (sum, part) in rest.iter_mut().zip([kinetic, state.damped, state.stopped]) {
                *sum += part;
            }
        }
        Some((work, rest))
    }
}

impl FreeWall {
    /// The same wall with another motion: along the same way it goes on, along any other one it begins as fast as it was, and otherwise this
    /// is of no interest any more. What it gained and lost so far stays in the books.
    pub(crate) fn with_motion(self, motion: &Motion, before: &Motion, was: &Pose) -> Self {
        match [motion, before].map(Motion::freedom) {
            [Some(now), Some(before)] if now.way() == before.way() => self,
            [Some(now), _] => {
                let speed = now.speed_of(was);
                Self { place: 0.0, speed, seen: speed, ..self }
            }
            [None, _] => Self { place: 0.0, speed: 0.0, seen: 0.0, ..self },
        }
    }

    /// The pose of the wall, which has this motion, at a place along its way.
    pub(crate) fn pose(&self, motion: &Motion, place: f64, time: f64) -> Pose {
        Pose { present: motion.presence().at(time), ..motion.pose_along(place, self.seen) }
    }
}
