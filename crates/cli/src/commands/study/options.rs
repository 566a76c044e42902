//! The options of `tumble study`.

use super::catalogue;
use crate::output::Format;
use crate::values::{self, Schemes, TimeSteps};
use clap::Args;
use std::path::PathBuf;
use tumble_rotation::PrincipalInertia;
use tumble_rotation::math::{BodyVec, Quat};
use tumble_study::{Preset, Torque};

/// Integrate a problem with several schemes and compare errors and cost
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, after_long_help = catalogue::long_help())]
pub(crate) struct Options {
    /// A built-in problem; the options below change it
    #[arg(
        long,
        value_name = "NAME",
        default_value = "spiral-cylinder",
        value_parser = values::named(values::problem, values::problem_names),
        hide_possible_values = true
    )]
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
    #[arg(
        long,
        value_name = "NAME[=NUMBERS]",
        value_parser = values::named(values::torque, values::torque_names),
        hide_possible_values = true
    )]
    pub(crate) torque: Option<Torque>,

    /// How long, s
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = values::positive)]
    pub(crate) duration: Option<f64>,

    /// Schemes or groups of them, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "all",
        value_parser = values::named(values::schemes, values::scheme_and_group_names),
        hide_possible_values = true
    )]
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

    /// Folder for figures and data [default: results/study]
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

    /// List problems, torques and groups of schemes
    #[arg(long)]
    pub(crate) list: bool,
}

const AFTER_HELP: &str = "\
Problems and torques are listed by `tumble study --list`; examples by --help, exit codes by
`tumble --help`. Tables and figures of papers are computed by `tumble reproduce`.";
