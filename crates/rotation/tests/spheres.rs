//! Guarantee: the short way that a spherical body takes leads where the general way leads.

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::trace::{self, Shape};
use tumble_rotation::{
    Hook, Inertia, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, SphericalInertia, Spin,
};

const MOMENT: f64 = 0.7;

struct Run<I>(I);

impl<I: Inertia<f64>> SchemeVisitor for Run<I> {
    type Output = Spin<f64>;
    fn visit<S: RotationScheme>(self, scheme: S) -> Spin<f64> {
        let initial = Spin { q: Quat::new(0.5, 0.5, -0.5, 0.5), omega: BodyVec::new(1.0, -2.0, 0.5) };
        let torque = |q: Quat<f64>, omega: BodyVec<f64>, time: f64| {
            q.to_lab(BodyVec::new(0.2, 0.1, -0.3) - omega * 0.1) + LabVec::new(time, 0.0, 0.4)
        };
        let mut rotor = Rotor::new(scheme, self.0, initial, 1e-3, torque).unwrap();
        rotor.run(1000).unwrap();
        rotor.state()
    }
}

#[test]
fn a_sphere_moves_as_a_body_of_equal_moments() {
    let sphere = SphericalInertia::new(MOMENT).unwrap();
    let general = PrincipalInertia::new([MOMENT; 3]).unwrap();
    for &kind in SchemeKind::ALL {
        let (short, long) = (kind.visit(Run(sphere)), kind.visit(Run(general)));
        let turn = (short.q.conjugate() * long.q).rotation_vector::<()>().norm();
        let difference = turn.max((short.omega - long.omega).norm());
        assert!(difference <= 1e-12, "{}: {difference:e}", kind.name());
    }
}

#[test]
fn the_short_way_is_shorter() {
    let flops = |kind, shape| {
        let count = |hook| trace::record(kind, shape, hook).flops();
        count(Hook::BeforeTorque) + count(Hook::AfterTorque)
    };
    for &kind in SchemeKind::ALL {
        let (short, long) = (flops(kind, Shape::Spherical), flops(kind, Shape::General));
        assert!(short < long, "{}: {short} operations for a sphere, {long} in general", kind.name());
    }
}
