//! A heavy asymmetric top for a long time: a torque that depends on the orientation.

use super::{PAST, preset};
use crate::Problem;
use crate::papers::kept::{Job, Rows};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, linear, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::{RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin, trace};

pub(in crate::papers) const HEAVY_TOP: Entry = Entry {
    id: "tumble/heavy-top",
    paper: PAST,
    title: "energy of a heavy top over a long time",
    setup: &[
        "A body with the moments (1, 2, 3) kg m² is held at the origin; a constant force (0, 0, −2) N pulls \
         at its point (0.3, 0.2, 0.5) m. It starts with ω = (1, 2, −1.5) rad/s and tumbles chaotically, \
         conserving the sum of kinetic and potential energy. Shown is the error of that energy, with q and ω \
         of one instant.",
        "No paper has a torque that depends on the orientation, which is what contacts are; a constant \
         torque in the body frame flatters schemes that take the torque of one end of the step.",
    ],
    notes: &[
        "Schemes that are reversible keep the error bounded; others drift, however small the error of a \
         single step. The synchronous form of SPIRAL loses energy until the body hangs almost still, at \
         every time step. Runge–Kutta evaluates four torques in a step.",
    ],
    see: &["tumble/dzhanibekov", "tumble/frozen-torque"],
    scene: Some("# tumble study --problem heavy-top --duration 2000 --dt 0.02,0.05,0.1\n"),
    run: heavy_top,
};

const SCHEMES: [SchemeKind; 11] = [
    SchemeKind::Fincham,
    SchemeKind::ImprovedPcdm,
    SchemeKind::Omelyan,
    SchemeKind::SpiralSynchronous,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::RungeKutta4,
    SchemeKind::LieMidpoint,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::NoSquish,
    SchemeKind::Dullweber,
    SchemeKind::KickRotateKick,
];
/// Those whose error must not grow with time.
const BOUNDED: [SchemeKind; 3] = [SchemeKind::NoSquish, SchemeKind::Dullweber, SchemeKind::KickRotateKick];
/// s
const TIME_STEPS: [f64; 3] = [0.1, 0.05, 0.02];
const SAMPLES: u64 = 200;

fn heavy_top(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let duration = bench.choose(2000.0, 20_000.0);
    let runs: Vec<(SchemeKind, f64)> =
        SCHEMES.iter().flat_map(|&scheme| TIME_STEPS.map(|dt| (scheme, dt))).collect();
    let job = |&(scheme, dt): &(SchemeKind, f64)| {
        let inputs =
            format!("heavy-top scheme={} dt={dt} duration={duration} samples={SAMPLES}", scheme.name());
        Job::new(inputs, "t_s,energy_error", trace::flops(scheme) as f64 / dt)
    };
    let rows = bench.runs(&runs, job, |&(scheme, dt)| energy_errors(scheme, dt, duration))?;
    let mut panels = vec![
        panel("Δt = 0.02 s", linear("t (s)"), log("relative error of the energy")),
        panel(&format!("worst in {duration} s"), log("Δt (s)"), log("relative error of the energy")),
    ];
    let mut table = table(
        "worst relative error of the energy",
        &["scheme", "dt_0.1", "dt_0.05", "dt_0.02", "second_half_over_first"],
    );
    let mut findings = Vec::new();
    for (scheme, own) in SCHEMES.into_iter().zip(rows.chunks(TIME_STEPS.len())) {
        let worst = |rows: &[Vec<f64>]| largest(rows.iter().map(|row| row[1]));
        let worsts: Vec<f64> = own.iter().map(|rows| worst(rows)).collect();
        let finest = &own[TIME_STEPS.len() - 1];
        let half = finest.len() / 2;
        let growth = worst(&finest[half..]) / worst(&finest[..half]);
        panels[0].series.push(series(
            scheme.name(),
            Mark::Line,
            finest.iter().map(|r| (r[0], r[1])).collect(),
        ));
        let points = TIME_STEPS.into_iter().zip(worsts.iter().copied()).collect();
        panels[1].series.push(series(scheme.name(), Mark::LinePoints, points));
        let mut row = vec![Cell::from(scheme.name())];
        row.extend(worsts.iter().chain([&growth]).map(|&number| Cell::Number(number)));
        table.rows.push(row);
        findings.extend(judge(scheme, worsts[2], growth));
    }
    let outcome = Outcome {
        figures: vec![("tumble-heavy-top".into(), figure("heavy asymmetric top", panels))],
        tables: vec![("tumble-heavy-top".into(), table)],
        findings,
    };
    Ok(Reproduction::from(outcome).if_quick_leaving_out(bench, "2000 s instead of 20 000 s."))
}

fn judge(scheme: SchemeKind, worst: f64, growth: f64) -> Vec<Finding> {
    let name = scheme.name();
    let mut findings = Vec::new();
    let what = format!("{name}: worst relative error of the energy at Δt = 0.02 s");
    let (band, reason) = match scheme {
        SchemeKind::Dullweber | SchemeKind::KickRotateKick => {
            (Band::AtMost(3e-4), "second order, reversible")
        }
        SchemeKind::MagnusLeapfrog => (Band::AtMost(1e-2), "second order"),
        SchemeKind::SpiralSynchronous | SchemeKind::Fincham => {
            (Band::AtLeast(0.1), "first order: the torque of the beginning of the step")
        }
        _ => (Band::Any, ""),
    };
    findings.push(Finding::alone(what, worst, band, reason));
    if BOUNDED.contains(&scheme) {
        findings.push(Finding::alone(
            format!("{name}: worst error in the second half over that in the first"),
            growth,
            Band::AtMost(3.0),
            "bounded; the chaotic motion visits other places",
        ));
    }
    findings
}

fn energy_errors(scheme: SchemeKind, dt: f64, duration: f64) -> Result<Rows, Error> {
    struct Run {
        problem: Problem,
        dt: f64,
        every: u64,
    }
    impl SchemeVisitor for Run {
        type Output = Result<Rows, tumble_rotation::Error>;
        fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
            let Self { problem, dt, every } = self;
            let energy = |spin| problem.energy(spin).unwrap_or(f64::NAN);
            let first = energy(problem.start);
            let torque = |q, omega, t| problem.torque.at(Spin { q, omega }, t);
            let mut rotor = Rotor::new(scheme, problem.inertia, problem.start, dt, torque)?;
            let mut rows = Rows::new();
            for _ in 0..SAMPLES {
                // A scheme that loses the motion altogether ends its curve with an infinite error.
                if rotor.run(every).is_err() {
                    rows.push(vec![rotor.time(), f64::INFINITY]);
                    break;
                }
                rows.push(vec![rotor.time(), (energy(rotor.state()) / first - 1.0).abs()]);
            }
            Ok(rows)
        }
    }
    let problem = preset("heavy-top");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a step count")]
    let every = (duration / dt / SAMPLES as f64).round() as u64;
    Ok(scheme.visit(Run { problem, dt, every })?)
}
