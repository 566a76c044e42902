//! Guarantee: no scheme knows the axes of the lab. The same motion set up in a turned laboratory is the same
//! motion, turned.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

/// How far apart two runs of one motion are, in orientation and in relative angular velocity, one of them in a
/// laboratory whose axes are turned.
struct Apart {
    laboratory: Quat<f64>,
}

/// A torque that depends on orientation, angular velocity and time, with a direction fixed in the lab.
fn torque(q: Quat<f64>, omega: BodyVec<f64>, time: f64) -> LabVec<f64> {
    q.to_lab(BodyVec::new(0.2, 0.1, -0.3) - omega * 0.1) + LabVec::new(0.3 * time.cos(), -0.2, 0.4)
}

impl SchemeVisitor for Apart {
    type Output = f64;
    fn visit<S: RotationScheme>(self, scheme: S) -> f64 {
        let turned = self.laboratory;
        let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
        let initial = Spin { q: Quat::new(0.5, 0.5, -0.5, 0.5), omega: BodyVec::new(1.0, -2.0, 0.5) };
        let there = Spin { q: turned * initial.q, ..initial };
        let torque_there = |q: Quat<f64>, omega: BodyVec<f64>, time: f64| {
            let here = torque(turned.conjugate() * q, omega, time);
            turned.to_lab(BodyVec::from_array(here.to_array()))
        };
        let mut straight = Rotor::new(scheme, inertia, initial, 5e-3, torque).unwrap();
        let mut turning = Rotor::new(scheme, inertia, there, 5e-3, torque_there).unwrap();
        straight.run(2_000).unwrap();
        turning.run(2_000).unwrap();
        let (a, b) = (straight.state(), turning.state());
        let turn = (a.q.conjugate() * (turned.conjugate() * b.q)).rotation_vector::<()>().norm();
        turn.max((a.omega - b.omega).norm() / a.omega.norm())
    }
}

#[test]
fn a_motion_does_not_depend_on_the_axes_of_the_lab() {
    for turn in [[0.7, -0.4, 1.1], [0.0, 0.0, 2.0], [3.0, 0.1, 0.0], [-1.2, 2.1, 0.3]] {
        let laboratory = Quat::from_rotation_vector(BodyVec::from_array(turn));
        for &kind in SchemeKind::ALL {
            let apart = kind.visit(Apart { laboratory });
            assert!(apart < 3e-12, "{}: {apart:e} in a laboratory turned by {turn:?}", kind.name());
        }
    }
}
