//! Writes SVG: only the few elements that figures need, with coordinates to a hundredth of a pixel.
//!
//! Chart libraries round to whole pixels and draw dashes as separate strokes, which shows in print.

use super::scale::Label;
use super::style::{Marker, Style};
use std::fmt::Write as _;

/// An SVG document being written.
pub(super) struct Svg {
    text: String,
}

/// Where a text is held.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64, title: &str) -> Self {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" \
             font-size=\"12\" fill=\"#222222\">"
        );
        let _ = writeln!(text, "<title>{}</title>", escaped(title));
        let _ = writeln!(text, "<rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>");
        Self { text }
    }

    /// The finished document.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    /// Opens a group in which nothing is drawn outside a rectangle.
    pub(super) fn open_clipped(&mut self, id: usize, [x, y, width, height]: [f64; 4]) {
        let _ = writeln!(
            self.text,
            "<clipPath id=\"panel{id}\"><rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" \
             height=\"{height:.2}\"/></clipPath>\n<g clip-path=\"url(#panel{id})\">"
        );
    }

    /// Opens a group that browsers name when pointed at.
    pub(super) fn open_named(&mut self, name: &str) {
        let _ = writeln!(self.text, "<g><title>{}</title>", escaped(name));
    }

    pub(super) fn close(&mut self) {
        self.text.push_str("</g>\n");
    }

    pub(super) fn frame(&mut self, [x, y, width, height]: [f64; 4]) {
        let _ = writeln!(
            self.text,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" \
             fill=\"none\" stroke=\"#222222\"/>"
        );
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), colour: &str, width: f64) {
        let _ = writeln!(
            self.text,
            "<path d=\"M{:.2} {:.2}L{:.2} {:.2}\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            from.0, from.1, to.0, to.1
        );
    }

    /// A line through points, in the colour and dash of a style.
    pub(super) fn curve(&mut self, points: &[(f64, f64)], style: Style, width: f64) {
        let mut path = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
        }
        let dash = match style.dash {
            "" => String::new(),
            dash => format!(" stroke-dasharray=\"{dash}\""),
        };
        let _ = writeln!(
            self.text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
             stroke-linejoin=\"round\"{dash}/>",
            style.colour
        );
    }

    /// A filled or an open point.
    pub(super) fn marker(&mut self, (x, y): (f64, f64), style: Style, radius: f64, open: bool) {
        let colour = style.colour;
        let paint = if open {
            format!("fill=\"#ffffff\" fill-opacity=\"0.6\" stroke=\"{colour}\" stroke-width=\"1.2\"")
        } else {
            format!("fill=\"{colour}\"")
        };
        let _ = match style.marker {
            Marker::Circle => {
                writeln!(self.text, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" {paint}/>")
            }
            Marker::Polygon(corners) => {
                let mut path = String::new();
                for (i, (dx, dy)) in corners.iter().enumerate() {
                    let (x, y) = (x + radius * dx, y + radius * dy);
                    let _ = write!(path, "{}{x:.2} {y:.2}", if i == 0 { 'M' } else { 'L' });
                }
                writeln!(self.text, "<path d=\"{path}Z\" {paint}/>")
            }
        };
    }

    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, attributes: &str, content: &str) {
        self.raw_text((x, y), anchor, attributes, &escaped(content));
    }

    /// Text that reads upwards.
    pub(super) fn upward_text(&mut self, (x, y): (f64, f64), content: &str) {
        let turn = format!("transform=\"rotate(-90 {x:.2} {y:.2})\"");
        self.raw_text((x, y), Anchor::Middle, &turn, &escaped(content));
    }

    /// The label of a tick; exponents are raised, whatever glyphs the font has.
    pub(super) fn label(&mut self, at: (f64, f64), anchor: Anchor, label: &Label) {
        let content = match label {
            Label::Plain(text) => escaped(text),
            Label::Power { factor, exponent } => {
                let front = factor.as_ref().map_or_else(|| "10".into(), |f| format!("{f}×10"));
                let exponent = exponent.to_string().replace('-', "−");
                format!("{front}<tspan dy=\"-4.5\" font-size=\"8.5\">{exponent}</tspan>")
            }
        };
        self.raw_text(at, anchor, "font-size=\"11\"", &content);
    }

    fn raw_text(&mut self, (x, y): (f64, f64), anchor: Anchor, attributes: &str, content: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let space = if attributes.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\"{space}{attributes}>{content}</text>"
        );
    }
}

/// Text as XML wants it; characters that XML cannot hold are dropped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
