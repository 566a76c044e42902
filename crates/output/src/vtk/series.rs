//! A `.pvd` file: which file belongs to which time.
//!
//! It is replaced as a whole, so whoever looks finds a whole one, whenever the program is killed. (A line
//! written into it where it ends could be torn where the write crosses a page.) That is done with every frame
//! of a short series; of a long one when a thousandth is missing, and when it must be safe. So the cost of a
//! frame does not grow with their number.

use super::Piece;
use crate::atomic::{Survives, replace};
use crate::{Error, Mark, plain};
use std::borrow::Cow;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(super) struct Series {
    name: Cow<'static, str>,
    /// What the names of its files end with, after a point.
    ending: &'static str,
    entries: Vec<Entry>,
    /// How many of them the file has.
    listed: usize,
}

/// Points, lines and triangles.
pub(super) const POLYDATA: &str = "vtp";
/// Numbers on a grid.
pub(super) const IMAGE: &str = "vti";

/// The file may lack one in so many entries.
const ONE_IN: usize = 1000;

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    time: f64,
    step: u64,
    number: u64,
}

impl Series {
    pub(super) fn new(name: impl Into<Cow<'static, str>>, ending: &'static str) -> Self {
        Self { name: name.into(), ending, entries: Vec::new(), listed: 0 }
    }

    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.pvd", self.name))
    }

    /// The name of the next file.
    pub(super) fn next_name(&self) -> String {
        self.file_name(self.next_number())
    }

    fn file_name(&self, number: u64) -> String {
        file_name(&self.name, number, self.ending)
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

    /// The number of the next file, which is how many there are.
    pub(super) fn next_number(&self) -> u64 {
        self.entries.last().map_or(0, |last| last.number + 1)
    }

    /// Removes files later than a step, also those that had not been listed yet when the program was killed.
    pub(super) fn truncate_after(&mut self, step: u64, folder: &Path) -> Result<(), Error> {
        let next = self.next_number();
        let kept = self.entries.partition_point(|entry| entry.step <= step);
        self.entries.truncate(kept);
        for number in self.next_number().. {
            let path = folder.join(self.file_name(number));
            match fs::remove_file(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && number < next => {}
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => break,
                Err(error) => return Err(Error::file("remove", &path)(error)),
            }
        }
        self.write(folder)
    }

    /// Writes the file if it lacks more than it may.
    pub(super) fn write_if_due(&mut self, folder: &Path) -> Result<(), Error> {
        let missing = self.entries.len() - self.listed;
        if missing > self.entries.len() / ONE_IN { self.write(folder) } else { Ok(()) }
    }

    /// Writes the file if it lacks anything.
    pub(super) fn write_if_behind(&mut self, folder: &Path) -> Result<(), Error> {
        if self.listed < self.entries.len() { self.write(folder) } else { Ok(()) }
    }

    /// Writes the file.
    pub(super) fn write(&mut self, folder: &Path) -> Result<(), Error> {
        let text = self.beginning() + "</Collection>\n</VTKFile>\n";
        replace(&self.path(folder), Survives::Kill, text.as_bytes())?;
        self.listed = self.entries.len();
        Ok(())
    }

    /// What the file begins with, however many entries follow.
    fn beginning(&self) -> String {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n\
             <Collection>\n",
        );
        for Entry { time, step, number } in &self.entries {
            // A comment, since ParaView would take an attribute for another dimension of the series.
            let file = self.file_name(*number);
            let _ = writeln!(
                text,
                "<DataSet timestep=\"{time:?}\" part=\"0\" file=\"{file}\"/><!-- step {step} -->"
            );
        }
        text
    }

    /// The beginning of the file.
    pub(super) fn mark(&self) -> Mark {
        Mark::of_bytes(format!("{}.pvd", self.name), self.beginning().as_bytes())
    }

    /// The names of all files, each once.
    pub(super) fn files(&self) -> Vec<String> {
        let mut numbers: Vec<u64> = self.entries.iter().map(|entry| entry.number).collect();
        numbers.dedup();
        numbers.into_iter().map(|number| self.file_name(number)).collect()
    }

    /// Time, step and name of the file of every entry.
    pub(super) fn listed_files(&self) -> impl Iterator<Item = (f64, u64, String)> {
        self.entries.iter().map(|entry| (entry.time, entry.step, self.file_name(entry.number)))
    }

    /// Takes over what is in the file. There is none if no frame was written yet.
    pub(super) fn read(&mut self, folder: &Path) -> Result<(), Error> {
        let path = self.path(folder);
        if path.symlink_metadata().is_ok() {
            plain::check(&path)?;
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::file("read", &path)(error)),
        };
        let lines = text.lines().filter(|line| line.starts_with("<DataSet"));
        let entries = lines.map(|line| entry(line, &self.name, self.ending)).collect::<Option<Vec<_>>>();
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
fn entry(line: &str, name: &str, ending: &str) -> Option<Entry> {
    let after = |text: &str| line.split_once(text).map(|(_, rest)| rest.to_owned());
    let until = |text: String, end: &str| text.split_once(end).map(|(value, _)| value.to_owned());
    let file = until(after("file=\"")?, "\"")?;
    Some(Entry {
        time: until(after("timestep=\"")?, "\"")?.parse().ok().filter(|time: &f64| time.is_finite())?,
        step: until(after("<!-- step ")?, " ")?.parse().ok()?,
        number: number_of(&file, name, ending)?,
    })
}

fn file_name(name: &str, number: u64, ending: &str) -> String {
    format!("{name}_{number:06}.{ending}")
}

fn number_of(file: &str, name: &str, ending: &str) -> Option<u64> {
    let digits = file.strip_prefix(name)?.strip_prefix('_')?.strip_suffix(ending)?.strip_suffix('.')?;
    let number = digits.parse().ok()?;
    (file == file_name(name, number, ending)).then_some(number)
}

/// Whether an [`ImageWriter`](super::ImageWriter) of some name gives this name to a file.
pub(crate) fn is_image_file(file: &str) -> bool {
    let name = file.rsplit_once('_').map(|(name, _)| name);
    file.strip_suffix(".pvd").is_some() || name.is_some_and(|name| number_of(file, name, IMAGE).is_some())
}

/// Whether a [`VtkWriter`](super::VtkWriter) gives this name to a file.
pub(crate) fn is_vtk_file(file: &str) -> bool {
    Piece::ALL.iter().any(|piece| {
        let name = piece.name();
        number_of(file, name, POLYDATA).is_some() || file.strip_suffix(".pvd") == Some(name)
    })
}
