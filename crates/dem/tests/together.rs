//! Guarantee: everything that contacts can be is there at once and nothing of it disturbs the rest. Surfaces that adhere, attract each other across a gap, are held by bridges of two kinds, yield in two ways, rub and resist
//! rolling, each in a pair of materials of its own, beside bonds, heat, films and a wall that moves by itself: the books close with order 2 in Δt, and no bit depends on threads, on rows, on where a run was saved, or, as
//! far as ranks know what is there, on ranks.

use crate::common::{Z, add_clump, add_sphere, lopsided, order_of};
use crate::crowds::{assert_same, same_on_threads_and_after_a_restart, state};
use tumble_dem::bond::{Bond, BondKind, Limits, Stiffness};
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat, Surroundings};
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::lubrication::LIQUID_VISCOSITY;
use tumble_dem::law::luding::{ADHESION_STIFFNESS, UNLOADING_STIFFNESS};
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::{ATTRACTION_RANGE, HAMAKER, SMALLEST_GAP};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::liquid::Liquid;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::random::Random;
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::{Enclosure, Freedom, Motion, Plane, Wall};
use tumble_dem::{Body, BodyId, Engine, LabVec, MaterialId, Settings, Solver, World};

/// The law of each material with itself.
const LAWS: [(&str, LawKind); 7] = [
    ("gum", LawKind::Jkr),
    ("dust", LawKind::VanDerWaals),
    ("oiled", LawKind::Rabinovich),
    ("moist", LawKind::FilmBridge),
    ("powder", LawKind::Luding),
    ("metal", LawKind::Thornton),
    ("grain", LawKind::HertzMindlin),
];

const EDGE: f64 = 0.2;

/// Whether there is what ranks do not know: films, bonds, and a lid that moves by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
enum With {
    Everything,
    WhatRanksKnow,
}

fn model(law: LawKind) -> ContactModel {
    ContactModel { law, rolling: RollingKind::ElasticPlastic, twisting: TwistingKind::ElasticPlastic }
}

fn everything(with: With) -> World {
    let all = with == With::Everything;
    let mut world = World::default();
    let pair = PairProperties::new(0.6, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1);
    let pair = pair.with(&HAMAKER, 1e-5).with(&SMALLEST_GAP, 1e-3).with(&ATTRACTION_RANGE, 5.0);
    let pair = pair.with(&SURFACE_TENSION, 1.0).with(&BRIDGE_VOLUME, 1e-9).with(&LARGEST_BRIDGE, 1e-9);
    let pair =
        pair.with(&LIQUID_VISCOSITY, 0.05).with(&UNLOADING_STIFFNESS, 3.0).with(&ADHESION_STIFFNESS, 0.5);
    let pair = pair.with(&WORK_OF_ADHESION, 2.0).with(&YIELD_PRESSURE, 2e5);
    for (name, _) in LAWS {
        let material = Material::new(name, 2000.0, 1e7, 0.3).with_stiffness(1e4);
        let material = material.with(&HEAT_CAPACITY, 800.0).with(&CONDUCTIVITY, 1.5);
        world.materials.add(material).unwrap();
    }
    world.materials.set_default(pair.clone());
    for (own, (_, law)) in (0..).map(MaterialId).zip(LAWS) {
        let law = if law == LawKind::FilmBridge && !all { LawKind::Willett } else { law };
        world.materials.set_pair(own, own, pair.clone().with_model(model(law)));
    }
    // What is moist wets all else that it touches.
    let wetting = if all { LawKind::FilmBridge } else { LawKind::Willett };
    for other in [0, 1, 2, 4, 5, 6].map(MaterialId) {
        world.materials.set_pair(MaterialId(3), other, pair.clone().with_model(model(wetting)));
    }
    let ball = add_sphere(&mut world, 0.01);
    let clump = add_clump(&mut world, &lopsided());
    let mut random = Random::new(3);
    // One material after the other, so that many meet their like.
    for number in 0..96_u16 {
        let place = LabVec::new(f64::from(number % 4), f64::from(number / 4 % 4), f64::from(number / 16));
        let place = LabVec::new(place.x + 0.5, place.y + 0.5, 0.6 * place.z + 0.5) * 0.05;
        let material = (number / 14).min(6);
        let body = Body::at(if number % 5 == 0 { clump } else { ball }, place).made_of(MaterialId(material));
        let body = body.moving(random.direction() * 1.5).spinning(random.direction() * 50.0);
        let body = body.at_temperature(random.between(290.0, 360.0));
        world.add_body(if all && material == 3 { body.with_film(4e-9) } else { body });
    }
    world.heat = Some(Heat {
        surroundings: Some(Surroundings { temperature: 280.0, coefficient: 10.0 }),
        ..Heat::default()
    });
    let walls = Enclosure::new(LabVec::zero(), LabVec::new(EDGE, EDGE, EDGE + 0.05)).unwrap();
    world.walls.push(Wall::new("box", walls, MaterialId(6), Motion::fixed()).unwrap());
    world.gravity = Z * -9.81;
    if all {
        world.liquid = Some(Liquid { share: 0.3 });
        let lid = Plane::new(Z * EDGE, -Z).unwrap();
        let freedom = Freedom::sliding(Z, 0.5).unwrap();
        world.walls.push(Wall::new("lid", lid, MaterialId(6), Motion::free(freedom)).unwrap());
        for number in [20, 40, 60, 80] {
            let bodies = [BodyId(number), BodyId(number + 1)];
            let line = world.bodies[bodies[1].index()].position - world.bodies[bodies[0].index()].position;
            let stiffness = Stiffness { axial: 1e4, shear: 5e3, bending: 0.5, twist: 0.3 };
            let arms = [line * 0.4, line * -0.4];
            world.bonds.push(Bond {
                bodies,
                arms,
                stiffness,
                kind: BondKind::Beam,
                damping: 1e-5,
                limits: Limits::NONE,
                contact: true,
            });
        }
    }
    world
}

fn settings(dt: f64) -> Settings {
    Settings { contact: model(LawKind::HertzMindlin), max_overlap: 1.0, ..Settings::new(dt) }
}

#[test]
fn the_same_bits_on_threads_and_after_a_restart() {
    let base = Settings { skin: Some(1e-3), ..settings(5e-5) };
    let engine = same_on_threads_and_after_a_restart(&everything(With::Everything), &base);
    assert!(engine.contact_count() > 3, "{}", engine.contact_count());
    let liquid = engine.liquid().unwrap();
    assert!(liquid.error().abs() < 1e-14 * liquid.put_in, "{liquid:?}");
}

#[test]
fn the_same_bits_on_ranks() {
    let world = everything(With::WhatRanksKnow);
    let mut one = Engine::new(world.clone(), settings(5e-5)).unwrap();
    one.advance(600).unwrap();
    assert!(one.contact_count() > 3, "{}", one.contact_count());
    for (ranks, at_random) in [(2, false), (3, true)] {
        let engine = Engine::new(world.clone(), settings(5e-5)).unwrap();
        let mut several = RankedEngine::new(engine, ranks).unwrap();
        if at_random {
            several.give_away_at_random(5);
        }
        several.advance(600).unwrap();
        assert_same(&state(&one), &state(several.engine()), &format!("{ranks} ranks"));
        assert_eq!(several.save_bytes(), one.save().to_bytes(), "{ranks} ranks");
    }
}

#[test]
fn the_books_close_with_order_two() {
    let world = everything(With::Everything);
    let errors = [1000_u32, 2000, 4000, 8000].map(|steps| {
        let mut engine = Engine::new(world.clone(), settings(0.04 / f64::from(steps))).unwrap();
        let start = engine.ledger();
        engine.advance(steps.into()).unwrap();
        let end = engine.ledger();
        let entry = |name| end.entries().find(|(key, _)| *key == name).map_or(f64::NAN, |entry| entry.1);
        for lost in
            ["adhesion", "bridges", "bridge_viscosity", "plastic", "sliding", "normal_damping", "rolling"]
        {
            assert!(entry(lost) > 0.0, "{lost}: {end:?}");
        }
        assert!(end.heat.unwrap().error().abs() < 1e-12 * start.kinetic(), "{end:?}");
        let liquid = engine.liquid().unwrap();
        assert!(liquid.error().abs() < 1e-14 * liquid.put_in, "{liquid:?}");
        let moist = engine.bodies().into_iter().filter(|body| body.material == MaterialId(3));
        assert!(moist.into_iter().any(|body| body.film != Some(4e-9)), "no bridge took any");
        ((end.balance() - start.balance()) / start.kinetic()).abs()
    });
    let order = order_of(&errors);
    assert!(order > 1.6 && errors[3] < 1e-3, "order {order}: {errors:?}");
}
