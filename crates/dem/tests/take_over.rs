//! Guarantee: bodies, contacts and what these remember can be taken over into another world. What is there under the same
//! name is kept, with the numbers of bodies; what is not is counted with the reason; and where nothing is different, the bits
//! are those of a run that was never interrupted. It can break where numbers of templates, materials or walls are taken for
//! those of the other world, or where springs of another law are read.

use crate::common::{X, add_floor, add_sphere, assert_close, assert_near, order_of};
use crate::crowds::{DT, RESISTING, advance, assert_same, busy_world, engine, plain, settings, state, v};
use std::sync::Arc;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::domain::Domain;
use tumble_dem::field::{BodyView, ForceField, Load};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::property::FRICTION;
use tumble_dem::wall::{Motion, Movement};
use tumble_dem::{
    Body, Clock, Engine, Error, Forgotten, LabVec, MaterialId, Missing, PropertyOf, Rule, Settings, World,
};

fn resisting() -> Settings {
    Settings { contact: RESISTING, ..settings() }
}

fn after(world: &World, steps: u64) -> Engine {
    let mut engine = engine(world, &resisting());
    advance(&mut engine, steps);
    engine
}

/// A world without bodies of its own.
fn empty(world: &World) -> World {
    World { bodies: Vec::new(), ..world.clone() }
}

/// The same things under other numbers: materials and templates the other way round, walls turned by one.
fn renumbered(world: &World) -> World {
    let mut other = World { materials: Materials::default(), ..empty(world) };
    for material in world.materials.as_slice().iter().rev() {
        other.materials.add(material.clone()).unwrap();
    }
    let flip = |id: MaterialId| MaterialId(1 - id.0);
    for (a, b) in world.materials.pairs() {
        other.materials.set_pair(flip(a), flip(b), world.materials.properties(a, b).unwrap().clone());
    }
    other.templates.reverse();
    other.walls.rotate_left(1);
    for wall in &mut other.walls {
        wall.material = flip(wall.material);
    }
    other
}

#[test]
fn the_same_bits_where_nothing_is_different() {
    for domain in [Domain::open(), crate::crowds::periodic()] {
        let world = busy_world(domain);
        let mut run = after(&world, 150);
        run.change_rules(&[Rule::Property { of: PropertyOf::EveryPair, property: &FRICTION, value: 0.3 }])
            .unwrap();
        let mut next = engine(&empty(&world), &Settings { threads: 2, ..resisting() });
        let taken = next.take_over(&run, Clock::GoesOn).unwrap();
        assert!(taken.unchanged && taken.left.is_empty() && taken.forgotten.is_empty(), "{taken:?}");
        assert_eq!((taken.bodies, taken.contacts), (run.body_count(), run.contact_count()));
        advance(&mut run, 150);
        advance(&mut next, 150);
        assert_same(&state(&run), &state(&next), "going on");
    }
}

/// Forces are the same to rounding, whatever the numbers are, and so is what follows for a while.
#[test]
fn things_are_known_by_their_names() {
    let world = busy_world(Domain::open());
    let mut run = after(&world, 150);
    let other = renumbered(&world);
    let mut next = engine(&other, &resisting());
    let taken = next.take_over(&run, Clock::GoesOn).unwrap();
    assert!(!taken.unchanged && taken.left.is_empty() && taken.forgotten.is_empty(), "{taken:?}");
    assert!(taken.moved_walls.is_empty() && taken.new_walls.is_empty() && taken.gone_walls.is_empty());
    assert_eq!((taken.bodies, taken.contacts), (run.body_count(), run.contact_count()));
    assert_eq!((next.time(), next.steps()), (run.time(), 150));
    // What contacts see of velocities is predicted in a step, and known after a change.
    let all: Vec<_> = run.bodies().iter().map(|body| tumble_dem::Change::of(body.id)).collect();
    run.change_bodies(&all).unwrap();
    let compare = |run: &Engine, next: &Engine, within: f64| {
        for (a, b) in run.bodies().iter().zip(&next.bodies()) {
            assert_eq!((a.id, a.held), (b.id, b.held));
            let names = [(&world, a), (&other, b)]
                .map(|(world, body)| world.templates[usize::from(body.template.0)].name().to_owned());
            assert_eq!(names[0], names[1]);
            assert_near("force", b.force, a.force, within * (1.0 + a.force.norm()));
            assert_near("velocity", b.velocity, a.velocity, within * (1.0 + a.velocity.norm()));
            assert_near("spin", b.angular_velocity, a.angular_velocity, within * 300.0);
        }
    };
    compare(&run, &next, 1e-11);
    advance(&mut run, 20);
    advance(&mut next, 20);
    compare(&run, &next, 1e-7);
}

#[test]
fn on_any_number_of_threads_and_after_a_save() {
    let world = busy_world(crate::crowds::periodic());
    let run = after(&world, 120);
    let other = World { gravity: v(0.0, 0.0, -5.0), ..empty(&world) };
    let on = |threads: usize| {
        let mut next = engine(&other, &Settings { threads, dt: 0.8 * DT, ..resisting() });
        next.take_over(&run, Clock::GoesOn).unwrap();
        next
    };
    let [mut one, mut three] = [on(1), on(3)];
    assert_same(&state(&one), &state(&three), "at once");
    let bytes = one.save().to_bytes();
    let mut restored = engine(&other, &Settings { dt: 0.8 * DT, ..resisting() });
    restored.restore(&tumble_dem::SavedState::from_bytes(&bytes, &other).unwrap()).unwrap();
    assert_same(&state(&one), &state(&restored), "restored at once");
    for engine in [&mut one, &mut three, &mut restored] {
        advance(engine, 100);
    }
    assert_same(&state(&one), &state(&three), "threads");
    assert_same(&state(&one), &state(&restored), "restored");
    assert_close("time", one.time(), 120.0 * DT + 80.0 * DT, 1e-14);
    // The books begin anew, and close.
    let ledger = one.ledger();
    assert!(ledger.exchanged == 0.0 && ledger.lost() > 0.0);
}

/// A ball on a slope, which the spring of friction makes roll; without it, it would begin to slide.
fn on_a_slope(law: LawKind) -> (World, Settings) {
    let material = Material::new("stone", 2000.0, 1e7, 0.25).with_stiffness(1e4);
    let mut world = crate::common::world(material, PairProperties::new(0.3, 0.6));
    let ball = add_sphere(&mut world, 0.01);
    world.gravity = v(3.0, 0.0, -9.0);
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.add_body(Body::at(ball, v(0.0, 0.0, 0.00999)));
    (world, Settings { contact: plain(law), ..crate::common::settings(law, 2e-6) })
}

#[test]
fn springs_are_kept_where_the_law_is_the_same() {
    let (world, base) = on_a_slope(LawKind::HertzMindlin);
    let mut run = engine(&world, &base);
    advance(&mut run, 100_000);
    let tangential = run.contacts()[0].force.x;
    // Of a ball that rolls down: 2/7 of what pulls it.
    assert_close("friction", tangential, -2.0 / 7.0 * 3.0 * run.bodies()[0].mass, 1e-2);
    for clock in [Clock::GoesOn, Clock::Restarts] {
        let lighter = World { gravity: v(1.0, 0.0, -9.0), ..empty(&world) };
        let mut next = engine(&lighter, &base);
        let taken = next.take_over(&run, clock).unwrap();
        assert_eq!((taken.bodies, taken.contacts, taken.forgotten.len()), (1, 1, 0));
        assert_close("the spring", next.contacts()[0].force.x, tangential, 1e-3);
        let time = if clock == Clock::GoesOn { run.time() } else { 0.0 };
        assert_eq!(next.time().to_bits(), time.to_bits());
        advance(&mut next, 10);
        let before = next.ledger();
        advance(&mut next, 1000);
        assert_close("balance", next.ledger().balance(), before.balance(), 1e-5);
    }
    let (other, settings) = on_a_slope(LawKind::Linear);
    let mut next = engine(&empty(&other), &settings);
    let taken = next.take_over(&run, Clock::GoesOn).unwrap();
    assert_eq!((taken.contacts, &taken.forgotten[..]), (0, &[(Forgotten::OtherModel, 1)][..]));
    // What is left is the dashpot's.
    assert_eq!(next.contact_count(), 1);
    let left = next.contacts()[0].force.x;
    assert!(left.abs() < 0.05 * tangential.abs(), "{left} of {tangential}");
}

#[test]
fn what_is_gone_is_told() {
    let world = busy_world(Domain::open());
    let run = after(&world, 150);
    let of_template = |number: u16| run.bodies().iter().filter(|body| body.template.0 == number).count();
    let mut other = empty(&world);
    // The rods are called otherwise, the balls are larger, the mixer is gone, and the lid drifts.
    let rod = ClumpTemplate::sphere("stick", 0.004).unwrap();
    other.templates[1] = Arc::new(rod);
    other.templates[0] = Arc::new(ClumpTemplate::sphere("sphere", 0.0051).unwrap());
    other.walls.retain(|wall| wall.name != "mixer");
    let lid = other.walls.iter_mut().find(|wall| wall.name == "lid").unwrap();
    lid.motion = Motion::new(vec![Movement::Drift { velocity: v(0.0, 0.0, 2.0) }]).unwrap();
    let loose = Settings { max_overlap: 1e3, ..resisting() };
    let mut next = engine(&other, &loose);
    let taken = next.take_over(&run, Clock::GoesOn).unwrap();
    assert_eq!(taken.left, [(Missing::Template("rod".into()), of_template(1))]);
    assert_eq!(taken.bodies + of_template(1), run.body_count());
    assert_eq!(next.body_count(), taken.bodies);
    assert_eq!((&taken.gone_walls[..], taken.new_walls.len()), (&["mixer".to_owned()][..], 0));
    let [(name, off)] = &taken.moved_walls[..] else { panic!("{:?}", taken.moved_walls) };
    assert_eq!(name, "lid");
    assert_close("lid", *off, 2.0 * run.time(), 1e-12);
    let spheres = Forgotten::OtherSpheres("sphere".into());
    assert!(taken.forgotten.iter().any(|(reason, count)| *reason == spheres && *count > 0), "{taken:?}");
    assert!(taken.contacts > 0);
    // Nobody is given a number of before.
    let highest = run.bodies().last().unwrap().id;
    let new = next.add_bodies(&[Body::at(tumble_dem::TemplateId(0), v(0.05, 0.05, 0.9))]);
    assert!(new.unwrap()[0] > highest);

    let mut plastic = empty(&world);
    plastic.materials = Materials::default();
    for name in ["rubber", "plastic"] {
        plastic.materials.add(Material::new(name, 1200.0, 5e6, 0.3)).unwrap();
    }
    plastic.materials.set_default(PairProperties::new(0.7, 0.4));
    let taken = engine(&plastic, &resisting()).take_over(&run, Clock::Restarts).unwrap();
    let of_gel = run.bodies().iter().filter(|body| body.material.0 == 1).count();
    assert_eq!(taken.left, [(Missing::Material("gel".into()), of_gel)]);
}

/// A wall that stands among the bodies stops it, with the body and the wall.
#[test]
fn what_cannot_be_is_an_error() {
    let (world, base) = on_a_slope(LawKind::HertzMindlin);
    let run = engine(&world, &base);
    let mut other = empty(&world);
    other.walls.clear();
    let floor = tumble_dem::wall::Plane::new(v(0.0, 0.0, 0.008), v(0.0, 0.0, 1.0)).unwrap();
    other.walls.push(tumble_dem::wall::Wall::new("floor", floor, MaterialId(0), Motion::fixed()).unwrap());
    let error = engine(&other, &base).take_over(&run, Clock::GoesOn).unwrap_err();
    assert!(
        matches!(&error, Error::Stopped(stop) if stop.to_string().contains("overlaps the wall 'floor'")),
        "{error}"
    );
}

/// Pulls every body to the origin.
#[derive(Debug)]
struct Well;

impl ForceField for Well {
    fn load(&self, body: &BodyView, _: f64) -> Load {
        Load { force: body.position * (-400.0 * body.mass), torque: LabVec::zero() }
    }
}

/// x = cos ωt across a take-over into steps of another length.
#[test]
fn the_order_is_kept() {
    let mut world = crate::crowds::world();
    world.fields.push(Arc::new(Well));
    world.add_body(Body::at(tumble_dem::TemplateId(0), X));
    let error = |halvings: u32| {
        let each = 20_u64 << halvings;
        let dt = 0.05 / each as f64;
        let mut run = engine(&world, &Settings { dt, ..settings() });
        advance(&mut run, each);
        let mut next = engine(&empty(&world), &Settings { dt: 0.5 * dt, ..settings() });
        next.take_over(&run, Clock::GoesOn).unwrap();
        advance(&mut next, 2 * each);
        assert_close("time", next.time(), 0.1, 1e-13);
        (next.bodies()[0].position.x - 2_f64.cos()).abs()
    };
    let errors: Vec<f64> = (0..4).map(error).collect();
    assert!((order_of(&errors) - 2.0).abs() < 0.1, "{errors:?}");
}
