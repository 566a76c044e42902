//! Wet spheres are drawn apart, and collide: the force of a liquid bridge by both laws, where it breaks, and what is lost there.

use crate::verify::arrange::{Z, add_floor, add_sphere, contact_time, settings, through_contact, world};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of, relative_error, sphere_mass, threshold};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::citations::{LIAN_1993, RABINOVICH_2005, WILLETT_2000};
use tumble_dem::law::LawKind;
use tumble_dem::law::bridge::{BRIDGE_VOLUME, CONTACT_ANGLE, SURFACE_TENSION};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyId, Engine, Kicks, MaterialId, Settings};
use tumble_rotation::math::elementary::{cbrt, sin_cos};
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
    /// Surface tension
    tension: 0.0728, "N/m";
    /// Contact angle
    angle: 0.3, "rad";
    /// Volume of a bridge
    volume: 1e-12, "m³";
    /// Time steps in the contact of dry spheres
    steps: 100.0, "";
}

pub(super) const CASE: Case = Case {
    id: "liquid-bridge",
    title: "wet spheres are drawn apart and collide",
    group: Group::Impact,
    sources: &[WILLETT_2000, RABINOVICH_2005, LIAN_1993],
    setup: "A heavy sphere is drawn off a plane, and off another, slowly, with a liquid bridge between them. Then wet spheres without dashpots hit each other, and a wall, at 1.05 to 5 times \
            the sticking speed, and once more slowly. Each collision is computed at eight phases between steps and first touch; the worst counts.",
    exact: "by Willett the force is 2πRγ cos θ/(1 + 2.1s + 10s²) with the half gap s in √(V/R), R twice the effective radius; by Rabinovich 2πRγ (cos θ/(1 + S/2d) + sin α sin(θ + α)) with the \
            whole gap S = √(S² + 2V/πR) − 2d and α² = 2d/R, to second order in α. It ends at the gap (1 + θ/2)V^(1/3). What is lost there is its integral (by Simpson's rule), so they stick \
            below V_s with that energy, and else rebound with √(1 − (V_s/V)²)",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const PHASES: u32 = 8;

impl Setup {
    /// Twice the effective radius of a sphere with another (½), or with a wall (1), m.
    fn mean_radius(&self, part: f64) -> f64 {
        2.0 * part * self.radius
    }

    /// The published force at a gap, N; Rabinovich's to second order in α.
    fn force(&self, law: LawKind, part: f64, gap: f64) -> f64 {
        let radius = self.mean_radius(part);
        let (sin, cos) = sin_cos(self.angle);
        if law == LawKind::Rabinovich {
            let (immersed, alpha) = self.immersed(part, gap);
            let form = cos / (1.0 + gap / (2.0 * immersed)) + alpha * sin + alpha * alpha * cos;
            return 2.0 * PI * radius * self.tension * form;
        }
        let half = 0.5 * gap * (radius / self.volume).sqrt();
        2.0 * PI * radius * self.tension * cos / (1.0 + 2.1 * half + 10.0 * half * half)
    }

    /// Rabinovich's d and α.
    fn immersed(&self, part: f64, gap: f64) -> (f64, f64) {
        let radius = self.mean_radius(part);
        let twice = (gap * gap + 2.0 * self.volume / (PI * radius)).sqrt() - gap;
        (0.5 * twice, (twice / radius).sqrt())
    }

    /// Rabinovich's force as it is printed, N.
    fn printed(&self, part: f64, gap: f64) -> f64 {
        let (immersed, alpha) = self.immersed(part, gap);
        let ends = sin_cos(alpha).0 * sin_cos(self.angle + alpha).0;
        let form = sin_cos(self.angle).1 / (1.0 + gap / (2.0 * immersed)) + ends;
        2.0 * PI * self.mean_radius(part) * self.tension * form
    }

    /// The gap at which it breaks, m.
    fn rupture(&self) -> f64 {
        (1.0 + 0.5 * self.angle) * cbrt(self.volume)
    }

    /// The energy that is lost then, J, and the speed below which spheres stick, m/s.
    fn lost(&self, law: LawKind, part: f64) -> [f64; 2] {
        const PAIRS: u32 = 2000;
        let step = self.rupture() / f64::from(2 * PAIRS);
        let at = |i: u32| self.force(law, part, f64::from(i) * step);
        let pairs = (0..PAIRS).map(|i| at(2 * i) + 4.0 * at(2 * i + 1) + at(2 * i + 2));
        let lost = pairs.sum::<f64>() * step / 3.0;
        [lost, (2.0 * lost / (part * sphere_mass(self.density, self.radius))).sqrt()]
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    let laws = [LawKind::Willett, LawKind::Rabinovich];
    for (law, (part, against)) in laws.into_iter().flat_map(|law| [(law, (0.5, "sphere")), (law, (1.0, "wall"))]) {
        let what = |text: &str| format!("{}, {against}: {text}", law.name());
        let course = draw(simulation, law, part)?;
        let worst = |of: &dyn Fn(f64) -> f64| {
            largest(course.iter().map(|&(gap, force)| relative_error(-force, of(gap))))
        };
        if law == LawKind::Rabinovich {
            let reason = "of the fourth order in α, which is up to 0.2 here";
            outcome.findings.push(at_most(what("from what is printed"), worst(&|gap| theory.printed(part, gap)), 2e-3, reason));
        }
        let worst = worst(&|gap| theory.force(law, part, gap));
        let breaks = course.last().map_or(f64::NAN, |(gap, _)| *gap);
        let reason = "the law is evaluated as it is";
        outcome.findings.push(at_most(what("worst force"), worst, 1e-9, reason));
        let reason = "the last step before it, of 4 million on the way";
        outcome.findings.push(equals(what("rupture (m)"), theory.rupture(), breaks, 1e-6, reason));

        let [lost, sticking] = theory.lost(law, part);
        let exact = |times: f64| (1.0 - 1.0 / (times * times)).sqrt();
        let (mut points, mut errors, mut broken) = (Vec::new(), Vec::new(), Vec::new());
        for times in [1.05, 1.5, 2.0, 5.0] {
            let ends = collisions(simulation, law, part, times * sticking, simulation.steps)?;
            errors.push(largest(ends.iter().map(|end| relative_error(end.restitution, exact(times)))));
            broken.push(largest(ends.iter().map(|end| relative_error(end.broken, lost))));
            points.push((times, ends[0].restitution));
        }
        let reason = "100 steps in a contact, any phase";
        outcome.findings.push(at_most(what("worst rebound"), largest(errors), 5e-4, reason));
        let reason = "a closed form of the law, booked as `bridges`";
        outcome.findings.push(at_most(what("worst loss"), largest(broken), 1e-9, reason));
        let finer = [0.25, 0.5, 1.0].map(|of_steps| {
            let ends = collisions(simulation, law, part, 2.0 * sticking, of_steps * simulation.steps)?;
            Ok(largest(ends.iter().map(|end| relative_error(end.restitution, exact(2.0)))))
        });
        let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
        outcome.findings.push(Finding::alone(
            what("order of the rebound"),
            order_of(&finer),
            Band::Between(1.8, 2.7),
            "second order at every phase, though the force jumps at both ends",
        ));
        // It takes many collisions; one of both will do.
        if part > 0.5 {
            let finer = [2.0, 4.0, 8.0].map(|of_steps| {
                let each = [0.1, 0.6].map(|phase| {
                    let steps = of_steps * simulation.steps;
                    let speed =
                        threshold(|times| bounces(simulation, law, part, (times * sticking, steps, phase)))?;
                    Ok(relative_error(speed, 1.0))
                });
                Ok(largest(each.into_iter().collect::<Result<Vec<f64>, Error>>()?))
            });
            let finer = finer.into_iter().collect::<Result<Vec<f64>, Error>>()?;
            let reason = "800 steps in a contact, found by bisection";
            outcome.findings.push(at_most(what("sticking speed"), finer[2], 1e-6, reason));
            outcome.findings.push(Finding::alone(
                what("order of the sticking speed"),
                order_of(&finer),
                Band::Between(1.6, 2.8),
                "second order at every phase",
            ));
        }
        outcome.findings.push(equals(
            what("leaves at 0.99 and 1.01 of the speed"),
            1.0,
            f64::from(u8::from(leaves(simulation, law, part, 1.01 * sticking)?))
                + f64::from(u8::from(leaves(simulation, law, part, 0.99 * sticking)?)),
            0.0,
            "only the faster one does",
        ));
        series.push(Series::new(format!("{}, {against}", law.name()), points, Mark::LinePoints));
    }
    let curve = (0..=80).map(|i| 1.0 + 0.05 * f64::from(i)).map(|v| (v, (1.0 - 1.0 / (v * v)).sqrt())).collect();
    series.push(Series::new("exact", curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("speed over the sticking speed"),
        y: Axis::linear("restitution"),
        series,
    };
    let figure = Figure { title: "Wet spheres without dashpots".into(), panels: vec![panel] };
    outcome.figures.push(("liquid-bridge".into(), figure));
    Ok(outcome)
}

/// Gap and force in every step from touch until the bridge breaks.
fn draw(setup: Setup, law: LawKind, part: f64) -> Result<Vec<(f64, f64)>, Error> {
    // So heavy that nothing slows it down.
    let setup = Setup { density: 1e15, ..setup };
    let way = setup.rupture() / 4000.0;
    let dt = 1e-6;
    let settings = Settings { kicks: Kicks::Plain, ..settings(law, dt) };
    let mut engine = engine(setup, part, (-1.5 * way, way / dt), settings)?;
    let (mut course, mut slow) = (Vec::new(), false);
    while let [contact] = &engine.contacts()[..] {
        if -contact.overlap > setup.rupture() - 1.5 * way && !slow {
            slow = true;
            engine.set_velocity(BodyId(0), Z * (1e-3 * way / dt), Z * 0.0)?;
        }
        if contact.overlap < 0.0 {
            course.push((-contact.overlap, contact.force.z));
        }
        engine.advance(1)?;
    }
    Ok(course)
}

/// How a collision ended.
struct End {
    restitution: f64,
    /// J.
    broken: f64,
}

/// Collisions at all phases.
fn collisions(setup: Setup, law: LawKind, part: f64, speed: f64, steps: f64) -> Result<Vec<End>, Error> {
    let each = (0..PHASES).map(|phase| {
        let phase = f64::from(phase) / f64::from(PHASES);
        let mut engine = throw(setup, law, part, speed, steps * (1.0 + 0.1 * phase), phase)?;
        through_contact(&mut engine)?;
        let bodies = engine.bodies();
        let other = if part < 1.0 { bodies[1].velocity.z } else { 0.0 };
        let ledger = engine.ledger();
        let broken = ledger.entries().find(|(key, _)| *key == "bridges").map_or(f64::NAN, |entry| entry.1);
        Ok(End { restitution: (bodies[0].velocity.z - other) / speed, broken })
    });
    each.collect()
}

/// Whether the contact ends within 100 contacts of dry spheres.
fn leaves(setup: Setup, law: LawKind, part: f64, speed: f64) -> Result<bool, Error> {
    let mut engine = throw(setup, law, part, speed, setup.steps, 0.5)?;
    engine.advance(10)?;
    for _ in 0..100 {
        engine.advance(100)?;
        if engine.contact_count() == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether spheres leave when they part for the first time, after coming at this speed.
fn bounces(setup: Setup, law: LawKind, part: f64, (speed, steps, phase): (f64, f64, f64)) -> Result<bool, Error> {
    let mut engine = throw(setup, law, part, speed, steps, phase)?;
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

/// A sphere that comes at this speed.
fn throw(setup: Setup, law: LawKind, part: f64, speed: f64, steps: f64, phase: f64) -> Result<Engine, Error> {
    let effective = (part * setup.radius, part * sphere_mass(setup.density, setup.radius));
    let materials = wet(setup).materials;
    let dt = contact_time(&materials, LawKind::Hertz, effective, speed)? / steps;
    engine(setup, part, (phase * speed * dt, -speed), settings(law, dt))
}

fn wet(setup: Setup) -> tumble_dem::World {
    let Setup { density, young, poisson, tension, angle, volume, .. } = setup;
    let properties = PairProperties::new(1.0, 0.0).with(&SURFACE_TENSION, tension);
    let properties = properties.with(&CONTACT_ANGLE, angle).with(&BRIDGE_VOLUME, volume);
    world(Material::new("wet", density, young, poisson), properties)
}

/// A sphere at this gap, with this velocity.
fn engine(setup: Setup, part: f64, (gap, velocity): (f64, f64), settings: Settings) -> Result<Engine, Error> {
    let mut world = wet(setup);
    let sphere = add_sphere(&mut world, setup.radius)?;
    world.add_body(Body::at(sphere, Z * (setup.radius + gap)).moving(Z * velocity));
    if part < 1.0 {
        world.add_body(Body::at(sphere, Z * -setup.radius));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    }
    Ok(Engine::new(world, settings)?)
}
