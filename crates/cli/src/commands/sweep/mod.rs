//! `tumble sweep`: a scene with every combination of some settings, each run once; all results in one table.

mod means;
mod measure;

use crate::failure::Failure;
use crate::output;
use crate::progress::{Clock, Progress, Standing};
use crate::scene_file::typed_path;
use crate::signals::Interrupt;
#[cfg(feature = "mpi")]
use crate::sweep::processes::{self, Hands};
use crate::sweep::{self, Case, Finished, Ledger, LedgerError, Others, Parameter, Plan, Seeds};
#[cfg(feature = "mpi")]
use crate::team::Team;
use crate::terminal_plot::Letters;
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tumble::Contents;
use tumble::measure::Over;
use tumble::scene::{Scene, SceneText};

const EXAMPLES: &str = "\
Examples:
  tumble sweep chess.toml --set rotation=spiral-leapfrog,omelyan,fincham --seeds 50
  tumble sweep rods.toml --set dt=log:1e-6..1e-4:9 --set \"young=1 GPa,10 GPa\"
  tumble sweep settling.toml --set pair.friction=0..0.8:5 --seeds 3,5,9 --out friction.csv
  tumble sweep mixer.toml --set pair.friction=0.1..0.9:5 --seeds 5 --mean-from 1
  tumble sweep chess.toml --seeds 100 --threads 8    100 cases, 8 at a time, each on one thread

Values are a list, or LOW..HIGH:COUNT, or log:LOW..HIGH:COUNT; units are allowed. One case is one
run, without a folder of results. The same command again runs what is not finished yet, however
it ended. A case is known by all it says and reads: where the scene, or a file that it reads, has
changed, the table is refused.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Options {
    /// A scene file; `tumble new` writes examples
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    /// Values of a key of the scene; may be repeated, for every combination
    #[arg(long, value_name = "KEY=VALUES", required_unless_present = "seeds")]
    set: Vec<Parameter>,

    /// Seeds of random numbers: how many, from 1 on, or a list such as 3,5,9
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<Seeds>,

    /// Cases at a time, each on one thread; 0 for as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1024))]
    threads: u16,

    /// The table [default: results/NAME-sweep.csv]
    #[arg(long, value_name = "FILE.csv")]
    out: Option<PathBuf>,

    /// Means of measures leave out what was before this time of the run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = seconds)]
    mean_from: f64,

    /// Run cases again that failed
    #[arg(long)]
    retry_failed: bool,

    /// Print nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// All others are in the table too.
const FAILURES_SHOWN: usize = 5;

fn long_help() -> String {
    let columns = measure::COLUMNS.iter().map(|(name, what)| format!("  {name:24}{what}\n"));
    format!(
        "{EXAMPLES}\n\nColumns: case, the keys, seed, error (why a case failed, else empty), and\n{}\n\
         Of each column of the scene's measures: `mean …` over time and `last …`. With seeds, the table\n\
         that ends in -means.csv has means over seeds of all columns and their standard errors; measures\n\
         are drawn in a page beside it.",
        columns.collect::<String>()
    )
}

/// Runs all cases in this process.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => usize::from(n),
    };
    run_beside(options, threads, |_, _| Ok(None))
}

/// Runs them in several processes, of which this is one.
#[cfg(feature = "mpi")]
pub(crate) fn together(options: &Options) -> Result<(), Failure> {
    let lead = |team: &Team| {
        run_beside(options, team.threads(), |study, interrupt| {
            team.tell(study.fingerprint())?;
            Ok(Some(Box::new(Hands::of(team, interrupt)?)))
        })
    };
    let help = |team: &Team, told: &str| {
        let study = Study::new(options);
        let ready = study.as_ref().map_err(ToString::to_string).and_then(|study| {
            let other =
                "the scene, or a file that it reads, is another one here than where the first process is";
            if study.fingerprint() == told { Ok(()) } else { Err(other.to_owned()) }
        });
        if !team.are_all_ready(ready)? {
            return Ok(());
        }
        let Study { text, plan, wanted, .. } = study?;
        processes::help(team, &plan, |case, stop| wanted.measure(with(&text, case), stop))
    };
    Team::join(Some(options.threads.into()))?.share(lead, help)
}

/// What is to be run.
struct Study {
    text: SceneText,
    plan: Plan,
    wanted: measure::Wanted,
    contents: Contents,
}

impl Study {
    fn new(options: &Options) -> Result<Self, Failure> {
        let text = SceneText::read(&options.scene)?;
        let plan = Plan::new("", &options.set, options.seeds.as_ref())
            .map_err(|error| Failure::BadInput(error.to_string()))?;
        check(&text, &plan)?;
        let mut contents = Contents::default();
        let wanted = wanted(&text, &plan, options.mean_from);
        let plan = plan.identified_by(|case| content(&text, case, wanted.from, &mut contents));
        Ok(Self { text, plan, wanted, contents })
    }

    /// What tells it from others: all cases, by what they say and read.
    #[cfg(feature = "mpi")]
    fn fingerprint(&self) -> String {
        self.plan.cases().iter().map(|case| case.id.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Runs all cases on so many threads, and beside those who `join`.
fn run_beside(
    options: &Options,
    threads: usize,
    join: impl FnOnce(&Study, &Interrupt) -> Result<Option<Box<dyn Others>>, Failure>,
) -> Result<(), Failure> {
    let mut study = Study::new(options)?;
    let path =
        options.out.clone().unwrap_or_else(|| format!("results/{}-sweep.csv", study.text.stem()).into());
    let names = study.wanted.names();
    let named: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut ledger = Ledger::open(&path, &study.plan, &named, options.retry_failed)?;
    let Study { text, plan, wanted, contents } = &mut study;
    ledger.keep(plan, |case| case.id == case.id_with(&content(text, case, wanted.from, contents)))?;
    let interrupt = Interrupt::catch()?;
    let mut others = join(&study, &interrupt)?;
    let Study { text, plan, wanted, .. } = &study;
    let mut progress = Progress::on_stderr(options.quiet, Letters::from_environment() == Letters::Unicode);
    let done = plan.cases().iter().filter(|case| ledger.is_finished(case)).count();
    let mut count = Count { done, total: plan.cases().len(), new: 0, failed: 0, begin: Instant::now() };
    progress.say(&count.opening(&path.display().to_string()));
    let work = |case: &Case| wanted.measure(with(text, case), &interrupt);
    let report = |finished: Finished<'_>| {
        count.done = finished.done;
        count.new += 1;
        count.failed += usize::from(finished.error.is_some());
        if let Some(error) = finished.error.filter(|_| count.failed <= FAILURES_SHOWN) {
            progress.say(&format!("failed: {}: {error}", finished.case));
        }
        progress.update(&count);
    };
    let beside = others.as_deref_mut().map(|others| -> &mut dyn Others { others });
    let summary = sweep::run_beside(beside, plan, &mut ledger, threads, &interrupt, work, report)?;
    // They have nothing more to do.
    drop(others);
    if count.new > 0 {
        progress.finish(&count);
    }
    if summary.left > 0 {
        return Err(Failure::Interrupted(format!(
            "{} of {} cases are finished, in {}; the same command again goes on with the others",
            count.done,
            count.total,
            path.display()
        )));
    }
    let failed = plan.cases().iter().filter(|case| ledger.has_failed(case)).count();
    let means = means::Means::of(plan, &ledger, &names);
    let written = means.write(&path, &text.stem(), &wanted.measured_names().collect::<Vec<_>>())?;
    tell(failed, &count, &path, options.quiet)?;
    if options.quiet || failed == count.total {
        return Ok(());
    }
    let lines: Vec<String> =
        written.iter().map(|(what, path)| format!("{what}: {}\n", typed_path(path))).collect();
    output::print(&lines.concat())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.trim().parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a time in seconds, zero or more, such as 0.5".to_owned())
}

/// What the cases measure: the columns of the first that can be read.
fn wanted(text: &SceneText, plan: &Plan, from: f64) -> measure::Wanted {
    let scene = plan.cases().iter().find_map(|case| Scene::parse(with(text, case)).ok());
    let columns = scene.map(|scene| scene.measure_columns()).unwrap_or_default();
    let of = |(header, over): (String, Over)| measure::Measured { header, has_mean: over != Over::Last };
    measure::Wanted { measured: columns.into_iter().map(of).collect(), from }
}

/// How it went: failed cases are results too, but not if there are no others.
fn tell(failed: usize, count: &Count, path: &Path, quiet: bool) -> Result<(), Failure> {
    let shown = path.display();
    let why = "the column `error` says why, and --retry-failed runs them again";
    if failed == count.total {
        return Err(Failure::Failed(format!("all cases failed, see {shown}: {why}")));
    }
    if quiet {
        return Ok(());
    }
    if failed > 0 {
        output::warn(&format!("{failed} cases failed: {why}"));
    }
    let load = format!("python3 -c \"import pandas; print(pandas.read_csv('{shown}').describe())\"");
    output::print(&format!(
        "{} cases, {} of them new: {}\nLook at  {load}\n",
        count.total,
        count.new,
        typed_path(path)
    ))
}

/// All that the results of a case depend on: what its scene says, not how, and the files that it reads.
fn content(text: &SceneText, case: &Case, from: f64, contents: &mut Contents) -> String {
    match Scene::parse(with(text, case)) {
        Ok(scene) if from > 0.0 => format!("{} from {from:?}", contents.of(&scene)),
        Ok(scene) => contents.of(&scene),
        // One that cannot be read has no results, and counts by what is wrong with it.
        Err(problems) => problems.to_string(),
    }
}

/// Whether any case can be read: if not, it is the scene or a key that is wrong, and nothing is begun.
fn check(text: &SceneText, plan: &Plan) -> Result<(), Failure> {
    let mut first = None;
    for case in plan.cases() {
        match Scene::parse(with(text, case)) {
            Ok(_) => return Ok(()),
            Err(problems) => first = first.or(Some(problems)),
        }
    }
    first.map_or(Ok(()), |problems| Err(problems.into()))
}

/// The scene of a case.
fn with(text: &SceneText, case: &Case) -> SceneText {
    let seed = case.seed.map(|seed| seed.to_string());
    let settings = case.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let all = settings.chain(seed.as_deref().map(|seed| ("seed", seed)));
    all.fold(text.clone(), |text, (key, value)| text.set(key, value))
}

/// How far the study is.
struct Count {
    done: usize,
    total: usize,
    /// Finished since the beginning of this program, and those of them that failed.
    new: usize,
    failed: usize,
    begin: Instant,
}

impl Count {
    fn opening(&self, path: &str) -> String {
        let earlier =
            if self.done > 0 { format!(", {} of them finished before", self.done) } else { String::new() };
        format!("{} cases{earlier}, in {path}", self.total)
    }

    fn remaining(&self) -> Option<Duration> {
        let each = self.begin.elapsed().as_secs_f64() / self.new as f64;
        Duration::try_from_secs_f64(each * (self.total - self.done) as f64).ok()
    }
}

impl Standing for Count {
    fn fraction(&self) -> f64 {
        self.done as f64 / self.total.max(1) as f64
    }

    fn beside_bar(&self) -> String {
        let left = self.remaining().map_or(String::new(), |left| format!("  {} left", Clock(left)));
        format!("{} of {} cases{left}  {} failed", self.done, self.total, self.failed)
    }

    fn line(&self) -> String {
        let left = self.remaining().map_or(String::new(), |left| format!(", {} left", Clock(left)));
        format!("{} of {} cases{left}, {} failed", self.done, self.total, self.failed)
    }
}

impl From<LedgerError> for Failure {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::File { .. } => Self::Failed(error.to_string()),
            _ => Self::BadInput(error.to_string()),
        }
    }
}
