//! Fig. 4: what a step costs.
//!
//! Clock times are of the machine at hand and are reported, never asserted. Beside them stand operation
//! counts, which are the same everywhere: a step's flops without those of the torque.

use super::cylinder::{PROBLEM, inertia, torque};
use super::{BEYOND, SCHEMES, fig4_data};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, panel, series, table};
use core::hint::black_box;
use std::time::Instant;
use tumble_report::{Axis, Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::trace::flops;
use tumble_rotation::{Drive, RotationScheme, SchemeKind, SchemeVisitor};

pub(in crate::papers) const FIG4: Entry = Entry {
    id: "spiral/fig4",
    paper: DEL_VALLE_2024,
    title: "time for one step relative to Direct Euler",
    setup: &[
        "The time of a step of each scheme with the torque of the cylinder, on one core, relative to Direct \
         Euler with normalisation: the least of several rounds, taken in turn. Each step waits for the one \
         before, so this is latency. Beside it stand the floating-point operations of a step without the \
         torque, counted by tracing, which are the same on every machine.",
    ],
    notes: &[
        "Clock times are those of the machine at hand and are reported, never judged: the published ones are \
         from Julia on another machine. A zero in the published table stands for a scheme that needs no \
         normalisation.",
    ],
    see: &["spiral/fig5", "review/fig1", "tumble/chess-cost"],
    scene: Some(PROBLEM),
    run: fig4,
};

fn fig4(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = fig4_data();
    let kinds: Vec<_> = SCHEMES.iter().map(|s| s.kind).chain(BEYOND).collect();
    let costs = costs(&kinds, bench)?;
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
    let names = Axis::categories("scheme", kinds.iter().map(|kind| kind.name()));
    let mut panel = panel("", Axis::linear("time or operations per step, relative to Direct Euler"), names);
    let [mut times, mut counts, mut normalised, mut bare] = [const { Vec::new() }; 4];
    for (place, (&kind, &cost)) in kinds.iter().zip(&costs).enumerate() {
        let place = place as f64;
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
        times.push((cost / euler, place));
        counts.push((relative_flops, place));
        normalised.extend(theirs("TimeN").map(|cost| (cost, place)));
        bare.extend(theirs("Time").map(|cost| (cost, place)));
        if let Some(published) = theirs(if kind.info().normalises { "TimeN" } else { "Time" }) {
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
    panel.series = vec![
        series("time", Mark::Bars, times),
        series("operations", Mark::Bars, counts),
        series("published, normalising", Mark::Published, normalised),
        series("published, not normalising", Mark::Published, bare),
    ];
    outcome.figures.push(("spiral-fig4".into(), figure("cost of one step", vec![panel])));
    outcome.tables.push(("spiral-fig4".into(), rows));
    Ok(Reproduction::from(outcome).if_quick_leaving_out(
        bench,
        "Times are the least of 5 rounds of 20 000 steps, not of 40 of 100 000.",
    ))
}

fn cost_of(kinds: &[SchemeKind], costs: &[f64], kind: SchemeKind) -> f64 {
    kinds.iter().position(|&k| k == kind).map_or(f64::NAN, |i| costs[i])
}

/// Seconds per step of each scheme: the least of several rounds, taken in turn so that all see the same
/// machine.
pub(super) fn costs(kinds: &[SchemeKind], bench: &Bench<'_>) -> Result<Vec<f64>, Error> {
    let (rounds, steps) = bench.choose((5, 20_000), (40, 100_000));
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
    type Output = Result<f64, tumble_rotation::Error>;

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
