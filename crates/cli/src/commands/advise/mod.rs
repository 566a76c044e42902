//! `tumble advise`: what limits the time step of a scene, from the engine's adviser.

mod trials;

use crate::failure::Failure;
use crate::number::readable;
use crate::output::{self, Format};
use crate::scene_file::SceneFile;
use crate::signals::Interrupt;
use clap::Args;
use serde_json::{Value, json};
use tumble::dem::advice::Limit;
use tumble::scene::Built;

const EXAMPLES: &str = "\
Examples:
  tumble advise settling.toml                        a table of limits, and which one binds
  tumble advise rods.toml --set \"young=100 GPa\"      what a stiffer material costs
  tumble advise settling.toml --json | jq .recommended_s
  tumble advise settling.toml --try                  energy error by time step

The advice is for the bodies as they start, and for speeds after a fall to the lowest body or wall;
what a run meets later may ask for less.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    scene: SceneFile,

    /// Print JSON, every digit
    #[arg(long)]
    json: bool,

    /// Run the first moments with several time steps, and show the energy error of each
    #[arg(long = "try")]
    trials: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let built = options.scene.build(None)?;
    if !built.warnings.is_empty() {
        output::show_problems(&built.warnings);
    }
    let trials = if options.trials { trials::run(&built, &Interrupt::catch()?) } else { None };
    output::print(&if options.json {
        let mut all = to_json(&built);
        if let (Some(trials), Some(members)) = (&trials, all.as_object_mut()) {
            members.insert("trials".into(), trials.to_json());
        }
        format!("{all:#}\n")
    } else {
        let tried = trials.map_or_else(String::new, |trials| {
            format!("\n{}{}\n", output::table(&trials.to_table(), Format::Text), trials.remark())
        });
        format!("{}{}\n{tried}", built.advice, chosen(&built))
    })
}

/// The time step of the scene beside the advice.
pub(crate) fn chosen(built: &Built) -> String {
    let (dt, recommended) = (built.settings.dt, built.advice.recommended());
    let part = dt / recommended;
    let compared = if recommended.is_finite() && (part - 1.0).abs() > 1e-12 {
        format!(", {} times that", readable(part))
    } else {
        String::new()
    };
    format!("time step of the scene: {} s{compared}", readable(dt))
}

fn to_json(built: &Built) -> Value {
    let advice = &built.advice;
    let binding = advice.binding();
    let limit = |limit: &Limit| {
        json!({
            "limit": limit.kind.name(),
            "seconds": limit.seconds,
            "part": limit.fraction,
            "recommended_s": limit.recommended(),
            "counts": limit.kind.counts(),
            "binds": binding == Some(limit),
            "given_by": limit.site.to_string(),
            "explanation": limit.explanation,
        })
    };
    json!({
        "scene": built.scene.text().name(),
        "dt_s": built.settings.dt,
        // Null if nothing limits it.
        "recommended_s": advice.recommended(),
        "limits": advice.limits.iter().map(limit).collect::<Vec<_>>(),
    })
}
