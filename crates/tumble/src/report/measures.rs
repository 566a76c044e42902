//! `measures.csv` as curves: a figure for each measure, with a panel for each unit.

use super::columns::Columns;
use super::curve::{over_time, panel};
use std::path::Path;
use tumble_report::{Axis, Cell, Figure, Outcome, Panel, Section, Table};

/// Curves in one panel; more could not be told apart.
const MOST_CURVES: usize = 8;

/// What was measured over time.
pub(super) struct Measured {
    columns: Vec<Column>,
}

/// A column of the table, with the rows that have a number in it.
struct Column {
    measure: String,
    name: String,
    unit: String,
    /// s
    time: Vec<f64>,
    values: Vec<f64>,
}

impl Measured {
    /// Reads the file; the error is a sentence that names it.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let time = table.place("time_s")?;
        let first = table.place("step")? + 1;
        let mut columns: Vec<Column> = table.names()[first..].iter().map(|name| Column::of(name)).collect();
        while let Some(row) = table.next()? {
            let now = table.number(&row, time)?;
            for (number, column) in columns.iter_mut().enumerate() {
                if !row[first + number].is_empty() {
                    column.time.push(now);
                    column.values.push(table.number(&row, first + number)?);
                }
            }
        }
        Ok(Self { columns })
    }

    /// The section; none if nothing was measured.
    pub(super) fn section(&self) -> Option<Section> {
        let mut figures = Vec::new();
        let mut rest = &self.columns[..];
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|column| column.measure == first.measure).count();
            let (of_measure, others) = rest.split_at(count);
            rest = others;
            let panels = panels(of_measure);
            if !panels.is_empty() {
                let title = format!("{} over time.", first.measure);
                figures.push((format!("measure-{}", first.measure), Figure { title, panels }));
            }
        }
        let table = self.table();
        if figures.is_empty() && table.rows.is_empty() {
            return None;
        }
        let outcome = Outcome { figures, tables: vec![("measures".into(), table)], ..Outcome::default() };
        Some(Section { title: "Measures".into(), outcome, ..Section::default() })
    }

    /// Each column in numbers: at the end, and over all rows.
    fn table(&self) -> Table {
        let title = "What was measured: at the end, and over all rows of measures.csv.";
        let mut table = Table::new(title, &["measure", "unit", "rows", "last", "mean", "lowest", "highest"]);
        for column in self.columns.iter().filter(|column| !column.values.is_empty()) {
            let values = &column.values;
            let fold = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick);
            table.rows.push(vec![
                format!("{}.{}", column.measure, column.name).into(),
                column.unit.clone().into(),
                Cell::Count(values.len() as u64),
                Cell::optional(values.last().copied()),
                Cell::Number(values.iter().sum::<f64>() / values.len() as f64),
                Cell::optional(fold(f64::min)),
                Cell::optional(fold(f64::max)),
            ]);
        }
        table
    }
}

impl Column {
    /// Of a header such as `outflow.mass_rate_kg/s`.
    fn of(header: &str) -> Self {
        let (measure, rest) = header.split_once('.').unwrap_or(("", header));
        let (name, unit) = split_unit(rest);
        let (time, values) = (Vec::new(), Vec::new());
        Self { measure: measure.into(), name: name.into(), unit: unit.into(), time, values }
    }
}

/// The units that columns of measures have.
const UNITS: [&str; 14] = ["kg/s", "1/s", "m/s", "kg", "m3", "deg", "Nm", "Pa", "N", "W", "J", "K", "m", "s"];

/// Name and unit of a header.
fn split_unit(header: &str) -> (&str, &str) {
    let of = |unit: &'static str| Some((header.strip_suffix(unit)?.strip_suffix('_')?, unit));
    UNITS.iter().find_map(|unit| of(unit)).unwrap_or((header, ""))
}

/// A panel for each unit of a measure; counts since the start apart from rates have units of their own.
fn panels(columns: &[Column]) -> Vec<Panel> {
    let mut panels: Vec<(String, Vec<&Column>)> = Vec::new();
    for column in columns.iter().filter(|column| column.values.len() > 1) {
        // Numbers without a unit are of different kinds, and components of one tensor belong together.
        let is_component = |name: &str| name.len() == 2 && name.chars().all(|c| "xyz".contains(c));
        let label = match (&*column.unit, is_component(&column.name)) {
            ("", false) => column.name.replace('_', " "),
            ("", true) => "components".to_owned(),
            (unit, _) => format!("in {unit}"),
        };
        match panels.iter_mut().find(|(known, _)| *known == label) {
            Some((_, same)) => same.push(column),
            None => panels.push((label, vec![column])),
        }
    }
    let drawn = panels.into_iter().map(|(label, columns)| {
        let label = match columns.as_slice() {
            [one] if !one.unit.is_empty() => format!("{} ({})", one.name.replace('_', " "), one.unit),
            _ => label,
        };
        let curve =
            |column: &&Column| over_time(&column.name.replace('_', " "), &column.time, &column.values);
        panel("", Axis::linear(label), columns.iter().take(MOST_CURVES).map(curve).collect())
    });
    drawn.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_measure::MeasureKind;

    #[test]
    fn every_unit_of_a_measure_is_known() {
        for column in MeasureKind::all().flat_map(|kind| kind.info().columns) {
            assert_eq!(split_unit(&column.header()), (&*column.name, column.unit));
        }
    }

    #[test]
    fn empty_fields_leave_no_points() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("measures.csv");
        std::fs::write(
            &path,
            "time_s,step,a.mass_kg,a.number,b.xx_Pa\n0.0,0,1.0,2.0,\n1.0,5,,,7.0\n2.0,9,3.0,2.0,8.0\n",
        )
        .unwrap();
        let measured = Measured::read(&path).unwrap();
        assert_eq!(measured.columns[0].values, [1.0, 3.0]);
        assert_eq!(measured.columns[2].time, [1.0, 2.0]);
        let section = measured.section().unwrap();
        assert_eq!(section.outcome.figures.len(), 2);
        assert_eq!(section.outcome.figures[0].1.panels.len(), 2);
        assert_eq!(section.outcome.tables[0].1.rows.len(), 3);
    }
}
