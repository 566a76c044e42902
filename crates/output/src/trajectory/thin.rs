//! A shorter trajectory out of a longer one, frame by frame, so that neither has to be in memory.

use super::{TrajectoryFrame, TrajectoryReader};
use crate::Error;
use std::num::NonZeroUsize;

/// The bytes of a trajectory with some of the frames of another one, piece by piece.
///
/// With all frames of a whole file these are the bytes of that file.
#[derive(Debug)]
pub struct Thinned<'a> {
    reader: &'a mut TrajectoryReader,
    every: NonZeroUsize,
    /// The number of the next frame; none before the head.
    next: Option<usize>,
    /// The frame before, whose bodies need not be listed again.
    last: TrajectoryFrame,
    piece: Vec<u8>,
    frames: usize,
    lost: usize,
}

impl TrajectoryReader {
    /// Every so many frames, from the first on, and the last one.
    pub fn thinned(&mut self, every: NonZeroUsize) -> Thinned<'_> {
        let last = TrajectoryFrame::default();
        Thinned { reader: self, every, next: None, last, piece: Vec::new(), frames: 0, lost: 0 }
    }
}

impl Thinned<'_> {
    /// The next bytes, or none at the end. Frames that are damaged are left out, and counted.
    pub fn piece(&mut self) -> Result<Option<&[u8]>, Error> {
        let Some(mut number) = self.next else {
            (self.next, self.piece) = (Some(0), self.reader.head()?);
            return Ok(Some(&self.piece));
        };
        let count = self.reader.len();
        while number < count {
            let frame = self.reader.frame(number);
            number = if number + 1 < count {
                number.saturating_add(self.every.get()).min(count - 1)
            } else {
                count
            };
            self.next = Some(number);
            match frame {
                Ok(frame) => {
                    self.put(frame)?;
                    return Ok(Some(&self.piece));
                }
                Err(Error::Damaged { .. }) => self.lost += 1,
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Frames given so far.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Damaged frames left out so far.
    pub fn lost(&self) -> usize {
        self.lost
    }

    fn put(&mut self, mut frame: TrajectoryFrame) -> Result<(), Error> {
        let last = &self.last;
        let same = frame.ids == last.ids && frame.kinds == last.kinds && frame.scales == last.scales;
        frame.lists = self.frames == 0 || !same;
        self.piece.clear();
        frame.put(&mut self.piece).map_err(Error::file("copy a frame of", &self.reader.path))?;
        self.last = frame;
        self.frames += 1;
        Ok(())
    }
}
