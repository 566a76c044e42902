//! The example scenes: each reads without a word, runs, and shows what its first lines say.

mod soil;
mod staged;

use crate::examples::{Watched, built, names};
use core::f64::consts::FRAC_PI_2;
use tumble::dem::law::LawKind;
use tumble::dem::material::{Material, PairProperties};
use tumble::dem::scenes::{self, CHESS_SET};
use tumble::dem::{BodyState, Engine, LabVec, MaterialId, World};
use tumble::output::{Ending, Part, Summary};
use tumble::scene::{Built, Scene, SceneText};
use tumble::{End, Mode, Run};

#[test]
fn every_scene_is_read_without_a_word_and_runs() {
    assert_eq!(names().len(), 33, "{:?}", names());
    for name in names() {
        let whole = built(&name, &[]);
        assert!(whole.warnings.is_empty(), "{}", whole.warnings);
        let built = built(&name, &[("run.steps", "300")]);
        assert_ne!(built.title, name, "it has a title");
        let (vtk, walls) = (built.output.vtk.is_some(), !built.world.walls.is_empty());

        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join(&name);
        let mut run = Run::start(built, &results, Mode::New).unwrap();
        assert_eq!(run.go(&mut ()).unwrap(), End::Finished, "{name}");
        assert!(run.notices().is_empty(), "{:?}", run.notices());

        let part = |part: Part| results.join(part.name());
        let summary = Summary::read(&part(Part::Summary)).unwrap();
        assert_eq!((summary.ended, summary.state.steps), (Ending::Finished, 300), "{name}");
        let energies = std::fs::read_to_string(part(Part::Energy)).unwrap();
        assert!(energies.lines().count() >= 2, "{name}: {energies}");
        assert_eq!(part(Part::Walls).exists(), walls, "{name}");
        assert_eq!(part(Part::Flows).exists(), ["chute", "gate", "hopper"].contains(&&*name), "{name}");
        assert_eq!(part(Part::Bonds).exists(), ["agglomerate", "membrane"].contains(&&*name), "{name}");
        assert_eq!(part(Part::Vtk).join("spheres.pvd").exists(), vtk, "{name}");
        assert_eq!(part(Part::Vtk).join("capsules.pvd").exists(), name == "fibres", "{name}");
        assert_eq!(part(Part::Vtk).join("ellipsoids.pvd").exists(), name == "sweets", "{name}");
        let has_polyhedra = ["dice", "bricks"].contains(&&*name);
        assert_eq!(part(Part::Vtk).join("polyhedra.pvd").exists(), has_polyhedra, "{name}");
        let as_run = Scene::read(part(Part::Scene)).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(as_run.build(Some(1)).unwrap().steps, 300, "{name}");
    }
}

#[test]
fn every_scene_begins_with_three_lines_of_what_it_shows() {
    for name in names() {
        let text = std::fs::read_to_string(crate::examples::folder().join(format!("{name}.toml"))).unwrap();
        let lines: Vec<&str> = text.lines().take(4).collect();
        assert!(lines[..3].iter().all(|line| line.starts_with("# ")) && lines[3].is_empty(), "{name}");
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{name}");
    }
}

/// Scenes and pieces of scenes in the book: the first block is a whole scene, the others are to be added to it.
#[test]
fn scenes_of_the_book_can_be_built() {
    let page = ["scene-files", "populations"].map(|name| {
        let path = crate::examples::folder().join(format!("../docs/book/src/{name}.md"));
        std::fs::read_to_string(path).unwrap()
    });
    let page = page.concat();
    let blocks = |kind: &str| -> Vec<String> {
        let begin = format!("\n```{kind}\n");
        let parts = page.split(begin.as_str()).skip(1);
        parts.map(|part| part.split_inclusive('\n').take_while(|line| *line != "```\n").collect()).collect()
    };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("bodies.csv", &blocks("csv")[0]);
    file(
        "funnel.stl",
        "solid s\nfacet normal 0 0 1\nouter loop\nvertex -9 -9 -5\nvertex 9 -9 -5\nvertex 0 9 -5\nendloop\nendfacet\n\
         endsolid s\n",
    );
    let scenes = blocks("toml");
    assert!(scenes.len() > 8, "{scenes:?}");
    for piece in &scenes {
        let whole = if piece.starts_with("version") { piece.clone() } else { scenes[0].clone() + piece };
        let text = SceneText::new("book", whole).in_folder(folder.path());
        let built = Scene::parse(text).and_then(|scene| scene.build(Some(1)));
        let built = built.unwrap_or_else(|problems| panic!("{piece}\n{problems}"));
        // Pieces may bring a material that another piece would use.
        let odd = built.warnings.problems().iter().any(|problem| problem.label != "without effect");
        assert!(!odd, "{piece}\n{}", built.warnings);
    }
}

/// What two worlds have in examples if they are one experiment: all but where bodies are.
fn assert_same_experiment(ours: &World, theirs: &World) {
    let plain = |materials: &[Material]| -> Vec<Material> {
        materials.iter().map(|material| Material { name: String::new(), ..material.clone() }).collect()
    };
    assert_eq!(plain(ours.materials.as_slice()), plain(theirs.materials.as_slice()));
    let count = u16::try_from(theirs.materials.as_slice().len()).unwrap();
    for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (MaterialId(a), MaterialId(b)))) {
        assert_eq!(*ours.materials.properties(a, b).unwrap(), PairProperties::default());
        assert_eq!(*theirs.materials.properties(a, b).unwrap(), PairProperties::default());
    }
    assert_eq!(ours.walls, theirs.walls);
    assert_eq!(ours.gravity, theirs.gravity);
    assert_eq!(ours.templates.len(), theirs.templates.len());
    for (a, b) in ours.templates.iter().zip(&theirs.templates) {
        assert_eq!(a.spheres(), b.spheres());
        assert_eq!((a.volume(), a.moments_per_density()), (b.volume(), b.moments_per_density()));
    }
    assert_eq!(ours.bodies.len(), theirs.bodies.len());
    for (a, b) in ours.bodies.iter().zip(&theirs.bodies) {
        assert_eq!((a.template, a.material, a.scale), (b.template, b.material, b.scale));
        assert!((a.velocity.norm() - b.velocity.norm()).abs() < 1e-12);
        assert!((a.angular_velocity.norm() - b.angular_velocity.norm()).abs() < 1e-12);
    }
}

/// Centres of all spheres in the lab, m.
fn centres(world: &World) -> Vec<LabVec<f64>> {
    let of_body = |body: &tumble::dem::Body| {
        let (q, position) = (body.orientation, body.position);
        let spheres = world.templates[usize::from(body.template.0)].spheres();
        spheres.iter().map(|sphere| position + q.to_lab(sphere.centre)).collect::<Vec<_>>()
    };
    world.bodies.iter().flat_map(of_body).collect()
}

#[test]
fn scenes_of_papers_are_those_of_the_engine() {
    let chess = built("chess", &[]);
    assert_same_experiment(&chess.world, &scenes::chess_box(1).unwrap().world);
    assert_eq!(chess.world.bodies.len(), CHESS_SET.iter().map(|(_, count, _)| count).sum::<usize>());
    let rods = built("rods", &[]);
    assert_same_experiment(&rods.world, &scenes::bouncing_rods(1).unwrap().world);

    let fibres = [("fibre", 1), ("nine-fibres", 9)].map(|(name, count)| {
        let (ours, theirs) = (built(name, &[]), scenes::falling_fibres(count));
        assert_same_experiment(&ours.world, &theirs.world);
        let (ours_at, theirs_at) = (centres(&ours.world), centres(&theirs.world));
        // The population is filled along another axis first.
        let nearest =
            |a: &LabVec<f64>| theirs_at.iter().map(|b| (*a - *b).norm()).fold(f64::INFINITY, f64::min);
        assert!(ours_at.iter().all(|centre| nearest(centre) < 1e-12), "{name}");
        assert!(ours.world.bodies.iter().zip(&theirs.world.bodies).all(|(a, b)| a.velocity == b.velocity));
        ours
    });
    for scene in [&chess, &rods].into_iter().chain(&fibres) {
        assert_eq!(scene.settings.contact.law, LawKind::Hertz);
    }
    assert_eq!(chess.scene.keys.run.duration, Some(scenes::chess_box(1).unwrap().duration));
}

#[test]
fn elastic_scenes_keep_their_energy() {
    for (name, time, tolerance) in
        [("chess", 0.1, 1e-6), ("rods", 0.3, 1e-4), ("fibre", 0.5, 1e-7), ("nine-fibres", 0.5, 1e-6)]
    {
        let mut scene = Watched::new(name);
        scene.until(time);
        assert!(scene.error() < tolerance, "{name}: {}", scene.error());
        let ledger = scene.simulation.engine().ledger();
        assert!(ledger.rotational > 0.0 && ledger.lost() == 0.0, "{name}: {ledger:?}");
        if name.ends_with("fibres") {
            let planes = [1.0 / 6.0, 0.5, 5.0 / 6.0];
            let in_plane = |z: f64| planes.iter().any(|plane| (z - plane).abs() < 1e-9);
            assert!(scene.simulation.engine().bodies().iter().all(|body| in_plane(body.position.z)));
        }
    }
}

#[test]
fn settling_clumps_come_to_rest_and_the_books_close() {
    let mut scene = Watched::new("settling");
    scene.until(0.35);
    let engine = scene.simulation.engine();
    let ledger = engine.ledger();
    assert!(ledger.kinetic() < 1e-3 * ledger.lost(), "{ledger:?}");
    assert!(ledger.normal_damping > 0.0 && ledger.sliding > 0.0 && ledger.rolling > 0.0, "{ledger:?}");
    assert!(scene.error() < 1e-3, "{}", scene.error());
    let (weight, force) = (weight(&engine.bodies()), engine.walls()[0].force);
    assert!((force.z / weight + 1.0).abs() < 0.2, "the box bears {force:?} of {weight} N");
}

#[test]
fn a_turning_drum_holds_its_grains_at_a_slope() {
    let mut scene = Watched::new("drum");
    scene.until(0.3);
    let engine = scene.simulation.engine();
    let centre = centre(&engine.bodies());
    // The lower side of the shell moves towards −x, so the grains climb there.
    let slope = (-centre.x).atan2(-centre.z).to_degrees();
    assert!((25.0..60.0).contains(&slope), "{slope}");
    let ledger = engine.ledger();
    assert!(ledger.wall_work > 0.0 && ledger.sliding > 0.0, "{ledger:?}");
    assert!(scene.error() < 1e-3, "{}", scene.error());
    let radius =
        engine.bodies().iter().map(|body| body.position.x.hypot(body.position.z)).fold(0.0, f64::max);
    assert!(radius < 0.06, "{radius}");
}

#[test]
fn a_roaster_makes_balls_alike_and_its_books_of_heat_close() {
    let mut scene = Watched::new("roaster");
    scene.until(0.4);
    let engine = scene.simulation.engine();
    let temperatures: Vec<f64> = engine.bodies().iter().filter_map(|body| body.temperature).collect();
    assert!(temperatures.len() == 180 && temperatures.iter().all(|t| (293.0..474.0).contains(t)));
    let [coldest, warmest] = [f64::min, f64::max].map(|of| temperatures.iter().copied().reduce(of).unwrap());
    // They began with 90 K above and below their mean.
    let mean = temperatures.iter().sum::<f64>() / 180.0;
    let deviation = (temperatures.iter().map(|t| (t - mean) * (t - mean)).sum::<f64>() / 180.0).sqrt();
    assert!(deviation < 88.0 && coldest > 293.15 && warmest < 473.15, "{deviation} {coldest} {warmest}");
    let ledger = engine.ledger();
    let heat = ledger.heat.unwrap();
    assert!(heat.of_contacts > 0.0 && heat.of_surroundings < 0.0 && heat.of_walls != 0.0, "{heat:?}");
    assert!((heat.of_contacts / ledger.lost() - 1.0).abs() < 0.5, "{ledger:?}");
    assert!(heat.error().abs() < 1e-10, "{heat:?}");
    assert!(scene.error() < 1e-3, "{}", scene.error());
}

#[test]
fn a_hopper_fills_and_runs_out() {
    let mut scene = Watched::new("hopper");
    let mut below = Vec::new();
    for time in [0.25, 0.35, 0.45] {
        scene.until(time);
        let bodies = scene.simulation.engine().bodies();
        below.push(bodies.iter().filter(|body| body.position.z < 0.0).count());
    }
    let engine = scene.simulation.engine();
    assert_eq!(engine.body_count(), 500, "the stream has ended");
    assert!(below[0] < below[1] && below[1] < below[2] && below[2] < 400, "{below:?}");
    let funnel = engine.walls()[0].force;
    let above: Vec<BodyState> = engine.bodies().into_iter().filter(|body| body.position.z > 0.0).collect();
    assert!((0.3..2.0).contains(&(-funnel.z / weight(&above))), "{funnel:?}");
    assert!(scene.error() < 1e-3, "{}", scene.error());
}

/// What comes down the chute is what is fed to it, by mass and by size, after as long as it takes to slide down.
#[test]
fn a_chute_is_in_balance() {
    let mut scene = Watched::new("chute");
    scene.until(0.9);
    let at = |scene: &Watched| {
        let flows = scene.simulation.flows().report();
        assert_eq!(flows[0].waiting, 0, "the stream keeps its rate");
        [flows[0].mass_kg, flows[1].mass_kg]
    };
    let before = at(&scene);
    scene.until(1.6);
    let after = at(&scene);
    let [fed, left] = [(after[0] - before[0]) / 0.7, (after[1] - before[1]) / 0.7];
    assert!((fed - 0.12).abs() < 0.005, "{fed} kg/s");
    assert!((left - fed).abs() < 0.012, "{left} kg/s for {fed}");
    // All that came is here or has left.
    let engine = scene.simulation.engine();
    let here: f64 = engine.bodies().iter().map(|body| body.mass).sum();
    assert!(((after[0] - after[1]) / here - 1.0).abs() < 1e-9, "{here} kg");
    assert!(engine.body_count() < 1000 && scene.error() < 2e-3, "{}", scene.error());
}

/// The packing of the example hardly moves.
#[test]
fn a_packing_is_at_rest_soon() {
    let mut scene = Watched::new("packing");
    scene.until(0.1);
    let bodies = scene.simulation.engine().bodies();
    let energy: f64 = bodies.iter().map(|body| 0.5 * body.mass * body.velocity.norm_squared()).sum();
    // As if all had fallen by this length, m; their median size is 6 mm.
    let depth = energy / weight(&bodies);
    assert!(bodies.len() > 500 && depth < 1e-4, "{} bodies, {depth}", bodies.len());
}

/// The same marbles on the bare tray still bounce when those on foam have come to rest.
#[test]
fn foam_takes_the_bounce_of_marbles() {
    let mut scene = Watched::new("foam");
    let marbles = |scene: &Watched| -> Vec<BodyState> {
        scene.simulation.engine().bodies().into_iter().filter(|body| body.material == MaterialId(0)).collect()
    };
    let kinetic = |bodies: &[BodyState]| -> f64 {
        bodies.iter().map(|body| 0.5 * body.mass * body.velocity.norm_squared()).sum()
    };
    scene.until(0.15);
    let falling = kinetic(&marbles(&scene));
    scene.until(0.5);
    let rest = marbles(&scene);
    assert_eq!(rest.len(), 40);
    assert!(kinetic(&rest) < 0.02 * falling, "{} of {falling} J", kinetic(&rest));
    let books = scene.simulation.engine().ledger();
    assert!(books.normal_damping > 0.5 * falling, "{books:?}");
    assert!(scene.error() < 1e-2, "{}", scene.error());

    let Built { mut world, settings, .. } = built("foam", &[]);
    world.bodies.retain(|body| body.material == MaterialId(0));
    let mut bare = Engine::new(world, settings).unwrap();
    while bare.time() < 0.5 {
        bare.advance(100).unwrap();
    }
    assert!(kinetic(&bare.bodies()) > 10.0 * kinetic(&rest), "{}", kinetic(&bare.bodies()));
}

/// Upside down, gum balls hang where they were; with hardly any adhesion they fall.
#[test]
fn gum_balls_hang_in_a_jar_that_is_turned() {
    let hanging = |scene: &mut Watched| {
        scene.until(0.7);
        scene.simulation.engine().bodies().iter().filter(|body| body.position.z < 0.03).count()
    };
    let mut scene = Watched::new("gum");
    let hang = hanging(&mut scene);
    let books = scene.simulation.engine().ledger();
    let torn = books.own.iter().find(|(entry, _)| entry.key == "adhesion").map(|(_, energy)| *energy);
    assert!(torn > Some(0.0) && hang > 50, "{hang} hang, {books:?}");
    assert!(scene.error() < 1e-2, "{}", scene.error());
    let mut weak = Watched::with("gum", &[("pair.work_of_adhesion", "\"1 mJ/m^2\"")]);
    assert!(hanging(&mut weak) < 10, "{}", hanging(&mut weak));
}

/// Wet grains stay a lump when their cylinder is gone; with hardly any surface tension they run out.
#[test]
fn wet_grains_stay_a_lump() {
    let spread = |scene: &mut Watched| {
        scene.until(0.3);
        let bodies = scene.simulation.engine().bodies();
        let far = |body: &&BodyState| LabVec::new(body.position.x, body.position.y, 0.0).norm() > 0.008;
        bodies.iter().filter(far).count()
    };
    let mut scene = Watched::new("wet");
    let away = spread(&mut scene);
    let books = scene.simulation.engine().ledger();
    let broken = books.own.iter().find(|(entry, _)| entry.key == "bridges").map(|(_, energy)| *energy);
    assert!(broken > Some(0.0) && away < 5, "{away} are away, {books:?}");
    assert!(scene.error() < 1e-2, "{}", scene.error());
    let mut dry = Watched::with("wet", &[("pair.surface_tension", "\"0.1 mN/m\"")]);
    let away = spread(&mut dry);
    assert!(away > 40, "{away} are away");
}

/// Liquid spreads from wet balls to dry ones, and none is lost.
#[test]
fn moist_balls_share_their_liquid() {
    let mut scene = Watched::new("moist");
    scene.until(0.1);
    let engine = scene.simulation.engine();
    let films: Vec<f64> = engine.bodies().iter().filter_map(|body| body.film).collect();
    let (dry, wet) = films.split_at(32);
    assert!(dry.iter().filter(|film| **film > 0.0).count() > 16, "{dry:?}");
    assert!(wet.iter().all(|film| *film <= 2e-11), "{wet:?}");
    assert!(wet.iter().filter(|film| **film < 2e-11).count() > 16, "{wet:?}");
    let liquid = engine.liquid().unwrap();
    assert!(liquid.count > 5 && liquid.bridges > 0.0, "{liquid:?}");
    assert!((liquid.put_in / (32.0 * 2e-11) - 1.0).abs() < 1e-12 && liquid.taken_out == 0.0, "{liquid:?}");
    assert!(liquid.error().abs() < 1e-13 * liquid.put_in, "{liquid:?}: {:e}", liquid.error());
    assert!(scene.error() < 1e-2, "{}", scene.error());
}

#[test]
fn all_dominoes_fall() {
    let mut scene = Watched::new("domino");
    let start = scene.simulation.engine().bodies();
    // How far a body leans from where it stood: the cosine of the angle.
    let upright = |bodies: &[BodyState]| -> Vec<f64> {
        let up = LabVec::new(0.0, 0.0, 1.0);
        let leans = bodies.iter().zip(&start).take(16);
        leans.map(|(now, then)| now.orientation.to_lab(then.orientation.to_body(up)).z).collect()
    };
    scene.until(0.3);
    let early = upright(&scene.simulation.engine().bodies());
    assert!(early[0] < 0.7 && early[15] > 0.9999, "one after the other: {early:?}");
    scene.until(1.0);
    let bodies = scene.simulation.engine().bodies();
    assert!(upright(&bodies).iter().all(|cosine| *cosine < 0.75), "{:?}", upright(&bodies));
    assert!(bodies[..16].windows(2).all(|pair| pair[0].position.x < pair[1].position.x));
    assert!(scene.error() < 1e-3, "{}", scene.error());
}

#[test]
fn the_t_handle_turns_over_when_it_should() {
    let mut scene = Watched::new("dzhanibekov");
    let body = |scene: &Watched| scene.simulation.engine().bodies()[0];
    let built = built("dzhanibekov", &[]);
    let moments = built.world.templates[0].moments(2700.0, 1.0).to_array();
    let omega = |body: &BodyState| body.orientation.to_body(body.angular_velocity).to_array();
    let start = omega(&body(&scene));
    let middle = middle_of(moments);
    assert!((start[middle] - 10.0).abs() < 1e-9, "it spins about the middle axis: {start:?}, {moments:?}");

    let (interval, first) = flips(moments, start);
    let momentum = |body: &BodyState| {
        let omega = omega(body);
        body.orientation.to_lab(tumble::dem::BodyVec::from_array([0, 1, 2].map(|i| moments[i] * omega[i])))
    };
    let momentum_at_start = momentum(&body(&scene));
    let mut flipped = Vec::new();
    let mut before = (0.0, start[middle]);
    while scene.simulation.engine().time() < 6.0 {
        scene.simulation.advance(1).unwrap();
        let now = (scene.simulation.engine().time(), omega(&body(&scene))[middle]);
        if now.1 * before.1 < 0.0 {
            flipped.push(before.0 + (now.0 - before.0) * before.1 / (before.1 - now.1));
        }
        before = now;
    }
    assert_eq!(flipped.len(), 3, "{flipped:?}");
    for (number, time) in flipped.iter().enumerate() {
        let exact = first + interval * number as f64;
        assert!((time - exact).abs() < 1e-6, "flip {number} at {time} s, not {exact} s");
    }
    let turned = (momentum(&body(&scene)) - momentum_at_start).norm() / momentum_at_start.norm();
    assert!(turned < 1e-9, "angular momentum has changed by {turned}");
    assert!(scene.error() < 1e-10, "{}", scene.error());
}

/// Exactly, by Jacobi's elliptic functions: the time between two changes of sign of the spin about the middle axis
/// of a free body, and the time of the first, if this spin is at its largest at the start, s. Landau & Lifshitz,
/// Mechanics, § 37.
fn flips(moments: [f64; 3], omega: [f64; 3]) -> (f64, f64) {
    let middle = middle_of(moments);
    let low = (0..3).min_by(|&a, &b| moments[a].total_cmp(&moments[b])).unwrap();
    let high = 3 - middle - low;
    let [a, b, c] = [low, middle, high].map(|axis| moments[axis]);
    let energy = a * omega[low].powi(2) + b * omega[middle].powi(2) + c * omega[high].powi(2);
    let momentum = (a * omega[low]).powi(2) + (b * omega[middle]).powi(2) + (c * omega[high]).powi(2);
    let (above, below) = (c * energy - momentum, momentum - a * energy);
    // The spin about the middle axis goes as sn(rate · t, modulus), which has a real period for a modulus below one;
    // sn(x, k) = sn(k x, 1/k) / k.
    let rate = ((c - b) * below / (a * b * c)).sqrt();
    let modulus = ((b - a) * above / ((c - b) * below)).sqrt();
    let (rate, modulus) = if modulus > 1.0 { (rate * modulus, 1.0 / modulus) } else { (rate, modulus) };
    let quarter = FRAC_PI_2 / arithmetic_geometric_mean(1.0, (1.0 - modulus * modulus).sqrt()) / rate;
    (2.0 * quarter, quarter)
}

fn middle_of(moments: [f64; 3]) -> usize {
    (0..3).find(|&i| (0..3).filter(|&j| moments[j] < moments[i]).count() == 1).unwrap()
}

fn arithmetic_geometric_mean(mut a: f64, mut b: f64) -> f64 {
    while (a - b).abs() > 1e-15 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

/// N
fn weight(bodies: &[BodyState]) -> f64 {
    9.81 * bodies.iter().map(|body| body.mass).sum::<f64>()
}

/// The centre of mass, m.
fn centre(bodies: &[BodyState]) -> LabVec<f64> {
    let mass: f64 = bodies.iter().map(|body| body.mass).sum();
    bodies.iter().fold(LabVec::zero(), |sum, body| sum + body.position * (body.mass / mass))
}
