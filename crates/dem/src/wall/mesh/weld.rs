//! From separate triangles to triangles that share their corners.

use super::index;
use std::collections::{HashMap, HashSet};
use tumble_math::LabVec;

pub(super) struct Welded {
    pub(super) points: Vec<LabVec<f64>>,
    /// Three different points each, no two the same three.
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) degenerate: usize,
    pub(super) duplicate: usize,
}

/// Makes corners nearer than `distance` one: each is replaced by the first of the earlier ones that is near.
pub(super) fn weld(triangles: &[[LabVec<f64>; 3]], distance: f64) -> Welded {
    let mut corners = Corners { distance, points: Vec::new(), cells: HashMap::new() };
    let mut welded = Welded { points: Vec::new(), triangles: Vec::new(), degenerate: 0, duplicate: 0 };
    let mut known = HashSet::new();
    for &triangle in triangles {
        let [a, b, c] = triangle.map(|corner| corners.number(corner));
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        if a == b || b == c || c == a {
            welded.degenerate += 1;
        } else if known.insert(sorted) {
            welded.triangles.push([a, b, c]);
        } else {
            welded.duplicate += 1;
        }
    }
    welded.points = corners.points;
    welded
}

struct Corners {
    distance: f64,
    points: Vec<LabVec<f64>>,
    /// The points in each cell of a grid as wide as the distance; with no distance, each place is a cell.
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl Corners {
    fn number(&mut self, point: LabVec<f64>) -> u32 {
        // Adding zero makes −0 equal to 0 in bits too.
        let point = LabVec::from_array(point.to_array().map(|x| x + 0.0));
        let found = if self.distance > 0.0 { self.near(point) } else { self.equal(point) };
        found.unwrap_or_else(|| {
            let number = index(self.points.len());
            self.points.push(point);
            self.cells.entry(self.cell(point)).or_default().push(number);
            number
        })
    }

    fn equal(&self, point: LabVec<f64>) -> Option<u32> {
        self.cells.get(&self.cell(point))?.first().copied()
    }

    fn near(&self, point: LabVec<f64>) -> Option<u32> {
        let [x, y, z] = self.cell(point);
        let around = |i: i64| i.saturating_sub(1)..=i.saturating_add(1);
        let cells = around(x).flat_map(|x| around(y).flat_map(move |y| around(z).map(move |z| [x, y, z])));
        cells
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
            .filter(|&i| (self.points[i as usize] - point).norm() <= self.distance)
            .min()
    }

    #[allow(clippy::cast_possible_truncation)]
    fn cell(&self, point: LabVec<f64>) -> [i64; 3] {
        if self.distance > 0.0 {
            // Saturates where the distance is far below the rounding of the coordinates, and still works.
            point.to_array().map(|x| (x / self.distance).floor() as i64)
        } else {
            point.to_array().map(|x| i64::from_ne_bytes(x.to_bits().to_ne_bytes()))
        }
    }
}
