//! What a run takes of the memory, where the system tells.

use super::measure::advance;
use super::scenes::{STEPS_TO_HOLD, Scene, Source};
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::signals::Interrupt;
use std::fs;
use tumble_dem::{Engine, SchemeKind, Settings, Solver as _};
use tumble_report::{Cell, Table};

/// Bytes that a run added to those of this process: now, and at most on the way. What an earlier run gave back, and the
/// allocator kept, is used again and does not count; so of several in a process the first tells most.
#[derive(Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) resident: Option<u64>,
    pub(super) peak: Option<u64>,
}

impl Memory {
    /// The process as it is now; from here on the peak counts.
    pub(super) fn begin() -> Self {
        // Where the system cannot forget the peak so far, there is no peak to tell.
        let forgotten = forget_peak();
        let resident = bytes("VmRSS:");
        Self { resident, peak: resident.filter(|_| forgotten) }
    }

    /// What has come on top since then.
    pub(super) fn end(self) -> Self {
        let more = |now: Option<u64>, before: Option<u64>| Some(now?.saturating_sub(before?));
        Self { resident: more(bytes("VmRSS:"), self.resident), peak: more(bytes("VmHWM:"), self.peak) }
    }

    /// The same, and from here on the peak counts anew.
    fn so_far(self) -> Self {
        let now = self.end();
        forget_peak();
        now
    }
}

/// Has the system forget how much this process had at most, if it can.
fn forget_peak() -> bool {
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// A line of what Linux tells of this process.
fn bytes(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Steps that are looked at: lists are built some times, bodies put in order, and a state kept to go back to.
const STEPS: u64 = 2100;

/// What the stages of a run take of the memory.
pub(super) struct Stages<'a> {
    pub(super) steps: Option<u64>,
    pub(super) threads: &'a [usize],
    pub(super) scheme: SchemeKind,
    pub(super) format: Format,
    pub(super) interrupt: &'a Interrupt,
}

/// Columns of the table: bytes per sphere, but for the last.
const COLUMNS: [&str; 10] = [
    "scene",
    "threads",
    "bodies",
    "spheres",
    "contacts",
    "start_at_most",
    "run_in_the_end",
    "run_at_most",
    "save_at_most",
    "gigabytes_at_most",
];

impl Stages<'_> {
    pub(super) fn run(&self, scenes: &[Source]) -> Result<(), Failure> {
        let mut table = Table::new("", &COLUMNS);
        for source in scenes {
            let failed = |error: tumble_dem::Error| Failure::Failed(format!("{}: {error}", source.name));
            for &threads in self.threads {
                let scene =
                    source.make().map_err(|error| Failure::BadInput(format!("{}: {error}", source.name)))?;
                let row = self.of(&source.name, scene, threads).map_err(failed)?;
                if self.interrupt.requested() {
                    return Err(Failure::Interrupted("nothing was measured to its end".into()));
                }
                table.rows.push(row);
            }
        }
        output::print(&output::table(&table, self.format))
    }

    fn of(&self, name: &str, mut scene: Scene, threads: usize) -> Result<Vec<Cell>, tumble_dem::Error> {
        let settings = Settings {
            contact: scene.contact,
            threads,
            rotation: self.scheme.into(),
            ..Settings::new(scene.dt)
        };
        let mut rest = scene.preparation;
        if scene.copies != [1, 1] {
            let mut bed = Engine::new(scene.world.clone(), settings.clone())?;
            advance(&mut bed, rest, self.interrupt)?;
            rest = STEPS_TO_HOLD;
            if let Some(world) = scene.side_by_side(&bed) {
                scene.world = world;
            }
        }
        let before = Memory::begin();
        let mut engine = Engine::new(scene.world, settings)?;
        let start = before.so_far();
        advance(&mut engine, rest + self.steps.unwrap_or(STEPS), self.interrupt)?;
        let run = before.so_far();
        let saved = engine.save_bytes().len();
        debug_assert!(saved > 0);
        let save = before.so_far();
        let (spheres, most) = (engine.sphere_count(), [start, run, save].map(|stage| stage.peak));
        let each = |bytes: Option<u64>| {
            bytes.map_or(Cell::Empty, |bytes| Cell::Number((bytes as f64 / spheres as f64).round()))
        };
        let all = most.into_iter().flatten().max();
        Ok(vec![
            name.into(),
            Cell::Count(threads as u64),
            Cell::Count(engine.body_count() as u64),
            Cell::Count(spheres as u64),
            Cell::Count(engine.contact_count() as u64),
            each(start.peak),
            each(run.resident),
            each(run.peak),
            each(save.peak),
            all.map_or(Cell::Empty, |bytes| Cell::Number(bytes as f64 / 1e9)),
        ])
    }
}
