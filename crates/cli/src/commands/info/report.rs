//! Facts about a file, as text for people and as JSON for programs, from one list.

use crate::output::{self, Format, heading};
use serde_json::json;
use std::fmt::Write as _;
use tumble_study::{Cell, Table};

/// What is told about a file.
pub(super) struct Report {
    /// The file.
    pub(super) file: String,
    /// What it is.
    pub(super) kind: &'static str,
    pub(super) facts: Vec<Fact>,
    /// The same facts for several views of the thing, side by side.
    pub(super) comparison: Option<Comparison>,
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

pub(super) enum Value {
    Count(usize),
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

/// Six significant digits without idle zeros: `0.0125`, `4.18879e-6`.
fn readable(x: f64) -> String {
    let scientific = format!("{x:.5e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    match usize::try_from(5 - exponent) {
        Ok(decimals) if (-3..6).contains(&exponent) => trimmed(&format!("{x:.decimals$}")).to_owned(),
        _ => format!("{}e{exponent}", trimmed(digits)),
    }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn six_digits() {
        let cases = [
            (0.0, "0"),
            (0.0125, "0.0125"),
            (4.188_790_204e-6, "4.18879e-6"),
            (123_456.0, "123456"),
            (-0.001, "-0.001"),
            (999_999.7, "1e6"),
            (1e-4, "1e-4"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(readable(x), text);
        }
    }
}
