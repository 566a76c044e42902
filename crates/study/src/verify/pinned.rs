//! Small scenes of every contact model between walls, around a mesh and in a periodic domain, some of them in single
//! precision as well, and the bits that they end with: pinned in this repository, and the same on every machine.
//!
//! `pinned.csv` is written by `cargo xtask generate`, where a change alters results on purpose; it then belongs under
//! *Numerics* in the changelog.

use super::Error;
use super::arrange::{Z, add_clump, add_sphere, world};
use std::fmt::Write as _;
use tumble_dem::clump::{ClumpSphere, shapes};
use tumble_dem::domain::{Axis, Domain};
use tumble_dem::field::Drag;
use tumble_dem::law::bridge::{BRIDGE_VOLUME, SURFACE_TENSION};
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::law::luding::{ADHESION_STIFFNESS, PLASTIC_DEPTH, UNLOADING_STIFFNESS};
use tumble_dem::law::thornton::YIELD_PRESSURE;
use tumble_dem::law::van_der_waals::{HAMAKER, SMALLEST_GAP};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::liquid::Liquid;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::property::WORK_OF_ADHESION;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, MeshOptions, Motion, Movement, Plane, TriangleMesh, Wall};
use tumble_dem::{Engine, LabVec, MaterialId, Precision, Settings, Solver, World, fingerprint};

const PINNED: &str = include_str!("pinned.csv");

/// The first line of the file.
const HEAD: &str = "law,rolling,twisting,around,fingerprint";

/// Models that are tried in single precision: nothing remembered, a friction spring, everything that a contact can have, adhesion, a liquid bridge, and surfaces that yield.
const IN_SINGLE: [ContactModel; 6] = [
    ContactModel { law: LawKind::Hertz, rolling: RollingKind::None, twisting: TwistingKind::None },
    ContactModel { law: LawKind::Linear, rolling: RollingKind::ConstantTorque, twisting: TwistingKind::None },
    ContactModel {
        law: LawKind::HertzMindlin,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    },
    ContactModel { law: LawKind::Jkr, rolling: RollingKind::None, twisting: TwistingKind::None },
    ContactModel { law: LawKind::Willett, rolling: RollingKind::None, twisting: TwistingKind::None },
    ContactModel { law: LawKind::Luding, rolling: RollingKind::None, twisting: TwistingKind::None },
];

/// More than rows stay in one order.
const STEPS: u64 = 2300;

/// Edge of the room, m.
const EDGE: f64 = 0.052;

const BODIES: usize = 24;

/// m/s²
pub(super) const GRAVITY: f64 = 9.81;

/// What is around the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// A box with a shaking floor, and a fluid; one body is held.
    Walls,
    /// A box with a cube of triangles that turns.
    Mesh,
    /// A floor and a lid that go on for ever.
    Periodic,
}

/// A contact model, and where it is tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scene {
    /// What happens in a contact.
    pub contact: ContactModel,
    /// What is around the bodies.
    pub around: Around,
    /// How finely it is computed.
    pub precision: Precision,
}

impl Around {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Walls, Self::Mesh, Self::Periodic];

    /// Its name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walls => "walls",
            Self::Mesh => "mesh",
            Self::Periodic => "periodic",
        }
    }
}

impl Scene {
    /// Every contact model in every room that it can be in, and some in single precision.
    pub fn all() -> impl Iterator<Item = Self> {
        let double = ContactModel::all().map(|contact| (contact, Precision::Double));
        let single = IN_SINGLE.into_iter().map(|contact| (contact, Precision::Single));
        double
            .chain(single)
            .flat_map(|(contact, precision)| Around::ALL.map(|around| Self { contact, around, precision }))
            // Meshes are refused there.
            .filter(|scene| scene.around != Around::Mesh || !scene.contact.law.range().is_beyond_touch())
    }

    /// What it is called in the file.
    pub fn name(&self) -> String {
        let ContactModel { law, rolling, twisting } = self.contact;
        [law.name(), rolling.name(), twisting.name(), &self.place()].join(",")
    }

    /// What is around the bodies, and the precision where it is not double.
    pub fn place(&self) -> String {
        match self.precision {
            Precision::Double => self.around.name().to_owned(),
            Precision::Single => format!("{} in {}", self.around.name(), self.precision.name()),
        }
    }

    /// The fingerprint that is pinned; none if the file does not know the scene.
    pub fn pinned(&self) -> Option<u64> {
        let name = self.name();
        let rows = PINNED.lines().skip(1).filter_map(|row| row.rsplit_once(','));
        rows.into_iter().find(|(of, _)| *of == name).and_then(|(_, bits)| u64::from_str_radix(bits, 16).ok())
    }

    /// Simulates it, with the threads and the instruction set of some settings.
    pub fn fingerprint(&self, how: &Settings) -> Result<u64, Error> {
        Ok(self.end(how, GRAVITY)?.0)
    }

    /// The fingerprint in the end, and the number of contacts.
    pub(super) fn end(self, how: &Settings, gravity: f64) -> Result<(u64, usize), Error> {
        let mut engine = self.engine(how, gravity)?;
        engine.advance(STEPS)?;
        Ok((fingerprint::of(&engine), engine.contact_count()))
    }

    /// At the start.
    fn engine(self, how: &Settings, gravity: f64) -> Result<Engine, Error> {
        let settings = Settings {
            contact: self.contact,
            precision: self.precision,
            max_overlap: 20.0,
            threads: how.threads,
            instruction_set: how.instruction_set,
            ..Settings::new(2e-5)
        };
        Ok(Engine::new(self.world(gravity)?, settings)?)
    }

    fn world(self, gravity: f64) -> Result<World, Error> {
        let properties = PairProperties::new(0.7, 0.4).with_rolling(0.05, 0.2).with_twisting(0.1);
        let properties = properties.with(&WORK_OF_ADHESION, 1.0);
        let properties = properties.with(&HAMAKER, 1e-10).with(&SMALLEST_GAP, 1e-5);
        let properties = properties.with(&SURFACE_TENSION, 0.5).with(&BRIDGE_VOLUME, 1e-12);
        let properties = properties.with(&LARGEST_BRIDGE, 1e-12).with(&YIELD_PRESSURE, 1e5);
        let properties = properties.with(&UNLOADING_STIFFNESS, 3.0).with(&PLASTIC_DEPTH, 0.01);
        let properties = properties.with(&ADHESION_STIFFNESS, 0.5);
        let mut world = world(Material::new("rubber", 1200.0, 5e6, 0.3).with_stiffness(2e3), properties);
        world.gravity = LabVec::new(0.5, 0.0, -gravity);
        let templates = [
            add_sphere(&mut world, 5e-3)?,
            add_clump(&mut world, &shapes::rod(3, 4e-3, 5e-3))?,
            add_clump(&mut world, &hook())?,
        ];
        let which: Vec<_> = templates.into_iter().cycle().take(BODIES).collect();
        let mut random = Random::new(11);
        let has_films = self.contact.law == LawKind::FilmBridge;
        world.liquid = has_films.then(Liquid::default);
        let (low, high) = (LabVec::zero(), LabVec::new(1.0, 1.0, 1.0) * EDGE);
        let middle = high * 0.5;
        let cloud = random_cloud(&world.templates, &which, low, high, 0.01, &mut random)?;
        for body in cloud {
            let body = body.moving(random.direction() * 2.0).spinning(random.direction() * 100.0);
            let body = if has_films { body.with_film(1e-12) } else { body };
            // Room for the mesh.
            if self.around != Around::Mesh || (body.position - middle).norm() > 0.016 {
                world.add_body(body);
            }
        }
        let floor = Plane::new(LabVec::zero(), Z)?;
        match self.around {
            Around::Walls => {
                // Away from the walls, through which nothing stops it.
                let held = &mut world.bodies[5];
                *held = held.moving((middle - held.position) * 5.0).held();
                let flow = LabVec::new(0.5, 0.0, 0.0);
                world.drag = Some(Drag { viscosity: 1e-3, density: 1.2, coefficient: 0.4, flow });
                world.walls.push(Wall::new(
                    "box",
                    Enclosure::new(low, high)?,
                    MaterialId(0),
                    Motion::fixed(),
                )?);
                let shaking = Movement::Vibration { amplitude: Z * 1e-3, frequency: 100.0, phase: 0.3 };
                world.walls.push(Wall::new("floor", floor, MaterialId(0), Motion::new(vec![shaking])?)?);
            }
            Around::Mesh => {
                world.walls.push(Wall::new(
                    "box",
                    Enclosure::new(low, high)?,
                    MaterialId(0),
                    Motion::fixed(),
                )?);
                let axis = LabVec::new(1.0, 2.0, 0.5);
                let turning = Motion::new(vec![Movement::Spin { axis, pivot: middle, rate: 30.0 }])?;
                world.walls.push(Wall::new("cube", cube(middle, 3e-3)?, MaterialId(0), turning)?);
            }
            Around::Periodic => {
                let along = Axis::Periodic { low: 0.0, high: EDGE };
                world.domain = Domain::of([along, along, Axis::Open]);
                let lid = Plane::new(high, -Z)?;
                world.walls.push(Wall::new("floor", floor, MaterialId(0), Motion::fixed())?);
                world.walls.push(Wall::new("lid", lid, MaterialId(0), Motion::fixed())?);
            }
        }
        Ok(world)
    }
}

/// Three spheres without any symmetry.
fn hook() -> [ClumpSphere; 3] {
    [
        ClumpSphere::new([0.0, 0.0, 0.0], 4e-3),
        ClumpSphere::new([5e-3, 0.0, 0.0], 3e-3),
        ClumpSphere::new([0.0, 4e-3, 1e-3], 2.5e-3),
    ]
}

/// Twelve triangles, so far from the middle.
fn cube(middle: LabVec<f64>, half: f64) -> Result<TriangleMesh, Error> {
    let corner = |number: usize| {
        let side = |axis: usize| if number >> axis & 1 == 0 { -half } else { half };
        middle + LabVec::new(side(0), side(1), side(2))
    };
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let halves = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let triangles: Vec<_> = halves.map(|triangle| triangle.map(corner)).collect();
    Ok(TriangleMesh::new(&triangles, MeshOptions::default())?)
}

/// A scene, and the fingerprint that something else has of its end.
pub type End<E> = (Scene, Result<u64, E>);

/// Every scene, ended by something else than the engine of the processor: with `advance`, which is given an engine and how many steps to
/// go. What it gives is asked for its fingerprint.
pub fn on<E: Send>(
    advance: impl Fn(Engine, u64) -> Result<Box<dyn Solver>, E> + Sync,
) -> Result<Vec<End<E>>, Error> {
    let scenes: Vec<Scene> = Scene::all().collect();
    let ends = crate::parallel::map(&scenes, |scene| {
        let engine = scene.engine(&Settings::new(1e-5), GRAVITY)?;
        Ok((*scene, advance(engine, STEPS).map(|solver| fingerprint::of(&*solver))))
    });
    ends.into_iter().collect()
}

/// The file with the fingerprints of this machine.
pub fn file() -> Result<String, Error> {
    let scenes: Vec<Scene> = Scene::all().collect();
    let found = crate::parallel::map(&scenes, |scene| scene.fingerprint(&Settings::new(1e-5)));
    let mut text = format!("{HEAD}\n");
    for (scene, found) in scenes.iter().zip(found) {
        let _ = writeln!(text, "{},{:016x}", scene.name(), found?);
    }
    Ok(text)
}
