//! The engine: a world in motion.

mod alterable;
mod parts;

pub(crate) use alterable::{Alterable, Altered, AlteredProperty};
pub(crate) use parts::{Progress, Rules, Since, Space};

use crate::bodies::{Bodies, BookTable, Shapes, Sums};
use crate::calibration::Thresholds;
use crate::contact::{Contacts, Groups, Physics, Sharing, Times, WallLoad};
use crate::domain::Periods;
use crate::error::Error;
use crate::heat::HeatRules;
use crate::id::{BodyId, MaterialId, TemplateId};
use crate::integrate::{self, Mover};
use crate::law::ContactModel;
use crate::material::Materials;
use crate::neighbour::Neighbours;
use crate::parallel::Threads;
use crate::physics::kicks::Kicks;
use crate::precision::Precision;
use crate::random::Random;
use crate::report::{BodyState, Exchange, StageTimes, WallReport, in_parts};
use crate::saved::SavedState;
use crate::step::bond::Bonds;
use crate::step::{CellState, FreeWall, HeatBooks, HeatState, LiquidBooks, Surfaces, WallHeat};
use crate::wall::{Pose, Region, Wall};
use crate::world::World;
use std::sync::Arc;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::batch::InstructionSet;
use tumble_rotation::{AnyScheme, SchemeKind};

/// How a world is simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Time step, s. [`Engine::advise`] recommends one.
    pub dt: f64,
    /// How rotation is integrated: by a scheme of the list, or of your own with [`AnyScheme::of`].
    pub rotation: AnyScheme,
    /// How finely bodies and contacts are computed.
    pub precision: Precision,
    /// What happens in a contact of two materials that have [no model of their
    /// own](crate::material::PairProperties::with_model).
    pub contact: ContactModel,
    /// How several contacts between the same two bodies add up.
    pub sharing: Sharing,
    /// What is done about the first and the last kick of elastic contacts.
    pub kicks: Kicks,
    /// The run stops when spheres overlap by more than this fraction of the smaller radius; below one, also when they go
    /// through a thin wall within a step.
    pub max_overlap: f64,
    /// The run stops when a body that is not a single sphere turns by more than this angle in a step, rad; up to a full
    /// turn, also when rolling and twisting dashpots are far too strong for the step.
    pub max_turn: f64,
    /// If set, pressure, shear and wear of each triangle of mesh walls are added up, see [`Engine::surfaces`]; pressure and shear are
    /// means over so many steps. Changes no other result.
    pub surface_interval: Option<u64>,
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
            rotation: SchemeKind::default().into(),
            precision: Precision::Double,
            contact: ContactModel::default(),
            sharing: Sharing::Sum,
            kicks: Kicks::Corrected,
            max_overlap: 0.3,
            max_turn: 1.0,
            surface_interval: None,
            skin: None,
            threads: 1,
            instruction_set: None,
        }
    }
}

/// A simulation: holds the state and advances it.
#[derive(Debug)]
pub struct Engine {
    pub(crate) rules: Rules,
    pub(crate) space: Space,
    pub(crate) progress: Progress,
    /// What acts on each body, and its books.
    pub(crate) sums: Sums,
    /// Those of each group.
    pub(crate) contacts: Vec<Contacts>,
    /// What each wall feels.
    pub(crate) loads: Vec<WallLoad>,
    /// What bears on triangles of meshes.
    pub(crate) surfaces: Surfaces,
    pub(crate) exchange: Exchange,
    pub(crate) bonds: Bonds,
    pub(crate) heat: HeatState,
    pub(crate) liquid: LiquidBooks,
    pub(crate) threads: Threads,
    pub(crate) times: StageTimes,
    pub(crate) last_good: Option<Box<SavedState>>,
    /// Lays rows out at random when lists are built, for tests.
    pub(crate) shuffled: Option<Random>,
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
        let of_bodies = world.bodies.iter().map(|body| body.material.0);
        let groups = Groups::new(&world.materials, &settings, of_bodies, &world.walls)?;
        crate::liquid::check_laws(&groups, world.liquid.is_some())?;
        let books = groups.accounts.books();
        let threads = Threads::new(settings.threads)?;
        let set = settings.instruction_set.unwrap_or_else(InstructionSet::widest);
        let heat = world.heat.map(|heat| Arc::new(HeatRules::new(heat, &world.materials)));
        let poses: Vec<Pose> = world.walls.iter().map(|wall| wall.motion.at(0.0)).collect();
        let mut engine = Self {
            loads: vec![WallLoad::ZERO; world.walls.len()],
            heat: HeatState { books: HeatBooks::new(world.walls.len()), ..HeatState::default() },
            liquid: LiquidBooks::default(),
            surfaces: settings
                .surface_interval
                .map_or_else(Surfaces::default, |_| Surfaces::new(&world.walls, 0.0)),
            space: Space {
                periods: Periods::of(&world.domain),
                cell: world.cell.map(|cell| CellState::new(&world.domain, &cell)),
                deformation: None,
                domain: world.domain,
                bodies: Bodies::new(Shapes::new(&world.templates)),
                free: vec![FreeWall::default(); world.walls.len()],
                walls: world.walls,
                poses,
                neighbours: Neighbours::default(),
                region: Region { centre: LabVec::zero(), radius: 0.0 },
            },
            rules: Rules {
                given: Box::new(Alterable {
                    dt: settings.dt,
                    gravity: world.gravity,
                    materials: world.materials.clone(),
                }),
                settings,
                materials: world.materials,
                groups,
                gravity: world.gravity_table.as_ref().map_or(world.gravity, |table| table.at(0.0)),
                gravity_table: world.gravity_table,
                drag: world.drag,
                cell: world.cell,
                heat,
                liquid: world.liquid,
                fields: world.fields,
                batch_fields: world.membranes.iter().map(|membrane| Arc::clone(membrane) as _).collect(),
                membranes: world.membranes.into_iter().map(|membrane| (membrane, f64::NAN)).collect(),
                bonded: false,
                set,
                thresholds: Thresholds::USED,
            },
            progress: Progress::START,
            sums: Sums { books: BookTable::new(books), ..Sums::default() },
            contacts: Vec::new(),
            exchange: Exchange::new(books),
            bonds: Bonds::default(),
            threads,
            times: StageTimes::default(),
            last_good: None,
            shuffled: None,
        };
        engine.space.bodies.check_room(&world.bodies)?;
        let densities = |material: u16| engine.rules.materials.as_slice()[usize::from(material)].density;
        engine.space.bodies.append(&mut engine.sums, &world.bodies, densities);
        engine.warm_bodies(0, &world.bodies);
        engine.moisten_bodies(0, &world.bodies);
        engine.bonds = Bonds::new(&world.bonds, &engine.space.bodies, &engine.space.domain)?;
        engine.rules.bonded = engine.bonds.any();
        for (membrane, volume) in &mut engine.rules.membranes {
            *volume = membrane.volume(|id| world.bodies[id.index()].position);
        }
        // There may be many, and the most memory is needed next.
        drop(world.bodies);
        let largest = engine.space.bodies.largest;
        let largest = largest + 0.5 * engine.rules.groups.range(largest);
        crate::check::domain(&engine.space.domain, largest, engine.rules.settings.skin)?;
        engine.show_cell();
        engine.begin()?;
        engine.settle_liquid();
        engine.measure_cell();
        Exchange::forget_half_of(&mut engine.sums);
        engine.bonds.count_half_of_the_present(engine.rules.settings.dt);
        Ok(engine)
    }

    /// The present time, s.
    pub fn time(&self) -> f64 {
        self.time_at(self.progress.steps)
    }

    /// The time of a step, s.
    pub(crate) fn time_at(&self, step: u64) -> f64 {
        self.progress.since.time_of(step, self.rules.settings.dt)
    }

    /// Steps since the start.
    pub fn steps(&self) -> u64 {
        self.progress.steps
    }

    /// How the world is simulated.
    pub fn settings(&self) -> &Settings {
        &self.rules.settings
    }

    /// The present acceleration of gravity, m/s².
    pub fn gravity(&self) -> LabVec<f64> {
        self.rules.gravity
    }

    /// Materials and pairs as they are now.
    pub fn materials(&self) -> &Materials {
        &self.rules.materials
    }

    /// All bodies at the present instant, by number.
    pub fn bodies(&self) -> Vec<BodyState> {
        let mut states = Vec::new();
        self.bodies_into(&mut states);
        states
    }

    /// Replaces the contents of a list by what [`bodies`](Self::bodies) gives, reusing its memory.
    pub fn bodies_into(&self, states: &mut Vec<BodyState>) {
        states.clear();
        states.reserve(self.space.bodies.len());
        self.visit_bodies(&mut |part| states.extend_from_slice(part));
    }

    /// Shows what [`bodies`](Self::bodies) gives, a slice at a time.
    pub fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        let now = integrate::synchronised(&self.space.bodies, &self.sums, &self.mover());
        let b = &self.space.bodies;
        let state = |row: usize| BodyState {
            id: BodyId(b.id[row]),
            template: TemplateId(b.template[row]),
            material: MaterialId(b.material[row]),
            scale: b.scale[row],
            position: LabVec::from_array(now[row].position),
            velocity: LabVec::from_array(now[row].velocity),
            orientation: Quat::from_array(now[row].q),
            angular_velocity: LabVec::from_array(now[row].omega),
            force: LabVec::from_array(self.sums.acting[row].force),
            torque: LabVec::from_array(self.sums.acting[row].torque),
            mass: b.kind(row).mass,
            moments: BodyVec::from_array(b.kind(row).moments),
            held: b.held[row],
            temperature: self.temperature(row),
            film: self.film(row),
        };
        in_parts(b.by_id.rows().map(state), visit);
    }

    /// Number of bodies.
    pub fn body_count(&self) -> usize {
        self.space.bodies.len()
    }

    /// Number of spheres of all bodies.
    pub fn sphere_count(&self) -> usize {
        self.space.bodies.spheres.len()
    }

    /// What each wall feels, in the order of the world's walls.
    pub fn walls(&self) -> Vec<WallReport> {
        let heat = self.heat.books.walls.iter();
        let report = |(((load, pose), free), heat): (((&WallLoad, &Pose), &FreeWall), &WallHeat)| {
            let about = pose.to_lab(LabVec::zero());
            let torque = load.torque - about.cross(load.force);
            let (moved, speed) = (free.place, free.speed);
            let heat = self.has_heat().then(|| [heat.flow.value(), heat.given.value()]);
            WallReport { force: load.force, torque, about, power: load.power, moved, speed, heat }
        };
        self.loads.iter().zip(&self.space.poses).zip(&self.space.free).zip(heat).map(report).collect()
    }

    /// The walls, by number.
    pub fn wall_list(&self) -> &[Wall] {
        &self.space.walls
    }

    /// Where the time went since the start, or since the last call of [`reset_stage_times`](Self::reset_stage_times).
    pub fn stage_times(&self) -> StageTimes {
        let mut times = self.times;
        for Times { finding, reacting } in self.contacts.iter().map(Contacts::times) {
            times.find_contacts += finding;
            times.apply_laws += reacting;
        }
        times
    }

    /// Sets the stage times to zero.
    pub fn reset_stage_times(&mut self) {
        self.times = StageTimes::default();
        self.contacts.iter_mut().for_each(Contacts::reset_times);
    }

    pub(crate) fn mover(&self) -> Mover {
        self.rules.mover(self.space.domain, self.space.deformation)
    }

    pub(crate) fn physics(&self, group: usize) -> Physics<'_> {
        self.rules.physics(group, &self.progress)
    }
}
