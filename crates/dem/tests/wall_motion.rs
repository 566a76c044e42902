//! Guarantee: a wall's velocities are the derivatives of its positions, its parts compose as documented, and
//! the bound on its displacement holds. They can break in the order of rotations, in the velocity of pivots
//! that other parts carry along, and where a bound forgets a symmetry or uses one that is not there.

use crate::sampling::{Random, largest};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use tumble_dem::wall::{
    Cone, Cylinder, Enclosure, MeshOptions, Motion, Movement, Plane, Pose, Region, Shape, Side, TriangleMesh,
};
use tumble_math::LabVec;

fn v(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

fn everything() -> Motion {
    Motion::new(vec![
        Movement::Drift { velocity: v(0.1, -0.2, 0.3) },
        Movement::Spin { axis: v(1.0, 1.0, 0.0), pivot: v(0.5, 0.0, -0.3), rate: 2.0 },
        Movement::Vibration { amplitude: v(0.02, 0.0, 0.05), frequency: 1.7, phase: 0.4 },
        Movement::Rocking {
            axis: v(0.0, 0.2, 1.0),
            pivot: v(-1.0, 0.3, 0.0),
            amplitude: 0.6,
            frequency: 0.8,
            phase: -1.0,
        },
        Movement::Spin { axis: v(0.3, -1.0, 0.5), pivot: v(0.0, 0.7, 0.2), rate: -0.9 },
    ])
    .unwrap()
}

#[test]
fn velocities_are_the_derivatives_of_positions() {
    let motion = everything();
    let mut random = Random(2);
    let mut errors = Vec::new();
    for _ in 0..2000 {
        let t = random.between(0.0, 20.0);
        let material = LabVec::from_array(random.vector(1.5));
        let h = 1e-5;
        let slope = (motion.at(t + h).to_lab(material) - motion.at(t - h).to_lab(material)) * (0.5 / h);
        let pose = motion.at(t);
        errors.push((slope - pose.velocity_at(pose.to_lab(material))).norm());
        let at_pivot = (motion.at(t + h).origin - motion.at(t - h).origin) * (0.5 / h);
        errors.push((at_pivot - pose.velocity).norm());
        errors.push((pose.to_reference(pose.to_lab(material)) - material).norm() * 1e5);
    }
    let worst = largest(errors);
    assert!(worst < 1e-8, "{worst}");
}

#[test]
fn rotations_act_in_the_order_of_the_list_and_translations_last() {
    // A quarter turn about z, then one about x, then a lift: x → y → z.
    let quarter = |axis| Movement::Spin { axis, pivot: LabVec::zero(), rate: FRAC_PI_2 };
    let lift = Movement::Drift { velocity: v(0.0, 0.0, 5.0) };
    let motion = Motion::new(vec![lift, quarter(v(0.0, 0.0, 1.0)), quarter(v(1.0, 0.0, 0.0))]).unwrap();
    let at = motion.at(1.0).to_lab(v(1.0, 0.0, 0.0));
    assert!((at - v(0.0, 0.0, 6.0)).norm() < 1e-15, "{at:?}");
    let direction = motion.at(1.0).direction_to_lab(v(1.0, 0.0, 0.0));
    assert!((direction - v(0.0, 0.0, 1.0)).norm() < 1e-15);
    // About a pivot: half a turn about (1, 0, 0) takes the origin to (2, 0, 0).
    let half =
        Motion::new(vec![Movement::Spin { axis: v(0.0, 0.0, 9.0), pivot: v(1.0, 0.0, 0.0), rate: PI }])
            .unwrap();
    assert!((half.at(1.0).to_lab(LabVec::zero()) - v(2.0, 0.0, 0.0)).norm() < 1e-15);
    assert!((half.at(1.0).velocity_at(v(2.0, 0.0, 0.0)) - v(0.0, PI, 0.0)).norm() < 1e-15);
}

#[test]
fn harmonic_motions_follow_their_formulas_for_ever() {
    let vibration = Movement::Vibration { amplitude: v(0.0, 0.0, 2.0), frequency: 50.0, phase: 0.3 };
    let motion = Motion::new(vec![vibration]).unwrap();
    for t in [0.0, 0.013, 1.0, 1.7] {
        let angle = TAU * 50.0 * t + 0.3;
        assert!((motion.at(t).origin.z - 2.0 * angle.sin()).abs() < 1e-12);
        assert!((motion.at(t).velocity.z - 200.0 * PI * angle.cos()).abs() < 1e-9);
    }
    // Five hundred million periods later: t is exact, and so are the whole turns.
    let late = motion.at(1e7 + 0.007_812_5);
    assert!((late.origin.z - motion.at(0.007_812_5).origin.z).abs() < 1e-12);
    // A spin is periodic to the rounding of its angle.
    let spin = Motion::new(vec![Movement::Spin { axis: v(0.0, 0.0, 1.0), pivot: LabVec::zero(), rate: TAU }])
        .unwrap();
    let x = spin.at(1e6 + 0.25).to_lab(v(1.0, 0.0, 0.0));
    assert!((x - v(0.0, 1.0, 0.0)).norm() < 1e-8);
}

#[test]
fn what_never_moves_is_static() {
    assert!(Motion::fixed().is_static());
    assert_eq!(Motion::fixed().at(3.0), Pose::reference());
    let idle = Motion::new(vec![
        Movement::Drift { velocity: LabVec::zero() },
        Movement::Spin { axis: v(1.0, 0.0, 0.0), pivot: v(1.0, 2.0, 3.0), rate: 0.0 },
    ]);
    assert!(idle.unwrap().is_static());
    assert!(!everything().is_static());
    let p = v(0.1, 0.2, 0.3);
    assert_eq!(Pose::reference().to_reference(p), p);
    assert_eq!(Pose::reference().to_lab(p), p);
    let bad = Movement::Vibration { amplitude: v(1.0, 0.0, 0.0), frequency: 0.0, phase: 0.0 };
    assert!(Motion::new(vec![bad]).unwrap_err().to_string().contains("frequency of the vibration"));
    let bad = Movement::Spin { axis: LabVec::zero(), pivot: LabVec::zero(), rate: 1.0 };
    assert!(Motion::new(vec![bad]).unwrap_err().to_string().contains("axis of the spin"));
}

fn shapes() -> Vec<Shape> {
    let corners = [v(0.0, 0.0, 0.0), v(1.0, 0.2, 0.0), v(0.0, 1.0, 0.3), v(0.4, 0.4, 1.0)];
    let [a, b, c, d] = corners;
    let pyramid =
        TriangleMesh::new(&[[a, c, b], [a, b, d], [b, c, d], [c, a, d]], MeshOptions::default()).unwrap();
    let point = v(0.2, -0.3, 0.1);
    let axis = v(0.5, 1.0, 2.0);
    vec![
        Plane::new(point, axis).unwrap().into(),
        Enclosure::new(v(-1.0, -0.5, -0.2), v(1.0, 0.7, 0.9)).unwrap().into(),
        Cylinder::new(point, axis, 0.4, Side::Inside, None).unwrap().into(),
        Cylinder::new(point, axis, 0.4, Side::Outside, None).unwrap().into(),
        Cylinder::new(point, axis, 0.4, Side::Inside, Some(1.0)).unwrap().into(),
        Cone::new([point, point + axis * 0.4], [0.2, 0.9], Side::Inside).unwrap().into(),
        Cone::new([point, point + axis * 0.4], [0.2, 0.9], Side::Outside).unwrap().into(),
        pyramid.into(),
    ]
}

#[test]
fn no_distance_changes_by_more_than_the_bound() {
    let mut random = Random(8);
    let motion = everything();
    for shape in shapes() {
        let mut tightest: f64 = 0.0;
        for _ in 0..4000 {
            let from = motion.at(random.between(0.0, 10.0));
            let later = 10.0_f64.powf(random.between(-4.0, 0.5));
            let to = motion.at(random.between(0.0, 10.0) * later);
            let region =
                Region { centre: LabVec::from_array(random.vector(1.0)), radius: random.between(0.1, 2.0) };
            let bound = shape.displacement_bound(&from, &to, region);
            let x = region.centre + LabVec::from_array(random.vector(region.radius));
            let change = (shape.distance(from.to_reference(x)) - shape.distance(to.to_reference(x))).abs();
            assert!(change <= bound * (1.0 + 1e-12) + 1e-14, "{shape:?}: {change} > {bound}");
            tightest = largest([tightest, change / bound]);
            let speed = from.max_speed(region);
            assert!(from.velocity_at(x).norm() <= speed * (1.0 + 1e-12));
        }
        assert!(tightest > 0.3, "{shape:?}: the bound is never better than a factor {}", 1.0 / tightest);
    }
}

#[test]
fn motions_along_the_surface_itself_do_not_displace_it() {
    let point = v(0.2, -0.3, 0.1);
    let axis = v(0.5, 1.0, 2.0);
    let spin = Motion::new(vec![Movement::Spin { axis, pivot: point, rate: 3.0 }]).unwrap();
    let region = Region { centre: v(1.0, 1.0, 1.0), radius: 2.0 };
    let [start, end] = [spin.at(0.3), spin.at(0.9)];
    for (i, shape) in shapes().iter().enumerate() {
        let bound = shape.displacement_bound(&start, &end, region);
        let symmetric = matches!(shape, Shape::Plane(_) | Shape::Cylinder(_) | Shape::Cone(_));
        assert_eq!(bound < 1e-14, symmetric, "shape {i}: {bound}");
    }
    // Along the axis an infinite cylinder does not move, one with ends does.
    let slide = Motion::new(vec![Movement::Drift { velocity: axis }]).unwrap();
    let bound = |shape: &Shape| shape.displacement_bound(&slide.at(0.0), &slide.at(1.0), region);
    assert!(bound(&shapes()[2]) < 1e-14 && (bound(&shapes()[4]) - axis.norm()).abs() < 1e-14);
    // A plane moves by what it moves along its normal, and not at all within itself.
    assert!((bound(&shapes()[0]) - axis.norm()).abs() < 1e-14);
    let within = Motion::new(vec![Movement::Drift { velocity: v(2.0, -1.0, 0.0) }]).unwrap();
    assert!(shapes()[0].displacement_bound(&within.at(0.0), &within.at(1.0), region) < 1e-14);
}
