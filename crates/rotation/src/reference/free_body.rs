//! A body free of torque, of any shape and spin: Jacobi's elliptic functions, orientation included.
//!
//! Sources: Landau & Lifshitz, Mechanics, §37, for the angular velocity; R. van Zon & J. Schofield, J. Comput. Phys.
//! 225 (2007) 145, for the orientation. Call c the principal axis that the angular momentum circles in the body
//! (that of the largest moment if `L² > 2E I_b`, else of the smallest), a the opposite one and b the middle one. With
//! the axes pointing the right way, all amplitudes are positive in
//! ```text
//! ω_a = A cn u,   ω_b = B sn u,   ω_c = C dn u,   u = u₀ + λt,   λ = C √((I_c − I_a)(I_c − I_b)/(I_a I_b)),
//! φ = L t/I_c + L (1/I_a − 1/I_c) ∫dt/(1 − n sn² u),   n = −I_c(I_a − I_b)/(I_a(I_b − I_c)) ≤ 0,
//! ```
//! where φ, the turn about L, is Legendre's Π(n) without branch cuts or principal values. `L² − 2E I_b` nearly cancels
//! close to the separatrix, and is evaluated to twice the precision.

use super::elliptic::{Jacobi, first_kind, jacobi, quarter_period, third_kind};
use super::twofold::Twofold;
use crate::{Error, Inertia, PrincipalInertia, Spin};
use core::f64::consts::PI;
use tumble_math::{BodyVec, LabVec, Quat};

/// The free motion of any body.
#[derive(Clone, Copy, Debug)]
pub struct FreeBody {
    inertia: PrincipalInertia<f64>,
    start: Spin<f64>,
    tumbling: Option<Tumbling>,
}

impl FreeBody {
    /// From the principal moments, in any order, and the state at t = 0.
    ///
    /// ```
    /// use tumble_rotation::math::{BodyVec, Quat};
    /// use tumble_rotation::{PrincipalInertia, Spin, reference::FreeBody};
    /// let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) };
    /// let body = FreeBody::new(PrincipalInertia::new([1.0, 2.0, 3.0])?, start)?;
    /// assert!((body.period().unwrap() - 39.105_734_197_268_72).abs() < 1e-13);
    /// # Ok::<(), tumble_rotation::Error>(())
    /// ```
    pub fn new(inertia: PrincipalInertia<f64>, start: Spin<f64>) -> Result<Self, Error> {
        let start = start.checked()?;
        Ok(Self { inertia, start, tumbling: Tumbling::new(inertia, start) })
    }

    /// The kinetic energy, J.
    pub fn energy(&self) -> f64 {
        self.inertia.energy(self.start.omega)
    }

    /// The angular momentum, kg m²/s.
    pub fn angular_momentum(&self) -> LabVec<f64> {
        self.start.q.to_lab(self.inertia.momentum(self.start.omega))
    }

    /// The period of the body angular velocity, s; after half of it the body has flipped. None if ω is
    /// constant or, on the separatrix, never returns.
    pub fn period(&self) -> Option<f64> {
        self.tumbling.map(|m| 4.0 * m.quarter / m.rate).filter(|period| period.is_finite())
    }

    /// The body angular velocity at time `t`.
    pub fn omega(&self, t: f64) -> BodyVec<f64> {
        self.tumbling.map_or(self.start.omega, |m| m.omega(&m.phase(t)))
    }

    /// The state at time `t`.
    pub fn at(&self, t: f64) -> Spin<f64> {
        if let Some(tumbling) = self.tumbling {
            return tumbling.at(t);
        }
        let omega = self.start.omega;
        let rate = omega.norm();
        let axis = if rate > 0.0 { omega * (1.0 / rate) } else { omega };
        let turn = (Twofold::from(rate) * t).about(axis);
        Spin { q: (self.start.q * turn).normalised(), omega }
    }
}

/// A motion whose angular velocity changes.
#[derive(Clone, Copy, Debug)]
struct Tumbling {
    /// The axes a, b, c, pointing so that every amplitude is positive.
    axes: [BodyVec<f64>; 3],
    /// +1 if (a, b, c) are right-handed, else −1.
    handedness: f64,
    /// A, B, C
    amplitude: [f64; 3],
    /// A, B, C times the moments.
    momentum: [f64; 3],
    /// λ
    rate: f64,
    /// The complementary parameter of the elliptic functions.
    m1: f64,
    /// K
    quarter: f64,
    start: f64,
    /// n of Legendre's Π.
    characteristic: f64,
    /// φ = steady · t + periodic · (Π(u) − Π(u₀))
    steady: f64,
    periodic: f64,
    third_kind_at_start: f64,
    /// Takes axis c to the angular momentum in the lab.
    frame: Quat<f64>,
}

/// u = 2K · `half_turns` + rest, |rest| ≤ K, and the functions of the rest.
struct Phase {
    half_turns: f64,
    rest: f64,
    functions: Jacobi,
}

impl Tumbling {
    /// None if the angular velocity is constant.
    fn new(inertia: PrincipalInertia<f64>, start: Spin<f64>) -> Option<Self> {
        let moments = inertia.moments().to_array();
        let omega = start.omega.to_array();
        let constant = |i: usize, j: usize| omega[i] * omega[j] == 0.0 || moments[i] - moments[j] == 0.0;
        if constant(0, 1) && constant(1, 2) && constant(2, 0) {
            return None;
        }
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
        let [_, middle, _] = order;
        // L² − 2E I_b = Σ I (I − I_b) ω²
        let term = |i: usize| {
            (Twofold::from(moments[i]) - moments[middle].into()) * moments[i] * omega[i] * omega[i]
        };
        let excess = (term(order[0]) + term(order[2])).hi;
        if excess < 0.0 {
            order.reverse();
        }
        let [ia, ib, ic] = order.map(|i| moments[i]);
        let [wa, wb, wc] = order.map(|i| omega[i]);
        let handedness = (ic - ia).signum();

        // Ratios of the amplitudes, from L² − 2E I_c and L² − 2E I_a, whose terms all have one sign.
        let b_over_a = (ia * (ia - ic) / (ib * (ib - ic))).sqrt();
        let c_over_b = (ib * (ib - ia) / (ic * (ic - ia))).sqrt();
        let amplitude = [wa.hypot(wb / b_over_a), wb.hypot(wa * b_over_a), wc.hypot(wb * c_over_b)];
        let [a, b, c] = amplitude;
        let m1 = (excess.abs() / ((ic - ib).abs() * ic * c * c)).min(1.0);

        let unit = |i: usize, sign: f64| {
            let mut components = [0.0; 3];
            components[i] = sign;
            BodyVec::from_array(components)
        };
        let (axis_a, axis_c) = (unit(order[0], 1_f64.copysign(wa)), unit(order[2], 1_f64.copysign(wc)));
        let axis_b = axis_c.cross(axis_a) * handedness;
        let initial = Jacobi { sn: axis_b.dot(start.omega) / b, cn: wa.abs() / a, dn: wc.abs() / c };
        let u = first_kind(initial);
        if !u.is_finite() {
            // On the separatrix, and infinitely close to its end.
            return None;
        }

        let momentum = [ia * a, ib * b, ic * c];
        let length = inertia.momentum(start.omega).norm();
        let rate = c * ((ic - ia) * (ic - ib) / (ia * ib)).sqrt();
        let characteristic = ic * (ib - ia) / (ia * (ib - ic));
        let mut tumbling = Self {
            axes: [axis_a, axis_b, axis_c],
            handedness,
            amplitude,
            momentum,
            rate,
            m1,
            quarter: quarter_period(m1),
            start: u,
            characteristic,
            steady: length / ic,
            periodic: length * (ic - ia) / (ia * ic * rate),
            third_kind_at_start: third_kind(characteristic, u, initial, m1),
            frame: Quat::identity(),
        };
        let tilt = tumbling.tilt(&Phase { half_turns: 0.0, rest: u, functions: initial });
        tumbling.frame = start.q * tilt.conjugate();
        Some(tumbling)
    }

    fn phase(&self, t: f64) -> Phase {
        let u = self.start + self.rate * t;
        let half_turns = (u / (2.0 * self.quarter)).round();
        let rest = if half_turns == 0.0 { u } else { u - 2.0 * self.quarter * half_turns };
        Phase { half_turns, rest, functions: jacobi(rest, self.m1) }
    }

    fn omega(&self, phase: &Phase) -> BodyVec<f64> {
        let sign = if phase.half_turns % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let Jacobi { sn, cn, dn } = phase.functions;
        let ([a, b, c], [axis_a, axis_b, axis_c]) = (self.amplitude, self.axes);
        axis_a * (sign * a * cn) + axis_b * (sign * b * sn) + axis_c * (c * dn)
    }

    fn at(&self, t: f64) -> Spin<f64> {
        let phase = self.phase(t);
        let integral = |u, f| third_kind(self.characteristic, u, f, self.m1);
        let mut turned = integral(phase.rest, phase.functions) - self.third_kind_at_start;
        if phase.half_turns != 0.0 {
            let end = Jacobi { sn: 1.0, cn: 0.0, dn: self.m1.sqrt() };
            turned += 2.0 * phase.half_turns * integral(self.quarter, end);
        }
        let angle = Twofold::from(self.steady) * t + Twofold::from(self.periodic) * turned;
        let q = self.frame * (angle.about(self.axes[2]) * self.tilt(&phase));
        Spin { q: q.normalised(), omega: self.omega(&phase) }
    }

    /// The rotation in the body that takes the angular momentum to axis c: about c into the plane of a and c,
    /// then within that plane. Continuous in time.
    fn tilt(&self, phase: &Phase) -> Quat<f64> {
        let Jacobi { sn, cn, dn } = phase.functions;
        let [la, lb, lc] = [self.momentum[0] * cn, self.momentum[1] * sn, self.momentum[2] * dn];
        // Two full turns are none; this keeps the rounding of π from adding up.
        let azimuth = Twofold::from(PI * phase.half_turns.rem_euclid(4.0)) + lb.atan2(la).into();
        let inclination = la.hypot(lb).atan2(lc);
        let [_, axis_b, axis_c] = self.axes;
        Twofold::from(-self.handedness * inclination).about(axis_b)
            * (azimuth * -self.handedness).about(axis_c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flipping_body_as_in_34_digits() {
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) };
        let body = FreeBody::new(PrincipalInertia::new([1.0, 2.0, 3.0]).unwrap(), start).unwrap();
        for (t, omega, q) in [
            (
                1.0,
                [0.001_148_329_195_002_186, 1.000_049_339_452_839, 0.008_191_838_620_238_527],
                [
                    0.877_561_966_547_391,
                    0.002_526_241_386_958_486,
                    0.479_434_520_841_925_4,
                    0.004_599_260_701_876_518,
                ],
            ),
            (
                100.0,
                [0.009_550_413_196_755_434, -1.000_004_394_794_228_5, 0.009_852_417_507_542],
                [
                    -0.015_646_241_514_854_16,
                    0.965_439_574_274_269_5,
                    -7.971_609_403_975_474e-5,
                    -0.260_156_908_801_055_13,
                ],
            ),
        ] {
            let spin = body.at(t);
            assert!((spin.omega - BodyVec::from_array(omega)).norm() < 1e-15 * t.max(10.0), "{spin:?}");
            assert!((spin.q - Quat::from_array(q)).norm() < 1e-15 * t.max(2.0), "{spin:?}");
        }
    }

    #[test]
    fn bodies_that_do_not_tumble() {
        for (moments, omega) in [
            ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0]),
            ([1.0, 2.0, 3.0], [0.0, -2.0, 0.0]),
            ([2.0, 2.0, 3.0], [0.3, -2.0, 0.0]),
            ([2.0, 2.0, 2.0], [0.3, -2.0, 1.0]),
        ] {
            let start = Spin { q: Quat::identity(), omega: BodyVec::from_array(omega) };
            let body = FreeBody::new(PrincipalInertia::new(moments).unwrap(), start).unwrap();
            assert!(body.period().is_none());
            let expected = Quat::from_rotation_vector(start.omega * 3.0);
            assert!((body.at(3.0).q - expected).norm() < 1e-15);
        }
    }

    #[test]
    fn the_separatrix_is_found_exactly_and_ends_about_the_middle_axis() {
        // L² = 2E I_b: 2.25 · 0.25 · 1² = 1 · 1 · 0.75².
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.75, 0.5, 1.0) };
        let body = FreeBody::new(PrincipalInertia::new([1.0, 2.0, 2.25]).unwrap(), start).unwrap();
        assert!(body.period().is_none());
        let end = body.omega(200.0);
        assert!(end.x.abs() < 1e-15 && end.z.abs() < 1e-15);
        assert!((end.norm() - body.angular_momentum().norm() / 2.0).abs() < 1e-15);
        assert!(body.at(1e4).q.norm() > 0.999);
    }
}
