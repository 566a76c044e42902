//! Rock made of bonded grains: modulus, Poisson's ratio and strength are near those that were published.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn a_block_is_crushed_as_published() {
    let outcome = quick("rock/compression");
    assert_eq!(outcome.count(Verdict::Reproduced), 5);
    assert_eq!(outcome.count(Verdict::Reported), 3, "of grains that are cemented only where they touch");
    assert_eq!(outcome.figures[0].1.panels.len(), 3);
}
