//! Guarantee: the spheres by which two pieces touch are those of the nearest points of their cores, from either piece the same. So overlaps
//! change by the velocities of the bodies alone, dδ/dt = −n·v, and a force that depends on the overlap spends nothing round a closed
//! path, for every pair of kinds. It can break where a nearest point is kept between the wrong ends, and where cores are parallel.

use tumble_dem::physics::geometry::{Geometry, spheres};
use tumble_dem::physics::piece::{Core, Piece, nearest, nearest_spheres};
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, Quat};

/// A point so many halves of the way from the middle of a core to its end.
fn at(core: &Core<f64>, part: f64) -> LabVec<f64> {
    core.middle + core.half * part
}

fn any_core(random: &mut Random, point: bool) -> Core<f64> {
    let half = if point { LabVec::zero() } else { random.direction() * random.between(0.1, 1.5) };
    Core { middle: random.direction() * random.between(0.0, 2.0), half }
}

/// The four pairs of kinds: whether each core is a point.
const KINDS: [[bool; 2]; 4] = [[true, true], [true, false], [false, true], [false, false]];

#[test]
fn no_other_points_are_nearer() {
    let mut random = Random::new(1);
    let parts: Vec<f64> = (0..=40).map(|step| f64::from(step) / 20.0 - 1.0).collect();
    for kinds in KINDS {
        for _ in 0..300 {
            let [a, b] = kinds.map(|point| any_core(&mut random, point));
            let [on_a, on_b] = nearest(&a, &b);
            let distance = (on_a - on_b).norm();
            for (core, point) in [(a, on_a), (b, on_b)] {
                let part = (point - core.middle).dot(core.half) / core.half.norm_squared().max(1e-300);
                assert!(part.abs() < 1.0 + 1e-14 && (at(&core, part) - point).norm() < 1e-14);
            }
            for s in &parts {
                for t in &parts {
                    let other = (at(&a, *s) - at(&b, *t)).norm();
                    assert!(distance <= other * (1.0 + 1e-11), "{kinds:?}: {distance} instead of {other}");
                }
            }
            let [again_b, again_a] = nearest(&b, &a);
            let moved = (again_a - on_a).norm() + (again_b - on_b).norm();
            assert!(moved < 1e-8, "{kinds:?}: other points from the other side, by {moved:e}");
        }
    }
}

/// Where two parallel cores lie side by side, the middle of that part; where they do not, the ends that are next to each other.
#[test]
fn parallel_cores_touch_in_the_middle_of_what_they_have_in_common() {
    let mut random = Random::new(2);
    for _ in 0..200 {
        let (along, across) = {
            let along = random.direction();
            let other = random.direction();
            (along, (other - along * along.dot(other)) * 0.7)
        };
        let [half_a, half_b] = [0; 2].map(|_| random.between(0.2, 1.5));
        let offset = random.between(-4.0, 4.0);
        // Rounding turns them against each other a little; the second may point the other way.
        let sign = if random.uniform() < 0.5 { 1.0 } else { -1.0 };
        let a = Core { middle: along * offset + across, half: along * half_a };
        let b = Core { middle: LabVec::zero(), half: (along + random.direction() * 1e-16) * (sign * half_b) };
        let (low, high) = ((offset - half_a).max(-half_b), (offset + half_a).min(half_b));
        let expected = if low <= high {
            [0.5 * (low + high); 2]
        } else if offset > 0.0 {
            [offset - half_a, half_b]
        } else {
            [offset + half_a, -half_b]
        };
        for [on_a, on_b] in [nearest(&a, &b), {
            let [on_b, on_a] = nearest(&b, &a);
            [on_a, on_b]
        }] {
            let found = [on_a.dot(along), on_b.dot(along)];
            let error = (found[0] - expected[0]).abs() + (found[1] - expected[1]).abs();
            // A hundred times the rounding of what is divided, over the angle at which cores begin to count as parallel.
            assert!(error < 1e-2, "{found:?} instead of {expected:?}");
        }
    }
}

/// A piece in a rigid body, and how the body moves.
struct Moving {
    core: [BodyVec<f64>; 2],
    radius: f64,
    position: LabVec<f64>,
    q: Quat<f64>,
    velocity: LabVec<f64>,
    omega: LabVec<f64>,
}

impl Moving {
    fn any(random: &mut Random, point: bool) -> Self {
        let arm = |random: &mut Random| {
            BodyVec::from_array((random.direction() * random.between(0.0, 1.5)).to_array())
        };
        let first = arm(random);
        let second = if point { first } else { arm(random) };
        Self {
            core: [first, second],
            radius: random.between(0.2, 1.0),
            position: random.direction() * random.between(0.0, 2.0),
            q: random.orientation(),
            velocity: random.direction() * random.between(0.0, 2.0),
            omega: random.direction() * random.between(0.0, 3.0),
        }
    }

    /// The piece after some time, the velocities being constant.
    fn piece(&self, time: f64) -> Piece<f64> {
        let q = Quat::from_rotation_vector(self.omega * time).then(self.q);
        let ends = self.core.map(|end| self.position + self.velocity * time + q.to_lab(end));
        Piece { core: Core::between(ends), radius: self.radius }
    }

    fn velocity_at(&self, point: LabVec<f64>) -> LabVec<f64> {
        self.velocity + self.omega.cross(point - self.position)
    }
}

fn touch(a: &Piece<f64>, b: &Piece<f64>) -> Geometry<f64> {
    let [a, b] = nearest_spheres(a, b);
    spheres(a, b)
}

#[test]
fn overlaps_change_by_the_velocities_of_the_bodies() {
    let mut random = Random::new(3);
    let step = 1e-5;
    for kinds in KINDS {
        let mut worst: f64 = 0.0;
        for _ in 0..2000 {
            let [a, b] = kinds.map(|point| Moving::any(&mut random, point));
            let now = touch(&a.piece(0.0), &b.piece(0.0));
            // Apart, but not so near that the direction turns round within a step.
            if now.overlap > a.radius + b.radius - 0.1 {
                continue;
            }
            let [before, after] = [-step, step].map(|time| touch(&a.piece(time), &b.piece(time)).overlap);
            let rate = (after - before) / (2.0 * step);
            let expected = -now.normal.dot(a.velocity_at(now.point) - b.velocity_at(now.point));
            worst = worst.max((rate - expected).abs());
        }
        assert!(worst < 1e-4, "{kinds:?}: off by {worst:e}");
        assert!(worst > 0.0);
    }
}

type Pose = (LabVec<f64>, Quat<f64>);

/// A pose on a closed path through all six degrees of freedom.
fn on_path([a, b, c, d, e, f]: [LabVec<f64>; 6], angle: f64) -> Pose {
    let ((sin, cos), twice) = (angle.sin_cos(), (2.0 * angle).sin());
    (a * cos + b * sin + c * (0.3 * twice), Quat::from_rotation_vector(d * cos + e * sin + f * (0.3 * twice)))
}

/// How far a point that is fixed to a body goes when the body goes from one pose to another.
fn carried(point: LabVec<f64>, from: Pose, to: Pose) -> LabVec<f64> {
    to.0 + to.1.to_lab(from.1.to_body(point - from.0)) - point
}

#[test]
fn nothing_is_spent_round_a_closed_path() {
    const STEPS: u32 = 20_000;
    let mut random = Random::new(4);
    for kinds in KINDS {
        let (mut spent, mut moved): (f64, f64) = (0.0, 0.0);
        let mut paths = 0;
        while paths < 12 {
            let [mut a, b] = kinds.map(|point| Moving::any(&mut random, point));
            let (coefficients, still) = (core::array::from_fn(|_| random.direction() * 1.2), b.piece(0.0));
            let radii = a.radius + b.radius;
            let mut pushed = |step: u32| {
                let pose = on_path(coefficients, f64::from(step) / f64::from(STEPS) * core::f64::consts::TAU);
                (a.position, a.q) = pose;
                (pose, touch(&a.piece(0.0), &still))
            };
            // Cores that go through each other are beyond what any engine allows: the normal turns round there.
            let allowed = 0.9 * radii;
            if (0..STEPS).step_by(20).any(|step| pushed(step).1.overlap > allowed) {
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
        assert!(moved > 1.0, "{kinds:?}: nothing touched");
        assert!(spent.abs() < 1e-5 * moved, "{kinds:?}: {spent:e} of {moved:e}");
    }
}

/// The deepest of a row of spheres along the core is the sphere by which the piece touches, but for an error that goes with the
/// square of their distance.
#[test]
fn a_capsule_is_a_dense_row_of_spheres() {
    let mut random = Random::new(5);
    for kinds in &KINDS[1..] {
        let pairs: Vec<[Moving; 2]> =
            (0..100).map(|_| kinds.map(|point| Moving::any(&mut random, point))).collect();
        let apart =
            |[a, b]: &&[Moving; 2]| touch(&a.piece(0.0), &b.piece(0.0)).overlap < a.radius + b.radius - 0.2;
        let errors = [20, 40, 80].map(|count: u32| {
            let row = |piece: &Piece<f64>| -> Vec<LabVec<f64>> {
                (0..=count)
                    .map(|step| at(&piece.core, 2.0 * f64::from(step) / f64::from(count) - 1.0))
                    .collect()
            };
            let error = |[a, b]: &[Moving; 2]| {
                let (a, b) = (a.piece(0.0), b.piece(0.0));
                let (rows, mut least) = ([row(&a), row(&b)], f64::INFINITY);
                for first in &rows[0] {
                    least = rows[1].iter().fold(least, |least, second| least.min((*first - *second).norm()));
                }
                let deepest = a.radius + b.radius - least;
                (touch(&a, &b).overlap - deepest).abs()
            };
            pairs.iter().filter(apart).map(error).sum::<f64>() / 100.0
        });
        let order = crate::common::order_of(&errors);
        assert!(order > 1.6 && errors[0] < 0.03, "{kinds:?}: {errors:?}, order {order:.2}");
    }
}

/// What is recorded once and replayed gives the same bits, so there is no branch in it.
#[cfg(feature = "trace")]
#[test]
fn it_replays_to_the_same_bits() {
    use tumble_dem::record::to_numbers;
    use tumble_math::Real;
    use tumble_math::trace::{Tape, Traced};

    fn touch_of<R: Real>(n: &[R]) -> Vec<R> {
        use tumble_dem::physics::piece::PIECE;
        use tumble_dem::record::Record;
        let [a, b] = nearest_spheres(&Piece::read(n, 0), &Piece::read(n, PIECE));
        to_numbers(spheres(a, b))
    }
    let tape = Tape::record(14, touch_of::<Traced>);
    let mut random = Random::new(6);
    for kinds in KINDS {
        for _ in 0..200 {
            let pieces =
                kinds.map(|point| Piece { core: any_core(&mut random, point), radius: random.uniform() });
            let numbers: Vec<f64> = pieces.into_iter().flat_map(to_numbers).collect();
            let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(tape.replay(&numbers)), bits(touch_of(&numbers)), "{kinds:?}");
        }
    }
}
