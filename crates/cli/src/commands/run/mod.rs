//! `tumble run`: simulates a scene, leaves a folder of results, and tells how it went.
//!
//! `tumble` alone does the same with a built-in scene ([`demo`]).

mod closing;
mod demo;
mod watch;

pub(crate) use demo::run as demo;

use crate::failure::Failure;
use crate::output;
use crate::scene_file::{SceneFile, Setting, typed};
use crate::signals::Interrupt;
use clap::Args;
use std::path::{Path, PathBuf};
use tumble::scene::Built;
use tumble::{End, Mode, Run};
use watch::Onlooker;

const EXAMPLES: &str = "\
Examples:
  tumble run chess.toml                              results in results/chess
  tumble run chess.toml --out slow --set \"dt=1 us\"   another time step, another folder
  tumble run chess.toml --resume                     goes on after Ctrl-C, a crash or a power cut
  tumble run rods.toml --threads 4 --quiet --force   replaces earlier results, prints nothing

Ctrl-C or SIGTERM ends the run after the present step: its state is saved, and the command that
resumes it is printed. A resumed run ends with the same bytes in its results as one that was never
interrupted.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    scene: SceneFile,

    /// Folder for the results [default: as the scene says, or results/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Number of threads, 0 for all cores; changes no result [default: as the scene says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: Option<u16>,

    /// Go on with the run in the folder, from its newest checkpoint
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace the results in the folder
    #[arg(long)]
    force: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let built = options.scene.build(options.threads.map(usize::from))?;
    let folder = options.out.as_ref().unwrap_or(&built.output.folder).clone();
    let mode = match (options.resume, options.force) {
        (true, _) => Mode::Resume,
        (_, true) => Mode::Force,
        _ => Mode::New,
    };
    let again = format!("to go on: {}", options.to_resume());
    simulate(built, &folder, mode, options.quiet, &again)
}

impl Options {
    /// The command that resumes this run.
    fn to_resume(&self) -> String {
        let mut words = vec!["tumble".into(), "run".into(), self.scene.path.to_string_lossy().into_owned()];
        for Setting { key, value } in &self.scene.settings.all {
            words.extend(["--set".into(), format!("{key}={value}")]);
        }
        if let Some(out) = &self.out {
            words.extend(["--out".into(), out.to_string_lossy().into_owned()]);
        }
        if let Some(threads) = self.threads {
            words.extend(["--threads".into(), threads.to_string()]);
        }
        words.push("--resume".into());
        typed(words.iter().map(String::as_str))
    }
}

/// Runs a scene to its end and tells about it. `again` says how to go on after an interrupt.
fn simulate(built: Built, folder: &Path, mode: Mode, quiet: bool, again: &str) -> Result<(), Failure> {
    if !quiet && !built.warnings.is_empty() {
        output::show_problems(&built.warnings);
    }
    if !quiet && cfg!(debug_assertions) {
        output::warn("this program was built without --release; it is slower than it could be");
    }
    // From now on, so that a signal finds a folder that can be resumed.
    let interrupt = Interrupt::catch()?;
    let (title, dt, written) = (built.title.clone(), built.settings.dt, built.output.clone());
    let mut run = Run::start(built, folder, mode)?;
    let mut onlooker = Onlooker::new(quiet, interrupt);
    onlooker.begin(&run, &title, dt);
    let end = run.go(&mut onlooker);
    onlooker.end();
    match end {
        Err(error) => {
            // It helps to find out what happened, but the error of the run is the one that tells.
            let _ = run.write_report();
            let (now, last) = (run.simulation().engine().steps(), run.last_step());
            // The engine is back at the last good state.
            let reached = match &error {
                tumble::Error::Simulation(tumble::dem::Error::Stopped(stop)) => {
                    format!("it stopped in step {:.0} of {last}, and went back to step {now}", stop.time / dt)
                }
                _ => format!("it was at step {now} of {last}"),
            };
            Err(Failure::Failed(format!(
                "{error}\n  {reached}; what was written until then is in {}",
                folder.display()
            )))
        }
        Ok(End::Interrupted) => Err(Failure::Interrupted(format!(
            "the state is saved, at step {} of {} in {}\n  {again}",
            run.simulation().engine().steps(),
            run.last_step(),
            folder.display(),
        ))),
        Ok(End::Finished) => {
            run.write_report()?;
            let words = closing::words(folder, &title, &written)?;
            if quiet { Ok(()) } else { output::print(&words) }
        }
    }
}
