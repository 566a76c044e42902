//! Guarantee: a sphere touches a mesh at the local minima of its distance, each once, but for those on one patch of the
//! surface, which make up one contact; with numbers that stay while it slides over a flat face. They can break on
//! edges and corners between triangles, where rounding would lose a contact or count it twice; where surfaces
//! fold, branch and end; and in the search.

use crate::sampling::{Random, largest};
use crate::solids::{Placed, Triangles, ball, below, cube, mesh, sheet, touches, tube, v};
use tumble_dem::wall::{Error, MeshOptions, Plane, TriangleMesh};
use tumble_math::LabVec;

/// Random places of a mesh, and places exactly on its vertices, edges and (nearly) faces.
fn places(triangles: &Triangles, count: usize, random: &mut Random) -> Vec<LabVec<f64>> {
    let mut places = Vec::new();
    for _ in 0..count {
        let pick = below(triangles.len(), random);
        let [a, b, c] = triangles[pick];
        let s = random.between(0.0, 1.0);
        let t = random.between(0.0, 1.0 - s);
        places.extend([a, b, c, (a + b) * 0.5, (b + c) * 0.5, a + (c - a) * s, b + (c - b) * t]);
        places.push(a + (b - a) * s + (c - a) * t);
    }
    places
}

#[test]
fn a_triangulated_plane_is_a_plane() {
    let mut random = Random(1);
    let (mut normal_errors, mut overlap_errors) = (Vec::new(), Vec::new());
    for round in 0..24 {
        // From triangles three times larger than the sphere to twenty times smaller, regular and not.
        let (n, jitter) = ([2, 5, 20, 60][round % 4], [0.0, 0.25, 0.45][round % 3]);
        let (size, radius) = (6.0, 1.0);
        let flat = sheet(n, size, jitter, &mut random, |_| 0.0);
        let placed = if round < 6 { Placed::identity() } else { Placed::random(&mut random) };
        let triangles = placed.all(&flat);
        let mesh = mesh(&triangles);
        assert_eq!(mesh.report().faces, 1);
        let up = placed.direction(v(0.0, 0.0, 1.0));
        for place in places(&triangles, 400, &mut random) {
            let side = if random.between(0.0, 1.0) < 0.5 { 1.0 } else { -1.0 };
            let centre = place + up * (side * random.between(0.2, 0.999));
            let plane = Plane::new(placed.shift, up * side).unwrap();
            let found = touches(&mesh, centre, radius);
            assert_eq!(found.len(), 1, "{n} {jitter} {centre:?} {found:?}");
            // On the border, rounding may put the foot on the edge that is there.
            let inner = {
                let at =
                    Placed { q: placed.q.conjugate(), shift: LabVec::zero() }.direction(place - placed.shift);
                [at.x, at.y].into_iter().all(|x| x > 1e-9 && x < size - 1e-9)
            };
            assert!(found[0].feature == 0 || !inner, "{place:?} {found:?}");
            normal_errors.push((found[0].normal - plane.normal()).norm());
            overlap_errors.push((found[0].overlap - (radius - plane.signed_distance(centre))).abs() / radius);
        }
    }
    let (normal, overlap) = (largest(normal_errors), largest(overlap_errors));
    // Right above a corner rounding may choose a short edge, whose direction is as uncertain as it is short.
    assert!(normal < 2e-13 && overlap < 1e-14, "normal {normal:e}, overlap {overlap:e}");
}

/// The distance to the cube [−1, 1]³ from outside.
fn off_cube(p: LabVec<f64>) -> LabVec<f64> {
    LabVec::from_array(p.to_array().map(|x| x - x.clamp(-1.0, 1.0)))
}

#[test]
fn the_outside_of_a_cube_is_rounded_and_touched_once() {
    let mut random = Random(2);
    for n in [1, 3, 8] {
        let placed = Placed::random(&mut random);
        let mesh = mesh(&placed.all(&cube(n)));
        assert_eq!((mesh.report().faces, mesh.report().open_edges), (6, 0));
        let mut kinds = [0; 3];
        for i in 0..20_000 {
            let mut p = LabVec::from_array(std::array::from_fn(|_| random.between(-1.6, 1.6)));
            // Exactly above edges and corners too, where the regions of face, edge and corner meet.
            if i % 3 == 0 {
                let snap = |x: f64| if x.abs() > 0.5 { x.signum() } else { x };
                let axis = i % 9 / 3;
                let mut q = p.to_array().map(snap);
                q[axis] = random.between(1.001, 1.5);
                p = LabVec::from_array(q);
            }
            let off = off_cube(p);
            if off.norm() < 1e-3 {
                continue;
            }
            let radius = off.norm() * random.between(1.01, 1.3);
            let found = touches(&mesh, placed.point(p), radius);
            assert_eq!(found.len(), 1, "{p:?} {found:?}");
            assert!((found[0].overlap - (radius - off.norm())).abs() < 1e-14);
            assert!((found[0].normal - placed.direction(off) * (1.0 / off.norm())).norm() < 1e-12);
            let outside = off.to_array().iter().filter(|x| x.abs() > 1e-9).count();
            kinds[outside - 1] += 1;
            if i % 3 != 0 {
                let feature = found[0].feature as usize;
                let report = mesh.report();
                let kind =
                    [feature < 6, feature >= 6 && feature < 6 + report.edges, feature >= 6 + report.edges];
                assert!(kind[outside - 1], "{p:?} {found:?}");
            }
        }
        assert!(kinds.iter().all(|&count| count > 500), "{kinds:?}");
    }
}

#[test]
fn the_inside_of_a_cube_is_a_box() {
    let mut random = Random(3);
    let placed = Placed::random(&mut random);
    let mesh = mesh(&placed.all(&cube(4)));
    let mut counts = [0; 4];
    for _ in 0..20_000 {
        let p = v(random.between(-0.99, 0.99), random.between(-0.99, 0.99), random.between(-0.99, 0.99));
        let radius = random.between(0.05, 0.8);
        let mut heights = p.to_array().map(|x| 1.0 - x.abs());
        heights.sort_by(f64::total_cmp);
        // A sphere as deep as that joins the two sides.
        if heights[0].hypot(heights[1]) < radius {
            continue;
        }
        let mut found: Vec<_> = touches(&mesh, placed.point(p), radius).iter().map(|t| t.overlap).collect();
        let mut expected: Vec<_> = p
            .to_array()
            .into_iter()
            .flat_map(|x| [radius - (1.0 - x), radius - (1.0 + x)])
            .filter(|&overlap| overlap > 0.0)
            .collect();
        found.sort_by(f64::total_cmp);
        expected.sort_by(f64::total_cmp);
        assert_eq!(found.len(), expected.len());
        assert!(largest(found.iter().zip(&expected).map(|(a, b)| (a - b).abs())) < 1e-14);
        counts[found.len()] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn a_sphere_in_a_groove_touches_both_sides() {
    // Slopes of 45° along y.
    let [a, b] = [v(0.0, -5.0, 0.0), v(0.0, 5.0, 0.0)];
    let mut groove = Triangles::new();
    for side in [-3.0, 3.0] {
        let up = v(side, 0.0, 3.0);
        groove.extend([[a, b, b + up], [a, b + up, a + up]]);
    }
    let mesh = mesh(&groove);
    let root = 0.5_f64.sqrt();
    for y in [-4.0, -1.25, 0.0, 2.0] {
        let found = touches(&mesh, v(0.0, y, 1.0), 1.0);
        assert_eq!(found.len(), 2);
        for (touch, x) in found.iter().zip([root, -root]) {
            assert!((touch.normal - v(x, 0.0, root)).norm() < 1e-15);
            assert!((touch.overlap - (1.0 - root)).abs() < 1e-15);
        }
        // From below it is a ridge.
        let below = touches(&mesh, v(0.0, y, -0.6), 1.0);
        assert_eq!(below.len(), 1);
        assert!(
            (below[0].normal - v(0.0, 0.0, -1.0)).norm() < 1e-15 && (below[0].overlap - 0.4).abs() < 1e-15
        );
    }
}

#[test]
fn numbers_stay_while_a_sphere_slides_along_a_face_or_an_edge() {
    let placed = Placed::random(&mut Random(7));
    let mesh = mesh(&placed.all(&cube(7)));
    let along = |from: LabVec<f64>, to: LabVec<f64>| {
        let mut features: Vec<u32> = Vec::new();
        for i in 0..=2100 {
            let found = touches(&mesh, placed.point(from + (to - from) * (f64::from(i) / 2100.0)), 0.5);
            assert_eq!(found.len(), 1);
            features.push(found[0].feature);
        }
        features.dedup();
        features
    };
    assert_eq!(along(v(-0.9, -0.7, 1.3), v(0.8, 0.95, 1.3)).len(), 1);
    assert_eq!(along(v(-0.99, 1.2, 1.3), v(0.99, 1.2, 1.3)).len(), 1);
    // Over an edge: face, edge, face.
    assert_eq!(along(v(0.8, 0.0, 1.3), v(1.3, 0.2, 0.8)).len(), 3);
    // From an edge to a corner to an edge.
    assert_eq!(along(v(0.9, 1.2, 1.2), v(1.2, 1.2, 0.8)).len(), 3);
}

#[test]
fn convex_surfaces_are_touched_once_at_their_nearest_point() {
    let mut random = Random(4);
    for triangles in [ball(6), ball(20), tube(30)] {
        let placed = Placed::random(&mut random);
        let triangles = placed.all(&triangles);
        let mesh = mesh(&triangles);
        let mut centres: Vec<_> = (0..3000)
            .map(|_| v(0.0, 0.0, random.between(-0.9, 0.9)) + LabVec::from_array(random.vector(1.0)) * 1.4)
            .filter(|p| p.norm() > 1.01 && p.x.hypot(p.y) > 1.01 && p.z.abs() < 0.99)
            .map(|p| placed.point(p))
            .collect();
        // Straight above vertices and edges, seen from the middle.
        for place in places(&triangles, 60, &mut random) {
            let out = place - placed.shift;
            centres.push(place + out * 0.2);
        }
        for centre in centres {
            let distance = mesh.distance(centre);
            let found = touches(&mesh, centre, distance + 0.3);
            // An open tube has a far side, which is no convex part of it; the nearest comes first by overlap.
            let best = found.iter().map(|touch| touch.overlap).fold(0.0, f64::max);
            assert!((best - 0.3).abs() < 1e-13);
            let radial =
                Placed { q: placed.q.conjugate(), shift: LabVec::zero() }.direction(centre - placed.shift);
            if distance + 0.3 < 1.0 && radial.z.abs() < 0.99 {
                assert_eq!(found.len(), 1, "{centre:?} {found:?}");
            }
        }
    }
}

#[test]
fn a_tessellated_cylinder_converges_at_second_order() {
    let mut random = Random(6);
    let centres: Vec<_> = (0..400)
        .map(|_| {
            let (rho, angle) = (random.between(0.5, 0.8), random.between(0.0, std::f64::consts::TAU));
            v(rho * angle.cos(), rho * angle.sin(), random.between(-0.5, 0.5))
        })
        .collect();
    let error = |n: u32| {
        let mesh = mesh(&tube(n));
        largest(centres.iter().map(|&c| {
            let found = touches(&mesh, c, 0.6);
            let best = found.iter().map(|touch| touch.overlap).fold(0.0, f64::max);
            (best - (0.6 - (1.0 - c.x.hypot(c.y)))).abs()
        }))
    };
    let errors = [18, 36, 72, 144].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 2.0).abs() < 0.15, "{errors:?}");
    }
}

/// The nearest point of a line from `s` to `e`.
pub(crate) fn nearest_on(s: LabVec<f64>, e: LabVec<f64>, p: LabVec<f64>) -> LabVec<f64> {
    s + (e - s) * ((p - s).dot(e - s) / (e - s).norm_squared()).clamp(0.0, 1.0)
}

/// The nearest point of a triangle: the foot on its plane if inside, else the nearest of its sides'.
pub(crate) fn nearest([a, b, c]: [LabVec<f64>; 3], p: LabVec<f64>) -> LabVec<f64> {
    let normal = (b - a).cross(c - a);
    let n = normal * (1.0 / normal.norm());
    let foot = p - n * (p - a).dot(n);
    if [(a, b), (b, c), (c, a)].iter().all(|&(s, e)| (e - s).cross(foot - s).dot(n) >= 0.0) {
        return foot;
    }
    let sides = [nearest_on(a, b, p), nearest_on(b, c, p), nearest_on(c, a, p)];
    sides.into_iter().min_by(|x, y| (*x - p).norm().total_cmp(&(*y - p).norm())).unwrap()
}

#[test]
fn the_search_finds_what_a_look_at_all_triangles_finds() {
    let mut random = Random(10);
    let mesh = mesh(&sheet(25, 5.0, 0.4, &mut random, |random| random.between(0.0, 0.3)));
    let triangles: Triangles = mesh.triangles().collect();
    for _ in 0..1000 {
        let p = v(random.between(-1.0, 6.0), random.between(-1.0, 6.0), random.between(-1.0, 1.5));
        let distances: Vec<_> = triangles.iter().map(|&t| (nearest(t, p) - p).norm()).collect();
        let reach = random.between(0.05, 1.5);
        let expected: Vec<_> =
            (0_u32..).zip(&distances).filter(|(_, d)| **d <= reach).map(|(t, _)| t).collect();
        let mut found = vec![7];
        mesh.candidates(p, reach, &mut found);
        assert_eq!(found[1..], expected);
        let least = distances.iter().fold(f64::INFINITY, |a, &b| a.min(b));
        assert!((mesh.distance(p) - least).abs() < 1e-14);
        assert_eq!(mesh.near(p, reach), least <= reach);
        // The very nearest is never lost to rounding.
        found.clear();
        mesh.candidates(p, mesh.distance(p), &mut found);
        assert!(!found.is_empty() && mesh.near(p, mesh.distance(p)));
    }
    assert!(!mesh.near(v(f64::NAN, 0.0, 0.0), 1.0) && !mesh.near(v(0.0, 0.0, 0.0), -1.0));
}

#[test]
fn triangles_without_area_close_the_gaps_they_were_made_for() {
    // A square whose lower half is cut at the middle of the diagonal; the third triangle joins m to a–c.
    let [a, b, c, d] = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, 1.0, 0.0), v(0.0, 1.0, 0.0)];
    let m = v(0.5, 0.5, 0.0);
    let joined: Triangles = vec![[a, b, m], [b, c, m], [a, m, c], [a, c, d]];
    let stray: Triangles = vec![[v(5.0, 0.0, 0.0), v(6.0, 0.0, 0.0), v(7.0, 0.0, 0.0)], [a, a, b], [b, c, m]];
    let placed = Placed::random(&mut Random(12));
    let whole = mesh(&placed.all(&[joined.clone(), stray].concat()));
    let report = whole.report();
    assert_eq!((report.triangles, report.degenerate, report.duplicate, report.faces), (4, 2, 1, 1));
    let mut random = Random(13);
    for place in places(&joined, 300, &mut random) {
        let found = touches(&whole, placed.point(place + v(0.0, 0.0, 0.3)), 0.5);
        assert_eq!(found.len(), 1, "{place:?} {found:?}");
        assert!((found[0].overlap - 0.2).abs() < 1e-14);
    }
    // On the line of the needle, but beyond its end: the corner of the square.
    let beyond = touches(&whole, placed.point(v(-0.03, -0.03, 0.3)), 0.5);
    assert_eq!(beyond.len(), 1);
    assert!(beyond[0].feature >= 1);
}

#[test]
fn corners_are_welded_as_asked_and_folds_are_not_flat() {
    let [a, b, c] = [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)];
    let near = [b + v(1e-7, 0.0, 0.0), c + v(0.0, -1e-7, 0.0), v(1.0, 1.0, 0.0)];
    let triangles = [[a, b, c], near];
    let open = |weld_distance| {
        let options = MeshOptions { weld_distance, ..MeshOptions::default() };
        TriangleMesh::new(&triangles, options).unwrap().report().open_edges
    };
    assert_eq!((open(0.0), open(1e-8), open(1e-6)), (6, 6, 4));
    // Folded back onto itself: two faces, and the fold can be felt.
    let fold = mesh(&vec![[a, b, c], [b, c, v(0.1, 0.1, 0.0)]]);
    assert_eq!(fold.report().faces, 2);
    let found = touches(&fold, v(0.6, 0.6, 0.3), 1.0);
    assert_eq!(found.len(), 1, "{found:?}");
    let out = 0.1 * 2.0_f64.sqrt();
    assert!((found[0].overlap - (1.0 - out.hypot(0.3))).abs() < 1e-15);
    assert!(matches!(TriangleMesh::new(&[], MeshOptions::default()), Err(Error::NoTriangles { given: 0 })));
    let flat = TriangleMesh::new(&[[a, b, b]], MeshOptions::default());
    assert!(matches!(flat, Err(Error::NoTriangles { given: 1 })));
    let bad = TriangleMesh::new(&[[a, b, c], [a, b, v(0.0, f64::NAN, 0.0)]], MeshOptions::default());
    assert!(bad.unwrap_err().to_string().contains("triangle 1 "));
}

/// A sphere at an edge would touch all its triangles.
#[test]
fn thousands_of_triangles_on_one_edge_are_refused() {
    let fan = |count: u32| -> Triangles {
        let tip = |k: u32| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
            v(angle.cos(), angle.sin(), 0.5)
        };
        (0..count).map(|k| [v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0), tip(k)]).collect()
    };
    let made = |count: u32| TriangleMesh::new(&fan(count), MeshOptions::default());
    assert_eq!(made(1000).unwrap().report().triangles, 1000);
    let error = made(20_000).unwrap_err();
    assert!(matches!(error, Error::CrowdedEdge { triangles: 20_000, .. }), "{error}");
    assert!(error.to_string().contains("20000 triangles of the mesh share the edge"), "{error}");
}
