//! `cargo xtask test`: the checks, in the order in which they fail fastest.

use crate::{
    Failure, cargo, documented_crates, documented_paths, documented_tests, features, generate, listed_tests,
    package, vectorised, viewer, vtk, vtkhdf,
};
use std::process::Command;

pub(crate) fn run() -> Result<(), Failure> {
    needs("cc", &["--version"], "the tests compile the C that kernels print: apt-get install gcc")?;
    needs("cargo", &["fmt", "--version"], "rustup component add rustfmt")?;
    needs("cargo", &["clippy", "--version"], "rustup component add clippy")?;

    let deny = ("RUSTFLAGS", "-D warnings");
    let features = features::of_every_clone()?;
    let workspace = ["--workspace", "--features", &features];
    step("format", cargo(&["fmt", "--all", "--check"]))?;
    step("paths named in documents", documented_paths::check)?;
    step("tests and commands named in documents", documented_tests::check)?;
    step("crates named in documents", documented_crates::check)?;
    step("tests are listed", listed_tests::check)?;
    // Lints are denied here and not by RUSTFLAGS, which would build everything twice.
    step(
        "lints",
        cargo(&[&["clippy"], &workspace[..], &["--all-targets", "--", "-D", "warnings"]].concat()),
    )?;
    for package in ["tumble-math", "tumble-rotation"] {
        let arguments =
            ["check", "--package", package, "--no-default-features", "--target-dir", "target/no-std"];
        step(&format!("{package} without std"), cargo(&arguments).env(deny.0, deny.1))?;
    }
    step(
        "documentation",
        cargo(&[&["doc"], &workspace[..], &["--no-deps"]].concat()).env("RUSTDOCFLAGS", deny.1),
    )?;
    // The same random cases in every run; without the variable each run of a test has its own.
    let seeded = ("PROPTEST_RNG_SEED", "20261115");
    step("tests", cargo(&[&["test"], &workspace[..]].concat()).env(seeded.0, seeded.1))?;
    step("VTKHDF", vtkhdf::check)?;
    step("files for ParaView, read with VTK", vtk::check)?;
    step("the Python package", || package::check(&package::Options::default()))?;
    step("the page of the viewer", viewer::check)?;
    step("generated files", || generate::run(generate::Mode::Check))?;
    step("vectorisation", vectorised::run)?;
    println!("\nAll checks passed.");
    Ok(())
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

fn step(name: &str, check: impl Check) -> Result<(), Failure> {
    println!("\n── {name}");
    check.check().map_err(|failure| format!("{name}: {failure}").into())
}

fn needs(program: &str, arguments: &[&str], remedy: &str) -> Result<(), Failure> {
    let found = Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success());
    if found {
        Ok(())
    } else {
        Err(format!("`{program} {}` does not run; {remedy}", arguments.join(" ")).into())
    }
}
