//! The circles in which spheres meet, and which arcs of them are exposed.
//!
//! Each circle belongs to two spheres, each corner to three. Both are computed from the spheres in the order
//! of their indices, whoever asks, so that all owners see the same bits and agree on whether a corner exists.

use super::super::ClumpSphere;
use super::patch::{Arc, Boundary, Rim};
use std::f64::consts::{PI, TAU};
use tumble_math::LabVec;
use tumble_math::elementary::{atan2, sin_cos};

/// Below this, relative to the spheres' size, a position does not tell one side of a sphere from the other.
const TIE: f64 = 1e-12;

/// The exposed surface of the union: the boundary of the exposed part of each sphere.
pub(super) struct Surface {
    /// One boundary for each sphere.
    pub boundaries: Vec<Boundary>,
    /// Whether three spheres pass through one circle or touch in one point, as far as can be told.
    pub tie: bool,
}

impl Surface {
    /// The surface of the union of spheres none of which is inside another.
    pub(super) fn new(spheres: &[ClumpSphere]) -> Self {
        let mut circles = Vec::new();
        for_each_near_pair(spheres, |i, j| {
            circles.extend(Circle::new(spheres, i.min(j), i.max(j)));
        });
        circles.sort_unstable_by_key(|circle| circle.pair);
        let mut neighbours = vec![Vec::new(); spheres.len()];
        for &Circle { pair: [i, j], .. } in &circles {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        for list in &mut neighbours {
            list.sort_unstable();
        }

        let mut surface = Self { boundaries: vec![Boundary::default(); spheres.len()], tie: false };
        let mut covered = Vec::new();
        for circle in &circles {
            covered.clear();
            let [i, j] = circle.pair;
            for k in common(&neighbours[i], &neighbours[j]) {
                surface.tie |= circle.cover(spheres, k, &mut covered);
            }
            surface.add(spheres, circle, &mut covered);
        }
        surface
    }

    /// Adds the circle and those arcs of it that no interval covers.
    fn add(&mut self, spheres: &[ClumpSphere], circle: &Circle, covered: &mut [(f64, f64)]) {
        covered.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let rims = circle.rims(spheres);
        for (boundary, rim) in circle.pair.into_iter().zip(rims) {
            self.boundaries[boundary].rims.push(rim);
        }
        let mut exposed = |from: f64, to: f64| {
            let (sin, cos) = sin_cos(0.5 * (from + to));
            let middle = circle.x_axis * cos + circle.y_axis * sin;
            for owner in circle.pair {
                let boundary = &mut self.boundaries[owner];
                let rim = boundary.rims.len() - 1;
                boundary.arcs.push(Arc { rim, middle, half_angle: 0.5 * (to - from) });
            }
        };
        let mut reached = 0.0;
        for &(from, to) in covered.iter() {
            if from > reached {
                exposed(reached, from);
            }
            reached = f64::max(reached, to);
        }
        if reached < TAU {
            exposed(reached, TAU);
        }
    }
}

/// Calls `visit` for each pair of spheres whose extents along x overlap.
pub(super) fn for_each_near_pair(spheres: &[ClumpSphere], mut visit: impl FnMut(usize, usize)) {
    let start = |i: usize| spheres[i].centre.x - spheres[i].radius;
    let mut order: Vec<_> = (0..spheres.len()).collect();
    order.sort_by(|&i, &j| start(i).total_cmp(&start(j)));
    for (position, &i) in order.iter().enumerate() {
        let end = spheres[i].centre.x + spheres[i].radius;
        order[position + 1..].iter().take_while(|&&j| start(j) <= end).for_each(|&j| visit(i, j));
    }
}

/// The circle in which two spheres meet.
struct Circle {
    /// The spheres, in ascending order.
    pair: [usize; 2],
    centre: LabVec<f64>,
    radius: f64,
    /// Unit vector from the first sphere to the second.
    axis: LabVec<f64>,
    /// Unit vectors in the plane of the circle, right-handed with the axis. Angles count from the first.
    x_axis: LabVec<f64>,
    y_axis: LabVec<f64>,
    /// The distance of the circle's centre from those of the spheres, positive towards the other one.
    heights: [f64; 2],
}

impl Circle {
    /// The circle of two spheres, where they meet in one.
    fn new(spheres: &[ClumpSphere], i: usize, j: usize) -> Option<Self> {
        let (ri, rj) = (spheres[i].radius, spheres[j].radius);
        let between = spheres[j].centre - spheres[i].centre;
        let distance = between.norm();
        // Twice the radius times the distance, squared, as Heron has it: nothing cancels at a touch.
        let heron = (ri + rj - distance) * (distance - (ri - rj)) * (distance + (ri - rj));
        if !(heron > 0.0 && ri + rj > distance) {
            return None;
        }
        let axis = between * (1.0 / distance);
        let shift = (ri - rj) * ((ri + rj) / distance);
        let heights = [0.5 * (distance + shift), 0.5 * (distance - shift)];
        let across = axis.cross(axis.farthest_axis());
        let x_axis = across * (1.0 / across.norm());
        Some(Self {
            pair: [i, j],
            centre: spheres[i].centre + axis * heights[0],
            radius: (heron * (ri + rj + distance)).sqrt() / (2.0 * distance),
            axis,
            x_axis,
            y_axis: axis.cross(x_axis),
            heights,
        })
    }

    /// The circle as each of its spheres sees it.
    fn rims(&self, spheres: &[ClumpSphere]) -> [Rim; 2] {
        [0, 1].map(|side| {
            let inverse = 1.0 / spheres[self.pair[side]].radius;
            let axis = if side == 0 { self.axis } else { -self.axis };
            Rim { axis, height: self.heights[side] * inverse, radius: self.radius * inverse }
        })
    }

    fn angle(&self, point: LabVec<f64>) -> f64 {
        let from_centre = point - self.centre;
        let angle = atan2(from_centre.dot(self.y_axis), from_centre.dot(self.x_axis));
        if angle < 0.0 { angle + TAU } else { angle }
    }

    /// Adds what sphere `k` covers of the circle to `covered`, as intervals within [0, 2π]. Returns whether
    /// it cannot be told.
    fn cover(&self, spheres: &[ClumpSphere], k: usize, covered: &mut Vec<(f64, f64)>) -> bool {
        let [i, j] = self.pair;
        let third = spheres[k];
        let offset = third.centre - self.centre;
        let across = offset - self.axis * self.axis.dot(offset);
        // Covered is e·offset > threshold, with e the unit vector from the circle's centre to its point.
        let distance = offset.norm();
        let threshold =
            0.5 * (self.radius + (distance - third.radius) * (distance + third.radius) / self.radius);
        let size = f64::max(third.radius, f64::max(spheres[i].radius, spheres[j].radius));
        let same_circle = across.norm() <= TIE * size && threshold.abs() * self.radius <= TIE * (size * size);

        let mut corners = [i, j, k];
        corners.sort_unstable();
        let corners = Corners::new(corners.map(|index| spheres[index]));
        let touch = corners.height_squared.abs() <= TIE * (size * size);
        let Some([below, above]) = corners.points() else {
            if threshold < 0.0 {
                covered.push((0.0, TAU));
            }
            return same_circle || touch;
        };
        // `above` lies ahead of k's direction as seen about the axis from i to j; k in between mirrors that.
        let (first, last) = if i < k && k < j { (above, below) } else { (below, above) };
        let from = self.angle(first);
        let to = self.angle(last);
        let to = if to < from { to + TAU } else { to };
        // An interval of rounding errors can be taken for its complement.
        if threshold > 0.0 && to - from > 1.5 * PI {
            return true;
        }
        if threshold < 0.0 && to - from < 0.5 * PI {
            covered.push((0.0, TAU));
            return true;
        }
        covered.push((from, f64::min(to, TAU)));
        if to > TAU {
            covered.push((0.0, to - TAU));
        }
        same_circle || touch
    }
}

/// The two points in which three spheres meet, mirror images in the plane of the centres.
struct Corners {
    foot: LabVec<f64>,
    normal: LabVec<f64>,
    height_squared: f64,
}

impl Corners {
    /// In the frame whose x axis runs from one centre to a second, and whose y axis points to the third. The
    /// nearest two come first: the plane of their circle is the one most sensitive to rounding.
    fn new([a, b, c]: [ClumpSphere; 3]) -> Self {
        let [ab, bc, ca] =
            [(a, b), (b, c), (c, a)].map(|(from, to)| (to.centre - from.centre).norm_squared());
        let [a, b, c] = if ab <= bc && ab <= ca {
            [a, b, c]
        } else if bc <= ca {
            [b, c, a]
        } else {
            [c, a, b]
        };
        let (to_b, to_c) = (b.centre - a.centre, c.centre - a.centre);
        let distance = to_b.norm();
        let x_axis = to_b * (1.0 / distance);
        let x = 0.5 * (distance + (a.radius - b.radius) * ((a.radius + b.radius) / distance));
        let along = x_axis.dot(to_c);
        let across = to_c - x_axis * along;
        let offset = across.norm();
        if offset == 0.0 {
            // Centres in line: circles about one axis have no corner.
            return Self { foot: a.centre, normal: x_axis, height_squared: f64::NEG_INFINITY };
        }
        let y_axis = across * (1.0 / offset);
        let y = 0.5
            * (offset + ((a.radius - c.radius) * (a.radius + c.radius) + along * (along - 2.0 * x)) / offset);
        let height_squared = (a.radius - x) * (a.radius + x) - y * y;
        Self { foot: a.centre + x_axis * x + y_axis * y, normal: x_axis.cross(y_axis), height_squared }
    }

    /// The point below the plane of the centres and the one above it.
    fn points(&self) -> Option<[LabVec<f64>; 2]> {
        (self.height_squared > 0.0).then(|| {
            let up = self.normal * self.height_squared.sqrt();
            [self.foot - up, self.foot + up]
        })
    }
}

/// The elements that two ascending lists share.
fn common(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut rest = b;
    a.iter()
        .copied()
        .filter(|&x| {
            rest = &rest[rest.iter().take_while(|&&y| y < x).count()..];
            rest.first() == Some(&x)
        })
        .collect()
}
