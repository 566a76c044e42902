//! What is looked at: the folder of a run, or a trajectory alone.

use crate::{Error, fields};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use tumble_output::trajectory::{TrajectoryHeader, TrajectoryReader};
use tumble_output::{Part, ResultFolder, plain};

/// Results that can be looked at. Nothing is kept open: files may grow, and be replaced by another run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where the other files of the run are; none for a trajectory that was taken out of its folder.
    folder: Option<PathBuf>,
    trajectory: PathBuf,
}

impl Source {
    /// A folder of results, or a trajectory.
    ///
    /// A file named `trajectory.tumble` stands for the folder it is in. One of another name is looked at alone, since
    /// the tables beside it may be those of another run.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let found = path.metadata().map_err(Error::path(path))?;
        let own_name = path.file_name().is_some_and(|name| name == Part::Trajectory.name());
        let folder = if found.is_dir() {
            Some(path.to_owned())
        } else {
            path.parent().filter(|_| own_name).map(|folder| {
                if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
            })
        };
        let trajectory = match &folder {
            Some(folder) => folder.join(Part::Trajectory.name()),
            None => path.to_owned(),
        };
        Ok(Self { folder, trajectory })
    }

    /// Makes sure that there is something to see, and gives the title of the run.
    ///
    /// A trajectory that was cut off is good up to its last whole frame; one that a run is writing may have none yet.
    pub fn check(&self) -> Result<String, Error> {
        self.header()?;
        let reader = TrajectoryReader::open(&self.trajectory).map_err(Error::Trajectory)?;
        if reader.is_empty() && !self.is_live() {
            return Err(Error::NoFrames { path: self.trajectory.clone() });
        }
        Ok(reader.header().title.clone())
    }

    /// Where a part of the results is, if it can be there at all.
    pub fn part(&self, part: Part) -> Option<PathBuf> {
        match (part, &self.folder) {
            (Part::Trajectory, _) => Some(self.trajectory.clone()),
            (_, folder) => folder.as_ref().map(|folder| folder.join(part.name())),
        }
    }

    /// The tables over time that are there, by their names from the folder, and where: those that begin with a column of times.
    pub(crate) fn tables(&self) -> impl Iterator<Item = (String, PathBuf)> + '_ {
        let tables = Part::ALL.into_iter().filter(|part| part.is_table());
        let tables = tables.filter_map(|part| Some((part.name().to_owned(), self.part(part)?)));
        tables.chain(fields::tables(self)).filter(|(_, path)| is_over_time(path))
    }

    /// Whether a part of the results is there and a plain file, which is all that a run leaves: what a link leads to is
    /// not shown. The error tells what is there instead; none if nothing is.
    pub(crate) fn look(&self, path: &Path) -> Result<(), Option<tumble_output::Error>> {
        let looked = if self.folder.is_some() { plain::check(path) } else { plain::open(path).map(drop) };
        looked.map_err(|error| Some(error).filter(|_| path.symlink_metadata().is_ok()))
    }

    /// The folder, or the trajectory that is looked at alone.
    pub fn path(&self) -> &Path {
        self.folder.as_deref().unwrap_or(&self.trajectory)
    }

    /// Whether a run is writing the results now.
    pub fn is_live(&self) -> bool {
        self.folder.as_deref().is_some_and(ResultFolder::is_being_written)
    }

    /// The trajectory.
    pub(crate) fn trajectory(&self) -> &Path {
        &self.trajectory
    }

    /// What the trajectory begins with, or why there is none.
    pub(crate) fn header(&self) -> Result<TrajectoryHeader, Error> {
        if let (Some(folder), false) = (&self.folder, self.trajectory.symlink_metadata().is_ok()) {
            let folder = folder.clone();
            let has_results = ResultFolder::is_one(&folder) || folder.join(Part::Summary.name()).exists();
            return Err(if has_results {
                Error::NoTrajectory { folder }
            } else {
                Error::NoResults { folder }
            });
        }
        if let Err(Some(error)) = self.look(&self.trajectory) {
            return Err(Error::Trajectory(error));
        }
        TrajectoryHeader::read(&self.trajectory).map_err(Error::Trajectory)
    }
}

/// Whether a file is a table whose first column is the time.
fn is_over_time(path: &Path) -> bool {
    const FIRST: &[u8] = b"time_s,";
    let mut begin = [0; FIRST.len()];
    // A pipe could keep us waiting, and a link lead to what was not meant to be shown.
    path.symlink_metadata().is_ok_and(|found| found.is_file())
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut begin).is_ok() && begin == *FIRST)
}
