//! A closed surface of triangles as a solid: how deep a point lies in it, and its exact mass properties.
//!
//! Distances are exact: a tree of boxes finds the nearest triangle (`tree`). Whether a point is inside is told by the
//! angle-weighted normal where it is nearest: J. A. Bærentzen and H. Aanæs, *IEEE Trans. Vis. Comput. Graph.* 11 (2005)
//! 243, which is right for every closed surface that does not cut itself. Volume, centre and inertia follow from the divergence theorem,
//! triangle by triangle (`mass`).

mod findings;
mod mass;
mod mend;
mod obj;
mod ply;
mod read;
mod tree;

pub use findings::{Mended, MeshError};
pub use mend::Bodies;
pub use read::ReadError;

pub(crate) use tree::distance_to_triangle;
use tree::{Nearest, Part, Tree};
use tumble_dem::clump::MassProperties;
use tumble_math::LabVec;
use tumble_math::elementary::{atan2, cbrt};

/// A point or vector in the frame of the mesh, m.
pub type Point = LabVec<f64>;

/// A solid bounded by triangles.
#[derive(Clone, Debug)]
pub struct Solid {
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    normals: Vec<Point>,
    /// Sums of the normals of the two triangles at the edges of each; edge k goes from corner k to the next.
    edge_normals: Vec<[Point; 3]>,
    /// Sums of the normals of all triangles at each point, weighted by their angles there.
    point_normals: Vec<Point>,
    tree: Tree,
    mass: MassProperties,
    size: f64,
    mended: Mended,
}

impl Solid {
    /// The solid that triangles enclose, coordinates in m. What can be mended is mended, and told by [`mended`](Self::mended).
    ///
    /// ```
    /// use tumble_shape::{Bodies, Solid, bodies};
    /// let cube = Solid::new(&bodies::cuboid([2.0, 2.0, 2.0]), Bodies::One)?;
    /// assert!((cube.mass().volume - 8.0).abs() < 1e-14);
    /// assert!((cube.depth(cube.mass().centre) - 1.0).abs() < 1e-14);
    /// let open = Solid::new(&bodies::cuboid([2.0, 2.0, 2.0])[1..], Bodies::One).unwrap_err();
    /// assert!(open.to_string().starts_with("the mesh is not closed: 3 edges"));
    /// # Ok::<(), tumble_shape::MeshError>(())
    /// ```
    pub fn new(triangles: &[[Point; 3]], bodies: Bodies) -> Result<Self, MeshError> {
        let ((points, triangles), mended) = mend::mend(triangles, bodies)?;
        let corners = |t: &[u32; 3]| t.map(|v| points[v as usize]);
        let normals: Vec<Point> = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = corners(t);
                (b - a).cross(c - a).unit()
            })
            .collect();
        let mass = mass::properties(triangles.iter().map(corners));
        if !(mass.volume > 0.0 && mass.volume.is_finite()) {
            return Err(MeshError::NoVolume { volume: mass.volume });
        }
        let tree = Tree::new(&triangles.iter().map(corners).collect::<Vec<_>>());
        let mut solid = Self {
            edge_normals: mend::edge_normals(&triangles, &normals),
            point_normals: point_normals(&points, &triangles, &normals),
            size: cbrt(6.0 / core::f64::consts::PI * mass.volume),
            points,
            triangles,
            normals,
            tree,
            mass,
            mended,
        };
        solid.mended.say_about_units(solid.size);
        Ok(solid)
    }

    /// Volume, centre of mass and inertia over the density, in the frame of the mesh.
    pub fn mass(&self) -> &MassProperties {
        &self.mass
    }

    /// The diameter of the ball of the same volume, m: what errors are relative to.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// What was mended, and what looks odd.
    pub fn mended(&self) -> &Mended {
        &self.mended
    }

    /// Corners, m.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Three corners each, anticlockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Point; 3] {
        self.triangles[triangle].map(|v| self.points[v as usize])
    }

    /// The outward normal of a triangle; zero if it has no area.
    pub fn normal(&self, triangle: usize) -> Point {
        self.normals[triangle]
    }

    /// The outward normal at a corner, that of its triangles weighted by their angles.
    pub fn point_normal(&self, point: usize) -> Point {
        self.point_normals[point].unit()
    }

    /// The sum of the unit normals on both sides of an edge of a triangle: short where it is sharp.
    pub(crate) fn edge_normal(&self, triangle: usize, edge: usize) -> Point {
        self.edge_normals[triangle][edge]
    }

    /// The lowest and the highest corner of a box around the solid, m.
    pub fn bounds(&self) -> [Point; 2] {
        self.tree.bounds()
    }

    /// How deep a point is inside: its distance from the surface, negative outside, m.
    pub fn depth(&self, point: Point) -> f64 {
        self.nearest(point).1
    }

    /// The nearest point of the surface, and how deep the point is inside.
    pub fn nearest(&self, point: Point) -> (Point, f64) {
        let Nearest { at, distance, triangle, part } = self.tree.nearest(point);
        let outward = match part {
            Part::Face => self.normals[triangle],
            Part::Edge(edge) => self.edge_normals[triangle][edge],
            Part::Corner(corner) => self.point_normals[self.triangles[triangle][corner] as usize],
        };
        let inside = (point - at).dot(outward) <= 0.0;
        (at, if inside { distance } else { -distance })
    }
}

fn point_normals(points: &[Point], triangles: &[[u32; 3]], normals: &[Point]) -> Vec<Point> {
    let mut sums = vec![Point::zero(); points.len()];
    for (triangle, &normal) in triangles.iter().zip(normals) {
        let corners = triangle.map(|v| points[v as usize]);
        for k in 0..3 {
            let (to_next, to_last) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            let angle = atan2(to_next.cross(to_last).norm(), to_next.dot(to_last));
            let sum = &mut sums[triangle[k] as usize];
            *sum = *sum + normal * angle;
        }
    }
    sums
}
