//! A free body near its unstable axis: it turns over again and again, at instants that are known exactly.

use super::{PAST, preset};
use crate::Problem;
use crate::papers::kept::{Job, Rows};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, linear, log, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::math::LabVec;
use tumble_rotation::reference::FreeBody;
use tumble_rotation::{Inertia as _, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin, trace};

pub(in crate::papers) const DZHANIBEKOV: Entry = Entry {
    id: "tumble/dzhanibekov",
    paper: PAST,
    title: "flips of a wing nut in free flight",
    setup: &[
        "A free body with the moments (1, 2, 3) kg m² starts with ω = (0.01, 1, 0.01) rad/s, almost about \
         its middle axis, and turns over every 19.55286709863436 s. Near the unstable axis errors grow \
         exponentially, so the instants of the flips are a hard test of ω alone, without any torque.",
        "Shown are ωy; the mean interval between flips against the exact one, from Jacobi's elliptic \
         functions; and the worst error of the energy. At these time steps the body turns by 0.02 rad to 0.1 \
         rad in a step.",
    ],
    notes: &[
        "Schemes that conserve both energy and momentum of a free body stay on the exact curve of ω, and can \
         be early or late on it only; others leave it. A scheme that gains energy flips ever sooner.",
        "Fincham conserves the momentum and gains energy, which a free body can only do by turning more \
         about its axis of least inertia. It ends there, with I₂/I₁ = 2 times the energy. This is what goes \
         wrong with the rods of `review/fig2`.",
    ],
    see: &["tumble/heavy-top", "seelen/fig1", "review/fig2"],
    scene: Some(include_str!("../../../../../scenes/dzhanibekov.toml")),
    run: dzhanibekov,
};

const SCHEMES: [SchemeKind; 9] = [
    SchemeKind::DirectEuler,
    SchemeKind::Fincham,
    SchemeKind::ImprovedPcdm,
    SchemeKind::Omelyan,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::LieMidpoint,
    SchemeKind::Dullweber,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
];
/// s
const TIME_STEPS: [f64; 3] = [0.1, 0.05, 0.02];
/// From one flip to the next, s.
const INTERVAL: f64 = 19.552_867_098_634_36;

fn dzhanibekov(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let duration = bench.choose(800.0, 8000.0);
    let runs: Vec<(SchemeKind, f64)> =
        SCHEMES.iter().flat_map(|&scheme| TIME_STEPS.map(|dt| (scheme, dt))).collect();
    let job = |&(scheme, dt): &(SchemeKind, f64)| {
        let inputs = format!("dzhanibekov scheme={} dt={dt} duration={duration}", scheme.name());
        Job::new(inputs, "flips,interval_s,worst_energy_error", trace::flops(scheme) as f64 / dt)
    };
    let rows = bench.runs(&runs, job, |&(scheme, dt)| flips(scheme, dt, duration))?;
    let mut panels = vec![
        panel("Δt = 0.1 s", linear("t (s)"), linear("ωy (rad/s)")),
        panel("interval between flips", log("Δt (s)"), log("relative error")),
        panel("energy", log("Δt (s)"), log("worst relative error")),
    ];
    draw_motion(&mut panels[0].series)?;
    let mut table = table(
        "flips, their mean interval in s, and the worst relative error of the energy",
        &["scheme", "dt_s", "flips", "interval_s", "relative_error", "energy_error"],
    );
    let mut findings = Vec::new();
    for (scheme, own) in SCHEMES.into_iter().zip(rows.chunks(TIME_STEPS.len())) {
        let off = |rows: &Rows| (rows[0][1] / INTERVAL - 1.0).abs();
        let curve = |of: fn(&Rows) -> f64| TIME_STEPS.into_iter().zip(own.iter().map(of)).collect();
        panels[1].series.push(series(scheme.name(), Mark::LinePoints, curve(off)));
        panels[2].series.push(series(scheme.name(), Mark::LinePoints, curve(|rows| rows[0][2])));
        for (dt, rows) in TIME_STEPS.into_iter().zip(own) {
            let [flips, interval, energy] = [0, 1, 2].map(|column| Cell::Number(rows[0][column]));
            let row =
                [scheme.name().into(), Cell::Number(dt), flips, interval, Cell::Number(off(rows)), energy];
            table.rows.push(row.into());
        }
        findings.extend(judge(scheme, off(&own[2]), own[2][0][2]));
    }
    let mut outcome = Outcome {
        figures: vec![("tumble-dzhanibekov".into(), figure("wing nut in free flight", panels))],
        tables: vec![("tumble-dzhanibekov".into(), table)],
        findings,
    };
    let Problem { inertia, start, .. } = preset("dzhanibekov");
    let body = FreeBody::new(inertia, start)?;
    let curve = (0..=100_000).map(|i| f64::from(i) * 0.01).map(|t| (t, body.at(t).omega.y));
    let exact = mean_interval(&sign_changes(curve));
    outcome.findings.insert(
        0,
        Finding::new(
            "exact interval between flips, s",
            INTERVAL,
            exact,
            Band::Between(19.552_866, 19.552_868),
            "elliptic functions",
        ),
    );
    Ok(Reproduction::from(outcome).if_quick_leaving_out(bench, "800 s, 40 flips, instead of 8000 s."))
}

fn judge(scheme: SchemeKind, interval: f64, energy: f64) -> Vec<Finding> {
    let name = scheme.name();
    if scheme == SchemeKind::Fincham {
        let reason = "all momentum ends about the axis of least inertia, with twice the energy";
        let what = format!("{name}: relative gain of energy at Δt = 0.02 s");
        return vec![Finding::alone(what, energy, Band::Between(0.99, 1.01), reason)];
    }
    let (most_off, most_energy) = match scheme {
        SchemeKind::MagnusLeapfrog | SchemeKind::KickRotateKick => (1e-5, 1e-6),
        SchemeKind::Dullweber
        | SchemeKind::LieMidpoint
        | SchemeKind::Omelyan
        | SchemeKind::SpiralLeapfrog => (1e-2, 1e-3),
        _ => {
            return vec![Finding::alone(
                format!("{name}: interval at Δt = 0.02 s, relative error"),
                interval,
                Band::Any,
                "",
            )];
        }
    };
    vec![
        Finding::alone(
            format!("{name}: interval at Δt = 0.02 s, relative error"),
            interval,
            Band::AtMost(most_off),
            "by the order of its free rotation",
        ),
        Finding::alone(
            format!("{name}: worst relative error of the energy at Δt = 0.02 s"),
            energy,
            Band::AtMost(most_energy),
            "by the order of its free rotation",
        ),
    ]
}

/// ωy over the first flips: exactly, and by three schemes.
fn draw_motion(curves: &mut Vec<tumble_report::Series>) -> Result<(), Error> {
    let Problem { inertia, start, .. } = preset("dzhanibekov");
    let exact = FreeBody::new(inertia, start)?;
    let times = (0..=1000).map(|i| f64::from(i) * 0.1);
    curves.push(series("exact", Mark::Line, times.map(|t| (t, exact.at(t).omega.y)).collect()));
    for scheme in [SchemeKind::DirectEuler, SchemeKind::SpiralLeapfrog, SchemeKind::KickRotateKick] {
        let states = scheme.visit(States { dt: 0.1, every: 10, samples: 100 })?;
        let points = states.into_iter().map(|(t, spin)| (t, spin.omega.y)).collect();
        curves.push(series(scheme.name(), Mark::LinePoints, points));
    }
    Ok(())
}

/// How often the body turned over, the mean interval, and the worst error of the energy.
fn flips(scheme: SchemeKind, dt: f64, duration: f64) -> Result<Rows, Error> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a step count")]
    let samples = (duration / dt).round() as u64;
    let states = scheme.visit(States { dt, every: 1, samples })?;
    let Problem { inertia, start, .. } = preset("dzhanibekov");
    let first = inertia.energy(start.omega);
    let energy = largest(states.iter().map(|(_, spin)| (inertia.energy(spin.omega) / first - 1.0).abs()));
    let found = sign_changes(states.iter().map(|(t, spin)| (*t, spin.omega.y)));
    Ok(vec![vec![found.len() as f64, mean_interval(&found), energy]])
}

/// Where a curve changes its sign, by lines between its points.
fn sign_changes(curve: impl Iterator<Item = (f64, f64)>) -> Vec<f64> {
    let points: Vec<(f64, f64)> = curve.collect();
    let changes = points.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0);
    changes.map(|pair| pair[0].0 + (pair[1].0 - pair[0].0) * pair[0].1 / (pair[0].1 - pair[1].1)).collect()
}

/// From the first to the last, by their number.
fn mean_interval(instants: &[f64]) -> f64 {
    match instants {
        [first, .., last] => (last - first) / (instants.len() as f64 - 1.0),
        _ => f64::NAN,
    }
}

/// Synchronised states of the free body.
struct States {
    dt: f64,
    every: u64,
    samples: u64,
}

impl SchemeVisitor for States {
    type Output = Result<Vec<(f64, Spin<f64>)>, tumble_rotation::Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        let Problem { inertia, start, .. } = preset("dzhanibekov");
        let mut rotor = Rotor::new(scheme, inertia, start, self.dt, |_, _, _| LabVec::zero())?;
        let mut states = vec![(0.0, start)];
        for _ in 0..self.samples {
            // A scheme that gains energy without bound ends its curve.
            if rotor.run(self.every).is_err() {
                break;
            }
            states.push((rotor.time(), rotor.state()));
        }
        Ok(states)
    }
}
