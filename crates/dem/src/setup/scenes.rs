//! The many-body experiments of the papers, ready to run: worlds, and their energy over time.
//!
//! | scene | published by |
//! | --- | --- |
//! | [`chess_box`] | del Valle et al., Comput. Phys. Commun. 297 (2024) 109077, figs. 6 and 7 |
//! | [`bouncing_rods`] | del Valle et al., Powders & Grains (2025), fig. 2 |
//! | [`falling_fibres`] | Zhao & van Wachem, Acta Mech. 224 (2013) 3091, tests 1 and 2 |
//!
//! All are elastic and without friction: their energy is a constant, and whatever it does is the error of the
//! integration. What the papers leave open is stated at each scene; `tumble reproduce` runs them all.

use crate::clump::{ClumpTemplate, MassModel, shapes};
use crate::id::{MaterialId, TemplateId};
use crate::law::{ContactModel, LawKind};
use crate::material::{Material, PairProperties};
use crate::placement::{NoRoom, random_cloud};
use crate::random::Random;
use crate::wall::{Enclosure, Motion, Wall};
use crate::world::{Body, World};
use crate::{Engine, Error, Kicks, Settings};
use core::f64::consts::PI;
use tumble_math::{LabVec, Quat, elementary};
use tumble_rotation::AnyScheme;

/// A world, and how it was simulated where it was published.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What is simulated.
    pub world: World,
    /// Its contact model.
    pub contact: ContactModel,
    /// What is done about first and last kicks: other codes have plain ones.
    pub kicks: Kicks,
    /// The published time step, s; of several, the one whose numbers are compared.
    pub dt: f64,
    /// The published time span, s.
    pub duration: f64,
}

/// The pieces of a chess set, by the names of the built-in shapes; how many, and how high, m.
pub const CHESS_SET: [(&str, usize, f64); 6] = [
    ("king", 2, 0.095),
    ("queen", 2, 0.085),
    ("rook", 4, 0.055),
    ("bishop", 4, 0.07),
    ("knight", 4, 0.06),
    ("pawn", 16, 0.05),
];

/// Thirty-two chess pieces in a closed cube of 0.5 m: a whole set, 1 m/s and π rad/s in random directions.
///
/// The pieces are the built-in ones at the published heights, of about a hundred spheres each; the authors'
/// spheres differ. Places and orientations are random, none overlapping.
pub fn chess_box(seed: u64) -> Result<Scene, NoRoom> {
    chess_box_of(CHESS_SET.map(|(name, ..)| built_in(name)), seed)
}

/// The same with pieces of any make, in the order of [`CHESS_SET`].
pub fn chess_box_of(pieces: [ClumpTemplate; 6], seed: u64) -> Result<Scene, NoRoom> {
    let mut world = World::default();
    one_material(&mut world, Material::new("piece", 3200.0, 60e9, 0.25));
    let mut which = Vec::new();
    for (piece, (_, count, _)) in pieces.into_iter().zip(CHESS_SET) {
        which.extend(core::iter::repeat_n(add_template(&mut world, piece), count));
    }
    fill_cube(&mut world, 0.5, &which, [1.0, PI], &mut Random::new(seed))?;
    Ok(Scene { world, contact: elastic(), kicks: Kicks::default(), dt: 4.850_880_67e-6, duration: 1.5 })
}

/// Thirty rods of three touching spheres in a closed cube of 1 m, 4 m/s and 4 rad/s in random directions.
pub fn bouncing_rods(seed: u64) -> Result<Scene, NoRoom> {
    bouncing_rods_in(1.0, seed)
}

/// The same in a cube of another `side` (m): in the authors' script it is 2 m, in the paper 1 m.
pub fn bouncing_rods_in(side: f64, seed: u64) -> Result<Scene, NoRoom> {
    let mut world = World::default();
    one_material(&mut world, Material::new("rod", 2500.0, 1e9, 0.1));
    let radius = 0.02 * 3.0f64.sqrt();
    let rod = add_rod(&mut world, 3, radius, 2.0 * radius);
    fill_cube(&mut world, side, &[rod; 30], [4.0, 4.0], &mut Random::new(seed))?;
    Ok(Scene { world, contact: elastic(), kicks: Kicks::default(), dt: 38e-6, duration: 100.0 })
}

/// Fibres of five spheres that fall in a closed cube of 1 m; y is up, the floor is y = 0.
///
/// One fibre (test 1) starts at rest in the middle, 30° to the floor. Any other number (test 2: nine) starts
/// on a square lattice in the plane x = 0.5 m, 75° to the floor, with the velocity (1, −1, 0) m/s. All fibres
/// lie in planes of constant z.
pub fn falling_fibres(count: u32) -> Scene {
    let mut world = World::default();
    let fibre_material = add_material(&mut world, Material::new("fibre", 1100.0, 5e7, 0.35));
    let wall_material = add_material(&mut world, Material::new("wall", 1100.0, 5e7, 0.23));
    world.materials.set_default(PairProperties::default());
    let fibre = add_rod(&mut world, 5, 0.005, 0.005);
    close_cube(&mut world, 1.0, wall_material);
    world.gravity = LabVec::new(0.0, -9.81, 0.0);

    let alone = count == 1;
    let (inclination, velocity) = if alone { (PI / 6.0, [0.0; 3]) } else { (PI / 2.4, [1.0, -1.0, 0.0]) };
    let (sine, cosine) = elementary::sin_cos(0.5 * inclination);
    let orientation = Quat::new(cosine, 0.0, 0.0, sine);
    let side = (1..=count).find(|side| side.saturating_mul(*side) >= count).unwrap_or(1);
    let place = |index: u32| (f64::from(index) + 0.5) / f64::from(side);
    for index in 0..count {
        let position = LabVec::new(0.5, place(index / side), place(index % side));
        let body = Body::at(fibre, position).turned(orientation).moving(LabVec::from_array(velocity));
        world.add_body(body.made_of(fibre_material));
    }
    Scene { world, contact: elastic(), kicks: Kicks::default(), dt: 1e-7, duration: 2.0 }
}

/// One instant of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergySample {
    /// s
    pub time: f64,
    /// Kinetic, gravitational and elastic, J.
    pub energy: f64,
    /// Contacts at this instant.
    pub contacts: usize,
}

/// The energy of a run at equal intervals, the first instant included.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyHistory {
    /// In the order of time, as far as the run got.
    pub samples: Vec<EnergySample>,
    /// Why the run stopped before its end.
    pub stopped: Option<Error>,
}

impl Scene {
    /// The settings for this scene with a rotation scheme and a time step.
    pub fn settings(&self, rotation: impl Into<AnyScheme>, dt: f64) -> Settings {
        Settings { rotation: rotation.into(), contact: self.contact, kicks: self.kicks, ..Settings::new(dt) }
    }

    /// Runs the scene and samples its energy `samples` times after the start, as [`Scene::run`] does.
    pub fn energy_history(
        &self,
        rotation: impl Into<AnyScheme>,
        dt: f64,
        duration: f64,
        samples: u32,
    ) -> Result<EnergyHistory, Error> {
        let mut seen = Vec::new();
        let stopped = self.run(rotation, dt, duration, samples, |engine| {
            seen.push(EnergySample::of(engine));
            true
        })?;
        Ok(EnergyHistory { samples: seen, stopped })
    }

    /// Runs the scene on one thread. `look` sees it at the start and `samples` times after, at equal
    /// intervals of whole steps: the last may lie up to an interval before `duration` (s). The run ends early
    /// when `look` says no; if it cannot go on, the reason is the result.
    pub fn run(
        &self,
        rotation: impl Into<AnyScheme>,
        dt: f64,
        duration: f64,
        samples: u32,
        mut look: impl FnMut(&Engine) -> bool,
    ) -> Result<Option<Error>, Error> {
        let mut engine = Engine::new(self.world.clone(), self.settings(rotation, dt))?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; at least one")]
        let interval = ((duration / dt / f64::from(samples)) as u64).max(1);
        let mut go_on = look(&engine);
        for _ in 0..samples {
            if !go_on {
                break;
            }
            if let Err(error) = engine.advance(interval) {
                return Ok(Some(error));
            }
            go_on = look(&engine);
        }
        Ok(None)
    }
}

impl EnergySample {
    /// The present instant of an engine.
    pub fn of(engine: &Engine) -> Self {
        Self { time: engine.time(), energy: engine.ledger().mechanical(), contacts: engine.contact_count() }
    }
}

impl EnergyHistory {
    /// (E(t) − E(0))/E(0) of the last sample, in percent.
    pub fn final_percent(&self) -> f64 {
        self.percents().last().unwrap_or(f64::NAN)
    }

    /// The mean of |E(t) − E(0)|/E(0) over all samples but the first, in percent; infinite if the run stopped
    /// before its end.
    pub fn mean_percent(&self) -> f64 {
        if self.stopped.is_some() {
            return f64::INFINITY;
        }
        let count = self.samples.len().saturating_sub(1);
        self.percents().skip(1).map(f64::abs).sum::<f64>() / count as f64
    }

    /// (E(t) − E(0))/E(0) of every sample, in percent.
    pub fn percents(&self) -> impl Iterator<Item = f64> {
        let first = self.samples.first().map_or(f64::NAN, |sample| sample.energy);
        self.samples.iter().map(move |sample| (sample.energy - first) / first * 100.0)
    }
}

fn elastic() -> ContactModel {
    ContactModel { law: LawKind::Hertz, ..ContactModel::default() }
}

fn one_material(world: &mut World, material: Material) {
    add_material(world, material);
    world.materials.set_default(PairProperties::default());
}

fn add_material(world: &mut World, material: Material) -> MaterialId {
    world.materials.add(material).expect("there is room in a new world")
}

fn built_in(name: &str) -> ClumpTemplate {
    let shape = shapes::named(name).expect("a built-in shape");
    shape.template(MassModel::Union).expect("built-in shapes are bodies")
}

fn add_rod(world: &mut World, spheres: u32, radius: f64, spacing: f64) -> TemplateId {
    let rod = ClumpTemplate::new("rod", &shapes::rod(spheres, radius, spacing), MassModel::Union);
    add_template(world, rod.expect("a row of spheres is a body"))
}

fn add_template(world: &mut World, template: ClumpTemplate) -> TemplateId {
    world.add_template(template).expect("there is room in a new world")
}

/// Puts bodies of the first material at random into a cube of it, with these speeds (m/s, rad/s).
fn fill_cube(
    world: &mut World,
    side: f64,
    which: &[TemplateId],
    [speed, spin]: [f64; 2],
    random: &mut Random,
) -> Result<(), NoRoom> {
    let (low, high) = (LabVec::zero(), LabVec::new(side, side, side));
    world.bodies = random_cloud(&world.templates, which, low, high, 1e-3, random)?;
    for body in &mut world.bodies {
        body.velocity = random.direction() * speed;
        body.angular_velocity = random.direction() * spin;
    }
    close_cube(world, side, MaterialId(0));
    Ok(())
}

fn close_cube(world: &mut World, side: f64, material: MaterialId) {
    let cube = Enclosure::new(LabVec::zero(), LabVec::new(side, side, side)).expect("its sides are positive");
    world.walls.push(Wall::new("box", cube, material, Motion::fixed()).expect("it has a name"));
}
