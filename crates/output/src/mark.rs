//! What a checkpoint says of the results before it: how long each file was, and what was in it.
//!
//! Files of results grow, or are written once. So whatever comes later, a file begins with the bytes that it had when
//! the state was saved; if it does not, it is not the one that the run wrote.

use crate::bytes::{Element, Input, put_text};
use crate::{Error, plain};
use core::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// The beginning of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The file, from the folder of results.
    pub file: PathBuf,
    /// How many bytes it begins with.
    pub length: u64,
    /// XXH3 of them.
    pub hash: u64,
}

impl Mark {
    /// The whole of some bytes.
    pub(crate) fn of_bytes(file: impl Into<PathBuf>, bytes: &[u8]) -> Self {
        let mut content = Content::default();
        content.add(bytes);
        content.mark(file)
    }

    /// The whole of a file of a folder, as it is now.
    pub fn of_file(folder: &Path, file: impl Into<PathBuf>) -> Result<Self, Error> {
        let file = file.into();
        Ok(Content::of_file(&folder.join(&file), u64::MAX)?.mark(file))
    }

    /// The same for a file in a folder of the folder.
    #[must_use]
    pub fn within(self, folder: &str) -> Self {
        Self { file: Path::new(folder).join(self.file), ..self }
    }

    /// Whether the file in this folder still begins like that; the error says what happened to it.
    pub fn check(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(&self.file);
        let damaged = |what: String| Err(Error::damaged(&path, what));
        if path.symlink_metadata().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return damaged("it is missing: it was removed after the run wrote it".into());
        }
        plain::check(&path)?;
        let content = Content::of_file(&path, self.length)?;
        if content.length < self.length {
            return damaged(format!(
                "it has {} bytes, and had {} when the state was saved: it was cut off",
                content.length, self.length
            ));
        }
        if content.hash.digest() != self.hash {
            return damaged(format!(
                "some of its first {} bytes are not those that the run wrote",
                self.length
            ));
        }
        Ok(())
    }
}

/// Marks as a section of a [checkpoint](crate::checkpoint::OUTPUTS).
pub fn marks_to_bytes(marks: &[Mark]) -> Vec<u8> {
    let mut out = Vec::new();
    (marks.len() as u64).put(&mut out);
    for mark in marks {
        put_text(&mark.file.to_string_lossy(), &mut out);
        mark.length.put(&mut out);
        mark.hash.put(&mut out);
    }
    out
}

/// The marks of such a section; none if it is not one.
pub fn marks_from_bytes(bytes: &[u8]) -> Option<Vec<Mark>> {
    let mut input = Input(bytes);
    let mut marks = Vec::new();
    for _ in 0..input.take::<u64>()? {
        marks.push(Mark { file: input.text()?.into(), length: input.take()?, hash: input.take()? });
    }
    input.0.is_empty().then_some(marks)
}

/// Bytes that were written one after the other.
#[derive(Clone, Default)]
pub(crate) struct Content {
    length: u64,
    hash: Xxh3,
}

impl Content {
    /// The first so many bytes of a file, or all if there are fewer.
    pub(crate) fn of_file(path: &Path, length: u64) -> Result<Self, Error> {
        let mut content = Self::default();
        let mut file: std::io::Take<File> = plain::open(path)?.take(length);
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(Error::file("read", path))? {
                0 => return Ok(content),
                read => content.add(&buffer[..read]),
            }
        }
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hash.update(bytes);
    }

    pub(crate) fn mark(&self, file: impl Into<PathBuf>) -> Mark {
        Mark { file: file.into(), length: self.length, hash: self.hash.digest() }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("length", &self.length).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let marks = [Mark::of_bytes("energy.csv", b"a"), Mark::of_bytes("walls.vtp", b"").within("vtk")];
        let bytes = marks_to_bytes(&marks);
        assert_eq!(marks_from_bytes(&bytes).unwrap(), marks);
        for length in 0..bytes.len() {
            assert_eq!(marks_from_bytes(&bytes[..length]), None, "{length}");
        }
    }

    #[test]
    fn a_file_may_grow_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let mark = Mark::of_bytes("table", b"one,two\n");
        let check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            mark.check(folder.path()).map_err(|error| error.to_string())
        };
        assert!(mark.check(folder.path()).unwrap_err().to_string().contains("missing"));
        assert_eq!(check(b"one,two\n"), Ok(()));
        assert_eq!(check(b"one,two\nthree\n"), Ok(()));
        assert!(check(b"one,tw").unwrap_err().contains("it has 6 bytes, and had 8"));
        assert!(check(b"one;two\n").unwrap_err().contains("first 8 bytes"));
    }
}
