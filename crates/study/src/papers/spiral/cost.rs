//! Figs. 4 and 5, and fig. 1 of the 2025 review: what a step costs, and what an error costs.
//!
//! Clock times are of the machine at hand and are reported, never asserted. Beside them stand operation
//! counts, which are the same everywhere: a step's flops without those of the torque.

use super::cylinder::{inertia, torque};
use super::table2::{TARGETS, step_sizes};
use super::{BEYOND, SCHEMES, fig4_data, table2_data};
use crate::papers::{Effort, figure, linear, log, panel, series, table};
use core::hint::black_box;
use std::time::Instant;
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::trace::flops;
use tumble_rotation::{Drive, Error, RotationScheme, SchemeKind, SchemeVisitor};

/// Fig. 4: cost of a step relative to Direct Euler with normalisation.
pub(in crate::papers) fn fig4(effort: Effort) -> Result<Outcome, Error> {
    let published = fig4_data();
    let kinds: Vec<_> = SCHEMES.iter().map(|s| s.kind).chain(BEYOND).collect();
    let costs = costs(&kinds, effort)?;
    let euler = cost_of(&kinds, &costs, SchemeKind::DirectEuler);
    let mut rows = table(
        "cost of a step relative to Direct Euler; published with and without normalisation",
        &[
            "scheme",
            "ns_per_step",
            "time",
            "flops",
            "flops_relative",
            "published_normalised",
            "published_bare",
        ],
    );
    let mut outcome = Outcome::default();
    let mut panel = panel("", linear("flops per step"), linear("time per step / Direct Euler's"));
    for (&kind, &cost) in kinds.iter().zip(&costs) {
        let relative_flops = flops(kind) as f64 / flops(SchemeKind::DirectEuler) as f64;
        let row = SCHEMES.iter().find(|s| s.kind == kind).and_then(|s| s.cost_row);
        // A zero stands for "needs no normalisation".
        let theirs = |column| row.map(|row| published.at(row, column)).filter(|&cost| cost > 0.0);
        rows.rows.push(vec![
            Cell::Text(kind.name().into()),
            Cell::Number(1e9 * cost),
            Cell::Number(cost / euler),
            Cell::Count(flops(kind) as u64),
            Cell::Number(relative_flops),
            theirs("TimeN").map_or(Cell::Empty, Cell::Number),
            theirs("Time").map_or(Cell::Empty, Cell::Number),
        ]);
        let point = vec![(flops(kind) as f64, cost / euler)];
        panel.series.push(series(kind.name(), Mark::LinePoints, point));
        if let Some(published) = theirs(if kind.info().normalises { "TimeN" } else { "Time" }) {
            let point = vec![(flops(kind) as f64, published)];
            panel.series.push(series(&format!("{}, published", kind.name()), Mark::Published, point));
            outcome.findings.push(Finding::new(
                format!("{}: time per step over Direct Euler's", kind.name()),
                published,
                cost / euler,
                Band::Any,
                "a clock time: the published one is from Julia on another machine",
            ));
        }
    }
    outcome.findings.push(Finding::new(
        "spiral-leapfrog: flops per step over Direct Euler's",
        published.at("SPIRAL", "Time"),
        flops(SchemeKind::SpiralLeapfrog) as f64 / flops(SchemeKind::DirectEuler) as f64,
        Band::Between(1.0, 2.5),
        "flops are no times; they should say the same to a factor of two",
    ));
    outcome.figures.push(("spiral-fig4".into(), figure("cost of one step", vec![panel])));
    outcome.tables.push(("spiral-fig4".into(), rows));
    Ok(outcome)
}

/// Fig. 5: speed-up over Direct Euler at four mean errors.
pub(in crate::papers) fn fig5(effort: Effort) -> Result<Outcome, Error> {
    let speed = Speed::measure(effort)?;
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
    Ok(outcome)
}

/// Fig. 1 of the review: how much faster SPIRAL is than each other scheme at the mean error 10⁻⁵.
pub(in crate::papers) fn review_fig1(effort: Effort) -> Result<Outcome, Error> {
    let speed = Speed::measure(effort)?;
    let mut rows = table(
        "how much longer than SPIRAL a scheme takes to the mean error 1e-5",
        &["scheme", "by_time", "by_flops", "published"],
    );
    let mut panel =
        panel("", log("steps for the error 1e-5"), log("work over SPIRAL's, by operation counts"));
    let spiral = speed.row(SchemeKind::SpiralLeapfrog);
    let [time, work] = speed.over_euler(spiral, 0);
    for (row, &kind) in speed.kinds.iter().enumerate() {
        let [by_time, by_flops] = speed.over_euler(row, 0);
        let theirs = published_speed_up(SchemeKind::SpiralLeapfrog, "1e-5")
            .zip(published_speed_up(kind, "1e-5"))
            .map(|(spiral, other)| spiral / other);
        rows.rows.push(vec![
            Cell::Text(kind.name().into()),
            Cell::Number(time / by_time),
            Cell::Number(work / by_flops),
            theirs.map_or(Cell::Empty, Cell::Number),
        ]);
        let point = (1.0 / speed.dts[row][0], work / by_flops);
        panel.series.push(series(kind.name(), Mark::LinePoints, vec![point]));
    }
    Ok(Outcome {
        figures: vec![("review-fig1".into(), figure("SPIRAL's speed-up", vec![panel]))],
        tables: vec![("review-fig1".into(), rows)],
        findings: speed.findings(),
    })
}

/// Steps and costs of all schemes.
struct Speed {
    kinds: Vec<SchemeKind>,
    /// Time steps for [`TARGETS`].
    dts: Vec<[f64; 4]>,
    /// Seconds per step.
    costs: Vec<f64>,
}

impl Speed {
    fn measure(effort: Effort) -> Result<Self, Error> {
        // Runge–Kutta evaluates four torques, which neither measure counts.
        let fair = |kind: &SchemeKind| kind.info().torque_times.len() == 1;
        let kinds: Vec<_> = SCHEMES.iter().map(|s| s.kind).chain(BEYOND).filter(fair).collect();
        let dts = kinds.iter().map(|&kind| step_sizes(kind)).collect::<Result<_, _>>()?;
        let costs = costs(&kinds, effort)?;
        Ok(Self { kinds, dts, costs })
    }

    fn row(&self, kind: SchemeKind) -> usize {
        self.kinds.iter().position(|&k| k == kind).unwrap_or_default()
    }

    /// Speed-up over Direct Euler by time and by flops.
    fn over_euler(&self, row: usize, target: usize) -> [f64; 2] {
        let euler = self.row(SchemeKind::DirectEuler);
        let fewer_steps = self.dts[row][target] / self.dts[euler][target];
        let work = |row: usize| flops(self.kinds[row]) as f64;
        [fewer_steps * self.costs[euler] / self.costs[row], fewer_steps * work(euler) / work(row)]
    }

    /// SPIRAL over Omelyan and Velocity Verlet, in whose terms the papers speak.
    fn findings(&self) -> Vec<Finding> {
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
fn published_speed_up(kind: SchemeKind, target: &str) -> Option<f64> {
    let row = |kind| SCHEMES.iter().find(|s| s.kind == kind).and_then(|s| s.cost_row);
    let cost = |kind: SchemeKind| {
        let column = if kind.info().normalises { "TimeN" } else { "Time" };
        row(kind).map(|row| fig4_data().at(row, column))
    };
    let work = |kind: SchemeKind| cost(kind).map(|cost| cost / table2_data().at(kind.name(), target));
    Some(work(SchemeKind::DirectEuler)? / work(kind)?)
}

fn cost_of(kinds: &[SchemeKind], costs: &[f64], kind: SchemeKind) -> f64 {
    kinds.iter().position(|&k| k == kind).map_or(f64::NAN, |i| costs[i])
}

/// Seconds per step of each scheme: the least of several rounds, taken in turn so that all see the same
/// machine.
fn costs(kinds: &[SchemeKind], effort: Effort) -> Result<Vec<f64>, Error> {
    let (rounds, steps) = if effort == Effort::Quick { (5, 20_000) } else { (40, 100_000) };
    let mut least = vec![f64::INFINITY; kinds.len()];
    for _ in 0..rounds {
        for (least, kind) in least.iter_mut().zip(kinds) {
            *least = least.min(kind.visit(Timed(steps))?);
        }
    }
    Ok(least)
}

/// Times that many steps: the scheme and the torque of the test, without the checks of a `Rotor`.
struct Timed(u32);

impl SchemeVisitor for Timed {
    type Output = Result<f64, Error>;

    fn visit<S: RotationScheme>(self, _: S) -> Self::Output {
        let start = AxialTorque::spiral_cylinder().at(0.0);
        let mut drive = Drive { torque: torque(start.q, start.omega, 0.0), inertia: inertia()?, dt: 1e-5 };
        let (mut spin, mut memory) = S::start(start, drive);
        let stages = S::INFO.torque_times.len();
        let clock = Instant::now();
        for _ in 0..self.0 {
            (spin, memory) = S::before_torque(spin, memory, drive);
            for stage in 1..=stages {
                let seen = S::at_torque(spin, memory, drive);
                drive.torque = torque(seen.q, seen.omega, 0.0);
                (spin, memory) = if stage < stages {
                    S::between_torques(stage - 1, spin, memory, drive)
                } else {
                    S::after_torque(spin, memory, drive)
                };
            }
            spin = black_box(spin);
        }
        Ok(clock.elapsed().as_secs_f64() / f64::from(self.0))
    }
}
