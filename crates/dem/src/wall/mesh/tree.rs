//! A tree of boxes around triangles, split at the median, that finds the triangles near a point.
//!
//! The nodes lie in one list, each before its two halves, so that the left half is the next node.

use super::{TriangleMesh, index};
use crate::physics::triangle::distance_squared;
use tumble_math::LabVec;

/// Triangles in a leaf, at most.
const LEAF: usize = 4;
/// Median splits of 2²⁸ triangles go no deeper than this.
const DEEPEST: usize = 40;
/// Relative width by which searches are widened, so that rounding loses no triangle.
const MARGIN: f64 = 1e-12;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The triangles of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    low: [f64; 3],
    high: [f64; 3],
    /// Of a leaf where its triangles begin, else the right half.
    link: u32,
    /// The number of triangles of a leaf; zero for others.
    count: u32,
}

impl Tree {
    pub(super) fn new(triangles: &[[LabVec<f64>; 3]]) -> Self {
        let mut tree = Self { nodes: Vec::new(), order: (0..index(triangles.len())).collect() };
        tree.split(triangles, 0, triangles.len());
        tree
    }

    pub(super) fn bounds(&self) -> [LabVec<f64>; 2] {
        self.nodes.first().map_or([LabVec::zero(); 2], |root| [root.low, root.high].map(LabVec::from_array))
    }

    fn split(&mut self, triangles: &[[LabVec<f64>; 3]], from: usize, to: usize) {
        let node = self.nodes.len();
        let (low, high) = bounds(triangles, &self.order[from..to]);
        self.nodes.push(Node { low, high, link: index(from), count: index(to - from) });
        if to - from <= LEAF {
            return;
        }
        let extent: [f64; 3] = std::array::from_fn(|axis| high[axis] - low[axis]);
        let widest = if extent[0] >= extent[1] && extent[0] >= extent[2] {
            0
        } else if extent[1] >= extent[2] {
            1
        } else {
            2
        };
        let centre =
            |t: u32| triangles[t as usize].iter().map(|corner| corner.to_array()[widest]).sum::<f64>();
        let middle = usize::midpoint(from, to);
        self.order[from..to]
            .select_nth_unstable_by(middle - from, |&a, &b| centre(a).total_cmp(&centre(b)).then(a.cmp(&b)));
        self.split(triangles, from, middle);
        let right = index(self.nodes.len());
        (self.nodes[node].link, self.nodes[node].count) = (right, 0);
        self.split(triangles, middle, to);
    }

    /// Low and high corners of all boxes, links and counts, and the order of triangles.
    pub(super) fn tables(&self) -> (Vec<f64>, Vec<u32>, Vec<u32>) {
        let corners = self.nodes.iter().flat_map(|node| node.low.into_iter().chain(node.high)).collect();
        let links = self.nodes.iter().flat_map(|node| [node.link, node.count]).collect();
        (corners, links, self.order.clone())
    }

    /// Visits the triangles of leaves whose boxes are within a squared distance, which each visit may change.
    #[inline]
    fn visit(&self, point: LabVec<f64>, mut within: f64, mut leaf: impl FnMut(u32, f64) -> f64) {
        let point = point.to_array();
        let mut waiting = [0_u32; DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let at = waiting[count];
            let node = &self.nodes[at as usize];
            if node.distance_squared(point) > within {
                continue;
            }
            if node.count > 0 {
                for &triangle in &self.order[node.link as usize..(node.link + node.count) as usize] {
                    within = leaf(triangle, within);
                }
                continue;
            }
            // The nearer half is looked at first, since it may make `within` smaller.
            let (left, right) = (at + 1, node.link);
            let distance = |child: u32| self.nodes[child as usize].distance_squared(point);
            let (near, far) = if distance(right) < distance(left) { (right, left) } else { (left, right) };
            waiting[count] = far;
            waiting[count + 1] = near;
            count += 2;
        }
    }
}

impl Node {
    #[inline]
    fn distance_squared(&self, point: [f64; 3]) -> f64 {
        let [x, y, z] = std::array::from_fn(|axis| {
            (self.low[axis] - point[axis]).max(point[axis] - self.high[axis]).max(0.0)
        });
        x * x + y * y + z * z
    }
}

fn bounds(triangles: &[[LabVec<f64>; 3]], which: &[u32]) -> ([f64; 3], [f64; 3]) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for corner in which.iter().flat_map(|&t| triangles[t as usize]) {
        for (axis, x) in corner.to_array().into_iter().enumerate() {
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    (low, high)
}

impl TriangleMesh {
    /// Appends the triangles within `reach` of a point, m, in ascending order. Rounding may add some that are
    /// farther by a part in 10¹², and leaves none out.
    pub fn candidates(&self, point: LabVec<f64>, reach: f64, triangles: &mut Vec<u32>) {
        let first = triangles.len();
        let within = self.widened(reach);
        self.tree.visit(point, within, |t, within| {
            if distance_squared(self.facets[t as usize].corners, point) <= within {
                triangles.push(t);
            }
            within
        });
        triangles[first..].sort_unstable();
    }

    /// Whether a triangle is within `reach` of a point, m.
    pub fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        let mut found = false;
        self.tree.visit(point, self.widened(reach), |t, within| {
            found = found || distance_squared(self.facets[t as usize].corners, point) <= within;
            // Nothing is nearer than a negative distance, so the search ends.
            if found { -1.0 } else { within }
        });
        found
    }

    /// The distance from a point to the nearest triangle, m.
    pub fn distance(&self, point: LabVec<f64>) -> f64 {
        let mut least = f64::INFINITY;
        self.tree.visit(point, f64::INFINITY, |t, within| {
            least = within.min(distance_squared(self.facets[t as usize].corners, point));
            least
        });
        least.sqrt()
    }

    fn widened(&self, reach: f64) -> f64 {
        let reach = reach + MARGIN * (reach.abs() + self.longest_edge);
        if reach >= 0.0 { reach * reach } else { -1.0 }
    }
}
