//! Runs in several processes need an MPI library of the system; where one is installed, they are checked by `mpirun`.

use crate::Failure;
use crate::optional::{self, Library, succeeds};

const LIBRARY: Library = Library {
    name: "MPI, or libclang, which its binding is made with,",
    packages: &["libopenmpi-dev", "openmpi-bin", "libclang-dev"],
    is_installed,
};

/// Lints, pages and tests of what the feature adds.
pub(crate) fn check() -> Result<(), Failure> {
    LIBRARY.check_feature(optional::REQUIRE_MPI, &["mpi"])
}

/// Whether all of it is there, as the build scripts of the binding look for it.
pub(crate) fn is_installed() -> bool {
    succeeds(&["mpicc", "-show"]) && succeeds(&["mpirun", "--version"]) && has_libclang()
}

fn has_libclang() -> bool {
    let versions = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let of_llvm = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("llvm-");
    let has = |folder: std::path::PathBuf| {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.into_iter().any(|file| file.file_name().to_string_lossy().starts_with("libclang"))
    };
    std::env::var_os("LIBCLANG_PATH").is_some()
        || versions.filter(of_llvm).any(|entry| has(entry.path().join("lib")))
}
