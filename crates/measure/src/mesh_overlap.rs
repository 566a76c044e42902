//! How much of a ball lies within a closed surface of triangles, in closed form.
//!
//! Seen from the centre O of the ball, a closed surface is the sum of its triangles, each with the cone between it and O, counted as
//! negative where the triangle faces O. The volume of the ball within a cone of solid angle Ω is R³Ω/3, less what is beyond the triangle
//! where that is nearer than R. So with whole = 4πR³/3 and all solid angles of a closed surface adding up to 4π inside and 0 outside,
//!
//! V = [O is inside] whole + Σ ± (⅓ H A − ⅓ R³ Ω),
//!
//! summed over the triangles that are nearer than R, H the distance of their plane, and A and Ω area and solid angle of what of the triangle
//! is within the ball. That is a disc about the foot F of O on the plane, of radius s = √(R² − H²), cut by the triangle: a signed sum
//! over the edges, seen from F. A piece p–q of an edge within the disc makes the triangle F p q, of solid angle
//!
//! Ω = 2 atan2(p × q, |p||q| + H(|p| + |q|) + p·q + H²), with lengths |p|² = p² + H² from O
//!
//! (A. Van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125–126); a piece beyond it makes a sector of the disc of angle θ,
//! with A = ½s²θ and Ω = θ(1 − H/R).
//!
//! The sum alone tells where O is: it is negative inside, where something is cut off, and positive outside. Solid angles of triangles
//! that O lies on depend on rounding, though; then the cones themselves are added up, of all triangles, which do not.

use core::f64::consts::PI;
use tumble_dem::LabVec;
use tumble_math::elementary::atan2;

/// Less than this part of a ball, gained or lost, is rounding.
const NOTHING: f64 = 1e-12;

/// A centre that is nearer to the plane of a triangle than this part of the radius may be on the triangle.
const ON_SURFACE: f64 = 1e-6;

/// The volume of a ball within a closed surface, given its triangles with their normals outwards, and once more those nearer than the
/// radius. `inside` says whether the centre is, and is asked only if no triangle matters.
pub(crate) fn ball_in_mesh(
    centre: LabVec<f64>,
    radius: f64,
    triangles: impl Iterator<Item = [LabVec<f64>; 3]>,
    near: impl Iterator<Item = [LabVec<f64>; 3]>,
    inside: impl FnOnce() -> bool,
) -> f64 {
    let whole = 4.0 / 3.0 * PI * radius * radius * radius;
    let seen = |corners: [LabVec<f64>; 3]| Cone::of(corners.map(|corner| corner - centre), radius);
    let (mut sum, mut on_surface) = (0.0, false);
    for cone in near.filter_map(seen) {
        sum += cone.cut_off;
        on_surface |= cone.far < ON_SURFACE * radius;
    }
    if on_surface {
        return triangles.filter_map(seen).map(|cone| cone.volume).sum::<f64>().clamp(0.0, whole);
    }
    if sum.abs() <= NOTHING * whole {
        return if inside() { whole } else { 0.0 };
    }
    (if sum < 0.0 { whole + sum } else { sum }).clamp(0.0, whole)
}

/// What a ball about the origin has within the cone between a triangle and the origin; negative if the triangle faces it.
struct Cone {
    /// The distance of the plane.
    far: f64,
    /// The volume of the ball in the cone.
    volume: f64,
    /// The same less that of the ball in the cone without end: ⅓ H A − ⅓ R³ Ω.
    cut_off: f64,
}

impl Cone {
    /// None for a triangle without area.
    fn of([a, b, c]: [LabVec<f64>; 3], radius: f64) -> Option<Self> {
        let area = (b - a).cross(c - a);
        let size = area.norm();
        if size <= 0.0 {
            return None;
        }
        let normal = area * (1.0 / size);
        let height = a.dot(normal);
        let far = height.abs();
        let u = (b - a).unit();
        let v = normal.cross(u);
        let disc = Disc { far, radius, square: (radius - far) * (radius + far) };
        let corners = [a, b, c].map(|corner| [corner.dot(u), corner.dot(v)]);
        let mut sum = Piece::default();
        for k in 0..3 {
            sum.add(disc.edge(corners[k], corners[(k + 1) % 3]));
        }
        let sign = if height < 0.0 { -1.0 } else { 1.0 };
        let cube = radius * radius * radius;
        let within = far * sum.area;
        let [volume, cut_off] = [within + cube * sum.beyond, within - cube * sum.angle];
        Some(Self { far, volume: sign * volume / 3.0, cut_off: sign * cut_off / 3.0 })
    }
}

/// What an edge makes with the foot of the centre on the plane.
#[derive(Clone, Copy, Default)]
struct Piece {
    /// Area within the disc.
    area: f64,
    /// Its solid angle.
    angle: f64,
    /// That of what is beyond the disc.
    beyond: f64,
}

impl Piece {
    fn add(&mut self, other: Self) {
        self.area += other.area;
        self.angle += other.angle;
        self.beyond += other.beyond;
    }
}

/// The disc in which a ball meets a plane; the origin of the plane is its centre.
struct Disc {
    /// H
    far: f64,
    /// R
    radius: f64,
    /// s², negative if the ball does not reach the plane.
    square: f64,
}

impl Disc {
    /// What an edge from p to q adds.
    fn edge(&self, p: [f64; 2], q: [f64; 2]) -> Piece {
        let way = [q[0] - p[0], q[1] - p[1]];
        let at = |t: f64| [p[0] + t * way[0], p[1] + t * way[1]];
        let length = dot(way, way);
        if length <= 0.0 {
            return Piece::default();
        }
        // Where the line is nearest, and how far from there the circle cuts it.
        let (middle, across) = (-dot(p, way) / length, cross(p, q) / length.sqrt());
        let half = ((self.square - across * across).max(0.0) / length).sqrt();
        let [first, last] = [middle - half, middle + half].map(|t| t.clamp(0.0, 1.0));
        if first >= last {
            return self.sector(p, q);
        }
        let [enters, leaves] = [at(first), at(last)];
        let mut sum = self.triangle(enters, leaves);
        if first > 0.0 {
            sum.add(self.sector(p, enters));
        }
        if last < 1.0 {
            sum.add(self.sector(leaves, q));
        }
        sum
    }

    /// The triangle between the centre of the disc and two points within it.
    fn triangle(&self, p: [f64; 2], q: [f64; 2]) -> Piece {
        Piece { area: 0.5 * cross(p, q), angle: self.angle(p, q), beyond: 0.0 }
    }

    /// The sector between the directions of two points outside, and what is beyond it.
    fn sector(&self, p: [f64; 2], q: [f64; 2]) -> Piece {
        let whole = self.angle(p, q);
        if self.square <= 0.0 {
            return Piece { area: 0.0, angle: 0.0, beyond: whole };
        }
        let turn = atan2(cross(p, q), dot(p, q));
        let angle = turn * (1.0 - self.far / self.radius);
        Piece { area: 0.5 * self.square * turn, angle, beyond: whole - angle }
    }

    /// The solid angle of the triangle between the centre of the disc and two points.
    fn angle(&self, p: [f64; 2], q: [f64; 2]) -> f64 {
        let [from, to] = [p, q].map(|point| (dot(point, point) + self.far * self.far).sqrt());
        2.0 * atan2(cross(p, q), from * to + self.far * (from + to + self.far) + dot(p, q))
    }
}

fn dot(p: [f64; 2], q: [f64; 2]) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

fn cross(p: [f64; 2], q: [f64; 2]) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::sphere_in_box;
    use tumble_dem::random::Random;
    use tumble_dem::wall::Drawing;

    fn at(x: f64, y: f64, z: f64) -> LabVec<f64> {
        LabVec::new(x, y, z)
    }

    /// Triangles around a box, outwards.
    fn cuboid(low: LabVec<f64>, high: LabVec<f64>) -> Vec<[LabVec<f64>; 3]> {
        let Drawing { points, triangles, .. } = Drawing::cuboid(low, high);
        // It is drawn as seen from inside.
        triangles.iter().map(|&[a, b, c]| [a, c, b].map(|corner| points[corner as usize])).collect()
    }

    fn within(triangles: &[[LabVec<f64>; 3]], centre: LabVec<f64>, radius: f64, inside: bool) -> f64 {
        ball_in_mesh(centre, radius, triangles.iter().copied(), triangles.iter().copied(), || inside)
    }

    #[test]
    fn caps_halves_eighths_and_whole_balls() {
        let cube = cuboid(at(-2.0, -2.0, -2.0), at(2.0, 2.0, 2.0));
        let ball = 4.0 / 3.0 * PI;
        let cap = |h: f64| PI * (1.0 - h) * (1.0 - h) * (2.0 + h) / 3.0;
        // The centre is on the surface in three of them, and on the diagonal of a face.
        for (centre, inside, exact) in [
            (at(0.3, -0.2, 0.1), true, ball),
            (at(0.0, 3.5, 0.0), false, 0.0),
            (at(2.0, 0.3, 0.1), false, ball / 2.0),
            (at(2.0, 0.2, 0.2), true, ball / 2.0),
            (at(2.0, 2.0, 2.0), false, ball / 8.0),
            (at(2.0, 0.1, -2.0), true, ball / 4.0),
            (at(-2.0, 2.0 + 1e-17, 2.0), true, ball / 8.0),
            (at(0.1, 2.3, 0.3), false, cap(0.3)),
            (at(0.0, 0.0, -1.4), true, ball - cap(0.6)),
            (at(1.4, 0.2, 0.2), true, ball - cap(0.6)),
        ] {
            let ours = within(&cube, centre, 1.0, inside);
            assert!((ours - exact).abs() < 1e-12, "{centre:?}: {ours} {exact}");
        }
    }

    #[test]
    fn any_box_is_as_the_integral_over_slices() {
        let mut random = Random::new(7);
        let mut cut = 0;
        for _ in 0..400 {
            let mut place = || LabVec::from_array(core::array::from_fn(|_| random.between(-1.0, 1.0)));
            let (low, size, centre) = (place(), place(), place());
            let high = low + LabVec::from_array(size.to_array().map(|part| 0.05 + part.abs()));
            let radius = random.between(0.1, 1.2);
            let inside = (0..3).all(|axis| {
                let [x, low, high] = [centre, low, high].map(|v| v.to_array()[axis]);
                x > low && x < high
            });
            let (ours, exact) = (
                within(&cuboid(low, high), centre, radius, inside),
                sphere_in_box(centre, radius, low, high),
            );
            let whole = 4.0 / 3.0 * PI * radius * radius * radius;
            assert!(
                (ours - exact).abs() < 1e-7 * whole,
                "{low:?} {high:?} {centre:?} {radius}: {ours} {exact}"
            );
            cut += usize::from(exact > 0.0 && exact < 0.999 * whole);
        }
        assert!(cut > 80, "{cut}");
    }

    /// Not convex, and known by counting points.
    #[test]
    fn a_star_is_as_counted() {
        // A cube with a pyramid on each side: all that is in one of them.
        let mut star = Vec::new();
        for [a, b, c] in cuboid(at(-0.5, -0.5, -0.5), at(0.5, 0.5, 0.5)) {
            let middle = (a + b + c) * (1.0 / 3.0);
            let tip = middle * 2.5;
            star.extend([[a, b, tip], [b, c, tip], [c, a, tip]]);
        }
        // By tetrahedra from the middle, since every one of its points is seen from there.
        let inside = |point: LabVec<f64>| {
            star.iter().any(|&[a, b, c]| {
                let side = |a: LabVec<f64>, b: LabVec<f64>| point.dot(a.cross(b)) >= 0.0;
                side(a, b) && side(b, c) && side(c, a) && (point - a).dot((b - a).cross(c - a)) <= 0.0
            })
        };
        let mut random = Random::new(3);
        for (centre, radius) in [
            (at(0.1, 0.2, 0.6), 0.5),
            (at(0.0, 0.0, 0.0), 0.9),
            (at(0.9, 0.1, -0.3), 0.6),
            (at(0.52, 0.5, 0.5), 0.4),
        ] {
            let (points, mut hits, mut all) = (400_000, 0_u32, 0_u32);
            for _ in 0..points {
                let offset = LabVec::from_array(core::array::from_fn(|_| random.between(-1.0, 1.0)));
                if offset.norm_squared() <= 1.0 {
                    all += 1;
                    hits += u32::from(inside(centre + offset * radius));
                }
            }
            let whole = 4.0 / 3.0 * PI * radius * radius * radius;
            let part = f64::from(hits) / f64::from(all);
            let error = (part * (1.0 - part) / f64::from(all)).sqrt();
            let ours = within(&star, centre, radius, inside(centre)) / whole;
            assert!((ours - part).abs() < 4.0 * error, "{centre:?}: {ours} and {part} ± {error}");
        }
    }
}
