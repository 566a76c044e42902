//! A bond between two bodies: an elastic beam without mass, and what it does to both.
//!
//! The bond has a potential: the vector-based one of V. A. Kuzkin and I. E. Asonov, Phys. Rev. E 86 (2012) 051301. Each body
//! carries three axes n₁ n₂ n₃ (the first) and m₁ m₂ m₃ (the second), which coincide while the bond is at rest; n₁ then lies
//! along the bond. With r e the vector from one end of the bond to the other, and a its length at rest,
//!
//! ```text
//! U = ½B₁(r − a)² + ¼B₂(|n₁ − e|² + |m₁ − e|²) + ½B₃|n₁ − m₁|² + ¼B₄(|n₂ − m₂|² + |n₃ − m₃|²)                  (1)
//!
//! B₁ = c_A    B₂ = a² c_D    B₃ = c_B − ¼a² c_D − ½c_T    B₄ = c_T                                              (2)
//! ```
//! which is theirs up to a constant, with the second body's axes turned round; written with differences, so that nothing cancels where
//! the bond is hardly strained. The constants (2) follow from small strains: c_A is the stiffness when the ends are pulled apart, c_D
//! when they are shifted and do not turn, c_B when they are bent against each other, c_T when they are twisted.
//!
//! Forces and couples are the exact gradient, however far the bodies have turned:
//!
//! ```text
//! F  = −B₁(r − a) e + (B₂/2r) (1 − ee)·(n₁ + m₁)              on the second body at its end, −F on the first     (3)
//! M₁ = ½B₂ n₁×e + B₃ n₁×m₁ + ½B₄(n₂×m₂ + n₃×m₃)               on the first body                                 (4)
//! M₂ = ½B₂ m₁×e + B₃ m₁×n₁ + ½B₄(m₂×n₂ + m₃×n₃)               on the second body                                (5)
//! ```
//! Their moments about any point cancel: r e × F + M₁ + M₂ = 0.
//!
//! Damping is that of a Kelvin–Voigt solid: beside each stiffness c a dashpot cT, with one time T for all of them. With the velocity v of
//! the second end seen from the first, as a turning by the mean of both angular velocities would not have it, and Δω their difference,
//!
//! ```text
//! power lost = T (c_A vₙ² + c_D vₜ² + c_B Δωₜ² + c_T Δωₙ²)                                                      (6)
//! ```
//! and the forces are half its gradient, so that they take this much and keep both momenta.

use crate::record;
use tumble_math::{BodyVec, LabVec, Quat, Real};

record! {
    /// What a bond is: its length at rest, its four stiffnesses, and the time of its damping.
    BondConstants, BOND_CONSTANTS {
        /// a, m.
        length: R,
        /// c_A, N/m.
        axial: R,
        /// c_D, N/m.
        shear: R,
        /// c_B, N m.
        bending: R,
        /// c_T, N m.
        twist: R,
        /// T, s.
        damping: R,
    }
}

record! {
    /// How a bond is fixed to a body.
    BondEnd, BOND_END {
        /// From the centre of mass to the end of the bond, along the principal axes, m.
        arm: BodyVec<R>,
        /// Takes vectors along the axes of the bond to the body.
        frame: Quat<R>,
    }
}

record! {
    /// A body at the instant at which the bond acts.
    BondedBody, BONDED_BODY {
        /// Takes vectors along the principal axes to the lab.
        q: Quat<R>,
        /// Of the centre of mass, m/s.
        velocity: LabVec<R>,
        /// In the lab, rad/s.
        omega: LabVec<R>,
    }
}

record! {
    /// What a bond does, stores and loses.
    BondAction, BOND_ACTION {
        /// On the second body; the first feels the opposite, N.
        force: LabVec<R>,
        /// On the first body about its centre of mass, N m.
        torque_first: LabVec<R>,
        /// On the second body about its centre of mass, N m.
        torque_second: LabVec<R>,
        /// U, J.
        stored: R,
        /// What its springs do to the bodies now, W: as fast as U falls.
        released: R,
        /// What its dashpots lose now, W.
        damped: R,
        /// Pull along the bond, N; negative where it is pressed.
        tension: R,
        /// Force across it, N.
        shear: R,
        /// The larger of the moments that bend its ends, N m.
        bending: R,
        /// The moment that twists it, N m.
        twist: R,
    }
}

/// What a bond does to two bodies whose centres of mass are `apart`, from the first to the second.
#[inline(always)]
pub fn bond<R: Real>(
    constants: &BondConstants<R>,
    ends: &[BondEnd<R>; 2],
    bodies: &[BondedBody<R>; 2],
    apart: LabVec<R>,
) -> BondAction<R> {
    let (half, quarter) = (R::lit(0.5), R::lit(0.25));
    let [first, second] = bodies;
    let [arm_first, arm_second] = [first.q.to_lab(ends[0].arm), second.q.to_lab(ends[1].arm)];
    let line = apart + arm_second - arm_first;
    let length = line.norm();
    let e = line * (R::lit(1.0) / length);
    let [n1, n2, n3] = axes(first.q * ends[0].frame);
    let [m1, m2, m3] = axes(second.q * ends[1].frame);

    // (2)
    let at_rest = constants.length;
    let b2 = at_rest * at_rest * constants.shear;
    let b4 = constants.twist;
    let b3 = constants.bending - quarter * b2 - half * b4;
    // (1)
    let stretch = length - at_rest;
    let (leaning_first, leaning_second) = (n1 - e, m1 - e);
    let stored = half * constants.axial * stretch * stretch
        + quarter * b2 * (leaning_first.norm_squared() + leaning_second.norm_squared())
        + half * b3 * (n1 - m1).norm_squared()
        + quarter * b4 * ((n2 - m2).norm_squared() + (n3 - m3).norm_squared());
    // (3)
    let tension = constants.axial * stretch;
    let shearing = across(leaning_first + leaning_second, e) * (half * b2 / length);
    let spring = shearing - e * tension;
    // (4), (5)
    let shared = n1.cross(m1) * b3 + (n2.cross(m2) + n3.cross(m3)) * (half * b4);
    let couple_first = n1.cross(e) * (half * b2) + shared;
    let couple_second = m1.cross(e) * (half * b2) - shared;

    // (6)
    let velocity_first = first.velocity + first.omega.cross(arm_first);
    let velocity_second = second.velocity + second.omega.cross(arm_second);
    let between = velocity_second - velocity_first;
    let mean = (first.omega + second.omega) * half;
    let sliding = between - mean.cross(line);
    let opening = sliding.dot(e);
    let sliding = across(sliding, e);
    let turning = second.omega - first.omega;
    let twisting = turning.dot(e);
    let bending = across(turning, e);
    let dashpot = (e * (constants.axial * opening) + sliding * constants.shear) * -constants.damping;
    let dashpot_couple =
        (e * (constants.twist * twisting) + bending * constants.bending) * -constants.damping;
    let tilting = line.cross(dashpot) * -half;
    let damped = constants.damping
        * (constants.axial * opening * opening
            + constants.shear * sliding.norm_squared()
            + constants.bending * bending.norm_squared()
            + constants.twist * twisting * twisting);

    let force = spring + dashpot;
    let bent = larger(across(couple_first, e).norm(), across(couple_second, e).norm());
    let twisted = larger(couple_first.dot(e).abs(), couple_second.dot(e).abs());
    BondAction {
        force,
        torque_first: couple_first + tilting - dashpot_couple - arm_first.cross(force),
        torque_second: couple_second + tilting + dashpot_couple + arm_second.cross(force),
        stored,
        released: spring.dot(between) + couple_first.dot(first.omega) + couple_second.dot(second.omega),
        damped,
        tension,
        shear: shearing.norm(),
        bending: bent,
        twist: twisted,
    }
}

/// The three axes that a quaternion turns those of the lab to.
#[inline(always)]
fn axes<R: Real>(q: Quat<R>) -> [LabVec<R>; 3] {
    let (zero, one) = (R::lit(0.0), R::lit(1.0));
    [
        q.to_lab(BodyVec::new(one, zero, zero)),
        q.to_lab(BodyVec::new(zero, one, zero)),
        q.to_lab(BodyVec::new(zero, zero, one)),
    ]
}

/// The part of a vector that is perpendicular to a direction.
#[inline(always)]
fn across<R: Real>(v: LabVec<R>, e: LabVec<R>) -> LabVec<R> {
    v - e * v.dot(e)
}

#[inline(always)]
fn larger<R: Real>(a: R, b: R) -> R {
    R::select(a.lt(b), b, a)
}
