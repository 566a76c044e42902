//! Spheres whose contacts yield and adhere collide: restitution, losses and pull in closed form, after Walton & Braun and Luding.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{LUDING_2008, WALTON_1986};
use tumble_dem::law::LawKind;
use tumble_dem::law::luding::{ADHESION_STIFFNESS, PLASTIC_DEPTH, UNLOADING_STIFFNESS};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId, Settings};
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 1e-3, "m";
    /// Density
    density: 2000.0, "kg/m³";
    /// Stiffness of contacts that get deeper
    stiffness: 1000.0, "N/m";
    /// Largest stiffness of those drawn back over it
    unloading: 4.0, "";
    /// Plastic depth where that stiffness grows
    depth: 0.05, "";
    /// Slope of the limit of the pull over the stiffness
    adhesion: 0.3, "";
    /// Time steps in half a period of the largest stiffness
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "yielding-impact",
    title: "spheres that yield and adhere collide",
    group: Group::Impact,
    sources: &[WALTON_1986, LUDING_2008],
    setup: "Spheres without dashpots hit each other, and a wall, at 0.2 to 2 m/s: with and without adhesion, with one stiffness of unloading for all contacts and with one that grows \
            with the largest overlap. Each collision is computed at eight phases between steps and first touch; the worst counts.",
    exact: "the largest overlap is x = v√(m/k₁). Yielding takes ½k₁(1 − k₁/k₂)x², adhesion ½k_c(1 + k_c/k₂)y² with y = x(k₂ − k₁)/(k₂ + k_c), where the pull is largest, k_cy; what is \
            left is the rebound: √(k₁/k₂) without adhesion. With one k₂ they stick from k_c = k₁²/(k₂ − 2k₁) on",
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
    /// Lost, J.
    adhesion: f64,
    /// N
    pull: f64,
}

impl Setup {
    /// The effective mass, kg.
    fn mass(&self, part: f64) -> f64 {
        part * sphere_mass(self.density, self.radius)
    }

    /// The closed form.
    fn end(&self, part: f64, speed: f64) -> End {
        let (first, mass) = (self.stiffness, self.mass(part));
        let deepest = speed * (mass / first).sqrt();
        let (most, adhesive) = (self.unloading * first, self.adhesion * first);
        // Luding's: the overlap left without force is so many times 2R* where the stiffness is the largest.
        let whole = self.depth * 2.0 * part * self.radius * most / (most - first);
        let again = if deepest < whole { first + (most - first) * deepest / whole } else { most };
        let held = deepest * (again - first) / (again + adhesive);
        let plastic = 0.5 * first * (1.0 - first / again) * deepest * deepest;
        let adhesion = 0.5 * adhesive * (1.0 + adhesive / again) * held * held;
        let left = 1.0 - (plastic + adhesion) / (0.5 * mass * speed * speed);
        End { restitution: left.sqrt(), plastic, adhesion, pull: adhesive * held }
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    let without = |setup: Setup, grows: bool, adheres: bool| Setup {
        depth: if grows { setup.depth } else { 0.0 },
        adhesion: if adheres { setup.adhesion } else { 0.0 },
        ..setup
    };
    for (grows, adheres) in [(false, false), (true, false), (false, true), (true, true)] {
        let (theory, simulation) = (without(theory, grows, adheres), without(simulation, grows, adheres));
        let name = match (grows, adheres) {
            (false, false) => "Walton & Braun",
            (true, false) => "Walton & Braun, k₂ grows",
            (false, true) => "Luding",
            (true, true) => "Luding, k₂ grows",
        };
        let what = |text: &str| format!("{name}: {text}");
        let (mut rebounds, mut losses, mut pulls, mut points) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for part in [0.5, 1.0] {
            for speed in [0.2, 0.5, 1.0, 2.0] {
                let exact = theory.end(part, speed);
                let ends = collisions(simulation, part, speed, simulation.steps)?;
                rebounds.push(largest(ends.iter().map(|end| relative_error(end.restitution, exact.restitution))));
                losses.push(largest(ends.iter().map(|end| relative_error(end.plastic, exact.plastic))));
                if adheres {
                    losses.push(largest(ends.iter().map(|end| relative_error(end.adhesion, exact.adhesion))));
                    pulls.push(largest(ends.iter().map(|end| relative_error(end.pull, exact.pull))));
                }
                if part < 1.0 {
                    points.push((speed, ends[0].restitution));
                }
            }
        }
        let reason = "400 steps in half a period, any phase";
        outcome.findings.push(at_most(what("worst rebound"), largest(rebounds), 1e-4, reason));
        outcome.findings.push(at_most(what("worst loss"), largest(losses), 1e-3, reason));
        if adheres {
            let reason = "the force is looked at in whole steps, 400 in half a period";
            outcome.findings.push(at_most(what("worst pull"), largest(pulls), 2e-2, reason));
        }
        let finer = [0.25, 0.5, 1.0].map(|of_steps| {
            let ends = collisions(simulation, 0.5, 0.7, of_steps * simulation.steps)?;
            let exact = theory.end(0.5, 0.7).restitution;
            Ok(largest(ends.iter().map(|end| relative_error(end.restitution, exact))))
        });
        let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        outcome.findings.push(Finding::alone(
            what("order of the rebound"),
            order_of(&finer),
            Band::Between(1.7, 2.3),
            "second order at every phase",
        ));
        series.push(Series::new(name, points, Mark::LinePoints));
    }
    let critical = 1.0 / (theory.unloading - 2.0);
    let holding = |times: f64| Setup { depth: 0.0, adhesion: times * critical / theory.adhesion * simulation.adhesion, ..simulation };
    outcome.findings.push(equals(
        "Luding: leaves at 0.99 and 1.01 of that k_c",
        1.0,
        f64::from(u8::from(leaves(holding(0.99))?)) + f64::from(u8::from(leaves(holding(1.01))?)),
        0.0,
        "only the one with less adhesion does",
    ));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("speed (m/s)"),
        y: Axis::linear("restitution"),
        series,
    };
    let figure = Figure { title: "Spheres that yield".into(), panels: vec![panel] };
    outcome.figures.push(("yielding-impact".into(), figure));
    Ok(outcome)
}

/// Collisions at all phases.
fn collisions(setup: Setup, part: f64, speed: f64, steps: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut engine = engine(setup, part, speed, steps * (1.0 + 0.1 * phase), phase)?;
        let (mut pull, mut touched) = (0.0_f64, false);
        loop {
            engine.advance(1)?;
            let contacts = engine.contacts();
            if touched && contacts.is_empty() {
                break;
            }
            touched |= !contacts.is_empty();
            pull = contacts.iter().fold(pull, |pull, contact| pull.max(-contact.force.z));
        }
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        let ledger = engine.ledger();
        let entry = |name| ledger.entries().find(|(key, _)| *key == name).map_or(f64::NAN, |entry| entry.1);
        let restitution = (bodies[0].velocity.z - other) / speed;
        Ok(End { restitution, plastic: entry("plastic"), adhesion: entry("adhesion"), pull })
    });
    each.collect()
}

/// Whether the contact ends within a hundred half periods.
fn leaves(setup: Setup) -> Result<bool, Error> {
    let mut engine = engine(setup, 0.5, 1.0, setup.steps, 0.5)?;
    engine.advance(10)?;
    for _ in 0..100 {
        engine.advance(400)?;
        if engine.contact_count() == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn engine(setup: Setup, part: f64, speed: f64, steps: f64, phase: f64) -> Result<Engine, Error> {
    let Setup { radius, density, stiffness, unloading, depth, adhesion, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&UNLOADING_STIFFNESS, unloading);
    let properties = properties.with(&PLASTIC_DEPTH, depth).with(&ADHESION_STIFFNESS, adhesion);
    let mut world = world(Material::new("powder", density, 1e7, 0.3).with_stiffness(stiffness), properties);
    let dt = contact_time(&world.materials, LawKind::Luding, (part * radius, setup.mass(part)), speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    world.add_body(Body::at(sphere, Z * (radius + phase * speed * dt)).moving(Z * -speed));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    // They are pressed by up to a fifth of their radius.
    Ok(Engine::new(world, Settings { max_overlap: 1.0, ..settings(LawKind::Luding, dt) })?)
}
