//! Writing without blocking the run: frames are encoded and written by a thread of their own.

use crate::{Error, Frame, FrameSink, Mark};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::JoinHandle;

/// Frames that may wait to be written. With more, a slow disk would fill the memory instead of slowing the
/// run.
const QUEUE: usize = 2;

/// Of frames with more bodies there is one at a time: the run waits until it is written.
const LARGE: usize = 250_000;

/// Which of the sinks a frame is for, by their numbers: the lowest 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receivers(u64);

impl Receivers {
    /// All of them.
    pub const ALL: Self = Self(u64::MAX);
    /// None of them.
    pub const NONE: Self = Self(0);

    /// These and one more.
    pub fn and(self, sink: usize) -> Self {
        Self(self.0 | 1_u64.checked_shl(u32::try_from(sink).unwrap_or(64)).unwrap_or(0))
    }

    /// Whether it is for nobody.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn has(self, sink: usize) -> bool {
        sink < 64 && self.0 >> sink & 1 == 1
    }
}

/// A thread that writes frames in the order in which they are handed over.
///
/// If the queue is full, handing over waits. An error comes back at the next call of anything, each error
/// once; the thread goes on with the frames that follow. Nothing is lost silently: [`finish`](Self::finish)
/// waits for everything and returns what has gone wrong. Dropped without that, it still writes what was
/// handed over.
#[derive(Debug)]
pub struct Background {
    jobs: Option<SyncSender<Job>>,
    errors: Receiver<Error>,
    spare: Receiver<Frame>,
    /// Frames that were handed over and have not come back, and whether the last one was large.
    under_way: usize,
    large: bool,
    flushed: Receiver<Vec<Vec<Mark>>>,
    marks: Vec<Vec<Mark>>,
    thread: Option<JoinHandle<()>>,
}

enum Job {
    Write(Box<Frame>, Receivers),
    Flush,
}

impl Background {
    /// Starts the thread.
    pub fn start(sinks: Vec<Box<dyn FrameSink>>) -> Result<Self, Error> {
        let (jobs, queue) = sync_channel(QUEUE);
        let (error_sender, errors) = std::sync::mpsc::channel();
        let (spare_sender, spare) = sync_channel(QUEUE + 2);
        let (flushed_sender, flushed) = std::sync::mpsc::channel();
        let back = Back { errors: error_sender, spare: spare_sender, flushed: flushed_sender };
        let thread = std::thread::Builder::new().name("tumble-output".into());
        let thread = thread.spawn(move || back.serve(sinks, &queue));
        let thread = thread.map_err(|error| Error::WriterEnded { reason: error.to_string() })?;
        Ok(Self {
            jobs: Some(jobs),
            errors,
            spare,
            under_way: 0,
            large: false,
            flushed,
            marks: Vec::new(),
            thread: Some(thread),
        })
    }

    /// A frame to fill: one that has been written, so that its room is used again, or a new one. If the last one was large,
    /// waits for it.
    pub fn spare_frame(&mut self) -> Frame {
        let wait = self.large && self.under_way > 0;
        let spare = if wait { self.spare.recv().ok() } else { self.spare.try_recv().ok() };
        self.under_way = self.under_way.saturating_sub(usize::from(spare.is_some()));
        spare.unwrap_or_default()
    }

    /// Hands a frame over; waits if the queue is full.
    ///
    /// An error is one of earlier frames; this one is handed over all the same.
    pub fn submit(&mut self, frame: Frame, to: Receivers) -> Result<(), Error> {
        self.large = frame.bodies.len() > LARGE;
        self.send(Job::Write(Box::new(frame), to))?;
        self.under_way += 1;
        self.first_error()
    }

    /// Waits until everything handed over is written and survives a power cut: before a checkpoint, which
    /// must not be ahead of what it belongs to.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.send(Job::Flush)?;
        match self.flushed.recv() {
            Ok(marks) => self.marks = marks,
            Err(_) => return Err(self.ended()),
        }
        self.first_error()
    }

    /// What each of the sinks had written at the last [`flush`](Self::flush).
    pub fn marks(&self) -> &[Vec<Mark>] {
        &self.marks
    }

    /// Waits until everything is written, and ends the thread.
    ///
    /// # Errors
    /// The first that was not told yet; those after it most likely have the same cause.
    pub fn finish(mut self) -> Result<(), Error> {
        let flushed = self.flush();
        self.jobs = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) && flushed.is_ok() {
            return Err(Error::WriterEnded { reason: "it panicked, which is an error in Tumble".into() });
        }
        flushed
    }

    fn send(&mut self, job: Job) -> Result<(), Error> {
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if sent { Ok(()) } else { Err(self.ended()) }
    }

    fn first_error(&mut self) -> Result<(), Error> {
        match self.errors.try_recv() {
            Ok(error) => Err(error),
            Err(TryRecvError::Empty) => Ok(()),
            Err(TryRecvError::Disconnected) => Err(self.ended()),
        }
    }

    /// Why the thread is not there any more.
    fn ended(&mut self) -> Error {
        if let Ok(error) = self.errors.try_recv() {
            return error;
        }
        self.jobs = None;
        let panic = self.thread.take().and_then(|thread| thread.join().err());
        let text = panic.as_ref().and_then(|panic| {
            panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref().cloned())
        });
        Error::WriterEnded { reason: text.unwrap_or_else(|| "it was told to".into()) }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // Whoever wanted to know how it ended called `finish`.
            let _ = thread.join();
        }
    }
}

/// What goes back from the thread. Sending fails only when nobody listens any more.
struct Back {
    errors: std::sync::mpsc::Sender<Error>,
    spare: SyncSender<Frame>,
    flushed: std::sync::mpsc::Sender<Vec<Vec<Mark>>>,
}

impl Back {
    fn serve(&self, mut sinks: Vec<Box<dyn FrameSink>>, queue: &Receiver<Job>) {
        for job in queue {
            match job {
                Job::Write(frame, to) => {
                    for (_, sink) in sinks.iter_mut().enumerate().filter(|(number, _)| to.has(*number)) {
                        self.tell(sink.write(&frame));
                    }
                    // If there are enough of them, it is dropped.
                    let _ = self.spare.try_send(*frame);
                }
                Job::Flush => {
                    for sink in &mut sinks {
                        self.tell(sink.sync());
                    }
                    let _ = self.flushed.send(sinks.iter().map(|sink| sink.marks()).collect());
                }
            }
        }
    }

    fn tell(&self, result: Result<(), Error>) {
        if let Err(error) = result {
            let _ = self.errors.send(error);
        }
    }
}
