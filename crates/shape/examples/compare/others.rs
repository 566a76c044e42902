//! The algorithms of others, each in brief after its publication, with exact distances from the mesh where theirs come from voxels or corners.

use tumble_dem::clump::ClumpSphere;
use tumble_dem::random::Random;
use tumble_math::BodyVec;
use tumble_shape::{Point, Solid};

/// An algorithm, and the spheres that it gives for a fineness (m): at most so many.
pub(crate) struct Method {
    pub(crate) name: &'static str,
    pub(crate) spheres: fn(&Solid, f64, usize) -> Vec<ClumpSphere>,
}

pub(crate) const METHODS: &[Method] = &[
    Method { name: "distance transform", spheres: distance_transform },
    Method { name: "Ferellec–McDowell", spheres: ferellec_mcdowell },
    Method { name: "set cover", spheres: set_cover },
    Method { name: "Favier", spheres: favier },
];

/// As CLUMP (V. Angelidakis et al., *SoftwareX* 15 (2021) 100735) and multisphere do: on the points of a grid, the place where the distance from the surface, and
/// that from the spheres so far, are together largest; its radius is the distance from the surface. Until what is not covered is thinner than the fineness.
fn distance_transform(solid: &Solid, fineness: f64, most: usize) -> Vec<ClumpSphere> {
    let [low, high] = solid.bounds();
    // Centres lie on the grid: as fine as the fineness asks for, but at most a million points.
    let longest = (high - low).to_array().into_iter().fold(0.0, f64::max);
    let step = f64::max(0.4 * fineness, longest / 100.0);
    let mut grid = Vec::new();
    let mut at = low;
    while at.x < high.x {
        at.y = low.y;
        while at.y < high.y {
            at.z = low.z;
            while at.z < high.z {
                let depth = solid.depth(at);
                if depth > 0.5 * step {
                    grid.push((at, depth, depth));
                }
                at.z += step;
            }
            at.y += step;
        }
        at.x += step;
    }
    let mut spheres = Vec::new();
    while spheres.len() < most {
        let open = grid.iter().filter(|(_, _, left)| *left >= 0.5 * fineness);
        let best = open.max_by(|a, b| (a.1 + a.2).total_cmp(&(b.1 + b.2)));
        let Some(&(centre, radius, _)) = best else { break };
        spheres.push(ClumpSphere { centre, radius });
        for (point, _, left) in &mut grid {
            *left = left.min((*point - centre).norm() - radius);
        }
    }
    spheres
}

/// J.-F. Ferellec and G. R. McDowell, *Granular Matter* 12 (2010) 459: from points of the surface in random order, the sphere that touches there and grows inwards
/// until it meets the surface again. Points nearer to a sphere than the fineness are not taken.
fn ferellec_mcdowell(solid: &Solid, fineness: f64, most: usize) -> Vec<ClumpSphere> {
    let mut points = surface(solid, 0.6 * fineness);
    let mut random = Random::new(1);
    for last in (1..points.len()).rev() {
        let other = usize::try_from(random.bits() % (last as u64 + 1)).unwrap_or(0);
        points.swap(last, other);
    }
    let mut spheres: Vec<ClumpSphere> = Vec::new();
    for (point, normal) in points {
        let near = |s: &ClumpSphere| ((point - s.centre).norm() - s.radius).abs() < fineness;
        if spheres.len() < most && !spheres.iter().any(near) {
            spheres.push(touching(solid, point, normal));
        }
    }
    spheres
}

/// The greedy cover of X. Li, Y. Xu and Y. Meng, *Powder Technol.* 286 (2015) 478, and of Coverage Axis (Z. Dou et al., *Comput. Graph. Forum* 41 (2022) 419): of all
/// spheres that touch the surface from inside, the one that comes within the fineness of most points that none comes near yet.
fn set_cover(solid: &Solid, fineness: f64, most: usize) -> Vec<ClumpSphere> {
    let points = surface(solid, 0.6 * fineness);
    let every = points.len().div_ceil(1500);
    let candidates: Vec<ClumpSphere> =
        points.iter().step_by(every).map(|&(point, normal)| touching(solid, point, normal)).collect();
    let covers = |s: &ClumpSphere, point: Point| (point - s.centre).norm() - s.radius <= fineness;
    let mut open: Vec<Point> = points.iter().map(|(point, _)| *point).collect();
    let mut spheres = Vec::new();
    while !open.is_empty() && spheres.len() < most {
        let count = |s: &ClumpSphere| open.iter().filter(|point| covers(s, **point)).count();
        let (best, covered) = candidates
            .iter()
            .map(|s| (s, count(s)))
            .fold((&candidates[0], 0), |best, next| if next.1 > best.1 { next } else { best });
        if covered == 0 {
            break;
        }
        spheres.push(*best);
        open.retain(|point| !covers(best, *point));
    }
    spheres
}

/// J. F. Favier et al., *Eng. Comput.* 16 (1999) 467: spheres on the longest principal axis, as large as fit there.
fn favier(solid: &Solid, fineness: f64, most: usize) -> Vec<ClumpSphere> {
    let mass = solid.mass();
    let Ok(axes) = mass.inertia.principal_axes() else { return Vec::new() };
    let along = axes.orientation.to_lab(BodyVec::new(1.0, 0.0, 0.0));
    let ends = solid.points().iter().map(|point| (*point - mass.centre).dot(along));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let mut spheres = Vec::new();
    let mut at = low + 0.5 * fineness;
    while at < high && spheres.len() < most {
        let centre = mass.centre + along * at;
        let radius = solid.depth(centre);
        if radius > 0.0 {
            spheres.push(ClumpSphere { centre, radius });
        }
        at += fineness;
    }
    spheres
}

/// Points of the surface with their outward normals, about so far apart.
pub(crate) fn surface(solid: &Solid, spacing: f64) -> Vec<(Point, Point)> {
    let mut points = Vec::new();
    for t in 0..solid.triangles().len() {
        let mut waiting = vec![solid.corners(t)];
        while let Some([a, b, c]) = waiting.pop() {
            let lengths = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
            let longest = lengths.into_iter().fold(0.0, f64::max);
            if longest <= 1.5 * spacing {
                points.push(((a + b + c) * (1.0 / 3.0), solid.normal(t)));
            } else {
                let [p, q, r] = if lengths[0] >= longest {
                    [a, b, c]
                } else if lengths[1] >= longest {
                    [b, c, a]
                } else {
                    [c, a, b]
                };
                let middle = (p + q) * 0.5;
                waiting.extend([[p, middle, r], [middle, q, r]]);
            }
        }
    }
    points
}

/// The largest sphere inside that touches the surface here, give or take a thousandth of the size: corners of a mesh are not those of the body it stands for.
fn touching(solid: &Solid, point: Point, normal: Point) -> ClumpSphere {
    let slack = 1e-3 * solid.size();
    let (mut near, mut far) = (0.0, solid.size());
    for _ in 0..24 {
        let middle = 0.5 * (near + far);
        if middle - solid.depth(point - normal * middle) > slack {
            far = middle;
        } else {
            near = middle;
        }
    }
    let centre = point - normal * near;
    ClumpSphere { centre, radius: solid.depth(centre).max(slack) }
}
