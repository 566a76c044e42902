//! The union of spheres against closed forms, and its invariances.

use std::f64::consts::PI;
use tumble_dem::clump::{ClumpError, ClumpSphere, MassModel, MassProperties};
use tumble_math::{BodyVec, LabVec, Quat, SymTensor};

fn union(spheres: &[ClumpSphere]) -> MassProperties {
    MassProperties::new(spheres, MassModel::Union).unwrap()
}

fn ball(x: f64, y: f64, z: f64, radius: f64) -> ClumpSphere {
    ClumpSphere::new([x, y, z], radius)
}

fn ball_volume(r: f64) -> f64 {
    4.0 / 3.0 * PI * r * r * r
}

/// The largest deviation relative to the volume, the size of the body and its largest moment.
fn deviation(found: &MassProperties, expected: &MassProperties) -> f64 {
    let moment = expected.inertia.diagonal.to_array().into_iter().fold(0.0, f64::max);
    let size = (moment / expected.volume).sqrt();
    let inertia = found.inertia - expected.inertia;
    [
        found.volume / expected.volume - 1.0,
        (found.centre - expected.centre).norm() / size,
        inertia.diagonal.norm() / moment,
        inertia.off_diagonal.norm() / moment,
    ]
    .into_iter()
    .map(f64::abs)
    .fold(0.0, |worst, d| if d <= worst { worst } else { d })
}

fn assert_close(found: &MassProperties, expected: &MassProperties, bound: f64) {
    let d = deviation(found, expected);
    assert!(d <= bound, "{d:e}\n{found:?}\n{expected:?}");
}

/// Volume, ∫z, ∫z² and ∫x² of the part below z = h of a ball of radius r about the origin.
fn below(r: f64, h: f64) -> [f64; 4] {
    let (p1, m2, p3, m4, p5) =
        (h + r, h.powi(2) - r.powi(2), h.powi(3) + r.powi(3), h.powi(4) - r.powi(4), h.powi(5) + r.powi(5));
    let square = r * r;
    [
        PI * (square * p1 - p3 / 3.0),
        PI * (square * m2 / 2.0 - m4 / 4.0),
        PI * (square * p3 / 3.0 - p5 / 5.0),
        PI / 4.0 * (square * square * p1 - 2.0 * square * p3 / 3.0 + p5 / 5.0),
    ]
}

/// Two spheres on the z axis, at 0 and at d, that meet in a circle.
fn two_spheres(r1: f64, r2: f64, d: f64) -> MassProperties {
    let h = (d * d + r1 * r1 - r2 * r2) / (2.0 * d);
    let [v1, z1, zz1, xx1] = below(r1, h);
    let [v2, z2, zz2, xx2] = below(r2, d - h);
    // The second one is upside down about z = d.
    let volume = v1 + v2;
    let centre = (z1 + d * v2 - z2) / volume;
    let zz = zz1 + d * d * v2 - 2.0 * d * z2 + zz2 - volume * centre * centre;
    let xx = xx1 + xx2;
    MassProperties {
        volume,
        centre: LabVec::new(0.0, 0.0, centre),
        inertia: SymTensor::from_diagonal(LabVec::new(xx + zz, xx + zz, 2.0 * xx)),
    }
}

/// Balls that do not overlap.
fn apart(spheres: &[ClumpSphere]) -> MassProperties {
    MassProperties::new(spheres, MassModel::SumOfSpheres).unwrap()
}

#[test]
fn one_sphere() {
    for scale in [1e-6, 1e-3, 1.0, 1e6] {
        let r = 0.7 * scale;
        let body = union(&[ball(3.0 * scale, -scale, 0.2 * scale, r)]);
        let moment = 0.4 * ball_volume(r) * r * r;
        let expected = MassProperties {
            volume: ball_volume(r),
            centre: LabVec::new(3.0, -1.0, 0.2) * scale,
            inertia: SymTensor::from_diagonal(LabVec::new(moment, moment, moment)),
        };
        assert_close(&body, &expected, 1e-14);
    }
}

#[test]
fn two_overlapping_spheres() {
    for (r1, r2, d) in [(1.0, 1.0, 1.0), (1.0, 0.5, 1.0), (1.0, 0.5, 0.6), (0.3, 1.0, 1.2), (1.0, 0.9, 0.11)]
    {
        assert_close(
            &union(&[ball(0.0, 0.0, 0.0, r1), ball(0.0, 0.0, d, r2)]),
            &two_spheres(r1, r2, d),
            2e-14,
        );
    }
}

#[test]
fn two_spheres_about_to_touch() {
    for gap in [1e-4_f64, 1e-8, 1e-12, 1e-15] {
        let outside = 1.5 - gap;
        let inside = 0.5 + gap;
        for d in [outside, inside] {
            let pair = [ball(0.0, 0.0, 0.0, 1.0), ball(0.0, 0.0, d, 0.5)];
            assert_close(&union(&pair), &two_spheres(1.0, 0.5, d), 2e-14);
        }
    }
}

#[test]
fn spheres_that_do_not_meet() {
    let heap = [ball(0.0, 0.0, 0.0, 1.0), ball(3.0, 0.0, 0.0, 0.5), ball(0.0, -4.0, 1.0, 2.0)];
    assert_close(&union(&heap), &apart(&heap), 1e-14);
}

#[test]
fn spheres_that_touch() {
    let from_outside = [ball(0.0, 0.0, 0.0, 1.0), ball(0.0, 0.0, 1.5, 0.5), ball(-3.0, 0.0, 0.0, 2.0)];
    assert_close(&union(&from_outside), &apart(&from_outside), 1e-14);
    let (large, small) = (ball(0.0, 0.0, 0.0, 1.0), ball(0.0, 0.5, 0.0, 0.5));
    assert_close(&union(&[small, large]), &union(&[large]), 1e-14);
    // Lengths that are no binary numbers touch only up to rounding.
    let (large, small) = (ball(0.0, 0.0, 0.1, 0.3), ball(0.0, 0.2, 0.1, 0.1));
    assert_close(&union(&[small, large]), &union(&[large]), 1e-14);
}

#[test]
fn hidden_and_repeated_spheres_change_nothing() {
    let pair = [ball(0.0, 0.0, 0.0, 1.0), ball(0.4, 0.7, 1.0, 0.8)];
    let [a, b] = pair;
    let hidden = ball(0.1, 0.0, 0.2, 0.3);
    let again = [hidden, a, a, b, hidden, b, ball(0.0, 0.0, 0.0, 0.999), a];
    assert_eq!(union(&again), union(&pair));
}

#[test]
fn a_sphere_hidden_by_several_others_changes_nothing() {
    let corners: Vec<_> = (0..8)
        .map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) - 0.5))
        .map(|[x, y, z]| ball(x, y, z, 0.9))
        .collect();
    let mut with_core = corners.clone();
    with_core.push(ball(0.0, 0.0, 0.0, 0.6));
    assert_close(&union(&with_core), &union(&corners), 1e-14);
}

#[test]
fn a_fibre_of_five_spheres() {
    let d = 0.01;
    let fibre: Vec<_> = (0..5).map(|i| ball(f64::from(i) * d / 2.0, 0.0, 0.0, d / 2.0)).collect();
    let body = union(&fibre);
    // A ball, cut in two, and four more zones of height D/2 between planes D/4 from a centre.
    let [lens, ..] = below(d / 2.0, d / 4.0);
    let zone = 2.0 * lens - ball_volume(d / 2.0);
    let volume = 2.0 * lens + 3.0 * zone;
    assert!((body.volume / volume - 1.0).abs() < 1e-14);
    assert!((body.volume - 1.9635e-6).abs() < 5e-11, "{:e}", body.volume);
}

#[test]
fn a_clump_about_a_hole() {
    // A ring of spheres around an axis, and a shell around a cavity: the surface has more than one side.
    let ring: Vec<_> = (0..12)
        .map(|i| (f64::from(i) * PI / 6.0).sin_cos())
        .map(|(sin, cos)| ball(2.0 * cos, 2.0 * sin, 0.0, 0.6))
        .collect();
    let body = union(&ring);
    // Twelve balls less twelve lenses, where neighbours 4 sin(π/12) apart overlap.
    let half = 2.0 * (PI / 12.0).sin();
    let lens = 2.0 * (ball_volume(0.6) - below(0.6, half)[0]);
    assert!((body.volume / (12.0 * (ball_volume(0.6) - lens)) - 1.0).abs() < 1e-14);

    let mut shell = Vec::new();
    let golden = PI * (3.0 - 5.0_f64.sqrt());
    for i in 0..60 {
        let z = 1.0 - (2.0 * f64::from(i) + 1.0) / 60.0;
        let (sin, cos) = (golden * f64::from(i)).sin_cos();
        let flat = (1.0 - z * z).sqrt();
        shell.push(ball(2.0 * flat * cos, 2.0 * flat * sin, 2.0 * z, 0.6));
    }
    // The cavity and a ball inside it that touches nothing add up.
    let hollow = union(&shell);
    shell.push(ball(0.0, 0.0, 0.0, 0.7));
    let filled = union(&shell);
    assert!((filled.volume - hollow.volume - ball_volume(0.7)).abs() < 1e-12 * filled.volume);
}

/// Spheres scattered by a linear congruential generator.
fn heap(n: usize, seed: u64) -> Vec<ClumpSphere> {
    let mut state = seed;
    let mut dice = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| ball(dice(), dice(), dice(), 0.1 + 0.4 * dice())).collect()
}

#[test]
fn invariant_under_order_shift_turn_and_scale() {
    for seed in 1..=20 {
        let spheres = heap(25, seed);
        let body = union(&spheres);
        let reversed: Vec<_> = spheres.iter().rev().copied().collect();
        assert_close(&union(&reversed), &body, 2e-14);

        let shift = LabVec::new(1e3, -2e3, 5e2);
        let moved: Vec<_> =
            spheres.iter().map(|s| ClumpSphere { centre: s.centre + shift, radius: s.radius }).collect();
        // The coordinates themselves are rounded to 2e-13.
        assert_close(&union(&moved), &MassProperties { centre: body.centre + shift, ..body }, 1e-11);

        let q = Quat::from_rotation_vector(BodyVec::new(0.3 * seed as f64, -1.0, 0.7));
        let turn = |v: LabVec<f64>| q.to_lab(BodyVec::from_array(v.to_array()));
        let turned: Vec<_> =
            spheres.iter().map(|s| ClumpSphere { centre: turn(s.centre), radius: s.radius }).collect();
        let expected = MassProperties {
            volume: body.volume,
            centre: turn(body.centre),
            inertia: SymTensor::new(
                BodyVec::from_array(body.inertia.diagonal.to_array()),
                BodyVec::from_array(body.inertia.off_diagonal.to_array()),
            )
            .to_lab(q),
        };
        assert_close(&union(&turned), &expected, 2e-14);

        for scale in [1e-6_f64, 0.3, 1e6] {
            let scaled: Vec<_> = spheres
                .iter()
                .map(|s| ClumpSphere { centre: s.centre * scale, radius: s.radius * scale })
                .collect();
            let expected = MassProperties {
                volume: body.volume * scale.powi(3),
                centre: body.centre * scale,
                inertia: body.inertia * scale.powi(5),
            };
            assert_close(&union(&scaled), &expected, 2e-14);
        }
    }
}

#[test]
fn volumes_of_unions_obey_inclusion_and_exclusion() {
    // |A ∪ B| ≤ |A| + |B|, and a union is never smaller than a part of it.
    let spheres = heap(100, 3);
    let mut before = 0.0;
    for n in 1..=spheres.len() {
        let now = union(&spheres[..n]).volume;
        let own = ball_volume(spheres[n - 1].radius);
        assert!(now >= before * (1.0 - 1e-14) && now <= (before + own) * (1.0 + 1e-14), "{n}");
        before = now;
    }
}

#[test]
fn impossible_spheres_are_refused() {
    let bad = |spheres: &[ClumpSphere]| MassProperties::new(spheres, MassModel::Union).unwrap_err();
    assert_eq!(bad(&[]), ClumpError::NoSpheres);
    assert_eq!(
        bad(&[ball(0.0, 0.0, 0.0, 1.0), ball(0.0, f64::NAN, 0.0, 1.0)]),
        ClumpError::NotFinite { sphere: 1 }
    );
    assert_eq!(bad(&[ball(0.0, 0.0, 0.0, f64::INFINITY)]), ClumpError::NotFinite { sphere: 0 });
    assert_eq!(bad(&[ball(0.0, 0.0, 0.0, 0.0)]), ClumpError::NonPositiveRadius { sphere: 0, radius: 0.0 });
    assert_eq!(bad(&[ball(0.0, 0.0, 0.0, -1.0)]), ClumpError::NonPositiveRadius { sphere: 0, radius: -1.0 });
    assert_eq!(bad(&[ball(0.0, 0.0, 0.0, 1e-300)]), ClumpError::OutOfRange { sphere: 0, length: 1e-300 });
    assert_eq!(bad(&[ball(1e300, 0.0, 0.0, 1.0)]), ClumpError::OutOfRange { sphere: 0, length: 1e300 });
    let tiny_and_far = union(&[ball(1e50, 0.0, 0.0, 1e-50), ball(-1e50, 0.0, 0.0, 1e50)]);
    assert!(tiny_and_far.volume.is_finite() && tiny_and_far.inertia.trace().is_finite());
}

/// Thousands of spheres on each other would take minutes and gigabytes; as many in a row do not, whichever way it lies.
#[test]
fn a_heap_of_spheres_is_refused() {
    let heap = |count: u32| -> Vec<ClumpSphere> {
        let along = |k: u32, step: u32| f64::from(k * step % 997) / 997.0 * 0.3;
        (0..count).map(|k| ball(along(k, 7), along(k, 31), along(k, 101), 1.0)).collect()
    };
    let refused = MassProperties::new(&heap(1000), MassModel::Union).unwrap_err();
    assert_eq!(refused, ClumpError::TooManyOverlaps { spheres: 1000 });
    assert!(refused.to_string().contains("too many of the 1000 spheres"), "{refused}");
    assert!(MassProperties::new(&heap(1000), MassModel::SumOfSpheres).is_ok());
    for axis in 0..3 {
        let row = (0..3000).map(|k| {
            let mut centre = [0.0; 3];
            centre[axis] = 1.5 * f64::from(k);
            ClumpSphere::new(centre, 1.0)
        });
        let row: Vec<ClumpSphere> = row.collect();
        // Two spherical caps of height r - d/2 are in both of two neighbours.
        let cap = PI * 0.25 * 0.25 * (3.0 - 0.25) / 3.0;
        let exact = 3000.0 * ball_volume(1.0) - 2999.0 * 2.0 * cap;
        assert!((union(&row).volume / exact - 1.0).abs() < 1e-9, "{axis}");
    }
}
