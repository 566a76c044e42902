//! The end of a run: how it went, a plot of the energy, and where to look next.

use crate::failure::Failure;
use crate::number::readable;
use crate::output::{self, heading, name};
use crate::progress::{Clock, rate, signed};
use crate::results::{self, Outcome};
use crate::scene_file::typed_path;
use crate::terminal_plot::{self, Look};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tumble::output::vtk::Piece;
use tumble::output::{Part, Ranks, State};
use tumble::scene::{OutputPlan, VtkPlan};

/// What is said at the end.
pub(super) fn words(folder: &Path, title: &str, written: &OutputPlan) -> Result<String, Failure> {
    let outcome = Outcome::read(folder)?;
    let mut text = format!("\n{}\n", heading(title));
    for (label, value) in lines(&outcome, folder) {
        let _ = writeln!(text, "{label:14}{value}");
    }
    for trouble in outcome.summary.troubles() {
        let _ = writeln!(text, "{} {trouble}", output::bad("attention:"));
    }
    if let Some(energies) = &outcome.energies {
        let _ = write!(text, "\n{}", output::own(&terminal_plot::draw(&energies.panel(), Look::of_stdout())));
    }
    if let Some(trouble) = &outcome.trouble {
        output::warn(&format!("no plot of the energy: {trouble}"));
    }
    text.push('\n');
    let next = next(folder, written, &outcome.summary.state);
    let width = next.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    for (place, (what, why)) in next.iter().enumerate() {
        let label = if place == 0 { "Look at" } else { "" };
        let room = " ".repeat(width - what.chars().count());
        let _ = writeln!(text, "{label:9}{}{room}  {why}", name(what));
    }
    Ok(text)
}

fn lines(outcome: &Outcome, folder: &Path) -> Vec<(&'static str, String)> {
    let Outcome { summary, .. } = outcome;
    let (state, timing) = (&summary.state, &summary.timing);
    let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut lines = vec![
        (
            "bodies",
            format!(
                "{} of {}, {} at the end",
                state.bodies,
                state.pieces(),
                plural(state.contacts, "contact")
            ),
        ),
        (
            "simulated",
            format!(
                "{} s in {} steps of {} s",
                readable(state.time_s),
                state.steps,
                readable(summary.method.dt_s)
            ),
        ),
        (
            "took",
            format!(
                "{}: {} steps/s, {} body-steps/s on {}",
                duration(timing.wall_s),
                rate(timing.steps_per_second),
                rate(outcome.body_steps_per_second()),
                summary.method.device.clone().unwrap_or_else(|| plural(summary.method.threads, "thread"))
                    + &method_of_ranks(summary.method.ranks.as_ref()),
            ),
        ),
    ];
    if let Some(bonds) = state.bonds {
        lines.insert(1, ("bonds", bonds.sentence()));
    }
    if let Some(ranks) = &summary.method.ranks {
        lines.push((
            "ranks",
            format!(
                "{} ghosts, {:.1} % of contacts twice, {} bytes a step from each, {:.0} % of the time waiting",
                ranks.ghosts.iter().sum::<usize>(),
                100.0 * ranks.doubled,
                readable(ranks.bytes_per_step.round()),
                100.0 * ranks.waited,
            ),
        ));
    }
    if let Some((last, largest)) = outcome.energy_errors() {
        lines.push((
            "energy error",
            format!("{} of the energy turned over, never more than {largest:.1e}", signed(last)),
        ));
    }
    lines.push(("results", folder.display().to_string()));
    lines
}

/// How many ranks had so many threads each.
fn method_of_ranks(ranks: Option<&Ranks>) -> String {
    ranks.map_or(String::new(), |ranks| {
        format!(" of each of {} rank{}", ranks.count, if ranks.count == 1 { "" } else { "s" })
    })
}

/// Tenths of seconds matter for short runs only.
fn duration(seconds: f64) -> String {
    if seconds < 10.0 {
        format!("{seconds:.2} s")
    } else {
        Duration::try_from_secs_f64(seconds).map_or_else(|_| "?".into(), |time| Clock(time).to_string())
    }
}

/// Files to look at and commands to try, with what they show.
fn next(folder: &Path, written: &OutputPlan, state: &State) -> Vec<(String, &'static str)> {
    let path = |part: Part| typed_path(&results::part(folder, part));
    let mut next = Vec::new();
    if written.trajectory.is_some() {
        next.push((format!("tumble view {}", typed_path(folder)), "the motion, in the browser"));
    }
    next.push((path(Part::Report), "the run as a page: energies, contacts, a picture"));
    if let Some(piece) = written.vtk.and_then(|plan| first_piece(plan, state)) {
        let series = results::part(folder, Part::Vtk).join(format!("{}.pvd", piece.name()));
        next.push((format!("paraview {}", typed_path(&series)), "the motion, in ParaView"));
    }
    if let Some(series) = first_fields(&results::part(folder, Part::Fields)) {
        next.push((format!("paraview {}", typed_path(&series)), "coarse-grained fields, in ParaView"));
    }
    if written.energy.is_some() {
        next.push((path(Part::Energy), "all energies: pandas.read_csv needs no arguments"));
    }
    next.push((format!("tumble info {}", typed_path(folder)), "the run in numbers, and its files"));
    next
}

/// The first series of coarse-grained fields, if there are any.
fn first_fields(folder: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|kind| kind == "pvd")).min()
}

/// The files that show most.
fn first_piece(plan: VtkPlan, state: &State) -> Option<Piece> {
    // Of what there are none, the files are empty.
    let round = state.spheres + state.capsules > 0;
    let written = [
        (Piece::Polyhedra, plan.spheres && !round && state.polyhedra > 0),
        (Piece::Ellipsoids, plan.spheres && !round && state.ellipsoids > 0),
        (Piece::Spheres, plan.spheres),
        (Piece::Bodies, plan.bodies),
        (Piece::Contacts, plan.contacts),
        (Piece::Walls, plan.meshes),
        (Piece::Chains, plan.chains),
    ];
    written.into_iter().find_map(|(piece, written)| written.then_some(piece))
}
