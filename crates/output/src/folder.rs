//! The folder of a run: who may write to it, and what of it belongs to Tumble.

use crate::Error;
use crate::atomic::{PART, sync_folder};
use crate::checkpoint::is_checkpoint;
use crate::plain::{self, same_file};
use crate::vtk::{is_image_file, is_vtk_file};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file that marks a folder of results, and that the run holds a lock on.
const MARKER: &str = ".tumble";

const MARKER_TEXT: &str =
    "This folder holds the results of a run of Tumble. A run that is under way holds a lock on this file.\n";

/// What a run leaves in its folder. This is the one list of names: all that is removed by force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The scene as run.
    Scene,
    /// The ledger over time.
    Energy,
    /// What walls feel over time.
    Walls,
    /// What came in and went out over time.
    Flows,
    /// Which bonds broke, and when.
    Bonds,
    /// What was measured over time.
    Measures,
    /// The run in numbers.
    Summary,
    /// The motion, for a viewer.
    Trajectory,
    /// The run as a page to look at.
    Report,
    /// All bodies at the end, as a scene reads them.
    Bodies,
    /// The folder of files for ParaView.
    Vtk,
    /// The folder of coarse-grained fields.
    Fields,
    /// The folder of checkpoints.
    Checkpoints,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Scene,
        Self::Energy,
        Self::Walls,
        Self::Flows,
        Self::Bonds,
        Self::Measures,
        Self::Summary,
        Self::Trajectory,
        Self::Report,
        Self::Bodies,
        Self::Vtk,
        Self::Fields,
        Self::Checkpoints,
    ];

    /// The name of the file or folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene.toml",
            Self::Energy => "energy.csv",
            Self::Walls => "walls.csv",
            Self::Flows => "flows.csv",
            Self::Bonds => "bonds.csv",
            Self::Measures => "measures.csv",
            Self::Summary => "summary.json",
            Self::Trajectory => "trajectory.tumble",
            Self::Report => "report.html",
            Self::Bodies => "bodies.csv",
            Self::Vtk => "vtk",
            Self::Fields => "fields",
            Self::Checkpoints => "checkpoints",
        }
    }

    /// Whether it is a table over time.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Energy | Self::Walls | Self::Flows | Self::Bonds | Self::Measures)
    }

    /// Which files among all that are there are Tumble's, if it is a folder.
    fn owns(self) -> Option<fn(&str, &[String]) -> bool> {
        match self {
            Self::Vtk => Some(|name, _| is_vtk_file(name)),
            Self::Fields => Some(is_field_file),
            Self::Checkpoints => Some(|name, _| is_checkpoint(name)),
            _ => None,
        }
    }
}

/// Whether a file is one of coarse-grained fields. Of tables, which anybody may have put there, only those beside a series of the same name.
fn is_field_file(file: &str, all: &[String]) -> bool {
    let of_series = |name: &str| all.iter().any(|other| other.strip_suffix(".pvd") == Some(name));
    is_image_file(file) || file.strip_suffix(".csv").is_some_and(of_series)
}

/// What to do with what is in the folder already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// There must be nothing.
    New,
    /// Results of earlier runs are removed; all other files stay.
    Force,
    /// There must be results, which stay.
    Resume,
}

/// The folder of a run, which no other run can write to while this exists.
#[derive(Debug)]
pub struct ResultFolder {
    path: PathBuf,
    /// Holds the lock. The system lets go of it when the program ends, however that happens.
    marker: File,
}

impl ResultFolder {
    /// Takes a folder for a run. With [`Mode::New`] and [`Mode::Force`] it is made if it does not exist.
    pub fn create(path: impl Into<PathBuf>, mode: Mode) -> Result<Self, Error> {
        let path = path.into();
        if mode == Mode::Resume {
            if !Self::is_one(&path) {
                return Err(Error::NoResults { path, foreign: None });
            }
            let marker = lock(&path)?;
            // What was being written when the run was killed.
            remove(&path, |name| name.ends_with(PART))?;
            return Ok(Self { path, marker });
        }
        fs::create_dir_all(&path).map_err(Error::file("make", &path))?;
        check(&path, mode)?;
        let marker = lock(&path)?;
        if mode == Mode::New {
            // Another run may have come and gone before it was locked.
            check(&path, mode)?;
        }
        if mode == Mode::Force {
            remove(&path, |_| true)?;
        }
        Ok(Self { path, marker })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a part of the results is.
    pub fn part(&self, part: Part) -> PathBuf {
        self.path.join(part.name())
    }

    /// Removes all results, as [`Mode::Force`] does.
    pub fn clear(&self) -> Result<(), Error> {
        remove(&self.path, |_| true)
    }

    /// Whether the folder is still the one that was taken. If it was removed, moved or replaced, files that
    /// are open stay so, and others would go to a folder that is not there or belongs to another run.
    pub fn check(&self) -> Result<(), Error> {
        let path = self.path.join(MARKER);
        let now = fs::metadata(&path).map_err(Error::file("find", &path))?;
        let taken = self.marker.metadata().map_err(Error::file("read", &path))?;
        if same_file(&now, &taken) { Ok(()) } else { Err(Error::Replaced { path: self.path.clone() }) }
    }

    /// Whether a folder has results of a run.
    pub fn is_one(path: &Path) -> bool {
        path.join(MARKER).exists()
    }

    /// Whether a run is writing to a folder now. Nothing is changed by looking.
    ///
    /// Where the file system has no locks, nobody seems to.
    pub fn is_being_written(path: &Path) -> bool {
        let Ok(marker) = plain::open(&path.join(MARKER)) else { return false };
        match marker.try_lock_shared() {
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(_)) => false,
            Ok(()) => {
                // Closing lets go of it too, though not everywhere at once.
                let _ = marker.unlock();
                false
            }
        }
    }
}

/// Whether a folder that exists can be taken for new results.
fn check(path: &Path, mode: Mode) -> Result<(), Error> {
    let results = ResultFolder::is_one(path);
    let found: Vec<_> = entries(path)?.into_iter().filter(|name| name != MARKER).collect();
    if mode == Mode::New {
        let found = found.into_iter().next();
        return found.map_or(Ok(()), |found| Err(Error::Occupied { path: path.to_owned(), found, results }));
    }
    // What has our names but not our mark is somebody else's.
    let foreign = found.into_iter().find(|name| Part::ALL.iter().any(|part| part.name() == name));
    match foreign {
        Some(_) if !results => Err(Error::NoResults { path: path.to_owned(), foreign }),
        _ => Ok(()),
    }
}

/// How often a run asks for the lock: somebody who only looks has it for an instant.
const TRIES: u32 = 10;
/// How long it waits from one time to the next.
const PAUSE: Duration = Duration::from_millis(5);

/// Makes the marker, if there is none, and locks it.
fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(MARKER);
    if path.symlink_metadata().is_ok() {
        plain::check(&path)?;
    }
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let mut marker = open.map_err(Error::file("make", &path))?;
    let mut locked = marker.try_lock();
    for _ in 1..TRIES {
        if !matches!(locked, Err(TryLockError::WouldBlock)) {
            break;
        }
        std::thread::sleep(PAUSE);
        locked = marker.try_lock();
    }
    match locked {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Error::InUse { path: folder.to_owned() }),
        // Some network file systems have no locks; there the user has to take care.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(Error::file("lock", &path)(error)),
    }
    marker.write_all(MARKER_TEXT.as_bytes()).map_err(Error::file("write", &path))?;
    Ok(marker)
}

/// What is removed first, and in which order. While there are checkpoints, all else is there as well, so that the run
/// can be resumed; without them and without the scene there is no run, and it starts over. So whoever is killed while
/// results are removed leaves either of the two.
const FIRST_REMOVED: [Part; 2] = [Part::Scene, Part::Checkpoints];

/// Removes what Tumble wrote, as far as it is wanted: files of the names it gives, also unfinished ones, and
/// folders that are empty then.
fn remove(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    let rest = Part::ALL.into_iter().filter(|part| !FIRST_REMOVED.contains(part));
    let wanted_of = |folder: &Path, owns: &dyn Fn(&str, &[String]) -> bool| -> Result<Vec<PathBuf>, Error> {
        let all = entries(folder)?;
        let ours = |name: &&String| owns(name.strip_suffix(PART).unwrap_or(name), &all) && wanted(name);
        Ok(all.iter().filter(ours).map(|name| folder.join(name)).collect())
    };
    for part in FIRST_REMOVED.into_iter().chain(rest) {
        let path = folder.join(part.name());
        match part.owns() {
            None => wanted_of(folder, &|name, _| name == part.name())?
                .iter()
                .try_for_each(|path| remove_file(path))?,
            Some(owns) if path.is_dir() => {
                wanted_of(&path, &owns)?.iter().try_for_each(|path| remove_file(path))?;
                sync_folder(&path)?;
                // If it holds something else, it stays.
                let _ = fs::remove_dir(&path);
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn remove_file(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::file("remove", path)(error)),
        _ => Ok(()),
    }
}

/// The names in a folder, in alphabetical order.
fn entries(folder: &Path) -> Result<Vec<String>, Error> {
    let read = fs::read_dir(folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
    let entries = read.map_err(Error::file("read", folder))?;
    let mut names: Vec<String> =
        entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    Ok(names)
}
