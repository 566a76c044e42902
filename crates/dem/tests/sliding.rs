//! Friction through the engine: published oblique impacts, sliding that turns into rolling, rolling
//! resistance on slopes; and that none of it depends on the frame: springs turn with the pair that bears
//! them.

use crate::common::{
    X, Y, Z, add_clump, add_floor, add_sphere, advance_through_contact, assert_close, assert_near, lopsided,
    settings, world,
};
use std::sync::Arc;
use tumble_dem::field::{BodyView, ForceField, Load};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::{POISSON, YOUNG};
use tumble_dem::wall::{MeshOptions, Motion, Movement, TriangleMesh, Wall};
use tumble_dem::{Body, BodyId, BodyState, BodyVec, Engine, LabVec, MaterialId, Quat, Settings, World};

/// Throws a sphere at a wall of its own material and waits until it is free again.
fn oblique(material: Material, properties: PairProperties, radius: f64, velocity: (f64, f64)) -> BodyState {
    let (young, poisson, density) =
        (material.get(&YOUNG).unwrap(), material.get(&POISSON).unwrap(), material.density);
    let mut world = world(material, properties);
    let sphere = add_sphere(&mut world, radius);
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    let mass = 4.0 / 3.0 * core::f64::consts::PI * radius.powi(3) * density;
    let modulus = 0.5 * young / (1.0 - poisson * poisson);
    let time = 2.868_265_7 * (mass * mass / (radius * modulus * modulus * -velocity.1)).powf(0.2);
    let velocity = LabVec::new(velocity.0, 0.0, velocity.1);
    world.add_body(Body::at(sphere, Z * (radius + 1e-9)).moving(velocity));
    let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, time / 400.0)).unwrap();
    advance_through_contact(&mut engine);
    engine.bodies()[0]
}

/// Chung & Ooi 2011, test 4, where the sphere slides to the end: eₜ = 1 − μ(1 + e) cot θ and
/// ω′ = 5/2 μ(1 + e) v cos θ / R.
#[test]
fn alumina_slides_off_a_wall() {
    for degrees in [35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85] {
        let angle = f64::from(degrees).to_radians();
        let alumina = Material::new("alumina", 4000.0, 380e9, 0.23);
        let properties = PairProperties::new(0.98, 0.092);
        let after = oblique(alumina, properties, 0.0025, (3.9 * angle.sin(), -3.9 * angle.cos()));
        let tangential = after.velocity.x / (3.9 * angle.sin());
        assert_close("tangential restitution", tangential, 1.0 - 0.182_16 / angle.tan(), 5e-3);
        assert_close("spin", after.angular_velocity.norm(), 710.424 * angle.cos(), 5e-3);
        assert!(after.angular_velocity.y > 0.0);
    }
}

/// μ(1 + e)|vz| = 0.544 m/s are lost along x, and 5/2 of that over R goes into spin: 544.2 rad/s.
#[test]
fn aluminium_rebounds_obliquely() {
    let aluminium = Material::new("aluminium", 2700.0, 70e9, 0.33);
    let properties = PairProperties::new(0.98, 0.092);
    let after = oblique(aluminium, properties, 0.0025, (2.5069, -2.9876));
    assert!((after.velocity.x - 1.963).abs() <= 0.002, "{}", after.velocity.x);
    assert!((after.angular_velocity.y - 544.2).abs() <= 1.0, "{}", after.angular_velocity.y);
}

const RADIUS: f64 = 0.01;
const GRAVITY: f64 = 9.81;

/// A sphere that rests on the plane z = 0 under gravity, with the overlap that bears its weight.
fn resting(law: LawKind, properties: PairProperties, slope: f64) -> World {
    let (young, poisson, stiffness) = (1e7, 0.25, 2e4);
    let material = Material::new("m", 2500.0, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, properties);
    let sphere = add_sphere(&mut world, RADIUS);
    world.gravity = LabVec::new(slope.sin(), 0.0, -slope.cos()) * GRAVITY;
    let weight = world.templates[0].mass(2500.0, 1.0) * GRAVITY * slope.cos();
    let overlap = if law == LawKind::Linear {
        weight / stiffness
    } else {
        let modulus = 0.5 * young / (1.0 - poisson * poisson);
        (0.75 * weight / (modulus * RADIUS.sqrt())).powf(2.0 / 3.0)
    };
    world.add_body(Body::at(sphere, Z * (RADIUS - overlap)));
    world
}

fn floor_mesh() -> TriangleMesh {
    let size = 0.037;
    let corner = |i: i32, j: i32| LabVec::new(size * f64::from(i), size * f64::from(j) + 0.3 * size, 0.0);
    let mut triangles = Vec::new();
    for i in -1..8 {
        for j in -2..2 {
            triangles.push([corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)]);
            triangles.push([corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)]);
        }
    }
    TriangleMesh::new(&triangles, MeshOptions::default()).unwrap()
}

const LAWS: [LawKind; 2] = [LawKind::HertzMindlin, LawKind::Linear];

/// From t = 2u/(7μg) on it rolls at 5/7 u; before, it slows down by μg. On a floor of triangles, whose edges
/// it crosses, likewise.
#[test]
fn sliding_turns_into_rolling_on_planes_and_meshes() {
    let (speed, friction, dt) = (1.0, 0.3, 4e-5);
    for law in LAWS {
        let properties = PairProperties::new(0.5, friction);
        let start = |mesh: bool| {
            let mut world = resting(law, properties.clone(), 0.0);
            world.bodies[0].velocity = X * speed;
            if mesh {
                let floor = Wall::new("mesh", floor_mesh(), MaterialId(0), Motion::fixed()).unwrap();
                world.walls.push(floor);
            } else {
                add_floor(&mut world, MaterialId(0), Motion::fixed());
            }
            Engine::new(world, settings(law, dt)).unwrap()
        };
        let (mut plane, mut mesh) = (start(false), start(true));
        let rolls_at = 2.0 * speed / (7.0 * friction * GRAVITY);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousand steps")]
        let tenth = (0.1 * rolls_at / dt) as u64;
        for part in 1..=20 {
            plane.advance(tenth).unwrap();
            mesh.advance(tenth).unwrap();
            let (a, b) = (plane.bodies()[0], mesh.bodies()[0]);
            assert_near("velocity on the mesh", b.velocity, a.velocity, 1e-10 * speed);
            assert_near("spin on the mesh", b.angular_velocity, a.angular_velocity, 1e-10 * speed / RADIUS);
            let expected = speed * (1.0 - 2.0 / 7.0 * (0.1 * f64::from(part)).min(1.0));
            assert_close("velocity", a.velocity.x, expected, 5e-3);
            if part > 10 {
                assert_close("surface speed", a.angular_velocity.y * RADIUS, a.velocity.x, 5e-3);
            }
        }
        assert!(mesh.bodies()[0].position.x > 4.0 * 0.037, "it has crossed four rows of triangles");
    }
}

/// On a slope α a sphere with rolling friction μᵣ stays if tan α < μᵣ, else it rolls with the acceleration
/// 5/7 g (sin α − μᵣ cos α).
#[test]
fn rolling_resistance_holds_or_slows_a_sphere_on_a_slope() {
    let run = |law: LawKind, rolling: RollingKind, rolling_friction: f64, slope: f64| {
        let properties = PairProperties::new(0.5, 0.9).with_rolling(rolling_friction, 0.3);
        let mut world = resting(law, properties, slope);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        let contact = ContactModel { law, rolling, twisting: TwistingKind::None };
        let mut engine = Engine::new(world, Settings { contact, ..Settings::new(4e-5) }).unwrap();
        engine.advance(2_500).unwrap();
        let before = engine.bodies()[0].velocity.x;
        engine.advance(5_000).unwrap();
        (engine.bodies()[0], (engine.bodies()[0].velocity.x - before) / 0.2)
    };
    let slope = 0.2_f64;
    for law in LAWS {
        for rolling in [RollingKind::ConstantTorque, RollingKind::ElasticPlastic] {
            let part = 0.6 * slope.tan();
            let (_, acceleration) = run(law, rolling, part, slope);
            let expected = 5.0 / 7.0 * GRAVITY * (slope.sin() - part * slope.cos());
            assert_close("acceleration", acceleration, expected, 5e-3);
        }
        let (held, _) = run(law, RollingKind::ElasticPlastic, 1.4 * slope.tan(), slope);
        assert!(held.velocity.norm() < 1e-6 && held.position.x.abs() < 0.01 * RADIUS, "{held:?}");
        let (_, free) = run(law, RollingKind::None, 1.4 * slope.tan(), slope);
        assert_close("free rolling", free, 5.0 / 7.0 * GRAVITY * slope.sin(), 5e-3);
    }
}

/// Two rough clumps that collide, the whole turned by `turn`, shifted and carried along with `drift`.
fn collision(law: LawKind, turn: Quat<f64>, shift: LabVec<f64>, drift: LabVec<f64>) -> Vec<BodyState> {
    let material = Material::new("m", 2500.0, 1e8, 0.25).with_stiffness(1e5);
    let properties = PairProperties::new(0.7, 0.4).with_rolling(0.1, 0.2).with_twisting(0.4);
    let mut world = world(material, properties);
    let clump = add_clump(&mut world, &lopsided());
    let turned = |x: f64, y: f64, z: f64| turn.to_lab(BodyVec::new(x, y, z));
    let q = Quat::from_rotation_vector(LabVec::new(0.4, 1.1, -0.7));
    let first = Body::at(clump, shift).turned(turn);
    let second = Body::at(clump, shift + turned(-0.008, 0.006, 0.03)).turned(turn * q);
    world.add_body(first.moving(drift).spinning(turned(3.0, 5.0, 20.0)));
    world.add_body(second.moving(drift + turned(0.6, -0.3, -1.0)).spinning(turned(-6.0, 2.0, -9.0)));
    let contact =
        ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic };
    let mut engine = Engine::new(world, Settings { contact, ..Settings::new(2e-6) }).unwrap();
    engine.advance(10_000).unwrap();
    engine.bodies()
}

/// The same collision in another place, direction and state of uniform motion.
#[test]
fn a_collision_does_not_depend_on_the_frame() {
    let (origin, rest) = (LabVec::zero(), LabVec::zero());
    for law in LAWS {
        let plain = collision(law, Quat::identity(), origin, rest);
        let hit = (plain[0].velocity - plain[1].velocity).norm();
        assert!((hit - (LabVec::new(0.6, -0.3, -1.0)).norm()).abs() > 0.05, "they collided");
        for turn in [Z * core::f64::consts::FRAC_PI_2, LabVec::new(0.3, -1.2, 2.0)] {
            let turn = Quat::from_rotation_vector(turn);
            for drift in [rest, LabVec::new(3.0, -2.0, 1.0)] {
                let image = collision(law, turn, LabVec::new(0.1, -0.2, 0.05), drift);
                for (a, b) in plain.iter().zip(&image) {
                    let turned = |v: LabVec<f64>| turn.to_lab(BodyVec::from_array(v.to_array()));
                    assert_near("velocity", b.velocity - drift, turned(a.velocity), 1e-9);
                    assert_near("spin", b.angular_velocity, turned(a.angular_velocity), 1e-7);
                }
            }
        }
    }
}

const GRIP: f64 = 0.01;
const PUSH: f64 = 2e-5;
const STEP: f64 = 1e-4;

/// Keeps everything on circles about the origin.
#[derive(Debug)]
struct Centripetal {
    spin: LabVec<f64>,
}

impl ForceField for Centripetal {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        let force = self.spin.cross(self.spin.cross(body.position)) * body.mass;
        Load { force, torque: LabVec::zero() }
    }
}

/// What turns as a whole about the origin, with a sphere in it that is pushed a little along x.
struct Turntable {
    engine: Engine,
    spin: LabVec<f64>,
    /// Where the spheres are in the frame that turns.
    places: Vec<LabVec<f64>>,
}

impl Turntable {
    /// Two spheres that overlap, or one on a plane: rough, and so heavy that no contact force moves them.
    fn new(law: LawKind, on_wall: bool, spin: LabVec<f64>) -> Self {
        let material = Material::new("m", 1e20, 1e8, 0.25).with_stiffness(1e5);
        let mut world = world(material, PairProperties::new(1.0, 100.0));
        let sphere = add_sphere(&mut world, GRIP);
        let mut places = vec![Z * (GRIP - 5e-5)];
        if on_wall {
            let (axis, pivot, rate) = (spin * (1.0 / spin.norm()), LabVec::zero(), spin.norm());
            let motion = Motion::new(vec![Movement::Spin { axis, pivot, rate }]).unwrap();
            add_floor(&mut world, MaterialId(0), motion);
        } else {
            places.push(-places[0]);
        }
        for &place in &places {
            world.add_body(Body::at(sphere, place).moving(spin.cross(place)).spinning(spin));
        }
        world.fields.push(Arc::new(Centripetal { spin }));
        let engine = Engine::new(world, settings(law, STEP)).unwrap();
        Self { engine, spin, places }
    }

    /// How far the frame has turned, and a vector of it in the lab.
    fn turned(&self, time: f64, vector: LabVec<f64>) -> LabVec<f64> {
        let turn = Quat::from_rotation_vector(self.spin * time);
        turn.to_lab(BodyVec::from_array(vector.to_array()))
    }

    /// One step, at whose beginning every sphere is in the right place with the right velocity; the first one is
    /// shifted by `way` in the frame that turns.
    ///
    /// A step kicks with the acceleration of its beginning. The velocity is in the middle between the one that is
    /// right then and the one that will be right after the kick, so that what is left over cancels in the slide.
    fn step(&mut self, way: LabVec<f64>) {
        let now = self.engine.time();
        for (id, &place) in (0..).zip(&self.places) {
            let along = if id == 0 { way * (1.0 / STEP) } else { LabVec::zero() };
            let [position, next] = [now, now + STEP].map(|time| self.turned(time, place));
            let kick = self.spin.cross(self.spin.cross(position)) * STEP;
            let turning = (self.spin.cross(position + next) - kick) * 0.5;
            let velocity = turning + self.turned(now, along);
            self.engine.set_pose(BodyId(id), position, Quat::identity()).unwrap();
            self.engine.set_velocity(BodyId(id), velocity, self.spin).unwrap();
        }
        self.places[0] = self.places[0] + way;
        self.engine.advance(1).unwrap();
    }

    /// The force of the contact in the frame that turns.
    fn force(&self) -> LabVec<f64> {
        assert_eq!(self.engine.contact_count(), 1);
        let turn = Quat::from_rotation_vector(self.spin * self.engine.time());
        LabVec::from_array(turn.to_body(self.engine.contacts()[0].force).to_array())
    }
}

/// A pair is loaded and then turned on by 4.2 rad: about its normal, across it and askew. Seen in its own
/// frame its force changes neither in size nor in direction, to second order in the step.
#[test]
fn a_loaded_pair_that_turns_as_a_whole_feels_nothing_of_it() {
    for law in LAWS {
        for on_wall in [false, true] {
            for axis in [Z, Y, X, LabVec::new(0.48, 0.6, 0.64)] {
                let drift = |steps: u32| {
                    let mut table = Turntable::new(law, on_wall, axis * (4.2 / (f64::from(steps) * STEP)));
                    for _ in 0..100 {
                        table.step(X * (PUSH / 100.0));
                    }
                    // At rest, the dashpot of the push is gone.
                    table.step(LabVec::zero());
                    let loaded = table.force();
                    assert!(loaded.x < -0.02 * loaded.z, "the spring is loaded: {loaded:?}");
                    for _ in 0..steps {
                        table.step(LabVec::zero());
                    }
                    (table.force() - loaded).norm() / loaded.norm()
                };
                let (coarse, fine) = (drift(200), drift(800));
                let second_order = fine < coarse / 12.0;
                assert!(coarse < 1e-3 && (second_order || fine < 1e-11), "{axis:?}: {coarse:e}, {fine:e}");
            }
        }
    }
}
