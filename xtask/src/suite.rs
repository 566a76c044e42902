//! `cargo xtask test`: the checks, in the order in which they fail fastest.

use crate::{
    Failure, cargo, documented_crates, documented_paths, documented_tests, features, generate, listed_tests,
    mpi, package, vectorised, viewer, vtk, vtkhdf,
};
use std::process::Command;

/// All steps, or those whose names contain one of the words.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let mut steps = Steps { words, names: Vec::new(), done: 0 };
    needs("cc", &["--version"], "the tests compile the C that kernels print: apt-get install gcc")?;
    needs("cargo", &["fmt", "--version"], "rustup component add rustfmt")?;
    needs("cargo", &["clippy", "--version"], "rustup component add clippy")?;

    let deny = ("RUSTFLAGS", "-D warnings");
    let features = features::of_every_clone()?;
    let workspace = ["--workspace", "--features", &features];
    steps.step("format", cargo(&["fmt", "--all", "--check"]))?;
    steps.step("paths named in documents", documented_paths::check)?;
    steps.step("tests and commands named in documents", documented_tests::check)?;
    steps.step("crates named in documents", documented_crates::check)?;
    steps.step("tests are listed", listed_tests::check)?;
    // Lints are denied here and not by RUSTFLAGS, which would build everything twice.
    steps.step(
        "lints",
        cargo(&[&["clippy"], &workspace[..], &["--all-targets", "--", "-D", "warnings"]].concat()),
    )?;
    for package in ["tumble-math", "tumble-rotation"] {
        let arguments =
            ["check", "--package", package, "--no-default-features", "--target-dir", "target/no-std"];
        steps.step(&format!("{package} without std"), cargo(&arguments).env(deny.0, deny.1))?;
    }
    steps.step(
        "documentation",
        cargo(&[&["doc"], &workspace[..], &["--no-deps"]].concat()).env("RUSTDOCFLAGS", deny.1),
    )?;
    // The same random cases in every run; without the variable each run of a test has its own.
    let seeded = ("PROPTEST_RNG_SEED", "20261115");
    steps.step("tests", cargo(&[&["test"], &workspace[..]].concat()).env(seeded.0, seeded.1))?;
    steps.step("VTKHDF", vtkhdf::check)?;
    steps.step("MPI", mpi::check)?;
    steps.step("files for ParaView, read with VTK", vtk::check)?;
    steps.step("the Python package", || package::check(&package::Options::default()))?;
    steps.step("the page of the viewer", viewer::check)?;
    steps.step("generated files", || generate::run(generate::Mode::Check))?;
    steps.step("vectorisation", vectorised::run)?;
    steps.end()
}

/// The steps that are wanted.
struct Steps<'a> {
    words: &'a [&'a str],
    /// Those there are.
    names: Vec<String>,
    done: usize,
}

impl Steps<'_> {
    fn step(&mut self, name: &str, check: impl Check) -> Result<(), Failure> {
        self.names.push(name.to_owned());
        if !self.words.is_empty() && !self.words.iter().any(|word| name.contains(word)) {
            return Ok(());
        }
        self.done += 1;
        println!("\n── {name}");
        check.check().map_err(|failure| format!("{name}: {failure}").into())
    }

    fn end(self) -> Result<(), Failure> {
        if self.done == 0 {
            let names = self.names.join("\n  ");
            return Err(
                format!("no step is called like {}; there are\n  {names}", self.words.join(" or ")).into()
            );
        }
        if self.words.is_empty() {
            println!("\nAll checks passed.");
        } else {
            println!("\n{} of {} checks passed.", self.done, self.names.len());
        }
        Ok(())
    }
}

/// Something that can be checked: a command that must succeed, or a function.
trait Check {
    fn check(self) -> Result<(), Failure>;
}

impl Check for Command {
    fn check(mut self) -> Result<(), Failure> {
        (&mut self).check()
    }
}

impl Check for &mut Command {
    fn check(self) -> Result<(), Failure> {
        let status = self.status()?;
        if status.success() { Ok(()) } else { Err(format!("{self:?} failed ({status})").into()) }
    }
}

impl<F: FnOnce() -> Result<(), Failure>> Check for F {
    fn check(self) -> Result<(), Failure> {
        self()
    }
}

fn needs(program: &str, arguments: &[&str], remedy: &str) -> Result<(), Failure> {
    let found = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if found {
        Ok(())
    } else {
        Err(format!("`{program} {}` does not run; {remedy}", arguments.join(" ")).into())
    }
}
