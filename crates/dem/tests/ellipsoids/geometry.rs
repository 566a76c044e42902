//! Guarantee: two pieces, some of which are ellipsoids, touch as the spheres do that stand behind the points where they overlap the most along the
//! direction in which they overlap the least. So overlaps change by the velocities of the bodies alone, dδ/dt = −n·v, a force that depends on
//! the overlap spends nothing round a closed path, and equal semi-axes are a sphere.

use super::{any_semi_axes, ellipsoid, round};
use crate::common::largest;
use tumble_dem::physics::ellipsoid::{Facing, MOST_SLENDER, facing};
use tumble_dem::physics::geometry::{Geometry, spheres};
use tumble_dem::physics::solid::{Solid, farthest_from_axis};
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, Quat};

/// What stands beside an ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Ellipsoid,
    Sphere,
    Capsule,
}

const KINDS: [[Kind; 2]; 5] = [
    [Kind::Ellipsoid, Kind::Ellipsoid],
    [Kind::Ellipsoid, Kind::Sphere],
    [Kind::Sphere, Kind::Ellipsoid],
    [Kind::Ellipsoid, Kind::Capsule],
    [Kind::Capsule, Kind::Ellipsoid],
];

fn moved(solid: &Solid<f64>, by: LabVec<f64>) -> Solid<f64> {
    Solid { centre: solid.centre + by, ..*solid }
}

/// A piece about the origin and the point of its surface with this normal. A capsule is touched at a point between its ends if its axis is across the
/// normal, which is so for every other one, else at the end on this side.
fn with_point(kind: Kind, normal: LabVec<f64>, random: &mut Random) -> (Solid<f64>, LabVec<f64>) {
    match kind {
        Kind::Ellipsoid => {
            let solid = ellipsoid(any_semi_axes(random, MOST_SLENDER), LabVec::zero(), random.orientation());
            (solid, solid.farthest(normal))
        }
        Kind::Sphere => {
            let solid = round([LabVec::zero(); 2], random.between(0.3, 1.0));
            (solid, normal * solid.radius)
        }
        Kind::Capsule => {
            let (radius, any) = (random.between(0.2, 0.6), random.direction());
            let across = (any - normal * any.dot(normal)).unit();
            if random.uniform() < 0.5 {
                let half = across * random.between(0.3, 1.0);
                (round([-half, half], radius), half * random.between(-0.95, 0.95) + normal * radius)
            } else {
                let half = any * random.between(0.3, 1.0);
                let end = if half.dot(normal) > 0.0 { half } else { -half };
                (round([-half, half], radius), end + normal * radius)
            }
        }
    }
}

/// Pairs made from the direction in which they overlap the least, which is found again: the points of both with opposite normals are put on one line.
#[test]
fn the_direction_is_that_of_the_least_overlap() {
    let mut random = Random::new(1);
    for kinds in KINDS {
        for _ in 0..5000 {
            let n = random.direction();
            let (a, on_a) = with_point(kinds[0], n, &mut random);
            let (b, on_b) = with_point(kinds[1], -n, &mut random);
            let overlap = random.between(-0.1, 0.1) * a.radius.min(b.radius);
            let place = random.direction() * random.between(0.0, 5.0);
            let (a, b) = (moved(&a, place), moved(&b, place + on_a - on_b - n * overlap));
            let on_a = place + on_a;
            let Facing { first, second, overlap: found } = facing(&a, &b, true);
            assert!((found - overlap).abs() < 1e-13, "{kinds:?}: {found:e} instead of {overlap:e}");
            let touch = spheres(first, second);
            assert!((touch.overlap - overlap).abs() < 1e-13);
            // The direction from b to a.
            let off = (touch.normal + n).norm();
            assert!(off < 1e-9, "{kinds:?}: direction off by {off:e}");
            let point = (first.centre + n * first.radius - on_a).norm();
            assert!(point < 1e-9, "{kinds:?}: point off by {point:e}");
            // From the other side it is the same.
            let back = facing(&b, &a, true);
            assert!((back.overlap - found).abs() < 1e-13);
            let swapped =
                (back.second.centre - first.centre).norm() + (back.first.centre - second.centre).norm();
            assert!(swapped < 1e-9, "{kinds:?}: {swapped:e}");
            // Without capsules the same bits.
            if !kinds.contains(&Kind::Capsule) {
                assert_eq!(facing(&a, &b, false), facing(&a, &b, true));
            }
        }
    }
}

#[test]
fn equal_semi_axes_are_a_sphere() {
    let mut random = Random::new(2);
    for _ in 0..2000 {
        let [r, s] = [0; 2].map(|_| random.between(0.3, 1.0));
        let (centre, between) = (random.direction(), random.direction() * (0.95 * (r + s)));
        let ball = ellipsoid([r; 3], centre, random.orientation());
        let other = ellipsoid([s; 3], centre + between, random.orientation());
        let exact = spheres(
            facing(&round([centre; 2], r), &round([centre + between; 2], s), false).first,
            facing(&round([centre; 2], r), &round([centre + between; 2], s), false).second,
        );
        for (a, b) in [(ball, other), (ball, round([centre + between; 2], s)), (round([centre; 2], r), other)]
        {
            let Facing { first, second, .. } = facing(&a, &b, false);
            let touch = spheres(first, second);
            let off = (touch.point - exact.point).norm() + (touch.normal - exact.normal).norm();
            assert!(off < 1e-13 && (touch.overlap - exact.overlap).abs() < 1e-14, "{off:e}");
        }
    }
}

/// Ellipsoids so deep in each other that there is no single direction say so.
#[test]
fn without_a_direction_there_is_no_radius() {
    let mut random = Random::new(3);
    let same = ellipsoid([1.0, 1.0, 0.3], LabVec::zero(), random.orientation());
    let Facing { first, second, .. } = facing(&same, &same, false);
    assert!(first.radius.is_nan() && second.radius.is_nan());
}

/// A piece in a rigid body, and how the body moves.
#[derive(Clone)]
struct Moving {
    kind: Kind,
    semi_axes: [f64; 3],
    arms: [BodyVec<f64>; 2],
    radius: f64,
    position: LabVec<f64>,
    q: Quat<f64>,
    velocity: LabVec<f64>,
    omega: LabVec<f64>,
}

impl Moving {
    fn any(random: &mut Random, kind: Kind) -> Self {
        let arms =
            [0; 2].map(|_| BodyVec::from_array((random.direction() * random.between(0.0, 0.7)).to_array()));
        Self {
            kind,
            semi_axes: any_semi_axes(random, 3.0),
            arms,
            radius: random.between(0.3, 0.8),
            position: random.direction() * random.between(0.0, 2.5),
            q: random.orientation(),
            velocity: random.direction() * random.between(0.0, 2.0),
            omega: random.direction() * random.between(0.0, 3.0),
        }
    }

    /// The piece after some time, the velocities being constant.
    fn piece(&self, time: f64) -> Solid<f64> {
        let q = Quat::from_rotation_vector(self.omega * time).then(self.q);
        let place = |arm: BodyVec<f64>| self.position + self.velocity * time + q.to_lab(arm);
        let [first, second] = self.arms.map(place);
        match self.kind {
            Kind::Ellipsoid => ellipsoid(self.semi_axes, first, q),
            Kind::Sphere => round([first; 2], self.radius),
            Kind::Capsule => round([first, second], self.radius),
        }
    }

    fn velocity_at(&self, point: LabVec<f64>) -> LabVec<f64> {
        self.velocity + self.omega.cross(point - self.position)
    }
}

fn touch(a: &Solid<f64>, b: &Solid<f64>) -> Geometry<f64> {
    let Facing { first, second, .. } = facing(a, b, true);
    spheres(first, second)
}

/// Overlaps small beside every radius of curvature.
const SHALLOW: f64 = 0.05;

/// Whether two overlap by more, or so deeply that no overlap is known.
fn is_deep(touch: &Geometry<f64>, limit: f64) -> bool {
    touch.overlap.is_nan() || touch.overlap >= limit
}

#[test]
fn overlaps_change_by_the_velocities_of_the_bodies() {
    let mut random = Random::new(4);
    let step = 1e-5;
    for kinds in KINDS {
        let (mut worst, mut counted): (f64, u32) = (0.0, 0);
        for _ in 0..6000 {
            let [a, b] = kinds.map(|kind| Moving::any(&mut random, kind));
            let now = touch(&a.piece(0.0), &b.piece(0.0));
            if is_deep(&now, SHALLOW) || now.overlap <= -SHALLOW {
                continue;
            }
            counted += 1;
            let [before, after] = [-step, step].map(|time| touch(&a.piece(time), &b.piece(time)).overlap);
            let rate = (after - before) / (2.0 * step);
            let expected = -now.normal.dot(a.velocity_at(now.point) - b.velocity_at(now.point));
            worst = worst.max((rate - expected).abs());
        }
        assert!(counted > 50 && worst < 1e-6, "{kinds:?}: {counted} off by {worst:e}");
    }
}

type Pose = (LabVec<f64>, Quat<f64>);

/// A pose on a closed path through all six degrees of freedom.
fn on_path([a, b, d, e]: [LabVec<f64>; 4], angle: f64) -> Pose {
    let ((sin, cos), twice) = (angle.sin_cos(), (2.0 * angle).sin());
    (a * cos + b * (0.03 * sin), Quat::from_rotation_vector(d * cos + e * sin + d * (0.3 * twice)))
}

/// How far a point that is fixed to a body goes when the body goes from one pose to another.
fn carried(point: LabVec<f64>, from: Pose, to: Pose) -> LabVec<f64> {
    to.0 + to.1.to_lab(from.1.to_body(point - from.0)) - point
}

#[test]
fn nothing_is_spent_round_a_closed_path() {
    const STEPS: u32 = 4000;
    let mut random = Random::new(5);
    for kinds in KINDS {
        let (mut spent, mut moved): (f64, f64) = (0.0, 0.0);
        let mut paths = 0;
        while paths < 8 {
            let [mut a, b] = kinds.map(|kind| Moving::any(&mut random, kind));
            let (turns, still) = ([0; 2].map(|_| random.direction() * 0.05), b.piece(0.0));
            let start = touch(&a.piece(0.0), &still);
            if is_deep(&start, SHALLOW) || start.overlap <= -SHALLOW {
                continue;
            }
            let (home, q) = (a.position, a.q);
            let [d, e] = turns;
            let mut pushed = |step: u32| {
                let angle = f64::from(step) / f64::from(STEPS) * core::f64::consts::TAU;
                let (by, turn) = on_path([start.normal * -0.03, e * 10.0, d, e], angle);
                (a.position, a.q) = (home + by, turn.then(q));
                ((a.position, a.q), touch(&a.piece(0.0), &still))
            };
            if (0..STEPS).step_by(20).any(|step| is_deep(&pushed(step).1, 2.0 * SHALLOW)) {
                continue;
            }
            paths += 1;
            let force = |touch: &Geometry<f64>| touch.normal * touch.overlap.max(0.0);
            let mut last = pushed(0);
            for now in (1..=STEPS).map(&mut pushed) {
                let ((from, first), (to, second)) = (last, now);
                let forth = force(&first).dot(carried(first.point, from, to));
                let back = force(&second).dot(carried(second.point, to, from));
                let work = 0.5 * (forth - back);
                (spent, moved) = (spent + work, moved + work.abs());
                last = now;
            }
        }
        assert!(moved > 1e-3, "{kinds:?}: nothing touched");
        assert!(spent.abs() < 1e-6 * moved, "{kinds:?}: {spent:e} of {moved:e}");
    }
}

/// In a tube the point farthest from the axis is that of a search over all directions across it, where the tube is less curved than the ellipsoid.
#[test]
fn in_a_tube_no_other_point_is_farther_out() {
    let mut random = Random::new(6);
    let worst = largest((0..1500).map(|_| {
        let [a, b, c] = any_semi_axes(&mut random, MOST_SLENDER);
        let radius = a * a / c / 0.9 * random.between(1.0, 3.0);
        let along = random.direction();
        let across = (random.direction().cross(along)).unit();
        // Touching, or nearly.
        let own = ellipsoid([a, b, c], LabVec::zero(), random.orientation());
        let outwards = across * random.between(-1.0, 1.0) + along.cross(across) * random.between(-1.0, 1.0);
        let outwards = outwards.unit();
        let seen = own.farthest(outwards);
        let overlap = random.between(-0.1, 0.1) * own.radius;
        let offset = outwards * (radius + overlap) - (seen - along * seen.dot(along));
        let (n, reach) = farthest_from_axis(&own, offset, along, across);
        assert!((n - outwards).norm() < 1e-7, "{n:?} instead of {outwards:?}");
        (reach - radius - overlap).abs() / radius
    }));
    assert!(worst < 1e-14, "{worst:e}");
}

/// What is recorded once and replayed gives the same bits, so there is no branch in it.
#[cfg(feature = "trace")]
#[test]
fn it_replays_to_the_same_bits() {
    use tumble_dem::physics::solid::SOLID;
    use tumble_dem::record::{Record, to_numbers};
    use tumble_math::Real;
    use tumble_math::trace::{Tape, Traced};

    fn touch_of<R: Real>(n: &[R]) -> Vec<R> {
        to_numbers(facing(&Solid::read(n, 0), &Solid::read(n, SOLID), true))
    }
    let tape = Tape::record(2 * SOLID, touch_of::<Traced>);
    let mut random = Random::new(7);
    for kinds in KINDS {
        for _ in 0..50 {
            let pieces = kinds.map(|kind| Moving::any(&mut random, kind).piece(0.0));
            let numbers: Vec<f64> = pieces.into_iter().flat_map(to_numbers).collect();
            let bits = |numbers: Vec<f64>| {
                numbers.into_iter().filter(|number| !number.is_nan()).map(f64::to_bits).collect::<Vec<_>>()
            };
            assert_eq!(bits(tape.replay(&numbers)), bits(touch_of(&numbers)), "{kinds:?}");
        }
    }
}
