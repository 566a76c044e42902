//! Guarantee: volume, centre and inertia of bodies with capsules are exact: of one capsule by its closed form, of pieces that do
//! not overlap by their sum, of pieces within others without those. Where a union has no closed form here, that is said.

use crate::common::{assert_close, assert_near};
use tumble_dem::clump::{
    CapsuleProblem, ClumpCapsule, ClumpError, ClumpSphere, ClumpTemplate, MassModel, MassProperties, shapes,
};
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec};

/// ∫ along the axis over the slices of a body of revolution with this profile, by Simpson's rule: volume, moment about the axis,
/// and about a line across it through the middle.
fn by_slices(half: f64, radius: f64) -> [f64; 3] {
    let pieces = [(-half - radius, -half), (-half, half), (half, half + radius)];
    let profile = |z: f64| {
        let beyond = (z.abs() - half).max(0.0);
        (radius * radius - beyond * beyond).max(0.0)
    };
    let mut sums = [0.0; 3];
    for (low, high) in pieces {
        // The slices are polynomials of fourth order on each piece; the rule is exact for third order, and its error falls as h⁴.
        const STEPS: u32 = 4000;
        let h = (high - low) / f64::from(STEPS);
        for step in 0..=STEPS {
            let z = low + h * f64::from(step);
            let weight = if step == 0 || step == STEPS { 1.0 } else { f64::from(2 + 2 * (step % 2)) };
            let (square, area) = (profile(z), core::f64::consts::PI * profile(z));
            let own = [area, 0.5 * area * square, 0.25 * area * square + area * z * z];
            for (sum, own) in sums.iter_mut().zip(own) {
                *sum += weight * h / 3.0 * own;
            }
        }
    }
    sums
}

#[test]
fn one_capsule_anywhere() {
    let mut random = Random::new(1);
    for _ in 0..30 {
        let (half, radius) = (random.between(0.01, 3.0), random.between(0.1, 2.0));
        let (middle, along) = (random.direction() * 2.0, random.direction());
        let ends = [middle - along * half, middle + along * half];
        let capsule = ClumpCapsule { ends, radius };
        let template = ClumpTemplate::with_capsules("c", &[], &[capsule], MassModel::Union).unwrap();
        let [volume, axial, transverse] = by_slices(half, radius);
        assert_close("volume", template.volume(), volume, 1e-12);
        assert_near("centre", template.centre(), middle, 1e-14);
        let moments = template.moments_per_density();
        assert_close("about the axis", moments.x, axial, 1e-11);
        assert_close("across the axis", moments.y, transverse, 1e-11);
        assert_close("across the axis", moments.z, transverse, 1e-11);
        // The axis of the smallest moment is that of the capsule, and the ends are where they were.
        let [first, second] = template
            .capsules()
            .next()
            .unwrap()
            .map(|end| template.orientation().to_lab(template.spheres()[end].centre) + template.centre());
        assert_near("first end", first, ends[0], 1e-13);
        assert_near("second end", second, ends[1], 1e-13);
        assert_close("bounding radius", template.bounding_radius(), half + radius, 1e-14);
    }
}

/// A rod of overlapping spheres becomes the capsule as they move together, with the square of their distance.
#[test]
fn a_dense_row_of_spheres_has_the_mass_of_a_capsule() {
    let capsule = ClumpCapsule::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], 0.4);
    let exact = MassProperties::with_capsules(&[], &[capsule], MassModel::Union).unwrap();
    let errors = [9, 17, 33].map(|count: u32| {
        let row = shapes::rod(count, 0.4, 2.0 / f64::from(count - 1));
        let row = MassProperties::new(&row, MassModel::Union).unwrap();
        [
            row.volume / exact.volume,
            row.inertia.diagonal.x / exact.inertia.diagonal.x,
            row.inertia.diagonal.y / exact.inertia.diagonal.y,
        ]
        .map(|ratio| 1.0 - ratio)
    });
    for column in 0..3 {
        let order = crate::common::order_of(&errors.map(|row| row[column]));
        assert!((order - 2.0).abs() < 0.1, "order {order:.3}: {errors:?}");
    }
}

#[test]
fn pieces_that_do_not_overlap_add_up_and_those_within_others_do_not_count() {
    // A sphere at a distance, and one that touches.
    let capsule = ClumpCapsule::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5);
    let ball = ClumpSphere::new([3.25, 0.0, 0.0], 0.75);
    let one = |spheres: &[ClumpSphere], capsules: &[ClumpCapsule]| {
        MassProperties::with_capsules(spheres, capsules, MassModel::Union).unwrap()
    };
    let (rod, sphere, both) = (one(&[], &[capsule]), one(&[ball], &[]), one(&[ball], &[capsule]));
    assert_close("volume", both.volume, rod.volume + sphere.volume, 1e-15);
    let centre = (rod.centre * rod.volume + sphere.centre * sphere.volume) * (1.0 / both.volume);
    assert_near("centre", both.centre, centre, 1e-14);
    // Along x the axes of all are the same; across it each adds V d².
    assert_close(
        "about x",
        both.inertia.diagonal.x,
        rod.inertia.diagonal.x + sphere.inertia.diagonal.x,
        1e-14,
    );
    let steiner =
        |part: &MassProperties| part.inertia.diagonal.y + part.volume * (part.centre.x - centre.x).powi(2);
    assert_close("about y", both.inertia.diagonal.y, steiner(&rod) + steiner(&sphere), 1e-14);

    let within = [ClumpSphere::new([1.0, 0.1, 0.0], 0.4), ClumpSphere::new([2.0, 0.0, 0.0], 0.5), ball];
    let shorter = ClumpCapsule::new([0.5, 0.0, 0.0], [1.5, 0.0, 0.1], 0.3);
    assert_eq!(one(&within, &[capsule, shorter, capsule]), both);
    let sum = MassProperties::with_capsules(&within, &[capsule], MassModel::SumOfSpheres).unwrap();
    let spheres = MassProperties::new(&within, MassModel::SumOfSpheres).unwrap();
    assert_close("sum", sum.volume, spheres.volume + rod.volume, 1e-15);
}

#[test]
fn what_is_no_capsule_or_has_no_closed_form_is_refused() {
    let capsule = ClumpCapsule::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.5);
    let union = |spheres: &[ClumpSphere], capsules: &[ClumpCapsule]| {
        ClumpTemplate::with_capsules("c", spheres, capsules, MassModel::Union).unwrap_err()
    };
    let across = ClumpCapsule::new([1.0, -1.0, 0.0], [1.0, 1.0, 0.0], 0.2);
    let error = union(&[], &[capsule, across]);
    assert_eq!(error, ClumpError::OverlappingCapsule { capsule: 0, other: 1, both: true });
    assert!(error.to_string().contains("give volume, centre of mass and inertia"), "{error}");
    let ball = ClumpSphere::new([1.0, 0.4, 0.0], 0.3);
    assert_eq!(
        union(&[ball], &[capsule]),
        ClumpError::OverlappingCapsule { capsule: 0, other: 0, both: false }
    );
    // With properties that are given it is fine.
    let given = MassProperties::with_capsules(&[], &[capsule], MassModel::Union).unwrap();
    let model = MassModel::Given { volume: given.volume, centre: given.centre, inertia: given.inertia };
    let cross = ClumpTemplate::with_capsules("cross", &[ball], &[capsule, across], model).unwrap();
    assert_eq!((cross.volume(), cross.spheres().len(), cross.capsules().len()), (given.volume, 5, 2));
    for (bad, expected) in [
        (ClumpCapsule::new([0.0; 3], [0.0; 3], 0.5), CapsuleProblem::SameEnds),
        (ClumpCapsule::new([0.0; 3], [1.0, 0.0, 0.0], 0.0), CapsuleProblem::Radius),
        (ClumpCapsule::new([0.0; 3], [f64::NAN, 0.0, 0.0], 0.5), CapsuleProblem::NotFinite),
        (ClumpCapsule::new([0.0; 3], [1e200, 0.0, 0.0], 0.5), CapsuleProblem::OutOfRange),
    ] {
        assert_eq!(union(&[], &[capsule, bad]), ClumpError::Capsule { capsule: 1, problem: expected });
    }
}

#[test]
fn the_nearest_point_of_a_core() {
    let capsule = ClumpCapsule::new([0.0; 3], [2.0, 0.0, 0.0], 0.5);
    let ball = ClumpSphere::new([1.0, 3.0, 0.0], 0.5);
    let template = ClumpTemplate::with_capsules("c", &[ball], &[capsule], MassModel::Union).unwrap();
    let to_body = |v: LabVec<f64>| template.orientation().to_body(v - template.centre());
    let on_core =
        |sphere, point: [f64; 3]| template.nearest_on_core(sphere, to_body(LabVec::from_array(point)));
    let close = |found: Option<BodyVec<f64>>, expected: [f64; 3]| {
        assert!((found.unwrap() - to_body(LabVec::from_array(expected))).norm() < 1e-14);
    };
    close(on_core(0, [0.0, 0.0, 0.0]), [1.0, 3.0, 0.0]);
    close(on_core(1, [0.7, 0.5, 0.1]), [0.7, 0.0, 0.0]);
    close(on_core(1, [2.5, 0.0, 0.3]), [2.0, 0.0, 0.0]);
    assert_eq!(on_core(3, [0.0; 3]), None);
}
