//! A symmetric body under a constant torque along its symmetry axis, the body's x axis.
//!
//! The angular velocity is SPIRAL's eqs. (11)–(12) and (C.23)–(C.26) — del Valle et al., Comput. Phys. Commun.
//! 297 (2024) 109077 — written with the angle ψ = ∫ωₓ dt in place of the paper's τ = ωₓ², so that it also
//! holds without torque and through ωₓ = 0: with κ = Iₓ/I,
//!
//! ```text
//! ωₓ = ωₓ(0) + (M/Iₓ) t,   ω_y + iω_z = (ω_y(0) + iω_z(0)) exp(−i(1 − κ)ψ)
//! ```
//!
//! The paper integrates the orientation numerically. Here q = p exp(ψ x̂), and p obeys ṗ = ½ p w(t), where w is the
//! transverse velocity turned by κψ: the Landau–Zener problem of a field with a linear chirp. Seen from axes that
//! turn with w, its coefficients are linear in time, so a Taylor series has a three-term recurrence. Steps of one
//! radian add some 10⁻¹⁶ each, and all angles are carried to twice the precision.

use super::finite;
use super::twofold::Twofold;
use crate::{Error, PrincipalInertia, Spin};
use tumble_math::{BodyVec, Quat};

/// The motion of a body with moments (axial, transverse, transverse) under the body torque (M, 0, 0).
#[derive(Clone, Copy, Debug)]
pub struct AxialTorque {
    start: Spin<f64>,
    torque: f64,
    /// Iₓ/I
    kappa: Twofold,
    /// M/Iₓ
    acceleration: Twofold,
}

impl AxialTorque {
    /// From the moments about the symmetry axis and across it, kg m², the torque in N m and the state at t = 0.
    ///
    /// ```
    /// use tumble_rotation::math::{BodyVec, Quat};
    /// use tumble_rotation::{Spin, reference::AxialTorque};
    /// let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.0, 1.0, 0.0) };
    /// let body = AxialTorque::new(1.0, 2.0, 3.0, start)?;
    /// assert!((body.omega(2.0).x - 6.0).abs() < 1e-15);
    /// # Ok::<(), tumble_rotation::Error>(())
    /// ```
    pub fn new(axial: f64, transverse: f64, torque: f64, start: Spin<f64>) -> Result<Self, Error> {
        PrincipalInertia::new([axial, transverse, transverse])?;
        Ok(Self {
            start: start.checked()?,
            torque: finite("torque", torque)?,
            kappa: Twofold::quotient(axial, transverse),
            acceleration: Twofold::quotient(torque, axial),
        })
    }

    /// SPIRAL's test: a steel cylinder (radius 5 cm, height 15 cm, 7750 kg/m³) under 0.5 N m. Its moments are
    /// those of the cylinder, not the rounded ones in the text.
    pub fn spiral_cylinder() -> Self {
        let [axial, transverse] = Self::SPIRAL_MOMENTS;
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.3, -0.9, 0.6) };
        Self {
            start,
            torque: 0.5,
            kappa: Twofold::quotient(axial, transverse),
            acceleration: Twofold::quotient(0.5, axial),
        }
    }

    /// The moments of [`AxialTorque::spiral_cylinder`] about its axis and across it, kg m²: m R²/2 to the last digit,
    /// and m (3R² + H²)/12, which for H = 3R is twice as much.
    pub const SPIRAL_MOMENTS: [f64; 2] = [0.011_412_817_061_869_17, 2.0 * 0.011_412_817_061_869_17];

    /// The torque in the body frame, N m.
    pub fn torque(&self) -> BodyVec<f64> {
        BodyVec::new(self.torque, 0.0, 0.0)
    }

    /// The body angular velocity at time `t`.
    pub fn omega(&self, t: f64) -> BodyVec<f64> {
        let BodyVec { y, z, .. } = self.start.omega;
        let spin = self.angle(t);
        let (sin, cos) = (spin - self.kappa * spin).sin_cos();
        BodyVec::new(self.axial_rate(t).hi, y * cos + z * sin, z * cos - y * sin)
    }

    /// The state at time `t`, at the cost of one Taylor step per radian since t = 0; for many times use
    /// [`AxialTorque::sampler`].
    pub fn at(&self, t: f64) -> Spin<f64> {
        self.sampler().at(t)
    }

    /// Gives the state at many times, cheapest in ascending order.
    pub fn sampler(&self) -> Sampler {
        Sampler { body: *self, t: 0.0, p: self.start.q }
    }

    /// ωₓ
    fn axial_rate(&self, t: f64) -> Twofold {
        self.acceleration * t + self.start.omega.x.into()
    }

    /// ψ = ∫ωₓ dt
    fn angle(&self, t: f64) -> Twofold {
        (self.acceleration * (0.5 * t) + self.start.omega.x.into()) * t
    }
}

/// The angle, rad, that a [`Sampler`] follows in one call, some ten seconds of work.
pub const MAX_ANGLE: f64 = 1e8;

/// Walks along an [`AxialTorque`] motion.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    body: AxialTorque,
    t: f64,
    /// q without the turn by ψ about x.
    p: Quat<f64>,
}

impl Sampler {
    /// The state at time `t`. Going back restarts at t = 0. The orientation is NaN where `t` is not finite or more
    /// than [`MAX_ANGLE`] away.
    pub fn at(&mut self, t: f64) -> Spin<f64> {
        let omega = self.body.omega(t);
        if (t - self.t) * self.t < 0.0 {
            *self = self.body.sampler();
        }
        let farthest = self.field(self.t).norm().max(self.field(t).norm());
        let angle = farthest * (t - self.t).abs();
        if angle > MAX_ANGLE || angle.is_nan() {
            return Spin { q: Quat::identity() * f64::NAN, omega };
        }
        while self.t.to_bits() != t.to_bits() {
            let next = self.next_time(t);
            self.p = self.advanced(next);
            self.t = next;
        }
        Spin { q: (self.p * self.body.angle(t).about(X)).normalised(), omega }
    }

    /// The end of the next step: `t`, or as far as the series converges well.
    fn next_time(&self, t: f64) -> f64 {
        let kappa = self.body.kappa.hi;
        let field = self.field(self.t);
        let reach = 2.0 / (field.norm() + (kappa * self.body.acceleration.hi).abs().sqrt());
        if (t - self.t).abs() <= reach { t } else { self.t + reach.copysign(t - self.t) }
    }

    /// The chirped field in the axes that turn with it: `(κωₓ, ω_y(0), ω_z(0))`.
    fn field(&self, t: f64) -> BodyVec<f64> {
        BodyVec::new(
            (self.body.kappa * self.body.axial_rate(t)).hi,
            self.body.start.omega.y,
            self.body.start.omega.z,
        )
    }

    /// p after a Taylor step: u̇ = ½ u (field + κ (M/Iₓ) s x̂), u(0) = 1, between the turns by κψ at both ends.
    fn advanced(&self, next: f64) -> Quat<f64> {
        let h = next - self.t;
        let linear = self.field(self.t) * h;
        let chirp = X * (self.body.kappa.hi * self.body.acceleration.hi * h * h);
        let (mut before, mut term) = (Quat::identity() * 0.0, Quat::identity());
        let mut sum = term;
        for n in 1..=40 {
            let following = (term.times_vector(linear) + before.times_vector(chirp)) * (0.5 / f64::from(n));
            (before, term) = (term, following);
            sum = sum + term;
            if term.norm_squared() + before.norm_squared() < 1e-36 {
                break;
            }
        }
        let turn = |t| (self.body.kappa * self.body.angle(t)).about(X);
        (self.p * (turn(self.t) * sum * turn(next).conjugate())).normalised()
    }
}

const X: BodyVec<f64> = BodyVec::new(1.0, 0.0, 0.0);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spiral_cylinder_as_in_34_digits() {
        let [axial, transverse] = AxialTorque::SPIRAL_MOMENTS;
        let (radius, height, density) = (0.05, 0.15, 7750.0);
        let mass = core::f64::consts::PI * radius * radius * height * density;
        assert!((axial - mass * radius * radius / 2.0).abs() < 1e-17);
        assert!((transverse - mass * (3.0 * radius * radius + height * height) / 12.0).abs() < 1e-17);
        let body = AxialTorque::spiral_cylinder();
        for (t, omega, q) in [
            (
                1.0,
                [44.110_392_937_123_88, -0.692_704_818_594_464, -0.830_758_710_033_190_5],
                [
                    0.136_566_575_638_916_1,
                    -0.982_951_798_997_498_4,
                    0.026_129_851_470_049_43,
                    -0.120_301_962_278_239_2,
                ],
            ),
            (
                15.0,
                [657.455_894_056_858_3, 0.563_918_749_455_329_5, -0.923_036_101_142_711_2],
                [
                    -0.869_043_446_550_311_4,
                    -0.474_162_528_682_107_6,
                    0.136_304_116_613_275_13,
                    -0.036_804_513_256_124_58,
                ],
            ),
        ] {
            let spin = body.at(t);
            assert!((spin.omega - BodyVec::from_array(omega)).norm() < 2e-15 * omega[0], "{spin:?}");
            assert!((spin.q - Quat::from_array(q)).norm() < 1e-14, "{spin:?}");
        }
    }

    #[test]
    fn through_a_standstill_about_the_axis() {
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(2.5, 1.0, -0.5) };
        let spin = AxialTorque::new(3.0, 2.0, -3.75, start).unwrap().at(6.0);
        let omega = BodyVec::new(-5.0, -0.534_778_697_968_388_8, 0.981_840_997_412_124);
        let q =
            [-0.467_948_084_388_474_7, 0.306_616_854_879_19, 0.766_372_915_203_785, 0.315_726_542_221_592_4];
        assert!((spin.omega - omega).norm() < 1e-15, "{spin:?}");
        assert!((spin.q - Quat::from_array(q)).norm() < 1e-14, "{spin:?}");
    }

    #[test]
    fn a_sampler_going_back_restarts() {
        let body = AxialTorque::spiral_cylinder();
        let mut sampler = body.sampler();
        for t in [0.5, 1.5, 0.7, -0.2, 0.7] {
            assert!((sampler.at(t).q - body.at(t).q).norm() < 1e-14);
        }
    }

    #[test]
    fn senseless_times_end() {
        let body = AxialTorque::spiral_cylinder();
        assert!(body.at(f64::INFINITY).q.w.is_nan());
        assert!(body.at(1e300).omega.x > 1e300);
        assert!(AxialTorque::new(1.0, 1.0, f64::NAN, body.start).is_err());
    }
}
