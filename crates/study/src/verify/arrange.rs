//! Small worlds for the cases, and how to wait for what happens in them.

use super::Error;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel};
use tumble_dem::law::bridge::BRIDGE_VOLUME;
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::luding::UNLOADING_STIFFNESS;
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::HAMAKER;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{
    Body, BodyState, BodyVec, Engine, LabVec, MaterialId, SchemeKind, Settings, TemplateId, World,
};
use tumble_rotation::math::SymTensor;
use tumble_rotation::math::elementary::sin_cos;

pub(super) const X: LabVec<f64> = LabVec::new(1.0, 0.0, 0.0);
pub(super) const Y: LabVec<f64> = LabVec::new(0.0, 1.0, 0.0);
pub(super) const Z: LabVec<f64> = LabVec::new(0.0, 0.0, 1.0);

/// Longer than any contact here lasts.
const MOST_STEPS: u64 = 1_000_000;

/// The laws whose contacts push and rub, but neither adhere nor yield.
pub(super) fn pushing_laws() -> impl Iterator<Item = LawKind> {
    let others =
        [&WORK_OF_ADHESION, &HAMAKER, &BRIDGE_VOLUME, &LARGEST_BRIDGE, &UNLOADING_STIFFNESS, &YIELD_PRESSURE];
    LawKind::ALL.iter().copied().filter(move |law| !others.iter().any(|property| law.info().reads(property)))
}

/// Those of them that lose energy.
pub(super) fn damped_laws() -> impl Iterator<Item = LawKind> {
    pushing_laws().filter(|law| law.info().uses_velocity)
}

/// A world with one material, whose contacts have these properties.
pub(super) fn world(material: Material, properties: PairProperties) -> World {
    World { materials: Materials::of(material, properties), ..World::default() }
}

pub(super) fn add_sphere(world: &mut World, radius: f64) -> Result<TemplateId, Error> {
    Ok(world.add_template(ClumpTemplate::sphere("sphere", radius)?)?)
}

pub(super) fn add_clump(world: &mut World, spheres: &[ClumpSphere]) -> Result<TemplateId, Error> {
    Ok(world.add_template(ClumpTemplate::new("clump", spheres, MassModel::Union)?)?)
}

/// Adds the plane z = 0, free above.
pub(super) fn add_floor(world: &mut World, material: MaterialId, motion: Motion) -> Result<(), Error> {
    world.walls.push(Wall::new("floor", Plane::new(LabVec::zero(), Z)?, material, motion)?);
    Ok(())
}

pub(super) fn settings(law: LawKind, dt: f64) -> Settings {
    Settings { contact: ContactModel { law, ..ContactModel::default() }, ..Settings::new(dt) }
}

/// Four spheres of about 1 cm without any symmetry: three unequal principal moments.
pub(super) fn lopsided() -> [ClumpSphere; 4] {
    [
        ClumpSphere::new([0.0, 0.0, 0.0], 0.010),
        ClumpSphere::new([0.014, 0.002, 0.001], 0.008),
        ClumpSphere::new([-0.004, 0.012, -0.002], 0.007),
        ClumpSphere::new([0.003, -0.004, 0.009], 0.006),
    ]
}

/// The first body of an engine that has one.
pub(super) fn first(engine: &Engine) -> BodyState {
    engine.bodies()[0]
}

/// Steps on until bodies have touched something and are free again.
pub(super) fn through_contact(engine: &mut Engine) -> Result<(), Error> {
    let mut touched = false;
    for _ in 0..MOST_STEPS {
        engine.advance(1)?;
        match (touched, engine.contact_count()) {
            (true, 0) => return Ok(()),
            (_, 0) => {}
            _ => touched = true,
        }
    }
    Err(Error::Never { what: "the end of the contact", steps: MOST_STEPS })
}

/// The elastic contact time of a law for material 0 with itself, s; radius and mass are effective ones.
pub(super) fn contact_time(
    materials: &Materials,
    law: LawKind,
    (radius, mass): (f64, f64),
    speed: f64,
) -> Result<f64, Error> {
    Ok(law.contact_time(materials, (MaterialId(0), MaterialId(0)), (radius, mass), speed)?)
}

/// What is measured in a head-on collision.
#[derive(Clone, Debug, Default)]
pub(super) struct Collision {
    /// m
    pub(super) deepest: f64,
    /// N
    pub(super) strongest: f64,
    /// s
    pub(super) duration: f64,
    /// (time since the contact began, overlap, force)
    pub(super) course: Vec<(f64, f64, f64)>,
}

/// Runs until a contact is over. `overlap` tells it from the bodies; its zeros are interpolated.
pub(super) fn collide(
    engine: &mut Engine,
    overlap: impl Fn(&[BodyState]) -> f64,
) -> Result<Collision, Error> {
    let dt = engine.settings().dt;
    let mut collision = Collision::default();
    let mut before = overlap(&engine.bodies());
    let mut began = f64::NAN;
    for _ in 0..MOST_STEPS {
        engine.advance(1)?;
        let bodies = engine.bodies();
        let now = overlap(&bodies);
        let crossing = engine.time() - dt * now / (now - before);
        if before <= 0.0 && now > 0.0 {
            began = crossing;
        }
        if now <= 0.0 && before > 0.0 {
            collision.duration = crossing - began;
            return Ok(collision);
        }
        if now > 0.0 {
            let force = bodies[0].force.norm();
            collision.deepest = collision.deepest.max(now);
            collision.strongest = collision.strongest.max(force);
            collision.course.push((engine.time() - began, now, force));
        }
        before = now;
    }
    Err(Error::Never { what: "the end of the collision", steps: MOST_STEPS })
}

/// A sphere that is thrown at a plane of its own material.
#[derive(Clone, Debug)]
pub(super) struct Throw {
    pub(super) material: Material,
    pub(super) properties: PairProperties,
    pub(super) law: LawKind,
    /// m
    pub(super) radius: f64,
    /// m/s
    pub(super) velocity: LabVec<f64>,
    /// rad/s
    pub(super) spin: LabVec<f64>,
    /// Steps in the elastic contact time.
    pub(super) steps: f64,
}

impl Throw {
    /// The sphere when it is free again. It begins a third of a step before the contact.
    pub(super) fn rebound(self) -> Result<BodyState, Error> {
        let Self { material, properties, law, radius, velocity, spin, steps } = self;
        let mass = super::theory::sphere_mass(material.density, radius);
        let mut world = world(material, properties);
        let dt = contact_time(&world.materials, law, (radius, mass), -velocity.z)? / steps;
        let sphere = add_sphere(&mut world, radius)?;
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        let place = Z * (radius - velocity.z * dt / 3.0);
        world.add_body(Body::at(sphere, place).moving(velocity).spinning(spin));
        let mut engine = Engine::new(world, settings(law, dt))?;
        through_contact(&mut engine)?;
        Ok(first(&engine))
    }
}

/// A sphere that lies on the plane z = 0 with the overlap that bears its weight.
#[derive(Clone, Debug)]
pub(super) struct Resting {
    /// m
    pub(super) radius: f64,
    /// kg/m³
    pub(super) density: f64,
    /// Pa
    pub(super) young: f64,
    pub(super) poisson: f64,
    /// N/m, for the linear law.
    pub(super) stiffness: f64,
    /// m/s²
    pub(super) gravity: f64,
    /// By which gravity leans towards x, rad.
    pub(super) slope: f64,
    pub(super) properties: PairProperties,
}

impl Resting {
    /// How deep the sphere sinks in, m.
    pub(super) fn overlap(&self, law: LawKind) -> f64 {
        let load = super::theory::sphere_mass(self.density, self.radius) * self.gravity * self.slope.cos();
        if law == LawKind::Linear {
            load / self.stiffness
        } else {
            let modulus = super::theory::same_material(self.young, self.poisson);
            super::theory::hertz_sinkage(modulus, self.radius, load)
        }
    }

    /// The engine, with the sphere at rest at x = y = 0 or moving as `set` has it.
    pub(super) fn engine(
        &self,
        contact: ContactModel,
        dt: f64,
        set: impl FnOnce(Body) -> Body,
    ) -> Result<Engine, Error> {
        let material =
            Material::new("m", self.density, self.young, self.poisson).with_stiffness(self.stiffness);
        let mut world = world(material, self.properties.clone());
        let sphere = add_sphere(&mut world, self.radius)?;
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        let (sin, cos) = sin_cos(self.slope);
        world.gravity = LabVec::new(sin, 0.0, -cos) * self.gravity;
        world.add_body(set(Body::at(sphere, Z * (self.radius - self.overlap(contact.law)))));
        Ok(Engine::new(world, Settings { contact, ..Settings::new(dt) })?)
    }
}

/// A body with these principal moments (kg m², ascending) and this spin about its axes, which are those of the lab
/// at the start; nothing acts on it.
pub(super) fn free_body(
    moments: [f64; 3],
    omega: BodyVec<f64>,
    rotation: SchemeKind,
    dt: f64,
) -> Result<Engine, Error> {
    free_body_with(moments, omega, Settings { rotation: rotation.into(), ..Settings::new(dt) })
}

/// The same with any settings.
pub(super) fn free_body_with(
    moments: [f64; 3],
    omega: BodyVec<f64>,
    settings: Settings,
) -> Result<Engine, Error> {
    let mut world = world(Material::new("m", 1.0, 1e6, 0.3), PairProperties::default());
    let inertia = SymTensor::from_diagonal(LabVec::from_array(moments));
    let given = MassModel::Given { volume: 1.0, centre: LabVec::zero(), inertia };
    let shape = ClumpTemplate::new("body", &[ClumpSphere::new([0.0; 3], 0.5)], given)?;
    let template = world.add_template(shape)?;
    world.add_body(Body::at(template, LabVec::zero()).spinning(LabVec::from_array(omega.to_array())));
    Ok(Engine::new(world, settings)?)
}

/// The angular velocity of a body about its own axes, rad/s.
pub(super) fn body_spin(body: &BodyState) -> BodyVec<f64> {
    body.orientation.to_body(body.angular_velocity)
}

/// The angular momentum of a body about its own centre, kg m²/s.
pub(super) fn spin_momentum(body: &BodyState) -> LabVec<f64> {
    body.orientation.to_lab(body.moments.times(body_spin(body)))
}
