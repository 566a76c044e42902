//! Files that are replaced as a whole: whoever looks, and whenever the machine stops, finds the old or the
//! new one.

use crate::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What the names of files end with while they are written.
pub(crate) const PART: &str = ".part";

/// How much a file must survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Survives {
    /// The end of the program, however sudden.
    Kill,
    /// The end of the machine.
    PowerCut,
}

/// Writes a text file, in place of any older one: whoever looks finds the old or the new one, never a part.
pub fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    replace(path, Survives::PowerCut, text.as_bytes())
}

/// The same for a file that is too large to be in memory: `write` is given the file piece by piece.
pub fn write_stream(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    replace_with(path, Survives::PowerCut, |file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    })
}

/// Writes a file under another name in the same folder and then gives it its own. If that fails, what was
/// there before is untouched, and nothing else is left.
pub(crate) fn replace(path: &Path, survives: Survives, bytes: &[u8]) -> Result<(), Error> {
    replace_with(path, survives, |file| file.write_all(bytes))
}

/// The same with another way to write, such as one that fails.
pub(crate) fn replace_with(
    path: &Path,
    survives: Survives,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), Error> {
    replace_by_name(path, survives, |part| {
        File::create(part).and_then(|mut file| write(&mut file)).map_err(Error::file("write", path))
    })
}

/// The same for whoever makes files by their names: `write` is given the name that the file has at first.
pub(crate) fn replace_by_name<T, E: From<Error>>(
    path: &Path,
    survives: Survives,
    write: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let part = part_of(path);
    let give_name = || {
        if survives == Survives::PowerCut {
            OpenOptions::new().write(true).open(&part)?.sync_all()?;
        }
        fs::rename(&part, path)
    };
    let written = write(&part).and_then(|written| {
        give_name().map_err(Error::file("write", path))?;
        Ok(written)
    });
    if written.is_err() {
        // It may never have been made.
        let _ = fs::remove_file(&part);
    } else if survives == Survives::PowerCut {
        sync_folder(path.parent().unwrap_or(Path::new(".")))?;
    }
    written
}

/// The name of a file while it is written.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(PART);
    path.with_file_name(name)
}

/// Makes the names in a folder survive a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), Error> {
    // Only Unix opens folders; elsewhere names are as safe as the system makes them.
    if cfg!(unix) {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::file("write", folder))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        replace(&path, Survives::PowerCut, b"old").unwrap();
        let full = |file: &mut File| {
            file.write_all(b"ne")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        let error = replace_with(&path, Survives::PowerCut, full).unwrap_err().to_string();
        assert!(error.contains("state") && error.contains("make room"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
