//! The folder that tables and figures are written to: ours alone, and one command's at a time.

use crate::failure::Failure;
use crate::results::check_writable;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The file that marks the folder, and that a command holds a lock on.
const MARKER: &str = ".tumble-reproduce";
const MARKER_TEXT: &str =
    "This folder holds tables and figures computed by `tumble reproduce`, which replaces them.\n";
/// Where finished runs are kept.
const RUNS: &str = "runs";

/// Where a folder of results keeps finished runs.
pub(super) fn runs_in(folder: &Path) -> PathBuf {
    folder.join(RUNS)
}

/// What is said of a folder that is not ours.
pub(super) const SOMETHING_ELSE: &str = "the folder has something else in it; choose another";

/// A folder that no other command writes to while this exists.
pub(super) struct Folder {
    path: PathBuf,
    /// Holds the lock. The system lets go of it when the program ends, however that happens.
    _marker: File,
}

impl Folder {
    /// Takes a folder that is new, empty, or has results of earlier commands, whose runs are kept unless told
    /// to `forget` them.
    pub(super) fn take(path: &Path, forget: bool) -> Result<Self, Failure> {
        let refuse = |why: &str| Failure::BadInput(format!("--out {}: {why}", path.display()));
        check_writable("--out", path, || path.join(MARKER).exists(), SOMETHING_ELSE)?;
        let cannot =
            |error: io::Error| Failure::Failed(format!("cannot write to {}: {error}", path.display()));
        fs::create_dir_all(path).map_err(cannot)?;
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(MARKER));
        let mut marker = open.map_err(cannot)?;
        match marker.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(refuse(
                    "another command is writing there; wait for it, or choose another (--finished --publish DIR \
                     reports on what it has finished)",
                ));
            }
            // Some network file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        marker.write_all(MARKER_TEXT.as_bytes()).map_err(cannot)?;
        let folder = Self { path: path.to_owned(), _marker: marker };
        if forget && runs_in(path).is_dir() {
            fs::remove_dir_all(runs_in(path)).map_err(cannot)?;
        }
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
