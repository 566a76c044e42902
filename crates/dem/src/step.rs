//! The step.

use crate::bodies::{Book, Load};
use crate::calibration::{BUILD_COST, STEPS_PER_BUILD};
use crate::check::LARGEST_SKIN;
use crate::contact::{Ended, Loose, Share};
use crate::engine::Engine;
use crate::error::{Error, Stop, StopCause};
use crate::field::BodyView;
use crate::guards::is_resistance_due;
use crate::integrate;
use crate::neighbour::morton_order;
use crate::wall::Region;
use crate::world::BodyId;
use std::time::Instant;
use tumble_math::{LabVec, Quat};

/// A state is kept every so many steps, to go back to when something goes wrong.
const KEEP_EVERY: u64 = 1000;

/// Rows are put in order along a curve through space every so many steps. By steps and not by builds, so that
/// the skin has no part in it.
const REORDER_EVERY: u64 = 2000;

/// The skin, as parts of the mean radius of the spheres: at least, and at most.
const SKIN_RANGE: [f64; 2] = [0.05, 1.5];

impl Engine {
    /// Moves everything on by so many steps.
    ///
    /// If something goes wrong, the error says what, where and when, and the engine is back at a good state from
    /// before, which can be looked at, saved, or cured by moving or removing bodies.
    pub fn advance(&mut self, steps: u64) -> Result<(), Error> {
        if steps > 0 && self.made_by_hand {
            self.check_present().map_err(Error::Stopped)?;
            self.made_by_hand = false;
        }
        let threads = self.threads.clone();
        threads.install(|| {
            for left in (0..steps).rev() {
                let checked = self.check_before_step();
                let done = checked.and_then(|()| {
                    self.keep_good_state();
                    let next = self.steps + 1;
                    self.observed = left == 0 || self.is_keeping_due(next) || is_resistance_due(next);
                    self.step()
                });
                if let Err(stop) = done {
                    self.observed = true;
                    return Err(self.go_back(stop));
                }
            }
            Ok(())
        })
    }

    /// From tₙ, with all forces known, to tₙ₊₁ with all forces known.
    fn step(&mut self) -> Result<(), Stop> {
        self.steps += 1;
        self.times.steps += 1;
        self.move_walls()?;
        if !self.lists_will_last() {
            self.move_bodies()?; // to tₙ₊₁ with the forces of tₙ; spheres are placed, forces set to the weight
            self.update_neighbours(false)?;
            self.find_and_evaluate_contacts()?; // each contact once, with positions and velocities of tₙ₊₁; summed in order
        } else if self.threads.count() == 1 {
            self.move_and_touch()?; // the same, in tiles that stay in the cache
        } else {
            self.move_bodies()?;
            self.find_and_evaluate_contacts()?;
        }
        if !self.neighbours.last(0.0) {
            self.catch_up()?; // somebody moved much farther than in the step before
        }
        self.check_sheets()?;
        self.ask_batch_fields()?;
        self.add_fields(); // drag, prescribed fields, loads of walls
        Ok(())
    }

    /// Whether the lists will miss no contact, provided that nobody moves more than twice as far as in the last step.
    fn lists_will_last(&self) -> bool {
        !self.steps.is_multiple_of(REORDER_EVERY) && self.neighbours.last(2.0 * self.longest)
    }

    fn move_bodies(&mut self) -> Result<(), Stop> {
        let begin = Instant::now();
        let motion = self.motion();
        let longest = integrate::advance(&mut self.bodies, &self.neighbours.needed, &motion, &self.threads);
        self.times.move_bodies += begin.elapsed();
        self.note_way(longest)
    }

    /// The longest way of any sphere in this step.
    pub(crate) fn note_way(&mut self, longest: f64) -> Result<(), Stop> {
        self.longest = longest;
        self.neighbours.travelled += longest;
        if longest.is_finite() { Ok(()) } else { Err(self.not_finite()) }
    }

    fn move_walls(&mut self) -> Result<(), Stop> {
        let time = self.time();
        let mut failure = None;
        self.wall_way = 0.0;
        for (wall, pose) in self.walls.iter().zip(&mut self.poses) {
            if !wall.motion.is_static() {
                let next = match wall.motion.try_at(time) {
                    Ok(next) => next,
                    Err(reason) => {
                        failure = Some(format!("the motion of the wall '{}': {reason}", wall.name));
                        break;
                    }
                };
                let way = wall.shape.displacement_bound(pose, &next, self.region);
                *pose = next;
                self.neighbours.wall_travelled += way;
                self.wall_way = integrate::longer(self.wall_way, way);
            }
        }
        failure.map_or(Ok(()), |reason| Err(self.stop(0, StopCause::Prescribed { reason })))
    }

    /// Builds the lists for the present positions, and hands the contacts over.
    pub(crate) fn update_neighbours(&mut self, outcomes: bool) -> Result<(), Stop> {
        let begin = Instant::now();
        let loose = self.contacts.loosened(self.scene(), self.physics(), outcomes);
        self.build_neighbours(&loose);
        self.times.update_neighbours += begin.elapsed();
        self.times.builds += 1;
        self.check_escaped()
    }

    fn find_and_evaluate_contacts(&mut self) -> Result<(), Stop> {
        // Taken out, so that the rest of the engine can be looked at while they change.
        let mut contacts = core::mem::take(&mut self.contacts);
        let mut acting = core::mem::take(&mut self.bodies.acting);
        let mut books = core::mem::take(&mut self.bodies.books);
        let share = Share::all(&mut acting, &mut books);
        contacts.evaluate(self.scene(), self.physics(), &self.threads, share);
        self.contacts = contacts;
        self.bodies.acting = acting;
        self.bodies.books = books;
        self.check_overlaps()
    }

    pub(crate) fn check_overlaps(&self) -> Result<(), Stop> {
        self.contacts.excess().map_or(Ok(()), |excess| Err(self.overlapping(excess)))
    }

    /// Evaluates all forces for the first time.
    pub(crate) fn begin(&mut self) -> Result<(), Error> {
        self.longest = (0..self.bodies.len()).map(|row| self.way_to_come(row)).fold(0.0, integrate::longer);
        integrate::show_fresh(&mut self.bodies);
        self.build_neighbours(&Loose::default());
        for row in 0..self.bodies.len() {
            let weight = self.gravity * self.bodies.kind(row).mass;
            self.bodies.acting[row] = Load { force: weight.to_array(), torque: [0.0; 3] };
        }
        self.check_escaped().and_then(|()| self.find_and_evaluate_contacts()).map_err(Error::Stopped)?;
        self.add_fields();
        let motion = self.motion();
        integrate::start(&mut self.bodies, &motion);
        Ok(())
    }

    /// How far a sphere of a body that is at the present instant goes in the next step, at most, m.
    pub(crate) fn way_to_come(&self, row: usize) -> f64 {
        let [velocity, omega] =
            [self.bodies.velocity.row(row), self.bodies.omega.row(row)].map(|v| LabVec::from_array(v).norm());
        (velocity + omega * self.bodies.kind(row).arm) * self.settings.dt
    }

    /// Builds the neighbour lists for the present positions, with the skin that fits the present speeds.
    fn build_neighbours(&mut self, loose: &Loose) {
        self.wrap_positions();
        self.choose_skin();
        if self.steps.is_multiple_of(REORDER_EVERY) {
            self.bodies.permute(&morton_order(&self.bodies));
        }
        self.build_lists(loose);
    }

    /// Builds the lists and hands the contacts over.
    pub(crate) fn build_lists(&mut self, loose: &Loose) {
        self.keep_stage_times();
        let motion = self.motion();
        integrate::place_all(&mut self.bodies, &motion, &self.threads);
        self.bodies.note_built(motion.staggered());
        self.neighbours.built_at = self.steps;
        self.region = self.bounding_region();
        self.neighbours.build(&self.bodies, &self.domain, &self.walls, &self.poses, self.set, &self.threads);
        let ended;
        (self.contacts, ended) = self.settle(loose);
        for Ended { row, energy } in ended {
            self.bodies.books[row as usize][Book::Separation as usize] += energy;
        }
    }

    fn choose_skin(&mut self) {
        let radius = self.bodies.mean_radius;
        let mut wanted = 2.0 * STEPS_PER_BUILD * self.longest;
        if self.neighbours.builds > 0 && !self.bodies.id.is_empty() {
            // A step costs C/k for a build every k = s/2v steps and P(s) ∝ (2R + s)³ pairs to look through, per body.
            // The sum is least where C 2v/s² = 3P/(2R + s).
            let pairs = self.neighbours.pairs.spheres.len() as f64 / self.bodies.len() as f64;
            let room = 2.0 * radius + self.neighbours.skin;
            wanted = (BUILD_COST * 2.0 * self.longest * room / (3.0 * pairs.max(1.0))).sqrt();
        }
        let mut chosen = wanted.clamp(SKIN_RANGE[0] * radius, SKIN_RANGE[1] * radius);
        if self.domain.is_periodic() {
            // No two bodies may come near each other through two images.
            let largest = self.bodies.bounding.iter().fold(0.0, |a: f64, &b| a.max(b));
            chosen = chosen.min(LARGEST_SKIN * largest);
        }
        self.neighbours.skin = self.settings.skin.unwrap_or(chosen);
    }

    pub(crate) fn wrap_positions(&mut self) {
        if self.domain.is_periodic() {
            for row in 0..self.bodies.len() {
                let position = self.domain.wrap(LabVec::from_array(self.bodies.position.row(row)));
                self.bodies.position.set_row(row, position.to_array());
                self.bodies.seen[row].position = position.to_array();
            }
        }
    }

    /// A ball that holds all bodies, and what they can reach before the next build.
    fn bounding_region(&self) -> Region {
        let n = self.bodies.len().max(1) as f64;
        let positions = || self.bodies.position.iter().map(LabVec::from_array);
        let centre = positions().fold(LabVec::zero(), |sum, position| sum + position) * (1.0 / n);
        let reach =
            positions().zip(&self.bodies.bounding).map(|(at, bounding)| (at - centre).norm() + bounding);
        let radius = reach.fold(0.0, |a, b| if a > b { a } else { b });
        Region { centre, radius: radius + self.neighbours.skin }
    }

    pub(crate) fn view(&self, row: usize) -> BodyView {
        let seen = &self.bodies.seen[row];
        BodyView {
            id: self.bodies.id[row],
            mass: self.bodies.kind(row).mass,
            equivalent_radius: self.bodies.equivalent_radius(row),
            position: LabVec::from_array(seen.position),
            velocity: LabVec::from_array(seen.velocity),
            orientation: Quat::from_array(seen.q),
            angular_velocity: LabVec::from_array(seen.omega),
        }
    }

    fn not_finite(&self) -> Stop {
        let broken = |row: &usize| {
            let vectors =
                [self.bodies.position.row(*row), self.bodies.velocity.row(*row), self.bodies.omega.row(*row)];
            let q = self.bodies.q.row(*row);
            !vectors.iter().flatten().chain(&q).all(|value| value.is_finite())
        };
        let row = (0..self.bodies.len()).find(broken).unwrap_or(0);
        self.stop(row, StopCause::NotFinite)
    }

    pub(crate) fn check_escaped(&self) -> Result<(), Stop> {
        for (wall, pose) in self.walls.iter().zip(&self.poses) {
            let fixed = wall.motion.is_static();
            for (row, centre) in self.bodies.position.iter().map(LabVec::from_array).enumerate() {
                if wall.shape.escaped(if fixed { centre } else { pose.to_reference(centre) }) {
                    return Err(self.stop(row, StopCause::Escaped { wall: wall.name.clone() }));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn overlapping(&self, excess: crate::contact::Excess) -> Stop {
        let key = excess.key;
        let (with, wall) = if excess.with_wall {
            (None, Some(self.walls[key.b as usize].name.clone()))
        } else {
            (Some(self.bodies.id[key.b as usize]), None)
        };
        let cause = StopCause::Overlap {
            with,
            wall,
            overlap: excess.overlap,
            radius: excess.radius,
            limit: self.settings.max_overlap,
        };
        self.stop(key.a as usize, cause)
    }

    pub(crate) fn stop(&self, row: usize, cause: StopCause) -> Stop {
        Stop {
            cause,
            body: self.bodies.id.get(row).copied().unwrap_or(0),
            position: if row < self.bodies.len() { self.bodies.position.row(row) } else { [f64::NAN; 3] },
            time: self.time(),
            restored_to: self.time(),
        }
    }

    /// Whether a state is kept at this step.
    fn is_keeping_due(&self, step: u64) -> bool {
        self.last_good.as_ref().is_none_or(|good| step >= good.steps + KEEP_EVERY || step < good.steps)
    }

    fn keep_good_state(&mut self) {
        if self.is_keeping_due(self.steps) {
            // Two of them at once would be a lot of memory.
            self.last_good = None;
            self.last_good = Some(Box::new(self.save()));
        }
    }

    fn go_back(&mut self, stop: Stop) -> Error {
        let Some(good) = self.last_good.take() else { return Error::Stopped(stop) };
        self.put_back(&good);
        let mut position = stop.position;
        if !position.iter().all(|x| x.is_finite()) {
            // Where it was when it still was somewhere.
            position =
                self.bodies.row(BodyId(stop.body)).map_or(position, |row| self.bodies.position.row(row));
        }
        Error::Stopped(Stop { restored_to: self.time(), position, ..stop })
    }

    /// Contacts are about to be replaced, and with them what they measured.
    fn keep_stage_times(&mut self) {
        self.times = self.stage_times();
        let times = self.times;
        self.reset_stage_times();
        self.times = times;
    }
}
