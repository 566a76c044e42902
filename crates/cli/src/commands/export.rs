//! `tumble export`: the motion of a run in one file of another format. The ending of the file says which.

#[cfg(feature = "vtkhdf")]
mod vtkhdf;

use crate::failure::Failure;
use crate::results;
use crate::values::{self, plain, unknown};
use clap::Args;
use std::path::{Path, PathBuf};
use tumble::output::vtk::Piece;
use tumble::output::{Part, ResultFolder};

const EXAMPLES: &str = "\
Examples:
  tumble export results/chess chess.vtkhdf           all spheres at all times, for ParaView
  tumble export results/drum drum.vtkhdf --what walls
  tumble export results/drum drum.vtkhdf --force     replaces the file

The motion is that of trajectory.tumble, also of a run that is under way or was interrupted; the
key output.trajectory of the scene says how often it is written. The program must have been built
with `--features vtkhdf` and the HDF5 library.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A folder of results, or a trajectory alone
    #[arg(value_name = "RESULT")]
    results: PathBuf,

    /// The file to write: NAME.vtkhdf
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What of the motion: spheres, bodies, contacts or walls
    #[arg(
        long,
        value_name = "WHAT",
        default_value = Piece::Spheres.name(),
        value_parser = values::named(piece, piece_names),
        hide_possible_values = true
    )]
    what: Piece,

    /// Replace a file of that name
    #[arg(long)]
    force: bool,

    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let file = options.file.display();
    if !options.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vtkhdf")) {
        return Err(Failure::BadInput(format!(
            "{file}: the ending of the file says its format, and the one that is known is .vtkhdf"
        )));
    }
    let trajectory = trajectory(&options.results)?;
    if options.file.is_dir() {
        return Err(Failure::BadInput(format!("{file}: there is a folder of that name; name a file")));
    }
    if options.file.exists() && !options.force {
        return Err(Failure::BadInput(format!(
            "{file} exists; choose another name, or add --force to replace it"
        )));
    }
    convert(&trajectory, options)
}

#[cfg(feature = "vtkhdf")]
use vtkhdf::convert;

#[cfg(not(feature = "vtkhdf"))]
fn convert(_: &Path, _: &Options) -> Result<(), Failure> {
    Err(Failure::BadInput(
        "this program was built without VTKHDF, which needs the HDF5 library: install that (Debian: apt-get \
         install libhdf5-dev), then build with `cargo build --release --features vtkhdf`"
            .into(),
    ))
}

/// The trajectory in a folder of results, or the path itself.
fn trajectory(results: &Path) -> Result<PathBuf, Failure> {
    let shown = results.display();
    let problem = |what: String| Err(Failure::BadInput(format!("{shown}: {what}")));
    if results.is_file() {
        return Ok(results.to_owned());
    }
    if !results.exists() {
        return problem("there is no such folder".into());
    }
    if !ResultFolder::is_one(results) {
        return problem("this is not a folder of results, such as `tumble run` leaves".into());
    }
    let path = results::part(results, Part::Trajectory);
    if path.exists() {
        return Ok(path);
    }
    problem(format!(
        "there is no {}: run the scene again with --set output.trajectory=true",
        Part::Trajectory.name()
    ))
}

fn piece(text: &str) -> Result<Piece, String> {
    let found = exported().find(|piece| piece.name() == plain(text));
    found.ok_or_else(|| unknown("part of the motion", text, piece_names().into_iter()))
}

fn piece_names() -> Vec<&'static str> {
    exported().map(Piece::name).collect()
}

/// All but chains: a trajectory does not tell which bodies touch.
fn exported() -> impl Iterator<Item = Piece> {
    Piece::ALL.into_iter().filter(|piece| *piece != Piece::Chains)
}
