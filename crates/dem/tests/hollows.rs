//! Guarantee: a contact with a mesh is a potential of the place, whatever the triangles. It can break where a surface
//! is hollow: two facets are near a sphere there, and a contact that begins or ends deep in the surface brings energy.

use crate::solids::{Triangles, mesh, v};
use std::f64::consts::PI;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cylinder, Enclosure, Motion, Shape, Side, TriangleMesh, Wall};
use tumble_dem::{Body, Engine, MaterialId, Settings, World};
use tumble_math::LabVec;

/// A ball of radius 1 of triangles as equal as can be: 20·4ⁿ of them.
fn icosphere(times: u32) -> Triangles {
    let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
    let mut corners = Vec::new();
    for (a, b) in [(-1.0, -golden), (-1.0, golden), (1.0, -golden), (1.0, golden)] {
        corners.extend([v(0.0, a, b), v(a, b, 0.0), v(b, 0.0, a)]);
    }
    let near = |a: LabVec<f64>, b: LabVec<f64>| (a - b).norm() < 2.1;
    let mut triangles = Triangles::new();
    for (i, &a) in corners.iter().enumerate() {
        for (j, &b) in corners.iter().enumerate().skip(i + 1) {
            for &c in &corners[j + 1..] {
                if near(a, b) && near(b, c) && near(c, a) {
                    triangles.push([a, b, c]);
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    for _ in 0..times {
        let middle = |a: LabVec<f64>, b: LabVec<f64>| (a + b) * 0.5;
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    triangles.into_iter().map(|corners| corners.map(|corner| corner * (1.0 / corner.norm()))).collect()
}

fn scaled(triangles: &Triangles, by: f64) -> Triangles {
    triangles.iter().map(|corners| corners.map(|corner| corner * by)).collect()
}

fn material() -> Material {
    Material::new("m", 2500.0, 1e7, 0.3).with_stiffness(1e4)
}

fn world(walls: &Triangles, restitution: f64, friction: f64) -> World {
    let mut world = World::default();
    world.materials.add(material()).unwrap();
    world.materials.set_default(PairProperties::new(restitution, friction));
    world.walls.push(Wall::new("hollow", mesh(walls), MaterialId(0), Motion::fixed()).unwrap());
    world
}

fn settings(law: LawKind, dt: f64) -> Settings {
    Settings { contact: ContactModel { law, ..ContactModel::default() }, ..Settings::new(dt) }
}

/// The largest deviation of the balance from its first value over the first kinetic energy.
fn drift(mut engine: Engine, duration: f64) -> f64 {
    let (first, energy) = (engine.ledger().balance(), engine.ledger().kinetic());
    let (steps, mut worst) = ((duration / engine.settings().dt).round(), 0.0_f64);
    let mut done = 0.0;
    while done < steps {
        engine.advance(50).unwrap();
        done += 50.0;
        worst = worst.max((engine.ledger().balance() - first).abs() / energy);
    }
    worst
}

/// Five spheres that fly about in a hollow ball of 0.1 m.
fn spheres_in_a_ball(times: u32, law: LawKind, dt: f64) -> Engine {
    let mut world = world(&scaled(&icosphere(times), 0.1), 1.0, 0.0);
    let sphere = world.add_template(ClumpTemplate::sphere("s", 0.01).unwrap()).unwrap();
    let mut random = Random::new(3);
    for i in 0..5 {
        let mut any = || random.between(-1.0, 1.0);
        let place = v(0.03 * f64::from(i - 2), 0.0, 0.0);
        world.add_body(Body::at(sphere, place).moving(v(any(), any(), any()) * 1.5));
    }
    Engine::new(world, settings(law, dt)).unwrap()
}

#[test]
fn spheres_keep_their_energy_in_a_ball_of_triangles() {
    for law in [LawKind::Hertz, LawKind::Linear] {
        for times in [2, 3, 4] {
            let drifts = [2e-5, 1e-5, 0.5e-5].map(|dt| drift(spheres_in_a_ball(times, law, dt), 0.3));
            // A contact lasts some 60 of the longest steps. Of second order, with the scatter of a few collisions.
            assert!(drifts[0] < 1.5e-4 && drifts[2] < 1e-5, "{law:?}, {times} times: {drifts:?}");
        }
    }
}

/// A quarter of a tube of 0.1 m about y, below the axis, of so many flat strips.
fn trough(strips: u32) -> TriangleMesh {
    let at = |i: u32, y: f64| {
        let angle = PI * (0.75 * f64::from(i) / f64::from(strips) - 0.875);
        v(0.1 * angle.cos(), y, 0.1 * angle.sin())
    };
    let mut triangles = Triangles::new();
    for i in 0..strips {
        let [a, b, c, d] = [at(i, -0.1), at(i + 1, -0.1), at(i + 1, 0.1), at(i, 0.1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    mesh(&triangles)
}

fn tube() -> Shape {
    Cylinder::new(LabVec::zero(), v(0.0, 1.0, 0.0), 0.1, Side::Inside, None).unwrap().into()
}

/// A sphere of 1 cm that is let go at 60° from the bottom of a trough.
fn in_a_trough(shape: Shape, model: ContactModel, properties: PairProperties, dt: f64) -> Engine {
    let mut world = World::default();
    world.materials.add(material()).unwrap();
    world.materials.set_default(properties);
    world.walls.push(Wall::new("trough", shape, MaterialId(0), Motion::fixed()).unwrap());
    world.gravity = v(0.0, 0.0, -9.81);
    let sphere = world.add_template(ClumpTemplate::sphere("s", 0.01).unwrap()).unwrap();
    let angle = PI / 3.0;
    world.add_body(Body::at(sphere, v(-angle.sin(), 0.0, -angle.cos()) * 0.0899));
    Engine::new(world, Settings { contact: model, ..Settings::new(dt) }).unwrap()
}

#[test]
fn a_trough_is_the_smooth_one_as_its_strips_get_narrower() {
    let elastic = PairProperties::new(1.0, 0.0);
    let rough = PairProperties::new(0.5, 0.3);
    let available = 4.0 / 3.0 * PI * 1e-6 * 2500.0 * 9.81 * 0.045;
    for (law, properties) in
        [(LawKind::Hertz, elastic.clone()), (LawKind::Linear, elastic), (LawKind::HertzMindlin, rough)]
    {
        let mut apart = Vec::new();
        for strips in [36, 180, 1500] {
            let model = ContactModel { law, ..ContactModel::default() };
            let mut engine = in_a_trough(trough(strips).into(), model, properties.clone(), 2e-5);
            let mut smooth = in_a_trough(tube(), model, properties.clone(), 2e-5);
            let before = engine.ledger().balance();
            let (mut drift, mut farthest) = (0.0_f64, 0.0_f64);
            for _ in 0..1000 {
                engine.advance(20).unwrap();
                smooth.advance(20).unwrap();
                drift = drift.max((engine.ledger().balance() - before).abs() / available);
                farthest = farthest.max((engine.bodies()[0].position - smooth.bodies()[0].position).norm());
            }
            assert!(drift < 2e-5, "{law:?}, {strips} strips: {drift:e} of the energy");
            apart.push(farthest);
        }
        assert!(apart[1] < 0.3 * apart[0] && apart[2] < 1e-5, "{law:?}: {apart:?} m");
    }
}

#[test]
fn a_load_in_an_edge_counts_once() {
    for law in [LawKind::Linear, LawKind::HertzMindlin] {
        let model = ContactModel { law, ..ContactModel::default() };
        let properties = PairProperties::new(0.3, 0.5);
        // An even number of strips has an edge at the bottom.
        for strips in [200, 2000] {
            let rest = |shape: Shape| {
                let mut engine = in_a_trough(shape, model, properties.clone(), 1e-4);
                let lowest = v(0.0, 0.0, -0.0899);
                let id = engine.bodies()[0].id;
                engine.set_pose(id, lowest, engine.bodies()[0].orientation).unwrap();
                engine.advance(20_000).unwrap();
                engine
            };
            let (engine, smooth) = (rest(trough(strips).into()), rest(tube()));
            let (contacts, alone) = (engine.contacts(), smooth.contacts());
            assert_eq!((contacts.len(), alone.len()), (1, 1));
            // What is left is the angle between the strips.
            let ratio = contacts[0].overlap / alone[0].overlap;
            assert!(
                (ratio - 1.0).abs() < if strips == 200 { 0.05 } else { 5e-4 },
                "{law:?} {strips}: {ratio}"
            );
            let weight = engine.bodies()[0].mass * 9.81;
            assert!((engine.walls()[0].force.z + weight).abs() < 1e-9 * weight);
        }
    }
}

/// A clump of three spheres that tumbles over a surface z(x, y), in a box of 0.1 m.
fn over(height: impl Fn(f64, f64) -> f64, cells: u32, dt: f64) -> Engine {
    let at = |i: u32, j: u32| {
        let [x, y] = [i, j].map(|k| 0.12 * (f64::from(k) / f64::from(cells) - 0.5));
        v(x, y, height(x, y))
    };
    let mut triangles = Triangles::new();
    for (i, j) in (0..cells).flat_map(|i| (0..cells).map(move |j| (i, j))) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    let mut world = world(&triangles, 1.0, 0.0);
    let sides = Enclosure::new(v(-0.05, -0.05, -0.05), v(0.05, 0.05, 0.1)).unwrap();
    world.walls.push(Wall::new("sides", sides, MaterialId(0), Motion::fixed()).unwrap());
    let rod = ClumpTemplate::new("rod", &shapes::rod(3, 0.006, 0.009), MassModel::Union).unwrap();
    let rod = world.add_template(rod).unwrap();
    world.gravity = v(0.0, 0.0, -9.81);
    let body = Body::at(rod, v(0.01, -0.007, 0.05)).moving(v(0.3, 0.2, -0.5));
    world.add_body(body.spinning(v(20.0, 30.0, -10.0)));
    Engine::new(world, settings(LawKind::Hertz, dt)).unwrap()
}

#[test]
fn clumps_keep_their_energy_on_hollows_saddles_and_hills() {
    type Height = fn(f64, f64) -> f64;
    let surfaces: [(&str, Height); 3] = [
        ("hollow", |x, y| 5.0 * (x * x + y * y)),
        ("saddle", |x, y| 5.0 * (x * x - y * y)),
        ("hill", |x, y| -5.0 * (x * x + y * y)),
    ];
    for (name, height) in surfaces {
        for cells in [8, 40] {
            let drifts = [2e-5, 1e-5].map(|dt| drift(over(height, cells, dt), 0.4));
            assert!(drifts[0] < 1e-3 && drifts[1] < 2.5e-4, "{name}, {cells} cells: {drifts:?}");
        }
    }
}

/// A sheet with a round hole of 1.6 cm, and a funnel of 45° down to it.
fn seat(slope: f64) -> Triangles {
    let at = |i: u32, radius: f64| {
        let angle = 2.0 * PI * f64::from(i % 60) / 60.0;
        v(radius * angle.cos(), radius * angle.sin(), slope * (radius - 0.008))
    };
    let quarter = |i: u32| {
        [[at(i, 0.008), at(i + 1, 0.008), at(i + 1, 0.05)], [at(i, 0.008), at(i + 1, 0.05), at(i, 0.05)]]
    };
    (0..60).flat_map(quarter).collect()
}

#[test]
fn a_ring_holds_what_lies_on_it() {
    for slope in [0.0, 1.0] {
        let mut world = world(&seat(slope), 0.5, 0.3);
        let sphere = world.add_template(ClumpTemplate::sphere("s", 0.01).unwrap()).unwrap();
        world.gravity = v(0.0, 0.0, -9.81);
        world.add_body(Body::at(sphere, v(1e-4, 5e-5, 0.0065 + 0.004 * slope)));
        let mut engine = Engine::new(world, settings(LawKind::HertzMindlin, 2e-5)).unwrap();
        engine.advance(25_000).unwrap();
        let body = engine.bodies()[0];
        assert!(body.position.z > 0.004 && body.velocity.norm() < 1e-2, "{slope}: {body:?}");
        let weight = body.mass * 9.81;
        assert!(engine.walls()[0].force.z < 0.0 && engine.walls()[0].force.z > -3.0 * weight);
    }
}
