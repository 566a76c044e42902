//! The nearest point of a surface: a tree of boxes, and C. Ericson, *Real-Time Collision Detection* (2005), 5.1.5.

use super::Point;

/// Triangles in a leaf.
const LEAF: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The corners of the triangles, in the order of the leaves, and their numbers.
    corners: Vec<[Point; 3]>,
    numbers: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    low: Point,
    high: Point,
    /// A leaf has triangles from `first` on; else the second child is node `first`, and the first one follows.
    first: u32,
    count: u32,
}

/// Where on a triangle a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Face,
    /// From this corner to the next.
    Edge(usize),
    Corner(usize),
}

/// The nearest point of the surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) at: Point,
    pub(super) distance: f64,
    pub(super) triangle: usize,
    pub(super) part: Part,
}

impl Tree {
    pub(super) fn new(triangles: &[[Point; 3]]) -> Self {
        let mut numbers: Vec<u32> = (0..).zip(triangles).map(|(number, _)| number).collect();
        let middles: Vec<[f64; 3]> = triangles.iter().map(|[a, b, c]| (*a + *b + *c).to_array()).collect();
        let mut nodes = Vec::with_capacity(triangles.len());
        build(&mut nodes, &mut numbers, 0, triangles, &middles);
        let corners = numbers.iter().map(|&number| triangles[number as usize]).collect();
        Self { nodes, corners, numbers }
    }

    pub(super) fn bounds(&self) -> [Point; 2] {
        [self.nodes[0].low, self.nodes[0].high]
    }

    pub(super) fn nearest(&self, point: Point) -> Nearest {
        let mut best = Nearest { at: point, distance: f64::INFINITY, triangle: 0, part: Part::Face };
        let mut best_square = f64::INFINITY;
        // Deep enough for any balanced tree of 2³² triangles.
        let mut waiting = [(0u32, 0.0f64); 64];
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (number, square) = waiting[depth];
            if square >= best_square {
                continue;
            }
            let node = &self.nodes[number as usize];
            if node.count > 0 {
                let leaf = node.first as usize..(node.first + node.count) as usize;
                for place in leaf {
                    let (at, part) = nearest_on(&self.corners[place], point);
                    let square = (at - point).norm_squared();
                    let triangle = self.numbers[place] as usize;
                    if square < best_square {
                        best_square = square;
                        best = Nearest { at, distance: 0.0, triangle, part };
                    }
                }
                continue;
            }
            let children =
                [number + 1, node.first].map(|child| (child, self.nodes[child as usize].square(point)));
            let (near, far) = if children[0].1 <= children[1].1 { (0, 1) } else { (1, 0) };
            waiting[depth] = children[far];
            waiting[depth + 1] = children[near];
            depth += 2;
        }
        Nearest { distance: best_square.sqrt(), ..best }
    }
}

impl Node {
    /// The squared distance from a point to the box.
    fn square(&self, point: Point) -> f64 {
        let beyond = |x: f64, low: f64, high: f64| (low - x).max(x - high).max(0.0);
        let (x, y, z) = (
            beyond(point.x, self.low.x, self.high.x),
            beyond(point.y, self.low.y, self.high.y),
            beyond(point.z, self.low.z, self.high.z),
        );
        x * x + y * y + z * z
    }
}

/// Writes the node of these triangles and all below it.
#[allow(clippy::cast_possible_truncation, reason = "meshes have fewer than 2³² triangles")]
fn build(
    nodes: &mut Vec<Node>,
    numbers: &mut [u32],
    start: u32,
    triangles: &[[Point; 3]],
    middles: &[[f64; 3]],
) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for corner in numbers.iter().flat_map(|&number| triangles[number as usize]) {
        for (axis, x) in corner.to_array().into_iter().enumerate() {
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    let place = nodes.len();
    let (low, high) = (Point::from_array(low), Point::from_array(high));
    nodes.push(Node { low, high, first: start, count: numbers.len() as u32 });
    if numbers.len() <= LEAF {
        return;
    }
    let extent = (high - low).to_array();
    let axis = if extent[0] >= extent[1] && extent[0] >= extent[2] {
        0
    } else if extent[1] >= extent[2] {
        1
    } else {
        2
    };
    let half = numbers.len() / 2;
    numbers.select_nth_unstable_by(half, |&a, &b| {
        middles[a as usize][axis].total_cmp(&middles[b as usize][axis]).then(a.cmp(&b))
    });
    let (lower, upper) = numbers.split_at_mut(half);
    build(nodes, lower, start, triangles, middles);
    nodes[place].first = nodes.len() as u32;
    nodes[place].count = 0;
    build(nodes, upper, start + half as u32, triangles, middles);
}

/// The nearest point of a triangle, and which part of it that is.
fn nearest_on(&[a, b, c]: &[Point; 3], point: Point) -> (Point, Part) {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Part::Corner(0));
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Part::Corner(1));
    }
    let at_c = d1 * d4 - d3 * d2;
    if at_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Part::Edge(0));
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Part::Corner(2));
    }
    let at_b = d5 * d2 - d1 * d6;
    if at_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Part::Edge(2));
    }
    let at_a = d3 * d6 - d5 * d4;
    if at_a <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), Part::Edge(1));
    }
    let sum = 1.0 / (at_a + at_b + at_c);
    (a + ab * (at_b * sum) + ac * (at_c * sum), Part::Face)
}

/// The distance from a point to a triangle.
pub(crate) fn distance_to_triangle(corners: &[Point; 3], point: Point) -> f64 {
    (nearest_on(corners, point).0 - point).norm()
}
