//! One bond, pulled, sheared, bent and twisted a little: the stiffness of the beam that it stands for.

use crate::verify::arrange::{X, Y, Z, add_sphere, world};
use crate::verify::citations::{COWPER_1966, KUZKIN_2012, POTYONDY_2004};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::bond::{Beam, BeamModel, Bond, BondKind, Limits, ParallelBond};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{Body, BodyId, Engine, LabVec, Quat, Settings};
use tumble_report::Outcome;

setup! {
    /// Length of the bond
    length: 0.02, "m";
    /// Radius of its cross-section
    radius: 0.004, "m";
    /// Young's modulus
    young: 1e9, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Normal over shear stiffness of a parallel bond
    ratio: 2.5, "";
    /// Strain that it is given
    strain: 1e-5, "";
}

pub(super) const CASE: Case = Case {
    id: "bond-loads",
    title: "one bond is pulled, sheared, bent and twisted",
    group: Group::Bonds,
    sources: &[KUZKIN_2012, COWPER_1966, POTYONDY_2004],
    setup: "Two spheres are bonded, and held where the bond is stretched, shifted, bent or twisted by a small strain; the force and the torque on the \
            second one are read. For each of the three beams, and for a parallel bond of the same modulus.",
    exact: "EA/a, 12EI/a³(1 + Φ) with Φ = 12EI/κGAa², EI/a and GJ/a; Φ = 0 for Bernoulli and Euler; GA/a and (1 − ν)E/(1 + ν)(1 − 2ν) for E in \
            tension and bending for a short cylinder; k̄ₙA, k̄ₛA, k̄ₙI and k̄ₛJ for a parallel bond with k̄ₙ = E/a",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let Setup { length: a, radius, young, poisson: nu, ratio, strain } = theory;
    let (area, moment) = (PI * radius * radius, PI * radius * radius * radius * radius / 4.0);
    let g = young / (2.0 * (1.0 + nu));
    let kappa = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu);
    let phi = 12.0 * young * moment / (kappa * g * area * a * a);
    let confined = young * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
    let clamped = 12.0 * young * moment / (a * a * a);
    let twist = 2.0 * g * moment / a;
    let (normal, across) = (young / a, young / a / ratio);
    let beams = [
        (Some(BeamModel::Timoshenko), [young * area / a, clamped / (1.0 + phi), young * moment / a, twist]),
        (Some(BeamModel::BernoulliEuler), [young * area / a, clamped, young * moment / a, twist]),
        (Some(BeamModel::ShortCylinder), [confined * area / a, g * area / a, confined * moment / a, twist]),
        (None, [normal * area, across * area, normal * moment, across * 2.0 * moment]),
    ];
    let mut outcome = Outcome::default();
    let reason = "strains are small, and their squares are what is left out";
    for (model, [axial, shear, bending, twist]) in beams {
        let name = model.map_or("parallel", BeamModel::name);
        let load = |shift: LabVec<f64>, turn: LabVec<f64>| loaded(simulation, model, shift, turn);
        let way = strain * a;
        let [pulled, _] = load(X * way, LabVec::zero())?;
        let [shifted, _] = load(Z * way, LabVec::zero())?;
        let [_, bent] = load(LabVec::zero(), Y * strain)?;
        let [_, twisted] = load(LabVec::zero(), X * strain)?;
        outcome.findings.extend([
            equals(format!("{name}: pulled (N)"), -axial * way, pulled.x, 1e-8, reason),
            equals(format!("{name}: shifted (N)"), -shear * way, shifted.z, 1e-8, reason),
            equals(format!("{name}: bent (N m)"), -bending * strain, bent.y, 1e-8, reason),
            equals(format!("{name}: twisted (N m)"), -twist * strain, twisted.x, 1e-8, reason),
        ]);
    }
    Ok(outcome)
}

/// Force and torque of a beam, or of a parallel bond, on the second of two bonded spheres, which is shifted by this, and turned by this against the first, each of them by half of it.
fn loaded(
    setup: Setup,
    model: Option<BeamModel>,
    shift: LabVec<f64>,
    turn: LabVec<f64>,
) -> Result<[LabVec<f64>; 2], Error> {
    let mut world = world(Material::new("glass", 2500.0, 1e7, 0.25), PairProperties::default());
    let sphere = add_sphere(&mut world, 0.4 * setup.length)?;
    let bodies = [LabVec::zero(), X * setup.length].map(|at| world.add_body(Body::at(sphere, at).held()));
    let Setup { length, radius, young, poisson, ratio, .. } = setup;
    let (kind, stiffness) = if let Some(model) = model {
        (BondKind::Beam, Beam { model, young, poisson, radius }.stiffness(length))
    } else {
        let disc = ParallelBond::of_modulus(young, ratio, length, radius);
        (BondKind::Parallel { at: 0.5 }, disc.stiffness())
    };
    world.bonds.push(Bond {
        bodies,
        arms: [LabVec::zero(); 2],
        kind,
        stiffness,
        damping: 0.0,
        limits: Limits::NONE,
        contact: false,
    });
    let mut engine = Engine::new(world, Settings::new(1e-6))?;
    let half = |side: f64| Quat::from_rotation_vector(turn * (0.5 * side));
    engine.set_pose(BodyId(0), LabVec::zero(), half(-1.0))?;
    engine.set_pose(BodyId(1), X * setup.length + shift, half(1.0))?;
    let second = engine.bodies()[1];
    Ok([second.force, second.torque])
}
