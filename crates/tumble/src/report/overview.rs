//! The run as a whole: how it ended, by which method, how fast, and where the time went.

use super::Energies;
use tumble_dem::StageTimes;
use tumble_output::{Ending, PairMethod, Summary};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Section, Series, Snapshot, typeset};

/// How the run ended, in a sentence.
pub(super) fn sentence(summary: &Summary) -> String {
    let state = &summary.state;
    let what = format!(
        "{} s of {} in {} steps of {} s",
        typeset(state.time_s),
        plural(state.bodies, "body", "bodies"),
        state.steps,
        typeset(summary.method.dt_s)
    );
    // Before anything else: nobody reads on to a table.
    let troubles = summary.troubles().iter().fold(String::new(), |all, trouble| all + trouble + ". ");
    troubles
        + &match &summary.ended {
            Ending::Finished => format!("{what}."),
            Ending::Interrupted => format!("Interrupted after {what}; it can be resumed."),
            Ending::Failed { reason } => format!("Failed after {what}: {reason}"),
        }
}

/// What made it, as far as it does not change with the time of day.
pub(super) fn made_by(summary: &Summary) -> Vec<(String, String)> {
    let machine = &summary.machine;
    [
        ("Tumble", summary.tumble_version.clone()),
        ("scene", summary.scene_hash.chars().take(12).collect()),
        ("machine", format!("{}, {}", machine.processor, plural(machine.cores, "core", "cores"))),
        ("system", machine.system.clone()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// The run in numbers, with a picture of its last frame.
pub(super) fn section(
    summary: Option<&Summary>,
    energies: Option<&Energies>,
    snapshot: Option<Snapshot>,
) -> Section {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    if let Some(summary) = summary {
        let (state, method, timing) = (&summary.state, &summary.method, &summary.timing);
        fact(
            "ended",
            match &summary.ended {
                Ending::Finished => "finished".into(),
                Ending::Interrupted => "interrupted".into(),
                Ending::Failed { reason } => format!("failed: {reason}"),
            },
        );
        let (pieces, contacts) = (state.pieces(), state.contacts);
        let left =
            if state.left > 0 { format!(", {} have left the scene", state.left) } else { String::new() };
        fact("bodies", format!("{} of {pieces}, {contacts} contacts at the end{left}", state.bodies));
        if let Some(bonds) = state.bonds {
            fact("bonds", bonds.sentence());
        }
        if let Some(liquid) = state.liquid {
            fact("liquid", liquid.sentence());
        }
        fact(
            "simulated",
            format!("{} s in {} steps of {} s", typeset(state.time_s), state.steps, typeset(method.dt_s)),
        );
        if let Some((last, largest)) = energies.and_then(Energies::errors) {
            let of = "of the energy turned over";
            fact("energy error", format!("{} {of} at the end, at most {}", typeset(last), typeset(largest)));
        }
        for (number, stage) in summary.stages.iter().enumerate() {
            let label = if number == 0 { "stages" } else { "" };
            let from = typeset(stage.time_s);
            let changes = match stage.changes.as_slice() {
                [] => String::new(),
                changes => format!("; it changed: {}", changes.join(", ")),
            };
            let when = match &stage.ended {
                Some(ended) => {
                    format!("{}, from {from} to {} s: {}", stage.name, typeset(ended.time_s), ended.why)
                }
                None => format!("{}, from {from} s on", stage.name),
            };
            fact(label, when + &changes);
        }
        fact("rotation", method.rotation.clone());
        fact("precision", method.precision.clone());
        fact("contact law", model(&method.law, &method.rolling, &method.twisting));
        for PairMethod { between: [a, b], law, rolling, twisting } in &method.pairs {
            fact("", format!("between {a} and {b}: {}", model(law, rolling, twisting)));
        }
        let threads = plural(method.threads, "thread", "threads");
        let processor = format!("{threads}, {} instructions", method.instruction_set);
        fact(
            "computed on",
            match &method.device {
                Some(card) => format!("{card}; what is left to the processor: {processor}"),
                None => processor,
            },
        );
        if let Some(ranks) = &method.ranks {
            let (ghosts, bodies): (usize, usize) = (ranks.ghosts.iter().sum(), ranks.bodies.iter().sum());
            fact(
                "ranks",
                format!(
                    "{}, with {ghosts} ghosts of {bodies} bodies and {:.1} % of contacts evaluated twice at the end; {} bytes in \
                     {} messages a step from each; {:.0} % of the time spent waiting",
                    ranks.count,
                    100.0 * ranks.doubled,
                    typeset(ranks.bytes_per_step),
                    typeset(ranks.messages_per_step),
                    100.0 * ranks.waited,
                ),
            );
        }
        let speed = typeset(timing.steps_per_second);
        fact(
            "took",
            format!("{} s, {speed} steps/s, {} neighbour lists", typeset(timing.wall_s), timing.builds),
        );
    }
    Section { title: "The run".into(), facts, snapshot, ..Section::default() }
}

/// A contact model in words: its law, and the resistances it has.
fn model(law: &str, rolling: &str, twisting: &str) -> String {
    let resistances = [rolling, twisting].into_iter().filter(|name| *name != "none");
    [law].into_iter().chain(resistances).collect::<Vec<_>>().join(", ")
}

/// Where the time went; none if no step was done.
pub(super) fn stages(summary: &Summary) -> Option<Section> {
    let timing = &summary.timing;
    let known = StageTimes::default().stages().map(|(name, _)| (name, name.replace(' ', "_")));
    let mut stages: Vec<(&str, f64)> = Vec::new();
    for (name, key) in &known {
        stages.extend(timing.stages_s.get(key).map(|&seconds| (*name, seconds)));
    }
    let steps: f64 = stages.iter().map(|(_, seconds)| seconds).sum();
    let rest = timing.wall_s - steps;
    // With several threads, some stages count what they did at once.
    if summary.method.threads == 1 && rest > 0.0 {
        stages.push(("outputs and the rest", rest));
    }
    if stages.iter().all(|(_, seconds)| *seconds <= 0.0) {
        return None;
    }
    let longest = stages.iter().map(|(_, seconds)| *seconds).fold(0.0, f64::max);
    let (unit, label) = if longest < 1.0 { (1e3, "time (ms)") } else { (1.0, "time (s)") };
    let bars = stages.iter().enumerate().map(|(place, (_, seconds))| (unit * seconds, place as f64));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear(label),
        y: Axis::categories("", stages.iter().map(|(name, _)| *name)),
        series: vec![Series::new("time", bars.collect(), Mark::Bars)],
    };
    let note = "Where the time went. What several threads did at once counts for each in two of the stages.";
    let title = if summary.method.threads == 1 { "Where the time went." } else { note };
    let figure = Figure { title: title.into(), panels: vec![panel] };
    Some(Section {
        title: "Time".into(),
        outcome: Outcome { figures: vec![("stages".into(), figure)], ..Outcome::default() },
        ..Section::default()
    })
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
