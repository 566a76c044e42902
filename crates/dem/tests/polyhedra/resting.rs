//! Guarantee: rounded polyhedra rest on their faces. A cube dropped flat comes to rest and stays, a stack of them stands and creeps no faster than is said, and tetrahedra thrown at
//! random land on each of their faces as often.

use super::template;
use crate::common::{Z, add_floor, largest, world};
use tumble_dem::clump::ClumpHull;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyVec, Engine, LabVec, MaterialId, Settings, World};

const SIDE: f64 = 0.01;
const ROUNDING: f64 = 1e-3;

fn with_floor(friction: f64, restitution: f64) -> World {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(1e4);
    let mut world = world(material, PairProperties::new(restitution, friction));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.gravity = Z * -9.81;
    world
}

fn settings(dt: f64) -> Settings {
    let contact =
        ContactModel { law: LawKind::HertzMindlin, rolling: RollingKind::None, twisting: TwistingKind::None };
    Settings { contact, ..Settings::new(dt) }
}

#[test]
fn a_cube_dropped_flat_rests() {
    let mut world = with_floor(0.5, 0.3);
    let cube = world.add_template(template("cube", &[ClumpHull::cuboid([SIDE; 3], ROUNDING)])).unwrap();
    world.add_body(Body::at(cube, Z * (0.5 * SIDE + 1e-3)));
    let mut engine = Engine::new(world, settings(5e-5)).unwrap();
    engine.advance(10_000).unwrap();
    let body = engine.bodies()[0];
    assert_eq!(engine.contact_count(), 4);
    assert!(body.velocity.norm() < 1e-9 && body.angular_velocity.norm() * SIDE < 1e-9);
    let top = body.orientation.to_lab(BodyVec::new(0.0, 0.0, 1.0));
    let upright = largest([top.x, top.y, top.z].map(f64::abs));
    assert!((upright - 1.0).abs() < 1e-12, "{top:?}");
    assert!(largest([body.position.x, body.position.y].map(f64::abs)) < 1e-9);
}

/// Each a little turned about the vertical and out of line, so that corners, edges and faces all carry.
#[test]
fn a_stack_stands() {
    const HEIGHT: usize = 5;
    let mut world = with_floor(0.5, 0.05);
    let cube = world.add_template(template("cube", &[ClumpHull::cuboid([SIDE; 3], ROUNDING)])).unwrap();
    let mut random = Random::new(1);
    for level in 0..HEIGHT {
        let place = LabVec::new(
            random.between(-0.05, 0.05) * SIDE,
            random.between(-0.05, 0.05) * SIDE,
            SIDE * (level as f64 + 0.5) * 1.001,
        );
        let turn = tumble_dem::Quat::from_rotation_vector(Z * random.between(-0.1, 0.1));
        world.add_body(Body::at(cube, place).turned(turn));
    }
    let mut engine = Engine::new(world, settings(2e-5)).unwrap();
    engine.advance(100_000).unwrap();
    let before = engine.bodies();
    engine.advance(20_000).unwrap();
    let after = engine.bodies();
    let time = 0.4;
    let creep = largest(before.iter().zip(&after).map(|(a, b)| (b.position - a.position).norm() / time));
    let speed = largest(after.iter().map(|body| body.velocity.norm() + body.angular_velocity.norm() * SIDE));
    let heights: Vec<f64> = after.iter().map(|body| body.position.z / SIDE).collect();
    assert!(creep < 1e-8 && speed < 1e-7, "{creep:e} m/s, {speed:e} m/s");
    for (level, height) in heights.into_iter().enumerate() {
        assert!((height - level as f64 - 0.5).abs() < 0.02, "{level}: {height}");
    }
}

/// χ² of three degrees of freedom is below 16.3 in 999 of 1000 cases.
#[test]
fn a_tetrahedron_lands_on_each_face_as_often() {
    const COUNT: u32 = 240;
    let mut world = with_floor(0.4, 0.3);
    let die = ClumpHull::tetrahedron(SIDE, ROUNDING);
    let corners = die.corners.clone();
    let die = world.add_template(template("die", &[die])).unwrap();
    let mut random = Random::new(7);
    for number in 0..COUNT {
        // Far from each other.
        let place = LabVec::new(f64::from(number % 16), f64::from(number / 16), 0.0) * (20.0 * SIDE);
        let body = Body::at(die, place + Z * (2.0 * SIDE)).turned(random.orientation());
        world.add_body(body.moving(random.direction() * 0.1).spinning(random.direction() * 20.0));
    }
    let template = world.templates[0].clone();
    let mut engine = Engine::new(world, settings(5e-5)).unwrap();
    engine.advance(16_000).unwrap();
    let mut counts = [0_u32; 4];
    for body in engine.bodies() {
        // The corner that is up; the centre is that of the corners.
        let height = |corner: &LabVec<f64>| {
            let own = template.orientation().to_body(*corner - template.centre());
            body.orientation.to_lab(own).z
        };
        let heights: Vec<f64> = corners.iter().map(height).collect();
        let top = (0..4).max_by(|a, b| heights[*a].total_cmp(&heights[*b])).unwrap();
        assert!((heights[top] / SIDE - 1.0).abs() < 1e-3, "it lies on no face: {heights:?}");
        counts[top] += 1;
    }
    let expected = f64::from(COUNT) / 4.0;
    let chi: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    assert!(chi < 16.3, "{counts:?}");
}
