//! Tables as CSV: one header, no comments, units in the names of columns, numbers that read back to the same
//! bits.
//!
//! Each row is handed to the operating system at once, so that a program that is killed loses none. After
//! that, rows later than the checkpoint are cut off, so that the resumed run writes them again and the file
//! ends up the same.

mod bonds;
mod energy;
mod flows;
mod measures;
mod walls;

pub use bonds::BondsCsv;
pub use energy::{EnergyCsv, energies, relative_balance_error};
pub use flows::FlowsCsv;
pub use measures::MeasuresCsv;
pub use walls::WallsCsv;

use crate::mark::Content;
use crate::{Error, Mark, plain};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What every table begins with.
const FIRST_COLUMNS: &str = "time_s,step";

/// A table that is written row by row.
#[derive(Debug)]
struct Table {
    path: PathBuf,
    file: File,
    /// What is in the file.
    content: Content,
    /// Rows that are not in it yet.
    rows: String,
}

impl Table {
    /// A new table. The file must not exist.
    fn create(path: &Path, columns: &str) -> Result<Self, Error> {
        let mut file = File::create_new(path).map_err(Error::file("make", path))?;
        let header = header(columns);
        file.write_all(header.as_bytes()).map_err(Error::file("write", path))?;
        let mut content = Content::default();
        content.add(header.as_bytes());
        Ok(Self { path: path.to_owned(), file, content, rows: String::new() })
    }

    /// A table to go on with: rows later than `step` and what is left of a torn one are cut off. Gives the
    /// first row.
    fn resume(path: &Path, columns: &str, step: u64) -> Result<(Self, Option<String>), Error> {
        plain::check(path)?;
        let file =
            OpenOptions::new().read(true).write(true).open(path).map_err(Error::file("write", path))?;
        let mut records = Records { reader: BufReader::new(&file), path };
        let mut end = match records.next()? {
            Some(found) if found == header(columns) => found.len() as u64,
            found => {
                return Err(Error::damaged(
                    path,
                    format!(
                        "its columns are not those of this run: expected {}, found {}",
                        header(columns).trim_end(),
                        found.as_deref().unwrap_or("nothing").trim_end()
                    ),
                ));
            }
        };
        let mut first = None;
        while let Some(record) = records.next()? {
            let row_step = record.split(',').nth(1).and_then(|field| field.parse::<u64>().ok());
            let row_step = row_step.ok_or_else(|| {
                Error::damaged(path, format!("this row has no step: {}", record.trim_end()))
            })?;
            if row_step > step {
                break;
            }
            end += record.len() as u64;
            first.get_or_insert(record);
        }
        let mut file = file;
        file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0))).map_err(Error::file("write", path))?;
        let content = Content::of_file(path, end)?;
        Ok((Self { path: path.to_owned(), file, content, rows: String::new() }, first))
    }

    /// Begins a row.
    fn begin(&mut self, time: f64, step: u64) {
        let _ = write!(self.rows, "{time:?},{step}");
    }

    fn number(&mut self, value: f64) {
        let _ = write!(self.rows, ",{value:?}");
    }

    /// A number, or an empty field for what is none.
    fn optional(&mut self, value: f64) {
        if value.is_nan() { self.rows.push(',') } else { self.number(value) }
    }

    fn count(&mut self, value: usize) {
        let _ = write!(self.rows, ",{value}");
    }

    fn whole(&mut self, value: u64) {
        let _ = write!(self.rows, ",{value}");
    }

    fn text(&mut self, text: &str) {
        self.rows.push(',');
        if text.contains([',', '"', '\n', '\r']) {
            let _ = write!(self.rows, "\"{}\"", text.replace('"', "\"\""));
        } else {
            self.rows.push_str(text);
        }
    }

    fn end(&mut self) {
        self.rows.push('\n');
    }

    /// Hands the rows to the operating system.
    fn write(&mut self) -> Result<(), Error> {
        let written = self.file.write_all(self.rows.as_bytes()).map_err(Error::file("write", &self.path));
        self.content.add(self.rows.as_bytes());
        self.rows.clear();
        written
    }

    fn sync(&mut self) -> Result<(), Error> {
        plain::check_still_there(&self.file, &self.path)?;
        self.file.sync_data().map_err(Error::file("write", &self.path))
    }

    fn mark(&self) -> Mark {
        self.content.mark(self.path.file_name().unwrap_or_default())
    }
}

fn header(columns: &str) -> String {
    format!("{FIRST_COLUMNS},{columns}\n")
}

/// The lines of a table; one with a quoted line break counts as one. What follows the last line break is
/// torn.
struct Records<'a> {
    reader: BufReader<&'a File>,
    path: &'a Path,
}

/// No row is as long as this.
const LONGEST_RECORD: u64 = 1 << 20;

impl Records<'_> {
    fn next(&mut self) -> Result<Option<String>, Error> {
        let mut record = Vec::new();
        loop {
            let room = LONGEST_RECORD.saturating_sub(record.len() as u64);
            let mut limited = std::io::Read::take(&mut self.reader, room);
            let read = limited.read_until(b'\n', &mut record).map_err(Error::file("read", self.path))?;
            let quoted = record.iter().fold(false, |quoted, byte| quoted != (*byte == b'"'));
            if read == 0 {
                return if room > 0 { Ok(None) } else { Err(Error::damaged(self.path, "a row has no end")) };
            }
            if record.ends_with(b"\n") && !quoted {
                let text = String::from_utf8(record);
                return text.map(Some).map_err(|_| Error::damaged(self.path, "this is not text"));
            }
        }
    }
}
