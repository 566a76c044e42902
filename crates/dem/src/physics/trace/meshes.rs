//! Touches of a sphere with a mesh, part by part, as recorded kernels: around them, whole numbers are counted (`wall/mesh/contact.rs`).

use crate::law::EnergyPower;
use crate::physics::patch::{self, BORDER, Border, EDGE, Edge, FOOT, Foot, PATCH, Patch};
use crate::physics::rubbing::{borne, direction};
use crate::physics::triangle::distance_squared;
use crate::record::{Record, to_numbers};
use tumble_math::trace::{Tape, Traced};
use tumble_math::{LabVec, Quat, Real};

/// What is computed of parts of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshKernel {
    /// Centre (3), [`Edge`]: its [`Foot`].
    Edge,
    /// Centre (3), corner (3): its [`Foot`].
    Corner,
    /// Centre (3), point (3) and normal (3) of the face of a triangle, three times a [`Border`]: the height, and how far inside of each.
    Heights,
    /// Normal (3), height, how far inside (3), whether it owns its edges (3), whether it is wide, three times the [`Foot`] of an edge:
    /// the [`Foot`] of the triangle.
    Triangle,
    /// [`Foot`], any normal (3): the normal there.
    Normal,
    /// [`Patch`], normal (3), weight and overlap of one more point: the patch with it.
    With(EnergyPower),
    /// [`Patch`]: its energy, and the pull (3).
    Energy(EnergyPower),
    /// [`Patch`], energy, pull (3), the first guess of a root: a [`PatchTouch`](patch::PatchTouch).
    Touch(EnergyPower),
    /// Three corners (9) of a triangle, a point (3): the squared distance.
    Distance,
    /// Force on a body (3), centre of its sphere (3), point (3), orientation of the wall (4), what friction took, Δt: what is
    /// [`Borne`](crate::physics::rubbing::Borne).
    Borne,
}

impl MeshKernel {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Edge,
        Self::Corner,
        Self::Heights,
        Self::Triangle,
        Self::Normal,
        Self::With(EnergyPower::Square),
        Self::With(EnergyPower::FiveHalves),
        Self::Energy(EnergyPower::Square),
        Self::Energy(EnergyPower::FiveHalves),
        Self::Touch(EnergyPower::Square),
        Self::Touch(EnergyPower::FiveHalves),
        Self::Distance,
        Self::Borne,
    ];

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Edge => 3 + EDGE,
            Self::Corner => 6,
            Self::Heights => 9 + 3 * BORDER,
            Self::Triangle => 11 + 3 * FOOT,
            Self::Normal => FOOT + 3,
            Self::With(_) | Self::Touch(_) => PATCH + 5,
            Self::Energy(_) => PATCH,
            Self::Distance => 12,
            Self::Borne => 15,
        }
    }

    /// Records it.
    pub fn record(self) -> Tape {
        Tape::record(self.inputs(), |numbers| self.evaluate::<Traced>(numbers))
    }

    /// Evaluates it directly on numbers in the order of a recording.
    ///
    /// # Panics
    /// If there are fewer than [`inputs`](Self::inputs) numbers.
    pub fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        let vector = |at: usize| LabVec::<R>::read(n, at);
        match self {
            Self::Edge => to_numbers(patch::edge(vector(0), &Edge::read(n, 3))),
            Self::Corner => to_numbers(patch::corner(vector(0), vector(3))),
            Self::Heights => {
                let borders = [0, 1, 2].map(|k| Border::read(n, 9 + k * BORDER));
                let (height, inside) = patch::heights(vector(0), [vector(3), vector(6)], borders);
                [&[height][..], &inside].concat()
            }
            Self::Triangle => {
                let (inside, owned) = ([n[4], n[5], n[6]], [n[7], n[8], n[9]]);
                let edges = [0, 1, 2].map(|k| Foot::read(n, 11 + k * FOOT));
                to_numbers(patch::triangle(vector(0), (n[3], inside), owned, n[10], edges))
            }
            Self::Normal => to_numbers(patch::normal(&Foot::read(n, 0), vector(FOOT))),
            Self::With(power) => {
                let patch = Patch::read(n, 0);
                to_numbers(patch.with(vector(PATCH), n[PATCH + 3], n[PATCH + 4], power))
            }
            Self::Energy(power) => {
                let (energy, pull) = Patch::read(n, 0).energy(power);
                [&[energy][..], &pull.to_array()].concat()
            }
            Self::Touch(power) => {
                let energy = (n[PATCH], vector(PATCH + 1));
                to_numbers(Patch::read(n, 0).touch(energy, power, n[PATCH + 4]))
            }
            Self::Distance => vec![distance_squared([vector(0), vector(3), vector(6)], vector(9))],
            Self::Borne => {
                let normal = direction(vector(3), vector(6));
                to_numbers(borne(vector(0), normal, Quat::read(n, 9), n[13], n[14]))
            }
        }
    }
}
