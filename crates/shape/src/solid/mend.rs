//! From a list of triangles to closed surfaces turned outwards: what is wrong with it is found, what can be mended is, and said.
//!
//! Mended: corners that nearly coincide, triangles that are given twice or have two equal corners, sheets of no thickness,
//! windings that disagree, surfaces that are inside out. Refused: holes, edges of more than two triangles, one-sided surfaces, several bodies
//! (unless told what to do with them), no volume.

use super::findings::{Mended, MeshError};
use super::{Point, mass};
use std::collections::HashMap;
use tumble_math::elementary::atan2;

/// What to do with a mesh of several separate bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bodies {
    /// Refuse it.
    #[default]
    One,
    /// Take the one of the largest volume, with its cavities.
    Largest,
}

/// Corners nearer than this, relative to the largest extent, may be meant to be one.
const NEAR: f64 = 1e-6;
/// More surfaces than this are refused.
pub(super) const MOST_SURFACES: usize = 200;

type Mesh = (Vec<Point>, Vec<[u32; 3]>);

pub(super) fn mend(triangles: &[[Point; 3]], bodies: Bodies) -> Result<(Mesh, Mended), MeshError> {
    if let Some(triangle) =
        triangles.iter().position(|t| t.iter().any(|p| !p.to_array().into_iter().all(f64::is_finite)))
    {
        return Err(MeshError::NotFinite { triangle });
    }
    let mut mended = Mended::default();
    let exact = welded(triangles, 0.0);
    let (mut points, mut numbers) = exact;
    let mut kept = without_copies(&numbers, &mut mended);
    if !open_edges(&Edges::of(&kept)).is_empty() {
        let (low, high) = extent(&points);
        let reach = NEAR * (high - low).to_array().into_iter().fold(0.0, f64::max);
        let near = welded(triangles, reach);
        let joined = points.len() - near.0.len();
        let mut again = Mended::default();
        let kept_again = without_copies(&near.1, &mut again);
        if joined > 0 && open_edges(&Edges::of(&kept_again)).len() < open_edges(&Edges::of(&kept)).len() {
            (points, numbers, kept, mended) = (near.0, near.1, kept_again, again);
            mended.joined = Some((joined, reach));
        }
    }
    drop(numbers);
    if kept.is_empty() {
        return Err(MeshError::Nothing { given: triangles.len() });
    }
    let edges = Edges::of(&kept);
    let place = |[a, b]: [u32; 2]| [a, b].map(|v| points[v as usize].to_array());
    let open = open_edges(&edges);
    if let Some(&edge) = open.first() {
        return Err(MeshError::Open { edges: open.len(), at: place(edge) });
    }
    let branching: Vec<[u32; 2]> =
        edges.sorted.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() > 2).map(|c| c[0].0).collect();
    if let Some(&edge) = branching.first() {
        return Err(MeshError::Branching { edges: branching.len(), at: place(edge) });
    }
    let surfaces = turned_alike(&mut kept, &edges, &mut mended)?;
    let kept = turned_outwards(&points, kept, &surfaces, bodies, &mut mended)?;
    Ok(((points, kept), mended))
}

/// The ends of an edge in ascending order, a triangle there, and whether it goes from the lower to the higher.
type AtEdge = ([u32; 2], u32, bool);

/// Which triangles are at which edges.
struct Edges {
    sorted: Vec<AtEdge>,
}

impl Edges {
    fn of(triangles: &[[u32; 3]]) -> Self {
        let mut sorted = Vec::with_capacity(3 * triangles.len());
        for (number, t) in (0..).zip(triangles) {
            for k in 0..3 {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                sorted.push(([a.min(b), a.max(b)], number, a < b));
            }
        }
        sorted.sort_unstable();
        Self { sorted }
    }
}

fn open_edges(edges: &Edges) -> Vec<[u32; 2]> {
    edges.sorted.chunk_by(|a, b| a.0 == b.0).filter(|c| c.len() == 1).map(|c| c[0].0).collect()
}

/// The sums of the normals on both sides of the edges of each triangle of a closed surface.
pub(super) fn edge_normals(triangles: &[[u32; 3]], normals: &[Point]) -> Vec<[Point; 3]> {
    let mut sums = vec![[Point::zero(); 3]; triangles.len()];
    for at_edge in Edges::of(triangles).sorted.chunk_by(|a, b| a.0 == b.0) {
        let sum = at_edge.iter().fold(Point::zero(), |sum, &(_, t, _)| sum + normals[t as usize]);
        for &(ends, t, forward) in at_edge {
            let from = if forward { ends[0] } else { ends[1] };
            if let Some(k) = triangles[t as usize].iter().position(|&v| v == from) {
                sums[t as usize][k] = sum;
            }
        }
    }
    sums
}

/// Corners that are equal, or nearer than `reach` to an earlier one, made one.
#[allow(clippy::cast_possible_truncation, reason = "cells saturate; meshes have fewer than 2³² corners")]
fn welded(triangles: &[[Point; 3]], reach: f64) -> Mesh {
    let mut points: Vec<Point> = Vec::new();
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let cell = |p: Point| {
        // Adding zero makes −0 equal to 0 in bits too.
        p.to_array().map(|x| {
            if reach > 0.0 {
                (x / reach).floor() as i64
            } else {
                i64::from_ne_bytes((x + 0.0).to_bits().to_ne_bytes())
            }
        })
    };
    let mut number = |point: Point| {
        let [x, y, z] = cell(point);
        let around = |i: i64| if reach > 0.0 { i.saturating_sub(1)..=i.saturating_add(1) } else { i..=i };
        let mut found: Option<u32> = None;
        for cx in around(x) {
            for cy in around(y) {
                for cz in around(z) {
                    let near = cells.get(&[cx, cy, cz]).into_iter().flatten().copied();
                    let near = near.filter(|&i| (points[i as usize] - point).norm() <= reach).min();
                    found = [found, near].into_iter().flatten().min();
                }
            }
        }
        found.unwrap_or_else(|| {
            let new = points.len() as u32;
            points.push(point);
            cells.entry([x, y, z]).or_default().push(new);
            new
        })
    };
    let numbers = triangles.iter().map(|t| t.map(&mut number)).collect();
    (points, numbers)
}

/// Triangles of three different corners; of those with the same three, one if more are wound one way than the other, else none.
fn without_copies(triangles: &[[u32; 3]], mended: &mut Mended) -> Vec<[u32; 3]> {
    let real: Vec<[u32; 3]> =
        triangles.iter().copied().filter(|[a, b, c]| a != b && b != c && c != a).collect();
    mended.degenerate = triangles.len() - real.len();
    let sorted = |t: &[u32; 3]| {
        let mut sorted = *t;
        sorted.sort_unstable();
        sorted
    };
    let is_even = |[a, b, c]: [u32; 3]| [a < b, b < c, c < a].into_iter().filter(|up| *up).count() == 2;
    let mut sums: HashMap<[u32; 3], i64> = HashMap::with_capacity(real.len());
    for &t in &real {
        *sums.entry(sorted(&t)).or_default() += if is_even(t) { 1 } else { -1 };
    }
    let mut kept = Vec::with_capacity(real.len());
    for &t in &real {
        // The first of the winding that more have stands for all.
        if let Some(sum) = sums.get_mut(&sorted(&t)).filter(|sum| **sum != 0 && (**sum > 0) == is_even(t)) {
            kept.push(t);
            *sum = 0;
        }
    }
    mended.duplicate = real.len() - kept.len();
    kept
}

fn extent(points: &[Point]) -> (Point, Point) {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for (axis, x) in point.to_array().into_iter().enumerate() {
            low[axis] = low[axis].min(x);
            high[axis] = high[axis].max(x);
        }
    }
    (Point::from_array(low), Point::from_array(high))
}

/// Turns triangles so that neighbours are wound alike, and tells which surface each belongs to.
fn turned_alike(
    triangles: &mut [[u32; 3]],
    edges: &Edges,
    mended: &mut Mended,
) -> Result<Vec<usize>, MeshError> {
    let mut neighbours = vec![Vec::with_capacity(3); triangles.len()];
    for pair in edges.sorted.chunk_by(|a, b| a.0 == b.0) {
        if let [(_, a, a_forward), (_, b, b_forward)] = *pair {
            neighbours[a as usize].push((b as usize, a_forward == b_forward));
            neighbours[b as usize].push((a as usize, a_forward == b_forward));
        }
    }
    let mut surface = vec![usize::MAX; triangles.len()];
    let mut turned = vec![false; triangles.len()];
    let mut count = 0;
    for start in 0..triangles.len() {
        if surface[start] != usize::MAX {
            continue;
        }
        surface[start] = count;
        let mut members = vec![start];
        let mut next = 0;
        while next < members.len() {
            let t = members[next];
            next += 1;
            for &(other, same) in &neighbours[t] {
                let wanted = turned[t] ^ same;
                if surface[other] == usize::MAX {
                    surface[other] = count;
                    turned[other] = wanted;
                    members.push(other);
                } else if turned[other] != wanted {
                    return Err(MeshError::OneSided);
                }
            }
        }
        // Those that are fewer are the wrong ones.
        let wrong = members.iter().filter(|&&t| turned[t]).count();
        if 2 * wrong > members.len() {
            for &t in &members {
                turned[t] = !turned[t];
            }
        }
        mended.flipped += wrong.min(members.len() - wrong);
        count += 1;
    }
    for (triangle, _) in triangles.iter_mut().zip(turned).filter(|(_, turned)| *turned) {
        triangle.swap(1, 2);
    }
    Ok(surface)
}

/// Turns every surface so that its inside is where the solid is, and keeps those that are wanted.
fn turned_outwards(
    points: &[Point],
    mut triangles: Vec<[u32; 3]>,
    surface: &[usize],
    bodies: Bodies,
    mended: &mut Mended,
) -> Result<Vec<[u32; 3]>, MeshError> {
    let count = surface.iter().max().map_or(0, |last| last + 1);
    if count > MOST_SURFACES {
        return Err(MeshError::TooManySurfaces { surfaces: count });
    }
    let corners = |t: &[u32; 3]| t.map(|v| points[v as usize]);
    let of = |triangles: &[[u32; 3]], wanted: usize| -> Vec<[Point; 3]> {
        triangles.iter().zip(surface).filter(|(_, s)| **s == wanted).map(|(t, _)| corners(t)).collect()
    };
    let shells: Vec<Vec<[Point; 3]>> = (0..count).map(|s| of(&triangles, s)).collect();
    let volumes: Vec<f64> =
        shells.iter().map(|shell| mass::properties(shell.iter().copied()).volume).collect();
    // A surface within an odd number of others bounds a cavity.
    let around: Vec<Vec<usize>> = (0..count)
        .map(|s| (0..count).filter(|&o| o != s && encloses(&shells[o], shells[s][0][0])).collect())
        .collect();
    for s in 0..count {
        let is_cavity = !around[s].len().is_multiple_of(2);
        mended.cavities += usize::from(is_cavity);
        if (volumes[s] < 0.0) != is_cavity {
            mended.inside_out += 1;
            for (triangle, _) in triangles.iter_mut().zip(surface).filter(|(_, own)| **own == s) {
                triangle.swap(1, 2);
            }
        }
    }
    let mut solid: Vec<usize> = (0..count).filter(|&s| around[s].len().is_multiple_of(2)).collect();
    solid.sort_by(|&a, &b| volumes[b].abs().total_cmp(&volumes[a].abs()));
    if solid.len() <= 1 {
        return Ok(triangles);
    }
    if bodies == Bodies::One {
        return Err(MeshError::Several { volumes: solid.iter().map(|&s| volumes[s].abs()).collect() });
    }
    let body = solid[0];
    let depth = around[body].len();
    // Its own cavities are those in it and in nothing else that it is not in.
    let is_own = |s: usize| s == body || (around[s].contains(&body) && around[s].len() == depth + 1);
    let total: f64 = solid.iter().map(|&s| volumes[s].abs()).sum();
    mended.left_out = Some((solid.len() - 1, 1.0 - volumes[body].abs() / total));
    mended.cavities = (0..count).filter(|&s| s != body && is_own(s)).count();
    Ok(triangles.into_iter().zip(surface).filter(|(_, s)| is_own(**s)).map(|(t, _)| t).collect())
}

/// Whether a closed surface winds round a point: the solid angles of its triangles, after A. van Oosterom and J. Strackee, *IEEE Trans. Biomed.
/// Eng.* 30 (1983) 125, add up to ±4π or to nothing.
fn encloses(shell: &[[Point; 3]], point: Point) -> bool {
    let sum: f64 = shell
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|corner| corner - point);
            let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * atan2(a.dot(b.cross(c)), below)
        })
        .sum();
    sum.abs() > core::f64::consts::TAU
}
