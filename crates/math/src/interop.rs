//! Conversions to and from the vectors and quaternions of `mint`, `glam` and `nalgebra`, each behind the
//! feature of its name.
//!
//! Those crates do not know frames: a conversion *from* one of them states the frame, by the type asked for.
//! All of them store quaternions as (x, y, z, w); here components are matched by name, never by place.
//!
//! ```
//! # #[cfg(feature = "glam")] {
//! use tumble_math::{LabVec, Quat};
//! let gravity = LabVec::from(glam::DVec3::new(0.0, 0.0, -9.81));
//! assert_eq!(glam::DVec3::from(gravity).z, -9.81);
//! assert_eq!(Quat::from(glam::DQuat::IDENTITY), Quat::identity());
//! # }
//! ```

use crate::{Quat, Vec3};

/// Conversions both ways between our types and two foreign ones.
macro_rules! convert {
    (
        [$($generic:ident)?] $scalar:ty,
        $vector:ty: $v:ident => [$x:expr, $y:expr, $z:expr], $new_vector:expr;
        $quaternion:ty: $q:ident => [$qw:expr, $qx:expr, $qy:expr, $qz:expr], $new_quaternion:expr;
    ) => {
        impl<$($generic: Copy,)? F> From<$vector> for Vec3<$scalar, F> {
            #[inline]
            fn from($v: $vector) -> Self {
                Self::new($x, $y, $z)
            }
        }
        impl<$($generic,)? F> From<Vec3<$scalar, F>> for $vector {
            #[inline]
            fn from(v: Vec3<$scalar, F>) -> Self {
                $new_vector(v.x, v.y, v.z)
            }
        }
        impl$(<$generic: Copy>)? From<$quaternion> for Quat<$scalar> {
            #[inline]
            fn from($q: $quaternion) -> Self {
                Self::new($qw, $qx, $qy, $qz)
            }
        }
        impl$(<$generic>)? From<Quat<$scalar>> for $quaternion {
            #[inline]
            fn from(q: Quat<$scalar>) -> Self {
                $new_quaternion(q.w, q.x, q.y, q.z)
            }
        }
    };
}

#[cfg(feature = "mint")]
convert! {
    [R] R,
    mint::Vector3<R>: v => [v.x, v.y, v.z], |x, y, z| mint::Vector3 { x, y, z };
    mint::Quaternion<R>: q => [q.s, q.v.x, q.v.y, q.v.z],
        |s, x, y, z| mint::Quaternion { s, v: mint::Vector3 { x, y, z } };
}

#[cfg(feature = "glam")]
convert! {
    [] f32,
    glam::Vec3: v => [v.x, v.y, v.z], glam::Vec3::new;
    glam::Quat: q => [q.w, q.x, q.y, q.z], |w, x, y, z| glam::Quat::from_xyzw(x, y, z, w);
}

#[cfg(feature = "glam")]
convert! {
    [] f64,
    glam::DVec3: v => [v.x, v.y, v.z], glam::DVec3::new;
    glam::DQuat: q => [q.w, q.x, q.y, q.z], |w, x, y, z| glam::DQuat::from_xyzw(x, y, z, w);
}

#[cfg(feature = "nalgebra")]
convert! {
    [R] R,
    nalgebra::Vector3<R>: v => [v[0], v[1], v[2]], nalgebra::Vector3::new;
    nalgebra::Quaternion<R>: q => [q.coords[3], q.coords[0], q.coords[1], q.coords[2]],
        |w, x, y, z| nalgebra::Quaternion { coords: nalgebra::Vector4::new(x, y, z, w) };
}

#[cfg(feature = "nalgebra")]
impl<R: Copy> From<nalgebra::UnitQuaternion<R>> for Quat<R> {
    #[inline]
    fn from(q: nalgebra::UnitQuaternion<R>) -> Self {
        Self::from(q.into_inner())
    }
}
