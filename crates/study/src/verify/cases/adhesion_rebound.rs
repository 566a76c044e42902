//! Elastic spheres that adhere collide: they stick below a speed, and rebound above it, as Thornton & Ning 1998 have it.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::setup::setup;
use crate::verify::theory::{Jkr, at_most, equals, largest, order_of, relative_error, same_material, sphere_mass, threshold};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{JOHNSON_1971, THORNTON_1998};
use tumble_dem::law::LawKind;
use tumble_dem::law::jkr::TEAR_OFF;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId};
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 1e-3, "m";
    /// Density
    density: 2000.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Work of adhesion
    work: 0.05, "J/m²";
    /// Time steps in the contact of spheres that do not adhere
    steps: 800.0, "";
}

pub(super) const CASE: Case = Case {
    id: "adhesion-rebound",
    title: "elastic spheres that adhere stick or rebound",
    group: Group::Impact,
    sources: &[JOHNSON_1971, THORNTON_1998],
    setup: "JKR spheres without dashpots hit each other, and a wall, at 1.05 to 5 times the sticking speed, and once more slowly. Each \
            collision is computed at eight phases between steps and first touch; the worst counts.",
    exact: "what is lost is 7.092196 (W⁵R⁴/E*²)^(1/3), the work from touch to the tear-off; so they stick below V_s with that energy, and else \
            rebound with √(1 − (V_s/V)²). Without hysteresis (tear_off = 0) with 1",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

impl Setup {
    /// What is lost, J, and the speed below which they stick, m/s.
    fn lost(&self, part: f64) -> [f64; 2] {
        let modulus = same_material(self.young, self.poisson);
        let lost = Jkr { modulus, radius: part * self.radius, work: self.work }.torn();
        [lost, (2.0 * lost / (part * sphere_mass(self.density, self.radius))).sqrt()]
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for (part, against) in [(0.5, "sphere"), (1.0, "wall")] {
        let [lost, sticking] = theory.lost(part);
        let exact = |times: f64| (1.0 - 1.0 / (times * times)).sqrt();
        let (mut points, mut errors, mut torn) = (Vec::new(), Vec::new(), Vec::new());
        for times in [1.05, 1.2, 1.5, 2.0, 3.0, 5.0] {
            let ends = collisions(simulation, part, times * sticking, simulation.steps, 1.0)?;
            errors.push(largest(ends.iter().map(|end| relative_error(end.restitution, exact(times)))));
            torn.push(largest(ends.iter().map(|end| relative_error(end.adhesion, lost))));
            points.push((times, ends[0].restitution));
        }
        let reason = "800 steps in a contact, any phase";
        let what = |text: &str| format!("against a {against}: {text}");
        outcome.findings.push(at_most(what("worst rebound"), largest(errors), 1e-4, reason));
        let reason = "a closed form of the law, booked as `adhesion`";
        outcome.findings.push(at_most(what("worst loss"), largest(torn), 1e-6, reason));
        let finer = [0.25, 0.5, 1.0].map(|of_steps| {
            let ends = collisions(simulation, part, 2.0 * sticking, of_steps * simulation.steps, 1.0)?;
            Ok(largest(ends.iter().map(|end| relative_error(end.restitution, exact(2.0)))))
        });
        let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        outcome.findings.push(Finding::alone(
            what("order of the rebound"),
            order_of(&finer),
            Band::Between(1.8, 2.3),
            "second order at every phase, though the force jumps at both ends",
        ));
        let finer = [0.5, 1.0, 2.0].map(|of_steps| {
            let each = [0.1, 0.35, 0.6, 0.85].map(|phase| {
                let steps = of_steps * simulation.steps;
                let speed = threshold(|times| bounces(simulation, part, times * sticking, steps, phase))?;
                Ok(relative_error(speed, 1.0))
            });
            Ok(largest(each.into_iter().collect::<Result<Vec<f64>, Error>>()?))
        });
        let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        let reason = "1600 steps in a contact, any phase; found by bisection";
        outcome.findings.push(at_most(what("sticking speed"), finer[2], 1e-6, reason));
        outcome.findings.push(Finding::alone(
            what("order of the sticking speed"),
            order_of(&finer),
            Band::Between(1.7, 2.6),
            "second order at every phase",
        ));
        let without = collisions(simulation, part, 0.5 * sticking, simulation.steps, 0.0)?;
        let worst = largest(without.iter().map(|end| relative_error(end.restitution, 1.0)));
        outcome.findings.push(at_most(what("without hysteresis"), worst, 1e-3, "800 steps in a contact, any phase"));
        outcome.findings.push(equals(
            what("leaves at 0.999 and 1.001 of the speed"),
            1.0,
            f64::from(u8::from(leaves(simulation, part, 1.001 * sticking)?))
                + f64::from(u8::from(leaves(simulation, part, 0.999 * sticking)?)),
            0.0,
            "only the faster one does",
        ));
        series.push(Series::new(format!("against a {against}"), points, Mark::LinePoints));
    }
    let curve = (0..=80).map(|i| 1.0 + 0.05 * f64::from(i)).map(|v| (v, (1.0 - 1.0 / (v * v)).sqrt())).collect();
    series.push(Series::new("exact", curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("speed over the sticking speed"),
        y: Axis::linear("restitution"),
        series,
    };
    let figure = Figure { title: "JKR spheres without dashpots".into(), panels: vec![panel] };
    outcome.figures.push(("adhesion-rebound".into(), figure));
    Ok(outcome)
}

/// How a collision ended.
struct End {
    restitution: f64,
    /// J.
    adhesion: f64,
}

/// Collisions at all phases.
fn collisions(setup: Setup, part: f64, speed: f64, steps: f64, tear_off: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut engine = engine(setup, part, speed, steps * (1.0 + 0.1 * phase), phase, tear_off)?;
        through_contact(&mut engine)?;
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        let ledger = engine.ledger();
        let adhesion = ledger.entries().find(|(key, _)| *key == "adhesion").map_or(f64::NAN, |entry| entry.1);
        Ok(End { restitution: (bodies[0].velocity.z - other) / speed, adhesion })
    });
    each.collect()
}

/// Whether spheres leave when they part for the first time.
fn bounces(setup: Setup, part: f64, speed: f64, steps: f64, phase: f64) -> Result<bool, Error> {
    let mut engine = engine(setup, part, speed, steps, phase, 1.0)?;
    let (mut touched, mut parting) = (false, false);
    loop {
        engine.advance(1)?;
        let bodies = engine.bodies();
        let apart = bodies[0].velocity.z - if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        touched |= engine.contact_count() > 0;
        parting |= touched && apart > 0.0;
        if touched && engine.contact_count() == 0 {
            return Ok(true);
        }
        if parting && apart < 0.0 {
            return Ok(false);
        }
    }
}

/// Whether the contact ends within 16000 steps, the time of some twenty collisions.
fn leaves(setup: Setup, part: f64, speed: f64) -> Result<bool, Error> {
    let mut engine = engine(setup, part, speed, setup.steps, 0.5, 1.0)?;
    engine.advance(10)?;
    for _ in 0..20 {
        engine.advance(800)?;
        if engine.contact_count() == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn engine(setup: Setup, part: f64, speed: f64, steps: f64, phase: f64, tear_off: f64) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, work, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&WORK_OF_ADHESION, work).with(&TEAR_OFF, tear_off);
    let mut world = world(Material::new("gum", density, young, poisson), properties);
    let effective = (part * radius, part * sphere_mass(density, radius));
    let dt = contact_time(&world.materials, LawKind::Hertz, effective, speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    world.add_body(Body::at(sphere, Z * (radius + phase * speed * dt)).moving(Z * -speed));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    Ok(Engine::new(world, settings(LawKind::Jkr, dt))?)
}
