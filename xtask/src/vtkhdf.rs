//! VTKHDF files are written by the HDF5 library of the system; where that is installed, the feature is
//! checked.

use crate::{Failure, cargo, optional};
use std::process::Command;

const PACKAGE: &str = "libhdf5-dev";

/// Lints, pages and tests of what the feature adds.
pub(crate) fn check() -> Result<(), Failure> {
    if let Err(missing) = find_library() {
        return optional::leave_out(missing, optional::REQUIRE_VTK);
    }
    // All packages with all features: those without VTKHDF are as they were built for the other steps.
    let all = ["--workspace", "--all-features"];
    let lints = [&["clippy"], &all[..], &["--all-targets", "--", "-D", "warnings"]].concat();
    let pages = [&["doc"], &all[..], &["--no-deps"]].concat();
    let tests = [&["test"], &all[..], &["--test", "suite", "--", "vtkhdf", "export"]].concat();
    for command in [&mut cargo(&lints), cargo(&pages).env("RUSTDOCFLAGS", "-D warnings"), &mut cargo(&tests)]
    {
        let status = command.status()?;
        if !status.success() {
            return Err(format!("{command:?} failed ({status})").into());
        }
    }
    Ok(())
}

/// Whether the library is there, as its own build script looks for it.
pub(crate) fn is_installed() -> bool {
    std::env::var_os("HDF5_DIR").is_some()
        || succeeds(&["pkg-config", "--exists", "hdf5"])
        || succeeds(&["h5cc", "-showconfig"])
}

/// Makes sure that the library is there. A machine that exists for checks (`CI` is set) gets it installed;
/// any other one belongs to somebody, who is told what to do.
fn find_library() -> Result<(), Failure> {
    let may_install = std::env::var_os("CI").is_some() && is_root();
    if !is_installed() && may_install && succeeds(&["apt-get", "--version"]) {
        println!("installing {PACKAGE}");
        let install = || succeeds(&["apt-get", "install", "--yes", "--quiet", PACKAGE]);
        // The list of packages may be old, or not be there at all.
        let _ = install() || (succeeds(&["apt-get", "update", "--quiet"]) && install());
    }
    if is_installed() {
        return Ok(());
    }
    Err(format!("the HDF5 library is not installed; on Debian: apt-get install {PACKAGE}").into())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn succeeds(command: &[&str]) -> bool {
    let Some((program, arguments)) = command.split_first() else { return false };
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}
