//! Walls that move: a piston hits a ball, a plate lifts one, a table shakes one. What they spend is what bodies get.

use crate::verify::arrange::{
    Z, add_floor, add_sphere, contact_time, first, settings, through_contact, world,
};
use crate::verify::citations::LUCK_1993;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{Body, Engine, MaterialId};
use tumble_report::Outcome;

setup! {
    /// Radius of the ball
    radius: 0.005, "m";
    /// Density
    density: 1200.0, "kg/m³";
    /// Young's modulus
    young: 5e6, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Restitution
    restitution: 0.7, "";
    /// Speed of piston and plate
    speed: 0.1, "m/s";
    /// Gravity on plate and table
    gravity: 9.81, "m/s²";
    /// Amplitude of the table
    amplitude: 1e-3, "m";
    /// Frequency of the table
    frequency: 25.0, "Hz";
    /// Time steps in an elastic contact with the piston
    steps: 200.0, "";
}

pub(super) const CASE: Case = Case {
    id: "moving-wall",
    title: "a piston, a plate that rises and a table that shakes",
    group: Group::Shape,
    sources: &[LUCK_1993],
    setup: "A piston hits a ball at rest; a plate lifts a ball that has settled on it; a table shakes a ball under gravity \
            for a second.",
    exact: "the piston leaves the ball with (1 + e)V and spends V times its momentum; the plate spends mgV; the impulse of \
            the table is the weight times the time and the momentum gained",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mass = sphere_mass(theory.density, theory.radius);
    let mut outcome = Outcome::default();

    let mut piston = simulation.engine(drift(simulation.speed)?, 0.0, 0.3)?;
    through_contact(&mut piston)?;
    let (thrown, books) = (first(&piston).velocity.z, piston.ledger());
    let expected = (1.0 + theory.restitution) * theory.speed;
    let resolved = "200 steps in a contact leave some 10⁻⁴ of the restitution";
    let rounding = "force and velocity are summed by the same rule: nothing but rounding";
    outcome.findings.extend([
        equals("piston: speed of the ball (m/s)", expected, thrown, 5e-4, resolved),
        equals("piston: work (J)", mass * expected * theory.speed, books.wall_work, 5e-4, resolved),
        equals(
            "piston: work over V times momentum",
            1.0,
            books.wall_work / (mass * thrown * theory.speed),
            1e-12,
            rounding,
        ),
    ]);

    let mut plate = simulation.engine(drift(simulation.speed)?, simulation.gravity, 0.3)?;
    let settle = 0.5;
    while plate.time() < settle {
        plate.advance(100)?;
    }
    let report = plate.walls()[0];
    let weight = mass * theory.gravity;
    let settled = "what is left of the settling after half a second";
    outcome.findings.extend([
        equals("plate: speed of the ball (m/s)", theory.speed, first(&plate).velocity.z, 1e-9, settled),
        equals("plate: force on it (N)", -weight, report.force.z, 1e-9, settled),
        equals("plate: power (W)", weight * theory.speed, report.power, 1e-9, settled),
    ]);

    let amplitude = Z * simulation.amplitude;
    let shaking = Movement::Vibration { amplitude, frequency: simulation.frequency, phase: 0.5 };
    let mut table = simulation.engine(Motion::new(vec![shaking])?, simulation.gravity, 40.0)?;
    let start = table.ledger();
    let (dt, mut impulse, mut work) = (table.settings().dt, 0.0, 0.0);
    let (mut before, mut spent) = (table.walls()[0].force.z, table.walls()[0].power);
    while table.time() < 1.0 {
        table.advance(1)?;
        let report = table.walls()[0];
        impulse -= 0.5 * dt * (before + report.force.z);
        work += 0.5 * dt * (spent + report.power);
        (before, spent) = (report.force.z, report.power);
    }
    let gained = first(&table).velocity.z * mass;
    let end = table.ledger();
    outcome.findings.extend([
        equals("table: impulse in a second (N s)", weight * table.time() + gained, impulse, 1e-11, rounding),
        equals("table: work in the books over ∫ power dt", 1.0, end.wall_work / work, 1e-12, rounding),
        at_most(
            "table: change of the balance over the work",
            ((end.balance() - start.balance()) / end.wall_work).abs(),
            1e-3,
            "second order in the step, over some twenty collisions",
        ),
    ]);
    Ok(outcome)
}

fn drift(speed: f64) -> Result<Motion, Error> {
    Ok(Motion::new(vec![Movement::Drift { velocity: Z * speed }])?)
}

impl Setup {
    /// A ball at rest above a floor that moves; `gap` in steps of the speed.
    fn engine(&self, motion: Motion, gravity: f64, gap: f64) -> Result<Engine, Error> {
        let &Self { radius, density, young, poisson, restitution, speed, steps, .. } = self;
        let properties = PairProperties::new(restitution, 0.0);
        let mut world = world(Material::new("rubber", density, young, poisson), properties);
        let effective = (radius, sphere_mass(density, radius));
        let dt = contact_time(&world.materials, LawKind::HertzMindlin, effective, speed)? / steps;
        world.gravity = Z * -gravity;
        let sphere = add_sphere(&mut world, radius)?;
        add_floor(&mut world, MaterialId(0), motion)?;
        world.add_body(Body::at(sphere, Z * (radius + gap * speed * dt)));
        Ok(Engine::new(world, settings(LawKind::HertzMindlin, dt))?)
    }
}
