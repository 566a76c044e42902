//! Guarantee: principal moments and axes put the tensor together again to a few ε of its largest moment,
//! whatever its scale and however close its moments; small moments survive beside large ones; and a tensor
//! that is no body's is refused. It can break where moments coincide, and by taking a left-handed frame.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

#[path = "common/sampling.rs"]
mod sampling;

use sampling::{Random, largest};
use tumble_math::{BodyVec, LabVec, PrincipalAxesError, Quat, RotationMatrix, SymTensor};

/// The largest element of a difference of tensors.
fn distance<F>(a: SymTensor<f64, F>, b: SymTensor<f64, F>) -> f64 {
    let d = a - b;
    largest([d.diagonal.to_array(), d.off_diagonal.to_array()].concat().into_iter().map(f64::abs))
}

#[test]
fn moments_and_axes_put_the_tensor_together_again() {
    let mut random = Random(14);
    let ratios: [[f64; 3]; 10] = [
        [1.0, 2.0, 3.0],
        [3.0, 1.0, 2.0],
        [1.0, 1.0, 1.0],
        [1.0, 2.0, 2.0],
        [1.0, 1.0, 2.0],
        [1.0, 1.0 + 1e-15, 2.0],
        [1.0, 1.0 + 1e-12, 1.0 + 2e-12],
        [1.0, 1.0 + 1e-8, 1.0 + 1e-7],
        [1e-9, 1.0, 1.0],
        [1e-3, 1.0, 1.0 + 1e-3],
    ];
    for scale in [1e-300, 1e-12, 1e-5, 1.0, 1e5, 1e12, 1e300] {
        for ratio in ratios {
            for _ in 0..50 {
                let moments = BodyVec::from_array(ratio) * scale;
                let q = Quat::from_array(random.unit_quaternion()).normalised();
                let tensor = SymTensor::from_diagonal(moments).to_lab(q);
                let axes = tensor.principal_axes().unwrap();
                let rebuilt = SymTensor::from_diagonal(axes.moments).to_lab(axes.orientation);
                let unit = f64::EPSILON * scale * largest(ratio);
                let error = distance(rebuilt, tensor) / unit;
                assert!(error <= 8.0, "{tensor:?}: {error} ε");
                let mut sorted = moments.to_array();
                sorted.sort_by(f64::total_cmp);
                assert!(axes.moments.x <= axes.moments.y && axes.moments.y <= axes.moments.z, "{axes:?}");
                for (found, exact) in axes.moments.to_array().into_iter().zip(sorted) {
                    let error = (found - exact).abs() / unit;
                    assert!(error <= 16.0, "{tensor:?}: {found:e}, {error} ε");
                }
                assert!((axes.orientation.norm() - 1.0).abs() <= f64::EPSILON, "{axes:?}");
                // Of the four frames, the one turned least.
                let [w, x, y, z] = axes.orientation.to_array();
                assert!(w >= x.abs().max(y.abs()).max(z.abs()), "{axes:?}");
            }
        }
    }
}

#[test]
fn a_diagonal_tensor_keeps_its_moments_to_the_last_bit() {
    let moments = [1e-12, 3.0, 1e12];
    let order = |p: [usize; 3]| SymTensor::from_diagonal(LabVec::from_array(p.map(|i| moments[i])));
    let ascending = order([0, 1, 2]).principal_axes().unwrap();
    assert_eq!(ascending.orientation, Quat::identity());
    for p in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let axes = order(p).principal_axes().unwrap();
        assert_eq!(axes.moments, BodyVec::from_array(moments));
        // The i-th principal axis is the lab axis that has the i-th moment.
        for (i, column) in RotationMatrix::from(axes.orientation).columns().into_iter().enumerate() {
            let along = p.iter().position(|&place| place == i).unwrap();
            assert!(column.to_array()[along].abs() > 1.0 - 1e-15, "{p:?}: {column:?}");
        }
    }
    let sphere = SymTensor::from_diagonal(LabVec::new(0.4, 0.4, 0.4)).principal_axes().unwrap();
    assert_eq!(sphere.orientation, Quat::identity());
}

/// D A D with D = diag(10⁻⁶, 1, 10⁶) has the determinant of A; a method that loses small moments misses it.
#[test]
fn small_moments_survive_beside_large_ones() {
    let tensor = SymTensor::new(LabVec::new(1e-12, 1.0, 1e12), LabVec::new(0.1e6, 0.2, 0.3e-6));
    let determinant = 1.0 + 2.0 * 0.1 * 0.2 * 0.3 - (0.01 + 0.04 + 0.09);
    let [a, b, c] = tensor.principal_axes().unwrap().moments.to_array();
    assert!((a * b * c / determinant - 1.0).abs() < 4.0 * f64::EPSILON, "{a:e} {b:e} {c:e}");
    // A thin rod, tilted: the moment about its own axis is 10⁻¹⁰ of the others.
    let tilt = Quat::from_rotation_vector(BodyVec::new(0.1, 1e-3, -2e-3));
    let rod = SymTensor::from_diagonal(BodyVec::new(1e-10, 1.0, 1.0)).to_lab(tilt);
    let moment = rod.principal_axes().unwrap().moments.x;
    assert!((moment - 1e-10).abs() < 4.0 * f64::EPSILON, "{moment:e}");
}

#[test]
fn what_is_no_tensor_of_inertia_is_refused() {
    let tensor =
        |diagonal: [f64; 3], yz| SymTensor::new(LabVec::from_array(diagonal), LabVec::new(yz, 0.0, 0.0));
    for (diagonal, yz) in
        [([1.0, f64::NAN, 1.0], 0.0), ([1.0, 1.0, f64::INFINITY], 0.0), ([1.0; 3], f64::NAN)]
    {
        assert_eq!(tensor(diagonal, yz).principal_axes(), Err(PrincipalAxesError::NotFinite));
    }
    assert_eq!(tensor([0.0, 1.0, 1.0], 0.0).principal_axes(), Err(PrincipalAxesError::NotPositive(0.0)));
    let saddle = tensor([1.0, 1.0, 1.0], 3.0).principal_axes().unwrap_err();
    assert!(matches!(saddle, PrincipalAxesError::NotPositive(m) if (m + 2.0).abs() < 1e-15), "{saddle}");
    assert!(saddle.to_string().contains("not positive"), "{saddle}");
}
