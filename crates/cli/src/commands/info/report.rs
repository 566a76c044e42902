//! Facts about a file, as text for people and as JSON for programs, from one list.

use crate::number::readable;
use crate::output::{self, Format, heading};
use serde_json::json;
use std::fmt::Write as _;
use tumble_report::{Cell, Table};

/// What is told about a file.
pub(super) struct Report {
    /// The file.
    pub(super) file: String,
    /// What it is.
    pub(super) kind: &'static str,
    pub(super) facts: Vec<Fact>,
    /// The same facts for several views of the thing, side by side.
    pub(super) comparison: Option<Comparison>,
    /// Parts of the thing.
    pub(super) parts: Option<Parts>,
    /// Sentences for people.
    pub(super) remarks: Vec<String>,
}

/// One fact: its name with the unit for programs (`volume_m3`) and for people (`volume, m³`).
pub(super) struct Fact {
    key: &'static str,
    label: &'static str,
    value: Value,
}

/// Facts in columns; all have the same keys in the same order.
pub(super) struct Comparison {
    pub(super) columns: Vec<Column>,
}

pub(super) struct Column {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: Vec<Fact>,
}

/// Parts of a thing, a row each; the names of the columns are those of the members in JSON.
pub(super) struct Parts {
    pub(super) key: &'static str,
    pub(super) table: Table,
}

pub(super) enum Value {
    Count(u64),
    Number(f64),
    Vector([f64; 3]),
    Flag(bool),
    Text(String),
}

pub(super) fn fact(key: &'static str, label: &'static str, value: Value) -> Fact {
    Fact { key, label, value }
}

impl Report {
    pub(super) fn to_text(&self) -> String {
        let mut text = format!("{}\n{}\n\n", heading(&self.file), self.kind);
        let width = self.facts.iter().map(|fact| fact.label.chars().count()).max().unwrap_or(0);
        for Fact { label, value, .. } in &self.facts {
            let _ = writeln!(text, "{label:width$}  {}", value.to_text());
        }
        if let Some(comparison) = &self.comparison {
            text.push('\n');
            text.push_str(&output::table(&comparison.to_table(), Format::Text));
        }
        if let Some(parts) = &self.parts {
            text.push('\n');
            text.push_str(&output::table(&parts.table, Format::Text));
        }
        for (place, remark) in self.remarks.iter().enumerate() {
            let _ = writeln!(text, "{}{remark}", if place == 0 { "\n" } else { "" });
        }
        text
    }

    /// Members in the order of the facts, which a map of serde_json would not keep.
    pub(super) fn to_json(&self) -> String {
        let mut members =
            vec![("file", json!(self.file).to_string()), ("kind", json!(self.kind).to_string())];
        members.extend(self.facts.iter().map(|fact| (fact.key, fact.value.to_json())));
        for column in self.comparison.iter().flat_map(|comparison| &comparison.columns) {
            let facts = column.facts.iter().map(|fact| (fact.key, fact.value.to_json())).collect();
            members.push((column.key, object(facts, "  ")));
        }
        if let Some(parts) = &self.parts {
            members.push((parts.key, parts.to_json()));
        }
        object(members, "") + "\n"
    }
}

impl Comparison {
    fn to_table(&self) -> Table {
        let labels: Vec<&str> = [""].into_iter().chain(self.columns.iter().map(|c| c.label)).collect();
        let mut table = Table::new("", &labels);
        let Some(first) = self.columns.first() else { return table };
        for (row, fact) in first.facts.iter().enumerate() {
            let mut cells = vec![Cell::from(fact.label)];
            let values = self.columns.iter().map(|column| column.facts.get(row));
            cells.extend(values.map(|fact| fact.map_or(Cell::Empty, |fact| fact.value.to_text().into())));
            table.rows.push(cells);
        }
        table
    }
}

impl Parts {
    fn to_json(&self) -> String {
        let member = |(column, cell): (&String, &Cell)| {
            let value = match cell {
                Cell::Text(text) => json!(text),
                Cell::Number(number) => json!(number),
                Cell::Count(count) => json!(count),
                Cell::Empty => json!(null),
            };
            format!("{}: {value}", json!(column))
        };
        let row = |row: &Vec<Cell>| {
            let members: Vec<String> = self.table.columns.iter().zip(row).map(member).collect();
            format!("    {{ {} }}", members.join(", "))
        };
        let rows: Vec<String> = self.table.rows.iter().map(row).collect();
        if rows.is_empty() { "[]".into() } else { format!("[\n{}\n  ]", rows.join(",\n")) }
    }
}

impl Value {
    fn to_text(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Number(number) => readable(*number),
            Self::Vector(components) => format!("({})", components.map(readable).join(", ")),
            Self::Flag(true) => "yes".into(),
            Self::Flag(false) => "no".into(),
            Self::Text(text) => text.clone(),
        }
    }

    fn to_json(&self) -> String {
        match self {
            Self::Count(count) => json!(count),
            Self::Number(number) => json!(number),
            Self::Vector(components) => json!(components),
            Self::Flag(flag) => json!(flag),
            Self::Text(text) => json!(text),
        }
        .to_string()
    }
}

fn object(members: Vec<(&str, String)>, indent: &str) -> String {
    let lines: Vec<String> =
        members.into_iter().map(|(key, value)| format!("{indent}  \"{key}\": {value}")).collect();
    format!("{{\n{}\n{indent}}}", lines.join(",\n"))
}
