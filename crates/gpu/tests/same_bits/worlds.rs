//! Worlds that together have all that a card does.

use super::Failure;
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::domain::Domain;
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::random::Random;
use tumble_dem::wall::{Cone, Cylinder, Enclosure, Motion, Movement, Plane, Side, Wall};
use tumble_dem::{Body, LabVec, Quat, Settings, Sharing, TemplateId, World};
use tumble_math::BodyVec;

/// A world, and for how many steps it is looked at.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) world: World,
    pub(crate) settings: Settings,
    pub(crate) steps: u64,
}

/// Rods of three spheres and of two, and single spheres of two sizes, of a soft material that rubs.
fn mixed() -> Result<World, Failure> {
    let mut world = World::default();
    let soft = world.materials.add(Material::new("soft", 2500.0, 5e7, 0.3))?;
    let hard = world.materials.add(Material::new("hard", 2000.0, 8e7, 0.2))?;
    world.materials.set_default(PairProperties::new(0.6, 0.4).with_rolling(0.05, 0.3).with_twisting(0.05));
    world.materials.set_pair(soft, hard, PairProperties::new(0.8, 0.2).with_rolling(0.02, 0.3).with_twisting(0.1));
    world.add_template(ClumpTemplate::new("rod", &shapes::rod(3, 0.01, 0.012), MassModel::Union)?)?;
    world.add_template(ClumpTemplate::new("pair", &shapes::rod(2, 0.008, 0.01), MassModel::Union)?)?;
    world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
    Ok(world)
}

/// Puts bodies on a lattice with this spacing, turned and pushed at random.
fn fill(world: &mut World, [nx, ny, nz]: [u32; 3], corner: [f64; 3], spacing: f64, speed: f64) {
    let mut random = Random::new(7);
    for (index, place) in (0..nx * ny * nz).map(|n| (n, [n % nx, n / nx % ny, n / (nx * ny)])) {
        let template = TemplateId(u16::try_from(index % 3).unwrap_or(0));
        let at = core::array::from_fn(|axis| corner[axis] + f64::from(place[axis]) * spacing);
        let axis: LabVec<f64> = random.direction();
        let turn = BodyVec::from_array((axis * random.between(0.0, 3.0)).to_array());
        let body = Body {
            orientation: Quat::from_rotation_vector(turn),
            material: tumble_dem::MaterialId(u16::from(index % 5 == 0)),
            ..Body::at(template, LabVec::from_array(at))
        };
        let body = body.moving(random.direction() * speed).spinning(random.direction() * (20.0 * speed));
        world.add_body(if index % 3 == 2 { body.scaled(random.between(0.6, 1.4)) } else { body });
    }
}

fn boxed() -> Result<World, Failure> {
    let mut world = mixed()?;
    world.gravity = LabVec::new(0.0, 1.0, -9.81);
    let walls = Enclosure::new(LabVec::zero(), LabVec::new(0.2, 0.2, 0.4))?;
    world.walls.push(Wall::new("box", walls, tumble_dem::MaterialId(1), Motion::fixed())?);
    fill(&mut world, [4, 4, 5], [0.03, 0.03, 0.03], 0.046, 3.0);
    Ok(world)
}

fn turning(axis: LabVec<f64>, rate: f64) -> Result<Motion, Failure> {
    let _ = (axis, rate); Ok(Motion::fixed())
}

/// All of them.
pub(crate) fn all() -> Result<Vec<Case>, Failure> {
    let settings = Settings::new(2e-5);
    let case = |name, world, settings, steps| Case { name, world, settings, steps };
    let mut periodic = mixed()?;
    periodic.domain = Domain::periodic(LabVec::zero(), LabVec::new(0.16, 0.16, 0.16));
    fill(&mut periodic, [4, 4, 4], [0.02; 3], 0.04, 1.5);
    let model = |law, rolling, twisting| ContactModel { law, rolling, twisting, ..ContactModel::default() };
    let mut cases = vec![
        case("rods in a box", boxed()?, settings.clone(), 700),
        case("rods that go round", periodic, settings.clone(), 700),
    ];
    cases.push(case("the mean of contacts", boxed()?, Settings { sharing: Sharing::Average, ..settings.clone() }, 150));
    let _ = (model, LawKind::ALL, RollingKind::ALL, TwistingKind::ALL, turning as fn(_, _) -> _);
    let _ = (Cone::new, Cylinder::new, Plane::new, Side::Inside);
    Ok(cases)
}
