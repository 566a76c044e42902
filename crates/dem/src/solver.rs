//! The one interface to an engine, whichever it is.
//!
//! ```text
//!   Simulation, Run        outputs, frames      checkpoints       Python, the program
//!   advance, edit          look                 save, go on       all of it
//!        │                      │                    │                   │
//!        └──────────────────────┴─────── dyn Solver ─┴───────────────────┘
//!                                            │
//!              ┌─────────────────────────────┼─────────────────────────────┐
//!        Engine (this crate)          on a graphics card         RankedEngine (this crate)
//! ```
//! Calls are coarse: thousands of steps, all bodies at one instant. What is large is shown a slice at a time to whoever
//! looks, in memory of the engine's own, so that an engine that keeps it elsewhere fetches it once, and nobody has
//! to hold all of it. What goes in and out is plain data.

use crate::clump::ClumpTemplate;
use crate::domain::Domain;
use crate::edit::{Change, Rule};
use crate::engine::{Engine, Settings};
use crate::error::Error;
use crate::field::{BatchField, Drag, ForceField};
use crate::id::WallId;
use crate::material::Materials;
use crate::membrane::MembraneReport;
use crate::ranks::RankCosts;
use crate::report::{
    BodyState, BondCounts, BondState, CellReport, ContactState, Ledger, LiquidReport, StageTimes,
    SurfaceState, WallReport,
};
use crate::saved::SavedState;
use crate::step::bond::Breakage;
use crate::wall::{Motion, Pose, Wall};
use crate::world::{Body, BodyId, World};
use core::fmt::Debug;
use std::sync::Arc;
use tumble_math::LabVec;

/// How many there are of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Steps since the start.
    pub steps: u64,
    /// Bodies.
    pub bodies: usize,
    /// Spheres of all bodies.
    pub spheres: usize,
    /// Contacts.
    pub contacts: usize,
}

/// What is around the bodies, and what they may be made of.
#[derive(Clone, Debug)]
pub struct Scenery<'a> {
    /// Open or periodic space.
    pub domain: Domain,
    /// Shapes of bodies, by number.
    pub templates: &'a [Arc<ClumpTemplate>],
    /// Walls, by number.
    pub walls: &'a [Wall],
    /// Where each of them is now.
    pub poses: Vec<Pose>,
    /// Materials and pairs as they are now.
    pub materials: &'a Materials,
    /// Acceleration of gravity as it is now, m/s².
    pub gravity: LabVec<f64>,
    /// The fluid around the bodies as it is now.
    pub drag: Option<Drag>,
    /// Forces that are prescribed for every body now.
    pub fields: &'a [Arc<dyn ForceField>],
}

/// A change by hand. It takes effect at the present instant, forces included.
#[derive(Clone, Debug)]
pub enum Edit<'a> {
    /// Puts bodies in, see [`Engine::add_bodies`].
    AddBodies(&'a [Body]),
    /// Takes bodies out, see [`Engine::remove_bodies`].
    RemoveBodies(&'a [BodyId]),
    /// Changes bodies, see [`Engine::change_bodies`].
    ChangeBodies(&'a [Change]),
    /// Gives a wall another motion, see [`Engine::set_wall_motion`].
    WallMotion(WallId, Motion),
    /// Puts another fluid around the bodies, or none, see [`Engine::set_drag`].
    Drag(Option<Drag>),
    /// Prescribes other forces on every body, see [`Engine::set_fields`].
    Fields(Vec<Arc<dyn ForceField>>),
    /// Adds a force on all bodies, see [`Engine::add_batch_field`].
    AddField(Arc<dyn BatchField>),
    /// Removes all of these forces.
    ClearFields,
    /// Gives rules another form, see [`Engine::change_rules`].
    ChangeRules(&'a [Rule]),
}

/// Something that advances a world: the [`Engine`] of this crate, or another that does what it does.
///
/// Two of them that are given the same world, settings and edits give the same bits, and each goes on from what the
/// other saved.
///
/// ```
/// use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
/// use tumble_dem::material::{Material, PairProperties};
/// use tumble_dem::{Body, Change, Engine, LabVec, Settings, Solver, World};
///
/// /// The height of the highest body, whatever moves it.
/// fn highest(solver: &dyn Solver) -> f64 {
///     let mut height = f64::NEG_INFINITY;
///     solver.visit_bodies(&mut |some| height = some.iter().fold(height, |z, body| z.max(body.position.z)));
///     height
/// }
///
/// let mut world = World::default();
/// world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
/// world.materials.set_default(PairProperties::new(0.9, 0.3));
/// let ball = world.add_template(ClumpTemplate::new("ball", &shapes::sphere(0.01), MassModel::Union)?)?;
/// world.gravity = LabVec::new(0.0, 0.0, -10.0);
/// let id = world.add_body(Body::at(ball, LabVec::zero()));
///
/// let mut solver: Box<dyn Solver> = Box::new(Engine::new(world, Settings::new(1e-3))?);
/// solver.advance(100)?;
/// assert!((highest(&*solver) + 0.05).abs() < 1e-12);
///
/// let saved = solver.save_bytes();
/// let position = Some(LabVec::new(0.0, 0.0, 3.0));
/// solver.change_bodies(&[Change { position, ..Change::of(id) }])?;
/// assert_eq!(highest(&*solver), 3.0);
/// solver.restore_bytes(&saved)?;
/// assert!(highest(&*solver) < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Solver: Debug + Send + Sync {
    /// Advances everything by this many steps, or goes back to a good state and says what went wrong, see
    /// [`Engine::advance`].
    fn advance(&mut self, steps: u64) -> Result<(), Error>;

    /// How the world is simulated now.
    fn settings(&self) -> &Settings;

    /// The present time, s. It is the number of steps times their length only where that has never been changed.
    fn time(&self) -> f64;

    /// The present numbers of steps, bodies, spheres and contacts.
    fn counts(&self) -> Counts;

    /// What is around the bodies.
    fn scenery(&self) -> Scenery<'_>;

    /// Shows all bodies at the present instant, in the order of their numbers, a slice at a time.
    fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState]));

    /// Shows all contacts, between bodies first, a slice at a time; in an order that depends on the state alone.
    fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState]));

    /// What each wall feels, in the order of the world's walls.
    fn walls(&self) -> Vec<WallReport>;

    /// What bears on the triangles of each mesh wall, if the settings ask for it, see [`Engine::surfaces`].
    fn surfaces(&self) -> Vec<SurfaceState>;

    /// The books of energy at the present instant.
    fn ledger(&self) -> Ledger;

    /// Where the time went since the start, or since the last call.
    fn take_stage_times(&mut self) -> StageTimes;

    /// Changes something by hand, or gives an error and changes nothing. Returns the numbers of the bodies that were put in.
    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error>;

    /// The present state as bytes, as [`SavedState::to_bytes`] gives them.
    fn save_bytes(&self) -> Vec<u8>;

    /// Goes on from bytes that were saved with the same world and settings, by any implementation.
    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// How many bonds there are and were. An engine that runs no worlds with bonds has none.
    fn bond_counts(&self) -> BondCounts {
        BondCounts::default()
    }

    /// All bonds at the present instant, by the numbers of their bodies.
    fn bonds(&self) -> Vec<BondState> {
        Vec::new()
    }

    /// All bonds that broke since the start, in the order of time.
    fn breakages(&self) -> &[Breakage] {
        &[]
    }

    /// Lengths and pressures of a periodic cell that deforms, if there is one. An engine that runs no such worlds has none.
    fn cell(&self) -> Option<CellReport> {
        None
    }

    /// All membranes at the present instant. An engine that runs no worlds with membranes has none.
    fn membranes(&self) -> Vec<MembraneReport> {
        Vec::new()
    }

    /// Where the liquid is, in a world with films. An engine that runs no such worlds has none.
    fn liquid(&self) -> Option<LiquidReport> {
        None
    }

    /// Tells an engine with parts in other processes what these have to know to set up engines of their own: motions of walls, the fluid
    /// and fields are functions, and cannot be sent. Whoever changes them says here in its own words what they are now, in bytes that
    /// mean the same in the other processes. Engines without such parts need not know.
    fn pass_on(&mut self, _: &[u8]) {}

    /// What it costs that several ranks do the steps, if they do.
    fn ranks(&self) -> Option<&RankCosts> {
        None
    }

    // What follows from these.

    /// Steps since the start.
    fn steps(&self) -> u64 {
        self.counts().steps
    }

    /// Number of bodies.
    fn body_count(&self) -> usize {
        self.counts().bodies
    }

    /// Number of spheres of all bodies.
    fn sphere_count(&self) -> usize {
        self.counts().spheres
    }

    /// Number of contacts.
    fn contact_count(&self) -> usize {
        self.counts().contacts
    }

    /// All bodies at the present instant, by number.
    fn bodies(&self) -> Vec<BodyState> {
        let mut states = Vec::new();
        self.bodies_into(&mut states);
        states
    }

    /// Replaces the contents of a list by what [`bodies`](Self::bodies) gives, reusing its memory.
    fn bodies_into(&self, states: &mut Vec<BodyState>) {
        states.clear();
        states.reserve_exact(self.counts().bodies);
        self.visit_bodies(&mut |some| states.extend_from_slice(some));
    }

    /// All contacts, between bodies first.
    fn contacts(&self) -> Vec<ContactState> {
        let mut states = Vec::new();
        self.contacts_into(&mut states);
        states
    }

    /// Replaces the contents of a list by what [`contacts`](Self::contacts) gives, reusing its memory.
    fn contacts_into(&self, states: &mut Vec<ContactState>) {
        states.clear();
        states.reserve(self.counts().contacts);
        self.visit_contacts(&mut |some| states.extend_from_slice(some));
    }

    /// Puts bodies in, and gives their numbers.
    fn add_bodies(&mut self, bodies: &[Body]) -> Result<Vec<BodyId>, Error> {
        self.edit(Edit::AddBodies(bodies))
    }

    /// Takes bodies out.
    fn remove_bodies(&mut self, ids: &[BodyId]) -> Result<(), Error> {
        self.edit(Edit::RemoveBodies(ids)).map(drop)
    }

    /// Changes many bodies at once.
    fn change_bodies(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.edit(Edit::ChangeBodies(changes)).map(drop)
    }

    /// Gives a wall another motion.
    fn set_wall_motion(&mut self, wall: WallId, motion: Motion) -> Result<(), Error> {
        self.edit(Edit::WallMotion(wall, motion)).map(drop)
    }

    /// Puts another fluid around the bodies, or none.
    fn set_drag(&mut self, drag: Option<Drag>) -> Result<(), Error> {
        self.edit(Edit::Drag(drag)).map(drop)
    }

    /// Prescribes other forces on every body.
    fn set_fields(&mut self, fields: Vec<Arc<dyn ForceField>>) -> Result<(), Error> {
        self.edit(Edit::Fields(fields)).map(drop)
    }

    /// Adds a force on all bodies.
    fn add_batch_field(&mut self, field: Arc<dyn BatchField>) -> Result<(), Error> {
        self.edit(Edit::AddField(field)).map(drop)
    }

    /// Removes all forces that were added by [`add_batch_field`](Self::add_batch_field).
    fn clear_batch_fields(&mut self) -> Result<(), Error> {
        self.edit(Edit::ClearFields).map(drop)
    }

    /// Gives rules another form, all of them or none.
    fn change_rules(&mut self, rules: &[Rule]) -> Result<(), Error> {
        self.edit(Edit::ChangeRules(rules)).map(drop)
    }
}

impl Solver for Engine {
    fn advance(&mut self, steps: u64) -> Result<(), Error> {
        Engine::advance(self, steps)
    }

    fn settings(&self) -> &Settings {
        Engine::settings(self)
    }

    fn time(&self) -> f64 {
        Engine::time(self)
    }

    fn counts(&self) -> Counts {
        Counts {
            steps: Engine::steps(self),
            bodies: Engine::body_count(self),
            spheres: Engine::sphere_count(self),
            contacts: Engine::contact_count(self),
        }
    }

    fn scenery(&self) -> Scenery<'_> {
        Scenery {
            domain: self.space.domain,
            templates: &self.space.bodies.shapes.templates,
            walls: &self.space.walls,
            poses: self.space.poses.clone(),
            materials: &self.rules.materials,
            gravity: self.rules.gravity,
            drag: self.rules.drag,
            fields: &self.rules.fields,
        }
    }

    fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        Engine::visit_bodies(self, visit);
    }

    fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState])) {
        Engine::visit_contacts(self, visit);
    }

    fn walls(&self) -> Vec<WallReport> {
        Engine::walls(self)
    }

    fn surfaces(&self) -> Vec<SurfaceState> {
        Engine::surfaces(self)
    }

    fn ledger(&self) -> Ledger {
        Engine::ledger(self)
    }

    fn take_stage_times(&mut self) -> StageTimes {
        let times = self.stage_times();
        self.reset_stage_times();
        times
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error> {
        let nobody = |()| Vec::new();
        match edit {
            Edit::AddBodies(bodies) => Engine::add_bodies(self, bodies),
            Edit::RemoveBodies(ids) => Engine::remove_bodies(self, ids).map(nobody),
            Edit::ChangeBodies(changes) => Engine::change_bodies(self, changes).map(nobody),
            Edit::WallMotion(wall, motion) => Engine::set_wall_motion(self, wall, motion).map(nobody),
            Edit::Drag(drag) => Engine::set_drag(self, drag).map(nobody),
            Edit::Fields(fields) => Engine::set_fields(self, fields).map(nobody),
            Edit::AddField(field) => Engine::add_batch_field(self, field).map(nobody),
            Edit::ClearFields => Engine::clear_batch_fields(self).map(nobody),
            Edit::ChangeRules(rules) => Engine::change_rules(self, rules).map(nobody),
        }
    }

    fn bond_counts(&self) -> BondCounts {
        Engine::bond_counts(self)
    }

    fn bonds(&self) -> Vec<BondState> {
        Engine::bonds(self)
    }

    fn cell(&self) -> Option<CellReport> {
        Engine::cell(self)
    }

    fn membranes(&self) -> Vec<MembraneReport> {
        Engine::membranes(self)
    }

    fn liquid(&self) -> Option<LiquidReport> {
        Engine::liquid(self)
    }

    fn breakages(&self) -> &[Breakage] {
        Engine::breakages(self)
    }

    fn save_bytes(&self) -> Vec<u8> {
        self.save_as_bytes()
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let world = World {
            materials: self.rules.materials.clone(),
            templates: self.space.bodies.shapes.templates.clone(),
            walls: self.space.walls.clone(),
            domain: self.space.domain,
            ..World::default()
        };
        self.restore_from(SavedState::from_bytes(bytes, &world)?)
    }
}
