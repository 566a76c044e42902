//! Lattices of Hertzian spheres under isotropic compression: their stress is uniform, and their pressure and bulk modulus are closed forms.
//!
//! p = Σ F D / (3V) over all contacts, D being the distance of neighbours and F the force between them. A cell of the simple cubic lattice has
//! 3 contacts in D³, so p = F/D²; one of the face-centred cubic lattice 24 in (√2 D)³, so p = 2√2 F/D². The bulk modulus is K = −V dp/dV =
//! −(D/3) dp/dD.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::{DUFFY_1957, GOLDHIRSCH_2010};
use crate::verify::coarse::{frame, mean_and_spread, part, values};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, same_material, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::SQRT_2;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Engine, LabVec};
use tumble_measure::coarse::{CoarseFrame, Grid};
use tumble_report::Outcome;

setup! {
    /// Radius
    radius: 0.01, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Overlap of neighbours over their diameter
    strain: 0.01, "";
}

pub(super) const CASE: Case = Case {
    id: "coarse-lattice",
    title: "the stress field of a compressed lattice is uniform",
    group: Group::Invariance,
    sources: &[GOLDHIRSCH_2010, DUFFY_1957],
    setup: "Spheres on a simple cubic and on a face-centred cubic lattice fill a periodic box and overlap by a hundredth of their diameter. \
            The smoothing function is as wide as a cell of the lattice; the bulk modulus comes from two lattices that are a little wider and closer.",
    exact: "p = F/D² and 2√2 F/D², the same in all directions and at every point, without shear; K = −(D/3) dp/dD",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// A lattice: the places in its cubic cell, over the side of that.
struct Lattice {
    name: &'static str,
    places: &'static [[f64; 3]],
    /// Side of the cubic cell over the distance of neighbours.
    side: f64,
    /// p D²/F.
    pressure: f64,
}

const LATTICES: [Lattice; 2] = [
    Lattice { name: "sc", places: &[[0.1, 0.2, 0.3]], side: 1.0, pressure: 1.0 },
    Lattice {
        name: "fcc",
        places: &[[0.1, 0.2, 0.3], [0.6, 0.7, 0.3], [0.6, 0.2, 0.8], [0.1, 0.7, 0.8]],
        side: SQRT_2,
        pressure: 2.0 * SQRT_2,
    },
];

/// Cells of the lattice along an axis.
const CELLS: usize = 4;
/// By how much of their overlap neighbours are moved for the bulk modulus.
const NUDGE: f64 = 1e-4;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let (diameter, modulus) = (2.0 * theory.radius, same_material(theory.young, theory.poisson));
    let overlap = theory.strain * diameter;
    let (distance, root) = (diameter - overlap, (0.5 * theory.radius * overlap).sqrt());
    let (force, stiffness) = (4.0 / 3.0 * modulus * root * overlap, 2.0 * modulus * root);
    for lattice in &LATTICES {
        let Lattice { name, pressure, .. } = *lattice;
        let what = |text: &str| format!("{name}: {text}");
        let exact = pressure * force / (distance * distance);
        let fields = compressed(lattice, simulation, 0.0)?;
        let stress = values(&fields, "contact_stress");
        let of = |number: usize| mean_and_spread(part(&stress, number, 9));
        let most = |numbers: &[usize], of: &dyn Fn(usize) -> f64| {
            numbers.iter().fold(0.0, |most: f64, &number| most.max(of(number).abs())) / exact
        };
        let side = lattice.side * distance;
        let density = sphere_mass(theory.density, theory.radius) * lattice.places.len() as f64 / (side * side * side);
        let (mean_density, spread_of_density) = mean_and_spread(values(&fields, "density").into_iter());
        let near = mean_and_spread(values(&compressed(lattice, simulation, -NUDGE)?, "pressure").into_iter()).0;
        let far = mean_and_spread(values(&compressed(lattice, simulation, NUDGE)?, "pressure").into_iter()).0;
        let bulk = -distance / 3.0 * (far - near) / (2.0 * NUDGE * overlap);
        let exact_bulk = pressure / 3.0 * (stiffness / distance + 2.0 * force / (distance * distance));
        let rounding = "positions are rounded, overlaps are a hundredth of them";
        let partition = "values of the smoothing function at the sites of a lattice add up to the same everywhere";
        outcome.findings.extend([
            equals(what("pressure (Pa)"), exact, of(0).0, 1e-11, rounding),
            equals(what("stress along z (Pa)"), exact, of(8).0, 1e-11, rounding),
            at_most(what("shear, over the pressure"), most(&[1, 2, 3, 5, 6, 7], &|i| of(i).0), 1e-11, rounding),
            at_most(what("worst change from point to point"), most(&[0, 4, 8], &|i| of(i).1), 1e-11, partition),
            equals(what("density (kg/m³)"), density, mean_density, 1e-12, rounding),
            at_most(what("worst change of the density"), spread_of_density / density, 1e-12, partition),
            equals(what("bulk modulus (Pa)"), exact_bulk, bulk, 1e-7, "a difference of second order, by a ten-thousandth of the overlap"),
        ]);
    }
    Ok(outcome)
}

/// The fields of a lattice whose neighbours are further apart by a part of their overlap.
fn compressed(lattice: &Lattice, setup: Setup, nudge: f64) -> Result<CoarseFrame, Error> {
    let diameter = 2.0 * setup.radius;
    let side = lattice.side * (diameter - setup.strain * diameter * (1.0 - nudge));
    let length = side * CELLS as f64;
    let material = Material::new("glass", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(1.0, 0.0));
    world.domain = Domain::of([Axis::Periodic { low: 0.0, high: length }; 3]);
    let sphere = add_sphere(&mut world, setup.radius)?;
    for number in 0..CELLS * CELLS * CELLS {
        let cell = [number % CELLS, number / CELLS % CELLS, number / CELLS / CELLS];
        for place in lattice.places {
            let at = core::array::from_fn(|i| (cell[i] as f64 + place[i]) * side);
            world.add_body(Body::at(sphere, LabVec::from_array(at)));
        }
    }
    let engine = Engine::new(world, settings(LawKind::Hertz, 1e-6))?;
    // Two cells of the grid to one of the lattice.
    let grid = Grid::new(LabVec::zero(), LabVec::new(length, length, length), [2 * CELLS; 3], 2);
    frame(&engine, grid).ok_or(Error::Never { what: "a frame of the fields", steps: 0 })
}
