//! The engine whose steps a card does: a [`Solver`] as any other.
//!
//! Whatever is not a step, such as looking, changing and saving, is that of the engine of the processor, which has the state of the
//! card whenever nobody advances. Since both have the same bits, either can go on from where the other stopped; so the processor
//! also does the few steps in which more happens than motion, and tells what went wrong where the card finds that something did.

use crate::card::{Card, Outcome};
use crate::device::{Device, DeviceError, Program};
use crate::source::source;
use core::fmt;
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;
use tumble_dem::plain::{Plan, Surface};
use tumble_dem::{
    BodyId, BodyState, BondCounts, BondState, Breakage, ContactState, Counts, Edit, Engine, Error, Ledger,
    Scenery, Settings, Solver, StageTimes, SurfaceState, WallReport,
};

/// The host takes the state over at least so often, to have one to go back to.
const STORE_EVERY: u64 = 10_000;

/// Why a world cannot be advanced by a card.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// It has something that kernels do not do.
    Beyond(String),
    /// The device failed.
    Device(DeviceError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Beyond(what) => {
                write!(f, "a graphics card cannot run this world yet: {what}; the processor can")
            }
            Self::Device(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

impl From<DeviceError> for Refused {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

/// An engine that a device did not take, which can go on without it, and why.
#[derive(Debug)]
pub struct Declined {
    /// As it was given.
    pub engine: Box<Engine>,
    /// Why.
    pub reason: Refused,
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Declined {}

/// What a device has to know of an engine, or what of it is beyond a device.
pub(crate) fn plan(engine: &Engine) -> Result<(Plan, Vec<Surface>), Refused> {
    if let Some(what) = engine.beyond_motion() {
        return Err(Refused::Beyond(what));
    }
    Ok((engine.plan(), engine.plain_walls().map_err(Refused::Beyond)?))
}

/// An engine whose steps are done by a device.
#[derive(Debug)]
pub struct CardEngine {
    engine: Engine,
    device: Arc<dyn Device>,
    /// The last program, and the source that it was made from.
    program: Option<(String, Arc<dyn Program>)>,
    /// What the device has of the engine; nothing if the engine has changed since.
    card: Option<Card>,
    times: StageTimes,
    by_device: u64,
    on_device: Duration,
}

impl CardEngine {
    /// Has the steps of an engine done by a device, or gives it back and says why that cannot be.
    pub fn new(engine: Engine, device: Arc<dyn Device>) -> Result<Self, Declined> {
        let mut own = Self {
            engine,
            device,
            program: None,
            card: None,
            times: StageTimes::default(),
            by_device: 0,
            on_device: Duration::ZERO,
        };
        match own.load().map(drop) {
            Ok(()) => Ok(own),
            Err(reason) => Err(Declined { engine: Box::new(own.engine), reason }),
        }
    }

    /// The engine with the state after the last step.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What does the steps.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// How long the device took for its steps, without what it takes to copy states to and fro.
    pub fn time_on_device(&self) -> Duration {
        self.on_device
    }

    /// How many steps the device has done; the processor did the others.
    pub fn steps_by_device(&self) -> u64 {
        self.by_device
    }

    /// Gives the device the present state.
    fn load(&mut self) -> Result<&mut Card, Refused> {
        let (plan, walls) = plan(&self.engine)?;
        let source = source(&plan, walls.iter().any(|wall| wall.mesh.is_some()));
        let program = match &self.program {
            Some((known, program)) if *known == source => program.clone(),
            _ => {
                let program: Arc<dyn Program> = self.device.compile(&source)?.into();
                self.program = Some((source, program.clone()));
                program
            }
        };
        // Two of them at once would be a lot of memory.
        self.card = None;
        Ok(self.card.insert(Card::load(&self.engine, plan, walls, (self.device.clone(), program))?))
    }

    fn advance_to(&mut self, last: u64) -> Result<(), Error> {
        while self.engine.steps() < last {
            let next = self.engine.steps() + 1;
            if self.engine.is_own_step(next) {
                self.card = None;
                self.engine.advance(1)?;
                continue;
            }
            let until = (next..=last.min(next + STORE_EVERY)).find(|step| self.engine.is_own_step(*step));
            let until = until.map_or(last.min(next + STORE_EVERY), |own| own - 1);
            // What bears on triangles is averaged over intervals, which begin here.
            let interval = self.engine.settings().surface_interval.unwrap_or(u64::MAX);
            let until = until.min(((next - 1) / interval * interval).saturating_add(interval));
            if self.card.is_none() {
                match self.load() {
                    Ok(_) => {}
                    Err(Refused::Beyond(_)) => return self.engine.advance(last - self.engine.steps()),
                    Err(refused) => return Err(Error::Device { reason: refused.to_string() }),
                }
            }
            let Some(card) = &mut self.card else { continue };
            self.engine.begin_elsewhere();
            let builds = card.builds;
            let begin = Instant::now();
            let outcome = card.advance(&self.engine, until);
            self.on_device += begin.elapsed();
            self.times.builds += card.builds - builds;
            match outcome {
                Ok(Outcome::Done) => {
                    self.times.steps += until + 1 - next;
                    self.by_device += until + 1 - next;
                    card.store(&mut self.engine)?;
                }
                // The processor goes the same way and sees for itself; if it finds nothing wrong, the card goes on from there.
                Ok(Outcome::Suspect(step)) => {
                    self.card = None;
                    self.engine.advance(step - self.engine.steps())?;
                }
                Err(error) => {
                    self.card = None;
                    return Err(Error::Device { reason: error.to_string() });
                }
            }
        }
        Ok(())
    }
}

impl Solver for CardEngine {
    fn advance(&mut self, steps: u64) -> Result<(), Error> {
        if steps > 0 {
            self.engine.check_begin()?;
        }
        self.advance_to(self.engine.steps() + steps)
    }

    fn settings(&self) -> &Settings {
        self.engine.settings()
    }

    fn time(&self) -> f64 {
        self.engine.time()
    }

    fn counts(&self) -> Counts {
        Solver::counts(&self.engine)
    }

    fn scenery(&self) -> Scenery<'_> {
        self.engine.scenery()
    }

    fn visit_bodies(&self, visit: &mut dyn FnMut(&[BodyState])) {
        self.engine.visit_bodies(visit);
    }

    fn visit_contacts(&self, visit: &mut dyn FnMut(&[ContactState])) {
        Solver::visit_contacts(&self.engine, visit);
    }

    fn walls(&self) -> Vec<WallReport> {
        self.engine.walls()
    }

    fn surfaces(&self) -> Vec<SurfaceState> {
        self.engine.surfaces()
    }

    fn ledger(&self) -> Ledger {
        self.engine.ledger()
    }

    fn take_stage_times(&mut self) -> StageTimes {
        let own = core::mem::take(&mut self.times);
        let of_processor = self.engine.take_stage_times();
        StageTimes {
            steps: own.steps + of_processor.steps,
            builds: own.builds + of_processor.builds,
            ..of_processor
        }
    }

    fn edit(&mut self, edit: Edit<'_>) -> Result<Vec<BodyId>, Error> {
        self.card = None;
        self.engine.edit(edit)
    }

    fn save_bytes(&self) -> Vec<u8> {
        self.engine.save_bytes()
    }

    fn bond_counts(&self) -> BondCounts {
        self.engine.bond_counts()
    }

    fn bonds(&self) -> Vec<BondState> {
        self.engine.bonds()
    }

    fn breakages(&self) -> &[Breakage] {
        self.engine.breakages()
    }

    fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.card = None;
        self.engine.restore_bytes(bytes)
    }
}
