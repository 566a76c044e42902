//! Coarse-grained fields: what many bodies are together, at every cell of a grid.
//!
//! Mass, momentum and forces of bodies are smeared out by a smoothing function, so that the fields that come of it obey the
//! balances of mass and momentum at every point (Goldhirsch 2010), near walls as well (Weinhart et al. 2012). The sums are in
//! `quantity`, the smoothing function is in `kernel`, and what a cell gets of a body and of the line between two is in `grid`.
//!
//! Bodies and contacts are summed up in an order that depends on the state alone, so fields have the same bits on any number of threads,
//! and [`to_bytes`](CoarseFields::to_bytes) has all that is needed to go on in the middle of a window.

mod grid;
mod kernel;
mod quantity;

pub use grid::Grid;
pub use quantity::{Parts, QUANTITIES, Quantity};

use crate::bytes::{Input, put_count, put_number};
use crate::{Mismatch, View};
use grid::Shares;
use quantity::{BODIES, CONTACTS, COUPLES, STRESS, WALLS, WIDTH, of_body, of_contact, of_side, of_wall};
use tumble_dem::{LabVec, Solver, Touching};

/// Fields as they were asked for. Intervals are in steps.
#[derive(Clone, Debug, PartialEq)]
pub struct CoarseSpec {
    /// What they are called: files are named after it.
    pub name: String,
    /// Where.
    pub grid: Grid,
    /// Steps between two samples.
    pub every: u64,
    /// Steps over which samples are averaged, a multiple of `every`; each sample is shown if none.
    pub window: Option<u64>,
}

impl CoarseSpec {
    /// Steps from one frame to the next.
    fn interval(&self) -> u64 {
        self.window.unwrap_or(self.every).max(1)
    }
}

/// All fields on a grid: at an instant, or the mean over a window that ended then.
#[derive(Clone, Debug, PartialEq)]
pub struct CoarseFrame {
    /// Steps since the start.
    pub step: u64,
    /// s
    pub time: f64,
    /// The mean sums of all cells.
    means: Vec<f64>,
}

impl CoarseFrame {
    /// A field: the components of all cells, in the order of [`Grid::place`]; NaN where there is nothing that it could be of.
    pub fn values(&self, quantity: &Quantity) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.means.len() / WIDTH * quantity.parts.names().len());
        self.means.chunks_exact(WIDTH).for_each(|cell| quantity.put(cell, &mut values));
        values
    }

    /// The components of all fields in a cell, in the order of [`QUANTITIES`].
    pub fn cell(&self, place: usize) -> Vec<f64> {
        let mut values = Vec::new();
        let sums = &self.means[place * WIDTH..(place + 1) * WIDTH];
        for quantity in QUANTITIES {
            quantity.put(sums, &mut values);
        }
        values
    }
}

/// The coarse-grained fields of a run.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::material::{Material, PairProperties};
/// use tumble_dem::{Body, Engine, LabVec, Settings, World};
/// use tumble_measure::coarse::{CoarseFields, CoarseSpec, Grid, Quantity};
///
/// let mut world = World::default();
/// world.materials.add(Material::new("glass", 2500.0, 48e9, 0.2))?;
/// world.materials.set_default(PairProperties::new(0.9, 0.3));
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
/// world.add_body(Body::at(ball, LabVec::new(0.51, 0.47, 0.5)));
/// let engine = Engine::new(world, Settings::new(1e-3))?;
///
/// let grid = Grid::new(LabVec::zero(), LabVec::new(1.0, 1.0, 1.0), [20, 20, 20], 2);
/// let spec = CoarseSpec { name: "density".into(), grid, every: 1, window: None };
/// let mut fields = CoarseFields::new(&[spec]);
/// fields.sample(&engine);
/// let frame = fields.latest(0).ok_or("no frame")?;
/// let density = frame.values(Quantity::from_name("density").ok_or("no such field")?);
/// let mass = density.iter().sum::<f64>() * grid.cell_volume();
/// assert!((mass - engine.bodies()[0].mass).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct CoarseFields {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    spec: CoarseSpec,
    samples: u64,
    sums: Vec<f64>,
    latest: Option<CoarseFrame>,
    /// Whether the latest has not been taken yet.
    fresh: bool,
}

impl CoarseFields {
    /// Fields of which nothing has been seen yet.
    pub fn new(specs: &[CoarseSpec]) -> Self {
        let entry = |spec: &CoarseSpec| Entry {
            spec: spec.clone(),
            samples: 0,
            sums: vec![0.0; spec.grid.len() * WIDTH],
            latest: None,
            fresh: false,
        };
        Self { entries: specs.iter().map(entry).collect() }
    }

    /// Whether they are those of these specifications.
    pub fn are_of(&self, specs: &[CoarseSpec]) -> bool {
        self.specs().eq(specs)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What was asked for.
    pub fn specs(&self) -> impl Iterator<Item = &CoarseSpec> {
        self.entries.iter().map(|entry| &entry.spec)
    }

    /// The newest frame of the fields with this number.
    pub fn latest(&self, number: usize) -> Option<&CoarseFrame> {
        self.entries.get(number)?.latest.as_ref()
    }

    /// The next step at which a sample is taken; `u64::MAX` if there are none.
    pub fn next(&self, step: u64) -> u64 {
        self.specs().map(|spec| next_multiple(step, spec.every)).min().unwrap_or(u64::MAX)
    }

    /// The next step with a new frame; the one before it is forgotten then.
    pub fn next_frame(&self, step: u64) -> u64 {
        self.specs().map(|spec| next_multiple(step, spec.interval())).min().unwrap_or(u64::MAX)
    }

    /// Looks at the present instant, where it is time to.
    pub fn sample(&mut self, solver: &dyn Solver) {
        let step = solver.steps();
        let view = View::of(solver);
        for entry in self.entries.iter_mut().filter(|entry| step.is_multiple_of(entry.spec.every.max(1))) {
            // Windows begin after the first instant, so that each has as many samples as the others.
            if entry.spec.window.is_some() && step == 0 {
                continue;
            }
            entry.add(&view);
            if step.is_multiple_of(entry.spec.interval()) {
                entry.end(step, solver.time());
            }
        }
    }

    /// The numbers of the fields with a new frame, and the frames, each once.
    pub fn take_frames(&mut self) -> impl Iterator<Item = (usize, &CoarseFrame)> {
        self.entries.iter_mut().enumerate().filter_map(|(number, entry)| {
            let fresh = core::mem::take(&mut entry.fresh);
            entry.latest.as_ref().filter(|_| fresh).map(|frame| (number, frame))
        })
    }

    /// What has to be remembered, for [`restore`](Self::restore): sums in the middle of a window, newest frames.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_count(self.entries.len() as u64, &mut out);
        for Entry { samples, sums, latest, .. } in &self.entries {
            put_count(*samples, &mut out);
            put_numbers(sums, &mut out);
            put_count(u64::from(latest.is_some()), &mut out);
            if let Some(CoarseFrame { step, time, means }) = latest {
                put_count(*step, &mut out);
                put_number(*time, &mut out);
                put_numbers(means, &mut out);
            }
        }
        out
    }

    /// Goes on with what [`to_bytes`](Self::to_bytes) gave of the same fields.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Mismatch> {
        if self.entries.is_empty() {
            return Ok(());
        }
        let mut input = Input(bytes);
        self.read(&mut input).filter(|()| input.0.is_empty()).ok_or(Mismatch)
    }

    fn read(&mut self, input: &mut Input<'_>) -> Option<()> {
        (input.count()? == self.entries.len() as u64).then_some(())?;
        for entry in &mut self.entries {
            let numbers = entry.spec.grid.len() * WIDTH;
            entry.samples = input.count()?;
            entry.sums = read_numbers(input, numbers)?;
            entry.latest = if input.count()? == 0 {
                None
            } else {
                let (step, time) = (input.count()?, input.number()?);
                Some(CoarseFrame { step, time, means: read_numbers(input, numbers)? })
            };
            entry.fresh = false;
        }
        Some(())
    }
}

impl Entry {
    /// Adds the present instant to the sums.
    fn add(&mut self, now: &View<'_>) {
        let Self { spec: CoarseSpec { grid, .. }, sums, .. } = self;
        let images: Vec<LabVec<f64>> = now.scenery().domain.images().collect();
        let mut shares = Shares::default();
        for body in now.bodies() {
            let values = of_body(body, now.volume(body), now.heat_capacity(body));
            for image in &images {
                shares.at(grid, body.position + *image).spread(grid, &values, BODIES, WIDTH, sums);
            }
        }
        for contact in now.contacts() {
            for (number, side) in now.sides(contact).enumerate() {
                let at = side.body.position;
                let [force, moment, couple] =
                    [side.force, side.arm.cross(side.force), side.couple].map(|own| of_side(own, side.arm));
                let wall = matches!(side.with, Touching::Wall(_)).then(|| of_wall(side.force, side.couple));
                for image in &images {
                    let from = at + *image;
                    let along = shares.along(grid, from, side.arm);
                    along.spread(grid, &force, STRESS, WIDTH, sums);
                    along.spread(grid, &couple, COUPLES, WIDTH, sums);
                    along.spread_falling(grid, &moment, COUPLES, WIDTH, sums);
                    if number == 0 {
                        let shares = shares.at(grid, from + side.arm);
                        shares.spread(grid, &of_contact(side.normal), CONTACTS, WIDTH, sums);
                        if let Some(loads) = &wall {
                            shares.spread(grid, loads, WALLS, WIDTH, sums);
                        }
                    }
                }
            }
        }
        self.samples += 1;
    }

    /// Ends a window.
    fn end(&mut self, step: u64, time: f64) {
        let samples = core::mem::take(&mut self.samples) as f64;
        let means = self.sums.iter().map(|sum| sum / samples).collect();
        self.sums.fill(0.0);
        self.latest = Some(CoarseFrame { step, time, means });
        self.fresh = true;
    }
}

/// The first multiple after a step.
fn next_multiple(step: u64, interval: u64) -> u64 {
    let interval = interval.max(1);
    (step / interval + 1).saturating_mul(interval)
}

fn put_numbers(numbers: &[f64], out: &mut Vec<u8>) {
    out.reserve(numbers.len() * 8);
    for number in numbers {
        put_number(*number, out);
    }
}

fn read_numbers(input: &mut Input<'_>, count: usize) -> Option<Vec<f64>> {
    (count.checked_mul(8)? <= input.0.len()).then_some(())?;
    (0..count).map(|_| input.number()).collect()
}
