//! The kinds of measures and the coarse-grained fields as pages of the book: what they are, what they are told, what they give.

use std::fmt::Write as _;
use tumble_measure::coarse::{Parts, QUANTITIES};
use tumble_measure::{Key, MeasureKind};

/// Tables of all kinds of measures and their columns, in Markdown.
pub fn measures_markdown() -> String {
    let mut text = String::from("| kind | what is measured | keys | source |\n| --- | --- | --- | --- |\n");
    for kind in MeasureKind::all() {
        let info = kind.info();
        let named = |keys: &[Key], more: &str| {
            keys.iter().map(|key| format!("`{}`{more}", key.name())).collect::<Vec<_>>()
        };
        let keys = [named(info.needs, ""), named(info.takes, " (optional)")].concat().join(", ");
        let source = info.citation.map_or("–", |citation| citation.short);
        let keys = if keys.is_empty() { "–".to_owned() } else { keys };
        let _ = writeln!(text, "| [`{0}`](#{0}) | {1} | {keys} | {source} |", info.name, info.summary);
    }
    for kind in MeasureKind::all() {
        let info = kind.info();
        let _ = write!(
            text,
            "\n### {}\n\n{}.\n\n| column | unit | in a window | what |\n| --- | --- | --- | --- |\n",
            info.name,
            capital(info.summary)
        );
        for column in info.columns {
            let unit = if column.unit.is_empty() { "–" } else { column.unit };
            let _ = writeln!(
                text,
                "| `{}` | {unit} | {} | {} |",
                column.header(),
                column.over.name(),
                column.what
            );
        }
        if let Some(citation) = info.citation {
            let link =
                citation.doi.map_or(String::new(), |doi| format!(" [doi:{doi}](https://doi.org/{doi})"));
            let _ = writeln!(text, "\nSource: {}.{link}", citation.full);
        }
    }
    text
}

/// A table of all coarse-grained fields, in Markdown.
pub fn coarse_fields_markdown() -> String {
    let mut text = String::from("| field | unit | components | what |\n| --- | --- | --- | --- |\n");
    for quantity in QUANTITIES {
        let unit = if quantity.unit.is_empty() { "–" } else { quantity.unit };
        let parts = match quantity.parts {
            Parts::Number => "–".to_owned(),
            parts => parts.names().join(", "),
        };
        let _ = writeln!(text, "| `{}` | {unit} | {parts} | {} |", quantity.name, quantity.what);
    }
    text
}

/// The sentence of a line.
fn capital(line: &str) -> String {
    let mut letters = line.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
