//! What is benchmarked: the built-in scenes, and folders.

use std::error::Error;
use std::path::Path;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::scenes as published;
use tumble_dem::wall::{self, Motion, Shape, Wall};
use tumble_dem::{LabVec, MaterialId, TemplateId, World};
use tumble_rotation::math::elementary::cbrt;

/// What is simulated, and with which step.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) dt: f64,
    pub(super) contact: ContactModel,
    /// Steps until it is what its name says; not measured.
    pub(super) preparation: u64,
}

/// A family of built-in scenes: any number of bodies, or one scene.
pub(super) struct Family {
    /// The name; `-N` stands for a number of bodies.
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    make: Make,
}

enum Make {
    Any(Maker),
    One(fn() -> Result<Scene, Box<dyn Error>>),
}

/// Every family.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "rods-N",
        description: "elastic rods of three spheres, solid fraction 0.15",
        make: Make::Any(rods),
    },
    Family {
        name: "settle-N",
        description: "rods falling under gravity, friction 0.5, restitution 0.5",
        make: Make::Any(settling),
    },
    Family {
        name: "packed-N",
        description: "the same rods at rest, after 0.8 s that are not on the clock",
        make: Make::Any(|count| Ok(Scene { preparation: STEPS_TO_REST, ..settling(count)? })),
    },
    Family {
        name: "chess",
        description: "32 chess pieces of about 100 spheres in a box",
        make: Make::One(chess),
    },
];

/// What is measured unless scenes are named.
pub(super) const USUAL: [&str; 4] = ["rods-1000", "rods-10000", "settle-2000", "chess"];

/// More bodies than this are a typing error.
const MOST_BODIES: usize = 10_000_000;

/// Where a scene comes from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// As it was asked for.
    pub(super) name: String,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    Any(Maker, usize),
    One(fn() -> Result<Scene, Box<dyn Error>>),
    Folder,
}

type Maker = fn(usize) -> Result<Scene, Box<dyn Error>>;

/// The scene of this name, which is not made yet.
pub(super) fn source(name: &str) -> Result<Source, String> {
    let from = |origin| Ok(Source { name: name.to_owned(), origin });
    for family in FAMILIES {
        match (&family.make, family.name.strip_suffix('N')) {
            (&Make::One(make), _) if name == family.name => return from(Origin::One(make)),
            (&Make::Any(make), Some(prefix)) => {
                let Some(count) = name.strip_prefix(prefix) else { continue };
                return match count.parse() {
                    Ok(count @ 1..=MOST_BODIES) => from(Origin::Any(make, count)),
                    _ => Err(format!("expected {prefix}N, with N from 1 to {MOST_BODIES}")),
                };
            }
            _ => {}
        }
    }
    if Path::new(name).join("scene.json").exists() {
        return from(Origin::Folder);
    }
    let known = FAMILIES.iter().map(|family| family.name);
    Err(format!("{} (nor is it a folder with a scene.json)", crate::values::unknown("scene", name, known)))
}

impl Source {
    pub(super) fn make(&self) -> Result<Scene, Box<dyn Error>> {
        match self.origin {
            Origin::Any(make, count) => make(count),
            Origin::One(make) => make(),
            Origin::Folder => super::folder::read(Path::new(&self.name)),
        }
    }
}

/// Elastic rods of three touching spheres in a cube, 15 % of which they fill.
fn rods(count: usize) -> Result<Scene, Box<dyn Error>> {
    rods_of(count, 3, 0.15)
}

/// Rods of so many spheres that fill such a part of their cube.
pub(super) fn rods_of(count: usize, spheres: u32, solid: f64) -> Result<Scene, Box<dyn Error>> {
    let radius = 0.02 * 3.0f64.sqrt();
    let volume = 4.0 * core::f64::consts::PI * radius * radius * radius * (f64::from(spheres) / 3.0);
    let length = cbrt(count as f64 * volume / solid);
    let mut world = World::default();
    let contact = gas_or_grains(&mut world, 2500.0, 1e9, 0.1, 1.0, 0.0);
    let rod = world.add_template(ClumpTemplate::new(
        "rod",
        &shapes::rod(spheres, radius, 2.0 * radius),
        MassModel::Union,
    )?)?;
    let (low, high) = (LabVec::zero(), LabVec::new(length, length, length));
    close(&mut world, low, high)?;
    let mut random = Random::new(13);
    world.bodies = random_cloud(&world.templates, &vec![rod; count], low, high, 1e-3, &mut random)?;
    for body in &mut world.bodies {
        body.velocity = random.direction() * 4.0;
        body.angular_velocity = random.direction() * 4.0;
    }
    Ok(Scene { world, dt: 38e-6, contact, preparation: 0 })
}

/// Rods that fall into a box and come to rest, with friction.
pub(super) fn settling(count: usize) -> Result<Scene, Box<dyn Error>> {
    let side = (count as f64 * 2.42e-5).sqrt();
    let mut world = World::default();
    let contact = gas_or_grains(&mut world, 2500.0, 1e7, 0.3, 0.5, 0.5);
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    let rod: TemplateId = world.add_template(ClumpTemplate::new(
        "rod",
        &shapes::rod(3, SETTLING_RADIUS, 2.0 * SETTLING_RADIUS),
        MassModel::Union,
    )?)?;
    let (low, high) = (LabVec::zero(), LabVec::new(side, side, 0.435));
    close(&mut world, low, high)?;
    let mut random = Random::new(17);
    world.bodies = random_cloud(&world.templates, &vec![rod; count], low, high, 1e-3, &mut random)?;
    Ok(Scene { world, dt: 5e-5, contact, preparation: 0 })
}

/// The radius of their spheres, m.
pub(super) const SETTLING_RADIUS: f64 = 0.005;

/// After 0.8 s the rods of [`settling`] lie still, whatever their number: all fall from the same height.
pub(super) const STEPS_TO_REST: u64 = 16_000;

/// A set of chess pieces in a closed cube of 0.5 m: the experiment of the SPIRAL paper.
fn chess() -> Result<Scene, Box<dyn Error>> {
    let published::Scene { world, dt, contact, .. } = published::chess_box(1)?;
    Ok(Scene { world, dt, contact, preparation: 0 })
}

/// One material for all; elastic contacts if nothing is lost, else friction and damping.
pub(super) fn gas_or_grains(
    world: &mut World,
    density: f64,
    young: f64,
    poisson: f64,
    restitution: f64,
    friction: f64,
) -> ContactModel {
    let grain = Material::new("grain", density, young, poisson);
    world.materials = Materials::of(grain, PairProperties::new(restitution, friction));
    let elastic = restitution >= 1.0 && friction == 0.0;
    let law = if elastic { LawKind::Hertz } else { LawKind::HertzMindlin };
    ContactModel { law, ..ContactModel::default() }
}

pub(super) fn close(world: &mut World, low: LabVec<f64>, high: LabVec<f64>) -> Result<(), Box<dyn Error>> {
    world.walls.push(Wall::new(
        "box",
        Shape::Box(wall::Enclosure::new(low, high)?),
        MaterialId(0),
        Motion::fixed(),
    )?);
    Ok(())
}
