//! Guarantee: liquid is where it is said to be. Bridges take it from the films of their bodies by the stated rule and give it back where they break, however they end; films and bridges are what was put in, to
//! rounding; a bridge pulls as one of its own volume does; and no bit depends on threads, rows, or on where a run was saved.

use crate::common::{X, Z, add_floor, add_sphere, assert_close, world};
use crate::crowds::same_on_threads_and_after_a_restart;
use std::f64::consts::PI;
use tumble_dem::law::bridge::SURFACE_TENSION;
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::liquid::Liquid;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{
    Body, BodyId, Change, Engine, Error, LabVec, MaterialId, Precision, SavedState, Settings, Solver,
    TemplateId, World,
};

const RADIUS: f64 = 1e-3;
const TENSION: f64 = 0.07;
/// m³
const FILM: f64 = 2e-12;

fn properties() -> PairProperties {
    PairProperties::new(1.0, 0.0).with(&SURFACE_TENSION, TENSION).with(&LARGEST_BRIDGE, 1e-12)
}

/// An empty world with one material and one template, a ball.
fn wet(properties: PairProperties, share: f64) -> World {
    let mut world = world(Material::new("wet", 2000.0, 1e7, 0.3), properties);
    world.liquid = Some(Liquid { share });
    add_sphere(&mut world, RADIUS);
    world
}

fn ball(position: LabVec<f64>, film: f64) -> Body {
    Body::at(TemplateId(0), position).with_film(film)
}

fn settings(dt: f64) -> Settings {
    let contact = ContactModel { law: LawKind::FilmBridge, ..ContactModel::default() };
    Settings { contact, max_overlap: 1.0, ..Settings::new(dt) }
}

fn films(engine: &Engine) -> Vec<f64> {
    engine.bodies().iter().map(|body| body.film.unwrap()).collect()
}

/// What is there is what was put in, to rounding.
#[track_caller]
fn balanced(engine: &Engine) {
    let liquid = engine.liquid().unwrap();
    assert!(liquid.error().abs() < 1e-14 * liquid.put_in, "{liquid:?}: {:e}", liquid.error());
    assert!(films(engine).iter().all(|film| *film >= 0.0), "{:?}", films(engine));
}

/// What a bridge of this volume between two balls of this effective radius loses: the integral of Willett's force to its rupture, by Simpson's rule.
fn lost(radius: f64, volume: f64) -> f64 {
    let radius = 2.0 * radius;
    let force = |gap: f64| {
        let gap = gap * (radius / volume).sqrt();
        2.0 * PI * radius * TENSION / (1.0 + 1.05 * gap + 2.5 * gap * gap)
    };
    let (pieces, end) = (2000, volume.cbrt());
    let at = |i: u32| force(end * f64::from(i) / f64::from(2 * pieces));
    (0..pieces).map(|i| at(2 * i) + 4.0 * at(2 * i + 1) + at(2 * i + 2)).sum::<f64>() * end
        / f64::from(6 * pieces)
}

/// Thrown at each other, one wet and one dry: the bridge has a share of the wet one's film, is lost as one of that volume, and each gets half.
#[test]
fn a_bridge_has_the_volume_that_it_took_and_gives_half_to_either() {
    let mut world = wet(properties(), 0.25);
    world.add_body(ball(Z * (1.001 * RADIUS), FILM).moving(Z * -0.3));
    world.add_body(ball(Z * (-1.001 * RADIUS), 0.0).moving(Z * 0.3));
    let mut engine = Engine::new(world, settings(5e-8)).unwrap();
    let start = engine.ledger().balance();
    while engine.contact_count() == 0 {
        engine.advance(1).unwrap();
    }
    let volume = 0.25 * FILM;
    let liquid = engine.liquid().unwrap();
    assert_eq!((liquid.count, films(&engine)), (1, vec![0.75 * FILM, 0.0]));
    assert_close("bridge", liquid.bridges, volume, 1e-15);
    let (mut widest, dt) = (0.0_f64, 5e-8);
    while let [contact] = &engine.contacts()[..] {
        widest = widest.max(-contact.overlap);
        engine.advance(1).unwrap();
    }
    let step = (engine.bodies()[0].velocity - engine.bodies()[1].velocity).z * dt;
    assert!((widest - volume.cbrt()).abs() < 1.1 * step, "{widest:e} {:e} {step:e}", volume.cbrt());
    assert_eq!(films(&engine), [0.875 * FILM, 0.125 * FILM]);
    let broken = engine.ledger().entries().find(|(key, _)| *key == "bridges").unwrap().1;
    assert_close("lost", broken, lost(0.5 * RADIUS, volume), 1e-9);
    assert!((engine.ledger().balance() / start - 1.0).abs() < 1e-5);
    balanced(&engine);
}

/// Off a wall, which is dry, and with more than the largest bridge takes.
#[test]
fn walls_give_nothing_and_keep_nothing() {
    let mut world = wet(properties(), 1.0);
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.add_body(ball(Z * (1.001 * RADIUS), FILM).moving(Z * -0.3));
    let mut engine = Engine::new(world, settings(5e-8)).unwrap();
    while engine.contact_count() == 0 {
        engine.advance(1).unwrap();
    }
    assert_close("bridge", engine.liquid().unwrap().bridges, 0.5e-12, 1e-15);
    balanced(&engine);
    while engine.contact_count() > 0 {
        engine.advance(1).unwrap();
    }
    assert_eq!(films(&engine), [FILM]);
}

/// Bodies without films part as dry ones do.
#[test]
fn dry_bodies_have_no_bridges() {
    let mut world = wet(properties(), 0.25);
    world.add_body(ball(Z * (1.001 * RADIUS), 0.0).moving(Z * -0.3));
    world.add_body(ball(Z * (-1.001 * RADIUS), 0.0).moving(Z * 0.3));
    let mut engine = Engine::new(world, settings(5e-8)).unwrap();
    engine.advance(20_000).unwrap();
    assert_eq!(engine.contact_count(), 0);
    let [upper, lower] = &engine.bodies()[..] else { panic!() };
    assert_close("rebound", upper.velocity.z - lower.velocity.z, 0.6, 1e-5);
    let liquid = engine.liquid().unwrap();
    assert_eq!((liquid.films, liquid.bridges, liquid.put_in), (0.0, 0.0, 0.0));
}

/// Six neighbours that touch a ball at once, which would give all of its film to each.
#[test]
fn bridges_that_begin_at_once_share_alike() {
    let mut world = wet(properties(), 1.0);
    world.add_body(ball(LabVec::zero(), 6e-13));
    for axis in [X, -X, Z, -Z, LabVec::new(0.0, 1.0, 0.0), LabVec::new(0.0, -1.0, 0.0)] {
        world.add_body(ball(axis * (1.999 * RADIUS), 0.0));
    }
    let engine = Engine::new(world, settings(1e-7)).unwrap();
    assert!(films(&engine)[0] < 1e-27, "{:e}", films(&engine)[0]);
    assert_eq!(engine.liquid().unwrap().count, 6);
    assert_close("bridges", engine.liquid().unwrap().bridges, 6e-13, 1e-14);
    balanced(&engine);
}

/// Balls in a box, half of them wet.
fn shaken() -> World {
    let pair = PairProperties::new(0.6, 0.3).with(&SURFACE_TENSION, 0.02).with(&LARGEST_BRIDGE, 1e-12);
    let mut world = wet(pair, 0.2);
    let mut random = Random::new(5);
    for number in 0..64 {
        let place = LabVec::new(f64::from(number % 4), f64::from(number / 4 % 4), f64::from(number / 16));
        let place = (place + LabVec::new(0.5, 0.5, 0.5)) * (2.2 * RADIUS);
        let film = if number % 2 == 0 { FILM * random.between(0.5, 1.5) } else { 0.0 };
        world.add_body(ball(place, film).moving(random.direction() * 0.5));
    }
    let edge = 4.0 * 2.2 * RADIUS;
    let walls = Enclosure::new(LabVec::zero(), LabVec::new(edge, edge, edge)).unwrap();
    world.walls.push(Wall::new("box", walls, MaterialId(0), Motion::fixed()).unwrap());
    world
}

#[test]
fn liquid_spreads_and_none_is_lost_on_any_number_of_threads_and_after_a_restart() {
    let world = shaken();
    let base = Settings { skin: Some(1e-4), ..settings(5e-6) };
    let whole = same_on_threads_and_after_a_restart(&world, &base);
    let mut expected = Engine::new(world.clone(), base.clone()).unwrap();
    expected.advance(3000).unwrap();
    balanced(&expected);
    let report = expected.liquid().unwrap();
    assert!(report.count > 10 && whole.contact_count() > 3, "{report:?}");
    let moved = expected.bodies().iter().skip(1).step_by(2).filter(|body| body.film.unwrap() > 0.0).count();
    assert!(moved > 16, "{moved} of 32 dry ones are wet");
    for threads in [1, 2, 3] {
        let mut first = Engine::new(world.clone(), Settings { threads, ..base.clone() }).unwrap();
        first.shuffle_rows(7);
        first.advance(1700).unwrap();
        let bytes = first.save().to_bytes();
        let mut second =
            Engine::new(world.clone(), Settings { threads: 4 - threads, ..base.clone() }).unwrap();
        second.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
        assert_eq!(first.liquid(), second.liquid());
        for engine in [&mut first, &mut second] {
            engine.advance(1300).unwrap();
            assert_eq!(engine.liquid().unwrap(), report);
            assert_eq!(films(engine), films(&expected));
            assert_eq!(engine.save().to_bytes(), expected.save().to_bytes());
        }
    }
}

/// Whoever owns which body, both owners of a bridge know what it was filled with.
#[test]
fn liquid_spreads_over_ranks_as_on_one_process() {
    let world = shaken();
    let base = Settings { skin: Some(1e-4), ..settings(5e-6) };
    let mut one = Engine::new(world.clone(), base.clone()).unwrap();
    let parts = [1, 399, 800, 800];
    let seen = |solver: &dyn Solver| (solver.save_bytes(), solver.ledger(), solver.liquid());
    let expected: Vec<_> = parts
        .iter()
        .map(|steps| {
            one.advance(*steps).unwrap();
            seen(&one)
        })
        .collect();
    assert!(one.liquid().unwrap().count > 10);
    for (ranks, at_random) in [(1, true), (2, true), (3, true), (5, false), (8, true)] {
        let mut several =
            RankedEngine::new(Engine::new(world.clone(), base.clone()).unwrap(), ranks).unwrap();
        if at_random {
            several.give_away_at_random(ranks as u64);
        }
        for (steps, expected) in parts.iter().zip(&expected) {
            several.advance(*steps).unwrap();
            assert!(seen(&several) == *expected, "{ranks} ranks, {steps} steps");
        }
        assert_eq!(several.costs().steps, parts.iter().sum::<u64>(), "{ranks} ranks did the steps");
        balanced(several.engine());
    }
    // From saved bytes, on other numbers of ranks.
    let mut bytes = expected[1].0.clone();
    for (ranks, steps) in [(3, 700), (5, 900)] {
        let mut several =
            RankedEngine::new(Engine::new(world.clone(), base.clone()).unwrap(), ranks).unwrap();
        several.give_away_at_random(4);
        several.restore_bytes(&bytes).unwrap();
        several.advance(steps).unwrap();
        bytes = several.save_bytes();
    }
    assert!(bytes == expected[3].0);
}

/// By hand: bodies that are moved away give back, those that are taken out take their halves along, those that are put in bring theirs.
#[test]
fn changes_by_hand_are_in_the_books() {
    let mut world = wet(properties(), 0.5);
    for number in 0..3 {
        world.add_body(ball(X * (1.999 * RADIUS * f64::from(number)), 1e-12));
    }
    let mut engine = Engine::new(world, settings(1e-7)).unwrap();
    // The outer ones give half of theirs, the one between them half to each.
    assert_eq!(films(&engine), [0.5e-12, 0.0, 0.5e-12]);
    engine.change_bodies(&[Change { position: Some(X * -0.1), ..Change::of(BodyId(0)) }]).unwrap();
    assert_eq!(films(&engine), [1e-12, 0.5e-12, 0.5e-12]);
    balanced(&engine);
    engine.remove_bodies(&[BodyId(2)]).unwrap();
    assert_eq!(films(&engine), [1e-12, 1e-12]);
    assert_close("taken out", engine.liquid().unwrap().taken_out, 1e-12, 1e-14);
    engine.add_bodies(&[ball(X * (1.999 * RADIUS * 2.0), 3e-12)]).unwrap();
    balanced(&engine);
    // No more than half of the largest bridge from each.
    for (film, exact) in films(&engine).into_iter().zip([1e-12, 0.5e-12, 2.5e-12]) {
        assert_close("film", film, exact, 1e-14);
    }
    assert_close("put in", engine.liquid().unwrap().put_in, 6e-12, 1e-14);
    engine.advance(100).unwrap();
    balanced(&engine);
    // A run that stops is back at a state whose books balance, and goes on.
    engine.set_velocity(BodyId(0), X * 2000.0, LabVec::zero()).unwrap();
    let stopped = engine.advance(100_000);
    assert!(matches!(stopped, Err(Error::Stopped(_))), "{stopped:?}");
    balanced(&engine);
    engine.set_velocity(BodyId(0), LabVec::zero(), LabVec::zero()).unwrap();
    engine.advance(100).unwrap();
    balanced(&engine);
}

fn refused(world: World, settings: Settings) -> String {
    Engine::new(world, settings).unwrap_err().to_string()
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let with = |body: Body| {
        let mut world = wet(properties(), 0.5);
        world.add_body(body);
        world
    };
    let dry = World { liquid: None, ..with(ball(Z, 0.0)) };
    let says = refused(dry.clone(), settings(1e-7));
    assert!(says.contains("film-bridge") && says.contains("liquid"), "{says}");
    let says = refused(World { liquid: None, ..with(ball(Z, FILM)) }, Settings::new(1e-7));
    assert!(says.contains("film") && says.contains("without liquid"), "{says}");
    let says = refused(with(ball(Z, FILM)), Settings::new(1e-7));
    assert!(says.contains("film-bridge"), "{says}");
    for film in [-1e-12, f64::NAN, f64::INFINITY] {
        let says = refused(with(ball(Z, film)), settings(1e-7));
        assert!(says.contains("body 0") && says.contains("film"), "{says}");
    }
    for share in [0.0, -0.1, 1.01, f64::NAN] {
        let says = refused(World { liquid: Some(Liquid { share }), ..with(ball(Z, FILM)) }, settings(1e-7));
        assert!(says.contains("share"), "{says}");
    }
    let single = Settings { precision: Precision::Single, ..settings(1e-7) };
    assert!(refused(with(ball(Z, FILM)), single).contains("precision"));
    let engine = Engine::new(with(ball(Z, FILM)), settings(1e-7)).unwrap();
    assert_eq!(engine.beyond_motion(), Some("films of liquid".into()));
    let mut other = Engine::new(World { liquid: None, ..with(ball(Z, 0.0)) }, Settings::new(1e-7)).unwrap();
    assert!(other.restore(&engine.save()).is_err());
    assert!(other.add_bodies(&[ball(X, FILM)]).unwrap_err().to_string().contains("film"));
}
