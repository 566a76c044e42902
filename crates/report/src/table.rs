//! Tables as data, and as text.

use crate::csv;
use crate::number::{full, readable};
use crate::save::{SaveError, save};
use std::path::{Path, PathBuf};

/// Rows of cells under named columns.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What the table shows.
    pub title: String,
    /// Column names, with the unit where there is one, such as `dt_s`.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, printed with the digits that matter.
    Number(f64),
    /// A whole number.
    Count(u64),
    /// Nothing to say, such as an error that was not published.
    Empty,
}

impl Cell {
    /// The number, or an empty cell.
    pub fn optional(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }

    fn readable(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => readable(*number),
            Self::Count(count) => count.to_string(),
            Self::Empty => "–".into(),
        }
    }

    fn full(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => full(*number),
            Self::Count(count) => count.to_string(),
            Self::Empty => String::new(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Self { title: title.into(), columns, rows: Vec::new() }
    }

    /// Aligned columns for a terminal, under the title.
    pub fn to_text(&self) -> String {
        let (cells, widths) = self.laid_out();
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&self.title);
            text.push_str("\n\n");
        }
        self.push_line(&mut text, &self.columns, &widths);
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        self.push_line(&mut text, &rules, &widths);
        for row in &cells {
            self.push_line(&mut text, row, &widths);
        }
        text
    }

    /// A Markdown table, numbers to the right.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        let mut push = |cells: &[String]| {
            text.push_str("| ");
            text.push_str(&cells.join(" | "));
            text.push_str(" |\n");
        };
        let escaped = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
        push(&self.columns.iter().map(escaped).collect::<Vec<_>>());
        let rule = |column| if self.is_numeric(column) { "--:".to_owned() } else { "---".to_owned() };
        push(&(0..self.columns.len()).map(rule).collect::<Vec<_>>());
        for row in self.laid_out().0 {
            push(&row.iter().map(escaped).collect::<Vec<_>>());
        }
        text
    }

    /// Comma-separated values with full precision; empty fields where there is nothing to say.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        csv::push_row(&mut text, self.columns.iter().map(String::as_str));
        for row in &self.rows {
            let fields: Vec<String> = row.iter().map(Cell::full).collect();
            csv::push_row(&mut text, fields.iter().map(String::as_str));
        }
        text
    }

    /// Writes `NAME.csv` into a folder, which is made if need be.
    pub fn save(&self, folder: &Path, name: &str) -> Result<PathBuf, SaveError> {
        save(folder, &format!("{name}.csv"), &self.to_csv())
    }

    /// The cells as read by people, and the width of each column.
    fn laid_out(&self) -> (Vec<Vec<String>>, Vec<usize>) {
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Cell::readable).collect()).collect();
        let mut widths: Vec<usize> = self.columns.iter().map(|name| name.chars().count()).collect();
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        (cells, widths)
    }

    /// Whether a column holds numbers, apart from a few words such as `< 1e-6`.
    pub(crate) fn is_numeric(&self, column: usize) -> bool {
        let is_number = |cell: &Cell| match cell {
            Cell::Number(_) | Cell::Count(_) => Some(true),
            Cell::Text(text) => Some(text.parse::<f64>().is_ok()),
            Cell::Empty => None,
        };
        let cells: Vec<bool> = self.rows.iter().filter_map(|row| is_number(row.get(column)?)).collect();
        let numbers = cells.iter().filter(|number| **number).count();
        numbers > 0 && 2 * numbers >= cells.len()
    }

    fn push_line(&self, text: &mut String, cells: &[String], widths: &[usize]) {
        let mut line = String::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if column > 0 {
                line.push_str("  ");
            }
            let room = " ".repeat(width.saturating_sub(cell.chars().count()));
            if self.is_numeric(column) {
                line.push_str(&room);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&room);
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Errors", &["scheme", "error_q", "steps"]);
        table.rows.push(vec!["ω|q".into(), Cell::Number(1.25e-5), Cell::Count(1000)]);
        table.rows.push(vec!["b".into(), Cell::Empty, Cell::Count(7)]);
        table
    }

    #[test]
    fn text_is_aligned() {
        let expected = "Errors\n\nscheme   error_q  steps\n──────  ────────  ─────\n\
                        ω|q     1.250e-5   1000\nb              –      7\n";
        assert_eq!(table().to_text(), expected);
    }

    #[test]
    fn markdown_escapes_bars() {
        let expected = "| scheme | error_q | steps |\n| --- | --: | --: |\n\
                        | ω\\|q | 1.250e-5 | 1000 |\n| b | – | 7 |\n";
        assert_eq!(table().to_markdown(), expected);
    }

    #[test]
    fn csv_keeps_every_digit() {
        let mut table = table();
        table.rows[0][1] = Cell::Number(1.0 / 3.0);
        assert_eq!(table.to_csv(), "scheme,error_q,steps\nω|q,0.3333333333333333,1000\nb,,7\n");
    }
}
