//! Guarantee: faces and edges of a convex hull are those of its corners, whatever their number and order, and what is no polyhedron is refused by name; balls that stand for it
//! in placement cover it.

use super::{irregular, only, template};
use tumble_dem::clump::{ClumpError, ClumpHull, ClumpTemplate, HullProblem, MassModel};
use tumble_dem::random::Random;
use tumble_dem::{LabVec, Quat};

#[test]
fn faces_and_edges_are_those_of_known_solids() {
    let golden = 0.5 * (1.0 + 5.0f64.sqrt());
    let icosahedron: Vec<[f64; 3]> = [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)]
        .into_iter()
        .flat_map(|(a, b)| [[0.0, a, b], [a, b, 0.0], [b, 0.0, a]])
        .collect();
    let prism: Vec<[f64; 3]> = (0..14)
        .map(|k| {
            let (sin, cos) = (f64::from(k / 2) * core::f64::consts::TAU / 7.0).sin_cos();
            [cos, sin, f64::from(k % 2)]
        })
        .collect();
    let mut random = Random::new(1);
    for (hull, faces, sides) in [
        (ClumpHull::cuboid([3.0, 2.0, 1.0], 0.1), 6, 4),
        (ClumpHull::tetrahedron(1.0, 0.1), 4, 3),
        (ClumpHull::new(&icosahedron, 0.1), 20, 3),
        (ClumpHull::new(&prism, 0.1), 9, 7),
    ] {
        for _ in 0..20 {
            let own = hull.clone().turned(random.orientation()).at(random.direction().to_array());
            let surface = own.surface().unwrap();
            assert_eq!(surface.faces.len(), faces);
            assert_eq!(surface.edges.len() + 2, faces + own.corners.len());
            assert_eq!(surface.faces.iter().map(Vec::len).max(), Some(sides));
            // Counter-clockwise from outside, each side once each way.
            let middle = own.corners.iter().fold(LabVec::zero(), |sum, corner| sum + *corner)
                * (1.0 / own.corners.len() as f64);
            for [a, b, c] in surface.triangles().map(|triangle| triangle.map(|k| own.corners[k as usize])) {
                assert!((b - a).cross(c - a).dot(a - middle) > 0.0);
            }
            // A box is found again however it is turned.
            let made = template("t", std::slice::from_ref(&own));
            assert_eq!(made.hulls()[0].is_box(), own.corners.len() == 8);
        }
    }
}

/// A box that is slightly out of square is none, and all of random corners on a sphere stick out.
#[test]
fn irregular_ones() {
    let mut random = Random::new(2);
    for corners in [4, 5, 8, 20, 60] {
        let hull = irregular(&mut random, corners, 0.1);
        let surface = hull.surface().unwrap();
        // All faces are triangles.
        assert_eq!(surface.faces.len(), 2 * corners - 4);
    }
    let mut leaning = ClumpHull::cuboid([1.0; 3], 0.1);
    leaning.corners.iter_mut().for_each(|corner| corner.x += 1e-6 * corner.z);
    assert!(!template("t", &[leaning]).hulls()[0].is_box());
}

#[test]
fn what_is_no_polyhedron_is_refused_by_name() {
    let cube = ClumpHull::cuboid([1.0; 3], 0.1);
    let with = |corner: [f64; 3]| {
        let mut own = cube.clone();
        own.corners.push(LabVec::from_array(corner));
        own
    };
    let four = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let ball: Vec<[f64; 3]> = {
        let mut random = Random::new(1);
        (0..129).map(|_| random.direction().to_array()).collect()
    };
    let cases = [
        (ClumpHull::new(&four[..3], 0.1), HullProblem::TooFew),
        (ClumpHull::new(&four, 0.1), HullProblem::Flat),
        (ClumpHull::new(&ball, 0.1), HullProblem::TooMany { corners: 129 }),
        (with([0.1, 0.2, 0.0]), HullProblem::Inside { corner: 8 }),
        // On a face, and on an edge.
        (with([0.4, 0.1, 0.2]), HullProblem::Inside { corner: 8 }),
        (with([0.4, 0.4, 0.2]), HullProblem::Inside { corner: 8 }),
        (with([0.4, 0.4, 0.4]), HullProblem::Twice { corner: 8 }),
        (with([0.0, 0.0, f64::NAN]), HullProblem::NotFinite),
        (ClumpHull { rounding: 0.0, ..cube.clone() }, HullProblem::Rounding),
        (ClumpHull { rounding: 0.003, ..cube.clone() }, HullProblem::Sharp),
        (ClumpHull::cuboid([1e60; 3], 1e59), HullProblem::OutOfRange),
    ];
    for (hull, problem) in cases {
        let refused = ClumpTemplate::of("t", only(&[hull]), MassModel::Union).unwrap_err();
        assert_eq!(refused, ClumpError::Hull { hull: 0, problem });
    }
}

/// Of each of many points in the rounded polyhedron, in its corners, edges and faces above all, one ball knows.
#[test]
fn balls_cover_it_and_stick_out_little() {
    let mut random = Random::new(3);
    let hulls = [
        ClumpHull::cuboid([1.0; 3], 0.1),
        ClumpHull::cuboid([8.0, 1.0, 0.5], 0.05)
            .turned(Quat::from_rotation_vector(LabVec::new(0.3, 0.1, 0.7))),
        ClumpHull::tetrahedron(1.0, 0.2),
        irregular(&mut random, 12, 0.05),
    ];
    for hull in hulls {
        // Bodies overlap if and only if balls of their covers do: one is placed where the other one's surface is.
        let own = template("t", std::slice::from_ref(&hull));
        let mut world = tumble_dem::World::default();
        let id = world.add_template(own.clone()).unwrap();
        let speck = world.add_template(ClumpTemplate::sphere("speck", 1e-3).unwrap()).unwrap();
        for _ in 0..300 {
            // A mean of corners with weights of which many are nothing.
            let weights: Vec<f64> =
                hull.corners.iter().map(|_| random.between(-2.0, 1.0).max(0.0).powi(3)).collect();
            let sum: f64 = weights.iter().sum();
            if sum <= 0.0 {
                continue;
            }
            let point = hull
                .corners
                .iter()
                .zip(&weights)
                .fold(LabVec::zero(), |place, (corner, weight)| place + *corner * (weight / sum));
            let point = point + random.direction() * (0.999 * hull.rounding);
            world.bodies = vec![
                tumble_dem::Body::at(id, own.centre()).turned(own.orientation()),
                tumble_dem::Body::at(speck, point),
            ];
            let found = tumble_dem::placement::overlaps(&world, 0.0, 10);
            assert_eq!(found.total, 1, "{point:?}");
        }
    }
}
