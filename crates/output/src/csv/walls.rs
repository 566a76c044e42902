//! `walls.csv`: what each wall feels over time, one row for each wall and instant.

use super::Table;
use crate::{Error, Mark};
use std::path::Path;
use tumble_dem::{Solver, WallReport};

/// Writes the force of the bodies on each wall, the torque about the wall's origin, the power that the wall puts in, and how far along
/// its way one that moves by itself has come, and how fast it is; with heat, what flows from it to the bodies and what has since the start.
#[derive(Debug)]
pub struct WallsCsv {
    table: Table,
    names: Vec<String>,
}

const COLUMNS: &str = "wall,force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,torque_z_Nm,power_W,\
                       moved_m_or_rad,moved_per_s";

/// Those that follow where there is heat.
const OF_HEAT: &str = ",heat_flow_W,heat_J";

fn columns(heat: bool) -> String {
    format!("{COLUMNS}{}", if heat { OF_HEAT } else { "" })
}

impl WallsCsv {
    /// A new table for walls of these names, in the order of the world, with or without heat. The file must not exist.
    pub fn create(path: &Path, names: Vec<String>, heat: bool) -> Result<Self, Error> {
        Ok(Self { table: Table::create(path, &columns(heat))?, names })
    }

    /// The table of an interrupted run, whose rows later than `step` are cut off.
    pub fn resume(path: &Path, names: Vec<String>, heat: bool, step: u64) -> Result<Self, Error> {
        Ok(Self { table: Table::resume(path, &columns(heat), step)?.0, names })
    }

    /// Appends the present instant.
    pub fn append(&mut self, engine: &dyn Solver) -> Result<(), Error> {
        self.append_reports(engine.time(), engine.steps(), &engine.walls())
    }

    /// Appends an instant: its time in s, and what the walls feel, in the order of their names.
    pub fn append_reports(&mut self, time: f64, step: u64, reports: &[WallReport]) -> Result<(), Error> {
        for (name, report) in self.names.iter().zip(reports) {
            self.table.begin(time, step);
            self.table.text(name);
            for value in report.force.to_array().into_iter().chain(report.torque.to_array()) {
                self.table.number(value);
            }
            for value in [report.power, report.moved, report.speed] {
                self.table.number(value);
            }
            for value in report.heat.into_iter().flatten() {
                self.table.number(value);
            }
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
