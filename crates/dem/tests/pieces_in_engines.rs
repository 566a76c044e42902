//! What engines keep whatever bodies are made of. Each kind of piece has a crowd of its own and is held to this by its own tests:
//! capsules, ellipsoids and polyhedra keep what spheres keep.

use crate::common::{Z, largest, order_of};
use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, closed_box, engine, plain, plane,
    same_on_threads_and_after_a_restart, state, v,
};
use crate::momentum::momenta;
use crate::same_bits::{agree, agree_on_skins};
use tumble_dem::clump::{ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::ranks::RankedEngine;
use tumble_dem::wall::Movement;
use tumble_dem::{
    Body, Engine, LabVec, MaterialId, Precision, SchemeKind, Settings, Solver, TemplateId, World,
};

pub(crate) const RADIUS: f64 = 2e-3;
pub(crate) const SIZE: f64 = 0.06;

/// Bodies of one kind of piece among others, and how lively they are.
pub(crate) struct Kind {
    pub templates: fn() -> Vec<ClumpTemplate>,
    /// Templates of the bodies of a crowd, over and over.
    pub which: [u16; 8],
    /// Sizes of the bodies of a crowd, over and over.
    pub scales: [f64; 3],
    /// The part of the box at each of its sides that a crowd leaves free.
    pub margin: f64,
    /// How fast bodies of a crowd go and turn at most, and go to the middle of the box for each metre to it.
    pub speed: f64,
    pub spin: f64,
    pub inwards: f64,
    /// [`Settings::max_overlap`].
    pub max_overlap: f64,
}

/// A gas in a box whose collisions lose nothing.
pub(crate) struct Gas {
    pub count: usize,
    /// Of the box, by that of crowds.
    pub size: f64,
    pub speed: f64,
    pub spin: f64,
    pub max_overlap: f64,
    /// Steps between two looks, of which there are a hundred.
    pub steps: u64,
    /// Contacts that all looks together have to see.
    pub touched: usize,
}

pub(crate) fn template(name: &str, pieces: ClumpPieces<'_>) -> ClumpTemplate {
    ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()
}

pub(crate) fn rubbing() -> PairProperties {
    PairProperties::new(0.7, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1)
}

pub(crate) fn periodic() -> Domain {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    Domain::of([axis, axis, Axis::Open])
}

impl Kind {
    /// Two materials and the templates.
    pub(crate) fn world(&self, properties: PairProperties) -> World {
        let mut world = World::default();
        for (name, density, young) in [("rubber", 1200.0, 5e6), ("gel", 2500.0, 2e6)] {
            world.materials.add(Material::new(name, density, young, 0.3).with_stiffness(2e3)).unwrap();
        }
        world.materials.set_default(properties);
        for template in (self.templates)() {
            world.add_template(template).unwrap();
        }
        world
    }

    /// Bodies of all templates in a cube, lively, so that many touch.
    pub(crate) fn crowd(&self, world: &World, count: usize, seed: u64) -> Vec<Body> {
        let mut random = Random::new(seed);
        let which: Vec<TemplateId> = (0..count).map(|i| TemplateId(self.which[i % 8])).collect();
        let [low, high] = [self.margin, 1.0 - self.margin].map(|part| v(part, part, part) * SIZE);
        let bodies = random_cloud(&world.templates, &which, low, high, 0.02, &mut random);
        let scales = self.scales.into_iter().cycle();
        let middle = v(0.5, 0.5, 0.5) * SIZE;
        let lively = |(body, scale): (Body, f64)| {
            let velocity = random.direction() * self.speed;
            let spin = random.direction() * random.between(0.0, self.spin);
            let inwards = (middle - body.position) * self.inwards;
            body.moving(velocity + inwards)
                .spinning(spin)
                .scaled(scale)
                .made_of(MaterialId(u16::from(random.uniform() < 0.3)))
        };
        bodies.unwrap().into_iter().zip(scales).map(lively).collect()
    }

    /// A crowd in a box with a shaking floor, or in a periodic domain above one.
    fn busy(&self, domain: Domain) -> World {
        let mut world = self.world(rubbing());
        world.bodies = self.crowd(&world, 240, 1);
        world.bodies[7].held = true;
        world.gravity = v(1.0, 0.0, -9.81);
        world.domain = domain;
        if !domain.is_periodic() {
            world.walls.push(closed_box(SIZE));
        }
        let shaking = Movement::Vibration { amplitude: v(0.0, 0.0, 1e-3), frequency: 100.0, phase: 0.3 };
        world.walls.push(plane("floor", v(0.0, 0.0, -1e-3), Z, vec![shaking]));
        world.walls.push(plane("lid", v(0.0, 0.0, SIZE), -Z, Vec::new()));
        world
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings { max_overlap: self.max_overlap, contact: RESISTING, ..Settings::new(5e-6) }
    }

    pub(crate) fn same_bits_on_threads_instruction_sets_and_skins(&self) {
        let world = self.busy(Domain::open());
        for contact in [RESISTING, plain(LawKind::Hertz), plain(LawKind::Linear)] {
            let base = Settings { contact, skin: Some(THIN_SKIN), ..self.settings() };
            let contacts = agree(&world, &base, &[2, 3], 250, contact.law.name());
            assert!(contacts > 8, "{contacts} contacts");
        }
        let single = Settings { precision: Precision::Single, skin: Some(THIN_SKIN), ..self.settings() };
        assert!(agree(&world, &single, &[2], 250, "single precision") > 10);
        agree_on_skins(&self.busy(periodic()), &self.settings(), 300, "periodic");
    }

    pub(crate) fn same_bits_after_a_restart_and_on_ranks(&self, domain: Domain) {
        let world = self.busy(domain);
        let whole = same_on_threads_and_after_a_restart(&world, &self.settings());
        assert!(whole.contact_count() > 10);
        for ranks in [2, 3] {
            let mut spread = RankedEngine::new(engine(&world, &self.settings()), ranks).unwrap();
            Solver::advance(&mut spread, 300).unwrap();
            assert_same(&state(&whole), &state(spread.engine()), &format!("{ranks} ranks"));
        }
    }

    /// With a crowd whose bodies all go to the middle.
    pub(crate) fn momentum_and_angular_momentum_are_kept(&self) {
        for law in [LawKind::HertzMindlin, LawKind::Linear, LawKind::Hertz] {
            let mut world = self.world(rubbing());
            world.bodies = self.crowd(&world, 240, 3);
            let settings = Settings {
                contact: plain(law),
                rotation: SchemeKind::KickRotateKick.into(),
                ..self.settings()
            };
            let mut engine = engine(&world, &settings);
            let ([p, l], [p_size, l_size]) = momenta(&engine.bodies());
            let mut most = 0;
            for _ in 0..25 {
                advance(&mut engine, 20);
                most = most.max(engine.contact_count());
                let ([p_now, l_now], _) = momenta(&engine.bodies());
                let drifts = [(p_now - p).norm() / p_size, (l_now - l).norm() / l_size];
                assert!(drifts[0] < 1e-14 && drifts[1] < 3e-13, "{}: {drifts:?}", law.name());
            }
            assert!(most > 10, "{}: {most} contacts", law.name());
        }
    }

    /// How far the energy of an elastic gas of bodies of these templates goes away from what it was, as a part of it.
    pub(crate) fn drift(&self, gas: &Gas, templates: [u16; 2]) -> f64 {
        let mut world = self.world(PairProperties::new(1.0, 0.0));
        let mut random = Random::new(5);
        let which: Vec<TemplateId> = (0..gas.count).map(|number| TemplateId(templates[number % 2])).collect();
        let size = gas.size * SIZE;
        let (low, high) = (LabVec::zero(), v(size, size, size));
        world.bodies = random_cloud(&world.templates, &which, low, high, 0.02, &mut random).unwrap();
        for body in &mut world.bodies {
            body.velocity = random.direction() * gas.speed;
            body.angular_velocity = random.direction() * gas.spin;
        }
        world.walls.push(closed_box(size));
        let settings = Settings {
            contact: plain(LawKind::Hertz),
            rotation: SchemeKind::KickRotateKick.into(),
            max_overlap: gas.max_overlap,
            ..Settings::new(4e-6)
        };
        let mut engine = Engine::new(world, settings).unwrap();
        let start = engine.ledger().mechanical();
        let mut touched = 0;
        let worst = largest((0..100).map(|_| {
            engine.advance(gas.steps).unwrap();
            touched += engine.contact_count();
            (engine.ledger().mechanical() / start - 1.0).abs()
        }));
        assert!(touched > gas.touched, "{touched} contacts");
        worst
    }
}

/// The books of a world whose contacts all last for the whole run close to second order in the time step.
pub(crate) fn books_close_to_second_order(world: impl Fn() -> World, contacts: usize) {
    for contact in [RESISTING, plain(LawKind::HertzMindlin), plain(LawKind::Linear)] {
        let errors = [200, 400, 800, 1600].map(|steps| imbalance(world(), contact, contacts, steps));
        let order = order_of(&errors);
        assert!(
            (order - 2.0).abs() < 0.25 && errors[3] < 1e-4,
            "{}: order {order:.2}, {errors:?}",
            contact.law.name()
        );
    }
}

/// By how much the balance of the books changes within so many steps, as a part of what the bodies have.
fn imbalance(world: World, contact: ContactModel, contacts: usize, steps: u32) -> f64 {
    let mut engine =
        Engine::new(world, Settings { contact, ..Settings::new(8e-5 / f64::from(steps)) }).unwrap();
    assert_eq!(engine.contact_count(), contacts);
    let start = engine.ledger();
    let scale = start.kinetic() + start.elastic_normal;
    largest((0..8).map(|_| {
        engine.advance(u64::from(steps / 8)).unwrap();
        assert_eq!(engine.contact_count(), contacts);
        ((engine.ledger().balance() - start.balance()) / scale).abs()
    }))
}

/// Bodies collide across a periodic end as they do in the middle. `bodies` puts them around a place.
pub(crate) fn a_collision_across_the_end_is_one_in_the_middle(
    kind: &Kind,
    bodies: impl Fn(LabVec<f64>) -> Vec<Body>,
) {
    let axis = Axis::Periodic { low: 0.0, high: SIZE };
    let collide = |at: LabVec<f64>| {
        let mut world = kind.world(rubbing());
        world.domain = Domain::of([axis; 3]);
        world.bodies = bodies(at);
        let mut engine = engine(&world, &Settings { skin: Some(1e-5), ..kind.settings() });
        let mut touched = 0;
        for _ in 0..200 {
            advance(&mut engine, 5);
            touched += engine.contact_count();
        }
        assert!(touched > 50, "{touched}");
        engine
    };
    let inside = collide(v(0.5, 0.5, 0.5) * SIZE);
    for at in [v(0.0, 0.5, 0.5), v(0.99, 0.5, 0.03), v(0.99, 0.01, 0.98)] {
        let across = collide(at * SIZE);
        for (a, b) in inside.bodies().iter().zip(&across.bodies()) {
            let velocity = (a.velocity - b.velocity).norm();
            let spin = (a.angular_velocity - b.angular_velocity).norm() / 100.0;
            assert!(velocity < 1e-9 && spin < 1e-9, "at {at:?}: {velocity:e}, {spin:e}");
        }
    }
}
