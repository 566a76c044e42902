//! Walls that move by themselves: one degree of freedom, an inertia, and what drives it.
//!
//! A piston, a lid that lies on a packing, a plate that holds a force, a gate on hinges, a paddle that a motor turns with a given torque: with
//! the coordinate s along the way (m, or rad) all of them obey
//!
//! M s̈ = Q + D(t) + W − c ṡ
//!
//! Q is what bodies do to the wall along that way, D the drive, W the weight, c the damping. At rest Q = −(D + W): the bodies bear the
//! drive and the weight, exactly.
//!
//! The step is that of bodies: half a kick, a drift, forces at the new place, half a kick (velocity Verlet). Contacts see the wall's
//! velocity at the instant of their force, with the force of the step before. The damping is taken explicitly in the first half and implicitly in
//! the second, so that no damping is too strong for any step:
//!
//! vₙ₊½ = vₙ + ½Δt (Fₙ − c vₙ)/M,  sₙ₊₁ = sₙ + Δt vₙ₊½,  vₙ₊₁ = (vₙ₊½ + ½Δt Fₙ₊₁/M)/(1 + ½Δt c/M)
//!
//! A stop at an end of the way takes all of the wall's speed.

use super::motion::turn;
use super::timing::Timing;
use super::{Error, Pose, checks};
use core::f64::consts::TAU;
use tumble_math::elementary::sin_cos;
use tumble_math::{LabVec, Quat};

/// The way along which a wall moves by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// Along a direction of the laboratory.
    Slide {
        /// Of unit length.
        direction: LabVec<f64>,
    },
    /// About an axis that stays where it is.
    Turn {
        /// Of unit length; the right-hand rule gives the sense.
        axis: LabVec<f64>,
        /// A point on the axis, m.
        pivot: LabVec<f64>,
    },
}

/// How a wall moves by itself: along which way, with what inertia, and what drives it besides the bodies.
///
/// ```
/// use tumble_dem::LabVec;
/// use tumble_dem::wall::{Freedom, Motion, Timing};
/// let down = LabVec::new(0.0, 0.0, -1.0);
/// // A lid of 2 kg that is pressed down with 100 N, and can go down by 20 cm.
/// let lid = Freedom::sliding(down, 2.0)?.driven(100.0, Timing::Always)?.damped(50.0)?.within([0.0, 0.2])?;
/// assert!(!Motion::free(lid).is_static());
/// # Ok::<(), tumble_dem::wall::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    way: Way,
    inertia: f64,
    /// What drives it, each as much as its clock says; their sum counts.
    drives: Vec<(f64, Timing)>,
    damping: f64,
    ends: [f64; 2],
    weight: Option<Weight>,
}

/// What gravity pulls at.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Weight {
    /// kg
    mass: f64,
    /// Centre of mass where the wall was drawn, m.
    centre: LabVec<f64>,
}

impl Freedom {
    /// Along a direction of any length, with a mass, kg, which also weighs.
    pub fn sliding(direction: LabVec<f64>, mass: f64) -> Result<Self, Error> {
        let direction = checks::direction("direction in which the wall slides", direction)?;
        let mass = checks::positive("mass of the wall", mass)?;
        let weight = Some(Weight { mass, centre: LabVec::zero() });
        Ok(Self { weight, ..Self::along(Way::Slide { direction }, mass) })
    }

    /// About an axis of any length through a point, m, with a moment of inertia about it, kg m². It has no weight, unless
    /// [`weighing`](Self::weighing) says so.
    pub fn turning(axis: LabVec<f64>, pivot: LabVec<f64>, inertia: f64) -> Result<Self, Error> {
        let axis = checks::direction("axis about which the wall turns", axis)?;
        let pivot = checks::vector("pivot of the wall", pivot)?;
        Ok(Self::along(
            Way::Turn { axis, pivot },
            checks::positive("moment of inertia of the wall", inertia)?,
        ))
    }

    fn along(way: Way, inertia: f64) -> Self {
        let ends = [f64::NEG_INFINITY, f64::INFINITY];
        Self { way, inertia, drives: Vec::new(), damping: 0.0, ends, weight: None }
    }

    /// The same, driven by a force along the direction, N, or a torque about the axis, N m: as much of it as the timing's
    /// [`speed`](Timing::speed) says.
    pub fn driven(self, drive: f64, timing: Timing) -> Result<Self, Error> {
        let drive = checks::in_range("drive of the wall", drive)?;
        Ok(Self { drives: vec![(drive, timing)], ..self })
    }

    /// The same with another drive from a time on, s, to which the present one passes within `ramp`, s.
    #[must_use]
    pub(super) fn driven_from(self, drive: f64, time: f64, ramp: f64) -> Self {
        let fades = Timing::Window { start: None, stop: Some(time), ramp };
        let grows = Timing::Window { start: Some(time), stop: None, ramp };
        Self { drives: vec![(self.drive_at(time), fades), (drive, grows)], ..self }
    }

    /// The same, slowed down by so much per speed: N s/m, or N m s.
    pub fn damped(self, damping: f64) -> Result<Self, Error> {
        Ok(Self { damping: checks::not_negative("damping of the wall", damping)?, ..self })
    }

    /// The same between two stops, m or rad from where the motion begins, which is between them; infinite for none.
    pub fn within(self, ends: [f64; 2]) -> Result<Self, Error> {
        let ways =
            [("way to the lower stop of the wall", -ends[0]), ("way to the upper stop of the wall", ends[1])];
        for (what, way) in ways.into_iter().filter(|(_, way)| *way != f64::INFINITY) {
            checks::not_negative(what, way)?;
        }
        Ok(Self { ends, ..self })
    }

    /// The same with a weight: mass, kg, and centre of mass where the wall was drawn, m.
    pub fn weighing(self, mass: f64, centre: LabVec<f64>) -> Result<Self, Error> {
        let mass = checks::positive("mass of the wall", mass)?;
        let centre = checks::vector("centre of mass of the wall", centre)?;
        Ok(Self { weight: Some(Weight { mass, centre }), ..self })
    }

    /// The same without a weight: its mass is inertia only.
    #[must_use]
    pub fn weightless(self) -> Self {
        Self { weight: None, ..self }
    }

    /// The way along which it moves.
    pub fn way(&self) -> Way {
        self.way
    }

    /// kg, or kg m².
    pub fn inertia(&self) -> f64 {
        self.inertia
    }

    /// What the drive does at a time, s: N, or N m.
    pub fn drive_at(&self, t: f64) -> f64 {
        self.drives.iter().map(|(drive, timing)| drive * timing.speed(t)).sum()
    }

    /// Drive and weight at a time and a place along the way.
    pub(crate) fn given(&self, t: f64, place: f64, gravity: LabVec<f64>) -> f64 {
        let weight = self.weight.map_or(0.0, |Weight { mass, centre }| match self.way {
            Way::Slide { direction } => mass * gravity.dot(direction),
            Way::Turn { axis, pivot } => {
                let arm = rotation(axis, place).conjugate().counter_rotate(centre - pivot);
                mass * axis.dot(arm.cross(gravity))
            }
        });
        self.drive_at(t) + weight
    }

    /// What a force and a torque about the origin of the laboratory do along the way.
    pub(crate) fn along_way(&self, force: LabVec<f64>, torque: LabVec<f64>) -> f64 {
        match self.way {
            Way::Slide { direction } => direction.dot(force),
            Way::Turn { axis, pivot } => axis.dot(torque - pivot.cross(force)),
        }
    }

    /// How fast a wall that moves like this goes along the way.
    pub(crate) fn speed_of(&self, pose: &Pose) -> f64 {
        match self.way {
            Way::Slide { direction } => direction.dot(pose.velocity),
            Way::Turn { axis, .. } => axis.dot(pose.angular_velocity),
        }
    }

    /// The pose at a place along the way, from where the motion began; as it was drawn, if that is where.
    pub(crate) fn pose(&self, begun: Option<Pose>, place: f64, speed: f64) -> Pose {
        let mut pose = begun.unwrap_or_else(Pose::reference);
        match self.way {
            Way::Slide { direction } => {
                pose.origin = pose.origin + direction * place;
                pose.velocity = direction * speed;
            }
            Way::Turn { axis, pivot } => {
                // About its own pivot, which then stays exactly where it is.
                if begun.is_none() {
                    (pose.pivot, pose.origin) = (pivot, pivot);
                }
                turn(&mut pose, axis, pivot, reduced(place), speed);
            }
        }
        pose
    }

    /// Begins a step with all that acts along the way: half a kick, and the drift.
    pub(crate) fn begin_step(&self, place: f64, speed: f64, force: f64, dt: f64) -> Drifted {
        let acceleration = (force - self.damping * speed) / self.inertia;
        let half = speed + 0.5 * dt * acceleration;
        let wanted = place + dt * half;
        let [low, high] = self.ends;
        if wanted < low || wanted > high {
            let place = if wanted < low { low } else { high };
            return Drifted { place, half: 0.0, seen: 0.0, stopped: true };
        }
        Drifted { place: wanted, half, seen: half + 0.5 * dt * acceleration, stopped: false }
    }

    /// Ends a step with all that acts along the way at the new place.
    pub(crate) fn end_step(&self, drifted: &Drifted, force: f64, dt: f64) -> f64 {
        if drifted.stopped {
            return 0.0;
        }
        (drifted.half + 0.5 * dt * force / self.inertia) / (1.0 + 0.5 * dt * self.damping / self.inertia)
    }

    /// What the damping takes in a step that drifts with this speed, J.
    pub(crate) fn damped_in_step(&self, half: f64, dt: f64) -> f64 {
        self.damping * half * half * dt
    }

    /// J
    pub(crate) fn kinetic(&self, speed: f64) -> f64 {
        0.5 * self.inertia * speed * speed
    }
}

/// Where a wall comes to in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drifted {
    /// m or rad
    pub(crate) place: f64,
    /// The speed at the middle of the step.
    pub(crate) half: f64,
    /// The speed that contacts see at its end.
    pub(crate) seen: f64,
    /// Whether a stop holds it.
    pub(crate) stopped: bool,
}

/// An angle without whole turns.
fn reduced(angle: f64) -> f64 {
    angle - TAU * (angle * (1.0 / TAU)).round_ties_even()
}

/// The rotation by an angle about an axis.
fn rotation(axis: LabVec<f64>, angle: f64) -> Quat<f64> {
    let (sine, cosine) = sin_cos(0.5 * reduced(angle));
    Quat::from_parts(cosine, axis * sine)
}
