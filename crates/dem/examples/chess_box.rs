//! Thirty-two chess pieces in a closed box: how well rotation schemes hold the energy (del Valle et al. 2024,
//! fig. 7). `tumble reproduce spiral/fig7` runs it with findings; here its settings can be changed.
//!
//! ```text
//! cargo run --release -p tumble-dem --example chess_box -- [file.csv] [dt=4.85088067e-6,…] [seeds=12] \
//!     [first=1] [schemes=spiral-leapfrog,…] [duration=1.5] [pieces=folder]
//! ```
//! Each line is the mean over time, then over seeds, of |E(t) − E(0)|/E(0) in percent. `pieces` names a
//! folder of clumps `king.csv` … `pawn.csv` (x, y, z, r) of any size, standing along z, to use for the
//! built-in ones.

mod options;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use tumble_dem::clump::{ClumpSphere, ClumpTemplate, MassModel, read_clump};
use tumble_dem::scenes::{self, CHESS_SET, Scene};
use tumble_dem::{LabVec, SchemeKind};

/// Samples of the energy in a run: about every millisecond.
const SAMPLES: u32 = 1500;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let pieces = options.pieces.as_deref().map(read_pieces).transpose()?;
    let mut csv = String::from("scheme,dt,seeds,mean_percent,standard_deviation,seconds_per_run\n");
    let mut out = std::io::stdout();
    writeln!(out, "scheme              dt (s)     mean (%)   std (%)    seeds  s/run")?;
    for &dt in &options.steps {
        for &scheme in &options.schemes {
            let begin = std::time::Instant::now();
            let mut deviations = Vec::new();
            for seed in (options.first..).take(options.seeds) {
                let scene = match &pieces {
                    Some(pieces) => scenes::chess_box_of(pieces.clone(), seed)?,
                    None => scenes::chess_box(seed)?,
                };
                deviations.push(deviation(&scene, scheme, dt, options.duration)?);
            }
            let seeds = deviations.len();
            let mean = deviations.iter().sum::<f64>() / seeds as f64;
            let squares = deviations.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>();
            let spread = (squares / (seeds as f64 - 1.0)).sqrt();
            let seconds = begin.elapsed().as_secs_f64() / seeds as f64;
            writeln!(
                out,
                "{:18}  {dt:.3e}  {mean:.3e}  {spread:.1e}  {seeds:5}  {seconds:.1}",
                scheme.name()
            )?;
            writeln!(csv, "{},{dt:e},{seeds},{mean:e},{spread:e},{seconds:.2}", scheme.name())?;
        }
    }
    if let Some(path) = options.csv {
        std::fs::write(path, csv)?;
    }
    Ok(())
}

fn deviation(scene: &Scene, scheme: SchemeKind, dt: f64, duration: f64) -> Result<f64, Box<dyn Error>> {
    let history = scene.energy_history(scheme, dt, duration, SAMPLES)?;
    match history.stopped {
        Some(error) => Err(error.into()),
        None => Ok(history.mean_percent()),
    }
}

/// The clumps of a folder, scaled to the heights of the set.
fn read_pieces(folder: &Path) -> Result<[ClumpTemplate; 6], Box<dyn Error>> {
    let mut pieces = Vec::new();
    for (name, _, height) in CHESS_SET {
        let path = folder.join(name).with_extension("csv");
        let spheres = read_clump(&path)?;
        let low = spheres.iter().map(|s| s.centre.z - s.radius).fold(f64::INFINITY, f64::min);
        let high = spheres.iter().map(|s| s.centre.z + s.radius).fold(f64::NEG_INFINITY, f64::max);
        let scale = height / (high - low);
        let scaled = |s: &ClumpSphere| ClumpSphere {
            centre: LabVec::new(s.centre.x, s.centre.y, s.centre.z - low) * scale,
            radius: s.radius * scale,
        };
        let spheres: Vec<_> = spheres.iter().map(scaled).collect();
        pieces.push(ClumpTemplate::new(name, &spheres, MassModel::Union)?);
    }
    pieces.try_into().map_err(|_| "a set has six kinds of pieces".into())
}

struct Options {
    csv: Option<String>,
    pieces: Option<std::path::PathBuf>,
    steps: Vec<f64>,
    seeds: usize,
    first: u64,
    duration: f64,
    schemes: Vec<SchemeKind>,
}

impl Options {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            csv: None,
            pieces: None,
            steps: vec![4.850_880_67e-6],
            seeds: 12,
            first: 1,
            duration: 1.5,
            schemes: vec![
                SchemeKind::SpiralLeapfrog,
                SchemeKind::Omelyan,
                SchemeKind::Fincham,
                SchemeKind::MagnusLeapfrog,
                SchemeKind::KickRotateKick,
                SchemeKind::Dullweber,
            ],
        };
        options.csv = options::read(arguments, |name, value| {
            match name {
                "dt" => options.steps = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
                "seeds" => options.seeds = value.parse()?,
                "first" => options.first = value.parse()?,
                "duration" => options.duration = value.parse()?,
                "pieces" => options.pieces = Some(value.into()),
                "schemes" => options.schemes = options::schemes(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }
}
