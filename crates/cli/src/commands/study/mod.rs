//! `tumble study`: integrates a problem with several schemes, prints a table, writes figures and data.

mod catalogue;
mod options;

pub(crate) use options::Options;

use crate::failure::Failure;
use crate::output::{self, Format};
use crate::results::out_folder;
use std::path::Path;
use tumble_study::{Problem, Study, StudyResults, sensible_time_steps};

const DEFAULT_FOLDER: &str = "results/study";

pub(crate) fn run(options: Options) -> Result<(), Failure> {
    if options.list {
        return output::print(&catalogue::list());
    }
    let folder = out_folder(options.out.as_deref(), DEFAULT_FOLDER, options.force)?;
    let problem = problem(&options);
    let mut exact = problem.exact()?;
    let time_steps = match options.dt {
        Some(steps) => steps.0,
        None => sensible_time_steps(&problem, &mut exact)?,
    };
    let study = Study { problem, schemes: options.schemes.0, time_steps, target: options.target };
    if !options.quiet {
        output::progress(&format!("Integrating {}…", study.problem.name));
    }
    let results = study.run()?;

    let errors = results.errors();
    errors.save(&folder, "errors")?;
    results.summary().save(&folder, "summary")?;
    results.convergence().save(&folder, "convergence")?;
    results.work_precision().save(&folder, "work-precision")?;

    let mut runs = results.schemes.iter().flat_map(|scheme| &scheme.runs);
    if runs.all(|run| run.outcome.is_err()) {
        return Err(Failure::Failed(format!(
            "no scheme follows {} at any of the time steps tried; choose smaller ones with --dt (results in {})",
            results.study.problem.name,
            folder.display()
        )));
    }
    if options.quiet {
        return Ok(());
    }
    let mut text = output::table(&results.summary(), options.format);
    if options.format == Format::Text {
        text.push_str(&closing_words(&results, &folder));
    }
    output::print(&text)
}

/// The preset, changed by the options.
fn problem(options: &Options) -> Problem {
    let mut problem = options.problem.problem();
    let original = problem.clone();
    if let Some(inertia) = options.inertia {
        problem.inertia = inertia;
    }
    if let Some(omega) = options.omega {
        problem.start.omega = omega;
    }
    if let Some(q) = options.orientation {
        problem.start.q = q;
    }
    if let Some(torque) = options.torque {
        problem.torque = torque;
    }
    if let Some(duration) = options.duration {
        problem.duration = duration;
    }
    // The title tells the duration anyway.
    if (Problem { duration: original.duration, ..problem.clone() }) != original {
        problem.name = format!("{} (changed)", problem.name);
    }
    problem
}

fn closing_words(results: &StudyResults, folder: &Path) -> String {
    let target = results.study.target;
    let at = folder.display();
    format!(
        "
order: observed; error: relative L1 norm at the end, against the exact motion ({source});
dt_for, torques_for: time step in s and torque evaluations for a mean error of {target:e}; flops, ns: without the torque

Look at  {at}/work-precision.svg   error against cost: the lower left wins
         {at}/convergence.svg      error against time step
         {at}/errors.csv           every run (and .csv beside each figure)
Try      tumble study --problem heavy-top    a torque that depends on orientation
         tumble schemes magnus-leapfrog      all about one scheme
         tumble study --list                 problems and torques to choose from
",
        source = results.exact_source
    )
}
