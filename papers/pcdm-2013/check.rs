//! Zhao & van Wachem (2013), the tests with a prescribed torque: the published vectors come out, and the
//! misprinted theory and the optimistic order of PCDM are what we say they are.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn table2_vectors_and_errors() {
    let outcome = quick("pcdm/table2");
    assert_eq!(outcome.count(Verdict::Reproduced), 6, "x, z and the error of two schemes");
    assert_eq!(outcome.count(Verdict::Explained), 2, "the theory row");
}

#[test]
fn fig6_the_old_omega_not_the_normalisation_makes_the_scalar_factor_lag() {
    let outcome = quick("pcdm/fig6");
    assert_eq!(outcome.count(Verdict::Reproduced), 3);
    assert_eq!(outcome.count(Verdict::Explained), 1);
}

#[test]
fn fig7_orders() {
    let outcome = quick("pcdm/fig7");
    assert_eq!(
        outcome.count(Verdict::Reproduced),
        6,
        "Euler, scalar factor and improved PCDM, in both frames"
    );
    assert_eq!(outcome.count(Verdict::Explained), 4, "PCDM and leap-frog, in both frames");
}
