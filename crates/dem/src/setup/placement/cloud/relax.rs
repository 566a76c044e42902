//! Bodies that overlap push each other aside: the energy of all overlaps is brought to zero, if it can be.
//!
//! The energy of an overlap δ is ½δ². Bodies move and turn down the slope of its sum with some inertia, which
//! they lose when they go uphill: FIRE (Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201). All masses are
//! one. No random numbers and no threads, hence always the same bits.

use super::super::choice::Orientation;
use super::super::patience;
use super::super::room::Room;
use super::contacts::{Lists, Spheres};
use super::pack::MARGIN;
use super::push;
use crate::random::Random;
use crate::world::Body;
use tumble_math::{LabVec, Quat};

/// The time step: at first, and at most. A single overlap would swing with a period of 2π/√2.
const TIME_STEPS: [f64; 2] = [0.1, 0.5];
/// Steps downhill before the time step grows, and by what it grows and shrinks.
const PATIENCE: u32 = 5;
const FASTER: f64 = 1.1;
const SLOWER: f64 = 0.5;
/// How much of the velocity is turned down the slope: at first, and what is left of it with each step
/// downhill.
const STEERING: [f64; 2] = [0.1, 0.99];
/// The farthest that a sphere moves in a step, as a part of the smallest radius.
const LONGEST_WAY: f64 = 0.1;
/// How far lists look beyond the spheres, as a part of the mean radius.
const SKIN: f64 = 0.3;

/// Where a body is and how it is turned.
pub(super) type Pose = (LabVec<f64>, Quat<f64>);

/// Force and torque on a body, or its velocity and angular velocity, in the lab.
#[derive(Clone, Copy)]
pub(super) struct Screw {
    pub(super) along: LabVec<f64>,
    pub(super) about: LabVec<f64>,
}

impl Screw {
    pub(super) const ZERO: Self =
        Self { along: LabVec::new(0.0, 0.0, 0.0), about: LabVec::new(0.0, 0.0, 0.0) };
}

/// Bodies in a room that can be pushed aside.
pub(super) struct Relaxation<'r> {
    room: &'r Room<'r>,
    spheres: Spheres,
    poses: Vec<Pose>,
    /// One over the moment of inertia of each body in full size; zero if it cannot turn.
    ease: Vec<f64>,
    /// Distance of the farthest sphere centre from the centre of mass in full size.
    reach: Vec<f64>,
    smallest: f64,
    mean: f64,
    /// Steps of single spheres so far.
    pub(super) work: u64,
}

impl<'r> Relaxation<'r> {
    /// Of bodies where they are; they turn only if their orientation is left to chance.
    pub(super) fn new(room: &'r Room<'r>, bodies: &[Body], orientation: Orientation) -> Self {
        let spheres = Spheres::new(room, bodies, MARGIN);
        let arm = |body: &Body| {
            let centres = room.shape(body.template).spheres().iter().map(|sphere| sphere.centre.norm());
            centres.fold(0.0, f64::max) * body.scale
        };
        let reach: Vec<f64> = bodies.iter().map(arm).collect();
        // A force on the farthest sphere then moves that by turning twice as much as by shifting.
        let ease = |&arm: &f64| {
            if orientation == Orientation::Random && arm > 0.0 { 2.0 / (arm * arm) } else { 0.0 }
        };
        let smallest = spheres.radius.iter().fold(f64::INFINITY, |a: f64, &b| a.min(b));
        let mean = spheres.radius.iter().sum::<f64>() / spheres.radius.len() as f64;
        Self {
            room,
            spheres,
            poses: bodies.iter().map(|body| (body.position, body.orientation)).collect(),
            ease: reach.iter().map(ease).collect(),
            reach,
            smallest,
            mean,
            work: 0,
        }
    }

    pub(super) fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// Moves each body at random by up to this part of the smallest radius in full size.
    pub(super) fn kick(&mut self, longest: f64, random: &mut Random) {
        for (position, _) in &mut self.poses {
            *position = *position + random.direction() * (longest * self.smallest * random.uniform());
        }
    }

    /// Pushes bodies of this size apart until no overlap exceeds `allowed`, as a part of the smaller radius.
    /// If that is not reached in so many steps, returns false, and the bodies are where they were.
    pub(super) fn run(&mut self, size: f64, allowed: f64, steps: u32) -> bool {
        let before = self.poses.clone();
        let done = self.descend(size, allowed, steps);
        if !done {
            self.poses = before;
        }
        done
    }

    fn descend(&mut self, size: f64, allowed: f64, steps: u32) -> bool {
        let skin = SKIN * self.mean * size;
        let mut forces = vec![Screw::ZERO; self.poses.len()];
        let mut speeds = forces.clone();
        let (mut dt, mut steering, mut downhill) = (TIME_STEPS[0], STEERING[0], 0);
        self.spheres.place(&self.poses, size);
        let mut lists = Lists::new(self.room, &self.spheres, size, skin);
        let mut moved = 0.0;
        for _ in 0..steps {
            if patience::is_over_now() {
                return false;
            }
            if 2.0 * moved > skin {
                lists = Lists::new(self.room, &self.spheres, size, skin);
                moved = 0.0;
            }
            let worst = push::forces(self.room, &self.spheres, &lists, size, &mut forces);
            self.work += self.spheres.body.len() as u64;
            if worst <= allowed {
                return true;
            }
            if worst > push::HOPELESS {
                return false;
            }
            if self.steer(&forces, &mut speeds, steering, size) {
                downhill += 1;
                if downhill > PATIENCE {
                    dt = (dt * FASTER).min(TIME_STEPS[1]);
                    steering *= STEERING[1];
                }
            } else {
                (downhill, steering, dt) = (0, STEERING[0], dt * SLOWER);
                speeds.fill(Screw::ZERO);
            }
            moved += self.go(&forces, &mut speeds, dt, size);
            self.spheres.place(&self.poses, size);
        }
        false
    }

    /// Turns the velocity of the whole crowd a little towards the force on it; says whether it goes downhill.
    fn steer(&self, forces: &[Screw], speeds: &mut [Screw], steering: f64, size: f64) -> bool {
        let (mut power, mut force_square, mut speed_square) = (0.0, 0.0, 0.0);
        for ((force, speed), ease) in forces.iter().zip(&*speeds).zip(&self.ease) {
            let ease = ease / (size * size);
            power += force.along.dot(speed.along) + force.about.dot(speed.about);
            force_square += force.along.norm_squared() + force.about.norm_squared() * ease;
            speed_square += speed.along.norm_squared();
            if ease > 0.0 {
                speed_square += speed.about.norm_squared() / ease;
            }
        }
        if power > 0.0 {
            let towards = steering * (speed_square / force_square).sqrt();
            for ((force, speed), ease) in forces.iter().zip(speeds).zip(&self.ease) {
                let ease = ease / (size * size);
                speed.along = speed.along * (1.0 - steering) + force.along * towards;
                speed.about = speed.about * (1.0 - steering) + force.about * (towards * ease);
            }
        }
        power > 0.0
    }

    /// Moves on by a time step, or less of it; returns the farthest that any sphere can have moved.
    fn go(&mut self, forces: &[Screw], speeds: &mut [Screw], dt: f64, size: f64) -> f64 {
        let mut longest = 0.0;
        for (body, (force, speed)) in forces.iter().zip(&mut *speeds).enumerate() {
            let ease = self.ease[body] / (size * size);
            speed.along = speed.along + force.along * dt;
            speed.about = speed.about + force.about * (dt * ease);
            let way = dt * (speed.along.norm() + speed.about.norm() * self.reach[body] * size);
            longest = f64::max(longest, way);
        }
        let limit = LONGEST_WAY * self.smallest * size;
        let dt = if longest > limit { dt * (limit / longest) } else { dt };
        for ((position, q), speed) in self.poses.iter_mut().zip(speeds) {
            *position = *position + speed.along * dt;
            *q = q.turn_lab(speed.about, dt).normalised();
        }
        longest.min(limit)
    }
}
