//! A slender cantilever of bonds that is bent far: Euler's elastica, and a full circle.

use crate::verify::arrange::{X, Y};
use crate::verify::beam::Cantilever;
use crate::verify::citations::{KUZKIN_2012, MATTIASSON_1981};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals};
use crate::verify::{Case, Error, Group};
use core::f64::consts::TAU;
use tumble_dem::LabVec;
use tumble_dem::bond::{Beam, BeamModel};
use tumble_dem::field::Load;
use tumble_report::{Axis, Figure, Finding, Mark, Outcome, Panel, Series};

setup! {
    /// Length
    length: 1.0, "m";
    /// Radius of the cross-section under the force
    radius: 0.025, "m";
    /// Radius of the cross-section under the moment, over the length of a bond
    thickness: 0.5, "";
    /// Young's modulus
    young: 1e8, "Pa";
    /// FL²/EI of the load at the tip
    load: 1.0, "";
    /// ML/EI of the moment at the tip, over 2π
    circles: 1.0, "";
}

pub(super) const CASE: Case = Case {
    id: "bond-elastica",
    title: "a slender cantilever of bonds that is bent far",
    group: Group::Bonds,
    sources: &[MATTIASSON_1981, KUZKIN_2012],
    setup: "A row of bonded spheres is held at one end; at the other one a force that keeps its direction bends it, or a moment bends it to a \
            circle. A fluid brings it to rest. With 10, 20 and 40 bonds of Bernoulli and Euler under the force, of Timoshenko under the moment.",
    exact: "Euler's elastica at FL²/EI = 1: the tip is turned by 0.46135, lowered by 0.30172 L and at 0.94357 L (elliptic integrals; Mattiasson's \
            tables agree to their digits); a moment 2πEI/L closes a circle",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Turn, drop and reach of the tip under the load 1.
const ELASTICA: [f64; 3] = [0.461_35, 0.301_72, 0.943_57];

const BONDS: [u32; 3] = [10, 20, 40];

/// A slender beam of Bernoulli and Euler, as the elastica is.
fn slender(setup: Setup, bonds: u32) -> Cantilever {
    let Setup { length, radius, young, .. } = setup;
    Cantilever {
        beam: Beam { model: BeamModel::BernoulliEuler, young, poisson: 0.25, radius },
        length,
        bonds,
    }
}

/// A beam of Timoshenko, whose thickness does not matter under a moment alone: bonds are all alike.
fn stout(setup: Setup, bonds: u32) -> Cantilever {
    let Setup { length, young, .. } = setup;
    let radius = setup.thickness * length / f64::from(bonds);
    Cantilever { beam: Beam { model: BeamModel::Timoshenko, young, poisson: 0.25, radius }, length, bonds }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let length = theory.length;
    let reason = "with 40 bonds; what is left falls with the square of their length";
    let mut bent = Vec::new();
    let mut settling = [Vec::new(), Vec::new()];
    for bonds in BONDS {
        let force = X * (simulation.load * slender(theory, bonds).rigidity() / (length * length));
        let beam = slender(simulation, bonds);
        let engine = beam.at_rest(Load { force, torque: LabVec::zero() })?;
        let tip = engine.bodies()[bonds as usize];
        let found = [Cantilever::turn(&engine), tip.position.x / length, tip.position.z / length];
        settling[0].push(found[1]);
        if bonds == BONDS[2] {
            let what = ["force: tip turned (rad)", "force: tip lowered, of L", "force: tip reaches, of L"];
            let all = what.iter().zip(ELASTICA).zip(found);
            outcome.findings.extend(all.map(|((what, exact), found)| equals(*what, exact, found, 5e-3, reason)));
            bent.push(("under a force", engine.bodies()));
        }
        let torque = Y * (simulation.circles * TAU * stout(theory, bonds).rigidity() / length);
        let beam = stout(simulation, bonds);
        let engine = beam.at_rest(Load { force: LabVec::zero(), torque })?;
        let turn = Cantilever::turn(&engine);
        settling[1].push(turn);
        if bonds == BONDS[2] {
            let gap = engine.bodies()[bonds as usize].position.norm() / length;
            outcome.findings.extend([
                equals("moment: tip turned (rad)", TAU, turn, 5e-3, reason),
                at_most("moment: gap of the circle, of L", gap, 5e-3, reason),
            ]);
            bent.push(("under a moment", engine.bodies()));
        }
    }
    for (what, found) in ["force", "moment"].iter().zip(&settling) {
        outcome.findings.push(order(what, found));
    }
    let series = bent.iter().map(|(name, bodies)| {
        let points = bodies.iter().map(|body| (body.position.z / length, -body.position.x / length)).collect();
        Series::new(*name, points, Mark::LinePoints)
    });
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("along the beam, over its length"),
        y: Axis::linear("across, over its length"),
        series: series.collect(),
    };
    let figure = Figure { title: "40 bonds at rest".into(), panels: vec![panel] };
    outcome.figures.push(("bond-elastica".into(), figure));
    Ok(outcome)
}

/// The order with which a number settles as bonds get shorter.
fn order(what: &str, found: &[f64]) -> Finding {
    let order = ((found[0] - found[1]) / (found[1] - found[2])).abs().log2();
    let reason = "from what 10, 20 and 40 bonds give: the exact value has no part in it";
    equals(format!("{what}: order in the length of bonds"), 2.0, order, 0.1, reason)
}
