//! Elastic–plastic spheres that adhere collide: they stick, or rebound, as an integration of Thornton & Ning's law says that is none of the engine's.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::setup::setup;
use crate::verify::theory::{Jkr, at_most, equals, largest, order_of, relative_error, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::THORNTON_1998;
use tumble_dem::law::LawKind;
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId, Settings};
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
    /// Contact pressure at which surfaces yield
    pressure: 1.5e5, "Pa";
    /// Time steps in the shortest of what a contact goes through
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "adhesive-yield",
    title: "elastic–plastic spheres that adhere collide",
    group: Group::Impact,
    sources: &[THORNTON_1998],
    setup: "Spheres without dashpots hit each other, and a wall, at 1.5 to 40 times the speed below which those stick that do not yield. Each collision is computed at eight phases between steps \
            and first touch; the worst counts.",
    exact: "dF/da = 2πp_y a − √(2πWE*a) beyond first yield, JKR's relation of a and δ before and after, with the flatter radius after, integrated over a apart from the engine: e² = 1 − (plastic + adhesion)/½mV². Where \
            nothing yields √(1 − (V_s/V)²)",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

/// In sticking speeds of spheres that do not yield.
const TIMES: [f64; 4] = [1.5, 3.0, 10.0, 40.0];

/// By what the pressure is multiplied where nothing yields.
const HARD: f64 = 100.0;

/// What a collision comes to.
#[derive(Clone, Copy)]
struct End {
    /// e², negative where they stick.
    square: f64,
    /// J
    plastic: f64,
    /// J
    adhesion: f64,
}

/// Thornton & Ning's law over z = √a, in which JKR's overlap and force are polynomials.
struct Law {
    modulus: f64,
    radius: f64,
    work: f64,
    pressure: f64,
}

impl Law {
    /// dδ/dz = 4z³/R − this.
    fn stretch(&self) -> f64 {
        (2.0 * PI * self.work / self.modulus).sqrt()
    }

    /// The work of JKR's force from one z to another, by Simpson's rule.
    fn elastic(&self, radius: f64, from: f64, to: f64) -> f64 {
        const PIECES: u32 = 1000;
        let h = (to - from) / f64::from(PIECES);
        let power = |half_steps: u32| {
            let z = from + 0.5 * h * f64::from(half_steps);
            let cube = z * z * z;
            let force = 4.0 * self.modulus * cube * cube / (3.0 * radius)
                - (8.0 * PI * self.work * self.modulus).sqrt() * cube;
            force * (4.0 * cube / radius - self.stretch())
        };
        let each = |i: u32| power(2 * i) + 4.0 * power(2 * i + 1) + power(2 * i + 2);
        h / 6.0 * (0..PIECES).map(each).sum::<f64>()
    }

    /// z at touch, and where JKR's contact tears off.
    fn ends(&self, radius: f64) -> [f64; 2] {
        [radius * self.stretch(), 0.25 * radius * self.stretch()].map(f64::cbrt)
    }

    /// z where the pressure in the middle is that of the yield.
    fn first(&self) -> f64 {
        let Self { modulus, radius, work, pressure } = *self;
        let middle = |z: f64| 2.0 * modulus * z * z / (PI * radius) - (2.0 * work * modulus / PI).sqrt() / z;
        bisected([self.ends(radius)[0], radius.sqrt()], |z| middle(z) > pressure)
    }

    /// Force and work beyond first yield, by the classical rule of Runge and Kutta.
    fn pressed(&self, first: f64, z: f64) -> [f64; 2] {
        const PIECES: u32 = 1000;
        let Self { modulus, radius, work, pressure } = *self;
        let rate = |z: f64, force: f64| {
            let grows = 2.0 * PI * pressure * z * z - (2.0 * PI * work * modulus).sqrt() * z;
            [2.0 * z * grows, force * (4.0 * z * z * z / radius - self.stretch())]
        };
        let h = (z - first) / f64::from(PIECES);
        let cube = first * first * first;
        let force =
            4.0 * modulus * cube * cube / (3.0 * radius) - (8.0 * PI * work * modulus).sqrt() * cube;
        let start = [force, self.elastic(radius, self.ends(radius)[0], first)];
        (0..PIECES).fold(start, |[force, work], piece| {
            let z = first + h * f64::from(piece);
            let k1 = rate(z, force);
            let k2 = rate(z + 0.5 * h, force + 0.5 * h * k1[0]);
            let k3 = rate(z + 0.5 * h, force + 0.5 * h * k2[0]);
            let k4 = rate(z + h, force + h * k3[0]);
            let mean = |i: usize| h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            [force + mean(0), work + mean(1)]
        })
    }

    /// A collision with this energy.
    fn end(&self, energy: f64) -> End {
        let Self { modulus, radius, work, .. } = *self;
        let first = self.first();
        let [touch, last] = self.ends(radius);
        if self.elastic(radius, touch, first) >= energy {
            let adhesion = self.elastic(radius, touch, last);
            return End { square: 1.0 - adhesion / energy, plastic: 0.0, adhesion };
        }
        let z = bisected([first, radius.sqrt()], |z| self.pressed(first, z)[1] > energy);
        let cube = z * z * z;
        let bears = self.pressed(first, z)[0] + (8.0 * PI * work * modulus).sqrt() * cube;
        let flatter = 4.0 * modulus * cube * cube / (3.0 * bears);
        let [touch, last] = self.ends(flatter);
        let adhesion = self.elastic(flatter, touch, last);
        let given = -self.elastic(flatter, z, last);
        End { square: given / energy, plastic: energy - given - adhesion, adhesion }
    }
}

/// Where something becomes true between two numbers.
fn bisected([mut low, mut high]: [f64; 2], is: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if is(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

impl Setup {
    fn law(&self, part: f64) -> Law {
        let modulus = same_material(self.young, self.poisson);
        Law { modulus, radius: part * self.radius, work: self.work, pressure: self.pressure }
    }

    fn mass(&self, part: f64) -> f64 {
        part * sphere_mass(self.density, self.radius)
    }

    fn end(&self, part: f64, speed: f64) -> End {
        self.law(part).end(0.5 * self.mass(part) * speed * speed)
    }

    /// The speed below which those stick that do not yield, in closed form.
    fn elastic_sticking(&self, part: f64) -> f64 {
        let Law { modulus, radius, work, .. } = self.law(part);
        (2.0 * Jkr { modulus, radius, work }.torn() / self.mass(part)).sqrt()
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for (part, against) in [(0.5, "sphere"), (1.0, "wall")] {
        let what = |text: &str| format!("against a {against}: {text}");
        let unit = theory.elastic_sticking(part);
        let (mut rebounds, mut losses, mut points) = (Vec::new(), Vec::new(), Vec::new());
        for times in TIMES {
            let exact = theory.end(part, times * unit);
            let ends = collisions(simulation, part, times * unit, simulation.steps)?;
            let root = exact.square.sqrt();
            rebounds.extend(ends.iter().map(|end| relative_error(end.square.sqrt(), root)));
            losses.extend(ends.iter().map(|end| relative_error(end.plastic, exact.plastic)));
            losses.extend(ends.iter().map(|end| relative_error(end.adhesion, exact.adhesion)));
            points.push((times, ends[0].square.sqrt()));
        }
        let reason = "400 steps in the shortest of what a contact goes through, any phase";
        outcome.findings.push(at_most(what("worst rebound"), largest(rebounds), 2e-4, reason));
        outcome.findings.push(at_most(what("worst loss"), largest(losses), 4e-4, reason));
        for times in [1.5, 10.0] {
            let exact = theory.end(part, times * unit).square.sqrt();
            let finer = [0.25, 0.5, 1.0].map(|of_steps| {
                let ends = collisions(simulation, part, times * unit, of_steps * simulation.steps)?;
                Ok(largest(ends.iter().map(|end| relative_error(end.square.sqrt(), exact))))
            });
            let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
            outcome.findings.push(Finding::alone(
                what(&format!("order of the rebound at {times}")),
                order_of(&finer),
                Band::Between(1.5, 2.8),
                "second order at every phase, wherever the contact tears off",
            ));
        }
        let sticking = bisected([0.5 * unit, 3.0 * unit], |speed| theory.end(part, speed).square > 0.0);
        let mut leaving = 0.0;
        for times in [0.999, 1.001] {
            leaving += f64::from(u8::from(leaves(simulation, part, times * sticking)?));
        }
        let reason = "only the faster one does";
        let what_leaves = what("leave at 0.999 and 1.001 of sticking");
        outcome.findings.push(equals(what_leaves, 1.0, leaving, 0.0, reason));
        let hard = Setup { pressure: HARD * simulation.pressure, ..simulation };
        let ends = collisions(hard, part, 2.0 * unit, simulation.steps)?;
        let worst = largest(ends.iter().map(|end| relative_error(end.square, 0.75)));
        outcome.findings.push(at_most(what("e² of what does not yield, 3/4"), worst, 1e-3, "at twice the sticking speed"));
        series.push(Series::new(format!("against a {against}"), points, Mark::LinePoints));
    }
    let unit = theory.elastic_sticking(1.0);
    let curve = (0..=60).map(|i| 1.15 * 40.0_f64.powf(f64::from(i) / 60.0));
    let curve = curve.map(|times| (times, theory.end(1.0, times * unit).square.max(0.0).sqrt())).collect();
    series.push(Series::new("integrated, against a wall", curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::log("speed over the sticking speed of what does not yield"),
        y: Axis::linear("restitution"),
        series,
    };
    let figure = Figure { title: "Elastic–plastic spheres that adhere".into(), panels: vec![panel] };
    outcome.figures.push(("adhesive-yield".into(), figure));
    Ok(outcome)
}

/// Collisions at all phases.
fn collisions(setup: Setup, part: f64, speed: f64, steps: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut engine = engine(setup, part, speed, steps * (1.0 + 0.1 * phase), phase)?;
        through_contact(&mut engine)?;
        let apart = apart(&engine, part) / speed;
        let ledger = engine.ledger();
        let lost = |key: &str| ledger.entries().filter(|entry| entry.0 == key).map(|entry| entry.1).sum();
        Ok(End { square: apart * apart, plastic: lost("plastic"), adhesion: lost("adhesion") })
    });
    each.collect()
}

/// How fast the first body leaves what it hit, m/s.
fn apart(engine: &Engine, part: f64) -> f64 {
    let bodies = engine.bodies();
    bodies[0].velocity.z - if part < 1.0 { bodies[1].velocity.z } else { 0.0 }
}

/// Whether spheres leave when they part for the first time.
fn leaves(setup: Setup, part: f64, speed: f64) -> Result<bool, Error> {
    let mut engine = engine(setup, part, speed, 4.0 * setup.steps, 0.3)?;
    let (mut touched, mut parting) = (false, false);
    loop {
        engine.advance(1)?;
        let (now, apart) = (engine.contact_count() > 0, apart(&engine, part));
        touched |= now;
        parting |= touched && apart > 0.0;
        if touched && !now {
            return Ok(true);
        }
        if parting && apart < 0.0 {
            return Ok(false);
        }
    }
}

fn engine(setup: Setup, part: f64, speed: f64, steps: f64, phase: f64) -> Result<Engine, Error> {
    let Setup { radius, density, young, poisson, work, pressure, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&WORK_OF_ADHESION, work).with(&YIELD_PRESSURE, pressure);
    let mut world = world(Material::new("clay", density, young, poisson), properties);
    let effective = (part * radius, setup.mass(part));
    let dt = contact_time(&world.materials, LawKind::ThorntonNing, effective, speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    world.add_body(Body::at(sphere, Z * (radius + phase * speed * dt)).moving(Z * -speed));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    Ok(Engine::new(world, Settings { max_overlap: 1.0, ..settings(LawKind::ThorntonNing, dt) })?)
}
