//! A chess set in a box: the runs behind SPIRAL's fig. 7 and the cost of an energy error.

use super::kept::{Job, Rows};
use super::{Bench, Error};
use std::time::Instant;
use tumble_dem::scenes::{self, EnergySample};
use tumble_rotation::SchemeKind;

/// The scene, for those who want to run it themselves.
pub(super) const SCENE: &str = include_str!("../../../../scenes/chess.toml");
/// The published time span, s.
pub(super) const DURATION: f64 = 1.5;
/// Instants at which the energy is looked at.
const SAMPLES: u32 = 1500;
/// Starts of the published means.
pub(super) const PUBLISHED_STARTS: u64 = 50;
/// Starts of a quick run.
pub(super) const QUICK_STARTS: u64 = 3;

/// Three schemes of the paper, and three that are not in it.
pub(super) const SCHEMES: [SchemeKind; 6] = [
    SchemeKind::Fincham,
    SchemeKind::Omelyan,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::Dullweber,
];

/// All starts at one time step with one scheme.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) scheme: SchemeKind,
    /// s
    pub(super) dt: f64,
    /// The mean over time of |E(t) − E(0)|/E(0) in percent, for each start.
    pub(super) percents: Vec<f64>,
    /// Real time of a run, s: the shortest, since other work only ever adds.
    pub(super) seconds: f64,
}

impl Point {
    /// The mean over starts, in percent.
    pub(super) fn mean(&self) -> f64 {
        self.percents.iter().sum::<f64>() / self.percents.len() as f64
    }

    /// The standard deviation between starts, in percent.
    pub(super) fn spread(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.percents.iter().map(|percent| (percent - mean).powi(2)).sum();
        (squares / (self.percents.len() as f64 - 1.0)).sqrt()
    }

    /// Steps of a run.
    pub(super) fn steps(&self) -> f64 {
        DURATION / self.dt
    }
}

/// The energy deviations of every scheme at every time step, the longest first.
pub(super) fn points(bench: &Bench<'_>, published_steps: &[f64]) -> Result<Vec<Point>, Error> {
    let mut steps: Vec<f64> =
        published_steps.iter().copied().filter(|&dt| dt >= bench.choose(4e-6, 0.0)).collect();
    steps.sort_by(|a, b| b.total_cmp(a));
    let starts = bench.choose(QUICK_STARTS, PUBLISHED_STARTS);
    // Start by start, so that what is interrupted covers all time steps; schemes take turns, so that all have
    // the same share of whatever else the machine does.
    let at = |seed, dt| SCHEMES.map(|scheme| Run { scheme, dt, seed });
    let runs: Vec<Run> =
        (1..=starts).flat_map(|seed| steps.iter().flat_map(move |&dt| at(seed, dt))).collect();
    let rows = bench.runs(&runs, Run::job, |run| run.run(bench))?;
    let of = |scheme: SchemeKind, dt: f64| {
        let own =
            runs.iter().zip(&rows).filter(|(run, _)| run.scheme == scheme && run.dt.total_cmp(&dt).is_eq());
        let (percents, seconds): (Vec<f64>, Vec<f64>) = own.map(|(_, rows)| (rows[0][0], rows[0][1])).unzip();
        Point { scheme, dt, percents, seconds: seconds.into_iter().fold(f64::INFINITY, f64::min) }
    };
    Ok(SCHEMES
        .iter()
        .flat_map(|&scheme| steps.iter().map(move |&dt| (scheme, dt)))
        .map(|(s, dt)| of(s, dt))
        .collect())
}

/// One start with one scheme at one time step.
#[derive(Clone, Copy, Debug)]
struct Run {
    scheme: SchemeKind,
    dt: f64,
    seed: u64,
}

impl Run {
    fn job(&self) -> Job {
        let Self { scheme, dt, seed } = self;
        let scheme = scheme.name();
        let inputs =
            format!("chess-box scheme={scheme} dt={dt:e} seed={seed} duration={DURATION} samples={SAMPLES}");
        Job::new(inputs, "mean_percent,seconds", 1.0 / dt)
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Rows, Error> {
        let scene = scenes::chess_box(self.seed)?;
        let begin = Instant::now();
        let (mut first, mut sum, mut count) = (None, 0.0, 0.0);
        let stopped = scene.run(self.scheme, self.dt, DURATION, SAMPLES, |engine| {
            let energy = EnergySample::of(engine).energy;
            let start = *first.get_or_insert(energy);
            sum += (energy / start - 1.0).abs();
            count += 1.0;
            bench.goes_on()
        })?;
        if !bench.goes_on() {
            return Err(Error::Interrupted);
        }
        // A run that cannot go on has lost its energy; the first sample is no deviation.
        let mean = if stopped.is_some() { f64::INFINITY } else { 100.0 * sum / (count - 1.0) };
        Ok(vec![vec![mean, begin.elapsed().as_secs_f64()]])
    }
}
