//! `energy.csv`: the ledger over time.

use super::Table;
use crate::{Error, Mark};
use std::path::Path;
use tumble_dem::{Ledger, Solver};

/// Writes the ledger of a run: its entries, mechanical energy and balance in J, the relative error of the
/// balance, and the numbers of contacts and bodies.
#[derive(Debug)]
pub struct EnergyCsv {
    table: Table,
    /// The balance of the first row, J.
    start: Option<f64>,
}

/// How much the balance has changed since the start, relative to the energy there is or has been turned over:
/// the error of the integration.
///
/// `start` is the balance at the start, J. The change is divided by its size, or by kinetic and elastic energy
/// with all losses and work if they are more, which is sensible also for a world that starts with nothing.
pub fn relative_balance_error(start: f64, now: &Ledger) -> f64 {
    let turned_over = now.kinetic() + now.elastic() + now.lost().abs() + now.work().abs();
    let error = now.balance() - start;
    let scale = start.abs().max(turned_over);
    if scale > 0.0 { error / scale } else { error }
}

/// All energies of a ledger by name, J: its entries and their sums.
pub fn energies(ledger: &Ledger) -> impl Iterator<Item = (&'static str, f64)> {
    let sums = [("mechanical", ledger.mechanical()), ("balance", ledger.balance())];
    ledger.entries().chain(sums)
}

impl EnergyCsv {
    /// A new table for ledgers like this one. The file must not exist.
    pub fn create(path: &Path, ledger: &Ledger) -> Result<Self, Error> {
        Ok(Self { table: Table::create(path, &columns(ledger))?, start: None })
    }

    /// The table of an interrupted run, whose rows later than `step` are cut off.
    pub fn resume(path: &Path, ledger: &Ledger, step: u64) -> Result<Self, Error> {
        let columns = columns(ledger);
        let (table, first) = Table::resume(path, &columns, step)?;
        let mut start = None;
        if let Some(row) = first {
            let header = super::header(&columns);
            let column = header.trim_end().split(',').position(|name| name == "balance_J");
            let field = column.and_then(|column| row.trim_end().split(',').nth(column));
            let balance = field.and_then(|field| field.parse().ok());
            start = Some(balance.ok_or_else(|| Error::damaged(path, "its first row has no balance_J"))?);
        }
        Ok(Self { table, start })
    }

    /// Appends the present instant, and gives the relative error of the balance.
    pub fn append(&mut self, engine: &dyn Solver) -> Result<f64, Error> {
        let ledger = engine.ledger();
        self.append_ledger(
            engine.time(),
            engine.steps(),
            &ledger,
            engine.contact_count(),
            engine.body_count(),
        )
    }

    /// Appends an instant: its time in s, and the numbers of contacts and bodies.
    pub fn append_ledger(
        &mut self,
        time: f64,
        step: u64,
        ledger: &Ledger,
        contacts: usize,
        bodies: usize,
    ) -> Result<f64, Error> {
        let error = relative_balance_error(*self.start.get_or_insert(ledger.balance()), ledger);
        self.table.begin(time, step);
        for (_, value) in energies(ledger) {
            self.table.number(value);
        }
        self.table.number(error);
        self.table.count(contacts);
        self.table.count(bodies);
        self.table.end();
        self.table.write()?;
        Ok(error)
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

fn columns(ledger: &Ledger) -> String {
    let energies: Vec<String> = energies(ledger).map(|(name, _)| format!("{name}_J")).collect();
    format!("{},relative_balance_error,contacts,bodies", energies.join(","))
}
