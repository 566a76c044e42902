//! Figures as data: what is plotted, apart from how it is drawn.

mod draw;
mod legend;
mod scale;
mod style;
mod svg;

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
}

impl Figure {
    /// The figure as an SVG document, the same for the same data.
    pub fn to_svg(&self) -> String {
        draw::draw(self)
    }

    /// Every point as a row `panel,series,x,y`, in full precision: `pandas.read_csv` needs no arguments.
    pub fn to_csv(&self) -> String {
        let legend = legend::Legend::new(self);
        let mut text = String::from("panel,series,x,y\n");
        for (i, panel) in self.panels.iter().enumerate() {
            let name = if panel.title.is_empty() { (i + 1).to_string() } else { panel.title.clone() };
            for series in &panel.series {
                let label = &legend.key(series).label;
                for &(x, y) in &series.points {
                    csv::push_row(&mut text, [name.as_str(), label, &full(x), &full(y)]);
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

impl Axis {
    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: true }
    }

    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), log: false }
    }
}

impl Series {
    /// A curve from its name, its points and how it is drawn.
    pub fn new(label: impl Into<String>, points: Vec<(f64, f64)>, mark: Mark) -> Self {
        Self { label: label.into(), points, mark }
    }
}
