//! Euler angles, z-x-z and 3-2-1, and axis with angle: for people to read and write, not to integrate.
//!
//! | type | orientation | source |
//! | --- | --- | --- |
//! | [`EulerZxz`] | q = z(φ) x(θ) z(ψ) | multi-sphere slides, eqs. (4.3)–(4.8) |
//! | [`Euler321`] | q = z(ψ) y(θ) x(φ): yaw, pitch, roll | Seelen et al., Acta Mech. 227 (2016) 3381, eq. (8) |
//! | [`AxisAngle`] | q = (cos ½α, n sin ½α) | |
//!
//! A quaternion holds the half sum and the half difference of the outer two angles, each beside the cosine or
//! the sine of the tilt. Read off with `atan2`, both are as good as q itself however close the set is to
//! gimbal lock; matrix elements would lose half the digits there. *At* gimbal lock, where only the sum or the
//! difference means anything, the last angle (ψ of z-x-z, the roll of 3-2-1) is zero by convention.

use crate::elementary::{atan2, hypot, nonzero, sin_cos, wrap_angle};
use crate::{BodyVec, Quat, Real, RotationMatrix, Vec3};

/// Euler angles z-x-z: precession φ, nutation θ and spin ψ, in radians.
///
/// ```
/// use tumble_math::{EulerZxz, Quat};
/// let angles = EulerZxz { phi: 0.3, theta: 1e-9, psi: -2.0 };
/// let back = EulerZxz::from(Quat::from(angles));
/// assert!((back.phi - 0.3_f64).abs() < 1e-15 && (back.theta - 1e-9).abs() < 1e-24);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EulerZxz<R> {
    /// φ about the lab's z axis, in [−π, π] when computed.
    pub phi: R,
    /// θ, from the lab's to the body's z axis, in [0, π] when computed.
    pub theta: R,
    /// ψ about the body's z axis, in [−π, π] when computed; zero at θ = 0 and θ = π.
    pub psi: R,
}

/// Euler angles 3-2-1 of aircraft: yaw ψ, then pitch θ, then roll φ, in radians.
///
/// ```
/// use core::f64::consts::FRAC_PI_2;
/// use tumble_math::{Euler321, Quat};
/// let nose_up = Euler321 { yaw: 0.5, pitch: FRAC_PI_2, roll: 0.2 };
/// let back = Euler321::from(Quat::from(nose_up));
/// assert!((back.yaw - 0.3_f64).abs() < 1e-15 && back.roll == 0.0); // only ψ − φ means anything here
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Euler321<R> {
    /// ψ about the lab's z axis, in [−π, π] when computed.
    pub yaw: R,
    /// θ about the y axis that the yaw has turned, in [−π/2, π/2] when computed.
    pub pitch: R,
    /// φ about the body's x axis, in [−π, π] when computed; zero within rounding of pitch ±π/2.
    pub roll: R,
}

/// A rotation by an angle about an axis in the frame `F`.
///
/// The axis of an orientation has the same components in the lab and in the body: it is what the rotation
/// leaves alone. That of an increment to an orientation has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisAngle<R, F> {
    /// The axis, of unit length; the z axis where there is no rotation.
    pub axis: Vec3<R, F>,
    /// The angle in radians, in [0, π] when computed.
    pub angle: R,
}

impl<R: Real> EulerZxz<R> {
    /// The angular velocity in the body frame when the angles change at these rates: eqs. (4.7).
    #[inline(always)]
    pub fn omega(self, rates: Self) -> BodyVec<R> {
        let ((sin_theta, cos_theta), (sin_psi, cos_psi)) = (sin_cos(self.theta), sin_cos(self.psi));
        BodyVec::new(
            rates.phi * sin_theta * sin_psi + rates.theta * cos_psi,
            rates.phi * sin_theta * cos_psi - rates.theta * sin_psi,
            rates.psi + rates.phi * cos_theta,
        )
    }

    /// The rates of the angles at this angular velocity: eqs. (4.8). Infinite or NaN at θ = 0 and badly
    /// conditioned near θ = 0 and θ = π, which is why nothing here integrates Euler angles.
    #[inline(always)]
    pub fn rates(self, omega: BodyVec<R>) -> Self {
        let ((sin_theta, cos_theta), (sin_psi, cos_psi)) = (sin_cos(self.theta), sin_cos(self.psi));
        let phi = (omega.x * sin_psi + omega.y * cos_psi) / sin_theta;
        Self { phi, theta: omega.x * cos_psi - omega.y * sin_psi, psi: omega.z - phi * cos_theta }
    }
}

impl<R: Real> Euler321<R> {
    /// The angular velocity in the body frame when the angles change at these rates: eq. (8) solved for ω.
    #[inline(always)]
    pub fn omega(self, rates: Self) -> BodyVec<R> {
        let ((sin_pitch, cos_pitch), (sin_roll, cos_roll)) = (sin_cos(self.pitch), sin_cos(self.roll));
        BodyVec::new(
            rates.roll - rates.yaw * sin_pitch,
            rates.yaw * cos_pitch * sin_roll + rates.pitch * cos_roll,
            rates.yaw * cos_pitch * cos_roll - rates.pitch * sin_roll,
        )
    }

    /// The rates of the angles at this angular velocity: eq. (8). Badly conditioned near pitch ±π/2, where
    /// yaw and roll cannot be told apart.
    #[inline(always)]
    pub fn rates(self, omega: BodyVec<R>) -> Self {
        let ((sin_pitch, cos_pitch), (sin_roll, cos_roll)) = (sin_cos(self.pitch), sin_cos(self.roll));
        let yaw = (omega.y * sin_roll + omega.z * cos_roll) / cos_pitch;
        Self { yaw, pitch: omega.y * cos_roll - omega.z * sin_roll, roll: omega.x + yaw * sin_pitch }
    }
}

impl<R: Real, F> AxisAngle<R, F> {
    /// The rotation vector, axis times angle.
    #[inline(always)]
    pub fn rotation_vector(self) -> Vec3<R, F> {
        self.axis * self.angle
    }
}

impl<R: Real> From<EulerZxz<R>> for Quat<R> {
    #[inline(always)]
    fn from(EulerZxz { phi, theta, psi }: EulerZxz<R>) -> Self {
        let half = R::lit(0.5);
        let (sin_theta, cos_theta) = sin_cos(theta * half);
        let (sin_sum, cos_sum) = sin_cos((phi + psi) * half);
        let (sin_difference, cos_difference) = sin_cos((phi - psi) * half);
        Self::new(
            cos_theta * cos_sum,
            sin_theta * cos_difference,
            sin_theta * sin_difference,
            cos_theta * sin_sum,
        )
    }
}

impl<R: Real> From<Quat<R>> for EulerZxz<R> {
    #[inline(always)]
    fn from(q: Quat<R>) -> Self {
        let zero = R::lit(0.0);
        let (cos_theta, sin_theta) = (hypot(q.w, q.z), hypot(q.x, q.y));
        let (sum, difference) = (atan2(q.z, q.w), atan2(q.y, q.x));
        // At gimbal lock one of the two is unknown; ψ, their difference, shall be zero.
        let half_sum = R::select(zero.lt(cos_theta), sum, difference);
        let half_difference = R::select(zero.lt(sin_theta), difference, sum);
        Self {
            phi: wrap_angle(half_sum + half_difference),
            theta: R::lit(2.0) * atan2(sin_theta, cos_theta),
            psi: wrap_angle(half_sum - half_difference),
        }
    }
}

impl<R: Real> From<Euler321<R>> for Quat<R> {
    #[inline(always)]
    fn from(Euler321 { yaw, pitch, roll }: Euler321<R>) -> Self {
        let half = R::lit(0.5);
        let ((sy, cy), (sp, cp), (sr, cr)) =
            (sin_cos(yaw * half), sin_cos(pitch * half), sin_cos(roll * half));
        Self::new(
            (cr * cp) * cy + (sr * sp) * sy,
            (sr * cp) * cy - (cr * sp) * sy,
            (cr * sp) * cy + (sr * cp) * sy,
            (cr * cp) * sy - (sr * sp) * cy,
        )
    }
}

impl<R: Real> From<Quat<R>> for Euler321<R> {
    #[inline(always)]
    fn from(q: Quat<R>) -> Self {
        let one = R::lit(1.0);
        // With c, s = cos, sin ½θ: (c − s)(cos, sin) of ½(φ + ψ), and (c + s)(cos, sin) of ½(φ − ψ).
        let (cos_sum, sin_sum) = (q.w - q.y, q.x + q.z);
        let (cos_difference, sin_difference) = (q.w + q.y, q.x - q.z);
        let (minus, plus) = (hypot(cos_sum, sin_sum), hypot(cos_difference, sin_difference));
        let (sum, difference) = (atan2(sin_sum, cos_sum), atan2(sin_difference, cos_difference));
        // At gimbal lock one of the two is mere rounding; the roll, their sum, shall be zero.
        let free = |length: R| one.lt(one + length * R::lit(0.25));
        let half_sum = R::select(free(minus), sum, -difference);
        let half_difference = R::select(free(plus), difference, -sum);
        Self {
            yaw: wrap_angle(half_sum - half_difference),
            pitch: atan2(R::lit(2.0) * (q.w * q.y - q.x * q.z), minus * plus),
            roll: wrap_angle(half_sum + half_difference),
        }
    }
}

impl<R: Real, F> From<AxisAngle<R, F>> for Quat<R> {
    #[inline(always)]
    fn from(a: AxisAngle<R, F>) -> Self {
        let (sin, cos) = sin_cos(a.angle * R::lit(0.5));
        Self::from_parts(cos, a.axis * sin)
    }
}

impl<R: Real, F> From<Quat<R>> for AxisAngle<R, F> {
    /// The shorter way to this orientation.
    #[inline(always)]
    fn from(q: Quat<R>) -> Self {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let flip = q.w.lt(zero);
        let q = Quat::select(flip, -q, q);
        // Divided by the largest component, so that the length of a tiny vector does not underflow.
        let larger = |a: R, b: R| R::select(a.lt(b), b, a);
        let scale = larger(larger(q.x.abs(), q.y.abs()), q.z.abs());
        let safe = nonzero(scale);
        let z = R::select(zero.lt(scale), q.z / safe, one);
        let direction = Vec3::new(q.x / safe, q.y / safe, z);
        let length = direction.norm();
        Self { axis: direction * (one / length), angle: R::lit(2.0) * atan2(scale * length, q.w) }
    }
}

/// Conversions that go through the quaternion.
macro_rules! through_quaternion {
    ($([$($frame:ident)?] $from:ty => $to:ty,)*) => {$(
        impl<R: Real $(, $frame)?> From<$from> for $to {
            #[inline(always)]
            fn from(orientation: $from) -> Self {
                Self::from(Quat::from(orientation))
            }
        }
    )*};
}
through_quaternion! {
    [] EulerZxz<R> => Euler321<R>,
    [] EulerZxz<R> => RotationMatrix<R>,
    [] Euler321<R> => EulerZxz<R>,
    [] Euler321<R> => RotationMatrix<R>,
    [] RotationMatrix<R> => EulerZxz<R>,
    [] RotationMatrix<R> => Euler321<R>,
    [F] AxisAngle<R, F> => EulerZxz<R>,
    [F] AxisAngle<R, F> => Euler321<R>,
    [F] AxisAngle<R, F> => RotationMatrix<R>,
    [F] EulerZxz<R> => AxisAngle<R, F>,
    [F] Euler321<R> => AxisAngle<R, F>,
    [F] RotationMatrix<R> => AxisAngle<R, F>,
}
