//! Zhao & van Wachem (2013), the tests with a prescribed torque: the published vectors come out, and the
//! misprinted theory and the optimistic order of PCDM are what we say they are.

use tumble_study::papers::{Effort, Outcome, Verdict, find};

fn quick(id: &str) -> Outcome {
    let outcome = (find(id)[0].run)(Effort::Quick).unwrap();
    let differences: Vec<_> = outcome.differences().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{id}:\n{}", differences.join("\n"));
    outcome
}

fn count(outcome: &Outcome, verdict: Verdict) -> usize {
    outcome.findings.iter().filter(|f| f.verdict == verdict).count()
}

#[test]
fn table2_vectors_and_errors() {
    let outcome = quick("pcdm/table2");
    assert_eq!(count(&outcome, Verdict::Reproduced), 6, "x, z and the error of two schemes");
    assert_eq!(count(&outcome, Verdict::Explained), 2, "the theory row");
}

#[test]
fn fig6_the_old_omega_not_the_normalisation_makes_the_scalar_factor_lag() {
    let outcome = quick("pcdm/fig6");
    assert_eq!(count(&outcome, Verdict::Reproduced), 3);
    assert_eq!(count(&outcome, Verdict::Explained), 1);
}

#[test]
fn fig7_orders() {
    let outcome = quick("pcdm/fig7");
    assert_eq!(
        count(&outcome, Verdict::Reproduced),
        6,
        "Euler, scalar factor and improved PCDM, in both frames"
    );
    assert_eq!(count(&outcome, Verdict::Explained), 4, "PCDM and leap-frog, in both frames");
}
