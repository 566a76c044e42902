//! A fingerprint of every scheme's results, to the last bit. It is the same on every machine; where a change to
//! the code changes it, the file in the repository is out of date, and the change belongs under *Numerics* in
//! the changelog.

use std::fmt::Write as _;
use tumble_dem::fingerprint::Fnv1a;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{Number, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

pub(crate) fn fingerprints() -> Result<String, tumble_rotation::Error> {
    let mut text = "scheme,f64,f32\n".to_owned();
    for &kind in SchemeKind::ALL {
        let double = kind.visit(Fingerprint { bits: f64::to_bits })?;
        let single = kind.visit(Fingerprint { bits: |x: f32| u64::from(x.to_bits()) })?;
        let _ = writeln!(text, "{},{double:016x},{single:016x}", kind.name());
    }
    Ok(text)
}

/// The state after two hundred steps of a body under a torque of everything, its bits folded into one word.
struct Fingerprint<R> {
    bits: fn(R) -> u64,
}

impl<R: Number> SchemeVisitor for Fingerprint<R> {
    type Output = Result<u64, tumble_rotation::Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        let inertia = PrincipalInertia::from_moments(BodyVec::from_array([1.0, 2.0, 2.5].map(R::lit)));
        let initial = Spin { q: Quat::identity(), omega: BodyVec::from_array([1.3, -1.7, 1.1].map(R::lit)) };
        let torque = |q: Quat<R>, omega: BodyVec<R>, time: f64| {
            let arm = q.to_lab(BodyVec::from_array([0.3, -0.2, 0.5].map(R::lit)));
            let force = LabVec::from_array([0.1, 0.4 * time, -1.0].map(R::lit));
            arm.cross(force) - q.to_lab(omega * R::lit(0.2))
        };
        let mut rotor = Rotor::new(scheme, inertia, initial, R::lit(0.01), torque)?;
        rotor.run(200)?;
        let state = rotor.state();
        let words = state.q.to_array().into_iter().chain(state.omega.to_array()).map(self.bits);
        let mut hash = Fnv1a::default();
        words.for_each(|word| hash.put_word(word));
        Ok(hash.value())
    }
}
