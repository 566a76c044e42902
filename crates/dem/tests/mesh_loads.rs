//! What bears on the triangles of mesh walls: pressures add up to weights, wear is friction times distance, what is between
//! triangles counts once, and none of it depends on threads, lists or restarts.

use crate::common::{X, Z, add_clump, add_sphere, assert_close, assert_near, lopsided, settings, world};
use tumble_dem::clump::ClumpSphere;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{MeshOptions, Motion, Movement, TriangleMesh, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, SavedState, Settings, SurfaceState, World};

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.3;
const STIFFNESS: f64 = 2e4;
const DT: f64 = 4e-5;

/// A floor of squares of two triangles each; one corner is the origin.
fn floor() -> TriangleMesh {
    let corner = |i: i32, j: i32| LabVec::new(0.03 * f64::from(i), 0.03 * f64::from(j), 0.0);
    let mut triangles = Vec::new();
    for (i, j) in (-3..8).flat_map(|i| (-3..3).map(move |j| (i, j))) {
        triangles.push([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)]);
        triangles.push([corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)]);
    }
    TriangleMesh::new(&triangles, MeshOptions::default()).unwrap()
}

/// A sphere at rest on the floor, with the overlap that bears its weight.
fn resting(x: f64, y: f64) -> World {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(STIFFNESS);
    let mut world = world(material, PairProperties::new(0.5, FRICTION));
    let sphere = add_sphere(&mut world, RADIUS);
    world.gravity = Z * -GRAVITY;
    let overlap = weight(&world) / STIFFNESS;
    world.add_body(Body::at(sphere, LabVec::new(x, y, RADIUS - overlap)));
    world.walls.push(Wall::new("floor", floor(), MaterialId(0), Motion::fixed()).unwrap());
    world
}

fn weight(world: &World) -> f64 {
    world.templates[0].mass(2500.0, 1.0) * GRAVITY
}

fn recording(interval: u64) -> Settings {
    Settings { surface_interval: Some(interval), ..settings(LawKind::Linear, DT) }
}

fn total(surface: &SurfaceState, of: &[f64]) -> f64 {
    surface.area.iter().zip(of).map(|(area, value)| area * value).sum()
}

fn only(engine: &Engine) -> SurfaceState {
    let [surface] = engine.surfaces().try_into().unwrap();
    surface
}

#[test]
fn nothing_is_added_up_unless_it_is_asked_for() {
    let mut engine = Engine::new(resting(0.011, 0.004), settings(LawKind::Linear, DT)).unwrap();
    engine.advance(10).unwrap();
    assert!(engine.surfaces().is_empty());
    let error = Engine::new(resting(0.0, 0.0), recording(0)).unwrap_err();
    assert!(error.to_string().contains("at least one step"), "{error}");
}

/// In the middle of a triangle, on an edge, on a corner: one triangle bears the weight, whole.
#[test]
fn the_pressure_of_a_sphere_at_rest_is_its_weight_and_counts_once() {
    for (x, y) in [(0.011, 0.004), (0.015, 0.0), (0.01, 0.01), (0.0, 0.0), (0.03, -0.03)] {
        let world = resting(x, y);
        let weight = weight(&world);
        let mut engine = Engine::new(world, recording(100)).unwrap();
        engine.advance(350).unwrap();
        let surface = only(&engine);
        assert_close("duration", surface.duration, 50.0 * DT, 1e-9);
        assert_close("weight", total(&surface, &surface.pressure), weight, 1e-9);
        assert_eq!(surface.pressure.iter().filter(|pressure| **pressure > 0.0).count(), 1, "at {x}, {y}");
        assert!(total(&surface, &surface.friction_work) < 1e-12);
    }
}

/// A block of many spheres on many triangles.
#[test]
fn the_pressures_under_a_block_add_up_to_its_weight() {
    let mut world = resting(0.0, 0.0);
    world.bodies.clear();
    let clump = add_clump(&mut world, &lopsided());
    world.add_body(Body::at(clump, LabVec::new(0.013, 0.007, 0.02)));
    let weight = world.templates[clump.index()].mass(2500.0, 1.0) * GRAVITY;
    let mut engine = Engine::new(world, recording(500)).unwrap();
    engine.advance(40_000).unwrap();
    let surface = only(&engine);
    assert_close("weight", total(&surface, &surface.pressure), weight, 1e-4);
    let touched = surface.pressure.iter().filter(|pressure| **pressure > 0.0).count();
    assert!(touched >= 2, "{touched}");
}

/// A flat tripod that slides to a stop: μ times the weight times the distance; and it pulls the floor along.
#[test]
fn the_wear_of_what_slides_is_friction_times_distance() {
    let mut world = resting(-0.02, 0.004);
    let feet = [[0.03, 0.0, 0.0], [-0.015, 0.026, 0.0], [-0.015, -0.026, 0.0]];
    let tripod = add_clump(&mut world, &feet.map(|foot| ClumpSphere::new(foot, RADIUS)));
    let weight = world.templates[tripod.index()].mass(2500.0, 1.0) * GRAVITY;
    world.bodies.clear();
    let at = LabVec::new(-0.02, 0.004, RADIUS - weight / 3.0 / STIFFNESS);
    world.add_body(Body::at(tripod, at).moving(X * 0.5));
    let mut engine = Engine::new(world, recording(1000)).unwrap();
    engine.advance(2000).unwrap();
    let (surface, distance) = (only(&engine), engine.bodies()[0].position.x - at.x);
    let (work, load) = (total(&surface, &surface.friction_work), total(&surface, &surface.sliding_load));
    assert!(distance > 0.03, "{distance}");
    assert_close("work of friction", work, FRICTION * weight * distance, 2e-3);
    assert_close("load times distance", load, weight * distance, 2e-3);
    assert_close("ledger", work, engine.ledger().sliding, 1e-12);
    assert_near("shear", shear(&surface), X * (FRICTION * weight), 2e-3 * weight);
    assert!(surface.friction_work.iter().filter(|work| **work > 0.0).count() >= 5, "it crosses triangles");
}

/// The tangential force on all triangles.
fn shear(surface: &SurfaceState) -> LabVec<f64> {
    let forces = surface.area.iter().zip(&surface.traction).map(|(area, traction)| *traction * *area);
    forces.fold(LabVec::zero(), |sum, force| sum + force)
}

/// From sliding at speed u to rolling, ball and floor lose m u²/7.
#[test]
fn a_sphere_that_slides_until_it_rolls_wears_the_floor_by_what_it_loses() {
    let mut world = resting(-0.08, 0.004);
    let (weight, speed) = (weight(&world), 0.6);
    world.bodies[0].velocity = X * speed;
    let mut engine = Engine::new(world, recording(1000)).unwrap();
    engine.advance(6000).unwrap();
    let surface = only(&engine);
    let lost = weight / GRAVITY * speed * speed / 7.0;
    assert_close("work of friction", total(&surface, &surface.friction_work), lost, 2e-3);
}

/// What a wall feels turns with it, and is told in the lab.
#[test]
fn shear_on_a_wall_that_turns_is_what_the_wall_feels() {
    let mut world = resting(0.05, 0.0);
    let spin = Motion::new(vec![Movement::Spin { axis: Z, pivot: LabVec::zero(), rate: 20.0 }]).unwrap();
    world.walls[0].motion = spin;
    let mut engine = Engine::new(world, recording(1)).unwrap();
    for _ in 0..20 {
        engine.advance(40).unwrap();
        let (feels, surface) = (engine.walls()[0].force, only(&engine));
        assert_near("shear", shear(&surface), feels - Z * feels.z, 1e-12);
        assert!(shear(&surface).norm() > 0.5 * FRICTION * -feels.z, "{feels:?}");
    }
    // It has turned far enough to tell the lab from the wall.
    assert!(engine.time() * 20.0 > 0.6);
}

/// Balls of three sizes that rain onto the floor.
fn rain() -> World {
    let mut world = resting(0.0, 0.0);
    world.bodies.clear();
    let mut random = Random::new(5);
    for layer in 0..4_u8 {
        for (i, j) in (0..5_u8).flat_map(|i| (0..4_u8).map(move |j| (i, j))) {
            let place = [f64::from(i) - 2.0, f64::from(j) - 1.5, f64::from(layer) + 0.6];
            let jitter = LabVec::from_array(core::array::from_fn(|_| 1e-3 * random.uniform()));
            let at = LabVec::from_array(place) * 0.022 + jitter;
            let ball = tumble_dem::TemplateId(0);
            let scale = 0.7 + 0.1 * f64::from((i + j + layer) % 4);
            world.add_body(Body { scale, ..Body::at(ball, at) }.moving(X * (random.uniform() - 0.5)));
        }
    }
    world
}

#[test]
fn loads_are_the_same_on_any_number_of_threads_with_any_lists_and_after_a_restart() {
    let settings = |threads, skin| Settings { threads, skin, ..recording(300) };
    let run = |threads, skin| {
        let mut engine = Engine::new(rain(), settings(threads, skin)).unwrap();
        engine.advance(2500).unwrap();
        engine
    };
    let whole = run(1, None);
    let expected = whole.surfaces();
    let touched = expected[0].pressure.iter().filter(|pressure| **pressure > 0.0).count();
    assert!(touched > 10, "{touched}");
    for (threads, skin) in [(2, None), (5, None), (1, Some(1e-4)), (3, Some(4e-3))] {
        assert_eq!(run(threads, skin).surfaces(), expected, "{threads} threads, skin {skin:?}");
    }
    let mut first = Engine::new(rain(), settings(1, None)).unwrap();
    first.advance(1111).unwrap();
    let bytes = first.save().to_bytes();
    let mut next = Engine::new(rain(), settings(2, None)).unwrap();
    next.restore(&SavedState::from_bytes(&bytes, &rain()).unwrap()).unwrap();
    assert_eq!(next.surfaces(), first.surfaces());
    next.advance(2500 - 1111).unwrap();
    assert_eq!(next.surfaces(), expected);
    assert_eq!(next.save().to_bytes(), whole.save().to_bytes());
    // Whoever did not ask has the same motion.
    let mut plain = Engine::new(rain(), Settings { surface_interval: None, ..settings(1, None) }).unwrap();
    plain.advance(2500).unwrap();
    assert_eq!(plain.bodies(), whole.bodies());
}

/// Loads of other walls are refused.
#[test]
fn loads_of_other_meshes_are_not_taken_over() {
    let mut engine = Engine::new(rain(), recording(300)).unwrap();
    engine.advance(700).unwrap();
    let mut bytes = engine.save().to_bytes();
    // A triangle that is not there, wherever it stands in the bytes: no panic, and no state with it.
    let [known] = engine.surfaces().try_into().unwrap();
    let touched = known.sliding_load.iter().position(|load| *load > 0.0).unwrap();
    let pattern = u32::try_from(touched).unwrap().to_le_bytes();
    let mut refused = false;
    for place in 0..bytes.len() - 4 {
        if bytes[place..place + 4] == pattern {
            bytes[place + 3] = 0x0f;
            refused |= SavedState::from_bytes(&bytes, &rain())
                .is_err_and(|error| error.to_string().contains("triangles of other mesh walls"));
            bytes[place + 3] = 0;
        }
    }
    assert!(refused);
}
