//! Figs. 2 and A.8: errors after 1 s against the time step.

use super::cylinder::{Errors, PROBLEM, clock_errors, errors, history_of, steps_in_a_second};
use super::readings::{BussSixteenth, OmelyanEulerStart, Pfc4Leapfrog};
use super::{BEYOND, SCHEMES, fig2_data};
use crate::papers::kept::{Job, Rows};
use crate::papers::published::Published;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome, Panel, Table};
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::{RotationScheme, SchemeKind, trace};

/// Published errors are compared up to this time step; beyond, first-order schemes have lost the body.
const LARGEST_STEP: f64 = 3e-3;
/// Published errors below this are rounding, apart from that of their clock.
const ROUNDING: f64 = 5e-13;

pub(in crate::papers) const FIG2: Entry = Entry {
    id: "spiral/fig2",
    paper: DEL_VALLE_2024,
    title: "errors after 1 s against the time step",
    setup: &[
        "A spinning steel cylinder under a constant torque about its axis, for which ω is known in closed \
         form and q to rounding. Errors are the relative L1 norms Σ|vᵢ − vᵢ′|/Σ|vᵢ′| of q and ω after 1 s, \
         eq. (13), at the twenty published time steps.",
        "Each scheme of the paper is compared where its published error is twenty times that of the authors' \
         clock, up to Δt = 3·10⁻³ s; the finding is the worst ratio.",
    ],
    notes: &[
        "A run takes ⌊1 s/Δt⌋ whole steps and is compared with the exact motion where it ends; a leapfrog's \
         ω with the exact ω half a step earlier. With anything else the published digits do not come out. \
         The moments of inertia must not be rounded to three digits as in the text.",
        "The published time is a sum of steps. After 10⁷ steps of 10⁻⁷ s it is off by 2.5·10⁻¹⁰ s while the \
         body turns at 44 rad/s: that is the floor of the best published curves, not a property of the \
         schemes.",
        "Three schemes were run by the authors in a way the text does not tell: Omelyan with its first half \
         step by Euler's rule, Buss with Δt²/16 where eq. (B.8) has Δt²/12, PFC4 as a leapfrog with an \
         orthonormalised matrix. With these readings the numbers agree to a per mille.",
        "Misprints: (1) has the factors in the order for a lab ω; (B.2) has ω(t + Δt) for ω(t + ½Δt); (B.5) \
         has ω(t) in the corrector for ω(t + ½Δt), and does not say that the predicted quaternion is \
         normalised too; (B.14) has ω(t) in every stage, which takes it from the momentum; the torque in \
         (B.15) is that of the new orientation.",
    ],
    see: &["spiral/table2", "spiral/fig3", "spiral/figA8", "tumble/frozen-torque"],
    scene: Some(PROBLEM),
    run: fig2,
};

fn fig2(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = fig2_data();
    let dts = steps(&published, bench);
    let mut outcome = Outcome::default();
    let mut panels = panels();
    let mut numbers = table(
        "errors after 1 s: ours, and ours over the published ones",
        &["scheme", "dt_s", "q", "omega", "q_ratio", "omega_ratio"],
    );
    let listed = SCHEMES.iter().map(|s| (s.kind, Some(s.column)));
    let (kinds, columns): (Vec<_>, Vec<_>) = listed.chain(BEYOND.map(|kind| (kind, None))).unzip();
    for ((kind, column), ours) in kinds.iter().zip(columns).zip(curves(bench, &kinds, &dts)?) {
        let theirs = column.map(|column| published_errors(&published, column));
        draw(&mut panels, kind.name(), &dts, &ours, theirs.as_deref());
        tabulate(&mut numbers, kind.name(), &dts, &ours, theirs.as_deref());
        if let Some(theirs) = theirs {
            let bands = library_band(*kind);
            outcome.findings.extend(compare_curves(kind.name(), &dts, &ours, &theirs, 0.05, bands));
        }
    }
    outcome.findings.extend(reading_findings(bench, &published, &dts)?);
    outcome.findings.push(clock_finding(&published));
    outcome
        .figures
        .push(("spiral-fig2".into(), figure("errors after 1 s, cylinder under axial torque", panels)));
    outcome.tables.push(("spiral-fig2".into(), numbers));
    Ok(Reproduction::from(outcome).if_quick_leaving_out(bench, LEFT_OUT))
}

pub(in crate::papers) const FIG_A8: Entry = Entry {
    id: "spiral/figA8",
    paper: DEL_VALLE_2024,
    title: "both forms of SPIRAL, against the time step",
    setup: &["The errors of fig. 2 for the leapfrog form of SPIRAL, the synchronous one of appendix A and \
              Omelyan's scheme; with the slopes between Δt = 1.4·10⁻⁴ s and 1.3·10⁻³ s, and our own schemes \
              beside them."],
    notes: &[
        "\"Third order\" is meant per step. Over a time span both forms are third order in ω and second in \
         q, since the exponential leaves out the commutator; and only for a torque that is constant in the \
         body.",
        "With a torque that depends on orientation the synchronous form is first order: it takes the torque \
         of the beginning of the step. See `tumble/frozen-torque`.",
    ],
    see: &["spiral/fig2", "spiral/figA9", "tumble/frozen-torque"],
    scene: Some(PROBLEM),
    run: fig_a8,
};

fn fig_a8(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = fig2_data();
    let dts = steps(&published, bench);
    let mut panels = panels();
    let mut outcome = Outcome::default();
    let mut slopes = Vec::new();
    let kinds = [
        SchemeKind::Omelyan,
        SchemeKind::SpiralSynchronous,
        SchemeKind::SpiralLeapfrog,
        SchemeKind::MagnusLeapfrog,
        SchemeKind::KickRotateKick,
    ];
    for (kind, ours) in kinds.into_iter().zip(curves(bench, &kinds, &dts)?) {
        let column = SCHEMES.iter().find(|s| s.kind == kind).map(|s| s.column);
        let theirs = column.map(|column| published_errors(&published, column));
        draw(&mut panels, kind.name(), &dts, &ours, theirs.as_deref());
        let Some(theirs) = theirs else { continue };
        outcome.findings.extend(compare_curves(kind.name(), &dts, &ours, &theirs, 0.05, library_band(kind)));
        let pick = |dt: f64| dts.iter().position(|&d| (d / dt - 1.0).abs() < 0.1).map(|i| (dts[i], ours[i]));
        if let (Some((a, fine)), Some((b, coarse))) = (pick(1.438e-4), pick(1.274e-3)) {
            let order = |fine: f64, coarse: f64| (coarse / fine).ln() / (b / a).ln();
            slopes.push((kind, order(fine.q, coarse.q), order(fine.omega, coarse.omega)));
        }
    }
    for (kind, q, omega) in slopes {
        let expected = if kind == SchemeKind::Omelyan { 2.0 } else { 3.0 };
        outcome.findings.push(Finding::explained(
            format!("{}: order in q", kind.name()),
            Some(3.0),
            q,
            Band::Between(1.9, 2.1),
            "third order in one step, so second in a second: the exponential leaves out the commutator",
        ));
        outcome.findings.push(Finding::alone(
            format!("{}: order in ω", kind.name()),
            omega,
            Band::Between(expected - 0.1, expected + 0.1),
            "for this constant torque",
        ));
    }
    outcome.figures.push(("spiral-figA8".into(), figure("the two forms of SPIRAL", panels)));
    Ok(Reproduction::from(outcome).if_quick_leaving_out(bench, LEFT_OUT))
}

const LEFT_OUT: &str = "Time steps below 10⁻⁵ s are left out; the published ones begin at 10⁻⁷ s.";

/// The published time steps; the quick ones from 1e-5 s on.
fn steps(published: &Published, bench: &Bench<'_>) -> Vec<f64> {
    let smallest = bench.choose(1e-5, 0.0);
    published.column("dt").into_iter().filter(|&dt| dt >= smallest).collect()
}

/// The errors of each scheme at each time step.
fn curves(bench: &Bench<'_>, kinds: &[SchemeKind], dts: &[f64]) -> Result<Vec<Vec<Errors>>, Error> {
    let job = |kind: &SchemeKind| curve_job(kind.name(), dts, trace::flops(*kind));
    let rows = bench.runs(kinds, job, |&kind| curve(bench, dts, |dt| Ok(errors(kind, dt)?)))?;
    Ok(rows.into_iter().map(from_rows).collect())
}

fn curve_job(name: &str, dts: &[f64], flops: usize) -> Job {
    let from = dts.first().copied().unwrap_or_default();
    let inputs = format!("spiral-cylinder scheme={} published-steps-from={from:e}", name.replace(' ', "-"));
    Job::new(inputs, "dt_s,q,omega", flops as f64)
}

fn curve(
    bench: &Bench<'_>,
    dts: &[f64],
    errors: impl Fn(f64) -> Result<Errors, Error>,
) -> Result<Rows, Error> {
    dts.iter()
        .map(|&dt| {
            if !bench.goes_on() {
                return Err(Error::Interrupted);
            }
            let Errors { q, omega } = errors(dt)?;
            Ok(vec![dt, q, omega])
        })
        .collect()
}

fn from_rows(rows: Rows) -> Vec<Errors> {
    rows.into_iter().map(|row| Errors { q: row[1], omega: row[2] }).collect()
}

/// (dt, errors) of a published column.
pub(super) fn published_errors(published: &Published, column: &str) -> Vec<(f64, Errors)> {
    let q = published.column(&format!("{column}q"));
    let omega = published.column(&format!("{column}w"));
    let pairs = q.into_iter().zip(omega).map(|(q, omega)| Errors { q, omega });
    published.column("dt").into_iter().zip(pairs).collect()
}

fn panels() -> Vec<Panel> {
    ["orientation", "angular velocity"]
        .map(|title| panel(title, log("Δt (s)"), log("relative L1 error")))
        .into_iter()
        .collect()
}

fn draw(panels: &mut [Panel], name: &str, dts: &[f64], ours: &[Errors], theirs: Option<&[(f64, Errors)]>) {
    for (panel, pick) in panels.iter_mut().zip([|e: &Errors| e.q, |e: &Errors| e.omega]) {
        let points = dts.iter().zip(ours).map(|(&dt, e)| (dt, pick(e))).collect();
        panel.series.push(series(name, Mark::LinePoints, points));
        if let Some(theirs) = theirs {
            let points = theirs.iter().map(|(dt, e)| (*dt, pick(e))).collect();
            panel.series.push(series(&format!("{name}, published"), Mark::Published, points));
        }
    }
}

fn tabulate(numbers: &mut Table, name: &str, dts: &[f64], ours: &[Errors], theirs: Option<&[(f64, Errors)]>) {
    for (&dt, ours) in dts.iter().zip(ours) {
        let mut row =
            vec![Cell::Text(name.into()), Cell::Number(dt), Cell::Number(ours.q), Cell::Number(ours.omega)];
        let theirs = theirs.and_then(|theirs| at(theirs, dt));
        let ratio = |ours: f64, theirs: Option<f64>| theirs.map_or(Cell::Empty, |t| Cell::Number(ours / t));
        row.push(ratio(ours.q, theirs.map(|t| t.q)));
        row.push(ratio(ours.omega, theirs.map(|t| t.omega)));
        numbers.rows.push(row);
    }
}

fn at(theirs: &[(f64, Errors)], dt: f64) -> Option<Errors> {
    theirs.iter().find(|(d, _)| d.to_bits() == dt.to_bits()).map(|(_, errors)| *errors)
}

/// What a scheme of the library is held to, and why, for q and for ω.
fn library_band(kind: SchemeKind) -> [(Band, &'static str); 2] {
    const FIVE_PERCENT: Band = Band::Between(0.95, 1.05);
    match kind {
        SchemeKind::Pfc4 => [(Band::Any, "the published runs are a leapfrog; see the reading below"); 2],
        SchemeKind::Omelyan => [(FIVE_PERCENT, "the published runs start by an Euler half step"); 2],
        SchemeKind::Buss => [(FIVE_PERCENT, "the published runs have 1/16 before the commutator"); 2],
        _ => [(FIVE_PERCENT, ""); 2],
    }
}

/// The ratios ours/published farthest from one, for q and ω, where the published error is known to
/// `tolerance`.
fn compare_curves(
    name: &str,
    dts: &[f64],
    ours: &[Errors],
    theirs: &[(f64, Errors)],
    tolerance: f64,
    bands: [(Band, &str); 2],
) -> Vec<Finding> {
    let mut worst = [1.0_f64, 1.0];
    let mut compared = [0, 0];
    for (&dt, ours) in dts.iter().zip(ours).filter(|&(&dt, _)| dt <= LARGEST_STEP) {
        let (Some(theirs), floor) = (at(theirs, dt), clock_errors(dt)) else { continue };
        let pairs = [(ours.q, theirs.q, floor.q), (ours.omega, theirs.omega, floor.omega)];
        for (i, (ours, theirs, floor)) in pairs.into_iter().enumerate() {
            if theirs * tolerance > floor.max(ROUNDING) {
                compared[i] += 1;
                let ratio = ours / theirs;
                if ratio.is_nan() || (ratio - 1.0).abs() > (worst[i] - 1.0).abs() {
                    worst[i] = ratio;
                }
            }
        }
    }
    ["q", "ω"]
        .into_iter()
        .enumerate()
        .filter(|&(i, _)| compared[i] > 0)
        .map(|(i, symbol)| {
            let what = format!("{name}: error in {symbol} over the published one, worst of {}", compared[i]);
            Finding::alone(what, worst[i], bands[i].0, bands[i].1)
        })
        .collect()
}

/// The readings that give the published numbers to a per mille.
fn reading_findings(bench: &Bench<'_>, published: &Published, dts: &[f64]) -> Result<Vec<Finding>, Error> {
    fn of<S: RotationScheme>(scheme: S, bench: &Bench<'_>, dts: &[f64]) -> Result<Rows, Error> {
        curve(bench, dts, |dt| Ok(history_of(scheme, dt, steps_in_a_second(dt), 1)?[0].1))
    }
    type Run = fn(&Bench<'_>, &[f64]) -> Result<Rows, Error>;
    type Reading = (&'static str, Run, &'static str, [(Band, &'static str); 2]);
    const PER_MILLE: (Band, &str) = (Band::Between(0.999, 1.001), "as the authors ran it");
    const MEASURE: (Band, &str) =
        (Band::Any, "the paper compares matrices here, by a measure it does not tell");
    let readings: [Reading; 3] = [
        (OmelyanEulerStart::INFO.name, |b, dts| of(OmelyanEulerStart, b, dts), "Omelyan", [PER_MILLE; 2]),
        (BussSixteenth::INFO.name, |b, dts| of(BussSixteenth, b, dts), "Buss", [PER_MILLE; 2]),
        (Pfc4Leapfrog::INFO.name, |b, dts| of(Pfc4Leapfrog, b, dts), "MercuryDPM", [MEASURE, PER_MILLE]),
    ];
    let rows =
        bench.runs(&readings, |(name, ..)| curve_job(name, dts, 100), |(_, run, ..)| run(bench, dts))?;
    let mut findings = Vec::new();
    for ((name, _, column, bands), rows) in readings.into_iter().zip(rows) {
        let theirs = published_errors(published, column);
        findings.extend(compare_curves(name, dts, &from_rows(rows), &theirs, 1e-3, bands));
    }
    Ok(findings)
}

/// Below some time step the best published errors rise again.
fn clock_finding(published: &Published) -> Finding {
    let dt = published.column("dt")[0];
    Finding::new(
        "error in q of a clock summed from 10⁷ steps, against the published one of SPIRAL at 1e-7 s",
        published.column("SPIRALLq")[0],
        clock_errors(dt).q,
        Band::Relative(0.1),
        "the published floor is that of their clock, not of the schemes",
    )
}
