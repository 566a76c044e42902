//! The exact solutions solve their equations of motion, agree with each other where they overlap and with an
//! independent integration, and keep what must be kept.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::converged::TIGHT;
use tumble_rotation::reference::{
    AxialTorque, Axis, Converged, Cylinder, ExponentialTorque, FreeBody, HeavyTop, RubbingCylinders,
    SymmetricTop,
};
use tumble_rotation::{Inertia, PrincipalInertia, Spin};

fn body(moments: [f64; 3]) -> PrincipalInertia<f64> {
    PrincipalInertia::new(moments).unwrap()
}

fn spin(omega: [f64; 3]) -> Spin<f64> {
    Spin { q: Quat::new(0.1, -0.7, 0.5, 0.5).normalised(), omega: BodyVec::from_array(omega) }
}

/// The larger of the errors of q and, relative to its length, of ω. Signs of q count.
fn distance(a: Spin<f64>, b: Spin<f64>) -> f64 {
    (a.q - b.q).norm().max((a.omega - b.omega).norm() / b.omega.norm().max(f64::MIN_POSITIVE))
}

fn assert_close(a: Spin<f64>, b: Spin<f64>, tolerance: f64, what: &str) {
    let error = distance(a, b);
    assert!(error < tolerance, "{what}: {error:e}");
}

/// q̇ = ½ q ω, by central differences of fourth order.
fn assert_kinematics(motion: impl Fn(f64) -> Spin<f64>, t: f64) {
    let now = motion(t);
    let h = 1e-3 / now.omega.norm().max(1.0);
    let difference = |h: f64| (motion(t + h).q - motion(t - h).q) * (0.5 / h);
    let rate = difference(h) * (4.0 / 3.0) - difference(2.0 * h) * (1.0 / 3.0);
    let error = (rate - now.q.derivative(now.omega)).norm() / now.omega.norm().max(1.0);
    assert!(error < 1e-10, "at {t}: {error:e}");
}

#[test]
fn axial_torque_agrees_with_integration() {
    for (axial, transverse, torque, omega) in [
        (1.0, 2.0, 0.7, [0.3, -0.9, 0.6]),
        (3.0, 2.0, -3.75, [2.5, 1.0, -0.5]),
        (2.0, 2.0, 1.5, [-1.0, 2.0, 3.0]),
        (2.0, 1.5, 0.0, [-1.0, 2.0, 3.0]),
        (1.0, 2.0, 5.0, [0.0, 0.0, 0.0]),
        (1.0, 4.0, 1e-3, [1e-3, 5.0, 0.0]),
    ] {
        let exact = AxialTorque::new(axial, transverse, torque, spin(omega)).unwrap();
        let push = |s: Spin<f64>, _| s.q.to_lab(exact.torque());
        let inertia = body([axial, transverse, transverse]);
        let mut integrated = Converged::new(inertia, spin(omega), 0.0, push, TIGHT).unwrap();
        let mut sampler = exact.sampler();
        for t in [0.1, 1.0, 4.0, 10.0] {
            assert_close(sampler.at(t), integrated.at(t).unwrap(), 2e-14, "axial torque");
            assert_kinematics(|t| exact.at(t), t);
        }
        assert_close(exact.at(-3.0), integrated.at(-3.0).unwrap(), 2e-13, "axial torque, backwards");
    }
}

#[test]
fn the_spiral_cylinder_agrees_with_integration_for_a_thousand_turns() {
    let exact = AxialTorque::spiral_cylinder();
    let [axial, transverse] = AxialTorque::SPIRAL_MOMENTS;
    let push = |s: Spin<f64>, _| s.q.to_lab(exact.torque());
    let start = exact.at(0.0);
    let mut integrated =
        Converged::new(body([axial, transverse, transverse]), start, 0.0, push, TIGHT).unwrap();
    assert_close(exact.at(15.0), integrated.at(15.0).unwrap(), 1e-12, "cylinder");
}

#[test]
fn free_bodies_agree_with_integration() {
    for omega in [[0.01, 1.0, 0.01], [1.0, 2.0, -1.5], [-0.5, 0.1, 2.0], [-2.0, -1.0, 0.3], [3.0, -2.0, 0.0]]
    {
        for moments in [
            [1.0, 2.0, 3.0],
            [1.0, 3.0, 2.0],
            [2.0, 1.0, 3.0],
            [2.0, 3.0, 1.0],
            [3.0, 1.0, 2.0],
            [3.0, 2.0, 1.0],
            [2.0, 2.0, 1.0],
            [1.0, 2.0, 2.0],
            [1.0, 1.000_000_1, 1.9],
        ] {
            let exact = FreeBody::new(body(moments), spin(omega)).unwrap();
            let free = |_, _| LabVec::zero();
            let mut integrated = Converged::new(body(moments), spin(omega), 0.0, free, TIGHT).unwrap();
            for t in [0.0, 0.3, 7.0, 40.0] {
                let what = format!("moments {moments:?}, omega {omega:?}, t {t}");
                assert_close(exact.at(t), integrated.at(t).unwrap(), 1e-12, &what);
            }
            assert_kinematics(|t| exact.at(t), 11.0);
        }
    }
}

#[test]
fn free_bodies_keep_energy_and_angular_momentum_through_many_flips() {
    let start = spin([0.01, 1.0, 0.01]);
    let exact = FreeBody::new(body([1.0, 2.0, 3.0]), start).unwrap();
    let inertia = body([1.0, 2.0, 3.0]);
    let period = exact.period().unwrap();
    for i in 0..1000 {
        let t = 3.7 * f64::from(i);
        let now = exact.at(t);
        assert!((inertia.energy(now.omega) - exact.energy()).abs() < 1e-14);
        let momentum = now.q.to_lab(inertia.momentum(now.omega));
        assert!((momentum - exact.angular_momentum()).norm() < 3e-14);
        // A rounded period is off by its last place, a hundred times over.
        assert!((exact.omega(t + period) - now.omega).norm() < 1e-12);
        let flipped = exact.omega(t + 0.5 * period);
        assert!((flipped - BodyVec::new(-now.omega.x, -now.omega.y, now.omega.z)).norm() < 1e-12);
    }
}

/// Polar angles about the circled axis are singular there; the solution is not.
#[test]
fn a_vanishing_wobble_leaves_a_steady_rotation() {
    for wobble in [1e-12, 1e-100, 1e-200] {
        for (moments, omega) in [([1.0, 2.0, 3.0], 2.0), ([3.0, 2.0, 1.0], -2.0), ([2.0, 1.0, 3.0], -2.0)] {
            let steady = FreeBody::new(body(moments), spin([0.0, 0.0, omega])).unwrap();
            let exact = FreeBody::new(body(moments), spin([wobble, -wobble, omega])).unwrap();
            assert!(exact.period().is_some() && steady.period().is_none());
            for t in [0.1, 3.0, 10.0] {
                assert_close(exact.at(t), steady.at(t), 1e-11, "wobble");
            }
        }
    }
}

#[test]
fn the_separatrix_agrees_with_integration_and_is_a_limit() {
    let inertia = body([1.0, 2.0, 2.25]);
    for omega in [[0.75, 0.5, 1.0], [-0.75, 0.5, 1.0], [0.75, -0.5, -1.0]] {
        let exact = FreeBody::new(inertia, spin(omega)).unwrap();
        assert!(exact.period().is_none());
        let mut integrated = Converged::new(inertia, spin(omega), 0.0, |_, _| LabVec::zero(), TIGHT).unwrap();
        for t in [0.5, 3.0, 10.0] {
            assert_close(exact.at(t), integrated.at(t).unwrap(), 1e-13, "separatrix");
            for nudge in [1e-13, -1e-13] {
                let near = FreeBody::new(inertia, spin([omega[0] + nudge, omega[1], omega[2]])).unwrap();
                assert!(near.period().unwrap() > 50.0);
                assert_close(near.at(t), exact.at(t), 2e-11, "near the separatrix");
            }
        }
    }
}

#[test]
fn three_solutions_of_the_symmetric_top_agree() {
    let (axial, transverse) = (2.6, 1.5);
    let omega = [1.2, 0.45, -0.6];
    for (axis, moments) in [
        (Axis::X, [axial, transverse, transverse]),
        (Axis::Y, [transverse, axial, transverse]),
        (Axis::Z, [transverse, transverse, axial]),
    ] {
        let top = SymmetricTop::new(axis, axial, transverse, spin(omega)).unwrap();
        let free = FreeBody::new(body(moments), spin(omega)).unwrap();
        assert!((top.period().unwrap() - free.period().unwrap()).abs() < 1e-14);
        let momentum = top.angular_momentum();
        for t in [0.0, 1.0, 77.0, -5.0] {
            let now = top.at(t);
            assert_close(now, free.at(t), 1e-13, "symmetric top");
            if axis == Axis::X {
                let driven = AxialTorque::new(axial, transverse, 0.0, spin(omega)).unwrap();
                assert_close(now, driven.at(t), 3e-14, "axial torque zero");
            }
            assert!((body(moments).energy(now.omega) - top.energy()).abs() < 1e-14);
            assert!((now.q.to_lab(body(moments).momentum(now.omega)) - momentum).norm() < 1e-14);
        }
        // Almost symmetric: the motions part in proportion to the difference.
        let nearly = body(moments.map(|m| if m < 2.0 { m } else { m * (1.0 + 1e-12) }));
        assert_close(FreeBody::new(nearly, spin(omega)).unwrap().at(5.0), free.at(5.0), 1e-10, "nearly");
        let nearly = body([moments[0] * (1.0 + 1e-12), moments[1], moments[2] * (1.0 - 1e-12)]);
        assert_close(FreeBody::new(nearly, spin(omega)).unwrap().at(5.0), free.at(5.0), 1e-10, "nearly");
    }
}

#[test]
fn seelens_top_after_ten_thousand_seconds() {
    let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.2, 0.45, -0.6) };
    let top = SymmetricTop::new(Axis::Z, 2600.0, 1100.0, start).unwrap();
    let inertia = PrincipalInertia::from_moments(BodyVec::new(1100.0, 1100.0, 2600.0));
    let mut integrated = Converged::new(inertia, start, 0.0, |_, _| LabVec::zero(), TIGHT).unwrap();
    for t in [1.0, 10.0, 100.0] {
        let now = top.at(t);
        assert_close(now, integrated.at(t).unwrap(), 1e-14 * t.max(10.0), "Seelen's top");
        assert!((inertia.energy(now.omega) - 1371.375).abs() < 1e-12);
    }
    // In 34 digits.
    let expected = Spin {
        q: Quat::new(
            0.912_344_040_016_178_2,
            0.400_064_061_610_875_3,
            -0.079_717_324_231_232_96,
            0.034_960_656_054_776_87,
        ),
        omega: BodyVec::new(0.935_860_189_183_762_6, -0.875_594_487_363_261_1, -0.6),
    };
    assert_close(top.at(10_000.0), expected, 1e-15, "Seelen's top at the end");
}

#[test]
fn exponential_torque_agrees_with_integration() {
    for growth in [1.0, -3.0, 0.0, 1e-6] {
        let torque = LabVec::new(3.0, -4.0, 12.0);
        let exact = ExponentialTorque::new(2.0, torque, growth, Quat::new(1.0, 2.0, 3.0, 4.0)).unwrap();
        let mut integrated =
            Converged::new(body([2.0; 3]), exact.at(0.0), 0.0, |_, t| exact.torque(t), TIGHT).unwrap();
        for t in [0.2, 1.0, 3.0] {
            assert_close(exact.at(t), integrated.at(t).unwrap(), 1e-13, "exponential torque");
            assert_kinematics(|t| exact.at(t), t);
        }
    }
}

#[test]
fn rubbing_cylinders_agree_with_integration() {
    let [first, second] = [
        Cylinder { radius: 1.0, moment: 5.0, omega: 2.0 },
        Cylinder { radius: 2.4, moment: 30.0, omega: 0.4 },
    ];
    let friction = 5.4;
    let exact = RubbingCylinders::new([first, second], friction).unwrap();
    let conserved = first.moment * first.omega / first.radius - second.moment * second.omega / second.radius;
    let rub = |s: Spin<f64>, _| {
        // The other cylinder follows from the conserved combination alone.
        let other = (first.moment * s.omega.z / first.radius - conserved) * second.radius / second.moment;
        LabVec::new(0.0, 0.0, -friction * first.radius * (first.radius * s.omega.z + second.radius * other))
    };
    let mut integrated = Converged::new(body([first.moment; 3]), exact.at(0.0)[0], 0.0, rub, TIGHT).unwrap();
    for t in [0.1, 0.5, 2.0, 10.0] {
        assert_close(exact.at(t)[0], integrated.at(t).unwrap(), 1e-13, "rubbing");
        assert_kinematics(|t| exact.at(t)[0], t);
        assert_kinematics(|t| exact.at(t)[1], t);
    }
}

/// Seelen et al., 3.3, as a lab torque, so that the angular momentum is its integral.
#[test]
fn converged_follows_a_violently_growing_torque() {
    let (radius, height, density) = (5e-3_f64, 0.03, 1100.0);
    let mass = core::f64::consts::PI * radius * radius * height * density;
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    let inertia = body([mass * radius * radius / 2.0, across, across]);
    let wave = 200.0 * core::f64::consts::PI;
    let power = 52.0 * 5_f64.ln();
    let torque = |_, t: f64| {
        LabVec::new(5e-4 * (wave * t).sin(), 1e-5 * (3.0 + 24.0 * t).exp(), 1e-5 * (power * t).exp())
    };
    let start = Spin { q: Quat::identity(), omega: BodyVec::zero() };
    let mut tight = Converged::new(inertia, start, 0.0, torque, TIGHT).unwrap();
    let mut loose = Converged::new(inertia, start, 0.0, torque, 1e-11).unwrap();
    for i in 1..=10 {
        let t = 0.01 * f64::from(i);
        let now = tight.at(t).unwrap();
        let expected = LabVec::new(
            5e-4 * (1.0 - (wave * t).cos()) / wave,
            1e-5 * 3_f64.exp() * (24.0 * t).exp_m1() / 24.0,
            1e-5 * (power * t).exp_m1() / power,
        );
        let momentum = now.q.to_lab(inertia.momentum(now.omega));
        assert!((momentum - expected).norm() < 1e-13 * expected.norm(), "{momentum:?} {expected:?}");
        assert_close(loose.at(t).unwrap(), now, 1e-8, "loose tolerance");
    }
}

#[test]
fn an_asymmetric_heavy_top_keeps_energy_and_momentum_about_the_force() {
    let start = Spin { q: Quat::identity(), omega: BodyVec::new(1.0, 2.0, -1.5) };
    let top =
        HeavyTop::new(body([1.0, 2.0, 3.0]), BodyVec::new(0.3, 0.2, 0.5), LabVec::new(0.0, 0.0, -2.0), start)
            .unwrap();
    let (energy, momentum) = (top.energy(start), top.angular_momentum(start).z);
    let mut sampler = top.sampler();
    for i in 1..=20 {
        let now = sampler.at(f64::from(i)).unwrap();
        assert!((top.energy(now) - energy).abs() < 1e-13 * energy);
        assert!((top.angular_momentum(now).z - momentum).abs() < 1e-13 * momentum.abs());
    }
}
