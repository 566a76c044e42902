//! A chess piece of about a hundred spheres: mass, centre and inertia against another kind of integration.

use crate::verify::citations::AVIS_1988;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::{ClumpSphere, MassModel, MassProperties, shapes};
use tumble_report::Outcome;
use tumble_rotation::citations::DEL_VALLE_2024;

setup! {
    /// Height of the knight
    height: 0.06, "m";
    /// Columns along each of two axes
    columns: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "union-of-many",
    title: "mass properties of a chess knight of a hundred spheres",
    group: Group::Shape,
    sources: &[AVIS_1988, DEL_VALLE_2024],
    setup: "The union of the spheres of a knight, as the engine computes it in closed form from the pieces of its surface.",
    exact: "the body is cut into a million columns, in each of which the spheres cover intervals that are merged; only the \
            sum over columns is a quadrature",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// ∫ over the union of 1, of x, y, z, and of xx, yy, zz, yz, xz, xy.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    volume: f64,
    first: [f64; 3],
    second: [f64; 6],
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = integrate(&shapes::chess::knight(theory.height), theory.columns);
    let ours = MassProperties::new(&shapes::chess::knight(simulation.height), MassModel::Union)?;
    let centre = exact.first.map(|first| first / exact.volume);
    let about_centre =
        |i: usize, j: usize, which: usize| exact.second[which] - exact.volume * centre[i] * centre[j];
    let spread = [about_centre(0, 0, 0), about_centre(1, 1, 1), about_centre(2, 2, 2)];
    let diagonal = [spread[1] + spread[2], spread[2] + spread[0], spread[0] + spread[1]];
    let products = [-about_centre(1, 2, 3), -about_centre(0, 2, 4), -about_centre(0, 1, 5)];
    let reason = "what 1000 × 1000 columns resolve of the rounded outline: some 10⁻⁵";
    let moments = ours.inertia.diagonal.to_array();
    let mut findings = vec![equals("volume (m³)", exact.volume, ours.volume, 1e-4, reason)];
    for (axis, exact, ours) in
        [("x", diagonal[0], moments[0]), ("y", diagonal[1], moments[1]), ("z", diagonal[2], moments[2])]
    {
        findings.push(equals(format!("moment about {axis} over ρ (m⁵)"), exact, ours, 1e-4, reason));
    }
    let off = |ours: [f64; 3], exact: [f64; 3]| {
        ours.iter().zip(exact).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    findings.push(at_most(
        "centre of mass: error over height",
        off(ours.centre.to_array(), centre) / theory.height,
        1e-4,
        reason,
    ));
    findings.push(at_most(
        "products of inertia: error",
        off(ours.inertia.off_diagonal.to_array(), products) / diagonal[0].max(diagonal[1]).max(diagonal[2]),
        1e-4,
        reason,
    ));
    Ok(Outcome { findings, ..Outcome::default() })
}

/// Sums over columns along x, whose middles stand on a square lattice over the outline in y and z.
fn integrate(spheres: &[ClumpSphere], columns: f64) -> Moments {
    let ends = |pick: fn(&ClumpSphere) -> f64| {
        spheres.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sphere| {
            (low.min(pick(sphere) - sphere.radius), high.max(pick(sphere) + sphere.radius))
        })
    };
    let (ys, zs) = (ends(|sphere| sphere.centre.y), ends(|sphere| sphere.centre.z));
    let (dy, dz) = ((ys.1 - ys.0) / columns, (zs.1 - zs.0) / columns);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some hundreds")]
    let count = columns as u32;
    let mut sum = Moments::default();
    let mut covered: Vec<(f64, f64)> = Vec::new();
    for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
        let (y, z) = (ys.0 + dy * (f64::from(i) + 0.5), zs.0 + dz * (f64::from(j) + 0.5));
        covered.clear();
        covered.extend(spheres.iter().filter_map(|sphere| {
            let (a, b) = (y - sphere.centre.y, z - sphere.centre.z);
            let square = sphere.radius * sphere.radius - a * a - b * b;
            (square > 0.0).then(|| (sphere.centre.x - square.sqrt(), sphere.centre.x + square.sqrt()))
        }));
        covered.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut end = f64::NEG_INFINITY;
        for &(from, to) in &covered {
            let from = from.max(end);
            if to > from {
                sum.add(from, to, (y, z), dy * dz);
                end = to;
            }
        }
    }
    sum
}

impl Moments {
    /// Adds the part of a column between two places along x.
    fn add(&mut self, from: f64, to: f64, (y, z): (f64, f64), area: f64) {
        let length = area * (to - from);
        let x = area * (to * to - from * from) / 2.0;
        let xx = area * (to * to * to - from * from * from) / 3.0;
        self.volume += length;
        for (sum, part) in self.first.iter_mut().zip([x, y * length, z * length]) {
            *sum += part;
        }
        let parts = [xx, y * y * length, z * z * length, y * z * length, x * z, x * y];
        for (sum, part) in self.second.iter_mut().zip(parts) {
            *sum += part;
        }
    }
}
