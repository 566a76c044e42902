//! The measures of a run: when they look, what their samples come to, and the rows that follow.

use crate::average::Samples;
use crate::bytes::{Input, put_count, put_number};
use crate::{Measure, Over, Spec, View};
use core::fmt;
use std::borrow::Cow;
use tumble_dem::Solver;

/// One of the numbers that a measure gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, after that of the measure and a point.
    pub name: Cow<'static, str>,
    /// Its unit; empty if it has none.
    pub unit: &'static str,
    /// How samples of a window become one number.
    pub over: Over,
    /// What it is, in a line.
    pub what: &'static str,
}

impl Column {
    /// A column that windows give the mean of.
    pub(crate) const fn mean(name: &'static str, unit: &'static str, what: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), unit, over: Over::Mean, what }
    }

    /// A column that counts since the start.
    pub(crate) const fn last(name: &'static str, unit: &'static str, what: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), unit, over: Over::Last, what }
    }

    /// A column that windows give the largest of.
    pub(crate) const fn largest(name: &'static str, unit: &'static str, what: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), unit, over: Over::Largest, what }
    }

    /// Name and unit, as in the header of a table.
    pub fn header(&self) -> String {
        if self.unit.is_empty() { self.name.to_string() } else { format!("{}_{}", self.name, self.unit) }
    }
}

/// What measures gave at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Steps since the start.
    pub step: u64,
    /// s
    pub time: f64,
    /// In the order of [`Measures::headers`]; NaN where a measure had nothing to say, or nothing new.
    pub values: Vec<f64>,
}

/// What was saved belongs to other measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("what it says of measures is not that of these measures")
    }
}

impl core::error::Error for Mismatch {}

/// The measures of a run.
#[derive(Debug, Default)]
pub struct Measures {
    specs: Vec<Spec>,
    entries: Vec<Entry>,
    /// The newest value of each column.
    latest: Vec<f64>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    every: u64,
    window: Option<u64>,
    measure: Box<dyn Measure>,
    columns: Vec<Column>,
    samples: Vec<Samples>,
    /// The place of its first column.
    first: usize,
}

impl Measures {
    /// Measures that have not looked yet.
    pub fn new(specs: &[Spec]) -> Self {
        let mut first = 0;
        let mut entries = Vec::with_capacity(specs.len());
        for spec in specs {
            let measure = spec.kind.make(&spec.options);
            let columns = measure.columns();
            let samples = vec![Samples::default(); columns.len()];
            let count = columns.len();
            let (name, every, window) = (spec.name.clone(), spec.every.max(1), spec.window);
            entries.push(Entry { name, every, window, measure, columns, samples, first });
            first += count;
        }
        Self { specs: specs.to_vec(), entries, latest: vec![f64::NAN; first], rows: Vec::new() }
    }

    /// Whether they are those of these specifications.
    pub fn is_of(&self, specs: &[Spec]) -> bool {
        self.specs == specs
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The names of all columns with their units: `outflow.mass_rate_kg/s`.
    pub fn headers(&self) -> Vec<String> {
        self.columns().into_iter().map(|(header, _)| header).collect()
    }

    /// The names of all columns with their units, and how samples become one number.
    pub fn columns(&self) -> Vec<(String, Over)> {
        let of = |entry: &Entry| {
            let name = entry.name.clone();
            let named = |column: &Column| (format!("{name}.{}", column.header()), column.over);
            entry.columns.iter().map(named).collect::<Vec<_>>()
        };
        self.entries.iter().flat_map(of).collect()
    }

    /// The newest value of a column, by its name with or without the unit, such as `outflow.mass_rate`; NaN if there is none
    /// yet, and nothing if there is no such column.
    pub fn value(&self, column: &str) -> Option<f64> {
        self.find(column).map(|place| self.latest[place])
    }

    /// The place of a column, by its name with or without the unit.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().find_map(|entry| {
            let rest = name.strip_prefix(&*entry.name)?.strip_prefix('.')?;
            let place =
                entry.columns.iter().position(|column| column.name == rest || column.header() == rest)?;
            Some(entry.first + place)
        })
    }

    /// The newest values of all columns.
    pub fn latest(&self) -> &[f64] {
        &self.latest
    }

    /// The next step at which any of them looks; `u64::MAX` if there are none.
    pub fn next(&self, step: u64) -> u64 {
        let next = |entry: &Entry| (step / entry.every + 1).saturating_mul(entry.every);
        self.entries.iter().map(next).min().unwrap_or(u64::MAX)
    }

    /// Has those look whose step it is.
    pub fn sample(&mut self, solver: &dyn Solver) {
        let step = solver.steps();
        let view = View::of(solver);
        let mut row = None;
        let mut values = Vec::new();
        for entry in self.entries.iter_mut().filter(|entry| step.is_multiple_of(entry.every)) {
            values.clear();
            entry.measure.sample(&view, &mut values);
            for ((samples, column), &value) in entry.samples.iter_mut().zip(&entry.columns).zip(&values) {
                samples.add(column.over, value);
            }
            let ends = match entry.window {
                None => true,
                // Windows begin after the first instant, so that each has as many samples as the others.
                Some(_) if step == 0 => {
                    entry.samples.fill(Samples::default());
                    false
                }
                Some(window) => step.is_multiple_of(window),
            };
            if ends {
                let row = row.get_or_insert_with(|| vec![f64::NAN; self.latest.len()]);
                for (number, (samples, column)) in entry.samples.iter_mut().zip(&entry.columns).enumerate() {
                    let value = samples.take(column.over);
                    row[entry.first + number] = value;
                    self.latest[entry.first + number] = value;
                }
            }
        }
        self.rows.extend(row.map(|values| Row { step, time: solver.time(), values }));
    }

    /// The rows since the last call.
    pub fn take_rows(&mut self) -> Vec<Row> {
        core::mem::take(&mut self.rows)
    }

    /// Drops rows that nobody will take: those of earlier steps.
    pub fn forget_before(&mut self, step: u64) {
        self.rows.retain(|row| row.step >= step);
    }

    /// The rows since the last time they were taken.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// What has to be remembered, for [`restore`](Self::restore): averages in the middle of a window, crossings, newest values.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_count(self.entries.len() as u64, &mut out);
        for entry in &self.entries {
            put_count(entry.samples.len() as u64, &mut out);
            entry.samples.iter().for_each(|samples| samples.put(&mut out));
            entry.measure.remember(&mut out);
        }
        self.latest.iter().for_each(|value| put_number(*value, &mut out));
        out
    }

    /// Goes on with what [`to_bytes`](Self::to_bytes) gave of the same measures.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Mismatch> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let mut input = Input(bytes);
        self.read(&mut input).filter(|()| input.0.is_empty()).ok_or(Mismatch)
    }

    fn read(&mut self, input: &mut Input<'_>) -> Option<()> {
        (input.count()? == self.entries.len() as u64).then_some(())?;
        for entry in &mut self.entries {
            (input.count()? == entry.samples.len() as u64).then_some(())?;
            for samples in &mut entry.samples {
                *samples = Samples::read(input)?;
            }
            entry.measure.recall(input)?;
        }
        for value in &mut self.latest {
            *value = input.number()?;
        }
        self.rows.clear();
        Some(())
    }
}
