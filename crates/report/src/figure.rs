//! Figures as data: what is plotted, apart from how it is drawn.

#![allow(clippy::disallowed_methods, reason = "for drawing alone")]

mod draw;
mod guide;
mod layout;
mod legend;
mod panel;
mod scale;
mod series;
mod style;
mod svg;

pub(crate) use draw::Pieces;

use crate::csv;
use crate::number::full;
use crate::save::{SaveError, save};
use std::path::{Path, PathBuf};

/// One or more panels side by side.
#[derive(Clone, Debug, Default)]
pub struct Figure {
    /// What the figure shows; drawn above the panels.
    pub title: String,
    /// The panels, from left to right.
    pub panels: Vec<Panel>,
}

/// Curves over common axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Drawn above the panel; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves, drawn in order.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Name and unit.
    pub label: String,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// Names of categories, which stand at 0, 1, 2 … in place of numbers; empty on an axis of numbers.
    pub categories: Vec<String>,
    /// Values with a name each, drawn as thin lines across the panel where the axis is the horizontal one.
    pub marks: Vec<(f64, String)>,
}

/// One curve.
#[derive(Clone, Debug)]
pub struct Series {
    /// The name in the legend.
    pub label: String,
    /// The points (x, y); points that cannot be drawn (NaN, or not positive on a logarithmic axis) are
    /// left out.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
    /// From where to where each y may lie, drawn as an error bar; empty, or as long as `points`.
    pub spread: Vec<(f64, f64)>,
}

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line: an exact solution or a dense time series.
    Line,
    /// A line with points: our measurements.
    LinePoints,
    /// Open points: published values.
    Published,
    /// A thin dashed line: a slope or a bound, to guide the eye.
    Guide,
    /// Bars from the axis, for [categories](Axis::categories).
    Bars,
}

impl Figure {
    /// The figure as an SVG document, the same for the same data: two panels in a row, for the width of a page.
    pub fn to_svg(&self) -> String {
        draw::document(self, 2)
    }

    /// The same with one panel below the other: everything can be read in a journal's column of 85 mm.
    pub fn to_column_svg(&self) -> String {
        draw::document(self, 1)
    }

    /// The figure in pieces, for a page that lays them out; ids begin with `prefix`.
    pub(crate) fn pieces(&self, prefix: &str) -> Pieces {
        draw::pieces(self, prefix)
    }

    /// Every point as a row `panel,series,x,y`, in full precision: `pandas.read_csv` needs no arguments. Categories go
    /// by their names; if there are error bars, columns `y_low,y_high` follow.
    pub fn to_csv(&self) -> String {
        let legend = legend::Legend::new(self);
        let spread =
            self.panels.iter().flat_map(|panel| &panel.series).any(|series| !series.spread.is_empty());
        let mut text =
            String::from(if spread { "panel,series,x,y,y_low,y_high\n" } else { "panel,series,x,y\n" });
        for (i, panel) in self.panels.iter().enumerate() {
            let name = if panel.title.is_empty() { (i + 1).to_string() } else { panel.title.clone() };
            for series in &panel.series {
                let label = &legend.key(series).label;
                for (place, &(x, y)) in series.points.iter().enumerate() {
                    let mut row = vec![name.clone(), label.clone(), panel.x.value(x), panel.y.value(y)];
                    if spread {
                        let ends = series.spread.get(place).map(|&(low, high)| [full(low), full(high)]);
                        row.extend(ends.unwrap_or_default());
                    }
                    csv::push_row(&mut text, row.iter().map(String::as_str));
                }
            }
        }
        text
    }

    /// Writes `NAME.svg` and `NAME.csv` into a folder, which is made if need be.
    pub fn save(&self, folder: &Path, name: &str) -> Result<[PathBuf; 2], SaveError> {
        let drawing = save(folder, &format!("{name}.svg"), &self.to_svg())?;
        let data = save(folder, &format!("{name}.csv"), &self.to_csv())?;
        Ok([drawing, data])
    }
}

impl Panel {
    /// What it shows, for those who cannot see it.
    fn description(&self) -> String {
        let axis = |axis: &Axis| match (axis.log, axis.label.as_str()) {
            (_, "") => "unnamed axis".to_owned(),
            (true, label) => format!("{label} (logarithmic)"),
            (false, label) => label.to_owned(),
        };
        let title = if self.title.is_empty() { String::new() } else { format!("{}: ", self.title) };
        let names: Vec<&str> = self.series.iter().map(|series| series.label.as_str()).collect();
        let curves = match names.len() {
            0 => String::new(),
            1..=8 => format!("; {}", names.join("; ")),
            count => format!("; {count} curves"),
        };
        format!("{title}{} against {}{curves}", axis(&self.y), axis(&self.x))
    }

    /// The points that axes must show. Guides follow the data and do not widen the axes, unless there is nothing
    /// else.
    fn shown(&self) -> impl Iterator<Item = (f64, f64)> {
        self.shown_series().flat_map(|series| series.points.iter().copied()).filter(|&(x, y)| {
            let on = |axis: &Axis, value: f64| value.is_finite() && (!axis.log || value > 0.0);
            on(&self.x, x) && on(&self.y, y)
        })
    }

    /// Ends of error bars.
    fn spreads(&self) -> impl Iterator<Item = f64> {
        self.shown_series().flat_map(|series| series.spread.iter().flat_map(|&(low, high)| [low, high]))
    }

    fn shown_series(&self) -> impl Iterator<Item = &Series> {
        let only_guides = self.series.iter().all(|series| series.mark == Mark::Guide);
        self.series.iter().filter(move |series| only_guides || series.mark != Mark::Guide)
    }
}

impl Axis {
    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true, categories: Vec::new(), marks: Vec::new() }
    }

    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false, categories: Vec::new(), marks: Vec::new() }
    }

    /// An axis of names, in their order: the first stands at 0, the next at 1.
    pub fn categories<N: Into<String>>(label: impl Into<String>, names: impl IntoIterator<Item = N>) -> Self {
        Self { categories: names.into_iter().map(Into::into).collect(), ..Self::linear(label) }
    }

    /// A value as files have it: the name of a category, or the number.
    fn value(&self, value: f64) -> String {
        let named =
            self.categories.iter().enumerate().find(|(place, _)| (*place as f64 - value).abs() < 1e-9);
        named.map_or_else(|| full(value), |(_, name)| name.clone())
    }
}

impl Series {
    /// A curve from its name, its points and how it is drawn.
    pub fn new(label: impl Into<String>, points: Vec<(f64, f64)>, mark: Mark) -> Self {
        Self { label: label.into(), points, mark, spread: Vec::new() }
    }

    /// With error bars: each y from `low` to `high`, in the order of the points.
    pub fn with_spread(self, spread: Vec<(f64, f64)>) -> Self {
        Self { spread, ..self }
    }
}
