//! The Python package: its wheel, built and installed as users do it, in an environment of its own under `target`; tests,
//! examples in the documentation, and types.

use crate::documented_paths::list;
use crate::python::{Environment, succeed, target};
use crate::{Failure, cargo, optional, root};
use std::path::{Path, PathBuf};
use std::process::Command;

const ENVIRONMENT: Environment = Environment {
    folder: "python-package",
    requirements: include_str!("../../crates/python/requirements.txt"),
    probe: "maturin, mypy, numpy, pytest",
};

/// Makes what is missing for the Python package an error.
const REQUIRE: &str = "TUMBLE_REQUIRE_PYTHON";

/// How the name of a wheel says that it is for CPython 3.10 and all later versions.
const STABLE: &str = "-cp310-abi3-";

/// What must hold for the package that is installed, each as arguments of Python in the folder of the package.
const CHECKS: [(&str, &[&str]); 4] = [
    ("tests", &["-m", "pytest", "--quiet", "--pyargs", "tumble", "tests"]),
    ("types of the package", &["-m", "mypy", "-p", "tumble"]),
    ("types of the tests", &["-m", "mypy", "tests"]),
    ("types of what is written in Rust", &["-m", "mypy.stubtest", "tumble._native"]),
];

pub(crate) fn check() -> Result<(), Failure> {
    let python = match ENVIRONMENT.interpreter() {
        Ok(python) => python,
        Err(missing) => return optional::leave_out(missing, REQUIRE),
    };
    let package = root().join("crates/python");
    let wheel = build(&python, &package)?;
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall"];
    succeed(Command::new(&python).args(install).arg(wheel))?;
    let program = build_program()?;
    for (name, arguments) in CHECKS {
        let mut command = Command::new(&python);
        command.env("TUMBLE_PROGRAM", &program);
        command.args(arguments).current_dir(&package);
        println!("{name}");
        let status = command.status()?;
        if !status.success() {
            return Err(format!("{name}: {command:?} failed ({status})").into());
        }
    }
    Ok(())
}

/// The program, whose results are to be those of the package.
fn build_program() -> Result<PathBuf, Failure> {
    succeed(&mut cargo(&["build", "--quiet", "--locked", "--package", "tumble-cli"]))?;
    Ok(target().join("debug").join(format!("tumble{}", std::env::consts::EXE_SUFFIX)))
}

/// The wheel, compiled as tests are and not as users get it, which takes minutes. It has the features that the package asks
/// for and no others, so that one that it forgets is missed here.
fn build(python: &Path, package: &Path) -> Result<PathBuf, Failure> {
    let folder = target().join("wheels");
    // Nothing but the wheel of this build.
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let build = ["-m", "maturin", "build", "--quiet", "--locked", "--profile", "dev", "--out"];
    let mut maturin = Command::new(python);
    maturin.args(build).arg(&folder).arg("--interpreter").arg(python).current_dir(package);
    let status = maturin.env("CARGO_TARGET_DIR", target()).status()?;
    if !status.success() {
        return Err(format!("{maturin:?} failed ({status})").into());
    }
    match &list(&folder)?[..] {
        [wheel] if wheel.to_string_lossy().contains(STABLE) => Ok(wheel.clone()),
        found => Err(format!("expected one wheel *{STABLE}*.whl, found {found:?}").into()),
    }
}
