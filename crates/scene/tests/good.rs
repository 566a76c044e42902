//! Scenes that are right: they build, run, and read back from their own effective form.

use tumble_dem::Engine;
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, HEAT_SOURCE};
use tumble_scene::{Scene, SceneText};

#[test]
fn good_scenes_build_and_take_steps() {
    for path in crate::common::scenes("good") {
        let scene = Scene::read(&path).unwrap_or_else(|problems| panic!("{problems}"));
        let built = scene.build(Some(1)).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(built.settings.dt > 0.0 && built.settings.dt.is_finite());
        assert_eq!(built.settings.threads, 1);
        let mut engine = Engine::new(built.world, built.settings).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        engine.advance(10).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        assert!(engine.ledger().mechanical().is_finite());
    }
}

#[test]
fn effective_scenes_read_back_to_the_same_scene_and_world() {
    for path in crate::common::scenes("good") {
        let scene = Scene::read(&path).unwrap();
        let again = |text: String| {
            let text = SceneText::new(path.display().to_string(), text).in_folder(path.parent().unwrap());
            Scene::parse(text).unwrap_or_else(|problems| panic!("{problems}"))
        };
        assert_eq!(again(scene.effective()), scene, "{path:?}");
        // As it is run: with the time step in numbers, and the same bits of every body.
        let built = scene.build(Some(1)).unwrap();
        let as_run = again(built.effective());
        assert_eq!(as_run, built.scene, "{path:?}");
        assert_eq!(as_run.effective(), built.effective());
        let rebuilt = as_run.build(Some(1)).unwrap();
        assert_eq!(rebuilt.world.bodies, built.world.bodies);
        assert_eq!(rebuilt.world.templates, built.world.templates);
        assert_eq!(rebuilt.world.walls, built.world.walls);
        assert_eq!(rebuilt.settings, built.settings);
        assert_eq!(
            (rebuilt.steps, &rebuilt.output, &rebuilt.streams),
            (built.steps, &built.output, &built.streams)
        );
    }
}

#[test]
fn a_scene_moved_elsewhere_still_finds_its_files() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("everything.toml")).unwrap();
    let scene = Scene::read(&path).unwrap();
    let elsewhere = Scene::parse(SceneText::new("elsewhere", scene.effective_elsewhere())).unwrap();
    let bodies =
        |scene: &Scene| scene.build(Some(1)).unwrap_or_else(|problems| panic!("{problems}")).world.bodies;
    assert_eq!(bodies(&elsewhere), bodies(&scene));
    assert_eq!(elsewhere.keys.output.folder, scene.keys.output.folder);
}

#[test]
fn another_seed_places_bodies_elsewhere_and_the_same_seed_does_not() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("everything.toml")).unwrap();
    let bodies = |seed: &str| {
        let text = SceneText::read(&path).unwrap().set("seed", seed);
        Scene::parse(text).unwrap().build(Some(1)).unwrap().world.bodies
    };
    assert_eq!(bodies("5"), bodies("5"));
    assert_ne!(bodies("5")[0].position, bodies("6")[0].position);
    // The lattice is where it was.
    assert_eq!(bodies("5")[20], bodies("6")[20]);
}

/// Orientations turn a shape from the way it is drawn, not from its principal axes.
#[test]
fn shapes_stand_as_they_are_drawn() {
    let text = r#"
        version = 1
        run = { dt = 1e-6, steps = 1 }
        materials.wood = { density = 700, young = 1e8, poisson = 0.3 }
        pair = {}
        templates.king = { shape = "king" }
        bodies = [
            { template = "king", at = [0, 0, 0] },
            { template = "king", at = [1, 0, 0], orientation = { axis = [0, 2, 0], angle = "90 deg" } },
        ]
    "#;
    let world = Scene::parse(SceneText::new("kings", text)).unwrap().build(Some(1)).unwrap().world;
    let extent = |body: usize, axis: usize| {
        let body = &world.bodies[body];
        let ends = world.templates[0].spheres().iter().map(|sphere| {
            let centre = body.orientation.to_lab(sphere.centre).to_array()[axis];
            [centre - sphere.radius, centre + sphere.radius]
        });
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], [a, b]| [low.min(a), high.max(b)])
    };
    let [low, high] = extent(0, 2);
    assert!((high - low - 0.095).abs() < 1e-9, "a king stands along z, but reaches from {low} to {high}");
    assert!(high > -low, "its base is the heavier end");
    let [low, high] = extent(1, 0);
    assert!((high - low - 0.095).abs() < 1e-9 && high > -low, "turned about y, it points along x");
}

#[test]
fn bonds_are_made_between_the_bodies_that_a_scene_means() {
    let path = crate::common::scenes("good").into_iter().find(|path| path.ends_with("bonds.toml")).unwrap();
    let bonds = Scene::read(&path).unwrap().build(Some(1)).unwrap().world.bonds;
    // Seven sides of a lattice of three by two balls, the two that are listed, and two rows of a file.
    let pairs: Vec<[u32; 2]> = bonds.iter().map(|bond| bond.bodies.map(|id| id.0)).collect();
    assert_eq!(pairs.len(), 10);
    assert_eq!(pairs[7..], [[6, 7], [0, 6], [1, 6]]);
    assert!(pairs[..7].iter().all(|[a, b]| a < b && *b < 6));
    // As their keys say: EA/a, and what never breaks.
    let axial = 50e6 * core::f64::consts::PI * 0.0025 * 0.0025 / 0.01;
    assert!(
        bonds[..7].iter().all(|bond| (bond.stiffness.axial / axial - 1.0).abs() < 1e-12 && !bond.contact)
    );
    assert!(bonds[7].contact && bonds[7].limits.tension.is_infinite() && bonds[7].limits.twist.is_finite());
    let strengths: std::collections::BTreeSet<u64> =
        bonds[..7].iter().map(|bond| bond.limits.tension.to_bits()).collect();
    assert_eq!(strengths.len(), 7, "each draws its own");
    // What a row has of its own, and else what the entry says: pull over cross-section.
    let pulls = |radius: f64, stress: f64| core::f64::consts::PI * radius * radius * stress;
    let [.., thin, strong] = &bonds[..] else { unreachable!("there are ten") };
    assert!((thin.limits.tension / pulls(1e-3, 1e6) - 1.0).abs() < 1e-12);
    assert!((strong.limits.tension / pulls(2.5e-3, 2e6) - 1.0).abs() < 1e-12);
    assert!(thin.contact && strong.limits.shear.is_infinite());
}

/// k̄ₙA and k̄ₛA with k̄ₙ = E/a, and strengths at the rim of the disc, which lies where the two touch.
#[test]
fn parallel_bonds_are_as_wide_as_the_smaller_grain() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("bonds_parallel.toml")).unwrap();
    let bonds = Scene::read(&path).unwrap().build(Some(1)).unwrap().world.bonds;
    let [bond] = bonds[..] else { panic!("{bonds:?}") };
    let tumble_dem::bond::BondKind::Parallel { at } = bond.kind else { panic!("{bond:?}") };
    assert!((at - 0.4).abs() < 1e-12 && bond.contact);
    let area = core::f64::consts::PI * 0.004 * 0.004;
    assert!((bond.stiffness.axial / (50e6 / 0.01 * area) - 1.0).abs() < 1e-12);
    assert!((bond.stiffness.axial / bond.stiffness.shear - 2.5).abs() < 1e-12);
    assert!((bond.limits.tension / (1e6 * area) - 1.0).abs() < 1e-12);
    assert!((bond.limits.bending / bond.limits.tension / (0.004 / 4.0) - 1.0).abs() < 1e-12);
    assert!((bond.limits.twist / bond.limits.shear / (0.004 / 2.0) - 1.0).abs() < 1e-12);
}

/// EA/a between the centres of bricks, as wide as half the sphere of a brick's volume; and who is bonded where they touch.
#[test]
fn bonds_of_pieces_and_bonds_by_touch_are_those_that_a_scene_means() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("bonds_touch.toml")).unwrap();
    let world = Scene::read(&path).unwrap().build(Some(1)).unwrap().world;
    let pairs: Vec<[u32; 2]> = world.bonds.iter().map(|bond| bond.bodies.map(|id| id.0)).collect();
    assert_eq!(pairs, [[0, 1], [2, 3]]);
    let pi = core::f64::consts::PI;
    let radius = 0.5 * tumble_math::elementary::cbrt(0.75 / pi * world.templates[0].volume());
    let length = (0.01_f64 * 0.01 + 0.007 * 0.007).sqrt();
    assert!((world.bonds[0].stiffness.axial / (50e6 * pi * radius * radius / length) - 1.0).abs() < 1e-9);
    assert!(
        (world.bonds[1].arms[0].x - 0.01).abs() < 1e-12 && (world.bonds[1].arms[1].x + 0.01).abs() < 1e-12
    );
    let [first, second] = &world.touch_bonds[..] else { panic!("{:?}", world.touch_bonds) };
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    assert!(close(first.from, 1e-5) && close(first.until, 4e-5));
    assert_eq!(first.among.as_deref(), Some(&[3..4, 4..5, 5..6][..]));
    assert_eq!(first.between.map(|both| both.map(|id| id.0)), Some([1, 0]));
    assert!(first.rule.weibull.is_some() && first.rule.strength.shear.is_infinite() && !first.rule.contact);
    assert!(second.rule.contact && second.until.is_infinite() && second.among.is_none());
    assert!(matches!(second.rule.making, tumble_dem::bond::Making::Parallel { .. }));
}

/// A capsule is a cylinder and a ball: V = πr²L + 4/3 πr³, and about its own axis J/ρ = πr⁴L/2 + 8/15 πr⁵.
#[test]
fn capsules_of_scenes_have_the_mass_of_cylinder_and_ball() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("capsules.toml")).unwrap();
    let world = Scene::read(&path).unwrap().build(Some(1)).unwrap().world;
    // At twice the size that is given.
    let (radius, length) = (1e-3, 20e-3);
    let square = radius * radius;
    let pi = core::f64::consts::PI;
    let volume = pi * square * length + 4.0 / 3.0 * pi * square * radius;
    let about_axis = 0.5 * pi * square * square * length + 8.0 / 15.0 * pi * square * square * radius;
    let fibre = &world.templates[0];
    assert!((fibre.volume() / volume - 1.0).abs() < 1e-12);
    assert!((fibre.moments_per_density().x / about_axis - 1.0).abs() < 1e-12);
    let ends: Vec<[usize; 2]> = world.templates[1].pieces().collect();
    assert_eq!(ends, [[0, 0], [1, 2]], "a sphere, and a capsule between two more");
    assert!((world.templates[2].volume() / 90e-9 - 1.0).abs() < 1e-12, "as given");
}

#[test]
fn temperatures_are_those_that_a_scene_means() {
    let path = crate::common::scenes("good").into_iter().find(|path| path.ends_with("heat.toml")).unwrap();
    let built = Scene::read(&path).unwrap().build(Some(1)).unwrap();
    let world = built.world;
    let temperatures: Vec<f64> = world.bodies.iter().map(|body| body.temperature).collect();
    // Of one that is set, of a lattice, and of the rows of a file, which say so themselves.
    assert_eq!(temperatures, [80.0 + 273.15, 400.0, 400.0, 310.5, 290.0]);
    let heat = world.heat.unwrap();
    let around = heat.surroundings.unwrap();
    assert_eq!((around.temperature, around.coefficient, heat.dissipation), (263.15, 5.0, false));
    let of_walls: Vec<Option<f64>> =
        world.walls.iter().map(|wall| wall.temperature.as_ref().map(|own| own.at(1.0))).collect();
    assert_eq!(of_walls, [Some(293.15), Some(0.5 * (293.15 + 373.15)), None]);
    assert!((built.streams[0].inlet().choice.temperature - 363.15).abs() < 1e-12);
    let copper = &world.materials.as_slice()[0];
    let read = [&HEAT_CAPACITY, &CONDUCTIVITY, &HEAT_SOURCE].map(|property| copper.get(property).unwrap());
    assert_eq!(read.map(f64::to_bits), [385.0_f64, 400.0, 2000.0].map(f64::to_bits));
}

#[test]
fn films_are_those_that_a_scene_means() {
    let path = crate::common::scenes("good").into_iter().find(|path| path.ends_with("liquid.toml")).unwrap();
    let built = Scene::read(&path).unwrap().build(Some(1)).unwrap();
    let films: Vec<f64> = built.world.bodies.iter().map(|body| 1e9 * body.film).collect();
    // Of one that is set, of a lattice, and of the rows of a file, which say so themselves.
    let exact = [2.0, 3.0, 3.0, 4.0, 0.0];
    assert!(
        films.len() == 5 && films.iter().zip(exact).all(|(film, exact)| (film - exact).abs() < 1e-12),
        "{films:?}"
    );
    assert!((1e9 * built.streams[0].inlet().choice.film - 0.5).abs() < 1e-12);
    assert_eq!(built.world.liquid.map(|liquid| liquid.share), Some(0.3));
    let [sand, wood] = [0, 1].map(tumble_dem::MaterialId);
    let law = |a, b| built.world.materials.model(a, b).unwrap_or(built.settings.contact).law.name();
    assert_eq!([law(sand, sand), law(sand, wood)], ["film-bridge", "rabinovich"]);
}

/// V = 4/3 πabc, and about the axis of c J/ρ = V(a² + b²)/5.
#[test]
fn ellipsoids_of_scenes_have_the_mass_of_their_closed_form() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("ellipsoids.toml")).unwrap();
    let world = Scene::read(&path).unwrap().build(Some(1)).unwrap().world;
    // At twice the size that is given.
    let (a, c) = (6e-3, 2.4e-3);
    let volume = 4.0 / 3.0 * core::f64::consts::PI * a * a * c;
    let lentil = &world.templates[0];
    assert!((lentil.volume() / volume - 1.0).abs() < 1e-12);
    assert!((lentil.moments_per_density().z / (0.4 * volume * a * a) - 1.0).abs() < 1e-12);
    let bud = &world.templates[1];
    assert_eq!((bud.pieces().count(), bud.ellipsoids().next()), (2, Some([3, 4, 5, 6])));
    // Turned by 30° about x: its third semi-axis leans to −y.
    let place = |number: usize| bud.orientation().to_lab(bud.spheres()[number].centre) + bud.centre();
    let third = place(6) - place(3);
    let (sine, cosine) = (0.5, 0.75_f64.sqrt());
    assert!((third - tumble_dem::LabVec::new(0.0, -2e-3 * sine, 2e-3 * cosine)).norm() < 1e-12);
    assert!((world.templates[2].volume() / 90e-9 - 1.0).abs() < 1e-12, "as given");
}

/// A cube of 12 mm with six plates, twelve quarters of cylinders and eight eighths of a sphere, all 2 mm thick: sizes are measured over the rounding.
#[test]
fn boxes_and_hulls_of_scenes_have_the_mass_of_their_closed_form() {
    let path =
        crate::common::scenes("good").into_iter().find(|path| path.ends_with("polyhedra.toml")).unwrap();
    let world = Scene::read(&path).unwrap().build(Some(1)).unwrap().world;
    // At twice the size that is given.
    let (side, r) = (12e-3, 2e-3);
    let pi = core::f64::consts::PI;
    let volume = side * side * (side + 6.0 * r) + 3.0 * pi * r * r * side + 4.0 / 3.0 * pi * r * r * r;
    assert!((world.templates[0].volume() / volume - 1.0).abs() < 1e-12);
    let hammer = &world.templates[2];
    assert_eq!((hammer.pieces().count(), hammer.hulls().len(), hammer.touching_spheres()), (2, 2, 15));
    // The box before the hull, turned by 30° about z.
    let place =
        |number: u32| hammer.orientation().to_lab(hammer.spheres()[number as usize].centre) + hammer.centre();
    let head = &hammer.hulls()[0];
    assert!(head.is_box() && !hammer.hulls()[1].is_box());
    let middle = tumble_dem::LabVec::new(0.0, 0.0, 23e-3);
    assert!((place(head.core()) - middle).norm() < 1e-12);
    let (sine, cosine) = (0.5, 0.75_f64.sqrt());
    let corner = tumble_dem::LabVec::new(5.5e-3 * cosine - 2e-3 * sine, 5.5e-3 * sine + 2e-3 * cosine, 2e-3);
    assert!(head.corners().any(|number| (place(number) - middle - corner).norm() < 1e-12));
    assert!((world.templates[3].volume() / 900e-9 - 1.0).abs() < 1e-12, "as given");
}
