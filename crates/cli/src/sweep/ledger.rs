//! The results of a study: a CSV that grows by a row for each finished case.
//!
//! A row is written whole, and to the disk, before the case counts as finished. If the program is killed in
//! between, the last line may lack its end; it is then cut off, and its case is run again.

use super::run::Row;
use super::{Case, Plan, csv};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs};
use tumble_report::Cell;

/// The file of finished cases.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: File,
    header: String,
    /// How many results a row has.
    results: usize,
    /// Complete lines by case.
    rows: BTreeMap<String, FinishedRow>,
}

#[derive(Clone, Debug)]
struct FinishedRow {
    line: String,
    failed: bool,
}

/// Why a ledger cannot be used.
#[derive(Debug)]
pub enum LedgerError {
    /// The system said no.
    File {
        /// The ledger.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Another program is writing to it.
    InUse {
        /// The ledger.
        path: PathBuf,
    },
    /// It has other columns: it belongs to another study.
    OtherColumns {
        /// The ledger.
        path: PathBuf,
        /// Its first line.
        found: String,
        /// What that should be.
        expected: String,
    },
    /// It has results of another scene.
    OtherScene {
        /// The ledger.
        path: PathBuf,
        /// One of them.
        case: Option<String>,
    },
    /// A line in the middle is not a row.
    BadLine {
        /// The ledger.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// The last column: empty, or why the case failed.
const ERROR_COLUMN: &str = "error";

impl Ledger {
    /// Opens the ledger of a plan, or begins it. `results` are the columns of what cases give.
    ///
    /// Cases that failed count as finished, unless `retry_failed`.
    pub fn open(
        path: impl Into<PathBuf>,
        plan: &Plan,
        results: &[&str],
        retry_failed: bool,
    ) -> Result<Self, LedgerError> {
        let path = path.into();
        let columns = plan.columns().into_iter().chain(results.iter().copied()).chain([ERROR_COLUMN]);
        let header = csv::line(columns);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed(&path))?;
        }
        let file = open_locked(&path)?;
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        let mut ledger = Self { path, file, header, results: results.len(), rows: BTreeMap::new() };
        let whole = ledger.read(&text)?;
        ledger.file.set_len(whole as u64).map_err(failed(&ledger.path))?;
        if whole == 0 {
            ledger.write(&ledger.header)?;
        }
        if retry_failed && ledger.rows.values().any(|row| row.failed) {
            ledger.rows.retain(|_, row| !row.failed);
            ledger.rewrite(&[])?;
        }
        Ok(ledger)
    }

    /// Whether a case is finished.
    pub fn is_finished(&self, case: &Case) -> bool {
        self.rows.contains_key(&case.id)
    }

    /// The ids of the finished cases, sorted.
    pub fn finished(&self) -> impl Iterator<Item = &str> {
        self.rows.keys().map(String::as_str)
    }

    /// Whether a case is finished and has failed.
    pub fn has_failed(&self, case: &Case) -> bool {
        self.rows.get(&case.id).is_some_and(|row| row.failed)
    }

    /// The results of a finished case that did not fail, as they are in the table.
    pub fn results(&self, case: &Case) -> Option<Vec<String>> {
        let row = self.rows.get(&case.id).filter(|row| !row.failed)?;
        let fields = csv::fields(row.line.trim_end_matches('\n'))?;
        // Before the error, and after what tells cases apart.
        let first = fields.len().checked_sub(self.results + 1)?;
        Some(fields[first..first + self.results].to_vec())
    }

    /// How many of the finished cases failed.
    pub fn failed(&self) -> usize {
        self.rows.values().filter(|row| row.failed).count()
    }

    /// Makes sure that all results are of one scene: those that are not of the plan have to `belong` to it as well. Cases
    /// that failed and do not have nothing to be kept.
    pub fn keep(&mut self, plan: &Plan, mut belongs: impl FnMut(&Case) -> bool) -> Result<(), LedgerError> {
        let known: BTreeSet<&str> = plan.cases().iter().map(|case| case.id.as_str()).collect();
        let mut dropped = BTreeSet::new();
        for (id, row) in self.rows.iter().filter(|(id, _)| !known.contains(id.as_str())) {
            let fields = csv::fields(row.line.trim_end_matches('\n'));
            let case = fields.and_then(|fields| Case::of_fields(plan, &fields));
            match case {
                Some(case) if belongs(&case) => {}
                _ if row.failed => drop(dropped.insert(id.clone())),
                case => {
                    let case = case.map(|case| case.to_string());
                    return Err(LedgerError::OtherScene { path: self.path.clone(), case });
                }
            }
        }
        if dropped.is_empty() {
            return Ok(());
        }
        self.rows.retain(|id, _| !dropped.contains(id));
        self.rewrite(&[])
    }

    /// Adds a finished case: on the disk when this returns.
    pub fn append(&mut self, case: &Case, result: &Result<Row, String>) -> Result<(), LedgerError> {
        let mut fields = case.fields();
        let expected = self.results;
        let error = match result {
            Ok(row) if row.len() == expected => {
                fields.extend(row.iter().map(text));
                String::new()
            }
            other => {
                fields.extend(std::iter::repeat_n(String::new(), expected));
                match other {
                    Ok(row) => format!("{} results for {expected} columns", row.len()),
                    Err(error) if error.trim().is_empty() => "failed".into(),
                    Err(error) => error.clone(),
                }
            }
        };
        let failed = !error.is_empty();
        fields.push(error);
        let line = csv::line(fields.iter().map(String::as_str));
        self.write(&line)?;
        self.rows.insert(case.id.clone(), FinishedRow { line, failed });
        Ok(())
    }

    /// Puts the rows in the order of the plan; those of other plans follow. Whoever reads meanwhile sees the
    /// old file or the new one.
    pub fn sort(&mut self, plan: &Plan) -> Result<(), LedgerError> {
        self.rewrite(plan.cases())
    }

    /// Reads all rows; gives how many bytes of the text are complete lines.
    fn read(&mut self, text: &str) -> Result<usize, LedgerError> {
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let header = self.header.as_str();
        if whole == 0 {
            // Nothing, or what was written of the header.
            return if header.starts_with(text) { Ok(0) } else { Err(self.other_columns(text)) };
        }
        let mut lines = text[..whole].split_inclusive('\n').enumerate();
        match lines.next() {
            Some((_, first)) if first == header => {}
            other => return Err(self.other_columns(other.map_or("", |(_, line)| line))),
        }
        let columns = csv::fields(header.trim_end()).map_or(0, |columns| columns.len());
        for (number, line) in lines {
            let fields = csv::fields(line.trim_end_matches('\n')).filter(|fields| fields.len() == columns);
            let Some((Some(case), Some(error))) =
                fields.map(|fields| (fields.first().cloned(), fields.last().cloned()))
            else {
                return Err(LedgerError::BadLine { path: self.path.clone(), line: number + 1 });
            };
            self.rows.insert(case, FinishedRow { line: line.to_owned(), failed: !error.is_empty() });
        }
        Ok(whole)
    }

    fn other_columns(&self, found: &str) -> LedgerError {
        LedgerError::OtherColumns {
            path: self.path.clone(),
            found: found.trim_end().chars().take(200).collect(),
            expected: self.header.trim_end().to_owned(),
        }
    }

    fn write(&self, line: &str) -> Result<(), LedgerError> {
        let mut file = &self.file;
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(failed(&self.path))
    }

    /// Writes all rows again, those of these cases first.
    fn rewrite(&mut self, first: &[Case]) -> Result<(), LedgerError> {
        let mut rest = self.rows.clone();
        let ordered: Vec<FinishedRow> = first.iter().filter_map(|case| rest.remove(&case.id)).collect();
        let lines = ordered.iter().chain(rest.values()).map(|row| row.line.as_str());
        let text: String = [self.header.as_str()].into_iter().chain(lines).collect();
        let partial = self.path.with_extension("csv.part");
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&partial, &self.path)
        };
        write().map_err(failed(&self.path))?;
        self.file = open_locked(&self.path)?;
        Ok(())
    }
}

/// The file, made if need be, for this process alone.
fn open_locked(path: &Path) -> Result<File, LedgerError> {
    /// A program that has just been started by this one has the file, too, for an instant.
    const TRIES: u32 = 20;
    let file = OpenOptions::new().create(true).append(true).open(path).map_err(failed(path))?;
    let mut locked = file.try_lock();
    for _ in 1..TRIES {
        if !matches!(locked, Err(TryLockError::WouldBlock)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
        locked = file.try_lock();
    }
    match locked {
        Err(TryLockError::WouldBlock) => Err(LedgerError::InUse { path: path.to_owned() }),
        // Some network file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    let path = path.to_owned();
    |source| LedgerError::File { path, source }
}

/// A result as text that reads back as the same number.
fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => format!("{number:?}"),
        Cell::Count(count) => count.to_string(),
        Cell::Empty => String::new(),
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::InUse { path } => {
                write!(f, "{} is in use by another run; wait for it, or choose another --out", path.display())
            }
            Self::OtherColumns { path, found, expected } => write!(
                f,
                "{} belongs to another study; choose another --out\n  its columns:    {found}\n  of this study:  {expected}",
                path.display()
            ),
            Self::OtherScene { path, case } => write!(
                f,
                "{} has results of another scene, which would be mixed up with new ones: the scene, or a file that it \
                 reads, was another one when {} was run; choose another --out, or remove the table and run all cases again",
                path.display(),
                case.as_ref().map_or_else(|| "a case".to_owned(), |case| format!("the case {case}")),
            ),
            Self::BadLine { path, line } => write!(
                f,
                "{}, line {line}: not a row of this table; remove the line, and its case will be run again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for LedgerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
