//! A chess set in a box: the runs behind SPIRAL's fig. 7 and the cost of an energy error.

use super::kept::{Job, Rows, SECONDS};
use super::{Bench, Error};
use std::time::Instant;
use tumble_dem::Kicks;
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
/// Starts of a quick run, and the fewest that make a mean with a spread.
pub(super) const QUICK_STARTS: u64 = 3;
/// The shortest time step of a quick run, s.
const QUICK_SHORTEST: f64 = 4e-6;

/// Three schemes of the paper, and three that are not in it.
pub(super) const SCHEMES: [SchemeKind; 6] = [
    SchemeKind::Fincham,
    SchemeKind::Omelyan,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::Dullweber,
];

/// Runs that are summed up together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    pub(super) schemes: &'static [SchemeKind],
    pub(super) kicks: Kicks,
}

/// The engine as it is.
pub(super) const OURS: Set = Set { schemes: &SCHEMES, kicks: Kicks::Corrected };

/// The schemes of the paper with the kicks of the authors' code.
pub(super) const AS_PUBLISHED: Set = Set { schemes: SCHEMES.split_at(3).0, kicks: Kicks::Plain };

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

/// The runs, summed up.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// Every scheme at every time step, the longest first.
    pub(super) points: Vec<Point>,
    /// What of the published settings is not in them, a sentence each.
    pub(super) left_out: Vec<String>,
}

/// The energy deviations of every scheme at every time step.
///
/// Of runs that are not finished, means are over the starts that all schemes have finished at a time step, so
/// that schemes are compared on the same starts.
pub(super) fn points(bench: &Bench<'_>, set: Set, published_steps: &[f64]) -> Result<Points, Error> {
    let Set { schemes, kicks } = set;
    let shortest = bench.choose(QUICK_SHORTEST, 0.0);
    let mut steps: Vec<f64> = published_steps.iter().copied().filter(|&dt| dt >= shortest).collect();
    steps.sort_by(|a, b| b.total_cmp(a));
    let starts = bench.choose(QUICK_STARTS, PUBLISHED_STARTS);
    // Start by start, so that what is interrupted covers all time steps; schemes take turns, so that all have
    // the same share of whatever else the machine does.
    let at = |seed, dt| schemes.iter().map(move |&scheme| Run { scheme, kicks, dt, seed });
    let runs: Vec<Run> =
        (1..=starts).flat_map(|seed| steps.iter().flat_map(move |&dt| at(seed, dt))).collect();
    let rows = bench.runs_as_far(&runs, Run::job, |run| run.run(bench))?;

    let finished = rows.iter().flatten().count();
    // The schemes of one start at one time step are neighbours.
    let together = runs.chunks(schemes.len()).zip(rows.chunks(schemes.len()));
    let whole: Vec<(&Run, Vec<&Rows>)> = together
        .filter_map(|(runs, rows)| {
            Some((runs.first()?, rows.iter().map(Option::as_ref).collect::<Option<_>>()?))
        })
        .collect();
    let at = |dt: f64| whole.iter().filter(move |(run, _)| run.dt.total_cmp(&dt).is_eq());
    let (shown, lacking): (Vec<f64>, Vec<f64>) =
        steps.iter().partition(|&&dt| at(dt).count() as u64 >= QUICK_STARTS);
    if shown.is_empty() {
        return Err(Error::NotFinished { finished, total: runs.len() });
    }
    let of = |(place, &scheme): (usize, &SchemeKind), dt: f64| {
        let own = at(dt).map(|(_, rows)| (rows[place][0][0], rows[place][0][1]));
        let (percents, seconds): (Vec<f64>, Vec<f64>) = own.unzip();
        Point { scheme, dt, percents, seconds: seconds.into_iter().fold(f64::INFINITY, f64::min) }
    };
    let points = schemes.iter().enumerate().flat_map(|scheme| shown.iter().map(move |&dt| (scheme, dt)));
    let points: Vec<Point> = points.map(|(scheme, dt)| of(scheme, dt)).collect();
    let mut left_out = left_out(&points, starts, &lacking);
    if bench.is_quick() {
        left_out.push("No time steps below 4 µs; the published ones begin at 0.11 µs.".into());
    }
    Ok(Points { points, left_out })
}

/// What is missing of the published starts, and of the time steps.
fn left_out(points: &[Point], wanted: u64, lacking: &[f64]) -> Vec<String> {
    let counts = || points.iter().map(|point| point.percents.len() as u64);
    let (fewest, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
    let mut sentences = Vec::new();
    if fewest < PUBLISHED_STARTS {
        let number = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
        let not_yet = if fewest < wanted { ": the others are not finished" } else { "" };
        sentences.push(format!("{number} of {PUBLISHED_STARTS} starts{not_yet}."));
    }
    if !lacking.is_empty() {
        let steps: Vec<String> = lacking.iter().map(|dt| format!("{:.3} µs", 1e6 * dt)).collect();
        let plural = if steps.len() == 1 { "the time step" } else { "the time steps" };
        sentences.push(format!(
            "Nothing at {plural} {}: fewer than {QUICK_STARTS} starts are finished.",
            steps.join(", ")
        ));
    }
    sentences
}

/// One start with one scheme at one time step.
#[derive(Clone, Copy, Debug)]
struct Run {
    scheme: SchemeKind,
    kicks: Kicks,
    dt: f64,
    seed: u64,
}

impl Run {
    fn job(&self) -> Job {
        let Self { scheme, kicks, dt, seed } = self;
        let scheme = scheme.name();
        let mut inputs =
            format!("chess-box scheme={scheme} dt={dt:e} seed={seed} duration={DURATION} samples={SAMPLES}");
        if *kicks != Kicks::default() {
            inputs = format!("{inputs} kicks={}", kicks.name());
        }
        Job::new(inputs, format!("mean_percent,{SECONDS}"), 1.0 / dt)
    }

    fn run(&self, bench: &Bench<'_>) -> Result<Rows, Error> {
        let mut scene = scenes::chess_box(self.seed)?;
        scene.kicks = self.kicks;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::kept::{KeptRun, Origin};
    use crate::papers::{Effort, KeptRuns};

    const STEPS: [f64; 3] = [1e-6, 8e-6, 2e-6];

    /// A folder with made-up runs, which are gone with it.
    struct Made(KeptRuns);

    impl Made {
        fn new(name: &str) -> Self {
            Self(KeptRuns::new(
                std::env::temp_dir().join(format!("tumble-chess-{name}-{}", std::process::id())),
            ))
        }

        /// Runs of all schemes; the deviation of a scheme is that of the start times its place in the list.
        fn start(&self, seed: u64, dt: f64) {
            for (place, scheme) in SCHEMES.into_iter().enumerate() {
                self.one(Run { scheme, kicks: Kicks::Corrected, dt, seed }, place);
            }
        }

        fn one(&self, run: Run, place: usize) {
            let rows = vec![vec![run.seed as f64 * (place + 1) as f64, 10.0 + run.seed as f64]];
            self.0.keep(&run.job(), &KeptRun { rows, origin: Origin::default() }).unwrap();
        }

        fn points(&self) -> Result<Points, Error> {
            points(&Bench::new(Effort::Full).keeping(&self.0).finished_only(), OURS, &STEPS)
        }
    }

    impl Drop for Made {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(self.0.folder());
        }
    }

    #[test]
    fn means_are_over_the_starts_that_all_schemes_have_finished() {
        let made = Made::new("some");
        for seed in 1..=4 {
            made.start(seed, 8e-6);
        }
        for seed in [1, 2, 7] {
            made.start(seed, 2e-6);
        }
        made.start(1, 1e-6);
        made.start(2, 1e-6);
        // A start that one scheme alone has finished is nobody's.
        for dt in STEPS {
            made.one(Run { scheme: SchemeKind::Fincham, kicks: Kicks::Corrected, dt, seed: 40 }, 0);
        }
        let Points { points, left_out } = made.points().unwrap();
        assert_eq!(points.len(), 2 * SCHEMES.len(), "two starts are no mean");
        for (place, scheme) in SCHEMES.into_iter().enumerate() {
            let own: Vec<&Point> = points.iter().filter(|point| point.scheme == scheme).collect();
            let factor = (place + 1) as f64;
            let of = |starts: [f64; 3]| starts.map(|start| start * factor).to_vec();
            assert_eq!(own[0].percents, [of([1.0, 2.0, 3.0]), vec![4.0 * factor]].concat());
            assert_eq!(own[1].percents, of([1.0, 2.0, 7.0]));
            let numbers = |point: &Point| (point.dt.to_bits(), point.seconds.to_bits());
            assert_eq!(numbers(own[0]), (8e-6_f64.to_bits(), 11_f64.to_bits()), "the shortest time");
            assert_eq!(numbers(own[1]), (2e-6_f64.to_bits(), 11_f64.to_bits()));
        }
        let expected = [
            "3 to 4 of 50 starts: the others are not finished.",
            "Nothing at the time step 1.000 µs: fewer than 3 starts are finished.",
        ];
        assert_eq!(left_out, expected);
    }

    #[test]
    fn what_is_whole_is_the_same_either_way() {
        let made = Made::new("whole");
        for (seed, dt) in (1..=PUBLISHED_STARTS).flat_map(|seed| STEPS.map(|dt| (seed, dt))) {
            made.start(seed, dt);
        }
        let finished = made.points().unwrap();
        let all = points(&Bench::new(Effort::Full).keeping(&made.0), OURS, &STEPS).unwrap();
        assert!(finished.left_out.is_empty() && all.left_out.is_empty());
        assert_eq!(format!("{:?}", finished.points), format!("{:?}", all.points));
        assert!(all.points.iter().all(|point| point.percents.len() == 50));
    }

    #[test]
    fn nothing_is_made_of_too_little() {
        let made = Made::new("little");
        assert!(matches!(made.points(), Err(Error::NotFinished { finished: 0, total: 900 })));
        made.start(1, 8e-6);
        made.start(2, 8e-6);
        assert!(matches!(made.points(), Err(Error::NotFinished { finished: 12, total: 900 })));
    }
}
