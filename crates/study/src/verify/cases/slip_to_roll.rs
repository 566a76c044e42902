//! A sphere that is set down sliding rolls in the end: five sevenths of its speed are left.

use crate::verify::arrange::{Resting, X, damped_laws, first};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::CUNDALL_1979;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::PairProperties;
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 2e4, "N/m";
    /// Restitution
    restitution: 0.5, "";
    /// Coefficient of friction
    friction: 0.3, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Speed at the start, without spin
    speed: 1.0, "m/s";
    /// Time step
    dt: 4e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "slip-to-roll",
    title: "a sliding sphere begins to roll",
    group: Group::Friction,
    sources: &[LANDAU_1976, CUNDALL_1979],
    setup: "A sphere lies on a plane with the overlap that bears its weight, and is pushed along without spin. \
            Friction slows it down and turns it until its surface rests on the plane.",
    exact: "it slows down by μg and its surface speeds up by 5μg/2; from t = 2v/7μg on it rolls at 5v/7, and two \
            sevenths of its energy are lost",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Instants looked at, in tenths of the time of sliding.
const TENTHS: u32 = 20;

/// What a law gives.
struct Course {
    /// (time, speed, speed of the surface about the centre)
    points: Vec<(f64, f64, f64)>,
    /// Energy lost, J.
    lost: f64,
    mass: f64,
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let rolls_at = 2.0 * theory.speed / (7.0 * theory.friction * theory.gravity);
    let exact = |t: f64| {
        let part = (t / rolls_at).min(1.0);
        (theory.speed * (1.0 - 2.0 / 7.0 * part), theory.speed * 5.0 / 7.0 * part)
    };
    let mut outcome = Outcome::default();
    let line = |pick: fn((f64, f64)) -> f64| {
        (0..=TENTHS).map(|i| 0.1 * rolls_at * f64::from(i)).map(|t| (t, pick(exact(t)))).collect()
    };
    let mut series = vec![
        Series::new("exact, speed", line(|v| v.0), Mark::Line),
        Series::new("exact, surface", line(|v| v.1), Mark::Line),
    ];
    for law in damped_laws() {
        let Course { points, lost, mass } = simulate(simulation, law, rolls_at)?;
        let what = |text: &str| format!("{}: {text}", law.name());
        let last = points.last().copied().unwrap_or((f64::NAN, f64::NAN, f64::NAN));
        let fixed = "fixed by the angular momentum about the line of contact, once springs have settled";
        let settling = "where sliding ends the tangential spring swings for an instant";
        let off = points.iter().map(|&(t, v, surface)| {
            let (exact_v, exact_surface) = exact(t);
            largest([(v - exact_v).abs(), (surface - exact_surface).abs()]) / theory.speed
        });
        outcome.findings.extend([
            equals(what("speed in the end (m/s)"), 5.0 / 7.0 * theory.speed, last.1, 1e-6, fixed),
            equals(what("surface speed in the end (m/s)"), 5.0 / 7.0 * theory.speed, last.2, 1e-6, fixed),
            equals(
                what("energy lost over energy at start"),
                2.0 / 7.0,
                lost / (0.5 * mass * theory.speed * theory.speed),
                1e-5,
                "second order in the step",
            ),
            at_most(what("speeds on the way: worst error"), largest(off), 1e-3, settling),
        ]);
        let name = law.name();
        series.push(Series::new(
            format!("{name}, speed"),
            points.iter().map(|p| (p.0, p.1)).collect(),
            Mark::LinePoints,
        ));
        series.push(Series::new(
            format!("{name}, surface"),
            points.iter().map(|p| (p.0, p.2)).collect(),
            Mark::LinePoints,
        ));
    }
    let panel =
        Panel { title: String::new(), x: Axis::linear("t (s)"), y: Axis::linear("speed (m/s)"), series };
    let figure = Figure { title: "sliding turns into rolling".into(), panels: vec![panel] };
    outcome.figures.push(("slip-to-roll".into(), figure));
    Ok(outcome)
}

fn simulate(setup: Setup, law: LawKind, rolls_at: f64) -> Result<Course, Error> {
    let Setup { radius, density, young, poisson, stiffness, restitution, friction, gravity, speed, dt } =
        setup;
    let properties = PairProperties::new(restitution, friction);
    let resting = Resting { radius, density, young, poisson, stiffness, gravity, slope: 0.0, properties };
    let contact = ContactModel { law, ..ContactModel::default() };
    let mut engine = resting.engine(contact, dt, |body| body.moving(X * speed))?;
    let mut points = Vec::new();
    for tenth in 1..=TENTHS {
        let until = 0.1 * rolls_at * f64::from(tenth);
        while engine.time() + 0.5 * dt < until {
            engine.advance(1)?;
        }
        let body = first(&engine);
        points.push((engine.time(), body.velocity.x, body.angular_velocity.y * radius));
    }
    Ok(Course { points, lost: engine.ledger().lost(), mass: first(&engine).mass })
}
