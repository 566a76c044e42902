//! A lathe for spheres: rings, balls and spines about the z axis, in units of the piece's height.

use super::super::super::ClumpSphere;
use std::f64::consts::TAU;
use tumble_math::elementary::sin_cos;

/// A piece in the making.
pub(super) struct Piece {
    spheres: Vec<ClumpSphere>,
}

impl Piece {
    pub(super) fn new() -> Self {
        Self { spheres: Vec::new() }
    }

    /// One sphere anywhere.
    pub(super) fn ball(mut self, centre: [f64; 3], radius: f64) -> Self {
        self.spheres.push(ClumpSphere::new(centre, radius));
        self
    }

    /// A ring of `count` spheres of radius `tube` whose outermost points are at the distance `outer` from
    /// the axis.
    pub(super) fn ring(self, z: f64, outer: f64, tube: f64, count: u32) -> Self {
        self.ring_where(z, outer, tube, count, |_| true)
    }

    /// Those spheres of a ring that `keep` wants, by their position.
    pub(super) fn ring_where(
        mut self,
        z: f64,
        outer: f64,
        tube: f64,
        count: u32,
        keep: impl Fn(u32) -> bool,
    ) -> Self {
        for i in (0..count).filter(|&i| keep(i)) {
            let (sin, cos) = sin_cos(TAU * (f64::from(i) + 0.5) / f64::from(count));
            self.spheres.push(ClumpSphere::new([(outer - tube) * cos, (outer - tube) * sin, z], tube));
        }
        self
    }

    /// Spheres on the axis along a smooth profile through points (z, radius).
    pub(super) fn spine<const N: usize>(self, profile: [[f64; 2]; N], count: u32) -> Self {
        self.curve(profile.map(|[z, radius]| [0.0, 0.0, z, radius]), count)
    }

    /// `count` spheres along a smooth curve through spheres (x, y, z, radius).
    pub(super) fn curve<const N: usize>(mut self, through: [[f64; 4]; N], count: u32) -> Self {
        for i in 0..count {
            let t = f64::from(i) / f64::from(count.max(2) - 1);
            let [x, y, z, radius] = catmull_rom(&through, t);
            self.spheres.push(ClumpSphere::new([x, y, z], radius));
        }
        self
    }

    /// `count` spheres along a curve, and as many along its mirror image in y.
    pub(super) fn curve_pair<const N: usize>(self, through: [[f64; 4]; N], count: u32) -> Self {
        self.curve(through, count).curve(through.map(|[x, y, z, radius]| [x, -y, z, radius]), count)
    }

    /// The base that all pieces share: a foot of two tiers, `width` across, up to z = `height`.
    pub(super) fn base(self, width: f64, height: f64) -> Self {
        let outer = 0.5 * width;
        let (foot, tier) = (0.32 * height, 0.24 * height);
        self.ring(foot, outer, foot, 18)
            .ring(foot, 0.66 * outer, foot, 8)
            .ball([0.0, 0.0, 0.55 * height], 0.55 * height)
            .ring(height - tier, 0.8 * outer, tier, 14)
    }

    /// The spheres of the piece at this height (m).
    pub(super) fn scaled_to(self, height: f64) -> Vec<ClumpSphere> {
        self.spheres
            .into_iter()
            .map(|s| ClumpSphere { centre: s.centre * height, radius: s.radius * height })
            .collect()
    }
}

/// A curve through all points, at t from 0 to 1, with even time from one point to the next
/// (Catmull & Rom 1974).
fn catmull_rom<const D: usize>(points: &[[f64; D]], t: f64) -> [f64; D] {
    let last = points.len() - 1;
    let position = t * last as f64;
    let start = (0..last).rev().find(|&i| i as f64 <= position).unwrap_or(0);
    let s = position - start as f64;
    let [a, b, c, d] = [start.saturating_sub(1), start, (start + 1).min(last), (start + 2).min(last)];
    std::array::from_fn(|i| {
        let [a, b, c, d] = [points[a][i], points[b][i], points[c][i], points[d][i]];
        let cubic = 3.0 * (b - c) + (d - a);
        let quadratic = 2.0 * a - 5.0 * b + 4.0 * c - d;
        b + 0.5 * s * ((c - a) + s * (quadratic + s * cubic))
    })
}
