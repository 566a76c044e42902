//! Seelen, Padding & Kuipers (2016): the improved PCDM is as accurate as its vector shows, more than its
//! table says, second order where the original is first; and its energy error on a free body is twice the
//! original's.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn table1_vectors_and_errors() {
    let outcome = quick("seelen/table1");
    assert_eq!(outcome.count(Verdict::Reproduced), 10, "x and z of three schemes, the error of four");
    assert_eq!(outcome.count(Verdict::Explained), 3, "the theory row, and the error of the improved scheme");
}

#[test]
fn fig1_energy_of_a_free_top() {
    let outcome = quick("seelen/fig1");
    assert_eq!(outcome.count(Verdict::Explained), 1, "a factor of two between the schemes");
    assert_eq!(outcome.count(Verdict::Reproduced), 4);
}

#[test]
fn fig2_errors_on_the_sphere() {
    assert_eq!(quick("seelen/fig2").count(Verdict::Reproduced), 8);
}

#[test]
fn fig3_second_order_against_first() {
    assert_eq!(quick("seelen/fig3").count(Verdict::Reproduced), 4);
}

#[test]
fn fig5_rubbing_cylinders() {
    assert_eq!(quick("seelen/fig5").count(Verdict::Reproduced), 6);
}
