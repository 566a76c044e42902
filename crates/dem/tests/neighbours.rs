//! Guarantee: at every step the engine has exactly the contacts that a search over all pairs of spheres, and
//! all spheres and walls, finds: whatever the sizes, however fast bodies fly, turn and cross periodic ends, and
//! however walls move. Lists that were built too late, or cells that were too small, would miss some. Bodies
//! are so soft here that they pass through each other and meet all the time.

use crate::crowds::{advance, box_mesh, v};
use std::collections::BTreeSet;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cylinder, Motion, Movement, Plane, Shape, Side, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, SchemeKind, Settings, TemplateId, Touching, World};

pub(crate) const DT: f64 = 1e-5;

/// Overlaps smaller than this may be there or not, m: bodies are shown, and spheres placed, with rounding.
const UNCERTAIN: f64 = 1e-11;

/// A sphere, a rod of eleven spheres 60 mm long and a tetrahedron, softer than any matter.
pub(crate) fn ghosts() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("mist", 1000.0, 1e-3, 0.3)).unwrap();
    world.materials.set_default(PairProperties::new(0.9, 0.5));
    for spheres in [shapes::sphere(5e-3), shapes::rod(11, 5e-3, 5e-3), shapes::tetrahedron(4e-3, 1e-2)] {
        world.add_template(ClumpTemplate::new("ghost", &spheres, MassModel::Union).unwrap()).unwrap();
    }
    world
}

pub(crate) fn settings() -> Settings {
    Settings { max_overlap: f64::MAX, ..Settings::new(DT) }
}

/// Bodies anywhere in a cube, with velocities and spins up to the given ones.
pub(crate) fn scatter(world: &mut World, count: usize, size: f64, speed: f64, spin: f64, seed: u64) {
    let mut random = Random::new(seed);
    for i in 0..count {
        let place = v(random.between(0.0, size), random.between(0.0, size), random.between(0.0, size));
        let templates = u16::try_from(i % world.templates.len()).unwrap();
        let velocity = random.direction() * random.between(0.0, speed);
        let spin = random.direction() * random.between(0.0, spin);
        let body = Body::at(TemplateId(templates), place).moving(velocity).spinning(spin);
        world.add_body(body.turned(random.orientation()));
    }
}

/// Body, sphere; other body and sphere, or the wall twice.
type Met = ([u32; 2], Option<[u32; 2]>, u32);

/// All spheres that overlap another or a wall, or nearly do: in the first set certainly.
fn search(engine: &Engine, world: &World) -> [BTreeSet<Met>; 2] {
    let mut spheres = Vec::new();
    for body in engine.bodies() {
        for (number, sphere) in (0..).zip(world.templates[usize::from(body.template)].spheres()) {
            let centre = body.position + body.orientation.to_lab(sphere.centre * body.scale);
            spheres.push((
                [body.id.0, number],
                body.position,
                centre - body.position,
                sphere.radius * body.scale,
            ));
        }
    }
    let lengths = world.domain.lengths();
    let [mut certain, mut possible] = [BTreeSet::new(), BTreeSet::new()];
    let mut note = |met: Met, overlap: f64| {
        if overlap > -UNCERTAIN {
            possible.insert(met);
        }
        if overlap > UNCERTAIN {
            certain.insert(met);
        }
    };
    for (i, &(name_a, body_a, arm_a, radius_a)) in spheres.iter().enumerate() {
        for &(name_b, body_b, arm_b, radius_b) in &spheres[i + 1..] {
            if name_a[0] == name_b[0] {
                continue;
            }
            // The nearest images of the spheres themselves, not of their bodies.
            let mut apart = (body_a - body_b + arm_a - arm_b).to_array();
            for (d, length) in apart.iter_mut().zip(lengths) {
                if length.is_finite() {
                    *d -= (*d / length).round() * length;
                }
            }
            note((name_a, Some(name_b), 0), radius_a + radius_b - LabVec::from_array(apart).norm());
        }
        for (number, wall) in (0..).zip(&world.walls) {
            let point = wall.motion.at(engine.time()).to_reference(body_a + arm_a);
            note((name_a, None, number), radius_a - distance(&wall.shape, point));
        }
    }
    [certain, possible]
}

/// From a point of the reference frame to a wall; that of planes and tubes once more by school geometry.
fn distance(shape: &Shape, point: LabVec<f64>) -> f64 {
    match shape {
        Shape::Plane(plane) => (point - plane.point()).dot(plane.normal()),
        Shape::Cylinder(tube) if tube.length().is_none() => {
            let from = point - tube.point();
            tube.radius() - (from - tube.axis() * from.dot(tube.axis())).norm()
        }
        _ => shape.distance(point),
    }
}

/// Compares the engine's contacts with the search, and gives how many there are.
fn compare(engine: &Engine, world: &World, case: &str) -> usize {
    let found: BTreeSet<Met> = engine
        .contacts()
        .iter()
        .map(|contact| {
            let name = [contact.body.0.0, contact.body.1];
            match contact.with {
                Touching::Body(id, sphere) => (name, Some([id.0, sphere]), 0),
                Touching::Wall(wall) => (name, None, wall.0),
            }
        })
        .collect();
    let [certain, possible] = search(engine, world);
    let missed: Vec<_> = certain.difference(&found).collect();
    let invented: Vec<_> = found.difference(&possible).collect();
    assert!(missed.is_empty(), "{case}, step {}: missed {missed:?}", engine.steps());
    assert!(invented.is_empty(), "{case}, step {}: invented {invented:?}", engine.steps());
    found.len()
}

/// Compares at every step; gives the numbers of contacts and of changes of that number, both summed up.
pub(crate) fn follow(world: &World, settings: &Settings, steps: u64, case: &str) -> (usize, usize) {
    let mut engine = crate::crowds::engine(world, settings);
    let mut last = compare(&engine, world, case);
    let (mut sum, mut changes) = (last, 0);
    for _ in 0..steps {
        advance(&mut engine, 1);
        let now = compare(&engine, world, case);
        (sum, changes, last) = (sum + now, changes + usize::from(now != last), now);
    }
    (sum, changes)
}

#[test]
fn sizes_from_one_to_a_hundred() {
    let mut world = ghosts();
    scatter(&mut world, 60, 0.3, 5.0, 300.0, 1);
    let mut random = Random::new(2);
    for body in &mut world.bodies {
        body.template = TemplateId(body.template.0 % 2);
        // 0.1, 1 and 10 times the template.
        body.scale = [0.1, 0.1, 1.0, 0.1, 1.0, 10.0][(random.bits() % 6) as usize];
    }
    world.bodies[0].scale = 0.1;
    world.bodies[1].scale = 10.0;
    for skin in [None, Some(0.02), Some(1e-6)] {
        let (contacts, changes) = follow(&world, &Settings { skin, ..settings() }, 150, "sizes");
        assert!(contacts > 10_000 && changes > 20, "{contacts} {changes}");
    }
}

#[test]
fn bodies_that_fly_many_radii_in_a_step() {
    let mut world = ghosts();
    scatter(&mut world, 60, 0.12, 2e4, 1e3, 3);
    let axis = Axis::Periodic { low: 0.0, high: 0.17 };
    for axes in [[axis; 3], [axis, axis, Axis::Open]] {
        world.domain = Domain::of(axes);
        if axes[2] == Axis::Open {
            world.bodies.iter_mut().for_each(|body| body.velocity.z = 0.0);
        }
        let (contacts, changes) = follow(&world, &settings(), 150, "fast");
        assert!(contacts > 400 && changes > 25, "{contacts} {changes}");
    }
}

/// Bullets at up to 2 km/s, 20 mm in a step, through spheres that stand still.
#[test]
fn bullets_through_a_cloud() {
    let mut world = ghosts();
    let mut random = Random::new(4);
    for _ in 0..80 {
        let place = v(random.between(0.0, 0.1), random.between(0.0, 0.1), random.between(0.0, 0.1));
        world.add_body(Body::at(TemplateId(0), place));
    }
    for i in 0..20 {
        let delay = f64::from(i);
        let speed = 200.0 + 90.0 * delay;
        // From all sides, to arrive one after the other.
        let (direction, target) = (random.direction(), v(0.05, 0.05, 0.05) + random.direction() * 0.02);
        let place = target - direction * (speed * DT * (20.0 + 3.0 * delay));
        world.add_body(Body::at(TemplateId(i % 2), place).moving(direction * speed).scaled(0.5));
    }
    for skin in [None, Some(1e-3)] {
        let (_, changes) = follow(&world, &Settings { skin, ..settings() }, 150, "bullets");
        assert!(changes > 40, "{changes}");
    }
}

/// The ends of the rods move by up to 20 mm in a step, their centres hardly at all.
#[test]
fn long_rods_that_spin_fast() {
    let mut world = ghosts();
    scatter(&mut world, 24, 0.15, 0.1, 7e4, 5);
    for body in &mut world.bodies {
        body.template = TemplateId(1);
    }
    for rotation in [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick] {
        let (contacts, changes) =
            follow(&world, &Settings { rotation: rotation.into(), ..settings() }, 200, rotation.name());
        assert!(contacts > 1000 && changes > 50, "{contacts} {changes}");
    }
}

#[test]
fn clumps_in_periodic_domains() {
    let mut world = ghosts();
    scatter(&mut world, 40, 0.16, 50.0, 5e3, 6);
    let axis = |length: f64| Axis::Periodic { low: -0.03, high: length - 0.03 };
    for axes in [[axis(0.17); 3], [axis(0.2), Axis::Open, axis(0.17)], [Axis::Open, axis(0.3), Axis::Open]] {
        world.domain = Domain::of(axes);
        let (contacts, changes) = follow(&world, &settings(), 200, "periodic");
        assert!(contacts > 2000 && changes > 50, "{contacts} {changes}");
    }
}

#[test]
fn walls_that_move() {
    let turning = |axis: LabVec<f64>, rate: f64| Movement::Spin { axis, pivot: v(0.05, 0.05, 0.05), rate };
    let shaking = |amplitude: LabVec<f64>| Movement::Vibration { amplitude, frequency: 300.0, phase: 0.2 };
    let wall = |shape: Shape, parts: Vec<Movement>| {
        Wall::new("wall", shape, MaterialId(0), Motion::new(parts).unwrap()).unwrap()
    };
    let plane = |point, normal| Shape::from(Plane::new(point, normal).unwrap());
    let cube = Shape::from(box_mesh(v(0.03, 0.03, 0.03), v(0.07, 0.08, 0.09)));
    let tube = |side, length| {
        Shape::from(Cylinder::new(v(0.05, 0.05, 0.0), v(0.0, 0.1, 1.0), 0.04, side, length).unwrap())
    };
    let (x, z) = (v(1.0, 0.0, 0.0), v(0.0, 0.0, 1.0));
    // A tube without ends must hold everything, and a solid nothing.
    let cases: Vec<(&str, Vec<Wall>)> = vec![
        ("shaking floor", vec![wall(plane(v(0.0, 0.0, -0.2), z), vec![shaking(v(0.0, 0.0, 0.19))])]),
        (
            "drifting plane",
            vec![wall(plane(v(-0.1, 0.0, 0.0), x), vec![Movement::Drift { velocity: x * 100.0 }])],
        ),
        ("spinning cube", vec![wall(cube.clone(), vec![turning(v(1.0, 2.0, 0.5), 900.0)])]),
        ("shaking, spinning cube", vec![wall(cube, vec![turning(z, 500.0), shaking(v(0.02, 0.02, 0.0))])]),
        ("tumbling tube", vec![wall(tube(Side::Inside, Some(0.1)), vec![turning(v(1.0, 0.0, 0.2), 700.0)])]),
    ];
    for (case, walls) in cases {
        let mut world = ghosts();
        scatter(&mut world, 30, 0.1, 1.0, 30.0, 7);
        world.walls = walls;
        let mut engine = crate::crowds::engine(&world, &settings());
        let with_walls = |engine: &Engine| {
            engine.contacts().iter().filter(|c| matches!(c.with, Touching::Wall(_))).count()
        };
        let (mut sum, mut changes, mut last) = (0, 0, 0);
        for _ in 0..200 {
            // A floor that comes up to the centres stops the run, rightly.
            if engine.advance(1).is_err() {
                break;
            }
            compare(&engine, &world, case);
            let now = with_walls(&engine);
            (sum, changes, last) = (sum + now, changes + usize::from(now != last), now);
        }
        assert!(sum > 30 && changes > 4, "{case}: {sum} {changes}");
    }
}

/// Cells as large as bodies would be more than there is memory for.
#[test]
fn bodies_a_thousand_kilometres_apart() {
    let mut world = ghosts();
    for (i, x) in [0.0, 1e6, -1e6, 3.0].into_iter().enumerate() {
        for (y, velocity) in [(0.0, 1.0), (0.0101, -1.0)] {
            let place = v(x, if i == 2 { 1e6 + y } else { y }, x * 0.5);
            world.add_body(Body::at(TemplateId(0), place).moving(v(0.0, velocity, 0.0)));
        }
    }
    // Far from the origin a position is known to 1e-10 m only.
    let mut engine = crate::crowds::engine(&world, &settings());
    assert_eq!(engine.contact_count(), 0);
    advance(&mut engine, 100);
    assert_eq!(engine.contact_count(), 4);
    advance(&mut engine, 1000);
    assert_eq!(engine.contact_count(), 0);
}

/// At the ends of the numbers, where lengths are infinite.
#[test]
fn bodies_as_far_apart_as_numbers_reach() {
    for far in [1e160, 1.7e308] {
        let mut world = ghosts();
        for (i, side) in [1.0, -1.0, 0.0, 0.0].into_iter().enumerate() {
            let place = v(side * far, side * far, 0.009 * i as f64);
            world.add_body(Body::at(TemplateId(0), place));
        }
        let mut engine = crate::crowds::engine(&world, &settings());
        advance(&mut engine, 10);
        assert_eq!(engine.contact_count(), 1);
    }
}
