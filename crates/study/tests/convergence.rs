//! Studies measure what they claim: known orders of accuracy, the published time steps for a target error, drifts
//! and blow-ups.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]

use tumble_report::Cell;
use tumble_rotation::SchemeKind;
use tumble_study::{NeededStep, Preset, Study, measure, time_step_for, time_step_range};

fn order(scheme: SchemeKind, coarse: f64, fine: f64) -> (f64, f64) {
    let problem = Preset::find("spiral-cylinder").unwrap().problem();
    let mut exact = problem.exact().unwrap();
    let mut at = |dt| measure(&problem, scheme, dt, &mut exact).unwrap().outcome.unwrap();
    let (coarse_error, fine_error) = (at(coarse), at(fine));
    let ratio = (coarse / fine).ln();
    ((coarse_error.q / fine_error.q).ln() / ratio, (coarse_error.omega / fine_error.omega).ln() / ratio)
}

#[test]
fn known_orders_are_measured() {
    for (scheme, q_order, omega_order) in [
        (SchemeKind::DirectEuler, 1.0, 1.0),
        (SchemeKind::Omelyan, 2.0, 2.0),
        (SchemeKind::SpiralLeapfrog, 2.0, 3.0),
        (SchemeKind::RungeKutta4, 4.0, 4.0),
        (SchemeKind::MagnusLeapfrog, 4.0, 4.0),
    ] {
        let (q, omega) = order(scheme, 2e-3, 1e-3);
        assert!((q - q_order).abs() < 0.1, "{scheme:?}: order {q} in q");
        assert!((omega - omega_order).abs() < 0.1, "{scheme:?}: order {omega} in ω");
    }
}

/// del Valle et al. 2024, table 2.
#[test]
fn time_steps_for_a_target_error_are_the_published_ones() {
    let problem = Preset::find("spiral-cylinder").unwrap().problem();
    let mut exact = problem.exact().unwrap();
    for (scheme, target, published) in [
        (SchemeKind::SpiralLeapfrog, 1e-5, 3.044e-3),
        (SchemeKind::SpiralLeapfrog, 1e-4, 8.372e-3),
        (SchemeKind::Omelyan, 1e-5, 2.943e-4),
        (SchemeKind::Omelyan, 1e-3, 2.952e-3),
        (SchemeKind::Buss, 1e-4, 2.663e-4),
        (SchemeKind::VelocityVerlet, 1e-3, 6.779e-4),
        (SchemeKind::DirectEuler, 1e-3, 1.333e-4),
        (SchemeKind::Fincham, 1e-3, 3.091e-4),
    ] {
        let needed = time_step_for(&problem, scheme, target, (1e-5, 0.1), &mut exact).unwrap();
        let dt = needed.found().unwrap();
        assert!((dt / published - 1.0).abs() < 0.05, "{scheme:?} for {target}: {dt}, published {published}");
        let error = measure(&problem, scheme, dt, &mut exact).unwrap().mean_error().unwrap();
        // Not quite the target where the number of steps jumps, but never more.
        assert!((0.9..1.002).contains(&(error / target)), "{scheme:?} for {target}: {error} at {dt}");
    }
}

#[test]
fn targets_out_of_reach_are_reported() {
    let problem = Preset::find("spiral-cylinder").unwrap().problem();
    let mut exact = problem.exact().unwrap();
    let euler = SchemeKind::DirectEuler;
    let needed = time_step_for(&problem, euler, 1e-5, (1e-4, 0.1), &mut exact).unwrap();
    assert_eq!(needed, NeededStep::Below(1e-4));
    let needed = time_step_for(&problem, euler, 1e-2, (1e-5, 1e-4), &mut exact).unwrap();
    assert_eq!(needed, NeededStep::Above(1e-4));
}

#[test]
fn a_scheme_that_blows_up_is_a_result() {
    let problem = Preset::find("spiral-cylinder").unwrap().problem();
    let run = measure(&problem, SchemeKind::SpiralLeapfrog, 0.2, &mut problem.exact().unwrap()).unwrap();
    let error = run.outcome.unwrap_err();
    assert!(error.to_string().contains("smaller time step"), "{error}");
    assert_eq!((run.steps, run.mean_error()), (5, None));
}

#[test]
fn senseless_time_steps_are_refused() {
    let problem = Preset::find("spiral-cylinder").unwrap().problem();
    let mut exact = problem.exact().unwrap();
    for (dt, words) in
        [(0.0, "positive"), (-1.0, "positive"), (f64::NAN, "finite"), (2.1, "longer than"), (1e-12, "steps")]
    {
        let error = measure(&problem, SchemeKind::Omelyan, dt, &mut exact).unwrap_err();
        assert!(error.to_string().contains(words), "{dt}: {error}");
    }
}

#[test]
fn drifts_are_measured_where_there_should_be_none() {
    let problem = Preset::find("dzhanibekov").unwrap().problem();
    let mut exact = problem.exact().unwrap();
    let mut drift = |scheme| {
        let accuracy = measure(&problem, scheme, 0.05, &mut exact).unwrap().outcome.unwrap();
        (accuracy.energy_drift.unwrap(), accuracy.norm_drift)
    };
    let (energy, norm) = drift(SchemeKind::LieMidpoint);
    assert!(energy < 1e-12 && norm < 1e-13, "{energy} {norm}");
    let (energy, _) = drift(SchemeKind::DirectEuler);
    assert!(energy > 1e-2, "{energy}");
    let driven = Preset::find("drag").unwrap().problem();
    let run = measure(&driven, SchemeKind::Omelyan, 0.05, &mut driven.exact().unwrap()).unwrap();
    assert_eq!(run.outcome.unwrap().energy_drift, None);
}

#[test]
fn a_study_ranks_schemes_and_tabulates_every_run() {
    let schemes = vec![SchemeKind::DirectEuler, SchemeKind::SpiralLeapfrog, SchemeKind::MagnusLeapfrog];
    let study = Study {
        problem: Preset::find("spiral-cylinder").unwrap().problem(),
        schemes: schemes.clone(),
        time_steps: time_step_range(1e-3, 1e-1, 4),
        target: 1e-4,
    };
    let results = study.run().unwrap();

    let summary = results.summary();
    let names: Vec<&Cell> = summary.rows.iter().map(|row| &row[0]).collect();
    let expected = ["magnus-leapfrog", "spiral-leapfrog", "direct-euler"].map(Cell::from);
    assert_eq!(names, expected.iter().collect::<Vec<_>>());
    let order: f64 = match &summary.rows[0][1] {
        Cell::Text(text) => text.parse().unwrap(),
        other => panic!("{other:?}"),
    };
    assert!((order - 4.0).abs() < 0.3, "{order}");

    let errors = results.errors();
    assert_eq!(errors.rows.len(), 3 * 9);
    assert!(errors.rows.iter().all(|row| row.len() == errors.columns.len()));
    let csv = errors.to_csv();
    assert!(csv.lines().all(|line| line.matches(',').count() >= errors.columns.len() - 1));
    for figure in [results.convergence(), results.work_precision()] {
        for panel in &figure.panels {
            assert!(schemes.iter().all(|scheme| panel.series.iter().any(|s| s.label == scheme.name())));
        }
    }
}
