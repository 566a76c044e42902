//! The 2025 review of SPIRAL: its speed-up comes out again, by operation counts, which no machine changes;
//! and Fincham loses the rods that others hold.

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

#[test]
fn fig2_fincham_gains_energy_by_axial_spin_and_others_hold_both() {
    let outcome = quick("review/fig2");
    assert_eq!(
        outcome.count(Verdict::Reproduced),
        22,
        "three findings on Fincham, four on each of five others but for the spin of Dullweber"
    );
}
