//! Draws a [`Figure`]: panels in rows, one legend for all of them on the right.

use super::legend::{Key, Legend};
use super::scale::Scale;
use super::svg::{Anchor, Svg};
use super::{Figure, Mark, Panel, Series};

/// The frame that data are drawn in.
const PLOT: (f64, f64) = (380.0, 330.0);
/// Around each frame, for labels: left, top, right, bottom.
const LEFT: f64 = 70.0;
const TOP: f64 = 28.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 48.0;
const CELL: (f64, f64) = (LEFT + PLOT.0 + RIGHT, TOP + PLOT.1 + BOTTOM);
/// Above all panels, if the figure has a title.
const TITLE: f64 = 26.0;

const GRID: &str = "#e4e4e4";
const INK: &str = "#222222";
pub(super) const CURVE_WIDTH: f64 = 1.5;
pub(super) const GUIDE_WIDTH: f64 = 1.0;
pub(super) const MARKER_RADIUS: f64 = 2.9;
const MOST_MARKERS: usize = 60;

/// The figure as an SVG document.
pub(super) fn draw(figure: &Figure) -> String {
    let columns = match figure.panels.len() {
        0 | 1 => 1,
        2 | 4 => 2,
        _ => 3,
    };
    let rows = figure.panels.len().div_ceil(columns).max(1);
    let legend = Legend::new(figure);
    let head = if figure.title.is_empty() { 0.0 } else { TITLE };
    let panels_height = rows as f64 * CELL.1;
    let size = legend.size(panels_height - TOP);
    let width = columns as f64 * CELL.0 + size.0;
    let height = head + panels_height.max(TOP + size.1);

    let mut svg = Svg::new(width, height, &figure.title);
    if !figure.title.is_empty() {
        svg.text((LEFT, 22.0), Anchor::Start, "font-size=\"14\" font-weight=\"bold\"", &figure.title);
    }
    for (i, panel) in figure.panels.iter().enumerate() {
        let (column, row) = (i % columns, i / columns);
        let corner = (column as f64 * CELL.0 + LEFT, head + row as f64 * CELL.1 + TOP);
        draw_panel(&mut svg, i, panel, corner, &legend);
    }
    legend.draw(&mut svg, (columns as f64 * CELL.0, head + TOP), panels_height - TOP);
    svg.finish()
}

fn draw_panel(svg: &mut Svg, id: usize, panel: &Panel, corner: (f64, f64), legend: &Legend) {
    // Guides follow the data and do not widen the axes, unless there is nothing else.
    let only_guides = panel.series.iter().all(|series| series.mark == Mark::Guide);
    let points = || {
        let shown = panel.series.iter().filter(|series| only_guides || series.mark != Mark::Guide);
        shown.flat_map(|series| series.points.iter().copied())
    };
    let drawable = |&(x, y): &(f64, f64)| {
        let on = |log: bool, value: f64| value.is_finite() && (!log || value > 0.0);
        on(panel.x.log, x) && on(panel.y.log, y)
    };
    let x = Scale::new(&panel.x, points().filter(drawable).map(|point| point.0));
    let y = Scale::new(&panel.y, points().filter(drawable).map(|point| point.1));
    let across = |fraction: f64| corner.0 + fraction * PLOT.0;
    let up = |fraction: f64| corner.1 + (1.0 - fraction) * PLOT.1;
    let frame = [corner.0, corner.1, PLOT.0, PLOT.1];
    let (bottom, right) = (corner.1 + PLOT.1, corner.0 + PLOT.0);

    for tick in &x.major {
        if let Some(at) = x.fraction(tick.value).map(across) {
            svg.line((at, corner.1), (at, bottom), GRID, 1.0);
            svg.line((at, bottom), (at, bottom + 5.0), INK, 1.0);
            svg.label((at, bottom + 19.0), Anchor::Middle, &tick.label);
        }
    }
    for at in x.minor.iter().filter_map(|&value| x.fraction(value)).map(across) {
        svg.line((at, bottom), (at, bottom + 2.5), INK, 0.7);
    }
    for tick in &y.major {
        if let Some(at) = y.fraction(tick.value).map(up) {
            svg.line((corner.0, at), (right, at), GRID, 1.0);
            svg.line((corner.0 - 5.0, at), (corner.0, at), INK, 1.0);
            svg.label((corner.0 - 8.0, at + 4.0), Anchor::End, &tick.label);
        }
    }
    for at in y.minor.iter().filter_map(|&value| y.fraction(value)).map(up) {
        svg.line((corner.0 - 2.5, at), (corner.0, at), INK, 0.7);
    }

    svg.open_clipped(id, frame);
    for series in &panel.series {
        let place = |&(px, py): &(f64, f64)| Some((across(x.fraction(px)?), up(y.fraction(py)?)));
        let places: Vec<Option<(f64, f64)>> = series.points.iter().map(place).collect();
        draw_series(svg, series, &places, legend.key(series));
    }
    svg.close();

    svg.frame(frame);
    svg.text((0.5 * (corner.0 + right), bottom + 38.0), Anchor::Middle, "", &panel.x.label);
    svg.upward_text((corner.0 - 50.0, corner.1 + 0.5 * PLOT.1), &panel.y.label);
    svg.text((0.5 * (corner.0 + right), corner.1 - 9.0), Anchor::Middle, "font-size=\"13\"", &panel.title);
}

fn draw_series(svg: &mut Svg, series: &Series, places: &[Option<(f64, f64)>], key: &Key) {
    svg.open_named(&key.label);
    if series.mark != Mark::Published {
        let width = if series.mark == Mark::Guide { GUIDE_WIDTH } else { CURVE_WIDTH };
        // A line does not cross points that are left out.
        for run in places.split(Option::is_none).filter(|run| run.len() > 1) {
            let points: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
            svg.curve(&points, key.style, width);
        }
    }
    if matches!(series.mark, Mark::LinePoints | Mark::Published) {
        // More points than this would merge into a thick line that hides what lies below.
        let stride = if series.mark == Mark::Published { 1 } else { places.len() / MOST_MARKERS + 1 };
        for &point in places.iter().step_by(stride).flatten() {
            svg.marker(point, key.style, MARKER_RADIUS, series.mark == Mark::Published);
        }
    }
    svg.close();
}
