//! `tumble export`: the motion of a run, or its bodies at the end, in one file of another format. The ending of the file says which.

#[cfg(feature = "vtkhdf")]
mod vtkhdf;

use crate::failure::Failure;
use crate::values::{self, plain, unknown};
use crate::{output, results};
use clap::Args;
use std::path::{Path, PathBuf};
use tumble::Predecessor;
use tumble::output::vtk::Piece;
use tumble::output::{Part, ResultFolder, write_stream};

const EXAMPLES: &str = "\
Examples:
  tumble export results/chess chess.vtkhdf           all spheres at all times, for ParaView
  tumble export results/drum drum.vtkhdf --what walls
  tumble export results/drum drum.vtkhdf --force     replaces the file
  tumble export results/settled bodies.csv           all bodies, as scenes read them by csv =
  tumble export results/settled -                    the same to the standard output

Bodies are those of the newest checkpoint, or of the one that is named, with every digit.

The motion is that of trajectory.tumble, also of a run that is under way or was interrupted; the
key output.trajectory of the scene says how often it is written. The program must have been built
with `--features vtkhdf` and the HDF5 library for it.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A folder of results, or a trajectory or a checkpoint alone
    #[arg(value_name = "RESULT")]
    results: PathBuf,

    /// The file to write: NAME.vtkhdf for the motion, NAME.csv or - for the bodies at the end
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What of the motion: spheres, bodies, contacts or walls [default: spheres]
    #[arg(
        long,
        value_name = "WHAT",
        value_parser = values::named(piece, piece_names),
        hide_possible_values = true
    )]
    what: Option<Piece>,

    /// Replace a file of that name
    #[arg(long)]
    force: bool,

    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let file = options.file.display();
    let is_csv = options.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    if is_csv || options.file == Path::new("-") {
        return write_bodies(options);
    }
    if !options.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vtkhdf")) {
        return Err(Failure::BadInput(format!(
            "{file}: the ending of the file says its format: .vtkhdf for the motion, .csv for the bodies at the end"
        )));
    }
    let trajectory = trajectory(&options.results)?;
    check_file(options)?;
    convert(&trajectory, options)
}

/// Whether the file may be written.
fn check_file(options: &Options) -> Result<(), Failure> {
    let file = options.file.display();
    if options.file.is_dir() {
        return Err(Failure::BadInput(format!("{file}: there is a folder of that name; name a file")));
    }
    if options.file.exists() && !options.force {
        return Err(Failure::BadInput(format!(
            "{file} exists; choose another name, or add --force to replace it"
        )));
    }
    Ok(())
}

/// Writes the bodies of a checkpoint as a table that scenes read.
fn write_bodies(options: &Options) -> Result<(), Failure> {
    if options.what.is_some() {
        return Err(Failure::BadInput("--what is for the motion; a table has the bodies at the end".into()));
    }
    let run = Predecessor::read(&options.results)?;
    let (names, bodies) = run.bodies()?;
    if options.file == Path::new("-") {
        let mut text = Vec::new();
        tumble::write_bodies(&mut text, &names, &bodies)?;
        return output::print(&String::from_utf8_lossy(&text));
    }
    check_file(options)?;
    write_stream(&options.file, |out| tumble::write_bodies(out, &names, &bodies))?;
    if !options.quiet {
        let (count, file, time) = (bodies.len(), options.file.display(), run.checkpoint().time);
        output::print(&format!("{count} bodies at t = {time:.6} s in {file}\n"))?;
    }
    Ok(())
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
