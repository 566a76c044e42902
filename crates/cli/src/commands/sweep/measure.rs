//! One case of a study: a run without a folder, measured.

use crate::kernels;
use crate::signals::Interrupt;
use crate::sweep::Row;
use std::time::Instant;
use tumble::Simulation;
use tumble::dem::placement::interruptible;
use tumble::output::csv::relative_balance_error;
use tumble::scene::{Diagnostics, Scene, SceneText, Severity};
use tumble_report::Cell;

/// What is always measured: names of columns, and what they mean. [`Wanted::measure`] gives the values in this order, then
/// those of the scene's measures.
pub(super) const COLUMNS: [(&str, &str); 13] = [
    ("dt_s", "time step"),
    ("bodies", "at the end"),
    ("steps_done", "number of steps"),
    ("time_s", "simulated time"),
    ("wall_s", "real time of the steps"),
    ("mean_energy_deviation", "mean over the samples of |E - E0| / |E0|, E being the mechanical energy"),
    ("max_energy_deviation", "its maximum"),
    ("final_energy_deviation", "the same at the end"),
    ("mean_balance_error", "mean over the samples of the relative error of the books, its size"),
    ("max_balance_error", "its maximum"),
    ("final_balance_error", "the same at the end, with its sign"),
    ("mechanical_J", "mechanical energy at the end"),
    ("contacts", "at the end"),
];

/// Samples where the scene does not say how often the energy is written.
const SAMPLES: u64 = 500;

/// What a study has columns of.
pub(super) struct Wanted {
    /// Columns of the scene's measures.
    pub(super) measured: Vec<Measured>,
    /// Means are of the rows from this time on, s.
    pub(super) from: f64,
}

/// A column of the scene's measures.
pub(super) struct Measured {
    /// With its unit.
    pub(super) header: String,
    /// Whether its mean over time tells anything, beside its last value.
    pub(super) has_mean: bool,
}

impl Wanted {
    /// The columns of the table, after those that tell cases apart.
    pub(super) fn names(&self) -> Vec<String> {
        let fixed = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
        fixed.chain(self.measured_names()).collect()
    }

    /// Those of the scene's measures: the mean over time, and the last value.
    pub(super) fn measured_names(&self) -> impl Iterator<Item = String> {
        self.measured.iter().flat_map(|Measured { header, has_mean }| {
            let mean = has_mean.then(|| format!("mean {header}"));
            mean.into_iter().chain([format!("last {header}")])
        })
    }

    /// The cells of those, of all rows of a run.
    fn cells(&self, headers: &[String], rows: &[tumble::measure::Row]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for Measured { header, has_mean } in &self.measured {
            // A case whose scene measures other things leaves the field empty.
            let place = headers.iter().position(|other| other == header);
            let values = |from: f64| {
                let late = rows.iter().filter(move |row| row.time >= from);
                late.filter_map(move |row| place.map(|place| row.values[place]))
                    .filter(|value| !value.is_nan())
            };
            if *has_mean {
                let (sum, count) =
                    values(self.from).fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
                cells.push(number(sum / count as f64));
            }
            cells.push(values(0.0).next_back().map_or(Cell::Empty, number));
        }
        cells
    }

    /// Runs a scene on one thread. The error is why it failed, in a line.
    pub(super) fn measure(&self, text: SceneText, interrupt: &Interrupt) -> Result<Row, String> {
        let (mut row, headers, rows) = measure(text, interrupt)?;
        row.extend(self.cells(&headers, &rows));
        Ok(row)
    }
}

/// The fixed columns of a run, and what was measured.
type Outcome = (Row, Vec<String>, Vec<tumble::measure::Row>);

fn measure(text: SceneText, interrupt: &Interrupt) -> Result<Outcome, String> {
    let enough = interrupt.clone();
    let built = interruptible(
        move || enough.requested(),
        || Scene::parse(text).and_then(|scene| scene.build(Some(1))),
    );
    let mut built = built.map_err(|problems| in_a_line(&problems))?;
    built.kernels = kernels::folder();
    let (dt, steps) = (built.settings.dt, built.steps);
    let every = built.output.energy.unwrap_or(steps / SAMPLES).max(1);
    let mut simulation = Simulation::of(&built).map_err(|error| error.to_string())?;
    let start = simulation.engine().ledger();
    let (mut deviations, mut errors) = (Samples::default(), Samples::default());
    let begin = Instant::now();
    let mut done = 0;
    while done < steps {
        if interrupt.requested() {
            return Err("interrupted".into());
        }
        let more = every.min(steps - done);
        simulation.advance(more).map_err(|error| error.to_string())?;
        done += more;
        if simulation.stages_are_over() {
            done = steps;
        }
        let now = simulation.engine().ledger();
        deviations.add((now.mechanical() - start.mechanical()).abs() / start.mechanical().abs());
        errors.add(relative_balance_error(start.balance(), &now));
    }
    let wall = begin.elapsed().as_secs_f64();
    let (headers, rows) = (simulation.measures().headers(), simulation.measures_mut().take_rows());
    let engine = simulation.engine();
    let count = |count: usize| Cell::Count(count as u64);
    let row = vec![
        Cell::Number(dt),
        count(engine.body_count()),
        Cell::Count(engine.steps()),
        Cell::Number(engine.time()),
        Cell::Number(wall),
        deviations.mean(),
        deviations.largest(),
        deviations.last(),
        errors.mean(),
        errors.largest(),
        errors.last(),
        number(engine.ledger().mechanical()),
        count(engine.contact_count()),
    ];
    Ok((row, headers, rows))
}

/// Values over time, of which mean and largest size and the last one matter.
#[derive(Default)]
struct Samples {
    sum: f64,
    count: u64,
    last: f64,
    largest: f64,
}

impl Samples {
    fn add(&mut self, value: f64) {
        self.sum += value.abs();
        self.count += 1;
        self.last = value;
        // One that is not a number stays: it hides nothing.
        self.largest = if value.abs() <= self.largest { self.largest } else { value.abs() };
    }

    fn mean(&self) -> Cell {
        number(self.sum / self.count as f64)
    }

    fn largest(&self) -> Cell {
        if self.count > 0 { number(self.largest) } else { Cell::Empty }
    }

    fn last(&self) -> Cell {
        if self.count > 0 { number(self.last) } else { Cell::Empty }
    }
}

/// Nothing where there is no number, such as the deviation from an energy of zero.
fn number(value: f64) -> Cell {
    Cell::optional(Some(value).filter(|value| value.is_finite()))
}

/// The errors of a scene, for a field of a table.
fn in_a_line(problems: &Diagnostics) -> String {
    let errors = problems.problems().iter().filter(|problem| problem.severity == Severity::Error);
    let lines = errors.map(|problem| match problem.label.as_str() {
        "" => problem.message.clone(),
        label => format!("{}: {label}", problem.message),
    });
    lines.collect::<Vec<_>>().join("; ")
}
