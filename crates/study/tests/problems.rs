//! Every built-in problem has an exact motion that starts where the problem does and obeys the equations of
//! motion; where energy is conserved, the motion conserves it.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_rotation::math::{BodyVec, Quat};
use tumble_rotation::{Inertia as _, PrincipalInertia, Spin};
use tumble_study::{Exact, PRESETS, Preset, Problem, StudyError, Torque};

#[test]
fn exact_motions_start_where_the_problem_does() {
    for preset in PRESETS {
        let problem = preset.problem();
        let start = problem.exact().unwrap().at(0.0).unwrap();
        assert!((start.q - problem.start.q).norm() < 1e-15, "{}: {start:?}", preset.name);
        assert!((start.omega - problem.start.omega).norm() < 1e-14, "{}: {start:?}", preset.name);
    }
}

/// The derivative at `t` by differences of sixth order.
fn derivative(exact: &mut Exact, t: f64, h: f64) -> ([f64; 4], [f64; 3]) {
    let weights =
        [(-3.0, -1.0 / 60.0), (-2.0, 0.15), (-1.0, -0.75), (1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)];
    let (mut q, mut omega) = ([0.0; 4], [0.0; 3]);
    for (offset, weight) in weights {
        let spin = exact.at(t + offset * h).unwrap();
        for (sum, value) in q.iter_mut().zip(spin.q.to_array()) {
            *sum += weight / h * value;
        }
        for (sum, value) in omega.iter_mut().zip(spin.omega.to_array()) {
            *sum += weight / h * value;
        }
    }
    (q, omega)
}

fn assert_obeys_the_equations_of_motion(problem: &Problem) {
    let mut exact = problem.exact().unwrap();
    let fastest = exact.at(problem.duration).unwrap().omega.norm().max(problem.start.omega.norm());
    for part in [0.11, 0.5, 0.93] {
        let t = part * problem.duration;
        // Small against the turn of the body and against the 10 ms period of Seelen's torque.
        let h = (0.02 / fastest).min(1e-3 * problem.duration);
        let (q_dot, omega_dot) = derivative(&mut exact, t, h);
        let spin = exact.at(t).unwrap();
        let torque = spin.q.to_body(problem.torque.at(spin, t));
        let expected = problem.inertia.acceleration(spin.omega, torque);
        let q_error = (Quat::from_array(q_dot) - spin.q.derivative(spin.omega)).norm();
        let omega_error = (BodyVec::from_array(omega_dot) - expected).norm();
        assert!(q_error < 1e-8 * fastest, "{} at {t}: q̇ off by {q_error}", problem.name);
        let scale = expected.norm() + fastest * fastest;
        assert!(omega_error < 1e-8 * scale, "{} at {t}: ω̇ off by {omega_error}", problem.name);
    }
}

#[test]
fn exact_motions_obey_the_equations_of_motion() {
    for preset in PRESETS {
        assert_obeys_the_equations_of_motion(&preset.problem());
    }
}

#[test]
fn changed_problems_have_exact_motions_as_well() {
    let changed = |name: &str, change: fn(&mut Problem)| {
        let mut problem = Preset::find(name).unwrap().problem();
        change(&mut problem);
        assert_obeys_the_equations_of_motion(&problem);
    };
    changed("spiral-cylinder", |p| p.torque = Torque::Body(BodyVec::new(0.1, 0.2, -0.1)));
    changed("spiral-cylinder", |p| p.inertia = PrincipalInertia::new([0.01, 0.02, 0.021]).unwrap());
    changed("sphere-exponential", |p| p.start.omega = BodyVec::new(1.0, 2.0, 3.0));
    changed("sphere-exponential", |p| p.inertia = PrincipalInertia::new([1e3, 2e3, 2.5e3]).unwrap());
    changed("dzhanibekov", |p| p.start.q = Quat::new(0.5, -0.5, 0.5, 0.5));
}

#[test]
fn exact_motions_conserve_energy_where_the_problem_does() {
    let mut conserving = 0;
    for preset in PRESETS {
        let problem = preset.problem();
        let Some(start) = problem.energy(problem.start) else { continue };
        conserving += 1;
        let end = problem.exact().unwrap().at(problem.duration).unwrap();
        let energy = problem.energy(end).unwrap();
        assert!((energy / start - 1.0).abs() < 1e-12, "{}: {start} to {energy}", preset.name);
    }
    assert_eq!(conserving, 3, "dzhanibekov, symmetric-top, heavy-top");
}

#[test]
fn impossible_problems_are_refused() {
    let message = |change: fn(&mut Problem)| -> String {
        let mut problem = PRESETS[0].problem();
        change(&mut problem);
        let error: StudyError = problem.check().unwrap_err();
        error.to_string()
    };
    assert!(message(|p| p.duration = -1.0).contains("duration"));
    assert!(message(|p| p.duration = f64::NAN).contains("duration"));
    assert!(message(|p| p.start.q = Quat::new(0.0, 0.0, 0.0, 0.0)).contains("zero quaternion"));
    assert!(message(|p| p.start.omega.y = f64::INFINITY).contains("angular velocity"));
    assert!(message(|p| p.torque = Torque::Drag { coefficient: f64::NAN }).contains("torque"));
    let negative = |p: &mut Problem| p.inertia = PrincipalInertia::from_moments(BodyVec::new(1.0, -1.0, 1.0));
    assert!(message(negative).contains("about y"));
}

#[test]
fn seelens_torque_is_along_the_body_axes() {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let spin = Spin { q: Quat::new(quarter, 0.0, 0.0, quarter), omega: BodyVec::zero() };
    // A quarter turn about z takes the body's x axis to the lab's y axis.
    let lab = Torque::Seelen.at(spin, 0.0025);
    assert!((lab.y - 5e-4).abs() < 1e-15 && (lab.x + 1e-5 * 3.06_f64.exp()).abs() < 1e-15);
}
