//! A kind of pair with two touches, for a test: rods of two spheres, as one piece each, that touch end to end.
//!
//! Guarantee: two touches of one pair of pieces do, bit for bit and in the same order, what two pairs of pieces with one
//! touch each do; they are told apart by their features in every step, in new lists and in rows that lie elsewhere.

use super::{NarrowPhase, Spheres};
use crate::bodies::{BookTable, Sums, Wrench};
use crate::clump::{ClumpSphere, ClumpTemplate, MassModel};
use crate::contact::block::Block;
use crate::contact::detached::{Detached, Name};
use crate::contact::{Contacts, Kept, Key, Physics, Segment, Sharing, SumRows};
use crate::engine::{Engine, Settings, Space};
use crate::law::{ContactModel, LawKind, RollingKind};
use crate::material::{Material, PairProperties};
use crate::physics::contact::Side;
use crate::physics::geometry::Geometry;
use crate::random::Random;
use crate::rows_by_id::index32;
use crate::wall::Wall;
use crate::world::{Body, World};
use core::ops::Range;
use tumble_math::LabVec;
use tumble_rotation::batch::InstructionSet;

/// Pairs of rods. A pair is listed where its first spheres are.
#[derive(Clone, Copy, Debug)]
struct Ends;

#[derive(Clone, Copy, Debug)]
struct Touch {
    place: u32,
    feature: u32,
    /// The place of the two spheres that touch.
    spheres: u32,
}

/// Where the lists have two spheres.
fn place_of(pair: [u32; 2], space: &Space) -> Option<u32> {
    space.neighbours.pairs.spheres.iter().position(|other| *other == pair).map(index32)
}

/// Whether the lists have the first spheres of two rods at a place.
fn are_first(pair: [u32; 2], space: &Space) -> bool {
    pair.iter().all(|&sphere| {
        let row = space.bodies.owner[sphere as usize] as usize;
        space.bodies.first_sphere[row] == sphere
    })
}

impl NarrowPhase for Ends {
    type Touch = Touch;
    type Room = ();
    const WITH_WALLS: bool = false;
    const SLIDES: bool = false;
    const IN_LANES: bool = true;

    fn find(
        places: Range<usize>,
        space: &Space,
        physics: Physics<'_>,
        _: &Kept,
        (): &mut (),
        found: &mut Vec<Touch>,
    ) {
        found.clear();
        for place in places {
            let [a, b] = space.neighbours.pairs.spheres[place];
            let features = if are_first([a, b], space) { 0..Self::features(0, &[]) } else { 0..0 };
            for feature in features {
                let Some(spheres) = place_of([a + feature, b + feature], space) else { continue };
                let touch = Touch { place: index32(place), feature, spheres };
                if Spheres::overlap(Spheres::key(&spheres, space), space, physics) > 0.0 {
                    found.push(touch);
                }
            }
        }
    }

    fn place(touch: &Touch) -> [u32; 2] {
        [touch.place, touch.feature]
    }

    fn features(_: u32, _: &[Wall]) -> u32 {
        2
    }

    fn rows(touch: &Touch, space: &Space) -> [u32; 2] {
        Spheres::rows(&touch.spheres, space)
    }

    fn gather(block: &mut Block, touches: &[Touch], _: &[Key], space: &Space, physics: Physics<'_>) {
        let spheres: Vec<u32> = touches.iter().map(|touch| touch.spheres).collect();
        let keys: Vec<Key> = spheres.iter().map(|place| Spheres::key(place, space)).collect();
        Spheres::gather(block, &spheres, &keys, space, physics);
    }

    fn gather_places(
        block: &mut Block,
        touches: &[Touch],
        keys: &[Key],
        space: &Space,
        physics: Physics<'_>,
    ) {
        Self::gather(block, touches, keys, space, physics);
    }

    fn compute(block: &mut Block, set: InstructionSet) {
        Spheres::compute(block, set);
    }

    fn geometry(touch: &Touch, space: &Space) -> Geometry<f64> {
        Spheres::geometry(&touch.spheres, space)
    }

    fn sides(touch: &Touch, space: &Space) -> [Side<f64>; 2] {
        Spheres::sides(&touch.spheres, space)
    }

    fn position_b(touch: &Touch, space: &Space) -> LabVec<f64> {
        Spheres::position_b(&touch.spheres, space)
    }

    fn overlap(key: Key, space: &Space, physics: Physics<'_>) -> f64 {
        let [a, b] = space.neighbours.pairs.spheres[key.place as usize];
        let place = place_of([a + key.feature, b + key.feature], space);
        place.map_or(0.0, |place| Spheres::overlap(Key { place, ..key }, space, physics))
    }

    fn smaller_radius(key: Key, space: &Space) -> f64 {
        Spheres::smaller_radius(key, space)
    }
}

/// Rods across each other's way, one above the other.
fn stack(rods: u32, sharing: Sharing, threads: usize) -> Engine {
    let mut world = World::default();
    world.materials.add(Material::new("glass", 2500.0, 1e7, 0.25)).unwrap();
    world.materials.set_default(PairProperties::new(0.6, 0.4).with_rolling(0.05, 0.2));
    let ends = [ClumpSphere::new([0.0, 0.0, 0.0], 0.01), ClumpSphere::new([0.05, 0.0, 0.0], 0.01)];
    let rod = ClumpTemplate::new("rod", &ends, MassModel::Union).unwrap();
    let [first, second] = [0, 1].map(|end| rod.spheres()[end].centre.to_array());
    let along = (0..3).find(|&axis| (second[axis] - first[axis]).abs() > 0.04).unwrap();
    let rod = world.add_template(rod).unwrap();
    let mut random = Random::new(3);
    for number in 0..rods {
        let mut jolt = || random.direction();
        let mut position = (jolt() * 0.001).to_array();
        position[(along + 1) % 3] += 0.0205 * f64::from(number);
        let body = Body::at(rod, LabVec::from_array(position)).moving(jolt() * 0.3).spinning(jolt() * 4.0);
        world.add_body(body);
    }
    let (law, rolling) = (LawKind::HertzMindlin, RollingKind::ElasticPlastic);
    let contact = ContactModel { law, rolling, ..Default::default() };
    let settings = Settings { contact, sharing, threads, skin: Some(0.002), ..Settings::new(1e-5) };
    Engine::new(world, settings).unwrap()
}

/// Gives contacts their places in the lists of an engine.
fn attach(detached: Detached, engine: &Engine) -> Contacts<Ends> {
    let Space { bodies, neighbours, .. } = &engine.space;
    let lists = (neighbours, &neighbours.parts[0]);
    let model = engine.rules.settings.contact;
    Contacts::attached(detached, bodies, lists, model, (&engine.threads, 4), 0).0
}

/// What the contacts of rods do now to each.
fn acting(ends: &mut Contacts<Ends>, engine: &Engine) -> Vec<Wrench> {
    let acting = vec![Wrench::default(); engine.space.bodies.len()];
    let mut sums = Sums { acting, books: BookTable::like(&engine.sums.books) };
    ends.evaluate(&engine.space, engine.physics(0), &engine.threads, SumRows::all(&mut sums));
    sums.acting
}

/// The names of contacts of spheres, as rods would have them.
fn as_rods(detached: &Detached) -> Vec<Name> {
    let mut names: Vec<Name> = detached
        .names
        .iter()
        .map(|name| {
            assert_eq!([name.feature, name.a[1]], [0, name.b[1]], "unlike ends");
            Name { a: [name.a[0], 0], b: [name.b[0], 0], feature: name.a[1], ..*name }
        })
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn two_touches_of_a_pair_do_what_two_pairs_do() {
    for (sharing, threads, shuffled) in [
        (Sharing::Sum, 1, false),
        (Sharing::Average, 1, true),
        (Sharing::Sum, 3, false),
        (Sharing::Sum, 3, true),
    ] {
        let mut engine = stack(9, sharing, threads);
        if shuffled {
            engine.shuffle_rows(5);
        }
        let mut ends = attach(Detached::with_room(engine.physics(0).widths(false), 0), &engine);
        acting(&mut ends, &engine);
        let (mut together, mut most, mut ended) = (0, 0, 0);
        for step in 0..2500 {
            let detached = ends.detached(&engine.space, engine.physics(0), false);
            let builds = engine.space.neighbours.builds;
            engine.advance(1).unwrap();
            // Now and then without need.
            if engine.space.neighbours.builds != builds || step % 3 == 0 {
                ends = attach(detached, &engine);
            }
            assert_eq!(acting(&mut ends, &engine), engine.sums.acting, "step {step}");
            let mut names = ends.detached(&engine.space, engine.physics(0), false).names;
            names.sort_unstable();
            assert_eq!(names, as_rods(&engine.detached(false)[0]), "step {step}");
            let pairs = names.windows(2).filter(|two| two[0].a == two[1].a && two[0].b == two[1].b).count();
            ended += ends.between.iter().map(|segment| segment.ended.len()).sum::<usize>();
            (together, most) = (together + pairs, most.max(names.len()));
        }
        let seen = [together > 1000, most > 5, ended > 10, engine.space.neighbours.builds > 3];
        assert_eq!(seen, [true; 4], "{together} {most} {ended} {}", engine.space.neighbours.builds);
    }
}

/// Spheres slide from one part of a wall onto the next and take along what their contacts remember; rods do not rock from
/// one end to the other.
#[test]
fn a_touch_that_begins_as_another_ends_remembers_nothing() {
    let mut engine = stack(2, Sharing::Sum, 1);
    let mut ends = attach(Detached::with_room(engine.physics(0).widths(false), 0), &engine);
    acting(&mut ends, &engine);
    let mut touching = |ends: &mut Contacts<Ends>, feature: u32| {
        // All spheres far from each other but the two of this end, one above the other.
        let spheres: Vec<[f64; 4]> = (0..4_u32)
            .map(|sphere| {
                let [rod, end] = [sphere / 2, sphere % 2].map(f64::from);
                [end, 0.0, rod * if sphere % 2 == feature { 0.019 } else { 0.03 }, 0.01]
            })
            .collect();
        engine.space.bodies.spheres.copy_from_slice(&spheres);
        acting(ends, &engine);
        let features: Vec<u32> = ends.between.iter().flat_map(Segment::keys).map(|key| key.feature).collect();
        (features, ends.between.iter().map(|segment| segment.ended.len()).sum::<usize>())
    };
    assert_eq!(touching(&mut ends, 0), (vec![0], 0));
    assert_eq!(touching(&mut ends, 1), (vec![1], 1));
}
