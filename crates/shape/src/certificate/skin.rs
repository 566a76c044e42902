//! The surface of a union of spheres, and the exact distance from it.
//!
//! Outside the union the distance is that from the nearest sphere. Inside, the nearest point of the surface is on a sphere, straight out from its centre; on
//! a circle in which two meet, nearest to the point; or where three meet: the nearest of those that no sphere covers.

use crate::Point;
use tumble_dem::clump::ClumpSphere;
use tumble_math::elementary::sin_cos;

pub(crate) struct Skin<'a> {
    pub(super) spheres: &'a [ClumpSphere],
    /// Spheres that each one overlaps.
    pub(super) neighbours: Vec<Vec<u32>>,
}

/// A point counts as covered if it is deeper than this in a sphere, relative to the radius.
const COVERED: f64 = 1e-10;

impl<'a> Skin<'a> {
    #[allow(clippy::cast_possible_truncation, reason = "clumps have at most a million spheres")]
    pub(crate) fn new(spheres: &'a [ClumpSphere]) -> Self {
        let overlaps = |i: usize, j: usize| {
            let reach = spheres[i].radius + spheres[j].radius;
            i != j && (spheres[i].centre - spheres[j].centre).norm_squared() < reach * reach
        };
        let neighbours = (0..spheres.len())
            .map(|i| (0..spheres.len()).filter(|&j| overlaps(i, j)).map(|j| j as u32).collect())
            .collect();
        Self { spheres, neighbours }
    }

    /// The distance from the union; inside, minus the depth in the sphere that it is deepest in.
    pub(super) fn signed_distance(&self, point: Point) -> f64 {
        self.spheres.iter().map(|s| (point - s.centre).norm() - s.radius).fold(f64::INFINITY, f64::min)
    }

    /// Whether no sphere covers a point, of those with these numbers.
    pub(super) fn is_exposed(&self, point: Point, among: &[u32]) -> bool {
        among.iter().all(|&j| {
            let s = &self.spheres[j as usize];
            (point - s.centre).norm() >= s.radius * (1.0 - COVERED)
        })
    }

    /// The distance from a point inside the union to its surface.
    pub(super) fn depth(&self, point: Point) -> f64 {
        let mut best = f64::INFINITY;
        let mut order: Vec<(f64, u32)> =
            (0..).zip(self.spheres).map(|(i, s)| (((point - s.centre).norm() - s.radius).abs(), i)).collect();
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(away, i) in &order {
            if away >= best {
                break;
            }
            let (sphere, around) = (&self.spheres[i as usize], &self.neighbours[i as usize]);
            let out = (point - sphere.centre).unit();
            let out = if out == Point::zero() { Point::new(0.0, 0.0, 1.0) } else { out };
            let on_sphere = sphere.centre + out * sphere.radius;
            if self.is_exposed(on_sphere, around) {
                best = best.min((on_sphere - point).norm());
            }
            self.nearest_rims(point, i, &mut best);
        }
        best
    }

    /// Where the surface has crevices: every point where three spheres meet, and some on the circles of two.
    pub(crate) fn crevices(&self) -> Vec<Point> {
        const ON_CIRCLE: u32 = 16;
        let mut found = Vec::new();
        for (i, around) in (0u32..).zip(&self.neighbours) {
            for &j in around.iter().filter(|&&j| j > i) {
                let (a, b) = (&self.spheres[i as usize], &self.spheres[j as usize]);
                let Some((middle, axis, radius)) = circle(a, b) else { continue };
                let (x, y) = (axis.cross(axis.farthest_axis()).unit(), axis);
                let y = y.cross(x);
                for step in 0..ON_CIRCLE {
                    let (sin, cos) = sin_cos(core::f64::consts::TAU * f64::from(step) / f64::from(ON_CIRCLE));
                    let point = middle + (x * cos + y * sin) * radius;
                    if self.is_exposed(point, around) {
                        found.push(point);
                    }
                }
                let also = &self.neighbours[j as usize];
                for &k in around.iter().filter(|&&k| k > j && also.binary_search(&k).is_ok()) {
                    let corners = corners(middle, axis, radius, &self.spheres[k as usize]);
                    found.extend(
                        corners.into_iter().flatten().filter(|&corner| self.is_exposed(corner, around)),
                    );
                }
            }
        }
        found
    }

    /// Points on the circles of a sphere with its neighbours, and its corners with two of them.
    fn nearest_rims(&self, point: Point, i: u32, best: &mut f64) {
        let a = &self.spheres[i as usize];
        let around = &self.neighbours[i as usize];
        let near = |j: u32| {
            let s = &self.spheres[j as usize];
            ((point - s.centre).norm() - s.radius).abs() < *best
        };
        let near: Vec<u32> = around.iter().copied().filter(|&j| near(j)).collect();
        for (place, &j) in near.iter().enumerate() {
            let Some((middle, axis, radius)) = circle(a, &self.spheres[j as usize]) else { continue };
            let offset = point - middle;
            let across = offset - axis * axis.dot(offset);
            let towards = across.unit();
            let towards =
                if towards == Point::zero() { axis.cross(axis.farthest_axis()).unit() } else { towards };
            let on_circle = middle + towards * radius;
            if (on_circle - point).norm() < *best && self.is_exposed(on_circle, around) {
                *best = (on_circle - point).norm();
            }
            for &k in &near[place + 1..] {
                for corner in corners(middle, axis, radius, &self.spheres[k as usize]).into_iter().flatten() {
                    if (corner - point).norm() < *best && self.is_exposed(corner, around) {
                        *best = (corner - point).norm();
                    }
                }
            }
        }
    }
}

/// Centre, axis and radius of the circle in which two spheres meet.
fn circle(a: &ClumpSphere, b: &ClumpSphere) -> Option<(Point, Point, f64)> {
    let between = b.centre - a.centre;
    let distance = between.norm();
    let along = 0.5 * (distance + (a.radius - b.radius) * (a.radius + b.radius) / distance);
    let square = (a.radius - along) * (a.radius + along);
    (distance > 0.0 && square > 0.0).then(|| {
        let axis = between * (1.0 / distance);
        (a.centre + axis * along, axis, square.sqrt())
    })
}

/// Where a circle meets a sphere.
fn corners(middle: Point, axis: Point, radius: f64, sphere: &ClumpSphere) -> [Option<Point>; 2] {
    let offset = sphere.centre - middle;
    let across = offset - axis * axis.dot(offset);
    let lateral = across.norm();
    // |middle + radius e − centre|² = r² for e·across = reach.
    let reach = (radius * radius + offset.norm_squared() - sphere.radius * sphere.radius) / (2.0 * radius);
    if !(lateral > 0.0 && reach.abs() < lateral) {
        return [None; 2];
    }
    let (x, y) = (across * (1.0 / lateral), axis.cross(across) * (1.0 / lateral));
    let cos = reach / lateral;
    let sin = (1.0 - cos * cos).sqrt();
    [sin, -sin].map(|sin| Some(middle + (x * cos + y * sin) * radius))
}
