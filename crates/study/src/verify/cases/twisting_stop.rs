//! A sphere that spins on the spot, slowed down by twisting resistance: Marshall 2009.

use crate::verify::arrange::{Resting, Z, damped_laws, first};
use crate::verify::citations::JOHNSON_1985;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::MARSHALL_2009;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
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
    /// Coefficient of friction, of sliding and of twisting
    friction: 0.5, "";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Spin at the start
    spin: 20.0, "rad/s";
    /// Time step
    dt: 4e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "twisting-stop",
    title: "twisting resistance stops a sphere that spins on the spot",
    group: Group::Friction,
    sources: &[MARSHALL_2009, JOHNSON_1985],
    setup: "A sphere lies on a plane and spins about the vertical. Its slowing down is taken between a fifth and seven \
            tenths of the time to rest, when the twisting spring is wound up.",
    exact: "the friction of a Hertzian pressure over a disc of radius a = √(Rδ) has the couple 2/3 aμmg, constant until \
            the sphere rests",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

impl Setup {
    fn resting(&self) -> Resting {
        let &Self { radius, density, young, poisson, stiffness, restitution, friction, gravity, .. } = self;
        let properties = PairProperties::new(restitution, friction).with_twisting(friction);
        Resting { radius, density, young, poisson, stiffness, gravity, slope: 0.0, properties }
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for law in damped_laws() {
        let mass = sphere_mass(theory.density, theory.radius);
        let disc = (theory.radius * theory.resting().overlap(law)).sqrt();
        let couple = 2.0 / 3.0 * disc * theory.friction * mass * theory.gravity;
        let deceleration = couple / (0.4 * mass * theory.radius * theory.radius);
        let stops_at = theory.spin / deceleration;
        let course = simulate(simulation, law, 1.2 * stops_at)?;
        let at = |part: f64| {
            let near = course.iter().find(|point| point.0 >= part * stops_at);
            near.copied().unwrap_or((f64::NAN, f64::NAN))
        };
        let (early, late) = (at(0.2), at(0.7));
        outcome.findings.push(equals(
            format!("{}: slowing down (rad/s²)", law.name()),
            deceleration,
            (early.1 - late.1) / (late.0 - early.0),
            1e-6,
            "the load is that of rest from the beginning, so that the couple is constant; band far above rounding",
        ));
        let exact = [(0.0, theory.spin), (stops_at, 0.0), (1.2 * stops_at, 0.0)].to_vec();
        let points = course.iter().step_by(course.len().div_ceil(30)).copied().collect();
        series.push(Series::new(format!("{}, exact", law.name()), exact, Mark::Line));
        series.push(Series::new(law.name(), points, Mark::LinePoints));
    }
    let panel =
        Panel { title: String::new(), x: Axis::linear("t (s)"), y: Axis::linear("spin (rad/s)"), series };
    let figure = Figure { title: "a sphere spins to rest".into(), panels: vec![panel] };
    outcome.figures.push(("twisting-stop".into(), figure));
    Ok(outcome)
}

/// (time, spin), every tenth step.
fn simulate(setup: Setup, law: LawKind, duration: f64) -> Result<Vec<(f64, f64)>, Error> {
    let contact = ContactModel { law, rolling: RollingKind::None, twisting: TwistingKind::ElasticPlastic };
    let mut engine = setup.resting().engine(contact, setup.dt, |body| body.spinning(Z * setup.spin))?;
    let mut course = Vec::new();
    while engine.time() < duration {
        engine.advance(10)?;
        course.push((engine.time(), first(&engine).angular_velocity.z));
    }
    Ok(course)
}
