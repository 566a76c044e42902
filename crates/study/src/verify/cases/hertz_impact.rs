//! Two equal glass spheres that collide head-on: Chung & Ooi 2011, test 1.

use crate::verify::arrange::{Collision, Z, add_sphere, collide, settings, world};
use crate::verify::citations::{CHUNG_2011, JOHNSON_1985};
use crate::verify::setup::setup;
use crate::verify::theory::{Hertz, equals, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::HERTZ_1882;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine};
use tumble_report::{Axis, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Radius of both spheres
    radius: 0.01, "m";
    /// Density
    density: 2800.0, "kg/m³";
    /// Young's modulus
    young: 48e9, "Pa";
    /// Poisson's ratio
    poisson: 0.2, "";
    /// Speed of each sphere
    speed: 10.0, "m/s";
    /// Time steps in a contact
    steps: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "hertz-impact",
    title: "two glass spheres collide head-on",
    group: Group::Impact,
    sources: &[CHUNG_2011, HERTZ_1882, JOHNSON_1985],
    setup: "Two equal elastic spheres fly at each other without friction or gravity. Overlap and force are looked at \
            in every step; the instants at which the surfaces meet and part are interpolated.",
    exact: "deepest overlap (15 m*v²/16 E*√R*)^(2/5), force 4/3 E*√R* δ^(3/2), duration 2.943275 δ/v; the speed is \
            turned round",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// The laws whose normal spring is that of Hertz.
pub(super) const HERTZIAN: [LawKind; 2] = [LawKind::Hertz, LawKind::HertzMindlin];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = Hertz {
        modulus: same_material(theory.young, theory.poisson),
        radius: 0.5 * theory.radius,
        mass: 0.5 * sphere_mass(theory.density, theory.radius),
        speed: 2.0 * theory.speed,
    };
    let mut outcome = Outcome::default();
    let mut courses = Vec::new();
    for law in HERTZIAN {
        let (collision, rebound) = simulate(simulation, law, exact.duration() / simulation.steps)?;
        outcome.findings.extend(findings(law, &exact, &collision, rebound / theory.speed));
        courses.push((law, collision));
    }
    outcome.figures.push(("hertz-impact".into(), figure("two glass spheres", &exact, &courses)));
    Ok(outcome)
}

fn simulate(setup: Setup, law: LawKind, dt: f64) -> Result<(Collision, f64), Error> {
    let Setup { radius, density, young, poisson, speed, .. } = setup;
    let mut world = world(Material::new("glass", density, young, poisson), PairProperties::default());
    let sphere = add_sphere(&mut world, radius)?;
    for side in [1.0, -1.0] {
        // The contact begins within a step, as it would in any simulation.
        let place = Z * (side * (radius + 0.4 * speed * dt));
        world.add_body(Body::at(sphere, place).moving(Z * (-side * speed)));
    }
    let mut engine = Engine::new(world, settings(law, dt))?;
    let collision = collide(&mut engine, |b| 2.0 * radius - (b[0].position - b[1].position).norm())?;
    engine.advance(2)?;
    Ok((collision, engine.bodies()[0].velocity.z))
}

/// What Hertz's theory says about a collision; `rebound` relative to the speed before.
pub(super) fn findings(law: LawKind, exact: &Hertz, ours: &Collision, rebound: f64) -> [Finding; 4] {
    let what = |text: &str| format!("{}: {text}", law.name());
    let reason = "second order in the step; a thousand steps leave some 10⁻⁶";
    [
        equals(what("deepest overlap (m)"), exact.overlap(), ours.deepest, 1e-5, reason),
        equals(what("largest force (N)"), exact.force(), ours.strongest, 1e-5, reason),
        equals(what("duration (s)"), exact.duration(), ours.duration, 1e-5, reason),
        equals(what("speed after over speed before"), 1.0, rebound, 1e-5, reason),
    ]
}

/// Force over overlap with Hertz's law, and over time.
pub(super) fn figure(title: &str, exact: &Hertz, courses: &[(LawKind, Collision)]) -> Figure {
    let deepest = exact.overlap();
    let law: Vec<_> = (0..=100)
        .map(|i| deepest * f64::from(i) / 100.0)
        .map(|overlap| (overlap, exact.force_at(overlap)))
        .collect();
    let mut spring = vec![Series::new("exact", law, Mark::Line)];
    let mut pulse = vec![Series::new("exact", exact.pulse(), Mark::Line)];
    for (law, collision) in courses {
        // Every so often, for the eye.
        let seen = || collision.course.iter().step_by(20);
        spring.push(Series::new(law.name(), seen().map(|c| (c.1, c.2)).collect(), Mark::LinePoints));
        pulse.push(Series::new(law.name(), seen().map(|c| (c.0, c.2)).collect(), Mark::LinePoints));
    }
    let force = || Axis::linear("force (N)");
    let panel =
        |title: &str, x: &str, series| Panel { title: title.into(), x: Axis::linear(x), y: force(), series };
    Figure {
        title: title.into(),
        panels: vec![panel("spring", "overlap (m)", spring), panel("pulse", "time (s)", pulse)],
    }
}
