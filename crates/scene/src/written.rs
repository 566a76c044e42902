//! Values as TOML text.

use core::fmt::Write;
use std::path::{Path, PathBuf};

/// A value to be written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Written {
    Number(f64),
    Whole(u64),
    Flag(bool),
    Text(String),
    /// A path that starts at the scene's folder, if it is relative.
    Path(PathBuf),
    List(Vec<Written>),
    Table(Vec<(String, Written)>),
    /// A list of tables.
    Tables(Vec<Written>),
    /// Tables by name.
    Named(Vec<(String, Written)>),
}

impl Written {
    /// In one line.
    pub(crate) fn inline(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Whole(number) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::Text(text) => quoted(text),
            Self::Path(path) => quoted(&path.to_string_lossy()),
            Self::List(items) | Self::Tables(items) => {
                let items: Vec<String> = items.iter().map(Self::inline).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Table(entries) | Self::Named(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("{} = {}", bare(key), value.inline()))
                    .collect();
                if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
            }
        }
    }

    /// As a file: plain keys first, then a table for each of the others.
    pub(crate) fn document(&self) -> String {
        let mut text = String::new();
        if let Self::Table(entries) = self {
            write_table(&mut text, entries, "");
        }
        text
    }

    /// All paths in it, in their order.
    pub(crate) fn paths(&self) -> Vec<&Path> {
        match self {
            Self::Path(path) => vec![path],
            Self::List(items) | Self::Tables(items) => items.iter().flat_map(Self::paths).collect(),
            Self::Table(entries) | Self::Named(entries) => {
                entries.iter().flat_map(|(_, value)| value.paths()).collect()
            }
            Self::Number(_) | Self::Whole(_) | Self::Flag(_) | Self::Text(_) => Vec::new(),
        }
    }

    /// With relative paths starting from this folder.
    pub(crate) fn with_paths_from(self, folder: &Path) -> Self {
        let each = |value: Self| value.with_paths_from(folder);
        let entries = |entries: Vec<(String, Self)>| entries.into_iter().map(|(k, v)| (k, each(v))).collect();
        match self {
            Self::Path(path) => Self::Path(folder.join(path)),
            Self::List(items) => Self::List(items.into_iter().map(each).collect()),
            Self::Tables(items) => Self::Tables(items.into_iter().map(each).collect()),
            Self::Table(table) => Self::Table(entries(table)),
            Self::Named(table) => Self::Named(entries(table)),
            other => other,
        }
    }
}

/// The tables of the first level get a head of their own; what is in them stays in one line each.
fn write_table(text: &mut String, entries: &[(String, Written)], path: &str) {
    let has_head = |value: &Written| {
        path.is_empty() && matches!(value, Written::Table(_) | Written::Tables(_) | Written::Named(_))
    };
    for (key, value) in entries.iter().filter(|(_, value)| !has_head(value)) {
        line(text, &format!("{} = {}", bare(key), value.inline()));
    }
    for (key, value) in entries.iter().filter(|(_, value)| has_head(value)) {
        let path = bare(key);
        match value {
            Written::Table(entries) => {
                line(text, &format!("\n[{path}]"));
                write_table(text, entries, &path);
            }
            Written::Tables(items) => {
                for item in items {
                    line(text, &format!("\n[[{path}]]"));
                    if let Written::Table(entries) = item {
                        write_table(text, entries, &path);
                    }
                }
            }
            Written::Named(tables) => {
                for (name, table) in tables {
                    line(text, &format!("\n[{path}.{}]", bare(name)));
                    if let Written::Table(entries) = table {
                        write_table(text, entries, &path);
                    }
                }
            }
            _ => {}
        }
    }
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A key, in quotes where it needs them.
fn bare(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(plain) { key.to_owned() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_read_back() {
        let nasty = "a \"b\"\\ c\n\t\u{1}\u{7f}é";
        let value = Written::Table(vec![
            ("plain".into(), Written::Number(1e-6)),
            ("odd key".into(), Written::Text(nasty.into())),
            ("big".into(), Written::Number(f64::INFINITY)),
            ("sub".into(), Written::Table(vec![("x".into(), Written::List(vec![Written::Number(-0.0)]))])),
        ]);
        let text = value.document();
        let (tree, problems) = crate::tree::parse(&crate::SceneText::new("test", text));
        assert_eq!(problems, []);
        let float = |node: Option<&crate::tree::Node>| match node.map(|node| &node.value) {
            Some(crate::tree::Value::Float(x)) => x.to_bits(),
            other => panic!("{other:?}"),
        };
        assert_eq!(float(tree.child("plain")), 1e-6_f64.to_bits());
        assert_eq!(float(tree.child("big")), f64::INFINITY.to_bits());
        assert!(matches!(&tree.child("odd key").unwrap().value, crate::tree::Value::Text(t) if t == nasty));
    }
}
