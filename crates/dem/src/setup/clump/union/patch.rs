//! Moments of the outward normal u over the exposed part of a unit sphere, from the arcs that bound it.
//!
//! A harmonic polynomial H of degree l is −1/(l(l+1)) times its Laplacian on the sphere, so that
//! ∫H dA = 1/(l(l+1)) ∮ ∇H·w with w = u × du. With the parts of lower degree put back this gives
//!   ∫u = ½∮w,  ∫uuᵀ = 1/3 ∫dA + 1/3 ∮ sym(u w),  ∫(a·u)³ = ¼∮ ((a·u)² + |a|²) a·w.
//! Only the solid angle itself needs a form with a singular point, p·w/(1 + p·u) at u = −p, and a test
//! whether that point is exposed. It is put where it is far from every arc.
//!
//! On an arc, u and w are linear in cos τ and sin τ. τ is counted from the arc's middle, where odd powers of
//! sin τ drop out.

use super::super::mass::dyad;
use std::f64::consts::PI;
use tumble_math::elementary::{atan2, sin_cos};
use tumble_math::{Lab, LabVec, SymTensor};

/// The circle in which another sphere cuts a sphere, seen from the latter's centre at unit radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    /// Unit vector to the other sphere, which covers u·axis > height.
    pub axis: LabVec<f64>,
    /// Cosine of the angle that the circle subtends.
    pub height: f64,
    /// Sine of that angle: the circle's radius.
    pub radius: f64,
}

/// An exposed piece of a rim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    /// The index of the rim.
    pub rim: usize,
    /// Unit vector from the circle's centre to the middle of the arc.
    pub middle: LabVec<f64>,
    /// Half the angle that the arc spans about the circle's centre.
    pub half_angle: f64,
}

/// What bounds the exposed part of a sphere.
#[derive(Clone, Debug, Default)]
pub(super) struct Boundary {
    /// All circles cut into the sphere, exposed or not.
    pub rims: Vec<Rim>,
    /// The exposed pieces of them.
    pub arcs: Vec<Arc>,
}

/// Integrals over the exposed part of a unit sphere.
pub(super) struct Patch {
    /// ∫dA.
    pub solid_angle: f64,
    /// ∫u dA.
    pub normal: LabVec<f64>,
    /// ∫u uᵀ dA.
    pub normal_normal: SymTensor<f64, Lab>,
    /// ∫u uᵀ (u·c) dA with the centre c of the sphere.
    pub third_along_centre: SymTensor<f64, Lab>,
}

impl Patch {
    /// The integrals over what `boundary` leaves exposed of the sphere about `centre`.
    pub(super) fn new(centre: LabVec<f64>, boundary: &Boundary) -> Self {
        let (pole, pole_exposed) = singular_point(&boundary.rims);
        let mut solid_angle = if pole_exposed { 4.0 * PI } else { 0.0 };
        let mut line = LineIntegrals { w: LabVec::zero(), uw: zero(), third: zero() };
        for arc in &boundary.arcs {
            let rim = boundary.rims[arc.rim];
            // The exposed side is to the right of an arc that turns about the rim's axis: minus.
            solid_angle -= solid_angle_form(rim, arc, -pole);
            line.subtract(rim, arc, centre);
        }
        let isotropic = |s: f64| SymTensor::from_diagonal(LabVec::new(s, s, s));
        Self {
            solid_angle,
            normal: line.w * 0.5,
            normal_normal: (isotropic(solid_angle) + line.uw) * (1.0 / 3.0),
            third_along_centre: (line.third + isotropic(line.w.dot(centre)) + dyad(centre, line.w) * 2.0)
                * (1.0 / 12.0),
        }
    }
}

/// Integrals along the boundary.
struct LineIntegrals {
    /// ∮w.
    w: LabVec<f64>,
    /// ∮ sym(u w).
    uw: SymTensor<f64, Lab>,
    /// ∮ (sym(u u) w·c + 2 sym(u w) u·c).
    third: SymTensor<f64, Lab>,
}

impl LineIntegrals {
    fn subtract(&mut self, rim: Rim, arc: &Arc, c: LabVec<f64>) {
        let Rim { axis, height: h, radius: s } = rim;
        let half = arc.half_angle;
        let (sin, cos) = sin_cos(half);
        let cos_sin2 = 2.0 / 3.0 * sin * sin * sin;
        // ∫ cosᵃτ sinᵇτ dτ over the arc at [a][b].
        let moments = [
            [2.0 * half, 0.0, half - sin * cos, 0.0],
            [2.0 * sin, 0.0, cos_sin2, 0.0],
            [half + sin * cos, 0.0, 0.0, 0.0],
            [2.0 * sin - cos_sin2, 0.0, 0.0, 0.0],
        ];
        // u and w/dτ as coefficients of 1, cos τ, sin τ.
        let (p, q) = (arc.middle * s, axis.cross(arc.middle) * s);
        let u = [axis * h, p, q];
        let w = [axis * (s * s), p * -h, q * -h];
        // The powers of cos and sin of those three.
        let powers = [(0, 0), (1, 0), (0, 1)];
        for (w_j, (aj, bj)) in w.into_iter().zip(powers) {
            self.w = self.w - w_j * moments[aj][bj];
            for (u_i, (ai, bi)) in u.into_iter().zip(powers) {
                let uw = dyad(u_i, w_j);
                self.uw = self.uw - uw * moments[ai + aj][bi + bj];
                for (u_k, (ak, bk)) in u.into_iter().zip(powers) {
                    let moment = moments[ai + aj + ak][bi + bj + bk];
                    let third = dyad(u_i, u_k) * w_j.dot(c) + uw * (2.0 * u_k.dot(c));
                    self.third = self.third - third * moment;
                }
            }
        }
    }
}

/// ∫ p·w/(1 + p·u) along an arc, turning about the rim's axis.
fn solid_angle_form(rim: Rim, arc: &Arc, p: LabVec<f64>) -> f64 {
    let Rim { axis, height: h, radius: s } = rim;
    let along = axis.dot(p);
    let (across_cos, across_sin) = (p.dot(arc.middle), p.dot(axis.cross(arc.middle)));
    let across = (across_cos * across_cos + across_sin * across_sin).sqrt();
    // The form is −h + (p·axis + h)/(1 + h p·axis + s |p⊥| cos τ), whose integral is
    // −h τ ± (τ − 2 atan(g sin τ/(1 + g cos τ))) with τ counted from the direction of p.
    let distance = along + h;
    let g = s * across / (1.0 + h * along + distance.abs());
    let phase = atan2(across_sin, across_cos);
    let bend = |tau: f64| {
        let (sin, cos) = sin_cos(tau - phase);
        2.0 * atan2(g * sin, 1.0 + g * cos)
    };
    let turned = 2.0 * arc.half_angle - (bend(arc.half_angle) - bend(-arc.half_angle));
    f64::copysign(turned, distance) - 2.0 * h * arc.half_angle
}

/// A point of the sphere far from all rims, and whether it is exposed.
fn singular_point(rims: &[Rim]) -> (LabVec<f64>, bool) {
    const CANDIDATES: u32 = 96;
    const GOOD_ENOUGH: f64 = 0.2;
    // Sunflower points: even in height, turned by the golden angle from one to the next.
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    let mut best = (LabVec::new(0.0, 0.0, 1.0), -1.0);
    for i in 0..CANDIDATES {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(CANDIDATES);
        let (sin, cos) = sin_cos(GOLDEN_ANGLE * f64::from(i));
        let r = (1.0 - z * z).sqrt();
        let point = LabVec::new(r * cos, r * sin, z);
        let clearance =
            rims.iter().map(|rim| (point.dot(rim.axis) - rim.height).abs()).fold(f64::INFINITY, f64::min);
        if clearance > best.1 {
            best = (point, clearance);
        }
        if clearance > GOOD_ENOUGH {
            break;
        }
    }
    (best.0, rims.iter().all(|rim| best.0.dot(rim.axis) < rim.height))
}

fn zero() -> SymTensor<f64, Lab> {
    dyad(LabVec::zero(), LabVec::zero())
}
