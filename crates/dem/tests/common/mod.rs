//! Small worlds for the tests of the engine, and how results are compared. NaN fails every comparison.

use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::luding::{ADHESION_STIFFNESS, PLASTIC_DEPTH, UNLOADING_STIFFNESS};
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::{HAMAKER, SMALLEST_GAP};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{BodyState, Engine, LabVec, Settings, TemplateId, World};

pub(crate) const X: LabVec<f64> = LabVec::new(1.0, 0.0, 0.0);
pub(crate) const Y: LabVec<f64> = LabVec::new(0.0, 1.0, 0.0);
pub(crate) const Z: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);

/// A world with one material, whose contacts have these properties.
pub(crate) fn world(material: Material, properties: PairProperties) -> World {
    let mut world = World::default();
    world.materials.add(material).unwrap();
    world.materials.set_default(properties);
    world
}

/// With what laws read that attract or yield, but for the work of adhesion.
pub(crate) fn for_every_law(properties: PairProperties) -> PairProperties {
    let properties = properties.with(&HAMAKER, 1e-15).with(&SMALLEST_GAP, 1e-6);
    let properties = properties.with(&SURFACE_TENSION, 0.05).with(&BRIDGE_VOLUME, 1e-12);
    let properties = properties.with(&LARGEST_BRIDGE, 1e-12).with(&YIELD_PRESSURE, 3e6);
    properties.with(&UNLOADING_STIFFNESS, 4.0).with(&PLASTIC_DEPTH, 1e-3).with(&ADHESION_STIFFNESS, 0.5)
}

/// Whether the contacts of a model push and rub, but neither attract nor yield.
pub(crate) fn only_pushes(model: ContactModel) -> bool {
    let others =
        [&WORK_OF_ADHESION, &HAMAKER, &BRIDGE_VOLUME, &LARGEST_BRIDGE, &UNLOADING_STIFFNESS, &YIELD_PRESSURE];
    !others.iter().any(|property| model.reads(property))
}

pub(crate) fn add_sphere(world: &mut World, radius: f64) -> TemplateId {
    world.add_template(ClumpTemplate::sphere("sphere", radius).unwrap()).unwrap()
}

pub(crate) fn add_clump(world: &mut World, spheres: &[ClumpSphere]) -> TemplateId {
    world.add_template(ClumpTemplate::new("clump", spheres, MassModel::Union).unwrap()).unwrap()
}

/// Four spheres of about 1 cm without any symmetry: three unequal principal moments.
pub(crate) fn lopsided() -> [ClumpSphere; 4] {
    [
        ClumpSphere::new([0.0, 0.0, 0.0], 0.010),
        ClumpSphere::new([0.014, 0.002, 0.001], 0.008),
        ClumpSphere::new([-0.004, 0.012, -0.002], 0.007),
        ClumpSphere::new([0.003, -0.004, 0.009], 0.006),
    ]
}

/// Adds the plane z = 0, free above.
pub(crate) fn add_floor(world: &mut World, material: tumble_dem::MaterialId, motion: Motion) {
    let plane = Plane::new(LabVec::zero(), Z).unwrap();
    world.walls.push(Wall::new("floor", plane, material, motion).unwrap());
}

pub(crate) fn settings(law: LawKind, dt: f64) -> Settings {
    Settings { contact: ContactModel { law, ..ContactModel::default() }, ..Settings::new(dt) }
}

/// Steps on until everything has touched and is apart again.
pub(crate) fn advance_through_contact(engine: &mut Engine) {
    let mut touched = false;
    for _ in 0..1_000_000 {
        engine.advance(1).unwrap();
        match (touched, engine.contact_count()) {
            (true, 0) => return,
            (_, 0) => {}
            _ => touched = true,
        }
    }
    panic!("the contact does not end");
}

/// Angular momentum of a body about its own centre.
pub(crate) fn spin_momentum(body: &BodyState) -> LabVec<f64> {
    body.orientation.to_lab(body.moments.times(body.orientation.to_body(body.angular_velocity)))
}

/// I⁻¹ times a vector of the lab.
pub(crate) fn inverse_inertia_times(body: &BodyState, vector: LabVec<f64>) -> LabVec<f64> {
    let v = body.orientation.to_body(vector);
    let m = body.moments;
    body.orientation.to_lab(tumble_dem::BodyVec::new(v.x / m.x, v.y / m.y, v.z / m.z))
}

/// The largest number, or NaN if there is one.
pub(crate) fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(f64::NEG_INFINITY, |a, b| if a.is_nan() || a > b { a } else { b })
}

#[track_caller]
pub(crate) fn assert_close(what: &str, got: f64, expected: f64, tolerance: f64) {
    let error = got / expected - 1.0;
    assert!(error.abs() <= tolerance, "{what}: {got:e} instead of {expected:e}, relative error {error:e}");
}

#[track_caller]
pub(crate) fn assert_near(what: &str, got: LabVec<f64>, expected: LabVec<f64>, tolerance: f64) {
    let error = (got - expected).norm();
    assert!(error <= tolerance, "{what}: {got:?} instead of {expected:?}, error {error:e}");
}

/// The slope of the straight line through the logarithms of errors at steps that halve from one to the next.
pub(crate) fn order_of(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let middle = 0.5 * (n - 1.0);
    let (mut above, mut below) = (0.0, 0.0);
    for (i, error) in errors.iter().enumerate() {
        let x = i as f64 - middle;
        above -= x * error.log2();
        below += x * x;
    }
    above / below
}
