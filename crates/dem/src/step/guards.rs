//! What stops a run besides what is noticed on the way through a step: states that no run may begin from, and motion
//! that the time step does not resolve.

use crate::advice;
use crate::contact::{self, Excess};
use crate::engine::Engine;
use crate::error::{Stop, StopCause};
use crate::wall::{Pose, Wall};
use core::f64::consts::TAU;
use tumble_math::{BodyVec, LabVec};

/// Spins are looked at before the first step after a change by hand, and every so many steps: often enough for what is
/// lost, and for nobody to notice what it costs.
const SPINS_EVERY: u64 = 100;

/// So are rolling and twisting resistances, which cost as much as a step.
const RESISTANCES_EVERY: u64 = 1000;

/// A run stops beyond this many times the limit that they set the time step.
const RESISTED: f64 = 2.0;

/// Whether resistances are looked at in the state after so many steps, which has to be one that can be looked at.
pub(crate) fn is_resistance_due(steps: u64) -> bool {
    steps.is_multiple_of(RESISTANCES_EVERY)
}

/// A sphere that moves by no more than this part of its radius in a step overlaps a sheet before it is through.
pub(crate) const SHEET_PART: f64 = 0.5;

impl Engine {
    /// Whether a run may begin from the present state, which may have been made by hand.
    pub(crate) fn check_present(&self) -> Result<(), Stop> {
        self.check_escaped()?;
        self.check_spins()?;
        self.check_resistance()?;
        for (contacts, physics) in self.groups() {
            for (kept, with_wall) in contacts.kept() {
                for &key in kept.keys() {
                    let overlap = contact::overlap(&self.space, physics, key, with_wall);
                    let radius = contact::smaller_radius(&self.space, key, with_wall);
                    let fine = overlap <= self.rules.settings.max_overlap * radius;
                    if !fine {
                        let excess = Excess { key, with_wall, overlap, radius, point: [0.0; 3] };
                        return Err(self.overlapping(excess));
                    }
                }
            }
        }
        Ok(())
    }

    /// What is looked at now and then, at steps that do not depend on where a run began.
    pub(crate) fn check_before_step(&self) -> Result<(), Stop> {
        if (self.progress.steps + 1).is_multiple_of(SPINS_EVERY) {
            self.check_spins()?;
        }
        if is_resistance_due(self.progress.steps) { self.check_resistance() } else { Ok(()) }
    }

    /// Whether all bodies that have an orientation turn by an angle in this step that schemes can resolve.
    fn check_spins(&self) -> Result<(), Stop> {
        let (dt, limit) = (self.rules.settings.dt, self.rules.settings.max_turn);
        let angle = |row: usize| LabVec::<f64>::from_array(self.space.bodies.omega.row(row)).norm() * dt;
        // A ball looks the same however it is turned, and keeps its spin.
        let turns = |row: usize| {
            angle(row) > limit && !self.space.bodies.held[row] && self.space.bodies.kind(row).arm > 0.0
        };
        self.space
            .bodies
            .first(&self.threads, turns)
            .map_or(Ok(()), |row| Err(self.stop(row, StopCause::Turning { angle: angle(row), limit, dt })))
    }

    /// Whether rolling and twisting springs and dashpots are such that the time step bears them: beyond its limit they
    /// give energy instead of taking it. The limit is exact for a contact alone between bodies that turn freely; one that
    /// rolls on a floor bears some three times as much. So twice the limit is where a run stops.
    pub(crate) fn check_resistance(&self) -> Result<(), Stop> {
        let dt = self.rules.settings.dt;
        if !self.rules.groups.iter().any(|group| group.model.resists_turning())
            || self.rules.settings.max_turn > TAU
        {
            return Ok(());
        }
        match advice::limit_of_present_resistance(self) {
            Some((limit, row)) if dt > RESISTED * limit => {
                Err(self.stop(row, StopCause::Resisted { limit, dt }))
            }
            _ => Ok(()),
        }
    }

    /// How far spheres and walls together may move in a step before thin sheets have to be looked at, m; infinite where none has to.
    pub(crate) fn sheet_limit(&self) -> f64 {
        let any = self.space.walls.iter().any(|wall| wall.shape.is_sheet());
        if !any || self.rules.settings.max_overlap >= 1.0 {
            return f64::INFINITY;
        }
        SHEET_PART * self.space.bodies.smallest_radius
    }

    /// Whether a sphere that moved far in this step went through a thin sheet, which has no wrong side for it to be on.
    /// Nothing is looked at where nobody moves by half the radius of the smallest sphere; nor where spheres may overlap by
    /// their whole radius, and so may slowly go through as well.
    pub(crate) fn check_sheets(&self) -> Result<(), Stop> {
        let displacement = self.progress.longest + self.progress.wall_displacement;
        if displacement <= self.sheet_limit() {
            return Ok(());
        }
        let walls = self.space.walls.iter().zip(&self.space.poses);
        for (wall, pose) in walls.filter(|(wall, pose)| pose.present && wall.shape.is_sheet()) {
            let crossed = |row: usize| {
                let (position, _) = self.space.bodies.pose(row);
                let reach = self.space.bodies.bounding[row] + displacement;
                // It may have gone through the sheet before or after it went round a periodic domain.
                let mut shifts = self.space.domain.shifts_near(position.to_array(), displacement);
                shifts.find_map(|shift| {
                    let near = || wall.shape.near(pose.to_reference(position + shift), reach);
                    let free = !self.space.bodies.held[row];
                    (free && near()).then(|| self.crossing(row, shift, wall, pose)).flatten()
                })
            };
            let first = self.space.bodies.first(&self.threads, |row| crossed(row).is_some());
            if let Some((row, (displacement, radius))) = first.and_then(|row| Some((row, crossed(row)?))) {
                let (wall, dt) = (wall.name.clone(), self.rules.settings.dt);
                return Err(self.stop(row, StopCause::Crossed { wall, displacement, radius, dt }));
            }
        }
        Ok(())
    }

    /// The displacement and the radius of a sphere of a row that went through a wall in this step.
    fn crossing(&self, row: usize, shift: LabVec<f64>, wall: &Wall, pose: &Pose) -> Option<(f64, f64)> {
        let bodies = &self.space.bodies;
        let (position, q) = bodies.shown_pose(row, self.mover().staggered());
        let velocity = LabVec::from_array(bodies.velocity.row(row));
        let omega = q.to_lab(BodyVec::from_array(bodies.omega.row(row)));
        let scale = bodies.kind(row).scale;
        bodies.shapes.of(bodies.template[row]).iter().find_map(|&[x, y, z, radius]| {
            let arm = q.to_lab(BodyVec::new(x, y, z) * scale);
            let place = position + shift + arm;
            // Seen from the wall; a turn is taken for its chord.
            let moved = (velocity + omega.cross(arm) - pose.velocity_at(place)) * self.rules.settings.dt;
            let (displacement, radius, to) = (moved.norm(), radius * scale, pose.to_reference(place));
            let from = to - pose.orientation.counter_rotate(moved);
            (displacement > SHEET_PART * radius && wall.shape.is_crossed(from, to))
                .then_some((displacement, radius))
        })
    }
}
