//! A trajectory as a VTKHDF file.

use super::Options;
use crate::failure::Failure;
use crate::output;
use crate::progress::{Progress, Standing};
use crate::signals::Interrupt;
use crate::terminal_plot::Letters;
use std::ops::ControlFlow;
use std::path::Path;
use tumble::output::vtk::Piece;
use tumble::output::{Error, vtkhdf};

pub(super) fn convert(trajectory: &Path, options: &Options) -> Result<(), Failure> {
    let interrupt = Interrupt::catch()?;
    let mut progress = Progress::on_stderr(options.quiet, Letters::from_environment() == Letters::Unicode);
    let watch = |done, total| {
        progress.update(&Frames { done, total });
        if interrupt.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let what = options.what.unwrap_or(Piece::Spheres);
    let converted = vtkhdf::convert(trajectory, what, &options.file, watch);
    let file = options.file.display();
    let Some(converted) = converted.map_err(failure)? else {
        return Err(Failure::Interrupted(format!("{file} was not finished; nothing of it is left")));
    };
    let frames = converted.frames;
    progress.finish(&Frames { done: frames, total: frames });
    if let Some(damage) = converted.damage {
        output::warn(&format!(
            "{damage}; the {frames} frames before it are in {file} (while a run is under way, its last frame may be \
             half written)"
        ));
    }
    if options.quiet {
        return Ok(());
    }
    let what = what.name();
    output::print(&format!("{file} written: {what}, {frames} frames\n"))
}

/// A trajectory of which nothing can be used is bad input; that a file cannot be written is not.
fn failure(error: Error) -> Failure {
    match error {
        Error::Damaged { .. } => Failure::BadInput(error.to_string()),
        _ => error.into(),
    }
}

/// How many frames of how many.
struct Frames {
    done: usize,
    total: usize,
}

impl Standing for Frames {
    fn fraction(&self) -> f64 {
        self.done as f64 / self.total.max(1) as f64
    }

    fn beside_bar(&self) -> String {
        format!("{} of {} frames", self.done, self.total)
    }

    fn line(&self) -> String {
        self.beside_bar()
    }
}
