//! Guarantee: unit quaternions stay unit quaternions, and a scheme conserves what it says it conserves
//! (and nothing it does not say).

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::schemes::MagnusLeapfrog;
use tumble_rotation::{
    Drive, Inertia, Number, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin,
};

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    // `f64::max` would lose a NaN.
    values.fold(0.0, |a, b| if b <= a { a } else { b })
}

/// The largest ||q| − 1| over a million steps.
struct NormDrift<R> {
    dt: R,
    omega: [f64; 3],
    torque: f64,
}

impl<R: Number> SchemeVisitor for NormDrift<R> {
    type Output = f64;
    fn visit<S: RotationScheme>(self, scheme: S) -> f64 {
        let inertia = PrincipalInertia::from_moments(BodyVec::from_array([1.0, 2.0, 2.5].map(R::lit)));
        let initial = Spin { q: Quat::identity(), omega: BodyVec::from_array(self.omega.map(R::lit)) };
        let pull = self.torque;
        // A torque that turns and slows, so that neither spin nor direction stays the same.
        let torque = |q: Quat<R>, omega: BodyVec<R>, t: f64| {
            q.to_lab(omega * R::lit(-2.0 * pull))
                + LabVec::new(R::lit(pull * (0.1 * t).cos()), R::lit(pull), R::lit(0.0))
        };
        let mut rotor = Rotor::new(scheme, inertia, initial, self.dt, torque).unwrap();
        largest((0..1000).map(|_| {
            rotor.run(1000).unwrap();
            (rotor.native().q.norm().into() - 1.0).abs()
        }))
    }
}

#[test]
fn the_norm_does_not_drift_in_a_million_steps() {
    for &kind in SchemeKind::ALL {
        // Constant ω repeats the same rounding in every step: the hardest case for a product of quaternions.
        for (omega, torque) in [([0.0, 0.0, 1.7], 0.0), ([0.3, -1.1, 0.7], 0.2)] {
            let drift = kind.visit(NormDrift { dt: 2e-3, omega, torque });
            assert!(drift <= 1e-15, "{}: |q| drifts by {drift:e} in f64", kind.name());
            let drift = kind.visit(NormDrift { dt: 2e-3_f32, omega, torque });
            assert!(drift <= 5e-7, "{}: |q| drifts by {drift:e} in f32", kind.name());
        }
    }
}

/// Relative drift of the energy and of the lab angular momentum of a free body, and how far from its
/// start it is after going back the way it came.
struct FreeDrifts {
    dt: f64,
}

const STEPS: u64 = 4_000;

impl SchemeVisitor for FreeDrifts {
    type Output = [f64; 3];
    fn visit<S: RotationScheme>(self, scheme: S) -> [f64; 3] {
        let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
        let initial = Spin { q: Quat::new(0.6, 0.0, 0.8, 0.0), omega: BodyVec::new(0.9, 1.6, -0.7) };
        let free = |_: Quat<f64>, _: BodyVec<f64>, _: f64| LabVec::zero();
        let momentum = |s: Spin<f64>| s.q.to_lab(inertia.momentum(s.omega));
        let mut rotor = Rotor::new(scheme, inertia, initial, self.dt, free).unwrap();
        let (mut energy, mut lab) = (0.0, 0.0);
        for _ in 0..STEPS / 100 {
            // First-order schemes gain energy until they are lost; then nothing is conserved.
            if rotor.run(100).is_err() {
                return [f64::INFINITY; 3];
            }
            let state = rotor.state();
            energy = largest(
                [energy, (inertia.energy(state.omega) / inertia.energy(initial.omega) - 1.0).abs()]
                    .into_iter(),
            );
            lab = largest(
                [lab, (momentum(state) - momentum(initial)).norm() / momentum(initial).norm()].into_iter(),
            );
        }
        let there = rotor.state();
        let turned = Spin { q: there.q, omega: -there.omega };
        let mut back = Rotor::new(scheme, inertia, turned, self.dt, free).unwrap();
        let miss = match back.run(STEPS) {
            Ok(()) => (initial.q.conjugate() * back.state().q).rotation_vector::<()>().norm(),
            Err(_) => f64::INFINITY,
        };
        [energy, lab, miss]
    }
}

#[test]
fn schemes_conserve_what_they_declare_and_nothing_else() {
    let mut wrong = Vec::new();
    for &kind in SchemeKind::ALL {
        let conserves = kind.info().conserves;
        let [energy, momentum, miss] = kind.visit(FreeDrifts { dt: 0.05 });
        for (what, declared, drift, bound) in [
            ("energy", conserves.energy, energy, 1e-11),
            ("momentum", conserves.momentum, momentum, 1e-11),
            ("the way back", conserves.reversible, miss, 1e-7),
        ] {
            if declared != (drift < bound) {
                wrong.push(format!("{}: declares {what} {declared}, which drifts by {drift:e}", kind.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// |q| after a step from a quaternion that is too long.
struct LengthAfterStep;

impl SchemeVisitor for LengthAfterStep {
    type Output = f64;
    fn visit<S: RotationScheme>(self, _: S) -> f64 {
        let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
        let drive = Drive { torque: LabVec::new(0.1, -0.2, 0.3), inertia, dt: 0.01 };
        let q = Quat::new(0.5, 0.5, -0.5, 0.5) * (1.0 + TOO_LONG);
        let (spin, memory) = S::start(Spin { q, omega: BodyVec::new(0.9, 1.6, -0.7) }, drive);
        let (spin, memory) = S::before_torque(spin, memory, drive);
        let stages = S::INFO.torque_times.len() - 1;
        let (spin, memory) = (0..stages)
            .fold((spin, memory), |(spin, memory), stage| S::between_torques(stage, spin, memory, drive));
        S::after_torque(spin, memory, drive).0.q.norm()
    }
}

const TOO_LONG: f64 = 0.3;

#[test]
fn schemes_normalise_if_they_say_so() {
    for &kind in SchemeKind::ALL {
        let off = (kind.visit(LengthAfterStep) - 1.0).abs();
        // The others take out the error of |q| to first order in each turn, which leaves some of this one.
        let expected = if kind.info().normalises { 0.0..1e-15 } else { 1e-12..TOO_LONG };
        assert!(expected.contains(&off), "{}: |q| is off by {off:e} after a step", kind.name());
    }
}

/// How far the lab angular momentum after a hundred steps is from its start plus the impulse of the torque.
struct ImpulseError;

impl SchemeVisitor for ImpulseError {
    type Output = f64;
    fn visit<S: RotationScheme>(self, scheme: S) -> f64 {
        let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
        let initial = Spin { q: Quat::new(0.6, 0.0, 0.8, 0.0), omega: BodyVec::new(0.9, 1.6, -0.7) };
        let torque = LabVec::new(0.3, -0.5, 0.2);
        let momentum = |s: Spin<f64>| s.q.to_lab(inertia.momentum(s.omega));
        let mut rotor = Rotor::new(scheme, inertia, initial, 0.05, |_, _, _| torque).unwrap();
        rotor.run(100).unwrap();
        (momentum(rotor.state()) - momentum(initial) - torque * rotor.time()).norm()
    }
}

#[test]
fn schemes_that_keep_the_momentum_change_it_by_the_impulse() {
    for kind in SchemeKind::ALL.iter().filter(|kind| kind.info().conserves.momentum) {
        let error = kind.visit(ImpulseError);
        assert!(error <= 1e-12, "{}: {error:e}", kind.name());
    }
}

#[test]
fn what_the_magnus_leapfrog_makes_of_the_impulse_of_a_torque() {
    // Under a τ constant in the lab. ω sees a torque that turns with the body from half a step before τₙ to half a
    // step after: the lab sees Δt³/24 (ω×(ω×τ) + ω̇×τ) more than Δt τ, and ±Δt²/8 ω×τ at the two ends of the run. q turns
    // with τₙ held to the end of the step, half a step longer than ω does: by Δt³/8 J⁻¹(ω×τ) too far, and L with it.
    let inertia = PrincipalInertia::new([1.0, 2.0, 2.5]).unwrap();
    let initial = Spin { q: Quat::new(0.6, 0.0, 0.8, 0.0), omega: BodyVec::new(0.9, 1.6, -0.7) };
    let (torque, dt) = (LabVec::new(0.3, -0.5, 0.2), 1e-3);
    let momentum = |s: Spin<f64>| s.q.to_lab(inertia.momentum(s.omega));
    let swing = |s: Spin<f64>| s.q.to_lab(s.omega).cross(torque);
    let rate = |s: Spin<f64>| {
        let too_far = s.q.to_lab(inertia.velocity(s.q.to_body(swing(s))));
        s.q.to_lab(s.omega).cross(swing(s)) * (1.0 / 24.0) + too_far.cross(momentum(s)) * 0.125
    };
    let mut rotor = Rotor::new(MagnusLeapfrog, inertia, initial, dt, |_, _, _| torque).unwrap();
    let mut sum = LabVec::zero();
    for _ in 0..5_000 {
        let before = rate(rotor.state());
        rotor.run(1).unwrap();
        sum = sum + (before + rate(rotor.state())) * (0.5 * dt);
    }
    let drift = momentum(rotor.state()) - momentum(initial) - torque * rotor.time();
    let expected = (sum - (swing(rotor.state()) - swing(initial)) * (1.0 / 12.0)) * (dt * dt);
    let error = (drift - expected).norm() / expected.norm();
    assert!(error < 2e-3, "{drift:?}, expected {expected:?}");
}

#[test]
fn the_midpoint_rule_keeps_the_energy_at_large_steps() {
    // |ω| Δt = 0.6 rad: three Newton iterations are enough for round-off.
    let [energy, momentum, _] = SchemeKind::LieMidpoint.visit(FreeDrifts { dt: 0.3 });
    assert!(energy <= 1e-11 && momentum <= 1e-11, "{energy:e}, {momentum:e}");
}

/// Worst relative energy error of the heavy asymmetric top over t = 200 … 2000, from a start that is a
/// little off.
struct HeavyTopEnergy {
    dt: f64,
    off: f64,
    until: f64,
}

impl SchemeVisitor for HeavyTopEnergy {
    type Output = f64;
    fn visit<S: RotationScheme>(self, scheme: S) -> f64 {
        let inertia = PrincipalInertia::new([1.0, 2.0, 3.0]).unwrap();
        let initial = Spin { q: Quat::identity(), omega: BodyVec::new(1.0 + self.off, 2.0, -1.5) };
        let (arm, force) = (BodyVec::new(0.3, 0.2, 0.5), LabVec::new(0.0, 0.0, -2.0));
        let energy = |s: Spin<f64>| inertia.energy(s.omega) - s.q.to_lab(arm).dot(force);
        let mut rotor =
            Rotor::new(scheme, inertia, initial, self.dt, |q, _, _| q.to_lab(arm).cross(force)).unwrap();
        let start = energy(initial);
        let mut now = 0.0;
        let times = [200.0, 600.0, 1000.0, 1400.0, 2000.0].into_iter().filter(|t| *t <= self.until);
        largest(times.map(|t: f64| {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let steps = ((t - now) / self.dt).round() as u64;
            now = t;
            match rotor.run(steps) {
                Ok(()) => (energy(rotor.state()) / start - 1.0).abs(),
                Err(_) => f64::INFINITY,
            }
        }))
    }
}

#[test]
fn energy_of_the_heavy_asymmetric_top() {
    use SchemeKind::{Dullweber, ImprovedPcdm, KickRotateKick, MagnusLeapfrog, Omelyan, SpiralLeapfrog};
    // What these schemes leave of the energy. The motion is chaotic: a start off by 1e-9 changes each figure
    // by up to a factor of two, so the median of five starts must be within that factor. Improved PCDM gains
    // energy until it is lost: after 200 s at a step of 0.1, after 1400 s at 0.05.
    let expected = [
        (SpiralLeapfrog, [(0.1, 3.5e-1), (0.05, 8.6e-2), (0.02, 5.4e-3)]),
        (Omelyan, [(0.1, 4.2e-1), (0.05, 1.7e-1), (0.02, 1.6e-2)]),
        (ImprovedPcdm, [(0.1, 3.1), (0.05, 0.97), (0.02, 4.6e-2)]),
        (MagnusLeapfrog, [(0.1, 5.5e-3), (0.05, 1.4e-3), (0.02, 1.7e-4)]),
        (KickRotateKick, [(0.1, 4.4e-3), (0.05, 4.3e-4), (0.02, 4.2e-5)]),
        (Dullweber, [(0.1, 1.3e-3), (0.05, 2.9e-4), (0.02, 1.8e-5)]),
    ];
    for (kind, figures) in expected {
        for (dt, figure) in figures {
            let until = match (kind, dt) {
                (ImprovedPcdm, 0.1) => 200.0,
                (ImprovedPcdm, 0.05) => 1400.0,
                _ => 2000.0,
            };
            let mut errors =
                [0.0, 1.0, 2.0, 3.0, 4.0].map(|k| kind.visit(HeavyTopEnergy { dt, off: 1e-9 * k, until }));
            errors.sort_by(f64::total_cmp);
            let median = errors[2];
            assert!(median <= 2.2 * figure, "{} at Δt {dt}: {errors:?}, expected {figure:e}", kind.name());
        }
    }
}
