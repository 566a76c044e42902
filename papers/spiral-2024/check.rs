//! SPIRAL (2024) comes out again: every published number that we compare stays inside its band.
//!
//! The runs are the quick ones, time steps from 10⁻⁵ s on for fig. 2, three starts for fig. 7; `tumble
//! reproduce --full` has them all.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::{Outcome, Verdict};

/// How many findings about `scheme` were reproduced: a comparison that was not made must not pass.
fn reproduced(outcome: &Outcome, scheme: &str) -> usize {
    let about = |what: &str| what.strip_prefix(scheme).is_some_and(|rest| rest.starts_with(':'));
    let found = outcome.findings.iter().filter(|f| about(&f.what) && f.verdict == Verdict::Reproduced);
    found.count()
}

#[test]
fn fig1_the_exact_motion_is_the_published_one() {
    let outcome = quick("spiral/fig1");
    assert_eq!(outcome.count(Verdict::Reproduced), 5, "ω and q, and three schemes after 15 s");
}

#[test]
fn table1_schemes_in_use_are_first_order_over_a_time_span() {
    let outcome = quick("spiral/table1");
    assert_eq!(outcome.count(Verdict::Reproduced), 6);
    assert_eq!(outcome.tables[0].1.rows.len(), 11);
}

#[test]
fn fig6_the_pieces_are_the_published_ones() {
    let entry = tumble_study::papers::find("spiral/fig6")[0];
    let bench = tumble_study::papers::Bench::new(tumble_study::papers::Effort::Quick);
    let section = entry.section(&bench).unwrap();
    assert_eq!(section.outcome.count(Verdict::Reproduced), 3);
    let picture = section.snapshot.unwrap();
    assert!(picture.balls.len() > 3000, "about a hundred spheres for each of 32 pieces");
    let inside = |x: f64| (0.0..=0.5).contains(&x);
    assert!(picture.balls.iter().all(|ball| ball.centre.into_iter().all(inside)));
}

#[test]
fn fig7_energies_of_chess_pieces() {
    let outcome = quick("spiral/fig7");
    for (scheme, count) in [("fincham", 3), ("omelyan", 1), ("spiral-leapfrog", 1)] {
        assert_eq!(reproduced(&outcome, scheme), count, "{scheme}: time steps that kicks do not decide");
    }
    for (scheme, count) in [("fincham", 0), ("omelyan", 3), ("spiral-leapfrog", 3)] {
        let scheme = format!("plain kicks, {scheme}");
        assert_eq!(reproduced(&outcome, &scheme), count, "{scheme}");
    }
    assert_eq!(
        outcome.count(Verdict::Explained),
        7,
        "SPIRAL and Omelyan at two time steps, Fincham at three"
    );
    assert_eq!(outcome.figures[0].1.panels.len(), 2, "with and without the correction of kicks");
    let ratios = outcome.findings.iter().filter(|f| f.what.contains(" over SPIRAL "));
    assert_eq!(ratios.count(), 4);
}

#[test]
fn fig2_errors_are_within_five_percent_and_the_readings_within_a_per_mille() {
    let outcome = quick("spiral/fig2");
    for scheme in [
        "direct-euler",
        "velocity-verlet",
        "buss",
        "johnson",
        "omelyan",
        "spiral-leapfrog",
        "spiral-synchronous",
        "runge-kutta-4",
        "fincham",
        "omelyan, Euler start",
        "buss, 1/16",
    ] {
        assert_eq!(reproduced(&outcome, scheme), 2, "{scheme}: q and ω");
    }
    assert_eq!(reproduced(&outcome, "pfc4, leapfrog"), 1, "ω alone");
    // Both panels: fifteen curves of ours, ten published.
    assert!(outcome.figures[0].1.panels.iter().all(|panel| panel.series.len() == 25));
}

#[test]
fn fig3_errors_after_five_seconds_are_within_five_percent() {
    let outcome = quick("spiral/fig3");
    for scheme in ["direct-euler", "velocity-verlet", "fincham", "buss", "johnson", "omelyan"] {
        assert_eq!(reproduced(&outcome, scheme), 2, "{scheme}");
    }
}

#[test]
fn fig4_every_scheme_has_a_cost_and_a_published_one_beside_it() {
    let outcome = quick("spiral/fig4");
    let costs: Vec<_> = outcome.findings.iter().filter(|f| f.published.is_some()).collect();
    assert_eq!(costs.len(), 9);
    assert!(costs.iter().all(|f| f.ours.is_finite() && f.ours > 0.0));
}

#[test]
fn fig5_spiral_is_faster_as_published() {
    let outcome = quick("spiral/fig5");
    assert_eq!(outcome.count(Verdict::Reproduced), 2);
}

#[test]
fn table2_time_steps_are_within_five_percent() {
    let outcome = quick("spiral/table2");
    for scheme in ["spiral-leapfrog", "omelyan", "velocity-verlet", "direct-euler", "johnson", "fincham"] {
        assert_eq!(reproduced(&outcome, scheme), 4, "{scheme}");
    }
    assert_eq!(reproduced(&outcome, "buss"), 3, "all but the error 1e-2");
    for scheme in ["omelyan, Euler start", "buss, 1/16"] {
        assert_eq!(reproduced(&outcome, scheme), 4, "{scheme}");
    }
    assert_eq!(reproduced(&outcome, "magnus-leapfrog"), 2, "1e-5 and 1e-8");
}

#[test]
fn fig_a8_both_forms_are_third_order_in_omega_and_second_in_q() {
    let outcome = quick("spiral/figA8");
    assert_eq!(outcome.findings.iter().filter(|f| f.what.contains("order in")).count(), 6);
    for scheme in ["spiral-leapfrog", "spiral-synchronous", "omelyan"] {
        assert_eq!(reproduced(&outcome, scheme), 3, "{scheme}: two curves and the order in ω");
    }
}

#[test]
fn fig_a9_errors_after_five_seconds() {
    assert_eq!(reproduced(&quick("spiral/figA9"), "omelyan"), 2);
}
