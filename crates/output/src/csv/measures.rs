//! `measures.csv`: what is measured over time, a row for each instant at which a measure has something to say; and tables of
//! coarse-grained fields, a row for each instant and cell.

use super::Table;
use crate::{Error, Mark};
use std::path::Path;

/// Writes the numbers of measures or fields, in columns that are named with their units.
#[derive(Debug)]
pub struct MeasuresCsv {
    table: Table,
}

impl MeasuresCsv {
    /// A new table with these columns. The file must not exist.
    pub fn create(path: &Path, columns: &[String]) -> Result<Self, Error> {
        Ok(Self { table: Table::create(path, &columns.join(","))? })
    }

    /// The table of an interrupted run, whose rows later than `step` are cut off.
    pub fn resume(path: &Path, columns: &[String], step: u64) -> Result<Self, Error> {
        Ok(Self { table: Table::resume(path, &columns.join(","), step)?.0 })
    }

    /// Appends an instant: its time in s, and a number for each column; the field of one that is not a number stays empty.
    pub fn append(&mut self, time: f64, step: u64, values: &[f64]) -> Result<(), Error> {
        self.table.begin(time, step);
        for value in values {
            self.table.optional(*value);
        }
        self.table.end();
        self.table.write()
    }

    /// Makes all rows survive a power cut.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.table.sync()
    }

    /// What is written so far.
    pub fn mark(&self) -> Mark {
        self.table.mark()
    }
}
