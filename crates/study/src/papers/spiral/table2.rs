//! Table 2: the time step that reaches a given mean error.
//!
//! The paper does not solve for it: it draws straight lines through the points of fig. 2 on logarithmic axes
//! and reads the time step off them, which explains all digits, also at the error 10⁻², where 1/Δt is no
//! whole number.

use super::cylinder::{Errors, PROBLEM, errors, history, history_of, steps_in_a_second};
use super::readings::{BussSixteenth, OmelyanEulerStart};
use super::{BEYOND, SCHEMES, fig2_data, table2_data};
use crate::papers::kept::Job;
use crate::papers::{Bench, Entry, Error, Reproduction, table};
use tumble_report::{Band, Cell, Finding, Outcome};
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::{RotationScheme, SchemeKind, trace};

/// The mean errors of the table, and their columns.
pub(super) const TARGETS: [(f64, &str); 4] = [(1e-5, "1e-5"), (1e-4, "1e-4"), (1e-3, "1e-3"), (1e-2, "1e-2")];

pub(in crate::papers) const TABLE2: Entry = Entry {
    id: "spiral/table2",
    paper: DEL_VALLE_2024,
    title: "time step that reaches a given error",
    setup: &[
        "The time step at which the mean of the errors of q and ω after 1 s is 10⁻⁵, 10⁻⁴, 10⁻³ and 10⁻², on \
         the cylinder of fig. 2. As in the paper it is read off straight lines through the points of fig. 2 \
         on logarithmic axes.",
        "The second table asks the same of schemes past the paper: the largest Δt = 1 s/n, down to an error \
         of 10⁻⁸.",
    ],
    notes: &[
        "The table is not solved for but interpolated. With that all four columns come out, also at 10⁻², \
         where 1/Δt is far from a whole number.",
        "Omelyan and Buss agree to a per mille only with the readings told at `spiral/fig2`; PFC4 is \
         reported.",
    ],
    see: &["spiral/fig2", "spiral/fig5", "review/fig1"],
    scene: Some(PROBLEM),
    run: table2,
};

fn table2(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = table2_data();
    let mut outcome = Outcome::default();
    let mut ours_and_theirs = table(
        "time step in s that reaches the mean error, read off fig. 2 as the paper does: ours and published",
        &["scheme", "1e-5", "published", "1e-4", "published", "1e-3", "published", "1e-2", "published"],
    );
    let kinds: Vec<_> = SCHEMES.iter().map(|s| s.kind).chain(BEYOND).collect();
    for (&kind, ours) in kinds.iter().zip(step_sizes(bench, &kinds)?) {
        let listed = SCHEMES.iter().any(|s| s.kind == kind && s.cost_row.is_some());
        let mut row = vec![Cell::Text(kind.name().into())];
        for ((target, column), dt) in TARGETS.into_iter().zip(ours) {
            let theirs = listed.then(|| published.at(kind.name(), column));
            row.push(Cell::Number(dt));
            row.push(theirs.map_or(Cell::Empty, Cell::Number));
            if let Some(theirs) = theirs {
                let (band, reason) = band(kind, target);
                let what = format!("{}: Δt for the mean error {column}", kind.name());
                outcome.findings.push(Finding::new(what, theirs, dt, band, reason));
            }
        }
        ours_and_theirs.rows.push(row);
    }
    for (name, row_name, ours) in
        [reading(OmelyanEulerStart, SchemeKind::Omelyan)?, reading(BussSixteenth, SchemeKind::Buss)?]
    {
        let mut row = vec![Cell::Text(name.into())];
        for ((_, column), dt) in TARGETS.into_iter().zip(ours) {
            let theirs = published.at(row_name, column);
            row.extend([Cell::Number(dt), Cell::Number(theirs)]);
            let what = format!("{name}: Δt for the mean error {column}");
            outcome.findings.push(Finding::new(
                what,
                theirs,
                dt,
                Band::Relative(1e-3),
                "as the authors ran it",
            ));
        }
        ours_and_theirs.rows.push(row);
    }
    outcome.tables.push(("spiral-table2".into(), ours_and_theirs));
    beyond(bench, &mut outcome)?;
    Ok(outcome.into())
}

/// A scheme as the authors ran it: its name, its row in the table, its time steps.
fn reading<S: RotationScheme>(
    scheme: S,
    published: SchemeKind,
) -> Result<(&'static str, &'static str, [f64; 4]), Error> {
    let errors = |dt| Ok(history_of(scheme, dt, steps_in_a_second(dt), 1)?[0].1);
    Ok((S::INFO.name, published.name(), interpolate(errors)?))
}

fn band(kind: SchemeKind, target: f64) -> (Band, &'static str) {
    match kind {
        SchemeKind::Pfc4 => (Band::Any, "the published runs are a leapfrog with another measure for q"),
        SchemeKind::Buss if target > 2e-3 => {
            (Band::Any, "the published runs have 1/16 before the commutator")
        }
        _ => (Band::Relative(0.05), ""),
    }
}

/// The largest Δt = 1/n with mean errors down to 10⁻⁸: whole steps in a second leave nothing to
/// interpretation.
fn beyond(bench: &Bench<'_>, outcome: &mut Outcome) -> Result<(), Error> {
    let targets = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8];
    let schemes: Vec<_> =
        [SchemeKind::SpiralLeapfrog, SchemeKind::Omelyan].into_iter().chain(BEYOND).collect();
    let job = |kind: &SchemeKind| {
        let inputs = format!("spiral-cylinder-largest-step scheme={} down-to=1e-8", kind.name());
        Job::new(inputs, "target,dt_s", trace::flops(*kind) as f64)
    };
    let runs = bench.runs(&schemes, job, |&kind| {
        targets.iter().map(|&target| Ok(vec![target, largest_step(kind, target)?])).collect()
    })?;
    let mut rows = table(
        "largest Δt = 1 s/n that reaches the mean error",
        &["scheme", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-8"],
    );
    for (kind, found) in schemes.into_iter().zip(runs) {
        let mut row = vec![Cell::Text(kind.name().into())];
        for (target, found) in targets.into_iter().zip(found) {
            let dt = found[1];
            row.push(Cell::Number(dt));
            let needed = match (kind, target) {
                (SchemeKind::MagnusLeapfrog, 1e-5) => 1.4e-2,
                (SchemeKind::MagnusLeapfrog, 1e-8) => 2.4e-3,
                _ => continue,
            };
            outcome.findings.push(Finding::alone(
                format!("{}: largest Δt for the mean error {target:.0e}", kind.name()),
                dt,
                Band::AtLeast(needed),
                "fourth order for a constant torque",
            ));
        }
        rows.rows.push(row);
    }
    outcome.tables.push(("spiral-table2-beyond".into(), rows));
    Ok(())
}

/// The time steps of each scheme for the four targets, interpolated in the points of fig. 2 on logarithmic
/// axes.
pub(super) fn step_sizes(bench: &Bench<'_>, kinds: &[SchemeKind]) -> Result<Vec<[f64; 4]>, Error> {
    let job = |kind: &SchemeKind| {
        let inputs = format!("spiral-table2 scheme={}", kind.name());
        Job::new(inputs, TARGETS.map(|(_, name)| name).join(","), trace::flops(*kind) as f64)
    };
    let rows = bench.runs(kinds, job, |&kind| {
        let found =
            interpolate(|dt| if bench.goes_on() { Ok(errors(kind, dt)?) } else { Err(Error::Interrupted) });
        Ok(vec![found?.to_vec()])
    })?;
    Ok(rows.into_iter().map(|rows| [0, 1, 2, 3].map(|target| rows[0][target])).collect())
}

/// As [`step_sizes`], for errors from anywhere.
fn interpolate(errors: impl Fn(f64) -> Result<Errors, Error>) -> Result<[f64; 4], Error> {
    let mut found = [f64::NAN; 4];
    let mut above: Option<(f64, f64)> = None;
    for &dt in fig2_data().column("dt").iter().rev() {
        let mean = errors(dt)?.mean();
        if let Some((coarse, error)) = above {
            for (dt_found, (target, _)) in found.iter_mut().zip(TARGETS) {
                if dt_found.is_nan() && mean <= target && error > target {
                    let share = (target / mean).ln() / (error / mean).ln();
                    *dt_found = dt * (coarse / dt).powf(share);
                }
            }
        }
        // The smallest target is reached last.
        if !found[0].is_nan() {
            break;
        }
        above = Some((dt, if mean.is_nan() { f64::INFINITY } else { mean }));
    }
    Ok(found)
}

/// The largest Δt = 1/n with at most this mean error, taking errors to fall with n.
fn largest_step(kind: SchemeKind, target: f64) -> Result<f64, Error> {
    let mean = |n: u32| -> Result<f64, Error> {
        let end = history(kind, 1.0 / f64::from(n), u64::from(n), 1)?;
        // A run that blew up counts as too coarse.
        Ok(Some(end[0].1.mean()).filter(|mean| mean.is_finite()).unwrap_or(f64::INFINITY))
    };
    let (mut low, mut high) = (8, 16);
    while mean(high)? > target {
        (low, high) = (high, 2 * high);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if mean(middle)? <= target {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(1.0 / f64::from(high))
}
