//! How results are at this moment: what the page asks for once a second while a run is under way.

use crate::fields::{self, FieldStatus};
use crate::{Error, Source};
use serde::Serialize;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use tumble_output::{Ending, Part, Summary};

/// How results are at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Status {
    /// What the run is called.
    pub title: String,
    /// Whether a run is writing the results now.
    pub live: bool,
    /// Length of the trajectory, bytes; 0 if there is none.
    pub trajectory_bytes: u64,
    /// Tables over time that are there.
    pub tables: Vec<TableStatus>,
    /// Coarse-grained fields of planes and grids that have frames.
    pub fields: Vec<FieldStatus>,
    /// "finished", "interrupted" or "failed"; none while the run is under way, or if it was killed.
    pub ended: Option<&'static str>,
    /// How many steps the run has done, as far as its files tell.
    pub step: Option<u64>,
    /// Why there is nothing to see, in words.
    pub problem: Option<String>,
}

/// A table over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableStatus {
    /// The name of its file, from the folder.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// Bytes at the beginning of a trajectory that tell its header from any other: among them the checksum.
const HEAD: usize = 24;

/// Looks at results again and again. The header of the trajectory, which can be long, is read only if it is another.
#[derive(Debug)]
pub(crate) struct Watcher {
    source: Source,
    seen: Mutex<Option<([u8; HEAD], String)>>,
}

impl Watcher {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, seen: Mutex::default() }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn status(&self) -> Status {
        let source = &self.source;
        // First, so that a run that ends meanwhile is not taken for one that was killed.
        let live = source.is_live();
        let summary = source.part(Part::Summary).and_then(|path| Summary::read(&path).ok());
        let (title, header_end, problem) = match self.title() {
            Ok((title, end)) => (Some(title), end, None),
            Err(error) => (None, 0, Some(error.to_string())),
        };
        let trajectory_bytes = length(source.trajectory());
        let empty = problem.is_none() && !live && trajectory_bytes <= header_end;
        let no_frames = empty.then(|| Error::NoFrames { path: source.trajectory().to_owned() }.to_string());
        let energy = source.part(Part::Energy).filter(|path| source.look(path).is_ok());
        let told = summary.as_ref().map(|summary| summary.title.clone());
        Status {
            title: title.or(told).unwrap_or_else(|| source.path().display().to_string()),
            live,
            trajectory_bytes,
            tables: source.tables().map(|(name, path)| TableStatus { name, bytes: length(&path) }).collect(),
            fields: fields::status(source),
            step: energy
                .as_deref()
                .and_then(last_step)
                .or_else(|| summary.as_ref().map(|summary| summary.state.steps)),
            // What is there while a run goes on is about an earlier part of it.
            ended: summary.filter(|_| !live).map(|summary| match summary.ended {
                Ending::Finished => "finished",
                Ending::Interrupted => "interrupted",
                Ending::Failed { .. } => "failed",
            }),
            problem: problem.or(no_frames),
        }
    }

    /// The title in the trajectory, and where its header ends.
    fn title(&self) -> Result<(String, u64), Error> {
        let mut head = [0; HEAD];
        let path = self.source.trajectory();
        if let Err(Some(error)) = self.source.look(path) {
            return Err(Error::Trajectory(error));
        }
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let title = match &*seen {
            Some((known, title)) if read.is_ok() && *known == head => title.clone(),
            _ => {
                let title = self.source.header()?.title;
                *seen = read.is_ok().then(|| (head, title.clone()));
                title
            }
        };
        let [.., a, b, c, d, e, f, g, h] = head;
        Ok((title, u64::from_le_bytes([a, b, c, d, e, f, g, h]).saturating_add(HEAD as u64)))
    }
}

/// Of a file; 0 if there is none.
fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 })
}

/// The step of the last whole row of a table, of which only the end is read.
fn last_step(table: &Path) -> Option<u64> {
    /// More than any row of energies has.
    const ENOUGH: u64 = 4096;
    let mut file = File::open(table).ok()?;
    let end = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(end.saturating_sub(ENOUGH))).ok()?;
    let mut bytes = Vec::new();
    file.take(ENOUGH).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (whole, _torn) = text.rsplit_once('\n')?;
    whole.rsplit('\n').next()?.split(',').nth(1)?.parse().ok()
}
