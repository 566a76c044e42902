//! The bounds of a certificate hold: closed forms lie between them, and a second computation, points spread densely over both surfaces without any tree,
//! bisection or formula of the first, finds no point beyond the upper one and comes near the lower one.

use tumble_dem::clump::ClumpSphere;
use tumble_dem::random::Random;
use tumble_shape::{Bodies, Certificate, Point, Solid, bodies};

fn solid(triangles: &[[Point; 3]]) -> Solid {
    Solid::new(triangles, Bodies::One).unwrap()
}

#[track_caller]
fn encloses(certificate: &Certificate, exact: f64) {
    let bound = certificate.surface;
    assert!(bound.lower <= exact * (1.0 + 1e-9) && exact <= bound.upper, "{exact} {bound:?}");
    assert!(bound.upper <= 1.011 * bound.lower, "{bound:?}");
}

#[test]
fn closed_forms_lie_between_the_bounds() {
    let cube = solid(&bodies::cuboid([2.0; 3]));
    let ball = |radius| Certificate::of(&cube, &[ClumpSphere::new([0.0; 3], radius)]);
    // A corner is farthest, until the ball sticks out more.
    encloses(&ball(1.0), 3.0_f64.sqrt() - 1.0);
    encloses(&ball(1.3), 3.0_f64.sqrt() - 1.3);
    encloses(&ball(1.5), 0.5);
    // Two balls that overlap: the circle in which they meet lies deep inside.
    let rod = solid(&bodies::cuboid([4.0, 2.0, 2.0]));
    let two = [ClumpSphere::new([-1.0, 0.0, 0.0], 1.2), ClumpSphere::new([1.0, 0.0, 0.0], 1.2)];
    let deep = 1.0 - (1.2_f64 * 1.2 - 1.0).sqrt();
    let corner = 3.0_f64.sqrt() - 1.2;
    encloses(&Certificate::of(&rod, &two), deep.max(corner));
    // A void in the middle of eight balls is a surface too.
    let eight: Vec<ClumpSphere> = (0..8)
        .map(|i| {
            let side = |bit: usize| if i & bit == 0 { -0.5 } else { 0.5 };
            ClumpSphere::new([side(1), side(2), side(4)], 0.6)
        })
        .collect();
    let void = Certificate::of(&cube, &eight);
    let surface = 0.5 * 3.0_f64.sqrt() - 0.6;
    assert!(surface > 0.0 && void.spheres_to_mesh.upper > 0.7, "{void:?}");
}

/// The Hausdorff distance of two surfaces by points alone: of the mesh, on a grid of every triangle; of the union, on every sphere where none covers it.
fn sampled(solid: &Solid, spheres: &[ClumpSphere], divisions: u32, per_sphere: u32) -> f64 {
    let mut on_mesh = Vec::new();
    for t in 0..solid.triangles().len() {
        let [a, b, c] = solid.corners(t);
        for i in 0..=divisions {
            for j in 0..=divisions - i {
                let part = |k: u32| f64::from(k) / f64::from(divisions);
                on_mesh.push(a + (b - a) * part(i) + (c - a) * part(j));
            }
        }
    }
    let mut on_union = Vec::new();
    for (i, sphere) in spheres.iter().enumerate() {
        let mut random = Random::numbered(3, i as u64);
        for _ in 0..per_sphere {
            let at = sphere.centre + random.direction() * sphere.radius;
            let covered = |(j, s): (usize, &ClumpSphere)| j != i && (at - s.centre).norm() < s.radius;
            if !spheres.iter().enumerate().any(covered) {
                on_union.push(at);
            }
        }
    }
    let one_way = |from: &[Point], to: &[Point]| {
        from.iter()
            .map(|p| to.iter().map(|q| (*p - *q).norm_squared()).fold(f64::INFINITY, f64::min))
            .fold(0.0, f64::max)
            .sqrt()
    };
    one_way(&on_mesh, &on_union).max(one_way(&on_union, &on_mesh))
}

#[test]
fn points_on_both_surfaces_agree() {
    let mut random = Random::new(11);
    for body in [bodies::cuboid([1.0, 0.8, 0.6]), bodies::torus(0.6, 0.25, [24, 12]), bodies::rock(1.0, 2, 6)]
    {
        let solid = solid(&body);
        let spheres: Vec<ClumpSphere> = (0..14)
            .map(|_| {
                let corner =
                    solid.points()[usize::try_from(random.bits() % solid.points().len() as u64).unwrap()];
                let at = corner + (solid.mass().centre - corner) * random.between(0.3, 0.8);
                ClumpSphere { centre: at, radius: solid.depth(at).abs() * random.between(0.9, 1.3) + 0.05 }
            })
            .collect();
        let bound = Certificate::of(&solid, &spheres).surface;
        let divisions = if body.len() < 20 { 60 } else { 5 };
        let seen = sampled(&solid, &spheres, divisions, 4000);
        // Points are up to 0.02 from the farthest one, and up to 0.04 apart.
        assert!(bound.lower <= seen + 0.02 && seen <= bound.upper + 0.04, "{seen} {bound:?}");
        assert!(bound.upper <= 1.011 * bound.lower, "{bound:?}");
    }
}
