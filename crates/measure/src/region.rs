//! Where a measure looks.

use crate::surface::Triangles;
use crate::{mesh_overlap, overlap};
use core::f64::consts::PI;
use core::fmt;
use std::sync::Arc;
use tumble_dem::LabVec;
use tumble_dem::domain::Domain;
use tumble_dem::wall::TriangleMesh;

/// A part of space.
#[derive(Clone, Debug, PartialEq)]
pub struct Region(Shape);

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    Box { low: LabVec<f64>, high: LabVec<f64> },
    Cylinder { from: LabVec<f64>, axis: LabVec<f64>, length: f64, radius: f64 },
    Sphere { centre: LabVec<f64>, radius: f64 },
    Mesh(Arc<Closed>),
}

/// A surface that has an inside.
#[derive(Clone, Debug, PartialEq)]
struct Closed {
    surface: Triangles,
    /// The same, to find those near a point.
    mesh: TriangleMesh,
    /// Whether normals point inwards.
    turned: bool,
    bounds: [LabVec<f64>; 2],
    volume: f64,
}

/// Why something is no region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionError {
    /// The ends of the axis of a cylinder are one point.
    NoAxis,
    /// The surface has so many edges of a single triangle.
    Open(usize),
    /// Neighbouring triangles are wound in different senses, so inside and outside cannot be told.
    Winding,
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAxis => f.write_str("the ends of its axis are the same point"),
            Self::Open(edges) => write!(
                f,
                "the surface is not closed: {edges} edges belong to one triangle only, so it has no inside"
            ),
            Self::Winding => f.write_str(
                "neighbouring triangles are wound in different senses, so inside and outside cannot be told",
            ),
        }
    }
}

impl core::error::Error for RegionError {}

impl Region {
    /// A box along the axes.
    pub fn cuboid(low: LabVec<f64>, high: LabVec<f64>) -> Self {
        Self(Shape::Box { low, high })
    }

    /// A cylinder between two points of its axis.
    pub fn cylinder(from: LabVec<f64>, to: LabVec<f64>, radius: f64) -> Result<Self, RegionError> {
        let length = (to - from).norm();
        if length == 0.0 {
            return Err(RegionError::NoAxis);
        }
        Ok(Self(Shape::Cylinder { from, axis: (to - from).unit(), length, radius }))
    }

    /// A sphere.
    pub fn sphere(centre: LabVec<f64>, radius: f64) -> Self {
        Self(Shape::Sphere { centre, radius })
    }

    /// The inside of a closed surface whose triangles are all wound alike.
    pub fn mesh(mesh: &TriangleMesh) -> Result<Self, RegionError> {
        let open = mesh.report().open_edges;
        if open > 0 {
            return Err(RegionError::Open(open));
        }
        let surface = Triangles::of(mesh);
        if !surface.is_wound_alike() {
            return Err(RegionError::Winding);
        }
        let bounds = mesh.bounds();
        let volume = surface.volume(bounds[0]);
        let (turned, volume) = (volume < 0.0, volume.abs());
        Ok(Self(Shape::Mesh(Arc::new(Closed { surface, mesh: mesh.clone(), turned, bounds, volume }))))
    }

    /// m³
    pub fn volume(&self) -> f64 {
        match &self.0 {
            Shape::Box { low, high } => {
                let size = *high - *low;
                size.x * size.y * size.z
            }
            Shape::Cylinder { length, radius, .. } => PI * radius * radius * length,
            Shape::Sphere { radius, .. } => 4.0 / 3.0 * PI * radius * radius * radius,
            Shape::Mesh(closed) => closed.volume,
        }
    }

    /// Lower and upper corner of a box around it, m.
    pub fn bounds(&self) -> [LabVec<f64>; 2] {
        match &self.0 {
            Shape::Box { low, high } => [*low, *high],
            Shape::Cylinder { from, axis, length, radius } => {
                let (a, b) = (from.to_array(), (*from + *axis * *length).to_array());
                // The disc at each end reaches this far along an axis of the lab.
                let reach = axis.to_array().map(|part| radius * (1.0 - part * part).max(0.0).sqrt());
                let at = |pick: fn(f64, f64) -> f64, sign: f64| {
                    LabVec::from_array(core::array::from_fn(|i| pick(a[i], b[i]) + sign * reach[i]))
                };
                [at(f64::min, -1.0), at(f64::max, 1.0)]
            }
            Shape::Sphere { centre, radius } => {
                let reach = LabVec::new(*radius, *radius, *radius);
                [*centre - reach, *centre + reach]
            }
            Shape::Mesh(closed) => closed.bounds,
        }
    }

    /// The centre of that box, m.
    pub fn middle(&self) -> LabVec<f64> {
        let [low, high] = self.bounds();
        (low + high) * 0.5
    }

    /// Whether a point is inside.
    pub fn has(&self, point: LabVec<f64>) -> bool {
        match &self.0 {
            Shape::Box { low, high } => is_between(point, *low, *high),
            Shape::Cylinder { from, axis, length, radius } => {
                let from_end = point - *from;
                let along = from_end.dot(*axis);
                let across = from_end - *axis * along;
                along >= 0.0 && along < *length && across.norm_squared() < radius * radius
            }
            Shape::Sphere { centre, radius } => (point - *centre).norm_squared() < radius * radius,
            Shape::Mesh(closed) => {
                let [low, high] = closed.bounds;
                is_between(point, low, high) && {
                    // A way out, along no axis of anything that was drawn.
                    let size = (high - low).norm();
                    let out = point + LabVec::new(0.731, 0.409, 0.547) * (2.0 * size);
                    closed.surface.crossings(point, out).0 % 2 == 1
                }
            }
        }
    }

    /// The volume of a sphere inside, m³: what is cut off at the surface does not count. Of a periodic domain the images of the
    /// sphere count.
    pub fn share(&self, centre: LabVec<f64>, radius: f64, domain: &Domain) -> f64 {
        let whole = 4.0 / 3.0 * PI * radius * radius * radius;
        let [low, high] = self.bounds();
        let mut sum = 0.0;
        for image in domain.images() {
            let at = centre + image;
            let reach = LabVec::new(radius, radius, radius);
            if is_between(at, low - reach, high + reach) {
                sum += self.share_of(at, radius, whole);
            }
        }
        sum
    }

    fn share_of(&self, at: LabVec<f64>, radius: f64, whole: f64) -> f64 {
        match &self.0 {
            Shape::Box { low, high } => {
                let room = |p: f64, low: f64, high: f64| p - radius >= low && p + radius <= high;
                if room(at.x, low.x, high.x) && room(at.y, low.y, high.y) && room(at.z, low.z, high.z) {
                    return whole;
                }
                overlap::sphere_in_box(at, radius, *low, *high)
            }
            Shape::Cylinder { from, axis, length, radius: of_cylinder } => {
                let from_end = at - *from;
                let along = from_end.dot(*axis);
                let across = (from_end - *axis * along).norm();
                if along >= radius && along + radius <= *length && across + radius <= *of_cylinder {
                    return whole;
                }
                overlap::sphere_in_cylinder(radius, along, across, *length, *of_cylinder)
            }
            Shape::Sphere { centre, radius: of_region } => {
                overlap::sphere_in_sphere(*of_region, radius, (at - *centre).norm())
            }
            Shape::Mesh(closed) => {
                let mut near = Vec::new();
                closed.mesh.candidates(at, radius, &mut near);
                let near = near.iter().map(|&number| closed.outwards(number));
                let all = (0..).take(closed.mesh.len()).map(|number| closed.outwards(number));
                mesh_overlap::ball_in_mesh(at, radius, all, near, || self.has(at))
            }
        }
    }
}

impl Closed {
    /// The corners of a triangle, in the order that makes its normal point outwards.
    fn outwards(&self, number: u32) -> [LabVec<f64>; 3] {
        let [a, b, c] = self.surface.corners(number);
        if self.turned { [a, c, b] } else { [a, b, c] }
    }
}

/// The lower ends belong to a box, the upper ones do not, so that boxes side by side share nothing.
fn is_between(point: LabVec<f64>, low: LabVec<f64>, high: LabVec<f64>) -> bool {
    let (point, low, high) = (point.to_array(), low.to_array(), high.to_array());
    (0..3).all(|axis| point[axis] >= low[axis] && point[axis] < high[axis])
}
