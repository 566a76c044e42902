//! Seelen, Padding & Kuipers (2016): the improved PCDM is as accurate as its vector shows, more than its
//! table says, second order where the original is first; and its energy error on a free body is twice the
//! original's.

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
fn table1_vectors_and_errors() {
    let outcome = quick("seelen/table1");
    assert_eq!(count(&outcome, Verdict::Reproduced), 8, "x and z of three schemes, the error of two");
    assert_eq!(
        count(&outcome, Verdict::Explained),
        3,
        "the theory row, and the error of the improved scheme"
    );
}

#[test]
fn fig1_energy_of_a_free_top() {
    let outcome = quick("seelen/fig1");
    assert_eq!(count(&outcome, Verdict::Explained), 1, "a factor of two between the schemes");
    assert_eq!(count(&outcome, Verdict::Reproduced), 2);
}

#[test]
fn fig2_errors_on_the_sphere() {
    assert_eq!(count(&quick("seelen/fig2"), Verdict::Reproduced), 4);
}

#[test]
fn fig3_second_order_against_first() {
    assert_eq!(count(&quick("seelen/fig3"), Verdict::Reproduced), 2);
}

#[test]
fn fig5_rubbing_cylinders() {
    assert_eq!(count(&quick("seelen/fig5"), Verdict::Reproduced), 4);
}
