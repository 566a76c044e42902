//! Draws a [`Figure`]: as a document with panels in rows and the legend below, or in pieces for a page.

use super::layout::{CELL, Layout, text_width};
use super::legend::{Key, Legend};
use super::series::{CURVE_WIDTH, MARKER_RADIUS};
use super::style::Style;
use super::svg::{Anchor, Svg, TICK_SIZE, TITLE_SIZE};
use super::{Figure, Mark, panel};

/// Above all panels, if the figure has a title.
const TITLE: f64 = 26.0;
const ROW: f64 = 19.0;
const SAMPLE: f64 = 30.0;
const GAP: f64 = 8.0;
const OPEN_POINTS: &str = "open points: published";

/// A figure in pieces.
pub(crate) struct Pieces {
    /// Each panel as an SVG element.
    pub(crate) panels: Vec<String>,
    /// Entries of the legend: the number that curves have as `data-key`, the name, a sample as an SVG element.
    pub(crate) legend: Vec<(usize, String, String)>,
    /// Whether it has to be said that open points are published.
    pub(crate) open_points: bool,
}

/// The figure as an SVG document with so many panels in a row.
pub(super) fn document(figure: &Figure, columns: usize) -> String {
    let legend = Legend::new(figure);
    let layouts: Vec<Layout> = figure.panels.iter().map(Layout::new).collect();
    let columns = columns.min(layouts.len()).max(1);
    let head = if figure.title.is_empty() { 0.0 } else { TITLE };
    let width = columns as f64 * CELL;
    let heights = layouts.chunks(columns).map(|row| row.iter().map(Layout::height).fold(0.0, f64::max));
    let heights: Vec<f64> = heights.collect();
    let below = head + heights.iter().sum::<f64>();
    let entries = entries(&legend);
    let mut svg = Svg::document((width, below + legend_height(&entries, width)), &figure.title);
    if !figure.title.is_empty() {
        let wanted = text_width(&figure.title, 1.05 * TITLE_SIZE);
        let size = (TITLE_SIZE * (width - 2.0 * GAP) / wanted).clamp(9.0, TITLE_SIZE);
        let attributes = format!("font-size=\"{size:.1}\" font-weight=\"bold\"");
        svg.text((GAP, 19.0), Anchor::Start, &attributes, &figure.title);
    }
    let mut top = head;
    for (row, (panels, layouts)) in figure.panels.chunks(columns).zip(layouts.chunks(columns)).enumerate() {
        for (column, (panel, layout)) in panels.iter().zip(layouts).enumerate() {
            let corner = (column as f64 * CELL, top);
            panel::draw(&mut svg, row * columns + column, panel, layout, corner, &legend);
        }
        top += heights[row];
    }
    draw_legend(&mut svg, &entries, below, width);
    svg.finish()
}

/// The figure in pieces; ids begin with `prefix`.
pub(super) fn pieces(figure: &Figure, prefix: &str) -> Pieces {
    let legend = Legend::new(figure);
    let panels = figure.panels.iter().enumerate().map(|(place, panel)| {
        let layout = Layout::new(panel);
        let mut svg = Svg::inline((CELL, layout.height()), prefix, &panel.description());
        panel::draw(&mut svg, place, panel, &layout, (0.0, 0.0), &legend);
        svg.finish()
    });
    let entry = |(number, key): (usize, &Key)| {
        let mut svg = Svg::sample((SAMPLE, 14.0));
        draw_sample(&mut svg, (0.0, 7.0), number, key);
        (number, key.label.clone(), svg.finish())
    };
    Pieces {
        panels: panels.collect(),
        legend: legend.shown().map(entry).collect(),
        open_points: legend.has_published_partners(),
    }
}

/// What the legend says: entries, and a remark on open points.
fn entries(legend: &Legend) -> Vec<(Option<(usize, &Key)>, &str)> {
    let mut entries: Vec<_> =
        legend.shown().map(|(number, key)| (Some((number, key)), key.label.as_str())).collect();
    if legend.has_published_partners() {
        entries.push((None, OPEN_POINTS));
    }
    entries
}

/// Columns and rows of a legend of this width.
fn grid(entries: &[(Option<(usize, &Key)>, &str)], width: f64) -> (f64, usize) {
    let longest = entries.iter().map(|(_, label)| text_width(label, TICK_SIZE)).fold(0.0, f64::max);
    let column = SAMPLE + 3.0 * GAP + longest;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
    let columns = ((width / column) as usize).clamp(1, 6);
    let rows = entries.len().div_ceil(columns);
    (width / entries.len().div_ceil(rows.max(1)).max(1) as f64, rows)
}

fn legend_height(entries: &[(Option<(usize, &Key)>, &str)], width: f64) -> f64 {
    if entries.is_empty() { 0.0 } else { grid(entries, width).1 as f64 * ROW + GAP }
}

fn draw_legend(svg: &mut Svg, entries: &[(Option<(usize, &Key)>, &str)], top: f64, width: f64) {
    let (column, rows) = grid(entries, width);
    for (place, (key, label)) in entries.iter().enumerate() {
        let x = (place / rows) as f64 * column + GAP;
        let y = top + ((place % rows) as f64 + 0.5) * ROW;
        if let Some((number, key)) = key {
            draw_sample(svg, (x, y), *number, key);
        } else {
            let style = Style::of_guide(0);
            svg.open(&format!("color=\"{}\"", style.colour()));
            svg.markers(&[(x + 0.5 * SAMPLE, y)], style, MARKER_RADIUS, true);
            svg.close();
        }
        let size = format!("font-size=\"{TICK_SIZE}\"");
        svg.text((x + SAMPLE + GAP, y + 4.0), Anchor::Start, &size, label);
    }
}

/// What a curve looks like, from its left end.
fn draw_sample(svg: &mut Svg, (x, y): (f64, f64), number: usize, key: &Key) {
    let style = key.style;
    let (class, colour) = (style.class(), style.colour());
    svg.open(&format!("class=\"sample {class}\" data-key=\"{number}\" color=\"{colour}\""));
    let middle = (x + 0.5 * SAMPLE, y);
    match key.mark {
        Mark::Bars => svg.bars(&format!("M{:.2} {:.2}h16v10h-16z", middle.0 - 8.0, y - 5.0)),
        Mark::Line | Mark::LinePoints | Mark::Guide => {
            svg.curve(&[(x, y), (x + SAMPLE, y)], style, CURVE_WIDTH);
        }
        Mark::Published => {}
    }
    // A line without points shows which ones are compared with it.
    let open = key.mark == Mark::Published || (key.mark == Mark::Line && key.has_published);
    if open || key.mark == Mark::LinePoints {
        svg.markers(&[middle], style, MARKER_RADIUS, open);
    }
    svg.close();
}
