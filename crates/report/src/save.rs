//! Writes result files: whole or not at all.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// A file or folder that could not be written.
#[derive(Debug)]
pub struct SaveError {
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Writes `folder/name`, making the folder if need be.
///
/// The text goes to a temporary neighbour first, so that whoever reads the file meanwhile, or after a full
/// disk, finds the old content or the new one.
pub fn save(folder: &Path, name: &str, text: &str) -> Result<PathBuf, SaveError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| SaveError { path, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let path = folder.join(name);
    let partial = folder.join(format!(".{name}.{}.part", std::process::id()));
    let written = fs::write(&partial, text).and_then(|()| fs::rename(&partial, &path));
    written.map_err(|error| {
        // Whatever is left of it helps nobody, and the first error is the one to report.
        let _ = fs::remove_file(&partial);
        failed(&path)(error)
    })?;
    Ok(path)
}
