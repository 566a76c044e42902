//! VTKHDF files are written by the HDF5 library of the system; where that is installed, the feature is
//! checked.

use crate::Failure;
use crate::optional::{self, Library, succeeds};

const LIBRARY: Library = Library { name: "the HDF5 library", packages: &["libhdf5-dev"], is_installed };

/// Lints, pages and tests of what the feature adds.
pub(crate) fn check() -> Result<(), Failure> {
    LIBRARY.check_feature(optional::REQUIRE_VTK, &["vtkhdf", "export"])
}

/// Whether the library is there, as its own build script looks for it.
pub(crate) fn is_installed() -> bool {
    std::env::var_os("HDF5_DIR").is_some()
        || succeeds(&["pkg-config", "--exists", "hdf5"])
        || succeeds(&["h5cc", "-showconfig"])
}
