//! Writes SVG: only the few elements that figures need, with coordinates to a hundredth of a pixel.
//!
//! Colours are attributes, so that a file looks right in any program, and classes, so that the style of a page that
//! the drawing is put into can replace them: rules come before attributes. A curve takes the colour of its group.

use super::scale::Label;
use super::style::{Marker, Style};
use crate::markup::{escaped, push_escaped};
use std::fmt::Write as _;

pub(super) const INK: &str = "#222222";
const GRID: &str = "#e6e6e6";
const PAPER: &str = "#ffffff";

/// An SVG document being written.
pub(super) struct Svg {
    text: String,
    /// Before each id, since those of all drawings of a page must differ.
    prefix: String,
    /// Whether curves have a title, which programs show when pointed at; pages have something better.
    titled: bool,
}

/// Where a text is held.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Sizes of letters, px. On a column of 85 mm they are still 6 pt.
pub(super) const TITLE_SIZE: f64 = 14.0;
pub(super) const TEXT_SIZE: f64 = 13.0;
pub(super) const TICK_SIZE: f64 = 12.0;

impl Svg {
    /// A document of its own, on white.
    pub(super) fn document((width, height): (f64, f64), title: &str) -> Self {
        let mut svg = Self { text: String::new(), prefix: "panel".into(), titled: true };
        svg.root((width, height), &format!("width=\"{width:.0}\" height=\"{height:.0}\""));
        let _ = writeln!(svg.text, "<title>{}</title>", escaped(title));
        let _ = writeln!(svg.text, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"{PAPER}\"/>");
        svg
    }

    /// A part of a page, which sets its size and may set its colours; `description` is for those who cannot see it.
    pub(super) fn inline(size: (f64, f64), prefix: &str, description: &str) -> Self {
        let mut svg = Self { text: String::new(), prefix: prefix.to_owned(), titled: false };
        svg.root(size, &format!("class=\"plot\" role=\"img\" aria-label=\"{}\"", escaped(description)));
        svg
    }

    /// A small part of a page that says nothing by itself.
    pub(super) fn sample(size: (f64, f64)) -> Self {
        let mut svg = Self { text: String::new(), prefix: String::new(), titled: false };
        let (width, height) = size;
        svg.root(size, &format!("width=\"{width:.0}\" height=\"{height:.0}\" aria-hidden=\"true\""));
        svg
    }

    fn root(&mut self, (width, height): (f64, f64), attributes: &str) {
        let _ = writeln!(
            self.text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {attributes} viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" \
             font-size=\"{TEXT_SIZE}\" fill=\"{INK}\">"
        );
    }

    /// The finished document.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Opens a group; attributes as they are written.
    pub(super) fn open(&mut self, attributes: &str) {
        let _ = writeln!(self.text, "<g {attributes}>");
    }

    /// Opens a group in which nothing is drawn outside a rectangle.
    pub(super) fn open_clipped(&mut self, id: usize, [x, y, width, height]: [f64; 4]) {
        let name = format!("{}{id}", self.prefix);
        let _ = writeln!(
            self.text,
            "<clipPath id=\"{name}\"><rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" \
             height=\"{height:.2}\"/></clipPath>\n<g clip-path=\"url(#{name})\">"
        );
    }

    /// Opens the group of a curve: it has a colour, a name, and the number of its entry in the legend.
    pub(super) fn open_series(&mut self, key: usize, name: &str, style: Style) {
        let (class, colour) = (style.class(), style.colour());
        let _ = write!(self.text, "<g class=\"series {class}\" data-key=\"{key}\" data-name=\"");
        push_escaped(&mut self.text, name);
        let _ = writeln!(self.text, "\" color=\"{colour}\">");
        if self.titled {
            let _ = writeln!(self.text, "<title>{}</title>", escaped(name));
        }
    }

    pub(super) fn close(&mut self) {
        self.text.push_str("</g>\n");
    }

    pub(super) fn frame(&mut self, [x, y, width, height]: [f64; 4]) {
        let _ = writeln!(
            self.text,
            "<rect class=\"ink\" x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             fill=\"none\" stroke=\"{INK}\" stroke-width=\"0.9\"/>"
        );
    }

    /// Lines of the grid: a path of `M` and `H` or `V`.
    pub(super) fn grid(&mut self, path: &str) {
        if !path.is_empty() {
            let _ = writeln!(self.text, "<path class=\"grid\" d=\"{path}\" stroke=\"{GRID}\"/>");
        }
    }

    /// A thin broken line across a panel.
    pub(super) fn mark(&mut self, path: &str) {
        let _ = writeln!(
            self.text,
            "<path class=\"ink mark\" d=\"{path}\" stroke=\"{INK}\" stroke-width=\"0.8\" stroke-opacity=\"0.5\" \
             stroke-dasharray=\"4 3\"/>"
        );
    }

    /// Ticks of an axis, of a width in px.
    pub(super) fn ticks(&mut self, path: &str, width: f64) {
        if !path.is_empty() {
            let _ = writeln!(
                self.text,
                "<path class=\"ink\" d=\"{path}\" stroke=\"{INK}\" stroke-width=\"{width}\"/>"
            );
        }
    }

    /// A line through points, in the colour of the group and the dash of a style.
    pub(super) fn curve(&mut self, points: &[(f64, f64)], style: Style, width: f64) {
        let dash = match style.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let _ = writeln!(
            self.text,
            "<path class=\"line\" d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"{dash}/>",
            through(points)
        );
    }

    /// A translucent area with these corners.
    pub(super) fn area(&mut self, corners: &[(f64, f64)]) {
        let path = through(corners);
        let _ = writeln!(
            self.text,
            "<path class=\"band\" d=\"{path}Z\" fill=\"currentColor\" fill-opacity=\"0.2\"/>"
        );
    }

    /// Thin strokes: error bars.
    pub(super) fn strokes(&mut self, path: &str) {
        if !path.is_empty() {
            let _ = writeln!(
                self.text,
                "<path class=\"whiskers\" d=\"{path}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.1\"/>"
            );
        }
    }

    /// Filled bars. Each begins with `M` at the end that shows its value.
    pub(super) fn bars(&mut self, path: &str) {
        if !path.is_empty() {
            let _ = writeln!(self.text, "<path class=\"bars\" d=\"{path}\" fill=\"currentColor\"/>");
        }
    }

    /// Filled or open points. Each begins with `M` at its centre.
    pub(super) fn markers(&mut self, centres: &[(f64, f64)], style: Style, radius: f64, open: bool) {
        if centres.is_empty() {
            return;
        }
        let outline = style.marker.outline(radius);
        let mut path = String::new();
        for (x, y) in centres {
            let _ = write!(path, "M{x:.2} {y:.2}{outline}");
        }
        let paint = if open {
            format!("fill=\"{PAPER}\" fill-opacity=\"0.7\" stroke=\"currentColor\" stroke-width=\"1.3\"")
        } else {
            "fill=\"currentColor\"".to_owned()
        };
        let class = if open { "dots open" } else { "dots" };
        let _ = writeln!(self.text, "<path class=\"{class}\" d=\"{path}\" {paint}/>");
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, attributes: &str, content: &str) {
        self.raw_text(at, anchor, attributes, &escaped(content));
    }

    /// Text turned about its place, degrees.
    pub(super) fn turned_text(
        &mut self,
        (x, y): (f64, f64),
        degrees: f64,
        anchor: Anchor,
        attributes: &str,
        content: &str,
    ) {
        let space = if attributes.is_empty() { "" } else { " " };
        let turn = format!("transform=\"rotate({degrees:.1} {x:.2} {y:.2})\"{space}{attributes}");
        self.raw_text((x, y), anchor, &turn, &escaped(content));
    }

    /// A name beside a line that it belongs to, with paper around its letters.
    pub(super) fn line_label(&mut self, at: (f64, f64), degrees: f64, anchor: Anchor, content: &str) {
        let size = format!("font-size=\"{TICK_SIZE}\"");
        // Twice, since not every program knows how to paint the outline first.
        let halo =
            format!("class=\"halo\" stroke=\"{PAPER}\" stroke-width=\"4\" stroke-linejoin=\"round\" {size}");
        self.turned_text(at, degrees, anchor, &halo, content);
        self.turned_text(at, degrees, anchor, &format!("fill=\"currentColor\" {size}"), content);
    }

    /// The label of a tick; exponents are raised, whatever glyphs the font has.
    pub(super) fn label(&mut self, at: (f64, f64), anchor: Anchor, label: &Label) {
        let content = match label {
            Label::Plain(text) => escaped(text),
            Label::Power { factor, exponent } => {
                let front = factor.as_ref().map_or_else(|| "10".into(), |factor| format!("{factor}×10"));
                let exponent = exponent.to_string().replace('-', "−");
                format!("{front}<tspan dy=\"-4.8\" font-size=\"9.5\">{exponent}</tspan>")
            }
        };
        self.raw_text(at, anchor, &format!("font-size=\"{TICK_SIZE}\""), &content);
    }

    fn raw_text(&mut self, (x, y): (f64, f64), anchor: Anchor, attributes: &str, content: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\"{anchor}{space}{attributes}>{content}</text>"
        );
    }
}

/// A path through points.
fn through(points: &[(f64, f64)]) -> String {
    let mut path = String::with_capacity(14 * points.len());
    for (i, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
    }
    path
}

impl Marker {
    /// The outline about a centre where the pen is already.
    fn outline(self, radius: f64) -> String {
        match self {
            Self::Circle => {
                let (r, d) = (radius, 2.0 * radius);
                format!("m{:.2} 0a{r:.2} {r:.2} 0 1 0 {d:.2} 0a{r:.2} {r:.2} 0 1 0 {:.2} 0z", -r, -d)
            }
            Self::Polygon(corners) => {
                let mut path = String::new();
                let mut pen = (0.0, 0.0);
                for (i, &(x, y)) in corners.iter().enumerate() {
                    let (dx, dy) = (radius * (x - pen.0), radius * (y - pen.1));
                    let _ = write!(path, "{}{dx:.2} {dy:.2}", if i == 0 { 'm' } else { 'l' });
                    pen = (x, y);
                }
                path.push('z');
                path
            }
        }
    }
}
