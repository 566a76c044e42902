//! The 2025 review of SPIRAL: its speed-up comes out again, by operation counts, which no machine changes.

use tumble_study::papers::{Effort, Verdict, find};

#[test]
fn fig1_spiral_is_around_ten_times_faster_than_omelyan() {
    let outcome = (find("review/fig1")[0].run)(Effort::Quick).unwrap();
    let differences: Vec<_> = outcome.differences().map(ToString::to_string).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(outcome.findings.iter().filter(|f| f.verdict == Verdict::Reproduced).count(), 2);
    assert_eq!(outcome.tables[0].1.rows.len(), 14);
}
