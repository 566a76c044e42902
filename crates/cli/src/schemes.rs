//! `tumble schemes`: what is known about the schemes.

use crate::args::SchemesOptions;
use crate::failure::Failure;
use crate::output::{self, heading};
use std::fmt::Write as _;
use tumble_rotation::{Order, SchemeKind, trace};
use tumble_study::{conserved, scheme_table};

pub(crate) fn run(options: &SchemesOptions) -> Result<(), Failure> {
    match options.name {
        None => output::print(&output::table(&scheme_table(), options.format)),
        Some(scheme) => output::print(&facts(scheme)),
    }
}

/// Everything about one scheme.
fn facts(scheme: SchemeKind) -> String {
    let info = scheme.info();
    let mut text = format!("{}\n{}\n\n", heading(info.name), info.summary);
    let mut fact = |name: &str, value: String| {
        let _ = writeln!(text, "{name:24}{value}");
    };
    fact("time level", info.time_level.name().into());
    let times: Vec<String> = info.torque_times.iter().map(f64::to_string).collect();
    let plural = if times.len() == 1 { "evaluation" } else { "evaluations" };
    fact("torque", format!("{} {plural} per step, at tₙ + {{{}}} Δt", times.len(), times.join(", ")));
    let order = |order: Order| format!("{} in q, {} in ω", order.q, order.omega);
    fact("order, free", order(info.orders.free));
    fact("order, body torque", order(info.orders.body_torque));
    fact("order, by orientation", order(info.orders.orientation_torque));
    fact("order, by velocity", order(info.orders.velocity_torque));
    fact("conserves to round-off", conserved(info.conserves));
    let unit =
        if info.normalises { "q is normalised after each step" } else { "q keeps its length by itself" };
    fact("length of q", unit.into());
    fact("operations per step", format!("{} flops, without the torque", trace::flops(scheme)));
    let memory = trace::memory_width(scheme);
    fact("memory beside q and ω", if memory == 0 { "none".into() } else { format!("{memory} numbers") });
    let doi = info.citation.doi.map_or(String::new(), |doi| format!("\nhttps://doi.org/{doi}"));
    let _ = write!(text, "\n{}{doi}\n", info.citation.full);
    text
}
