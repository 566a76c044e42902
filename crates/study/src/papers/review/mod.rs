//! The 2025 review of SPIRAL — del Valle et al., Powders & Grains (2025): its speed-up, and rods in a box.

pub(super) mod rods;

use super::spiral::speed::{Speed, published_speed_up};
use super::{Bench, Entry, Error, Reproduction, figure, panel, series, table};
use tumble_report::{Axis, Cell, Mark, Outcome};
use tumble_rotation::SchemeKind;
use tumble_rotation::citations::Citation;

/// The conference paper.
const DEL_VALLE_2025: Citation = Citation {
    short: "del Valle et al. 2025",
    full: "C. A. del Valle, V. Angelidakis, S. Roy, J. D. Muñoz, T. Pöschel, Efficient numerical integration of rigid body dynamics, Powders & Grains (2025)",
    doi: None,
};

pub(super) const FIG1: Entry = Entry {
    id: "review/fig1",
    paper: DEL_VALLE_2025,
    title: "speed-up of SPIRAL at the error 10⁻⁵",
    setup: &[
        "How much longer than SPIRAL each scheme takes to the mean error 10⁻⁵ after 1 s, on the cylinder of \
         the 2024 paper: by the clock of the machine at hand, by operation counts, and as it follows from \
         the 2024 paper's table 2 and fig. 4, steps times cost of a step.",
    ],
    notes: &[
        "The figure prints no numbers. The text says a factor of eight over Omelyan and two to three orders \
         of magnitude over the others; the 2024 paper says around ten over Omelyan.",
    ],
    see: &["spiral/fig5", "spiral/table2"],
    scene: None,
    run: fig1,
};

fn fig1(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let speed = Speed::measure(bench)?;
    let mut rows = table(
        "how much longer than SPIRAL a scheme takes to the mean error 1e-5",
        &["scheme", "by_time", "by_flops", "published"],
    );
    let names = Axis::categories("scheme", speed.kinds.iter().map(|kind| kind.name()));
    let mut panel = panel("", Axis::log("time or operations to the error 1e-5, relative to SPIRAL"), names);
    let [mut times, mut counts, mut published] = [const { Vec::new() }; 3];
    let spiral = speed.row(SchemeKind::SpiralLeapfrog);
    let [time, work] = speed.over_euler(spiral, 0);
    for (row, &kind) in speed.kinds.iter().enumerate() {
        let [by_time, by_flops] = speed.over_euler(row, 0);
        let theirs = published_speed_up(SchemeKind::SpiralLeapfrog, "1e-5")
            .zip(published_speed_up(kind, "1e-5"))
            .map(|(spiral, other)| spiral / other);
        rows.rows.push(vec![
            kind.name().into(),
            Cell::Number(time / by_time),
            Cell::Number(work / by_flops),
            Cell::optional(theirs),
        ]);
        let place = row as f64;
        times.push((time / by_time, place));
        counts.push((work / by_flops, place));
        published.extend(theirs.map(|theirs| (theirs, place)));
    }
    panel.series = vec![
        series("time", Mark::Bars, times),
        series("operations", Mark::Bars, counts),
        series("from the 2024 paper", Mark::Published, published),
    ];
    let outcome = Outcome {
        figures: vec![("review-fig1".into(), figure("SPIRAL's speed-up", vec![panel]))],
        tables: vec![("review-fig1".into(), rows)],
        findings: speed.findings(),
    };
    Ok(outcome.into())
}
