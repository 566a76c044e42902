//! A checkpoint: which instant of which run, and what it is made of.

use super::report::{Fact, Parts, Report, Value, fact};
use super::{Kind, Options, Subject};
use crate::failure::Failure;
use crate::results;
use std::path::Path;
use tumble::dem::SavedState;
use tumble::output::Part;
use tumble::output::checkpoint::{Checkpoint, ENGINE};
use tumble::scene::Scene;
use tumble_report::{Cell, Table};

pub(super) const KIND: Kind = Kind { what: "checkpoints", is, report };

fn is(subject: &Subject) -> bool {
    Checkpoint::looks_like(&subject.head)
}

fn report(subject: &Subject, _: &Options) -> Result<Report, Failure> {
    let checkpoint = Checkpoint::read(subject.path).map_err(|error| Failure::BadInput(error.to_string()))?;
    let mut facts = vec![
        fact("step", "step", Value::Count(checkpoint.step)),
        fact("time_s", "simulated time, s", Value::Number(checkpoint.time)),
    ];
    let mut remarks = Vec::new();
    match counts(subject.path, &checkpoint) {
        Ok(counts) => facts.extend(counts),
        Err(reason) => remarks.push(format!("How many bodies and contacts cannot be told: {reason}")),
    }
    facts.push(fact("scene_hash", "hash of the scene", Value::Text(checkpoint.scene_hash.clone())));
    facts.push(fact("tumble_version", "version of Tumble", Value::Text(checkpoint.tumble_version.clone())));
    let mut table = Table::new("", &["section", "bytes"]);
    for (name, bytes) in checkpoint.sections() {
        table.rows.push(vec![name.into(), Cell::Count(bytes.len() as u64)]);
    }
    let parts = Some(Parts { key: "sections", table });
    Ok(Report { file: subject.name(), kind: "checkpoint, whole", facts, comparison: None, parts, remarks })
}

/// Numbers of bodies and contacts, which can be read only with the scene that the state belongs to: it lies in the
/// folder of results around the checkpoint.
fn counts(path: &Path, checkpoint: &Checkpoint) -> Result<[Fact; 2], String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    let folder = path.parent().and_then(Path::parent).unwrap_or(&path);
    let scene = results::part(folder, Part::Scene);
    if !scene.exists() {
        return Err(format!("there is no {}.", scene.display()));
    }
    let built =
        Scene::read(&scene).and_then(|scene| scene.build(Some(1))).map_err(|problems| problems.summary())?;
    let bytes = checkpoint.section(ENGINE).unwrap_or_default();
    let state = SavedState::from_bytes(bytes, &built.world).map_err(|error| error.to_string())?;
    Ok([
        fact("bodies", "bodies", Value::Count(state.body_count() as u64)),
        fact("contacts", "contacts", Value::Count(state.contact_count() as u64)),
    ])
}
