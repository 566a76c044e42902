//! The checkpoints of a run: the newest ones, in a folder of their own.

use super::Checkpoint;
use crate::Error;
use crate::atomic::{Survives, replace_with};
use core::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder that holds the newest checkpoints of a run.
///
/// A checkpoint appears as a whole or not at all, and older ones are removed only when it is safe on the
/// disk; so whenever the program or the machine stops, the folder holds one to go on from.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    keep: u64,
}

/// A file that looks like a checkpoint but cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason)
    }
}

impl Checkpoints {
    /// Checkpoints in a folder, which is made if it does not exist. The newest `keep` of them are kept, at
    /// least one.
    pub fn new(folder: impl Into<PathBuf>, keep: u64) -> Result<Self, Error> {
        let folder = folder.into();
        fs::create_dir_all(&folder).map_err(Error::file("make", &folder))?;
        Ok(Self { folder, keep: keep.max(1) })
    }

    /// Writes a checkpoint and removes those that are too old. It is safe on the disk when this returns.
    ///
    /// Whoever writes other files as well makes them safe first, so that no checkpoint is ahead of them.
    /// Checkpoints of later steps are removed too: the run has gone back behind them, because they could not
    /// be used.
    pub fn write(&self, checkpoint: &Checkpoint) -> Result<PathBuf, Error> {
        self.write_with(checkpoint, Checkpoint::write_to)
    }

    fn write_with(
        &self,
        checkpoint: &Checkpoint,
        write: impl FnOnce(&Checkpoint, &mut File) -> io::Result<()>,
    ) -> Result<PathBuf, Error> {
        let path = self.folder.join(file_name(checkpoint.step));
        replace_with(&path, Survives::PowerCut, |file| write(checkpoint, file))?;
        self.remove_others(checkpoint.step)?;
        Ok(path)
    }

    /// Removes what is later than the newest, or too old; [`write`](Self::write) does so unless it is killed.
    pub fn remove_others(&self, newest: u64) -> Result<(), Error> {
        let (later, mut older): (Vec<_>, Vec<_>) =
            self.files()?.into_iter().partition(|(step, _)| *step > newest);
        let keep = usize::try_from(self.keep).map_or(older.len(), |keep| keep.min(older.len()));
        let too_old = older.split_off(keep);
        for (_, path) in later.iter().chain(&too_old) {
            fs::remove_file(path).map_err(Error::file("remove", path))?;
        }
        Ok(())
    }

    /// The newest checkpoint that is whole, if there is one, and newer files that are not.
    pub fn newest(&self) -> Result<(Option<Checkpoint>, Vec<Rejected>), Error> {
        self.newest_of(|_| Ok(()))
    }

    /// The newest checkpoint that is whole and that somebody finds usable; newer ones with what they say against them.
    pub fn newest_of(
        &self,
        mut usable: impl FnMut(&Checkpoint) -> Result<(), String>,
    ) -> Result<(Option<Checkpoint>, Vec<Rejected>), Error> {
        let mut rejected = Vec::new();
        for (step, path) in self.files()? {
            let reason = match Checkpoint::read(&path) {
                Ok(checkpoint) if checkpoint.step == step => match usable(&checkpoint) {
                    Ok(()) => return Ok((Some(checkpoint), rejected)),
                    Err(reason) => reason,
                },
                Ok(checkpoint) => format!("its name says step {step}, but it is of step {}", checkpoint.step),
                Err(Error::Damaged { what, .. }) => what,
                Err(error) => error.to_string(),
            };
            rejected.push(Rejected { path, reason });
        }
        Ok((None, rejected))
    }

    /// The steps and paths of the files, the latest first.
    fn files(&self) -> Result<Vec<(u64, PathBuf)>, Error> {
        let entries = fs::read_dir(&self.folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let paths = entries.map_err(Error::file("read", &self.folder))?.into_iter().map(|entry| entry.path());
        let mut files: Vec<_> = paths.filter_map(|path| Some((step_of(&path)?, path))).collect();
        files.sort_unstable_by(|a, b| b.cmp(a));
        Ok(files)
    }
}

fn file_name(step: u64) -> String {
    format!("checkpoint_{step:012}.tumble")
}

/// The step of a checkpoint, by its name.
fn step_of(path: &Path) -> Option<u64> {
    let name = path.file_name()?.to_str()?;
    let step = name.strip_prefix("checkpoint_")?.strip_suffix(".tumble")?.parse().ok()?;
    (name == file_name(step)).then_some(step)
}

/// Whether a run gives this name to a file in its folder of checkpoints.
pub(crate) fn is_checkpoint(name: &str) -> bool {
    step_of(Path::new(name)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_costs_no_earlier_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoints = Checkpoints::new(folder.path().join("checkpoints"), 2).unwrap();
        for step in [10, 20, 30] {
            checkpoints.write(&Checkpoint::new("scene", step, 0.0)).unwrap();
        }
        let full = |checkpoint: &Checkpoint, file: &mut File| {
            checkpoint.write_to(file)?;
            file.set_len(file.metadata()?.len() / 2)?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        for step in [30, 40] {
            let error =
                checkpoints.write_with(&Checkpoint::new("scene", step, 0.0), full).unwrap_err().to_string();
            assert!(error.contains(&file_name(step)) && error.contains("make room"), "{error}");
            let steps: Vec<_> = checkpoints.files().unwrap().into_iter().map(|(step, _)| step).collect();
            assert_eq!(steps, [30, 20]);
            let (newest, rejected) = checkpoints.newest().unwrap();
            assert_eq!((newest.unwrap().step, rejected.len()), (30, 0));
        }
    }

    #[test]
    fn names_tell_the_step() {
        assert_eq!(step_of(Path::new("x/checkpoint_000000001234.tumble")), Some(1234));
        assert_eq!(step_of(Path::new(&file_name(u64::MAX))), Some(u64::MAX));
        for other in
            ["checkpoint_12.tumble", "checkpoint_.tumble", "checkpoint_000000001234.tumble.part", "notes"]
        {
            assert_eq!(step_of(Path::new(other)), None, "{other}");
        }
    }
}
