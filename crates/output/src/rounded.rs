//! The surface of a rounded polyhedron as triangles: flat faces, parts of cylinders along its edges, parts of spheres at its corners.
//!
//! Each point belongs to a corner of the core and lies away from it along its normal, by the rounding. The normals of the two faces at an edge are the ends of an arc, those at a
//! corner the corners of a spherical polygon; arcs are divided evenly, the polygon in rings about its middle. So points are shared by all that meet there, and there are no gaps.

use core::f64::consts::PI;
use std::collections::BTreeMap;
use tumble_dem::LabVec;
use tumble_math::elementary::{atan2, sin_cos};

/// No two neighbours along an arc are farther apart than this.
const WIDEST: f64 = PI / 6.0;

/// Triangles between points about the corners of a polyhedron.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundedSurface {
    /// The corner, by its number, and the outward normal: the point lies away from the corner along that by the rounding.
    pub points: Vec<(u32, LabVec<f64>)>,
    /// By the numbers of points, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl RoundedSurface {
    /// The surface of a convex polyhedron with these faces: the numbers of corners, counter-clockwise seen from outside, each of which is at a place.
    pub fn of(faces: impl Iterator<Item = Vec<u32>>, place: impl Fn(u32) -> LabVec<f64>) -> Self {
        let faces: Vec<Vec<u32>> = faces.filter(|face| face.len() > 2).collect();
        let mut surface = Self::default();
        let normals: Vec<LabVec<f64>> = faces.iter().map(|face| normal(face, &place)).collect();
        // Of each side, in its direction, the face, and the side that comes next on that.
        let mut sides: BTreeMap<[u32; 2], usize> = BTreeMap::new();
        let mut flat: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        for (number, face) in faces.iter().enumerate() {
            let points: Vec<u32> = face.iter().map(|&corner| surface.push(corner, normals[number])).collect();
            for (at, (&corner, &point)) in face.iter().zip(&points).enumerate() {
                flat.insert((number, corner), point);
                sides.insert([corner, face[(at + 1) % face.len()]], number);
            }
            let next = points.windows(2).skip(1);
            surface.triangles.extend(next.map(|side| [points[0], side[0], side[1]]));
        }
        // From the face on the left to that on the right of a side, the points at its beginning.
        let mut arcs: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for (&[a, b], &left) in sides.iter().filter(|([a, b], _)| a < b) {
            let Some(&right) = sides.get(&[b, a]) else { continue };
            let between = arc(normals[left], normals[right]);
            let [own, other] = [a, b].map(|corner| {
                let (Some(&first), Some(&last)) = (flat.get(&(left, corner)), flat.get(&(right, corner)))
                else {
                    return Vec::new();
                };
                let inner: Vec<u32> = between.iter().map(|&normal| surface.push(corner, normal)).collect();
                [&[first][..], &inner, &[last]].concat()
            });
            for (low, high) in own.windows(2).zip(other.windows(2)) {
                surface.triangles.extend([[low[0], low[1], high[1]], [low[0], high[1], high[0]]]);
            }
            arcs.insert([a, b], own);
            arcs.insert([b, a], other.into_iter().rev().collect());
        }
        for [corner, first] in beginnings(&sides) {
            // Clockwise, from face to face over the sides that begin here.
            let (mut ring, mut to) = (Vec::new(), first);
            // No corner has more faces than there are; what is no polyhedron has no end.
            for _ in 0..faces.len() {
                let Some(arc) = arcs.get(&[corner, to]) else { break };
                ring.extend_from_slice(&arc[..arc.len() - 1]);
                let before = sides.get(&[to, corner]).and_then(|&face| follower(&faces[face], corner));
                match before {
                    Some(next) if next != first => to = next,
                    _ => break,
                }
            }
            surface.close(corner, &ring);
        }
        surface
    }

    fn push(&mut self, corner: u32, normal: LabVec<f64>) -> u32 {
        self.points.push((corner, normal));
        number(self.points.len() - 1)
    }

    /// The part of a sphere at a corner within a ring of points, which goes round clockwise.
    fn close(&mut self, corner: u32, ring: &[u32]) {
        let normals: Vec<LabVec<f64>> = ring.iter().map(|&point| self.points[point as usize].1).collect();
        let sum = normals.iter().fold(LabVec::zero(), |sum, normal| sum + *normal);
        let middle = sum * (1.0 / sum.norm());
        let widest = normals.iter().map(|normal| angle(middle, *normal)).fold(0.0, f64::max);
        let rings = (widest / WIDEST - 1e-9).ceil().max(1.0);
        let centre = self.push(corner, middle);
        let mut inner = vec![centre; ring.len()];
        let mut at = 1.0;
        while at <= rings {
            let outer: Vec<u32> = if at < rings {
                let part = at / rings;
                let between = |normal: &LabVec<f64>| (middle * (1.0 - part) + *normal * part).unit();
                normals.iter().map(|normal| self.push(corner, between(normal))).collect()
            } else {
                ring.to_vec()
            };
            for this in 0..ring.len() {
                let next = (this + 1) % ring.len();
                self.triangles.push([inner[this], outer[next], outer[this]]);
                if inner[this] != inner[next] {
                    self.triangles.push([inner[this], inner[next], outer[next]]);
                }
            }
            (inner, at) = (outer, at + 1.0);
        }
    }
}

/// For each corner one side that begins there.
fn beginnings(sides: &BTreeMap<[u32; 2], usize>) -> Vec<[u32; 2]> {
    let mut found: Vec<[u32; 2]> = Vec::new();
    for &[from, to] in sides.keys() {
        // They are in order.
        if found.last().is_none_or(|last| last[0] != from) {
            found.push([from, to]);
        }
    }
    found
}

/// What comes after a corner on a face.
fn follower(face: &[u32], corner: u32) -> Option<u32> {
    let at = face.iter().position(|each| *each == corner)?;
    Some(face[(at + 1) % face.len()])
}

/// The outward normal of a face.
fn normal(face: &[u32], place: &impl Fn(u32) -> LabVec<f64>) -> LabVec<f64> {
    let arms: Vec<LabVec<f64>> = face.iter().skip(1).map(|&corner| place(corner) - place(face[0])).collect();
    arms.windows(2).fold(LabVec::zero(), |sum, side| sum + side[0].cross(side[1])).unit()
}

fn angle(a: LabVec<f64>, b: LabVec<f64>) -> f64 {
    atan2(a.cross(b).norm(), a.dot(b))
}

/// Unit vectors between two others, evenly along the arc.
fn arc(from: LabVec<f64>, to: LabVec<f64>) -> Vec<LabVec<f64>> {
    let whole = angle(from, to);
    let parts = (whole / WIDEST - 1e-9).ceil().max(1.0);
    let steps = core::iter::successors(Some(1.0), |at: &f64| Some(at + 1.0)).take_while(|at| *at < parts);
    let sine = sin_cos(whole).0;
    let between = |at: f64| {
        let (there, back) = (sin_cos(whole * (at / parts)).0, sin_cos(whole * (1.0 - at / parts)).0);
        (from * (back / sine) + to * (there / sine)).unit()
    };
    steps.map(between).collect()
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
