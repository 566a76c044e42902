//! Colours, dashes and markers that stay apart for colour-blind readers and in print.

/// How the lines and points of one curve look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// A place in [`COLOURS`]; none for guides.
    colour: Option<usize>,
    /// SVG dash pattern; empty for a solid line.
    pub(super) dash: &'static str,
    pub(super) marker: Marker,
}

/// The shape of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Marker {
    Circle,
    /// Corners, for a marker of radius one.
    Polygon(&'static [(f64, f64)]),
}

/// Okabe & Ito's colours, less the yellow that is lost on white paper. Pages have others of the same classes for
/// dark screens.
const COLOURS: [(&str, &str); 7] = [
    ("c0", "#0072b2"),
    ("c1", "#d55e00"),
    ("c2", "#009e73"),
    ("c3", "#cc79a7"),
    ("c4", "#e69f00"),
    ("c5", "#56b4e9"),
    ("c6", "#000000"),
];
const GUIDE: (&str, &str) = ("guide", "#6b6b6b");
const DASHES: [&str; 4] = ["", "7 3", "2 2.5", "8 3 2 3"];
/// One more than there are colours, so that curves of the same colour differ in their markers as well.
const MARKERS: [Marker; 8] = [
    Marker::Circle,
    Marker::Polygon(&[(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)]),
    Marker::Polygon(&[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]),
    Marker::Polygon(&[(0.0, -1.3), (1.0, 0.0), (0.0, 1.3), (-1.0, 0.0)]),
    Marker::Polygon(&[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)]),
    Marker::Polygon(&[(-1.2, 0.0), (0.8, -1.1), (0.8, 1.1)]),
    Marker::Polygon(&[(1.2, 0.0), (-0.8, -1.1), (-0.8, 1.1)]),
    Marker::Polygon(&[(0.0, -1.1), (1.05, -0.34), (0.65, 0.9), (-0.65, 0.9), (-1.05, -0.34)]),
];
/// Guides are told apart by their dashes and by the names they carry.
const GUIDE_DASHES: [&str; 4] = ["5 4", "1.5 3", "9 3 1.5 3", "12 4"];

impl Style {
    /// The style of the `index`-th curve; the first 28 all differ.
    pub(super) fn of_curve(index: usize) -> Self {
        Self {
            colour: Some(index % COLOURS.len()),
            dash: DASHES[index / COLOURS.len() % DASHES.len()],
            marker: MARKERS[index % MARKERS.len()],
        }
    }

    /// The style of the `index`-th guide.
    pub(super) fn of_guide(index: usize) -> Self {
        Self { colour: None, dash: GUIDE_DASHES[index % GUIDE_DASHES.len()], marker: Marker::Circle }
    }

    /// The name that a page knows the colour by.
    pub(super) fn class(self) -> &'static str {
        self.named().0
    }

    /// The colour on white paper.
    pub(super) fn colour(self) -> &'static str {
        self.named().1
    }

    fn named(self) -> (&'static str, &'static str) {
        self.colour.and_then(|place| COLOURS.get(place)).copied().unwrap_or(GUIDE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_of_one_figure_differ() {
        let styles: Vec<Style> = (0..28).map(Style::of_curve).collect();
        for (i, a) in styles.iter().enumerate() {
            for b in &styles[..i] {
                assert_ne!(a, b);
                assert!(a.colour != b.colour || (a.dash != b.dash && a.marker != b.marker), "{a:?} {b:?}");
            }
        }
    }
}
