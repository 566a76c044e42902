//! Worlds that together have all that a card does.

use super::Failure;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::luding::{ADHESION_STIFFNESS, PLASTIC_DEPTH, UNLOADING_STIFFNESS};
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::{HAMAKER, SMALLEST_GAP};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::random::Random;
use tumble_dem::wall::{Cone, Cylinder, Enclosure, Motion, Movement, Plane, Shape, Side, Wall};
use tumble_dem::{
    AnyScheme, Body, LabVec, MaterialId, Quat, SchemeKind, Settings, Sharing, TemplateId, World,
};
use tumble_math::BodyVec;

/// A world, and for how many steps it is looked at.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) world: World,
    pub(crate) settings: Settings,
    pub(crate) steps: u64,
}

/// Rods of three spheres and of two, and single spheres, of two materials that rub.
pub(crate) fn mixed() -> Result<World, Failure> {
    mixed_of([
        ClumpTemplate::new("rod", &shapes::rod(3, 0.01, 0.012), MassModel::Union)?,
        ClumpTemplate::new("pair", &shapes::rod(2, 0.008, 0.01), MassModel::Union)?,
        ClumpTemplate::sphere("ball", 0.01)?,
    ])
}

/// Three shapes, of two materials that rub.
pub(crate) fn mixed_of(shapes: [ClumpTemplate; 3]) -> Result<World, Failure> {
    let mut world = World::default();
    let grain =
        |name, density, young, poisson| Material::new(name, density, young, poisson).with_stiffness(2e4);
    let soft = world.materials.add(grain("soft", 2500.0, 5e7, 0.3))?;
    let hard = world.materials.add(grain("hard", 2000.0, 8e7, 0.2))?;
    let pair = |e, mu| {
        let pair = PairProperties::new(e, mu).with_rolling(0.05, 0.3).with_twisting(0.05);
        let pair = pair.with(&HAMAKER, 1e-11).with(&SMALLEST_GAP, 1e-5);
        let pair = pair.with(&SURFACE_TENSION, 0.5).with(&BRIDGE_VOLUME, 1e-9).with(&YIELD_PRESSURE, 3e5);
        let pair =
            pair.with(&UNLOADING_STIFFNESS, 3.0).with(&PLASTIC_DEPTH, 0.01).with(&ADHESION_STIFFNESS, 0.5);
        pair.with(&WORK_OF_ADHESION, 0.5)
    };
    world.materials.set_default(pair(0.6, 0.4));
    world.materials.set_pair(soft, hard, pair(0.8, 0.2));
    for shape in shapes {
        world.add_template(shape)?;
    }
    Ok(world)
}

/// Puts bodies on a lattice, turned and pushed at random: fast enough to touch soon.
pub(crate) fn fill(world: &mut World, [nx, ny, nz]: [u32; 3], corner: [f64; 3]) {
    const SPACING: f64 = 0.046;
    let mut random = Random::new(7);
    for (index, place) in (0..nx * ny * nz).map(|n| (n, [n % nx, n / nx % ny, n / (nx * ny)])) {
        let template = TemplateId(u16::try_from(index % 3).unwrap_or(0));
        let at = core::array::from_fn(|axis| corner[axis] + f64::from(place[axis]) * SPACING);
        let axis: LabVec<f64> = random.direction();
        let turn = BodyVec::from_array((axis * random.between(0.0, 3.0)).to_array());
        let body = Body {
            orientation: Quat::from_rotation_vector(turn),
            material: MaterialId(u16::from(index % 5 == 0)),
            ..Body::at(template, LabVec::from_array(at))
        };
        let body = body.moving(random.direction() * 3.0).spinning(random.direction() * 60.0);
        world.add_body(if index % 3 == 2 { body.scaled(random.between(0.6, 1.4)) } else { body });
    }
}

pub(crate) fn with_wall(
    world: &mut World,
    name: &str,
    shape: impl Into<Shape>,
    motion: Motion,
) -> Result<(), Failure> {
    world.walls.push(Wall::new(name, shape, MaterialId(1), motion)?);
    Ok(())
}

pub(crate) fn up() -> LabVec<f64> {
    LabVec::new(0.0, 0.0, 1.0)
}

pub(crate) fn settings() -> Settings {
    Settings::new(2e-5)
}

pub(crate) fn case(name: &str, world: World, settings: Settings, steps: u64) -> Case {
    Case { name: name.into(), world, settings, steps }
}

/// In a box that stands still, under gravity.
pub(crate) fn boxed(layers: u32) -> Result<World, Failure> {
    let mut world = mixed()?;
    world.gravity = LabVec::new(0.0, 1.0, -9.81);
    let high = 0.06 + 0.046 * f64::from(layers);
    with_wall(
        &mut world,
        "box",
        Enclosure::new(LabVec::zero(), LabVec::new(0.2, 0.2, high))?,
        Motion::fixed(),
    )?;
    fill(&mut world, [4, 4, layers], [0.03; 3]);
    Ok(world)
}

/// Domains and ways to add contacts up.
pub(crate) fn domains() -> Result<Vec<Case>, Failure> {
    let low = LabVec::zero();
    let mut around = mixed()?;
    around.domain = Domain::periodic(low, LabVec::new(0.2, 0.2, 0.2));
    fill(&mut around, [4, 4, 4], [0.02; 3]);
    // Through the ends of one axis, with a wall across it that is touched from both sides of them.
    let mut tube = mixed()?;
    tube.domain = Domain::of([Axis::Periodic { low: 0.0, high: 0.2 }, Axis::Open, Axis::Open]);
    with_wall(
        &mut tube,
        "tube",
        Cylinder::new(LabVec::new(0.0, 0.1, 0.1), LabVec::new(1.0, 0.0, 0.0), 0.13, Side::Inside, None)?,
        Motion::fixed(),
    )?;
    fill(&mut tube, [4, 3, 3], [0.02, 0.05, 0.05]);
    let average = Settings { sharing: Sharing::Average, ..settings() };
    Ok(vec![
        case("in a box", boxed(5)?, settings(), 700),
        case("round and round", around, settings(), 700),
        case("in a tube without ends", tube, settings(), 500),
        case("the mean of contacts", boxed(3)?, average, 400),
    ])
}

/// Walls of every shape with few parts, at rest and in motion.
pub(crate) fn walls() -> Result<Vec<Case>, Failure> {
    let spin =
        |axis, rate| Motion::new(vec![Movement::Spin { axis, pivot: LabVec::new(0.07, 0.1, 0.1), rate }]);
    let mut drum = mixed()?;
    drum.gravity = LabVec::new(0.0, 0.0, -9.81);
    let along = LabVec::new(1.0, 0.0, 0.0);
    let shell = Cylinder::new(LabVec::new(0.0, 0.1, 0.1), along, 0.13, Side::Inside, None)?;
    with_wall(&mut drum, "shell", shell, spin(along, 8.0)?)?;
    with_wall(&mut drum, "one end", Plane::new(LabVec::new(-0.01, 0.0, 0.0), along)?, spin(along, 8.0)?)?;
    with_wall(
        &mut drum,
        "other end",
        Plane::new(LabVec::new(0.15, 0.0, 0.0), along * -1.0)?,
        Motion::fixed(),
    )?;
    fill(&mut drum, [3, 3, 3], [0.02, 0.05, 0.05]);
    let mut hopper = mixed()?;
    hopper.gravity = LabVec::new(0.0, 0.0, -9.81);
    let axis = LabVec::new(0.07, 0.07, 0.0);
    let cone = Cone::new([axis - up() * 0.1, axis + up() * 0.25], [0.03, 0.2], Side::Inside)?;
    with_wall(&mut hopper, "cone", cone, Motion::fixed())?;
    let shaken = Movement::Vibration { amplitude: up() * 1e-3, frequency: 200.0, phase: 0.3 };
    with_wall(
        &mut hopper,
        "table",
        Plane::new(LabVec::new(0.0, 0.0, -0.05), up())?,
        Motion::new(vec![shaken])?,
    )?;
    let rod = Cylinder::new(axis - up() * 0.02, up(), 0.02, Side::Outside, Some(0.03))?;
    with_wall(&mut hopper, "post", rod, Motion::new(vec![Movement::Drift { velocity: up() * 0.2 }])?)?;
    let lid = Cone::new([axis + up() * 0.2, axis + up() * 0.4], [0.0, 0.1], Side::Outside)?;
    with_wall(&mut hopper, "lid", lid, Motion::fixed())?;
    fill(&mut hopper, [3, 3, 3], [0.024, 0.024, 0.08]);
    Ok(vec![case("in a drum", drum, settings(), 500), case("in a hopper", hopper, settings(), 500)])
}

/// Two contact models that keep other books, one of them with rolling and twisting; walls have contacts of both.
pub(crate) fn several_models() -> Result<Vec<Case>, Failure> {
    let mut world = boxed(4)?;
    let soft = MaterialId(0);
    let rolling = ContactModel {
        law: LawKind::Linear,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let of_soft = PairProperties::new(0.7, 0.3).with_rolling(0.05, 0.3).with_twisting(0.05);
    world.materials.set_pair(soft, soft, of_soft.clone().with_model(rolling));
    let mut elastic = boxed(3)?;
    let smooth = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    elastic.materials.set_pair(soft, soft, of_soft.with_model(smooth));
    let average = Settings { sharing: Sharing::Average, ..settings() };
    Ok(vec![
        case("two models that rub", world, settings(), 500),
        case("one model that rubs and one that does not", elastic, average, 300),
    ])
}

/// A ball that crosses a thin wall within a step, between two instants at which it does not touch it.
pub(crate) fn shot_at_a_sheet() -> Result<World, Failure> {
    let mut world = mixed()?;
    let funnel = Cone::new([LabVec::zero(), up()], [0.2, 0.25], Side::Inside)?;
    with_wall(&mut world, "funnel", funnel, Motion::fixed())?;
    // 24 mm in a step: after eight of them it is 11.5 mm this side of the wall, then 12.5 mm beyond, with a radius of 10 mm.
    let ball = Body::at(TemplateId(2), LabVec::new(0.0215, 0.0, 0.5)).moving(LabVec::new(1200.0, 0.0, 0.0));
    world.add_body(ball);
    Ok(world)
}

/// Every rotation scheme that has one torque in a step, and every contact model that does not reach beyond touch: in pairs.
pub(crate) fn models() -> Result<Vec<Case>, Failure> {
    let one_torque = |scheme: &SchemeKind| AnyScheme::from(*scheme).info().torque_times.len() == 1;
    let schemes: Vec<SchemeKind> = SchemeKind::ALL.iter().copied().filter(one_torque).collect();
    let touching = |model: &ContactModel| !model.law.range().is_beyond_touch();
    let models: Vec<ContactModel> = ContactModel::all().filter(touching).collect();
    (0..schemes.len().max(models.len()))
        .map(|index| {
            let (scheme, contact) = (schemes[index % schemes.len()], models[index % models.len()]);
            let settings = Settings { rotation: scheme.into(), contact, ..settings() };
            let name = format!("{} and {contact:?}", AnyScheme::from(scheme).name());
            Ok(Case { name, world: boxed(2)?, settings, steps: 150 })
        })
        .collect()
}
