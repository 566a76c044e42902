//! Prescribed rigid motion of a wall: a pure function of time.
//!
//! **Composition.** First the rotations, in the order of the list: each turns what the ones before it left,
//! about its own axis and pivot, which stay where they were given. Then the translations are added. So a
//! drum that spins and rocks lists its spin first; and a vibrating mill vibrates as a whole, axis and all.
//! The velocities are the exact derivatives of the positions.

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

/// How a wall moves. The default is not at all.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Rotations first, axes of unit length, nothing that stands still.
    parts: Vec<Movement>,
    /// In the place of parts.
    drive: Option<Arc<dyn Drive>>,
}

impl PartialEq for Motion {
    /// Motions that a program computes are the same only if they are one.
    fn eq(&self, other: &Self) -> bool {
        let same_drive = match (&self.drive, &other.drive) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        same_drive && self.parts == other.parts
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
        let checked = parts.into_iter().map(Movement::checked).collect::<Result<Vec<_>, _>>()?;
        let (mut parts, translations): (Vec<_>, Vec<_>) =
            checked.into_iter().filter(|part| !part.is_idle()).partition(Movement::turns);
        parts.extend(translations);
        Ok(Self { parts, drive: None })
    }

    /// A motion that a program computes.
    pub fn driven(drive: Arc<dyn Drive>) -> Self {
        Self { parts: Vec::new(), drive: Some(drive) }
    }

    /// The parts that move something: rotations in their order, then translations; axes of unit length.
    pub fn parts(&self) -> &[Movement] {
        &self.parts
    }

    /// Whether the wall never moves, so that its pose is always [`Pose::reference`].
    pub fn is_static(&self) -> bool {
        self.parts.is_empty() && self.drive.is_none()
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
        Ok(pose)
    }

    /// The pose at time `t`, s. A motion whose program fails is where it was drawn; a run asks
    /// [`try_at`](Self::try_at), and stops.
    ///
    /// Angles are reduced by whole turns before their sine is taken, so that only the rounding of `t` itself
    /// grows with time: after 10⁶ turns an angle is good to 10⁻⁹ rad.
    pub fn at(&self, t: f64) -> Pose {
        if self.drive.is_some() {
            return self.try_at(t).unwrap_or_else(|_| Pose::reference());
        }
        let mut pose = Pose::reference();
        // About the pivot of the first rotation, which then stays exactly where it is.
        if let Some(&(Movement::Spin { pivot, .. } | Movement::Rocking { pivot, .. })) = self.parts.first() {
            (pose.pivot, pose.origin) = (pivot, pivot);
        }
        for part in &self.parts {
            match *part {
                Movement::Spin { axis, pivot, rate } => {
                    let angle = TAU * fraction(rate * t * (1.0 / TAU));
                    turn(&mut pose, axis, pivot, angle, rate);
                }
                Movement::Rocking { axis, pivot, amplitude, frequency, phase } => {
                    let (sine, slope) = harmonic(frequency, phase, t);
                    turn(&mut pose, axis, pivot, amplitude * sine, amplitude * slope);
                }
                Movement::Drift { velocity } => {
                    pose.origin = pose.origin + velocity * t;
                    pose.velocity = pose.velocity + velocity;
                }
                Movement::Vibration { amplitude, frequency, phase } => {
                    let (sine, slope) = harmonic(frequency, phase, t);
                    pose.origin = pose.origin + amplitude * sine;
                    pose.velocity = pose.velocity + amplitude * slope;
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
fn turn(pose: &mut Pose, axis: LabVec<f64>, pivot: LabVec<f64>, angle: f64, rate: f64) {
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
