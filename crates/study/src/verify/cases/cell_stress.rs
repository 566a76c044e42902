//! A lattice of Hertzian spheres in a periodic cell that holds a shear stress: the strain is stress by modulus.
//!
//! The strain is where −P_xy(γ) = τ, with P_xy as a sum over the neighbours of a sphere; for little stress that is τ/G. What the stress did, V ∫ τ dγ with the volume
//! V, is in the springs and lost.

use crate::verify::citations::{DUFFY_1957, LEES_1972};
use crate::verify::lattice::{LATTICES, Lattice, Spheres};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::{Shear, ShearDrive};
use tumble_report::{Band, Finding, Outcome};

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
    /// Shear stress that is held
    stress: 2e3, "Pa";
    /// Viscosity of the cell
    viscosity: 3e3, "Pa s";
    /// Inertia of its layers
    mass: 0.1, "kg";
    /// Time step
    dt: 2e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "cell-stress",
    title: "a lattice in a periodic cell that holds a shear stress",
    group: Group::Invariance,
    sources: &[LEES_1972, DUFFY_1957],
    setup: "Spheres that overlap on a face-centred cubic lattice fill a periodic cell, whose layers give way until the spheres bear a \
            shear stress, one way and the other.",
    exact: "−P_xy(γ) = τ with P_ij = Σ F d_i d_j/|d| / 2v over the neighbours of a sphere; γ = τ/G for little stress; work and losses",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// So much of the stress is little: its square is lost.
const LITTLE: f64 = 1e-3;
/// Steps until all is at rest.
const STEPS: u64 = 15_000;

impl Setup {
    fn spheres(self) -> Spheres {
        let Self { radius, density, young, poisson, overlap, .. } = self;
        Spheres { radius, density, young, poisson, overlap }
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    // The simple cubic one gives way to any shear where nothing rubs: pressed columns lean over.
    let [_, lattice] = &LATTICES;
    let borne = |strain: f64| -lattice.pressure(theory.spheres(), strain, [0, 1]);
    for (sign, name) in [(1.0, "along"), (-1.0, "against")] {
        let (strain, missing) = held(lattice, simulation, sign * simulation.stress)?;
        let exact = solve(&borne, sign * theory.stress);
        let what = format!("{}: strain {name} the flow", lattice.name);
        outcome.findings.push(equals(what, exact, strain, 1e-6, "what viscosity has left of the motion"));
        let what = format!("{}: missing in the books, {name}", lattice.name);
        let reason = "of what was put in; of second order in the step";
        outcome.findings.push(Finding::alone(what, missing, Band::AtMost(1e-4), reason));
    }
    let modulus = (borne(1e-6) - borne(-1e-6)) / 2e-6;
    let (strain, _) = held(lattice, simulation, LITTLE * simulation.stress)?;
    let what = format!("{}: strain of little stress", lattice.name);
    let exact = LITTLE * theory.stress / modulus;
    outcome.findings.push(equals(what, exact, strain, 1e-4, "γ = τ/G but for squares of the strain"));
    Ok(outcome)
}

/// Where an odd function that grows is this value, by halving.
fn solve(function: &dyn Fn(f64) -> f64, value: f64) -> f64 {
    let (mut low, mut high) = (-0.02, 0.02);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if function(middle) < value { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The strain of a lattice that bears a shear stress at rest, and what is missing in its books by what was put in.
fn held(lattice: &Lattice, setup: Setup, stress: f64) -> Result<(f64, f64), Error> {
    let shear = Shear { flow: 0, gradient: 1, drive: ShearDrive::Stress { stress } };
    let mut engine = lattice.engine(setup.spheres(), (shear, setup.mass, setup.viscosity), setup.dt)?;
    let before = engine.ledger().balance();
    engine.advance(STEPS)?;
    let ledger = engine.ledger();
    let missing = (ledger.balance() - before).abs() / ledger.cell_work.unwrap_or(f64::NAN);
    let cell = engine.cell().ok_or(Error::Never { what: "a cell", steps: 0 })?;
    Ok((cell.shear, missing))
}
