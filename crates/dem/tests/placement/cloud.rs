//! Clouds: nothing overlaps, nothing sticks out, dense ones too; and what they say when they fail.

use super::brute::{least_gap, least_inside, spheres};
use super::{BALL, PAWN, ROD, bits, closed_box, cube, plane, sheet, side, v, volume, world};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::placement::{
    Choice, Cloud, MOST_BODIES, Orientation, PlacementError, Scale, Velocity, random_cloud,
};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cylinder, Motion, Side, Wall};
use tumble_dem::{Body, LabVec, MaterialId, Quat, World, scenes};

const GAP: f64 = 1e-3;

fn cloud(side: f64, count: usize) -> Cloud {
    Cloud { low: LabVec::zero(), high: cube(side), count, gap: GAP }
}

fn turned(choice: Choice) -> Choice {
    Choice { orientation: Orientation::Random, ..choice }
}

/// FNV-1a of all positions and orientations.
fn fingerprint(bodies: &[Body]) -> u64 {
    let numbers = bodies.iter().flat_map(|body| {
        body.position
            .to_array()
            .into_iter()
            .chain(body.orientation.to_array())
            .flat_map(|x| x.to_bits().to_le_bytes())
    });
    numbers
        .fold(0xcbf2_9ce4_8422_2325, |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Published results and benchmarks start from these places.
#[test]
fn random_cloud_gives_the_places_it_always_gave() {
    assert_eq!(fingerprint(&scenes::chess_box(1).unwrap().world.bodies), 0xd0a1_5c55_fae5_3d95);
    assert_eq!(fingerprint(&scenes::bouncing_rods(7).unwrap().world.bodies), 0x762b_f96c_68db_b9df);
    let world = world();
    let full =
        random_cloud(&world.templates, &[BALL; 60], LabVec::zero(), cube(5.0), GAP, &mut Random::new(3));
    let error = full.unwrap_err();
    assert!(error.placed > 0 && error.placed < 10 && error.attempts == 100_000, "{error:?}");
}

#[test]
fn a_mixture_in_a_box_neither_overlaps_nor_sticks_out() {
    let world = world();
    let choice = Choice {
        scale: Scale::Uniform { low: 0.3, high: 1.5 },
        velocity: Velocity::Maxwell { sigma: 0.3 },
        material: MaterialId(1),
        ..turned(Choice::weighted(&[(BALL, 1.0), (ROD, 1.0), (PAWN, 1.0)]).unwrap())
    };
    let place = |seed| cloud(30.0, 300).place(&choice, &world, &mut Random::new(seed)).unwrap();
    let bodies = place(1);
    assert_eq!(bodies.len(), 300);
    assert!(least_gap(&world, &bodies) >= 1.0 + GAP * (1.0 - 1e-9));
    assert!(least_inside(&world, &bodies, LabVec::zero(), cube(30.0), [true; 3]) >= 1.0 + GAP * (1.0 - 1e-9));
    assert!(bodies.iter().all(|body| body.material == MaterialId(1) && body.velocity.norm() > 0.0));
    assert_eq!(bits(&bodies), bits(&place(1)));
    assert_ne!(bits(&bodies), bits(&place(2)));
}

#[track_caller]
fn assert_dense(
    world: &World,
    template: tumble_dem::TemplateId,
    count: usize,
    fraction: f64,
    seed: u64,
) -> Vec<Body> {
    let side = side(world, template, count, fraction);
    let placed = cloud(side, count).place(&turned(Choice::of(template)), world, &mut Random::new(seed));
    let bodies = placed.unwrap_or_else(|error| panic!("{count} at {fraction}: {error}"));
    let filled: f64 = bodies.iter().map(|body| volume(world, body)).sum::<f64>() / side.powi(3);
    assert!((filled / fraction - 1.0).abs() < 1e-9, "{filled}");
    assert!(least_gap(world, &bodies) >= 1.0 + GAP, "{count} at {fraction}: {}", least_gap(world, &bodies));
    let periodic = world.domain.axes.map(|axis| axis == Axis::Open);
    assert!(least_inside(world, &bodies, LabVec::zero(), cube(side), periodic) >= 1.0 + GAP);
    bodies
}

#[test]
fn spheres_fill_more_than_half_of_a_box() {
    let world = world();
    for (count, seed) in [(300, 1), (300, 2), (1000, 3), (3000, 4)] {
        assert_dense(&world, BALL, count, 0.55, seed);
    }
}

#[test]
fn rods_fill_nearly_half_of_a_box() {
    let world = world();
    for (count, seed) in [(300, 1), (1000, 2)] {
        let bodies = assert_dense(&world, ROD, count, 0.45, seed);
        // They turned while they were pushed, and are not all parallel.
        let along: f64 = bodies
            .iter()
            .map(|b| b.orientation.to_lab(tumble_dem::BodyVec::new(1.0, 0.0, 0.0)).z.powi(2))
            .sum();
        let mean = along / bodies.len() as f64;
        assert!((0.2..0.5).contains(&mean), "{mean}");
    }
}

#[test]
fn a_dense_cloud_has_the_same_bits_every_time() {
    let world = world();
    let place = || assert_dense(&world, ROD, 200, 0.45, 7);
    assert_eq!(bits(&place()), bits(&place()));
}

#[test]
fn dense_in_a_periodic_domain() {
    let mut world = world();
    let length = side(&world, BALL, 500, 0.58);
    world.domain = Domain::periodic(LabVec::zero(), cube(length));
    let bodies = assert_dense(&world, BALL, 500, 0.58, 1);
    let crossing = |body: &&Body| body.position.to_array().iter().any(|&x| x < 1.0 || x > length - 1.0);
    assert!(bodies.iter().filter(crossing).count() > 50, "the ends are in use");
    assert!(bodies.iter().all(|body| body.position.to_array().iter().all(|&x| (0.0..length).contains(&x))));
}

#[test]
fn a_box_within_a_periodic_domain_has_ends() {
    let mut world = world();
    world.domain.axes[0] = Axis::Periodic { low: 0.0, high: 30.0 };
    let (low, high) = (v(5.0, 0.0, 0.0), cube(20.0));
    let cloud = Cloud { low, high, count: 100, gap: 0.0 };
    let bodies = cloud.place(&turned(Choice::of(ROD)), &world, &mut Random::new(1)).unwrap();
    assert!(least_inside(&world, &bodies, low, high, [true; 3]) >= 1.0 - 1e-12);
    // One that lies across the end of the domain is felt on the other side.
    world.bodies = vec![Body::at(BALL, v(-0.2, 5.0, 5.0))];
    let cloud = Cloud { low: v(27.0, 3.0, 3.0), high: v(30.0, 7.0, 7.0), count: 1, gap: 0.0 };
    for seed in 0..20 {
        let placed = cloud.place(&Choice::of(BALL), &world, &mut Random::new(seed)).unwrap();
        assert!(least_gap(&world, &[world.bodies[0], placed[0]]) >= 1.0);
    }
}

#[test]
fn earlier_bodies_and_walls_keep_their_place() {
    let mut world = world();
    world.walls = vec![plane(v(0.0, 0.0, 2.0), v(0.2, 0.0, 1.0)), closed_box(v(0.5, 0.0, 0.0), cube(20.0))];
    let post = Cylinder::new(v(10.0, 10.0, 0.0), v(0.0, 0.0, 1.0), 3.0, Side::Outside, None).unwrap();
    world.walls.push(Wall::new("post", post, MaterialId(0), Motion::fixed()).unwrap());
    world.bodies =
        vec![Body::at(PAWN, v(4.0, 4.0, 10.0)).scaled(2.0), Body::at(BALL, v(15.0, 15.0, 15.0)).scaled(4.0)];
    // Few find a place at random; many have to be pushed.
    for count in [50, 250] {
        let bodies = cloud(20.0, count).place(&turned(Choice::of(ROD)), &world, &mut Random::new(1)).unwrap();
        assert_eq!(bodies.len(), count);
        let all = [world.bodies.clone(), bodies.clone()].concat();
        assert!(least_gap(&world, &all) >= 1.0 + 0.999 * GAP, "{}", least_gap(&world, &all));
        for (centre, radius) in bodies.iter().flat_map(|body| spheres(&world, body)) {
            let normal = v(0.2, 0.0, 1.0) * (1.0 / 1.04f64.sqrt());
            assert!((centre - v(0.0, 0.0, 2.0)).dot(normal) >= radius, "in the plane");
            assert!(centre.x >= 0.5 + radius, "in the box");
            assert!((v(centre.x, centre.y, 0.0) - v(10.0, 10.0, 0.0)).norm() >= 3.0 + radius, "in the post");
        }
    }
}

#[test]
fn no_body_is_pushed_through_a_sheet() {
    let mut world = world();
    world.walls = vec![sheet(5.0)];
    let count = 330;
    let cloud = Cloud { low: v(-5.0, -5.0, 0.0), high: v(5.0, 5.0, 30.0), count, gap: GAP };
    let bodies = cloud.place(&Choice::of(BALL), &world, &mut Random::new(1)).unwrap();
    assert!(least_gap(&world, &bodies) >= 1.0 + GAP);
    assert!(bodies.iter().all(|body| (body.position.z - 5.0).abs() >= 1.0));
    let below = bodies.iter().filter(|body| body.position.z < 5.0).count();
    // About as many as were thrown there: a sixth of the box, less the layer that the sheet takes.
    assert!((30..80).contains(&below), "{below}");
}

#[test]
fn bodies_of_one_orientation_keep_it() {
    let world = world();
    let q = Quat::new(0.8, 0.0, 0.6, 0.0);
    let choice = Choice { orientation: Orientation::Fixed(q), ..Choice::of(ROD) };
    let side = side(&world, ROD, 200, 0.4);
    let bodies = cloud(side, 200).place(&choice, &world, &mut Random::new(1)).unwrap();
    assert!(least_gap(&world, &bodies) >= 1.0 + GAP);
    assert!(bodies.iter().all(|body| (body.orientation - q).norm() < 1e-12));
}

#[test]
fn failures_say_how_far_it_went_and_what_to_do() {
    let world = world();
    let length = side(&world, BALL, 100, 0.7);
    let fails = |cloud: Cloud, choice: Choice| cloud.place(&choice, &world, &mut Random::new(1)).unwrap_err();
    let error = fails(cloud(length, 100), Choice::of(BALL));
    let PlacementError::Crowded(crowded) = error.clone() else { panic!("{error:?}") };
    assert!(crowded.wanted == 100 && crowded.placed > 20 && crowded.placed < 80, "{crowded:?}");
    assert!((crowded.asked - 0.7).abs() < 1e-9);
    assert!(crowded.reached > 0.45 && crowded.reached < 0.7, "{crowded:?}");
    let message = error.to_string();
    for part in [
        "too small for 100 bodies",
        "found a place at random",
        "solid fraction of 0.5",
        "need 0.700",
        "place at most",
    ] {
        assert!(message.contains(part), "{message:?} lacks {part:?}");
    }
    // What it advises is possible.
    let larger = length * ((crowded.asked / crowded.reached).cbrt() * 100.0).ceil() / 100.0;
    cloud(larger, 100).place(&Choice::of(BALL), &world, &mut Random::new(1)).unwrap();

    let message = fails(cloud(1.5, 3), Choice::of(BALL)).to_string();
    assert!(message.contains("the volume of 3 bodies is 3.7"), "{message}");
    let message = fails(cloud(1.9, 1), Choice::of(BALL)).to_string();
    assert!(message.contains("not one of 1 bodies has room in the box"), "{message}");
    let message = fails(Cloud { high: v(5.0, -1.0, 5.0), ..cloud(5.0, 1) }, Choice::of(BALL)).to_string();
    assert!(message.contains("along y it goes from 0 m to -1 m"), "{message}");
    let message = fails(Cloud { gap: f64::NAN, ..cloud(5.0, 1) }, Choice::of(BALL)).to_string();
    assert!(message.contains("gap of the cloud is NaN"), "{message}");
    let many = fails(cloud(1e9, MOST_BODIES + 1), Choice::of(BALL));
    assert!(matches!(many, PlacementError::TooMany { .. }), "{many}");
    // Said at once, without drawing any of them.
    assert!(
        matches!(fails(cloud(5.0, MOST_BODIES), Choice::of(BALL)), PlacementError::Crowded(c) if c.asked > 1e6)
    );
}

#[test]
fn a_vast_box_needs_no_vast_memory() {
    let world = world();
    let bodies = cloud(1e9, 10).place(&turned(Choice::of(PAWN)), &world, &mut Random::new(1)).unwrap();
    assert_eq!(bodies.len(), 10);
    assert!(cloud(1.0, 0).place(&Choice::of(BALL), &world, &mut Random::new(1)).unwrap().is_empty());
}

/// Somebody who does not want to wait gets an error soon, whether bodies are put in one by one or pushed together; and the
/// next one is not concerned.
#[test]
fn placing_can_be_given_up() {
    let world = world();
    let place = |count: usize, fraction: f64| {
        cloud(side(&world, BALL, count, fraction), count).place(
            &Choice::of(BALL),
            &world,
            &mut Random::new(5),
        )
    };
    // Questions up to the third are asked while spheres are put in; the thousandth while they are pushed.
    for (count, fraction, patience) in [(100_000, 0.01, 3), (1000, 0.58, 1000)] {
        let asked = std::rc::Rc::new(std::cell::Cell::new(0));
        let counter = asked.clone();
        let enough = move || {
            counter.set(counter.get() + 1);
            counter.get() >= patience
        };
        let given_up = tumble_dem::placement::interruptible(enough, || place(count, fraction));
        assert!(
            matches!(given_up, Err(PlacementError::Interrupted)),
            "{count}: {:?}",
            given_up.map(|all| all.len())
        );
        assert_eq!(asked.get(), patience, "{count}: nobody is asked again");
    }
    assert_eq!(place(1000, 0.3).unwrap().len(), 1000);
}
