//! What is drawn of a wall: its rims, its sharp edges, and where it turns away from the eye.

use super::Surface;
use std::collections::BTreeMap;

/// Faces that meet at less than this angle make no edge: the cosine of 30°.
const SHARP: f64 = 0.866;
/// More edges than this are nothing to look at; the longest stay.
const MOST: usize = 4000;

/// The edges of a surface, as seen along a direction.
pub(super) fn edges(surface: &Surface, away: [f64; 3]) -> Vec<[[f64; 3]; 2]> {
    let mut faces: BTreeMap<[u32; 2], Vec<[f64; 3]>> = BTreeMap::new();
    for &[a, b, c] in &surface.triangles {
        let corner = |number: u32| surface.points.get(number as usize).copied();
        let (Some(p), Some(q), Some(r)) = (corner(a), corner(b), corner(c)) else { continue };
        let normal = unit(cross(minus(q, p), minus(r, p)));
        let Some(normal) = normal else { continue };
        for [from, to] in [[a, b], [b, c], [c, a]] {
            faces.entry([from.min(to), from.max(to)]).or_default().push(normal);
        }
    }
    let is_edge = |normals: &[[f64; 3]]| match normals {
        [one, other] => {
            let turns_away = dot(*one, away) * dot(*other, away) < 0.0;
            dot(*one, *other) < SHARP || turns_away
        }
        _ => true,
    };
    let shown = faces.iter().filter(|(_, normals)| is_edge(normals));
    let mut edges: Vec<[[f64; 3]; 2]> =
        shown.map(|(ends, _)| ends.map(|end| surface.points[end as usize])).collect();
    if edges.len() > MOST {
        let length = |[a, b]: &[[f64; 3]; 2]| dot(minus(*b, *a), minus(*b, *a));
        edges.sort_by(|a, b| length(b).total_cmp(&length(a)));
        edges.truncate(MOST);
    }
    edges
}

pub(super) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn unit(a: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(a, a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| a.map(|x| x / length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box by its corners: bit k of a number tells whether it is high along axis k.
    fn cuboid() -> Surface {
        let points = (0..8_u32).map(|corner| core::array::from_fn(|axis| f64::from(corner >> axis & 1)));
        let faces = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
        let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        Surface { points: points.collect(), triangles: triangles.collect() }
    }

    #[test]
    fn a_box_has_twelve_edges_and_no_diagonals() {
        let edges = edges(&cuboid(), [0.36, 0.48, 0.8]);
        assert_eq!(edges.len(), 12);
        assert!(edges.iter().all(|[a, b]| (dot(minus(*b, *a), minus(*b, *a)) - 1.0).abs() < 1e-12));
    }

    #[test]
    fn a_sheet_has_a_rim_and_numbers_of_no_corner_do_no_harm() {
        let mut sheet = cuboid();
        sheet.triangles = vec![[0, 1, 3], [0, 3, 2], [0, 1, 99], [0, 0, 0]];
        assert_eq!(edges(&sheet, [0.0, 0.0, 1.0]).len(), 4);
    }
}
