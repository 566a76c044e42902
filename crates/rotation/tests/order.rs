//! Guarantee: every scheme converges with exactly the orders it declares, in q and in ω, for each of the four
//! classes of torque, on a body with three different moments of inertia.
//!
//! The order is measured from the errors at two time steps, each quantity at its own instant, against a
//! closed form or a reference converged to 1e-13.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::Converged;
use tumble_rotation::{Order, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

type Torque = fn(Quat<f64>, BodyVec<f64>, f64) -> LabVec<f64>;

const DURATION: f64 = 1.0;

fn free(_: Quat<f64>, _: BodyVec<f64>, _: f64) -> LabVec<f64> {
    LabVec::zero()
}

fn fixed_in_the_body(q: Quat<f64>, _: BodyVec<f64>, _: f64) -> LabVec<f64> {
    q.to_lab(BodyVec::new(0.9, -1.5, 1.2))
}

/// A constant lab force on a point of the body, as on a heavy top.
fn of_the_orientation(q: Quat<f64>, _: BodyVec<f64>, _: f64) -> LabVec<f64> {
    q.to_lab(BodyVec::new(0.5, -0.4, 0.7)).cross(LabVec::new(0.3, 0.0, -3.0))
}

/// A drag that differs between the axes of the body.
fn of_the_velocity(q: Quat<f64>, omega: BodyVec<f64>, _: f64) -> LabVec<f64> {
    q.to_lab(-omega.times(BodyVec::new(0.6, 1.0, 0.4)))
}

fn inertia() -> PrincipalInertia<f64> {
    PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap()
}

fn initial() -> Spin<f64> {
    Spin { q: Quat::new(0.8, 0.1, -0.5, 0.3).normalised(), omega: BodyVec::new(1.3, -1.7, 1.1) }
}

/// Errors (q, ω) at the end, each at its own instant.
struct Errors {
    torque: Torque,
    steps: u32,
}

impl SchemeVisitor for Errors {
    type Output = (f64, f64);
    fn visit<S: RotationScheme>(self, scheme: S) -> (f64, f64) {
        let dt = DURATION / f64::from(self.steps);
        let mut rotor = Rotor::new(scheme, inertia(), initial(), dt, self.torque).unwrap();
        rotor.run(u64::from(self.steps)).unwrap();
        let torque = self.torque;
        let mut exact =
            Converged::new(inertia(), initial(), 0.0, |s, t| torque(s.q, s.omega, t), 1e-14).unwrap();
        let level = S::INFO.time_level;
        let omega = exact.at(DURATION - level.omega_lag() * dt).unwrap().omega;
        let q = exact.at(DURATION - level.q_lag() * dt).unwrap().q;
        let measured = rotor.native();
        let turn = (q.conjugate() * measured.q).rotation_vector::<()>();
        (turn.norm(), (measured.omega - omega).norm())
    }
}

fn order(kind: SchemeKind, torque: Torque) -> [f64; 2] {
    let [coarse, fine] = [256, 512].map(|steps| kind.visit(Errors { torque, steps }));
    [(coarse.0 / fine.0).log2(), (coarse.1 / fine.1).log2()]
}

#[test]
fn every_scheme_has_the_orders_it_declares() {
    let mut wrong = Vec::new();
    for &kind in SchemeKind::ALL {
        let declared = kind.info().orders;
        let classes: [(&str, Torque, Order); 4] = [
            ("free", free, declared.free),
            ("body torque", fixed_in_the_body, declared.body_torque),
            ("orientation torque", of_the_orientation, declared.orientation_torque),
            ("velocity torque", of_the_velocity, declared.velocity_torque),
        ];
        for (class, torque, declared) in classes {
            let [q, omega] = order(kind, torque);
            for (what, measured, declared) in [("q", q, declared.q), ("ω", omega, declared.omega)] {
                let agrees = (measured - f64::from(declared)).abs() <= 0.1;
                if !agrees {
                    wrong.push(format!(
                        "{}, {class}: {what} declares {declared}, measures {measured:.2}",
                        kind.name()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
