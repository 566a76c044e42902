//! Guarantee: every scheme of second or higher order follows a free body of moments (1, 2, 3) through several
//! flips about its intermediate axis, to nine digits.

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::FreeBody;
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

const HALF_PERIOD: f64 = 19.552_867_098_634_36;

fn inertia() -> PrincipalInertia<f64> {
    PrincipalInertia::new([1.0, 2.0, 3.0]).unwrap()
}

fn initial() -> Spin<f64> {
    Spin { q: Quat::identity(), omega: BodyVec::new(0.01, 1.0, 0.01) }
}

/// The synchronised state after `steps` steps to the time `end`.
struct At {
    end: f64,
    steps: u32,
}

impl SchemeVisitor for At {
    type Output = Spin<f64>;
    fn visit<S: RotationScheme>(self, scheme: S) -> Spin<f64> {
        let dt = self.end / f64::from(self.steps);
        let mut rotor = Rotor::new(scheme, inertia(), initial(), dt, |_, _, _| LabVec::zero()).unwrap();
        rotor.run(u64::from(self.steps)).unwrap();
        rotor.state()
    }
}

fn second_order() -> impl Iterator<Item = SchemeKind> {
    SchemeKind::ALL.iter().copied().filter(|kind| kind.info().orders.free.q >= 2)
}

fn distance(a: Spin<f64>, b: Spin<f64>) -> f64 {
    (a.q.conjugate() * b.q).rotation_vector::<()>().norm().max((a.omega - b.omega).norm())
}

#[test]
fn the_state_after_one_second() {
    let expected = Spin {
        q: Quat::new(
            0.877_561_966_547_391,
            0.002_526_241_386_958_486,
            0.479_434_520_841_925_4,
            0.004_599_260_701_876_518,
        ),
        omega: BodyVec::new(0.001_148_329_195_002_186, 1.000_049_339_452_839, 0.008_191_838_620_238_527),
    };
    for kind in second_order() {
        let error = distance(kind.visit(At { end: 1.0, steps: 100_000 }), expected);
        assert!(error <= 1e-9, "{}: {error:e}", kind.name());
    }
}

#[test]
fn the_state_after_three_flips() {
    let end = 3.0 * HALF_PERIOD;
    let expected = FreeBody::new(inertia(), initial()).unwrap().at(end);
    assert!((expected.omega.y + 1.0).abs() < 1e-9, "upside down after an odd number of flips");
    for kind in second_order() {
        let coarse = distance(kind.visit(At { end, steps: 20_000 }), expected);
        // Second order: the steps that bring the error down to 3e-10, no more, for rounding adds up too.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (20_000.0 * (coarse / 3e-10).sqrt()).max(20_000.0) as u32;
        let error = distance(kind.visit(At { end, steps }), expected);
        assert!(error <= 1e-9, "{}: {error:e} in {steps} steps ({coarse:e} in 20000)", kind.name());
    }
}
