//! Walls as triangles, for pictures.
//!
//! Round walls become prisms of [`SEGMENTS`] sides. What has no end, a plane or a cylinder, is shown where
//! the bodies and the other walls are at the start, and a little beyond.

use core::f64::consts::TAU;
use std::collections::BTreeMap;
use tumble_dem::domain::Axis;
use tumble_dem::wall::{Motion, Shape, Side, Wall};
use tumble_dem::{LabVec, MaterialId, World};
use tumble_math::elementary::sin_cos;

/// Sides of the prism that stands for something round.
pub const SEGMENTS: u32 = 64;

/// How much farther than the bodies endless walls are shown.
const MARGIN: f64 = 0.1;

/// The surface of a wall in its reference frame, and how that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The name of the wall.
    pub name: String,
    /// Number of its material.
    pub material: MaterialId,
    /// Where it is at which time.
    pub motion: Motion,
    /// Corners, m.
    pub points: Vec<LabVec<f64>>,
    /// Three corners each, by their numbers.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// The surfaces of all walls of a world, in its order.
    pub fn all(world: &World) -> Vec<Self> {
        let seen = Bounds::of(world);
        world.walls.iter().map(|wall| Self::new(wall, &seen)).collect()
    }

    fn new(wall: &Wall, seen: &Bounds) -> Self {
        let mut surface = Self {
            name: wall.name.clone(),
            material: wall.material,
            motion: wall.motion.clone(),
            points: Vec::new(),
            triangles: Vec::new(),
        };
        match &wall.shape {
            Shape::Plane(plane) => surface.patch(plane.point(), plane.normal(), seen),
            Shape::Box(enclosure) => surface.cuboid(enclosure.low(), enclosure.high()),
            Shape::Cylinder(cylinder) => {
                let (point, axis) = (cylinder.point(), cylinder.axis());
                let [from, to] =
                    cylinder.length().map_or_else(|| seen.along(point, axis), |length| [0.0, length]);
                let capped = cylinder.length().is_some() && cylinder.side() == Side::Outside;
                let ends = [point + axis * from, point + axis * to];
                surface.frustum(ends, [cylinder.radius(); 2], axis, capped);
            }
            Shape::Cone(cone) => {
                surface.frustum(cone.ends(), cone.radii(), cone.axis(), cone.side() == Side::Outside);
            }
            Shape::Mesh(mesh) => surface.weld(mesh.triangles()),
        }
        surface
    }

    /// A rectangle of a plane, below and above all that is seen.
    fn patch(&mut self, point: LabVec<f64>, normal: LabVec<f64>, seen: &Bounds) {
        let [u, v] = across(normal);
        let ([u0, u1], [v0, v1]) = (seen.along(point, u), seen.along(point, v));
        self.points = [[u0, v0], [u1, v0], [u1, v1], [u0, v1]].map(|[a, b]| point + u * a + v * b).to_vec();
        self.triangles = vec![[0, 1, 2], [0, 2, 3]];
    }

    fn cuboid(&mut self, low: LabVec<f64>, high: LabVec<f64>) {
        self.points = corners(low, high).to_vec();
        // Seen from inside, each face turns counter-clockwise.
        let faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
        self.triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    }

    fn frustum(&mut self, ends: [LabVec<f64>; 2], radii: [f64; 2], axis: LabVec<f64>, capped: bool) {
        let [u, v] = across(axis);
        for segment in 0..SEGMENTS {
            let (sine, cosine) = sin_cos(TAU * f64::from(segment) / f64::from(SEGMENTS));
            let out = u * cosine + v * sine;
            self.points.extend((0..2).map(|end| ends[end] + out * radii[end]));
        }
        for segment in 0..SEGMENTS {
            let next = (segment + 1) % SEGMENTS;
            let ([a, b], [c, d]) = ([2 * segment, 2 * segment + 1], [2 * next, 2 * next + 1]);
            // At a tip the corners of one triangle fall together.
            let sides = [([a, c, b], radii[0]), ([c, d, b], radii[1])];
            self.triangles
                .extend(sides.iter().filter(|(_, radius)| *radius > 0.0).map(|(triangle, _)| triangle));
        }
        for end in (0..2).filter(|&end| capped && radii[end] > 0.0) {
            let centre = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
            self.points.push(ends[end]);
            let first = u32::from(end == 1);
            self.triangles.extend((0..SEGMENTS).map(|segment| {
                let (here, next) = (2 * segment + first, 2 * ((segment + 1) % SEGMENTS) + first);
                // Seen from outside, both caps turn counter-clockwise.
                if end == 0 { [centre, next, here] } else { [centre, here, next] }
            }));
        }
    }

    /// Triangles whose equal corners become one.
    fn weld(&mut self, triangles: impl Iterator<Item = [LabVec<f64>; 3]>) {
        let mut numbers = BTreeMap::new();
        for triangle in triangles {
            self.triangles.push(triangle.map(|corner| {
                *numbers.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                    self.points.push(corner);
                    u32::try_from(self.points.len() - 1).unwrap_or(u32::MAX)
                })
            }));
        }
    }
}

/// A box around all bodies and walls that have an end.
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    fn of(world: &World) -> Self {
        let mut bounds = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
        for body in &world.bodies {
            let template = world.templates.get(usize::from(body.template.0));
            bounds
                .add(body.position, template.map_or(0.0, |template| template.bounding_radius() * body.scale));
        }
        for wall in &world.walls {
            match &wall.shape {
                Shape::Box(enclosure) => {
                    [enclosure.low(), enclosure.high()].map(|corner| bounds.add(corner, 0.0))
                }
                Shape::Mesh(mesh) => mesh.bounds().map(|corner| bounds.add(corner, 0.0)),
                Shape::Cone(cone) => [0, 1].map(|end| bounds.add(cone.ends()[end], cone.radii()[end])),
                Shape::Cylinder(tube) => {
                    let ends = [0.0, tube.length().unwrap_or(0.0)];
                    ends.map(|at| bounds.add(tube.point() + tube.axis() * at, tube.radius()))
                }
                Shape::Plane(_) => continue,
            };
        }
        for (axis, kind) in world.domain.axes.iter().enumerate() {
            if let Axis::Periodic { low, high } = *kind {
                (bounds.low[axis], bounds.high[axis]) = (low, high);
            }
            // Nothing is there, so anything will do.
            let nothing = bounds.low[axis] >= bounds.high[axis];
            if nothing {
                (bounds.low[axis], bounds.high[axis]) = (-0.5, 0.5);
            }
        }
        bounds
    }

    fn add(&mut self, point: LabVec<f64>, radius: f64) {
        for (axis, x) in point.to_array().into_iter().enumerate() {
            self.low[axis] = self.low[axis].min(x - radius);
            self.high[axis] = self.high[axis].max(x + radius);
        }
    }

    /// From where to where a line through a point passes the box, as distances from the point, with a margin.
    fn along(&self, point: LabVec<f64>, direction: LabVec<f64>) -> [f64; 2] {
        let places = corners(LabVec::from_array(self.low), LabVec::from_array(self.high))
            .map(|corner| (corner - point).dot(direction));
        let (low, high) = places
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        let margin = MARGIN * (high - low);
        [low - margin, high + margin]
    }
}

/// The corners of a box; bit k of a number tells whether it is high along axis k.
fn corners(low: LabVec<f64>, high: LabVec<f64>) -> [LabVec<f64>; 8] {
    let (low, high) = (low.to_array(), high.to_array());
    core::array::from_fn(|corner| {
        LabVec::from_array(core::array::from_fn(
            |axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] },
        ))
    })
}

/// Two unit vectors at right angles to a third and to each other.
fn across(n: LabVec<f64>) -> [LabVec<f64>; 2] {
    let u = n.cross(n.farthest_axis());
    let u = u * (1.0 / u.norm());
    [u, n.cross(u)]
}
