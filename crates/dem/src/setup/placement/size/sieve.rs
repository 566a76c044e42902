//! The smallest square opening that a clump passes.
//!
//! T. Allen, *Powder Sampling and Particle Size Determination*, Elsevier (2003), defines the sieve diameter as the width of the minimum
//! square aperture through which the particle will pass. A body goes straight through an opening along d if its outline along d fits into
//! it. With two sides u and v of the square, perpendicular to each other, that takes the larger of its widths along u and v, so
//!
//! size = min over u ⊥ v of max(w(u), w(v)), w(u) = max (c·u + r) − min (c·u − r) over all spheres; of an ellipsoid
//! r² = Σ (a·u)² over its three semi-axes a.
//!
//! Widths are those of the convex hull: holes of a body do not help it, nor does turning on the way.
//!
//! The minimum over all orientations is searched for: from the best of an even set of them, each made better by small turns that are halved
//! when none helps. Widths have kinks, at which fixed directions of search get stuck; so half of them are drawn, always the same.

use crate::clump::{ClumpTemplate, TemplateSphere};
use crate::random::Random;
use core::f64::consts::{FRAC_PI_2, PI};
use tumble_math::elementary::sin_cos;
use tumble_math::{BodyVec, LabVec, Quat};

/// Directions of view that are tried, on a half sphere, and angles about each.
const DIRECTIONS: u32 = 400;
const ANGLES: u32 = 12;

/// How many of them are made better.
const BEST: usize = 12;

/// The first turns, as parts of a quaternion: about as far as two of the set are apart.
const FIRST_TURN: f64 = 0.05;

/// Turns smaller than this make widths differ by less than 10⁻⁹.
const LAST_TURN: f64 = 1e-10;

/// A side that is shorter by less than this part is no better.
const NO_BETTER: f64 = 1e-11;

/// Directions of turns that are drawn for each length.
const DRAWN: usize = 24;

/// Something with a width: a sphere, or an ellipsoid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    centre: BodyVec<f64>,
    radius: f64,
    /// Of an ellipsoid, instead of the radius.
    semi_axes: Option<[BodyVec<f64>; 3]>,
}

impl Extent {
    fn of_sphere(sphere: &TemplateSphere) -> Self {
        Self { centre: sphere.centre, radius: sphere.radius, semi_axes: None }
    }

    /// Those of a template.
    pub(super) fn of_ellipsoids(template: &ClumpTemplate) -> Vec<Self> {
        let centre = |number: usize| template.spheres()[number].centre;
        let ellipsoid = |[first, a, b, c]: [usize; 4]| Self {
            centre: centre(first),
            radius: template.spheres()[first].radius,
            semi_axes: Some([a, b, c].map(|tip| centre(tip) - centre(first))),
        };
        template.ellipsoids().map(ellipsoid).collect()
    }

    /// How far it reaches along a unit vector from its centre.
    fn height(&self, along: BodyVec<f64>) -> f64 {
        self.semi_axes.map_or(self.radius, |axes| {
            let square = |axis: BodyVec<f64>| axis.dot(along) * axis.dot(along);
            axes.map(square).iter().sum::<f64>().sqrt()
        })
    }

    /// Its farthest point that way.
    fn farthest(&self, along: BodyVec<f64>) -> BodyVec<f64> {
        let height = self.height(along);
        let arm = self.semi_axes.map_or(along * self.radius, |[a, b, c]| {
            (a * a.dot(along) + b * b.dot(along) + c * c.dot(along)) * (1.0 / height)
        });
        self.centre + arm
    }
}

/// What a template is made of.
pub(super) fn extents(template: &ClumpTemplate) -> Vec<Extent> {
    let spheres = &template.spheres()[..template.touching_spheres()];
    spheres.iter().map(Extent::of_sphere).chain(Extent::of_ellipsoids(template)).collect()
}

/// Steps of the search for the two farthest points of two extents.
const STEPS_APART: usize = 200;

/// The largest distance between a point of an ellipsoid and one of it or of another piece, m. The distance along the line between two farthest points
/// grows from step to step; searches begin along all semi-axes.
pub(super) fn longest(ellipsoids: &[Extent], spheres: &[TemplateSphere]) -> f64 {
    let mut longest: f64 = 0.0;
    for (number, own) in ellipsoids.iter().enumerate() {
        let others = ellipsoids[number..].iter().copied().chain(spheres.iter().map(Extent::of_sphere));
        for other in others {
            let between = own.centre - other.centre;
            let starts = [own, &other].into_iter().flat_map(|extent| extent.semi_axes.into_iter().flatten());
            for start in
                starts.flat_map(|axis| [axis, -axis]).chain([between]).filter(|start| start.norm() > 0.0)
            {
                let mut along = start * (1.0 / start.norm());
                for _ in 0..STEPS_APART {
                    let apart = own.farthest(along) - other.farthest(-along);
                    longest = longest.max(apart.norm());
                    along = apart * (1.0 / apart.norm());
                }
            }
        }
    }
    longest
}

/// The smallest square opening that these pass together, m.
pub(super) fn opening(spheres: &[Extent]) -> f64 {
    if let [Extent { radius, semi_axes: None, .. }] = spheres {
        return 2.0 * radius;
    }
    let mut starts: Vec<(f64, Quat<f64>)> = (0..DIRECTIONS)
        .flat_map(|number| (0..ANGLES).map(move |angle| orientation(number, angle)))
        .map(|q| (side(spheres, q), q))
        .collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut random = Random::new(1);
    let best = starts.into_iter().take(BEST).map(|start| improved(spheres, start, &mut random));
    best.fold(f64::INFINITY, f64::min)
}

/// The side of the square that the spheres need when their x and y axes are turned to those of the square.
fn side(spheres: &[Extent], q: Quat<f64>) -> f64 {
    let axes = [LabVec::new(1.0, 0.0, 0.0), LabVec::new(0.0, 1.0, 0.0)];
    let [u, v] = axes.map(|axis| width(spheres, q.to_body(axis)));
    if u < v { v } else { u }
}

fn width(spheres: &[Extent], along: BodyVec<f64>) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for sphere in spheres {
        let (place, height) = (sphere.centre.dot(along), sphere.height(along));
        low = low.min(place - height);
        high = high.max(place + height);
    }
    high - low
}

/// One of an even set: z along a spiral over the half sphere, then turned about it.
fn orientation(number: u32, angle: u32) -> Quat<f64> {
    const GOLDEN: f64 = 2.399_963_229_728_653;
    let height = 1.0 - (f64::from(number) + 0.5) / f64::from(DIRECTIONS);
    // By half the angle between z and the direction, about an axis across both.
    let (sine, cosine) = ((0.5 * (1.0 - height)).sqrt(), (0.5 * (1.0 + height)).sqrt());
    let (y, x) = sin_cos((f64::from(number) * GOLDEN) % (2.0 * PI));
    let tilt = Quat::from_array([cosine, -y * sine, x * sine, 0.0]);
    let (sine, cosine) = sin_cos(0.5 * FRAC_PI_2 * f64::from(angle) / f64::from(ANGLES));
    Quat::from_array([cosine, 0.0, 0.0, sine]) * tilt
}

/// The side after small turns have made it as short as they can.
fn improved(spheres: &[Extent], (mut least, mut q): (f64, Quat<f64>), random: &mut Random) -> f64 {
    let mut length = FIRST_TURN;
    while length > LAST_TURN {
        let fixed = (0..27_u8)
            .filter(|number| *number != 13)
            .map(|number| [number % 3, number / 3 % 3, number / 9].map(|part| f64::from(part) - 1.0));
        let drawn: Vec<[f64; 3]> = (0..DRAWN).map(|_| random.direction().to_array()).collect();
        let tried = fixed.chain(drawn).map(|[x, y, z]| {
            let turn = Quat::from_array([1.0, length * x, length * y, length * z]).normalised();
            let turned = (turn * q).normalised();
            (side(spheres, turned), turned)
        });
        let best =
            tried.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(side, _)| *side < least * (1.0 - NO_BETTER));
        match best {
            Some((side, turned)) => (least, q) = (side, turned),
            None => length *= 0.5,
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clump::{ClumpSphere, MassModel};

    fn opening_of(spheres: &[([f64; 3], f64)]) -> f64 {
        // As it comes, turned into no special direction.
        let q = Quat::from_array([0.3, 0.5, -0.7, 0.4]).normalised();
        let turned = |([x, y, z], radius): ([f64; 3], f64)| {
            ClumpSphere::new(q.to_lab(BodyVec::new(x, y, z)).to_array(), radius)
        };
        let spheres: Vec<ClumpSphere> = spheres.iter().copied().map(turned).collect();
        opening(&extents(&ClumpTemplate::new("test", &spheres, MassModel::Union).unwrap()))
    }

    fn close(found: f64, exact: f64) {
        assert!((found - exact).abs() < 1e-7 * exact, "{found} instead of {exact}");
    }

    #[test]
    fn spheres_rods_cubes_and_plates() {
        let root = 2.0_f64.sqrt();
        close(opening_of(&[([0.0; 3], 0.7)]), 1.4);
        close(opening_of(&[([0.0; 3], 0.7), ([1.0, 0.0, 0.0], 0.7)]), 1.4);
        close(opening_of(&[([0.0; 3], 0.7), ([1.0, 0.0, 0.0], 0.5), ([2.0, 0.0, 0.0], 0.6)]), 1.4);
        // The corners of a cube: |u₁| + |u₂| + |u₃| is never less than 1, so nothing is better than a side.
        let cube: Vec<([f64; 3], f64)> = (0..8_u8)
            .map(|n| ([n & 1, n >> 1 & 1, n >> 2 & 1].map(|bit| 2.0 * f64::from(bit) - 1.0), 0.25))
            .collect();
        close(opening_of(&cube), 2.5);
        // A square plate goes through on its edge, along the diagonal of the opening.
        let plate: Vec<([f64; 3], f64)> =
            [[1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]]
                .map(|at| (at, 0.1))
                .to_vec();
        close(opening_of(&plate), root + 0.2);
        // Three spheres in a right angle go through on edge as well: their triangle has the height 1/√2, and its base lies on the diagonal.
        let bend = [([0.0; 3], 0.1), ([1.0, 0.0, 0.0], 0.1), ([0.0, 1.0, 0.0], 0.1)];
        let found = opening_of(&bend);
        assert!(found <= 0.5 + 0.2 + 1e-7 && found > 0.2, "{found}");
    }

    /// No orientation of many is better.
    #[test]
    fn nothing_is_better_by_chance() {
        let mut random = Random::new(11);
        for _ in 0..4 {
            let spheres: Vec<([f64; 3], f64)> = (0..6)
                .map(|_| (core::array::from_fn(|_| random.between(-1.0, 1.0)), random.between(0.2, 0.6)))
                .collect();
            let spheres: Vec<ClumpSphere> =
                spheres.iter().map(|(at, radius)| ClumpSphere::new(*at, *radius)).collect();
            let template = ClumpTemplate::new("test", &spheres, MassModel::Union).unwrap();
            let found = opening(&extents(&template));
            let by_chance = (0..20_000).map(|_| side(&extents(&template), random.orientation()));
            let best = by_chance.fold(f64::INFINITY, f64::min);
            assert!(found <= best && found > 0.95 * best, "{found} {best}");
        }
    }
}
