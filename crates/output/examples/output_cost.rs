//! What output costs: rods in a box, with and without files every 1000 steps.
//!
//! `cargo run --release -p tumble-output --example output_cost -- FOLDER [RODS] [STEPS] [THREADS]`
//!
//! Stretches of 1000 steps with a frame and without take turns in one run, so that both see the same machine
//! and the same scene. Prints by how much frames slow the run, how long handing one over takes, how long the
//! other thread writes it, and how long a checkpoint takes; medians.

#![allow(clippy::disallowed_methods, reason = "a drawing or a measurement: no result depends on it")]

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use tumble_dem::clump::{ClumpTemplate, MassModel, shapes};
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::placement::random_cloud;
use tumble_dem::random::Random;
use tumble_dem::wall::{Enclosure, Motion, Wall};
use tumble_dem::{Engine, LabVec, MaterialId, Settings, World};
use tumble_output::trajectory::TrajectoryWriter;
use tumble_output::vtk::{Piece, VtkWriter};
use tumble_output::{Background, Checkpoint, Checkpoints, Frame, FrameSink, Model, Receivers};

/// Steps from frame to frame.
const EVERY: u64 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: usize| arguments.get(place).map_or(Ok(default), |text| text.parse());
    let folder = Path::new(arguments.first().ok_or("which folder?")?);
    let (rods, steps, threads) = (number(1, 10_000)?, number(2, 12_000)?, number(3, 1)?);
    let world = world(rods)?;
    let contact = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    let model = Model::of(&world, "rods");
    let mut engine = Engine::new(world, Settings { contact, threads, ..Settings::new(38e-6) })?;
    engine.advance(500)?;

    std::fs::create_dir_all(folder)?;
    let sinks: Vec<Box<dyn FrameSink>> = vec![
        Box::new(Timed::new(VtkWriter::create(folder.join("vtk"), model.clone(), &Piece::ALL)?)),
        Box::new(Timed::new(TrajectoryWriter::create(&folder.join("trajectory.tumble"), model, true)?)),
    ];
    let mut frames = Background::start(sinks)?;
    let mut handing_over = Vec::new();
    // Without output, with.
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..(steps as u64 / (2 * EVERY)).max(1) {
        for (with_output, times) in [false, true].into_iter().zip(&mut times) {
            frames.flush()?;
            let begin = Instant::now();
            if with_output {
                let mut frame: Frame = frames.spare_frame();
                frame.take(&engine, true);
                frames.submit(frame, Receivers::ALL)?;
                handing_over.push(begin.elapsed());
            }
            engine.advance(EVERY)?;
            times.push(begin.elapsed());
        }
    }
    frames.finish()?;
    let begin = Instant::now();
    let path = Checkpoints::new(folder.join("checkpoints"), 2)?.write(&Checkpoint::of(&engine, "none"))?;
    let checkpoint = begin.elapsed();

    let [without, with] = times.map(|times| median(times).as_secs_f64());
    let mut out = std::io::stdout().lock();
    writeln!(out, "{rods} rods, {} contacts, {threads} threads", engine.contact_count())?;
    let percent = (with / without - 1.0) * 100.0;
    writeln!(out, "1000 steps: {without:.3} s without output, {with:.3} s with a frame: {percent:+.2} %")?;
    writeln!(out, "handing over a frame: {:?}", median(handing_over))?;
    writeln!(out, "checkpoint: {checkpoint:?}, {} bytes", std::fs::metadata(path)?.len())?;
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A sink that tells at the end how long it took.
struct Timed<S> {
    sink: S,
    times: Vec<Duration>,
}

impl<S> Timed<S> {
    fn new(sink: S) -> Self {
        Self { sink, times: Vec::new() }
    }
}

impl<S: FrameSink> FrameSink for Timed<S> {
    fn write(&mut self, frame: &Frame) -> Result<(), tumble_output::Error> {
        let begin = Instant::now();
        let written = self.sink.write(frame);
        self.times.push(begin.elapsed());
        written
    }

    fn sync(&mut self) -> Result<(), tumble_output::Error> {
        self.sink.sync()
    }
}

impl<S> Drop for Timed<S> {
    fn drop(&mut self) {
        let name = std::any::type_name::<S>();
        let _ = writeln!(
            std::io::stdout(),
            "writing a frame, {name}: {:?}",
            median(std::mem::take(&mut self.times))
        );
    }
}

/// Elastic rods of three touching spheres in a cube, 15 % of which they fill.
fn world(count: usize) -> Result<World, Box<dyn Error>> {
    let radius = 0.02 * 3.0_f64.sqrt();
    let volume = 4.0 * core::f64::consts::PI * radius.powi(3);
    let length = (count as f64 * volume / 0.15).cbrt();
    let mut world = World::default();
    world.materials.add(Material::new("rod", 2500.0, 1e9, 0.1)).unwrap();
    world.materials.set_default(PairProperties::default());
    let rod = ClumpTemplate::new("rod", &shapes::rod(3, radius, 2.0 * radius), MassModel::Union)?;
    let rod = world.add_template(rod).unwrap();
    let (low, high) = (LabVec::zero(), LabVec::new(length, length, length));
    world.walls.push(Wall::new("box", Enclosure::new(low, high)?, MaterialId(0), Motion::fixed())?);
    let mut random = Random::new(13);
    world.bodies = random_cloud(&world.templates, &vec![rod; count], low, high, 1e-3, &mut random)?;
    for body in &mut world.bodies {
        body.velocity = random.direction() * 4.0;
        body.angular_velocity = random.direction() * 4.0;
    }
    Ok(world)
}
