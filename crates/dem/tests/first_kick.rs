//! Guarantee: what is left of the energy after an elastic collision does not depend on how the steps fall on the
//! instant of first touch. A plain leapfrog leaves an error of 6e-4 (20 steps per collision) to 2e-5 (80 steps)
//! of random sign.

use tumble_dem::clump::ClumpTemplate;
use tumble_dem::law::{ContactLaw, ContactModel, Hertz, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, Engine, LabVec, Settings, World};

const RADIUS: f64 = 0.01;
const SPEED: f64 = 1.0;

/// A sphere about to hit the plane z = 0, and the duration of the collision.
fn world(gap: f64) -> (World, f64) {
    let mut world = World::default();
    let glass = world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2));
    world.materials.set_default(PairProperties { restitution: 1.0, ..PairProperties::default() });
    let ball = world.add_template(ClumpTemplate::sphere("ball", RADIUS).expect("a sphere"));
    let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0)).expect("a plane");
    world.walls.push(Wall::new("floor", floor, glass, Motion::fixed()).expect("a wall"));
    let down = LabVec::new(0.0, 0.0, -SPEED);
    world.add_body(Body::at(ball, LabVec::new(0.0, 0.0, RADIUS + gap)).moving(down));
    let mass = world.templates[0].mass(2500.0, 1.0);
    let pair = world.materials.pair::<Hertz>(glass, glass).expect("a pair");
    let duration = Hertz::contact_time(&pair, RADIUS, mass, SPEED);
    (world, duration)
}

/// The root mean square of the relative change of the energy, over phases between steps and first touch.
fn left_over(steps_per_collision: u32) -> f64 {
    let contact = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    let phases = 32;
    let mut sum = 0.0;
    for phase in 0..phases {
        // Not a whole number of steps, or beginning and end would fall on the same phase.
        let dt = world(0.0).1 / (f64::from(steps_per_collision) + 0.37);
        let (world, _) = world(SPEED * dt * (1.0 + (f64::from(phase) + 0.5) / f64::from(phases)));
        let mut engine = Engine::new(world, Settings { contact, ..Settings::new(dt) }).expect("a world");
        let before = engine.ledger().mechanical();
        engine.advance(u64::from(steps_per_collision) + 10).expect("a collision");
        assert_eq!(engine.contact_count(), 0, "the collision is over");
        assert!(engine.bodies()[0].velocity.z > 0.0, "and has happened");
        let change = engine.ledger().mechanical() / before - 1.0;
        sum += change * change;
    }
    (sum / f64::from(phases)).sqrt()
}

#[test]
fn the_energy_does_not_feel_the_phase() {
    // The plain leapfrog leaves 6e-4, 2.1e-4, 6e-5, 1.8e-5.
    for (steps, bound) in [(20, 5e-5), (30, 8e-6), (50, 8e-7), (80, 2e-7)] {
        let found = left_over(steps);
        assert!(found < bound, "{steps} steps: {found:e}");
        assert!(found > 1e-13, "{steps} steps: {found:e} is too good to be a measurement");
    }
}
