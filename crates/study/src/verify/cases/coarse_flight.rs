//! Two swarms that fly through each other: kinetic stress and granular temperature of a free flight.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::{GOLDHIRSCH_2010, WEINHART_2012};
use crate::verify::coarse::{mean_and_spread, part, values};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec};
use tumble_measure::coarse::{CoarseFields, CoarseFrame, CoarseSpec, Grid};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.002, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Distance from one sphere to the next
    distance: 0.01, "m";
    /// Velocity of all spheres together, along x; half of it along y
    drift: 0.3, "m/s";
    /// Velocity of each swarm about that, along x; half of it against z
    wiggle: 0.05, "m/s";
    /// Time step
    dt: 1e-4, "s";
}

pub(super) const CASE: Case = Case {
    id: "coarse-flight",
    title: "spheres in free flight have the kinetic stress ρv′⊗v′",
    group: Group::Invariance,
    sources: &[GOLDHIRSCH_2010, WEINHART_2012],
    setup: "Spheres on a cubic lattice in a periodic box drift together; every other layer moves faster, the layers between slower. Nothing touches. Fields are \
            means of ten instants within 10 ms; the smoothing function is as wide as two layers.",
    exact: "velocity V, kinetic stress ρv′⊗v′, temperature v′²/3, no contact stress",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Spheres along an axis.
const SPHERES: usize = 8;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let fields = flight(simulation)?;
    let reason = "values of the smoothing function at the sites of each swarm add up to the same everywhere; the rest is rounding";
    let Setup { distance, drift, wiggle, .. } = theory;
    let density = sphere_mass(theory.density, theory.radius) / (distance * distance * distance);
    let (velocity, stress) = (values(&fields, "velocity"), values(&fields, "kinetic_stress"));
    let mean = |values: &[f64], number: usize, of: usize| mean_and_spread(part(values, number, of)).0;
    let (xx, spread) = mean_and_spread(part(&stress, 0, 6));
    let temperature = values(&fields, "granular_temperature");
    let contact = values(&fields, "contact_stress").iter().fold(0.0, |most: f64, part| most.max(part.abs()));
    let exact = density * wiggle * wiggle;
    // Of terms that are larger by the square of the ratio of velocities.
    let findings = vec![
        equals("velocity along x (m/s)", drift, mean(&velocity, 0, 3), 1e-12, reason),
        equals("velocity along y (m/s)", 0.5 * drift, mean(&velocity, 1, 3), 1e-12, reason),
        equals("kinetic stress xx (Pa)", exact, xx, 1e-10, reason),
        equals("kinetic stress zz (Pa)", 0.25 * exact, mean(&stress, 2, 6), 1e-10, reason),
        equals("kinetic stress xz (Pa)", -0.5 * exact, mean(&stress, 5, 6), 1e-10, reason),
        at_most("kinetic stress: worst change from point to point", spread / exact, 1e-10, reason),
        equals("temperature (m²/s²)", 1.25 * wiggle * wiggle / 3.0, mean(&temperature, 0, 1), 1e-10, reason),
        at_most("contact stress (Pa)", contact, 0.0, "nothing touches"),
    ];
    Ok(Outcome { findings, ..Outcome::default() })
}

fn flight(setup: Setup) -> Result<CoarseFrame, Error> {
    let Setup { distance, drift, wiggle, .. } = setup;
    let length = distance * SPHERES as f64;
    let mut world = world(Material::new("glass", setup.density, 1e8, 0.25), PairProperties::new(1.0, 0.0));
    world.domain = Domain::of([Axis::Periodic { low: 0.0, high: length }; 3]);
    let sphere = add_sphere(&mut world, setup.radius)?;
    for number in 0..SPHERES * SPHERES * SPHERES {
        let place = [number % SPHERES, number / SPHERES % SPHERES, number / SPHERES / SPHERES];
        let at = LabVec::from_array(place.map(|place| (place as f64 + 0.4) * distance));
        let sign = if place[0].is_multiple_of(2) { wiggle } else { -wiggle };
        let velocity = LabVec::new(drift + sign, 0.5 * drift, -0.5 * sign);
        world.add_body(Body::at(sphere, at).moving(velocity));
    }
    let mut engine = Engine::new(world, settings(LawKind::Hertz, setup.dt))?;
    let grid = Grid::new(LabVec::zero(), LabVec::new(length, length, length), [SPHERES; 3], 2);
    let mut fields =
        CoarseFields::new(&[CoarseSpec { name: String::new(), grid, every: 10, window: Some(100) }]);
    for _ in 0..10 {
        engine.advance(10)?;
        fields.sample(&engine);
    }
    fields.latest(0).cloned().ok_or(Error::Never { what: "a frame of the fields", steps: 100 })
}
