//! What is benchmarked: the built-in scenes, and folders.

use super::{smooth, vessels};
use std::error::Error;
use std::path::Path;
use tumble_dem::clump::{ClumpError, ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::scenes as published;
use tumble_dem::wall::{self, Motion, Plane, Shape, Wall};
use tumble_dem::{Body, Engine, LabVec, MaterialId, TemplateId, World};
use tumble_rotation::math::elementary::cbrt;

/// What is simulated, and with which step.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) dt: f64,
    pub(super) contact: ContactModel,
    /// Steps until it is what its name says; not measured.
    pub(super) preparation: u64,
    /// After that, so many copies of it lie side by side, along x and y.
    pub(super) copies: [u32; 2],
}

impl Scene {
    pub(super) fn new(world: World, dt: f64, contact: ContactModel) -> Self {
        Self { world, dt, contact, preparation: 0, copies: [1, 1] }
    }

    /// With all copies.
    pub(super) fn body_count(&self) -> usize {
        self.copies.iter().fold(self.world.bodies.len(), |count, &copies| count * copies as usize)
    }

    /// The world of all copies of what an engine of the scene has come to; none if that is the only one. Its contacts begin anew.
    pub(super) fn side_by_side(&self, engine: &Engine) -> Option<World> {
        let [across, along] = self.copies.map(f64::from);
        if self.copies == [1, 1] {
            return None;
        }
        let mut world = self.world.clone();
        world.bodies = Vec::with_capacity(self.body_count());
        let lengths = world.domain.lengths();
        let each = engine.bodies();
        for (x, y) in (0..self.copies[0]).flat_map(|x| (0..self.copies[1]).map(move |y| (x, y))) {
            let shift = LabVec::new(f64::from(x) * lengths[0], f64::from(y) * lengths[1], 0.0);
            world.bodies.extend(each.iter().map(|body| Body {
                template: body.template,
                material: body.material,
                scale: body.scale,
                position: body.position + shift,
                velocity: body.velocity,
                orientation: body.orientation,
                angular_velocity: body.angular_velocity,
                held: body.held,
                temperature: body.temperature.unwrap_or(tumble_dem::heat::ROOM),
                film: body.film.unwrap_or(0.0),
            }));
        }
        world.domain = beside(across * lengths[0], along * lengths[1]);
        Some(world)
    }
}

/// Space that repeats itself along x and y.
fn beside(x: f64, y: f64) -> Domain {
    let periodic = |high: f64| Axis::Periodic { low: 0.0, high };
    Domain::of([periodic(x), periodic(y), Axis::Open])
}

/// A family of built-in scenes: any number of bodies, or one scene.
pub(super) struct Family {
    /// The name; `-N` stands for a number of bodies.
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    make: Make,
}

enum Make {
    /// Of so many bodies at the most: more are a typing error.
    Any(Maker, usize),
    One(fn() -> Result<Scene, Box<dyn Error>>),
}

/// Every family.
pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "rods-N",
        description: "elastic rods of three spheres, solid fraction 0.15",
        make: Make::Any(rods, 10_000_000),
    },
    Family {
        name: "settle-N",
        description: "rods falling under gravity, friction 0.5, restitution 0.5",
        make: Make::Any(settling, 10_000_000),
    },
    Family {
        name: "packed-N",
        description: "the same rods at rest, after 0.8 s that are not on the clock",
        make: Make::Any(|count| Ok(Scene { preparation: STEPS_TO_REST, ..settling(count)? }), 10_000_000),
    },
    Family {
        name: "packing-N",
        description: "the same rods at rest on a floor without walls: copies of a bed of 1000",
        make: Make::Any(packing, 200_000_000),
    },
    Family {
        name: "drum-N",
        description: "rods in a drum that turns, after 0.15 s that are not on the clock",
        make: Make::Any(vessels::drum, 1_000_000),
    },
    Family {
        name: "hopper-N",
        description: "rods that run out of a hopper, after 0.18 s that are not on the clock",
        make: Make::Any(vessels::hopper, 1_000_000),
    },
    Family {
        name: "capsules-N",
        description: "the rods of rods-N, each one capsule of the same length and width",
        make: Make::Any(smooth::capsules, 10_000_000),
    },
    Family {
        name: "packed-capsules-N",
        description: "the same for packed-N",
        make: Make::Any(smooth::packed_capsules, 10_000_000),
    },
    Family {
        name: "ellipsoids-N",
        description: "the rods of rods-N, each one ellipsoid of the same length, width and volume",
        make: Make::Any(smooth::ellipsoids, 10_000_000),
    },
    Family {
        name: "packed-ellipsoids-N",
        description: "the same for packed-N",
        make: Make::Any(smooth::packed_ellipsoids, 10_000_000),
    },
    Family {
        name: "cubes-N",
        description: "the rods of rods-N, each one cube with round edges of the same volume",
        make: Make::Any(smooth::cubes, 10_000_000),
    },
    Family {
        name: "packed-cubes-N",
        description: "the same for packed-N",
        make: Make::Any(smooth::packed_cubes, 10_000_000),
    },
    Family {
        name: "spheres-N",
        description: "single spheres with friction in random motion, solid fraction 0.3",
        make: Make::Any(spheres, 100_000_000),
    },
    Family {
        name: "chess",
        description: "32 chess pieces of about 100 spheres in a box",
        make: Make::One(chess),
    },
];

/// What is measured unless scenes are named.
pub(super) const USUAL: [&str; 4] = ["rods-1000", "rods-10000", "settle-2000", "chess"];

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
            (&Make::Any(make, most), Some(prefix)) => {
                let Some(count) = name.strip_prefix(prefix) else { continue };
                return match count.parse() {
                    Ok(count) if (1..=most).contains(&count) => from(Origin::Any(make, count)),
                    _ => Err(format!("expected {prefix}N, with N from 1 to {most}")),
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
    let volume =
        4.0 * core::f64::consts::PI * GAS_RADIUS * GAS_RADIUS * GAS_RADIUS * (f64::from(spheres) / 3.0);
    gas(count, rod(spheres, GAS_RADIUS)?, cbrt(count as f64 * volume / solid))
}

/// The radius of the spheres of rods in random motion, m.
pub(super) const GAS_RADIUS: f64 = 0.034_641_016_151_377_546;

/// A rod of touching spheres.
pub(super) fn rod(spheres: u32, radius: f64) -> Result<ClumpTemplate, ClumpError> {
    ClumpTemplate::new("rod", &shapes::rod(spheres, radius, 2.0 * radius), MassModel::Union)
}

/// Elastic rods in random motion in a cube of this length, m.
pub(super) fn gas(count: usize, rod: ClumpTemplate, length: f64) -> Result<Scene, Box<dyn Error>> {
    let mut world = World::default();
    let contact = gas_or_grains(&mut world, 2500.0, 1e9, 0.1, 1.0, 0.0);
    let rod = world.add_template(rod)?;
    let (low, high) = (LabVec::zero(), LabVec::new(length, length, length));
    close(&mut world, low, high)?;
    let mut random = Random::new(13);
    world.bodies = random_cloud(&world.templates, &vec![rod; count], low, high, 1e-3, &mut random)?;
    for body in &mut world.bodies {
        body.velocity = random.direction() * 4.0;
        body.angular_velocity = random.direction() * 4.0;
    }
    Ok(Scene::new(world, 38e-6, contact))
}

/// Rods that fall into a box and come to rest, with friction.
pub(super) fn settling(count: usize) -> Result<Scene, Box<dyn Error>> {
    falling(count, rod(3, SETTLING_RADIUS)?)
}

pub(super) fn falling(count: usize, rod: ClumpTemplate) -> Result<Scene, Box<dyn Error>> {
    let side = (count as f64 * SETTLING_AREA).sqrt();
    let mut world = World::default();
    let contact = gas_or_grains(&mut world, 2500.0, 1e7, 0.3, 0.5, 0.5);
    world.gravity = LabVec::new(0.0, 0.0, -9.81);
    let rod: TemplateId = world.add_template(rod)?;
    let (low, high) = (LabVec::zero(), LabVec::new(side, side, 0.435));
    close(&mut world, low, high)?;
    let mut random = Random::new(17);
    world.bodies = random_cloud(&world.templates, &vec![rod; count], low, high, 1e-3, &mut random)?;
    Ok(Scene::new(world, 5e-5, contact))
}

/// Spheres with friction that meet each other here and there, in space that repeats itself.
fn spheres(count: usize) -> Result<Scene, Box<dyn Error>> {
    const SOLID: f64 = 0.3;
    let volume = 4.0 / 3.0 * core::f64::consts::PI * SETTLING_RADIUS * SETTLING_RADIUS * SETTLING_RADIUS;
    let spacing = cbrt(volume / SOLID);
    let mut world = World::default();
    let contact = gas_or_grains(&mut world, 2500.0, 1e7, 0.3, 0.5, 0.5);
    let ball = world.add_template(ClumpTemplate::sphere("ball", SETTLING_RADIUS)?)?;
    // As many along each axis, but for what is left over on the last layer.
    let along = (1..=count).find(|along: &usize| along.pow(3) >= count).unwrap_or(1);
    let mut random = Random::new(19);
    let place = |number: usize| {
        let [x, y, z] = [number % along, number / along % along, number / along / along];
        LabVec::new(x as f64 + 0.5, y as f64 + 0.5, z as f64 + 0.5) * spacing
    };
    world.bodies =
        (0..count).map(|number| Body::at(ball, place(number)).moving(random.direction() * 0.1)).collect();
    let side = along as f64 * spacing;
    let axis = Axis::Periodic { low: 0.0, high: side.max(8.0 * SETTLING_RADIUS) };
    world.domain = Domain::of([axis; 3]);
    Ok(Scene::new(world, 5e-5, contact))
}

/// The bodies of which [`packing`] has copies, and the fewest for which no two of them can touch each other twice.
const BED: usize = 1000;
const SMALLEST_BED: usize = 300;

/// Steps in which the springs of contacts come back after copying.
pub(super) const STEPS_TO_HOLD: u64 = 300;

/// Those rods at rest on a floor, in space that repeats itself along x and y. As many copies of one bed as come nearest.
fn packing(count: usize) -> Result<Scene, Box<dyn Error>> {
    let each = count.clamp(SMALLEST_BED, BED);
    let mut scene = settling(each)?;
    let side = (each as f64 * SETTLING_AREA).sqrt();
    let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0))?;
    scene.world.walls = vec![Wall::new("floor", floor, MaterialId(0), Motion::fixed())?];
    scene.world.domain = beside(side, side);
    scene.preparation = STEPS_TO_REST;
    scene.copies = near_square(u32::try_from((count + each / 2) / each)?);
    Ok(scene)
}

/// Two numbers whose product is as near to another one as it can be for a field that is at most four times as long as wide.
fn near_square(number: u32) -> [u32; 2] {
    let root = number.isqrt().max(1);
    let fields = (root.div_ceil(2)..=root).rev().map(|across| [across, (number + across / 2) / across]);
    fields.min_by_key(|[across, along]| (across * along).abs_diff(number)).unwrap_or([1, number])
}

/// The floor under each rod of [`settling`], m².
const SETTLING_AREA: f64 = 2.42e-5;

/// The radius of their spheres, m.
pub(super) const SETTLING_RADIUS: f64 = 0.005;

/// After 0.8 s the rods of [`settling`] lie still, whatever their number: all fall from the same height.
pub(super) const STEPS_TO_REST: u64 = 16_000;

/// A set of chess pieces in a closed cube of 0.5 m: the experiment of the SPIRAL paper.
fn chess() -> Result<Scene, Box<dyn Error>> {
    let published::Scene { world, dt, contact, .. } = published::chess_box(1)?;
    Ok(Scene::new(world, dt, contact))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_make_up_the_number_that_was_asked_for() {
        assert_eq!(near_square(1), [1, 1]);
        assert_eq!(near_square(10), [2, 5]);
        assert_eq!(near_square(100), [10, 10]);
        assert_eq!(near_square(200_000), [400, 500]);
        for (count, bodies) in [(200, 300), (400, 400), (1000, 1000), (1700, 2000), (1_000_000, 1_000_000)] {
            assert_eq!(packing(count).unwrap().body_count(), bodies);
        }
        for number in 1..3000 {
            let [across, along] = near_square(number);
            let product = f64::from(across * along);
            assert!((product / f64::from(number) - 1.0).abs() <= 0.1, "{number}: {across} x {along}");
        }
    }
}
