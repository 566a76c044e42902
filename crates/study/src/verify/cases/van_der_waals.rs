//! Small spheres that attract each other across their gap: the force, and the speed at which they leave, or do not.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of, relative_error, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::HAMAKER_1937;
use tumble_dem::law::LawKind;
use tumble_dem::law::van_der_waals::{ATTRACTION_RANGE, HAMAKER, SMALLEST_GAP};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, Kicks, MaterialId, Settings, World};
use tumble_rotation::math::elementary::cbrt;
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 1e-6, "m";
    /// Density
    density: 2000.0, "kg/m³";
    /// Young's modulus
    young: 1e9, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Hamaker's constant
    hamaker: 1e-19, "J";
    /// Smallest gap
    smallest: 1e-9, "m";
    /// Range, in smallest gaps
    range: 20.0, "";
    /// Time steps in which the smallest gap is crossed
    steps: 40.0, "";
}

pub(super) const CASE: Case = Case {
    id: "van-der-waals",
    title: "small spheres attract each other across their gap",
    group: Group::Impact,
    sources: &[HAMAKER_1937],
    setup: "A heavy sphere is drawn off a plane, and off another, slowly, from touch to where the attraction ends. Then spheres without dashpots are pushed apart from rest, at 1.05 to 3 \
            times the speed of escape; and fly at each other from afar. Each is computed at eight phases between steps and the end of the attraction; the worst counts.",
    exact: "the force is AR/6h², but that of the smallest gap h₀ where h is less. At rest Hertz's force is that at h₀, at the overlap δ; to part spheres from there takes AR/6 (2/h₀ − 1/h_max) + \
            3δ/5 AR/6h₀², which is ½mV² for the speed of escape V; from v they leave with √(v² − V²). Those from afar leave as fast as they came",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

impl Setup {
    /// The published force at a gap, N.
    fn force(&self, part: f64, gap: f64) -> f64 {
        let gap = gap.max(self.smallest);
        self.hamaker * part * self.radius / (6.0 * gap * gap)
    }

    /// The effective mass, kg.
    fn mass(&self, part: f64) -> f64 {
        part * sphere_mass(self.density, self.radius)
    }

    /// The overlap without force, m, and the speed of escape from there, m/s.
    fn escape(&self, part: f64) -> [f64; 2] {
        let (radius, pull) = (part * self.radius, self.force(part, 0.0));
        let root = cbrt(0.75 * pull / (same_material(self.young, self.poisson) * radius.sqrt()));
        let overlap = root * root;
        let largest = self.range * self.smallest;
        let work = self.hamaker * radius / 6.0 * (2.0 / self.smallest - 1.0 / largest) + 0.6 * overlap * pull;
        [overlap, (2.0 * work / self.mass(part)).sqrt()]
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for (part, against) in [(0.5, "sphere"), (1.0, "wall")] {
        let what = |text: &str| format!("against a {against}: {text}");
        let course = draw(simulation, part)?;
        let worst = largest(course.iter().map(|&(gap, force)| relative_error(-force, theory.force(part, gap))));
        let reason = "the law is evaluated as it is";
        outcome.findings.push(at_most(what("worst force"), worst, 1e-9, reason));
        let ends = course.last().map_or(f64::NAN, |(gap, _)| *gap);
        let exact = theory.range * theory.smallest;
        outcome.findings.push(equals(what("range (m)"), exact, ends, 1e-3, "the last of 4000 steps before it"));

        let [overlap, speed] = theory.escape(part);
        let (mut errors, mut points) = (Vec::new(), Vec::new());
        for times in [1.05_f64, 1.5, 3.0] {
            let exact = (times * times - 1.0).sqrt();
            let left = departures(simulation, part, (-overlap, times * speed), simulation.steps)?;
            errors.push(largest(left.iter().map(|left| relative_error(left / speed, exact))));
            points.push((times, left[0] / speed));
        }
        let reason = "40 steps in the smallest gap, any phase";
        outcome.findings.push(at_most(what("worst departure"), largest(errors), 1e-3, reason));
        let afar = (1.5 * exact, -0.5 * speed);
        let back = departures(simulation, part, afar, simulation.steps)?;
        let worst = largest(back.iter().map(|back| relative_error(*back, 0.5 * speed)));
        outcome.findings.push(at_most(what("worst return from afar"), worst, 1e-3, reason));
        let finer = [0.5, 1.0, 2.0].map(|of_steps| {
            let left = departures(simulation, part, (-overlap, 1.5 * speed), of_steps * simulation.steps)?;
            Ok(largest(left.iter().map(|left| relative_error(left / speed, (1.25_f64).sqrt()))))
        });
        let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        outcome.findings.push(Finding::alone(
            what("order of the departure"),
            order_of(&finer),
            Band::Between(1.8, 2.3),
            "second order at every phase, though the force jumps where it ends",
        ));
        let leaves = |times: f64| leaves(simulation, part, (-overlap, times * speed));
        outcome.findings.push(equals(
            what("leaves at 0.99 and 1.01 of the speed"),
            1.0,
            f64::from(u8::from(leaves(0.99)?)) + f64::from(u8::from(leaves(1.01)?)),
            0.0,
            "only the faster one does",
        ));
        series.push(Series::new(format!("against a {against}"), points, Mark::LinePoints));
    }
    let curve = (0..=80).map(|i| 1.0 + 0.025 * f64::from(i)).map(|v| (v, (v * v - 1.0).sqrt())).collect();
    series.push(Series::new("exact", curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("speed over that of escape"),
        y: Axis::linear("speed afar over that of escape"),
        series,
    };
    let figure = Figure { title: "Spheres that attract each other".into(), panels: vec![panel] };
    outcome.figures.push(("van-der-waals".into(), figure));
    Ok(outcome)
}

/// Gap and force in every step from touch to where the attraction ends.
fn draw(setup: Setup, part: f64) -> Result<Vec<(f64, f64)>, Error> {
    // So heavy that nothing slows it down.
    let setup = Setup { density: 1e18, ..setup };
    let way = setup.range * setup.smallest / 4000.0;
    let dt = 1e-6;
    let settings = Settings { kicks: Kicks::Plain, ..settings(LawKind::VanDerWaals, dt) };
    let mut engine = engine(setup, part, (0.1 * way, way / dt), settings)?;
    let mut course = Vec::new();
    while let [contact] = &engine.contacts()[..] {
        course.push((-contact.overlap, contact.force.z));
        engine.advance(1)?;
    }
    Ok(course)
}

/// How fast spheres leave that begin at this gap with this velocity, at all phases.
fn departures(setup: Setup, part: f64, (gap, velocity): (f64, f64), steps: f64) -> Result<Vec<f64>, Error> {
    let each = (0..PHASES).map(|phase| {
        let steps = steps * (1.0 + 0.1 * f64::from(phase) / f64::from(PHASES));
        let mut engine = moving(setup, part, (gap, velocity), steps)?;
        through_contact(&mut engine)?;
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        Ok(bodies[0].velocity.z - other)
    });
    each.collect()
}

/// Whether the attraction ends within 20 000 steps; it takes less than 2000 to cross it.
fn leaves(setup: Setup, part: f64, state: (f64, f64)) -> Result<bool, Error> {
    let mut engine = moving(setup, part, state, setup.steps)?;
    for _ in 0..100 {
        engine.advance(200)?;
        if engine.contact_count() == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn moving(setup: Setup, part: f64, (gap, velocity): (f64, f64), steps: f64) -> Result<Engine, Error> {
    let effective = (part * setup.radius, setup.mass(part));
    let law = LawKind::VanDerWaals;
    let dt = contact_time(&attracting(setup).materials, law, effective, velocity.abs())? / steps;
    engine(setup, part, (gap, velocity), settings(law, dt))
}

fn attracting(setup: Setup) -> World {
    let Setup { density, young, poisson, hamaker, smallest, range, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&HAMAKER, hamaker);
    let properties = properties.with(&SMALLEST_GAP, smallest).with(&ATTRACTION_RANGE, range);
    world(Material::new("powder", density, young, poisson), properties)
}

/// A sphere at this gap, with this velocity.
fn engine(setup: Setup, part: f64, (gap, velocity): (f64, f64), settings: Settings) -> Result<Engine, Error> {
    let mut world = attracting(setup);
    let sphere = add_sphere(&mut world, setup.radius)?;
    world.add_body(Body::at(sphere, Z * (setup.radius + gap)).moving(Z * velocity));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -setup.radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    Ok(Engine::new(world, settings)?)
}
