//! What bodies pass through.

use std::collections::BTreeMap;
use std::sync::Arc;
use tumble_dem::LabVec;
use tumble_dem::wall::TriangleMesh;

/// A surface that is passed along its normal, or against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface(Shape);

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// Without end where it has no radius.
    Plane {
        point: LabVec<f64>,
        normal: LabVec<f64>,
        radius: Option<f64>,
    },
    Mesh(Arc<Triangles>),
}

impl Surface {
    /// An endless plane; none if its normal is zero.
    pub fn plane(point: LabVec<f64>, normal: LabVec<f64>) -> Option<Self> {
        (normal.norm() > 0.0).then(|| Self(Shape::Plane { point, normal: normal.unit(), radius: None }))
    }

    /// A disc; none if its normal is zero.
    pub fn disc(centre: LabVec<f64>, normal: LabVec<f64>, radius: f64) -> Option<Self> {
        let normal = (normal.norm() > 0.0).then(|| normal.unit())?;
        Some(Self(Shape::Plane { point: centre, normal, radius: Some(radius) }))
    }

    /// Triangles; the normal of each goes by its corners and the right-hand rule.
    pub fn mesh(mesh: &TriangleMesh) -> Self {
        Self(Shape::Mesh(Arc::new(Triangles::of(mesh))))
    }

    /// How often the straight way from one point to another goes through: along the normal less against it.
    pub fn passed(&self, from: LabVec<f64>, to: LabVec<f64>) -> i64 {
        match &self.0 {
            Shape::Plane { point, normal, radius } => {
                let (before, after) = ((from - *point).dot(*normal), (to - *point).dot(*normal));
                let passed = i64::from(after >= 0.0) - i64::from(before >= 0.0);
                if passed == 0 {
                    return 0;
                }
                let Some(radius) = radius else { return passed };
                let at = from + (to - from) * (before / (before - after));
                if (at - *point).norm_squared() < radius * radius { passed } else { 0 }
            }
            Shape::Mesh(triangles) => triangles.crossings(from, to).1,
        }
    }
}

/// Triangles with a sense of winding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Triangles(Vec<[LabVec<f64>; 3]>);

impl Triangles {
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        Self(mesh.triangles().collect())
    }

    /// The corners of one of them, by its number in the mesh.
    pub(crate) fn corners(&self, number: u32) -> [LabVec<f64>; 3] {
        self.0[number as usize]
    }

    /// Whether each edge is gone along in either sense as often as in the other.
    pub(crate) fn is_wound_alike(&self) -> bool {
        let mut edges: BTreeMap<[[u64; 3]; 2], i64> = BTreeMap::new();
        for corners in &self.0 {
            for side in 0..3 {
                // Adding zero makes one zero of two.
                let [a, b] = [corners[side], corners[(side + 1) % 3]]
                    .map(|corner| corner.to_array().map(|number| (number + 0.0).to_bits()));
                *edges.entry(if a < b { [a, b] } else { [b, a] }).or_default() += if a < b { 1 } else { -1 };
            }
        }
        edges.values().all(|count| *count == 0)
    }

    /// The volume inside, negative where normals point inwards.
    pub(crate) fn volume(&self, origin: LabVec<f64>) -> f64 {
        let part = |corners: &[LabVec<f64>; 3]| {
            let [a, b, c] = corners.map(|corner| corner - origin);
            a.dot(b.cross(c)) / 6.0
        };
        self.0.iter().map(part).sum()
    }

    /// How many triangles the straight way from one point to another goes through, and how many more along their normals than
    /// against them. A way through an edge goes through one of its triangles.
    pub(crate) fn crossings(&self, from: LabVec<f64>, to: LabVec<f64>) -> (u64, i64) {
        let along = to - from;
        let (mut count, mut net) = (0, 0);
        for corners in &self.0 {
            let [a, b, c] = *corners;
            let normal = (b - a).cross(c - a);
            let (before, after) = ((from - a).dot(normal) >= 0.0, (to - a).dot(normal) >= 0.0);
            if before == after {
                continue;
            }
            let sides = [(a, b), (b, c), (c, a)].map(|(a, b)| left_of(from, along, a, b));
            if sides[0] == sides[1] && sides[1] == sides[2] {
                count += 1;
                net += if after { 1 } else { -1 };
            }
        }
        (count, net)
    }
}

/// On which side of an edge a line goes by. For the two senses of an edge the answers are opposite, to the last bit, so that
/// no line slips between two triangles or counts for both.
fn left_of(from: LabVec<f64>, along: LabVec<f64>, a: LabVec<f64>, b: LabVec<f64>) -> bool {
    let swapped = a.to_array().partial_cmp(&b.to_array()) == Some(core::cmp::Ordering::Greater);
    let (low, high) = if swapped { (b, a) } else { (a, b) };
    (along.dot((low - from).cross(high - from)) >= 0.0) != swapped
}
