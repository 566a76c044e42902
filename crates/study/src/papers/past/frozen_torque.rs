//! What one torque in a step can do: the orders of all schemes for six kinds of torque.

use super::{PAST, preset};
use crate::papers::kept::{Job, Rows};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, log, panel, series, table};
use crate::report::median_slope;
use crate::{Exact, Problem, Torque, measure};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::math::{BodyVec, LabVec};
use tumble_rotation::{Order, Orders, SchemeKind, trace};

pub(in crate::papers) const FROZEN_TORQUE: Entry = Entry {
    id: "tumble/frozen-torque",
    paper: PAST,
    title: "orders of all schemes for torques that do and do not change",
    setup: &[
        "A body with the moments (1, 2, 3) kg m² and ω₀ = (1, 2, −1.5) rad/s, for 2 s: free; under a torque \
         fixed in the body; fixed in the lab; growing with time about the lab's y axis; that of a force on a \
         point of the body, which depends on the orientation; and drag, which depends on ω. The order is the \
         slope of the error of q and of ω, each at its own instant, between time steps from 0.1 s down to \
         10⁻³ s.",
        "All but Runge–Kutta evaluate one torque in a step. What they make of it decides their order as soon \
         as the torque changes within the step, as it does in every contact.",
    ],
    notes: &[
        "SPIRAL is third order in ω without a torque, or with one fixed in the body. In general its leapfrog \
         form is second order and the synchronous one of appendix A first order, since it holds the torque \
         of the beginning of the step.",
        "No scheme with one torque in a step is better than second order for a torque that changes, ours \
         included; so fourth order for a constant torque is of use where the torque hardly changes in a \
         step. In contacts it does.",
    ],
    see: &["spiral/figA8", "tumble/friction-order", "tumble/heavy-top"],
    scene: Some(
        "\
# tumble study --inertia 1,2,3 --omega 1,2,-1.5 --duration 2 --torque none
# … --torque body=0.5,-0.3,0.8
# … --torque lab=0.5,-0.3,0.8
# … --torque exponential=0.5,1
# … --torque heavy-top
# … --torque drag=0.2
",
    ),
    run: frozen_torque,
};

/// A kind of torque, and the order that a scheme declares for it.
struct Kind {
    name: &'static str,
    torque: Torque,
    declared: fn(Orders) -> Order,
}

const KINDS: [Kind; 6] = [
    Kind { name: "free", torque: Torque::None, declared: |orders| orders.free },
    Kind {
        name: "body",
        torque: Torque::Body(BodyVec::new(0.5, -0.3, 0.8)),
        declared: |orders| orders.body_torque,
    },
    // Seen from the body a torque fixed in the lab depends on the orientation; one in time changes as well.
    Kind {
        name: "lab",
        torque: Torque::Lab(LabVec::new(0.5, -0.3, 0.8)),
        declared: |orders| orders.orientation_torque,
    },
    Kind {
        name: "time",
        torque: Torque::Exponential { amplitude: 0.5, growth: 1.0 },
        declared: |orders| orders.orientation_torque,
    },
    Kind {
        name: "orientation",
        torque: Torque::HeavyTop { force: LabVec::new(0.0, 0.0, -2.0), point: BodyVec::new(0.3, 0.2, 0.5) },
        declared: |orders| orders.orientation_torque,
    },
    Kind {
        name: "velocity",
        torque: Torque::Drag { coefficient: 0.2 },
        declared: |orders| orders.velocity_torque,
    },
];

/// Whole numbers of steps in 2 s.
const STEPS: [u32; 7] = [20, 40, 100, 200, 400, 1000, 2000];
const DURATION: f64 = 2.0;

/// The schemes whose curves are drawn; all are in the table.
const DRAWN: [SchemeKind; 6] = [
    SchemeKind::VelocityVerlet,
    SchemeKind::Fincham,
    SchemeKind::SpiralSynchronous,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
];

fn frozen_torque(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let mut columns = vec!["scheme"];
    columns.extend(KINDS.iter().map(|kind| kind.name));
    let mut rows = table("orders of q/ω by kind of torque", &columns);
    rows.rows = SchemeKind::ALL.iter().map(|scheme| vec![scheme.name().into()]).collect();
    let mut outcome = Outcome::default();
    let mut panels = Vec::new();
    let mut orders = Vec::new();
    for kind in &KINDS {
        let problem = Problem { torque: kind.torque, duration: DURATION, ..preset("heavy-top") };
        let job = |scheme: &SchemeKind| {
            let inputs =
                format!("frozen-torque torque={} scheme={} duration={DURATION}", kind.name, scheme.name());
            Job::new(inputs, "dt_s,q,omega", trace::flops(*scheme) as f64)
        };
        let exact = problem.exact()?;
        let runs =
            bench.runs(SchemeKind::ALL, job, |&scheme| errors(&problem, scheme, &mut exact.clone()))?;
        let mut panel = panel(&format!("torque: {}", kind.name), log("Δt (s)"), log("mean error of q and ω"));
        for ((&scheme, run), row) in SchemeKind::ALL.iter().zip(&runs).zip(&mut rows.rows) {
            let [q, omega] = [1, 2].map(|column| slope(run, column));
            let text = |order: Option<f64>| order.map_or("–".to_owned(), |order| format!("{order:.1}"));
            row.push(Cell::Text(format!("{}/{}", text(q), text(omega))));
            orders.push((scheme, kind, q, omega));
            if DRAWN.contains(&scheme) {
                let points = run.iter().map(|row| (row[0], 0.5 * (row[1] + row[2]))).collect();
                panel.series.push(series(scheme.name(), Mark::LinePoints, points));
            }
        }
        panels.push(panel);
    }
    outcome.findings.extend(findings(&orders));
    outcome.figures.push(("tumble-frozen-torque".into(), figure("one torque in a step", panels)));
    outcome.tables.push(("tumble-frozen-torque".into(), rows));
    Ok(outcome.into())
}

fn errors(problem: &Problem, scheme: SchemeKind, exact: &mut Exact) -> Result<Rows, Error> {
    let mut rows = Rows::new();
    for steps in STEPS.into_iter().rev() {
        let run = measure(problem, scheme, DURATION / f64::from(steps), exact)?;
        let [q, omega] = run.outcome.map_or([f64::NAN; 2], |accuracy| [accuracy.q, accuracy.omega]);
        rows.push(vec![run.dt, q, omega]);
    }
    Ok(rows)
}

/// The slope of a column, where errors are neither lost nor rounding.
fn slope(rows: &Rows, column: usize) -> Option<f64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a step count")]
    let steps = |dt: f64| (DURATION / dt).round() as u64;
    median_slope(rows.iter().map(|row| (row[0], steps(row[0]), row[column])))
}

type Measured<'a> = (SchemeKind, &'a Kind, Option<f64>, Option<f64>);

/// What the notes say, and that every scheme has the orders it declares.
fn findings(orders: &[Measured<'_>]) -> Vec<Finding> {
    let lower = |&(_, _, q, omega): &Measured<'_>| q.unwrap_or(f64::NAN).min(omega.unwrap_or(f64::NAN));
    let of = |scheme: SchemeKind, name: &str| {
        orders.iter().find(|entry| entry.0 == scheme && entry.1.name == name).map_or(f64::NAN, lower)
    };
    let mut findings = Vec::new();
    for (scheme, published, about) in [
        (SchemeKind::SpiralLeapfrog, 2.0, "the leapfrog form"),
        (SchemeKind::SpiralSynchronous, 1.0, "the torque of the beginning of the step"),
        (SchemeKind::MagnusLeapfrog, 2.0, "ours"),
        (SchemeKind::KickRotateKick, 2.0, "ours"),
    ] {
        for name in ["lab", "time", "orientation", "velocity"] {
            findings.push(Finding::alone(
                format!("{}: order for the torque \"{name}\"", scheme.name()),
                of(scheme, name),
                Band::Between(published - 0.15, published + 0.15),
                about,
            ));
        }
    }
    let off = |&(scheme, kind, q, omega): &Measured<'_>| {
        let declared = (kind.declared)(scheme.info().orders);
        // An order higher than declared on one problem is luck; a lower one is wrong.
        let short =
            |measured: Option<f64>, declared: u8| measured.map_or(0.0, |order| f64::from(declared) - order);
        short(q, declared.q).max(short(omega, declared.omega))
    };
    let worst = orders.iter().max_by(|a, b| off(a).total_cmp(&off(b)));
    findings.extend(worst.map(|worst| {
        Finding::alone(
            format!(
                "order that a scheme lacks of what it declares, the worst of all: {}, {}",
                worst.0.name(),
                worst.1.name
            ),
            off(worst),
            Band::AtMost(0.3),
            "declared orders are tested; here with the time steps of this table",
        )
    }));
    findings
}
