//! The options of `tumble reproduce`.

use crate::output::Format;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tumble reproduce                       everything, shortened: minutes
  tumble reproduce --list                what there is
  tumble reproduce spiral/table2         one table
  tumble reproduce pcdm seelen           two papers
  tumble reproduce --full                the published settings: hours, on all threads
  tumble reproduce spiral/fig7 --full --out chess    one figure, elsewhere
  tumble reproduce --full --finished     a report on what is finished so far
  tumble reproduce --full --publish papers/full      report and data to commit

Finished runs are kept in the folder of results: the same command goes on after Ctrl-C, a crash or
a power cut, and --force begins anew. The report shows the entries of the last command. The exit
code is 3 if a number lies outside its stated band.";

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Tables and figures as in --list, or papers, such as `spiral`; everything if none is given
    #[arg(value_name = "ID|PAPER")]
    pub(crate) ids: Vec<String>,

    /// Minutes instead of hours: fewer starts, shorter times, longer time steps [default]
    #[arg(long, conflicts_with = "full")]
    pub(crate) quick: bool,

    /// The published settings
    #[arg(long)]
    pub(crate) full: bool,

    /// Folder for report, figures, data and finished runs [default: results/reproduce, with --full
    /// results/reproduce-full]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Compute no runs: report on those that are finished. Means over random starts go over the
    /// starts that are there, if there are three; an entry that lacks other runs is left out
    #[arg(long, conflicts_with = "force")]
    pub(crate) finished: bool,

    /// Write report, data and a README about machine and time to DIR, to be committed, instead of
    /// the folder of results. With --finished, runs may still be computed by another command
    #[arg(long, value_name = "DIR")]
    pub(crate) publish: Option<PathBuf>,

    /// Compute finished runs again
    #[arg(long)]
    pub(crate) force: bool,

    /// Runs at a time; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    pub(crate) threads: u16,

    /// Write the files, print nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// List the tables and figures
    #[arg(long)]
    pub(crate) list: bool,
}

impl Options {
    /// What is computed, as a command.
    pub(crate) fn command(&self) -> String {
        let ids = self.ids.iter().map(String::as_str);
        let flags = [(self.full, "--full"), (self.finished, "--finished")];
        let flags = flags.into_iter().filter_map(|(given, flag)| given.then_some(flag));
        ["tumble", "reproduce"].into_iter().chain(ids).chain(flags).collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn folder(&self) -> PathBuf {
        let default = if self.full { "results/reproduce-full" } else { "results/reproduce" };
        self.out.clone().unwrap_or_else(|| default.into())
    }
}
