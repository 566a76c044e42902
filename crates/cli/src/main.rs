//! `tumble`: compares rotation schemes on the command line.

mod args;
mod catalogue;
mod failure;
mod output;
mod reproduce;
mod schemes;
mod study;
mod values;

use args::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        None => study::run(study::defaults()),
        Some(Command::Study(options)) => study::run(*options),
        Some(Command::Schemes(options)) => schemes::run(&options),
    };
    match result {
        // A closed output: whoever reads it has seen enough, as with `tumble schemes | head`.
        Ok(()) | Err(Failure::OutputClosed) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure);
            failure.exit_code()
        }
    }
}
