//! Guarantee: features touch as two spheres do that lie where they overlap the most, so overlaps change by the velocities of the bodies alone, dδ/dt = −n·v, and a force that
//! depends on them spends nothing round a closed path: a corner on a box, on another polyhedron or on a rod, an edge on an edge, also where it goes from a face over an
//! edge to a corner. And before the cores of two polyhedra meet, some of their features overlap by more than any run allows.

use super::irregular;
use tumble_dem::clump::{ClumpHull, HullSurface};
use tumble_dem::physics::edge::{self, Edge};
use tumble_dem::physics::geometry::{Geometry, Sphere, spheres};
use tumble_dem::physics::piece::{Core, Piece, nearest_spheres};
use tumble_dem::physics::polytope::{CoreFrame, nearest_of_triangles};
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, Quat};

/// A feature in the frame of a body.
#[derive(Clone, Debug)]
enum Feature {
    Point(LabVec<f64>),
    Segment([LabVec<f64>; 2]),
    Edge([LabVec<f64>; 2]),
    Box([f64; 3]),
    Hull(Vec<[LabVec<f64>; 3]>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Point,
    Rod,
    Edge,
    Box,
    Hull,
}

const KINDS: [[Kind; 2]; 6] = [
    [Kind::Point, Kind::Box],
    [Kind::Box, Kind::Point],
    [Kind::Hull, Kind::Point],
    [Kind::Point, Kind::Rod],
    [Kind::Edge, Kind::Edge],
    [Kind::Point, Kind::Hull],
];

fn feature(kind: Kind, random: &mut Random) -> Feature {
    let any = |random: &mut Random| random.direction() * random.between(0.2, 1.0);
    match kind {
        Kind::Point => Feature::Point(any(random)),
        Kind::Rod => Feature::Segment([any(random), any(random)]),
        Kind::Edge => {
            let from = any(random);
            Feature::Edge([from, from + random.direction() * random.between(0.5, 2.0)])
        }
        Kind::Box => Feature::Box([0; 3].map(|_| random.between(0.3, 1.0))),
        Kind::Hull => {
            let hull = irregular(random, 7, 0.1);
            let surface = hull.surface().unwrap();
            Feature::Hull(
                surface.triangles().map(|triangle| triangle.map(|k| hull.corners[k as usize])).collect(),
            )
        }
    }
}

/// A feature of a moving body.
#[derive(Clone, Debug)]
struct Moving {
    feature: Feature,
    radius: f64,
    position: LabVec<f64>,
    q: Quat<f64>,
    velocity: LabVec<f64>,
    omega: LabVec<f64>,
}

impl Moving {
    fn any(random: &mut Random, kind: Kind) -> Self {
        Self {
            feature: feature(kind, random),
            radius: random.between(0.1, 0.4),
            position: random.direction(),
            q: random.orientation(),
            velocity: random.direction() * random.between(0.0, 2.0),
            omega: random.direction() * random.between(0.0, 3.0),
        }
    }

    /// The same after some time.
    fn after(&self, time: f64) -> Self {
        let q = Quat::from_rotation_vector(self.omega * time).then(self.q);
        Self { position: self.position + self.velocity * time, q, ..self.clone() }
    }

    fn place(&self, arm: LabVec<f64>) -> LabVec<f64> {
        self.position + self.q.to_lab(BodyVec::from_array(arm.to_array()))
    }

    fn velocity_at(&self, point: LabVec<f64>) -> LabVec<f64> {
        self.velocity + self.omega.cross(point - self.position)
    }
}

fn on_core(of: &Moving, point: LabVec<f64>) -> LabVec<f64> {
    match &of.feature {
        Feature::Box(half) => {
            let axis = |k: usize| {
                let mut axis = [0.0; 3];
                axis[k] = half[k];
                of.place(LabVec::from_array(axis))
            };
            CoreFrame::of_points([of.position, axis(0), axis(1), axis(2)]).nearest_of_box(point)
        }
        Feature::Hull(triangles) => nearest_of_triangles(
            triangles.iter().map(|triangle| triangle.map(|corner| of.place(corner))),
            point,
        ),
        _ => unreachable!("it has no faces"),
    }
}

fn touch(a: &Moving, b: &Moving) -> Geometry<f64> {
    let sphere = |of: &Moving, centre: LabVec<f64>| Sphere { centre, radius: of.radius };
    let piece = |of: &Moving, ends: [LabVec<f64>; 2]| Piece {
        core: Core::between(ends.map(|end| of.place(end))),
        radius: of.radius,
    };
    let edge = |of: &Moving, ends: [LabVec<f64>; 2]| Edge::between(ends.map(|end| of.place(end)), of.radius);
    let [first, second] = match (&a.feature, &b.feature) {
        (Feature::Edge(own), Feature::Edge(other)) => edge::touch(&edge(a, *own), &edge(b, *other)).0,
        (Feature::Point(own), Feature::Segment(other)) => {
            nearest_spheres(&piece(a, [*own; 2]), &piece(b, *other))
        }
        (Feature::Point(own), _) => {
            let centre = a.place(*own);
            [sphere(a, centre), sphere(b, on_core(b, centre))]
        }
        (_, Feature::Point(other)) => {
            let centre = b.place(*other);
            [sphere(a, on_core(a, centre)), sphere(b, centre)]
        }
        _ => unreachable!("these do not meet"),
    };
    spheres(first, second)
}

/// A pair that overlaps by so much of the smaller radius: the first is pushed along some way until it does.
fn touching(random: &mut Random, kinds: [Kind; 2], part: f64) -> [Moving; 2] {
    let [mut a, b] = kinds.map(|kind| Moving::any(random, kind));
    let (home, way) = (a.position, random.direction());
    let overlap = part * a.radius.min(b.radius);
    let (mut low, mut high) = (0.0, 10.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        a.position = home + way * middle;
        let now = touch(&a, &b).overlap;
        // What was not found is deep.
        if now.is_nan() || now > overlap { low = middle } else { high = middle }
    }
    a.position = home + way * high;
    [a, b]
}

#[test]
fn overlaps_change_by_the_velocities_of_the_bodies() {
    let mut random = Random::new(1);
    let step = 1e-6;
    for kinds in KINDS {
        let mut worst: f64 = 0.0;
        for _ in 0..3000 {
            let part = random.between(-0.05, 0.3);
            let [a, b] = touching(&mut random, kinds, part);
            let now = touch(&a, &b);
            if now.overlap.is_nan() || now.overlap < -0.1 * a.radius {
                continue;
            }
            let [before, after] = [-step, step].map(|time| touch(&a.after(time), &b.after(time)).overlap);
            let rate = (after - before) / (2.0 * step);
            let expected = -now.normal.dot(a.velocity_at(now.point) - b.velocity_at(now.point));
            // Where a foot goes from a face to an edge, the rate has a kink.
            let kink = 20.0 * step / a.radius.min(b.radius);
            worst = worst.max((rate - expected).abs() - if kinds[0] == Kind::Edge { 0.0 } else { kink });
        }
        assert!(worst < 1e-6, "{kinds:?}: off by {worst:e}");
    }
}

type Pose = (LabVec<f64>, Quat<f64>);

/// How far a point that is fixed to a body goes when the body goes from one pose to another.
fn carried(point: LabVec<f64>, from: Pose, to: Pose) -> LabVec<f64> {
    to.0 + to.1.to_lab(from.1.to_body(point - from.0)) - point
}

/// A pose on a closed path through all six degrees of freedom.
fn on_path([a, b, d, e]: [LabVec<f64>; 4], angle: f64) -> Pose {
    let ((sin, cos), twice) = (angle.sin_cos(), (2.0 * angle).sin());
    (a * (cos - 1.0) + b * sin, Quat::from_rotation_vector(d * cos + e * sin + d * (0.3 * twice)))
}

#[test]
fn nothing_is_spent_round_a_closed_path() {
    const STEPS: u32 = 8000;
    let mut random = Random::new(2);
    for kinds in KINDS {
        let (mut spent, mut moved): (f64, f64) = (0.0, 0.0);
        let mut paths = 0;
        while paths < 6 {
            let [mut a, b] = touching(&mut random, kinds, 0.25);
            let (home, q, small) = (a.position, a.q, a.radius.min(b.radius));
            let normal = touch(&a, &b).normal;
            // Along the surface by as much as the radius, so that faces give way to edges.
            let along = (random.direction().cross(normal)) * small;
            let turns = [random.direction() * 0.1, random.direction() * 0.1];
            let mut pushed = |step: u32| {
                let angle = f64::from(step) / f64::from(STEPS) * core::f64::consts::TAU;
                let (by, turn) = on_path([normal * (-0.1 * small), along, turns[0], turns[1]], angle);
                (a.position, a.q) = (home + by, turn.then(q));
                ((a.position, a.q), touch(&a, &b))
            };
            let deep = |touch: &Geometry<f64>| touch.overlap.is_nan() || touch.overlap > 0.9 * small;
            if (0..STEPS).step_by(20).any(|step| deep(&pushed(step).1)) {
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

/// The greatest overlap of any two features of two polyhedra, as a part of the sum of the roundings.
fn deepest([a, b]: [&(ClumpHull, HullSurface); 2]) -> f64 {
    let both = a.0.rounding + b.0.rounding;
    let corner = |of: &(ClumpHull, HullSurface), k: u32| of.0.corners[k as usize];
    let corners = |own: &(ClumpHull, HullSurface), other: &(ClumpHull, HullSurface)| {
        let distance = |point: &LabVec<f64>| {
            let triangles = other.1.triangles().map(|triangle| triangle.map(|k| corner(other, k)));
            (nearest_of_triangles(triangles, *point) - *point).norm()
        };
        both - own.0.corners.iter().map(distance).fold(f64::INFINITY, f64::min)
    };
    let edges = |of: &(ClumpHull, HullSurface)| {
        let edge = |ends: &[u32; 2]| Edge::between(ends.map(|k| corner(of, k)), of.0.rounding);
        of.1.edges.iter().map(edge).collect::<Vec<_>>()
    };
    let mut deepest = corners(a, b).max(corners(b, a));
    for own in edges(a) {
        for other in edges(b) {
            // Wherever a search stands, there is at least so much.
            let begun = edge::EdgeSearch::new(&own, &other).touch(&own, &other).1;
            deepest = deepest.max(begun).max(edge::touch(&own, &other).1);
        }
    }
    deepest / both
}

/// Two boxes whose cores all but touch where two edges cross, anywhere along both, and mostly near their ends: there edges taper, and corners carry instead.
#[test]
fn cores_do_not_meet() {
    let mut random = Random::new(3);
    let mut least = f64::INFINITY;
    for number in 0..4000 {
        let roundings = [1.0, if number % 2 == 0 { 1.0 } else { random.between(0.1, 1.0) }];
        let [(a, on_a), (b, on_b)] = roundings.map(|rounding| {
            let length = |random: &mut Random| rounding * random.between(0.5f64.ln(), 150.0f64.ln()).exp();
            let half = [0; 3].map(|_| 0.5 * length(&mut random));
            let from_end = if random.uniform() < 0.7 {
                rounding * random.between(0.0, 4.0)
            } else {
                half[0] * random.uniform()
            };
            let hull = ClumpHull::cuboid(half.map(|half| 2.0 * (half + rounding)), rounding);
            (hull, LabVec::new((half[0] - from_end).max(0.0), half[1], half[2]))
        });
        // Outwards between the two faces at the edge, of both the opposite way; and any turn about that.
        let [out_a, out_b] = [0; 2].map(|_| {
            let (sin, cos) = random.between(0.1, 1.4).sin_cos();
            LabVec::new(0.0, cos, sin)
        });
        let about = Quat::from_rotation_vector(out_a * random.between(0.0, 6.3));
        let turn = about.then(turning(out_b, -out_a));
        let placed = turn.to_lab(BodyVec::from_array(on_b.to_array()));
        let b = b.turned(turn).at((on_a - placed + out_a * 1e-3).to_array());
        let [a, b] = [a, b].map(|hull| {
            let surface = hull.surface().unwrap();
            (hull, surface)
        });
        least = least.min(deepest([&a, &b]));
    }
    // The sum is at least twice the smaller rounding, so this is more than any overlap that a run goes on with.
    assert!(least > 0.6, "{least}");
}

/// The shortest turn that takes one unit vector to another.
fn turning(from: LabVec<f64>, to: LabVec<f64>) -> Quat<f64> {
    let axis = from.cross(to);
    let angle = axis.norm().atan2(from.dot(to));
    let axis = if axis.norm() < 1e-12 { LabVec::new(1.0, 0.0, 0.0) } else { axis.unit() };
    Quat::from_rotation_vector(axis * angle)
}

#[test]
fn touching_is_seen_from_either_side_alike() {
    let mut random = Random::new(4);
    for _ in 0..2000 {
        let [a, b] = touching(&mut random, [Kind::Edge, Kind::Edge], 0.2);
        let (there, back) = (touch(&a, &b), touch(&b, &a));
        let of = |moving: &Moving| match moving.feature {
            Feature::Edge(ends) => Edge::between(ends.map(|end| moving.place(end)), moving.radius),
            _ => unreachable!("both are edges"),
        };
        assert_eq!(edge::touch(&of(&a), &of(&b)), edge::touch_soon(&of(&a), &of(&b)));
        if there.overlap < 0.0 {
            continue;
        }
        assert!((there.overlap - back.overlap).abs() < 1e-13 && (there.normal + back.normal).norm() < 1e-9);
        assert!((there.point - back.point).norm() < 1e-9);
    }
}

/// What is recorded once and replayed gives the same bits, so there is no branch in it.
#[cfg(feature = "trace")]
#[test]
fn it_replays_to_the_same_bits() {
    use tumble_dem::physics::edge::EDGE;
    use tumble_dem::record::{Record, to_numbers};
    use tumble_math::Real;
    use tumble_math::trace::{Tape, Traced};

    fn of_edges<R: Real>(n: &[R]) -> Vec<R> {
        let ([first, second], overlap) = edge::touch(&Edge::read(n, 0), &Edge::read(n, EDGE));
        to_numbers(first).into_iter().chain(to_numbers(second)).chain([overlap]).collect()
    }
    fn of_triangles<R: Real>(n: &[R]) -> Vec<R> {
        let corner = |k: usize| LabVec::new(n[3 * k], n[3 * k + 1], n[3 * k + 2]);
        let corners = [corner(0), corner(1), corner(2), corner(3)];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let on = nearest_of_triangles(triangles.into_iter().map(|t| t.map(|k: usize| corners[k])), corner(4));
        vec![on.x, on.y, on.z]
    }
    let mut random = Random::new(7);
    let mut compare = |inputs: usize,
                       traced: fn(&[Traced]) -> Vec<Traced>,
                       plain: fn(&[f64]) -> Vec<f64>,
                       numbers: &mut dyn FnMut(&mut Random) -> Vec<f64>| {
        let tape = Tape::record(inputs, traced);
        for _ in 0..200 {
            let numbers = numbers(&mut random);
            let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
            assert_eq!(bits(tape.replay(&numbers)), bits(plain(&numbers)));
        }
    };
    compare(2 * EDGE, of_edges, of_edges, &mut |random| {
        let ends = |random: &mut Random| [random.direction() * 2.0, random.direction()];
        let edges = [0; 2].map(|_| Edge::between(ends(random), random.between(0.1, 0.5)));
        edges.into_iter().flat_map(to_numbers).collect()
    });
    compare(15, of_triangles, of_triangles, &mut |random| {
        (0..15).map(|_| random.between(-1.0, 1.0)).collect()
    });
}
