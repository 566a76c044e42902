//! Heat: temperatures relax as their closed forms do, with order 1 in the time step; what one body gives another one takes; what contacts lose is
//! gained; and no bit depends on threads, rows, ranks, or on where a run was saved.

use crate::common::{assert_close, order_of};
use crate::crowds::{
    DT, RESISTING, THIN_SKIN, advance, assert_same, busy_world, engine, periodic, plain, state, v,
};
use tumble_dem::advice::LimitKind;
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::domain::Domain;
use tumble_dem::heat::{
    CONDUCTIVITY, CONTACT_CONDUCTANCE, Conduction, HEAT_CAPACITY, HEAT_SOURCE, Heat, Surroundings,
    WallTemperature, biot_of_contact, biot_of_surface,
};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::property::{WORK_OF_ADHESION, YOUNG};
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{
    Body, BodyId, Change, Engine, Error, LabVec, MaterialId, Precision, SavedState, Settings, Solver,
    StopCause, World,
};

const RADIUS: f64 = 0.01;
const CAPACITY: f64 = 800.0;
const CONDUCTS: f64 = 1.5;

fn material() -> Material {
    Material::new("glass", 2500.0, 1e7, 0.25).with(&HEAT_CAPACITY, CAPACITY).with(&CONDUCTIVITY, CONDUCTS)
}

/// An empty world with one material, and one template, a ball.
fn world(material: Material, pair: PairProperties, heat: Heat) -> World {
    let mut world = World { materials: Materials::of(material, pair), heat: Some(heat), ..World::default() };
    world.add_template(ClumpTemplate::sphere("ball", RADIUS).unwrap()).unwrap();
    world
}

/// A ball of that world.
fn ball(position: LabVec<f64>, temperature: f64) -> Body {
    Body::at(tumble_dem::TemplateId(0), position).at_temperature(temperature)
}

fn conduction(conduction: Conduction) -> Heat {
    Heat { conduction, ..Heat::default() }
}

fn temperatures(solver: &dyn Solver) -> Vec<f64> {
    solver.bodies().iter().map(|body| body.temperature.unwrap()).collect()
}

/// So soft that bodies stay where they are.
fn soft() -> Material {
    material().with(&YOUNG, 1e-20)
}

/// Two soft balls, pressed by so much into each other.
fn two(heat: Heat, pair: PairProperties, overlap: f64) -> World {
    let mut world = world(soft(), pair, heat);
    world.add_body(ball(LabVec::zero(), 300.0));
    world.add_body(ball(v(2.0 * RADIUS - overlap, 0.0, 0.0), 400.0));
    world
}

/// mc of a ball.
fn capacity() -> f64 {
    2500.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * CAPACITY
}

#[test]
fn two_balls_become_alike_exponentially_and_keep_their_mean() {
    let overlap: f64 = 2e-4;
    let area_radius = (overlap * RADIUS / 2.0).sqrt();
    let area = PairProperties::new(0.8, 0.3).with(&CONTACT_CONDUCTANCE, 2e4);
    let cases = [
        (Conduction::Radius, 2.0 * CONDUCTS * area_radius),
        (Conduction::Area, 2e4 * std::f64::consts::PI * area_radius * area_radius),
    ];
    for (model, conductance) in cases {
        let rate = 2.0 * conductance / capacity();
        let error = |steps: u32| {
            let world = two(conduction(model), area.clone(), overlap);
            let mut engine = Engine::new(world, Settings::new(1.0 / rate / f64::from(steps))).unwrap();
            engine.advance(steps.into()).unwrap();
            let [a, b] = temperatures(&engine)[..] else { panic!() };
            assert!((a + b - 700.0).abs() < 1e-10, "{a} {b}");
            ((b - a) / (100.0 * (-1.0_f64).exp()) - 1.0).abs()
        };
        let errors: Vec<f64> = [40, 80, 160, 320].map(error).into();
        let order = order_of(&errors);
        assert!((order - 1.0).abs() < 0.05 && errors[3] < 2e-3, "{model:?}: order {order}, {errors:?}");
    }
}

/// What is left of a chain of n balls that are insulated at its ends, of the mode cos(πk(j + ½)/n): exp(−4 sin²(πk/2n) Ht/mc).
#[test]
fn a_mode_of_a_chain_decays_as_its_eigenvalue_says() {
    let (n, k, overlap) = (9, 2, 1e-4);
    let pi = std::f64::consts::PI;
    let mode = |j: usize| (pi * f64::from(k) * (j as f64 + 0.5) / n as f64).cos();
    let mut world = world(soft(), PairProperties::new(0.8, 0.3), Heat::default());
    for j in 0..n {
        let place = v(j as f64 * (2.0 * RADIUS - overlap), 0.0, 0.0);
        world.add_body(ball(place, 300.0 + 10.0 * mode(j)));
    }
    let rate = 2.0 * CONDUCTS * (overlap * RADIUS / 2.0_f64).sqrt() / capacity();
    let eigenvalue = 4.0 * (pi * f64::from(k) / (2.0 * n as f64)).sin().powi(2) * rate;
    // Of Euler's rule.
    let (dt, steps) = (0.05 / rate, 200);
    let left = (1.0 - eigenvalue * dt).powi(steps);
    let mut engine = Engine::new(world, Settings::new(dt)).unwrap();
    engine.advance(steps.unsigned_abs().into()).unwrap();
    for (j, temperature) in temperatures(&engine).into_iter().enumerate() {
        assert!((temperature - 300.0 - 10.0 * left * mode(j)).abs() < 1e-9, "{j}: {temperature}");
    }
}

/// Balls that bounce and tear off: what they have lost when all is over is heat of theirs.
#[test]
fn a_bounce_warms_by_what_it_loses() {
    for (law, entry) in [(LawKind::HertzMindlin, "sliding"), (LawKind::Jkr, "adhesion")] {
        let pair = PairProperties::new(0.6, 0.4).with(&WORK_OF_ADHESION, 1.0);
        let mut world = world(material(), pair, Heat::default());
        let floor = Plane::new(LabVec::zero(), v(0.0, 0.0, 1.0)).unwrap();
        world.walls.push(Wall::new("floor", floor, MaterialId(0), Motion::fixed()).unwrap());
        world.add_body(ball(v(0.0, 0.0, 1.01 * RADIUS), 300.0).moving(v(1.0, 0.0, -2.0)));
        world.add_body(ball(v(0.05, 0.0, 0.5), 310.0).moving(v(1.0, 0.0, 0.0)));
        let third = ball(v(0.0801, 0.004, 0.5), 290.0).moving(v(-1.0, 0.0, 0.0));
        world.add_body(third.spinning(v(0.0, 90.0, 3.0)));
        let mut engine = Engine::new(world, Settings { contact: plain(law), ..Settings::new(2e-6) }).unwrap();
        let start = engine.ledger();
        engine.advance(20_000).unwrap();
        assert_eq!(engine.contact_count(), 0);
        let ledger = engine.ledger();
        let heat = ledger.heat.unwrap();
        let lost = |key: &str| ledger.entries().find(|(known, _)| *known == key).unwrap().1;
        assert!(ledger.lost() > 0.01 && lost(entry) > 1e-7, "{ledger:?}");
        assert_close("heat of contacts", heat.of_contacts, ledger.lost(), 1e-13);
        assert_close("thermal energy", heat.thermal, ledger.lost(), 1e-13);
        let kinetic = start.kinetic() - ledger.kinetic();
        // The error of the integration is of second order in the step, as always.
        assert_close("kinetic energy", heat.thermal, kinetic, 1e-4);
        let starts = temperatures(&engine).into_iter().zip([300.0, 310.0, 290.0]);
        let gained: Vec<f64> = starts.map(|(t, start)| (t - start) * capacity()).collect();
        assert_close("of all three", gained.iter().sum(), ledger.lost(), 1e-8);
        assert!(gained[0] > 1e-3, "{gained:?}");
    }
}

/// Of a wall of known temperature and its own material a body keeps the part of the effusivities, and gets what flows.
#[test]
fn a_wall_of_known_temperature_takes_its_part_of_losses() {
    let run = |temperature: Option<f64>, wall: Material| {
        let heat = Heat { conduction: Conduction::Area, ..Heat::default() };
        let pair = PairProperties::new(0.5, 0.3).with(&CONTACT_CONDUCTANCE, 0.0);
        let mut world = world(material(), pair, heat);
        let of_wall = world.materials.add(wall).unwrap();
        let plane = Plane::new(LabVec::zero(), v(0.0, 0.0, 1.0)).unwrap();
        let mut floor = Wall::new("floor", plane, of_wall, Motion::fixed()).unwrap();
        floor.temperature = temperature.map(|kelvin| WallTemperature::fixed(kelvin).unwrap());
        world.walls.push(floor);
        world.add_body(ball(v(0.0, 0.0, 1.01 * RADIUS), 300.0).moving(v(0.5, 0.0, -1.0)));
        let mut engine = Engine::new(world, Settings::new(1e-6)).unwrap();
        engine.advance(10_000).unwrap();
        let ledger = engine.ledger();
        assert_eq!(engine.contact_count(), 0);
        ledger.heat.unwrap().thermal / ledger.lost()
    };
    let steel =
        || Material::new("steel", 7800.0, 1e7, 0.3).with(&HEAT_CAPACITY, 500.0).with(&CONDUCTIVITY, 50.0);
    assert_close("an insulator", run(None, Material::new("steel", 7800.0, 1e7, 0.3)), 1.0, 1e-12);
    let effusivities = [CONDUCTS * 2500.0 * CAPACITY, 50.0 * 7800.0 * 500.0_f64].map(f64::sqrt);
    let part = effusivities[0] / (effusivities[0] + effusivities[1]);
    assert_close("steel", run(Some(300.0), steel()), part, 1e-12);
}

/// A chain between two walls: a straight line of temperatures, and everywhere the same flow.
#[test]
fn a_chain_between_walls_conducts_steadily() {
    let (n, overlap) = (5, 1e-4);
    let mut world = world(soft(), PairProperties::new(0.8, 0.3), Heat::default());
    let apart = 2.0 * RADIUS - overlap;
    for (name, x, sign, kelvin) in
        [("hot", 0.0, 1.0, 500.0), ("cold", 4.0 * apart + 2.0 * (RADIUS - overlap), -1.0, 300.0)]
    {
        let plane = Plane::new(v(x, 0.0, 0.0), v(sign, 0.0, 0.0)).unwrap();
        let wall = Wall::new(name, plane, MaterialId(0), Motion::fixed()).unwrap();
        world.walls.push(wall.at_temperature(WallTemperature::fixed(kelvin).unwrap()));
    }
    for j in 0..n {
        world.add_body(ball(v(RADIUS - overlap + f64::from(j) * apart, 0.0, 0.0), 300.0));
    }
    let between = 2.0 * CONDUCTS * (overlap * RADIUS / 2.0).sqrt();
    let at_wall = 2.0 * CONDUCTS * (overlap * RADIUS).sqrt();
    let mut engine = Engine::new(world, Settings::new(0.2 * capacity() / at_wall)).unwrap();
    engine.advance(4000).unwrap();
    let flow = 200.0 / (2.0 / at_wall + 4.0 / between);
    for (j, temperature) in (0..).zip(temperatures(&engine)) {
        let exact = 500.0 - flow * (1.0 / at_wall + f64::from(j) / between);
        assert!((temperature - exact).abs() < 1e-7, "{j}: {temperature} {exact}");
    }
    let heats: Vec<[f64; 2]> = engine.walls().iter().map(|wall| wall.heat.unwrap()).collect();
    assert_close("from the hot wall", heats[0][0], flow, 1e-8);
    assert_close("into the cold wall", -heats[1][0], flow, 1e-8);
    let heat = engine.ledger().heat.unwrap();
    assert_close("all that walls gave", heats[0][1] + heats[1][1], heat.of_walls, 1e-12);
    assert_close("is in the bodies", heat.thermal, heat.of_walls, 1e-12);
}

/// Warmed by a source and cooled by what is around it, a ball tends to T∞ + source/hA; it relaxes with hA/mc.
#[test]
fn sources_and_surroundings() {
    let around = Surroundings { temperature: 280.0, coefficient: 12.0 };
    let heat = Heat { surroundings: Some(around), ..Heat::default() };
    let mut world = world(material().with(&HEAT_SOURCE, 3.0), PairProperties::default(), heat);
    world.add_body(ball(LabVec::zero(), 300.0));
    let conductance = 12.0 * 4.0 * std::f64::consts::PI * RADIUS * RADIUS;
    let (power, tau) = (3.0 * capacity() / CAPACITY, capacity() / conductance);
    let (dt, steps) = (tau / 100.0, 150);
    let mut engine = Engine::new(world, Settings::new(dt)).unwrap();
    engine.advance(150).unwrap();
    let last = 280.0 + power / conductance;
    let exact = last + (300.0 - last) * (1.0 - dt / tau).powi(steps);
    assert_close("temperature", temperatures(&engine)[0], exact, 1e-12);
    let ledger = engine.ledger().heat.unwrap();
    assert_close("source", ledger.of_sources, power * dt * f64::from(steps), 1e-12);
    assert!(ledger.of_surroundings < 0.0 && ledger.error().abs() < 1e-12 * power * dt * 150.0, "{ledger:?}");
    assert_close("Biot", biot_of_surface(12.0, CONDUCTS, RADIUS), 12.0 * RADIUS / (3.0 * CONDUCTS), 1e-15);
    // H over 2ka.
    let ratio = 2e4 * std::f64::consts::PI * 1e-6 / (2.0 * CONDUCTS * 1e-3);
    assert_close("Biot", biot_of_contact(2e4, CONDUCTS, 1e-3), ratio, 1e-15);
}

/// What flows through surfaces that adhere is that of the area of JKR: δ = a²/R* − √(2πWa/E*).
#[test]
fn adhering_surfaces_conduct_by_the_area_of_their_law() {
    let (overlap, work, conducts) = (1e-5, 5.0, 1e6);
    let pair = PairProperties::new(0.8, 0.3).with(&WORK_OF_ADHESION, work);
    let settings = Settings { contact: plain(LawKind::Jkr), ..Settings::new(1e-6) };
    let mut world = two(Heat::default(), pair, overlap);
    for (property, value) in [(&YOUNG, 1e7), (&CONDUCTIVITY, conducts)] {
        world.materials.set_property(MaterialId(0), property, value).unwrap();
    }
    // Where they are at the end of a step, they conduct in it.
    let mut engine = Engine::new(world, settings).unwrap();
    engine.advance(1).unwrap();
    let overlap = engine.contacts()[0].overlap;
    let conductance = (temperatures(&engine)[0] - 300.0) * capacity() / 100.0 / 1e-6;
    let a = conductance / (2.0 * conducts);
    let (radius, modulus) = (RADIUS / 2.0, 1e7 / (2.0 * (1.0 - 0.25 * 0.25)));
    let exact = a * a / radius - (2.0 * std::f64::consts::PI * work * a / modulus).sqrt();
    assert!((exact - overlap).abs() < 1e-8 * radius && a > (radius * overlap).sqrt(), "{exact} {a}");
}

/// A time step in which a body would overshoot all around it stops the run, and one a little shorter does not.
#[test]
fn a_step_that_is_too_long_for_conduction_stops_the_run() {
    let overlap: f64 = 2e-4;
    let limit = capacity() / (2.0 * CONDUCTS * (overlap * RADIUS / 2.0).sqrt());
    let advance = |dt: f64| {
        let world = two(Heat::default(), PairProperties::new(0.8, 0.3), overlap);
        Engine::new(world, Settings::new(dt)).unwrap().advance(3)
    };
    advance(0.999 * limit).unwrap();
    let Err(Error::Stopped(stop)) = advance(1.001 * limit) else { panic!("it went on") };
    let StopCause::Heated { limit: told, dt } = stop.cause else { panic!("{stop}") };
    assert_close("limit", told, limit, 1e-12);
    assert!(dt > told && stop.restored_to == 0.0 && stop.to_string().contains("longest step"), "{stop}");
}

/// A crowd with heat of all kinds.
fn warm(domain: Domain) -> World {
    let mut world = busy_world(domain);
    let materials = world.materials.as_slice().to_vec();
    for (number, own) in (0..).zip(&materials) {
        for (property, value) in [(&HEAT_CAPACITY, 900.0), (&CONDUCTIVITY, 0.3), (&HEAT_SOURCE, 40.0)] {
            let value = value * (1.0 + f64::from(number));
            assert!(own.get(property) != Some(value));
            world.materials.set_property(MaterialId(number), property, value).unwrap();
        }
    }
    for (number, body) in (0..).zip(&mut world.bodies) {
        body.temperature = 300.0 + f64::from(number % 7);
    }
    let heating = WallTemperature::table(vec![[0.0, 300.0], [20.0 * DT, 350.0]]).unwrap();
    world.walls[0].temperature = Some(heating);
    let surroundings = Some(Surroundings { temperature: 250.0, coefficient: 30.0 });
    world.heat = Some(Heat { surroundings, ..Heat::default() });
    world
}

/// Every joule that was lost in contacts or put in is in the bodies, after bodies came and went, and were warmed by hand.
#[test]
fn the_books_of_heat_close_to_rounding() {
    let base = Settings { contact: RESISTING, skin: Some(THIN_SKIN), ..crate::crowds::settings() };
    let mut engine = engine(&warm(periodic()), &base);
    advance(&mut engine, 150);
    let heat = engine.ledger().heat.unwrap();
    let turned_over = heat.of_contacts + heat.of_sources - heat.of_surroundings;
    assert!(heat.error().abs() < 1e-12 * turned_over, "{heat:?}");
    assert!(heat.of_contacts > 0.0 && heat.of_walls != 0.0, "{heat:?}");
    let balance = engine.ledger().balance();
    let [first, second] = [3, 4].map(|id| engine.bodies()[id]);
    let warmer = Change { temperature: Some(555.0), ..Change::of(first.id) };
    engine.change_bodies(&[warmer]).unwrap();
    engine.remove_bodies(&[second.id]).unwrap();
    assert_close("temperature", engine.bodies()[3].temperature.unwrap(), 555.0, 1e-15);
    assert_close("the balance of all", engine.ledger().balance(), balance, 1e-12);
    let new = Body { position: second.position, ..warm(periodic()).bodies[4] };
    engine.add_bodies(&[new.at_temperature(77.0)]).unwrap();
    assert_close("temperature", engine.bodies().last().unwrap().temperature.unwrap(), 77.0, 1e-15);
    assert_close("the balance of all", engine.ledger().balance(), balance, 1e-12);
    let before = engine.ledger().heat.unwrap();
    advance(&mut engine, 100);
    let after = engine.ledger().heat.unwrap();
    assert!((after.error() - before.error()).abs() < 1e-12 * turned_over, "{before:?} {after:?}");
}

#[test]
fn no_bit_of_heat_depends_on_threads_rows_or_saved_states() {
    for contact in [RESISTING, plain(LawKind::Hertz)] {
        let base = Settings { contact, skin: Some(THIN_SKIN), ..crate::crowds::settings() };
        crate::shuffled_rows::agree(&warm(periodic()), &base, 350, "heat");
        crate::crowds::same_on_threads_and_after_a_restart(&warm(Domain::open()), &base);
    }
}

#[test]
fn no_bit_of_heat_depends_on_ranks() {
    let base = Settings { contact: RESISTING, skin: Some(THIN_SKIN), ..crate::crowds::settings() };
    crate::ranks::agree(&warm(periodic()), &base, (300, 0), &[(3, 1, true), (4, 2, false)], "heat");
}

/// Temperatures change nothing of what moves.
#[test]
fn motion_is_that_of_the_world_without_heat() {
    let base = Settings { contact: RESISTING, ..crate::crowds::settings() };
    let cold = World { heat: None, ..warm(periodic()) };
    let motion = |world: &World| {
        let mut engine = engine(world, &base);
        advance(&mut engine, 200);
        let of_heat = ["temperature", "heat", "ledger: thermal", "ledger: heat"];
        let mut state = state(&engine);
        state.retain(|(name, _)| !of_heat.iter().any(|own| name.starts_with(own)));
        state
    };
    assert_same(&motion(&cold), &motion(&warm(periodic())), "heat");
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut World, &mut Settings)| {
        let mut world = two(Heat::default(), PairProperties::new(0.8, 0.3), 1e-4);
        let mut settings = Settings::new(1e-3);
        change(&mut world, &mut settings);
        Engine::new(world, settings).unwrap_err().to_string()
    };
    let lacking = |material: Material| {
        move |world: &mut World, _: &mut Settings| {
            world.materials = Materials::of(material.clone(), PairProperties::new(0.8, 0.3));
        }
    };
    let bare = Material::new("glass", 2500.0, 1e7, 0.25);
    let cases: [(String, &str); 6] = [
        (refused(&lacking(bare.clone())), "heat_capacity"),
        (refused(&lacking(bare.with(&HEAT_CAPACITY, CAPACITY))), "conductivity"),
        (refused(&|world, _| world.heat = Some(conduction(Conduction::Area))), "contact_conductance"),
        (
            refused(&|_, settings| settings.precision = Precision::Single),
            "the precision is single, expected double",
        ),
        (refused(&|world, _| world.bodies[0].temperature = -3.0), "temperature in K"),
        (
            refused(&|world, _| {
                let surroundings = Some(Surroundings { temperature: 300.0, coefficient: -1.0 });
                world.heat = Some(Heat { surroundings, ..Heat::default() });
            }),
            "coefficient",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "{message}");
    }
    assert!(WallTemperature::fixed(0.0).is_err() && WallTemperature::table(Vec::new()).is_err());
    assert!(WallTemperature::table(vec![[1.0, 300.0], [1.0, 310.0]]).is_err());

    let world = two(Heat::default(), PairProperties::new(0.8, 0.3), 1e-4);
    let engine = Engine::new(world.clone(), Settings::new(1e-3)).unwrap();
    assert!(engine.beyond_motion().unwrap().contains("heat"), "a graphics card has none");
    let mut cold = Engine::new(World { heat: None, ..world.clone() }, Settings::new(1e-3)).unwrap();
    let warmer = Change { temperature: Some(400.0), ..Change::of(BodyId(0)) };
    assert!(cold.change_bodies(&[warmer]).unwrap_err().to_string().contains("without heat"));
    let saved = SavedState::from_bytes(&engine.save().to_bytes(), &world).unwrap();
    assert!(cold.restore(&saved).unwrap_err().to_string().contains("temperatures"));
}

#[test]
fn losses_are_no_heat_where_nobody_wants_it() {
    let heat = Heat { dissipation: false, ..Heat::default() };
    let mut world = world(material(), PairProperties::new(0.6, 0.4), heat);
    world.add_body(ball(LabVec::zero(), 300.0).moving(v(1.0, 0.0, 0.0)));
    world.add_body(ball(v(2.01 * RADIUS, 0.0, 0.0), 300.0));
    let contact = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    world.materials.set_property(MaterialId(0), &tumble_dem::property::STIFFNESS, 1e5).unwrap();
    let mut engine = Engine::new(world, Settings { contact, ..Settings::new(1e-6) }).unwrap();
    engine.advance(2000).unwrap();
    let ledger = engine.ledger();
    assert!(ledger.lost() > 0.0 && engine.contact_count() == 0);
    assert!(temperatures(&engine) == [300.0, 300.0] && ledger.heat.unwrap().put_in() == 0.0);
}

/// What is advised is a tenth of mc/ΣH of a ball among twelve of its kind.
#[test]
fn the_advisor_knows_how_fast_heat_goes() {
    let advice = |heat| {
        let world = World { heat, ..two(Heat::default(), PairProperties::new(0.8, 0.3), 1e-4) };
        Engine::new(world, Settings::new(1e-3)).unwrap().advise().limit(LimitKind::Heat).cloned()
    };
    let area_radius = (0.01 * RADIUS * 0.5 * RADIUS).sqrt();
    let limit = advice(Some(Heat::default())).unwrap();
    assert_close("seconds", limit.seconds, capacity() / (12.0 * 2.0 * CONDUCTS * area_radius), 1e-12);
    assert!(advice(None).is_none() && limit.recommended() < 0.11 * limit.seconds);
}
