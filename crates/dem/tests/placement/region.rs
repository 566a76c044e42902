//! Streams through cylinders, discs and surfaces: bodies are where they should be, evenly, and none overlaps another.

use super::brute::{least_gap, spheres};
use super::{BALL, ROD, v, world};
use std::f64::consts::PI;
use std::sync::Arc;
use tumble_dem::placement::{Choice, Inlet, Orientation, Rate, Region, Stream, Surface};
use tumble_dem::{Body, Engine, LabVec, Settings, World};

/// What comes in at once through a region, of so many asked for.
fn poured(world: &World, region: Region, choice: Choice, count: u64) -> Vec<Body> {
    let inlet = Inlet {
        region,
        rate: Rate::Bodies(1e12),
        count: Some(count),
        ..Inlet::new(choice, LabVec::zero(), super::cube(1.0))
    };
    let mut stream = Stream::new(inlet, world, 3).unwrap();
    let engine = Engine::new(world.clone(), Settings::new(1e-4)).unwrap();
    stream.due(1.0, &engine)
}

#[test]
fn a_cylinder_in_any_direction_holds_bodies_with_all_their_spheres() {
    let world = world();
    let (from, axis) = (v(1.0, -2.0, 3.0), v(2.0, 3.0, -6.0) * (1.0 / 7.0));
    let (length, radius) = (40.0, 15.0);
    let region = Region::Cylinder { from, to: from + axis * length, radius };
    assert!((region.volume() / (PI * 15.0 * 15.0 * 40.0) - 1.0).abs() < 1e-12);
    let choice = Choice { orientation: Orientation::Random, ..Choice::of(ROD) };
    let bodies = poured(&world, region.clone(), choice, 300);
    assert_eq!(bodies.len(), 300);
    assert!(least_gap(&world, &bodies) >= 1.0);
    let [low, high] = region.bounds();
    let mut farthest: f64 = 0.0;
    for (centre, r) in bodies.iter().flat_map(|body| spheres(&world, body)) {
        let along = (centre - from).dot(axis);
        let across = (centre - from - axis * along).norm();
        assert!(along >= r && along + r <= length && across + r <= radius);
        farthest = farthest.max(across + r);
        let inside = |low: f64, x: f64, high: f64| low <= x - r && x + r <= high;
        assert!(
            inside(low.x, centre.x, high.x)
                && inside(low.y, centre.y, high.y)
                && inside(low.z, centre.z, high.z)
        );
    }
    assert!(farthest > 0.95 * radius, "all of it is in use: {farthest}");
}

#[test]
fn a_disc_has_the_centres_of_its_bodies() {
    let world = world();
    let (centre, normal, radius) = (v(5.0, 0.0, 20.0), v(0.0, 3.0, -4.0), 30.0);
    let bodies = poured(&world, Region::Disc { centre, normal, radius }, Choice::of(BALL), 150);
    assert_eq!(bodies.len(), 150);
    assert!(least_gap(&world, &bodies) >= 1.0);
    let mut near = 0;
    for body in &bodies {
        let away = body.position - centre;
        assert!(away.dot(normal).abs() < 1e-12 * radius && away.norm() <= radius - 1.0);
        near += usize::from(away.norm() < (radius - 1.0) / 2.0_f64.sqrt());
    }
    // Half of the area is within R/√2; the standard deviation is 6.
    assert!((55..95).contains(&near), "{near}");
}

#[test]
fn a_surface_has_them_by_area() {
    let world = world();
    let at = |x: f64, y: f64, z: f64| v(x, y, z);
    // A square of 100 × 100 and, square to it, a triangle of a tenth of its area.
    let triangles = vec![
        [at(0.0, 0.0, 0.0), at(100.0, 0.0, 0.0), at(100.0, 100.0, 0.0)],
        [at(0.0, 0.0, 0.0), at(100.0, 100.0, 0.0), at(0.0, 100.0, 0.0)],
        [at(0.0, 0.0, 50.0), at(20.0, 0.0, 50.0), at(0.0, 0.0, 150.0)],
    ];
    let surface = Surface::new(triangles).unwrap();
    assert!((surface.area() - 11_000.0).abs() < 1e-9);
    let bodies = poured(&world, Region::Surface(Arc::new(surface)), Choice::of(BALL), 330);
    assert_eq!(bodies.len(), 330);
    assert!(least_gap(&world, &bodies) >= 1.0);
    let (mut on_triangle, mut lower) = (0, 0);
    for body in &bodies {
        let LabVec { x, y, z, .. } = body.position;
        if z > 1.0 {
            on_triangle += 1;
            assert!(
                y == 0.0 && x >= 0.0 && (50.0..=150.0).contains(&z) && x <= 20.0 * (150.0 - z) / 100.0 + 1e-9
            );
        } else {
            lower += usize::from(y < x);
            assert!(z.abs() < 1e-12 && (0.0..=100.0).contains(&x) && (0.0..=100.0).contains(&y));
        }
    }
    assert!((14..48).contains(&on_triangle) && (120..180).contains(&lower), "{on_triangle}, {lower}");
}

#[test]
fn impossible_regions_say_why() {
    let world = world();
    let message = |region: Region| {
        let inlet = Inlet { region, ..Inlet::new(Choice::of(BALL), LabVec::zero(), super::cube(1.0)) };
        Stream::new(inlet, &world, 1).unwrap_err().to_string()
    };
    let up = v(0.0, 0.0, 1.0);
    let cylinder = |to: LabVec<f64>, radius: f64| Region::Cylinder { from: LabVec::zero(), to, radius };
    assert!(message(cylinder(LabVec::zero(), 1.0)).contains("length of the cylinder is 0"));
    assert!(message(cylinder(up, -1.0)).contains("radius of the cylinder is -1"));
    assert!(message(cylinder(up, 3.0)).contains("too small for its bodies"));
    assert!(
        message(Region::Disc { centre: up, normal: LabVec::zero(), radius: 1.0 })
            .contains("normal of the disc is 0")
    );
    assert!(
        message(Region::Disc { centre: up, normal: up, radius: 0.9 }).contains("too small for its bodies")
    );
    assert!(
        Surface::new(Vec::new()).unwrap_err().to_string().contains("area of the surface of the stream is 0")
    );
}
