//! The order of all schemes in a contact with friction and damping, in the engine.

use super::PAST;
use crate::papers::kept::{Job, Rows};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, log, panel, series, table};
use core::ops::Range;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Quat, Settings, World};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};
use tumble_rotation::SchemeKind;

pub(in crate::papers) const FRICTION_ORDER: Entry = Entry {
    id: "tumble/friction-order",
    paper: PAST,
    title: "orders of all schemes in a contact with friction and damping",
    setup: &[
        "A lopsided clump of four spheres, spinning and sliding, is pressed on a plane: a quarter of a \
         collision, 1 ms, with friction, rolling and twisting resistance and a restitution of 0.5; once it \
         sticks (μ = 10), once it slides (μ = 0.1), with linear springs and with Hertz–Mindlin. Errors of \
         position, velocity, orientation and spin are the largest at four instants of all four cases, with \
         24 to 1536 steps, against 32 768 steps of kick-rotate-kick. Orders are the slopes from 24 to 192 \
         steps and from 192 to 1536.",
        "Torques of contacts depend on orientation and spin of one instant. The engine hands every scheme \
         forces and torques of states whose q and ω belong together, so that the order is that of the \
         scheme.",
    ],
    notes: &[
        "The papers test contacts without friction or loss only, by their energy. With friction there is no \
         energy to watch, and a scheme of first order looks as plausible as one of second.",
        "Short steps show what usual ones hide. The springs of a contact turn about its normal with the mean \
         spin of the two bodies; taken as the spin at the end of the step times Δt, that angle is off by half \
         a step times the change of the spin, and the order of every scheme falls from 2 to 1.5 while the \
         contact sticks. By the trapezoid rule, as here, it stays.",
        "First-order schemes are judged by the shorter steps, since Velocity Verlet and Fincham have so small \
         a first-order part that it hardly shows before.",
    ],
    see: &["tumble/frozen-torque", "pcdm/fig2", "seelen/fig5"],
    scene: None,
    run: friction_order,
};

const DURATION: f64 = 1e-3;
const STEPS: [u32; 7] = [24, 48, 96, 192, 384, 768, 1536];
/// The steps that people take in a collision, and shorter ones: rows of [`STEPS`].
const USUAL: Range<usize> = 0..4;
const SHORT: Range<usize> = 3..7;
const REFERENCE_STEPS: u32 = 32_768;
const INSTANTS: u32 = 4;
const QUANTITIES: [&str; 4] = ["position", "velocity", "orientation", "spin"];

/// Laws and coefficients of friction.
const CASES: [(LawKind, f64); 4] = [
    (LawKind::Linear, 10.0),
    (LawKind::Linear, 0.1),
    (LawKind::HertzMindlin, 10.0),
    (LawKind::HertzMindlin, 0.1),
];

fn friction_order(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    // The engine takes schemes with one torque in a step.
    let schemes: Vec<SchemeKind> =
        SchemeKind::ALL.iter().copied().filter(|scheme| scheme.info().torque_times.len() == 1).collect();
    let exact = CASES
        .iter()
        .map(|&case| states(case, SchemeKind::KickRotateKick, REFERENCE_STEPS))
        .collect::<Result<Vec<_>, _>>()?;
    let job = |scheme: &SchemeKind| {
        let inputs = format!("friction-order scheme={} reference={REFERENCE_STEPS}", scheme.name());
        Job::new(inputs, format!("steps,{}", QUANTITIES.join(",")), 1.0)
    };
    let runs = bench.runs(&schemes, job, |&scheme| errors(scheme, &exact))?;
    let mut rows = table(
        "lowest order of position, velocity, orientation and spin, what the scheme declares for such \
         torques, and the error of the spin in rad/s",
        &["scheme", "declared", "order_24_to_192", "order_192_to_1536", "error_192", "error_1536"],
    );
    let mut panel = panel("", log("Δt (s)"), log("largest error of the spin (rad/s)"));
    let mut findings = Vec::new();
    for (&scheme, run) in schemes.iter().zip(&runs) {
        let lowest =
            |range: Range<usize>| -largest([1, 2, 3, 4].map(|column| -slope(&run[range.clone()], column)));
        let (usual, short) = (lowest(USUAL), lowest(SHORT));
        let declared = declared(scheme);
        rows.rows.push(vec![
            scheme.name().into(),
            Cell::Count(u64::from(declared)),
            Cell::Text(format!("{usual:.2}")),
            Cell::Text(format!("{short:.2}")),
            Cell::Number(run[USUAL.end - 1][4]),
            Cell::Number(run[SHORT.end - 1][4]),
        ]);
        let points = run.iter().map(|row| (DURATION / row[0], row[4])).collect();
        panel.series.push(series(scheme.name(), Mark::LinePoints, points));
        let what = |steps: &str| format!("{}: lowest order, {steps} steps", scheme.name());
        if declared >= 2 {
            let band = Band::AtLeast(1.8);
            findings.push(Finding::alone(what("24 to 192"), usual, band, "declared second order"));
            findings.push(Finding::alone(what("192 to 1536"), short, band, "declared second order"));
        } else {
            let band = Band::Between(0.7, 1.3);
            findings.push(Finding::alone(what("192 to 1536"), short, band, "declared first order"));
        }
    }
    let outcome = Outcome {
        figures: vec![("tumble-friction-order".into(), figure("a clump that rubs on a plane", vec![panel]))],
        tables: vec![("tumble-friction-order".into(), rows)],
        findings,
    };
    Ok(outcome.into())
}

/// The order that a scheme declares for torques that depend on orientation and angular velocity.
fn declared(scheme: SchemeKind) -> u8 {
    let orders = scheme.info().orders;
    let [a, b] = [orders.orientation_torque, orders.velocity_torque];
    a.q.min(a.omega).min(b.q).min(b.omega)
}

/// For each number of steps the largest errors over all cases.
fn errors(scheme: SchemeKind, exact: &[Vec<BodyState>]) -> Result<Rows, Error> {
    let mut rows = Rows::new();
    for steps in STEPS {
        let mut worst = [0.0; 4];
        for (&case, exact) in CASES.iter().zip(exact) {
            for (state, exact) in states(case, scheme, steps)?.iter().zip(exact) {
                let turn = exact.orientation.conjugate() * state.orientation;
                let errors = [
                    (state.position - exact.position).norm(),
                    (state.velocity - exact.velocity).norm(),
                    2.0 * [turn.x, turn.y, turn.z].iter().map(|x| x * x).sum::<f64>().sqrt(),
                    (state.angular_velocity - exact.angular_velocity).norm(),
                ];
                for (worst, error) in worst.iter_mut().zip(errors) {
                    *worst = largest([*worst, error]);
                }
            }
        }
        let mut row = vec![f64::from(steps)];
        row.extend(worst);
        rows.push(row);
    }
    Ok(rows)
}

/// The slope of the straight line through the logarithms of a column against the time step.
fn slope(rows: &[Vec<f64>], column: usize) -> f64 {
    let points: Vec<(f64, f64)> = rows.iter().map(|row| (-row[0].ln(), row[column].ln())).collect();
    let n = points.len() as f64;
    let [x, y] = [points.iter().map(|p| p.0).sum::<f64>() / n, points.iter().map(|p| p.1).sum::<f64>() / n];
    let (mut above, mut below) = (0.0, 0.0);
    for point in points {
        above += (point.0 - x) * (point.1 - y);
        below += (point.0 - x).powi(2);
    }
    above / below
}

/// The clump at some instants.
fn states(case: (LawKind, f64), scheme: SchemeKind, steps: u32) -> Result<Vec<BodyState>, Error> {
    let mut engine = engine(case, scheme, steps)?;
    let mut states = Vec::new();
    for _ in 0..INSTANTS {
        engine.advance(u64::from(steps / INSTANTS))?;
        states.extend(engine.bodies());
    }
    Ok(states)
}

fn engine((law, friction): (LawKind, f64), scheme: SchemeKind, steps: u32) -> Result<Engine, Error> {
    const UP: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);
    /// How far the lowest sphere is pressed into the plane at the start, m.
    const PRESSED: f64 = 1e-3;
    let spheres = [
        ClumpSphere::new([0.0, 0.0, 0.0], 0.010),
        ClumpSphere::new([0.014, 0.002, 0.001], 0.008),
        ClumpSphere::new([-0.004, 0.012, -0.002], 0.007),
        ClumpSphere::new([0.003, -0.004, 0.009], 0.006),
    ];
    let rubber = Material::new("rubber", 2500.0, 4e6, 0.25).with_stiffness(1e4);
    let properties = PairProperties::new(0.5, friction).with_rolling(0.1, 0.3).with_twisting(0.3);
    let mut world = World { materials: Materials::of(rubber, properties), ..World::default() };
    world.gravity = LabVec::new(0.0, 1.0, -9.81);
    let clump = ClumpTemplate::new("clump", &spheres, MassModel::Union).expect("four spheres are a body");
    let orientation = Quat::from_rotation_vector(LabVec::new(0.3, -0.5, 0.2));
    let depth = clump.spheres().iter().map(|s| s.radius - orientation.to_lab(s.centre).z);
    let depth = largest(depth);
    let clump = world.add_template(clump)?;
    let plane = Plane::new(LabVec::zero(), UP).expect("it has a normal");
    world.walls.push(Wall::new("plane", plane, MaterialId(0), Motion::fixed()).expect("it has a name"));
    world.add_body(
        Body::at(clump, UP * (depth - PRESSED))
            .turned(orientation)
            .moving(LabVec::new(0.4, 0.1, -0.2))
            .spinning(LabVec::new(20.0, -30.0, 25.0)),
    );
    let contact =
        ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic };
    let settings =
        Settings { contact, rotation: scheme.into(), ..Settings::new(DURATION / f64::from(steps)) };
    Ok(Engine::new(world, settings)?)
}
