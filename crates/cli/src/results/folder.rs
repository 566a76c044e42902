//! The folder that a command writes to.

use crate::failure::Failure;
use std::path::{Path, PathBuf};

/// The folder given by `--out`, which must be empty or meant to be overwritten; else the default, which may be
/// written again and again.
pub(crate) fn out_folder(out: Option<&Path>, default: &str, force: bool) -> Result<PathBuf, Failure> {
    let Some(folder) = out else { return Ok(default.into()) };
    let advice = "the folder is not empty; choose another, or add --force to replace files in it";
    check_writable("--out", folder, || force, advice)?;
    Ok(folder.to_owned())
}

/// Makes sure that a folder is new, empty, or one that `may_be_written`; `otherwise` is what is said else.
pub(crate) fn check_writable(
    option: &str,
    folder: &Path,
    may_be_written: impl FnOnce() -> bool,
    otherwise: &str,
) -> Result<(), Failure> {
    let refuse = |what: &str| Err(Failure::BadInput(format!("{option} {}: {what}", folder.display())));
    if folder.exists() && !folder.is_dir() {
        return refuse("there is a file of that name; choose a folder");
    }
    let occupied = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if occupied && !may_be_written() { refuse(otherwise) } else { Ok(()) }
}
