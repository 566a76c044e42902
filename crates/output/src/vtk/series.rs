//! A `.pvd` file: which file belongs to which time. It is rewritten as a whole with every frame.

use super::Piece;
use crate::Error;
use crate::atomic::{Survives, replace};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Series {
    name: &'static str,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    time: f64,
    step: u64,
    number: u64,
}

impl Series {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, entries: Vec::new() }
    }

    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.pvd", self.name))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The name of the next file.
    pub(super) fn next_name(&self) -> String {
        file_name(self.name, self.next_number())
    }

    /// Adds the next file, which has been written.
    pub(super) fn add_next(&mut self, time: f64, step: u64) {
        let number = self.next_number();
        self.entries.push(Entry { time, step, number });
    }

    /// Adds the last file once more, for another time.
    pub(super) fn add_last_again(&mut self, time: f64, step: u64) {
        let number = self.next_number().saturating_sub(1);
        self.entries.push(Entry { time, step, number });
    }

    fn next_number(&self) -> u64 {
        self.entries.last().map_or(0, |last| last.number + 1)
    }

    /// Removes files later than a step.
    pub(super) fn truncate_after(&mut self, step: u64, folder: &Path) -> Result<(), Error> {
        let kept = self.entries.partition_point(|entry| entry.step <= step);
        let last = kept.checked_sub(1).map(|last| self.entries[last].number);
        let mut later: Vec<u64> = self.entries.drain(kept..).map(|entry| entry.number).collect();
        later.dedup();
        for number in later.into_iter().filter(|number| Some(*number) != last) {
            let path = folder.join(file_name(self.name, number));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::file("remove", &path)(error));
                }
                _ => {}
            }
        }
        self.write(folder)
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
             <Collection>\n",
        );
        for Entry { time, step, number } in &self.entries {
            // A comment, since ParaView would take an attribute for another dimension of the series.
            let file = file_name(self.name, *number);
            let _ = writeln!(
                text,
                "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/><!-- step {step} -->"
            );
        }
        text.push_str("</Collection>\n</VTKFile>\n");
        replace(&self.path(folder), Survives::Kill, text.as_bytes())
    }

    /// Takes over what is in the file. There is none if no frame was written yet.
    pub(super) fn read(&mut self, folder: &Path) -> Result<(), Error> {
        let path = self.path(folder);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::file("read", &path)(error)),
        };
        let lines = text.lines().filter(|line| line.starts_with("<DataSet"));
        let entries = lines.map(|line| entry(line, self.name)).collect::<Option<Vec<_>>>();
        let steps_ascend =
            |entries: &Vec<Entry>| entries.is_sorted_by(|a, b| a.step < b.step && a.number <= b.number);
        let entries = entries.filter(steps_ascend);
        self.entries = entries.ok_or_else(|| {
            Error::damaged(&path, "this is not as Tumble wrote it: restore it, or start the run anew")
        })?;
        Ok(())
    }
}

/// A line of the file.
fn entry(line: &str, name: &str) -> Option<Entry> {
    let after = |text: &str| line.split_once(text).map(|(_, rest)| rest.to_owned());
    let until = |text: String, end: &str| text.split_once(end).map(|(value, _)| value.to_owned());
    let file = until(after("file=\"")?, "\"")?;
    Some(Entry {
        time: until(after("timestep=\"")?, "\"")?.parse().ok().filter(|time: &f64| time.is_finite())?,
        step: until(after("<!-- step ")?, " ")?.parse().ok()?,
        number: number_of(&file, name)?,
    })
}

fn file_name(name: &str, number: u64) -> String {
    format!("{name}_{number:06}.vtp")
}

fn number_of(file: &str, name: &str) -> Option<u64> {
    let number = file.strip_prefix(name)?.strip_prefix('_')?.strip_suffix(".vtp")?.parse().ok()?;
    (file == file_name(name, number)).then_some(number)
}

/// Whether a [`VtkWriter`](super::VtkWriter) gives this name to a file.
pub(crate) fn is_vtk_file(file: &str) -> bool {
    Piece::ALL.iter().any(|piece| {
        let name = piece.name();
        number_of(file, name).is_some() || file.strip_suffix(".pvd") == Some(name)
    })
}
