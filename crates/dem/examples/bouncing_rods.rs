//! Thirty elastic rods in a closed box for a long time: which rotation schemes hold the energy (del Valle et
//! al. 2025, fig. 2). `tumble reproduce review/fig2` runs it with findings; here its settings can be changed.
//!
//! ```text
//! cargo run --release -p tumble-dem --example bouncing_rods -- [file.csv] [duration=100] [dt=38e-6] \
//!     [seed=1] [side=1] [schemes=spiral-leapfrog,…]
//! ```
//! Columns are schemes, lines are instants; values are (E(t) − E(0))/E(0) in percent. A run that stops
//! because spheres overlap too much, or a rod leaves the box, ends its column there.

mod options;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use tumble_dem::SchemeKind;
use tumble_dem::scenes;

/// Samples of the energy in a run.
const SAMPLES: u32 = 200;

/// Every so many of them are printed.
const PRINTED: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let scene = scenes::bouncing_rods_in(options.side, options.seed)?;
    let mut out = std::io::stdout();
    let mut columns = Vec::new();
    let mut times: Vec<f64> = Vec::new();
    for &scheme in &options.schemes {
        let history = scene.energy_history(scheme, options.dt, options.duration, SAMPLES)?;
        if let Some(error) = &history.stopped {
            writeln!(out, "{}: {error}", scheme.name())?;
        }
        if history.samples.len() > times.len() {
            times = history.samples.iter().map(|sample| sample.time).collect();
        }
        columns.push(history.percents().collect::<Vec<_>>());
    }

    let mut csv = String::from("time");
    write!(out, "{:>8}", "time (s)")?;
    for scheme in &options.schemes {
        write!(csv, ",{}", scheme.name())?;
        write!(out, "{:>18}", scheme.name())?;
    }
    csv.push('\n');
    writeln!(out)?;
    for (row, time) in times.iter().enumerate() {
        let values: Vec<Option<f64>> = columns.iter().map(|column| column.get(row).copied()).collect();
        write!(csv, "{time:.6}")?;
        for value in &values {
            csv.push(',');
            value.map_or(Ok(()), |value| write!(csv, "{value:.6e}"))?;
        }
        csv.push('\n');
        if row % PRINTED == 0 || row + 1 == times.len() {
            write!(out, "{time:8.2}")?;
            for value in values {
                match value {
                    Some(value) => write!(out, "{value:>18.5}")?,
                    None => write!(out, "{:>18}", "stopped")?,
                }
            }
            writeln!(out)?;
        }
    }
    if let Some(path) = options.csv {
        std::fs::write(path, csv)?;
    }
    Ok(())
}

struct Options {
    csv: Option<String>,
    duration: f64,
    dt: f64,
    seed: u64,
    side: f64,
    schemes: Vec<SchemeKind>,
}

impl Options {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            csv: None,
            duration: 100.0,
            dt: 38e-6,
            seed: 1,
            side: 1.0,
            schemes: vec![
                SchemeKind::SpiralLeapfrog,
                SchemeKind::Omelyan,
                SchemeKind::Fincham,
                SchemeKind::MagnusLeapfrog,
                SchemeKind::KickRotateKick,
            ],
        };
        options.csv = options::read(arguments, |name, value| {
            match name {
                "duration" => options.duration = value.parse()?,
                "dt" => options.dt = value.parse()?,
                "seed" => options.seed = value.parse()?,
                "side" => options.side = value.parse()?,
                "schemes" => options.schemes = options::schemes(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }
}
