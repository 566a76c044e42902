//! The legend: every curve once, beside the panels, so that it never covers data.

use super::draw::{CURVE_WIDTH, GUIDE_WIDTH, MARKER_RADIUS};
use super::style::Style;
use super::svg::{Anchor, Svg};
use super::{Figure, Mark, Series};

/// All entries of the legend, and the style that each gives to its curves.
pub(super) struct Legend {
    keys: Vec<Key>,
}

/// One entry.
#[derive(Clone, Debug)]
pub(super) struct Key {
    /// The label of the series.
    name: String,
    mark: Mark,
    /// As written in the legend.
    pub(super) label: String,
    pub(super) style: Style,
}

const ROW: f64 = 17.0;
/// Rows move this close before a second column is begun.
const TIGHT_ROW: f64 = 13.5;
const SAMPLE: f64 = 30.0;
const GAP: f64 = 8.0;
/// A generous width of a letter of the legend's font.
const LETTER: f64 = 6.1;

impl Legend {
    /// Entries in the order in which curves first appear.
    pub(super) fn new(figure: &Figure) -> Self {
        let all = || figure.panels.iter().flat_map(|panel| &panel.series);
        let measured: Vec<&str> = {
            let mut names: Vec<&str> = Vec::new();
            for series in all().filter(|s| matches!(s.mark, Mark::Line | Mark::LinePoints)) {
                if !names.contains(&series.label.as_str()) {
                    names.push(&series.label);
                }
            }
            names
        };
        let mut legend = Self { keys: Vec::new() };
        let (mut further, mut guides) = (measured.len(), 0);
        for series in all() {
            if legend.find(series).is_some() {
                continue;
            }
            let name = series.label.clone();
            let mut label = name.clone();
            let style = match series.mark {
                Mark::Guide => {
                    guides += 1;
                    Style::of_guide(guides - 1)
                }
                Mark::Line | Mark::LinePoints => {
                    Style::of_curve(measured.iter().position(|m| *m == name).unwrap_or(0))
                }
                Mark::Published => {
                    if measured.contains(&name.as_str()) {
                        label.push_str(", published");
                    }
                    // Published values look like the measurements they are compared with.
                    let partner = measured
                        .iter()
                        .enumerate()
                        .filter(|(_, m)| name.starts_with(**m))
                        .max_by_key(|(_, m)| m.len());
                    Style::of_curve(partner.map_or_else(
                        || {
                            further += 1;
                            further - 1
                        },
                        |(index, _)| index,
                    ))
                }
            };
            legend.keys.push(Key { name, mark: series.mark, label, style });
        }
        legend
    }

    /// The entry of a series of this figure.
    pub(super) fn key(&self, series: &Series) -> &Key {
        let place = self.find(series).unwrap_or(0);
        &self.keys[place]
    }

    fn find(&self, series: &Series) -> Option<usize> {
        self.keys.iter().position(|key| key.mark == series.mark && key.name == series.label)
    }

    fn shown(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter().filter(|key| !key.label.is_empty())
    }

    /// How many rows a column has, and how far apart they are.
    fn rows(count: usize, height: f64) -> (usize, f64) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few dozen rows")]
        let most = ((height / TIGHT_ROW) as usize).max(1);
        let rows = count.div_ceil(count.div_ceil(most).max(1)).max(1);
        (rows, (height / rows as f64).clamp(TIGHT_ROW, ROW))
    }

    /// Width and height when `height` is available.
    pub(super) fn size(&self, height: f64) -> (f64, f64) {
        let keys: Vec<&Key> = self.shown().collect();
        let (rows, spacing) = Self::rows(keys.len(), height);
        (keys.chunks(rows).map(column_width).sum(), rows as f64 * spacing)
    }

    /// Draws all entries, in as many columns as they need.
    pub(super) fn draw(&self, svg: &mut Svg, (mut x, top): (f64, f64), height: f64) {
        let keys: Vec<&Key> = self.shown().collect();
        let (rows, spacing) = Self::rows(keys.len(), height);
        for column in keys.chunks(rows) {
            for (row, key) in column.iter().enumerate() {
                let y = top + (row as f64 + 0.5) * spacing;
                let sample = [(x + GAP, y), (x + GAP + SAMPLE, y)];
                match key.mark {
                    Mark::Guide => svg.curve(&sample, key.style, GUIDE_WIDTH),
                    Mark::Line | Mark::LinePoints => svg.curve(&sample, key.style, CURVE_WIDTH),
                    Mark::Published => {}
                }
                if matches!(key.mark, Mark::LinePoints | Mark::Published) {
                    let middle = (x + GAP + 0.5 * SAMPLE, y);
                    svg.marker(middle, key.style, MARKER_RADIUS, key.mark == Mark::Published);
                }
                svg.text((x + SAMPLE + 2.0 * GAP, y + 4.0), Anchor::Start, "font-size=\"11.5\"", &key.label);
            }
            x += column_width(column);
        }
    }
}

fn column_width(keys: &[&Key]) -> f64 {
    let longest = keys.iter().map(|key| key.label.chars().count()).max().unwrap_or(0);
    SAMPLE + 3.0 * GAP + longest as f64 * LETTER
}
