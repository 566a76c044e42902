//! One measurement: a scene on so many threads.

use super::scenes::{Scene, Source};
use crate::failure::Failure;
use crate::signals::Interrupt;
use std::path::Path;
use std::time::Instant;
use tumble_dem::{Engine, SchemeKind, Settings};

/// What is to be measured, and how.
pub(super) struct Measurement<'a> {
    pub(super) scene: &'a Source,
    pub(super) threads: usize,
    /// Steps before the clock starts.
    pub(super) warm: u64,
    /// Steps on the clock; about a second's worth if absent.
    pub(super) steps: Option<u64>,
    pub(super) repeat: u32,
    pub(super) scheme: SchemeKind,
}

/// What was measured, in the fastest of the repetitions.
pub(super) struct Measured {
    pub(super) scene: String,
    pub(super) bodies: usize,
    pub(super) spheres: usize,
    pub(super) contacts: usize,
    pub(super) threads: usize,
    /// Real time per step and body.
    pub(super) ns_per_body: f64,
    /// The same for the stages of the step, in their order.
    pub(super) stages: [f64; 5],
    /// How long neighbour lists last.
    pub(super) steps_per_build: f64,
    /// Where the system tells.
    pub(super) bytes_per_sphere: Option<f64>,
}

/// Steps between two looks at the interrupt.
const AT_ONCE: u64 = 50;

impl Measurement<'_> {
    /// Measures; nothing if interrupted.
    pub(super) fn run(&self, interrupt: &Interrupt) -> Result<Option<Measured>, Failure> {
        let name = &self.scene.name;
        let scene = self.scene.make().map_err(|error| Failure::BadInput(format!("{name}: {error}")))?;
        let measured = self.of(scene, interrupt);
        measured.map_err(|error| Failure::Failed(format!("{name}: {error}")))
    }

    fn of(&self, scene: Scene, interrupt: &Interrupt) -> Result<Option<Measured>, tumble_dem::Error> {
        let Scene { world, dt, contact, preparation } = scene;
        let memory_before = resident_bytes();
        let settings =
            Settings { contact, threads: self.threads, rotation: self.scheme.into(), ..Settings::new(dt) };
        let mut engine = Engine::new(world, settings)?;
        let (bodies, spheres) = (engine.body_count(), engine.sphere_count());
        advance(&mut engine, preparation + self.warm, interrupt)?;
        let steps = match self.steps {
            Some(steps) => steps,
            None => a_second_of_steps(&mut engine, interrupt)?,
        };
        let mut fastest: Option<Measured> = None;
        for _ in 0..self.repeat {
            engine.reset_stage_times();
            let begin = Instant::now();
            advance(&mut engine, steps, interrupt)?;
            let each = 1e9 / (steps as f64 * bodies as f64);
            let ns_per_body = begin.elapsed().as_secs_f64() * each;
            if interrupt.requested() {
                return Ok(None);
            }
            if fastest.as_ref().is_none_or(|fastest| ns_per_body < fastest.ns_per_body) {
                let times = engine.stage_times();
                let memory =
                    resident_bytes().zip(memory_before).map(|(now, before)| now.saturating_sub(before));
                fastest = Some(Measured {
                    scene: short_name(&self.scene.name),
                    bodies,
                    spheres,
                    contacts: engine.contact_count(),
                    threads: self.threads,
                    ns_per_body,
                    stages: times.stages().map(|(_, time)| time.as_secs_f64() * each),
                    steps_per_build: steps as f64 / times.builds.max(1) as f64,
                    bytes_per_sphere: memory.map(|bytes| bytes as f64 / spheres as f64),
                });
            }
        }
        Ok(fastest)
    }
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

/// What this process holds in memory, where the system tells.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
