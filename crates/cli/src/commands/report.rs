//! `tumble report`: the page of a run, made again from its folder.

use crate::failure::Failure;
use crate::output;
use clap::Args;
use std::path::PathBuf;
use tumble::report;

const EXAMPLES: &str = "\
Examples:
  tumble report results/chess                  writes results/chess/report.html
  tumble report results/*                      those of all runs

`tumble run` writes the same page when it ends. It is one file that needs nothing else: energies,
contacts, forces on walls and time spent, as plots, and a picture of the bodies at the end.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Folders of results
    #[arg(value_name = "FOLDER", required = true)]
    folders: Vec<PathBuf>,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    for folder in &options.folders {
        let path = report::write(folder)?;
        if !options.quiet {
            output::print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}
