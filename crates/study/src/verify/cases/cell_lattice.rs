//! Lattices of Hertzian spheres in a periodic cell that deforms: under a pressure that is held, and under a strain that is prescribed.
//!
//! With F = (4/3)E*√(R/2) δ^(3/2) between neighbours at the distance D = 2R − δ, the pressure is F/D² of the simple cubic lattice and 2√2 F/D² of the
//! face-centred cubic one; the bulk modulus is K = −(D/3) dp/dD.

use crate::verify::arrange::{add_sphere, settings, world};
use crate::verify::citations::DUFFY_1957;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, same_material};
use crate::verify::{Case, Error, Group};
use core::f64::consts::SQRT_2;
use tumble_dem::citations::ANDERSEN_1980;
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, Cell, CellReport, Control, Engine, LabVec};
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
    /// Pressure that is held
    pressure: 2e4, "Pa";
    /// Viscosity of the cell
    viscosity: 3e3, "Pa s";
    /// Inertia of the cell
    mass: 0.3, "kg";
    /// Time step
    dt: 2e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "cell-lattice",
    title: "lattices in a periodic cell that holds a pressure",
    group: Group::Invariance,
    sources: &[ANDERSEN_1980, DUFFY_1957],
    setup: "Spheres that just touch on a simple cubic and on a face-centred cubic lattice fill a periodic cell. Its three lengths give way until the \
            spheres bear a pressure. Then the lengths are prescribed: two lattices that are compressed a little less and a little more give the bulk modulus.",
    exact: "p = F/D² and 2√2 F/D²; K = −(D/3) dp/dD",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

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
/// Steps until all is at rest.
const STEPS: u64 = 40_000;
/// The change of length for the bulk modulus.
const NUDGE: f64 = 1e-5;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let modulus = same_material(theory.young, theory.poisson);
    for lattice in &LATTICES {
        let what = |text: &str| format!("{}: {text}", lattice.name);
        let of = |distance: f64| {
            let overlap = 2.0 * theory.radius - distance;
            let force = 4.0 / 3.0 * modulus * (0.5 * theory.radius * overlap).sqrt() * overlap;
            lattice.pressure * force / (distance * distance)
        };
        let load = Control::Stress { pressure: simulation.pressure };
        let held = settled(lattice, simulation, load)?;
        let distance = |cell: &CellReport| cell.lengths[0] / (CELLS as f64 * lattice.side);
        let near = |scale: f64| {
            let until = Some(held.lengths[0] * scale);
            settled(lattice, simulation, Control::Strain { rate: -0.5, until })
        };
        let (shorter, longer) = (near(1.0 - NUDGE)?, near(1.0 + NUDGE)?);
        let bulk = (shorter.pressure()[0] - longer.pressure()[0]) / (6.0 * NUDGE);
        let at = distance(&held);
        let exact_bulk = (of(at * (1.0 - 1e-6)) - of(at * (1.0 + 1e-6))) / 6e-6;
        let rest = "what is left of the motion, which the viscosity of the cell and dashpots take";
        outcome.findings.extend([
            equals(what("pressure that is held (Pa)"), theory.pressure, held.pressure()[0], 1e-6, rest),
            equals(what("pressure along z (Pa)"), theory.pressure, held.pressure()[2], 1e-6, rest),
            equals(what("pressure at the length found (Pa)"), of(at), theory.pressure, 1e-6, rest),
            equals(what("pressure at a prescribed length (Pa)"), of(distance(&shorter)), shorter.pressure()[0], 1e-9, rest),
            equals(what("bulk modulus (Pa)"), exact_bulk, bulk, 1e-5, "differences of second order in lengths"),
        ]);
    }
    Ok(outcome)
}

/// The cell of a lattice when its three lengths have done what a control says.
fn settled(lattice: &Lattice, setup: Setup, control: Control) -> Result<CellReport, Error> {
    let side = lattice.side * 2.0 * setup.radius;
    let material = Material::new("glass", setup.density, setup.young, setup.poisson);
    let mut world = world(material, PairProperties::new(0.5, 0.0));
    world.domain = Domain::of([Axis::Periodic { low: 0.0, high: side * CELLS as f64 }; 3]);
    world.cell = Some(Cell { axes: [control; 3], shear: None, mass: setup.mass, viscosity: setup.viscosity });
    let sphere = add_sphere(&mut world, setup.radius)?;
    for number in 0..CELLS * CELLS * CELLS {
        let cell = [number % CELLS, number / CELLS % CELLS, number / CELLS / CELLS];
        for place in lattice.places {
            let at = core::array::from_fn(|i| (cell[i] as f64 + place[i]) * side);
            world.add_body(Body::at(sphere, LabVec::from_array(at)));
        }
    }
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, setup.dt))?;
    engine.advance(STEPS)?;
    engine.cell().ok_or(Error::Never { what: "a cell", steps: 0 })
}
