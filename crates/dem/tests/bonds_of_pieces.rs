//! Guarantee: bonds lead where they are said to: from sphere centres, from the nearest points of the cores of capsules, and from the centres of
//! ellipsoids and polyhedra, whoever is close by the true gap of the surfaces; and a chain of bricks or fibres hangs on its bonds with its weight.

use crate::common::{X, Y, Z, assert_close, assert_near, world};
use std::f64::consts::PI;
use tumble_dem::bond::{BeamModel, BondRule, Making, TouchBonds, Width};
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel,
};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::{NearPair, near_pairs};
use tumble_dem::{Body, Engine, LabVec, Quat, Settings, TemplateId, World};

fn capsule(length: f64, radius: f64) -> ClumpCapsule {
    ClumpCapsule { ends: [X * (-0.5 * length), X * (0.5 * length)], radius }
}

/// A world with a brick, a fibre, a lentil and a ball; of two that fit each other.
fn stock(lentil: bool) -> World {
    let mut world = world(Material::new("clay", 2000.0, 1e7, 0.25), PairProperties::new(0.5, 0.3));
    let mut add = |name: &str, pieces: ClumpPieces<'_>| {
        world.add_template(ClumpTemplate::of(name, pieces, MassModel::Union).unwrap()).unwrap();
    };
    let brick = [ClumpHull::cuboid([0.02, 0.01, 0.006], 5e-4)];
    let lentils = [ClumpEllipsoid::new([0.008, 0.008, 0.003])];
    if lentil {
        add("lentil", ClumpPieces { ellipsoids: &lentils, ..ClumpPieces::default() });
    } else {
        add("brick", ClumpPieces { hulls: &brick, ..ClumpPieces::default() });
    }
    add("fibre", ClumpPieces { capsules: &[capsule(0.02, 1e-3)], ..ClumpPieces::default() });
    add("ball", ClumpPieces { spheres: &[ClumpSphere::new([0.0; 3], 2e-3)], ..ClumpPieces::default() });
    world
}

const OTHER: TemplateId = TemplateId(0);
const FIBRE: TemplateId = TemplateId(1);
const BALL: TemplateId = TemplateId(2);

fn only_pair(world: &World, gap: f64) -> Option<NearPair> {
    let pairs = near_pairs(world, gap);
    assert!(pairs.len() < 2, "{pairs:?}");
    pairs.first().copied()
}

/// Where two bodies are bonded, and that their surfaces are so far apart.
fn bonded(world: &World, gap: f64) -> NearPair {
    assert_eq!(only_pair(world, gap - 1e-9), None);
    let near =
        only_pair(world, gap + 1e-9).unwrap_or_else(|| panic!("{gap:e} apart: {:?}", near_pairs(world, 1.0)));
    assert_close("gap", near.gap, gap, 1e-6);
    near
}

fn with(mut world: World, bodies: &[Body; 2]) -> World {
    world.bodies = bodies.to_vec();
    world
}

#[test]
fn capsules_are_bonded_at_the_nearest_points_of_their_cores() {
    let fibre = |at: LabVec<f64>| Body::at(FIBRE, at);
    // End to end, and a little beside.
    let near = bonded(&with(stock(false), &[fibre(LabVec::zero()), fibre(X * 0.0224 + Z * 1e-3)]), {
        (0.0024_f64.powi(2) + 1e-6).sqrt() - 2e-3
    });
    assert_near("end", near.arms[0], X * 0.01, 1e-12);
    assert_near("end", near.arms[1], X * -0.01, 1e-12);
    // Side by side: in the middle of what they have in common.
    let near = bonded(&with(stock(false), &[fibre(LabVec::zero()), fibre(X * 0.012 + Z * 2.5e-3)]), 0.5e-3);
    assert_near("beside", near.arms[0], X * 0.006, 1e-9);
    assert_near("beside", near.arms[1], X * -0.006, 1e-9);
    // Across each other, one turned by a quarter.
    let quarter = Quat::from_rotation_vector(Z * (0.5 * PI));
    let near = bonded(
        &with(
            stock(false),
            &[fibre(LabVec::zero()), fibre(X * 0.004 + Y * 0.003 + Z * 2.3e-3).turned(quarter)],
        ),
        0.3e-3,
    );
    assert_near("across", near.arms[0], X * 0.004, 1e-9);
    assert_near("across", near.arms[1], Y * -0.003, 1e-9);
    near.radii.iter().for_each(|radius| assert_close("radius", *radius, 1e-3, 1e-15));
    // A ball beside a fibre.
    let near =
        bonded(&with(stock(false), &[Body::at(BALL, X * 0.005 + Y * 3.1e-3), fibre(LabVec::zero())]), 1e-4);
    assert_near("ball", near.arms[0], LabVec::zero(), 1e-12);
    assert_near("on the core", near.arms[1], X * 0.005, 1e-12);
}

#[test]
fn bricks_and_lentils_are_bonded_at_their_centres() {
    let sphere_of = |volume: f64| (0.75 / PI * volume).cbrt();
    for (lentil, thickness) in [(false, 0.006), (true, 0.006)] {
        let world = stock(lentil);
        let radius = sphere_of(world.templates[0].volume());
        let apart = X * 1e-12 + Z * (thickness + 1.5e-3);
        let near =
            bonded(&with(world.clone(), &[Body::at(OTHER, LabVec::zero()), Body::at(OTHER, apart)]), 1.5e-3);
        near.arms.iter().for_each(|arm| assert_near("arm", *arm, LabVec::zero(), 1e-12));
        near.radii.iter().for_each(|found| assert_close("radius", *found, radius, 1e-12));
        // Twice as large, and a ball above it.
        let above = Z * (thickness + 2e-3 + 0.7e-3);
        let near = bonded(
            &with(world, &[Body::at(OTHER, LabVec::zero()).scaled(2.0), Body::at(BALL, above)]),
            0.7e-3,
        );
        assert_close("radius", near.radii[0], 2.0 * radius, 1e-12);
        assert_close("ball", near.radii[1], 2e-3, 1e-15);
    }
}

fn rule() -> BondRule {
    let beam = Making::Beam { model: BeamModel::Timoshenko, young: 2e6, poisson: 0.25 };
    BondRule { width: Width::OfSmaller(0.5), damping: 2e-3, ..BondRule::new(beam) }
}

fn bond_near(world: &mut World, gap: f64) {
    let bonds = near_pairs(world, gap).into_iter().map(|near| {
        let [from, to] = [0, 1].map(|end| world.bodies[near.bodies[end].index()].position + near.arms[end]);
        rule().bond(&near, (to - from).norm())
    });
    world.bonds = bonds.collect();
}

/// A chain hangs from its first body: each bond bears what is below it.
#[test]
fn chains_of_bricks_and_fibres_hang_on_their_bonds() {
    let upright = Quat::from_rotation_vector(Y * (0.5 * PI));
    for (template, step, turn) in [(OTHER, 0.007, Quat::identity()), (FIBRE, 0.0225, upright)] {
        let mut world = stock(false);
        for number in 0..4 {
            world.add_body(Body::at(template, Z * (-step * f64::from(number))).turned(turn));
        }
        world.bodies[0].held = true;
        world.gravity = Z * -9.81;
        bond_near(&mut world, 2e-3);
        assert_eq!(world.bonds.len(), 3);
        let mut engine = Engine::new(world, Settings::new(2e-6)).unwrap();
        engine.advance(60_000).unwrap();
        let weight = engine.bodies()[1].mass * 9.81;
        for (below, bond) in (1..=3).rev().zip(engine.bonds()) {
            assert_close("pull", bond.tension, weight * f64::from(below), 2e-3);
            assert!(bond.shear < 1e-3 * weight && bond.bending < 1e-3 * weight * 0.01, "{bond:?}");
        }
    }
}

/// Pieces that meet during a run are bonded as those are that are near at the start.
#[test]
fn pieces_are_bonded_by_touch() {
    for (template, half) in [(OTHER, 0.003), (FIBRE, 1e-3)] {
        let mut world = stock(false);
        for side in [-1.0, 1.0] {
            let at = X * (side * 2e-3) + Z * (side * (half + 1e-6));
            world.add_body(Body::at(template, at).moving(Z * (-side * 0.05)));
        }
        world.touch_bonds = vec![TouchBonds::new(rule())];
        let settings = Settings { max_overlap: 0.9, ..Settings::new(1e-6) };
        let mut engine = Engine::new(world, settings).unwrap();
        while engine.bond_counts().made == 0 {
            engine.advance(1).unwrap();
        }
        let line = engine.bonds()[0].line;
        let along = if template == FIBRE { 0.0 } else { 4e-3 };
        assert_near("line", line, X * along + Z * (2.0 * half), 2e-6);
        engine.advance(200).unwrap();
        assert_eq!(engine.contact_count(), 0);
    }
}
