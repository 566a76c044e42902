//! Results are plain files of their folder: a pipe that somebody put there would make its reader wait for ever, and a
//! link may lead to anything.

use crate::Error;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::Path;

/// Opens a file that somebody named, if it is one; a link to a file is as good.
pub fn open(path: &Path) -> Result<File, Error> {
    is_file(path, &fs::metadata(path).map_err(Error::file("open", path))?)?;
    File::open(path).map_err(Error::file("open", path))
}

/// All bytes of such a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(Error::file("read", path))?;
    Ok(bytes)
}

/// Whether what has the name of a result is a plain file, and no link.
pub fn check(path: &Path) -> Result<(), Error> {
    is_file(path, &fs::symlink_metadata(path).map_err(Error::file("open", path))?)
}

/// All bytes of a file of results.
pub fn read_own(path: &Path) -> Result<Vec<u8>, Error> {
    check(path)?;
    read(path)
}

fn is_file(path: &Path, found: &Metadata) -> Result<(), Error> {
    let found = match found.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder",
        kind if kind.is_symlink() => "a link to elsewhere, which no run left there",
        _ => "a pipe or a device, which no run left there",
    };
    Err(Error::damaged(path, format!("expected a plain file, found {found}")))
}

/// Whether the file that is open still is the one of its name: one that was removed can be written to, and all of it is
/// lost.
pub(crate) fn check_still_there(file: &File, path: &Path) -> Result<(), Error> {
    let open = file.metadata().map_err(Error::file("read", path))?;
    let gone = match fs::symlink_metadata(path) {
        Ok(named) => !same_file(&named, &open),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(Error::file("find", path)(error)),
    };
    if gone {
        return Err(Error::damaged(path, "it was removed or replaced while the run was writing to it"));
    }
    Ok(())
}

#[cfg(unix)]
pub(crate) fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere a file that is open and locked can be neither removed nor replaced.
#[cfg(not(unix))]
pub(crate) fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
