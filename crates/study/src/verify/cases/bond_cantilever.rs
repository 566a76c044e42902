//! A cantilever of bonded spheres under a small load: Timoshenko's deflection, however few bonds there are.

use crate::verify::arrange::X;
use crate::verify::beam::Cantilever;
use crate::verify::citations::{COWPER_1966, KUZKIN_2012};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use tumble_dem::LabVec;
use tumble_dem::bond::{Beam, BeamModel};
use tumble_dem::field::Load;
use tumble_report::Outcome;

setup! {
    /// Length
    length: 0.1, "m";
    /// Radius of the cross-section
    radius: 0.01, "m";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Deflection of a slender beam, over the length
    deflection: 1e-4, "";
}

pub(super) const CASE: Case = Case {
    id: "bond-cantilever",
    title: "a thick cantilever of bonds under a small load",
    group: Group::Bonds,
    sources: &[KUZKIN_2012, COWPER_1966],
    setup: "A row of bonded spheres is held at one end and loaded at the other; a fluid brings it to rest. Once with 5 and once with 10 bonds.",
    exact: "Timoshenko's tip is lowered by FL³/3EI + FL/κGA and turned by FL²/2EI; pieces of a beam that are loaded at their ends alone bend as \
            the whole does, so the number of bonds does not matter",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn cantilever(setup: Setup, bonds: u32) -> Cantilever {
    let Setup { length, radius, young, poisson, .. } = setup;
    let beam = Beam { model: BeamModel::Timoshenko, young, poisson, radius };
    Cantilever { beam, length, bonds }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = cantilever(theory, 1);
    let (length, rigidity) = (theory.length, exact.rigidity());
    let force = 3.0 * rigidity * theory.deflection / (length * length);
    let kappa = 6.0 * (1.0 + theory.poisson) / (7.0 + 6.0 * theory.poisson);
    let g = theory.young / (2.0 * (1.0 + theory.poisson));
    let lowered = theory.deflection * length + force * length / (kappa * g * exact.beam.area());
    let turned = force * length * length / (2.0 * rigidity);
    let mut outcome = Outcome::default();
    for bonds in [5, 10] {
        let beam = cantilever(simulation, bonds);
        let engine = beam.at_rest(Load { force: X * force, torque: LabVec::zero() })?;
        let tip = engine.bodies()[bonds as usize];
        let reason = "the square of the slope is left out, and e⁻¹⁶ of the motion is left";
        outcome.findings.extend([
            equals(format!("{bonds} bonds: tip lowered (m)"), lowered, tip.position.x, 1e-5, reason),
            equals(format!("{bonds} bonds: tip turned (rad)"), turned, Cantilever::turn(&engine), 1e-5, reason),
        ]);
    }
    Ok(outcome)
}
