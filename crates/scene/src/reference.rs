//! The reference page of all keys, as Markdown.

use crate::form::{Key, Kind, Presence, Table, TableInfo};
use crate::keys::SceneKeys;
use core::fmt::Write;

/// The reference page: every table with its keys, their types, units, defaults and meanings.
pub fn reference_markdown() -> String {
    let mut page = String::from(
        "# Scene files: all keys\n\n\
         A scene is a TOML file. Plain numbers are in SI units; a quantity may be a text with a unit instead, such as \
         `\"5 mm\"`, `\"60 GPa\"` or `\"38 us\"`. Paths of files start from the folder of the scene.\n",
    );
    let mut sections =
        vec![Section { title: "The scene itself".to_owned(), path: String::new(), info: SceneKeys::info() }];
    // Tables in the order in which they are met, each after the one that it is part of.
    let mut next = 0;
    while let Some(Section { title, path, info }) = sections.get(next).cloned() {
        next += 1;
        write_section(&mut page, &title, info);
        let mut found = Vec::new();
        for key in &info.keys {
            collect(&key.kind(), &join(&path, key.name), &mut found);
        }
        for section in found.into_iter().rev() {
            sections.insert(next, section);
        }
    }
    page
}

#[derive(Clone)]
struct Section {
    title: String,
    path: String,
    info: &'static TableInfo,
}

/// The tables that a key can hold.
fn collect(kind: &Kind, path: &str, sections: &mut Vec<Section>) {
    let top = !path.contains('.');
    let mut push = |title: String, path: String, info: &'static TableInfo| {
        sections.push(Section { title, path, info });
    };
    match kind {
        Kind::Table(info) if top => push(format!("`[{path}]`"), path.to_owned(), info),
        Kind::Table(info) => push(format!("`{path} = {{ … }}`"), path.to_owned(), info),
        Kind::Named(info) => push(format!("`[{path}.NAME]`"), join(path, "NAME"), info),
        Kind::List { of, .. } => match &**of {
            Kind::Table(info) if top => push(format!("`[[{path}]]`"), path.to_owned(), info),
            Kind::Table(info) => push(format!("`{path} = [{{ … }}, …]`"), path.to_owned(), info),
            _ => {}
        },
        Kind::AnyOf(kinds) => kinds.iter().for_each(|kind| collect(kind, path, sections)),
        _ => {}
    }
}

fn write_section(page: &mut String, title: &str, info: &TableInfo) {
    // Writing to a string cannot fail.
    let _ = write!(page, "\n## {title}\n\n{}\n", prose(info.doc));
    for group in info.one_of {
        let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(page, "\nExactly one of {} is needed.\n", names.join(", "));
    }
    for group in info.some_of {
        let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(page, "\nAt least one of {} is needed.\n", names.join(", "));
    }
    for group in info.at_most_one_of {
        let names: Vec<String> = group.iter().map(|name| format!("`{name}`")).collect();
        let _ = write!(page, "\nNo more than one of {} may be given.\n", names.join(", "));
    }
    page.push_str(
        "\n| key | type | unit | default | meaning | example |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for key in &info.keys {
        let kind = key.kind();
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | `{}` |",
            key.name,
            cell(&type_of(&kind)),
            cell(&unit_of(&kind).unwrap_or_default()),
            cell(&default_of(key)),
            cell(&key.doc),
            key.example
        );
    }
    for key in &info.keys {
        if let Kind::Choice { options, .. } = key.kind() {
            let _ = write!(page, "\n`{}`:\n\n", key.name);
            for (name, summary) in options {
                let _ = writeln!(page, "- `\"{name}\"`: {summary}");
            }
        }
    }
}

fn type_of(kind: &Kind) -> String {
    match kind {
        Kind::Number { .. } => "number".to_owned(),
        Kind::Whole { .. } => "whole number".to_owned(),
        Kind::Text { what } => (*what).to_owned(),
        Kind::Numbered(prefix) => format!("`\"{prefix}N\"`"),
        Kind::Flag => "`true` or `false`".to_owned(),
        Kind::Word(word) => format!("`\"{word}\"`"),
        Kind::Choice { options, .. } if options.len() > 5 => "name, see below".to_owned(),
        Kind::Choice { options, .. } => {
            options.iter().map(|(name, _)| format!("`\"{name}\"`")).collect::<Vec<_>>().join(" or ")
        }
        Kind::List { of, fewest, most } if fewest == most => format!("{fewest} × {}", type_of(of)),
        Kind::List { of, .. } => match **of {
            Kind::Table(_) => "list of tables".to_owned(),
            ref of => format!("list of {}", type_of(of)),
        },
        Kind::Table(_) => "table".to_owned(),
        Kind::Named(_) => "tables by name".to_owned(),
        Kind::AnyOf(kinds) => kinds.iter().map(type_of).collect::<Vec<_>>().join(" or "),
    }
}

fn unit_of(kind: &Kind) -> Option<String> {
    match kind {
        Kind::Number { dimension, .. } => dimension.map(|dimension| dimension.unit.to_owned()),
        Kind::List { of, .. } => unit_of(of),
        Kind::AnyOf(kinds) => kinds.iter().find_map(unit_of),
        _ => None,
    }
}

fn default_of(key: &Key) -> String {
    match key.presence {
        Presence::Required => "**required**".to_owned(),
        Presence::Default => {
            key.default().map(|default| format!("`{}`", default.inline())).unwrap_or_default()
        }
        Presence::Optional | Presence::Always => String::new(),
    }
}

fn prose(doc: &[&str]) -> String {
    doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
