//! Who computes: program, compiler and machine; and what a report says about its making.

use super::Plan;
use crate::progress::Clock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tumble::output::Machine;
use tumble_study::papers::{Effort, Spent};

/// This program on this machine.
pub(super) struct Maker {
    machine: Machine,
    /// What is written into the files of runs.
    pub(super) signature: String,
}

impl Maker {
    pub(super) fn this() -> Self {
        let machine = Machine::this();
        let program = option_env!("TUMBLE_COMMIT").unwrap_or(env!("CARGO_PKG_VERSION"));
        let signature = format!("{program} on {}, {} cores", machine.processor, machine.cores);
        Self { machine, signature }
    }

    /// Names and values, in the order they are read.
    pub(super) fn facts(&self, plan: &Plan, spent: &Spent, elapsed: Duration) -> Vec<(String, String)> {
        let Machine { processor, cores, memory_bytes, system } = &self.machine;
        let memory = memory_bytes.map_or(String::new(), |bytes| format!("{} memory, ", gibibytes(bytes)));
        let mut facts = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
        facts.extend(option_env!("TUMBLE_COMMIT").map(|commit| ("commit", commit.to_owned())));
        facts.extend(option_env!("TUMBLE_COMPILER").map(|compiler| ("compiler", compiler.to_owned())));
        facts.extend([
            ("settings", if plan.effort == Effort::Full { "full" } else { "quick" }.to_owned()),
            ("command", plan.command.clone()),
            ("machine", format!("{processor}, {cores} cores, {memory}{system}")),
            ("threads", plan.threads.to_string()),
            ("computing", computing(spent)),
        ]);
        facts.extend(self.others(spent).map(|others| ("runs by", others)));
        facts.extend([("this command", Clock(elapsed).to_string()), ("date", today())]);
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Who computed the runs, if it was not this program on this machine alone.
    fn others(&self, spent: &Spent) -> Option<String> {
        let counts = spent.by();
        if counts.keys().all(|by| *by == Some(&self.signature)) {
            return None;
        }
        let one = |(by, count): (Option<&str>, usize)| format!("{}: {count}", by.unwrap_or("not recorded"));
        Some(counts.into_iter().map(one).collect::<Vec<_>>().join("; "))
    }
}

/// The time on one core, as far as it is known.
fn computing(spent: &Spent) -> String {
    let known = Clock(Duration::try_from_secs_f64(spent.recorded()).unwrap_or_default());
    let runs = spent.runs.len();
    match spent.unrecorded() {
        0 => format!("{known} on one core, runs: {runs}"),
        unrecorded => format!("{known} on one core, and {unrecorded} of {runs} runs that do not say"),
    }
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.0} GiB", bytes as f64 / 1_073_741_824.0)
}

/// The date in UTC, as `2026-01-31`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86400)
}

/// The date so many days after 1970-01-01, in the calendar in use.
fn date(days: u64) -> String {
    // From 0000-03-01 on a year ends with its leap day, and 400 years are 146 097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year_of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tumble_study::papers::Origin;

    #[test]
    fn dates_of_days() {
        let dates = [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_483, "2026-01-30")];
        for (days, text) in dates {
            assert_eq!(date(days), text);
        }
    }

    #[test]
    fn runs_of_others_are_not_taken_for_ours() {
        let maker = Maker::this();
        let run = |seconds, by: Option<&str>| Origin { seconds, by: by.map(str::to_owned) };
        let mut spent = Spent::default();
        spent.runs.insert("a".into(), run(Some(100.0), Some(&maker.signature)));
        assert_eq!(maker.others(&spent), None);
        assert_eq!(computing(&spent), "1 min 40 s on one core, runs: 1");
        spent.runs.insert("b".into(), run(Some(1.0), Some("abc on another")));
        spent.runs.insert("c".into(), run(None, None));
        let others = maker.others(&spent).unwrap();
        assert!(others.contains("abc on another: 1") && others.contains("not recorded: 1"), "{others}");
        assert_eq!(computing(&spent), "1 min 41 s on one core, and 1 of 3 runs that do not say");
    }
}
