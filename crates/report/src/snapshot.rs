//! [`Snapshot`]: bodies as shaded balls, rods, ellipsoids and polyhedra among the outlines of walls, seen from aside and a little from above.

mod draw;
mod edges;
mod stone;
mod view;
mod visible;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What the picture shows.
    pub caption: String,
    /// Spheres, in any order. Those that cannot be drawn (not finite, or no radius) are left out.
    pub balls: Vec<Ball>,
    /// Spheres swept along segments, in any order, with the same exceptions.
    pub rods: Vec<Rod>,
    /// Ellipsoids, in any order, with the same exceptions.
    pub ovals: Vec<Oval>,
    /// Rounded polyhedra, in any order, with the same exceptions.
    pub stones: Vec<Stone>,
    /// Names of the groups of spheres, rods, ellipsoids and polyhedra, by number; a legend is drawn if there are several.
    pub groups: Vec<String>,
    /// Walls, of which edges and outlines are drawn.
    pub walls: Vec<Surface>,
    /// Which axis points upwards.
    pub up: Up,
}

/// A surface of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Corners, m.
    pub points: Vec<[f64; 3]>,
    /// Three corners each, by their numbers.
    pub triangles: Vec<[u32; 3]>,
}

/// The axis that points upwards on the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Up {
    /// x
    X,
    /// y
    Y,
    /// z
    #[default]
    Z,
}

/// A sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// m
    pub centre: [f64; 3],
    /// m
    pub radius: f64,
    /// Spheres of the same group have the same colour.
    pub group: usize,
    /// The body it is a part of: neighbours differ a little in their shade.
    pub body: usize,
}

/// A sphere swept along a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// The centres of the half spheres at its ends, m.
    pub ends: [[f64; 3]; 2],
    /// m
    pub radius: f64,
    /// As of spheres.
    pub group: usize,
    /// As of spheres.
    pub body: usize,
}

/// An ellipsoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oval {
    /// m
    pub centre: [f64; 3],
    /// From there to the ends of its semi-axes, m.
    pub semi_axes: [[f64; 3]; 3],
    /// As of spheres.
    pub group: usize,
    /// As of spheres.
    pub body: usize,
}

/// A rounded convex polyhedron.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stone {
    /// The centres of the spheres at its corners, m.
    pub corners: Vec<[f64; 3]>,
    /// Its faces by the numbers of the corners, counter-clockwise seen from outside.
    pub faces: Vec<Vec<u32>>,
    /// The radius of those spheres, m.
    pub rounding: f64,
    /// As of spheres.
    pub group: usize,
    /// As of spheres.
    pub body: usize,
}

impl Snapshot {
    /// More spheres and parts of rods than this make a picture that browsers are slow with.
    pub const MOST_DRAWN: usize = 5000;

    /// The picture as an SVG document, the same for the same data.
    pub fn to_svg(&self) -> String {
        draw::draw(self, draw::Place::Document).0
    }

    /// The picture for a page, with ids that begin with `prefix`; and what has to be said about spheres that are
    /// not drawn, if anything.
    pub(crate) fn piece(&self, prefix: &str) -> (String, Option<String>) {
        draw::draw(self, draw::Place::Page(prefix))
    }
}
