//! Figs. 1, 3 and A.9: the motion itself, and how errors grow with it at Δt = 10⁻⁵ s.

use super::cylinder::{self, Errors, PROBLEM, history};
use super::{BEYOND, SCHEMES, fig1_data, fig3_data};
use crate::papers::kept::Job;
use crate::papers::{Bench, Entry, Error, OWN, Reproduction, figure, linear, log, panel, series};
use tumble_report::{Band, Finding, Mark, Outcome, Panel};
use tumble_rotation::citations::DEL_VALLE_2024;
use tumble_rotation::reference::AxialTorque;
use tumble_rotation::{RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin, trace};

/// Fig. 3's time step, s.
const DT: f64 = 1e-5;
/// The published samples are this many steps apart: ⌊20 s/Δt⌋ = 1 999 999 steps over 200 samples.
const STEPS_PER_SAMPLE: u64 = 9_999;
/// Samples, as published.
const SAMPLES: u64 = 200;

pub(in crate::papers) const FIG1: Entry = Entry {
    id: "spiral/fig1",
    paper: DEL_VALLE_2024,
    title: "exact motion of a cylinder under an axial torque",
    setup: &[
        "A steel cylinder, radius 5 cm, height 15 cm, spins about all axes while a torque of 0.5 N m acts \
         along its own axis. ω is known in closed form; q is summed from Taylor series to rounding. Fifty \
         instants of the authors' reference are compared.",
        "The inset of the figure shows where the cylinder points at 15 s: exactly, by SPIRAL, and by Direct \
         Euler. Here it is the angle between each of them and the exact orientation, at the Δt = 10⁻⁵ s of \
         fig. 3.",
    ],
    notes: &[
        "The time step of the inset is not told. The text rounds the moments of inertia to three digits; the \
         published numbers need all of them.",
    ],
    see: &["spiral/fig2", "spiral/fig3"],
    scene: Some(PROBLEM),
    run: fig1,
};

fn fig1(_: &Bench<'_>) -> Result<Reproduction, Error> {
    let published = fig1_data();
    let motion = AxialTorque::spiral_cylinder();
    let omega: fn(Spin<f64>) -> Vec<f64> = |spin| spin.omega.to_array().to_vec();
    let q: fn(Spin<f64>) -> Vec<f64> = |spin| spin.q.to_array().to_vec();
    let mut panels = Vec::new();
    let mut findings = Vec::new();
    for (title, label, columns, pick, limit) in [
        ("angular velocity, body frame", "ω (rad/s)", &["wx", "wy", "wz"][..], omega, 1e-9),
        ("orientation", "q", &["q0", "q1", "q2", "q3"], q, 1e-11),
    ] {
        let mut panel = panel(title, linear("t (s)"), linear(label));
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
    findings.extend(inset()?);
    let drawing = figure("cylinder under a constant axial torque", panels);
    Ok(Outcome { figures: vec![("spiral-fig1".into(), drawing)], tables: vec![], findings }.into())
}

/// The inset of fig. 1: how far each scheme has turned the cylinder away after 15 s.
fn inset() -> Result<Vec<Finding>, Error> {
    const STEPS: u64 = 1_500_000;
    let exact = AxialTorque::spiral_cylinder().at(15.0);
    let mut findings = Vec::new();
    for (kind, band, reason) in [
        (SchemeKind::SpiralLeapfrog, Band::AtMost(0.1), "nearly coincides in the figure"),
        (SchemeKind::DirectEuler, Band::AtLeast(0.1), "apart in the figure"),
        (OWN[0], Band::AtMost(0.1), "not in the paper"),
    ] {
        let end = kind.visit(Turned { steps: STEPS, dt: DT })?;
        let what = format!("{}: angle to the exact orientation at 15 s, rad", kind.name());
        findings.push(Finding::alone(what, crate::angle_between(end.q, exact.q), band, reason));
    }
    Ok(findings)
}

/// The cylinder after some steps.
struct Turned {
    steps: u64,
    dt: f64,
}

impl SchemeVisitor for Turned {
    type Output = Result<Spin<f64>, tumble_rotation::Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        let start = AxialTorque::spiral_cylinder().at(0.0);
        let mut rotor = Rotor::new(scheme, cylinder::inertia()?, start, self.dt, cylinder::torque)?;
        rotor.run(self.steps)?;
        Ok(rotor.state())
    }
}

pub(in crate::papers) const FIG3: Entry = Entry {
    id: "spiral/fig3",
    paper: DEL_VALLE_2024,
    title: "errors against time at Δt = 10⁻⁵ s",
    setup: &[
        "The cylinder of fig. 1 for 20 s, 2·10⁶ steps: errors of q and ω at 200 instants, of which every \
         tenth is published. They are compared at 5 s, where first-order schemes still have the body, if \
         they are above rounding.",
    ],
    notes: &[
        "The published samples are 9999 steps apart: ⌊20 s/Δt⌋ is 1 999 999 in binary arithmetic, divided by \
         200.",
    ],
    see: &["spiral/fig2", "spiral/figA9"],
    scene: Some(PROBLEM),
    run: fig3,
};

fn fig3(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let schemes: Vec<_> = SCHEMES.iter().map(|s| (s.kind, Some(s.column))).collect();
    let beyond = BEYOND.map(|kind| (kind, None));
    growth(bench, "spiral-fig3", "errors against time, Δt = 10⁻⁵ s", &[&schemes[..], &beyond].concat())
}

pub(in crate::papers) const FIG_A9: Entry = Entry {
    id: "spiral/figA9",
    paper: DEL_VALLE_2024,
    title: "both forms of SPIRAL, against time",
    setup: &["As fig. 3, for the two forms of SPIRAL and Omelyan's scheme, with our own beside them."],
    notes: &[
        "Both forms of SPIRAL are at rounding after 5 s at this time step: nothing is claimed about them \
         there.",
    ],
    see: &["spiral/fig3", "spiral/figA8"],
    scene: Some(PROBLEM),
    run: fig_a9,
};

fn fig_a9(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let schemes = [
        (SchemeKind::Omelyan, Some("Omelyan")),
        (SchemeKind::SpiralSynchronous, Some("SPIRAL")),
        (SchemeKind::SpiralLeapfrog, Some("SPIRALL")),
        (OWN[0], None),
        (OWN[1], None),
    ];
    growth(bench, "spiral-figA9", "the two forms of SPIRAL, Δt = 10⁻⁵ s", &schemes)
}

fn growth(
    bench: &Bench<'_>,
    file: &str,
    title: &str,
    schemes: &[(SchemeKind, Option<&str>)],
) -> Result<Reproduction, Error> {
    let job = |(kind, _): &(SchemeKind, _)| {
        let inputs = format!("spiral-cylinder-growth scheme={} dt={DT:e} samples={SAMPLES}", kind.name());
        Job::new(inputs, "t_s,q,omega", trace::flops(*kind) as f64)
    };
    let runs = bench.runs(schemes, job, |&(kind, _)| {
        let history = history(kind, DT, STEPS_PER_SAMPLE, SAMPLES)?;
        Ok(history.into_iter().map(|(t, errors)| vec![t, errors.q, errors.omega]).collect())
    })?;
    let published = fig3_data();
    let times: Vec<f64> = published.column("step").iter().map(|step| step * DT).collect();
    let mut panels: Vec<Panel> = ["orientation", "angular velocity"]
        .map(|title| panel(title, linear("t (s)"), log("relative L1 error")))
        .into();
    let mut findings = Vec::new();
    for (&(kind, column), rows) in schemes.iter().zip(runs) {
        let ours: Vec<_> =
            rows.into_iter().map(|row| (row[0], Errors { q: row[1], omega: row[2] })).collect();
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
    Ok(Outcome { figures: vec![(file.into(), figure(title, panels))], tables: vec![], findings }.into())
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
