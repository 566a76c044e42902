//! What is in the frame of a panel: bands, bars, curves, error bars and points, published ones on top.

use super::legend::{Key, Legend};
use super::panel::Place;
use super::svg::{Anchor, Svg};
use super::{Mark, Series, guide};
use crate::number::typeset;
use std::fmt::Write as _;

pub(super) const CURVE_WIDTH: f64 = 1.6;
const GUIDE_WIDTH: f64 = 1.1;
pub(super) const MARKER_RADIUS: f64 = 3.1;
/// More points than this would merge into a thick line that hides what lies below.
const MOST_MARKERS: usize = 60;
/// Half the length of the caps of error bars, px.
const CAP: f64 = 3.0;
/// How much of the room of a category its bars fill.
const FILLED: f64 = 0.78;

/// Draws everything in the frame.
pub(super) fn draw(svg: &mut Svg, place: &Place<'_>, legend: &Legend) {
    let order = |mark: Mark| match mark {
        Mark::Guide => 0,
        Mark::Bars => 1,
        Mark::Line | Mark::LinePoints => 2,
        Mark::Published => 3,
    };
    let mut sorted: Vec<&Series> = place.panel.series.iter().collect();
    sorted.sort_by_key(|series| order(series.mark));
    for series in sorted {
        let key = legend.key(series);
        svg.open_series(key.partner, &key.label, key.style);
        if series.mark == Mark::Bars {
            draw_bars(svg, place, series);
        } else {
            draw_curve(svg, place, series, key, legend);
        }
        svg.close();
    }
    guide::name_guides(svg, place, legend);
}

fn draw_curve(svg: &mut Svg, place: &Place<'_>, series: &Series, key: &Key, legend: &Legend) {
    let offset = slot_of_partner(place, series, legend);
    let point = |&(x, y): &(f64, f64)| match offset {
        Some((true, offset)) => place.at(x + offset, y),
        Some((false, offset)) => place.at(x, y + offset),
        None => place.at(x, y),
    };
    let places: Vec<Option<(f64, f64)>> = series.points.iter().map(point).collect();
    if series.mark == Mark::Line {
        draw_band(svg, place, series);
    }
    if series.mark != Mark::Published {
        let width = if series.mark == Mark::Guide { GUIDE_WIDTH } else { CURVE_WIDTH };
        // A line does not cross points that are left out.
        for run in places.split(Option::is_none).filter(|run| run.len() > 1) {
            let points: Vec<(f64, f64)> = run.iter().flatten().copied().collect();
            svg.curve(&points, key.style, width);
        }
    }
    if matches!(series.mark, Mark::LinePoints | Mark::Published) {
        let whiskers =
            series.spread.iter().zip(&places).filter_map(|(&spread, at)| Some((at.as_ref()?.0, spread)));
        svg.strokes(&whiskers.map(|(x, spread)| whisker(place, x, spread)).collect::<String>());
        let stride = if series.mark == Mark::Published { 1 } else { places.len() / MOST_MARKERS + 1 };
        let centres: Vec<(f64, f64)> = places.iter().step_by(stride).flatten().copied().collect();
        svg.markers(&centres, key.style, MARKER_RADIUS, series.mark == Mark::Published);
    }
}

/// Where published points of a bar stand: along x or not, and by how much beside the middle of the category.
fn slot_of_partner(place: &Place<'_>, series: &Series, legend: &Legend) -> Option<(bool, f64)> {
    if series.mark != Mark::Published {
        return None;
    }
    let partner = legend.key(series).partner;
    let bars = || place.panel.series.iter().filter(|series| series.mark == Mark::Bars);
    let slot = bars().position(|bar| legend.key(bar).partner == partner)?;
    Some((place.layout.x.is_of_names(), offset(slot, bars().count())))
}

/// From the middle of a category to that of one of its bars, in categories.
fn offset(slot: usize, count: usize) -> f64 {
    FILLED * ((slot as f64 + 0.5) / count.max(1) as f64 - 0.5)
}

/// The spread of a curve of many points: an area.
fn draw_band(svg: &mut Svg, place: &Place<'_>, series: &Series) {
    let edge = |pick: fn(&(f64, f64)) -> f64| {
        let along = series.points.iter().zip(&series.spread);
        along.filter_map(move |((x, _), spread)| {
            Some((place.across(place.layout.x.fraction(*x)?), clamped(place, pick(spread))?))
        })
    };
    let mut corners: Vec<(f64, f64)> = edge(|spread| spread.0).collect();
    let mut back: Vec<(f64, f64)> = edge(|spread| spread.1).collect();
    back.reverse();
    corners.extend(back);
    if corners.len() > 3 {
        svg.area(&corners);
    }
}

/// The height of a value; what a logarithmic axis cannot show lies on its lower end.
fn clamped(place: &Place<'_>, value: f64) -> Option<f64> {
    if value.is_nan() {
        return None;
    }
    Some(place.up(place.layout.y.fraction(value).unwrap_or(0.0).clamp(-0.1, 1.1)))
}

/// A vertical error bar with caps, as a path.
fn whisker(place: &Place<'_>, x: f64, (low, high): (f64, f64)) -> String {
    let (Some(low), Some(high)) = (clamped(place, low), clamped(place, high)) else { return String::new() };
    let (left, width) = (x - CAP, 2.0 * CAP);
    format!("M{left:.2} {low:.2}h{width}M{left:.2} {high:.2}h{width}M{x:.2} {low:.2}V{high:.2}")
}

fn draw_bars(svg: &mut Svg, place: &Place<'_>, series: &Series) {
    let bars: Vec<&Series> = place.panel.series.iter().filter(|series| series.mark == Mark::Bars).collect();
    let slot = bars.iter().position(|bar| core::ptr::eq(*bar, series)).unwrap_or(0);
    let offset = offset(slot, bars.len());
    let upright = place.layout.x.is_of_names();
    let (along, other) =
        if upright { (&place.layout.x, &place.layout.y) } else { (&place.layout.y, &place.layout.x) };
    let length = if upright { place.frame[2] } else { place.frame[3] };
    let width = FILLED * along.category() * length / bars.len().max(1) as f64
        - if bars.len() > 1 { 1.0 } else { 0.0 };
    // A logarithmic axis has no zero; there they begin at its end.
    let zero = other.fraction(0.0).unwrap_or(0.0);
    let (mut path, mut whiskers) = (String::new(), String::new());
    for (number, &(x, y)) in series.points.iter().enumerate() {
        let (category, value) = if upright { (x, y) } else { (y, x) };
        let ends = along.fraction(category + offset).zip(other.fraction(value));
        let Some((middle, end)) = ends else { continue };
        if upright {
            let (at, from, to) = (place.across(middle), place.up(zero), place.up(end));
            let _ =
                write!(path, "M{at:.2} {to:.2}m{:.2} 0h{width:.2}V{from:.2}h{:.2}z", -0.5 * width, -width);
            if let Some(&spread) = series.spread.get(number) {
                whiskers.push_str(&whisker(place, at, spread));
            }
        } else {
            let (at, from, to) = (place.up(middle), place.across(zero), place.across(end));
            let _ =
                write!(path, "M{to:.2} {at:.2}m0 {:.2}v{width:.2}H{from:.2}v{:.2}z", -0.5 * width, -width);
        }
    }
    svg.bars(&path);
    if !whiskers.is_empty() {
        svg.open("class=\"over\" color=\"#222222\"");
        svg.strokes(&whiskers);
        svg.close();
    }
    if place.layout.values {
        for &(value, category) in &series.points {
            if let Some((x, y)) = place.at(value, category) {
                svg.text((x + 5.0, y + 4.0), Anchor::Start, "font-size=\"12\"", &typeset(value));
            }
        }
    }
}
