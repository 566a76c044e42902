//! The legend: every curve once, outside the panels, so that it never covers data.
//!
//! Published points look like the curve they are compared with, but open, so one entry stands for all of them. Guides
//! carry their names themselves.

use super::style::Style;
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
    pub(super) mark: Mark,
    /// As said of a point.
    pub(super) label: String,
    pub(super) style: Style,
    /// The entry that this one goes with: its own, or that of the measured curve.
    pub(super) partner: usize,
    /// Whether published points go with it.
    pub(super) has_published: bool,
}

/// What is written after the name of a curve for its published points.
const PUBLISHED: &str = ", published";

impl Legend {
    /// Entries in the order in which curves first appear.
    pub(super) fn new(figure: &Figure) -> Self {
        let all = || figure.panels.iter().flat_map(|panel| &panel.series);
        let is_measured = |mark| matches!(mark, Mark::Line | Mark::LinePoints | Mark::Bars);
        let mut measured: Vec<&str> = Vec::new();
        for series in all().filter(|series| is_measured(series.mark)) {
            if !measured.contains(&series.label.as_str()) {
                measured.push(&series.label);
            }
        }
        let mut legend = Self { keys: Vec::new() };
        let (mut further, mut guides) = (measured.len(), 0);
        for series in all() {
            if legend.find(series).is_some() {
                continue;
            }
            let name = series.label.clone();
            let mut label = name.clone();
            let place = |name: &str| measured.iter().position(|measured| *measured == name);
            let style = match series.mark {
                Mark::Guide => {
                    guides += 1;
                    Style::of_guide(guides - 1)
                }
                Mark::Line | Mark::LinePoints | Mark::Bars => Style::of_curve(place(&name).unwrap_or(0)),
                Mark::Published => {
                    if place(&name).is_some() {
                        label.push_str(PUBLISHED);
                    }
                    Style::of_curve(compared_with(&name, &measured).unwrap_or_else(|| {
                        further += 1;
                        further - 1
                    }))
                }
            };
            let partner = legend.keys.len();
            legend.keys.push(Key { name, mark: series.mark, label, style, partner, has_published: false });
        }
        legend.find_partners();
        legend
    }

    fn find_partners(&mut self) {
        for place in 0..self.keys.len() {
            if self.keys[place].mark == Mark::Published {
                let name = partner(&self.keys[place].name);
                let found = self
                    .keys
                    .iter()
                    .position(|key| key.name == name && !matches!(key.mark, Mark::Published | Mark::Guide));
                if let Some(found) = found {
                    self.keys[place].partner = found;
                    self.keys[found].has_published = true;
                }
            }
        }
    }

    /// The entry of a series of this figure.
    pub(super) fn key(&self, series: &Series) -> &Key {
        let place = self.find(series).unwrap_or(0);
        &self.keys[place]
    }

    fn find(&self, series: &Series) -> Option<usize> {
        self.keys.iter().position(|key| key.mark == series.mark && key.name == series.label)
    }

    /// The entries that are shown, with their numbers: neither guides nor published points of a curve that has an
    /// entry already.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &Key)> {
        let is_shown = |(place, key): &(usize, &Key)| {
            !key.label.is_empty() && key.mark != Mark::Guide && key.partner == *place
        };
        self.keys.iter().enumerate().filter(is_shown)
    }

    /// Whether published points go with curves, so that it has to be said what they are.
    pub(super) fn has_published_partners(&self) -> bool {
        self.keys.iter().any(|key| key.has_published)
    }
}

/// The place of the curve whose name published points have, up to a comma: “pcdm, table 2” are like “pcdm”.
fn compared_with(name: &str, measured: &[&str]) -> Option<usize> {
    let begins =
        |curve: &str| name.strip_prefix(curve).is_some_and(|rest| rest.is_empty() || rest.starts_with(','));
    let found = measured.iter().enumerate().filter(|(_, curve)| begins(curve));
    found.max_by_key(|(_, curve)| curve.len()).map(|(place, _)| place)
}

/// The name of the curve in whose entry published points are told with.
fn partner(name: &str) -> &str {
    name.strip_suffix(PUBLISHED).unwrap_or(name)
}
