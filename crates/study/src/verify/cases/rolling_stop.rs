//! A rolling sphere that rolling resistance brings to rest: models A and C of Ai et al. 2011.

use crate::verify::arrange::{Resting, X, Y, damped_laws, first};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{AI_2011, IWASHITA_1998, ZHOU_1999};
use tumble_dem::law::{ContactModel, RollingKind, TwistingKind};
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
    friction: 0.5, "";
    /// Coefficient of rolling friction
    rolling_friction: 0.05, "";
    /// Rolling dashpot over the critical one
    rolling_damping: 0.3, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Speed at the start, rolling
    speed: 0.1, "m/s";
    /// Time step
    dt: 4e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "rolling-stop",
    title: "rolling resistance brings a sphere to rest",
    group: Group::Friction,
    sources: &[AI_2011, ZHOU_1999, IWASHITA_1998],
    setup: "A sphere rolls on a plane under gravity, with a constant torque against the rolling and with an \
            elastic–plastic spring and dashpot, for every law with a dashpot.",
    exact: "the couple μᵣRmg slows it down by a = 5μᵣg/7; it stops after v/a, v²/2a from where it was",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let deceleration = 5.0 / 7.0 * theory.rolling_friction * theory.gravity;
    let stops_at = theory.speed / deceleration;
    let mut outcome = Outcome::default();
    let exact = (0..=30).map(|i| 0.05 * stops_at * f64::from(i));
    let exact = exact.map(|t| (t, (theory.speed - deceleration * t).max(0.0))).collect();
    let mut series = vec![Series::new("exact", exact, Mark::Line)];
    for law in damped_laws() {
        for rolling in [RollingKind::ConstantTorque, RollingKind::ElasticPlastic] {
            let contact = ContactModel { law, rolling, twisting: TwistingKind::None };
            let course = simulate(simulation, contact, 1.5 * stops_at)?;
            let what = |text: &str| format!("{}, {}: {text}", law.name(), rolling.name());
            let speed_at = |part: f64| {
                let near = course.iter().find(|point| point.0 >= part * stops_at);
                near.map_or((f64::NAN, f64::NAN), |point| (point.0, point.2))
            };
            let (early, late) = (speed_at(0.25), speed_at(0.75));
            let ours = (early.1 - late.1) / (late.0 - early.0);
            let farthest = crate::verify::theory::largest(course.iter().map(|point| point.1));
            let reason = "once springs are wound up, both models have the same constant couple";
            outcome.findings.push(equals(what("slowing (m/s²)"), deceleration, ours, 1e-6, reason));
            outcome.findings.push(equals(
                what("way (m)"),
                0.5 * theory.speed * stops_at,
                farthest,
                2e-3,
                "springs have to be wound up at the start, and the last step of the rolling is cut off anywhere",
            ));
            let points = course.iter().step_by(100).map(|point| (point.0, point.2)).collect();
            series.push(Series::new(format!("{}, {}", law.name(), rolling.name()), points, Mark::LinePoints));
        }
    }
    let panel =
        Panel { title: String::new(), x: Axis::linear("t (s)"), y: Axis::linear("speed (m/s)"), series };
    let figure = Figure { title: "a sphere rolls to rest".into(), panels: vec![panel] };
    outcome.figures.push(("rolling-stop".into(), figure));
    Ok(outcome)
}

/// (time, place, speed), every tenth step.
fn simulate(setup: Setup, contact: ContactModel, duration: f64) -> Result<Vec<(f64, f64, f64)>, Error> {
    let Setup { radius, density, young, poisson, stiffness, gravity, speed, dt, .. } = setup;
    let properties = PairProperties::new(setup.restitution, setup.friction)
        .with_rolling(setup.rolling_friction, setup.rolling_damping);
    let resting = Resting { radius, density, young, poisson, stiffness, gravity, slope: 0.0, properties };
    let mut engine =
        resting.engine(contact, dt, |body| body.moving(X * speed).spinning(Y * (speed / radius)))?;
    let mut course = Vec::new();
    while engine.time() < duration {
        engine.advance(10)?;
        let body = first(&engine);
        course.push((engine.time(), body.position.x, body.velocity.x));
    }
    Ok(course)
}
