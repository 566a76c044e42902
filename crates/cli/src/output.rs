//! What the program prints. Colours vanish when the output is not a terminal.

use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use clap::builder::Styles;
use std::io::{IsTerminal as _, Write as _};
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

/// Prints to standard output.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
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
    format!("{BOLD}{text}{BOLD:#}")
}

/// Text that stands back.
pub(crate) fn dim(text: &str) -> String {
    format!("{DIM}{text}{DIM:#}")
}

/// What is as it should be.
pub(crate) fn good(text: &str) -> String {
    format!("{GOOD}{text}{GOOD:#}")
}

/// What is not.
pub(crate) fn bad(text: &str) -> String {
    format!("{ERROR}{text}{ERROR:#}")
}

/// The name of a command or option.
pub(crate) fn name(text: &str) -> String {
    format!("{NAME}{text}{NAME:#}")
}

/// Tells a waiting person what is going on; a log file has no use for it.
pub(crate) fn progress(text: &str) {
    if std::io::stderr().is_terminal() {
        // A message that cannot be shown must not stop the work.
        let _ = writeln!(anstream::stderr(), "{}", dim(text));
    }
}

/// Says what a person may want to know.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{BOLD}note:{BOLD:#} {text}");
}

/// Says what a person should know though the work goes on.
pub(crate) fn warn(text: &str) {
    let _ = writeln!(anstream::stderr(), "{WARNING}warning:{WARNING:#} {text}");
}

/// Shows what is odd about a scene, in the manner of a compiler.
pub(crate) fn show_problems(problems: &Diagnostics) {
    let _ = writeln!(anstream::stderr(), "{}", problems.render(true).trim_end());
}

/// Says why the program ends.
pub(crate) fn complain(failure: &Failure) {
    let mut stderr = anstream::stderr();
    let _ = match failure {
        Failure::BadScene(None) => Ok(()),
        Failure::BadScene(Some(problems)) => return show_problems(problems),
        Failure::Interrupted(text) => writeln!(stderr, "{WARNING}interrupted:{WARNING:#} {text}"),
        _ => writeln!(stderr, "{ERROR}error:{ERROR:#} {failure}"),
    };
}
