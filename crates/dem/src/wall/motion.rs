//! Rigid motion of a wall: prescribed, as a pure function of time, or free, as forces on it have it.
//!
//! **Composition.** First the rotations, in the order of the list: each turns what the ones before it left,
//! about its own axis and pivot, which stay where they were given. Then the translations are added. So a
//! drum that spins and rocks lists its spin first; and a vibrating mill vibrates as a whole, axis and all.
//! The velocities are the exact derivatives of the positions.
//!
//! **Clocks.** Each part has a clock of its own, a [`Timing`]: what is said of a part at time t below is where it is
//! when its clock shows t. So a part that has not started is where it is at time zero, and one that has come to rest stays.
//!
//! **One after the other.** A motion that [follows](Motion::following) another begins where that one had taken the wall;
//! what moved comes to rest within a ramp, so that no velocity jumps. Vibrations and rockings then count from where they are at
//! their phase.

use super::freedom::Freedom;
use super::timing::Timing;
use super::{Error, Pose, checks};
use core::f64::consts::TAU;
use core::fmt::Debug;
use std::sync::Arc;
use tumble_math::elementary::sin_cos;
use tumble_math::{LabVec, Quat};

/// One part of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Movement {
    /// Displacement `velocity · t`.
    Drift {
        /// m/s
        velocity: LabVec<f64>,
    },
    /// Displacement `amplitude · sin(2π · frequency · t + phase)`.
    Vibration {
        /// m, one way from the middle.
        amplitude: LabVec<f64>,
        /// Hz
        frequency: f64,
        /// rad
        phase: f64,
    },
    /// Turned by the angle `rate · t`.
    Spin {
        /// Direction of the axis, of any length; the right-hand rule gives the sense.
        axis: LabVec<f64>,
        /// A point on the axis, m.
        pivot: LabVec<f64>,
        /// rad/s
        rate: f64,
    },
    /// Turned by the angle `amplitude · sin(2π · frequency · t + phase)`.
    Rocking {
        /// Direction of the axis, of any length; the right-hand rule gives the sense.
        axis: LabVec<f64>,
        /// A point on the axis, m.
        pivot: LabVec<f64>,
        /// rad, one way from the middle.
        amplitude: f64,
        /// Hz
        frequency: f64,
        /// rad
        phase: f64,
    },
}

/// A motion that a program computes.
pub trait Drive: Debug + Send + Sync {
    /// The pose at time `t`, s, or why there is none. Velocities are to be the derivatives of the places.
    fn pose(&self, t: f64) -> Result<Pose, String>;
}

/// How a wall moves, and when it is there. The default is not at all, and always.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Rotations first, axes of unit length, nothing that stands still.
    parts: Vec<(Movement, Timing)>,
    /// In the place of parts.
    drive: Option<Arc<dyn Drive>>,
    /// In the place of parts.
    freedom: Option<Box<Freedom>>,
    /// When the clocks of the parts were started, s, and where the wall was then; at time zero and where it was drawn
    /// without.
    begun: Option<(f64, Pose)>,
    presence: Presence,
}

/// When a wall is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Presence {
    /// From this time on, s.
    pub from: f64,
    /// Before this time, s.
    pub until: f64,
}

impl Default for Presence {
    fn default() -> Self {
        Self::ALWAYS
    }
}

impl Presence {
    /// It is always there.
    pub const ALWAYS: Self = Self { from: f64::NEG_INFINITY, until: f64::INFINITY };
    /// It is never there.
    pub const NEVER: Self = Self { from: f64::INFINITY, until: f64::INFINITY };

    /// Whether it is there at a time.
    pub fn at(&self, t: f64) -> bool {
        self.from <= t && t < self.until
    }
}

impl PartialEq for Motion {
    /// Motions that a program computes are the same only if they are one.
    fn eq(&self, other: &Self) -> bool {
        let same_drive = match (&self.drive, &other.drive) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        same_drive
            && self.freedom == other.freedom
            && self.parts == other.parts
            && self.begun == other.begun
            && self.presence == other.presence
    }
}

impl Motion {
    /// No motion.
    pub fn fixed() -> Self {
        Self::default()
    }

    /// The sum of these parts, composed as described in the module's documentation: rotations in the order given,
    /// then translations. Parts that move nothing (zero rate, velocity or amplitude) are left out.
    pub fn new(parts: Vec<Movement>) -> Result<Self, Error> {
        Self::timed(parts.into_iter().map(|part| (part, Timing::Always)).collect())
    }

    /// As [`new`](Self::new), each part with its clock.
    pub fn timed(parts: Vec<(Movement, Timing)>) -> Result<Self, Error> {
        let checked = parts
            .into_iter()
            .map(|(part, timing)| Ok((part.checked()?, timing)))
            .collect::<Result<Vec<_>, Error>>()?;
        let (mut parts, translations): (Vec<_>, Vec<_>) =
            checked.into_iter().filter(|(part, _)| !part.is_idle()).partition(|(part, _)| part.turns());
        parts.extend(translations);
        Ok(Self { parts, ..Self::default() })
    }

    /// A motion that a program computes.
    pub fn driven(drive: Arc<dyn Drive>) -> Self {
        Self { drive: Some(drive), ..Self::default() }
    }

    /// A motion that follows from what acts on the wall.
    pub fn free(freedom: Freedom) -> Self {
        Self { freedom: Some(Box::new(freedom)), ..Self::default() }
    }

    /// The same motion with another drive of a wall that moves by itself, from a time on, s: the present drive passes to it within `ramp`, s. Any
    /// other motion stays as it is.
    #[must_use]
    pub fn driven_from(self, drive: f64, time: f64, ramp: f64) -> Self {
        let freedom = self.freedom.map(|freedom| Box::new(freedom.driven_from(drive, time, ramp)));
        Self { freedom, ..self }
    }

    /// How the wall moves by itself, if it does.
    pub fn freedom(&self) -> Option<&Freedom> {
        self.freedom.as_deref()
    }

    /// The pose of a wall that moves by itself, so far along its way and so fast, m and m/s or rad and rad/s; of any other one
    /// where its motion begins.
    pub(crate) fn pose_along(&self, place: f64, speed: f64) -> Pose {
        let begun = self.begun.map(|(_, pose)| pose);
        match &self.freedom {
            Some(freedom) => freedom.pose(begun, place, speed),
            None => begun.unwrap_or_else(Pose::reference),
        }
    }

    /// Whether moving the wall puts work into the bodies that nobody else's books have: what one that moves by itself spends on bodies is taken
    /// from its own.
    pub(crate) fn puts_work_in(&self) -> bool {
        self.freedom.is_none() && !self.is_static()
    }

    /// The same motion of a wall that is there from a time on and before another one, s. A run with bodies where a wall
    /// appears stops.
    #[must_use]
    pub fn present(self, presence: Presence) -> Self {
        Self { presence, ..self }
    }

    /// The same motion, begun at a time, s, from where a wall was then: what moved it comes to rest within `ramp`, s.
    /// A motion that a program computes stays as it is.
    #[must_use]
    pub fn following(mut self, was: Pose, time: f64, ramp: f64) -> Self {
        if self.drive.is_some() {
            return self;
        }
        if self.freedom.is_some() {
            // Along its way it goes on as fast as it went.
            self.begun = Some((time, was.at_rest()));
            return self;
        }
        let rate = was.angular_velocity.norm();
        if rate > 0.0 {
            let axis = was.angular_velocity * (1.0 / rate);
            let spin = Movement::Spin { axis, pivot: was.origin, rate };
            self.parts.insert(0, (spin, Timing::run_down(ramp)));
        }
        if was.velocity.norm_squared() > 0.0 {
            self.parts.push((Movement::Drift { velocity: was.velocity }, Timing::run_down(ramp)));
        }
        self.begun = Some((time, was.at_rest()));
        self
    }

    /// The parts that move something, each with its clock: rotations in their order, then translations; axes of unit
    /// length.
    pub fn parts(&self) -> &[(Movement, Timing)] {
        &self.parts
    }

    /// When the wall is there.
    pub fn presence(&self) -> Presence {
        self.presence
    }

    /// Whether the wall never moves and is always there, so that its pose is always [`Pose::reference`].
    pub fn is_static(&self) -> bool {
        self.parts.is_empty()
            && self.drive.is_none()
            && self.freedom.is_none()
            && self.begun.is_none()
            && self.presence == Presence::ALWAYS
    }

    /// The pose at time `t`, s, or why a program that computes it could not.
    pub fn try_at(&self, t: f64) -> Result<Pose, String> {
        let Some(drive) = &self.drive else { return Ok(self.at(t)) };
        let pose = drive.pose(t)?;
        let vectors = [pose.pivot, pose.origin, pose.velocity, pose.angular_velocity].map(LabVec::to_array);
        let finite = vectors.iter().flatten().chain(&pose.orientation.to_array()).all(|x| x.is_finite());
        let turned = pose.orientation.norm();
        if !finite || (turned - 1.0).abs() > 1e-9 {
            return Err(format!(
                "expected finite numbers and an orientation of length 1, found a place of {:?} m, a velocity of {:?} \
                 m/s and an orientation of length {turned}",
                pose.origin.to_array(),
                pose.velocity.to_array()
            ));
        }
        Ok(Pose { present: self.presence.at(t), ..pose })
    }

    /// The pose at time `t`, s; of a wall that moves by itself the one from which it begins. A motion whose program fails is where it was drawn; a run asks
    /// [`try_at`](Self::try_at), and stops.
    ///
    /// Angles are reduced by whole turns before their sine is taken, so that only the rounding of `t` itself
    /// grows with time: after 10⁶ turns an angle is good to 10⁻⁹ rad.
    pub fn at(&self, t: f64) -> Pose {
        if self.drive.is_some() {
            return self.try_at(t).unwrap_or_else(|_| Pose::reference());
        }
        let present = self.presence.at(t);
        if self.freedom.is_some() {
            return Pose { present, ..self.pose_along(0.0, 0.0) };
        }
        let (t, mut pose) = match self.begun {
            Some((time, pose)) => (t - time, pose),
            None => (t, Pose::reference()),
        };
        pose.present = present;
        // About the pivot of the first rotation, which then stays exactly where it is.
        if let (Some((Movement::Spin { pivot, .. } | Movement::Rocking { pivot, .. }, _)), None) =
            (self.parts.first(), self.begun)
        {
            (pose.pivot, pose.origin) = (*pivot, *pivot);
        }
        for (part, timing) in &self.parts {
            let (clock, speed) = (timing.elapsed(t), timing.speed(t));
            // One that follows another moves the wall from where it is, whatever its phase.
            let at_start = |phase| self.begun.map_or(0.0, |_| harmonic(0.0, phase, 0.0).0);
            match *part {
                Movement::Spin { axis, pivot, rate } => {
                    let angle = TAU * fraction(rate * clock * (1.0 / TAU));
                    turn(&mut pose, axis, pivot, angle, rate * speed);
                }
                Movement::Rocking { axis, pivot, amplitude, frequency, phase } => {
                    let (sine, slope) = harmonic(frequency, phase, clock);
                    let angle = amplitude * (sine - at_start(phase));
                    turn(&mut pose, axis, pivot, angle, amplitude * slope * speed);
                }
                Movement::Drift { velocity } => {
                    pose.origin = pose.origin + velocity * clock;
                    pose.velocity = pose.velocity + velocity * speed;
                }
                Movement::Vibration { amplitude, frequency, phase } => {
                    let (sine, slope) = harmonic(frequency, phase, clock);
                    pose.origin = pose.origin + amplitude * (sine - at_start(phase));
                    pose.velocity = pose.velocity + amplitude * slope * speed;
                }
            }
        }
        pose
    }
}

impl Movement {
    fn checked(self) -> Result<Self, Error> {
        Ok(match self {
            Self::Drift { velocity } => {
                Self::Drift { velocity: checks::vector("velocity of the wall", velocity)? }
            }
            Self::Vibration { amplitude, frequency, phase } => Self::Vibration {
                amplitude: checks::vector("amplitude of the vibration", amplitude)?,
                frequency: checks::positive("frequency of the vibration", frequency)?,
                phase: checks::in_range("phase of the vibration", phase)?,
            },
            Self::Spin { axis, pivot, rate } => Self::Spin {
                axis: checks::direction("axis of the spin", axis)?,
                pivot: checks::vector("pivot of the spin", pivot)?,
                rate: checks::in_range("rate of the spin", rate)?,
            },
            Self::Rocking { axis, pivot, amplitude, frequency, phase } => Self::Rocking {
                axis: checks::direction("axis of the rocking", axis)?,
                pivot: checks::vector("pivot of the rocking", pivot)?,
                amplitude: checks::in_range("amplitude of the rocking", amplitude)?,
                frequency: checks::positive("frequency of the rocking", frequency)?,
                phase: checks::in_range("phase of the rocking", phase)?,
            },
        })
    }

    fn turns(&self) -> bool {
        matches!(self, Self::Spin { .. } | Self::Rocking { .. })
    }

    fn is_idle(&self) -> bool {
        match *self {
            Self::Drift { velocity: v } | Self::Vibration { amplitude: v, .. } => v.norm_squared() == 0.0,
            Self::Spin { rate: angle, .. } | Self::Rocking { amplitude: angle, .. } => angle == 0.0,
        }
    }
}

/// Turns a pose by `angle` about an axis of the laboratory, with the angle growing at `rate`.
pub(super) fn turn(pose: &mut Pose, axis: LabVec<f64>, pivot: LabVec<f64>, angle: f64, rate: f64) {
    let (sine, cosine) = sin_cos(0.5 * angle);
    let rotation = Quat::from_parts(cosine, axis * sine);
    let forward = |v: LabVec<f64>| rotation.conjugate().counter_rotate(v);
    let arm = forward(pose.origin - pivot);
    let spin = axis * rate;
    pose.origin = pivot + arm;
    pose.velocity = forward(pose.velocity) + spin.cross(arm);
    pose.angular_velocity = forward(pose.angular_velocity) + spin;
    pose.orientation = rotation * pose.orientation;
}

/// sin(2π f t + φ) and its derivative.
fn harmonic(frequency: f64, phase: f64, t: f64) -> (f64, f64) {
    let angle = TAU * (fraction(frequency * t) + fraction(phase * (1.0 / TAU)));
    let (sine, cosine) = sin_cos(angle);
    (sine, TAU * frequency * cosine)
}

/// What whole turns leave, between −½ and ½.
fn fraction(turns: f64) -> f64 {
    turns - turns.round_ties_even()
}
