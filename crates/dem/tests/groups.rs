//! Guarantee: every pair of materials can have a contact model of its own. What happens in a contact is what happens in a
//! world with that model alone, bit for bit; and a world of several models keeps what one of a single model keeps: the
//! same bits on any threads, in any rows, with any skin, from a saved state, through changes by hand; and books that
//! close. It can break wherever contacts of different models are told apart, put in order or added up.

use crate::common::X;
use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, busy_world, engine, lattice, parts, periodic, settings,
    state, v,
};
use crate::{going_on, law_from_outside, ledger, same_bits, saved_bytes, shuffled_rows};
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{
    Body, BodyState, Engine, LabVec, MaterialId, Precision, SavedState, SchemeKind, Settings, Sharing,
    TemplateId, World,
};

const LINEAR: ContactModel =
    ContactModel { law: LawKind::Linear, rolling: RollingKind::None, twisting: TwistingKind::None };
/// Elastic and without friction: its contacts remember nothing.
const ELASTIC: ContactModel = ContactModel { law: LawKind::Hertz, ..LINEAR };

const RUBBER: MaterialId = MaterialId(0);
const GEL: MaterialId = MaterialId(1);
const FOAM: MaterialId = MaterialId(2);

/// Gives every two of three materials a model: each of the three models has two pairs.
fn with_models(mut world: World) -> World {
    if world.materials.as_slice().len() < 3 {
        world.materials.add(Material::new("foam", 1500.0, 3e6, 0.35).with_stiffness(1.5e3)).unwrap();
    }
    let models = [
        (RUBBER, RUBBER, RESISTING),
        (RUBBER, GEL, LINEAR),
        (RUBBER, FOAM, ELASTIC),
        (GEL, GEL, ELASTIC),
        (GEL, FOAM, RESISTING),
        (FOAM, FOAM, LINEAR),
    ];
    for (a, b, model) in models {
        let properties = world.materials.properties(a, b).unwrap().clone();
        world.materials.set_pair(a, b, properties.with_model(model));
    }
    world
}

/// A crowd in which all pairs of three materials meet.
pub(crate) fn mixed(domain: Domain) -> World {
    let mut world = with_models(busy_world(domain));
    let materials = [RUBBER, GEL, FOAM].into_iter().cycle();
    world.bodies.iter_mut().zip(materials).for_each(|(body, material)| body.material = material);
    world
}

/// No pair has the model of the settings.
fn thin() -> Settings {
    Settings { skin: Some(THIN_SKIN), ..settings() }
}

#[test]
fn any_threads_and_instruction_set() {
    for (domain, sharing) in [(Domain::open(), Sharing::Sum), (periodic(), Sharing::Average)] {
        let base = Settings { sharing, ..thin() };
        assert!(same_bits::agree(&mixed(domain), &base, &[2, 3, 8], 250, "mixed") > 10);
    }
}

/// Enough pairs of each model that the lists are cut into pieces, and threads note things for each other.
#[test]
fn thousands_of_bodies() {
    let mut world = with_models(crate::crowds::world());
    world.bodies = lattice(16, 2);
    let mut random = Random::new(6);
    for body in &mut world.bodies {
        body.material = [RUBBER, GEL, FOAM][usize::try_from(random.bits() % 3).unwrap()];
    }
    world.walls.push(crate::crowds::closed_box(16.0 * 1.99 * crate::crowds::RADIUS));
    let contacts = same_bits::agree(&world, &thin(), &[2, 3, 8], 60, "lattice");
    assert!(contacts > 7000, "{contacts} contacts");
    shuffled_rows::agree(&world, &thin(), 120, "mixed lattice");
}

#[test]
fn any_rows_and_changes_by_hand() {
    for (domain, rotation) in
        [(Domain::open(), SchemeKind::MagnusLeapfrog), (periodic(), SchemeKind::KickRotateKick)]
    {
        let settings = Settings { rotation: rotation.into(), ..thin() };
        shuffled_rows::agree(&mixed(domain), &settings, 2200, rotation.name());
        let single = Settings { precision: Precision::Single, ..settings };
        shuffled_rows::agree(&mixed(domain), &single, 600, "single precision");
    }
}

#[test]
fn any_skin() {
    same_bits::agree_on_skins(&mixed(periodic()), &settings(), 900, "mixed");
}

#[test]
fn from_saved_states_and_their_bytes() {
    let world = mixed(Domain::open());
    let whole = going_on::goes_on(&world, &thin(), &[0, 91, 200, 350], 400, "mixed");
    assert!(whole.contact_count() > 20);
    saved_bytes::goes_on(&world, &thin(), &[40, 111, 180, 240], 300);
}

/// Clumps on a floor and in a drum, with contacts of all three models at once.
#[test]
fn the_books_close_to_second_order() {
    let mut world = ledger::machine();
    for name in ["second", "third"] {
        let material = Material { name: name.into(), ..world.materials.as_slice()[0].clone() };
        world.materials.add(material).unwrap();
    }
    let mut world = with_models(world);
    // On the floor and in the drum, which are of rubber, and the second on the first.
    let materials = [RUBBER, GEL, FOAM, RUBBER];
    world.bodies.iter_mut().zip(materials).for_each(|(body, material)| body.material = material);
    ledger::assert_second_order("mixed", &world, ContactModel::default(), 2e-6);
}

/// Two rods that meet in flight above a floor that one of them lands on.
fn duel(world: &mut World, at: LabVec<f64>, [a, b]: [MaterialId; 2]) {
    let (rod, low) = (TemplateId(1), at + v(0.0, 0.0, 7e-3));
    let spin = v(40.0, -30.0, 90.0);
    world.add_body(Body::at(rod, low).moving(v(0.5, 0.1, -0.4)).spinning(spin).made_of(a));
    let high = low + X * 0.025 + v(0.0, 1e-3, 2e-3);
    world.add_body(Body::at(rod, high).moving(v(-1.5, 0.0, -0.1)).spinning(spin * -0.7).made_of(b));
}

fn floor(world: &mut World, material: MaterialId) {
    let plane = Plane::new(LabVec::zero(), v(0.0, 0.0, 1.0)).unwrap();
    world.walls.push(Wall::new("floor", plane, material, Motion::fixed()).unwrap());
}

fn bits(bodies: &[BodyState]) -> Vec<(String, f64)> {
    let all = bodies.iter().enumerate().flat_map(|(number, body)| {
        parts(body).into_iter().flat_map(move |(name, values)| {
            values.into_iter().map(move |value| (format!("{name} of body {number}"), value))
        })
    });
    all.collect()
}

/// Alone in a world of its model, and beside pairs of the other models.
#[test]
fn a_contact_is_what_it_is_in_a_world_of_its_model() {
    let duels = [([RUBBER, GEL], LINEAR), ([GEL, GEL], ELASTIC), ([GEL, FOAM], RESISTING)];
    // A floor of gel is touched by rubber, gel and gel: linear, elastic and elastic.
    let mut together = with_models(crate::crowds::world());
    floor(&mut together, GEL);
    let place = |number: usize| v(0.0, 0.2 * number as f64, 0.0);
    for (number, (materials, _)) in duels.iter().enumerate() {
        duel(&mut together, place(number), *materials);
    }
    for threads in [1, 2] {
        let settings = Settings { threads, ..settings() };
        let mut all = engine(&together, &settings);
        let mut touched = [false; 3];
        for _ in 0..8 {
            advance(&mut all, 250);
            for contact in all.contacts() {
                touched[usize::try_from(contact.body.0.0).unwrap() / 2] = true;
            }
        }
        assert_eq!(touched, [true; 3]);
        let found = all.bodies();
        for (number, (materials, model)) in duels.into_iter().enumerate() {
            // What the first of the two meets the floor with.
            let on_floor = [LINEAR, ELASTIC, ELASTIC][number];
            let mut alone = with_models(crate::crowds::world());
            floor(&mut alone, GEL);
            duel(&mut alone, place(number), materials);
            let mut few = engine(&alone, &settings);
            advance(&mut few, 2000);
            let pair = &found[2 * number..2 * number + 2];
            assert_same(&bits(pair), &bits(&few.bodies()), &format!("{materials:?} beside others"));
            // Where the floor has the same model, in a world that has no other.
            if model == on_floor {
                let mut plain = alone.clone();
                plain.materials = crate::crowds::world().materials;
                let mut one = engine(&plain, &Settings { contact: model, ..settings.clone() });
                advance(&mut one, 2000);
                assert_same(&state(&one), &state(&few), &format!("{materials:?} of one model"));
            }
        }
    }
}

/// A pair of each model in open space, against the world where all have it.
#[test]
fn each_model_alone() {
    for (materials, model) in [
        ([RUBBER, RUBBER], RESISTING),
        ([RUBBER, GEL], LINEAR),
        ([GEL, GEL], ELASTIC),
        ([FOAM, FOAM], LINEAR),
    ] {
        let mut world = with_models(crate::crowds::world());
        duel(&mut world, LabVec::zero(), materials);
        let mut plain = world.clone();
        for a in [RUBBER, GEL, FOAM] {
            for b in [RUBBER, GEL, FOAM] {
                let properties = world.materials.properties(a, b).unwrap().clone();
                plain.materials.set_pair(a, b, PairProperties { model: None, ..properties });
            }
        }
        let mut several = engine(&world, &settings());
        let mut one = engine(&plain, &Settings { contact: model, ..settings() });
        let mut touched = false;
        for _ in 0..100 {
            advance(&mut several, 20);
            advance(&mut one, 20);
            touched |= one.contact_count() > 0;
            assert_same(&state(&one), &state(&several), &format!("{materials:?}"));
        }
        assert!(touched, "{materials:?}");
    }
}

/// At first all contacts remember nothing; then something comes in whose contacts do.
#[test]
fn a_model_that_comes_in_later() {
    let mut world = with_models(crate::crowds::world());
    world.bodies = lattice(5, 3);
    world.bodies.iter_mut().for_each(|body| body.material = GEL);
    world.walls.push(crate::crowds::closed_box(0.06));
    let run = |threads: usize, shuffled: bool| {
        let mut engine = engine(&world, &Settings { threads, ..thin() });
        if shuffled {
            engine.shuffle_rows(9);
        }
        advance(&mut engine, 100);
        let first = engine.bodies()[60];
        engine.remove_bodies(&[first.id]).unwrap();
        engine.add_bodies(&[Body::at(TemplateId(0), first.position).made_of(FOAM)]).unwrap();
        advance(&mut engine, 200);
        assert!(engine.ledger().sliding > 0.0);
        let foam = engine.bodies().into_iter().find(|body| body.material == FOAM).unwrap();
        engine.remove_bodies(&[foam.id]).unwrap();
        advance(&mut engine, 100);
        (state(&engine), engine.save().to_bytes())
    };
    let (expected, bytes) = run(1, false);
    for (threads, shuffled) in [(1, true), (2, false), (3, true)] {
        let (found, others) = run(threads, shuffled);
        assert_same(&expected, &found, &format!("{threads} threads"));
        assert!(bytes == others, "{threads} threads: bytes");
    }
}

#[test]
fn what_a_pair_lacks_is_named_with_the_pair() {
    let refusal = |world: &World| Engine::new(world.clone(), Settings::new(1e-6)).unwrap_err().to_string();
    let mut world = World::default();
    let glass = world.materials.add(Material::new("glass", 2500.0, 1e7, 0.2)).unwrap();
    let gel = world.materials.add(Material::new("gel", 1000.0, 1e6, 0.4)).unwrap();
    world.materials.set_default(PairProperties::new(0.9, 0.3));
    world.materials.set_pair(glass, gel, PairProperties::new(0.5, 0.3).with_model(LINEAR));
    let ball = crate::common::add_sphere(&mut world, 0.01);
    world.add_body(Body::at(ball, LabVec::zero()).made_of(glass));
    // Glass alone never meets gel.
    Engine::new(world.clone(), Settings::new(1e-6)).unwrap();
    world.add_body(Body::at(ball, X).made_of(gel));
    assert_eq!(
        refusal(&world),
        "material glass: the contact law linear of the pair glass–gel needs its stiffness, a positive number, in \
         N/m, or `inf` for a rigid material; give it, or choose another model"
    );
    let torn = ContactModel { law: LawKind::Linear, ..law_from_outside::recipe() };
    world.materials.set_pair(glass, gel, PairProperties::new(0.5, 0.3).with_model(torn));
    assert!(refusal(&world).starts_with("pair glass–gel: the contact model is"), "{}", refusal(&world));
}

/// A state says which model each pair had.
#[test]
fn a_state_of_other_models_is_refused() {
    let world = mixed(Domain::open());
    let mut one = engine(&world, &thin());
    advance(&mut one, 30);
    let bytes = one.save().to_bytes();
    let mut other = world.clone();
    let properties = other.materials.properties(GEL, FOAM).unwrap().clone();
    other.materials.set_pair(GEL, FOAM, properties.with_model(LINEAR));
    let state = SavedState::from_bytes(&bytes, &other).unwrap();
    let refused = engine(&other, &thin()).restore(&state).unwrap_err().to_string();
    assert!(
        refused.contains(
            "another contact model for the pair gel–foam, 'hertz-mindlin' with rolling 'elastic-plastic' and twisting \
             'elastic-plastic', and this engine has 'linear' with rolling 'none' and twisting 'none'"
        ),
        "{refused}"
    );
    // With the same models in the same groups, bytes of bytes are the same.
    assert_eq!(SavedState::from_bytes(&bytes, &world).unwrap().to_bytes(), bytes);
}
