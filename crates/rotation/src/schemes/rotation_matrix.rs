//! Rotation matrix with re-orthonormalisation — multi-sphere slides, "using the transformation matrix".
//!
//! ω takes an explicit Euler step; the matrix A (body to lab) follows Ȧ = A [ω]×, one Euler step with the new
//! ω, and Gram–Schmidt makes it a rotation again. The slides give no formula for ω or the time level.

use crate::citations::EVANS_1977;
use crate::kicks::euler_kick;
use crate::{Conserves, Drive, Inertia, Orders, RotationScheme, SchemeInfo, Spin, TimeLevel};
use tumble_math::{Quat, Real, RotationMatrix as Matrix, Tensor};

/// Euler step of the rotation matrix, orthonormalised.
#[derive(Clone, Copy, Debug, Default)]
pub struct RotationMatrix;

impl RotationScheme for RotationMatrix {
    const INFO: SchemeInfo = SchemeInfo {
        name: "rotation-matrix",
        summary: "Euler steps for ω and the rotation matrix, orthonormalised",
        citation: EVANS_1977,
        time_level: TimeLevel::Synchronous,
        torque_times: &[0.0],
        orders: Orders::new([(1, 1), (1, 1), (1, 1), (1, 1)]),
        conserves: Conserves::NOTHING,
        normalises: true,
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let torque = spin.q.to_body(drive.torque);
        let omega = euler_kick(spin.omega, torque, drive.inertia, drive.dt);
        let a = Matrix::from(spin.q);
        let a = (a + a * Tensor::cross_matrix(omega * drive.dt)).orthonormalised();
        (Spin { q: same_sign(Quat::from(a), spin.q), omega }, ())
    }
}

/// Of q and −q, which are the same orientation, the one on the side of `previous`.
#[inline(always)]
pub(super) fn same_sign<R: Real>(q: Quat<R>, previous: Quat<R>) -> Quat<R> {
    let away = q.dot(previous).lt(R::lit(0.0));
    q * R::select(away, R::lit(-1.0), R::lit(1.0))
}
