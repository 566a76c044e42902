//! `Rotor`: integrates one body, owning the loop, so that time levels cannot be mixed up.

use crate::error::finite;
use crate::state::check_inertia;
use crate::{Drive, Error, Inertia, RotationScheme, Spin};
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// A real number that can be compared and reported: `f32` or `f64`.
pub trait Number: Real<Mask = bool> + Into<f64> + PartialOrd {}
impl<R: Real<Mask = bool> + Into<f64> + PartialOrd> Number for R {}

/// One body under a torque, advanced by a scheme.
///
/// The torque function receives the orientation, the body angular velocity and the time, **all at the same
/// instant**, whatever the scheme's time level, and returns a torque in the lab frame.
///
/// A T-handle spinning about its intermediate axis turns over by itself:
/// ```
/// use tumble_rotation::{PrincipalInertia, Rotor, Spin, schemes::MagnusLeapfrog};
/// use tumble_rotation::math::{BodyVec, LabVec, Quat};
///
/// let inertia = PrincipalInertia::new([1.0, 2.0, 3.0])?;
/// let initial = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) };
/// let mut handle = Rotor::new(MagnusLeapfrog, inertia, initial, 0.01, |_, _, _| LabVec::zero())?;
/// handle.run(1955)?;
/// assert!(handle.state().omega.y < -0.99); // upside down after 19.55 s
/// # Ok::<(), tumble_rotation::Error>(())
/// ```
/// A torque fixed in the body is turned into the lab, `|q, _, _| q.to_lab(torque)`; drag needs the angular
/// velocity, `|q, omega, _| q.to_lab(omega * -drag)`.
#[derive(Clone, Debug)]
pub struct Rotor<S: RotationScheme, R: Real, I, T> {
    spin: Spin<R>,
    memory: S::Memory<R>,
    drive: Drive<R, I>,
    start: f64,
    steps: u64,
    torque: T,
}

impl<S, R, I, T> Rotor<S, R, I, T>
where
    S: RotationScheme,
    R: Number,
    I: Inertia<R>,
    T: FnMut(Quat<R>, BodyVec<R>, f64) -> LabVec<R>,
{
    /// A body with orientation and spin `initial` at time 0. The quaternion is scaled to unit length.
    pub fn new(_scheme: S, inertia: I, initial: Spin<R>, dt: R, torque: T) -> Result<Self, Error> {
        Self::starting_at(0.0, inertia, initial, dt, torque)
    }

    /// As [`new`](Self::new), but starting at another time.
    pub fn starting_at(
        start: f64,
        inertia: I,
        initial: Spin<R>,
        dt: R,
        mut torque: T,
    ) -> Result<Self, Error> {
        finite("start time", start)?;
        check_time_step(dt)?;
        check_inertia(inertia)?;
        let initial = initial.checked()?;
        let torque_now = torque(initial.q, initial.omega, start);
        let drive = Drive { torque: torque_now, inertia, dt };
        let (spin, memory) = S::start(initial, drive);
        let rotor = Self { spin, memory, drive, start, steps: 0, torque };
        rotor.check()?;
        Ok(rotor)
    }

    /// Advances by one time step.
    pub fn step(&mut self) -> Result<(), Error> {
        (self.spin, self.memory) = S::before_torque(self.spin, self.memory, self.drive);
        let times = S::INFO.torque_times;
        for (stage, &fraction) in times.iter().enumerate() {
            let seen = S::at_torque(self.spin, self.memory, self.drive);
            let time = self.time() + fraction * self.drive.dt.into();
            self.drive.torque = (self.torque)(seen.q, seen.omega, time);
            (self.spin, self.memory) = if stage + 1 < times.len() {
                S::between_torques(stage, self.spin, self.memory, self.drive)
            } else {
                S::after_torque(self.spin, self.memory, self.drive)
            };
        }
        self.steps += 1;
        self.check()
    }

    /// Advances by a number of steps.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        (0..steps).try_for_each(|_| self.step())
    }

    /// The present time tₙ.
    pub fn time(&self) -> f64 {
        self.start + self.steps as f64 * self.drive.dt.into()
    }

    /// Orientation and angular velocity, both at [`time`](Self::time).
    ///
    /// Half-step schemes need the present torque for this, so the torque function is called once.
    pub fn state(&mut self) -> Spin<R> {
        let lagging = S::INFO.time_level.omega_lag() > 0.0;
        let mut drive = self.drive;
        if lagging {
            let seen = S::at_torque(self.spin, self.memory, self.drive);
            let time = self.time();
            drive.torque = (self.torque)(seen.q, seen.omega, time);
        }
        S::synchronise(self.spin, self.memory, drive)
    }

    /// The state as the scheme holds it, at the instants of its [`TimeLevel`](crate::TimeLevel):
    /// for measuring schemes, not for physics.
    pub fn native(&self) -> Spin<R> {
        self.spin
    }

    fn check(&self) -> Result<(), Error> {
        for component in self.spin.q.to_array() {
            finite("orientation", component)?;
        }
        let angle = self.spin.omega.norm().into() * self.drive.dt.into();
        finite("angular velocity", angle)?;
        if angle > core::f64::consts::TAU {
            return Err(Error::StepTooLarge { angle, time: self.time() });
        }
        Ok(())
    }
}

pub(crate) fn check_time_step<R: Number>(dt: R) -> Result<(), Error> {
    finite("time step", dt)?;
    if dt.into() <= 0.0 {
        return Err(Error::NonPositiveTimeStep { dt: dt.into() });
    }
    Ok(())
}
