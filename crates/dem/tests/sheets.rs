//! Guarantee: nothing goes through a thin sheet unnoticed. Meshes and finite tubes have no wrong side, and a sphere that
//! moves by more than its radius in a step need not touch them on its way; such a run stops, and whatever is slower, or
//! misses the sheet, goes on. It can break for walls that move, for spheres of clumps, and where lists are built anew.

use crate::common::{X, Y, Z};
use crate::crowds::{DT, RADIUS, advance, assert_same, engine, settings, state, v};
use core::f64::consts::FRAC_PI_2;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cone, Cylinder, MeshOptions, Motion, Movement, Shape, Side, TriangleMesh, Wall};
use tumble_dem::{Body, Error, LabVec, MaterialId, Quat, Settings, StopCause, TemplateId, World};

const BALL: TemplateId = TemplateId(0);

/// A square across x, 20 radii wide.
fn square() -> Shape {
    let at = |y: f64, z: f64| v(0.0, y, z) * (10.0 * RADIUS);
    let corners = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
    let [a, b, c, d] = corners;
    TriangleMesh::new(&[[a, b, c], [a, c, d]], MeshOptions::default()).unwrap().into()
}

/// A tube along z whose wall the x axis meets at the origin, open at both ends.
fn tube() -> Shape {
    let foot = v(-20.0, 0.0, -10.0) * RADIUS;
    Cylinder::new(foot, Z, 20.0 * RADIUS, Side::Inside, Some(20.0 * RADIUS)).unwrap().into()
}

/// A hopper likewise.
fn hopper() -> Shape {
    let ends = [v(-20.0, 0.0, -10.0) * RADIUS, v(-20.0, 0.0, 10.0) * RADIUS];
    Cone::new(ends, [15.0 * RADIUS, 25.0 * RADIUS], Side::Inside).unwrap().into()
}

fn sheets() -> [Shape; 3] {
    [square(), tube(), hopper()]
}

fn world(sheet: Shape, parts: Vec<Movement>) -> World {
    let mut world = crate::crowds::world();
    world.walls.push(Wall::new("sheet", sheet, MaterialId(0), Motion::new(parts).unwrap()).unwrap());
    world
}

/// By default spheres may overlap by 0.3 of their radius.
fn careful() -> Settings {
    Settings { max_overlap: 0.3, ..settings() }
}

/// Speeds of so many radii in a step.
fn per_step(radii: f64) -> f64 {
    radii * RADIUS / DT
}

fn assert_noticed(world: &World, steps: u64, case: &str) {
    let mut run = engine(world, &careful());
    let before = state(&run);
    let error = run.advance(steps).expect_err(case);
    let text = error.to_string();
    let Error::Stopped(stop) = error else { panic!("{case}: {text}") };
    let StopCause::Crossed { wall, displacement, radius, dt } = stop.cause else { panic!("{case}: {text}") };
    assert!(
        wall == "sheet"
            && displacement > RADIUS
            && (radius - RADIUS).abs() < 1e-15
            && dt.to_bits() == DT.to_bits()
    );
    assert!(text.contains("went through the thin wall 'sheet' in one step"), "{text}");
    let advised = format!("a time step of at most {:.3e} s", 0.5 * DT * radius / displacement);
    assert!(text.contains(&advised), "{text}");
    assert_same(&before, &state(&run), case);
}

/// Both ways, right after the start and on the way from farther off.
#[test]
fn what_is_too_fast_is_noticed() {
    for sheet in sheets() {
        for (radii, side, steps) in
            [1.6, 2.5, 5.0].into_iter().flat_map(|radii| [(radii, 1.0, 0), (radii, -1.0, 0), (radii, 1.0, 3)])
        {
            // Half a step before the sheet, after so many steps.
            let mut world = world(sheet.clone(), Vec::new());
            let from = X * (side * (0.5 + f64::from(steps)) * radii * RADIUS);
            world.add_body(Body::at(BALL, v(0.0, 0.0, 50.0 * RADIUS)));
            world.add_body(Body::at(BALL, from).moving(X * (-side * per_step(radii))));
            assert_noticed(&world, 10, &format!("{radii} from {from:?}"));
        }
    }
    let mut world = world(square(), Vec::new());
    world.add_body(Body::at(BALL, X * (0.725 * RADIUS)).moving(X * -per_step(1.45)));
    assert_noticed(&world, 2, "in contact before and after");
}

/// The sheet comes to a ball that stands still.
#[test]
fn a_sheet_that_moves_is_noticed() {
    for sheet in sheets() {
        let drift = Movement::Drift { velocity: X * per_step(1.8) };
        let mut world = world(sheet, vec![drift]);
        world.add_body(Body::at(BALL, X * (4.5 * RADIUS)));
        assert_noticed(&world, 10, "a sheet that moves");
    }
}

/// The ends of a dumb-bell are fast, its centre stands still.
#[test]
fn an_end_that_swings_through_is_noticed() {
    for sheet in [square(), tube()] {
        let mut world = world(sheet, Vec::new());
        let ends = [6.0, -6.0].map(|z| ClumpSphere::new([0.0, 0.0, z * RADIUS], RADIUS));
        let template = ClumpTemplate::new("dumb-bell", &ends, MassModel::Union).unwrap();
        let along = LabVec::from_array(template.spheres()[0].centre.to_array());
        // Upright, whichever principal axis that is.
        let upright = Quat::from_rotation_vector(along.cross(Z) * (FRAC_PI_2 / along.norm()));
        let dumb_bell = world.add_template(template).unwrap();
        let body = Body::at(dumb_bell, X * (4.2 * RADIUS)).turned(upright);
        world.add_body(body.spinning(Y * (0.5 / DT)));
        assert_noticed(&world, 3, "a dumb-bell");
    }
}

/// Slow balls bounce; fast ones that fly along the sheet, beside it, or past its edge go on.
#[test]
fn the_others_go_on() {
    for sheet in sheets() {
        let mut quiet = world(sheet.clone(), Vec::new());
        for (i, radii) in [0.01, 0.03].into_iter().enumerate() {
            let place = v(1.5, 5.0 * i as f64 - 2.0, 0.0) * RADIUS;
            quiet.add_body(Body::at(BALL, place).moving(X * -per_step(radii)));
        }
        let mut run = engine(&quiet, &Settings { max_overlap: 0.9, ..settings() });
        advance(&mut run, 2000);
        assert!(run.bodies().iter().all(|body| body.velocity.x > 0.0), "they bounced");

        let mut busy = world(sheet, Vec::new());
        let fast = per_step(1.8);
        busy.add_body(Body::at(BALL, v(6.0, 0.0, -40.0) * RADIUS).moving(Z * fast));
        busy.add_body(Body::at(BALL, v(40.0, 0.0, 12.0) * RADIUS).moving(X * -fast));
        busy.add_body(Body::at(BALL, v(10.0, 0.0, 3.0) * RADIUS).moving(X * fast));
        advance(&mut engine(&busy, &careful()), 60);
    }
}

/// Who lets spheres overlap as they like lets them through.
#[test]
fn ghosts_go_through() {
    let mut world = world(square(), Vec::new());
    world.add_body(Body::at(BALL, X * (0.9 * RADIUS)).moving(X * -per_step(1.8)));
    advance(&mut engine(&world, &Settings { max_overlap: 1.0, ..settings() }), 10);
}

/// Points on either side of a sheet, near and far from where it ends, by a search along the way.
#[test]
fn crossings_are_where_the_distance_vanishes() {
    let mut random = Random::new(5);
    for sheet in sheets() {
        let (mut crossed, mut missed) = (0, 0);
        for _ in 0..3000 {
            let [from, way] =
                [30.0, 25.0].map(|size| random.direction() * (size * RADIUS * random.uniform()));
            let least = |from: LabVec<f64>, way: LabVec<f64>| {
                let at = |i: u32| sheet.distance(from + way * (f64::from(i) / 2000.0)).abs();
                (0..=2000).map(at).fold(f64::INFINITY, f64::min)
            };
            // Within a piece of the way, the distance is that to the sheet or more than half a piece.
            let piece = way.norm() / 2000.0;
            if sheet.is_crossed(from, from + way) {
                assert!(least(from, way) <= 0.51 * piece, "{from:?} {way:?}");
                crossed += 1;
            } else {
                // What only just misses an edge is near as well.
                missed += u32::from(least(from, way) > 0.51 * piece);
            }
        }
        assert!(crossed > 200 && missed + crossed > 2950, "{crossed} {missed}");
    }
}
