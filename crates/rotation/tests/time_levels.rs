//! Guarantee: whatever a scheme's time level, a torque function sees the orientation, the angular velocity and
//! the time of one and the same instant, to the scheme's order; and reports are of the present time.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::Converged;
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

fn inertia() -> PrincipalInertia<f64> {
    PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap()
}

fn initial() -> Spin<f64> {
    Spin { q: Quat::new(0.8, 0.1, -0.5, 0.3).normalised(), omega: BodyVec::new(1.3, -1.7, 1.1) }
}

fn torque(q: Quat<f64>, omega: BodyVec<f64>, time: f64) -> LabVec<f64> {
    let swing = LabVec::new(0.3, 0.5 * (3.0 * time).sin(), -2.0);
    q.to_lab(BodyVec::new(0.5, -0.4, 0.7)).cross(swing) - q.to_lab(omega * 0.4)
}

/// Largest distance from the exact motion of what the torque saw and of what was reported, in [0.5, 1].
struct Seen {
    steps: u32,
}

impl SchemeVisitor for Seen {
    type Output = [f64; 2];
    fn visit<S: RotationScheme>(self, scheme: S) -> [f64; 2] {
        let mut exact =
            Converged::new(inertia(), initial(), 0.0, |s, t| torque(s.q, s.omega, t), 1e-14).unwrap();
        let mut seen = Vec::new();
        let dt = 1.0 / f64::from(self.steps);
        let record = |q, omega, time| {
            seen.push((Spin { q, omega }, time));
            torque(q, omega, time)
        };
        let mut rotor = Rotor::new(scheme, inertia(), initial(), dt, record).unwrap();
        let mut reported = Vec::new();
        for _ in 0..self.steps {
            rotor.step().unwrap();
            reported.push((rotor.state(), rotor.time()));
        }
        let mut worst = |states: Vec<(Spin<f64>, f64)>| {
            let late = states.into_iter().filter(|(_, time)| *time > 0.5);
            late.fold(0.0, |worst, (state, time)| {
                let exact = exact.at(time).unwrap();
                let turn = (exact.q.conjugate() * state.q).rotation_vector::<()>().norm();
                let distance = turn.max((exact.omega - state.omega).norm());
                // `max` would lose a NaN.
                if distance <= worst { worst } else { distance }
            })
        };
        [worst(seen), worst(reported)]
    }
}

#[test]
fn torques_and_reports_see_one_instant() {
    for &kind in SchemeKind::ALL {
        // A wrong instant, or two, would leave an error of first order however good the scheme.
        let order = f64::from(kind.info().orders.velocity_torque.omega.min(2));
        let [coarse, fine] = [200, 400].map(|steps| kind.visit(Seen { steps }));
        for (what, coarse, fine) in
            [("torques see", coarse[0], fine[0]), ("reports give", coarse[1], fine[1])]
        {
            let measured = (coarse / fine).log2();
            assert!(
                measured > order - 0.2,
                "{}: what {what} converges with order {measured:.2}",
                kind.name()
            );
        }
    }
}

#[test]
fn reports_leave_no_trace() {
    struct Reported(bool);
    impl SchemeVisitor for Reported {
        type Output = Spin<f64>;
        fn visit<S: RotationScheme>(self, scheme: S) -> Spin<f64> {
            let mut rotor = Rotor::new(scheme, inertia(), initial(), 0.01, torque).unwrap();
            for _ in 0..50 {
                rotor.step().unwrap();
                if self.0 {
                    let _ = rotor.state();
                }
            }
            rotor.native()
        }
    }
    for &kind in SchemeKind::ALL {
        assert_eq!(kind.visit(Reported(true)), kind.visit(Reported(false)), "{}", kind.name());
    }
}
