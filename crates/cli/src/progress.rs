//! How far a run is: a bar on a terminal, a line every few seconds in a log, nothing when quiet.
//!
//! A run tells where it stands whenever it likes; it is shown when it is time to. Sink and clock are given, so
//! that all of it can be tested.

use crate::number::readable;
use crate::output::harmless;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};
use std::fmt;
use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

/// Where something long stands: a run, or a study of many.
pub trait Standing {
    /// The part done, 0 to 1.
    fn fraction(&self) -> f64;
    /// What stands beside the bar, most wanted first: the end is cut off in narrow terminals.
    fn beside_bar(&self) -> String;
    /// A line of a log.
    fn line(&self) -> String;
}

/// Shows how far a run is.
pub struct Progress {
    view: View,
    /// Time since any fixed instant.
    clock: Box<dyn Fn() -> Duration + Send>,
    shown: Option<Duration>,
}

enum View {
    Bar(ProgressBar),
    Lines(Box<dyn Write + Send>),
    Quiet,
}

/// The bar follows this closely.
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);
/// A log of a day has no more than this allows: some 17 000 lines.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

impl Progress {
    /// A bar if standard error is a terminal, lines if it is not, nothing if quiet.
    pub fn on_stderr(quiet: bool, unicode: bool) -> Self {
        let start = Instant::now();
        let clock = move || start.elapsed();
        if quiet {
            Self::quiet()
        } else if io::stderr().is_terminal() {
            Self::with(bar(ProgressDrawTarget::stderr(), unicode), clock)
        } else {
            Self::lines(Box::new(io::stderr()), clock)
        }
    }

    /// Shows nothing.
    pub fn quiet() -> Self {
        Self::with(View::Quiet, || Duration::ZERO)
    }

    /// A line every few seconds.
    pub fn lines(sink: Box<dyn Write + Send>, clock: impl Fn() -> Duration + Send + 'static) -> Self {
        Self::with(View::Lines(sink), clock)
    }

    /// A bar on this terminal.
    pub fn bar(
        terminal: Box<dyn TermLike>,
        unicode: bool,
        clock: impl Fn() -> Duration + Send + 'static,
    ) -> Self {
        // Frames are paced here already.
        Self::with(bar(ProgressDrawTarget::term_like_with_hz(terminal, u8::MAX), unicode), clock)
    }

    fn with(view: View, clock: impl Fn() -> Duration + Send + 'static) -> Self {
        // The first line of a log comes when the speed is known; a bar is there at once.
        let shown = matches!(view, View::Lines(_)).then(&clock);
        Self { view, clock: Box::new(clock), shown }
    }

    /// Whether an update would be shown.
    pub fn is_due(&self) -> bool {
        let interval = match self.view {
            View::Quiet => return false,
            View::Bar(_) => BETWEEN_FRAMES,
            View::Lines(_) => BETWEEN_LINES,
        };
        self.shown.is_none_or(|shown| (self.clock)().saturating_sub(shown) >= interval)
    }

    /// Shows where it stands, if it is time to.
    pub fn update(&mut self, standing: &impl Standing) {
        if self.is_due() {
            self.show(standing);
        }
    }

    /// Shows where it ended, and leaves the terminal to others.
    pub fn finish(&mut self, standing: &impl Standing) {
        self.show(standing);
        if let View::Bar(bar) = &self.view {
            bar.abandon();
        }
    }

    /// Says something in between.
    pub fn say(&mut self, text: &str) {
        let text = &*harmless(text);
        match &mut self.view {
            View::Bar(bar) => bar.println(text),
            // What cannot be shown must not stop the run.
            View::Lines(sink) => drop(writeln!(sink, "{text}")),
            View::Quiet => {}
        }
    }

    fn show(&mut self, standing: &impl Standing) {
        self.shown = Some((self.clock)());
        match &mut self.view {
            View::Bar(bar) => {
                bar.set_message(standing.beside_bar());
                bar.set_position(per_mille(standing.fraction()));
            }
            View::Lines(sink) => {
                let _ = writeln!(sink, "{}", standing.line()).and_then(|()| sink.flush());
            }
            View::Quiet => {}
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = match self.view {
            View::Bar(_) => "bar",
            View::Lines(_) => "lines",
            View::Quiet => "quiet",
        };
        f.debug_struct("Progress").field("view", &view).field("shown", &self.shown).finish_non_exhaustive()
    }
}

fn bar(target: ProgressDrawTarget, unicode: bool) -> View {
    let bar = ProgressBar::with_draw_target(Some(1000), target);
    let style = ProgressStyle::with_template("{percent:>3} % {bar:20.cyan} {wide_msg}");
    let letters = if unicode { "█▉▊▋▌▍▎▏ " } else { "#- " };
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars(letters));
    View::Bar(bar)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1000")]
fn per_mille(fraction: f64) -> u64 {
    (1000.0 * fraction.clamp(0.0, 1.0)) as u64
}

impl Standing for tumble::Progress {
    fn fraction(&self) -> f64 {
        if self.end > 0.0 { (self.time / self.end).clamp(0.0, 1.0) } else { 1.0 }
    }

    fn beside_bar(&self) -> String {
        let left = remaining(self).map_or(String::new(), |left| format!("  {} left", Clock(left)));
        format!(
            "{:.4} of {:.4} s{}{left}  {} steps/s  energy {}  {} contacts{}",
            self.time,
            self.end,
            self.stage.map_or(String::new(), |(stage, count)| format!("  stage {}/{count}", stage + 1)),
            rate(self.steps_per_second),
            signed(self.energy_error),
            self.contacts,
            if self.left > 0 { format!("  {} bodies left", self.left) } else { String::new() },
        ) + &if self.waiting > 0 { format!("  {} bodies wait for room", self.waiting) } else { String::new() }
            + &self.ranks.map_or(String::new(), |ranks| format!("  ranks wait {:.0} %", 100.0 * ranks.waited))
    }

    fn line(&self) -> String {
        let percent = 100.0 * self.fraction();
        let left = remaining(self).map_or(String::new(), |left| format!(", {} left", Clock(left)));
        format!(
            "{:.6} of {} s ({percent:.1} %), {}step {}, {} steps/s{left}, energy error {}, {} contacts, {} bodies{}",
            self.time,
            readable(self.end),
            self.stage.map_or(String::new(), |(stage, count)| format!("stage {} of {count}, ", stage + 1)),
            self.step,
            rate(self.steps_per_second),
            signed(self.energy_error),
            self.contacts,
            self.bodies,
            if self.left > 0 {
                format!(", {} of them have left the scene", self.left)
            } else {
                String::new()
            },
        ) + &if self.waiting > 0 { format!(", {} more wait for room", self.waiting) } else { String::new() }
            + &self.ranks.map_or(String::new(), |ranks| {
                let tumble::Ranks { count, ghosts, imbalance, waited } = ranks;
                let waited = 100.0 * waited;
                format!(", {count} ranks: {ghosts} ghosts, imbalance {imbalance:.2}, {waited:.0} % waiting")
            })
    }
}

/// Real time until the end of a run at its present speed, if that can be told.
fn remaining(run: &tumble::Progress) -> Option<Duration> {
    let steps = (run.end - run.time).max(0.0) / (run.time / run.step as f64);
    Duration::try_from_secs_f64(steps / run.steps_per_second).ok()
}

/// Steps per second with about three digits.
pub(crate) fn rate(steps: f64) -> String {
    match steps {
        steps if !steps.is_finite() => "?".into(),
        steps if steps >= 1e6 => format!("{:.2} M", steps / 1e6),
        steps if steps >= 1e4 => format!("{:.1} k", steps / 1e3),
        steps if steps >= 10.0 => format!("{steps:.0}"),
        steps => format!("{steps:.2}"),
    }
}

/// An error with its sign; a question mark where it is unknown.
pub(crate) fn signed(error: f64) -> String {
    if error.is_finite() { format!("{error:+.1e}") } else { "?".into() }
}

/// A duration as people say it: `12 s`, `3 min 05 s`, `2 h 07 min`, `3 d 04 h`.
pub(crate) struct Clock(pub(crate) Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounded up: a run that takes another half a second has not ended.
        let seconds = self.0.as_secs() + u64::from(self.0.subsec_nanos() > 0);
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
        match seconds {
            0..60 => write!(f, "{seconds} s"),
            60..3600 => write!(f, "{minutes} min {:02} s", seconds % 60),
            3600..86400 => write!(f, "{hours} h {:02} min", minutes % 60),
            _ => write!(f, "{days} d {:02} h", hours % 24),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_as_people_say_them() {
        let text = |seconds: f64| Clock(Duration::from_secs_f64(seconds)).to_string();
        assert_eq!(text(0.0), "0 s");
        assert_eq!(text(0.2), "1 s");
        assert_eq!(text(59.5), "1 min 00 s");
        assert_eq!(text(185.0), "3 min 05 s");
        assert_eq!(text(7620.0), "2 h 07 min");
        assert_eq!(text(273_600.0), "3 d 04 h");
    }

    #[test]
    fn rates_have_three_digits() {
        assert_eq!(
            [0.5, 99.4, 9999.0, 23_456.0, 1.234e6, f64::INFINITY].map(rate),
            ["0.50", "99", "9999", "23.5 k", "1.23 M", "?"]
        );
    }
}
