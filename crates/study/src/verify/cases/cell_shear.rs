//! Lattices of Hertzian spheres in a periodic cell that is sheared: a lattice with one sphere in each of its cells goes with the strain, so
//! that stresses are sums over the neighbours of one sphere.
//!
//! With the ways d = (x + γy, y, z) to its neighbours, F = (4/3)E*√(R/2) δ^(3/2) at δ = 2R − |d|, and the volume v of a cell of the lattice, the pressure is
//! P_ij = Σ F d_i d_j/|d| / 2v, whatever the strain. The shear modulus is −dP_xy/dγ.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::{DUFFY_1957, LEES_1972};
use crate::verify::setup::setup;
use crate::verify::theory::{equals, same_material};
use crate::verify::{Case, Error, Group};
use core::f64::consts::{FRAC_1_SQRT_2, SQRT_2};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Cell, CellReport, Control, Engine, LabVec, Shear};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e7, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Overlap before the shear, by the diameter
    overlap: 0.02, "";
    /// Rate of the shear
    rate: 5.0, "1/s";
    /// Time step
    dt: 2e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "cell-shear",
    title: "lattices in a periodic cell that is sheared",
    group: Group::Invariance,
    sources: &[LEES_1972, DUFFY_1957],
    setup: "Spheres that overlap on a simple cubic and on a face-centred cubic lattice fill a periodic cell, which is sheared up to a strain and \
            stops there. The border where layers slide over each other is nowhere, so all of the lattice has the same strain.",
    exact: "P_ij = Σ F d_i d_j/|d| / 2v over the neighbours of a sphere, G = −dP_xy/dγ",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

struct Lattice {
    name: &'static str,
    /// In a cubic cell whose side is one.
    places: &'static [[f64; 3]],
    /// Side of that over the distance of neighbours.
    side: f64,
    /// Ways to neighbours by their distance, of two opposite ones only the first.
    ways: &'static [[f64; 3]],
}

const H: f64 = FRAC_1_SQRT_2;

const LATTICES: [Lattice; 2] = [
    Lattice {
        name: "sc",
        places: &[[0.1, 0.2, 0.3]],
        side: 1.0,
        ways: &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    },
    Lattice {
        name: "fcc",
        places: &[[0.1, 0.2, 0.3], [0.6, 0.7, 0.3], [0.6, 0.2, 0.8], [0.1, 0.7, 0.8]],
        side: SQRT_2,
        ways: &[[H, H, 0.0], [H, -H, 0.0], [H, 0.0, H], [H, 0.0, -H], [0.0, H, H], [0.0, H, -H]],
    },
];

/// Cells of the lattice along an axis.
const CELLS: usize = 4;
/// The strain, and half the difference of strains for the modulus.
const STRAIN: f64 = 0.01;
const NUDGE: f64 = 1e-4;

impl Lattice {
    /// P_ij of so much strain.
    fn pressure(&self, setup: Setup, strain: f64, [i, j]: [usize; 2]) -> f64 {
        let distance = 2.0 * setup.radius * (1.0 - setup.overlap);
        let side = self.side * distance;
        let cell = side * side * side / self.places.len() as f64;
        let modulus = same_material(setup.young, setup.poisson);
        let of = |[x, y, z]: &[f64; 3]| {
            let way = [(x + strain * y) * distance, y * distance, z * distance];
            let length = way.iter().map(|d| d * d).sum::<f64>().sqrt();
            let overlap = 2.0 * setup.radius - length;
            let force = 4.0 / 3.0 * modulus * (0.5 * setup.radius * overlap).sqrt() * overlap;
            force * way[i] * way[j] / length
        };
        self.ways.iter().map(of).sum::<f64>() / cell
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let reason = "rounding; at rest dashpots do nothing";
    for lattice in &LATTICES {
        let ours = sheared(lattice, simulation, STRAIN)?;
        for (name, place) in [("xx", [0, 0]), ("yy", [1, 1]), ("zz", [2, 2]), ("xy", [0, 1]), ("yx", [1, 0])] {
            let exact = lattice.pressure(theory, STRAIN, place);
            let what = format!("{}: P_{name} at γ = {STRAIN} (Pa)", lattice.name);
            outcome.findings.push(equals(what, exact, ours.component(place[0], place[1]), 1e-9, reason));
        }
        let (less, more) = (sheared(lattice, simulation, -NUDGE)?, sheared(lattice, simulation, NUDGE)?);
        let modulus = (less.component(0, 1) - more.component(0, 1)) / (2.0 * NUDGE);
        let near = |strain: f64| lattice.pressure(theory, strain, [0, 1]);
        let exact = (near(-1e-6) - near(1e-6)) / 2e-6;
        let what = format!("{}: shear modulus (Pa)", lattice.name);
        let differences = "differences of second order in strains";
        outcome.findings.push(equals(what, exact, modulus, 1e-4, differences));
    }
    Ok(outcome)
}

/// The cell of a lattice after so much strain.
fn sheared(lattice: &Lattice, setup: Setup, strain: f64) -> Result<CellReport, Error> {
    let side = lattice.side * 2.0 * setup.radius * (1.0 - setup.overlap);
    let material = Material::new("glass", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(0.5, 0.0));
    world.domain = Domain::of([Axis::Periodic { low: 0.0, high: side * CELLS as f64 }; 3]);
    let rate = setup.rate.copysign(strain);
    let shear = Shear { flow: 0, gradient: 1, rate, until: Some(strain.abs()) };
    world.cell = Some(Cell { axes: [Control::Fixed; 3], shear: Some(shear), mass: 1.0, viscosity: 0.0 });
    let sphere = add_sphere(&mut world, setup.radius)?;
    for number in 0..CELLS * CELLS * CELLS {
        let cell = [number % CELLS, number / CELLS % CELLS, number / CELLS / CELLS];
        for place in lattice.places {
            let at = core::array::from_fn(|i| (cell[i] as f64 + place[i]) * side);
            world.add_body(Body::at(sphere, LabVec::from_array(at)));
        }
    }
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?;
    let steps = (strain.abs() / (setup.rate * setup.dt)).ceil();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred steps")]
    engine.advance(steps as u64 + 10)?;
    engine.cell().ok_or(Error::Never { what: "a cell", steps: 0 })
}
