//! Where a bond between two bodies begins and ends, and how wide it may be.
//!
//! It leads from piece to piece where the two bodies are closest. At a sphere it begins in the centre; at a capsule at the point of its core
//! that is nearest; at an ellipsoid, a box or a hull in the centre, with the radius of the sphere of the same volume. How far two pieces are
//! apart goes by their surfaces, whatever they are.

use super::overlaps::{convex, end, piece};
use crate::clump::{ClumpTemplate, Role};
use crate::physics::ellipsoid::facing;
use crate::physics::piece::{Core, nearest};
use crate::rows_by_id::index32;
use crate::world::Body;
use core::f64::consts::PI;
use tumble_math::LabVec;
use tumble_math::elementary::cbrt;

/// A body with its shape.
pub(crate) type Shaped<'a> = (&'a Body, &'a ClumpTemplate);

/// Where a bond leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ends {
    /// From each centre of mass to the end there, in the lab, m.
    pub(crate) arms: [LabVec<f64>; 2],
    /// Of the two pieces, m.
    pub(crate) radii: [f64; 2],
    /// How far these are apart, m; negative where they overlap.
    pub(crate) gap: f64,
}

impl Ends {
    /// Those at the two pieces that are closest of two bodies whose centres are `apart`, from the first to the second.
    pub(crate) fn closest([a, b]: [Shaped<'_>; 2], apart: LabVec<f64>) -> Option<Self> {
        let mut best: Option<Self> = None;
        for own in pieces(a.1) {
            for other in pieces(b.1) {
                let ends = Self::of_pieces([(a, own), (b, other)], apart);
                if best.is_none_or(|known| ends.gap < known.gap) {
                    best = Some(ends);
                }
            }
        }
        best
    }

    /// Those at two pieces, each known by a sphere of its body.
    pub(crate) fn of_pieces([a, b]: [(Shaped<'_>, u32); 2], apart: LabVec<f64>) -> Self {
        let mut there = core_of(b);
        there.middle = there.middle + apart;
        let [first, second] = nearest(&core_of(a), &there);
        let radii = [a, b].map(width);
        let gap = gap_between([a, b], apart).unwrap_or((second - first).norm() - radii[0] - radii[1]);
        Self { arms: [first, second - apart], radii, gap }
    }
}

/// The spheres by which the pieces of a shape are known.
fn pieces(shape: &ClumpTemplate) -> impl Iterator<Item = u32> {
    let is_piece =
        |role: Role| matches!(role, Role::Sphere | Role::FirstEnd | Role::Ellipsoid | Role::Core(_));
    shape.roles().enumerate().filter(move |(_, role)| is_piece(*role)).map(|(number, _)| index32(number))
}

/// What a bond begins at, about the centre of mass.
fn core_of(((body, shape), sphere): (Shaped<'_>, u32)) -> Core<f64> {
    let sphere = sphere as usize;
    let place = |sphere: usize| end(shape, body, sphere).0;
    let other = if shape.role(sphere) == Role::FirstEnd { sphere + 1 } else { sphere };
    Core::between([place(sphere), place(other)])
}

/// The radius of a sphere, of a capsule, or of the sphere with the volume of a piece that is neither, m.
fn width(((body, shape), sphere): (Shaped<'_>, u32)) -> f64 {
    match shape.role(sphere as usize) {
        Role::Core(hull) => cbrt(0.75 / PI * shape.hulls()[hull as usize].volume()) * body.scale,
        _ => end(shape, body, sphere as usize).1,
    }
}

/// How far two pieces are apart of which one is neither a sphere nor a capsule, m.
fn gap_between([a, b]: [(Shaped<'_>, u32); 2], apart: LabVec<f64>) -> Option<f64> {
    let is = |((_, shape), sphere): (Shaped<'_>, u32), wanted: fn(Role) -> bool| {
        wanted(shape.role(sphere as usize))
    };
    let [of_a, of_b] = [a, b].map(|((body, shape), sphere)| convex(shape, body, sphere));
    let overlap = if [a, b].into_iter().any(|each| is(each, |role| matches!(role, Role::Core(_)))) {
        of_a?.overlap(&of_b?.moved(apart))
    } else if [a, b].into_iter().any(|each| is(each, |role| role == Role::Ellipsoid)) {
        let [own, mut other] = [a, b].map(|((body, shape), sphere)| piece(shape, body, sphere));
        other.centre = other.centre + apart;
        facing(&own, &other, true).overlap
    } else {
        return None;
    };
    // Where they are so deep in each other that no direction is found, they are as close as can be.
    Some(if overlap.is_finite() { -overlap } else { -width(a).min(width(b)) })
}
