//! What is known about the schemes, from their own declarations.

use tumble_report::{Cell, Table};
use tumble_rotation::{Conserves, Order, SchemeKind, trace};

/// One row per scheme: source, time level, torques per step, orders of q/ω for four classes of torque, what it
/// conserves to round-off, whether it normalises, operations per step.
pub fn scheme_table() -> Table {
    let mut table = Table::new(
        "Rotation schemes; orders are those of q/ω",
        &[
            "scheme",
            "source",
            "time level",
            "torques/step",
            "free",
            "body torque",
            "orientation torque",
            "velocity torque",
            "conserves",
            "normalises",
            "flops/step",
        ],
    );
    for &scheme in SchemeKind::ALL {
        let info = scheme.info();
        let order = |order: Order| Cell::Text(format!("{}/{}", order.q, order.omega));
        table.rows.push(vec![
            info.name.into(),
            info.citation.short.into(),
            info.time_level.name().into(),
            Cell::Count(info.torque_times.len() as u64),
            order(info.orders.free),
            order(info.orders.body_torque),
            order(info.orders.orientation_torque),
            order(info.orders.velocity_torque),
            conserved(info.conserves).into(),
            if info.normalises { "yes" } else { "no" }.into(),
            Cell::Count(trace::flops(scheme) as u64),
        ]);
    }
    table
}

/// What a scheme conserves, in words.
pub fn conserved(conserves: Conserves) -> String {
    let all = [
        (conserves.energy, "energy"),
        (conserves.momentum, "momentum"),
        (conserves.reversible, "reversible"),
    ];
    let kept: Vec<&str> = all.iter().filter(|(kept, _)| *kept).map(|(_, word)| *word).collect();
    if kept.is_empty() { "–".into() } else { kept.join(", ") }
}
