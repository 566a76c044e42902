//! `flows.csv` as curves: how much mass came in and went out, and how fast.

use super::columns::Columns;
use super::curve::{over_time, panel};
use std::path::Path;
use tumble_output::Flow;
use tumble_report::{Axis, Cell, Figure, Outcome, Section, Table};

/// Stretches of time over which rates are told.
const STRETCHES: usize = 25;

/// What came in and went out over time.
pub(super) struct Flows {
    flows: Vec<Curve>,
}

struct Curve {
    name: String,
    direction: String,
    /// s
    time: Vec<f64>,
    /// kg
    mass: Vec<f64>,
    waiting: Vec<f64>,
}

impl Flows {
    /// Reads the file; the error is a sentence that names it.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let (time, name, direction) =
            (table.place("time_s")?, table.place("flow")?, table.place("direction")?);
        let (mass, waiting) = (table.place("mass_kg")?, table.place("waiting")?);
        let mut flows: Vec<Curve> = Vec::new();
        while let Some(row) = table.next()? {
            let same = |flow: &Curve| flow.name == row[name] && flow.direction == row[direction];
            let found = flows.iter().position(same).unwrap_or_else(|| {
                let (time, mass, waiting) = (Vec::new(), Vec::new(), Vec::new());
                let (name, direction) = (row[name].clone(), row[direction].clone());
                flows.push(Curve { name, direction, time, mass, waiting });
                flows.len() - 1
            });
            let flow = &mut flows[found];
            flow.time.push(table.number(&row, time)?);
            flow.mass.push(table.number(&row, mass)?);
            flow.waiting.push(table.number(&row, waiting)?);
        }
        Ok(Self { flows })
    }

    /// The section; none if nothing was to come in or go out.
    pub(super) fn section(&self, last: &[Flow]) -> Option<Section> {
        if self.flows.is_empty() && last.is_empty() {
            return None;
        }
        let name = |flow: &Curve| format!("{}, {}", flow.name, flow.direction);
        let masses = self.flows.iter().map(|flow| over_time(&name(flow), &flow.time, &flow.mass)).collect();
        let rate = |flow: &Curve| {
            let (time, rate) = rates(&flow.time, &flow.mass);
            over_time(&name(flow), &time, &rate)
        };
        let rates = self.flows.iter().map(rate).collect();
        let mut panels = vec![
            panel("mass since the start", Axis::linear("mass (kg)"), masses),
            panel("rate", Axis::linear("mass per time (kg/s)"), rates),
        ];
        if self.flows.iter().any(|flow| flow.waiting.iter().any(|&waiting| waiting > 0.0)) {
            let streams = self.flows.iter().filter(|flow| flow.direction == "in");
            let waiting = streams.map(|flow| over_time(&flow.name, &flow.time, &flow.waiting)).collect();
            panels.push(panel("waiting for room", Axis::linear("bodies"), waiting));
        }
        let title = "What streams brought in and outlets took out over time.".to_owned();
        let figures = if self.flows.iter().any(|flow| flow.time.len() > 1) {
            vec![("flows".into(), Figure { title, panels })]
        } else {
            Vec::new()
        };
        let columns = ["flow", "direction", "bodies", "mass (kg)", "found no room"];
        let mut table = Table::new("What came in and went out until the end.", &columns);
        for flow in last {
            table.rows.push(vec![
                flow.name.as_str().into(),
                flow.direction.name().into(),
                Cell::Count(flow.bodies),
                Cell::Number(flow.mass_kg),
                Cell::Count(flow.waiting),
            ]);
        }
        let tables = if last.is_empty() { Vec::new() } else { vec![("flows".into(), table)] };
        let outcome = Outcome { figures, tables, ..Outcome::default() };
        Some(Section { title: "What came in and went out".into(), outcome, ..Section::default() })
    }
}

/// Rates between instants of a curve that are far enough apart to tell.
fn rates(time: &[f64], mass: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let stretch = time.len().div_ceil(STRETCHES).max(1);
    let points: Vec<(f64, f64)> = time.iter().copied().zip(mass.iter().copied()).step_by(stretch).collect();
    let rate = |pair: &[(f64, f64)]| {
        let [(from, before), (to, after)] = [pair[0], pair[1]];
        (0.5 * (from + to), (after - before) / (to - from))
    };
    points.windows(2).map(rate).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_slopes() {
        let time: Vec<f64> = (0..=600).map(|k| 0.01 * f64::from(k)).collect();
        let mass: Vec<f64> = time.iter().map(|t| 3.0 * t).collect();
        let (at, rate) = rates(&time, &mass);
        assert!(at.len() > 15 && at.len() <= STRETCHES, "{}", at.len());
        assert!(rate.iter().all(|rate| (rate - 3.0).abs() < 1e-9));
    }
}
