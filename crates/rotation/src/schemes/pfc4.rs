//! PFC 4 / MercuryDPM — del Valle et al. 2024, eqs. (B.16)–(B.18).
//!
//! All in the lab frame: ω by three fixed-point iterations with the inertia tensor J of the old instant, then
//! an Euler step of the body's axes, the columns of A, each scaled to unit length. The axes do not stay at
//! right angles, so A and the lab ω are the memory; J = A I Aᵀ and J⁻¹ ≈ A I⁻¹ Aᵀ. The paper has no q. Ours is
//! that of the frame Gram and Schmidt make of the axes: a quaternion read off skew axes directly would depend
//! on how the lab lies. The paper's errors in ω come out if it is run as a leapfrog; those in q do not
//! (papers/spiral-2024).

use super::rotation_matrix::same_sign;
use crate::citations::PFC_2008;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{LabVec, Quat, Real, RotationMatrix, Tensor};

/// Iterated ω and Euler steps of the body's axes, in the lab frame.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pfc4;

impl RotationScheme for Pfc4 {
    const INFO: SchemeInfo = SchemeInfo {
        name: "pfc4",
        summary: "iterated ω and Euler steps of the body's axes, in the lab frame",
        citation: PFC_2008,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = (RotationMatrix<R>, LabVec<R>);

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        _: Drive<R, I>,
    ) -> (Spin<R>, (RotationMatrix<R>, LabVec<R>)) {
        let axes = RotationMatrix::from(spin.q);
        (spin, (axes, axes.to_lab(spin.omega)))
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(
        spin: Spin<R>,
        (axes, start): (RotationMatrix<R>, LabVec<R>),
        drive: Drive<R, I>,
    ) -> (Spin<R>, (RotationMatrix<R>, LabVec<R>)) {
        let Drive { torque, inertia, dt } = drive;
        let mut omega = start;
        for _ in 0..3 {
            let momentum = axes.to_lab(inertia.momentum(axes.to_body(omega)));
            let net = torque - omega.cross(momentum);
            omega = start + axes.to_lab(inertia.velocity(axes.to_body(net))) * dt; // eq. (B.16)
        }
        let axes = (axes + Tensor::cross_matrix(omega * dt) * axes).with_unit_columns(); // eqs. (B.17), (B.18)
        let q = same_sign(Quat::from(axes.orthonormalised()), spin.q);
        (Spin { q, omega: axes.to_body(omega) }, (axes, omega))
    }
}
