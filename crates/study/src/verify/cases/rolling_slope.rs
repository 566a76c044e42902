//! A sphere with rolling resistance on a slope: held below its rolling friction, slowed down above.

use crate::verify::arrange::{Resting, damped_laws, first};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{AI_2011, JIANG_2005};
use tumble_dem::law::{ContactModel, RollingKind, TwistingKind};
use tumble_dem::material::PairProperties;
use tumble_dem::{BodyState, LabVec};
use tumble_report::Outcome;

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
    friction: 0.9, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Slope
    slope: 0.2, "rad";
    /// Rolling friction over the tangent of the slope, where it rolls
    weak: 0.6, "";
    /// Rolling friction over the tangent of the slope, where it is held
    strong: 1.4, "";
    /// Time step
    dt: 4e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "rolling-slope",
    title: "a sphere with rolling resistance on a slope",
    group: Group::Friction,
    sources: &[AI_2011, JIANG_2005],
    setup: "A sphere is released on a slope of 11.5°. Its acceleration is taken between 0.1 s and 0.3 s, when springs \
            have settled.",
    exact: "acceleration 5/7 g (sin α − μᵣ cos α); with an elastic–plastic spring it stays where it is if μᵣ > tan α",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let acceleration = |part: f64| 5.0 / 7.0 * theory.gravity * (1.0 - part) * theory.slope.sin();
    for law in damped_laws() {
        for (rolling, part, given) in [
            (RollingKind::None, 0.0, 0.0),
            (RollingKind::ConstantTorque, theory.weak, simulation.weak),
            (RollingKind::ElasticPlastic, theory.weak, simulation.weak),
        ] {
            let contact = ContactModel { law, rolling, twisting: TwistingKind::None };
            let (_, ours) = release(simulation, contact, given)?;
            outcome.findings.push(equals(
                format!("{}, {}: acceleration (m/s²)", law.name(), rolling.name()),
                acceleration(part),
                ours,
                1e-6,
                "springs have settled before; band far above rounding",
            ));
        }
        let contact =
            ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::None };
        let (held, _) = release(simulation, contact, simulation.strong)?;
        outcome.findings.push(at_most(
            format!("{}, elastic-plastic: speed where held (m/s)", law.name()),
            held.velocity.norm(),
            1e-9,
            "at rest but for what is left of the settling",
        ));
    }
    Ok(outcome)
}

/// The sphere in the end, and its acceleration.
fn release(setup: Setup, contact: ContactModel, part: f64) -> Result<(BodyState, f64), Error> {
    let Setup { radius, density, young, poisson, stiffness, gravity, slope, dt, .. } = setup;
    let properties =
        PairProperties::new(setup.restitution, setup.friction).with_rolling(part * slope.tan(), 0.3);
    let resting = Resting { radius, density, young, poisson, stiffness, gravity, slope, properties };
    let mut engine = resting.engine(contact, dt, |body| body.moving(LabVec::zero()))?;
    engine.advance(2_500)?;
    let (began, before) = (engine.time(), first(&engine).velocity.x);
    engine.advance(5_000)?;
    let after = first(&engine);
    Ok((after, (after.velocity.x - before) / (engine.time() - began)))
}
