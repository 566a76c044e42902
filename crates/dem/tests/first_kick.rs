//! Guarantee: what is left of the energy after a collision does not depend on how the steps fall on the instant of
//! first touch; with plain kicks it does.

use tumble_dem::clump::ClumpTemplate;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, Engine, Kicks, LabVec, Settings, World};

const RADIUS: f64 = 0.01;
const SPEED: f64 = 1.0;
const UP: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);

/// A collision with the plane z = 0.
#[derive(Clone, Copy)]
struct Collision {
    law: LawKind,
    restitution: f64,
    /// Of the speed, in the time of the collision, that gravity adds.
    gravity: f64,
    /// In the time of the collision.
    steps: u32,
    kicks: Kicks,
}

impl Collision {
    /// The root mean square of the deviation of the rebound from the one asked for, in parts of the energy, over phases
    /// between steps and first touch.
    fn left_over(self) -> f64 {
        let phases = 32;
        let square = |phase: i32| {
            let change = self.rebound((f64::from(phase) + 0.5) / f64::from(phases));
            change * change
        };
        ((0..phases).map(square).sum::<f64>() / f64::from(phases)).sqrt()
    }

    fn rebound(self, phase: f64) -> f64 {
        let mut world = World::default();
        let glass =
            world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2).with_stiffness(1e7)).unwrap();
        let restitution = self.restitution;
        world.materials.set_default(PairProperties::new(restitution, 0.0));
        let ball = world.add_template(ClumpTemplate::sphere("ball", RADIUS).expect("a sphere")).unwrap();
        let floor = Plane::new(LabVec::zero(), UP).expect("a plane");
        world.walls.push(Wall::new("floor", floor, glass, Motion::fixed()).expect("a wall"));
        let duration = self
            .law
            .contact_time(
                &world.materials,
                (glass, glass),
                (RADIUS, world.templates[0].mass(2500.0, 1.0)),
                SPEED,
            )
            .unwrap();
        // Not a whole number of steps, or beginning and end would fall on the same phase.
        let dt = duration / (f64::from(self.steps) + 0.37);
        world.gravity = UP * (-self.gravity * SPEED / duration);
        let gap = SPEED * dt * (1.0 + phase);
        world.add_body(Body::at(ball, UP * (RADIUS + gap)).moving(UP * -SPEED));
        let contact = ContactModel { law: self.law, ..ContactModel::default() };
        let mut engine = Engine::new(world, Settings { contact, kicks: self.kicks, ..Settings::new(dt) })
            .expect("a world");
        let energy = |engine: &Engine| {
            let ledger = engine.ledger();
            ledger.mechanical() - engine.bodies()[0].mass * self.gravity * SPEED / duration * RADIUS
        };
        let before = energy(&engine);
        engine.advance(u64::from(self.steps) + u64::from(self.steps) / 4 + 10).expect("a collision");
        assert_eq!(engine.contact_count(), 0, "the collision is over");
        assert!(engine.bodies()[0].velocity.z > 0.0, "and has happened");
        energy(&engine) / before - restitution * restitution
    }
}

#[test]
fn the_energy_does_not_feel_the_phase() {
    for law in [LawKind::Hertz, LawKind::HertzMindlin, LawKind::Linear] {
        for gravity in [0.0, 0.05] {
            for (steps, bound) in [(20, 1.5e-4), (30, 1e-5), (50, 2e-6), (80, 4e-7)] {
                let found =
                    Collision { law, restitution: 1.0, gravity, steps, kicks: Kicks::Corrected }.left_over();
                let what = format!("{law:?}, gravity {gravity}, {steps} steps");
                assert!(found < bound, "{what}: {found:e}");
                assert!(found > 1e-13, "{what}: {found:e} is too good to be a measurement");
            }
        }
    }
}

#[test]
fn with_dashpots_the_rebound_is_second_order() {
    for law in [LawKind::HertzMindlin, LawKind::Linear] {
        for restitution in [0.9, 0.5] {
            let of = |kicks| {
                [20, 40, 80]
                    .map(|steps| Collision { law, restitution, gravity: 0.0, steps, kicks }.left_over())
            };
            let found = of(Kicks::Corrected);
            assert!(found[0] < 5e-3 && found[2] < 0.12 * found[0], "{law:?}, {restitution}: {found:?}");
            let bits = |found: [f64; 3]| found.map(f64::to_bits);
            assert_eq!(bits(found), bits(of(Kicks::Plain)), "{law:?}: nothing is corrected with a dashpot");
        }
    }
}

#[test]
fn plain_kicks_leave_what_the_phase_makes_of_them() {
    // Velocities of the instant of the force do better; a stiffness that jumps at first touch does worse.
    for (law, expected) in [(LawKind::Hertz, 6e-5), (LawKind::HertzMindlin, 3e-5), (LawKind::Linear, 5e-4)] {
        let collision = Collision { law, restitution: 1.0, gravity: 0.0, steps: 50, kicks: Kicks::Plain };
        let found = collision.left_over();
        assert!((0.5..2.0).contains(&(found / expected)), "{law:?}: {found:e} instead of {expected:e}");
        let corrected = Collision { kicks: Kicks::Corrected, ..collision }.left_over();
        assert!(10.0 * corrected < found, "{law:?}: {corrected:e} against {found:e}");
    }
}
