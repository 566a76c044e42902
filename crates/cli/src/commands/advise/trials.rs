//! Energy error against the time step, from short runs of the scene: so that a longer step is chosen knowingly.

use crate::number::readable;
use crate::signals::Interrupt;
use serde_json::{Value, json};
use tumble::dem::advice::LimitKind;
use tumble::output::csv::relative_balance_error;
use tumble::scene::Built;
use tumble::{End, Progress, Simulation, Watch};
use tumble_report::{Cell, Table};

/// Steps that are tried, as parts of what is recommended.
const PARTS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];

/// Steps of the recommended length in a trial, at most.
const STEPS: f64 = 20_000.0;

/// Looks at the books in a trial.
const LOOKS: u64 = 50;

/// One trial.
pub(super) struct Trial {
    dt: f64,
    /// What it is, beside a part of what is recommended.
    what: Option<&'static str>,
    steps: u64,
    /// The largest relative error of the books, and the most contacts there were; or why it stopped.
    result: Result<(f64, usize), String>,
}

/// Trials of a scene, each over the same simulated time.
pub(super) struct Trials {
    recommended: f64,
    time: f64,
    all: Vec<Trial>,
}

/// Runs the scene from its start with several time steps. Nothing if nothing limits its step.
pub(super) fn run(built: &Built, interrupt: &Interrupt) -> Option<Trials> {
    let recommended = built.advice.recommended();
    if !recommended.is_finite() {
        return None;
    }
    let time = (built.steps as f64 * built.settings.dt).min(STEPS * recommended);
    let custom = [LimitKind::Rayleigh, LimitKind::RayleighOfClump];
    let custom = custom
        .into_iter()
        .filter_map(|kind| built.advice.limit(kind))
        .map(tumble::dem::advice::Limit::recommended);
    let mut steps: Vec<(f64, Option<&'static str>)> = PARTS.map(|part| (part * recommended, None)).to_vec();
    steps.extend(custom.reduce(f64::min).map(|dt| (dt, Some("20 % of the Rayleigh time"))));
    steps.push((built.settings.dt, Some("as the scene says")));
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Of two that are the same, the one with a name.
    steps.dedup_by(|later, earlier| {
        let same = (later.0 / earlier.0 - 1.0).abs() < 1e-9;
        if same {
            earlier.1 = earlier.1.or(later.1);
        }
        same
    });
    let all = steps
        .into_iter()
        .filter(|_| !interrupt.requested())
        .map(|(dt, what)| trial(built, dt, what, time, interrupt));
    Some(Trials { recommended, time, all: all.collect() })
}

fn trial(built: &Built, dt: f64, what: Option<&'static str>, time: f64, interrupt: &Interrupt) -> Trial {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
    let steps = ((time / dt).ceil() as u64).max(1);
    Trial { dt, what, steps, result: measure(built, dt, steps, interrupt) }
}

/// Ends a trial when a person does not want to wait.
struct Patience<'a>(&'a Interrupt);

impl Watch for Patience<'_> {
    fn progress(&mut self, _: &Progress) {}

    fn wants_stop(&mut self) -> bool {
        self.0.requested()
    }
}

fn measure(built: &Built, dt: f64, steps: u64, interrupt: &Interrupt) -> Result<(f64, usize), String> {
    let settings = tumble::dem::Settings { dt, ..built.settings.clone() };
    let mut simulation = Simulation::new(built.world.clone(), settings, built).map_err(|e| e.to_string())?;
    let start = simulation.engine().ledger().balance();
    let (mut worst, mut contacts) = (0.0_f64, 0);
    for look in 1..=LOOKS.min(steps) {
        let to = steps * look / LOOKS.min(steps);
        match simulation.go_to(to, &mut Patience(interrupt)) {
            Ok(End::Finished) => {}
            Ok(End::Interrupted) => return Err("interrupted".into()),
            Err(error) => return Err(error.to_string()),
        }
        worst = worst.max(relative_balance_error(start, &simulation.engine().ledger()).abs());
        contacts = contacts.max(simulation.engine().contact_count());
    }
    Ok((worst, contacts))
}

impl Trials {
    pub(super) fn to_table(&self) -> Table {
        let title = format!("The first {} s with other time steps", readable(self.time));
        let mut table = Table::new(&title, &["time step, s", "of advice", "steps", "energy error", ""]);
        for trial in &self.all {
            let (error, note) = match &trial.result {
                Ok((error, _)) => {
                    (Cell::from(format!("{error:.1e}")), trial.what.unwrap_or_default().to_owned())
                }
                Err(why) => (Cell::Empty, first_line(why)),
            };
            table.rows.push(vec![
                readable(trial.dt).into(),
                format!("{:.3}", trial.dt / self.recommended).into(),
                Cell::Count(trial.steps),
                error,
                note.into(),
            ]);
        }
        table
    }

    /// What a person should know to read the table.
    pub(super) fn remark(&self) -> String {
        let touched =
            self.all.iter().any(|trial| trial.result.as_ref().is_ok_and(|(_, contacts)| *contacts > 0));
        let means = "The error is the largest change of the books, relative to the energy turned over; a run that lasts longer \
                     meets more collisions.";
        if touched {
            means.to_owned()
        } else {
            format!(
                "{means}\nNothing touched in that time, so this says little: try a scene with bodies that do."
            )
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let trial = |trial: &Trial| {
            json!({
                "dt_s": trial.dt,
                "of_recommended": trial.dt / self.recommended,
                "what": trial.what,
                "steps": trial.steps,
                "energy_error": trial.result.as_ref().ok().map(|(error, _)| error),
                "contacts": trial.result.as_ref().ok().map(|(_, contacts)| contacts),
                "stopped": trial.result.as_ref().err(),
            })
        };
        json!({ "time_s": self.time, "trials": self.all.iter().map(trial).collect::<Vec<_>>() })
    }
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    if short.len() < line.len() { format!("stopped: {short}…") } else { format!("stopped: {short}") }
}
