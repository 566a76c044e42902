//! Zhao & van Wachem (2013): the published vectors come out, and the misprinted theory, the optimistic order
//! of PCDM and the other order of the schemes with contacts are what we say they are.

#[path = "../quick.rs"]
mod quick;

use quick::quick;
use tumble_report::{Outcome, Verdict};
use tumble_study::papers::{Bench, Effort, KeptRuns, find};

#[test]
fn table2_vectors_and_errors() {
    let outcome = quick("pcdm/table2");
    assert_eq!(
        outcome.count(Verdict::Reproduced),
        8,
        "x, z and the error of two schemes, the error of two of ours"
    );
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

/// What comes out where the torque of a contact is that of the beginning of the step.
fn first_order_where_the_torque_is_old(outcome: &Outcome) {
    assert_eq!(
        outcome.count(Verdict::Reproduced),
        3,
        "scalar factor, two of ours; orders take shorter steps"
    );
    assert_eq!(outcome.count(Verdict::Explained), 2, "leap-frog and Euler");
}

#[test]
fn fig2_one_falling_fibre() {
    first_order_where_the_torque_is_old(&quick("pcdm/fig2"));
}

/// Three figures from the same runs, which are kept from one to the next.
#[test]
fn fig3_to_fig5_nine_falling_fibres() {
    let folder = std::env::temp_dir().join(format!("tumble-nine-fibres-{}", std::process::id()));
    let kept = KeptRuns::new(&folder);
    let compute = |id: &str| {
        let section = find(id)[0].section(&Bench::new(Effort::Quick).keeping(&kept)).unwrap();
        assert_eq!(section.outcome.differences().count(), 0, "{:?}", section.outcome.findings);
        section.outcome
    };
    first_order_where_the_torque_is_old(&compute("pcdm/fig3"));
    let runs = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(runs(), 16, "eight schemes at two time steps");
    assert_eq!(compute("pcdm/fig4").count(Verdict::Reproduced), 2);
    let ways = compute("pcdm/fig5");
    assert_eq!(ways.count(Verdict::Reproduced), 1);
    assert_eq!(ways.tables[0].1.rows.len(), 36, "nine fibres, four schemes");
    assert_eq!(runs(), 16, "nothing was run again");
    std::fs::remove_dir_all(&folder).unwrap();
}
