//! Figs. 2 and A.8: errors after 1 s against the time step.

use super::cylinder::{Errors, clock_errors, errors, history_of, steps_in_a_second};
use super::readings::{BussSixteenth, OmelyanEulerStart, Pfc4Leapfrog};
use super::{BEYOND, SCHEMES, fig2_data};
use crate::papers::published::Published;
use crate::papers::{Effort, figure, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome, Panel, Table};
use tumble_rotation::{Error, RotationScheme, SchemeKind};

/// Published errors are compared up to this time step; beyond, first-order schemes have lost the body.
const LARGEST_STEP: f64 = 3e-3;
/// Published errors below this are rounding, apart from that of their clock.
const ROUNDING: f64 = 5e-13;

/// Fig. 2, for the schemes of the paper and some past it.
pub(in crate::papers) fn fig2(effort: Effort) -> Result<Outcome, Error> {
    let published = fig2_data();
    let dts = steps(&published, effort);
    let mut outcome = Outcome::default();
    let mut panels = panels();
    let mut numbers = table(
        "errors after 1 s: ours, and ours over the published ones",
        &["scheme", "dt_s", "q", "omega", "q_ratio", "omega_ratio"],
    );
    let curves = SCHEMES.iter().map(|s| (s.kind, Some(s.column)));
    for (kind, column) in curves.chain(BEYOND.map(|kind| (kind, None))) {
        let ours = dts.iter().map(|&dt| errors(kind, dt)).collect::<Result<Vec<_>, _>>()?;
        let theirs = column.map(|column| published_errors(&published, column));
        draw(&mut panels, kind.name(), &dts, &ours, theirs.as_deref());
        tabulate(&mut numbers, kind.name(), &dts, &ours, theirs.as_deref());
        if let Some(theirs) = theirs {
            outcome.findings.extend(compare_curves(
                kind.name(),
                &dts,
                &ours,
                &theirs,
                0.05,
                library_band(kind),
            ));
        }
    }
    outcome.findings.extend(reading_findings(&published, &dts)?);
    outcome.findings.push(clock_finding(&published));
    if effort == Effort::Quick {
        outcome.findings.push(Finding::alone(
            "smallest time step of this quick run, s",
            dts[0],
            Band::Any,
            "the published ones begin at 1e-7",
        ));
    }
    outcome
        .figures
        .push(("spiral-fig2".into(), figure("errors after 1 s, cylinder under axial torque", panels)));
    outcome.tables.push(("spiral-fig2".into(), numbers));
    Ok(outcome)
}

/// Fig. A.8: the two forms of SPIRAL beside Omelyan.
pub(in crate::papers) fn fig_a8(effort: Effort) -> Result<Outcome, Error> {
    let published = fig2_data();
    let dts = steps(&published, effort);
    let mut panels = panels();
    let mut outcome = Outcome::default();
    let mut slopes = Vec::new();
    for (kind, column) in [
        (SchemeKind::Omelyan, "Omelyan"),
        (SchemeKind::SpiralSynchronous, "SPIRAL"),
        (SchemeKind::SpiralLeapfrog, "SPIRALL"),
    ] {
        let ours = dts.iter().map(|&dt| errors(kind, dt)).collect::<Result<Vec<_>, _>>()?;
        let theirs = published_errors(&published, column);
        draw(&mut panels, kind.name(), &dts, &ours, Some(&theirs));
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
    Ok(outcome)
}

/// The published time steps; the quick ones from 1e-5 s on.
fn steps(published: &Published, effort: Effort) -> Vec<f64> {
    let smallest = if effort == Effort::Quick { 1e-5 } else { 0.0 };
    published.column("dt").into_iter().filter(|&dt| dt >= smallest).collect()
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
        .map(|title| panel(title, log("Δt / s"), log("relative L1 error")))
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
fn reading_findings(published: &Published, dts: &[f64]) -> Result<Vec<Finding>, Error> {
    fn of<S: RotationScheme>(scheme: S, dts: &[f64]) -> Result<(&'static str, Vec<Errors>), Error> {
        let run = |&dt: &f64| Ok(history_of(scheme, dt, steps_in_a_second(dt), 1)?[0].1);
        Ok((S::INFO.name, dts.iter().map(run).collect::<Result<_, Error>>()?))
    }
    const PER_MILLE: (Band, &str) = (Band::Between(0.999, 1.001), "as the authors ran it");
    const MEASURE: (Band, &str) =
        (Band::Any, "the paper compares matrices here, by a measure it does not tell");
    let mut findings = Vec::new();
    for ((name, ours), column, bands) in [
        (of(OmelyanEulerStart, dts)?, "Omelyan", [PER_MILLE; 2]),
        (of(BussSixteenth, dts)?, "Buss", [PER_MILLE; 2]),
        (of(Pfc4Leapfrog, dts)?, "MercuryDPM", [MEASURE, PER_MILLE]),
    ] {
        findings.extend(compare_curves(name, dts, &ours, &published_errors(published, column), 1e-3, bands));
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
