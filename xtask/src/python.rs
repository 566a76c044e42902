//! What ParaView would read, read with the real VTK package, in a virtual environment of its own under
//! `target`. Python and a network are more than a clone can count on.

use crate::{Failure, cargo, optional, root, vtkhdf};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One version, so that a check that passed passes again. VTK brings NumPy.
const PACKAGES: [&str; 2] = ["vtk==9.7.1", "pandas==2.3.3"];

const CHECK: &str = "crates/output/tests/vtk_check.py";

/// Writes samples of all files and checks them. `workspace` names the packages and features of the tests;
/// VTKHDF files are among the samples where they can be.
pub(crate) fn check_vtk(workspace: &[&str]) -> Result<(), Failure> {
    let target = target();
    let python = match environment(&target.join("python")) {
        Ok(python) => python,
        Err(missing) => return optional::leave_out(missing, optional::REQUIRE_VTK),
    };
    let samples = target.join("vtk-samples");
    // What it needs has been built for the steps before.
    let workspace = if vtkhdf::is_installed() { &["--workspace", "--all-features"] } else { workspace };
    succeed(&mut cargo(&[&["build", "--quiet", "--example", "write_samples"], workspace].concat()))?;
    let program = format!("debug/examples/write_samples{}", std::env::consts::EXE_SUFFIX);
    succeed(Command::new(target.join(program)).arg(&samples))?;
    let output = succeed(Command::new(python).arg(root().join(CHECK)).arg(&samples))?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}

/// The interpreter of the virtual environment, which is made if it is not there yet or holds something else.
fn environment(folder: &Path) -> Result<PathBuf, Failure> {
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    // Written last: an environment that was not finished is made again.
    let stamp = folder.join("packages.txt");
    let wanted = PACKAGES.join("\n");
    let works =
        || Command::new(&python).args(["-c", "import vtk"]).output().is_ok_and(|it| it.status.success());
    if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) && works() {
        return Ok(python);
    }
    let system = if cfg!(windows) { "python" } else { "python3" };
    succeed(Command::new(system).arg("--version"))
        .map_err(|_| format!("`{system}` does not run; on Debian: apt-get install python3 python3-venv"))?;
    println!("making {} with {}", folder.display(), PACKAGES.join(", "));
    succeed(Command::new(system).args(["-m", "venv", "--clear"]).arg(folder)).map_err(|failure| {
        format!("no virtual environment can be made; on Debian: apt-get install python3-venv\n{failure}")
    })?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"];
    succeed(Command::new(&python).args(install).args(PACKAGES)).map_err(|failure| {
        format!("pip cannot install {}; is there a network?\n{failure}", PACKAGES.join(", "))
    })?;
    std::fs::write(&stamp, wanted)?;
    Ok(python)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Runs a command that must succeed; what it says is shown only if it does not.
pub(crate) fn succeed(command: &mut Command) -> Result<Output, Failure> {
    let name = Path::new(command.get_program()).file_name().unwrap_or(OsStr::new("command")).to_owned();
    let output = command.output().map_err(|error| format!("{}: {error}", name.display()))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    Err(format!("{} failed ({})\n{}", name.display(), output.status, said.join("\n").trim()).into())
}
