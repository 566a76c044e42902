//! Guarantee: a run in single precision keeps every promise of one in double precision. The same bits on any number of
//! threads, with any instruction set, for any rows and skin, after a restart and through changes by hand; states of the
//! other precision are refused. What is computed are numbers that `f32` has, and they are near those of double precision,
//! far from the origin as well.

use crate::common::{X, Z, add_clump, add_floor, add_sphere, advance_through_contact, lopsided};
use crate::crowds::{
    RESISTING, SCHEMES, THIN_SKIN, advance, assert_same, busy_world, edit, engine, periodic, plain, settings,
    state, v,
};
use tumble_dem::domain::Domain;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{
    Body, BodyState, Engine, Error, InstructionSet, LabVec, Precision, SavedState, SchemeKind, Settings,
    Sharing, TemplateId, World,
};

/// Everything that an engine tells of its state, and its bytes.
type State = (Vec<(String, f64)>, Vec<u8>);

fn single() -> Settings {
    Settings { precision: Precision::Single, skin: Some(THIN_SKIN), ..settings() }
}

#[test]
fn the_same_bits_on_any_threads_with_any_instructions_rows_and_after_a_restart() {
    let cases = [
        (Domain::open(), RESISTING, Sharing::Sum, SchemeKind::MagnusLeapfrog),
        (periodic(), RESISTING, Sharing::Average, SchemeKind::Fincham),
        (Domain::open(), plain(LawKind::Hertz), Sharing::Average, SchemeKind::NoSquish),
        (periodic(), plain(LawKind::Hertz), Sharing::Sum, SchemeKind::KickRotateKick),
        (Domain::open(), plain(LawKind::Linear), Sharing::Sum, SchemeKind::ImprovedPcdm),
        (periodic(), plain(LawKind::HertzMindlin), Sharing::Sum, SchemeKind::Johnson),
    ];
    for (domain, contact, sharing, rotation) in cases {
        let world = busy_world(domain);
        let base = Settings { contact, sharing, rotation: rotation.into(), ..single() };
        let case = format!("{} with {}, {sharing:?}", rotation.name(), contact.law.name());
        let parts = |settings: Settings, shuffled: Option<u64>, restart: bool| {
            let mut engine = engine(&world, &settings);
            if let Some(seed) = shuffled {
                engine.shuffle_rows(seed);
            }
            let mut states = Vec::new();
            for part in 0..3 {
                advance(&mut engine, 100);
                if part == 0 {
                    edit(&mut engine);
                }
                let bytes = engine.save().to_bytes();
                states.push((state(&engine), bytes.clone()));
                if restart {
                    engine = crate::crowds::engine(&world, &settings);
                    engine.restore(&SavedState::from_bytes(&bytes, &world).unwrap()).unwrap();
                }
            }
            assert!(engine.contact_count() > 10, "{case}: {} contacts", engine.contact_count());
            states
        };
        let expected = parts(base.clone(), None, false);
        let compare = |found: Vec<State>, how: &str| {
            for (expected, found) in expected.iter().zip(found) {
                assert_same(&expected.0, &found.0, &format!("{case}, {how}"));
                assert!(expected.1 == found.1, "{case}, {how}: bytes");
            }
        };
        for threads in [1, 2, 3] {
            let settings = Settings { threads, ..base.clone() };
            compare(parts(settings.clone(), None, true), &format!("restarted on {threads} threads"));
            compare(parts(settings, Some(7), false), &format!("shuffled on {threads} threads"));
        }
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            let settings = Settings { instruction_set: Some(set), ..base.clone() };
            compare(parts(settings, None, false), &format!("{set:?}"));
        }
    }
}

#[test]
fn the_skin_changes_nothing() {
    let world = busy_world(periodic());
    let ends = [Some(THIN_SKIN), Some(1e-3), None].map(|skin| {
        let mut engine = engine(&world, &Settings { contact: RESISTING, skin, ..single() });
        advance(&mut engine, 300);
        (state(&engine), engine.stage_times().builds)
    });
    assert!(ends[0].1 > 10 * ends[2].1);
    for (end, _) in &ends[1..] {
        assert_same(&ends[0].0, end, "skins");
    }
}

#[test]
fn what_is_computed_are_numbers_that_f32_has_and_sums_over_steps_are_not() {
    #[allow(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
    let is_single = |x: &f64| f64::from(*x as f32).to_bits() == x.to_bits();
    for rotation in SCHEMES {
        let world = busy_world(Domain::open());
        let settings = Settings { contact: RESISTING, rotation: rotation.into(), ..single() };
        let mut engine = engine(&world, &settings);
        for _ in 0..2 {
            for body in engine.bodies() {
                assert!(body.orientation.to_array().iter().all(is_single), "{}", rotation.name());
            }
            advance(&mut engine, 150);
        }
        assert!(engine.contacts().iter().all(|contact| contact.force.to_array().iter().all(is_single)));
        for vector in [|body: BodyState| body.position, |body: BodyState| body.velocity] {
            let sums = engine.bodies().into_iter().map(vector).flat_map(LabVec::to_array);
            assert!(sums.filter(is_single).count() < 30);
        }
    }
}

/// Two balls that collide at an angle, seen at every step: relative position, and the normal force.
fn collision(at: LabVec<f64>, precision: Precision) -> Vec<(LabVec<f64>, LabVec<f64>)> {
    let mut world = crate::common::world(
        Material::new("gel", 1100.0, 2e6, 0.4),
        PairProperties::new(0.6, 0.3).with_rolling(0.05, 0.2).with_twisting(0.1),
    );
    let ball = add_clump(&mut world, &lopsided());
    world.add_body(Body::at(ball, at + X * 0.036 + Z * 0.004).moving(X * -0.5).spinning(Z * 30.0));
    world.add_body(Body::at(ball, at).spinning(X * 20.0));
    let settings = Settings { contact: RESISTING, precision, ..Settings::new(2e-6) };
    let mut engine = Engine::new(world, settings).unwrap();
    let mut seen = Vec::new();
    for _ in 0..6000 {
        engine.advance(1).unwrap();
        let bodies = engine.bodies();
        seen.push((bodies[0].position - bodies[1].position, bodies[0].force));
    }
    assert!(seen.iter().filter(|(_, force)| force.norm() > 0.0).count() > 500);
    seen
}

/// The largest differences of relative positions and forces, each in parts of the largest value.
fn apart(a: &[(LabVec<f64>, LabVec<f64>)], b: &[(LabVec<f64>, LabVec<f64>)]) -> [f64; 2] {
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(0.0, f64::max);
    let place = largest(&mut a.iter().zip(b).map(|(a, b)| (a.0 - b.0).norm()));
    let force = largest(&mut a.iter().zip(b).map(|(a, b)| (a.1 - b.1).norm()));
    [place / largest(&mut a.iter().map(|a| a.0.norm())), force / largest(&mut a.iter().map(|a| a.1.norm()))]
}

#[test]
fn a_kilometre_from_the_origin_a_collision_is_the_same() {
    let here = collision(LabVec::zero(), Precision::Single);
    let far = collision(v(1000.0, -700.0, 300.0), Precision::Single);
    let exact = collision(LabVec::zero(), Precision::Double);
    let ([place, force], [off, off_force]) = (apart(&here, &far), apart(&exact, &here));
    assert!(place < 1e-5 && force < 1e-3, "far from here: {place:e} {force:e}");
    assert!(off < 1e-5 && off_force < 1e-3, "single from double: {off:e} {off_force:e}");
    // It is single precision that is measured.
    assert!(off > 1e-9, "{off:e}");
}

#[test]
fn states_of_the_other_precision_are_refused() {
    let world = busy_world(Domain::open());
    let of = |precision| engine(&world, &Settings { precision, ..settings() });
    for (from, to) in [(Precision::Single, Precision::Double), (Precision::Double, Precision::Single)] {
        let saved = SavedState::from_bytes(&of(from).save().to_bytes(), &world).unwrap();
        let error = of(to).restore(&saved).unwrap_err();
        assert!(matches!(error, Error::Mismatch { .. }), "{error:?}");
        let expected =
            format!("computed in {} precision, and this engine computes in {}", from.name(), to.name());
        assert!(error.to_string().contains(&expected), "{error}");
    }
}

/// A ball that falls onto a floor: the ratio of speeds after and before.
fn rebound(radius: f64, density: f64, rotation: SchemeKind, precision: Precision) -> Result<f64, Error> {
    let mut world = World::default();
    let gel = world.materials.add(Material::new("gel", density, 2e6, 0.4)).unwrap();
    world.materials.set_default(PairProperties::new(0.6, 0.3).with_rolling(0.05, 0.2).with_twisting(0.1));
    let ball = add_sphere(&mut world, radius);
    add_floor(&mut world, gel, Motion::fixed());
    let contact = RESISTING;
    let mass = world.templates[0].mass(density, 1.0);
    let speed = 0.5;
    let time = contact.law.contact_time(&world.materials, (gel, gel), (radius, mass), speed).unwrap();
    let dt = time / 200.37;
    let spin = X * (0.2 * speed / radius) + Z * (0.4 * speed / radius);
    world.add_body(
        Body::at(ball, Z * (radius + 1.4 * speed * dt)).moving(Z * -speed + X * (0.1 * speed)).spinning(spin),
    );
    let settings = Settings { contact, rotation: rotation.into(), precision, ..Settings::new(dt) };
    let mut engine = Engine::new(world, settings)?;
    advance_through_contact(&mut engine);
    Ok(engine.bodies()[0].velocity.z / speed)
}

/// Within the bounds single precision has room for everything that is computed, whatever the scheme; beyond them the world
/// is refused by name.
#[test]
fn sizes_that_single_precision_has_no_room_for_are_refused() {
    let kinds = SchemeKind::ALL.iter().copied().filter(|kind| kind.info().torque_times.len() == 1);
    for kind in kinds {
        for (radius, density) in [(7e-6, 1500.0), (5e-3, 1100.0), (120.0, 2500.0)] {
            let [single, double] =
                [Precision::Single, Precision::Double].map(|p| rebound(radius, density, kind, p).unwrap());
            let off = (single / double - 1.0).abs();
            assert!(off < 2e-5, "{} at {radius} m: {single} in single, {double} in double", kind.name());
        }
    }
    for (radius, density) in [(3e-6, 1500.0), (1e4, 2500.0)] {
        let error = rebound(radius, density, SchemeKind::MagnusLeapfrog, Precision::Single).unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        let message = error.to_string();
        assert!(message.contains("body 0") && message.contains("in single precision"), "{message}");
        assert!(rebound(radius, density, SchemeKind::MagnusLeapfrog, Precision::Double).is_ok());
    }
    let mut engine = engine(&busy_world(Domain::open()), &single());
    let tiny = Body::at(TemplateId(0), v(0.06, 0.06, 0.02)).scaled(1e-4);
    let error = engine.add_bodies(&[tiny]).unwrap_err().to_string();
    assert!(error.contains("added body 0") && error.contains("in single precision"), "{error}");
}
