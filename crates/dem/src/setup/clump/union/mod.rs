//! The union of spheres: volume, centroid and inertia in closed form.
//!
//! By the divergence theorem, ∫f dV = 1/(3 + d) ∮ f (x·n) dA for a homogeneous f of degree d, so all that is
//! needed is the moments of the outward normal over the exposed part of each sphere (`patch`). Those reduce
//! to integrals along the circular arcs that bound it (`arcs`), where spheres meet.
//!
//! Everything that two or three spheres share, circles and corners, is computed once from the same bits for
//! all of them, so that the boundary of every patch closes whatever the rounding. What remains delicate are
//! exact ties, such as three spheres through one circle. There the union is evaluated for radii changed by
//! ±ε and averaged: it is differentiable in the radii, so the error is of order ε², below rounding.

mod arcs;
mod gradient;
mod patch;

pub use gradient::UnionMoments;

use super::ClumpSphere;
use super::mass::{MassProperties, dyad, middle};
use arcs::Surface;
use patch::Patch;
use tumble_math::{Lab, LabVec, SymTensor};

/// Relative change of the radii that resolves ties.
const RADIUS_CHANGE: f64 = 1e-8;

/// A sphere that sticks out of another by less than this, relative to its radius, counts as inside.
const INSIDE: f64 = 1e-13;

/// Whether the union of spheres can be computed in seconds, judged by how many spheres each overlaps: the time grows with
/// the square of that, and so does the memory.
pub fn is_integrable(spheres: &[ClumpSphere]) -> bool {
    /// Pairs of neighbours of one sphere, and spheres that are compared along x.
    const MOST: [f64; 2] = [3e7, 2e9];
    if spheres.len() < 300 {
        return true;
    }
    // How many begin while each lasts, along one axis alone: never fewer than overlap it.
    let work = |along: fn(LabVec<f64>) -> f64| {
        let mut spans: Vec<(f64, f64)> =
            spheres.iter().map(|s| (along(s.centre) - s.radius, along(s.centre) + s.radius)).collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        spans.iter().enumerate().fold([0.0; 2], |[squares, sum], (number, (_, end))| {
            let neighbours = spans[number..].partition_point(|(start, _)| start < end) as f64;
            [squares + neighbours * neighbours, sum + neighbours]
        })
    };
    let axes = [work(|v| v.x), work(|v| v.y), work(|v| v.z)];
    axes.iter().any(|[squares, _]| *squares < MOST[0]) && axes[0][1] < MOST[1]
}

/// The properties of the union of spheres with finite centres and positive radii.
pub(super) fn properties(spheres: &[ClumpSphere]) -> MassProperties {
    let origin = middle(spheres);
    let size = spheres.iter().fold(0.0, |size, s| f64::max(size, (s.centre - origin).norm() + s.radius));
    // A power of two: changing the unit of length then costs no digit.
    let unit = f64::from_bits(size.to_bits() & f64::INFINITY.to_bits());
    let scaled: Vec<_> = spheres
        .iter()
        .map(|s| ClumpSphere { centre: (s.centre - origin) * (1.0 / unit), radius: s.radius / unit })
        .collect();
    let (exact, tie) = integrals(&scaled);
    let integrals = if tie {
        let [smaller, larger] = [-RADIUS_CHANGE, RADIUS_CHANGE].map(|change| {
            integrals(&scaled.iter().map(|&s| with_radius_change(s, change)).collect::<Vec<_>>()).0
        });
        smaller.mean(&larger)
    } else {
        exact
    };

    let cube = unit * unit * unit;
    MassProperties::from_moments(
        origin,
        integrals.volume * cube,
        integrals.first * (cube * unit),
        integrals.second * (cube * unit * unit),
    )
}

/// The spheres that are not inside another one; of equal ones the first.
fn outermost(spheres: &[ClumpSphere]) -> Vec<ClumpSphere> {
    outermost_numbers(spheres).into_iter().map(|number| spheres[number]).collect()
}

/// Their numbers.
fn outermost_numbers(spheres: &[ClumpSphere]) -> Vec<usize> {
    let mut inside = vec![false; spheres.len()];
    arcs::for_each_near_pair(spheres, |i, j| {
        let distance = (spheres[j].centre - spheres[i].centre).norm();
        let (ri, rj) = (spheres[i].radius, spheres[j].radius);
        let (small, large) = if rj < ri || (ri.to_bits() == rj.to_bits() && i < j) { (j, i) } else { (i, j) };
        let sticks_out = distance + (spheres[small].radius - spheres[large].radius);
        if sticks_out <= INSIDE * spheres[small].radius {
            inside[small] = true;
        }
    });
    (0..spheres.len()).filter(|&number| !inside[number]).collect()
}

/// A change that no symmetry of the clump respects, and that hardly differs between spheres that hardly
/// differ: the union has a kink where two spheres coincide.
fn with_radius_change(sphere: ClumpSphere, change: f64) -> ClumpSphere {
    let direction = LabVec::new(0.231_7, 0.117_3, -0.179_9);
    let factor = 1.0 + sphere.centre.dot(direction) + 0.05 * sphere.radius;
    ClumpSphere { radius: sphere.radius * (1.0 + change * factor), ..sphere }
}

/// ∫dV, ∫x dV and ∫x xᵀ dV.
struct Integrals {
    volume: f64,
    first: LabVec<f64>,
    second: SymTensor<f64, Lab>,
}

impl Integrals {
    fn zero() -> Self {
        Self { volume: 0.0, first: LabVec::zero(), second: dyad(LabVec::zero(), LabVec::zero()) }
    }

    fn mean(&self, other: &Self) -> Self {
        Self {
            volume: 0.5 * (self.volume + other.volume),
            first: (self.first + other.first) * 0.5,
            second: (self.second + other.second) * 0.5,
        }
    }

    /// The share of the exposed part of one sphere.
    fn add(&mut self, &ClumpSphere { centre: c, radius: r }: &ClumpSphere, patch: &Patch) {
        let square = r * r;
        let flux = c.dot(patch.normal) + r * patch.solid_angle;
        let along_centre = patch.normal_normal * c;
        self.volume += square * flux / 3.0;
        // ∫x dV = ½ ∮ |x|² n dA needs no moment of third order.
        self.first = self.first
            + (patch.normal * (c.norm_squared() + square) + along_centre * (2.0 * r)) * (0.5 * square);
        let second = dyad(c, c) * flux
            + dyad(c, along_centre) * (2.0 * r)
            + dyad(c, patch.normal) * (2.0 * square)
            + patch.third_along_centre * square
            + patch.normal_normal * (square * r);
        self.second = self.second + second * (0.2 * square);
    }
}

/// The integrals over the union, and whether a tie made its topology doubtful.
fn integrals(spheres: &[ClumpSphere]) -> (Integrals, bool) {
    let spheres = outermost(spheres);
    let surface = Surface::new(&spheres);
    let mut sum = Integrals::zero();
    for (sphere, arcs) in spheres.iter().zip(&surface.boundaries) {
        sum.add(sphere, &Patch::new(sphere.centre, arcs));
    }
    (sum, surface.tie)
}
