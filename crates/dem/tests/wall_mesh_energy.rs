//! Guarantee: the touches of a sphere with a mesh have the energy of all that is near, each point of the surface counted once,
//! and push along its slope. It can break where triangles cross, fold and branch, and where patches have holes.

use crate::sampling::Random;
use crate::solids::{Triangles, below, mesh, sheet, touches};
use crate::wall_mesh::{nearest, nearest_on};
use std::collections::{BTreeMap, BTreeSet};
use tumble_dem::wall::Touch;
use tumble_math::LabVec;

/// The local minima below the radius: nearest points of triangles that are the nearest points of all
/// triangles they belong to. `None` where rounding would decide.
fn local_minima(triangles: &Triangles, centre: LabVec<f64>, radius: f64) -> Option<Vec<LabVec<f64>>> {
    let mut minima: Vec<LabVec<f64>> = Vec::new();
    let feet: Vec<_> = triangles.iter().map(|&triangle| nearest(triangle, centre)).collect();
    for &foot in &feet {
        if (foot - centre).norm() >= radius || minima.iter().any(|m| (*m - foot).norm() < 1e-10) {
            continue;
        }
        let mut is_minimum = true;
        for (&triangle, &own) in triangles.iter().zip(&feet) {
            if (nearest(triangle, foot) - foot).norm() < 1e-10 {
                let apart = (own - foot).norm();
                if (1e-11..1e-6).contains(&apart) {
                    return None;
                }
                is_minimum &= apart < 1e-11;
            }
        }
        if is_minimum {
            minima.push(foot);
        }
    }
    Some(minima)
}

/// Σ w δ^{5/2} over all triangles, edges and corners, with weights by which each point counts once.
fn energy(triangles: &Triangles, centre: LabVec<f64>, radius: f64) -> f64 {
    let raise = |point: LabVec<f64>| (radius - (centre - point).norm()).max(0.0).powf(2.5);
    let bits = |p: LabVec<f64>| p.to_array().map(f64::to_bits);
    let (mut edges, mut corners) = (BTreeMap::new(), BTreeMap::new());
    let mut sum = 0.0;
    for &triangle in triangles {
        sum += raise(nearest(triangle, centre));
        for k in 0..3 {
            let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
            edges
                .entry([bits(a), bits(b)].into_iter().collect::<BTreeSet<_>>())
                .or_insert((0.0, [a, b]))
                .0 += 1.0;
            corners.entry(bits(a)).or_insert((1.0, a)).0 += 1.0;
        }
    }
    for (count, [a, b]) in edges.values() {
        for end in [a, b] {
            corners.entry(bits(*end)).and_modify(|corner| corner.0 -= 1.0);
        }
        sum += (1.0 - count) * raise(nearest_on(*a, *b, centre));
    }
    sum + corners.values().map(|(weight, point)| weight * raise(*point)).sum::<f64>()
}

/// Whether a touch is that of one point.
fn alone(touch: &Touch) -> bool {
    touch.slope.to_bits() == 1.0_f64.to_bits()
}

/// Rugged terrain; and triangles between a few points, crossing each other, three and more at an edge.
fn any_surface(round: usize, random: &mut Random) -> Triangles {
    if round.is_multiple_of(2) {
        return sheet(4, 4.0, 0.3, random, |random| random.between(-0.5, 0.5));
    }
    let points: Vec<_> = (0..7).map(|_| LabVec::from_array(random.vector(1.5))).collect();
    let mut pick = || points[below(7, random)];
    let all: Triangles = (0..12).map(|_| [pick(), pick(), pick()]).collect();
    let distinct = |[a, b, c]: &[LabVec<f64>; 3]| a != b && b != c && c != a;
    all.into_iter().filter(distinct).collect()
}

#[test]
fn touches_have_the_energy_of_all_that_is_near_on_any_surface() {
    let mut random = Random(9);
    let (mut compared, mut unclear, mut rings, mut counts) = (0, 0, 0, [0; 8]);
    for round in 0..120 {
        let mesh = mesh(&any_surface(round, &mut random));
        let triangles: Triangles = mesh.triangles().collect();
        for _ in 0..150 {
            let pick = below(triangles.len(), &mut random);
            let centre =
                triangles[pick][0] + LabVec::from_array(random.vector(1.0)) * random.between(0.05, 1.0);
            let radius = random.between(0.3, 1.2);
            let Some(minima) = local_minima(&triangles, centre, radius) else {
                unclear += 1;
                continue;
            };
            let found = touches(&mesh, centre, radius);
            assert!(found.len() <= minima.len() && found.is_empty() == minima.is_empty());
            // A patch with a hole in it has more energy than the sum says.
            let (sum, of_touches) = (
                energy(&triangles, centre, radius),
                found.iter().map(|touch| touch.overlap.powf(2.5)).sum::<f64>(),
            );
            if (sum - of_touches).abs() > 1e-12 {
                assert!(of_touches > sum, "{round}: {centre:?} {radius} {of_touches} {sum}");
                rings += 1;
                continue;
            }
            // Where none has joined another, they are the minima themselves.
            for touch in found.iter().filter(|touch| found.len() == minima.len() && alone(touch)) {
                let point = centre - touch.normal * (radius - touch.overlap);
                assert_eq!(minima.iter().filter(|minimum| (point - **minimum).norm() < 1e-11).count(), 1);
            }
            counts[found.len().min(7)] += 1;
            compared += 1;
        }
    }
    assert!(compared > 14_000 && unclear < 100 && rings < 3000, "{compared} {unclear} {rings}");
    assert!(counts[0..4].iter().all(|&count| count > 50), "{counts:?}");
}

#[test]
fn the_push_is_the_slope_of_the_energy() {
    let mut random = Random(21);
    let mut joined = 0;
    for round in 0..60 {
        let mesh = mesh(&any_surface(round, &mut random));
        let triangles: Triangles = mesh.triangles().collect();
        for _ in 0..100 {
            let pick = below(triangles.len(), &mut random);
            let centre =
                triangles[pick][0] + LabVec::from_array(random.vector(1.0)) * random.between(0.2, 1.0);
            let radius = random.between(0.3, 1.2);
            let along = LabVec::from_array(random.vector(1.0));
            let along = along * (1.0 / along.norm());
            let energy = |by: f64| {
                let found = touches(&mesh, centre + along * by, radius);
                found.iter().map(|touch| touch.overlap.powf(2.5)).sum::<f64>()
            };
            let found = touches(&mesh, centre, radius);
            let push = found.iter().fold(LabVec::zero(), |sum, touch| {
                sum + touch.normal * (2.5 * touch.overlap.powf(1.5) * touch.slope)
            });
            // To fourth order; the force has a kink here and there.
            let h = 1e-4;
            let slope = (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
            assert!((slope + push.dot(along)).abs() < 2e-3, "{round}: {slope} {}", push.dot(along));
            joined += usize::from(!found.iter().all(alone));
        }
    }
    assert!(joined > 500, "{joined}");
}
