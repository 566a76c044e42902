//! `tumble info`: what a file or folder holds. The contents decide what it is, not its name; a new kind of file
//! is a file here and a line in [`KINDS`].

mod checkpoint;
mod clump;
mod folder;
mod mesh;
mod report;

use crate::failure::Failure;
use crate::output;
use crate::values;
use clap::Args;
use report::Report;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use tumble::output::plain;

const EXAMPLES: &str = "\
Examples:
  tumble info results/chess                          a run in numbers, and its files
  tumble info results/chess/checkpoints/checkpoint_000000010310.tumble
  tumble info knight.csv                             volume and moments of inertia over the density
  tumble info knight.csv --density 2500 --scale 1e-3 in kg and kg m², the file being in millimetres
  tumble info hopper.stl                             triangles, holes, bounds
  tumble info knight.csv --json | jq .union.volume_m3";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A folder of results, a checkpoint, a clump (x, y, z, radius in any of the known formats) or an STL mesh
    #[arg(value_name = "PATH")]
    file: PathBuf,

    /// Density of a clump, kg/m³ or with a unit such as "2.5 g/cm^3": gives masses instead of volumes
    #[arg(long, value_name = "KG/M³", allow_hyphen_values = true, value_parser = values::density)]
    density: Option<f64>,

    /// How long a unit of length of the file is, in metres or with a unit such as "1 mm"
    #[arg(
        long,
        value_name = "METRES",
        default_value = "1",
        allow_hyphen_values = true,
        value_parser = values::length
    )]
    scale: f64,

    /// Print JSON, every digit
    #[arg(long)]
    json: bool,
}

/// A kind of file.
struct Kind {
    what: &'static str,
    /// Whether this looks like one.
    is: fn(&Subject) -> bool,
    report: fn(&Subject, &Options) -> Result<Report, Failure>,
}

/// Every kind. The first that recognises a file reads it; text that is nothing else may be a clump.
const KINDS: &[Kind] = &[folder::KIND, checkpoint::KIND, mesh::KIND, clump::KIND];

/// What is looked at.
struct Subject<'a> {
    path: &'a Path,
    /// How it begins; empty for a folder.
    head: Vec<u8>,
    length: u64,
    is_folder: bool,
}

/// Enough to tell any kind of file.
const HEAD: u64 = 1024;

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let subject = Subject::open(&options.file)?;
    let Some(kind) = KINDS.iter().find(|kind| (kind.is)(&subject)) else {
        let known: Vec<&str> = KINDS.iter().map(|kind| kind.what).collect();
        let what = if subject.is_folder { "a folder, and not one of results" } else { "of no known kind" };
        return Err(Failure::BadInput(format!(
            "{}: {what}; what can be told about: {}",
            options.file.display(),
            known.join(", ")
        )));
    };
    if subject.has_extension("toml") {
        let shown = options.file.display();
        return Err(Failure::BadInput(format!(
            "{shown} looks like a scene: `tumble check {shown}` tells about it"
        )));
    }
    let report = (kind.report)(&subject, options)?;
    output::print(&if options.json { report.to_json() } else { report.to_text() })
}

impl<'a> Subject<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let unreadable =
            |error: std::io::Error| Failure::BadInput(format!("{}: cannot be read: {error}", path.display()));
        let metadata = path.metadata().map_err(unreadable)?;
        let mut head = Vec::new();
        if !metadata.is_dir() {
            let file = plain::open(path).map_err(|error| Failure::BadInput(error.to_string()))?;
            file.take(HEAD).read_to_end(&mut head).map_err(unreadable)?;
        }
        Ok(Self { path, head, length: metadata.len(), is_folder: metadata.is_dir() })
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn has_extension(&self, extension: &str) -> bool {
        self.path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
    }
}
