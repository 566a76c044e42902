//! Spheres with a viscous liquid between them are drawn apart, slide and collide: what viscosity exerts and takes.

use crate::verify::arrange::{X, Z, add_floor, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of, relative_error, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::{ADAMS_1985, GOLDMAN_1967, RABINOVICH_2005};
use tumble_dem::law::LawKind;
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::lubrication::{LIQUID_VISCOSITY, VISCOUS_GAP};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, World};
use tumble_report::{Band, Finding, Outcome};
use tumble_rotation::math::elementary::cbrt;

setup! {
    /// Radius
    radius: 1e-3, "m";
    /// Density
    density: 2000.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Surface tension
    tension: 0.03, "N/m";
    /// Volume of a bridge
    volume: 1e-12, "m³";
    /// Viscosity of the liquid
    viscosity: 0.005, "Pa s";
    /// Smallest gap over the effective radius
    smallest: 0.02, "";
    /// Time steps in the contact of dry spheres
    steps: 200.0, "";
}

pub(super) const CASE: Case = Case {
    id: "bridge-viscosity",
    title: "a viscous liquid between spheres",
    group: Group::Impact,
    sources: &[ADAMS_1985, GOLDMAN_1967, RABINOVICH_2005],
    setup: "A heavy sphere is drawn off a plane at a constant speed, and another slides over it. Then spheres without dashpots hit a plane, and each other, and part against the pull and the viscosity of their \
            bridge. Each collision is computed at eight phases between steps and first touch; the worst counts.",
    exact: "drawn from touch to the rupture at S the sphere loses 6πμR²v (1 + ln(S/εR)); sliding in touch it is held by 6πμRv (8/15 ln(1/ε) + 0.9588). The collision is integrated apart from the engine, by \
            Runge & Kutta's method in 400 000 steps",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

/// Of the collisions, m/s.
const SPEED: f64 = 1.0;

impl Setup {
    /// R* of a sphere with another (½), or with a plane (1), m.
    fn effective(&self, part: f64) -> f64 {
        part * self.radius
    }

    /// Rabinovich's pull at a gap, N, of a liquid that wets perfectly, to second order in α.
    fn pull(&self, part: f64, gap: f64) -> f64 {
        let radius = 2.0 * self.effective(part);
        let twice = (gap * gap + 2.0 * self.volume / (PI * radius)).sqrt() - gap;
        2.0 * PI * radius * self.tension * (1.0 / (1.0 + gap / twice) + twice / radius)
    }

    /// Force over speed along the normal, N s/m.
    fn drag(&self, part: f64, gap: f64) -> f64 {
        let radius = self.effective(part);
        6.0 * PI * self.viscosity * radius * radius / gap.max(self.smallest * radius)
    }

    /// The acceleration away from each other at a gap and a speed of parting, m/s².
    fn acceleration(&self, part: f64, gap: f64, speed: f64) -> f64 {
        let overlap = (-gap).max(0.0);
        let modulus = same_material(self.young, self.poisson);
        let spring = 4.0 / 3.0 * modulus * self.effective(part).sqrt() * overlap * overlap.sqrt();
        let force = spring - self.pull(part, gap.max(0.0)) - self.drag(part, gap) * speed;
        force / (part * sphere_mass(self.density, self.radius))
    }

    /// How fast they leave, m/s; NaN if they stick.
    fn leaves(&self, part: f64) -> f64 {
        let step = 2.5e-9;
        let (mut gap, mut speed) = (0.0, -SPEED);
        let end = cbrt(self.volume);
        for _ in 0..4_000_000 {
            let at = |gap: f64, speed: f64| [speed, self.acceleration(part, gap, speed)];
            let [g1, s1] = at(gap, speed);
            let [g2, s2] = at(gap + 0.5 * step * g1, speed + 0.5 * step * s1);
            let [g3, s3] = at(gap + 0.5 * step * g2, speed + 0.5 * step * s2);
            let [g4, s4] = at(gap + step * g3, speed + step * s3);
            gap += step / 6.0 * (g1 + 2.0 * g2 + 2.0 * g3 + g4);
            speed += step / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4);
            if gap > end {
                // Back to where it broke.
                let late = (gap - end) / speed;
                return speed - late * self.acceleration(part, end, speed);
            }
            if gap > 0.0 && speed < 0.0 {
                break;
            }
        }
        f64::NAN
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let radius = theory.effective(1.0);
    let (lost, way, speed) = drawn(simulation)?;
    // From a small overlap on, in which the drag is that of the smallest gap.
    let smallest = theory.smallest * radius;
    let exact = theory.drag(1.0, 0.0) * speed * (way + smallest)
        + 6.0 * PI * theory.viscosity * radius * radius * speed * (cbrt(theory.volume) / smallest).ln();
    let reason = "4000 steps on the way, by the trapezoid rule";
    outcome.findings.push(equals("lost where it is drawn off (J)", exact, lost, 1e-4, reason));
    let exact = 6.0 * PI * theory.viscosity * radius * (8.0 / 15.0 * (1.0 / theory.smallest).ln() + 0.9588);
    let reason = "the law is evaluated as it is";
    outcome.findings.push(equals("held where it slides, over the speed (N s/m)", exact, slid(simulation)?, 1e-9, reason));
    for (part, against) in [(0.5, "sphere"), (1.0, "plane")] {
        let what = |text: &str| format!("against a {against}: {text}");
        let exact = theory.leaves(part);
        let errors = [0.25, 0.5, 1.0].map(|of_steps| {
            let ends = collisions(simulation, part, of_steps * simulation.steps)?;
            let rebound = largest(ends.iter().map(|end| relative_error(end.speed, exact)));
            Ok([rebound, largest(ends.iter().map(|end| end.imbalance))])
        });
        let errors = errors.into_iter().collect::<Result<Vec<[f64; 2]>, Error>>()?;
        let reason = "200 steps in a contact, any phase";
        let [rebounds, books] = [0, 1].map(|of| errors.iter().map(|error| error[of]).collect::<Vec<f64>>());
        outcome.findings.push(at_most(what("worst rebound"), rebounds[2], 1e-3, reason));
        outcome.findings.push(at_most(what("worst books"), books[2], 1e-3, reason));
        for (of, errors) in [("rebound", rebounds), ("books", books)] {
            outcome.findings.push(Finding::alone(
                what(&format!("order of the {of}")),
                order_of(&errors),
                Band::Between(1.6, 2.8),
                "second order at every phase, though viscosity jumps at both ends",
            ));
        }
    }
    Ok(outcome)
}

fn sticky(setup: Setup) -> Result<World, Error> {
    let Setup { radius, density, young, poisson, tension, volume, viscosity, smallest, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&SURFACE_TENSION, tension).with(&BRIDGE_VOLUME, volume);
    let properties = properties.with(&LIQUID_VISCOSITY, viscosity).with(&VISCOUS_GAP, smallest);
    let mut world = world(Material::new("oiled", density, young, poisson), properties);
    add_sphere(&mut world, radius)?;
    Ok(world)
}

/// A heavy sphere in a world with a plane, with this overlap and this velocity.
fn heavy(setup: Setup, overlap: f64, velocity: LabVec<f64>, dt: f64) -> Result<Engine, Error> {
    let mut world = sticky(Setup { density: 1e15, ..setup })?;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let sphere = tumble_dem::TemplateId(0);
    world.add_body(Body::at(sphere, Z * (setup.radius - overlap)).moving(velocity));
    Ok(Engine::new(world, settings(LawKind::Rabinovich, dt))?)
}

/// What viscosity takes of a sphere that is drawn off, J; from which overlap on, m; and at which speed, m/s.
fn drawn(setup: Setup) -> Result<(f64, f64, f64), Error> {
    let (way, dt) = (cbrt(setup.volume) / 4000.0, 1e-6);
    let (overlap, speed) = (1.5 * way, way / dt);
    let mut engine = heavy(setup, overlap, Z * speed, dt)?;
    through_contact(&mut engine)?;
    let ledger = engine.ledger();
    let lost = ledger.entries().find(|(key, _)| *key == "bridge_viscosity").map_or(f64::NAN, |entry| entry.1);
    Ok((lost, overlap, speed))
}

/// The force that holds a sphere that slides, over its speed, N s/m.
fn slid(setup: Setup) -> Result<f64, Error> {
    let speed = 1e-3;
    let mut engine = heavy(setup, 1e-6, X * speed, 1e-6)?;
    engine.advance(10)?;
    Ok(engine.walls()[0].force.x / speed)
}

/// How a collision ended.
struct End {
    /// m/s
    speed: f64,
    /// What the books do not account for, of the energy.
    imbalance: f64,
}

/// Collisions at all phases.
fn collisions(setup: Setup, part: f64, steps: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut world = sticky(setup)?;
        let effective = (setup.effective(part), part * sphere_mass(setup.density, setup.radius));
        let dt = contact_time(&world.materials, LawKind::Hertz, effective, SPEED)? / (steps * (1.0 + 0.1 * phase));
        let sphere = tumble_dem::TemplateId(0);
        let gap = phase * SPEED * dt;
        world.add_body(Body::at(sphere, Z * (setup.radius + gap)).moving(Z * -SPEED));
        if part < 1.0 {
            world.add_body(Body::at(sphere, Z * -setup.radius));
        } else {
            add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        }
        let mut engine = Engine::new(world, Settings { max_overlap: 1.0, ..settings(LawKind::Rabinovich, dt) })?;
        let start = engine.ledger();
        through_contact(&mut engine)?;
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        let imbalance = ((engine.ledger().balance() - start.balance()) / start.kinetic()).abs();
        Ok(End { speed: bodies[0].velocity.z - other, imbalance })
    });
    each.collect()
}
