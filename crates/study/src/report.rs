//! The results of a study as tables and figures.

#![allow(clippy::disallowed_methods, reason = "for errors, orders and figures, not for what is simulated")]

use crate::NeededStep;
use crate::measure::{Accuracy, Run, steps};
use crate::study::{SchemeResults, StudyResults};
use tumble_report::readable;
use tumble_report::{Axis, Cell, Figure, Mark, Panel, Series, Table};

/// Errors beyond this say nothing but that the scheme has lost the motion; figures leave them out.
const LOST: f64 = 2.0;

impl StudyResults {
    /// One row per scheme, the one that needs the fewest torque evaluations for the target first.
    pub fn summary(&self) -> Table {
        let target = format!("{:e}", self.study.target);
        let typical = self.typical_time_step();
        let at_typical = compact(typical);
        let conserves_energy = self.study.problem.energy(self.study.problem.start).is_some();
        let mut columns = vec![
            "scheme".to_owned(),
            "order_q".into(),
            "order_omega".into(),
            format!("error_q@{at_typical}"),
            format!("error_omega@{at_typical}"),
        ];
        if conserves_energy {
            columns.push(format!("energy_drift@{at_typical}"));
        }
        columns.extend([
            format!("dt_for_{target}"),
            format!("torques_for_{target}"),
            "flops/step".into(),
            "ns/step".into(),
        ]);

        let mut ranked: Vec<&SchemeResults> = self.schemes.iter().collect();
        ranked.sort_by(|a, b| {
            let (a, b) = (self.rank(a), self.rank(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let rows = ranked.into_iter().map(|results| {
            let at_typical = results.runs.iter().find(|run| run.dt.total_cmp(&typical).is_eq());
            let accuracy = at_typical.and_then(|run| run.outcome.ok());
            let error = |of: fn(&Accuracy) -> f64| match accuracy {
                Some(accuracy) => Cell::Number(of(&accuracy)),
                None => Cell::from("failed"),
            };
            let mut row = vec![
                Cell::from(results.scheme.name()),
                measured_order(&results.runs, |accuracy| accuracy.q),
                measured_order(&results.runs, |accuracy| accuracy.omega),
                error(|accuracy| accuracy.q),
                error(|accuracy| accuracy.omega),
            ];
            if conserves_energy {
                row.push(Cell::optional(accuracy.and_then(|accuracy| accuracy.energy_drift)));
            }
            row.extend([
                match results.needed {
                    NeededStep::At(dt) => Cell::Number(dt),
                    NeededStep::Below(dt) => Cell::Text(format!("< {}", readable(dt))),
                    NeededStep::Above(dt) => Cell::Text(format!("> {}", readable(dt))),
                },
                match results.needed {
                    NeededStep::At(dt) => Cell::Count(self.torques_at(results, dt)),
                    NeededStep::Below(_) | NeededStep::Above(_) => Cell::Empty,
                },
                Cell::Count(results.flops_per_step as u64),
                Cell::Text(format!("{:.1}", results.nanoseconds_per_step)),
            ]);
            row
        });
        Table { title: self.title(), columns, rows: rows.collect() }
    }

    /// One row per run.
    pub fn errors(&self) -> Table {
        let mut table = Table::new(
            self.title(),
            &[
                "scheme",
                "dt_s",
                "steps",
                "torque_evaluations",
                "error_q",
                "error_omega",
                "mean_error",
                "angle_error_rad",
                "energy_drift",
                "norm_drift",
                "flops",
                "time_ns",
                "failure",
            ],
        );
        for results in &self.schemes {
            for run in &results.runs {
                let accuracy = run.outcome.ok();
                let of = |part: fn(Accuracy) -> f64| Cell::optional(accuracy.map(part));
                table.rows.push(vec![
                    run.scheme.name().into(),
                    Cell::Number(run.dt),
                    Cell::Count(run.steps),
                    Cell::Count(run.torque_evaluations()),
                    of(|a| a.q),
                    of(|a| a.omega),
                    of(|a| a.mean()),
                    of(|a| a.angle),
                    Cell::optional(accuracy.and_then(|a| a.energy_drift)),
                    of(|a| a.norm_drift),
                    Cell::Count(run.steps * results.flops_per_step as u64),
                    Cell::Number(run.steps as f64 * results.nanoseconds_per_step),
                    run.outcome.err().map_or(Cell::Empty, |error| error.to_string().into()),
                ]);
            }
        }
        table
    }

    /// Errors of q and ω over the time step.
    pub fn convergence(&self) -> Figure {
        let panel = |title: &str, label: &str, part: fn(&Accuracy) -> f64| {
            let mut series = self.curves(|run, _| run.dt, part);
            series.extend([1, 2, 4].map(|order| self.slope(order, part)));
            let (x, y) = (Axis::log("time step Δt / s"), Axis::log(label));
            Panel { title: title.into(), x, y, series }
        };
        Figure {
            title: self.title(),
            panels: vec![
                panel("orientation", "relative error of q", |accuracy| accuracy.q),
                panel("angular velocity", "relative error of ω", |accuracy| accuracy.omega),
            ],
        }
    }

    /// The mean error over what it costs: torque evaluations, operations, time.
    pub fn work_precision(&self) -> Figure {
        let panel = |title: &str, label: &str, cost: fn(&Run, &SchemeResults) -> f64| Panel {
            title: title.into(),
            x: Axis::log(label),
            y: Axis::log("mean relative error of q and ω"),
            series: self.curves(cost, Accuracy::mean),
        };
        Figure {
            title: self.title(),
            panels: vec![
                panel("torque evaluations", "evaluations", |run, _| run.torque_evaluations() as f64),
                panel("arithmetic of the scheme", "floating-point operations", |run, results| {
                    run.steps as f64 * results.flops_per_step as f64
                }),
                panel("measured time of the scheme", "time / s", |run, results| {
                    run.steps as f64 * results.nanoseconds_per_step * 1e-9
                }),
            ],
        }
    }

    fn title(&self) -> String {
        format!("{}, t = {} s", self.study.problem.name, self.study.problem.duration)
    }

    fn curves(&self, cost: fn(&Run, &SchemeResults) -> f64, error: fn(&Accuracy) -> f64) -> Vec<Series> {
        let curve = |results: &SchemeResults| {
            let point = |run: &Run| {
                let error = run.outcome.as_ref().ok().map(error).filter(|error| *error < LOST);
                (cost(run, results), error.unwrap_or(f64::NAN))
            };
            let points = results.runs.iter().map(point).collect();
            Series::new(results.scheme.name(), points, Mark::LinePoints)
        };
        self.schemes.iter().map(curve).collect()
    }

    /// A straight line of this order through the largest error of the largest time step.
    fn slope(&self, order: i32, error: fn(&Accuracy) -> f64) -> Series {
        let steps = &self.study.time_steps;
        let largest = steps.iter().copied().fold(0.0, f64::max);
        let at_largest = self.schemes.iter().filter_map(|results| results.runs.last()?.outcome.ok());
        let top = at_largest.map(|a| error(&a)).filter(|e| *e < LOST).fold(f64::NAN, f64::max);
        let points = steps.iter().map(|&dt| (dt, top * (dt / largest).powi(order))).collect();
        Series::new(format!("order {order}"), points, Mark::Guide)
    }

    /// How often the torque is evaluated at a time step.
    fn torques_at(&self, results: &SchemeResults, dt: f64) -> u64 {
        let steps = steps(&self.study.problem, dt).unwrap_or(0);
        steps * results.scheme.info().torque_times.len() as u64
    }

    /// Schemes that need few torques for the target come first, those that do not reach it last, each by
    /// their errors.
    fn rank(&self, results: &SchemeResults) -> (u64, f64) {
        let torques = match results.needed {
            NeededStep::At(dt) => self.torques_at(results, dt),
            NeededStep::Above(_) => 0,
            NeededStep::Below(_) => u64::MAX,
        };
        let typical = self.typical_time_step();
        let run = results.runs.iter().find(|run| run.dt.total_cmp(&typical).is_eq());
        (torques, run.and_then(Run::mean_error).unwrap_or(f64::INFINITY))
    }

    /// The time step at which the summary compares errors: the one nearest to a thousand steps.
    fn typical_time_step(&self) -> f64 {
        let off = |dt: &f64| (self.study.problem.duration / dt / 1000.0).ln().abs();
        self.study.time_steps.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(f64::NAN)
    }
}

/// A time step in a column name: three digits, `1e-3` rather than `1.00e-3`.
fn compact(dt: f64) -> String {
    let rounded: f64 = format!("{dt:.2e}").parse().unwrap_or(dt);
    format!("{rounded:e}")
}

/// The slope of the error of runs over their time step.
pub(crate) fn observed_order(runs: &[Run], error: fn(&Accuracy) -> f64) -> Option<f64> {
    let point = |run: &Run| Some((run.dt, run.steps, error(run.outcome.as_ref().ok()?)));
    median_slope(runs.iter().filter_map(point))
}

/// The slope of errors, given with their time step and number of steps: the median between neighbours, where errors
/// are neither so large that the power law does not hold yet, nor near round-off.
pub(crate) fn median_slope(points: impl Iterator<Item = (f64, u64, f64)>) -> Option<f64> {
    let in_between =
        |&(_, steps, error): &(f64, u64, f64)| (1e-12 + 1e-15 * steps as f64..1e-2).contains(&error);
    let points: Vec<(f64, f64)> = points.filter(in_between).map(|(dt, _, error)| (dt, error)).collect();
    let slope = |pair: &[(f64, f64)]| (pair[1].1 / pair[0].1).ln() / (pair[1].0 / pair[0].0).ln();
    let mut slopes: Vec<f64> = points.windows(2).map(slope).collect();
    slopes.sort_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).copied()
}

fn measured_order(runs: &[Run], error: fn(&Accuracy) -> f64) -> Cell {
    observed_order(runs, error).map_or(Cell::Empty, |order| Cell::Text(format!("{order:.2}")))
}
