//! Guarantee: vectors and quaternions of `mint`, `glam` and `nalgebra` come and go unchanged, in `f32` and
//! `f64`, and turn vectors as ours do. It can break by their order of components, (x, y, z, w).

#![cfg(any(feature = "mint", feature = "glam", feature = "nalgebra"))]
#![allow(clippy::float_cmp, reason = "conversions keep every bit")]

use tumble_math::{BodyVec, LabVec, Quat};

/// Checks the round trips of a scalar type with a foreign vector and quaternion.
macro_rules! round_trips {
    ($scalar:ty, $vector:ty, $quaternion:ty) => {
        let (v, q) = (BodyVec::<$scalar>::new(1.0, 2.0, 3.0), Quat::<$scalar>::new(0.1, 0.7, -0.5, 0.5));
        assert_eq!(BodyVec::from(<$vector>::from(v)), v);
        assert_eq!(LabVec::from(<$vector>::from(v)), LabVec::new(1.0, 2.0, 3.0));
        assert_eq!(Quat::from(<$quaternion>::from(q)), q);
    };
}

#[cfg(feature = "mint")]
#[test]
fn mint() {
    round_trips!(f32, mint::Vector3<f32>, mint::Quaternion<f32>);
    round_trips!(f64, mint::Vector3<f64>, mint::Quaternion<f64>);
    let q = mint::Quaternion::from(Quat::new(4.0, 1.0, 2.0, 3.0));
    assert_eq!((q.s, [q.v.x, q.v.y, q.v.z]), (4.0, [1.0, 2.0, 3.0]));
}

#[cfg(feature = "glam")]
#[test]
fn glam() {
    round_trips!(f32, glam::Vec3, glam::Quat);
    round_trips!(f64, glam::DVec3, glam::DQuat);
    let q = Quat::new(0.1, 0.7, -0.5, 0.5_f64).normalised();
    let v = BodyVec::new(1.0, 2.0, 3.0);
    let theirs = LabVec::from(glam::DQuat::from(q) * glam::DVec3::from(v));
    assert!((theirs - q.to_lab(v)).norm() < 1e-14);
}

#[cfg(feature = "nalgebra")]
#[test]
fn nalgebra() {
    round_trips!(f32, nalgebra::Vector3<f32>, nalgebra::Quaternion<f32>);
    round_trips!(f64, nalgebra::Vector3<f64>, nalgebra::Quaternion<f64>);
    let q = Quat::new(0.1, 0.7, -0.5, 0.5_f64).normalised();
    let v = BodyVec::new(1.0, 2.0, 3.0);
    let unit = nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::from(q));
    let theirs = LabVec::from(unit * nalgebra::Vector3::from(v));
    assert!((theirs - q.to_lab(v)).norm() < 1e-14);
    assert_eq!(Quat::from(unit), q);
}
