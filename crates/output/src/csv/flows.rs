//! `flows.csv`: what streams brought in and outlets took out over time, one row for each of them and instant.

use super::Table;
use crate::{Error, Flow, Mark};
use std::path::Path;

/// Writes numbers and masses of bodies since the start, and how many wait for room.
#[derive(Debug)]
pub struct FlowsCsv {
    table: Table,
}

const COLUMNS: &str = "flow,direction,bodies,mass_kg,waiting";

impl FlowsCsv {
    /// A new table. The file must not exist.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Ok(Self { table: Table::create(path, COLUMNS)? })
    }

    /// The table of an interrupted run, whose rows later than `step` are cut off.
    pub fn resume(path: &Path, step: u64) -> Result<Self, Error> {
        Ok(Self { table: Table::resume(path, COLUMNS, step)?.0 })
    }

    /// Appends an instant: its time in s, and all flows.
    pub fn append(&mut self, time: f64, step: u64, flows: &[Flow]) -> Result<(), Error> {
        for flow in flows {
            self.table.begin(time, step);
            self.table.text(&flow.name);
            self.table.text(flow.direction.name());
            self.table.whole(flow.bodies);
            self.table.number(flow.mass_kg);
            self.table.whole(flow.waiting);
            self.table.end();
        }
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
