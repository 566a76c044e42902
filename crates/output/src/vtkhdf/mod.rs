//! One VTKHDF file of a whole run, for ParaView, made from its trajectory by the HDF5 library.
//!
//! [`convert`] reads one frame at a time, so memory does not grow with the length of a run but for some
//! hundred bytes a frame. The file is made anew each time and appears as a whole or not at all, since an HDF5
//! file that is being added to survives neither a kill nor a power cut.
//!
//! It holds what the `.vtp` files of the same [`Piece`] do, under the same names, as far as the trajectory
//! knows it: to its precision, and with `speed` and `spin_rate` in place of vectors.

mod columns;
mod file;
mod parts;
mod picture;

use crate::Error;
use crate::atomic::{Survives, replace_by_name};
use crate::trajectory::TrajectoryReader;
use crate::vtk::Piece;
use file::PolyDataFile;
use picture::Painter;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

/// What became of a trajectory.
#[derive(Debug)]
pub struct Conversion {
    /// Number of frames in the file.
    pub frames: usize,
    /// What ends the trajectory early and where, if something does: all frames before it are in the file.
    pub damage: Option<Error>,
}

/// Writes the frames of a trajectory as one file, in place of any older one.
///
/// Before each frame `watch` is told its number and how many there are. If it breaks off, there is no result,
/// and nothing is left behind.
///
/// # Errors
/// A trajectory without a whole frame, or one without walls where walls are wanted; a file that cannot be
/// written.
pub fn convert(
    trajectory: &Path,
    what: Piece,
    to: &Path,
    mut watch: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> Result<Option<Conversion>, Error> {
    let mut reader = TrajectoryReader::open(trajectory)?;
    let total = reader.len();
    if total == 0 {
        return Err(Error::damaged(trajectory, "it has no whole frame yet: there is nothing to convert"));
    }
    if what == Piece::Walls && reader.header().walls.is_empty() {
        return Err(Error::damaged(trajectory, "its scene has no walls: there is nothing to convert"));
    }
    if what == Piece::Capsules
        && reader.header().templates.iter().all(|template| template.capsules.is_empty())
    {
        return Err(Error::damaged(trajectory, "its scene has no capsules: there is nothing to convert"));
    }
    if what == Piece::Ellipsoids {
        let what = "ellipsoids are not converted: run the scene with output.vtk for files with their shapes";
        return Err(Error::damaged(trajectory, what));
    }
    if what == Piece::Polyhedra {
        let what = "polyhedra are not converted: run the scene with output.vtk for files with their surfaces";
        return Err(Error::damaged(trajectory, what));
    }
    if what == Piece::Chains {
        let what = "its frames do not tell which bodies touch: run the scene with output.vtk.chains for lines between them";
        return Err(Error::damaged(trajectory, what));
    }
    let mut damage = reader.is_cut_off().then(|| {
        let what = format!("what begins at byte {} is no whole frame", reader.end_of(total));
        Error::damaged(trajectory, what)
    });
    let mut painter = Painter::new(what, reader.header());
    let cells = painter.cells();
    let mut picture = |number: usize| {
        let frame = reader.frame(number)?;
        let picture = painter.picture(&frame);
        picture.map_err(|what| Error::damaged(trajectory, format!("frame {number}: {what}")))
    };
    let first = picture(0)?;
    let converted = replace_by_name(to, Survives::PowerCut, |part| {
        let mut file = PolyDataFile::create(part, cells, &first, total).map_err(refused(to))?;
        let mut first = Some(first);
        for number in 0..total {
            if watch(number, total).is_break() {
                return Err(Stop::Asked);
            }
            match first.take().map_or_else(|| picture(number), Ok) {
                Ok(picture) => file.add(&picture).map_err(refused(to))?,
                Err(found @ Error::Damaged { .. }) => {
                    damage = Some(found);
                    break;
                }
                Err(error) => return Err(error.into()),
            }
        }
        file.finish().map_err(refused(to)).map_err(Stop::from)
    });
    match converted {
        Ok(frames) => Ok(Some(Conversion { frames, damage })),
        Err(Stop::Asked) => Ok(None),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Why there is no file.
enum Stop {
    Asked,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// For `map_err`: an error of the HDF5 library. Where the system is behind it, its number is somewhere in the
/// text.
fn refused(path: &Path) -> impl FnOnce(hdf5_metno::Error) -> Error {
    move |error| {
        let stack = error.stack();
        let number = stack.iter().flat_map(|stack| stack.iter()).find_map(|part| {
            let (_, after) = part.desc().split_once("errno = ")?;
            after.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
        });
        let source = number.map_or_else(|| io::Error::other(error.to_string()), io::Error::from_raw_os_error);
        Error::file("write", path)(source)
    }
}
