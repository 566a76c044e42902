//! Rock made of bonded grains: modulus, Poisson's ratio and strengths are those that were published, within what coarse grains scatter.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn a_block_is_crushed_as_published() {
    let outcome = quick("rock/compression");
    assert_eq!(outcome.count(Verdict::Reproduced), 5);
    assert_eq!(outcome.figures[0].1.panels.len(), 3);
}

#[test]
fn a_disc_splits_as_published() {
    let outcome = quick("rock/brazilian");
    assert_eq!(outcome.count(Verdict::Reproduced), 5);
    assert_eq!(outcome.tables[0].1.rows.len(), 1);
}
