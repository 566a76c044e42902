//! What developers of Tumble run: `cargo xtask test`, `generate`, `python`, `vectorised`, `gpu` and `bench`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod documented_crates;
mod documented_paths;
mod documented_tests;
mod features;
mod generate;
mod golden;
mod gpu;
mod listed_tests;
mod mpi;
mod optional;
mod package;
mod python;
mod suite;
mod vectorised;
mod viewer;
mod vtk;
mod vtkhdf;

use std::process::ExitCode;

/// What went wrong, for a person to read.
type Failure = Box<dyn std::error::Error>;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test              everything that must hold: format, lints, docs, tests, files for ParaView, the Python package,
                    generated files, vectorisation
  test WORD...      only the steps whose names contain one of the words, such as `viewer`
  generate          writes the files that are made from the code: tables of schemes and contact laws, figures of
                    the book, fingerprints of the results (if they change, say so under Numerics in CHANGELOG.md)
  generate --check  only says which of them are out of date
  python            builds the Python package, and checks its tests, examples and types
         --release  the wheel as users get it: its size and the time of its import as well
         --interpreter PATH   runs the tests with another Python as well, such as python3.13; can be repeated
  vectorised        reads the assembly of the batch loops and contact laws and says how well each is vectorised
  gpu               what needs a graphics card: bits of every contact model, tests and example scenes on it, and
                    compute-sanitizer where it is installed
  bench [ARGS]      how fast the engine steps, in the release profile; --help lists scenes and options
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match &arguments[..] {
        ["test", words @ ..] => suite::run(words),
        ["generate"] => generate::run(generate::Mode::Write),
        ["generate", "--check"] => generate::run(generate::Mode::Check),
        ["python", options @ ..] => {
            package::Options::parse(options).and_then(|options| package::check(&options))
        }
        ["gpu"] => gpu::check(),
        ["vectorised"] => vectorised::run(),
        ["bench", options @ ..] => bench(options),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// `tumble bench` in the release profile; it has options of its own.
fn bench(options: &[&str]) -> Result<(), Failure> {
    let command = ["run", "--quiet", "--release", "--package", "tumble-cli", "--", "bench"];
    let status = cargo(&[&command[..], options].concat()).status()?;
    if status.success() { Ok(()) } else { Err(format!("the benchmark failed ({status})").into()) }
}

/// The root of the repository.
fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(std::path::Path::new("."))
}

/// A cargo command in the root of the repository.
fn cargo(arguments: &[&str]) -> std::process::Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = std::process::Command::new(program);
    command.args(arguments).current_dir(root());
    command
}
