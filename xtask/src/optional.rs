//! Steps that a clone may not be able to do, for want of a network or of something to install. They say what
//! is missing and are left out. Where `TUMBLE_REQUIRE_VTK` is set they fail instead. (Not `CI`, which many
//! services set that have no network.)

use crate::Failure;

/// The variable that makes what is missing an error.
const REQUIRE: &str = "TUMBLE_REQUIRE_VTK";

/// Leaves a step out because of what is missing, if that is allowed.
pub(crate) fn leave_out(missing: Failure) -> Result<(), Failure> {
    if std::env::var_os(REQUIRE).is_some_and(|value| !value.is_empty()) {
        return Err(missing);
    }
    println!("SKIPPED: {missing}\n({REQUIRE}=1 makes this an error.)");
    Ok(())
}
