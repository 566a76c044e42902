//! Fibres that fall and bounce in a closed box: the energy error of rotation schemes (Zhao & van Wachem 2013,
//! tests 1 and 2). `tumble reproduce pcdm/fig2 pcdm/fig3` runs it with findings; here its settings can be
//! changed.
//!
//! ```text
//! cargo run --release -p tumble-dem --example falling_fibres -- [file.csv] [fibres=1] [dt=1e-5,1e-6] \
//!     [duration=2] [schemes=pcdm,…]
//! ```
//! `fibres=1` is test 1, `fibres=9` is test 2; their time step is dt=1e-7. Values are 100 |E(t) − E(0)|/E(0),
//! eq. (65), with the potential energy counted from the floor.

mod options;

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use tumble_dem::SchemeKind;
use tumble_dem::scenes;

/// Samples of the energy in a run.
const SAMPLES: u32 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let scene = scenes::falling_fibres(options.fibres);
    let mut out = std::io::stdout();
    let mut csv = String::from("scheme,dt,time,percent\n");
    writeln!(out, "scheme              dt (s)     mean (%)   largest (%)  at the end (%)  s")?;
    for &dt in &options.steps {
        for &scheme in &options.schemes {
            let begin = std::time::Instant::now();
            let history = scene.energy_history(scheme, dt, options.duration, SAMPLES)?;
            let seconds = begin.elapsed().as_secs_f64();
            for (sample, percent) in history.samples.iter().zip(history.percents()) {
                writeln!(csv, "{},{dt:e},{:.6},{:.4e}", scheme.name(), sample.time, percent.abs())?;
            }
            let largest = history.percents().map(f64::abs).fold(0.0, f64::max);
            let (mean, last) = (history.mean_percent(), history.final_percent());
            let name = scheme.name();
            writeln!(out, "{name:18}  {dt:.3e}  {mean:.3e}  {largest:11.3e}  {last:+14.3e}  {seconds:.1}")?;
            if let Some(error) = &history.stopped {
                writeln!(out, "  {error}")?;
            }
        }
    }
    if let Some(path) = options.csv {
        std::fs::write(path, csv)?;
    }
    Ok(())
}

struct Options {
    csv: Option<String>,
    fibres: u32,
    steps: Vec<f64>,
    duration: f64,
    schemes: Vec<SchemeKind>,
}

impl Options {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, Box<dyn Error>> {
        let mut options = Self {
            csv: None,
            fibres: 1,
            steps: vec![1e-5, 1e-6],
            duration: 2.0,
            schemes: vec![
                SchemeKind::QuaternionEuler,
                SchemeKind::WaltonBraun,
                SchemeKind::ScalarFactor,
                SchemeKind::Pcdm,
                SchemeKind::ImprovedPcdm,
                SchemeKind::SpiralLeapfrog,
                SchemeKind::MagnusLeapfrog,
            ],
        };
        options.csv = options::read(arguments, |name, value| {
            match name {
                "fibres" => options.fibres = value.parse()?,
                "dt" => options.steps = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
                "duration" => options.duration = value.parse()?,
                "schemes" => options.schemes = options::schemes(value)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }
}
