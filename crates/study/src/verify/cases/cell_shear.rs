//! Lattices of Hertzian spheres in a periodic cell that is sheared: a lattice with one sphere in each of its cells goes with the strain, so
//! that stresses are sums over the neighbours of one sphere. The shear modulus is −dP_xy/dγ. `lattice.rs` has P_ij.

use crate::verify::citations::{DUFFY_1957, LEES_1972};
use crate::verify::lattice::{LATTICES, Lattice, Spheres};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::{CellReport, Shear, ShearDrive};
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

/// The strain, and half the difference of strains for the modulus.
const STRAIN: f64 = 0.01;
const NUDGE: f64 = 1e-4;

impl Setup {
    fn spheres(self) -> Spheres {
        let Self { radius, density, young, poisson, overlap, .. } = self;
        Spheres { radius, density, young, poisson, overlap }
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let reason = "rounding; at rest dashpots do nothing";
    for lattice in &LATTICES {
        let ours = sheared(lattice, simulation, STRAIN)?;
        for (name, place) in [("xx", [0, 0]), ("yy", [1, 1]), ("zz", [2, 2]), ("xy", [0, 1]), ("yx", [1, 0])] {
            let exact = lattice.pressure(theory.spheres(), STRAIN, place);
            let what = format!("{}: P_{name} at γ = {STRAIN} (Pa)", lattice.name);
            outcome.findings.push(equals(what, exact, ours.component(place[0], place[1]), 1e-9, reason));
        }
        let (less, more) = (sheared(lattice, simulation, -NUDGE)?, sheared(lattice, simulation, NUDGE)?);
        let modulus = (less.component(0, 1) - more.component(0, 1)) / (2.0 * NUDGE);
        let near = |strain: f64| lattice.pressure(theory.spheres(), strain, [0, 1]);
        let exact = (near(-1e-6) - near(1e-6)) / 2e-6;
        let what = format!("{}: shear modulus (Pa)", lattice.name);
        let differences = "differences of second order in strains";
        outcome.findings.push(equals(what, exact, modulus, 1e-4, differences));
    }
    Ok(outcome)
}

/// The cell of a lattice after so much strain.
fn sheared(lattice: &Lattice, setup: Setup, strain: f64) -> Result<CellReport, Error> {
    let rate = setup.rate.copysign(strain);
    let drive = ShearDrive::Rate { rate, until: Some(strain.abs()) };
    let shear = Shear { flow: 0, gradient: 1, drive };
    let mut engine = lattice.engine(setup.spheres(), (shear, 1.0, 0.0), setup.dt)?;
    let steps = (strain.abs() / (setup.rate * setup.dt)).ceil();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundred steps")]
    engine.advance(steps as u64 + 10)?;
    engine.cell().ok_or(Error::Never { what: "a cell", steps: 0 })
}
