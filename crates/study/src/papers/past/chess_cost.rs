//! What an energy error in the chess box costs: the runs of SPIRAL's fig. 7 against their time.

use super::PAST;
use crate::papers::chess::{self, Point, Points};
use crate::papers::published::Published;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::SchemeKind;
use tumble_rotation::trace::flops;

pub(in crate::papers) const CHESS_COST: Entry = Entry {
    id: "tumble/chess-cost",
    paper: PAST,
    title: "energy error of chess pieces in a box against its cost",
    setup: &[
        "The runs of `spiral/fig7`: the mean deviation of the energy, now against the time of a run on one \
         core and against the number of steps. Lower left is better. Times are the shortest of all starts.",
        "Beside it stand the time of a step of all pieces, and the operations of the rotation scheme for one \
         of them.",
    ],
    notes: &[
        "The paper gives CPU times to a deviation of 0.0068 %, on eight cores of a laptop: 19 s for SPIRAL, \
         23 s for Omelyan, 304 s for Fincham. We give the ratios of the times interpolated at the same \
         deviation where the curves reach it.",
        "Times are those of the machine at hand, with as many runs at once as there are threads, and are \
         reported only.",
    ],
    see: &["spiral/fig7", "spiral/fig4"],
    scene: Some(chess::SCENE),
    run: chess_cost,
};

/// The deviation in percent at which the paper compares times.
const COMPARED_AT: f64 = 0.0068;

fn chess_cost(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = Published::parse(include_str!("../../../../../papers/spiral-2024/published/fig7.csv"));
    let Points { points, left_out } = chess::points(bench, chess::OURS, &published.column("dt"))?;
    let mut panels = vec![
        panel("by the clock", log("time of a run of 1.5 s (s)"), log("mean deviation of the energy (%)")),
        panel("by steps", log("steps"), log("mean deviation of the energy (%)")),
    ];
    let mut rows = table(
        "energy deviation and its cost",
        &[
            "scheme",
            "dt_s",
            "steps",
            "starts",
            "mean_percent",
            "seconds",
            "microseconds_per_step",
            "flops_of_rotation",
        ],
    );
    for scheme in chess::SCHEMES {
        let own: Vec<&Point> = of(&points, scheme);
        let curve = |cost: fn(&Point) -> f64| own.iter().map(|point| (cost(point), point.mean())).collect();
        panels[0].series.push(series(scheme.name(), Mark::LinePoints, curve(|point| point.seconds)));
        panels[1].series.push(series(scheme.name(), Mark::LinePoints, curve(Point::steps)));
        for point in own {
            rows.rows.push(vec![
                scheme.name().into(),
                Cell::Number(point.dt),
                Cell::Number(point.steps().round()),
                Cell::Count(point.percents.len() as u64),
                Cell::Number(point.mean()),
                Cell::Number(point.seconds),
                Cell::Number(1e6 * point.seconds / point.steps()),
                Cell::Count(flops(scheme) as u64),
            ]);
        }
    }
    let mut outcome = Outcome {
        figures: vec![("tumble-chess-cost".into(), figure("what an energy error costs", panels))],
        tables: vec![("tumble-chess-cost".into(), rows)],
        findings: findings(&points),
    };
    outcome.findings.push(Finding::alone(
        "time of a step of kick-rotate-kick over that of a step of SPIRAL",
        step_time(&points, SchemeKind::KickRotateKick) / step_time(&points, SchemeKind::SpiralLeapfrog),
        Band::Any,
        "a clock time",
    ));
    Ok(Reproduction { outcome, shortened: left_out, snapshot: None })
}

fn of(points: &[Point], scheme: SchemeKind) -> Vec<&Point> {
    points.iter().filter(|point| point.scheme == scheme).collect()
}

/// The time of a step at the shortest time step, s.
fn step_time(points: &[Point], scheme: SchemeKind) -> f64 {
    of(points, scheme).last().map_or(f64::NAN, |point| point.seconds / point.steps())
}

fn findings(points: &[Point]) -> Vec<Finding> {
    // The smallest deviation that every scheme reaches: where Fincham ends.
    let fincham = of(points, SchemeKind::Fincham);
    let (Some(end), Some(spiral)) =
        (fincham.last(), time_to(points, SchemeKind::SpiralLeapfrog, COMPARED_AT))
    else {
        return Vec::new();
    };
    let target = end.mean();
    let mut findings = Vec::new();
    for scheme in [SchemeKind::SpiralLeapfrog, SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick] {
        let steps = of(points, scheme).into_iter().find(|point| point.mean() <= target).map(Point::steps);
        findings.push(Finding::alone(
            format!(
                "steps of Fincham over those of {} for a deviation of {target:.2e} %, at least",
                scheme.name()
            ),
            end.steps() / steps.unwrap_or(f64::NAN),
            Band::AtLeast(1.5),
            "first order against second; the steps are those of a run, not interpolated",
        ));
    }
    for (scheme, published) in [(SchemeKind::Omelyan, 23.0 / 19.0), (SchemeKind::Fincham, 304.0 / 19.0)] {
        if let Some(time) = time_to(points, scheme, COMPARED_AT) {
            findings.push(Finding::new(
                format!("time of {} over that of SPIRAL for a deviation of {COMPARED_AT} %", scheme.name()),
                published,
                time / spiral,
                Band::Any,
                "clock times: theirs are of Yade on eight cores",
            ));
        }
    }
    findings
}

/// The time to a deviation, between the two points either side of it on logarithmic axes; nothing if it is
/// not between any.
fn time_to(points: &[Point], scheme: SchemeKind, percent: f64) -> Option<f64> {
    let own = of(points, scheme);
    let pair = own.windows(2).find(|pair| pair[0].mean() > percent && pair[1].mean() <= percent)?;
    let [a, b] = [pair[0], pair[1]];
    let share = (a.mean() / percent).ln() / (a.mean() / b.mean()).ln();
    Some(a.seconds * (b.seconds / a.seconds).powf(share))
}
