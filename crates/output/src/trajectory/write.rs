//! Writing a trajectory.

use super::{FILE_HEAD, MAGIC, TrajectoryFrame, TrajectoryHeader, TrajectoryReader, VERSION};
use crate::bytes::Element;
use crate::mark::Content;
use crate::{Error, Frame, FrameSink, Mark, Model, plain};
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh32::xxh32;

/// Appends frames to a trajectory.
#[derive(Debug)]
pub struct TrajectoryWriter {
    path: PathBuf,
    file: File,
    model: Arc<Model>,
    header: TrajectoryHeader,
    contacts: bool,
    frame: TrajectoryFrame,
    bytes: Vec<u8>,
    /// What is in the file.
    content: Content,
}

impl TrajectoryWriter {
    /// A new trajectory, with contacts or without. The file must not exist.
    pub fn create(path: &Path, model: Arc<Model>, contacts: bool) -> Result<Self, Error> {
        let mut file = File::create_new(path).map_err(Error::file("make", path))?;
        let header = TrajectoryHeader::new(&model);
        let head = head(&header);
        file.write_all(&head).map_err(Error::file("write", path))?;
        let mut writer = Self::new(path, file, (model, header), contacts, TrajectoryFrame::default());
        writer.content.add(&head);
        Ok(writer)
    }

    /// The trajectory of an interrupted run, whose frames later than `step` are cut off.
    pub fn resume(path: &Path, model: Arc<Model>, contacts: bool, step: u64) -> Result<Self, Error> {
        plain::check(path)?;
        let mut reader = TrajectoryReader::open(path)?;
        let expected = TrajectoryHeader::new(&model).saying_no_more_than(reader.header());
        if *reader.header() != expected {
            return Err(Error::damaged(path, "it is a trajectory of another scene"));
        }
        if let Some(lost) = reader.first_lost().filter(|lost| *lost <= step) {
            return Err(Error::damaged(
                path,
                format!("its frame of step {lost} is damaged: start the run anew"),
            ));
        }
        let kept = reader.steps().partition_point(|other| *other <= step);
        // What bodies the last frame had decides whether the next one lists its own.
        let last = kept.checked_sub(1).map(|last| reader.frame(last)).transpose()?.unwrap_or_default();
        let end = reader.end_of(kept);
        drop(reader);
        let file = OpenOptions::new().write(true).open(path).map_err(Error::file("write", path))?;
        let mut writer = Self::new(path, file, (model, expected), contacts, last);
        let cut = writer.file.set_len(end).and_then(|()| writer.file.seek(SeekFrom::End(0)));
        cut.map_err(Error::file("write", path))?;
        writer.content = Content::of_file(path, end)?;
        Ok(writer)
    }

    fn new(
        path: &Path,
        file: File,
        (model, header): (Arc<Model>, TrajectoryHeader),
        contacts: bool,
        frame: TrajectoryFrame,
    ) -> Self {
        let (bytes, content) = (Vec::new(), Content::default());
        Self { path: path.to_owned(), file, model, header, contacts, frame, bytes, content }
    }
}

impl FrameSink for TrajectoryWriter {
    fn write(&mut self, frame: &Frame) -> Result<(), Error> {
        self.frame.fill(frame, &self.model, &self.header, self.contacts);
        self.bytes.clear();
        let put = self.frame.put(&mut self.bytes);
        put.and_then(|()| self.file.write_all(&self.bytes)).map_err(Error::file("write", &self.path))?;
        self.content.add(&self.bytes);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), Error> {
        plain::check_still_there(&self.file, &self.path)?;
        self.file.sync_data().map_err(Error::file("write", &self.path))
    }

    fn marks(&self) -> Vec<Mark> {
        vec![self.content.mark(self.path.file_name().unwrap_or_default())]
    }
}

/// Everything before the first frame.
fn head(header: &TrajectoryHeader) -> Vec<u8> {
    // Names are text and numbers are finite, which is all that JSON asks for.
    let mut header = serde_json::to_vec(header).unwrap_or_default();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut out = Vec::with_capacity(FILE_HEAD + header.len());
    out.extend_from_slice(MAGIC);
    VERSION.put(&mut out);
    xxh32(&header, 0).put(&mut out);
    (header.len() as u64).put(&mut out);
    out.extend_from_slice(&header);
    out
}
