//! The step: from tₙ with all forces known to tₙ₊₁ with all forces known.
//!
//! ```text
//! advance                              this file
//! │  check_before_step                 guards.rs      spins and resistances, now and then
//! │  keep_good_state                   ../saved/      now and then, to go back to
//! └▶ step
//!    │  push_free_walls                free_walls.rs  those that move by themselves, with the forces of tₙ
//!    │  push_cell                      cell.rs        lengths and layers of a periodic cell that deforms
//!    │  drop_broken_bonds              bond/          those that could not bear the last step
//!    │  turn_gravity                   timed.rs       where it changes
//!    │  move_walls                     this file      poses are functions of the time, or where walls were pushed to
//!    │
//!    ├─ one thread, one model, and the lists stay valid:
//!    │  │  ┌▶ move some rows           tiles.rs       by integrate/
//!    │  │  │  find their contacts      contact/find.rs, by contact/narrow/
//!    │  │  └─ evaluate, add up         contact/segment.rs, contact/sum.rs
//!    │  │  somebody left the lists     catch_up.rs    the rest follows in new lists
//!    │  └▶ contacts with walls
//!    │
//!    ├─ otherwise:
//!    │  │  move all rows               integrate/
//!    │  │  new lists, where needed     lists.rs       by neighbour/; contacts move over by contact/carry.rs
//!    │  └▶ find, evaluate, add up      contact/
//!    │
//!    │  check_sheets                   guards.rs      has anything gone through a thin wall?
//!    │  add_bonds                      bond/          what bonds do, after all contacts
//!    │  ask_batch_fields, add_fields   loads.rs       drag, fields, what walls feel, work of hands
//!    │  add_surface_loads              surfaces.rs    pressure and wear of triangles, where asked for
//!    │  settle_free_walls              free_walls.rs  their velocities and books
//!    │  settle_cell                    cell.rs        what bodies do to the cell, its books
//!    │  add_heat                       heat.rs        what contacts conduct and have lost, sources; temperatures
//!    │  settle_liquid                  liquid.rs      bridges that broke give their liquid back to films, new ones get theirs
//! let_walls_come_and_go                timed.rs       those that do so now, as if by hand
//! ```
//!
//! Bodies move with the forces of tₙ, which then become their weights; everything after that sees tₙ₊₁ and adds to them.

pub(crate) mod bond;
mod catch_up;
mod cell;
pub(crate) mod contact;
pub mod field;
mod free_walls;
mod guards;
mod heat;
pub(crate) mod integrate;
mod liquid;
mod lists;
mod loads;
pub(crate) mod neighbour;
mod surfaces;
mod tiles;
mod timed;

pub(crate) use cell::{CELL_DAMPING, CELL_MOTION, CellState, Deformation, Slid};
use free_walls::Pushed;
pub(crate) use free_walls::{FREE_WALLS, FreeWall, WALL_DAMPING, WALL_STOPS};
pub(crate) use guards::{SHEET_PART, is_resistance_due};
pub(crate) use heat::{HeatBooks, HeatState, WallHeat, Warmth};
pub(crate) use liquid::{BridgeVolume, LiquidBooks};
pub(crate) use lists::SKIN_RANGE;
pub(crate) use loads::view;
pub(crate) use surfaces::{SurfaceSums, Surfaces, TriangleSums, sliding_of};

use crate::bodies::Wrench;
use crate::contact::{Contacts, SumRows};
use crate::engine::{Engine, Space};
use crate::error::{Error, Stop, StopCause};
use crate::wall::Pose;
use crate::world::BodyId;
use std::time::Instant;
use tumble_math::LabVec;

/// A state is kept every so many steps, to go back to when something goes wrong.
pub(crate) const KEEP_EVERY: u64 = 1000;

/// Bodies are put in order along a curve through space every so many steps. By steps and not by builds, so that
/// the skin has no part in it.
pub(crate) const REORDER_EVERY: u64 = 2000;

impl Engine {
    /// Advances everything by this many steps.
    ///
    /// If something goes wrong, the error says what, where and when, and the engine is back at a good state from
    /// before, which can be looked at, saved, or cured by moving or removing bodies.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        if steps > 0 {
            self.check_begin()?;
        }
        let threads = self.threads.clone();
        threads.install(|| {
            for left in (0..steps).rev() {
                let checked = self.check_before_step();
                let done = checked.and_then(|()| {
                    self.keep_good_state();
                    let next = self.progress.steps + 1;
                    self.progress.observed = left == 0
                        || self.is_keeping_due(next)
                        || is_resistance_due(next)
                        || self.has_free_walls()
                        || self.has_cell()
                        || self.is_wall_due(next);
                    self.step()?;
                    self.let_walls_come_and_go()
                });
                if let Err(stop) = done {
                    self.progress.observed = true;
                    return Err(self.go_back(stop));
                }
            }
            Ok(())
        })
    }

    /// From tₙ, with all forces known, to tₙ₊₁ with all forces known.
    fn step(&mut self) -> Result<(), Stop> {
        let pushed = self.push_free_walls();
        let strained = self.push_cell();
        self.progress.steps += 1;
        self.times.steps += 1;
        self.begin_heat();
        let released = self.drop_broken_bonds();
        let turned = self.turn_gravity();
        self.move_walls(&pushed)?;
        self.check_cell()?;
        let valid = self.lists_will_stay_valid();
        let only = self.rules.groups.only().filter(|_| valid && self.threads.count() == 1);
        if let Some(group) = only {
            self.move_and_touch(group)?; // the same as below, in tiles that stay in the cache
        } else {
            self.move_bodies()?; // to tₙ₊₁ with the forces of tₙ; spheres are placed, forces set to the weight
            if !valid || !self.space.neighbours.stay_valid_after(0.0) {
                self.update_neighbours()?;
            }
            self.find_and_evaluate_contacts()?; // each contact once, with positions and velocities of tₙ₊₁; summed in order
        }
        self.check_sheets()?;
        self.book_released(&released);
        self.add_bonds(); // each once, summed in order
        self.ask_batch_fields()?;
        self.add_fields(); // drag, prescribed fields, loads of walls
        self.add_surface_loads(); // on triangles of meshes, where asked for
        self.settle_free_walls(&pushed);
        self.settle_cell(strained.as_ref());
        self.add_heat()?;
        self.settle_liquid();
        if let Some(change) = turned {
            self.book_gravity(change);
        }
        Ok(())
    }

    /// Whether the lists will miss no contact, provided that nobody moves more than twice as far as in the last step.
    pub(crate) fn lists_will_stay_valid(&self) -> bool {
        !self.progress.steps.is_multiple_of(REORDER_EVERY)
            && self.space.neighbours.stay_valid_after(2.0 * self.progress.longest)
    }

    fn move_bodies(&mut self) -> Result<(), Stop> {
        let longest = self.move_rows(self.space.bodies.len());
        self.note_displacement(longest)
    }

    /// Moves the first `count` rows to tₙ₊₁, and tells the longest displacement of any of their spheres.
    pub(crate) fn move_rows(&mut self, count: usize) -> f64 {
        let begin = Instant::now();
        let mover = self.mover();
        let longest = integrate::advance(
            &mut self.space.bodies,
            &mut self.sums,
            count,
            &self.space.neighbours.needed,
            &mover,
            &self.threads,
        );
        self.times.move_bodies += begin.elapsed();
        longest
    }

    /// Counts the longest displacement of any sphere in this step against the skin.
    pub(crate) fn note_displacement(&mut self, longest: f64) -> Result<(), Stop> {
        self.progress.longest = longest;
        self.space.neighbours.travelled += longest;
        if longest.is_finite() { Ok(()) } else { Err(self.not_finite()) }
    }

    /// Puts walls where they are at the present time, or were pushed to.
    pub(crate) fn move_walls(&mut self, pushed: &[Pushed]) -> Result<(), Stop> {
        let time = self.time();
        let mut failure = None;
        self.progress.wall_displacement = 0.0;
        let Space { walls, poses, neighbours, region, .. } = &mut self.space;
        let mut pushed = pushed.iter().peekable();
        for (number, (wall, pose)) in walls.iter().zip(poses).enumerate() {
            if !wall.motion.is_static() {
                let drifted = pushed.next_if(|own| own.wall == number).map(|own| own.drifted);
                if wall.motion.freedom().is_some() && drifted.is_none() {
                    continue; // it is not there, and waits where it is
                }
                let moved = drifted.map(|own| Ok(wall.motion.pose_along(own.place, own.seen)));
                let next = match moved.unwrap_or_else(|| wall.motion.try_at(time)) {
                    Ok(next) => next,
                    Err(reason) => {
                        failure = Some(format!("the motion of the wall '{}': {reason}", wall.name));
                        break;
                    }
                };
                let displacement = wall.shape.displacement_bound(pose, &next, *region);
                // Whether it is there is seen to at the end of the step.
                *pose = Pose { present: pose.present, ..next };
                neighbours.wall_travelled += displacement;
                self.progress.wall_displacement =
                    integrate::longer(self.progress.wall_displacement, displacement);
            }
        }
        failure.map_or(Ok(()), |reason| Err(self.stop(0, StopCause::Prescribed { reason })))
    }

    /// Builds the lists for the present positions, and hands the contacts over.
    fn update_neighbours(&mut self) -> Result<(), Stop> {
        let begin = Instant::now();
        let detached = self.detach();
        self.build_neighbours(detached)?;
        self.times.update_neighbours += begin.elapsed();
        self.times.builds += 1;
        self.check_escaped()
    }

    pub(crate) fn find_and_evaluate_contacts(&mut self) -> Result<(), Stop> {
        for (group, contacts) in self.contacts.iter_mut().enumerate() {
            let physics = self.rules.physics(group, &self.progress);
            contacts.evaluate(&self.space, physics, &self.threads, SumRows::all(&mut self.sums));
        }
        self.check_overlaps()
    }

    pub(crate) fn check_overlaps(&self) -> Result<(), Stop> {
        self.contacts.iter().find_map(Contacts::excess).map_or(Ok(()), |excess| Err(self.overlapping(excess)))
    }

    /// Evaluates all forces for the first time.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        self.progress.longest = self.longest_to_come();
        self.wrap_positions();
        integrate::show_fresh(&mut self.space.bodies, self.rules.settings.precision);
        self.build_neighbours(Vec::new()).map_err(Error::Stopped)?;
        self.set_weights();
        self.check_escaped().and_then(|()| self.find_and_evaluate_contacts()).map_err(Error::Stopped)?;
        self.add_bonds();
        self.ask_batch_fields().map_err(Error::Stopped)?;
        self.add_fields();
        let mover = self.mover();
        integrate::start(&mut self.space.bodies, &mut self.sums, &mover);
        Ok(())
    }

    /// Sets what acts on bodies to their weights.
    pub(crate) fn set_weights(&mut self) {
        for row in 0..self.space.bodies.len() {
            let weight = self.rules.gravity * self.space.bodies.kind(row).mass;
            self.sums.acting[row] = Wrench { force: weight.to_array(), torque: [0.0; 3] };
        }
    }

    /// How far any sphere goes in the next step, at most, m.
    pub(crate) fn longest_to_come(&self) -> f64 {
        let rows = 0..self.space.bodies.len();
        rows.map(|row| self.displacement_to_come(row)).fold(0.0, integrate::longer)
    }

    /// How far a sphere of a body that is at the present instant goes in the next step, at most, m.
    pub(crate) fn displacement_to_come(&self, row: usize) -> f64 {
        let [velocity, omega] = [self.space.bodies.velocity.row(row), self.space.bodies.omega.row(row)]
            .map(|v| LabVec::from_array(v).norm());
        (velocity + omega * self.space.bodies.kind(row).arm) * self.rules.settings.dt
    }

    fn not_finite(&self) -> Stop {
        let broken = |row: usize| {
            let vectors = [
                self.space.bodies.position.row(row),
                self.space.bodies.velocity.row(row),
                self.space.bodies.omega.row(row),
            ];
            let q = self.space.bodies.q.row(row);
            !vectors.iter().flatten().chain(&q).all(|value| value.is_finite())
        };
        let row = self.space.bodies.first(&self.threads, broken).unwrap_or(0);
        self.stop(row, StopCause::NotFinite)
    }

    pub(crate) fn check_escaped(&self) -> Result<(), Stop> {
        let there = self.space.walls.iter().zip(&self.space.poses).filter(|(_, pose)| pose.present);
        for (wall, pose) in there {
            let fixed = wall.motion.is_static();
            let escaped = |row: usize| {
                let (centre, _) = self.space.bodies.pose(row);
                wall.shape.escaped(if fixed { centre } else { pose.to_reference(centre) })
            };
            if let Some(row) = self.space.bodies.first(&self.threads, escaped) {
                return Err(self.stop(row, StopCause::Escaped { wall: wall.name.clone() }));
            }
        }
        Ok(())
    }

    pub(crate) fn overlapping(&self, excess: crate::contact::Excess) -> Stop {
        let key = excess.key;
        let (with, wall) = if excess.with_wall {
            (None, Some(self.space.walls[key.b as usize].name.clone()))
        } else {
            (Some(BodyId(self.space.bodies.id[key.b as usize])), None)
        };
        if let (true, Some(with)) = (excess.overlap.is_nan() && self.space.bodies.has_ellipsoids(), with) {
            return self.stop(key.a as usize, StopCause::NoDirection { with });
        }
        if let (true, Some(with)) = (excess.overlap.is_nan() && self.space.bodies.has_hulls(), with) {
            return self.stop(key.a as usize, StopCause::NoPlace { with });
        }
        let cause = StopCause::Overlap {
            with,
            wall,
            overlap: excess.overlap,
            radius: excess.radius,
            limit: self.rules.settings.max_overlap,
        };
        self.stop(key.a as usize, cause)
    }

    pub(crate) fn stop(&self, row: usize, cause: StopCause) -> Stop {
        Stop {
            cause,
            body: BodyId(self.space.bodies.id.get(row).copied().unwrap_or(0)),
            position: if row < self.space.bodies.len() {
                self.space.bodies.position.row(row)
            } else {
                [f64::NAN; 3]
            },
            time: self.time(),
            restored_to: self.time(),
        }
    }

    /// Whether a state is kept at this step.
    pub(crate) fn is_keeping_due(&self, step: u64) -> bool {
        self.last_good.as_ref().is_none_or(|good| step >= good.steps + KEEP_EVERY || step < good.steps)
    }

    pub(crate) fn keep_good_state(&mut self) {
        if self.is_keeping_due(self.progress.steps) {
            // Two of them at once would be a lot of memory.
            self.last_good = None;
            self.last_good = Some(Box::new(self.save_to_go_back()));
        }
    }

    fn go_back(&mut self, stop: Stop) -> Error {
        let Some(good) = self.last_good.take() else { return Error::Stopped(stop) };
        // Its lists were there before, so they can be built again.
        let _ = self.put_back(*good);
        let mut position = stop.position;
        if !position.iter().all(|x| x.is_finite()) {
            // Where it was when it still was somewhere.
            position =
                self.space.bodies.row(stop.body).map_or(position, |row| self.space.bodies.position.row(row));
        }
        Error::Stopped(Stop { restored_to: self.time(), position, ..stop })
    }

    /// Contacts are about to be replaced, and with them what they measured.
    pub(crate) fn keep_stage_times(&mut self) {
        self.times = self.stage_times();
        let times = self.times;
        self.reset_stage_times();
        self.times = times;
    }
}
