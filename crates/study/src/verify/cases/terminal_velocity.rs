//! A sphere that falls through a fluid: Stokes' drag, and drag that grows with the square of the speed.

use crate::verify::arrange::{Z, add_sphere, first, world};
use crate::verify::citations::CLIFT_1978;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::field::Drag;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, BodyState, Engine, Settings};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Density of the spheres
    density: 2500.0, "kg/m³";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Radius of the sphere in oil
    small: 5e-4, "m";
    /// Viscosity of the oil
    viscosity: 0.1, "Pa s";
    /// Spin of the sphere in oil at the start
    spin: 100.0, "rad/s";
    /// Radius of the sphere in air
    large: 0.02, "m";
    /// Density of the air
    air: 1.2, "kg/m³";
    /// Drag coefficient in air
    coefficient: 0.44, "";
    /// Time steps in the time that drag takes
    steps: 200.0, "";
}

pub(super) const CASE: Case = Case {
    id: "terminal-velocity",
    title: "spheres fall through oil and through air",
    group: Group::Friction,
    sources: &[CLIFT_1978],
    setup: "Spheres are released at rest in a fluid, one with linear drag, one with quadratic drag, without buoyancy, and \
            fall for eight times as long as drag takes to be felt.",
    exact: "linear: v = vₜ(1 − exp(−t/τ)), vₜ = mg/6πηR, τ = vₜ/g, and spin decays as exp(−10t/3τ); quadratic: v = \
            vₜ tanh(t/τ), vₜ² = 2mg/ρCπR²",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// How long they fall, in the time that drag takes.
const TIMES: u32 = 8;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let weight = |radius: f64| sphere_mass(theory.density, radius) * theory.gravity;
    let in_oil = weight(theory.small) / (6.0 * PI * theory.viscosity * theory.small);
    let in_air = (2.0 * weight(theory.large)
        / (theory.air * theory.coefficient * PI * theory.large * theory.large))
        .sqrt();
    let mut outcome = Outcome::default();
    let mut panels = Vec::new();
    let second_order = "second order in the step; 200 steps leave some 10⁻⁶ on the way, less in the end";
    let spinning = "second order in the step; spin decays three times as fast";
    let oil = (simulation.small, Drag::linear(simulation.viscosity));
    let air = (simulation.large, Drag::quadratic(simulation.air, simulation.coefficient));
    let approach: fn(f64) -> f64 = |t| 1.0 - (-t).exp();
    for (name, (radius, drag), fastest, course) in
        [("oil", oil, in_oil, approach), ("air", air, in_air, f64::tanh)]
    {
        let time = fastest / theory.gravity;
        let states = fall(simulation, radius, drag, time)?;
        let points: Vec<_> = states.iter().map(|(t, body)| (*t, -body.velocity.z)).collect();
        let off = |&(t, v): &(f64, f64)| (v / fastest - course(t / time)).abs();
        let end = points.last().copied().unwrap_or((f64::NAN, f64::NAN));
        outcome.findings.extend([
            equals(
                format!("{name}: speed in the end (m/s)"),
                fastest * course(end.0 / time),
                end.1,
                1e-6,
                second_order,
            ),
            at_most(
                format!("{name}: speed on the way: worst error"),
                largest(points.iter().map(off)),
                2e-5,
                second_order,
            ),
        ]);
        if name == "oil" {
            let decay = |(t, body): &(f64, BodyState)| {
                (body.angular_velocity.y / theory.spin - (-10.0 / 3.0 * t / time).exp()).abs()
            };
            let worst = largest(states.iter().map(decay));
            outcome.findings.push(at_most("oil: spin on the way: worst error", worst, 1e-4, spinning));
        }
        let exact =
            (0..=100).map(|i| f64::from(TIMES * i) * time / 100.0).map(|t| (t, fastest * course(t / time)));
        panels.push(Panel {
            title: name.into(),
            x: Axis::linear("t (s)"),
            y: Axis::linear("speed (m/s)"),
            series: vec![
                Series::new("exact", exact.collect(), Mark::Line),
                Series::new("ours", points, Mark::LinePoints),
            ],
        });
    }
    let figure = Figure { title: "falling through a fluid".into(), panels };
    outcome.figures.push(("terminal-velocity".into(), figure));
    Ok(outcome)
}

/// States at half the time that drag takes, and so on.
fn fall(setup: Setup, radius: f64, drag: Drag, time: f64) -> Result<Vec<(f64, BodyState)>, Error> {
    let mut world = world(Material::new("glass", setup.density, 1e7, 0.2), PairProperties::default());
    world.gravity = Z * -setup.gravity;
    world.drag = Some(drag);
    let sphere = add_sphere(&mut world, radius)?;
    let spin = tumble_dem::LabVec::new(0.0, setup.spin, 0.0);
    world.add_body(Body::at(sphere, tumble_dem::LabVec::zero()).spinning(spin));
    let dt = time / setup.steps;
    let mut engine = Engine::new(world, Settings::new(dt))?;
    let mut states = Vec::new();
    for half in 1..=2 * TIMES {
        while engine.time() + 0.5 * dt < 0.5 * f64::from(half) * time {
            engine.advance(1)?;
        }
        states.push((engine.time(), first(&engine)));
    }
    Ok(states)
}
