//! What the program prints. Colours vanish when the output is not a terminal.

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::Styles;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{IsTerminal as _, Write as _};
use std::sync::OnceLock;
use tumble::scene::Diagnostics;
use tumble_report::Table;

/// How tables are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns
    #[default]
    Text,
    /// Comma-separated values, every digit
    Csv,
    /// A Markdown table
    Markdown,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const NAME: Style = AnsiColor::Cyan.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The colours of the help and of the parser's messages.
pub(crate) const HELP: Styles = Styles::styled()
    .header(BOLD)
    .usage(BOLD)
    .literal(NAME)
    .placeholder(DIM)
    .error(ERROR)
    .valid(AnsiColor::Green.on_default())
    .invalid(AnsiColor::Yellow.on_default());

/// What stands for the beginning of a colour of our own until it is printed. No file that is read can know it, so that colours in titles,
/// names and messages of other programs are told from ours.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("\u{1b}{:016x}[", RandomState::new().build_hasher().finish()))
}

/// Text whose colours are our own: [`harmless`] lets them pass. What is not ours in it has been made harmless already.
pub(crate) fn own(text: &str) -> String {
    text.replace("\u{1b}[", mark())
}

/// Text in a style of our own.
fn styled(style: Style, text: &str) -> String {
    let [begin, end] = [style.render().to_string(), style.render_reset().to_string()].map(|code| own(&code));
    format!("{begin}{text}{end}")
}

/// Text with nothing in it that commands a terminal but line breaks, tabs and colours of our own: names of files, titles of runs
/// and messages of other programs may have anything in them. Those are shown as they are written in TOML.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let turns = |letter: char| matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_harmful = |letter: char| (letter.is_control() && !matches!(letter, '\n' | '\t')) || turns(letter);
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(at) = rest.find(is_harmful) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix(mark()) {
            out.push_str("\u{1b}[");
            rest = after;
            continue;
        }
        let (piece, after) = rest.split_at(rest.chars().next().map_or(rest.len(), char::len_utf8));
        for letter in piece.chars() {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04X}", u32::from(letter));
        }
        rest = after;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Prints to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(harmless(text).as_bytes())?;
    Ok(out.flush()?)
}

/// A table in the wanted format, its title and header standing out in a terminal.
pub(crate) fn table(table: &Table, format: Format) -> String {
    match format {
        Format::Csv => table.to_csv(),
        Format::Markdown => table.to_markdown(),
        Format::Text => {
            let text = table.to_text();
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let header = if table.title.is_empty() { 0 } else { 2 };
            for line in lines.iter_mut().take(header + 1) {
                *line = if line.is_empty() { String::new() } else { heading(line) };
            }
            if let Some(rule) = lines.get_mut(header + 1) {
                *rule = dim(rule);
            }
            lines.join("\n") + "\n"
        }
    }
}

/// Text that stands out.
pub(crate) fn heading(text: &str) -> String {
    styled(BOLD, text)
}

/// Text that stands back.
pub(crate) fn dim(text: &str) -> String {
    styled(DIM, text)
}

/// What is as it should be.
pub(crate) fn good(text: &str) -> String {
    styled(GOOD, text)
}

/// What is not.
pub(crate) fn bad(text: &str) -> String {
    styled(ERROR, text)
}

/// The name of a command or option.
pub(crate) fn name(text: &str) -> String {
    styled(NAME, text)
}

/// Tells a waiting person what is going on; a log file has no use for it.
pub(crate) fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        // A message that cannot be shown must not stop the work.
        let _ = writeln!(anstream::stderr(), "{}", harmless(&dim(text)));
    }
}

/// Says what a person may want to know.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{BOLD}note:{BOLD:#} {}", harmless(text));
}

/// Says what a person should know though the work goes on.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}warning:{WARNING:#} {}", harmless(text));
}

/// Shows what is odd about a scene, in the manner of a compiler.
pub(crate) fn show_problems(problems: &Diagnostics) {
    let _ = writeln!(anstream::stderr(), "{}", harmless(own(&problems.render(true)).trim_end()));
}

/// Says why the program ends.
pub(crate) fn complain(failure: &Failure) {
    let mut stderr = anstream::stderr();
    let _ = match failure {
        Failure::BadScene(None) | Failure::Said(_) => Ok(()),
        Failure::BadScene(Some(problems)) => return show_problems(problems),
        Failure::Interrupted(text) | Failure::ToResume(text) => {
            writeln!(stderr, "{WARNING}interrupted:{WARNING:#} {}", harmless(text))
        }
        _ => writeln!(stderr, "{ERROR}error:{ERROR:#} {}", harmless(&failure.to_string())),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_our_own_colours_commands_a_terminal() {
        let cases = [
            ("plain text\n\tß 漢", "plain text\n\tß 漢"),
            ("\u{1b}[1mbold\u{1b}[0m", "\\u001B[1mbold\\u001B[0m"),
            ("a\u{1b}]0;owned\u{7}b", "a\\u001B]0;owned\\u0007b"),
            ("\u{1b}[2J\u{1b}[31;1mred", "\\u001B[2J\\u001B[31;1mred"),
            ("\u{9b}31mred", "\\u009B31mred"),
            ("over\rwritten\u{8}", "over\\u000Dwritten\\u0008"),
            ("gnp\u{202e}fdp.exe\u{2066}", "gnp\\u202Efdp.exe\\u2066"),
            ("\u{9b}2J\u{1b}", "\\u009B2J\\u001B"),
        ];
        for (text, shown) in cases {
            assert_eq!(harmless(text), shown);
        }
        let title = heading("a \u{1b}[7mtitle");
        assert_eq!(harmless(&title), "\u{1b}[1ma \\u001B[7mtitle\u{1b}[0m");
        assert_eq!(harmless(&own("\u{1b}[36mplot\u{1b}[0m")), "\u{1b}[36mplot\u{1b}[0m");
    }
}
