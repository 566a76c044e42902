//! Each kind of measure gives what is known of a configuration by hand.

#![allow(clippy::float_cmp, reason = "counts, and sums that are exact")]
#![allow(clippy::disallowed_methods, reason = "expected values alone depend on them")]

use std::f64::consts::PI;
use tumble_dem::clump::{
    ClumpCapsule, ClumpEllipsoid, ClumpHull, ClumpPieces, ClumpSphere, ClumpTemplate, MassModel,
};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::heat::{CONDUCTIVITY, HEAT_CAPACITY, Heat};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::SizeMeasure;
use tumble_dem::wall::{Drawing, MeshOptions, Motion, Plane, Shape, TriangleMesh, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, Settings, TemplateId, WallId, World};
use tumble_measure::{Key, MeasureKind, Measures, Options, Region, Share, Spec, Surface};

pub(crate) fn at(x: f64, y: f64, z: f64) -> LabVec<f64> {
    LabVec::new(x, y, z)
}

/// A world of glass without friction, with a template of spheres of radius 1 cm.
pub(crate) fn world() -> World {
    let mut world = World::default();
    world.materials.add(Material::new("glass", 2500.0, 1e7, 0.25)).unwrap();
    world.materials.add(Material::new("steel", 7800.0, 1e7, 0.25)).unwrap();
    world.materials.set_default(PairProperties::new(1.0, 0.0));
    world.add_template(ClumpTemplate::sphere("ball", 0.01).unwrap()).unwrap();
    world
}

pub(crate) const BALL: TemplateId = TemplateId(0);

pub(crate) fn engine(world: World) -> Engine {
    let settings = Settings {
        contact: ContactModel { law: LawKind::Hertz, ..ContactModel::default() },
        ..Settings::new(1e-5)
    };
    Engine::new(world, settings).unwrap()
}

pub(crate) fn spec(kind: &str, options: Options) -> Spec {
    let kind = MeasureKind::from_name(kind).unwrap();
    Spec { name: "m".into(), kind, every: 1, window: None, options }
}

/// What a measure gives at the present instant, by name of column.
fn measured(engine: &Engine, kind: &str, options: Options) -> impl Fn(&str) -> f64 + use<> {
    let mut measures = Measures::new(&[spec(kind, options)]);
    measures.sample(engine);
    move |column| measures.value(&format!("m.{column}")).unwrap_or_else(|| panic!("no column {column}"))
}

fn close(ours: f64, exact: f64, error: f64) {
    assert!((ours - exact).abs() <= error * exact.abs().max(1e-300), "{ours} for {exact}");
}

fn within(region: Region) -> Options {
    Options { region: Some(region), ..Options::default() }
}

fn ball_volume(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// Twelve triangles around a box, wound outwards.
fn box_of_triangles(low: LabVec<f64>, high: LabVec<f64>) -> Vec<[LabVec<f64>; 3]> {
    let Drawing { points, triangles, .. } = Drawing::cuboid(low, high);
    // It is drawn as seen from inside.
    triangles.iter().map(|&[a, b, c]| [a, c, b].map(|corner| points[corner as usize])).collect()
}

/// The balls that stand for an ellipsoid have its volume, on either side of planes through its centre as well.
#[test]
fn ellipsoids_in_regions() {
    let mut world = world();
    let axes = [0.05, 0.03, 0.02];
    let pieces = ClumpPieces { ellipsoids: &[ClumpEllipsoid::new(axes)], ..ClumpPieces::default() };
    let seed = ClumpTemplate::of("seed", pieces, MassModel::Union).unwrap();
    let seed = world.add_template(seed).unwrap();
    world.add_body(Body::at(seed, at(0.2, 0.0, 0.0)));
    let engine = engine(world);
    let volume = 4.0 / 3.0 * PI * axes[0] * axes[1] * axes[2];
    let all = measured(&engine, "contents", within(Region::cuboid(at(0.0, -1.0, -1.0), at(1.0, 1.0, 1.0))));
    close(all("volume"), volume, 1e-12);
    for half in [
        Region::cuboid(at(0.0, -1.0, -1.0), at(0.2, 1.0, 1.0)),
        Region::cuboid(at(0.0, 0.0, -1.0), at(1.0, 1.0, 1.0)),
        Region::cuboid(at(0.0, -1.0, 0.0), at(1.0, 1.0, 1.0)),
    ] {
        close(measured(&engine, "contents", within(half))("volume"), 0.5 * volume, 1e-7);
    }
    // Beyond half of a semi-axis lies 5/32 of it.
    let cap = Region::cuboid(at(0.225, -1.0, -1.0), at(1.0, 1.0, 1.0));
    close(measured(&engine, "contents", within(cap))("volume"), 5.0 / 32.0 * volume, 0.15);
}

/// The balls that stand for a box have its volume, and the height of its flat top; of a polyhedron that is none as well, as far as the grid is fine.
#[test]
fn polyhedra_in_regions() {
    let mut world = world();
    let size = [0.1, 0.06, 0.04];
    let block = ClumpHull::cuboid(size, 0.005);
    let wedge = ClumpHull::new(
        &[[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.06, 0.0], [0.0, 0.0, 0.08], [0.1, 0.0, 0.08], [0.0, 0.06, 0.08]],
        0.001,
    );
    let mut add = |name: &str, hull: ClumpHull| {
        let pieces = ClumpPieces { hulls: &[hull], ..ClumpPieces::default() };
        let template = ClumpTemplate::of(name, pieces, MassModel::Union).unwrap();
        let facts = (template.volume(), template.centre(), template.orientation());
        (world.add_template(template).unwrap(), facts)
    };
    let ((block, (volume, _, turn)), (wedge, (whole, centre, tilt))) =
        (add("block", block), add("wedge", wedge));
    world.add_body(Body::at(block, at(0.2, 0.0, 0.0)).turned(turn));
    // The wedge lies where it was given, 0.5 m further.
    world.add_body(Body::at(wedge, centre + at(0.0, 0.5, 0.0)).turned(tilt));
    let engine = engine(world);
    let of = |low: [f64; 3], high: [f64; 3]| {
        let region = Region::cuboid(LabVec::from_array(low), LabVec::from_array(high));
        measured(&engine, "contents", within(region))("volume")
    };
    close(of([0.0, -1.0, -1.0], [1.0, 0.2, 1.0]), volume, 1e-12);
    for low in [[0.2, -1.0, -1.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]] {
        close(of(low, [1.0, 0.2, 1.0]), 0.5 * volume, 1e-7);
    }
    // A fifth of its length from the end, but for the rounding there.
    close(of([0.23, -1.0, -1.0], [1.0, 0.2, 1.0]), 0.2 * volume, 0.06);
    close(of([-1.0, 0.4, -1.0], [1.0, 1.0, 1.0]), whole, 1e-12);
    // Of a triangle, beyond half of a side, a quarter.
    close(of([0.05, 0.4, -1.0], [1.0, 1.0, 1.0]), 0.25 * whole, 0.1);
    let strips = Options { bins: Some(5), ..within(Region::cuboid(at(0.1, -0.1, -1.0), at(0.3, 0.1, 1.0))) };
    let tops = measured(&engine, "heights", Options { along: Some(at(1.0, 0.0, 0.0)), ..strips });
    // In the middle strip there is no corner.
    close(tops("highest"), 0.5 * size[2], 1e-9);
    close(tops("height_3"), 0.5 * size[2], 1e-9);
}

/// A capsule counts whole where it is inside, half on either side of a plane through its middle, and the balls that stand for it have its
/// true height.
#[test]
fn capsules_in_regions() {
    let mut world = world();
    let (radius, length) = (0.01, 0.1);
    let rod = ClumpCapsule::new([-0.5 * length, 0.0, 0.0], [0.5 * length, 0.0, 0.0], radius);
    let rod = ClumpTemplate::with_capsules("rod", &[], &[rod], MassModel::Union).unwrap();
    let rod = world.add_template(rod).unwrap();
    world.add_body(Body::at(rod, at(0.2, 0.0, 0.0)));
    let engine = engine(world);
    let volume = PI * radius * radius * length + ball_volume(radius);
    let all = measured(&engine, "contents", within(Region::cuboid(at(0.0, -1.0, -1.0), at(1.0, 1.0, 1.0))));
    close(all("volume"), volume, 1e-12);
    // The weights of the row are symmetric, so the halves are equal to the accuracy of the shares of balls.
    for half in [
        Region::cuboid(at(0.0, -1.0, -1.0), at(0.2, 1.0, 1.0)),
        Region::cuboid(at(0.0, 0.0, -1.0), at(1.0, 1.0, 1.0)),
        Region::cuboid(at(0.0, -1.0, 0.0), at(1.0, 1.0, 1.0)),
    ] {
        close(measured(&engine, "contents", within(half))("volume"), 0.5 * volume, 1e-7);
    }
    // A slab of a tenth of its length across the middle: the integral along the axis is that of the cylinder.
    let slab = Region::cuboid(at(0.195, -1.0, -1.0), at(0.205, 1.0, 1.0));
    let slab = measured(&engine, "contents", within(slab))("volume");
    close(slab, PI * radius * radius * 0.01, 0.02);
    let whole = within(Region::cuboid(at(0.1, -0.1, -0.1), at(0.3, 0.1, 0.1)));
    let heights = measured(&engine, "heights", Options { along: Some(at(1.0, 0.0, 0.0)), ..whole });
    // Strips of 2 cm: the rod reaches from 0.15 to 0.25 m, and strips 4 to 7 are under its core.
    for strip in 4..=7 {
        close(heights(&format!("height_{strip}")), radius, 1e-12);
    }
    assert!(heights("height_1").is_nan());
}

#[test]
fn contents_of_boxes_cylinders_spheres_and_meshes() {
    let mut world = world();
    world.add_body(Body::at(BALL, at(0.0, 0.0, 0.0)));
    world.add_body(Body::at(BALL, at(0.1, 0.0, 0.0)).made_of(MaterialId(1)).scaled(2.0));
    let engine = engine(world);
    let half = || within(Region::cuboid(at(0.0, -1.0, -1.0), at(0.1, 1.0, 1.0)));
    let box_half = measured(&engine, "contents", half());
    // A centre on the lower end is inside, one on the upper end is not.
    assert_eq!(box_half("number"), 1.0);
    close(box_half("mass"), 2500.0 * ball_volume(0.01), 1e-12);
    let volume = ball_volume(0.01) / 2.0 + ball_volume(0.02) / 2.0;
    close(box_half("volume"), volume, 1e-8);
    close(box_half("solid_fraction"), volume / 0.4, 1e-8);
    // A tube of 5 cm radius about the x axis, that ends in the middle of the second ball.
    let tube = Region::cylinder(at(-1.0, 0.0, 0.0), at(0.1, 0.0, 0.0), 0.05).unwrap();
    let tube = measured(&engine, "contents", within(tube));
    close(tube("volume"), ball_volume(0.01) + ball_volume(0.02) / 2.0, 1e-8);
    let sphere = measured(&engine, "contents", within(Region::sphere(at(0.01, 0.0, 0.0), 0.01)));
    // Two spheres of one radius r at the distance r: a lens of two caps of height r/2.
    close(sphere("volume"), 5.0 * PI * 0.01_f64.powi(3) / 12.0, 1e-12);
    let mesh = |low, high| TriangleMesh::new(&box_of_triangles(low, high), MeshOptions::default()).unwrap();
    let region = Region::mesh(&mesh(at(-0.05, -0.1, -0.1), at(0.05, 0.1, 0.1))).unwrap();
    close(region.volume(), 0.1 * 0.2 * 0.2, 1e-12);
    let inside = measured(&engine, "contents", within(region));
    assert_eq!(inside("number"), 1.0);
    close(inside("volume"), ball_volume(0.01), 1e-12);
    // Its side goes through the middle of the larger ball, whichever way its triangles are wound.
    for turned in [false, true] {
        let mut triangles = box_of_triangles(at(-0.05, -0.1, -0.1), at(0.1, 0.1, 0.1));
        if turned {
            for corners in &mut triangles {
                corners.swap(0, 1);
            }
        }
        let region = Region::mesh(&TriangleMesh::new(&triangles, MeshOptions::default()).unwrap()).unwrap();
        let cut = measured(&engine, "contents", within(region));
        close(cut("volume"), ball_volume(0.01) + ball_volume(0.02) / 2.0, 1e-12);
    }
    let mut open = box_of_triangles(at(0.0, 0.0, 0.0), at(1.0, 1.0, 1.0));
    open.pop();
    let open = TriangleMesh::new(&open, MeshOptions::default()).unwrap();
    assert!(Region::mesh(&open).unwrap_err().to_string().contains("3 edges"));
    let mut twisted = box_of_triangles(at(0.0, 0.0, 0.0), at(1.0, 1.0, 1.0));
    twisted[3].swap(0, 1);
    let twisted = TriangleMesh::new(&twisted, MeshOptions::default()).unwrap();
    assert!(Region::mesh(&twisted).unwrap_err().to_string().contains("wound"));
}

#[test]
fn spheres_of_a_clump_that_overlap_count_once_and_images_count() {
    let mut world = world();
    let pair = [ClumpSphere::new([-0.005, 0.0, 0.0], 0.01), ClumpSphere::new([0.005, 0.0, 0.0], 0.01)];
    let pair = world.add_template(ClumpTemplate::new("pair", &pair, MassModel::Union).unwrap()).unwrap();
    world.add_body(Body::at(pair, at(0.0, 0.0, 0.5)));
    world.domain = Domain::of([Axis::Open, Axis::Open, Axis::Periodic { low: 0.0, high: 1.0 }]);
    world.add_body(Body::at(BALL, at(0.5, 0.5, 0.0)));
    let union = 2.0 * ball_volume(0.01) - 5.0 * PI * 0.01_f64.powi(3) / 12.0;
    let engine = engine(world);
    let whole = measured(&engine, "contents", within(Region::cuboid(at(-1.0, -1.0, 0.0), at(1.0, 1.0, 1.0))));
    close(whole("volume"), union + ball_volume(0.01), 1e-9);
}

#[test]
fn a_sphere_in_any_place_of_a_grid_of_boxes_is_shared_out_whole() {
    for x in [0.0, 0.013, 0.031] {
        let centre = at(x, 0.5 * x, 0.7 - x);
        let mut sum = 0.0;
        for i in 0..4 {
            for j in 0..4 {
                for k in 0..4 {
                    let low = at(-0.04, -0.04, 0.64) + at(f64::from(i), f64::from(j), f64::from(k)) * 0.03;
                    let region = Region::cuboid(low, low + at(0.03, 0.03, 0.03));
                    sum += region.share(centre, 0.021, &Domain::open());
                }
            }
        }
        close(sum, ball_volume(0.021), 1e-7);
    }
}

#[test]
fn centre_of_mass_sizes_and_mixing() {
    let mut world = world();
    world.add_body(Body::at(BALL, at(0.0, 0.0, 0.0)).moving(at(1.0, 0.0, 0.0)));
    world.add_body(Body::at(BALL, at(0.3, 0.0, 0.9)).scaled(2.0));
    let engine_of_two = engine(world);
    let centre = measured(&engine_of_two, "centre-of-mass", Options::default());
    // One part of nine.
    close(centre("x"), 0.3 * 8.0 / 9.0, 1e-14);
    close(centre("z"), 0.8, 1e-14);
    close(centre("velocity_x"), 1.0 / 9.0, 1e-14);
    close(centre("fluctuation"), (8.0_f64 / 81.0).sqrt(), 1e-12);
    let sizes = measured(&engine_of_two, "sizes", Options::default());
    close(sizes("d10"), 0.02, 1e-12);
    close(sizes("d50"), 0.04, 1e-12);
    close(sizes("mean"), 0.03, 1e-12);
    close(sizes("sauter"), (8.0 + 64.0) / (4.0 + 16.0) * 0.01, 1e-12);
    // Balls are of one size, whichever; rods of two spheres pass what one of them passes.
    let by_sieve = || Options { size: Some(SizeMeasure::Sieve), ..Options::default() };
    close(measured(&engine_of_two, "sizes", by_sieve())("mean"), 0.03, 1e-9);
    let mut of_rods = self::world();
    let rod = [ClumpSphere::new([-0.01, 0.0, 0.0], 0.01), ClumpSphere::new([0.01, 0.0, 0.0], 0.01)];
    let rod = of_rods.add_template(ClumpTemplate::new("rod", &rod, MassModel::Union).unwrap()).unwrap();
    of_rods.add_body(Body::at(rod, at(0.0, 0.0, 0.0)).scaled(1.5));
    let of_rods = engine(of_rods);
    close(measured(&of_rods, "sizes", by_sieve())("d50"), 0.03, 1e-7);
    let longest = Options { size: Some(SizeMeasure::Longest), ..Options::default() };
    close(measured(&of_rods, "sizes", longest)("d50"), 0.06, 1e-12);
    close(measured(&of_rods, "sizes", Options::default())("d50"), 0.03 * 2.0_f64.cbrt(), 1e-12);

    // Eight cells with four bodies each; two thirds of a period of each sort.
    let mixed = |sort: &dyn Fn(usize, usize) -> bool| {
        let mut world = self::world();
        for cell in 0..8 {
            for body in 0..4 {
                let place = at((cell % 2) as f64, (cell / 2 % 2) as f64, (cell / 4) as f64) * 0.5;
                let position = place + at(0.1, 0.1, 0.05 + 0.1 * body as f64);
                world.add_body(Body::at(BALL, position).made_of(MaterialId(u16::from(sort(cell, body)))));
            }
        }
        let options = Options {
            of: Some(Share::Material(MaterialId(1))),
            cells: Some([2; 3]),
            ..within(Region::cuboid(at(0.0, 0.0, 0.0), at(1.0, 1.0, 1.0)))
        };
        measured(&engine(world), "mixing", options)
    };
    let apart = mixed(&|cell, _| cell < 4);
    close(apart("segregation"), 1.0, 1e-14);
    assert_eq!((apart("lacey"), apart("share"), apart("cells")), (0.0, 0.5, 8.0));
    // As even as can be: more so than at random, for which (k − 1)/(N − 1) = 7/31 of the variance is left.
    let even = mixed(&|_, body| body < 2);
    assert_eq!(even("segregation"), 0.0);
    close(even("lacey"), 31.0 / 24.0, 1e-14);
    // Half of the cells are full of a quarter more: 3, 1, 3, 1: deviations of a quarter, 1/16 of 1/4.
    let some = mixed(&|cell, body| body < if cell % 2 == 0 { 3 } else { 1 });
    close(some("segregation"), 0.25, 1e-14);
    close(some("lacey"), 0.75 / (24.0 / 31.0), 1e-14);
}

/// A chain of balls along z between two plates, each pressed 0.1 mm into the next.
fn chain(count: u32) -> World {
    let mut world = world();
    let (radius, overlap) = (0.01, 1e-4);
    for number in 0..count {
        let z = (radius - overlap / 2.0) + f64::from(number) * (2.0 * radius - overlap);
        world.add_body(Body::at(BALL, at(0.0, 0.0, z)));
    }
    let top = f64::from(count) * (2.0 * radius - overlap);
    for (name, z, normal) in [("floor", overlap / 2.0, 1.0), ("lid", top - overlap / 2.0, -1.0)] {
        let plane = Plane::new(at(0.0, 0.0, z - overlap / 2.0 * normal), at(0.0, 0.0, normal)).unwrap();
        world.walls.push(Wall::new(name, Shape::from(plane), MaterialId(0), Motion::default()).unwrap());
    }
    world
}

/// Hertz: F = 4/3 E* √R δ^1.5.
fn hertz(overlap: f64, radius: f64) -> f64 {
    let modulus = 1e7 / (2.0 * (1.0 - 0.0625));
    4.0 / 3.0 * modulus * radius.sqrt() * overlap.powf(1.5)
}

#[test]
fn contacts_of_a_chain() {
    let world = chain(10);
    let engine = engine(world);
    let force = hertz(1e-4, 0.005);
    let z = at(0.0, 0.0, 1.0);
    let inner = || Region::cylinder(at(0.0, 0.0, 0.05), at(0.0, 0.0, 0.11), 0.02).unwrap();
    let forces = measured(&engine, "forces", within(inner()));
    for column in ["normal_mean", "normal_p50", "normal_p90", "normal_p99", "normal_max"] {
        close(forces(column), force, 1e-9);
    }
    assert!(forces("tangential_max") < 1e-12 * force);
    let coordination = measured(&engine, "coordination", Options::default());
    close(coordination("bodies"), 1.8, 1e-14);
    close(coordination("bodies_and_walls"), 2.0, 1e-14);
    close(coordination("contacts"), 2.0, 1e-14);
    assert_eq!(coordination("rattlers"), 0.0);
    let fabric = measured(&engine, "fabric", Options::default());
    assert!((fabric("zz") - 1.0).abs() < 1e-12 && fabric("xx").abs() < 1e-12);
    close(fabric("anisotropy"), 1.0, 1e-12);
    // Love and Weber: each ball carries the force over its length, F · 2(r − δ/2) in all.
    let stress = measured(&engine, "stress", within(inner()));
    let balls = measured(&engine, "contents", within(inner()))("number");
    assert_eq!(balls, 3.0);
    let volume = PI * 0.02 * 0.02 * 0.06;
    close(stress("zz"), balls * force * (0.02 - 1e-4) / volume, 1e-9);
    close(stress("pressure"), stress("zz") / 3.0, 1e-9);
    close(stress("deviator"), stress("zz"), 1e-9);
    assert_eq!(stress("kinetic_zz"), 0.0);
    let load = |axis: LabVec<f64>, point: LabVec<f64>| {
        let options =
            Options { walls: vec![WallId(0)], axis: Some(axis), point: Some(point), ..Options::default() };
        measured(&engine, "wall-load", options)
    };
    let load = load(at(0.0, 2.0, 0.0), at(0.3, 0.0, 0.0));
    let on_floor = engine.walls()[0].force;
    close(load("force_z"), on_floor.z, 1e-14);
    assert!(on_floor.z < 0.0);
    // About the y axis through x = 0.3: (−0.3, 0, ·) × (0, 0, F) = (0, 0.3 F, 0).
    close(load("torque"), 0.3 * on_floor.z, 1e-9);
    assert_eq!(load("power"), 0.0);
    let floor_only = measured(&engine, "forces", Options { walls: vec![WallId(0)], ..Options::default() });
    assert_eq!(floor_only("contacts"), 1.0);
    close(floor_only("normal_mean"), -on_floor.dot(z), 1e-12);
}

/// Two balls of steel and of glass, which has twice the heat capacity by mass here: means are by heat capacity.
#[test]
fn temperatures_by_heat_capacity() {
    let mut world = world();
    for (material, capacity) in [(0, 1000.0), (1, 500.0)] {
        for (property, value) in [(&HEAT_CAPACITY, capacity), (&CONDUCTIVITY, 1.0)] {
            world.materials.set_property(MaterialId(material), property, value).unwrap();
        }
    }
    world.heat = Some(Heat::default());
    world.add_body(Body::at(BALL, at(0.0, 0.0, 0.0)).at_temperature(300.0));
    world.add_body(Body::at(BALL, at(1.0, 0.0, 0.0)).made_of(MaterialId(1)).at_temperature(400.0));
    let engine = engine(world);
    let temperature = measured(&engine, "temperature", Options::default());
    // 2500 × 1000 and 7800 × 500 per volume.
    let (glass, steel) = (2500.0 * 1000.0, 7800.0 * 500.0);
    let part = steel / (glass + steel);
    close(temperature("mean"), 300.0 + 100.0 * part, 1e-14);
    close(temperature("deviation"), 100.0 * (part * (1.0 - part)).sqrt(), 1e-12);
    assert_eq!([temperature("lowest"), temperature("highest")], [300.0, 400.0]);
    let low = Region::cuboid(at(-0.1, -0.1, -0.1), at(0.1, 0.1, 0.1));
    close(measured(&engine, "temperature", within(low))("mean"), 300.0, 1e-14);
}

#[test]
fn rattlers_are_told_apart() {
    let mut world = chain(3);
    // One that touches the middle ball from the side, and one that touches nothing.
    world.add_body(Body::at(BALL, at(0.0199, 0.0, 0.02985)));
    world.add_body(Body::at(BALL, at(0.5, 0.0, 0.03)));
    let engine = engine(world);
    let coordination = measured(&engine, "coordination", Options::default());
    close(coordination("rattlers"), 0.4, 1e-14);
    // 1, 3, 1, 1, 0 bodies; 2, 3, 2, 1, 0 with walls; 2, 2, 2 without rattlers.
    close(coordination("bodies"), 6.0 / 5.0, 1e-14);
    close(coordination("bodies_and_walls"), 8.0 / 5.0, 1e-14);
    close(coordination("mechanical"), 2.0, 1e-14);
}

#[test]
fn motion_carries_stress() {
    let mut world = world();
    for (number, speed) in [1.0, -1.0, 3.0, -3.0].into_iter().enumerate() {
        let velocity = at(0.0, 0.0, speed) + at(5.0, 0.0, 0.0);
        world.add_body(Body::at(BALL, at(0.1 + 0.2 * number as f64, 0.5, 0.5)).moving(velocity));
    }
    let engine = engine(world);
    let stress = measured(&engine, "stress", within(Region::cuboid(at(0.0, 0.0, 0.0), at(1.0, 1.0, 2.0))));
    close(stress("kinetic_zz"), 20.0 * 2500.0 * ball_volume(0.01) / 2.0, 1e-12);
    assert!(stress("kinetic_xx").abs() < 1e-25 && stress("zz") == 0.0);
}

#[test]
fn slopes_and_cones_have_their_angle() {
    let slope = 30.0_f64.to_radians().tan();
    let mut world = world();
    for number in 0..40 {
        let x = 0.0125 + 0.025 * f64::from(number);
        world.add_body(Body::at(BALL, at(x, 0.5, slope * x)));
        // Below the surface, where nothing counts.
        world.add_body(Body::at(BALL, at(x, 0.5, slope * x - 0.2)));
    }
    let region = || within(Region::cuboid(at(0.0, 0.0, -1.0), at(1.0, 1.0, 1.0)));
    let options = Options { along: Some(at(3.0, 0.0, 0.0)), bins: Some(8), ..region() };
    let heights = measured(&engine(world), "heights", options);
    close(heights("angle"), 30.0, 1e-9);
    close(heights("highest"), slope * 0.9875 + 0.01, 1e-12);
    close(heights("height_1"), slope * (0.0125 + 0.025 * 4.0) + 0.01, 1e-12);

    let mut world = self::world();
    for ring in 1..15 {
        for part in 0..8 {
            let (radius, angle) = (0.03 * f64::from(ring), f64::from(part) * PI / 4.0);
            let (x, y) = (0.5 + radius * angle.cos(), 0.5 + radius * angle.sin());
            world.add_body(Body::at(BALL, at(x, y, 0.6 - slope * radius)));
        }
    }
    let heap = measured(&engine(world), "heights", Options { bins: Some(7), ..region() });
    close(heap("angle"), 30.0, 1e-6);
}

#[test]
fn every_kind_names_its_columns_and_keys_once() {
    for kind in MeasureKind::all() {
        let info = kind.info();
        assert_eq!(MeasureKind::from_name(info.name), Some(kind));
        for key in Key::ALL {
            let count = info.needs.iter().chain(info.takes).filter(|other| **other == key).count();
            assert!(count <= 1, "{}", info.name);
        }
        let measures = Measures::new(&[spec(info.name, Options::default())]);
        let mut headers = measures.headers();
        let count = headers.len();
        assert!(count >= info.columns.len(), "{}", info.name);
        headers.sort();
        headers.dedup();
        assert_eq!(headers.len(), count, "{}", info.name);
        for column in info.columns.iter().filter(|column| !column.name.ends_with('N')) {
            assert_eq!(measures.value(&format!("m.{}", column.name)).map(f64::is_nan), Some(true));
        }
    }
}

#[test]
fn ways_through_discs_and_meshes() {
    let disc = Surface::disc(at(0.0, 0.0, 0.0), at(0.0, 0.0, -2.0), 0.5).unwrap();
    assert_eq!(disc.passed(at(0.1, 0.0, 1.0), at(0.1, 0.0, -1.0)), 1);
    assert_eq!(disc.passed(at(0.1, 0.0, -1.0), at(0.1, 0.0, 1.0)), -1);
    // Through the plane at x = 0.6, half way.
    assert_eq!(disc.passed(at(0.1, 0.0, 1.0), at(1.1, 0.0, -1.0)), 0);
    assert_eq!(Surface::plane(at(0.0, 0.0, 0.0), at(0.0, 0.0, 0.0)), None);
    let triangles = box_of_triangles(at(0.0, 0.0, 0.0), at(1.0, 1.0, 1.0));
    let surface = Surface::mesh(&TriangleMesh::new(&triangles, MeshOptions::default()).unwrap());
    // Out of the box, into it, through it, beside it; through the edge between two triangles of a face as well.
    for (x, y) in [(0.3, 0.4), (0.5, 0.5), (0.25, 0.25), (0.5, 0.25)] {
        assert_eq!(surface.passed(at(x, y, 0.5), at(x, y, 2.0)), 1, "{x} {y}");
        assert_eq!(surface.passed(at(x, y, 2.0), at(x, y, 0.5)), -1, "{x} {y}");
        assert_eq!(surface.passed(at(x, y, -1.0), at(x, y, 2.0)), 0, "{x} {y}");
    }
    assert_eq!(surface.passed(at(1.5, 0.5, 0.5), at(1.5, 0.5, 2.0)), 0);
}

/// A ball in a box of six walls with this side, the upper of which along z goes down.
fn boxed(side: f64, speed: f64) -> World {
    use tumble_dem::wall::Movement;
    let mut world = world();
    world.add_body(Body::at(BALL, at(0.5 * side, 0.5 * side, 0.5 * side)));
    for (number, axis) in [at(1.0, 0.0, 0.0), at(0.0, 1.0, 0.0), at(0.0, 0.0, 1.0)].into_iter().enumerate() {
        for (name, place, normal) in [("low", 0.0, 1.0), ("high", side, -1.0)] {
            let falls = number == 2 && name == "high";
            let velocity = axis * if falls { -speed } else { 0.0 };
            let motion = Motion::new(vec![Movement::Drift { velocity }]).unwrap();
            let plane = Plane::new(axis * place, axis * normal).unwrap();
            world.walls.push(Wall::new(format!("{name} {number}"), plane, MaterialId(0), motion).unwrap());
        }
    }
    world
}

#[test]
fn a_triaxial_test_between_walls_reads_strains_and_stresses_off_them() {
    let (side, speed) = (0.0199, 0.02);
    let options = |walls: &[u32]| Options {
        walls: walls.iter().map(|&wall| WallId(wall)).collect(),
        ..within(Region::cuboid(at(0.0, 0.0, 0.0), at(side, side, side)))
    };
    let mut engine = engine(boxed(side, speed));
    let begun = measured(&engine, "triaxial-walls", options(&[0, 1, 2, 3, 4, 5]));
    let pressure = engine.walls()[1].force.x / (side * side);
    for column in ["axial_stress", "lateral_stress", "p"] {
        close(begun(column), pressure, 1e-12);
    }
    assert!(begun("q").abs() < 1e-9 * pressure && begun("axial_strain").abs() < 1e-12);
    engine.advance(50).unwrap();
    let now = measured(&engine, "triaxial-walls", options(&[0, 1, 2, 3, 4, 5]));
    let left = 1.0 - speed * engine.time() / side;
    close(now("axial_strain"), -left.ln(), 1e-9);
    close(now("volumetric_strain"), -left.ln(), 1e-9);
    let walls = engine.walls();
    let axial = 0.5 * (walls[5].force.z - walls[4].force.z) / (side * side);
    let lateral = 0.5 * (walls[1].force.x - walls[0].force.x) / (side * side * left);
    close(now("axial_stress"), axial, 1e-9);
    close(now("lateral_stress"), lateral, 1e-9);
    close(now("friction_angle"), ((axial - lateral) / (axial + lateral)).asin().to_degrees(), 1e-9);
    assert!(axial > lateral);
}

#[test]
fn a_triaxial_test_in_a_membrane_takes_its_pressure_and_volume() {
    use std::sync::Arc;
    use tumble_dem::membrane::{Membrane, Sleeve};
    use tumble_dem::wall::Timing;
    let (side, speed) = (0.0199, 0.02);
    let mut world = boxed(side, speed);
    let sleeve = Sleeve { from: at(1.0, 0.0, 0.0), to: at(1.0, 0.0, 0.2), radius: 0.1, around: 8, rings: 3 };
    for place in sleeve.places() {
        world.add_body(Body::at(BALL, place).held());
    }
    let triangles = sleeve.triangles().into_iter().map(|node| node.map(|node| tumble_dem::BodyId(1 + node)));
    let membrane = Membrane::new("sleeve", triangles.collect(), 700.0, Timing::Always).unwrap();
    world.membranes.push(Arc::new(membrane));
    let mut engine = engine(world);
    engine.advance(50).unwrap();
    let options = Options {
        walls: vec![WallId(4), WallId(5)],
        ..within(Region::cuboid(at(0.0, 0.0, 0.0), at(0.1, 0.2, side)))
    };
    let now = measured(&engine, "triaxial-walls", options);
    let left = 1.0 - speed * engine.time() / side;
    close(now("lateral_stress"), 700.0, 1e-12);
    close(now("axial_strain"), -left.ln(), 1e-9);
    assert!(now("volumetric_strain").abs() < 1e-12, "it is held");
    let walls = engine.walls();
    // As large as before and shorter, so wider.
    let section = 0.1 * 0.2 / left;
    close(now("axial_stress"), 0.5 * (walls[5].force.z - walls[4].force.z) / section, 1e-9);
}
