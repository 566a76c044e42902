//! A spinning sphere that falls straight on a plane: Chung & Ooi 2011, test 6, where it slides to the end.

use crate::verify::arrange::{Throw, Y, Z};
use crate::verify::citations::CHUNG_2011;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, relative_error};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 0.1, "m";
    /// Density
    density: 2700.0, "kg/m³";
    /// Young's modulus
    young: 70e9, "Pa";
    /// Poisson's ratio
    poisson: 0.33, "";
    /// Normal restitution
    restitution: 0.5, "";
    /// Coefficient of friction
    friction: 0.4, "";
    /// Speed
    speed: 0.2, "m/s";
    /// Time steps in an elastic contact
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-spin",
    title: "a spinning aluminium sphere hits a plane",
    group: Group::Impact,
    sources: &[CHUNG_2011],
    setup: "A sphere falls straight on a plane of its own material with spins from 1 to 21 rad/s about an axis along \
            it, without gravity, with the Hertz–Mindlin law.",
    exact: "at 7 rad/s and more it slides to the end: v′ = μ(1 + e)vₙ, ω′ = ω − 5v′/2R; at any spin Rω + 5/2 v stays",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// From this spin on friction cannot stop the sliding, rad/s.
const SLIDES_FROM: f64 = 7.0;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let kick = theory.friction * (1.0 + theory.restitution) * theory.speed;
    let (mut errors, mut kept) = ([Vec::new(), Vec::new()], Vec::new());
    let (mut velocities, mut spins) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let mut last = (f64::NAN, f64::NAN);
    for spin in (1..=21).step_by(2).map(f64::from) {
        let Setup { radius, density, young, poisson, restitution, friction, speed, steps } = simulation;
        let throw = Throw {
            material: Material::new("aluminium", density, young, poisson),
            properties: PairProperties::new(restitution, friction),
            law: LawKind::HertzMindlin,
            radius,
            velocity: Z * -speed,
            spin: Y * spin,
            steps,
        };
        let after = throw.rebound()?;
        let ours = (after.velocity.x, after.angular_velocity.y);
        let exact = (kick, spin - 2.5 * kick / theory.radius);
        if spin >= SLIDES_FROM {
            errors[0].push(relative_error(ours.0, exact.0));
            errors[1].push(relative_error(ours.1, exact.1));
            velocities[0].push((spin, exact.0));
            spins[0].push((spin, exact.1));
        }
        velocities[1].push((spin, ours.0));
        spins[1].push((spin, ours.1));
        kept.push(((theory.radius * ours.1 + 2.5 * ours.0) / (theory.radius * spin) - 1.0).abs());
        last = ours;
    }
    let resolved = "400 steps in a contact leave some 10⁻⁵ to 10⁻⁴ of the restitution";
    let [velocity_errors, spin_errors] = errors;
    let findings = vec![
        equals("velocity after, 21 rad/s before (m/s)", kick, last.0, 5e-4, resolved),
        equals(
            "spin after, 21 rad/s before (rad/s)",
            21.0 - 2.5 * kick / theory.radius,
            last.1,
            5e-4,
            resolved,
        ),
        at_most("velocity after, sliding: worst error", largest(velocity_errors), 5e-4, resolved),
        at_most("spin after, sliding: worst error", largest(spin_errors), 5e-4, resolved),
        at_most(
            "momentum about the contact: worst change",
            largest(kept),
            1e-11,
            "one force at one point does both: nothing but rounding",
        ),
    ];
    let panel = |y: &str, [exact, ours]: [Vec<(f64, f64)>; 2]| Panel {
        title: String::new(),
        x: Axis::linear("spin before (rad/s)"),
        y: Axis::linear(y),
        series: vec![
            Series::new("exact, sliding", exact, Mark::Line),
            Series::new("ours", ours, Mark::LinePoints),
        ],
    };
    let panels = vec![panel("velocity after (m/s)", velocities), panel("spin after (rad/s)", spins)];
    let figure = Figure { title: "a spinning sphere on a plane".into(), panels };
    Ok(Outcome { figures: vec![("oblique-spin".into(), figure)], findings, ..Outcome::default() })
}
