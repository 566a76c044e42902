//! The advisor gives the closed forms, and its advice is good: what it recommends keeps the energy, what it
//! forbids blows up.

use std::f64::consts::PI;
use tumble_dem::advice::{Advice, LimitKind, advise};
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{
    Body, BodyId, Engine, LabVec, MaterialId, Quat, SchemeKind, Settings, Touching, WallId, World, scenes,
};

const DENSITY: f64 = 2500.0;
const YOUNG: f64 = 1e9;
const POISSON: f64 = 0.3;
pub(crate) const STIFFNESS: f64 = 1e6;

pub(crate) fn model(law: LawKind) -> ContactModel {
    ContactModel { law, rolling: RollingKind::None, twisting: TwistingKind::None }
}

pub(crate) fn empty_world(properties: PairProperties) -> World {
    let mut world = World::default();
    world.materials.add(Material::new("stuff", DENSITY, YOUNG, POISSON).with_stiffness(STIFFNESS)).unwrap();
    world.materials.set_default(properties);
    world
}

pub(crate) fn add_sphere(world: &mut World, radius: f64, x: f64, speed: f64) -> BodyId {
    let sphere = world.add_template(ClumpTemplate::sphere("sphere", radius).unwrap()).unwrap();
    let body = Body::at(sphere, LabVec::new(x, 0.0, 0.0)).moving(LabVec::new(speed, 0.0, 0.0));
    world.add_body(body)
}

pub(crate) fn add_floor(world: &mut World) {
    let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0)).unwrap();
    world.walls.push(Wall::new("floor", floor, MaterialId(0), Motion::fixed()).unwrap());
}

pub(crate) fn mass(radius: f64) -> f64 {
    DENSITY * 4.0 / 3.0 * PI * radius.powi(3)
}

pub(crate) fn close(a: f64, b: f64, tolerance: f64, what: &str) {
    assert!((a / b - 1.0).abs() < tolerance, "{what}: {a:e}, expected {b:e}");
}

pub(crate) fn seconds(advice: &Advice, kind: LimitKind) -> f64 {
    advice.limit(kind).unwrap_or_else(|| panic!("no limit {kind:?}")).seconds
}

/// With the shear modulus, not Young's; of the smallest sphere, not the largest.
#[test]
fn the_rayleigh_time_is_that_of_the_smallest_sphere() {
    let mut world = empty_world(PairProperties::default());
    add_sphere(&mut world, 0.02, 0.0, 0.0);
    let small = add_sphere(&mut world, 0.005, 1.0, 0.0);
    add_sphere(&mut world, 0.01, 2.0, 0.0);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    let limit = advice.limit(LimitKind::Rayleigh).unwrap();
    // G = 1e9/2.6 Pa, √(ρ/G) = 2.5495098e-3 s/m, 0.1631·0.3 + 0.8766 = 0.92553.
    close(limit.seconds, 4.326_97e-5, 1e-5, "Rayleigh time");
    assert_eq!((limit.site.body, limit.site.sphere), (small, Some(0)));
    close(limit.recommended(), 0.2 * limit.seconds, 1e-15, "its part");
}

/// A softer and a stiffer material: the stiffer one counts.
#[test]
fn the_rayleigh_time_is_that_of_the_stiffest_material() {
    let mut world = empty_world(PairProperties::default());
    world.materials.add(Material::new("stiff", DENSITY, 4.0 * YOUNG, POISSON)).unwrap();
    for x in 0..2 {
        add_sphere(&mut world, 0.005, f64::from(x), 0.0);
    }
    world.bodies[1].material = MaterialId(1);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    close(seconds(&advice, LimitKind::Rayleigh), 0.5 * 4.326_97e-5, 1e-5, "Rayleigh time");
    assert_eq!(advice.limit(LimitKind::Rayleigh).unwrap().site.body, BodyId(1));
}

#[test]
fn the_rayleigh_time_of_a_clump_is_shown_but_does_not_count() {
    let advice = advise(&scenes::chess_box(1).unwrap().world, model(LawKind::Hertz)).unwrap();
    assert!(advice.limit(LimitKind::Rayleigh).is_none());
    let custom = advice.limit(LimitKind::RayleighOfClump).unwrap().recommended();
    assert!(custom < advice.recommended(), "{advice}");
    // The linear law knows no Young's modulus.
    let mut world = empty_world(PairProperties::default());
    add_sphere(&mut world, 0.005, 0.0, 1.0);
    let advice = advise(&world, model(LawKind::Linear)).unwrap();
    assert!(advice.limit(LimitKind::Rayleigh).is_none());
}

/// Hertz: 2.868 (m*²/(R* E*² v))^{1/5}, of the two lightest at the sum of the two largest speeds.
#[test]
fn the_collision_is_the_shortest_one_possible() {
    let mut world = empty_world(PairProperties::default());
    let (r, v) = (0.005, [-1.0, 2.0, 0.5]);
    let light = [add_sphere(&mut world, r, 0.0, v[0]), add_sphere(&mut world, r, 1.0, v[1])];
    world.bodies[1].template = world.bodies[0].template;
    add_sphere(&mut world, 4.0 * r, 2.0, v[2]);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    let modulus = 0.5 * YOUNG / (1.0 - POISSON * POISSON);
    let expected = |m: f64, r: f64, v: f64| 2.868 * (m * m / (r * modulus * modulus * v)).powf(0.2);
    let limit = advice.limit(LimitKind::Collision).unwrap();
    close(limit.seconds, expected(0.5 * mass(r), 0.5 * r, 3.0), 1e-4, "collision time");
    assert_eq!(limit.site.body, light[0]);
    assert_eq!(limit.site.with, Some(Touching::Body(light[1], 0)));

    // A single sphere can only hit the wall, and only with its own speed: fallen from 2 m.
    let mut world = empty_world(PairProperties::default());
    add_sphere(&mut world, r, 0.0, 0.0);
    world.bodies[0].position = LabVec::new(0.0, 0.0, 2.0);
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    add_floor(&mut world);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    let fallen = (2.0 * 9.81 * 2.0f64).sqrt();
    let limit = advice.limit(LimitKind::Collision).unwrap();
    close(limit.seconds, expected(mass(r), r, fallen), 1e-3, "collision with the floor");
    assert_eq!(limit.site.with, Some(Touching::Wall(WallId(0))));
}

/// Two end-on rods have less effective mass at their ends than in the middle: 1/m + (L/2)²/I.
#[test]
fn the_ends_of_a_rod_are_lighter() {
    let mut world = empty_world(PairProperties::default());
    let rod = ClumpTemplate::new("rod", &shapes::rod(3, 0.005, 0.01), MassModel::Union).unwrap();
    let (m, i) = (rod.mass(DENSITY, 1.0), rod.moments(DENSITY, 1.0).z);
    let rod = world.add_template(rod).unwrap();
    world.add_body(Body::at(rod, LabVec::new(0.0, 0.0, 1.0)).moving(LabVec::new(0.0, 0.0, -1.0)));
    add_floor(&mut world);
    let advice = advise(&world, model(LawKind::Linear)).unwrap();
    let effective = 1.0 / (1.0 / m + 1e-4 / i);
    close(seconds(&advice, LimitKind::Collision), PI * (effective / STIFFNESS).sqrt(), 1e-12, "at the end");
    // Flat: three springs carry it, two of them with a lever.
    let square = STIFFNESS * (3.0 / m + 2.0 * 1e-4 / i);
    let limit = advice.limit(LimitKind::FlatLanding).unwrap();
    close(limit.seconds, 2.0 / square.sqrt(), 1e-12, "flat");
    assert!(limit.explanation.contains("3 spheres"), "{}", limit.explanation);
}

/// Two equal spheres that touch: ω² = 2k/m, with k = 2E*√(R*δ) of Hertz.
#[test]
fn present_contacts_give_the_frequency_of_the_pair() {
    let mut world = empty_world(PairProperties::default());
    let (r, overlap) = (0.005, 1e-6);
    add_sphere(&mut world, r, 0.0, 0.0);
    add_sphere(&mut world, r, 2.0 * r - overlap, 0.0);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    let modulus = 0.5 * YOUNG / (1.0 - POISSON * POISSON);
    let stiffness = 2.0 * modulus * (0.5 * r * overlap).sqrt();
    let expected = 2.0 / (2.0 * stiffness / mass(r)).sqrt();
    close(seconds(&advice, LimitKind::PresentContacts), expected, 1e-8, "2/ω");
    assert_eq!(advice.binding().unwrap().kind, LimitKind::Rayleigh);
}

#[test]
fn the_spin_limit_is_a_radian_of_the_fastest_body() {
    let mut world = empty_world(PairProperties::default());
    add_sphere(&mut world, 0.005, 0.0, 0.0);
    let fast = add_sphere(&mut world, 0.005, 1.0, 0.0);
    world.bodies[1].angular_velocity = LabVec::new(0.0, 1e9, 0.0);
    let advice = advise(&world, model(LawKind::Hertz)).unwrap();
    let limit = advice.binding().unwrap();
    assert_eq!((limit.kind, limit.site.body), (LimitKind::Spin, fast));
    close(advice.recommended(), 1e-10, 1e-12, "a tenth of a radian");
    let table = advice.to_string();
    assert!(table.contains("→ spin") && table.contains("1.000e-10"), "{table}");
}

#[test]
fn nothing_limits_nothing() {
    let advice = advise(&empty_world(PairProperties::default()), model(LawKind::Linear)).unwrap();
    assert!(advice.recommended().is_infinite() && advice.limits.is_empty());
    assert!(advice.to_string().contains("nothing limits"));
}

/// The energy of a head-on collision, at every phase between contact and steps, is kept to 1e-5.
#[test]
fn the_recommended_step_keeps_the_energy_of_a_collision() {
    for (law, least) in [(LawKind::Hertz, 1e-7), (LawKind::Linear, 1e-7)] {
        let r = 0.005;
        let world_at = |gap: f64| {
            let mut world = empty_world(PairProperties::default());
            add_sphere(&mut world, r, 0.0, 1.0);
            add_sphere(&mut world, r, 2.0 * r + gap, -1.0);
            world.bodies[1].template = world.bodies[0].template;
            world
        };
        let limit = advise(&world_at(1e-6), model(law)).unwrap();
        let dt = limit.limit(LimitKind::Collision).unwrap().recommended();
        let mut worst = 0.0;
        for phase in 0..20 {
            let gap = 2.0 * dt * (1.0 + f64::from(phase) / 20.0);
            let settings = Settings { contact: model(law), ..Settings::new(dt) };
            let mut engine = Engine::new(world_at(gap), settings).unwrap();
            let before = engine.ledger().mechanical();
            engine.advance(70).unwrap();
            assert_eq!(engine.contact_count(), 0, "the collision is over");
            assert!(
                engine.bodies()[0].velocity.x < 0.0,
                "and has happened {} {phase} {dt:e} {:?}",
                law.name(),
                engine.bodies()
            );
            let error = (engine.ledger().mechanical() / before - 1.0).abs();
            assert!(error < 1e-5, "{}: {error:e}", law.name());
            worst = if error > worst { error } else { worst };
        }
        // The bound is not idle.
        assert!(worst > least, "{}: {worst:e}", law.name());
    }
}

/// A sphere that rests on the floor: bounded a little below the limit, lost a little above.
#[test]
fn beyond_the_stability_limit_a_contact_blows_up() {
    let (r, g) = (0.005, 9.81);
    let sag = mass(r) * g / STIFFNESS;
    let mut world = empty_world(PairProperties::default());
    add_sphere(&mut world, r, 0.0, 0.0);
    world.bodies[0].position = LabVec::new(0.0, 0.0, r - 1.001 * sag);
    world.gravity = LabVec::new(0.0, 0.0, -g);
    add_floor(&mut world);
    let contact = model(LawKind::Linear);
    let limit = seconds(&advise(&world, contact).unwrap(), LimitKind::PresentContacts);
    close(limit, 2.0 * (mass(r) / STIFFNESS).sqrt(), 1e-8, "2/ω");
    let highest = |dt: f64| {
        let mut engine = Engine::new(world.clone(), Settings { contact, ..Settings::new(dt) }).unwrap();
        let mut highest = 0.0;
        for _ in 0..400 {
            if engine.advance(1).is_err() {
                return f64::INFINITY;
            }
            let sag_now = (r - engine.bodies()[0].position.z) / sag - 1.0;
            highest = if sag_now.abs() > highest { sag_now.abs() } else { highest };
        }
        highest
    };
    assert!(highest(0.97 * limit) < 0.02);
    assert!(highest(1.03 * limit) > 1.0);
    assert!(highest(5.0 * limit) > 1e3);
}

/// A dashpot lowers the limit: with e = 0.1 it is still damped a little below, and no longer above.
#[test]
fn a_dashpot_lowers_the_stability_limit() {
    let (r, g) = (0.005, 9.81);
    let sag = mass(r) * g / STIFFNESS;
    let mut world = empty_world(PairProperties::new(0.1, 0.0));
    add_sphere(&mut world, r, 0.0, 0.0);
    world.bodies[0].position = LabVec::new(0.0, 0.0, r - 1.001 * sag);
    world.gravity = LabVec::new(0.0, 0.0, -g);
    add_floor(&mut world);
    let contact = model(LawKind::Linear);
    let limit = seconds(&advise(&world, contact).unwrap(), LimitKind::PresentContacts);
    let undamped = 2.0 * (mass(r) / STIFFNESS).sqrt();
    assert!(limit < 0.25 * undamped, "{limit:e} of {undamped:e}");
    let off = |dt: f64| {
        let mut engine = Engine::new(world.clone(), Settings { contact, ..Settings::new(dt) }).unwrap();
        engine.advance(1000).unwrap();
        ((r - engine.bodies()[0].position.z) / sag - 1.0).abs()
    };
    assert!(off(0.97 * limit) < 1e-6);
    // It grows until the contact, which never pulls, opens.
    assert!(off(1.2 * limit) > 1e-2);
}

/// A cross-shaped clump on the floor touches with several spheres: its own limit, not that of one sphere.
#[test]
fn a_clump_on_many_spheres_is_stable_below_its_limit_and_not_far_above() {
    let mut world = empty_world(PairProperties::default());
    let cross =
        ClumpTemplate::new("cross", &shapes::planar_cross(3, 0.004, 0.004), MassModel::Union).unwrap();
    let spheres = cross.spheres().len();
    let weight = cross.mass(DENSITY, 1.0) * 9.81;
    let cross = world.add_template(cross).unwrap();
    let sag = weight / STIFFNESS / spheres as f64;
    // Principal moments ascend: the largest, about the normal of the plane, is the third.
    world.add_body(Body::at(cross, LabVec::new(0.0, 0.0, 0.004 - 1.001 * sag)).turned(Quat::identity()));
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    add_floor(&mut world);
    let contact = model(LawKind::Linear);
    let mut engine = Engine::new(world.clone(), Settings { contact, ..Settings::new(1e-9) }).unwrap();
    assert_eq!(engine.contact_count(), spheres);
    engine.advance(1).unwrap();
    let advice = engine.advise();
    let limit = seconds(&advice, LimitKind::PresentContacts);
    close(seconds(&advice, LimitKind::FlatLanding), limit, 1e-9, "flat landing");
    // The bound adds the modes up, so it may be low, but not by much.
    let heave = 2.0 * (weight / 9.81 / STIFFNESS / spheres as f64).sqrt();
    assert!(0.5 * heave < limit && limit < heave, "{limit:e} of {heave:e}");
    let sinks = |dt: f64| {
        let mut engine = Engine::new(world.clone(), Settings { contact, ..Settings::new(dt) }).unwrap();
        engine.advance(400).is_err() || (engine.bodies()[0].position.z - 0.004).abs() > 3.0 * sag
    };
    assert!(!sinks(limit));
    assert!(sinks(1.03 * heave));
}

/// At a tenth of a radian a step, the second-order schemes are within 10⁻³ of the angle turned.
#[test]
fn the_recommended_spin_is_accurate() {
    let mut world = empty_world(PairProperties::default());
    let handle = ClumpTemplate::new("T", &shapes::t_handle(0.04, 0.004), MassModel::Union).unwrap();
    let handle = world.add_template(handle).unwrap();
    let spin = LabVec::new(6.0, 3.0, 7.0);
    world.add_body(Body::at(handle, LabVec::zero()).spinning(spin));
    let turned = |rotation: SchemeKind, part: u64| {
        let dt = advise(&world, model(LawKind::Hertz)).unwrap().recommended() / part as f64;
        let settings =
            Settings { rotation: rotation.into(), contact: model(LawKind::Hertz), ..Settings::new(dt) };
        let mut engine = Engine::new(world.clone(), settings).unwrap();
        engine.advance(200 * part).unwrap();
        (engine.bodies()[0].orientation, engine.time() * spin.norm())
    };
    let (exact, angle) = turned(SchemeKind::MagnusLeapfrog, 200);
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::SpiralLeapfrog, SchemeKind::KickRotateKick] {
        let (q, _) = turned(scheme, 1);
        let error = (q.conjugate() * exact).rotation_vector::<tumble_math::Lab>().norm();
        assert!(error / angle < 1e-3, "{}: {:e}", scheme.name(), error / angle);
    }
}
