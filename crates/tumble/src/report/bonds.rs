//! `bonds.csv` as curves and a table: how many bonds broke, in which way, and what was lost by it.

use super::columns::Columns;
use super::curve::{over_time, panel};
use std::path::Path;
use tumble_dem::bond::BreakMode;
use tumble_output::BondsSummary;
use tumble_report::{Axis, Cell, Figure, Outcome, Section, Table};

/// The bonds that broke.
pub(super) struct Broken {
    /// s
    time: Vec<f64>,
    mode: Vec<String>,
    /// J
    energy: Vec<f64>,
}

impl Broken {
    /// Reads the file; the error is a sentence that names it.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let (time, mode, energy) = (table.place("time_s")?, table.place("mode")?, table.place("energy_J")?);
        let mut broken = Self { time: Vec::new(), mode: Vec::new(), energy: Vec::new() };
        while let Some(row) = table.next()? {
            broken.time.push(table.number(&row, time)?);
            broken.mode.push(row[mode].clone());
            broken.energy.push(table.number(&row, energy)?);
        }
        Ok(broken)
    }

    /// The section, with what became of all bonds.
    pub(super) fn section(&self, bonds: &BondsSummary) -> Section {
        let mut table = Table::new(
            "How bonds broke: which load was too much for them, and what was stored in them then.",
            &["mode", "bonds", "energy (J)"],
        );
        for mode in BreakMode::ALL {
            let of_mode = || self.mode.iter().zip(&self.energy).filter(|(name, _)| *name == mode.name());
            let energy: f64 = of_mode().map(|(_, energy)| energy).sum();
            let count = of_mode().count() as u64;
            table.rows.push(vec![mode.name().into(), Cell::Count(count), Cell::Number(energy)]);
        }
        let number: Vec<f64> = (1..=self.time.len()).map(|count| count as f64).collect();
        let curves = vec![over_time("broken bonds", &self.time, &number)];
        let panels = vec![panel("broken since the start", Axis::linear("bonds"), curves)];
        let title = "Bonds that broke over time.".to_owned();
        let figures =
            if self.time.len() > 1 { vec![("bonds".into(), Figure { title, panels })] } else { Vec::new() };
        let tables = if self.time.is_empty() { Vec::new() } else { vec![("bonds".into(), table)] };
        Section {
            title: "Bonds".into(),
            facts: vec![("bonds".into(), bonds.sentence())],
            outcome: Outcome { figures, tables, ..Outcome::default() },
            ..Section::default()
        }
    }
}
