//! The engine: a world in motion.

mod contacts;

pub use contacts::{ContactState, Touching};

use crate::bodies::{Bodies, Shapes};
use crate::contact::{Contacts, PairTable, Physics, Scene, Sharing, WallLoad};
use crate::domain::{Domain, Periods};
use crate::error::Error;
use crate::field::{BatchField, Drag, ForceField};
use crate::id::{BodyId, MaterialId, TemplateId};
use crate::integrate::{self, Motion};
use crate::law::{ContactModel, ErasedModel};
use crate::look::{BodyState, WallReport, in_parts};
use crate::material::Materials;
use crate::neighbour::Neighbours;
use crate::parallel::Threads;
use crate::random::Random;
use crate::saved::SavedState;
use crate::timing::StageTimes;
use crate::wall::{Pose, Region, Wall};
use crate::world::World;
use std::sync::Arc;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::SchemeKind;
use tumble_rotation::batch::InstructionSet;

/// How a world is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step, s. [`Engine::advise`] tells which are possible.
    pub dt: f64,
    /// How rotation is integrated.
    pub rotation: SchemeKind,
    /// What happens in a contact.
    pub contact: ContactModel,
    /// How several contacts between the same two bodies add up.
    pub sharing: Sharing,
    /// The run stops when spheres overlap by more than this part of the smaller radius; below one, also when they go
    /// through a thin wall within a step.
    pub max_overlap: f64,
    /// The run stops when a body that is not a single sphere turns by more than this angle in a step, rad; up to a full
    /// turn, also when rolling and twisting dashpots are far too strong for the step.
    pub max_turn: f64,
    /// How far apart spheres may be to be in the neighbour lists, m; chosen from the speeds if absent. Changes
    /// the cost of a run, not its results.
    pub skin: Option<f64>,
    /// Threads; 0 for as many as the machine has. Changes no result.
    pub threads: usize,
    /// Instruction set; the widest of this machine if absent. Changes no result.
    pub instruction_set: Option<InstructionSet>,
}

impl Settings {
    /// The most accurate rotation scheme for contacts, the Hertz–Mindlin law, one thread.
    pub fn new(dt: f64) -> Self {
        Self {
            dt,
            rotation: SchemeKind::MagnusLeapfrog,
            contact: ContactModel::default(),
            sharing: Sharing::Sum,
            max_overlap: 0.3,
            max_turn: 1.0,
            skin: None,
            threads: 1,
            instruction_set: None,
        }
    }
}

/// A simulation: holds the state and moves it on.
#[derive(Debug)]
pub struct Engine {
    pub(crate) settings: Settings,
    /// That of the settings.
    pub(crate) model: &'static dyn ErasedModel,
    pub(crate) materials: Materials,
    pub(crate) pairs: PairTable,
    pub(crate) domain: Domain,
    pub(crate) periods: Periods,
    pub(crate) gravity: LabVec<f64>,
    pub(crate) drag: Option<Drag>,
    pub(crate) fields: Vec<Arc<dyn ForceField>>,
    pub(crate) batch_fields: Vec<Arc<dyn BatchField>>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) poses: Vec<Pose>,
    pub(crate) loads: Vec<WallLoad>,
    pub(crate) bodies: Bodies,
    pub(crate) neighbours: Neighbours,
    pub(crate) contacts: Contacts,
    pub(crate) threads: Threads,
    pub(crate) set: InstructionSet,
    pub(crate) steps: u64,
    /// The ball that held all bodies when the lists were built.
    pub(crate) region: Region,
    /// The longest way of any sphere in the last step, m.
    pub(crate) longest: f64,
    /// How far any wall moved in the last step, at most, m.
    pub(crate) wall_way: f64,
    /// Whether anybody may look at the engine after the present step.
    pub(crate) observed: bool,
    pub(crate) exchange: crate::ledger::Exchange,
    pub(crate) times: StageTimes,
    pub(crate) last_good: Option<Box<SavedState>>,
    /// Lays rows out at random when lists are built, for tests.
    pub(crate) shuffled: Option<Random>,
    /// Whether the present state was made by hand, at the start or by a change, and not by a step.
    pub(crate) made_by_hand: bool,
}

impl Engine {
    /// Checks a world and evaluates its forces at time 0.
    ///
    /// ```
    /// use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
    /// use tumble_dem::material::{Material, PairProperties};
    /// use tumble_dem::wall::{Motion, Plane, Wall};
    /// use tumble_dem::{Body, Engine, LabVec, Settings, World};
    ///
    /// let mut world = World::default();
    /// let glass = world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
    /// world.materials.set_default(PairProperties::new(0.9, 0.3));
    /// let rod = ClumpTemplate::new("rod", &shapes::rod(3, 0.005, 0.01), MassModel::Union)?;
    /// let rod = world.add_template(rod)?;
    /// world.gravity = LabVec::new(0.0, 0.0, -9.81);
    /// let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0))?;
    /// world.walls.push(Wall::new("floor", floor, glass, Motion::fixed())?);
    /// world.add_body(Body::at(rod, LabVec::new(0.0, 0.0, 0.02)).spinning(LabVec::new(0.0, 5.0, 0.0)));
    ///
    /// let mut engine = Engine::new(world, Settings::new(1e-7))?;
    /// engine.advance(1000)?;
    /// assert!(engine.bodies()[0].velocity.z < 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(world: World, settings: Settings) -> Result<Self, Error> {
        crate::check::world(&world, &settings)?;
        let model = crate::check::model(settings.contact)?;
        let of_bodies = world.bodies.iter().map(|body| body.material.0);
        let pairs = PairTable::new(&world.materials, settings.contact, of_bodies, &world.walls)?;
        crate::check::range(model, &pairs, &world.walls)?;
        let threads = Threads::new(settings.threads)?;
        let set = settings.instruction_set.unwrap_or_else(InstructionSet::widest);
        let poses: Vec<Pose> = world.walls.iter().map(|wall| wall.motion.at(0.0)).collect();
        let mut engine = Self {
            bodies: Bodies::new(Shapes::new(&world.templates)),
            model,
            pairs,
            periods: Periods::of(&world.domain),
            domain: world.domain,
            gravity: world.gravity,
            drag: world.drag,
            fields: world.fields,
            batch_fields: Vec::new(),
            loads: vec![WallLoad::ZERO; world.walls.len()],
            walls: world.walls,
            poses,
            materials: world.materials,
            neighbours: Neighbours::default(),
            contacts: Contacts::default(),
            threads,
            set,
            steps: 0,
            region: Region { centre: LabVec::zero(), radius: 0.0 },
            longest: 0.0,
            wall_way: 0.0,
            observed: true,
            exchange: crate::ledger::Exchange::default(),
            times: StageTimes::default(),
            last_good: None,
            shuffled: None,
            made_by_hand: true,
            settings,
        };
        engine.bodies.check_room(&world.bodies)?;
        let densities = |material: u16| engine.materials.as_slice()[usize::from(material)].density;
        engine.bodies.append(&world.bodies, densities);
        let largest = engine.bodies.largest() + 0.5 * engine.pairs.range;
        crate::check::domain(&engine.domain, largest, engine.settings.skin)?;
        engine.begin()?;
        crate::ledger::Exchange::forget_half_of(&mut engine.bodies);
        Ok(engine)
    }

    /// The present time, s.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.settings.dt
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How the world is simulated.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All bodies at the present instant, by number.
    pub fn bodies(&self) -> Vec<BodyState> {
        let mut states = Vec::new();
        self.bodies_into(&mut states);
        states
    }

    /// Puts what [`bodies`](Self::bodies) gives in the place of what a list held, whose room is used.
    pub fn bodies_into(&self, states: &mut Vec<BodyState>) {
        states.clear();
        states.reserve(self.bodies.len());
        self.visit_bodies(&mut |part| states.extend_from_slice(part));
    }

    /// Shows what [`bodies`](Self::bodies) gives, some at a time.
    pub fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        let seen = integrate::synchronised(&self.bodies, &self.motion());
        let b = &self.bodies;
        let state = |row: usize| BodyState {
            id: BodyId(b.id[row]),
            template: TemplateId(b.template[row]),
            material: MaterialId(b.material[row]),
            scale: b.scale[row],
            position: LabVec::from_array(seen[row].position),
            velocity: LabVec::from_array(seen[row].velocity),
            orientation: Quat::from_array(seen[row].q),
            angular_velocity: LabVec::from_array(seen[row].omega),
            force: LabVec::from_array(b.acting[row].force),
            torque: LabVec::from_array(b.acting[row].torque),
            mass: b.kind(row).mass,
            moments: BodyVec::from_array(b.kind(row).moments),
            held: b.held[row],
        };
        in_parts(b.ids.rows().map(state), visit);
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.bodies.len()
    }

    /// Number of spheres of all bodies.
    pub fn sphere_count(&self) -> usize {
        self.bodies.spheres.len()
    }

    /// What each wall feels, in the order of the world's walls.
    pub fn walls(&self) -> Vec<WallReport> {
        let report = |(load, pose): (&WallLoad, &Pose)| {
            let about = pose.to_lab(LabVec::zero());
            let torque = load.torque - about.cross(load.force);
            WallReport { force: load.force, torque, about, power: load.power }
        };
        self.loads.iter().zip(&self.poses).map(report).collect()
    }

    /// The walls, by number.
    pub fn wall_list(&self) -> &[Wall] {
        &self.walls
    }

    /// Where the time went since the start, or since the last call of [`reset_stage_times`](Self::reset_stage_times).
    pub fn stage_times(&self) -> StageTimes {
        let segments = || self.contacts.between.iter().chain(&self.contacts.with_walls);
        let mut times = self.times;
        times.find_contacts += segments().map(|segment| segment.time_finding).sum();
        times.apply_laws += segments().map(|segment| segment.time_reacting).sum();
        times
    }

    /// Sets the stage times to zero.
    pub fn reset_stage_times(&mut self) {
        self.times = StageTimes::default();
        for segment in self.contacts.between.iter_mut().chain(&mut self.contacts.with_walls) {
            segment.time_finding = core::time::Duration::ZERO;
            segment.time_reacting = core::time::Duration::ZERO;
        }
    }

    pub(crate) fn motion(&self) -> Motion {
        Motion {
            scheme: self.settings.rotation,
            dt: self.settings.dt,
            gravity: self.gravity,
            domain: self.domain,
            set: self.set,
            velocities_seen: self.settings.contact.remembers()
                || self.drag.is_some()
                || !self.fields.is_empty()
                || !self.batch_fields.is_empty(),
        }
    }

    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene {
            bodies: &self.bodies,
            neighbours: &self.neighbours,
            periods: &self.periods,
            walls: &self.walls,
            poses: &self.poses,
        }
    }

    pub(crate) fn physics(&self) -> Physics<'_> {
        Physics {
            model: self.model,
            remembers: self.settings.contact.remembers(),
            turns: self.settings.contact.resists_turning(),
            sharing: self.settings.sharing,
            pairs: &self.pairs,
            dt: self.settings.dt,
            elapsed: if self.steps == 0 { 0.0 } else { self.settings.dt },
            set: self.set,
            observed: self.observed,
            longest: self.longest,
            max_overlap: self.settings.max_overlap,
        }
    }
}
