//! Draws one panel: grid, ticks and labels, then what is in the frame.

use super::Panel;
use super::layout::{Layout, TICK_GAP, fitting};
use super::legend::Legend;
use super::scale::Label;
use super::series;
use super::svg::{Anchor, Svg};
use crate::markup::escaped;
use std::fmt::Write as _;

/// Lengths of ticks, px.
const MAJOR: f64 = 5.0;
const MINOR: f64 = 2.8;

/// Where things of a panel are, in the drawing.
pub(super) struct Place<'a> {
    pub(super) panel: &'a Panel,
    pub(super) layout: &'a Layout,
    /// Left, top, width and height of the frame, px.
    pub(super) frame: [f64; 4],
}

/// Draws a panel whose cell begins at `corner`.
pub(super) fn draw(
    svg: &mut Svg,
    id: usize,
    panel: &Panel,
    layout: &Layout,
    corner: (f64, f64),
    legend: &Legend,
) {
    let frame = [corner.0 + layout.left, corner.1 + layout.top, layout.plot.0, layout.plot.1];
    let place = Place { panel, layout, frame };
    let [x, y, width, height] = frame;
    svg.open(&format!(
        "class=\"panel\" data-frame=\"{x:.2} {y:.2} {width:.2} {height:.2}\" data-x=\"{}\" data-y=\"{}\" \
         data-x-label=\"{}\" data-y-label=\"{}\"",
        layout.x.data(),
        layout.y.data(),
        escaped(&panel.x.label),
        escaped(&panel.y.label)
    ));
    place.horizontal_axis(svg);
    place.vertical_axis(svg);
    svg.open_clipped(id, frame);
    place.marks(svg);
    series::draw(svg, &place, legend);
    svg.close();
    svg.frame(frame);
    place.labels(svg, corner.0);
    svg.close();
}

impl Place<'_> {
    /// The point at these values, if it can be drawn.
    pub(super) fn at(&self, x: f64, y: f64) -> Option<(f64, f64)> {
        Some((self.across(self.layout.x.fraction(x)?), self.up(self.layout.y.fraction(y)?)))
    }

    pub(super) fn across(&self, fraction: f64) -> f64 {
        self.frame[0] + fraction * self.frame[2]
    }

    pub(super) fn up(&self, fraction: f64) -> f64 {
        self.frame[1] + (1.0 - fraction) * self.frame[3]
    }

    fn bottom(&self) -> f64 {
        self.frame[1] + self.frame[3]
    }

    fn horizontal_axis(&self, svg: &mut Svg) {
        let (scale, bottom, top) = (&self.layout.x, self.bottom(), self.frame[1]);
        let (mut grid, mut major, mut minor) = (String::new(), String::new(), String::new());
        for tick in &scale.major {
            let Some(at) = scale.fraction(tick.value).map(|fraction| self.across(fraction)) else { continue };
            if !scale.is_of_names() {
                let _ = write!(grid, "M{at:.2} {top:.2}V{bottom:.2}");
            }
            let _ = write!(major, "M{at:.2} {bottom:.2}v{MAJOR}");
        }
        for at in scale.minor.iter().filter_map(|&value| scale.fraction(value)).map(|at| self.across(at)) {
            let _ = write!(minor, "M{at:.2} {bottom:.2}v{MINOR}");
        }
        svg.grid(&grid);
        svg.ticks(&major, 0.9);
        svg.ticks(&minor, 0.7);
        svg.open("class=\"names-x\"");
        for tick in &scale.major {
            let Some(at) = scale.fraction(tick.value).map(|fraction| self.across(fraction)) else { continue };
            match &tick.label {
                Label::Plain(name) if self.layout.turned => {
                    let attributes = "font-size=\"12\"";
                    svg.turned_text((at + 4.0, bottom + 14.0), -40.0, Anchor::End, attributes, name);
                }
                label => svg.label((at, bottom + 19.0), Anchor::Middle, label),
            }
        }
        svg.close();
    }

    /// Values of the horizontal axis that have a name: a line each, with the name along its right side.
    fn marks(&self, svg: &mut Svg) {
        let (bottom, top) = (self.bottom(), self.frame[1]);
        for (value, name) in &self.panel.x.marks {
            let inside = self.layout.x.fraction(*value).filter(|fraction| (0.0..=1.0).contains(fraction));
            let Some(at) = inside.map(|fraction| self.across(fraction)) else { continue };
            svg.mark(&format!("M{at:.2} {top:.2}V{bottom:.2}"));
            let attributes = "class=\"mark-name\" font-size=\"10\" fill-opacity=\"0.75\"";
            svg.turned_text((at + 10.0, top + 5.0), -90.0, Anchor::End, attributes, name);
        }
    }

    fn vertical_axis(&self, svg: &mut Svg) {
        let (scale, left) = (&self.layout.y, self.frame[0]);
        let right = left + self.frame[2];
        let (mut grid, mut major, mut minor) = (String::new(), String::new(), String::new());
        for tick in &scale.major {
            let Some(at) = scale.fraction(tick.value).map(|fraction| self.up(fraction)) else { continue };
            if !scale.is_of_names() {
                let _ = write!(grid, "M{left:.2} {at:.2}H{right:.2}");
                let _ = write!(major, "M{left:.2} {at:.2}h-{MAJOR}");
            }
        }
        for at in scale.minor.iter().filter_map(|&value| scale.fraction(value)).map(|at| self.up(at)) {
            let _ = write!(minor, "M{left:.2} {at:.2}h-{MINOR}");
        }
        svg.grid(&grid);
        svg.ticks(&major, 0.9);
        svg.ticks(&minor, 0.7);
        svg.open("class=\"names-y\"");
        for tick in &scale.major {
            if let Some(at) = scale.fraction(tick.value).map(|fraction| self.up(fraction)) {
                svg.label((left - TICK_GAP, at + 4.0), Anchor::End, &tick.label);
            }
        }
        svg.close();
    }

    fn labels(&self, svg: &mut Svg, cell: f64) {
        let [left, top, width, height] = self.frame;
        let panel = self.panel;
        let below = self.layout.height() - self.layout.top - self.frame[3];
        let size = |text: &str, length: f64| format!("font-size=\"{:.1}\"", fitting(text, length));
        let middle = (left + 0.5 * width, self.bottom() + below - 9.0);
        svg.text(middle, Anchor::Middle, &size(&panel.x.label, width), &panel.x.label);
        if !panel.y.label.is_empty() {
            let attributes = size(&panel.y.label, height + 30.0);
            let middle = (cell + 14.0, top + 0.5 * height);
            svg.turned_text(middle, -90.0, Anchor::Middle, &attributes, &panel.y.label);
        }
        if !panel.title.is_empty() {
            let raised = if self.layout.y.common_exponent == 0 { 9.0 } else { 19.0 };
            let attributes = format!("font-weight=\"bold\" {}", size(&panel.title, 0.94 * width));
            svg.text((left + 0.5 * width, top - raised), Anchor::Middle, &attributes, &panel.title);
        }
        for (exponent, at, anchor) in [
            (self.layout.x.common_exponent, (left + width, self.bottom() + below - 9.0), Anchor::End),
            (self.layout.y.common_exponent, (left, top - 5.0), Anchor::Start),
        ] {
            if exponent != 0 {
                svg.label(at, anchor, &Label::Power { factor: Some(String::new()), exponent });
            }
        }
    }
}
