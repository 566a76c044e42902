//! Guarantee: a quaternion alone takes tensors between body and lab as the matrices R I Rᵀ do (Zhao & van
//! Wachem eq. 29), symmetric or not, and there and back again.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

#[path = "common/sampling.rs"]
mod sampling;

use sampling::Random;
use tumble_math::{Body, BodyVec, Quat, RotationMatrix, SymTensor, Tensor};

fn assert_close<F>(a: Tensor<f64, F>, b: Tensor<f64, F>, tolerance: f64) {
    for (a, b) in a.rows.as_flattened().iter().zip(b.rows.as_flattened()) {
        assert!((a - b).abs() <= tolerance, "{a} against {b}");
    }
}

#[test]
fn a_tensor_turns_as_with_rotation_matrices() {
    let mut random = Random(12);
    for _ in 0..1000 {
        let q = Quat::from_array(random.unit_quaternion());
        let r = RotationMatrix::from(q);
        let t = Tensor::<f64, Body>::new([0, 1, 2].map(|_| random.vector(1.0)));
        let lab = t.to_lab(q);
        assert_close(lab, r * t * r.transpose(), 4e-15);
        assert_close(lab.to_body(q), t, 4e-15);
    }
}

#[test]
fn a_symmetric_tensor_turns_as_a_general_one() {
    let mut random = Random(13);
    for _ in 0..1000 {
        let q = Quat::from_array(random.unit_quaternion());
        let [diagonal, off_diagonal, omega] = [0, 1, 2].map(|_| BodyVec::from_array(random.vector(1.0)));
        let t = SymTensor::new(diagonal, off_diagonal);
        let lab = t.to_lab(q);
        assert_close(Tensor::from(lab), Tensor::from(t).to_lab(q), 4e-15);
        assert_close(Tensor::from(lab.to_body(q)), Tensor::from(t), 4e-15);
        assert!((lab.trace() - t.trace()).abs() < 4e-15);
        // ω·Iω is a scalar.
        let omega_lab = q.to_lab(omega);
        assert!((omega_lab.dot(lab * omega_lab) - omega.dot(t * omega)).abs() < 4e-15);
    }
}

/// I = ∫ (r² 1 − r rᵀ) dm, and L = I ω = ∫ r × (ω × r) dm.
#[test]
fn angular_momentum_is_the_tensor_times_angular_velocity() {
    let (r, omega) = (BodyVec::new(0.3, -0.5, 0.7), BodyVec::new(2.0, 1.0, -3.0));
    let diagonal = BodyVec::new(r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y);
    let inertia = SymTensor::new(diagonal, BodyVec::new(-r.y * r.z, -r.x * r.z, -r.x * r.y));
    assert!((inertia * omega - r.cross(omega.cross(r))).norm() < 1e-15);
    let skew = Tensor::cross_matrix(r);
    let squared = (skew * skew) * -1.0_f64;
    assert_close(Tensor::from(inertia), squared, 1e-15);
    let doubled = inertia + inertia * 2.0 - inertia;
    assert_close(Tensor::from(doubled), squared * 2.0, 1e-15);
}
