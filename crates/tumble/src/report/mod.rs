//! `report.html`: a run as a page, made from what it left in its folder and from its last state.
//!
//! What is missing is left out, and the page says why. At the end of a run and of a folder that is looked at later it
//! comes out the same: pictures are of the last frame of the trajectory, contacts of the state of the last checkpoint.

mod bonds;
mod columns;
mod contacts;
mod curve;
mod energy;
mod fields;
mod flows;
mod last;
mod measures;
mod overview;
mod picture;
mod sizes;
mod walls;

pub use energy::Energies;
pub(crate) use last::LastState;
pub(crate) use sizes::Drawn;

use crate::Error;
use last::Restored;
use std::path::{Path, PathBuf};
use tumble_output::vtk::Piece;
use tumble_output::{Part, ResultFolder, StageRecord, Summary, plain, write_text};
use tumble_report::{Report, Section};
use tumble_scene::Scene;

/// The report of what a run left in a folder.
///
/// The run may have ended in any way, or still be under way. Contacts of the last state are told if the newest
/// checkpoint can be used.
pub fn of(folder: &Path) -> Result<Report, Error> {
    if !ResultFolder::is_one(folder) {
        return Err(Error::NoResults { folder: folder.to_owned() });
    }
    match Restored::read(folder) {
        Ok(restored) => Ok(assembled(folder, Ok(restored.last_state()))),
        Err(reason) => Ok(assembled(folder, Err(reason))),
    }
}

/// Writes the report of what a run left in a folder, and gives its path.
pub fn write(folder: &Path) -> Result<PathBuf, Error> {
    save(folder, &of(folder)?)
}

/// Writes the report of a run whose last state is at hand.
pub(crate) fn write_with(folder: &Path, last: LastState<'_>) -> Result<PathBuf, Error> {
    save(folder, &assembled(folder, Ok(last)))
}

fn save(folder: &Path, report: &Report) -> Result<PathBuf, Error> {
    let path = part(folder, Part::Report);
    write_text(&path, &report.to_html())?;
    Ok(path)
}

fn assembled(folder: &Path, last: Result<LastState<'_>, String>) -> Report {
    let mut remarks = Vec::new();
    let place = last.as_ref().ok().and_then(|last| last.place);
    let summary = Summary::read(&part(folder, Part::Summary));
    let summary = summary.map_err(|error| remarks.push(format!("There is no summary: {error}."))).ok();
    let mut read = |part_of: Part, what: &str| {
        let path = part(folder, part_of);
        if !path.exists() {
            remarks.push(format!("There is no {}, so {what} are not shown.", part_of.name()));
        }
        Some(path).filter(|path| path.exists())
    };
    let energy = read(Part::Energy, "energies").map(|path| Energies::read(&path));
    let walls = read(Part::Walls, "forces on walls").map(|path| walls::Walls::read(&path));
    let picture =
        read(Part::Trajectory, "the bodies").map(|path| picture::last_frame(&path, up(folder), place));
    // Only where something comes in or goes out is there such a table.
    let through = summary.as_ref().map_or(&[][..], |summary| &summary.state.flows);
    let is_there = !through.is_empty() || part(folder, Part::Flows).exists();
    let flows = is_there.then(|| read(Part::Flows, "curves of what came in and went out")).flatten();
    let flows = flows.map(|path| flows::Flows::read(&path));
    // Nor has every scene bonds.
    let bonded = summary.as_ref().and_then(|summary| summary.state.bonds);
    let broken = bonded.and_then(|_| read(Part::Bonds, "bonds that broke"));
    let broken = broken.map(|path| bonds::Broken::read(&path));
    // A scene need not measure anything.
    let is_measured = part(folder, Part::Measures).exists() || has_measures(folder);
    let measured = is_measured.then(|| read(Part::Measures, "measures")).flatten();
    let measured = measured.map(|path| measures::Measured::read(&path));
    let mut kept = |trouble: String| remarks.push(format!("{trouble}."));
    let energy = energy.and_then(|energy| energy.map_err(&mut kept).ok());
    let walls = walls.and_then(|walls| walls.map_err(&mut kept).ok());
    let flows = flows.and_then(|flows| flows.map_err(&mut kept).ok());
    let broken = broken.and_then(|broken| broken.map_err(&mut kept).ok());
    let measured = measured.and_then(|measured| measured.map_err(&mut kept).ok());
    let picture = picture.and_then(|picture| picture.map_err(&mut kept).ok());
    let last =
        last.map_err(|reason| kept(format!("Contacts of the last state are not shown: {reason}"))).ok();

    let title = summary.as_ref().map(|summary| summary.title.clone());
    let title = title.or_else(|| picture.as_ref().map(|(title, _)| title.clone()));
    let mut sections =
        vec![overview::section(summary.as_ref(), energy.as_ref(), picture.map(|(_, picture)| picture))];
    sections.extend(measured.as_ref().and_then(measures::Measured::section));
    sections.extend(last.and_then(|last| fields::section(last.coarse_fields)));
    sections.extend(energy.as_ref().map(Energies::section));
    sections.extend(contacts::section(energy.as_ref(), last));
    sections.extend(bonded.zip(broken).map(|(bonded, broken)| broken.section(&bonded)));
    sections.extend(walls.as_ref().and_then(walls::Walls::section));
    sections.extend(flows.as_ref().and_then(|flows| flows.section(through)));
    sections.extend(last.and_then(|last| last.drawn.section(&last.flows.streams)));
    sections.extend(summary.as_ref().and_then(overview::stages));
    sections.push(files(folder, remarks));
    if let Some(summary) = &summary {
        mark_stages(&mut sections, &summary.stages);
    }
    Report {
        title: title.unwrap_or_else(|| "A run".into()),
        subtitle: summary.as_ref().map(overview::sentence).unwrap_or_default(),
        made_by: summary.as_ref().map(overview::made_by).unwrap_or_default(),
        sections,
        ..Report::default()
    }
}

/// Shows in every curve over time when stages began.
fn mark_stages(sections: &mut [Section], stages: &[StageRecord]) {
    let marks: Vec<(f64, String)> = stages.iter().map(|stage| (stage.time_s, stage.name.clone())).collect();
    let figures = sections.iter_mut().flat_map(|section| &mut section.outcome.figures);
    for panel in figures.flat_map(|(_, figure)| &mut figure.panels) {
        if panel.x.label == curve::TIME {
            panel.x.marks.clone_from(&marks);
        }
    }
}

/// What lies beside the report, and what is wrong with it.
fn files(folder: &Path, remarks: Vec<String>) -> Section {
    let mut data: Vec<String> = Vec::new();
    let tables = [Part::Energy, Part::Walls, Part::Flows, Part::Bonds, Part::Measures];
    for of_run in [&[Part::Scene, Part::Summary][..], &tables, &[Part::Trajectory]].concat() {
        data.extend(part(folder, of_run).exists().then(|| of_run.name().to_owned()));
    }
    for piece in Piece::ALL {
        let series = format!("{}/{}.pvd", Part::Vtk.name(), piece.name());
        data.extend(folder.join(&series).exists().then_some(series));
    }
    data.extend(fields::files(folder));
    Section {
        title: "Scene and files".into(),
        scene: plain::read_own(&part(folder, Part::Scene)).ok().and_then(|text| String::from_utf8(text).ok()),
        notes: remarks,
        data,
        ..Section::default()
    }
}

/// The scene as it was run, if it can be read.
fn scene(folder: &Path) -> Option<Scene> {
    let path = part(folder, Part::Scene);
    plain::check(&path).ok().and_then(|()| Scene::read(path).ok())
}

fn has_measures(folder: &Path) -> bool {
    scene(folder).is_some_and(|scene| !scene.keys.measures.is_empty())
}

/// The axis against gravity, if the scene can be read and has any.
fn up(folder: &Path) -> tumble_report::Up {
    let gravity = scene(folder).map_or([0.0; 3], |scene| {
        let first = scene.keys.gravity_table.as_ref().and_then(|table| table.first());
        first.map_or(scene.keys.gravity, |row| row.value)
    });
    let [x, y, z] = gravity.map(f64::abs);
    match () {
        () if x > y && x > z => tumble_report::Up::X,
        () if y > z => tumble_report::Up::Y,
        () => tumble_report::Up::Z,
    }
}

fn part(folder: &Path, part: Part) -> PathBuf {
    folder.join(part.name())
}
