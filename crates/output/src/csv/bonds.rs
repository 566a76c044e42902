//! `bonds.csv`: the bonds that broke, one row each, in the order of time.

use super::Table;
use crate::{Error, Mark};
use std::path::Path;
use tumble_dem::{Breakage, Solver};

/// Writes which bonds broke: when, between which bodies, where, how, and what was stored in them.
#[derive(Debug)]
pub struct BondsCsv {
    table: Table,
    /// How many of the engine's are written, or belong to what came before.
    written: usize,
}

const COLUMNS: &str = "body_a,body_b,x_m,y_m,z_m,mode,energy_J";

impl BondsCsv {
    /// A new table, of what breaks from now on. The file must not exist.
    pub fn create(path: &Path, engine: &dyn Solver) -> Result<Self, Error> {
        Ok(Self { table: Table::create(path, COLUMNS)?, written: engine.breakages().len() })
    }

    /// The table of an interrupted run, whose rows later than `step` are cut off.
    pub fn resume(path: &Path, engine: &dyn Solver, step: u64) -> Result<Self, Error> {
        Ok(Self { table: Table::resume(path, COLUMNS, step)?.0, written: engine.breakages().len() })
    }

    /// Appends what broke since the last time.
    pub fn append(&mut self, engine: &dyn Solver) -> Result<(), Error> {
        let all = engine.breakages();
        let Some(new) = all.get(self.written..).filter(|new| !new.is_empty()) else { return Ok(()) };
        for Breakage { time, step, bodies: [a, b], place, mode, energy } in new {
            self.table.begin(*time, *step);
            self.table.whole(a.0.into());
            self.table.whole(b.0.into());
            place.to_array().into_iter().for_each(|x| self.table.number(x));
            self.table.text(mode.name());
            self.table.number(*energy);
            self.table.end();
        }
        self.written = all.len();
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
