//! The command line of Tumble.
//!
//! | where | what |
//! | --- | --- |
//! | `args`, `commands` | the command line, declared once; one file or folder per command |
//! | `values`, `scene_file` | values of options; a scene, and keys set on the command line |
//! | `output`, `number`, `failure` | what is printed; why the program ends, and its exit code |
//! | `launch`, `team` | whether it was launched several times; processes that share a run |
//! | `memory`, `kernels` | whether a scene fits; where compiled kernels are kept |
//! | `results` | what a run left, to be looked at |
//! | [`progress`], [`signals`], [`terminal_plot`] | what a person sees of a long run, and how they end it |
//! | [`sweep`] | parameter studies: cases, their ledger, workers |
//!
//! Completions, man pages and help come from the same [`command`].

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform"))]

mod args;
mod commands;
mod failure;
mod kernels;
mod launch;
mod memory;
mod number;
mod output;
pub mod progress;
mod results;
mod scene_file;
pub mod signals;
pub mod sweep;
#[cfg(feature = "mpi")]
mod team;
pub mod terminal_plot;
mod values;

pub use args::command;
pub use commands::laws::tables as law_tables;

use args::{Arguments, Command};
use clap::FromArgMatches as _;
use failure::{Exit, Failure};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Instant;

/// The program: reads the arguments of the process, does what they say, and tells how it went.
pub fn main() -> ExitCode {
    started();
    let matches = command().get_matches();
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    match run(arguments) {
        // A closed output: whoever reads it has seen enough, as with `tumble schemes | head`.
        Ok(()) | Err(Failure::OutputClosed) => Exit::Success.into(),
        Err(failure) => {
            output::complain(&failure);
            failure.exit().into()
        }
    }
}

/// When the program was started.
fn started() -> Instant {
    static STARTED: OnceLock<Instant> = OnceLock::new();
    *STARTED.get_or_init(Instant::now)
}

fn run(arguments: Arguments) -> Result<(), Failure> {
    if let Some(launch) = launch::of_several() {
        return match arguments.command {
            #[cfg(feature = "mpi")]
            Some(Command::Run(options)) => commands::run::together(&options),
            #[cfg(feature = "mpi")]
            Some(Command::Sweep(options)) => commands::sweep::together(&options),
            _ => Err(launch.refuse()),
        };
    }
    match arguments.command {
        None => commands::run::demo(&arguments.settings),
        Some(Command::Run(options)) => commands::run::run(&options),
        Some(Command::Check(options)) => commands::check::run(&options),
        Some(Command::Clump(options)) => commands::clump::run(&options),
        Some(Command::Advise(options)) => commands::advise::run(&options),
        Some(Command::View(options)) => commands::view::run(&options),
        Some(Command::Sweep(options)) => commands::sweep::run(&options),
        Some(Command::Schema(options)) => commands::schema::run(&options),
        Some(Command::New(options)) => commands::new::run(&options),
        Some(Command::Info(options)) => commands::info::run(&options),
        Some(Command::Export(options)) => commands::export::run(&options),
        Some(Command::Report(options)) => commands::report::run(&options),
        Some(Command::Study(options)) => commands::study::run(*options),
        Some(Command::Verify(options)) => commands::verify::run(&options),
        Some(Command::Reproduce(options)) => commands::reproduce::run(&options),
        Some(Command::Bench(options)) => commands::bench::run(&options),
        Some(Command::Schemes(options)) => commands::schemes::run(&options),
        Some(Command::Laws(options)) => commands::laws::run(&options),
        Some(Command::Completions(options)) => commands::completions::run(&options),
        Some(Command::Man(options)) => commands::man::run(&options),
    }
}
