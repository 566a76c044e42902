//! What ParaView would read, read with the real VTK package.

use crate::python::{Environment, SYSTEM, succeed, target};
use crate::{Failure, cargo, features, optional, root};
use std::process::Command;

/// A Python with VTK, which brings NumPy.
pub(crate) const ENVIRONMENT: Environment<'_> =
    Environment { folder: "python", base: SYSTEM, requirements: "vtk==9.7.1\npandas==2.3.3\n", probe: "vtk" };

const CHECK: &str = "crates/output/tests/vtk_check.py";

/// Writes samples of all files and checks them. VTKHDF files are among them where they can be.
pub(crate) fn check() -> Result<(), Failure> {
    let python = match ENVIRONMENT.interpreter() {
        Ok(python) => python,
        Err(missing) => return optional::leave_out(missing, optional::REQUIRE_VTK),
    };
    let target = target();
    let samples = target.join("vtk-samples");
    // What it needs has been built for the steps before.
    let build = ["build", "--quiet", "--example", "write_samples"];
    succeed(cargo(&build).args(features::of_this_machine()?))?;
    let program = format!("debug/examples/write_samples{}", std::env::consts::EXE_SUFFIX);
    succeed(Command::new(target.join(program)).arg(&samples))?;
    let output = succeed(Command::new(python).arg(root().join(CHECK)).arg(&samples))?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
