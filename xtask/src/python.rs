//! Virtual environments of Python under `target`, one for each kind of check. Python and a network are more than a
//! clone can count on.

use crate::{Failure, root};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A virtual environment, and what is in it.
pub(crate) struct Environment<'a> {
    /// The folder below `target`.
    pub(crate) folder: &'a str,
    /// The interpreter that it is made with.
    pub(crate) base: &'a str,
    /// What pip installs: the lines of a file of requirements, each with one version, so that a check that passed passes again.
    pub(crate) requirements: &'a str,
    /// A module that shows whether the environment still works, for instance after an update of Python.
    pub(crate) probe: &'a str,
}

/// The Python of the system.
pub(crate) const SYSTEM: &str = if cfg!(windows) { "python" } else { "python3" };

impl Environment<'_> {
    /// Its interpreter. The environment is made if it is not there yet or holds something else.
    pub(crate) fn interpreter(&self) -> Result<PathBuf, Failure> {
        let folder = target().join(self.folder);
        let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        // Written last: an environment that was not finished is made again.
        let stamp = folder.join("requirements.txt.done");
        let import = format!("import {}", self.probe);
        let works = || succeed(Command::new(&python).args(["-c", &import])).is_ok();
        if std::fs::read_to_string(&stamp).is_ok_and(|found| found == self.requirements) && works() {
            return Ok(python);
        }
        let base = self.base;
        succeed(Command::new(base).arg("--version"))
            .map_err(|_| format!("`{base}` does not run; on Debian: apt-get install python3 python3-venv"))?;
        println!("making {}", folder.display());
        succeed(Command::new(base).args(["-m", "venv", "--clear"]).arg(&folder)).map_err(|failure| {
            format!("no virtual environment can be made; on Debian: apt-get install python3-venv\n{failure}")
        })?;
        let wanted = folder.join("requirements.txt");
        std::fs::write(&wanted, self.requirements)?;
        let install =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "-r"];
        succeed(Command::new(&python).args(install).arg(&wanted)).map_err(|failure| {
            format!("pip cannot install {}; is there a network?\n{failure}", wanted.display())
        })?;
        std::fs::rename(&wanted, &stamp)?;
        Ok(python)
    }
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
