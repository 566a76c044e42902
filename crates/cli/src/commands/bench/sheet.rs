//! A table that is printed while it is measured: as text each line as soon as it is there, otherwise all of it at the end.

use crate::failure::Failure;
use crate::output::{self, Format, heading};
use tumble_report::{Cell, Table};

/// A column, its width as text, and how many digits after the point its numbers have there.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) width: usize,
    pub(super) digits: usize,
}

/// Columns of such names, widths and digits.
pub(super) const fn column(name: &'static str, width: usize, digits: usize) -> Column {
    Column { name, width, digits }
}

/// The table.
pub(super) struct Sheet {
    columns: &'static [Column],
    table: Table,
    format: Format,
}

impl Sheet {
    /// Begins with the names of the columns.
    pub(super) fn begin(columns: &'static [Column], format: Format) -> Result<Self, Failure> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        if format == Format::Text {
            let texts = names.iter().map(|&name| name.to_owned());
            output::print(&(heading(&line(columns, texts)) + "\n"))?;
        }
        Ok(Self { columns, table: Table::new("", &names), format })
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: Vec<Cell>) -> Result<(), Failure> {
        if self.format != Format::Text {
            self.table.rows.push(cells);
            return Ok(());
        }
        let texts = cells.into_iter().zip(self.columns).map(|(cell, column)| match cell {
            Cell::Text(text) => text,
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) => format!("{number:.*}", column.digits),
            Cell::Empty => "–".into(),
        });
        output::print(&(line(self.columns, texts) + "\n"))
    }

    /// There are no more.
    pub(super) fn end(self) -> Result<(), Failure> {
        if self.format == Format::Text {
            return Ok(());
        }
        output::print(&output::table(&self.table, self.format))
    }
}

/// The first column to the left, the others to the right.
fn line(columns: &[Column], texts: impl Iterator<Item = String>) -> String {
    let column = |(place, (text, Column { width, .. })): (usize, (String, &Column))| {
        if place == 0 { format!("{text:<width$}") } else { format!("{text:>width$}") }
    };
    texts.zip(columns).enumerate().map(column).collect()
}
