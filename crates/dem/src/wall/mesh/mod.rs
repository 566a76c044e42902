//! Surfaces of triangles, with contacts on faces, edges and corners that are each counted once.
//!
//! A list of triangles is welded into a surface whose parts know their neighbours (`weld`, `topology`);
//! neighbours in one plane become one flat *face* (`flat`); the touches of a sphere are the local minima of
//! its distance, put together where they are on one patch (`contact`); a tree of boxes finds the triangles near a point (`tree`).
//!
//! Triangles are two-sided: neither their winding nor whether the surface is closed matters. A solid plate
//! thinner than a sphere's overlap is touched on both its faces; draw such a plate as a single sheet.
//! Inside a hollow of many facets a sphere touches the patch below it once, however many facets it has.

mod assemble;
mod contact;
mod flat;
mod plain;
mod topology;
mod tree;
mod weld;

pub use plain::{EDGE_INDICES, FACET_INDICES, FACET_NUMBERS, MeshTables, VERTEX_INDICES};

use super::{Drawing, Error, Seen, Touch, WallShape, checks};
use crate::law::EnergyPower;
use crate::physics::triangle::distance_squared;
use topology::Topology;
use tree::Tree;
use tumble_math::LabVec;

/// Beyond this the numbers of features would not fit.
const MOST_TRIANGLES: usize = 1 << 28;

/// A sphere at an edge touches all its triangles, which are compared with each other.
const MOST_AT_EDGE: usize = 1000;

/// How a mesh is made from triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshOptions {
    /// Corners nearer than this are one, m. With 0 only equal ones are.
    pub weld_distance: f64,
    /// Neighbouring triangles whose planes differ by less than this belong to one flat face, rad.
    pub flat_angle: f64,
    /// How far corners may be from where they were meant, m: planes of small triangles are uncertain by this
    /// over their height, on top of the flat angle. At least the rounding of the coordinates is assumed;
    /// [`Stl::mesh`](crate::wall::Stl::mesh) assumes that of single precision.
    pub coordinate_error: f64,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self { weld_distance: 0.0, flat_angle: 1e-9, coordinate_error: 0.0 }
    }
}

/// What became of the triangles that were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshReport {
    /// Triangles kept.
    pub triangles: usize,
    /// Triangles dropped because two corners coincide, or because they have no area and lie on no other.
    pub degenerate: usize,
    /// Triangles dropped because another has the same three corners.
    pub duplicate: usize,
    /// Different corners.
    pub vertices: usize,
    /// Different edges.
    pub edges: usize,
    /// Edges of a single triangle. In a surface that should be closed they tell of holes, or of neighbours
    /// that do not share their corners: an edge in the middle of another's side is felt by spheres.
    pub open_edges: usize,
    /// Edges of three or more triangles.
    pub branching_edges: usize,
    /// Flat faces.
    pub faces: usize,
}

/// A surface of triangles in a wall's reference frame.
///
/// Features: the faces have the numbers from 0, edges those that follow, corners the last. A face is a
/// largest patch of neighbouring triangles in one plane, so that its number stays while a sphere slides over
/// it; the pieces of a straight edge share a number likewise. With F faces and E edges the ranges are 0..F,
/// F..F+E and from F+E, not all in use. They depend on the triangles and options alone.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    facets: Vec<Facet>,
    planes: Vec<FacePlane>,
    edges: Vec<Edge>,
    vertices: Vec<Vertex>,
    tree: Tree,
    longest_edge: f64,
    /// Farthest that a corner is from the plane of its face.
    roughness: f64,
    report: MeshReport,
}

/// A triangle. Edge k goes from corner k to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Facet {
    corners: [LabVec<f64>; 3],
    /// Unit vectors in the plane of the face, across each edge to the inside.
    inward: [LabVec<f64>; 3],
    vertices: [u32; 3],
    edges: [u32; 3],
    face: u32,
    /// Which edges and vertices are looked at with this triangle: those of no earlier one.
    owns_edge: [bool; 3],
    owns_vertex: [bool; 3],
    /// Too thin to be touched: its neighbours cover it.
    is_needle: bool,
}

/// The plane of a flat face.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FacePlane {
    point: LabVec<f64>,
    normal: LabVec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Edge {
    start: LabVec<f64>,
    along: LabVec<f64>,
    length: f64,
    ends: [u32; 2],
    /// The first triangle there.
    first: u32,
    /// How often it counts, so that with its triangles each of its points counts once.
    weight: i32,
    /// The number of its face, if it cannot be felt.
    feature: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Vertex {
    point: LabVec<f64>,
    /// The first triangle there.
    first: u32,
    /// How often it counts, so that with its triangles and edges it counts once.
    weight: i32,
    /// The number of its face or straight edge, if it cannot be felt.
    feature: u32,
}

impl TriangleMesh {
    /// The surface of these triangles, coordinates in m.
    ///
    /// ```
    /// use tumble_dem::wall::{MeshOptions, TriangleMesh};
    /// use tumble_math::LabVec;
    /// let at = |x, y| LabVec::new(x, y, 0.0);
    /// let square = [[at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)], [at(0.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)]];
    /// let mesh = TriangleMesh::new(&square, MeshOptions::default())?;
    /// assert_eq!((mesh.report().triangles, mesh.report().faces, mesh.report().open_edges), (2, 1, 4));
    /// # Ok::<(), tumble_dem::wall::Error>(())
    /// ```
    pub fn new(triangles: &[[LabVec<f64>; 3]], options: MeshOptions) -> Result<Self, Error> {
        let MeshOptions { weld_distance, flat_angle, coordinate_error } = options;
        checks::not_negative("welding distance of the mesh", weld_distance)?;
        checks::not_negative("flat angle of the mesh", flat_angle)?;
        checks::not_negative("coordinate error of the mesh", coordinate_error)?;
        if triangles.len() > MOST_TRIANGLES {
            return Err(Error::TooManyTriangles { given: triangles.len(), most: MOST_TRIANGLES });
        }
        let largest = largest_coordinate(triangles)?;
        let coordinate_error = coordinate_error.max(4.0 * f64::EPSILON * largest);
        let welded = weld::weld(triangles, weld_distance);
        let topology = Topology::new(welded.points, welded.triangles, coordinate_error, MOST_AT_EDGE)?;
        let faces = flat::faces(&topology, flat_angle, coordinate_error);
        if topology.triangles.is_empty() {
            return Err(Error::NoTriangles { given: triangles.len() });
        }
        let mut mesh = Self::assemble(&topology, &faces, flat_angle, coordinate_error);
        mesh.report.degenerate = welded.degenerate + topology.stray_needles;
        mesh.report.duplicate = welded.duplicate;
        Ok(mesh)
    }

    /// What became of the triangles that were given.
    pub fn report(&self) -> MeshReport {
        self.report
    }

    /// The number of triangles.
    pub fn len(&self) -> usize {
        self.facets.len()
    }

    /// Never true: a mesh has a triangle.
    pub fn is_empty(&self) -> bool {
        self.facets.is_empty()
    }

    /// The corners of the triangles that were kept, m, in the order given.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = [LabVec<f64>; 3]> + '_ {
        self.facets.iter().map(|facet| facet.corners)
    }

    /// The corners of one of them.
    pub(crate) fn corners(&self, triangle: u32) -> [LabVec<f64>; 3] {
        self.facets[triangle as usize].corners
    }

    /// Whether a triangle is too thin to be touched.
    pub(crate) fn is_needle(&self, triangle: u32) -> bool {
        self.facets[triangle as usize].is_needle
    }

    /// The squared distance from a point to one of the triangles, m².
    pub(crate) fn distance_squared(&self, triangle: u32, point: LabVec<f64>) -> f64 {
        distance_squared(self.corners(triangle), point)
    }

    /// The lowest and the highest corner of a box around the mesh, m.
    pub fn bounds(&self) -> [LabVec<f64>; 2] {
        self.tree.bounds()
    }

    /// One more than the largest number of a feature.
    pub fn features(&self) -> u32 {
        index(self.planes.len() + self.edges.len() + self.vertices.len())
    }
}

fn largest_coordinate(triangles: &[[LabVec<f64>; 3]]) -> Result<f64, Error> {
    let mut largest = 0.0_f64;
    for (triangle, corners) in triangles.iter().enumerate() {
        for value in corners.iter().flat_map(|corner| corner.to_array()) {
            // Written so that NaN fails.
            if value.abs() < checks::LARGEST {
                largest = largest.max(value.abs());
            } else {
                return Err(Error::BadCorner { triangle, value });
            }
        }
    }
    Ok(largest)
}

/// An index into lists that [`MOST_TRIANGLES`] keeps below 2³².
#[allow(clippy::cast_possible_truncation)]
fn index(i: usize) -> u32 {
    debug_assert!(u32::try_from(i).is_ok());
    i as u32
}

impl WallShape for TriangleMesh {
    #[inline]
    fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    ) {
        Self::touches(self, centre, radius, power, candidates, found);
    }

    fn distance(&self, point: LabVec<f64>) -> f64 {
        Self::distance(self, point)
    }

    fn features(&self) -> u32 {
        Self::features(self)
    }

    fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        Self::bounds(self).map(|corner| (corner, 0.0)).to_vec()
    }

    fn draw(&self, _: &Seen) -> Drawing {
        Drawing::weld(self.triangles())
    }

    fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        Self::near(self, point, reach)
    }

    fn candidates(&self, point: LabVec<f64>, reach: f64, triangles: &mut Vec<u32>) {
        Self::candidates(self, point, reach, triangles);
    }

    fn is_sheet(&self) -> bool {
        true
    }

    fn is_crossed(&self, from: LabVec<f64>, to: LabVec<f64>) -> bool {
        super::crossing::of_mesh(self, from, to)
    }
}
