//! Steps that a clone may not be able to do, for want of a network or of something to install. They say what
//! is missing and are left out. Where a variable asks for them they fail instead. (Not `CI`, which many services set
//! that have no network.)

use crate::{Failure, cargo, features};
use std::process::Command;

/// Makes what is missing for the files of ParaView an error.
pub(crate) const REQUIRE_VTK: &str = "TUMBLE_REQUIRE_VTK";

/// Makes a missing MPI an error.
pub(crate) const REQUIRE_MPI: &str = "TUMBLE_REQUIRE_MPI";

/// Something of the system that a feature needs.
pub(crate) struct Library {
    pub(crate) name: &'static str,
    /// Debian's packages of it.
    pub(crate) packages: &'static [&'static str],
    pub(crate) is_installed: fn() -> bool,
}

impl Library {
    /// Lints, pages and tests of what the feature adds that needs it; the tests are those whose names have one of the words. Where it is
    /// missing they are left out, unless the variable `require` is set.
    pub(crate) fn check_feature(&self, require: &str, words: &[&str]) -> Result<(), Failure> {
        if let Err(missing) = self.find() {
            return leave_out(missing, require);
        }
        // All packages: those without the feature are as they were built for the other steps.
        let all = features::of_this_machine()?;
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let lints = [&["clippy"], &all[..], &["--all-targets", "--", "-D", "warnings"]].concat();
        let pages = [&["doc"], &all[..], &["--no-deps"]].concat();
        let tests = [&["test"], &all[..], &["--test", "suite", "--"], words].concat();
        for command in
            [&mut cargo(&lints), cargo(&pages).env("RUSTDOCFLAGS", "-D warnings"), &mut cargo(&tests)]
        {
            let status = command.status()?;
            if !status.success() {
                return Err(format!("{command:?} failed ({status})").into());
            }
        }
        Ok(())
    }

    /// Makes sure that it is there. A machine that exists for checks (`CI` is set) gets it installed; any other one belongs to
    /// somebody, who is told what to do.
    fn find(&self) -> Result<(), Failure> {
        let packages = self.packages.join(" ");
        let may_install = std::env::var_os("CI").is_some() && is_root();
        if !(self.is_installed)() && may_install && succeeds(&["apt-get", "--version"]) {
            println!("installing {packages}");
            let command = [&["apt-get", "install", "--yes", "--quiet"], self.packages].concat();
            // The list of packages may be old, or not be there at all.
            let _ = succeeds(&command) || (succeeds(&["apt-get", "update", "--quiet"]) && succeeds(&command));
        }
        if (self.is_installed)() {
            return Ok(());
        }
        Err(format!("{} is not installed; on Debian: apt-get install {packages}", self.name).into())
    }
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// Whether a command is there, and succeeds.
pub(crate) fn succeeds(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Leaves a step out because of what is missing, unless the variable `require` is set.
pub(crate) fn leave_out(missing: Failure, require: &str) -> Result<(), Failure> {
    if std::env::var_os(require).is_some_and(|value| !value.is_empty()) {
        return Err(missing);
    }
    println!("SKIPPED: {missing}\n({require}=1 makes this an error.)");
    Ok(())
}
