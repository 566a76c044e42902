//! One measurement: a scene on so many threads, and what the machine could give at most.

use super::memory::Memory;
use super::scenes::{STEPS_TO_HOLD, Scene, Source};
use crate::failure::Failure;
use crate::kernels;
use crate::signals::Interrupt;
use std::path::Path;
use std::sync::Barrier;
use std::time::Instant;
use tumble::gpu::{self, CardEngine, Choice as Device};
use tumble_dem::{Counts, Engine, Precision, SavedState, SchemeKind, Settings, Solver as _};

/// How scenes are measured.
#[derive(Clone, Copy)]
pub(super) struct Clock<'a> {
    /// Steps before the clock starts.
    pub(super) warm: u64,
    /// Steps on the clock; about a second's worth if absent.
    pub(super) steps: Option<u64>,
    pub(super) repeat: u32,
    pub(super) scheme: SchemeKind,
    pub(super) precision: Precision,
    pub(super) interrupt: &'a Interrupt,
}

/// A scene that is what its name says, ready to be run on any number of threads.
pub(super) struct Prepared<'a> {
    clock: Clock<'a>,
    name: &'a str,
    scene: Scene,
    /// Where to begin, and what it took to come there; absent if that is the scene itself.
    begin: Option<(SavedState, Memory)>,
    /// Real time per step and body on one thread, once that is known.
    one_thread: Option<f64>,
}

/// What was measured, in the fastest of the repetitions.
pub(super) struct Measured {
    pub(super) scene: String,
    pub(super) bodies: usize,
    pub(super) spheres: usize,
    pub(super) contacts: usize,
    pub(super) on: On,
    /// Real time per step and body.
    pub(super) ns_per_body: f64,
    /// How many times as fast as one thread, where that has been measured.
    pub(super) times_one_thread: Option<f64>,
    /// How many times as much as one of them do so many runs on one thread each, all at once. Asked for or absent.
    pub(super) limit: Option<f64>,
    /// The same as `ns_per_body` for the stages of the step, in their order; not known of cards.
    pub(super) stages: Option<[f64; 5]>,
    /// How long neighbour lists last.
    pub(super) steps_per_build: f64,
    pub(super) memory: Memory,
}

/// What a scene was run on.
pub(super) enum On {
    /// So many threads.
    Threads(usize),
    /// A card of this name.
    Card(String),
}

/// What some steps of a device took.
struct OnDevice {
    seconds: f64,
    /// Until the host had the state, s.
    back: f64,
    builds: u64,
    counts: Counts,
}

/// Steps that a card does at a time at the least.
const FEWEST_ON_CARD: u64 = 500;

/// And as long as they take so long, s.
const SECONDS_ON_CARD: f64 = 2.0;

/// Steps between two looks at the interrupt.
const AT_ONCE: u64 = 50;

impl<'a> Prepared<'a> {
    pub(super) fn new(source: &'a Source, clock: Clock<'a>) -> Result<Self, Failure> {
        let name = source.name.as_str();
        let scene = source.make().map_err(|error| Failure::BadInput(format!("{name}: {error}")))?;
        let mut prepared = Self { clock, name, scene, begin: None, one_thread: None };
        if prepared.scene.preparation > 0 {
            // On all threads, which changes nothing but the time it takes.
            let before = Memory::begin();
            let mut engine = prepared.engine(0)?;
            let steps = prepared.scene.preparation;
            prepared.told(advance(&mut engine, steps, clock.interrupt))?;
            let memory = before.end();
            prepared.begin = Some((engine.save(), memory));
        }
        Ok(prepared)
    }

    /// Measures; nothing if interrupted.
    pub(super) fn measure(&mut self, threads: usize) -> Result<Option<Measured>, Failure> {
        let before = Memory::begin();
        let mut engine = self.engine(threads)?;
        let measured = self.of(&mut engine, threads);
        let mut measured = self.told(measured)?;
        if let Some(measured) = &mut measured {
            measured.memory = self.memory(before);
            if threads == 1 {
                self.one_thread = Some(measured.ns_per_body);
            }
        }
        Ok(measured)
    }

    /// Measures on a device; nothing if interrupted. All steps on the clock are done at a time, and the clock is that of the device: it
    /// gives its state back after them, and `back` is told how long that takes, s.
    pub(super) fn measure_on(
        &self,
        device: Device,
        back: impl FnOnce(&str, f64),
    ) -> Result<Option<Measured>, Failure> {
        let before = Memory::begin();
        let refused = |reason: &dyn core::fmt::Display| Failure::BadInput(format!("{}: {reason}", self.name));
        let device = gpu::open(device, kernels::folder().as_deref()).map_err(|error| refused(&error))?;
        let card = device.name();
        let mut engine = CardEngine::new(self.engine(0)?, device).map_err(|error| refused(&error))?;
        let Clock { warm, steps, repeat, interrupt, .. } = self.clock;
        let mut time = |steps: u64| {
            let (begin, before) = (Instant::now(), engine.time_on_device());
            self.told(engine.advance(steps))?;
            let on_device = engine.time_on_device().saturating_sub(before);
            Ok::<_, Failure>(OnDevice {
                seconds: on_device.as_secs_f64(),
                back: begin.elapsed().saturating_sub(on_device).as_secs_f64(),
                builds: engine.take_stage_times().builds,
                counts: engine.counts(),
            })
        };
        time(warm + self.to_hold())?;
        let steps = if let Some(steps) = steps {
            steps
        } else {
            let each = time(FEWEST_ON_CARD)?.seconds / FEWEST_ON_CARD as f64;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of steps")]
            let steps = (SECONDS_ON_CARD / each).min(1e6) as u64;
            steps.max(FEWEST_ON_CARD)
        };
        let mut fastest: Option<OnDevice> = None;
        for _ in 0..repeat {
            if interrupt.requested() {
                return Ok(None);
            }
            let next = time(steps)?;
            if fastest.as_ref().is_none_or(|fastest| next.seconds < fastest.seconds) {
                fastest = Some(next);
            }
        }
        let Some(OnDevice { seconds, back: to_give_back, builds, counts }) = fastest else { return Ok(None) };
        back(&card, to_give_back);
        Ok(Some(Measured {
            scene: short_name(self.name),
            bodies: counts.bodies,
            spheres: counts.spheres,
            contacts: counts.contacts,
            on: On::Card(card),
            ns_per_body: 1e9 * seconds / (steps as f64 * counts.bodies as f64),
            times_one_thread: None,
            limit: None,
            stages: None,
            steps_per_build: steps as f64 / builds.max(1) as f64,
            memory: self.memory(before),
        }))
    }

    /// What came on top of the memory before a run. Where a state was prepared, most of it was taken then.
    fn memory(&self, before: Memory) -> Memory {
        let prepared = self.begin.as_ref().filter(|_| self.scene.copies == [1, 1]);
        prepared.map_or_else(|| before.end(), |(_, memory)| *memory)
    }

    /// What its name says.
    pub(super) fn name(&self) -> String {
        short_name(self.name)
    }

    /// Steps until copies of a scene are at rest as it was.
    pub(super) fn to_hold(&self) -> u64 {
        if self.scene.copies == [1, 1] { 0 } else { STEPS_TO_HOLD }
    }

    /// How many times as fast as one thread this is, where that has been measured.
    pub(super) fn times_one_thread(&self, measured: &Measured) -> Option<f64> {
        self.one_thread.map(|one| one / measured.ns_per_body)
    }

    /// How many times as much as one run on one thread, alone, do as many of them at once as there are threads; nothing
    /// if interrupted. They share the machine and nothing else, so that it is the machine that sets this limit. Threads
    /// that share a scene may come beyond it where it fits the caches and so many scenes do not.
    pub(super) fn limit(&mut self, threads: usize) -> Result<Option<f64>, Failure> {
        if self.one_thread.is_none() && self.measure(1)?.is_none() {
            return Ok(None);
        }
        let threads = if threads == 0 { all_threads() } else { threads };
        let mut engines = Vec::new();
        for _ in 0..threads {
            engines.push(self.engine(1)?);
        }
        let steps = match self.clock.steps {
            Some(steps) => steps,
            None => self.told(a_second_of_steps(&mut engines[0], self.clock.interrupt))?,
        };
        let (barrier, clock) = (Barrier::new(threads), self.clock);
        let warm = clock.warm + self.to_hold();
        let copy = |mut engine: Engine| -> Result<f64, tumble_dem::Error> {
            let mut done = advance(&mut engine, warm, clock.interrupt);
            let mut fastest = f64::INFINITY;
            for _ in 0..clock.repeat {
                // Nobody leaves before the others, who would wait for ever.
                barrier.wait();
                let begin = Instant::now();
                done = done.and_then(|()| advance(&mut engine, steps, clock.interrupt));
                barrier.wait();
                fastest = fastest.min(begin.elapsed().as_secs_f64());
            }
            done.map(|()| fastest)
        };
        let seconds = std::thread::scope(|scope| {
            let copies: Vec<_> = engines.into_iter().map(|engine| scope.spawn(|| copy(engine))).collect();
            let ended = copies.into_iter().map(|copy| copy.join().map_err(|_| "a copy of the run panicked"));
            ended.collect::<Result<Result<Vec<f64>, tumble_dem::Error>, &str>>()
        });
        let seconds = self.told(seconds.map_err(|what| Failure::Failed(what.into()))?)?;
        if clock.interrupt.requested() {
            return Ok(None);
        }
        let seconds = seconds.into_iter().fold(0.0, f64::max);
        let ns_per_body = 1e9 * seconds / (steps as f64 * self.scene.body_count() as f64);
        Ok(self.one_thread.map(|one| threads as f64 * one / ns_per_body))
    }

    pub(super) fn engine(&self, threads: usize) -> Result<Engine, Failure> {
        let Scene { world, dt, contact, .. } = &self.scene;
        let (contact, rotation, precision) = (*contact, self.clock.scheme.into(), self.clock.precision);
        let settings = Settings { contact, threads, rotation, precision, ..Settings::new(*dt) };
        let mut engine = self.told(Engine::new(world.clone(), settings.clone()))?;
        if let Some((state, _)) = &self.begin {
            self.told(engine.restore(state))?;
            if let Some(world) = self.scene.side_by_side(&engine) {
                return self.told(Engine::new(world, settings));
            }
        }
        Ok(engine)
    }

    fn of(&self, engine: &mut Engine, threads: usize) -> Result<Option<Measured>, tumble_dem::Error> {
        let Clock { warm, steps, repeat, interrupt, .. } = self.clock;
        let (bodies, spheres) = (engine.body_count(), engine.sphere_count());
        advance(engine, warm + self.to_hold(), interrupt)?;
        let steps = match steps {
            Some(steps) => steps,
            None => a_second_of_steps(engine, interrupt)?,
        };
        let mut fastest: Option<Measured> = None;
        for _ in 0..repeat {
            engine.reset_stage_times();
            let begin = Instant::now();
            advance(engine, steps, interrupt)?;
            let each = 1e9 / (steps as f64 * bodies as f64);
            let ns_per_body = begin.elapsed().as_secs_f64() * each;
            if interrupt.requested() {
                return Ok(None);
            }
            if fastest.as_ref().is_none_or(|fastest| ns_per_body < fastest.ns_per_body) {
                let times = engine.stage_times();
                fastest = Some(Measured {
                    scene: short_name(self.name),
                    bodies,
                    spheres,
                    contacts: engine.contact_count(),
                    on: On::Threads(threads),
                    ns_per_body,
                    times_one_thread: None,
                    limit: None,
                    stages: Some(times.stages().map(|(_, time)| time.as_secs_f64() * each)),
                    steps_per_build: steps as f64 / times.builds.max(1) as f64,
                    memory: Memory::default(),
                });
            }
        }
        Ok(fastest)
    }

    pub(super) fn told<T>(&self, result: Result<T, tumble_dem::Error>) -> Result<T, Failure> {
        result.map_err(|error| Failure::Failed(format!("{}: {error}", self.name)))
    }
}

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// As `Engine::advance`, unless interrupted.
pub(super) fn advance(
    engine: &mut Engine,
    steps: u64,
    interrupt: &Interrupt,
) -> Result<(), tumble_dem::Error> {
    let mut left = steps;
    while left > 0 && !interrupt.requested() {
        let now = left.min(AT_ONCE);
        engine.advance(now)?;
        left -= now;
    }
    Ok(())
}

/// How many steps take about a second: enough to average over a few builds of the neighbour lists.
pub(super) fn a_second_of_steps(
    engine: &mut Engine,
    interrupt: &Interrupt,
) -> Result<u64, tumble_dem::Error> {
    let begin = Instant::now();
    advance(engine, AT_ONCE, interrupt)?;
    let each = begin.elapsed().as_secs_f64() / AT_ONCE as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of steps")]
    Ok((1.0 / each).clamp(100.0, 1e6) as u64)
}

fn short_name(scene: &str) -> String {
    Path::new(scene).file_name().map_or(scene.into(), |name| name.to_string_lossy().into_owned())
}
