//! How much room a panel takes: its frame, and around it what its labels need.

use super::scale::{Base, Label, Scale};
use super::svg::{TEXT_SIZE, TICK_SIZE};
use super::{Mark, Panel};

/// The width of a panel with its labels, px; a column of 85 mm is 321 px.
pub(super) const CELL: f64 = 420.0;
/// The height of a frame, px.
const HEIGHT: f64 = 286.0;
/// The height of a row of bars with its neighbours, px.
const BAR: f64 = 17.0;
const RIGHT: f64 = 16.0;
/// Room for the label of the vertical axis, and between labels of ticks and the frame.
const UPRIGHT: f64 = 22.0;
pub(super) const TICK_GAP: f64 = 8.0;

/// Scales and places of a panel; the corner is that of its cell.
pub(super) struct Layout {
    pub(super) x: Scale,
    pub(super) y: Scale,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) plot: (f64, f64),
    bottom: f64,
    /// Whether names below the frame are turned, to find room.
    pub(super) turned: bool,
    /// Whether each bar can carry its value.
    pub(super) values: bool,
}

impl Layout {
    pub(super) fn new(panel: &Panel) -> Self {
        let bars = panel.series.iter().filter(|series| series.mark == Mark::Bars).count();
        let (across, upright) = (!panel.y.categories.is_empty(), !panel.x.categories.is_empty());
        let values = bars == 1 && across;
        let base = |along: bool| match (bars > 0 && along, values) {
            (true, true) => Base::ZeroWithRoom,
            (true, false) => Base::Zero,
            (false, _) => Base::Free,
        };
        let x = Scale::new(&panel.x, panel.shown().map(|point| point.0), base(across));
        let y =
            Scale::new(&panel.y, panel.shown().map(|point| point.1).chain(panel.spreads()), base(!across));
        let y = y.reversed_if_names();
        let widest = y.major.iter().map(|tick| label_width(&tick.label)).fold(0.0, f64::max);
        let named = if panel.y.label.is_empty() { 4.0 } else { UPRIGHT };
        let left = (named + widest + TICK_GAP).min(0.5 * CELL);
        let width = CELL - left - RIGHT;
        let names = x.major.iter().map(|tick| label_width(&tick.label)).fold(0.0, f64::max);
        let turned = upright && names > width * x.category() - 6.0;
        let ticks = if turned { 12.0 + 0.64 * names } else { 22.0 };
        let height = if across {
            let rows = panel.y.categories.len() * bars.max(1);
            (rows as f64 * BAR + panel.y.categories.len() as f64 * 6.0).clamp(60.0, 4.0 * HEIGHT)
        } else {
            HEIGHT
        };
        let head = if panel.title.is_empty() { 10.0 } else { 26.0 };
        Self {
            left,
            top: if y.common_exponent == 0 { head } else { head + 10.0 },
            plot: (width, height),
            bottom: ticks + if panel.x.label.is_empty() && x.common_exponent == 0 { 4.0 } else { 24.0 },
            turned,
            values,
            x,
            y,
        }
    }

    /// Of the whole cell, px.
    pub(super) fn height(&self) -> f64 {
        self.top + self.plot.1 + self.bottom
    }
}

/// A generous width of a text, px.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    0.56 * size * text.chars().count() as f64
}

/// The size at which a text fits into a length, if a little smaller is enough.
pub(super) fn fitting(text: &str, length: f64) -> f64 {
    (TEXT_SIZE * length / text_width(text, TEXT_SIZE).max(1.0)).clamp(9.5, TEXT_SIZE)
}

fn label_width(label: &Label) -> f64 {
    match label {
        Label::Plain(text) => text_width(text, TICK_SIZE),
        Label::Power { factor, exponent } => {
            let front = factor.as_ref().map_or(0, |factor| factor.chars().count() + 1) + 2;
            text_width(&"0".repeat(front), TICK_SIZE) + text_width(&exponent.to_string(), 9.5)
        }
    }
}
