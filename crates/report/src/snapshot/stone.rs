//! Rounded polyhedra on the picture: an outline with round corners, and within it what of faces, edges and corners is turned to the eye.

use super::Stone;
use super::edges::{cross, dot, minus, unit};
use super::view::View;

/// A polyhedron on the picture. Vectors are to the right, down and away from the eye.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// Outward normals of the faces, and how far those are from the middle along them, px: the polyhedron without roundings.
    planes: Vec<([f64; 3], f64)>,
    /// The corners of the outline of its core, px from the left and from the top.
    pub(super) outline: Vec<[f64; 2]>,
    /// px
    pub(super) rounding: f64,
    /// Faces.
    pub(super) faces: Vec<Part>,
    /// What is between faces: strips along edges, and what is left at corners.
    pub(super) between: Vec<Part>,
}

/// A flat part of it that is turned to the eye.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// px from the left and from the top.
    pub(super) points: Vec<[f64; 2]>,
    /// How much light falls on it, from 0 to 1.
    pub(super) light: f64,
}

/// Where the light comes from: from above and a little from the left, before the picture; so the three sides of a box that are seen differ.
const LIGHT: [f64; 3] = [-0.15, -0.6, -0.785];

impl Stone {
    /// Whether it can be drawn.
    pub(super) fn is_drawable(&self) -> bool {
        let count = self.corners.len();
        let is_known =
            |face: &Vec<u32>| face.len() > 2 && face.iter().all(|&corner| (corner as usize) < count);
        self.rounding.is_finite()
            && self.rounding > 0.0
            && self.corners.iter().flatten().all(|x| x.is_finite())
            && self.faces.len() > 3
            && self.faces.iter().all(is_known)
            && self.faces.iter().all(|face| self.normal(face).is_some())
    }

    /// The mean of its corners, and the radius of a ball about that which holds it, m.
    pub(super) fn ball(&self) -> ([f64; 3], f64) {
        let count = self.corners.len().max(1) as f64;
        let middle =
            core::array::from_fn(|axis| self.corners.iter().map(|corner| corner[axis]).sum::<f64>() / count);
        let far = |corner: &[f64; 3]| {
            let arm = minus(*corner, middle);
            dot(arm, arm).sqrt()
        };
        (middle, self.corners.iter().map(far).fold(0.0, f64::max) + self.rounding)
    }

    /// The outward normal of a face.
    fn normal(&self, face: &[u32]) -> Option<[f64; 3]> {
        let corner = |number: u32| self.corners[number as usize];
        let mut sum = [0.0; 3];
        for side in face[1..].windows(2) {
            let [a, b] = [side[0], side[1]].map(|end| minus(corner(end), corner(face[0])));
            let part = cross(a, b);
            sum = core::array::from_fn(|axis| sum[axis] + part[axis]);
        }
        unit(sum)
    }

    /// It on the picture.
    pub(super) fn seen(&self, view: &View) -> Seen {
        let (middle, _) = self.ball();
        let normals: Vec<[f64; 3]> =
            self.faces.iter().map(|face| view.turned(self.normal(face).unwrap_or([0.0; 3]))).collect();
        let place = |corner: u32| {
            let (x, y) = view.point(self.corners[corner as usize]);
            [x, y]
        };
        let rounding = view.length(self.rounding);
        let plane = |(face, normal): (&Vec<u32>, &[f64; 3])| {
            let arm = view.turned(minus(self.corners[face[0] as usize], middle));
            (*normal, view.length(dot(arm, *normal)) + rounding)
        };
        let is_front = |normal: &[f64; 3]| normal[2] < 0.0;
        let shifted = |corner: u32, normal: [f64; 3]| {
            let [x, y] = place(corner);
            [x + rounding * normal[0], y + rounding * normal[1]]
        };
        let front = || self.faces.iter().zip(&normals).filter(|(_, normal)| is_front(normal));
        let faces = front().map(|(face, normal)| Part {
            points: face.iter().map(|&corner| shifted(corner, *normal)).collect(),
            light: light(*normal),
        });
        let mut between = Vec::new();
        for (number, (face, own)) in front().enumerate() {
            for (at, &from) in face.iter().enumerate() {
                let to = face[(at + 1) % face.len()];
                let has_side = |other: &[u32]| {
                    (0..other.len()).any(|at| other[at] == to && other[(at + 1) % other.len()] == from)
                };
                if let Some((_, (_, other))) =
                    front().enumerate().find(|(other, (face, _))| *other > number && has_side(face))
                {
                    let points = vec![
                        shifted(from, *own),
                        shifted(to, *own),
                        shifted(to, *other),
                        shifted(from, *other),
                    ];
                    between.push(Part { points, light: light(mean(&[*own, *other])) });
                }
            }
        }
        for corner in 0..self.corners.len() {
            let corner = u32::try_from(corner).unwrap_or(u32::MAX);
            let around: Vec<[f64; 3]> =
                front().filter(|(face, _)| face.contains(&corner)).map(|(_, normal)| *normal).collect();
            if around.len() > 2 {
                let points = outline(around.iter().map(|normal| shifted(corner, *normal)).collect());
                between.push(Part { points, light: light(mean(&around)) });
            }
        }
        let corners = (0..self.corners.len()).map(|corner| place(u32::try_from(corner).unwrap_or(u32::MAX)));
        Seen {
            planes: self.faces.iter().zip(&normals).map(plane).collect(),
            outline: outline(corners.collect()),
            rounding,
            faces: faces.collect(),
            between,
        }
    }
}

impl Seen {
    /// How far behind its middle a line of sight meets it, that is so far to the right of that and down, px; none if it does not.
    pub(super) fn depth(&self, [right, down]: [f64; 2]) -> Option<f64> {
        let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
        for ([x, y, z], height) in &self.planes {
            let left = height - x * right - y * down;
            if z.abs() < 1e-12 {
                if left < 0.0 {
                    return None;
                }
            } else if *z < 0.0 {
                first = first.max(left / z);
            } else {
                last = last.min(left / z);
            }
        }
        (first <= last).then_some(first)
    }
}

fn light(normal: [f64; 3]) -> f64 {
    dot(normal, LIGHT).clamp(0.0, 1.0)
}

fn mean(normals: &[[f64; 3]]) -> [f64; 3] {
    let sum = core::array::from_fn(|axis| normals.iter().map(|normal| normal[axis]).sum());
    unit(sum).unwrap_or([0.0; 3])
}

/// The convex outline of points, one way round.
fn outline(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let turns = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
    };
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && !turns(a, b, point)
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let lower = half(&mut points.iter().copied());
    let upper = half(&mut points.iter().rev().copied());
    lower.into_iter().chain(upper).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Snapshot;
    use super::*;

    fn cube() -> Stone {
        let corners =
            (0..8_u8).map(|n| [n & 1, n >> 1 & 1, n >> 2 & 1].map(|bit| f64::from(bit) - 0.5)).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let faces = faces.iter().map(|face| face.to_vec()).collect();
        Stone { corners, faces, rounding: 0.1, group: 0, body: 0 }
    }

    /// Of a cube seen onto a corner three faces are seen, three edges, and one corner; its outline is a hexagon.
    #[test]
    fn a_cube_shows_three_faces() {
        let snapshot = Snapshot { stones: vec![cube()], ..Snapshot::default() };
        assert!(snapshot.stones[0].is_drawable());
        let view = View::of(&snapshot).unwrap();
        let seen = snapshot.stones[0].seen(&view);
        assert_eq!((seen.faces.len(), seen.between.len(), seen.outline.len()), (3, 4, 6));
        assert!((seen.rounding - view.length(0.1)).abs() < 1e-12);
        // Of unequal light, so that they can be told apart.
        let mut light: Vec<f64> = seen.faces.iter().map(|face| face.light).collect();
        light.sort_by(f64::total_cmp);
        assert!(light[1] - light[0] > 0.1 && light[2] - light[1] > 0.1, "{light:?}");
        // It is met before its middle there, not as far as its corners, and not far aside.
        let depth = seen.depth([0.0, 0.0]).unwrap();
        assert!(depth < -view.length(0.6) && depth > -view.length(1.05), "{depth}");
        assert!(seen.depth([view.length(1.1), 0.0]).is_none());
    }

    #[test]
    fn what_is_no_polyhedron_is_left_out() {
        let flat = Stone { corners: vec![[0.0; 3]; 8], ..cube() };
        let torn = Stone { faces: vec![vec![0, 1, 9]; 4], ..cube() };
        let lost = Stone { rounding: f64::NAN, ..cube() };
        for stone in [flat, torn, lost] {
            assert!(!stone.is_drawable());
            let svg = Snapshot { stones: vec![stone, cube()], ..Snapshot::default() }.to_svg();
            assert_eq!(svg.matches("stroke-linejoin=\"round\"").count(), 1);
        }
    }
}
