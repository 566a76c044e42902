//! The contract of a rotation scheme, and the facts it declares about itself.
//!
//! A scheme advances one body by one step with the torque given to it; it never asks for one. Around the
//! torque evaluation it has two main hooks, so that whoever owns the loop ([`Rotor`](crate::Rotor),
//! a batch, a DEM engine) evaluates all torques in between:
//!
//! ```text
//!  start ─▶ ┌─▶ before_torque ─▶ at_torque ─▶ (torque) ─▶ after_torque ─┐ ─▶ synchronise, for reports
//!           └───────────────────────────────────────────────────────────┘
//! ```

use crate::citations::Citation;
use crate::kicks::half_kick;
use crate::{Drive, Inertia, Spin};
use tumble_math::{BodyVec, LabVec, Quat, Real, RotationMatrix, Vec3};

/// Which instants a scheme's `q` and `omega` belong to between steps n − 1 and n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLevel {
    /// qₙ and ωₙ, moved by τₙ (Johnson: by τₙ₊₁ at the new q; Runge–Kutta: by four torques).
    Synchronous,
    /// qₙ and ωₙ₋½, moved by τₙ.
    Leapfrog,
    /// qₙ and ωₙ; a half kick by τₙ, the drift, then a half kick by τₙ₊₁.
    KickDriftKick,
    /// qₙ₋½ and ωₙ₋½, moved by τₙ at a predicted qₙ, ωₙ.
    Staggered,
}

impl TimeLevel {
    /// How far behind tₙ the angular velocity is, in steps.
    pub const fn omega_lag(self) -> f64 {
        match self {
            Self::Synchronous | Self::KickDriftKick => 0.0,
            Self::Leapfrog | Self::Staggered => 0.5,
        }
    }

    /// How far behind tₙ the orientation is, in steps.
    pub const fn q_lag(self) -> f64 {
        match self {
            Self::Synchronous | Self::KickDriftKick | Self::Leapfrog => 0.0,
            Self::Staggered => 0.5,
        }
    }

    /// The name used in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Synchronous => "synchronous",
            Self::Leapfrog => "leapfrog",
            Self::KickDriftKick => "kick–drift–kick",
            Self::Staggered => "staggered",
        }
    }
}

/// Order of the global error: it shrinks as Δt to this power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Of the orientation.
    pub q: u8,
    /// Of the angular velocity, at its own instant.
    pub omega: u8,
}

/// Orders for four classes of torque on an asymmetric body. `tests/order.rs` measures every one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    /// No torque.
    pub free: Order,
    /// A torque constant in the body frame.
    pub body_torque: Order,
    /// A torque that depends on the orientation, such as gravity on a top.
    pub orientation_torque: Order,
    /// A torque that depends on the angular velocity, such as drag or friction.
    pub velocity_torque: Order,
}

impl Orders {
    /// `[free, body torque, orientation torque, velocity torque]`, each as (q, ω).
    pub const fn new(of: [(u8, u8); 4]) -> Self {
        const fn order((q, omega): (u8, u8)) -> Order {
            Order { q, omega }
        }
        Self {
            free: order(of[0]),
            body_torque: order(of[1]),
            orientation_torque: order(of[2]),
            velocity_torque: order(of[3]),
        }
    }
}

/// What a scheme keeps to round-off, at any step that follows the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conserves {
    /// Kinetic energy of a free body.
    pub energy: bool,
    /// Lab angular momentum of a free body, and its change by the impulse of the torque.
    pub momentum: bool,
    /// The way back: with ω reversed, the same steps return to the start.
    pub reversible: bool,
}

impl Conserves {
    /// None of them.
    pub const NOTHING: Self = Self { energy: false, momentum: false, reversible: false };
}

/// The facts of a scheme, all of them checked by tests.
#[derive(Clone, Copy, Debug)]
pub struct SchemeInfo {
    /// The name in scenes, on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// Where it was published.
    pub citation: Citation,
    /// Which instants its state belongs to.
    pub time_level: TimeLevel,
    /// When the torque is evaluated, in steps after tₙ; once a step for all but Runge–Kutta.
    pub torque_times: &'static [f64],
    /// Orders of accuracy.
    pub orders: Orders,
    /// What it conserves.
    pub conserves: Conserves,
    /// Whether each step ends by scaling q to unit length (true), or q stays a unit quaternion by
    /// construction (false).
    pub normalises: bool,
}

/// A rotational integrator. All methods are pure functions of one body, generic over the precision.
///
/// `drive.torque` is the torque last evaluated: the one of this step in [`after_torque`] and
/// [`synchronise`], the one of the step before in [`before_torque`] and [`at_torque`].
///
/// [`before_torque`]: RotationScheme::before_torque
/// [`at_torque`]: RotationScheme::at_torque
/// [`after_torque`]: RotationScheme::after_torque
/// [`synchronise`]: RotationScheme::synchronise
pub trait RotationScheme: Copy + Default + 'static {
    /// The facts.
    const INFO: SchemeInfo;

    /// What is carried from step to step beside q and ω.
    type Memory<R: Real>: Memory<R>;

    /// Takes (q₀, ω₀) and τ₀ to the scheme's own instants; most schemes are there already.
    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, _: Drive<R, I>) -> (Spin<R>, Self::Memory<R>) {
        (spin, Self::Memory::from_columns(Self::Memory::blank()))
    }

    /// Moves the body to where the torque is to be evaluated; does nothing for most schemes.
    #[inline(always)]
    fn before_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        memory: Self::Memory<R>,
        _: Drive<R, I>,
    ) -> (Spin<R>, Self::Memory<R>) {
        (spin, memory)
    }

    /// q and ω *both* at the instant of the torque evaluation, for torques that depend on them.
    ///
    /// Where ω is half a step behind, it is predicted with the last torque, to second order.
    #[inline(always)]
    fn at_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, _: Self::Memory<R>, drive: Drive<R, I>) -> Spin<R> {
        let half = drive.dt * R::lit(0.5);
        let torque = spin.q.to_body(drive.torque);
        let omega = match Self::INFO.time_level {
            TimeLevel::Synchronous => spin.omega,
            // The drift has already turned ω to the end of the step; the second half kick is missing.
            TimeLevel::KickDriftKick => half_kick(spin, drive).omega,
            TimeLevel::Leapfrog | TimeLevel::Staggered => {
                spin.omega + drive.inertia.acceleration(spin.omega, torque) * half
            }
        };
        Spin { q: spin.q, omega }
    }

    /// For schemes with several torque evaluations: what happens after all but the last of them.
    #[inline(always)]
    fn between_torques<R: Real, I: Inertia<R>>(
        _stage: usize,
        spin: Spin<R>,
        memory: Self::Memory<R>,
        _: Drive<R, I>,
    ) -> (Spin<R>, Self::Memory<R>) {
        (spin, memory)
    }

    /// Finishes the step with the torque just evaluated.
    fn after_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        memory: Self::Memory<R>,
        drive: Drive<R, I>,
    ) -> (Spin<R>, Self::Memory<R>);

    /// (qₙ, ωₙ) for reports, given τₙ. The run goes on from the unsynchronised state.
    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        memory: Self::Memory<R>,
        drive: Drive<R, I>,
    ) -> Spin<R> {
        match Self::INFO.time_level {
            TimeLevel::Synchronous | TimeLevel::KickDriftKick => spin,
            TimeLevel::Leapfrog | TimeLevel::Staggered => Self::at_torque(spin, memory, drive),
        }
    }
}

/// What a scheme remembers between steps, as a fixed number of columns.
pub trait Memory<R: Real>: Copy {
    /// `[R; N]`
    type Array: Copy + AsRef<[R]> + AsMut<[R]>;
    /// Number of columns.
    const WIDTH: usize;
    /// The memory as columns.
    fn to_columns(self) -> Self::Array;
    /// The memory from columns.
    fn from_columns(columns: Self::Array) -> Self;
    /// Columns to fill.
    fn blank() -> Self::Array;
}

macro_rules! impl_memory {
    ([$($generics:tt)*] $type:ty, $width:expr, $to:expr, $from:expr) => {
        impl<R: Real, $($generics)*> Memory<R> for $type {
            type Array = [R; $width];
            const WIDTH: usize = $width;
            #[inline(always)]
            fn to_columns(self) -> [R; $width] {
                $to(self)
            }
            #[inline(always)]
            fn from_columns(columns: [R; $width]) -> Self {
                $from(columns)
            }
            #[inline(always)]
            fn blank() -> [R; $width] {
                [R::lit(0.0); $width]
            }
        }
    };
}

impl<R: Real> Memory<R> for () {
    type Array = [R; 0];
    const WIDTH: usize = 0;
    #[inline(always)]
    fn to_columns(self) -> [R; 0] {
        []
    }
    #[inline(always)]
    fn from_columns(_: [R; 0]) -> Self {}
    #[inline(always)]
    fn blank() -> [R; 0] {
        []
    }
}

impl_memory!([F: 'static] Vec3<R, F>, 3, Vec3::to_array, Vec3::from_array);
impl_memory!(
    [] (RotationMatrix<R>, LabVec<R>),
    12,
    |(matrix, vector): (RotationMatrix<R>, LabVec<R>)| {
        let [[a, b, c], [d, e, f], [g, h, i]] = matrix.rows;
        [a, b, c, d, e, f, g, h, i, vector.x, vector.y, vector.z]
    },
    |[a, b, c, d, e, f, g, h, i, x, y, z]: [R; 12]| {
        (RotationMatrix::new([[a, b, c], [d, e, f], [g, h, i]]), LabVec::new(x, y, z))
    }
);
impl_memory!(
    [] [Spin<R>; 2],
    14,
    |[a, b]: [Spin<R>; 2]| {
        let ([aw, ax, ay, az], [bw, bx, by, bz]) = (a.q.to_array(), b.q.to_array());
        let (ao, bo) = (a.omega, b.omega);
        [aw, ax, ay, az, ao.x, ao.y, ao.z, bw, bx, by, bz, bo.x, bo.y, bo.z]
    },
    |[aw, ax, ay, az, aox, aoy, aoz, bw, bx, by, bz, box_, boy, boz]: [R; 14]| {
        [
            Spin { q: Quat::new(aw, ax, ay, az), omega: BodyVec::new(aox, aoy, aoz) },
            Spin { q: Quat::new(bw, bx, by, bz), omega: BodyVec::new(box_, boy, boz) },
        ]
    }
);
