//! Fig. 5, and what fig. 1 of the 2025 review shows: what an error costs.
//!
//! By the clock of the machine at hand, which is reported, and by operation counts, which are the same
//! everywhere.

use super::cost::costs;
use super::cylinder::PROBLEM;
use super::table2::{TARGETS, step_sizes};
use super::{BEYOND, SCHEMES, fig4_data, table2_data};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::SchemeKind;
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::trace::flops;

pub(in crate::papers) const FIG5: Entry = Entry {
    id: "spiral/fig5",
    paper: DEL_VALLE_2024,
    title: "speed-up over Direct Euler at equal error",
    setup: &[
        "How much longer Direct Euler takes than each scheme to reach the same mean error after 1 s: steps, \
         from table 2, times the cost of a step, by the clock and by operation counts. The published points \
         are the steps of the paper's table 2 times the costs of its fig. 4.",
    ],
    notes: &[
        "Runge–Kutta is left out: it evaluates four torques in a step, which neither measure counts.",
        "Operation counts do not tell how well a scheme keeps a processor busy, hence the wide bands.",
    ],
    see: &["spiral/table2", "spiral/fig4", "review/fig1"],
    scene: Some(PROBLEM),
    run: fig5,
};

fn fig5(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let speed = Speed::measure(bench)?;
    let mut outcome = Outcome::default();
    let mut panels = vec![
        panel("by the clock of this machine", log("mean error"), log("speed-up over Direct Euler")),
        panel("by operation counts", log("mean error"), log("speed-up over Direct Euler")),
    ];
    let mut rows = table(
        "speed-up over Direct Euler at equal mean error: ours, and from the paper's table 2 and fig. 4",
        &["scheme", "mean_error", "steps", "by_time", "by_flops", "published"],
    );
    for (row, &kind) in speed.kinds.iter().enumerate() {
        let mut points = [Vec::new(), Vec::new(), Vec::new()];
        for (column, (target, name)) in TARGETS.into_iter().enumerate() {
            let [by_time, by_flops] = speed.over_euler(row, column);
            let theirs = published_speed_up(kind, name);
            points[0].push((target, by_time));
            points[1].push((target, by_flops));
            points[2].extend(theirs.map(|theirs| (target, theirs)));
            rows.rows.push(vec![
                Cell::Text(kind.name().into()),
                Cell::Number(target),
                Cell::Number(1.0 / speed.dts[row][column]),
                Cell::Number(by_time),
                Cell::Number(by_flops),
                theirs.map_or(Cell::Empty, Cell::Number),
            ]);
        }
        let [by_time, by_flops, theirs] = points;
        panels[0].series.push(series(kind.name(), Mark::LinePoints, by_time));
        panels[1].series.push(series(kind.name(), Mark::LinePoints, by_flops));
        if !theirs.is_empty() && kind != SchemeKind::DirectEuler {
            let label = format!("{}, published", kind.name());
            panels[0].series.push(series(&label, Mark::Published, theirs.clone()));
            panels[1].series.push(series(&label, Mark::Published, theirs));
        }
    }
    outcome.findings.extend(speed.findings());
    outcome.figures.push(("spiral-fig5".into(), figure("speed-up at equal error", panels)));
    outcome.tables.push(("spiral-fig5".into(), rows));
    Ok(outcome.into())
}

/// Steps and costs of all schemes.
pub(in crate::papers) struct Speed {
    pub(in crate::papers) kinds: Vec<SchemeKind>,
    /// Time steps for [`TARGETS`].
    pub(in crate::papers) dts: Vec<[f64; 4]>,
    /// Seconds per step.
    costs: Vec<f64>,
}

impl Speed {
    pub(in crate::papers) fn measure(bench: &Bench<'_>) -> Result<Self, Error> {
        // Runge–Kutta evaluates four torques, which neither measure counts.
        let fair = |kind: &SchemeKind| kind.info().torque_times.len() == 1;
        let kinds: Vec<_> = SCHEMES.iter().map(|s| s.kind).chain(BEYOND).filter(fair).collect();
        let dts = step_sizes(bench, &kinds)?;
        let costs = costs(&kinds, bench)?;
        Ok(Self { kinds, dts, costs })
    }

    pub(in crate::papers) fn row(&self, kind: SchemeKind) -> usize {
        self.kinds.iter().position(|&k| k == kind).unwrap_or_default()
    }

    /// Speed-up over Direct Euler by time and by flops.
    pub(in crate::papers) fn over_euler(&self, row: usize, target: usize) -> [f64; 2] {
        let euler = self.row(SchemeKind::DirectEuler);
        let fewer_steps = self.dts[row][target] / self.dts[euler][target];
        let work = |row: usize| flops(self.kinds[row]) as f64;
        [fewer_steps * self.costs[euler] / self.costs[row], fewer_steps * work(euler) / work(row)]
    }

    /// SPIRAL over Omelyan and Velocity Verlet, in whose terms the papers speak.
    pub(in crate::papers) fn findings(&self) -> Vec<Finding> {
        let spiral = self.row(SchemeKind::SpiralLeapfrog);
        let against = |kind, target| {
            let (ours, theirs) = (self.over_euler(spiral, target), self.over_euler(self.row(kind), target));
            [ours[0] / theirs[0], ours[1] / theirs[1]]
        };
        let [omelyan_time, omelyan_flops] = against(SchemeKind::Omelyan, 0);
        let [verlet_time, verlet_flops] = against(SchemeKind::VelocityVerlet, 0);
        let clock = "by the clock of this machine";
        vec![
            Finding::new("SPIRAL over Omelyan at 1e-5", 10.0, omelyan_time, Band::Any, clock),
            Finding::new(
                "SPIRAL over Omelyan at 1e-5, by flops",
                10.0,
                omelyan_flops,
                Band::Between(5.0, 20.0),
                "around ten in the paper, eight in the review",
            ),
            Finding::alone("SPIRAL over Velocity Verlet at 1e-5", verlet_time, Band::Any, clock),
            Finding::alone(
                "SPIRAL over Velocity Verlet at 1e-5, by flops",
                verlet_flops,
                Band::AtLeast(100.0),
                "more than a hundred in the paper",
            ),
        ]
    }
}

/// The paper's speed-up, from its table 2 and fig. 4.
pub(in crate::papers) fn published_speed_up(kind: SchemeKind, target: &str) -> Option<f64> {
    let row = |kind| SCHEMES.iter().find(|s| s.kind == kind).and_then(|s| s.cost_row);
    let cost = |kind: SchemeKind| {
        let column = if kind.info().normalises { "TimeN" } else { "Time" };
        row(kind).map(|row| fig4_data().at(row, column))
    };
    let work = |kind: SchemeKind| cost(kind).map(|cost| cost / table2_data().at(kind.name(), target));
    Some(work(SchemeKind::DirectEuler)? / work(kind)?)
}
