//! `tumble run`: simulates a scene, leaves a folder of results, and tells how it went.
//!
//! `tumble` alone does the same with a built-in scene ([`demo`]).

mod closing;
mod demo;
mod stop;
mod watch;

pub(crate) use demo::run as demo;

use crate::failure::Failure;
use crate::scene_file::{SceneFile, Setting, typed};
#[cfg(feature = "mpi")]
use crate::team::Team;
use crate::{kernels, memory, output, values};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stop::{Stop, Why};
use tumble::dem::Clock;
use tumble::gpu::Choice as Device;
use tumble::scene::{Built, Scene};
use tumble::{End, GoingOn, Mode, Predecessor, Run};
use watch::Onlooker;

const EXAMPLES: &str = "\
Examples:
  tumble run chess.toml                              results in results/chess
  tumble run chess.toml --out slow --set \"dt=1 us\"   another time step, another folder
  tumble run chess.toml --resume                     goes on after Ctrl-C, a crash or a power cut
  tumble run chess.toml --resume --duration 5s       makes a run longer, finished or not; the last
                                                     stage lasts until then, if there are stages
  tumble run shear.toml --from results/settled       another scene, with the bodies of that run
  tumble run rods.toml --device gpu                  on a graphics card, with the same bits
  tumble run rods.toml --ranks 4                     shared out to four ranks, with the same bits
  tumble run rods.toml --threads 4 --quiet --force   replaces earlier results, prints nothing
  tumble run rods.toml --time-limit 23h50m           in a queue that gives 24 hours: saves in time

Ctrl-C, SIGTERM or SIGUSR1 ends the run after the present step: its state is saved, and the command
that resumes it is printed. A resumed run ends with the same bytes in its results as one that was
never interrupted. The exit code is 4 after Ctrl-C, and 75 after the time limit or the other
signals, which come from queues: whoever sees 75 can start the run again, with --resume.

With --from, bodies, contacts and their springs are those of the other run, known by the names of
templates, materials and walls; all else is what the scene says, which lasts as long as it says
from there on. What was kept and what was not is told. The clock goes on, and walls move by it;
with --restart-clock it begins at zero, and walls are where they are drawn. Stages begin with the
first, unless the other run was in the midst of the same ones, and the clock goes on.";

#[allow(clippy::struct_excessive_bools, reason = "flags of a command, each given or not")]
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

    /// Number of ranks of this process that share the bodies, each with its threads; changes no result [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    ranks: Option<u16>,

    /// What does the steps: cpu, gpu, cuda:N for the card with the number N, or auto; changes no result [default: as the scene says]
    #[arg(
        long,
        value_name = "DEVICE",
        value_parser = values::named(values::device, values::device_names),
        hide_possible_values = true
    )]
    device: Option<Device>,

    /// Go on with the run in the folder, from its newest checkpoint
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Replace the results in the folder
    #[arg(long)]
    force: bool,

    /// Go on with the bodies and contacts of another run: its folder of results, or a checkpoint of it
    #[arg(long, value_name = "RUN", conflicts_with = "resume")]
    from: Option<PathBuf>,

    /// Let the clock begin at zero, with --from
    #[arg(long, requires = "from")]
    restart_clock: bool,

    /// How long the run is in all, such as 5s; with --resume, a run becomes longer [default: as the scene says]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = values::duration)]
    duration: Option<f64>,

    /// Save and end with exit code 75 when the program has run for so long, such as 23h50m; at least some steps are done
    #[arg(long, value_name = "TIME", value_parser = values::wall_time)]
    time_limit: Option<Duration>,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Runs a scene in this process alone.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    run_by(options, None, &Ok)
}

/// Runs a scene in several processes, of which this is one.
#[cfg(feature = "mpi")]
pub(crate) fn together(options: &Options) -> Result<(), Failure> {
    let lead = |team: &Team| {
        if let Some(ranks) = options.ranks {
            return Err(Failure::BadInput(format!(
                "--ranks {ranks}: the ranks are the processes that were launched; leave it away, or launch one process"
            )));
        }
        run_by(options, Some(team.threads()), &|built| team.join_in(built))
    };
    Team::join(options.threads.map(usize::from))?.share(lead, Team::help_to_run)
}

/// Runs a scene on so many threads, unless the command says it; `join` shares what is run with other processes.
fn run_by(
    options: &Options,
    threads: Option<usize>,
    join: &dyn Fn(Built) -> Result<Built, Failure>,
) -> Result<(), Failure> {
    let scene = options.scene.scene()?;
    let threads = threads.or(options.threads.map(usize::from));
    let mode = match (options.resume, options.force) {
        (true, _) => Mode::Resume,
        (_, true) => Mode::Force,
        _ => Mode::New,
    };
    let telling = Telling {
        quiet: options.quiet,
        time_limit: options.time_limit,
        again: format!("to go on: {}", options.to_resume()),
    };
    if let Some(from) = &options.from {
        let clock = if options.restart_clock { Clock::Restarts } else { Clock::GoesOn };
        let mut going_on = GoingOn::new(&scene, threads, &Predecessor::read(from)?, clock)?;
        going_on.built = join(options.placed(options.lasting(&scene, going_on.built)?))?;
        let folder = options.folder(&going_on.built);
        return simulate(Start::From(Box::new(going_on)), &folder, mode, &telling);
    }
    let begun = options.begun(&scene);
    let scene = begun.as_ref().map_or_else(|| scene.clone(), |begun| scene.with_intervals_of(begun.scene()));
    let built = if let Some(begun) = &begun {
        tumble::built_again(&scene, begun.checkpoint(), threads)?
    } else {
        memory::check(&scene)?;
        scene.build(threads)?
    };
    // A run that becomes longer keeps the intervals of its outputs, others have those that fit.
    let of_length = if mode == Mode::Resume { built.scene.clone() } else { scene };
    let built = options.placed(options.lasting(&of_length, built)?);
    // How many steps stages take is known where they are gone on with.
    if let (Some(begun), Some(_), true) = (&begun, options.duration, built.stages.is_empty()) {
        let (step, last) = (begun.checkpoint().step, built.steps + begun.first_step()?);
        if step > last {
            return Err(tumble::Error::Past { step, last }.into());
        }
    }
    let built = join(built)?;
    let folder = options.folder(&built);
    simulate(Start::Scene(Box::new(built)), &folder, mode, &telling)
}

/// What a run begins with.
enum Start {
    Scene(Box<Built>),
    From(Box<GoingOn>),
}

impl Start {
    fn built(&self) -> &Built {
        match self {
            Self::Scene(built) => built,
            Self::From(going_on) => &going_on.built,
        }
    }
}

impl Options {
    fn folder(&self, built: &Built) -> PathBuf {
        self.out.as_ref().unwrap_or(&built.output.folder).clone()
    }

    /// On the device and the ranks that the command says.
    fn placed(&self, built: Built) -> Built {
        let (device, ranks) = (self.device.unwrap_or(built.device), self.ranks.map(usize::from));
        Built { device, kernels: kernels::folder(), ranks, ..built }
    }

    /// As long as the command says.
    fn lasting(&self, scene: &Scene, built: Built) -> Result<Built, Failure> {
        let Some(duration) = self.duration else { return Ok(built) };
        if !built.stages.is_empty() {
            return Ok(scene.ending(&built, duration)?);
        }
        let steps = Scene::steps_of(&built, duration).ok_or_else(|| {
            Failure::BadInput(format!("--duration: {duration} s takes more steps than any computer makes"))
        })?;
        Ok(scene.lasting(&built, steps)?)
    }

    /// The run that is in the folder already, if it is to be resumed and there is one.
    fn begun(&self, scene: &Scene) -> Option<Predecessor> {
        let folder = self.out.as_ref().or(scene.keys.output.folder.as_ref()).filter(|_| self.resume)?;
        // Whatever is wrong with it is told when it is gone on with.
        Predecessor::read(folder).ok()
    }

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
        if let Some(ranks) = self.ranks {
            words.extend(["--ranks".into(), ranks.to_string()]);
        }
        if let Some(device) = self.device {
            words.extend(["--device".into(), device.to_string()]);
        }
        if let Some(duration) = self.duration {
            words.extend(["--duration".into(), duration.to_string()]);
        }
        if let Some(limit) = self.time_limit {
            words.extend(["--time-limit".into(), format!("{}s", limit.as_secs_f64())]);
        }
        words.push("--resume".into());
        typed(words.iter().map(String::as_str))
    }
}

/// What is told of a run, and until when it may go on.
struct Telling {
    quiet: bool,
    time_limit: Option<Duration>,
    /// How to go on after an interrupt.
    again: String,
}

/// Runs a scene to its end and tells about it.
fn simulate(start: Start, folder: &Path, mode: Mode, telling: &Telling) -> Result<(), Failure> {
    let (built, quiet) = (start.built(), telling.quiet);
    if !quiet && !built.warnings.is_empty() {
        output::show_problems(&built.warnings);
    }
    if !quiet && cfg!(debug_assertions) {
        output::warn("this program was built without --release; it is slower than it could be");
    }
    // From now on, so that a signal finds a folder that can be resumed.
    let stop = Stop::catch(telling.time_limit)?;
    let (title, dt, written) = (built.title.clone(), built.settings.dt, built.output.clone());
    let mut run = match start {
        Start::Scene(built) => Run::start(*built, folder, mode)?,
        Start::From(going_on) => Run::start_from(&going_on, folder, mode)?,
    };
    let mut onlooker = Onlooker::new(quiet, stop);
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
        Ok(End::Interrupted) => {
            let why = onlooker.why();
            let text = format!(
                "{why}the state is saved, at step {} of {} in {}\n  {}",
                run.simulation().engine().steps(),
                run.last_step(),
                folder.display(),
                telling.again,
            );
            Err(if why == Why::Person { Failure::Interrupted(text) } else { Failure::ToResume(text) })
        }
        Ok(End::Finished) => {
            run.write_report()?;
            let words = closing::words(folder, &title, &written)?;
            if quiet { Ok(()) } else { output::print(&words) }
        }
    }
}
