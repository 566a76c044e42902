//! Guarantee: volume, centre and inertia of bodies with ellipsoids are exact: of one by its closed form, of pieces that do not overlap by their sum. Where a
//! union has no closed form, or no contact would be found, that is said.

use crate::common::{assert_close, assert_near};
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpError, ClumpPieces, ClumpSphere, ClumpTemplate, EllipsoidProblem,
    MassModel, MassProperties,
};
use tumble_dem::placement::SizeMeasure;
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, Quat};

fn only(ellipsoids: &[ClumpEllipsoid]) -> ClumpPieces<'_> {
    ClumpPieces { ellipsoids, ..ClumpPieces::default() }
}

/// ∫dV, ∫x²dV, ∫y²dV and ∫z²dV of the ellipsoid along its own axes, by slices across the first: each is an ellipse.
fn by_slices([a, b, c]: [f64; 3]) -> [f64; 4] {
    const STEPS: u32 = 4000;
    let mut sums = [0.0; 4];
    for step in 0..=STEPS {
        let x = 2.0 * f64::from(step) / f64::from(STEPS) - 1.0;
        let weight = if step == 0 || step == STEPS { 1.0 } else { f64::from(2 + 2 * (step % 2)) };
        let left = 1.0 - x * x;
        let area = core::f64::consts::PI * b * c * left;
        let own = [area, area * a * a * x * x, area * 0.25 * b * b * left, area * 0.25 * c * c * left];
        for (sum, own) in sums.iter_mut().zip(own) {
            *sum += weight * (2.0 * a / f64::from(STEPS)) / 3.0 * own;
        }
    }
    sums
}

#[test]
fn one_ellipsoid_anywhere() {
    let mut random = Random::new(1);
    for _ in 0..30 {
        let axes = [random.between(2.0, 2.9), random.between(1.1, 1.9), random.between(0.6, 1.0)];
        let (centre, q) = (random.direction() * 3.0, random.orientation());
        let own = ClumpEllipsoid::new(axes)
            .at(centre.to_array())
            .turned(Quat::from_array(q.to_array().map(|x| 2.0 * x)));
        let template = ClumpTemplate::of("e", only(&[own]), MassModel::Union).unwrap();
        let [volume, xx, yy, zz] = by_slices(axes);
        assert_close("volume", template.volume(), volume, 1e-12);
        assert_near("centre", template.centre(), centre, 1e-14);
        let moments = template.moments_per_density();
        for (found, exact) in moments.to_array().into_iter().zip([yy + zz, xx + zz, xx + yy]) {
            assert_close("moment", found, exact, 1e-11);
        }
        // Its points are where they were.
        let points = template.ellipsoids().next().unwrap();
        let place = |point: usize| {
            template.orientation().to_lab(template.spheres()[point].centre) + template.centre()
        };
        let tips = [
            BodyVec::new(axes[0], 0.0, 0.0),
            BodyVec::new(0.0, axes[1], 0.0),
            BodyVec::new(0.0, 0.0, axes[2]),
        ];
        for (point, tip) in points[1..].iter().zip(tips) {
            assert_near("tip", place(*point), centre + q.to_lab(tip), 1e-13);
        }
        let found = template.semi_axes().next().unwrap();
        for (found, exact) in found.into_iter().zip(axes) {
            assert_close("semi-axis", found, exact, 1e-13);
        }
        assert_close("bounding radius", template.bounding_radius(), axes[0], 1e-13);
        assert_close("longest", SizeMeasure::Longest.of(&template), 2.0 * axes[0], 1e-12);
        // Seen along its longest axis it is an ellipse, which is narrowest between the sides of a square when it stands on its corner.
        let square = 2.0 * (0.5 * (axes[1] * axes[1] + axes[2] * axes[2])).sqrt();
        assert_close("sieve", SizeMeasure::Sieve.of(&template), square, 1e-7);
        // The sphere by which it touches in a point of its surface lies behind that, along the normal.
        let n = random.direction();
        let local = BodyVec::from_array(n.to_array());
        let height = (0..3).map(|k| (axes[k] * local.to_array()[k]).powi(2)).sum::<f64>().sqrt();
        let point = BodyVec::from_array([0, 1, 2].map(|k| axes[k] * axes[k] * local.to_array()[k] / height));
        let centre = template.nearest_on_core(points[0], point).unwrap();
        let radius = (axes[0] * axes[1] * axes[2]).cbrt();
        assert!((point - local * radius - centre).norm() < 1e-9);
    }
}

#[test]
fn several_pieces_that_do_not_overlap() {
    let ball = ClumpSphere::new([0.0, 0.0, 0.0], 1.0);
    let rod = ClumpCapsule::new([0.0, 1.5, -1.0], [0.0, 1.5, 1.0], 0.4);
    let egg = ClumpEllipsoid::new([0.8, 0.5, 0.5]).at([1.9, 0.0, 0.0]);
    let pieces =
        ClumpPieces { spheres: &[ball], capsules: &[rod], ellipsoids: &[egg], ..ClumpPieces::default() };
    let whole = MassProperties::of(pieces, MassModel::Union).unwrap();
    let parts = [
        MassProperties::new(&[ball], MassModel::Union).unwrap(),
        MassProperties::with_capsules(&[], &[rod], MassModel::Union).unwrap(),
        MassProperties::of(only(&[egg]), MassModel::Union).unwrap(),
    ];
    let volume: f64 = parts.iter().map(|part| part.volume).sum();
    assert_close("volume", whole.volume, volume, 1e-15);
    let first = parts.iter().fold(LabVec::zero(), |sum, part| sum + part.centre * part.volume);
    assert_near("centre", whole.centre, first * (1.0 / volume), 1e-15);
    let about_x = parts.iter().map(|part| {
        let away = part.centre - whole.centre;
        part.inertia.diagonal.x + part.volume * (away.y * away.y + away.z * away.z)
    });
    assert_close("moment", whole.inertia.diagonal.x, about_x.sum(), 1e-14);
    let template = ClumpTemplate::of("t", pieces, MassModel::Union).unwrap();
    assert_eq!((template.spheres().len(), template.capsules().len(), template.ellipsoids().len()), (7, 1, 1));
    assert_eq!(template.pieces().collect::<Vec<_>>(), [[0, 0], [1, 2]]);
}

#[test]
fn what_has_no_closed_form_is_refused_by_name() {
    let egg = ClumpEllipsoid::new([0.8, 0.5, 0.5]);
    let ball = ClumpSphere::new([1.0, 0.0, 0.0], 0.5);
    let pieces = ClumpPieces { spheres: &[ball], ellipsoids: &[egg], ..ClumpPieces::default() };
    let refused = ClumpTemplate::of("t", pieces, MassModel::Union).unwrap_err();
    assert_eq!(refused, ClumpError::OverlappingEllipsoid { ellipsoid: 0, other: 0, what: "sphere" });
    let pair = [egg, egg.at([0.0, 0.9, 0.0])];
    let refused = ClumpTemplate::of("t", only(&pair), MassModel::Union).unwrap_err();
    assert_eq!(refused, ClumpError::OverlappingEllipsoid { ellipsoid: 0, other: 1, what: "ellipsoid" });
    // Counted twice, or given, it is fine.
    let sum = ClumpTemplate::of("t", only(&pair), MassModel::SumOfSpheres).unwrap();
    assert_close("sum", sum.volume(), 2.0 * by_slices([0.8, 0.5, 0.5])[0], 1e-12);
    let one = MassProperties::of(only(&[egg]), MassModel::Union).unwrap();
    let MassProperties { volume, centre, inertia } = one;
    let given = MassModel::Given { volume, centre, inertia };
    assert_close("given", ClumpTemplate::of("t", only(&pair), given).unwrap().volume(), volume, 1e-15);
    for (axes, problem) in [
        ([1.0, 0.0, 1.0], EllipsoidProblem::SemiAxis),
        ([1.0, f64::NAN, 1.0], EllipsoidProblem::NotFinite),
        ([5.1, 1.0, 2.0], EllipsoidProblem::Slender),
        ([1e60, 1e60, 1e60], EllipsoidProblem::OutOfRange),
    ] {
        let refused =
            ClumpTemplate::of("t", only(&[ClumpEllipsoid::new(axes)]), MassModel::Union).unwrap_err();
        assert_eq!(refused, ClumpError::Ellipsoid { ellipsoid: 0, problem }, "{axes:?}");
    }
    assert!(ClumpTemplate::of("t", only(&[ClumpEllipsoid::new([5.0, 1.0, 1.0])]), MassModel::Union).is_ok());
}
