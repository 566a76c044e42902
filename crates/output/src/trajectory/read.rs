//! Reading a trajectory, also one that was cut off.

use super::{FILE_HEAD, FRAME, FRAME_HEAD, MAGIC, TrajectoryFrame, TrajectoryHeader, VERSION};
use crate::bytes::Input;
use crate::{Error, plain};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh32::xxh32;

/// Reads frames by their numbers.
#[derive(Debug)]
pub struct TrajectoryReader {
    pub(super) path: PathBuf,
    file: BufReader<File>,
    header: TrajectoryHeader,
    frames: Vec<Place>,
    steps: Vec<u64>,
    cut_off: bool,
    /// The step of the first frame that is there but damaged, with all that come after it.
    first_lost: Option<u64>,
    /// Where the first frame begins.
    first: u64,
}

/// Where a frame is.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Of what follows its head.
    start: u64,
    length: u64,
    checksum: u32,
    /// The frame that lists its bodies.
    listed_by: usize,
}

impl TrajectoryReader {
    /// Opens a trajectory and finds its frames. A torn one at the end does not count.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = plain::open(path)?;
        let size = file.metadata().map_err(Error::file("read", path))?.len();
        let mut file = BufReader::new(file);
        let header = read_header(&mut file, path)?;
        let first = file.stream_position().map_err(Error::file("read", path))?;
        let mut reader = Self {
            path: path.to_owned(),
            file,
            header,
            frames: Vec::new(),
            steps: Vec::new(),
            cut_off: false,
            first_lost: None,
            first,
        };
        reader.find_frames(size)?;
        // Of a power cut only the end of the file may be left blank.
        while !reader.is_empty() && reader.frame(reader.len() - 1).is_err() {
            reader.frames.pop();
            reader.first_lost = reader.steps.pop();
            reader.cut_off = true;
        }
        Ok(reader)
    }

    /// What does not change.
    pub fn header(&self) -> &TrajectoryHeader {
        &self.header
    }

    /// Number of whole frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The steps of the frames.
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }

    /// Whether something follows the last whole frame.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// Reads a frame, with the list of its bodies.
    pub fn frame(&mut self, number: usize) -> Result<TrajectoryFrame, Error> {
        let mut frame = TrajectoryFrame::default();
        let place = self.frames.get(number).copied();
        let place = place.ok_or_else(|| Error::damaged(&self.path, format!("it has no frame {number}")))?;
        for part in [place.listed_by, number] {
            let Place { start, length, checksum, .. } = self.frames[part];
            let content = self.content(start, length)?;
            if xxh32(&content, 0) != checksum || frame.take(&content, &self.header.arrays).is_none() {
                return Err(Error::damaged(&self.path, format!("frame {part}, at byte {start}, is damaged")));
            }
            if part == number {
                break;
            }
        }
        Ok(frame)
    }

    pub(super) fn first_lost(&self) -> Option<u64> {
        self.first_lost
    }

    /// Where the first so many frames end.
    pub(crate) fn end_of(&self, frames: usize) -> u64 {
        let last = frames.checked_sub(1).and_then(|last| self.frames.get(last));
        last.map_or(self.first, |place| place.start + place.length)
    }

    /// Everything before the first frame.
    pub(super) fn head(&mut self) -> Result<Vec<u8>, Error> {
        self.content(0, self.first)
    }

    fn content(&mut self, start: u64, length: u64) -> Result<Vec<u8>, Error> {
        let mut content = Vec::new();
        let read = self
            .file
            .seek(SeekFrom::Start(start))
            .and_then(|_| (&mut self.file).take(length).read_to_end(&mut content));
        read.map_err(Error::file("read", &self.path))?;
        Ok(content)
    }

    /// Goes from head to head.
    fn find_frames(&mut self, size: u64) -> Result<(), Error> {
        /// The head of a frame, and what of its content is of fixed size.
        const HEAD: usize = FRAME_HEAD + 32;
        let mut at = self.first;
        let mut listed_by = None;
        while at < size {
            let head = self.content(at, HEAD as u64)?;
            let Some(head) = Head::read(&head) else { break };
            let start = at + FRAME_HEAD as u64;
            let end = start.checked_add(head.length).filter(|end| *end <= size && head.length >= 32);
            listed_by = if head.lists { Some(self.frames.len()) } else { listed_by };
            let in_order = self.steps.last().is_none_or(|last| *last < head.step);
            let (Some(end), Some(listed_by), true) = (end, listed_by, in_order) else { break };
            self.frames.push(Place { start, length: head.length, checksum: head.checksum, listed_by });
            self.steps.push(head.step);
            at = end;
        }
        self.cut_off = at != size;
        Ok(())
    }
}

impl TrajectoryHeader {
    /// Reads the header of a trajectory alone, which takes as long for a long one as for a short one.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = plain::open(path)?;
        read_header(&mut BufReader::new(file), path)
    }
}

struct Head {
    checksum: u32,
    length: u64,
    step: u64,
    lists: bool,
}

impl Head {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut input = Input(bytes);
        if input.bytes(4)? != FRAME {
            return None;
        }
        let (checksum, length, step) = (input.take()?, input.take()?, input.take()?);
        let _time: f64 = input.take()?;
        let [.., lists] = input.take::<[u32; 4]>()?;
        Some(Self { checksum, length, step, lists: lists == 1 })
    }
}

fn read_header(file: &mut BufReader<File>, path: &Path) -> Result<TrajectoryHeader, Error> {
    let mut head = Vec::new();
    let mut read = |length: u64, bytes: &mut Vec<u8>| {
        file.take(length).read_to_end(bytes).map_err(Error::file("read", path))
    };
    read(FILE_HEAD as u64, &mut head)?;
    let mut input = Input(&head);
    if input.bytes(8) != Some(MAGIC) {
        return Err(Error::damaged(path, "this is no trajectory of Tumble"));
    }
    let (Some(version), Some(checksum), Some(length)) =
        (input.take::<u32>(), input.take::<u32>(), input.take::<u64>())
    else {
        return Err(Error::damaged(path, "it was cut off in its header"));
    };
    if version != VERSION {
        let what =
            format!("it is a trajectory of version {version}, and this program reads version {VERSION}");
        return Err(Error::damaged(path, what));
    }
    let mut text = Vec::new();
    read(length, &mut text)?;
    if (text.len() as u64) < length {
        return Err(Error::damaged(path, "it was cut off in its header"));
    }
    if xxh32(&text, 0) != checksum {
        return Err(Error::damaged(path, "its header is damaged"));
    }
    serde_json::from_slice(&text)
        .map_err(|error| Error::damaged(path, format!("its header is damaged: {error}")))
}
