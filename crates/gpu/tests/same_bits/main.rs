//! Guarantee: steps that a device does have the bits of those that the processor does, whatever the world, and either goes on from
//! what the other saved. Devices are the emulated one, with several orders of blocks and threads, and a card where there is one.

mod features;
#[path = "../../../dem/tests/range/laws.rs"]
mod laws;
mod pieces;
mod worlds;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tumble_dem::clump::{ClumpHull, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::wall::{Motion, Shape, Wall};
use tumble_dem::{Change, Engine, LabVec, MaterialId, Precision, Settings, Solver, World, fingerprint};
use tumble_gpu::device::{self, Device, DeviceError};
use tumble_gpu::{CardEngine, Declined, Refused};
use worlds::Case;

type Failure = Box<dyn std::error::Error>;

/// Where compiled kernels are kept from one run of the tests to the next.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels")
}

#[allow(clippy::print_stderr, reason = "what was not tested has to be said")]
fn say(text: &str) {
    eprintln!("{text}");
}

/// The devices that are here.
fn devices(seeds: core::ops::Range<u64>) -> Result<Vec<Arc<dyn Device>>, DeviceError> {
    let mut devices: Vec<Arc<dyn Device>> = Vec::new();
    for seed in seeds {
        match device::emulated(&folder(), seed) {
            Err(DeviceError::NoCompiler { tried }) => {
                say(&format!("not tested: none of {tried:?} can be run"));
            }
            other => devices.push(other?),
        }
    }
    devices.extend(device::cuda(0, Some(&folder())).ok());
    Ok(devices)
}

fn engine(world: &World, settings: &Settings) -> Result<Engine, Failure> {
    Ok(Engine::new(world.clone(), settings.clone())?)
}

/// That two have the same bits: what differs first is shown.
fn assert_same(expected: &dyn Solver, found: &dyn Solver, of: &str) {
    let (own, others) = (expected.bodies(), found.bodies());
    let first = own.iter().zip(&others).find(|(a, b)| a != b);
    assert!(first.is_none(), "{of}: {first:#?}");
    let (own, others) = (expected.contacts(), found.contacts());
    assert_eq!(own.len(), others.len(), "{of}, contacts");
    let first = own.iter().zip(&others).find(|(a, b)| a != b);
    assert!(first.is_none(), "{of}: {first:#?}");
    assert_eq!(expected.ledger(), found.ledger(), "{of}");
    assert_eq!(expected.walls(), found.walls(), "{of}");
    assert_eq!(expected.surfaces(), found.surfaces(), "{of}");
    assert_eq!(fingerprint::of(expected), fingerprint::of(found), "{of}");
    assert!(expected.save_bytes() == found.save_bytes(), "{of}: saved bytes differ");
}

/// Compares a device with the processor, after some steps and again after as many.
fn compare(Case { name, world, settings, steps }: &Case, device: &Arc<dyn Device>) -> Result<(), Failure> {
    let mut expected = engine(world, settings)?;
    let mut on_card = CardEngine::new(engine(world, settings)?, device.clone())?;
    let (mut contacts, mut by_processor) = (0, 0);
    for part in 1..=2 {
        Solver::advance(&mut expected, *steps)?;
        on_card.advance(*steps)?;
        assert_same(&expected, &on_card, &format!("{name} on {}, part {part}", device.name()));
        contacts += Solver::counts(&expected).contacts;
        by_processor = part * steps - on_card.steps_by_device();
    }
    assert!(contacts > 0, "{name}: nothing touches");
    // Some looks at resistances are the processor's.
    assert!(by_processor <= 1, "{name}: the processor did {by_processor} steps");
    Ok(())
}

fn compare_all(cases: &[Case]) -> Result<(), Failure> {
    for case in cases {
        for device in devices(0..1)? {
            compare(case, &device)?;
        }
    }
    Ok(())
}

#[test]
fn domains_and_means() -> Result<(), Failure> {
    compare_all(&worlds::domains()?)
}

#[test]
fn walls_of_few_parts_at_rest_and_in_motion() -> Result<(), Failure> {
    compare_all(&worlds::walls()?)
}

#[test]
fn several_models_in_one_world() -> Result<(), Failure> {
    compare_all(&worlds::several_models()?)
}

#[test]
fn fields_and_held_bodies() -> Result<(), Failure> {
    compare_all(&features::held_and_fields()?)
}

#[test]
fn meshes_and_what_bears_on_them() -> Result<(), Failure> {
    compare_all(&features::meshes()?)
}

#[test]
fn single_precision_has_its_own_bits_on_either() -> Result<(), Failure> {
    let cases = [
        worlds::domains()?,
        worlds::walls()?,
        worlds::several_models()?,
        features::held_and_fields()?,
        features::meshes()?,
        features::beyond_touch()?,
        pieces::capsules()?,
        pieces::ellipsoids()?,
    ];
    let single = |case: Case| {
        let settings = Settings { precision: Precision::Single, ..case.settings };
        Case { name: format!("{} in single precision", case.name), settings, ..case }
    };
    compare_all(&cases.into_iter().flatten().map(single).collect::<Vec<_>>())
}

#[test]
fn capsules_alone_and_with_spheres() -> Result<(), Failure> {
    compare_all(&pieces::capsules()?)
}

#[test]
fn ellipsoids_with_spheres_and_capsules() -> Result<(), Failure> {
    compare_all(&pieces::ellipsoids()?)
}

#[test]
fn what_is_too_much_for_a_card_the_processor_does() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let settings = Settings { surface_interval: Some(100), ..worlds::settings() };
        let world = features::tiny_triangles()?;
        let mut expected = engine(&world, &settings)?;
        let mut on_card = CardEngine::new(engine(&world, &settings)?, device)?;
        Solver::advance(&mut expected, 120)?;
        on_card.advance(120)?;
        assert_same(&expected, &on_card, "on tiny triangles");
        let by_device = on_card.steps_by_device();
        assert!(by_device > 10 && by_device < 110, "the device did {by_device} steps");
    }
    Ok(())
}

#[test]
fn laws_that_act_beyond_touch() -> Result<(), Failure> {
    compare_all(&features::beyond_touch()?)
}

#[test]
fn fields_of_all_bodies_are_asked_by_the_host() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let (world, settings) = (worlds::boxed(2)?, worlds::settings());
        let mut solvers: [Box<dyn Solver>; 2] = [
            Box::new(engine(&world, &settings)?),
            Box::new(CardEngine::new(engine(&world, &settings)?, device)?),
        ];
        for solver in &mut solvers {
            solver.advance(50)?;
            solver.add_batch_field(features::chain())?;
            solver.advance(100)?;
        }
        assert_same(&*solvers[0], &*solvers[1], "with a field of all bodies");
        for solver in &mut solvers {
            solver.advance(100)?;
        }
        assert_same(&*solvers[0], &*solvers[1], "with a field of all bodies, later");
    }
    Ok(())
}

#[test]
fn schemes_and_models_the_first_half() -> Result<(), Failure> {
    let cases = worlds::models()?;
    compare_all(&cases[..cases.len() / 2])
}

#[test]
fn schemes_and_models_the_second_half() -> Result<(), Failure> {
    let cases = worlds::models()?;
    compare_all(&cases[cases.len() / 2..])
}

#[test]
fn the_order_of_blocks_and_threads_is_of_no_consequence() -> Result<(), Failure> {
    let case =
        Case { name: "in a box".into(), world: worlds::boxed(3)?, settings: worlds::settings(), steps: 250 };
    devices(1..4)?.iter().try_for_each(|device| compare(&case, device))
}

#[test]
fn a_new_order_of_rows_comes_in_time() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let world = worlds::boxed(1)?;
        let mut expected = engine(&world, &worlds::settings())?;
        let mut on_card = CardEngine::new(engine(&world, &worlds::settings())?, device)?;
        Solver::advance(&mut expected, 2300)?;
        on_card.advance(2300)?;
        assert_same(&expected, &on_card, "after 2300 steps");
        assert_eq!(on_card.steps_by_device(), 2300);
    }
    Ok(())
}

#[test]
fn either_goes_on_from_what_the_other_saved() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let (world, settings) = (worlds::boxed(2)?, worlds::settings());
        let on_card = || Ok::<_, Failure>(CardEngine::new(engine(&world, &settings)?, device.clone())?);
        let mut expected = engine(&world, &settings)?;
        let (mut first, mut second, mut third) = (on_card()?, engine(&world, &settings)?, on_card()?);
        first.advance(150)?;
        second.restore_bytes(&first.save_bytes())?;
        Solver::advance(&mut second, 150)?;
        third.restore_bytes(&second.save_bytes())?;
        third.advance(150)?;
        Solver::advance(&mut expected, 450)?;
        assert_same(&expected, &third, "to and fro");
    }
    Ok(())
}

#[test]
fn changes_by_hand_are_seen() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let (world, settings) = (worlds::boxed(2)?, worlds::settings());
        let mut solvers: [Box<dyn Solver>; 2] = [
            Box::new(engine(&world, &settings)?),
            Box::new(CardEngine::new(engine(&world, &settings)?, device)?),
        ];
        for solver in &mut solvers {
            solver.advance(100)?;
            let ids: Vec<_> = solver.bodies().iter().map(|body| body.id).collect();
            solver.remove_bodies(&ids[3..5])?;
            let velocity = Some(LabVec::new(0.0, 2.0, 0.0));
            solver.change_bodies(&[Change { velocity, ..Change::of(ids[7]) }])?;
            solver.add_bodies(&[world.bodies[3]])?;
            solver.advance(150)?;
        }
        assert_same(&*solvers[0], &*solvers[1], "after changes");
    }
    Ok(())
}

#[test]
fn what_goes_wrong_is_told_as_the_processor_tells_it() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let mut world = worlds::boxed(2)?;
        world.bodies[5].velocity = LabVec::new(0.0, 0.0, -300.0);
        let settings = worlds::settings();
        let expected = Solver::advance(&mut engine(&world, &settings)?, 200);
        let mut on_card = CardEngine::new(engine(&world, &settings)?, device)?;
        let found = on_card.advance(200);
        let tell = |result: Result<(), tumble_dem::Error>| result.map_err(|error| error.to_string());
        let expected = tell(expected);
        assert!(expected.is_err());
        assert_eq!(tell(found), expected);
    }
    Ok(())
}

#[test]
fn whoever_goes_through_a_thin_wall_is_noticed() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let (world, settings) = (worlds::shot_at_a_sheet()?, worlds::settings());
        let expected = Solver::advance(&mut engine(&world, &settings)?, 200);
        let found = CardEngine::new(engine(&world, &settings)?, device)?.advance(200);
        let [expected, found] = [expected, found].map(|result| result.map_err(|error| error.to_string()));
        assert!(expected.as_ref().is_err_and(|told| told.contains("funnel")), "{expected:?}");
        assert_eq!(found, expected);
    }
    Ok(())
}

#[test]
fn what_a_card_cannot_do_is_refused_by_name() -> Result<(), Failure> {
    for device in devices(0..1)? {
        let mut world = worlds::boxed(1)?;
        let refused = |world: &World, settings: &Settings| -> Result<String, Failure> {
            match CardEngine::new(engine(world, settings)?, device.clone()) {
                Err(Declined { engine, reason: reason @ Refused::Beyond(_) }) => {
                    assert_eq!(engine.body_count(), world.bodies.len(), "it is given back");
                    Ok(reason.to_string())
                }
                other => Err(format!("{other:?}").into()),
            }
        };
        let own = Shape::of(features::OwnShape);
        world.walls.push(Wall::new("dune", own, MaterialId(0), Motion::fixed())?);
        assert!(refused(&world, &worlds::settings())?.contains("the shape of the wall 'dune'"));
        world.walls.pop();
        let die = ClumpHull::cuboid([0.02; 3], 2e-3);
        let pieces = ClumpPieces { hulls: &[die], ..ClumpPieces::default() };
        world.add_template(ClumpTemplate::of("die", pieces, MassModel::Union)?)?;
        assert!(refused(&world, &worlds::settings())?.contains("templates with boxes or hulls"));
    }
    Ok(())
}
