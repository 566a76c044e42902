//! Collisions give what theory says: Hertz's overlap, force and time; the restitution asked for, between
//! spheres and on walls; and for clumps, whatever their inertia, the impulse of a rigid impact.
//!
//! Steps are given as parts of the elastic contact time of the law, so that a change of the engine cannot
//! hide in the resolution.

use crate::common::{
    Z, add_clump, add_floor, add_sphere, advance_through_contact, assert_close, assert_near,
    inverse_inertia_times, lopsided, settings, world,
};
use tumble_dem::clump::{ClumpSphere, shapes};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Quat, World};

/// What is measured in a head-on collision.
struct Collision {
    deepest: f64,
    strongest: f64,
    duration: f64,
}

/// Runs until the contact is over. `overlap` tells it from the bodies; its zeros are interpolated.
fn collide(mut engine: Engine, overlap: impl Fn(&[BodyState]) -> f64) -> Collision {
    let dt = engine.settings().dt;
    let mut collision = Collision { deepest: 0.0, strongest: 0.0, duration: 0.0 };
    let mut before = overlap(&engine.bodies());
    let mut began = f64::NAN;
    loop {
        engine.advance(1).unwrap();
        let bodies = engine.bodies();
        let now = overlap(&bodies);
        let crossing = engine.time() - dt * now / (now - before);
        if before <= 0.0 && now > 0.0 {
            began = crossing;
        }
        collision.deepest = if collision.deepest > now { collision.deepest } else { now };
        let force = bodies[0].force.norm();
        collision.strongest = if collision.strongest > force { collision.strongest } else { force };
        if now <= 0.0 && before > 0.0 {
            collision.duration = crossing - began;
            return collision;
        }
        before = now;
    }
}

fn assert_collision(collision: &Collision, [deepest, strongest, duration]: [f64; 3]) {
    assert_close("overlap", collision.deepest, deepest, 1e-3);
    assert_close("force", collision.strongest, strongest, 1e-3);
    assert_close("contact time", collision.duration, duration, 1e-3);
}

#[test]
fn two_glass_spheres_collide_as_hertz_says() {
    for law in [LawKind::Hertz, LawKind::HertzMindlin] {
        let mut world = world(Material::new("glass", 2800.0, 48e9, 0.2), PairProperties::default());
        let (radius, duration) = (0.01, 40.339_455_7e-6);
        let sphere = add_sphere(&mut world, radius);
        for side in [-1.0, 1.0] {
            let body = Body::at(sphere, Z * (side * (radius + 1e-6)));
            world.add_body(body.moving(Z * (-10.0 * side)));
        }
        let engine = Engine::new(world, settings(law, duration / 1000.0)).unwrap();
        let collision = collide(engine, |b| 2.0 * radius - (b[0].position - b[1].position).norm());
        assert_collision(&collision, [2.741_127_02e-4, 10_696.889, duration]);
    }
}

#[test]
fn an_aluminium_sphere_meets_a_rigid_plane_as_hertz_says() {
    for law in [LawKind::Hertz, LawKind::HertzMindlin] {
        let mut world = world(Material::new("aluminium", 2699.0, 70e9, 0.3), PairProperties::default());
        let rigid = world.materials.add(Material::new("rigid", 1.0, f64::INFINITY, 0.3)).unwrap();
        let (radius, duration) = (0.1, 731.656_641e-6);
        let sphere = add_sphere(&mut world, radius);
        add_floor(&mut world, rigid, Motion::fixed());
        world.add_body(Body::at(sphere, Z * (radius + 1e-6)).moving(Z * -0.2));
        let engine = Engine::new(world, settings(law, duration / 1000.0)).unwrap();
        let collision = collide(engine, |b| radius - b[0].position.z);
        assert_collision(&collision, [4.971_717_52e-5, 11_369.858, duration]);
    }
}

const LOSSY: [LawKind; 2] = [LawKind::HertzMindlin, LawKind::Linear];

/// Elastic contact time of spheres of 5 mm, 2500 kg/m³ with the materials below, m* = `part` of the mass.
fn contact_time(law: LawKind, part: f64, speed: f64) -> f64 {
    let mass = 4.0 / 3.0 * core::f64::consts::PI * 0.005_f64.powi(3) * 2500.0 * part;
    let radius = 0.005 * part;
    if law == LawKind::Linear {
        return core::f64::consts::PI * (mass / STIFFNESS).sqrt();
    }
    let modulus = YOUNG / (2.0 * (1.0 - 0.25 * 0.25));
    2.868_265_7 * (mass * mass / (radius * modulus * modulus * speed)).powf(0.2)
}

const YOUNG: f64 = 1e9;
const STIFFNESS: f64 = 1e6;

fn stuff(restitution: f64) -> World {
    let material = Material::new("stuff", 2500.0, YOUNG, 0.25).with_stiffness(STIFFNESS);
    world(material, PairProperties::new(restitution, 0.0))
}

/// The rebound of two spheres, or of one on a wall, beginning a part `phase` of a step before they touch.
fn rebound(law: LawKind, restitution: f64, on_wall: bool, phase: f64) -> f64 {
    let mut world = stuff(restitution);
    let (radius, speed) = (0.005, 1.0);
    let sphere = add_sphere(&mut world, radius);
    let dt = contact_time(law, if on_wall { 1.0 } else { 0.5 }, speed) / 200.0;
    let gap = phase * speed * dt;
    world.add_body(Body::at(sphere, Z * (radius + gap)).moving(Z * -speed));
    if on_wall {
        add_floor(&mut world, MaterialId(0), Motion::fixed());
    } else {
        world.add_body(Body::at(sphere, Z * -radius));
    }
    let mut engine = Engine::new(world, settings(law, dt)).unwrap();
    advance_through_contact(&mut engine);
    let bodies = engine.bodies();
    (bodies[0].velocity.z - if on_wall { 0.0 } else { bodies[1].velocity.z }) / speed
}

/// 200 steps per elastic contact time, whatever the part of a step in which they touch.
#[test]
fn spheres_rebound_with_the_restitution_asked_for() {
    for law in LOSSY {
        for tenths in 1..=10 {
            let restitution = 0.1 * f64::from(tenths);
            for on_wall in [false, true] {
                for phase in [0.1, 0.37, 0.62, 0.9] {
                    let measured = rebound(law, restitution, on_wall, phase);
                    let what = format!("{}, e = {restitution}, wall {on_wall}, phase {phase}", law.name());
                    assert_close(&what, measured, restitution, 5e-3);
                }
            }
        }
    }
}

/// Lever of a unit impulse `n` at `arm` from the centre: 1/m + (r×n)·I⁻¹(r×n).
fn mobility(body: &BodyState, arm: LabVec<f64>, normal: LabVec<f64>) -> f64 {
    let moment = arm.cross(normal);
    1.0 / body.mass + moment.dot(inverse_inertia_times(body, moment))
}

fn velocity_at(body: &BodyState, arm: LabVec<f64>) -> LabVec<f64> {
    body.velocity + body.angular_velocity.cross(arm)
}

/// Where the sphere of a clump that reaches farthest in a direction has its farthest point, from its centre.
fn farthest(spheres: &[(LabVec<f64>, f64)], direction: LabVec<f64>) -> LabVec<f64> {
    let reach = |&(centre, radius): &(LabVec<f64>, f64)| centre + direction * radius;
    spheres.iter().map(reach).max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap()
}

fn placed(world: &World, template: usize, orientation: Quat<f64>) -> Vec<(LabVec<f64>, f64)> {
    world.templates[template].spheres().iter().map(|s| (orientation.to_lab(s.centre), s.radius)).collect()
}

/// The impulse that a body got, and the angular impulse that belongs to it at `arm`.
fn assert_impulse(what: &str, before: &BodyState, after: &BodyState, arm: LabVec<f64>, impulse: LabVec<f64>) {
    let change = (after.velocity - before.velocity) * before.mass;
    assert_near(&format!("{what}: impulse"), change, impulse, 2e-3 * impulse.norm());
    let turn = inverse_inertia_times(before, arm.cross(impulse));
    let spun = after.angular_velocity - before.angular_velocity;
    let scale = impulse.norm() * arm.norm() / before.moments.x;
    assert_near(&format!("{what}: spin"), spun, turn, 2e-3 * scale);
}

fn clump_shapes() -> [Vec<ClumpSphere>; 3] {
    [shapes::rod(3, 0.005, 0.008), shapes::t_handle(0.04, 0.004), lopsided().to_vec()]
}

/// J = (1 + e) vₙ / (1/m + (r×n)·I⁻¹(r×n)): 400 steps per contact time and so slow that the clump turns by
/// less than 10⁻³ meanwhile.
#[test]
fn a_clump_rebounds_from_a_smooth_wall_as_a_rigid_body() {
    for law in LOSSY {
        for spheres in clump_shapes() {
            for (number, restitution) in [1.0, 0.8, 0.5].into_iter().enumerate() {
                for tilt in [0.2, 0.5, 0.9, 1.3] {
                    let mut world = stuff(restitution);
                    let clump = add_clump(&mut world, &spheres);
                    add_floor(&mut world, MaterialId(0), Motion::fixed());
                    let axis = LabVec::new(0.2, 1.0, 0.1 * number as f64);
                    let q = Quat::from_rotation_vector(axis * (tilt / axis.norm()));
                    let arm = farthest(&placed(&world, 0, q), -Z);
                    let body = Body::at(clump, Z * (1e-9 - arm.z)).turned(q);
                    world.add_body(body.moving(LabVec::new(0.01, 0.0, -0.02)));
                    let dt = contact_time(law, 1.0, 0.02) / 400.0;
                    let mut engine = Engine::new(world, settings(law, dt)).unwrap();
                    let before = engine.bodies()[0];
                    advance_through_contact(&mut engine);
                    let approach = velocity_at(&before, arm).z;
                    let impulse = Z * (-(1.0 + restitution) * approach / mobility(&before, arm, Z));
                    let what = format!("{}, e = {restitution}, tilt {tilt}", law.name());
                    assert_impulse(&what, &before, &engine.bodies()[0], arm, impulse);
                }
            }
        }
    }
}

/// The same for two clumps that spin, with the mobilities of both.
#[test]
fn two_smooth_clumps_rebound_as_rigid_bodies() {
    let mut random = Random::new(3);
    for law in LOSSY {
        for restitution in [1.0, 0.8, 0.5] {
            for _ in 0..5 {
                let mut world = stuff(restitution);
                let templates = [lopsided().to_vec(), shapes::t_handle(0.04, 0.004)];
                let templates = templates.map(|spheres| add_clump(&mut world, &spheres));
                let normal = random.direction();
                let (qa, qb) = (random.orientation(), random.orientation());
                // A plane separates them, so that nothing else can touch.
                let arm_a = farthest(&placed(&world, 0, qa), -normal);
                let arm_b = farthest(&placed(&world, 1, qb), normal);
                let (wa, wb) = (random.direction() * 0.5, random.direction() * 0.5);
                let a = Body::at(templates[0], normal * 1e-9 - arm_a).turned(qa).spinning(wa);
                let b = Body::at(templates[1], -arm_b).turned(qb).spinning(wb);
                world.add_body(a.moving(normal * -0.03 + random.direction() * 0.01));
                world.add_body(b.moving(random.direction() * 0.01));
                let dt = contact_time(law, 0.5, 0.03) / 400.0;
                let mut engine = Engine::new(world, settings(law, dt)).unwrap();
                let before = engine.bodies();
                advance_through_contact(&mut engine);
                let after = engine.bodies();
                let approach = (velocity_at(&before[0], arm_a) - velocity_at(&before[1], arm_b)).dot(normal);
                let yielding = mobility(&before[0], arm_a, normal) + mobility(&before[1], arm_b, normal);
                let impulse = normal * (-(1.0 + restitution) * approach / yielding);
                let what = format!("{}, e = {restitution}", law.name());
                assert_impulse(&what, &before[0], &after[0], arm_a, impulse);
                assert_impulse(&what, &before[1], &after[1], arm_b, -impulse);
            }
        }
    }
}
