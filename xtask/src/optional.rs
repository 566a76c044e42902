//! Steps that a clone may not be able to do, for want of a network or of something to install. They say what
//! is missing and are left out. Where a variable asks for them they fail instead. (Not `CI`, which many services set
//! that have no network.)

use crate::Failure;

/// Makes what is missing for the files of ParaView an error.
pub(crate) const REQUIRE_VTK: &str = "TUMBLE_REQUIRE_VTK";

/// Leaves a step out because of what is missing, unless the variable `require` is set.
pub(crate) fn leave_out(missing: Failure, require: &str) -> Result<(), Failure> {
    if std::env::var_os(require).is_some_and(|value| !value.is_empty()) {
        return Err(missing);
    }
    println!("SKIPPED: {missing}\n({require}=1 makes this an error.)");
    Ok(())
}
