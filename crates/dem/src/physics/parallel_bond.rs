//! A parallel bond between two bodies: a disc of cement whose forces and moments are added up from step to step.
//!
//! After D. O. Potyondy and P. A. Cundall, Int. J. Rock Mech. Min. Sci. 41 (2004) 1329. Elastic springs of a normal stiffness k̄ₙ and a shear
//! stiffness k̄ₛ per area are spread over a disc of radius R̄ across the line between the two bodies. With ΔU and Δθ what the second body has moved and
//! turned against the first in a step, at the disc, along the line (n) and across it (s),
//!
//! ```text
//! ΔF̄ₙ = −k̄ₙ A ΔUₙ    ΔF̄ₛ = −k̄ₛ A ΔUₛ    ΔM̄ₙ = −k̄ₛ J Δθₙ    ΔM̄ₛ = −k̄ₙ I Δθₛ      A = πR̄², J = ½πR̄⁴, I = ¼πR̄⁴   (1)
//!
//! σ = tension/A + |M̄ₛ|R̄/I        τ = |F̄ₛ|/A + |M̄ₙ|R̄/J                                                          (2)
//! ```
//! Force and moment act on the second body at the disc, and their opposites on the first. The disc has the constants of a bond:
//! c_A = k̄ₙA, c_D = k̄ₛA, c_B = k̄ₙI, c_T = k̄ₛJ. It breaks as (2) says, which is a matter of its limits.
//!
//! What is added up. (1) is written for the sums U and θ of the increments, which turn with the line between the bodies and about it with the mean
//! of both; F̄ₙ needs no sum, since ΔUₙ is by how much the line got longer. Increments are taken from poses, and not from velocities: turning both
//! bodies as one, by however much, gives none, and looking twice at the same poses changes nothing. With the vector g = 2 tan(φ/2) of the rotation of
//! a body by φ since the last step, and x the line from the first end of the bond to the second, half-way between then and now,
//!
//! ```text
//! ΔU = Δx − (αg₁ + (1 − α)g₂) × x    Δθ = g₂ − g₁                                                                 (3)
//! ```
//! where the disc is at the part α of the line.
//!
//! Energy. The springs store ½(c_A Uₙ² + c_D Uₛ² + c_B θₛ² + c_T θₙ²), and U changes by what forces and moments do, since the sums keep
//! their lengths as they turn. So nothing is gained or lost that is not booked. What there is not is a potential of the poses: bodies that turn
//! far along different ways to the same poses end with different forces, and so with a different energy in the bond.
//!
//! Damping is that of [`bond`](super::bond::bond): beside each stiffness c a dashpot cT, here at the disc.

use super::bond::{BondAction, BondConstants, BondEnd, BondedBody};
use crate::record;
use tumble_math::{BodyVec, LabVec, Quat, Real};

record! {
    /// What a parallel bond remembers: the poses that it has followed its bodies to, and the sums of increments there.
    BondMemory, BOND_MEMORY {
        /// From its end at the first body to that at the second, m.
        line: LabVec<R>,
        /// Orientation of the first body.
        first: Quat<R>,
        /// Orientation of the second body.
        second: Quat<R>,
        /// U across the line, m.
        sheared: LabVec<R>,
        /// θ, rad.
        turned: LabVec<R>,
    }
}

impl<R: Real> BondMemory<R> {
    /// At rest at these poses.
    pub fn at_rest(line: LabVec<R>, [first, second]: [Quat<R>; 2]) -> Self {
        Self { line, first, second, sheared: LabVec::zero(), turned: LabVec::zero() }
    }
}

/// From one end of a bond to the other.
#[inline(always)]
fn line_of<R: Real>(ends: &[BondEnd<R>; 2], bodies: &[BondedBody<R>; 2], apart: LabVec<R>) -> LabVec<R> {
    apart + bodies[1].q.to_lab(ends[1].arm) - bodies[0].q.to_lab(ends[0].arm)
}

/// What is remembered once the bodies, whose centres are `apart`, have come to where they are now; the disc is at the part `at` of the line.
#[inline(always)]
pub fn follow<R: Real>(
    memory: &BondMemory<R>,
    at: R,
    ends: &[BondEnd<R>; 2],
    bodies: &[BondedBody<R>; 2],
    apart: LabVec<R>,
) -> BondMemory<R> {
    let (half, one, two) = (R::lit(0.5), R::lit(1.0), R::lit(2.0));
    let line = line_of(ends, bodies, apart);
    let since = [bodies[0].q * memory.first.conjugate(), bodies[1].q * memory.second.conjugate()];
    let [g1, g2] = since.map(|turn| turn.vector() * (two / turn.w));
    // (3)
    let middle = (line + memory.line) * half;
    let moved = line - memory.line - (g1 * at + g2 * (one - at)).cross(middle);
    let turned = g2 - g1;

    // The way of the line, without a twist; then the mean twist of both bodies about it.
    let [e0, e1] = [memory.line, line].map(|line| line * (one / line.norm()));
    let swing = Quat::from_parts(one + e0.dot(e1), e0.cross(e1)).normalised();
    let twist = |turn: Quat<R>| {
        let rest = turn * swing.conjugate();
        rest.vector().dot(e1) / rest.w
    };
    let twist = (twist(since[0]) + twist(since[1])) * half;
    let frame = (Quat::from_parts(one, e1 * twist) * swing).normalised();
    let carried = |v: LabVec<R>| frame.to_lab(BodyVec::new(v.x, v.y, v.z));
    // Half of an increment belongs to the beginning of the step, half to its end.
    let sheared = carried(memory.sheared + moved * half) + moved * half;
    BondMemory {
        line,
        first: bodies[0].q,
        second: bodies[1].q,
        sheared: sheared - e1 * sheared.dot(e1),
        turned: carried(memory.turned + turned * half) + turned * half,
    }
}

/// What a parallel bond does that has [followed](follow) its bodies to where they are now.
#[inline(always)]
pub fn parallel_bond<R: Real>(
    constants: &BondConstants<R>,
    memory: &BondMemory<R>,
    at: R,
    ends: &[BondEnd<R>; 2],
    bodies: &[BondedBody<R>; 2],
    apart: LabVec<R>,
) -> BondAction<R> {
    let (half, one) = (R::lit(0.5), R::lit(1.0));
    let [first, second] = bodies;
    let line = line_of(ends, bodies, apart);
    let length = line.norm();
    let e = line * (one / length);
    let arm_first = first.q.to_lab(ends[0].arm) + line * at;
    let arm_second = second.q.to_lab(ends[1].arm) - line * (one - at);

    // (1)
    let stretch = length - constants.length;
    let twisted = memory.turned.dot(e);
    let bent = memory.turned - e * twisted;
    let tension = constants.axial * stretch;
    let spring = (e * tension + memory.sheared * constants.shear) * R::lit(-1.0);
    let couple = (e * (constants.twist * twisted) + bent * constants.bending) * R::lit(-1.0);
    let stored = half
        * (constants.axial * stretch * stretch
            + constants.shear * memory.sheared.norm_squared()
            + constants.bending * bent.norm_squared()
            + constants.twist * twisted * twisted);

    let between =
        second.velocity + second.omega.cross(arm_second) - (first.velocity + first.omega.cross(arm_first));
    let turning = second.omega - first.omega;
    let (opening, twisting) = (between.dot(e), turning.dot(e));
    let (sliding, bending) = (between - e * opening, turning - e * twisting);
    let dashpot = (e * (constants.axial * opening) + sliding * constants.shear) * -constants.damping;
    let dashpot_couple =
        (e * (constants.twist * twisting) + bending * constants.bending) * -constants.damping;
    let damped = constants.damping
        * (constants.axial * opening * opening
            + constants.shear * sliding.norm_squared()
            + constants.bending * bending.norm_squared()
            + constants.twist * twisting * twisting);

    let (force, moment) = (spring + dashpot, couple + dashpot_couple);
    BondAction {
        force,
        torque_first: arm_first.cross(force) * R::lit(-1.0) - moment,
        torque_second: arm_second.cross(force) + moment,
        stored,
        released: spring.dot(between) + couple.dot(turning),
        damped,
        tension,
        shear: memory.sheared.norm() * constants.shear,
        bending: bent.norm() * constants.bending,
        twist: twisted.abs() * constants.twist,
    }
}
