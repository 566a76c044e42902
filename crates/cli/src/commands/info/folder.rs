//! A folder of results: the run in numbers, and its files.

use super::report::{Fact, Parts, Report, Value, fact};
use super::{Kind, Options, Subject};
use crate::failure::Failure;
use crate::results::{self, Outcome};
use std::fs;
use std::path::Path;
use tumble::output::{Ending, Method, Part, ResultFolder};
use tumble_report::{Cell, Table};

pub(super) const KIND: Kind = Kind { what: "folders of results", is, report };

fn is(subject: &Subject) -> bool {
    subject.is_folder && ResultFolder::is_one(subject.path)
}

fn report(subject: &Subject, _: &Options) -> Result<Report, Failure> {
    let mut remarks = Vec::new();
    let facts = if results::part(subject.path, Part::Summary).exists() {
        let outcome = Outcome::read(subject.path)?;
        remarks.extend(outcome.trouble.clone());
        if outcome.summary.ended == Ending::Interrupted {
            remarks.push("It can be resumed: the command it was started with, and --resume.".into());
        }
        facts(&outcome)
    } else {
        remarks
            .push("There is no summary yet: the run is under way, or was killed and can be resumed.".into());
        Vec::new()
    };
    let parts = Some(Parts { key: "files", table: files(subject.path) });
    Ok(Report { file: subject.name(), kind: "results of a run", facts, comparison: None, parts, remarks })
}

/// The laws of a run: that of most pairs, and those of the others.
fn laws(method: &Method) -> String {
    let pairs = method.pairs.iter().map(|pair| format!("{} for {}", pair.law, pair.between.join("–")));
    core::iter::once(method.law.clone()).chain(pairs).collect::<Vec<_>>().join(", ")
}

fn facts(outcome: &Outcome) -> Vec<Fact> {
    let summary = &outcome.summary;
    let (method, state, timing) = (&summary.method, &summary.state, &summary.timing);
    let text = |text: &str| Value::Text(text.to_owned());
    let count = |count: usize| Value::Count(count as u64);
    let ended = match &summary.ended {
        Ending::Finished => "finished".to_owned(),
        Ending::Interrupted => "interrupted".to_owned(),
        Ending::Failed { reason } => format!("failed: {reason}"),
    };
    let mut facts = vec![
        fact("title", "title", text(&summary.title)),
        fact("ended", "ended", Value::Text(ended)),
        fact("bodies", "bodies", count(state.bodies)),
        fact("spheres", "spheres", count(state.spheres)),
        fact("contacts", "contacts at the end", count(state.contacts)),
        fact("steps", "steps", Value::Count(state.steps)),
        fact("time_s", "simulated time, s", Value::Number(state.time_s)),
        fact("dt_s", "time step, s", Value::Number(method.dt_s)),
    ];
    if state.capsules > 0 {
        facts.insert(4, fact("capsules", "capsules", count(state.capsules)));
    }
    if state.ellipsoids > 0 {
        facts.insert(4, fact("ellipsoids", "ellipsoids", count(state.ellipsoids)));
    }
    if state.polyhedra > 0 {
        facts.insert(4, fact("polyhedra", "polyhedra", count(state.polyhedra)));
    }
    if let Some((last, largest)) = outcome.energy_errors() {
        facts.push(fact("energy_error", "relative energy error", Value::Number(last)));
        facts.push(fact("largest_energy_error", "largest", Value::Number(largest)));
    }
    let mechanical = state.ledger_j.get("mechanical").copied().flatten();
    facts
        .extend(mechanical.map(|energy| fact("mechanical_J", "mechanical energy, J", Value::Number(energy))));
    facts.extend([
        fact("rotation", "rotation scheme", text(&method.rotation)),
        fact("precision", "precision", text(&method.precision)),
        fact("law", "contact law", text(&laws(method))),
        fact("wall_s", "real time, s", Value::Number(timing.wall_s)),
        fact("device", "device", text(method.device.as_deref().unwrap_or("cpu"))),
        fact("ranks", "ranks", count(method.ranks.as_ref().map_or(1, |ranks| ranks.count))),
        fact("threads", "threads", count(method.threads)),
        fact("steps_per_second", "steps/s", Value::Number(timing.steps_per_second)),
        fact("body_steps_per_second", "body-steps/s", Value::Number(outcome.body_steps_per_second())),
        fact("processor", "processor", text(&summary.machine.processor)),
        fact("tumble_version", "version of Tumble", text(&summary.tumble_version)),
        fact("scene_hash", "hash of the scene", text(&summary.scene_hash)),
    ]);
    facts
}

/// The parts of the results that are there, with what they are.
fn files(folder: &Path) -> Table {
    let mut table = Table::new("", &["file", "bytes", "files", "what"]);
    for part in Part::ALL {
        let path = results::part(folder, part);
        let Ok(metadata) = path.metadata() else { continue };
        let (bytes, files) = if metadata.is_dir() { inside(&path) } else { (metadata.len(), 1) };
        table.rows.push(vec![part.name().into(), Cell::Count(bytes), Cell::Count(files), what(part).into()]);
    }
    table
}

/// All bytes and files of a folder.
fn inside(folder: &Path) -> (u64, u64) {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let lengths = entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len());
    lengths.fold((0, 0), |(bytes, files), length| (bytes + length, files + 1))
}

fn what(part: Part) -> &'static str {
    match part {
        Part::Scene => "the scene as run",
        Part::Energy => "energies over time",
        Part::Walls => "forces on walls over time",
        Part::Flows => "what came in and went out over time",
        Part::Bonds => "bonds that broke, and when",
        Part::Measures => "what was measured over time",
        Part::Summary => "the run in numbers",
        Part::Trajectory => "the motion, for the viewer",
        Part::Report => "the run as a page to look at",
        Part::Bodies => "bodies at the end, for a scene",
        Part::Vtk => "the motion, for ParaView",
        Part::Fields => "coarse-grained fields, for ParaView and as tables",
        Part::Checkpoints => "states to go on from",
    }
}
