//! A world on a card: its tables, and so many steps of it.
//!
//! ```text
//!                          ┌─▶ wall contacts ─┐                       ┌─▶ wall contacts ─┐
//! load ─▶ ┌─▶ move ─▶ ┌─▶ ─┴─▶ contacts ──────┴─▶ sum_and_move ─┐ … ─┴─▶ contacts ──────┴─▶ sum ─┐ ─▶ store
//!         │           └───────────────────────────────────────────┘                                │
//!         └────────────────────────────── a batch of steps ────────────────────────────────────────┘
//! ```
//! The host looks at a card once in a batch. Whoever moves out of the lists, or does what no run may do, halts the card: its kernels
//! do nothing from then on. The host then builds new lists in the midst of the step and goes on, or gives up.

mod features;
mod lists;
mod load;
mod order;
mod store;
mod tables;

use crate::device::{Device, DeviceError, Lane, Program};
use crate::source::{any_masses, deed_width, kernel_of_model};
use crate::world::World;
use std::sync::Arc;
use tables::Tables;
use tumble_dem::Engine;
use tumble_dem::plain::{FieldPlan, Plan, Surface};
use tumble_dem::wall::{Pose, Region};

/// Steps between two looks of the host.
const BATCH: u64 = 16;

/// Threads of a block, where nothing else is asked for.
const THREADS: u32 = 128;

/// Why a card halted: bits as in `kernels/common.cu`.
const REBUILD: u32 = 1;

/// What came of some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// They are done.
    Done,
    /// In this step something may have happened that no run may go on from.
    Suspect(u64),
}

/// Numbers of a wall's pose, as in `kernels/walls.cu`.
const POSE: usize = 17;

/// Numbers of a body as laws see it, with its kind: as in `kernels/common.cu`.
const RECORD: usize = 14;

#[derive(Debug)]
pub(crate) struct Card {
    device: Arc<dyn Device>,
    program: Arc<dyn Program>,
    plan: Plan,
    walls: Vec<Surface>,
    world: World,
    tables: Tables,
    /// The last step whose forces are known.
    step: u64,
    /// Whether bodies have moved to the next step already.
    moved: bool,
    /// Whether the lists have to be built before anything else.
    outdated: bool,
    /// Contacts after the last step.
    contacts: usize,
    /// When the lists were built. Until the contacts of that step are evaluated, those of before have their old places.
    built_at: u64,
    /// How far any wall may have moved since, m, and where all bodies were.
    wall_travelled: f64,
    region: Region,
    /// The longest displacement in a step of the last batch, m.
    longest: f64,
    /// How often lists were built.
    pub(crate) builds: u64,
    /// What fields last gave that see all bodies at once.
    prescribed: Vec<[f64; 6]>,
}

impl Card {
    fn launch(&self, kernel: &str, threads: usize) -> Result<(), DeviceError> {
        self.launch_blocks(kernel, threads.div_ceil(THREADS as usize), THREADS)
    }

    fn launch_blocks(&self, kernel: &str, blocks: usize, threads: u32) -> Result<(), DeviceError> {
        self.launch_in(Lane::First, kernel, blocks, threads)
    }

    fn launch_in(&self, lane: Lane, kernel: &str, blocks: usize, threads: u32) -> Result<(), DeviceError> {
        let blocks = u32::try_from(blocks).map_err(|_| DeviceError::Launch {
            kernel: kernel.into(),
            cause: "there are more bodies or contacts than a launch can have blocks".into(),
        })?;
        self.program.launch_in(lane, kernel, blocks, threads, &self.world.bytes())
    }

    /// The kernels of a model, by the name that those of all models have.
    fn of_model(&self, kernel: &str, model: usize) -> String {
        kernel_of_model(kernel, model, self.plan.models.len())
    }

    /// Which of two tables has the contacts of a step.
    fn side(step: u64) -> usize {
        usize::from(step % 2 == 1)
    }

    /// Does all steps up to and with the last one.
    pub(crate) fn advance(&mut self, engine: &Engine, last: u64) -> Result<Outcome, DeviceError> {
        while self.step < last {
            // A new order begins a batch.
            let next = (self.step + 2..=self.step + BATCH).find(|step| Engine::is_reordering(*step));
            let end = last.min(next.map_or(self.step + BATCH, |step| step - 1));
            if let Some(suspect) = self.batch(engine, end)? {
                return Ok(Outcome::Suspect(suspect));
            }
        }
        Ok(Outcome::Done)
    }

    /// Does steps up to and with `end`, or fewer if the lists do not last.
    fn batch(&mut self, engine: &Engine, end: u64) -> Result<Option<u64>, DeviceError> {
        let first = self.step + 1;
        if !self.place_walls(engine, first, end)? || !self.place_fields(engine, first, end)? {
            return Ok(Some(first));
        }
        self.tables.taken.clear(&*self.device, usize_of(end - self.step))?;
        self.tables.longest.clear(&*self.device, 1)?;
        self.world.first_step = first;
        self.world.step = first;
        if !self.moved {
            self.launch("move", self.rows())?;
        }
        if (self.outdated || Engine::is_reordering(first))
            && let Some(suspect) = self.renew_lists(engine, first)?
        {
            return Ok(Some(suspect));
        }
        let mut unanswered = None;
        for step in first..=end {
            self.turn_to(step, step == end)?;
            self.begin_contacts_with_walls()?;
            self.find_contacts()?;
            self.act_between_bodies()?;
            self.device.follow(Lane::First, WALLS)?;
            if self.plan.fields == FieldPlan::Host && !self.ask_host(engine, step)? {
                // The engine has to see for itself, unless lists are all that is wrong.
                unanswered = Some(step);
                break;
            }
            self.launch(if step < end { "sum_and_move" } else { "sum" }, self.rows())?;
        }
        let halted = self.halted()?;
        self.longest = f64::from_bits(self.tables.longest.get(&*self.device, 0)?);
        let (done, suspect) = match halted {
            None => (unanswered.map_or(end, |step| step - 1), unanswered),
            Some((step, REBUILD)) => (step - 1, None),
            Some((step, _)) => (step - 1, Some(step)),
        };
        self.moved = halted.is_some();
        self.outdated |= halted.is_some();
        self.world.any_fresh = 0;
        if done > self.step {
            let taken = self.tables.taken.get(&*self.device, usize_of(done - first))?;
            self.contacts = taken as usize;
        }
        self.step = done;
        Ok(suspect)
    }

    /// All about contacts with walls, beside those between bodies: there are fewer of them, and neither needs the other.
    fn begin_contacts_with_walls(&self) -> Result<(), DeviceError> {
        let slots = usize_of(self.world.slots);
        if slots == 0 {
            return Ok(());
        }
        self.device.follow(WALLS, Lane::First)?;
        self.launch_in(WALLS, "touch_walls", slots.div_ceil(THREADS as usize), THREADS)?;
        if self.has_meshes() {
            self.launch_in(WALLS, "touch_meshes", slots.div_ceil(MESH_THREADS as usize), MESH_THREADS)?;
        }
        for model in 0..self.plan.models.len() {
            let kernel = self.of_model("wall_contacts", model);
            self.launch_in(WALLS, &kernel, slots.div_ceil(WALL_TILE), WALL_THREADS)?;
        }
        if self.plan.surface_interval.is_some() && self.has_meshes() {
            self.launch_in(WALLS, "add_surfaces", slots.div_ceil(THREADS as usize), THREADS)?;
        }
        Ok(())
    }

    /// Which candidates touch. Their places are found by one block, beside the masses, which need none.
    fn find_contacts(&self) -> Result<(), DeviceError> {
        self.launch_blocks("find_contacts", self.tiles(), THREADS)?;
        self.device.follow(RANKS, Lane::First)?;
        self.launch_in(RANKS, "rank_contacts", 1, RANK_THREADS)
    }

    fn act_between_bodies(&self) -> Result<(), DeviceError> {
        for model in 0..self.plan.models.len() {
            let several = usize_of(self.world.several_count);
            self.launch_blocks(&self.of_model("masses", model), several.div_ceil(CONTACT_TILE), THREADS)?;
        }
        self.device.follow(Lane::First, RANKS)?;
        for model in 0..self.plan.models.len() {
            self.launch_blocks(&self.of_model("evaluate", model), self.tiles(), EVALUATE_THREADS)?;
        }
        Ok(())
    }

    /// New lists in the midst of a step to which bodies have moved, and a new order where it is time.
    fn renew_lists(&mut self, engine: &Engine, step: u64) -> Result<Option<u64>, DeviceError> {
        if let Some((halted, why)) = self.halted()?
            && why != REBUILD
        {
            return Ok(Some(halted));
        }
        self.longest = self.longest.max(f64::from_bits(self.tables.longest.get(&*self.device, 0)?));
        self.note_carried(step)?;
        if Engine::is_reordering(step) {
            self.reorder(engine)?;
        }
        self.build_lists(step)?;
        self.outdated = false;
        Ok(self.halted()?.map(|(halted, _)| halted))
    }

    /// Kernels are about a step from now on: what its contacts were in the step before, and where they are now. The host may look
    /// at an `observed` one.
    fn turn_to(&mut self, step: u64, observed: bool) -> Result<(), DeviceError> {
        let (old, new) = (Self::side(step - 1), Self::side(step));
        let (device, candidates) = (&*self.device, usize_of(self.world.candidates));
        let (tables, world) = (&mut self.tables, &mut self.world);
        let memory = self.plan.memory;
        if tables.stride[new] < candidates {
            tables.memory[new].reserve(device, memory * candidates)?;
            tables.stride[new] = candidates.max(tables.memory[new].room() / memory.max(1)).max(1);
        }
        tables.deed.reserve(device, deed_width(&self.plan) * candidates)?;
        if any_masses(&self.plan) {
            tables.mass.reserve(device, candidates)?;
        }
        if observed {
            tables.outcome.reserve(device, self.plan.outcome * candidates)?;
        }
        world.step = step;
        world.carried_over = (step == self.built_at).into();
        world.odd = new as u64;
        world.memory_old = tables.memory[old].address();
        world.memory_new = tables.memory[new].address();
        world.stride_old = tables.stride[old] as u64;
        world.stride_new = tables.stride[new] as u64;
        world.mass = tables.mass.address();
        world.deed = tables.deed.address();
        world.observed = observed.into();
        world.outcome = tables.outcome.address();
        world.outcome_stride = candidates as u64;
        world.slot_was = tables.slot_touching[old].address();
        world.slot_now = tables.slot_touching[new].address();
        world.slot_memory_old = tables.slot_memory[old].address();
        world.slot_memory_new = tables.slot_memory[new].address();
        world.taken.at = tables.taken.address().at + 4 * (step - world.first_step);
        Ok(())
    }

    /// The step at which kernels stopped, and why.
    fn halted(&self) -> Result<Option<(u64, u32)>, DeviceError> {
        let step = self.tables.halt.get(&*self.device, 0)?;
        if step == u64::MAX {
            return Ok(None);
        }
        Ok(Some((step, self.tables.why.get(&*self.device, 0)?)))
    }

    /// Tells kernels where walls are in some steps. False if nobody knows.
    fn place_walls(&mut self, engine: &Engine, first: u64, end: u64) -> Result<bool, DeviceError> {
        let shapes = engine.wall_list();
        let (mut numbers, mut travelled, mut farthest) = (Vec::new(), Vec::new(), 0.0_f64);
        let Ok(mut before) = engine.poses_at(first - 1) else { return Ok(false) };
        for step in first..=end {
            let Ok(poses) = engine.poses_at(step) else { return Ok(false) };
            let moved =
                shapes.iter().zip(before.iter().zip(&poses)).fold(0.0, |most: f64, (wall, (old, new))| {
                    most.max(wall.shape.displacement_bound(old, new, self.region))
                });
            farthest = farthest.max(moved);
            // Lists are built for the first step, if they are.
            let built = (self.outdated || Engine::is_reordering(first)) && step == first;
            self.wall_travelled = if built { 0.0 } else { self.wall_travelled + moved };
            travelled.push(self.wall_travelled);
            numbers.extend(poses.iter().flat_map(pose_numbers));
            before = poses;
        }
        self.tables.poses.set(&*self.device, &numbers)?;
        self.tables.wall_travelled.set(&*self.device, &travelled)?;
        self.world.sheet_limit = self.plan.sheet_limit - farthest;
        self.world.poses = self.tables.poses.address();
        self.world.wall_travelled = self.tables.wall_travelled.address();
        Ok(true)
    }

    fn rows(&self) -> usize {
        usize_of(self.world.rows)
    }

    /// Blocks that go through the candidates.
    fn tiles(&self) -> usize {
        usize_of(self.world.candidates).div_ceil(CONTACT_TILE)
    }
}

/// What runs beside the contacts between bodies: those with walls, and the places of contacts.
const WALLS: Lane = Lane::Second;
const RANKS: Lane = Lane::Third;

/// Candidates of a block, and threads that evaluate them.
pub(crate) const CONTACT_TILE: usize = 512;
pub(crate) const EVALUATE_THREADS: u32 = 64;

/// Threads of the block that ranks contacts: as in `kernels/find.cu`.
const RANK_THREADS: u32 = 1024;

/// Slots of a block, and threads that evaluate them: as in `kernels/wall_contacts.cu`.
const WALL_TILE: usize = 128;
const WALL_THREADS: u32 = 64;

/// Threads that sum up together: as in `kernels/scan.cu`.
const SCAN_THREADS: u32 = 256;

/// Threads of a block that look for touches of meshes: as in `kernels/mesh_touches.cu`.
const MESH_THREADS: u32 = 64;

fn pose_numbers(pose: &Pose) -> [f64; POSE] {
    let mut numbers = [0.0; POSE];
    let parts = [
        &pose.pivot.to_array()[..],
        &pose.origin.to_array(),
        &pose.orientation.to_array(),
        &pose.velocity.to_array(),
        &pose.angular_velocity.to_array(),
        &[f64::from(u8::from(pose.present))],
    ];
    for (number, part) in numbers.iter_mut().zip(parts.concat()) {
        *number = part;
    }
    numbers
}

/// A number of things that are in memory.
fn usize_of(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
