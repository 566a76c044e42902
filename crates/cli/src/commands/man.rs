//! `tumble man`: manual pages, made from the same definition as the help.

use crate::args;
use crate::failure::Failure;
use crate::output;
use clap::Args;
use clap_mangen::Man;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tumble man | man -l -                              read it
  tumble man --out ~/.local/share/man/man1           install the pages of all commands";

/// Stands at the foot of a page.
const SOURCE: &str = concat!("tumble ", env!("CARGO_PKG_VERSION"));

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Write the pages of all commands into this folder; pages of the same name are replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    match &options.out {
        None => output::print(&page(args::command())),
        Some(folder) => write_all(folder),
    }
}

fn write_all(folder: &Path) -> Result<(), Failure> {
    let program = args::command();
    let mut count = 1;
    tumble_report::save(folder, "tumble.1", &page(program.clone()))?;
    for command in program.get_subcommands() {
        let name = format!("tumble-{}", command.get_name());
        // The synopsis has a blank where the name of the page has a hyphen.
        let usage = format!("tumble {}", command.get_name());
        let command = command.clone().name(name.clone()).bin_name(usage);
        tumble_report::save(folder, &format!("{name}.1"), &page(command))?;
        count += 1;
    }
    output::print(&format!("{count} pages written to {}\n", folder.display()))
}

fn page(command: clap::Command) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = Man::new(command).manual("Tumble").source(SOURCE).render(&mut text);
    // Examples keep their lines.
    let text = String::from_utf8_lossy(&text);
    text.replace(".SH EXTRA\n", ".SH NOTES\n.nf\n").replace("\n.SH VERSION\n", "\n.fi\n.SH VERSION\n")
}
