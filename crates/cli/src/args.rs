//! The command line.

use crate::output::Format;
use crate::values::{self, Schemes, TimeSteps};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use tumble_rotation::math::{BodyVec, Quat};
use tumble_rotation::{PrincipalInertia, SchemeKind};
use tumble_study::{Preset, Torque};

/// Compares rotation schemes for rigid bodies
///
/// Without a command, all schemes are compared on the cylinder of the SPIRAL paper: a table is printed,
/// figures and data go to results/study.
#[derive(Debug, Parser)]
#[command(name = "tumble", version, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const AFTER_HELP: &str = "\
Examples:
  tumble                                          compare all schemes
  tumble study --problem heavy-top                where the torque depends on the orientation
  tumble study --schemes spiral-leapfrog,omelyan --dt 1e-4:1e-1:5
  tumble study --reproduce spiral/fig2            a figure of a paper, computed again
  tumble schemes                                  what is known about each scheme
  tumble schemes magnus-leapfrog --cuda double    the scheme as CUDA C

Exit codes:
  0  success
  1  something failed on the way: a file could not be written, or no scheme could follow the motion
  2  bad input
  3  published values were not reproduced (study --reproduce)";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Integrate a problem with several schemes and compare errors and cost
    Study(Box<StudyOptions>),
    /// List the schemes, or tell everything about one
    Schemes(SchemesOptions),
}

/// Integrate a problem with several schemes and compare errors and cost
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "independent flags")]
#[command(after_help = STUDY_AFTER_HELP, after_long_help = crate::catalogue::long_help())]
pub(crate) struct StudyOptions {
    /// A built-in problem; the options below change it
    #[arg(long, value_name = "NAME", default_value = "spiral-cylinder", value_parser = values::problem)]
    pub(crate) problem: &'static Preset,

    /// Principal moments of inertia, kg m²
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::inertia)]
    pub(crate) inertia: Option<PrincipalInertia<f64>>,

    /// Body angular velocity at t = 0, rad/s
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = values::omega)]
    pub(crate) omega: Option<BodyVec<f64>>,

    /// Orientation at t = 0, body to lab; scaled to unit length
    #[arg(long, value_name = "W,X,Y,Z", allow_hyphen_values = true, value_parser = values::orientation)]
    pub(crate) orientation: Option<Quat<f64>>,

    /// What drives the body, with its numbers in the order of --list
    #[arg(long, value_name = "NAME[=NUMBERS]", value_parser = values::torque)]
    pub(crate) torque: Option<Torque>,

    /// How long, s
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = values::positive)]
    pub(crate) duration: Option<f64>,

    /// Schemes or groups of them, separated by commas
    #[arg(long, value_name = "NAMES", default_value = "all", value_parser = values::schemes)]
    pub(crate) schemes: Schemes,

    /// Time steps, s: a list, or SMALLEST:LARGEST[:PER-DECADE]; by default what resolves the motion
    #[arg(long, value_name = "STEPS", allow_hyphen_values = true, value_parser = values::time_steps)]
    pub(crate) dt: Option<TimeSteps>,

    /// Find the time step that each scheme needs for this mean error of q and ω
    #[arg(
        long,
        value_name = "ERROR",
        default_value = "1e-5",
        allow_hyphen_values = true,
        value_parser = values::positive
    )]
    pub(crate) target: f64,

    /// Folder for figures and data [default: results/study, or results/papers with --reproduce]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Write into --out even if there is something in it; files of the same name are replaced
    #[arg(long)]
    pub(crate) force: bool,

    /// Write the files, print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// How the table is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// List problems, torques, groups of schemes, and the tables and figures of papers
    #[arg(long)]
    pub(crate) list: bool,

    /// Compute tables and figures of papers again: ids as in --list, a paper, or `all`
    #[arg(
        long,
        value_name = "ID",
        num_args = 1..,
        conflicts_with_all = [
            "problem", "inertia", "omega", "orientation", "torque", "duration", "schemes", "dt", "target",
        ]
    )]
    pub(crate) reproduce: Vec<String>,

    /// With --reproduce: seconds instead of minutes, leaving out the smallest time steps
    #[arg(long, requires = "reproduce")]
    pub(crate) quick: bool,
}

/// The floating-point type of printed CUDA C.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CudaReal {
    /// f32
    Float,
    /// f64
    Double,
}

const STUDY_AFTER_HELP: &str = "\
Problems, torques and papers are listed by `tumble study --list`; examples by --help, exit codes by `tumble --help`.";

#[derive(Debug, Args)]
pub(crate) struct SchemesOptions {
    /// The scheme to tell everything about
    #[arg(value_name = "NAME", value_parser = values::scheme)]
    pub(crate) name: Option<SchemeKind>,

    /// Print the scheme as CUDA C instead, for this type of number
    #[arg(long, value_enum, value_name = "TYPE", requires = "name")]
    pub(crate) cuda: Option<CudaReal>,

    /// How the table is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
