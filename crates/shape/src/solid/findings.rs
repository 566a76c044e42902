//! What there is to say of a mesh: what is wrong with it, what was mended, what is odd.

use super::mend::MOST_SURFACES;
use core::fmt;

/// What is wrong with a mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no triangle, or all are degenerate.
    Nothing {
        /// How many were given.
        given: usize,
    },
    /// A coordinate is infinite or NaN.
    NotFinite {
        /// The triangle, counted from zero.
        triangle: usize,
    },
    /// Edges with a triangle on one side only.
    Open {
        /// How many.
        edges: usize,
        /// The ends of one of them.
        at: [[f64; 3]; 2],
    },
    /// Edges of three or more triangles.
    Branching {
        /// How many.
        edges: usize,
        /// The ends of one of them.
        at: [[f64; 3]; 2],
    },
    /// The surface has one side only, as a Möbius strip.
    OneSided,
    /// Several bodies.
    Several {
        /// Their volumes, the largest first.
        volumes: Vec<f64>,
    },
    /// More separate surfaces than anything has.
    TooManySurfaces {
        /// How many.
        surfaces: usize,
    },
    /// It encloses nothing.
    NoVolume {
        /// What it encloses.
        volume: f64,
    },
}

/// What was mended in a mesh, and what is odd about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mended {
    /// Corners that were joined with one nearby, and the distance up to which they were.
    pub joined: Option<(usize, f64)>,
    /// Triangles dropped because two of their corners are the same.
    pub degenerate: usize,
    /// Triangles dropped because others have the same three corners.
    pub duplicate: usize,
    /// Triangles turned round because their neighbours are wound the other way.
    pub flipped: usize,
    /// Closed surfaces that were inside out.
    pub inside_out: usize,
    /// Cavities, which stay empty.
    pub cavities: usize,
    /// Bodies left out for a larger one, and their part of the volume of all.
    pub left_out: Option<(usize, f64)>,
    /// The size of the mesh, if it suggests another unit of length.
    pub odd_size: Option<f64>,
}

/// Particles have sizes between these, m.
const USUAL: [f64; 2] = [1e-7, 3.0];

impl Mended {
    pub(super) fn say_about_units(&mut self, size: f64) {
        if !(USUAL[0]..=USUAL[1]).contains(&size) {
            self.odd_size = Some(size);
        }
    }

    /// What was mended, a sentence each.
    pub fn repairs(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut say = |count: usize, one: &str, many: &str| match count {
            0 => {}
            1 => all.push(format!("1 {one}")),
            _ => all.push(format!("{count} {many}")),
        };
        say(
            self.degenerate,
            "triangle with two equal corners was left out",
            "triangles with two equal corners were left out",
        );
        say(
            self.duplicate,
            "triangle was left out: others have the same corners",
            "triangles were left out: others have the same corners",
        );
        say(
            self.flipped,
            "triangle was turned round to agree with its neighbours",
            "triangles were turned round to agree with their neighbours",
        );
        say(
            self.inside_out,
            "closed surface was inside out and was turned",
            "closed surfaces were inside out and were turned",
        );
        if let Some((corners, reach)) = self.joined {
            all.push(format!(
                "{corners} corners were joined with others nearer than {} m, which closes gaps",
                crate::short(reach)
            ));
        }
        if let Some((left, part)) = self.left_out {
            all.push(format!(
                "the largest body was taken; {left} more, {} % of the volume, {} left out",
                crate::short(100.0 * part),
                if left == 1 { "was" } else { "were" }
            ));
        }
        all
    }

    /// What is odd but left as it is, a sentence each.
    pub fn warnings(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.cavities > 0 {
            let plural = if self.cavities == 1 { "cavity, which stays" } else { "cavities, which stay" };
            all.push(format!("the mesh has {} {plural} empty", self.cavities));
        }
        if let Some(size) = self.odd_size {
            all.push(format!(
                "the mesh is {} m across; meshes have no units: is one unit of it a metre?",
                crate::short(size)
            ));
        }
        all
    }
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = |[a, b]: &[[f64; 3]; 2]| {
            let point = |p: &[f64; 3]| format!("({})", p.map(crate::short).join(", "));
            format!("from {} to {}", point(a), point(b))
        };
        match self {
            Self::Nothing { given: 0 } => write!(f, "the mesh has no triangles"),
            Self::Nothing { given } => {
                write!(
                    f,
                    "the mesh has no surface: all its {given} triangles are degenerate or cancel each other"
                )
            }
            Self::NotFinite { triangle } => {
                write!(
                    f,
                    "triangle {triangle} of the mesh (counted from 0) has an infinite or undefined coordinate"
                )
            }
            Self::Open { edges, at } => write!(
                f,
                "the mesh is not closed: {edges} {} a triangle on one side only, such as the one {}; a particle \
                 needs an inside: close the holes in the program that made the mesh",
                if *edges == 1 { "edge has" } else { "edges have" },
                between(at)
            ),
            Self::Branching { edges, at } => write!(
                f,
                "{edges} {} of the mesh {} three or more triangles, such as the one {}: what is inside there cannot be told; \
                 separate the parts, or make one surface of them",
                if *edges == 1 { "edge" } else { "edges" },
                if *edges == 1 { "has" } else { "have" },
                between(at)
            ),
            Self::OneSided => {
                write!(f, "the surface of the mesh has one side only, as a Möbius strip, and so no inside")
            }
            Self::Several { volumes } => write!(
                f,
                "the mesh has {} separate bodies, of volumes {} m³{}: a clump is one; take the largest alone, or save them in files of \
                 their own",
                volumes.len(),
                volumes.iter().take(3).map(|v| crate::short(*v)).collect::<Vec<_>>().join(", "),
                if volumes.len() > 3 { " …" } else { "" }
            ),
            Self::TooManySurfaces { surfaces } => {
                write!(
                    f,
                    "the mesh has {surfaces} separate surfaces, more than {MOST_SURFACES}: it is not one particle"
                )
            }
            Self::NoVolume { volume } => write!(
                f,
                "the mesh encloses a volume of {} m³: a particle needs a positive one",
                crate::short(*volume)
            ),
        }
    }
}

impl core::error::Error for MeshError {}
