//! Head-on collisions with every restitution, for every law that loses energy: Chung & Ooi 2011, test 3.

use crate::verify::arrange::{
    Z, add_floor, add_sphere, contact_time, damped_laws, settings, through_contact, world,
};
use crate::verify::citations::CHUNG_2011;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, relative_error, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::citations::{SCHWAGER_2007, TSUJI_1992};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, MaterialId};
use tumble_report::{Axis, Cell, Figure, Mark, Outcome, Panel, Series, Table};

setup! {
    /// Radius
    radius: 0.0025, "m";
    /// Density
    density: 4000.0, "kg/m³";
    /// Young's modulus
    young: 380e9, "Pa";
    /// Poisson's ratio
    poisson: 0.23, "";
    /// Normal stiffness in the linear law
    stiffness: 1e8, "N/m";
    /// Closing speed
    speed: 3.9, "m/s";
    /// Smallest restitution
    smallest: 0.1, "";
    /// Largest restitution
    largest: 1.0, "";
    /// Time steps in an elastic contact
    steps: 200.0, "";
}

pub(super) const CASE: Case = Case {
    id: "restitution",
    title: "spheres rebound with the restitution that was asked for",
    group: Group::Impact,
    sources: &[CHUNG_2011, SCHWAGER_2007, TSUJI_1992],
    setup: "Alumina spheres hit each other, and a wall, with ten restitutions for every law with a dashpot. Each \
            collision is computed four times, beginning at another part of a time step; the worst counts.",
    exact: "speed after over speed before is the coefficient of restitution, at any speed",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// How many restitutions.
const COUNT: u32 = 10;
/// Parts of a step before the surfaces meet.
const PHASES: [f64; 4] = [0.1, 0.37, 0.62, 0.9];

impl Setup {
    fn restitution(&self, number: u32) -> f64 {
        let part = f64::from(number) / f64::from(COUNT - 1);
        self.smallest * (1.0 - part) + self.largest * part
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut table =
        Table::new("Worst of four phases", &["law", "against", "restitution", "measured", "error"]);
    let mut errors = Vec::new();
    for law in damped_laws() {
        for (on_wall, against) in [(false, "sphere"), (true, "wall")] {
            let mut points = Vec::new();
            for number in 0..COUNT {
                let exact = theory.restitution(number);
                let given = simulation.restitution(number);
                let measured: Vec<f64> = PHASES
                    .iter()
                    .map(|&phase| rebound(simulation, law, given, on_wall, phase))
                    .collect::<Result<_, _>>()?;
                let error = largest(measured.iter().map(|&ours| relative_error(ours, exact)));
                let mean = measured.iter().sum::<f64>() / measured.len() as f64;
                let cells = [exact, mean, error].map(Cell::Number);
                table.rows.push([law.name().into(), against.into()].into_iter().chain(cells).collect());
                points.push((exact, error));
            }
            outcome.findings.push(at_most(
                format!("{} against a {against}: worst error", law.name()),
                largest(points.iter().map(|point| point.1)),
                5e-3,
                "200 steps in a contact; dashpots begin within a step, which costs up to 0.3 % at the smallest restitution",
            ));
            errors.push(Series::new(format!("{}, {against}", law.name()), points, Mark::LinePoints));
        }
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("restitution asked for"),
        y: Axis::log("relative error of the rebound"),
        series: errors,
    };
    let figure = Figure { title: "restitution, 200 steps in a contact".into(), panels: vec![panel] };
    outcome.figures.push(("restitution".into(), figure));
    outcome.tables.push(("restitution".into(), table));
    Ok(outcome)
}

/// Speed after over speed before.
fn rebound(setup: Setup, law: LawKind, restitution: f64, on_wall: bool, phase: f64) -> Result<f64, Error> {
    let Setup { radius, density, young, poisson, stiffness, speed, steps, .. } = setup;
    let material = Material::new("alumina", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(restitution, 0.0));
    let part = if on_wall { 1.0 } else { 0.5 };
    let effective = (part * radius, part * sphere_mass(density, radius));
    let dt = contact_time(&world.materials, law, effective, speed)? / steps;
    let sphere = add_sphere(&mut world, radius)?;
    world.add_body(Body::at(sphere, Z * (radius + phase * speed * dt)).moving(Z * -speed));
    if on_wall {
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    } else {
        world.add_body(Body::at(sphere, Z * -radius));
    }
    let mut engine = Engine::new(world, settings(law, dt))?;
    through_contact(&mut engine)?;
    let bodies = engine.bodies();
    Ok((bodies[0].velocity.z - if on_wall { 0.0 } else { bodies[1].velocity.z }) / speed)
}
