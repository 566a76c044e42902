//! Elastic–perfectly plastic spheres collide: restitution, loss, largest force and depth in closed form, after Thornton.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, order_of, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::THORNTON_1997;
use tumble_dem::law::LawKind;
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId, Settings};
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 1e-3, "m";
    /// Density
    density: 2000.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Contact pressure at which surfaces yield
    pressure: 3e6, "Pa";
    /// Time steps in the shorter of both halves
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "plastic-impact",
    title: "elastic–plastic spheres collide",
    group: Group::Impact,
    sources: &[THORNTON_1997],
    setup: "Spheres without dashpots hit each other, and a wall, at 0.5 to 100 times the speed at which they begin to yield. Each collision is computed at eight phases between steps and first \
            touch; the worst counts.",
    exact: "at s times the speed of first yield e² = 6√3/5 (1 − 1/6s²) (1/(1 + 2√(6s²/5 − 1/5)))^(1/2) for s > 1, and 1 below; what yielding takes is the rest of the energy. The largest \
            overlap follows from the work, a square in it",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

/// What a collision comes to.
#[derive(Clone, Copy)]
struct End {
    restitution: f64,
    /// Lost, J.
    plastic: f64,
    /// m
    deepest: f64,
    /// N
    force: f64,
}

impl Setup {
    /// The effective mass, kg.
    fn mass(&self, part: f64) -> f64 {
        part * sphere_mass(self.density, self.radius)
    }

    /// E*, Pa.
    fn modulus(&self) -> f64 {
        self.young / (2.0 * (1.0 - self.poisson * self.poisson))
    }

    /// The overlap at which they begin to yield, m: where 2E*a/πR* is the pressure.
    fn first(&self, part: f64) -> f64 {
        let root = PI * self.pressure / (2.0 * self.modulus());
        part * self.radius * root * root
    }

    /// The speed at which they do, m/s, by the energy of Hertz's spring.
    fn first_speed(&self, part: f64) -> f64 {
        let first = self.first(part);
        let energy = 8.0 / 15.0 * self.modulus() * (part * self.radius).sqrt() * first * first * first.sqrt();
        (2.0 * energy / self.mass(part)).sqrt()
    }

    /// Thornton's closed form, at so many times the speed of first yield.
    fn end(&self, part: f64, times: f64) -> End {
        let (first, mass, speed) = (self.first(part), self.mass(part), times * self.first_speed(part));
        let energy = 0.5 * mass * speed * speed;
        let slope = PI * self.pressure * part * self.radius;
        let force = 2.0 / 3.0 * slope * first;
        if times <= 1.0 {
            let deepest = first * (times * times).powf(0.4);
            return End { restitution: 1.0, plastic: 0.0, deepest, force: force * (deepest / first).powf(1.5) };
        }
        let ratio = 1.0 / times;
        let square = 1.0 - ratio * ratio / 6.0;
        let root = (1.2 - 0.2 * ratio * ratio).sqrt();
        let restitution =
            (1.2 * 3.0_f64.sqrt() * square).sqrt() * (ratio / (ratio + 2.0 * root)).sqrt().sqrt();
        // ½ slope x² + F x = energy beyond first yield.
        let beyond = energy * (1.0 - ratio * ratio);
        let more = ((force * force + 2.0 * slope * beyond).sqrt() - force) / slope;
        End {
            restitution,
            plastic: energy * (1.0 - restitution * restitution),
            deepest: first + more,
            force: force + slope * more,
        }
    }
}

const TIMES: [f64; 7] = [0.5, 0.9, 1.5, 3.0, 10.0, 30.0, 100.0];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for (part, against) in [(0.5, "sphere"), (1.0, "wall")] {
        let what = |text: &str| format!("against a {against}: {text}");
        let (mut rebounds, mut losses, mut depths, mut forces) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut points = Vec::new();
        for times in TIMES {
            let (exact, speed) = (theory.end(part, times), times * theory.first_speed(part));
            let ends = collisions(simulation, part, speed, simulation.steps)?;
            let worst = |of: fn(&End) -> f64| largest(ends.iter().map(|end| relative_error(of(end), of(&exact))));
            rebounds.push(worst(|end| end.restitution));
            depths.push(worst(|end| end.deepest));
            forces.push(worst(|end| end.force));
            if times > 1.0 {
                losses.push(worst(|end| end.plastic));
            } else {
                losses.push(largest(ends.iter().map(|end| end.plastic.abs())));
            }
            points.push((times, ends[0].restitution));
        }
        let reason = "400 steps in the shorter of both halves, any phase";
        outcome.findings.push(at_most(what("worst rebound"), largest(rebounds), 1e-4, reason));
        outcome.findings.push(at_most(what("worst loss, none below"), largest(losses), 1e-4, reason));
        let reason = "looked at in whole steps, about which it is a parabola";
        outcome.findings.push(at_most(what("worst depth"), largest(depths), 1e-4, reason));
        outcome.findings.push(at_most(what("worst force"), largest(forces), 2e-4, reason));
        for times in [1.5, 10.0] {
            let finer = [0.25, 0.5, 1.0].map(|of_steps| {
                let speed = times * theory.first_speed(part);
                let ends = collisions(simulation, part, speed, of_steps * simulation.steps)?;
                let exact = theory.end(part, times).restitution;
                Ok(largest(ends.iter().map(|end| relative_error(end.restitution, exact))))
            });
            let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
            outcome.findings.push(Finding::alone(
                what(&format!("order of the rebound at {times}")),
                order_of(&finer),
                Band::Between(1.7, 2.6),
                "second order at every phase",
            ));
        }
        series.push(Series::new(format!("against a {against}"), points, Mark::LinePoints));
    }
    let times = (0..=100).map(|i| 0.5 * 200.0_f64.powf(f64::from(i) / 100.0));
    let curve = times.map(|times| (times, theory.end(0.5, times).restitution)).collect();
    series.push(Series::new("exact", curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::log("speed over that of first yield"),
        y: Axis::linear("restitution"),
        series,
    };
    let figure = Figure { title: "Elastic–plastic spheres".into(), panels: vec![panel] };
    outcome.figures.push(("plastic-impact".into(), figure));
    Ok(outcome)
}

/// Collisions at all phases.
fn collisions(setup: Setup, part: f64, speed: f64, steps: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut engine = engine(setup, part, speed, steps * (1.0 + 0.1 * phase), phase)?;
        let (mut deepest, mut force, mut touched) = (0.0_f64, 0.0_f64, false);
        loop {
            engine.advance(1)?;
            let contacts = engine.contacts();
            if touched && contacts.is_empty() {
                break;
            }
            touched |= !contacts.is_empty();
            deepest = contacts.iter().fold(deepest, |deepest, contact| deepest.max(contact.overlap));
            force = contacts.iter().fold(force, |force, contact| force.max(contact.force.z));
        }
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        let ledger = engine.ledger();
        let plastic = ledger.entries().find(|(key, _)| *key == "plastic").map_or(f64::NAN, |entry| entry.1);
        Ok(End { restitution: (bodies[0].velocity.z - other) / speed, plastic, deepest, force })
    });
    each.collect()
}

fn engine(setup: Setup, part: f64, speed: f64, steps: f64, phase: f64) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, pressure, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&YIELD_PRESSURE, pressure);
    let mut world = world(Material::new("metal", density, young, poisson), properties);
    let effective = (part * radius, setup.mass(part));
    let dt = contact_time(&world.materials, LawKind::Thornton, effective, speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    world.add_body(Body::at(sphere, Z * (radius + phase * speed * dt)).moving(Z * -speed));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    Ok(Engine::new(world, Settings { max_overlap: 1.0, ..settings(LawKind::Thornton, dt) })?)
}
