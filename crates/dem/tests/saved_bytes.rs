//! Guarantee: a state that went through bytes is the state, to the last bit of everything that follows; and
//! bytes that were cut off, changed or mixed up are an error or a state that an engine can go on from, never
//! a panic. TUMBLE_MUTATIONS raises the number of damaged states that are tried.

use crate::crowds::{
    RESISTING, THIN_SKIN, advance, assert_same, busy_world, engine, periodic, settings, state, v,
};
use crate::groups;
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::random::Random;
use tumble_dem::{
    Body, BodyId, Engine, Error, Quat, SavedState, SchemeKind, Settings, Sharing, TemplateId, World,
};

fn with(rotation: SchemeKind, contact: ContactModel) -> Settings {
    Settings { rotation: rotation.into(), contact, skin: Some(THIN_SKIN), ..settings() }
}

/// What a user may do to a run: put bodies in, take some out, hold and move others.
fn edit(engine: &mut Engine) {
    let leaving: Vec<_> =
        engine.bodies().into_iter().filter(|body| [3, 17, 30].contains(&body.id.0)).collect();
    engine.remove_bodies(&leaving.iter().map(|body| body.id).collect::<Vec<_>>()).unwrap();
    // Smaller ones take their places.
    let new = leaving.iter().map(|body| {
        let small = Body::at(body.template, body.position).scaled(0.6 * body.scale);
        small.turned(body.orientation).spinning(v(5.0, 60.0, 9.0))
    });
    let ids = engine.add_bodies(&new.collect::<Vec<_>>()).unwrap();
    engine.remove_bodies(&ids[1..2]).unwrap();
    engine.set_held(BodyId(5), true).unwrap();
    engine.set_held(BodyId(7), false).unwrap();
    engine.set_velocity(BodyId(5), v(0.1, 0.0, 0.0), v(0.0, 0.0, 20.0)).unwrap();
}

fn through_bytes(engine: &Engine, world: &World) -> SavedState {
    let saved = engine.save();
    let bytes = saved.to_bytes();
    assert!(bytes.capacity() < bytes.len() + 1024, "room for {} bytes, of {}", bytes.capacity(), bytes.len());
    let read = SavedState::from_bytes(&bytes, world).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read.to_bytes(), bytes, "bytes of what was read");
    assert_eq!((read.steps(), read.body_count()), (engine.steps(), engine.body_count()));
    read
}

/// Runs without a break, and through a chain of engines that each go on from bytes of the last one.
pub(crate) fn goes_on(world: &World, base: &Settings, saves: &[u64], end: u64) {
    let case = base.rotation.name();
    let edited_at = saves[1];
    let mut whole = engine(world, base);
    advance(&mut whole, edited_at);
    edit(&mut whole);
    advance(&mut whole, end - edited_at);
    let mut part = engine(world, base);
    for (link, &save) in saves.iter().enumerate() {
        let steps = save - part.steps();
        advance(&mut part, steps);
        if save == edited_at {
            edit(&mut part);
        }
        let mut next = engine(world, &Settings { threads: 1 + link % 2, ..base.clone() });
        next.restore(&through_bytes(&part, world)).unwrap();
        assert_same(&state(&part), &state(&next), &format!("{case}: just read at step {save}"));
        part = next;
    }
    let steps = end - part.steps();
    advance(&mut part, steps);
    assert_same(&state(&whole), &state(&part), &format!("{case}: saved at {saves:?}"));
    assert_eq!(whole.save().to_bytes(), part.save().to_bytes(), "{case}: bytes at the end");
    assert!(whole.contact_count() > 20, "{case}: {} contacts", whole.contact_count());
}

#[test]
fn every_kind_of_scheme_and_law_goes_on() {
    let plain = |law| ContactModel { law, ..ContactModel::default() };
    let cases = [
        (Domain::open(), SchemeKind::MagnusLeapfrog, RESISTING, Sharing::Sum),
        (periodic(), SchemeKind::SpiralLeapfrog, RESISTING, Sharing::Sum),
        (periodic(), SchemeKind::Fincham, plain(LawKind::HertzMindlin), Sharing::Average),
        (Domain::open(), SchemeKind::Johnson, RESISTING, Sharing::Sum),
        (periodic(), SchemeKind::ImprovedPcdm, plain(LawKind::Hertz), Sharing::Sum),
        (Domain::open(), SchemeKind::NoSquish, plain(LawKind::Linear), Sharing::Sum),
    ];
    for (domain, rotation, contact, sharing) in cases {
        let base = Settings { sharing, ..with(rotation, contact) };
        goes_on(&busy_world(domain), &base, &[0, 40, 41, 133, 200], 260);
    }
}

#[test]
fn an_empty_world_and_a_fresh_one_go_on() {
    let mut world = crate::crowds::world();
    let empty = engine(&world, &settings());
    assert_eq!(through_bytes(&empty, &world).contact_count(), 0);
    world.add_body(Body::at(TemplateId(1), v(0.0, 0.0, 1.0)).turned(Quat::new(0.6, 0.8, 0.0, 0.0)));
    let fresh = engine(&world, &settings());
    let mut other = engine(&world, &settings());
    advance(&mut other, 3);
    other.restore(&through_bytes(&fresh, &world)).unwrap();
    assert_same(&state(&fresh), &state(&other), "fresh");
}

#[test]
fn bytes_of_another_world_are_refused() {
    let world = busy_world(Domain::open());
    let bytes = engine(&world, &settings()).save().to_bytes();
    let mut walls = world.clone();
    walls.walls.pop();
    let mut templates = world.clone();
    templates.templates.swap(0, 1);
    let mut density = world.clone();
    density.materials = tumble_dem::material::Materials::default();
    for (number, material) in (0u8..).zip(world.materials.as_slice()) {
        let density_ = material.density + f64::from(number);
        density
            .materials
            .add(tumble_dem::material::Material { density: density_, ..material.clone() })
            .unwrap();
    }
    for other in [walls, templates, density] {
        let error = SavedState::from_bytes(&bytes, &other).unwrap_err();
        assert!(matches!(error, Error::Mismatch { .. }), "{error}");
    }
}

#[test]
fn damage_is_named() {
    let world = busy_world(Domain::open());
    let bytes = engine(&world, &settings()).save().to_bytes();
    let message = |bytes: &[u8]| SavedState::from_bytes(bytes, &world).unwrap_err().to_string();
    assert!(message(&[]).contains("it ends here"));
    assert!(message(&bytes[..bytes.len() - 1]).contains("bytes"), "{}", message(&bytes[..bytes.len() - 1]));
    assert!(message(&[&bytes[..], &[0]].concat()).contains("1 bytes follow"));
    assert!(message(&[&b"PNG"[..], &bytes[3..]].concat()).contains("no saved state of Tumble"));
    let mut newer = bytes.clone();
    newer[8] = 99;
    assert!(message(&newer).contains("version 99"), "{}", message(&newer));
}

/// Damages bytes in one of the ways that disks, transfers and editors do, and in some that only malice does.
fn damaged(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    let place =
        |random: &mut Random, length: usize| usize::try_from(random.bits() % length.max(1) as u64).unwrap();
    for _ in 0..=random.bits() % 3 {
        // Where the structure is, a change matters more than among the numbers of bodies.
        let reach = if random.uniform() < 0.5 { damaged.len().min(700) } else { damaged.len() };
        let at = place(random, reach);
        let length = place(random, 40).min(damaged.len() - at);
        match random.bits() % 7 {
            0 => damaged[at] ^= 1 << (random.bits() % 8),
            1 => damaged.truncate(at),
            2 => damaged[at..at + length].iter_mut().for_each(|byte| *byte = random.bits().to_le_bytes()[0]),
            3 => {
                let from = place(random, other.len());
                let new = other[from..].iter().take(length).copied().collect::<Vec<_>>();
                damaged.splice(at..at + length, new);
            }
            4 => drop(damaged.drain(at..at + length)),
            5 => {
                let special = [0, 1, u64::MAX, 1 << 31, 1 << 52, f64::MAX.to_bits(), 1e-310_f64.to_bits()];
                let value = special[place(random, special.len())].to_le_bytes();
                damaged[at..].iter_mut().zip(value).for_each(|(byte, value)| *byte = value);
            }
            _ => damaged.extend_from_within(at..at + length),
        }
        if damaged.is_empty() {
            break;
        }
    }
    damaged
}

#[test]
fn damaged_bytes_never_panic() {
    let cases = std::env::var("TUMBLE_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(5000_u32);
    let mut random = Random::new(11);
    let models = [
        (busy_world(Domain::open()), SchemeKind::MagnusLeapfrog, RESISTING),
        (busy_world(periodic()), SchemeKind::Johnson, ContactModel::default()),
        (
            busy_world(periodic()),
            SchemeKind::Fincham,
            ContactModel { law: LawKind::Hertz, ..ContactModel::default() },
        ),
        (groups::mixed(Domain::open()), SchemeKind::MagnusLeapfrog, RESISTING),
    ];
    let mut sources: Vec<(World, Engine, Vec<u8>)> = Vec::new();
    for (mut world, rotation, contact) in models {
        // Few bodies, so that damage hits what holds them together.
        world.bodies.retain(|body| body.position.x < 0.03 && body.position.y < 0.06);
        let mut source = engine(&world, &with(rotation, contact));
        advance(&mut source, 150);
        assert!(source.body_count() > 5 && source.contact_count() > 0, "{}", source.contact_count());
        let bytes = source.save().to_bytes();
        sources.push((world, source, bytes));
    }
    let (mut read, mut moved) = (0, 0);
    for case in 0..cases as usize {
        let count = sources.len();
        let other = sources[(case + 1) % count].2.clone();
        let (world, engine, bytes) = &mut sources[case % count];
        let bytes = damaged(bytes, &other, &mut random);
        let Ok(state) = SavedState::from_bytes(&bytes, world) else { continue };
        read += 1_u32;
        if engine.restore(&state).is_ok() {
            moved += usize::from(engine.advance(5).is_ok());
        }
    }
    // Damage to a velocity goes unnoticed here; the checksum of a checkpoint sees it.
    assert!(read * 20 > cases && moved > 0, "{read} of {cases} read, {moved} moved");
}
