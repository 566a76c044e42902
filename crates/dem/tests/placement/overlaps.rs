//! The search for overlaps against a look at all pairs.

use super::brute::spheres;
use super::{BALL, PAWN, ROD, closed_box, cube, plane, sheet, v, world};
use tumble_dem::domain::Domain;
use tumble_dem::placement::{Choice, Orientation, Overlap, Scale, overlaps};
use tumble_dem::random::Random;
use tumble_dem::{Body, BodyId, LabVec, TemplateId, Touching, WallId, World};

/// Bodies anywhere, with no regard for each other.
fn heap(count: u32, size: f64, seed: u64) -> Vec<Body> {
    let mut random = Random::new(seed);
    let choice = Choice {
        orientation: Orientation::Random,
        scale: Scale::Uniform { low: 0.05, high: 1.2 },
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 1.0), (PAWN, 1.0)]).unwrap()
    };
    let mut place = |_| {
        let body = choice.draw(&mut random);
        let [x, y, z] = core::array::from_fn(|_| random.between(0.0, size));
        Body { position: v(x, y, z), ..body }
    };
    (0..count).map(&mut place).collect()
}

/// Body, earlier body, depth of the deepest overlap.
fn expected(world: &World, tolerance: f64) -> Vec<(u32, u32, f64)> {
    let all: Vec<_> = world.bodies.iter().map(|body| spheres(world, body)).collect();
    let mut found = Vec::new();
    for (i, a) in (0..).zip(&all) {
        for (j, b) in (0..i).zip(&all) {
            let mut deepest: f64 = 0.0;
            for &(p, r) in a {
                for &(q, s) in b {
                    let depth = r + s - world.domain.nearest(p, q).norm();
                    if depth > tolerance * r.min(s) {
                        deepest = deepest.max(depth);
                    }
                }
            }
            if deepest > 0.0 {
                found.push((i, j, deepest));
            }
        }
    }
    found
}

#[test]
fn finds_what_a_look_at_all_pairs_finds() {
    for (case, domain) in
        [Domain::open(), Domain::periodic(LabVec::zero(), cube(16.0))].into_iter().enumerate()
    {
        let mut world = world();
        world.domain = domain;
        world.bodies = heap(250, 16.0, 3);
        // One far away must not matter.
        world.bodies.push(Body::at(BALL, v(if case == 0 { 1e7 } else { 5.0 }, 1.0, 1.0)));
        for tolerance in [0.0, 0.2] {
            let expected = expected(&world, tolerance);
            let found = overlaps(&world, tolerance, usize::MAX);
            assert!(expected.len() > 50 && found.complete, "case {case}");
            assert_eq!((found.total, found.found.len()), (expected.len(), expected.len()), "case {case}");
            for (overlap, (i, j, depth)) in found.found.iter().zip(&expected) {
                let Touching::Body(other, _) = overlap.with else { panic!("{overlap:?}") };
                assert_eq!((overlap.body.0, other), (BodyId(*i), BodyId(*j)));
                assert!((overlap.depth - depth).abs() < 1e-12, "{overlap:?}");
                check_spheres(&world, overlap);
            }
            let few = overlaps(&world, tolerance, 7);
            assert_eq!((few.total, few.found.as_slice()), (found.total, &found.found[..7]));
        }
    }
}

/// The spheres that an overlap names are the ones that overlap so much.
fn check_spheres(world: &World, overlap: &Overlap) {
    let sphere = |body: BodyId, number: u32| spheres(world, &world.bodies[body.0 as usize])[number as usize];
    let Touching::Body(other, number) = overlap.with else { return };
    let ((p, r), (q, s)) = (sphere(overlap.body.0, overlap.body.1), sphere(other, number));
    assert!((r + s - world.domain.nearest(p, q).norm() - overlap.depth).abs() < 1e-12);
    assert!((overlap.radius - r.min(s)).abs() < 1e-12);
}

#[test]
fn walls_count_too() {
    let mut world = world();
    world.walls =
        vec![plane(LabVec::zero(), v(0.0, 0.0, 1.0)), closed_box(cube(-20.0), cube(20.0)), sheet(9.0)];
    let ball = |x, y, z| Body::at(BALL, v(x, y, z));
    world.bodies = vec![
        ball(0.0, 0.0, 0.75),
        ball(5.0, 0.0, -0.5),
        ball(19.5, 5.0, 5.0),
        ball(0.0, 5.0, 8.2),
        ball(5.0, 5.0, 5.0),
        ball(30.0, 0.0, 5.0),
        ball(10.0, 0.0, 1.0),
    ];
    let found = overlaps(&world, 1e-9, 100);
    let found: Vec<_> = found.found.iter().map(|o| (o.body.0.0, o.with, o.depth)).collect();
    let expected = [(0, 0, 0.25), (1, 0, 1.5), (2, 1, 0.5), (3, 2, 0.2), (5, 1, 11.0)];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((body, with, depth), (i, wall, deep)) in found.into_iter().zip(expected) {
        assert_eq!((body, with), (i, Touching::Wall(WallId(wall))));
        assert!((depth - deep).abs() < 1e-12, "{depth}");
    }
}

#[test]
fn bodies_that_touch_do_not_overlap() {
    let mut world = world();
    world.bodies = (0..10).map(|i| Body::at(BALL, v(0.2 * f64::from(i), 0.0, 0.0)).scaled(0.1)).collect();
    assert_eq!(overlaps(&world, 1e-9, 10).total, 0);
}

#[test]
fn a_world_that_is_wrong_is_no_reason_to_fail() {
    let mut world = world();
    world.bodies = vec![
        Body::at(TemplateId(9), LabVec::zero()),
        Body::at(BALL, v(f64::NAN, 0.0, 0.0)),
        Body::at(BALL, v(f64::INFINITY, 0.0, 0.0)),
        Body::at(BALL, v(f64::MAX, 0.0, 0.0)),
        Body::at(BALL, v(-f64::MAX, 0.0, 0.0)),
        Body::at(BALL, LabVec::zero()).scaled(-1.0),
        Body::at(BALL, LabVec::zero()),
        Body::at(BALL, v(0.5, 0.0, 0.0)),
    ];
    assert_eq!(overlaps(&world, 0.0, 10).total, 1);
    world.bodies.clear();
    assert_eq!(overlaps(&world, 0.0, 10).total, 0);
}

#[test]
fn a_file_of_zeros_does_not_take_for_ever() {
    let mut world = world();
    world.bodies = vec![Body::at(PAWN, LabVec::zero()); 50_000];
    let found = overlaps(&world, 0.0, 3);
    assert!(!found.complete && found.total > 100 && found.found.len() == 3);
}
