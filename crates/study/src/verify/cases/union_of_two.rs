//! Two overlapping spheres: mass, centre and moments of their union in closed form.

use crate::verify::citations::AVIS_1988;
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties};
use tumble_report::Outcome;

setup! {
    /// Radius of the first sphere
    first: 0.01, "m";
    /// Radius of the second sphere
    second: 0.007, "m";
    /// Distance of their centres
    distance: 0.008, "m";
}

pub(super) const CASE: Case = Case {
    id: "union-of-two",
    title: "mass properties of two overlapping spheres",
    group: Group::Shape,
    sources: &[AVIS_1988],
    setup: "A clump of two spheres of different size. Where they overlap, mass counts once. Counted twice, as codes do that \
            sum over spheres, the volume would be a sixth too large.",
    exact: "the plane of their common circle cuts the union into two capped balls, whose integrals of 1, z, z² and x² are \
            polynomials",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// ∫1, ∫z, ∫z² and ∫x² over the part below z = h of a ball of radius r about the origin.
fn below(r: f64, h: f64) -> [f64; 4] {
    let power = |n: i32| h.powi(n) - (-r).powi(n);
    let square = r * r;
    [
        PI * (square * power(1) - power(3) / 3.0),
        PI * (square * power(2) / 2.0 - power(4) / 4.0),
        PI * (square * power(3) / 3.0 - power(5) / 5.0),
        PI / 4.0 * (square * square * power(1) - 2.0 * square * power(3) / 3.0 + power(5) / 5.0),
    ]
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let Setup { first, second, distance } = theory;
    let height = (distance * distance + first * first - second * second) / (2.0 * distance);
    let [v1, z1, zz1, xx1] = below(first, height);
    // The second one is upside down about z = distance.
    let [v2, z2, zz2, xx2] = below(second, distance - height);
    let volume = v1 + v2;
    let centre = (z1 + distance * v2 - z2) / volume;
    let along = zz1 + distance * distance * v2 - 2.0 * distance * z2 + zz2 - volume * centre * centre;
    let across = xx1 + xx2;

    let spheres = [
        ClumpSphere::new([0.0; 3], simulation.first),
        ClumpSphere::new([0.0, 0.0, simulation.distance], simulation.second),
    ];
    let ours = MassProperties::new(&spheres, MassModel::Union)?;
    let reason = "both are closed forms: nothing but rounding";
    let moments = ours.inertia.diagonal;
    let findings = vec![
        equals("volume (m³)", volume, ours.volume, 1e-14, reason),
        equals("centre of mass (m)", centre, ours.centre.z, 1e-14, reason),
        equals("moment about the axis over ρ (m⁵)", 2.0 * across, moments.z, 1e-14, reason),
        equals("moment across the axis over ρ (m⁵)", across + along, moments.x, 1e-14, reason),
    ];
    Ok(Outcome { findings, ..Outcome::default() })
}
