//! A column of spheres at rest: coarse-grained fields hold its mass, the force of the floor and the stress, and balance the weight.

use crate::verify::arrange::{Z, add_floor, add_sphere, settings, world};
use crate::verify::citations::{GOLDHIRSCH_2010, WEINHART_2012};
use crate::verify::coarse::{frame, part, values};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, hertz_sinkage, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId};
use tumble_measure::coarse::Grid;
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus of spheres and floor
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Gravity
    gravity: 9.81, "m/s²";
}

pub(super) const CASE: Case = Case {
    id: "coarse-balance",
    title: "the stress field of a column at rest bears its weight",
    group: Group::Invariance,
    sources: &[GOLDHIRSCH_2010, WEINHART_2012],
    setup: "Five Hertzian spheres stand on a floor and on each other, each as deep in the next as the weight above it asks for. Fields are \
            taken on a grid; derivatives of the stress are differences of fourth order between grids that stand a ten-thousandth of the width of the smoothing \
            apart.",
    exact: "the mass is that of the spheres, the floor bears their weight, the integral of the stress is the sum of force times distance, and \
            ∇·σ = ρg + t at every point, t being the force of the floor on the spheres",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const SPHERES: u32 = 5;
const CELLS: [usize; 3] = [9, 9, 22];
const SMOOTHING: u32 = 2;
/// By which grids are shifted, over the width of the smoothing.
const SHIFT: f64 = 1e-4;

impl Setup {
    fn mass(&self) -> f64 {
        sphere_mass(self.density, self.radius)
    }

    /// The force under each sphere, and how far its centre is above what it stands on, from below.
    fn supports(&self) -> Vec<(f64, f64)> {
        let support = |number: u32| {
            let load = self.mass() * self.gravity * f64::from(SPHERES - number);
            let (radius, modulus) = (self.radius, same_material(self.young, self.poisson));
            // The floor is of the same material, and flat.
            let above = if number == 0 {
                radius - hertz_sinkage(modulus, radius, load)
            } else {
                2.0 * radius - hertz_sinkage(modulus, 0.5 * radius, load)
            };
            (load, above)
        };
        (0..SPHERES).map(support).collect()
    }
}

fn grid(setup: Setup, shift: LabVec<f64>) -> Grid {
    let unit = setup.radius;
    let (low, high) = (LabVec::new(-5.0, -5.0, -6.0) * unit, LabVec::new(5.0, 5.0, 16.0) * unit);
    Grid::new(low + shift, high + shift, CELLS, SMOOTHING)
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let engine = column(simulation)?;
    let grid = grid(theory, LabVec::zero());
    let Some(fields) = frame(&engine, grid) else { return Ok(Outcome::default()) };
    let total = |name: &str, number: usize, of: usize| {
        part(&values(&fields, name), number, of).sum::<f64>() * grid.cell_volume()
    };
    let (count, mass) = (f64::from(SPHERES), theory.mass());
    // The point of contact divides the line of centres in the ratio of the radii, so with a floor it is the lowest point of the sphere.
    let supports = theory.supports();
    let ways = supports.iter().enumerate().map(|(number, (_, above))| if number == 0 { theory.radius } else { *above });
    let carried: f64 = supports.iter().zip(ways).map(|((load, _), way)| load * way).sum();
    let sums = "sums over the cells are exact but for rounding";
    let findings = vec![
        equals("mass (kg)", count * mass, total("density", 0, 1), 1e-13, sums),
        equals("force of the floor (N)", count * mass * theory.gravity, total("wall_force", 2, 3), 1e-10, sums),
        equals("integral of the vertical stress (J)", carried, total("contact_stress", 8, 9), 1e-10, sums),
        at_most(
            "|∇·σ − ρg − t| at any point, over the largest ρg",
            imbalance(&engine, theory),
            1e-7,
            "the differences of the stress are off by the square of the shift where pieces of the smoothing function meet",
        ),
    ];
    Ok(Outcome { findings, ..Outcome::default() })
}

fn column(setup: Setup) -> Result<Engine, Error> {
    let material = Material::new("glass", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(1.0, 0.0));
    world.gravity = Z * -setup.gravity;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let sphere = add_sphere(&mut world, setup.radius)?;
    let mut height = 0.0;
    for (_, above) in setup.supports() {
        height += above;
        world.add_body(Body::at(sphere, LabVec::new(0.0, 0.0, height)));
    }
    Ok(Engine::new(world, settings(LawKind::Hertz, 1e-5))?)
}

/// The largest |∇·σ − ρg − t| over the largest |ρg|.
fn imbalance(engine: &Engine, setup: Setup) -> f64 {
    let at = |axis: usize, times: f64| {
        let width = f64::from(SMOOTHING) * grid(setup, LabVec::zero()).sides()[axis];
        let by = |i: usize| if i == axis { times * SHIFT * width } else { 0.0 };
        let grid = grid(setup, LabVec::from_array(core::array::from_fn(by)));
        (frame(engine, grid).map_or(Vec::new(), |frame| values(&frame, "contact_stress")), SHIFT * width)
    };
    let grid = grid(setup, LabVec::zero());
    let mut left = vec![0.0; 3 * grid.len()];
    for axis in 0..3 {
        let [(a, small), (b, _), (c, _), (d, _)] = [-2.0, -1.0, 1.0, 2.0].map(|times| at(axis, times));
        for (number, sum) in left.iter_mut().enumerate() {
            let i = 3 * number + axis;
            *sum += (a[i] - d[i] + 8.0 * (c[i] - b[i])) / (12.0 * small);
        }
    }
    let Some(fields) = frame(engine, grid) else { return f64::NAN };
    let (density, floor) = (values(&fields, "density"), values(&fields, "wall_force"));
    let largest = density.iter().fold(0.0, |most: f64, density| most.max(density * setup.gravity));
    let worst = left.iter().enumerate().fold(0.0, |most: f64, (number, divergence)| {
        let weight = if number % 3 == 2 { -density[number / 3] * setup.gravity } else { 0.0 };
        most.max((divergence - weight - floor[number]).abs())
    });
    worst / largest
}
