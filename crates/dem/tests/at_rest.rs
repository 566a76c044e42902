//! Guarantee: a body at rest is not shaken, whatever resists its turning: it loses no energy that it does not have, and
//! stays where it is. It can break where a couple is found from a spin that the last couple is part of.

use crate::common::{X, Z, add_floor, add_sphere, only_pushes, world};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, SchemeKind, Settings, World};

const RADIUS: f64 = 0.005;

fn stuff() -> World {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(1e4);
    let properties = PairProperties::new(0.5, 0.5).with_rolling(0.1, 0.3).with_twisting(3.0);
    world(material, properties)
}

/// Every rolling and twisting resistance, with each law that has friction and neither adheres nor yields.
fn resistances() -> impl Iterator<Item = ContactModel> {
    let resists =
        |model: &ContactModel| model.rolling != RollingKind::None || model.twisting != TwistingKind::None;
    ContactModel::all()
        .filter(|model| model.law != LawKind::Hertz)
        .filter(|model| only_pushes(*model))
        .filter(resists)
}

/// Schemes whose spins are at different instants.
fn schemes() -> [SchemeKind; 3] {
    ["magnus-leapfrog", "spiral-leapfrog", "kick-rotate-kick"]
        .map(|name| SchemeKind::from_name(name).unwrap())
}

/// What is lost in a fifth of a second, and how far the bodies go in it.
fn unrest(engine: &mut Engine) -> (f64, f64) {
    let (before, places) = (engine.ledger().lost(), engine.bodies());
    engine.advance(10_000).unwrap();
    let bodies = engine.bodies();
    let far = bodies.iter().zip(&places).map(|(now, then)| (now.position - then.position).norm());
    (engine.ledger().lost() - before, far.fold(0.0, f64::max))
}

#[test]
fn a_sphere_that_has_come_to_rest_stays_and_loses_nothing() {
    for (contact, rotation) in resistances().flat_map(|model| schemes().map(|scheme| (model, scheme))) {
        // On a slope that rolling resistance holds it on, or on a floor; it turns about what is resisted.
        let rolls = contact.rolling != RollingKind::None;
        let twists = contact.twisting != TwistingKind::None;
        let mut world = stuff();
        let sphere = add_sphere(&mut world, RADIUS);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        world.gravity = LabVec::new(if rolls { 0.5 } else { 0.0 }, 0.0, -9.81);
        let spin = LabVec::new(0.0, if rolls { 10.0 } else { 0.0 }, if twists { 3.0 } else { 0.0 });
        let along = X * (spin.y * RADIUS);
        world.add_body(Body::at(sphere, Z * (RADIUS - 2e-6)).moving(along).spinning(spin));
        let mut engine =
            Engine::new(world, Settings { contact, rotation: rotation.into(), ..Settings::new(2e-5) })
                .unwrap();
        let first = engine.ledger();
        engine.advance(30_000).unwrap();
        let before = engine.ledger();
        let (lost, far) = unrest(&mut engine);
        let what = format!("{contact:?}, {rotation:?}");
        assert!(far < if twists { 1e-6 } else { 1e-12 }, "{what}: {far:e} m");
        if twists {
            // It still swings on its spring, which a small contact area damps little.
            assert!(lost < before.kinetic() + before.elastic_rolling, "{what}: {lost:e} J");
        } else {
            assert!(before.kinetic() < 1e-12 * first.kinetic(), "{what}: {:?}", engine.bodies()[0]);
            assert!(lost.abs() < 1e-13 * first.kinetic(), "{what}: {lost:e} J");
        }
        let balance = (engine.ledger().balance() - first.balance()).abs();
        assert!(balance < 3e-4 * first.kinetic(), "{what}: {balance:e} J of {:e}", first.kinetic());
    }
}

#[test]
fn a_heap_does_not_creep() {
    for rolling in [RollingKind::ConstantTorque, RollingKind::ElasticPlastic] {
        let mut world = stuff();
        let sphere = add_sphere(&mut world, RADIUS);
        let (low, high) = (LabVec::zero(), LabVec::new(0.04, 0.04, 0.1));
        world.walls.push(
            Wall::new("box", Enclosure::new(low, high).unwrap(), MaterialId(0), Motion::fixed()).unwrap(),
        );
        world.gravity = Z * -9.81;
        world.bodies =
            random_cloud(&world.templates, &[sphere; 60], low, high, 1e-4, &mut Random::new(4)).unwrap();
        let contact = ContactModel { rolling, ..ContactModel::default() };
        let mut engine = Engine::new(world, Settings { contact, ..Settings::new(2e-5) }).unwrap();
        let first = engine.ledger().mechanical();
        engine.advance(50_000).unwrap();
        let (early, _) = unrest(&mut engine);
        engine.advance(10_000).unwrap();
        let (late, far) = unrest(&mut engine);
        // What is left dies away; spheres may still spin about their normals, which nothing resists here.
        assert!(
            early < 1e-6 * first && late < 0.7 * early,
            "{rolling:?}: {early:e}, then {late:e} of {first:e} J"
        );
        assert!(rolling != RollingKind::ConstantTorque || far < 1e-8, "{far:e} m");
    }
}
