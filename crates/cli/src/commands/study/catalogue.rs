//! What can be chosen by name, from the lists of the library.

use crate::output::{harmless, heading};
use crate::values::GROUPS;
use std::fmt::Write as _;
use tumble_study::{PRESETS, TORQUES, TorqueKind};

/// Everything that `tumble study` takes by name.
pub(crate) fn list() -> String {
    let mut text = String::new();
    section(&mut text, "Problems (--problem)", PRESETS.iter().map(|p| (p.name.into(), p.description.into())));
    section(
        &mut text,
        "Torques (--torque), with their defaults",
        TORQUES.iter().map(|kind| (kind.usage(), torque_description(kind))),
    );
    section(
        &mut text,
        "Groups of schemes (--schemes)",
        GROUPS.iter().map(|group| (group.name.into(), group.description.into())),
    );
    text.push_str("\nSingle schemes are listed by `tumble schemes`.\n");
    text
}

/// The end of `tumble study --help`.
pub(crate) fn long_help() -> String {
    format!(
        "{}\n{}",
        "Examples:
  tumble study --problem dzhanibekov --duration 100
  tumble study --inertia 1,2,3 --omega 1,2,-1.5 --torque drag=0.2 --duration 10
  tumble study --torque body=0.5,0,0.1 --schemes \"spiral-paper,magnus-leapfrog\" --dt 1e-4:1e-1:5
  tumble study --format markdown --out my-results
",
        harmless(&list())
    )
}

fn torque_description(kind: &TorqueKind) -> String {
    let parameter = |p: &tumble_study::Parameter| {
        let components = if p.default.len() == 3 { " x,y,z" } else { "" };
        format!("{}{components} in {}", p.name, p.unit)
    };
    let parameters: Vec<String> = kind.parameters.iter().map(parameter).collect();
    if parameters.is_empty() {
        kind.description.into()
    } else {
        format!("{}; {}", kind.description, parameters.join(", "))
    }
}

fn section(text: &mut String, title: &str, entries: impl Iterator<Item = (String, String)>) {
    if !text.is_empty() {
        text.push('\n');
    }
    let entries: Vec<(String, String)> = entries.collect();
    let width = entries.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let _ = writeln!(text, "{}", heading(title));
    for (name, description) in entries {
        let mut lines = wrapped(&description, LINE - width - 4).into_iter();
        let _ = writeln!(text, "  {name:width$}  {}", lines.next().unwrap_or_default());
        for line in lines {
            let _ = writeln!(text, "  {:width$}  {line}", "");
        }
    }
}

/// The length of lines in help texts; clap would break longer ones without indentation.
const LINE: usize = 98;

/// Text in lines of at most `length` letters.
fn wrapped(text: &str, length: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].chars().count() + 1 + word.chars().count() <= length {
            lines[last].push(' ');
            lines[last].push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
