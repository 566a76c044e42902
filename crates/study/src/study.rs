//! Any set of schemes on a problem over a range of time steps.

use crate::measure::{Expected, Run, run, steps};
use crate::{NeededStep, Problem, StudyError, cost, parallel, time_step_for};
use tumble_rotation::{SchemeKind, trace};

/// What to compare.
#[derive(Clone, Debug)]
pub struct Study {
    /// The motion to integrate.
    pub problem: Problem,
    /// With which schemes.
    pub schemes: Vec<SchemeKind>,
    /// At which time steps, s.
    pub time_steps: Vec<f64>,
    /// The mean error of q and ω for which the time step needed is found.
    pub target: f64,
}

/// What came out of a study.
#[derive(Clone, Debug)]
pub struct StudyResults {
    /// What was compared.
    pub study: Study,
    /// For each scheme.
    pub schemes: Vec<SchemeResults>,
    /// Where the exact motion came from.
    pub exact_source: &'static str,
}

/// What came out for one scheme.
#[derive(Clone, Debug)]
pub struct SchemeResults {
    /// The scheme.
    pub scheme: SchemeKind,
    /// Its runs, in the order of the time steps.
    pub runs: Vec<Run>,
    /// The time step it needs for the target error.
    pub needed: NeededStep,
    /// Measured cost of a step, ns, without the torque.
    pub nanoseconds_per_step: f64,
    /// Floating-point operations of a step, without the torque.
    pub flops_per_step: usize,
}

/// The most steps of a run in the search for the target error.
const SEARCH_STEPS: f64 = 2e6;

impl Study {
    /// Runs everything: errors on all cores, then timings on one, so that they do not disturb each other.
    pub fn run(self) -> Result<StudyResults, StudyError> {
        let mut exact = self.problem.exact()?;
        let mut expected = Vec::with_capacity(self.time_steps.len());
        for &dt in &self.time_steps {
            let end = steps(&self.problem, dt)? as f64 * dt;
            expected.push(Expected { half_step_ago: exact.at(end - 0.5 * dt)?, now: exact.at(end)? });
        }

        let tasks = self.tasks();
        let done = parallel::map(&tasks, |&(scheme, task)| match task {
            Task::Run(i) => {
                run(&self.problem, self.schemes[scheme], self.time_steps[i], expected[i]).map(Done::Run)
            }
            Task::Search => {
                let bounds = self.search_bounds();
                let scheme = self.schemes[scheme];
                time_step_for(&self.problem, scheme, self.target, bounds, &mut exact.clone())
                    .map(Done::Search)
            }
        });

        let mut schemes = Vec::with_capacity(self.schemes.len());
        for &scheme in &self.schemes {
            schemes.push(SchemeResults {
                scheme,
                runs: Vec::new(),
                needed: NeededStep::Below(0.0),
                nanoseconds_per_step: cost::nanoseconds_per_step(&self.problem, scheme),
                flops_per_step: trace::flops(scheme),
            });
        }
        for (&(scheme, _), done) in tasks.iter().zip(done) {
            match done? {
                Done::Run(run) => schemes[scheme].runs.push(run),
                Done::Search(needed) => schemes[scheme].needed = needed,
            }
        }
        for results in &mut schemes {
            results.runs.sort_by(|a, b| a.dt.total_cmp(&b.dt));
        }
        Ok(StudyResults { exact_source: exact.source(), study: self, schemes })
    }

    /// Everything to be done for each scheme, the longest first, so that no core is left waiting at the end.
    fn tasks(&self) -> Vec<(usize, Task)> {
        let schemes = 0..self.schemes.len();
        let mut order: Vec<usize> = (0..self.time_steps.len()).collect();
        order.sort_by(|&a, &b| self.time_steps[a].total_cmp(&self.time_steps[b]));
        let searches = schemes.clone().map(|scheme| (scheme, Task::Search));
        let runs = order.into_iter().flat_map(|i| schemes.clone().map(move |s| (s, Task::Run(i))));
        searches.chain(runs).collect()
    }

    /// Where the time step for the target is looked for, whichever ones are tabulated.
    fn search_bounds(&self) -> (f64, f64) {
        let longest = self.time_steps.iter().copied().fold(0.25 * self.problem.duration, f64::max);
        (self.problem.duration / SEARCH_STEPS, longest)
    }
}

#[derive(Clone, Copy)]
enum Task {
    Run(usize),
    Search,
}

enum Done {
    Run(Run),
    Search(NeededStep),
}
