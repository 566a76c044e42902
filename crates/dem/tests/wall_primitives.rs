//! Guarantee: the touches of planes, boxes, cylinders and cones are the nearest points of their surfaces,
//! found here by searching the surfaces themselves, in any orientation. They can break where one region of a
//! surface ends and the next begins, on axes, and for centres that went through.

use crate::sampling::{Random, largest};
use std::f64::consts::TAU;
use tumble_dem::MaterialId;
use tumble_dem::law::EnergyPower;
use tumble_dem::wall::{Cone, Cylinder, Enclosure, Error, Motion, Plane, Shape, Side, Touch, Wall};
use tumble_math::{BodyVec, LabVec, Quat};

fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

fn touches(shape: &Shape, centre: LabVec<f64>, radius: f64) -> Vec<Touch> {
    let mut found = Vec::new();
    shape.touches(centre, radius, EnergyPower::Square, &[], &mut found);
    found
}

fn the_touch(shape: &Shape, centre: LabVec<f64>, radius: f64) -> Touch {
    let found = touches(shape, centre, radius);
    assert_eq!(found.len(), 1, "{shape:?} at {centre:?}: {found:?}");
    found[0]
}

fn assert_close(a: LabVec<f64>, b: LabVec<f64>, tolerance: f64) {
    assert!((a - b).norm() <= tolerance, "{a:?} is not {b:?}");
}

/// The nearest point of a surface that a segment sweeps once around: by angles, then finer ones around the
/// best.
fn nearest_of_sweep(segment: &dyn Fn(f64) -> [LabVec<f64>; 2], centre: LabVec<f64>) -> LabVec<f64> {
    let at = |angle: f64| {
        let [start, end] = segment(angle);
        let along = end - start;
        start + along * ((centre - start).dot(along) / along.norm_squared()).clamp(0.0, 1.0)
    };
    let (mut middle, mut half) = (0.0, TAU / 2.0);
    for _ in 0..30 {
        let angles = (-40..=40).map(|i| middle + half * f64::from(i) / 40.0);
        let off = |angle: &f64| (at(*angle) - centre).norm();
        middle = angles.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();
        half *= 0.3;
    }
    at(middle)
}

/// The nearest point of a cylinder or cone: radii at the ends of an axis from the origin, turned by `q`.
fn nearest_of_frustum(
    radii: [f64; 2],
    length: f64,
    caps: bool,
    q: Quat<f64>,
    centre: LabVec<f64>,
) -> LabVec<f64> {
    let place = |rho: f64, phi: f64, z: f64| q.to_lab(BodyVec::new(rho * phi.cos(), rho * phi.sin(), z));
    let mut points =
        vec![nearest_of_sweep(&|phi| [place(radii[0], phi, 0.0), place(radii[1], phi, length)], centre)];
    for (radius, z) in radii.into_iter().zip([0.0, length]) {
        if caps && radius > 0.0 {
            points.push(nearest_of_sweep(&|phi| [place(radius, phi, z), place(0.0, phi, z)], centre));
        }
    }
    points.into_iter().min_by(|a, b| (*a - centre).norm().total_cmp(&(*b - centre).norm())).unwrap()
}

#[test]
fn finite_cylinders_and_cones_are_touched_at_their_nearest_points() {
    let mut random = Random(11);
    let shapes =
        [([0.7, 0.7], 1.5), ([0.2, 1.1], 1.0), ([1.3, 0.4], 0.6), ([0.0, 0.8], 1.2), ([0.9, 0.0], 0.9)];
    let mut features = [0; 5];
    for (radii, length) in shapes {
        for side in [Side::Inside, Side::Outside] {
            for _ in 0..300 {
                let q = Quat::from_array(random.unit_quaternion());
                let axis = q.to_lab(BodyVec::new(0.0, 0.0, 1.0));
                let shape: Shape = if radii[0] - radii[1] == 0.0 {
                    Cylinder::new(LabVec::zero(), axis * 3.0, radii[0], side, Some(length)).unwrap().into()
                } else {
                    Cone::new([LabVec::zero(), axis * length], radii, side).unwrap().into()
                };
                let [x, y] = [random.between(-1.2, 1.2), random.between(-1.2, 1.2)];
                let centre = q.to_lab(BodyVec::new(x, y, random.between(-1.0, length + 1.0)));
                let nearest = nearest_of_frustum(radii, length, side == Side::Outside, q, centre);
                let distance = (centre - nearest).norm();
                let touch = the_touch(&shape, centre, 5.0);
                features[touch.feature as usize] += 1;
                // In a solid the way out is along the normal; the wall is behind the centre.
                let signed = 5.0 - touch.overlap;
                assert!((signed.abs() - distance).abs() < 1e-9, "{shape:?} {centre:?}: {signed} {distance}");
                assert_close(centre - touch.normal * signed, nearest, 1e-5);
                assert!((touch.normal.norm() - 1.0).abs() < 1e-14);
                assert!((shape.distance(centre) - signed).abs() < 1e-15);
                let inside = side == Side::Outside && within(radii, length, x.hypot(y), centre.dot(axis));
                assert_eq!(signed < 0.0, inside);
                assert_eq!(shape.escaped(centre), inside);
                assert!(touches(&shape, centre, distance * 0.999).len() == usize::from(inside));
            }
        }
    }
    assert!(features.iter().all(|&count| count > 10), "{features:?}");
}

fn within(radii: [f64; 2], length: f64, rho: f64, z: f64) -> bool {
    z > 0.0 && z < length && rho < radii[0] + (radii[1] - radii[0]) * z / length
}

#[test]
fn infinite_cylinders_hold_spheres_in_or_keep_them_out() {
    let axis = v(1.0, 2.0, -0.5);
    let unit = axis * (1.0 / axis.norm());
    let point = v(0.3, -0.2, 0.1);
    let mut random = Random(5);
    for _ in 0..1000 {
        let offset = LabVec::from_array(random.vector(1.0));
        let radial = offset - unit * offset.dot(unit);
        let radial = radial * (1.0 / radial.norm());
        let rho = random.between(0.01, 3.0);
        let centre = point + unit * random.between(-50.0, 50.0) + radial * rho;
        for (side, sign) in [(Side::Inside, -1.0), (Side::Outside, 1.0)] {
            let shape: Shape = Cylinder::new(point, axis, 1.0, side, None).unwrap().into();
            let touch = the_touch(&shape, centre, 4.0);
            assert_close(touch.normal, radial * sign, 1e-11);
            assert!((touch.overlap - (4.0 - sign * (rho - 1.0))).abs() < 1e-13);
            assert_eq!(shape.escaped(centre), sign * (rho - 1.0) < 0.0);
        }
    }
}

#[test]
fn a_sphere_on_the_axis_is_pushed_along_it_or_across() {
    let tube: Shape =
        Cylinder::new(LabVec::zero(), v(0.0, 0.0, 1.0), 1.0, Side::Inside, None).unwrap().into();
    assert!(touches(&tube, v(0.0, 0.0, 3.0), 0.9).is_empty());
    let touch = the_touch(&tube, v(0.0, 0.0, 3.0), 1.25);
    assert_eq!(touch.overlap.to_bits(), 0.25_f64.to_bits());
    assert!(touch.normal.z == 0.0 && (touch.normal.norm() - 1.0).abs() < 1e-15);
    // On the circle of an outlet, and in the cone above it: held up by all of the circle.
    let hopper = Cone::new([v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0)], [0.3, 1.3], Side::Inside).unwrap().into();
    for z in [0.2, 0.8] {
        assert_close(the_touch(&hopper, v(0.0, 0.0, z), 2.0).normal, v(0.0, 0.0, 1.0), 0.0);
    }
    let below = the_touch(&hopper, v(0.0, 0.0, -0.4), 2.0);
    assert_close(below.normal, v(0.0, 0.0, -1.0), 0.0);
    assert!((below.overlap - 1.5).abs() < 1e-15); // 3-4-5 triangle
}

#[test]
fn hopper_and_rim_by_hand() {
    // 45°: the distance from the surface is (R − ρ)/√2.
    let hopper: Shape =
        Cone::new([v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0)], [1.0, 2.0], Side::Inside).unwrap().into();
    let root = 0.5_f64.sqrt();
    let touch = the_touch(&hopper, v(1.2, 0.0, 0.5), 0.5);
    assert_close(touch.normal, v(-root, 0.0, root), 1e-15);
    assert!((touch.overlap - (0.5 - 0.3 * root)).abs() < 1e-15);
    // A centre beyond the sheet is pushed on outwards.
    let beyond = the_touch(&hopper, v(1.8, 0.0, 0.5), 0.5);
    assert_close(beyond.normal, v(root, 0.0, -root), 1e-15);
    assert!(!hopper.escaped(v(1.8, 0.0, 0.5)));
    // Below the outlet, 0.3 across and 0.4 down from the rim.
    let rim = the_touch(&hopper, v(0.0, 0.7, -0.4), 0.75);
    assert_eq!(rim.feature, 1);
    assert_close(rim.normal, v(0.0, -0.6, -0.8), 1e-15);
    assert!((rim.overlap - 0.25).abs() < 1e-15);
    // The rim of a solid rod, and its cap.
    let rod: Shape =
        Cylinder::new(v(0.0, 0.0, 0.0), v(0.0, 0.0, 1.0), 1.0, Side::Outside, Some(2.0)).unwrap().into();
    let rim = the_touch(&rod, v(1.3, 0.0, 2.4), 0.75);
    assert_eq!((rim.feature, (rim.overlap * 1e9).round()), (2, 0.25e9));
    assert_eq!(the_touch(&rod, v(0.9, 0.0, 2.4), 0.75).feature, 4);
    assert_eq!(the_touch(&rod, v(0.9, 0.0, -0.4), 0.75).feature, 3);
    let deep = the_touch(&rod, v(0.0, 0.5, 1.9), 0.75);
    assert_eq!(deep.feature, 4);
    assert!((deep.overlap - 0.85).abs() < 1e-15);
}

#[test]
fn distance_is_continuous_where_regions_meet() {
    let mut random = Random(3);
    for side in [Side::Inside, Side::Outside] {
        let shape: Shape = Cone::new([v(0.1, 0.2, 0.3), v(1.0, 0.5, 1.1)], [0.2, 0.9], side).unwrap().into();
        let mut worst: f64 = 0.0;
        for _ in 0..20_000 {
            let a = LabVec::from_array(random.vector(1.0)) * random.between(0.0, 3.0);
            let b = a + LabVec::from_array(random.vector(1e-3));
            worst = largest([worst, (shape.distance(a) - shape.distance(b)).abs() / 1e-3]);
        }
        assert!(worst <= 1.0 + 1e-9, "{worst}");
    }
}

#[test]
fn box_touches_up_to_three_faces_and_pushes_escaped_centres_back() {
    let shape: Shape = Enclosure::new(v(-1.0, -2.0, -3.0), v(1.0, 2.0, 3.0)).unwrap().into();
    assert!(touches(&shape, v(0.0, 0.0, 0.0), 0.5).is_empty());
    let corner = touches(&shape, v(0.75, -1.5, 2.25), 1.0);
    let features: Vec<_> = corner.iter().map(|touch| touch.feature).collect();
    assert_eq!(features, [1, 2, 5]);
    let overlaps: Vec<_> = corner.iter().map(|touch| touch.overlap).collect();
    assert_eq!(overlaps, [0.75, 0.5, 0.25]);
    let sum = corner.iter().fold(LabVec::zero(), |sum, touch| sum + touch.normal);
    assert_close(sum, v(-1.0, 1.0, -1.0), 0.0);
    assert!(!shape.escaped(v(0.75, -1.5, 2.25)));
    let out = the_touch(&shape, v(0.0, 0.0, 3.5), 0.25);
    assert_eq!((out.feature, out.overlap.to_bits()), (5, 0.75_f64.to_bits()));
    assert!(shape.escaped(v(0.0, 0.0, 3.5)) && (shape.distance(v(0.0, 0.0, 3.5)) + 0.5).abs() < 1e-15);
    assert!(shape.near(v(0.0, 0.0, 3.5), 0.0) && !shape.near(v(0.0, 0.0, 0.0), 0.9));
}

#[test]
fn plane_is_a_half_space() {
    let shape: Shape = Plane::new(v(1.0, 1.0, 1.0), v(0.0, 3e-200, 4e-200)).unwrap().into();
    let touch = the_touch(&shape, v(5.0, 1.0, 2.0), 1.0);
    assert_close(touch.normal, v(0.0, 0.6, 0.8), 1e-15);
    assert!((touch.overlap - 0.2).abs() < 1e-15);
    assert!(touches(&shape, v(5.0, 1.0, 2.0), 0.8 - 1e-12).is_empty());
    assert!((the_touch(&shape, v(5.0, 1.0, -9.0), 1.0).overlap - 9.0).abs() < 1e-14);
    assert!(touches(&shape, v(f64::NAN, 0.0, 0.0), 1.0).is_empty());
}

#[test]
fn shapes_that_cannot_be_are_refused_with_a_reason() {
    let zero = LabVec::zero();
    let refused = |error: Error, says: &str| assert!(error.to_string().contains(says), "{error}");
    refused(Plane::new(zero, zero).unwrap_err(), "zero vector");
    refused(Plane::new(v(f64::NAN, 0.0, 0.0), v(1.0, 0.0, 0.0)).unwrap_err(), "point of the plane");
    refused(Enclosure::new(v(0.0, 2.0, 0.0), v(1.0, 1.0, 1.0)).unwrap_err(), "from 2 to 1 along y");
    refused(Cylinder::new(zero, v(0.0, 0.0, 1.0), -1.0, Side::Inside, None).unwrap_err(), "must be positive");
    refused(Cylinder::new(zero, v(0.0, 0.0, 1.0), 1.0, Side::Inside, Some(0.0)).unwrap_err(), "length");
    refused(Cone::new([zero, zero], [1.0, 2.0], Side::Inside).unwrap_err(), "axis of the cone");
    refused(Cone::new([zero, v(0.0, 0.0, 1.0)], [0.0, 0.0], Side::Inside).unwrap_err(), "both radii");
    refused(Cone::new([zero, v(0.0, 0.0, 1.0)], [-1.0, 0.0], Side::Inside).unwrap_err(), "not be negative");
    let plane = Plane::new(zero, v(0.0, 0.0, 1.0)).unwrap();
    refused(Wall::new("  ", plane, MaterialId(0), Motion::fixed()).unwrap_err(), "name");
}
