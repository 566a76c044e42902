//! Rounded polyhedra of a template: which of its spheres they are made of, where their cores are, and balls that cover them.

use super::hull::HullSurface;
use super::template::TemplateSphere;
use super::{Convex, Covering, Role};
use crate::physics::polytope::{CoreFrame, nearest_of_triangles};
use crate::rows_by_id::index32;
use tumble_math::{BodyVec, LabVec};

/// A rounded polyhedron of a template, by the numbers of spheres.
#[derive(Clone, Debug, PartialEq)]
pub struct TemplateHull {
    /// The sphere at its first corner; those at the others follow.
    first_corner: u32,
    corners: u32,
    /// The sphere that stands for its first edge; those for the others follow, then four for its core.
    first_edge: u32,
    /// By the numbers of its own corners.
    surface: HullSurface,
    is_box: bool,
    /// m³.
    volume: f64,
    /// Balls in it that stand for equal parts of its volume.
    cloud: Vec<TemplateSphere>,
}

/// What is at right angles and of equal length up to this is a box.
const EXACT: f64 = 1e-12;

/// A vector as one of whatever frame.
fn plain(v: BodyVec<f64>) -> LabVec<f64> {
    LabVec::from_array(v.to_array())
}

fn of_body(v: LabVec<f64>) -> BodyVec<f64> {
    BodyVec::from_array(v.to_array())
}

impl TemplateHull {
    /// The polyhedron whose corners are the spheres from one number on, with the spheres that stand for its edges and its core, the first of which gets
    /// another number; of a rounding, m, and a volume, m³.
    pub(super) fn new(
        spheres: &[TemplateSphere],
        [first_corner, first_edge]: [usize; 2],
        surface: &HullSurface,
        [rounding, volume]: [f64; 2],
    ) -> (Self, Vec<TemplateSphere>) {
        let corners = &spheres[first_corner..];
        let count = surface.edges.as_flattened().iter().fold(0, |most, &corner| most.max(corner + 1));
        let corners = &corners[..count as usize];
        let place = |corner: u32| corners[corner as usize].centre;
        let (frame, is_box) = frame(corners, surface);
        let middles = surface.edges.iter().map(|&[a, b]| (place(a) + place(b)) * 0.5);
        let core = CoreFrame::of_points(frame.map(plain));
        let points = middles.chain(frame).map(|centre| TemplateSphere { centre, radius: rounding });
        let points = points.collect();
        let [first_corner, first_edge] = [first_corner, first_edge].map(index32);
        let surface = surface.clone();
        let cloud = Vec::new();
        let mut hull = Self { first_corner, corners: count, first_edge, surface, is_box, volume, cloud };
        hull.cloud = hull.filling(spheres, &core);
        (hull, points)
    }

    /// The numbers of the spheres at its corners.
    pub fn corners(&self) -> core::ops::Range<u32> {
        self.first_corner..self.first_corner + self.corners
    }

    /// The sphere that stands for each edge, which lies in its middle, and the spheres at its two ends.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (u32, [u32; 2])> {
        let first = self.first_corner;
        let edges = self.surface.edges.iter().map(move |edge| edge.map(|end| first + end));
        edges.enumerate().map(|(number, ends)| (self.first_edge + index32(number), ends))
    }

    /// The spheres at the corners of each face, counter-clockwise seen from outside.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Vec<u32>> {
        self.surface.faces.iter().map(|face| face.iter().map(|corner| self.first_corner + corner).collect())
    }

    /// The faces in triangles, by the spheres at their corners.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.surface.triangles().map(|triangle| triangle.map(|corner| self.first_corner + corner))
    }

    /// The sphere that stands for its core, which lies in the middle of that. The three that follow are at the ends of vectors at right angles to each
    /// other: the half edges of a box, or others.
    pub fn core(&self) -> u32 {
        self.first_edge + index32(self.surface.edges.len())
    }

    /// What a sphere behind those of touching pieces is for this polyhedron, which has a number, if it is not behind its own.
    pub(super) fn role(&self, sphere: u32, number: u32) -> Option<Role> {
        let core = self.core();
        if sphere > core + 3 {
            return None;
        }
        let edge = sphere.checked_sub(self.first_edge).and_then(|edge| self.surface.edges.get(edge as usize));
        Some(match edge {
            Some(ends) => Role::Edge(ends.map(|end| self.first_corner + end)),
            None if sphere == core => Role::Core(number),
            None => Role::Tip,
        })
    }

    /// Whether its core is a box.
    pub fn is_box(&self) -> bool {
        self.is_box
    }

    /// Its volume, the rounding included, m³.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Balls of one size within it that stand for equal parts of its volume, in the frame of the template: on a grid along its core, which those beside the flat sides of a box
    /// touch.
    pub fn cloud(&self) -> &[TemplateSphere] {
        &self.cloud
    }

    /// The four points of its core.
    fn core_points(&self, spheres: &[TemplateSphere]) -> [LabVec<f64>; 4] {
        [0, 1, 2, 3].map(|point| plain(spheres[self.core() as usize + point].centre))
    }

    /// Its triangles in parts of the vectors of its core.
    pub(crate) fn triangles_in_parts(&self, spheres: &[TemplateSphere]) -> Vec<[LabVec<f64>; 3]> {
        let frame = CoreFrame::of_points(self.core_points(spheres));
        let place = |corner: u32| frame.parts_of(plain(spheres[corner as usize].centre));
        self.triangles().map(|triangle| triangle.map(place)).collect()
    }

    /// The point of its core nearest to another one, in the frame of the template.
    pub(super) fn nearest_on_core(&self, spheres: &[TemplateSphere], point: BodyVec<f64>) -> BodyVec<f64> {
        let place = |corner: u32| plain(spheres[corner as usize].centre);
        of_body(nearest_of_triangles(self.triangles().map(|triangle| triangle.map(place)), plain(point)))
    }

    /// It as a convex piece, each corner at a place.
    pub(crate) fn convex(&self, place: impl Fn(u32) -> LabVec<f64>, radius: f64) -> Convex {
        Convex::polytope(self.corners().map(place).collect(), &self.surface, radius)
    }

    /// Cells of a grid along its core that holds all of it.
    fn cells(
        &self,
        spheres: &[TemplateSphere],
        frame: &CoreFrame<f64>,
        [along_shortest, most]: [f64; 2],
    ) -> Cells {
        let rounding = spheres[self.first_corner as usize].radius;
        let corners: Vec<LabVec<f64>> =
            self.corners().map(|corner| plain(spheres[corner as usize].centre)).collect();
        let axes = [frame.first, frame.second, frame.third].map(|axis| axis * (1.0 / axis.norm()));
        let ends = axes.map(|axis| {
            let along = corners.iter().map(|corner| axis.dot(*corner));
            let [low, high] =
                along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
            [low - rounding, high + rounding]
        });
        let lengths = ends.map(|[low, high]| high - low);
        let shortest = lengths.into_iter().fold(f64::INFINITY, f64::min);
        let volume: f64 = lengths.iter().product();
        // Of a long or flat one, larger cells.
        let side = (shortest / along_shortest).max(tumble_math::elementary::cbrt(volume / most));
        let counts = lengths.map(|length| (length / side - 1e-9).ceil().max(1.0));
        let size = [0, 1, 2].map(|axis| lengths[axis] / counts[axis]);
        let numbers = |axis: usize| {
            core::iter::successors(Some(0.5), |at| Some(at + 1.0)).take_while(move |at| *at < counts[axis])
        };
        let mut middles = Vec::new();
        for x in numbers(0) {
            for y in numbers(1) {
                for z in numbers(2) {
                    let at = [x, y, z];
                    let along = [0, 1, 2].map(|axis| axes[axis] * (ends[axis][0] + at[axis] * size[axis]));
                    middles.push(along[0] + along[1] + along[2]);
                }
            }
        }
        Cells { middles, size, rounding }
    }

    /// Balls that fill it, those about cells whose middle is in it.
    fn filling(&self, spheres: &[TemplateSphere], frame: &CoreFrame<f64>) -> Vec<TemplateSphere> {
        let Cells { middles, size, rounding } = self.cells(spheres, frame, [IN_SHORTEST, MOST_IN_CLOUD]);
        let radius = 0.5 * size.into_iter().fold(f64::INFINITY, f64::min);
        let outside = |centre: &LabVec<f64>| {
            let on_core = plain(self.nearest_on_core(spheres, of_body(*centre)));
            (*centre - on_core).norm() > rounding
        };
        let within = middles.into_iter().filter(|centre| !outside(centre));
        let mut cloud: Vec<_> =
            within.map(|centre| TemplateSphere { centre: of_body(centre), radius }).collect();
        if cloud.is_empty() {
            cloud.push(TemplateSphere { centre: of_body(frame.centre), radius });
        }
        cloud
    }

    /// Balls that cover it: about the cells of a grid, or where a cell sticks out, about what is left of it.
    pub(super) fn cover(&self, spheres: &[TemplateSphere]) -> Vec<Covering> {
        let frame = CoreFrame::of_points(self.core_points(spheres));
        let Cells { middles, size, rounding } = self.cells(spheres, &frame, [ALONG_SHORTEST, MOST_CELLS]);
        let half = 0.5 * LabVec::from_array(size).norm();
        let ball = |centre: LabVec<f64>| {
            let on_core = plain(self.nearest_on_core(spheres, of_body(centre)));
            let outside = (centre - on_core).norm() - rounding;
            if outside >= half {
                return None;
            }
            // What a plane leaves of a ball is in the ball about the middle of the cut.
            let (centre, radius) = if outside > 0.0 {
                let back = (on_core - centre) * (outside / (outside + rounding));
                (centre + back, (half * half - outside * outside).sqrt())
            } else {
                (centre, half)
            };
            let sphere = TemplateSphere { centre: of_body(centre), radius: radius * COVERED };
            Some(Covering { sphere, piece: self.core() })
        };
        middles.into_iter().filter_map(ball).collect()
    }
}

/// The cells of a grid.
struct Cells {
    middles: Vec<LabVec<f64>>,
    /// Of each along the three axes, m.
    size: [f64; 3],
    rounding: f64,
}

/// The cloud that stands for a polyhedron has so many balls along its shortest side, unless that were too many in all.
const IN_SHORTEST: f64 = 6.0;

/// About so many balls at most.
const MOST_IN_CLOUD: f64 = 600.0;

/// A polyhedron that is covered has so many cells along its shortest side, unless that were too many in all.
const ALONG_SHORTEST: f64 = 4.0;

/// About so many cells at most.
const MOST_CELLS: f64 = 400.0;

/// What rounding may leave open is covered too.
const COVERED: f64 = 1.0 + 1e-9;

/// The centre of a polytope and the ends of three vectors at right angles: the half edges if it is a box, and whether it is.
fn frame(corners: &[TemplateSphere], surface: &HullSurface) -> ([BodyVec<f64>; 4], bool) {
    let sum = corners.iter().fold(BodyVec::zero(), |sum, corner| sum + corner.centre);
    let centre = sum * (1.0 / corners.len() as f64);
    let reach = corners.iter().map(|corner| (corner.centre - centre).norm()).fold(0.0, f64::max);
    let beside: Vec<u32> = (surface.edges.iter())
        .filter_map(|&[a, b]| {
            if a == 0 {
                Some(b)
            } else if b == 0 {
                Some(a)
            } else {
                None
            }
        })
        .collect();
    if let ([a, b, c], 8) = (&beside[..], corners.len()) {
        let half = |corner: &u32| (corners[*corner as usize].centre - corners[0].centre) * 0.5;
        let [a, b, c] = [half(a), half(b), half(c)];
        let is_corner = |place: BodyVec<f64>| {
            corners.iter().any(|corner| (corner.centre - place).norm() <= EXACT * reach)
        };
        let square =
            [(a, b), (b, c), (c, a)].into_iter().all(|(u, v)| u.dot(v).abs() <= EXACT * u.norm() * v.norm());
        let signs = [-1.0, 1.0];
        let all = signs.iter().all(|x| {
            signs.iter().all(|y| signs.iter().all(|z| is_corner(centre + a * *x + b * *y + c * *z)))
        });
        if square && all {
            return ([centre, centre + a, centre + b, centre + c], true);
        }
    }
    let axes = [[reach, 0.0, 0.0], [0.0, reach, 0.0], [0.0, 0.0, reach]].map(BodyVec::from_array);
    let [x, y, z] = axes.map(|axis| centre + axis);
    ([centre, x, y, z], false)
}
