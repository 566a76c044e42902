//! Past the papers: what we say about torques that change, friction, long times and cost is what comes out.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::Verdict;

#[test]
fn heavy_top_energy_is_bounded_for_reversible_schemes() {
    let outcome = quick("tumble/heavy-top");
    let bounded = outcome.findings.iter().filter(|f| f.what.contains("second half"));
    assert_eq!(bounded.count(), 3);
    assert_eq!(outcome.count(Verdict::Reproduced), 8);
}

#[test]
fn dzhanibekov_flips_when_it_should() {
    let outcome = quick("tumble/dzhanibekov");
    assert_eq!(outcome.count(Verdict::Reproduced), 14, "six schemes twice, Fincham, the exact interval");
}

#[test]
fn frozen_torque_limits_orders() {
    let outcome = quick("tumble/frozen-torque");
    assert_eq!(outcome.count(Verdict::Reproduced), 17, "four schemes, four torques, and all as declared");
    assert_eq!(outcome.tables[0].1.columns.len(), 7);
}

#[test]
fn friction_order_is_as_declared() {
    let outcome = quick("tumble/friction-order");
    assert_eq!(outcome.count(Verdict::Reproduced), outcome.findings.len());
    assert!(outcome.findings.len() > outcome.tables[0].1.rows.len(), "two of each second-order scheme");
}

#[test]
fn chess_cost_of_first_order_is_higher() {
    let outcome = quick("tumble/chess-cost");
    assert_eq!(outcome.count(Verdict::Reproduced), 3);
    assert!(outcome.figures[0].1.panels.iter().all(|panel| panel.series.len() == 6));
}
