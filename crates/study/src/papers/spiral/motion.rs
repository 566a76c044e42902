//! Figs. 1, 3 and A.9: the motion itself, and how errors grow with it at Δt = 10⁻⁵ s.

use super::cylinder::{Errors, history};
use super::{BEYOND, SCHEMES, fig1_data, fig3_data};
use crate::papers::{Effort, figure, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome, Panel};
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::{Error, SchemeKind, Spin};

/// Fig. 3's time step, s.
const DT: f64 = 1e-5;
/// The published samples are this many steps apart: ⌊20 s/Δt⌋ = 1 999 999 steps over 200 samples.
const STEPS_PER_SAMPLE: u64 = 9_999;
/// Samples, as published.
const SAMPLES: u64 = 200;

/// Fig. 1: the exact motion for two seconds.
#[allow(clippy::unnecessary_wraps, reason = "the type of every entry")]
pub(in crate::papers) fn fig1(_: Effort) -> Result<Outcome, Error> {
    let published = fig1_data();
    let motion = AxialTorque::spiral_cylinder();
    let omega: fn(Spin<f64>) -> Vec<f64> = |spin| spin.omega.to_array().to_vec();
    let q: fn(Spin<f64>) -> Vec<f64> = |spin| spin.q.to_array().to_vec();
    let mut panels = Vec::new();
    let mut findings = Vec::new();
    for (title, label, columns, pick, limit) in [
        ("angular velocity, body frame", "ω / (rad/s)", &["wx", "wy", "wz"][..], omega, 1e-9),
        ("orientation", "q", &["q0", "q1", "q2", "q3"], q, 1e-11),
    ] {
        let mut panel = panel(title, linear("t / s"), linear(label));
        let mut worst = 0.0_f64;
        for (i, &name) in columns.iter().enumerate() {
            let mut exact = motion.sampler();
            let times = (0..=800).map(|step| f64::from(step) / 400.0);
            let ours = times.map(|t| (t, pick(exact.at(t))[i])).collect();
            let label = name.replace('w', "ω");
            panel.series.push(series(&label, Mark::Line, ours));
            let theirs: Vec<_> = published.column("t").into_iter().zip(published.column(name)).collect();
            for &(t, theirs) in &theirs {
                worst = worst.max((pick(exact.at(t))[i] - theirs).abs());
            }
            panel.series.push(series(&format!("{label}, published"), Mark::Published, theirs));
        }
        let what = format!("{title}: largest difference from the published reference");
        findings.push(Finding::alone(what, worst, Band::AtMost(limit), "theirs is integrated to 1e-12"));
        panels.push(panel);
    }
    let drawing = figure("cylinder under a constant axial torque", panels);
    Ok(Outcome { figures: vec![("spiral-fig1".into(), drawing)], tables: vec![], findings })
}

/// Fig. 3: the schemes of the paper and some past it.
pub(in crate::papers) fn fig3(_: Effort) -> Result<Outcome, Error> {
    let schemes: Vec<_> = SCHEMES.iter().map(|s| (s.kind, Some(s.column))).collect();
    let beyond = BEYOND.map(|kind| (kind, None));
    growth("spiral-fig3", "errors against time, Δt = 10⁻⁵ s", &[&schemes[..], &beyond].concat())
}

/// Fig. A.9: the two forms of SPIRAL beside Omelyan.
pub(in crate::papers) fn fig_a9(_: Effort) -> Result<Outcome, Error> {
    let schemes = [
        (SchemeKind::Omelyan, Some("Omelyan")),
        (SchemeKind::SpiralSynchronous, Some("SPIRAL")),
        (SchemeKind::SpiralLeapfrog, Some("SPIRALL")),
    ];
    growth("spiral-figA9", "the two forms of SPIRAL, Δt = 10⁻⁵ s", &schemes)
}

fn growth(file: &str, title: &str, schemes: &[(SchemeKind, Option<&str>)]) -> Result<Outcome, Error> {
    let published = fig3_data();
    let times: Vec<f64> = published.column("step").iter().map(|step| step * DT).collect();
    let mut panels: Vec<Panel> = ["orientation", "angular velocity"]
        .map(|title| panel(title, linear("t / s"), log("relative L1 error")))
        .into();
    let mut findings = Vec::new();
    for &(kind, column) in schemes {
        let ours = history(kind, DT, STEPS_PER_SAMPLE, SAMPLES)?;
        for (panel, (suffix, pick)) in panels
            .iter_mut()
            .zip([("q", (|e: &Errors| e.q) as fn(&Errors) -> f64), ("w", |e: &Errors| e.omega)])
        {
            let points = ours.iter().map(|(t, errors)| (*t, pick(errors))).collect();
            panel.series.push(series(kind.name(), Mark::Line, points));
            let Some(column) = column else { continue };
            let theirs = published.column(&format!("{column}{suffix}"));
            let points = times.iter().copied().zip(theirs.iter().copied()).collect();
            panel.series.push(series(&format!("{}, published", kind.name()), Mark::Published, points));
            findings.push(at_five_seconds(kind, suffix, &ours, &theirs, pick));
        }
    }
    Ok(Outcome { figures: vec![(file.into(), figure(title, panels))], tables: vec![], findings })
}

/// Compares after 50 samples, where first-order schemes still have the body.
fn at_five_seconds(
    kind: SchemeKind,
    suffix: &str,
    ours: &[(f64, Errors)],
    theirs: &[f64],
    pick: fn(&Errors) -> f64,
) -> Finding {
    // Every tenth sample is published: the fifth of those is sample 50.
    let (theirs, ours) = (theirs[4], ours.get(49).map_or(f64::NAN, |(_, errors)| pick(errors)));
    let symbol = if suffix == "q" { "q" } else { "ω" };
    // By then 5·10⁵ steps are summed, in their clock and in ω, and the body turns at 220 rad/s.
    let floor = if suffix == "q" { 2e-8 } else { 1e-9 };
    let (band, reason) = match kind {
        SchemeKind::Pfc4 => (Band::Any, "the published runs are a leapfrog"),
        _ if theirs < floor => {
            (Band::Any, "near rounding, that of their clock and ours of ω summed 5·10⁵ times")
        }
        _ => (Band::Relative(0.05), ""),
    };
    Finding::new(format!("{}: error in {symbol} after 5 s", kind.name()), theirs, ours, band, reason)
}
