//! Guarantee: a run that is continued from a saved state, in a fresh engine and on another number of threads,
//! has the same bits as one that was never interrupted: springs of contacts, memories of rotation schemes, the
//! order of rows and the time of the next neighbour search are all part of the state. A state of another world
//! is refused.

use crate::crowds::{THIN_SKIN, advance, assert_same, busy_world, engine, plane, settings, state, v};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::random::Random;
use tumble_dem::wall::Movement;
use tumble_dem::{Body, Engine, Error, MaterialId, SchemeKind, Settings, Sharing, TemplateId, World};

/// Runs without a break, and through a chain of engines that each go on from the last one's saved state.
pub(crate) fn goes_on(world: &World, base: &Settings, saves: &[u64], end: u64, case: &str) -> Engine {
    let mut whole = engine(world, base);
    advance(&mut whole, end);
    let mut part = engine(world, base);
    for (link, &save) in saves.iter().enumerate() {
        let steps = save - part.steps();
        advance(&mut part, steps);
        let saved = part.save();
        assert!((saved.time() - part.time()).abs() == 0.0, "{case}");
        let threads = [3, 1, 2, 8][link % 4];
        let mut next = engine(world, &Settings { threads, ..base.clone() });
        next.restore(&saved).unwrap();
        assert_same(&state(&part), &state(&next), &format!("{case}: just restored at step {save}"));
        part = next;
    }
    let steps = end - part.steps();
    advance(&mut part, steps);
    assert_same(&state(&whole), &state(&part), &format!("{case}: saved at {saves:?}"));
    whole
}

#[test]
fn every_kind_of_scheme_and_law() {
    let world = busy_world(Domain::open());
    let resisting = ContactModel {
        law: LawKind::HertzMindlin,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let plain = |law| ContactModel { law, ..ContactModel::default() };
    let cases = [
        (SchemeKind::SpiralLeapfrog, plain(LawKind::Hertz), Sharing::Sum),
        (SchemeKind::MagnusLeapfrog, resisting, Sharing::Sum),
        (SchemeKind::KickRotateKick, plain(LawKind::Linear), Sharing::Average),
        (SchemeKind::Fincham, plain(LawKind::HertzMindlin), Sharing::Average),
        (SchemeKind::Johnson, resisting, Sharing::Sum),
        (SchemeKind::ImprovedPcdm, plain(LawKind::HertzMindlin), Sharing::Sum),
    ];
    let mut random = Random::new(4);
    for (rotation, contact, sharing) in cases {
        let base =
            Settings { rotation: rotation.into(), contact, sharing, skin: Some(THIN_SKIN), ..settings() };
        let mut saves: Vec<u64> = (0..4).map(|_| 1 + random.bits() % 340).collect();
        saves.extend([0, 350]);
        saves.sort_unstable();
        let whole = goes_on(&world, &base, &saves, 400, rotation.name());
        assert!(whole.stage_times().builds > 100 && whole.contact_count() > 20, "{}", rotation.name());
    }
}

/// The step before a build, the one of the build, and the one after.
#[test]
fn around_a_build_of_the_lists() {
    let axis = Axis::Periodic { low: 0.0, high: 0.12 };
    for domain in [Domain::open(), Domain::of([axis, axis, Axis::Open])] {
        let world = busy_world(domain);
        let mut probe = engine(&world, &settings());
        let mut builds = Vec::new();
        while builds.len() < 3 {
            let before = probe.stage_times().builds;
            advance(&mut probe, 1);
            if probe.stage_times().builds > before {
                builds.push(probe.steps());
            }
        }
        let saves: Vec<u64> = builds.iter().flat_map(|&step| [step - 1, step, step + 1]).collect();
        goes_on(&world, &settings(), &saves, 300, "around a build");
    }
}

/// The bound on how far a turning wall may have moved depends on where the bodies are; the next build must
/// come at the same step all the same, or bodies would come back from beyond a periodic end at another one.
#[test]
fn with_a_floor_that_rocks() {
    let axis = Axis::Periodic { low: 0.0, high: 0.04 };
    let mut world = crate::crowds::world();
    world.domain = Domain::of([axis, Axis::Open, Axis::Open]);
    for i in 0..8 {
        let (y, speed) = (0.02 * f64::from(i), 1.0 + 0.1 * f64::from(i));
        world.add_body(Body::at(TemplateId(0), v(0.02, y, 0.1)).moving(v(speed, 0.2 * speed, 0.0)));
    }
    let (axis, pivot) = (v(0.0, 1.0, 0.0), v(0.02, 0.0, 0.0));
    let rocking = Movement::Rocking { axis, pivot, amplitude: 0.1, frequency: 50.0, phase: 0.0 };
    world.walls = vec![plane("floor", pivot, v(0.0, 0.0, 1.0), vec![rocking])];
    let base = Settings { skin: Some(4e-3), dt: 1e-6, ..settings() };
    let mut random = Random::new(0);
    let mut saves: Vec<u64> = (0..8).map(|_| random.bits() % 40_000).collect();
    saves.sort_unstable();
    let whole = goes_on(&world, &base, &saves, 40_000, "rocking floor");
    assert!(whole.stage_times().builds > 20, "{} builds", whole.stage_times().builds);
}

#[test]
fn an_engine_can_go_back_to_its_own_past() {
    let world = busy_world(Domain::open());
    let mut engine = engine(&world, &settings());
    advance(&mut engine, 120);
    let saved = engine.save();
    advance(&mut engine, 130);
    let expected = state(&engine);
    engine.restore(&saved).unwrap();
    assert_eq!(engine.steps(), 120);
    advance(&mut engine, 130);
    assert_same(&expected, &state(&engine), "gone back");
}

/// What the state of one world says to the engine of another.
fn refusal(world: &World, settings: &Settings, other: &World, other_settings: &Settings) -> String {
    let mut source = engine(world, settings);
    advance(&mut source, 10);
    let mut target = engine(other, other_settings);
    let before = state(&target);
    let error = target.restore(&source.save()).expect_err("the state does not fit");
    assert!(matches!(error, Error::Mismatch { .. }), "{error:?}");
    assert_same(&before, &state(&target), "refused, so nothing changed");
    error.to_string()
}

#[test]
fn a_state_of_another_world_is_refused() {
    let world = busy_world(Domain::open());
    let base = settings();
    let prefix = "the saved state does not fit this world: ";

    let mut more_walls = world.clone();
    more_walls.walls.push(plane("far", v(0.0, 0.0, -1.0), v(0.0, 0.0, 1.0), Vec::new()));
    let text = refusal(&world, &base, &more_walls, &base);
    assert_eq!(text, format!("{prefix}it has another number of walls"));

    let mut fewer_templates = world.clone();
    fewer_templates.templates.pop();
    fewer_templates.bodies.retain(|body| body.template.0 < 3);
    let text = refusal(&world, &base, &fewer_templates, &base);
    assert_eq!(text, format!("{prefix}it has other templates"));

    let text = refusal(&world, &base, &world, &Settings { dt: 2e-5, ..base.clone() });
    assert_eq!(text, format!("{prefix}it has another time step"));

    for (from, to) in [
        (SchemeKind::MagnusLeapfrog, SchemeKind::Fincham),
        (SchemeKind::Johnson, SchemeKind::MagnusLeapfrog),
        (SchemeKind::Johnson, SchemeKind::Fincham),
        // Both remember nothing, but the state is that of other instants.
        (SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick),
        (SchemeKind::KickRotateKick, SchemeKind::ImprovedPcdm),
    ] {
        let with = |rotation: SchemeKind| Settings { rotation: rotation.into(), ..base.clone() };
        let text = refusal(&world, &with(from), &world, &with(to));
        let names = format!("'{}', and this engine has '{}'", from.name(), to.name());
        assert_eq!(text, format!("{prefix}it has another rotation scheme, {names}"));
    }

    let hertz = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    let text = refusal(&world, &base, &world, &Settings { contact: hertz, ..base.clone() });
    let names = "'hertz-mindlin' with rolling 'none' and twisting 'none', and this engine has 'hertz' with rolling 'none' \
                 and twisting 'none'";
    assert_eq!(text, format!("{prefix}it has another contact model, {names}"));

    let mut one_material = world.clone();
    one_material.materials = tumble_dem::material::Materials::default();
    one_material.materials.add(world.materials.as_slice()[0].clone()).unwrap();
    one_material
        .materials
        .set_default(world.materials.properties(MaterialId(0), MaterialId(0)).unwrap().clone());
    one_material.bodies.iter_mut().for_each(|body| body.material = MaterialId(0));
    one_material.walls.iter_mut().for_each(|wall| wall.material = MaterialId(0));
    let text = refusal(&world, &base, &one_material, &base);
    assert_eq!(text, format!("{prefix}it has another number of materials"));
}
