//! The hooks of a scheme as values, so that loops over bodies and recordings treat them alike.

use crate::{Drive, Inertia, RotationScheme, Spin};
use tumble_math::Real;

/// A moment in a step at which a scheme acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hook {
    /// [`RotationScheme::start`]
    Start,
    /// [`RotationScheme::before_torque`]
    BeforeTorque,
    /// [`RotationScheme::at_torque`]; gives a spin to look at and changes nothing
    AtTorque,
    /// [`RotationScheme::between_torques`], after the first, second and third evaluation
    BetweenTorques(u8),
    /// [`RotationScheme::after_torque`]
    AfterTorque,
    /// [`RotationScheme::synchronise`]; gives a spin to look at and changes nothing
    Synchronise,
}

impl Hook {
    /// Whether the hook only looks: the run goes on from the state before it.
    pub const fn only_looks(self) -> bool {
        matches!(self, Self::AtTorque | Self::Synchronise)
    }

    /// Calls the hook of the scheme `S`. With a constant hook the choice costs nothing.
    #[inline(always)]
    pub fn call<S: RotationScheme, R: Real, I: Inertia<R>>(
        self,
        spin: Spin<R>,
        memory: S::Memory<R>,
        drive: Drive<R, I>,
    ) -> (Spin<R>, S::Memory<R>) {
        match self {
            Self::Start => S::start(spin, drive),
            Self::BeforeTorque => S::before_torque(spin, memory, drive),
            Self::AtTorque => (S::at_torque(spin, memory, drive), memory),
            Self::BetweenTorques(stage) => S::between_torques(stage as usize, spin, memory, drive),
            Self::AfterTorque => S::after_torque(spin, memory, drive),
            Self::Synchronise => (S::synchronise(spin, memory, drive), memory),
        }
    }
}
