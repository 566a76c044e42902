//! Shapes that come with the engine, as lists of spheres.
//!
//! Each is a function with parameters, and once, with sensible ones, an entry of [`ALL`], which programs
//! list and look up by name. Lengths are in metres. A new shape needs its function and a line in that list.
//!
//! ```
//! use tumble_dem::clump::{MassModel, shapes};
//! let knight = shapes::named("knight").unwrap().template(MassModel::Union)?;
//! assert_eq!(knight.spheres().len(), shapes::chess::knight(0.06).len());
//! # Ok::<(), tumble_dem::clump::ClumpError>(())
//! ```

mod basic;
pub mod chess;

pub use basic::{cross, planar_cross, rod, sphere, t_handle, tetrahedron};

use super::{ClumpError, ClumpSphere, ClumpTemplate, MassModel};

/// A shape of the built-in list.
#[derive(Clone, Copy, Debug)]
pub struct BuiltinShape {
    /// The name, as programs spell it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    spheres: fn() -> Vec<ClumpSphere>,
}

impl BuiltinShape {
    /// The spheres, m.
    pub fn spheres(&self) -> Vec<ClumpSphere> {
        (self.spheres)()
    }

    /// The template of this shape, under its own name.
    pub fn template(&self, model: MassModel) -> Result<ClumpTemplate, ClumpError> {
        ClumpTemplate::new(self.name, &self.spheres(), model)
    }
}

/// The shape of this name.
pub fn named(name: &str) -> Option<&'static BuiltinShape> {
    ALL.iter().find(|shape| shape.name == name)
}

const fn shape(name: &'static str, summary: &'static str, spheres: fn() -> Vec<ClumpSphere>) -> BuiltinShape {
    BuiltinShape { name, summary, spheres }
}

/// Every built-in shape.
pub const ALL: &[BuiltinShape] = &[
    shape("sphere", "one sphere, 10 mm in diameter", || sphere(0.005)),
    shape("fibre", "3:1 fibre: five spheres of 10 mm, 5 mm apart", || rod(5, 0.005, 0.005)),
    shape("rod", "three spheres of 10 mm in a row that touch", || rod(3, 0.005, 0.01)),
    shape("t-handle", "T-handle, 40 mm wide: three unequal moments of inertia", || t_handle(0.04, 0.004)),
    shape(
        "tetrahedron",
        "four spheres of 10 mm at the corners of a tetrahedron, overlapping by a fifth",
        || tetrahedron(0.005, 0.008),
    ),
    shape("cross", "jack: three crossed rods of seven spheres, 28 mm long", || cross(3, 0.004, 0.004)),
    shape("planar-cross", "two crossed rods of seven spheres, 28 mm long", || planar_cross(3, 0.004, 0.004)),
    shape("king", "chess king, 95 mm high", || chess::king(0.095)),
    shape("queen", "chess queen, 85 mm high", || chess::queen(0.085)),
    shape("bishop", "chess bishop, 70 mm high", || chess::bishop(0.07)),
    shape("knight", "chess knight, 60 mm high", || chess::knight(0.06)),
    shape("rook", "chess rook, 55 mm high", || chess::rook(0.055)),
    shape("pawn", "chess pawn, 50 mm high", || chess::pawn(0.05)),
];
