//! The 2025 review of SPIRAL: its speed-up comes out again, by operation counts, which no machine changes.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn fig1_spiral_is_around_ten_times_faster_than_omelyan() {
    let outcome = quick("review/fig1");
    assert_eq!(outcome.count(Verdict::Reproduced), 2);
    assert_eq!(outcome.tables[0].1.rows.len(), 14);
}
