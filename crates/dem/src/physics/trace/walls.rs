//! Where spheres touch walls, as recorded kernels. What a touch then becomes is the recording of a contact with known geometry.

use crate::law::EnergyPower;
use crate::physics::patch::{self, BORDER, Border, EDGE, Edge, Foot, Patch};
use crate::physics::surface::{self, AXIS, Axis, FRUSTUM, Frustum};
use crate::record::{Record, to_numbers};
use crate::wall::Side;
use tumble_math::trace::{Tape, Traced};
use tumble_math::{LabVec, Quat, Real};

/// What is computed to find the touches of a sphere with a wall. All but the last two begin with the centre of the sphere (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallKernel {
    /// Point (3) and normal (3) of a plane: a [`Nearest`](surface::Nearest).
    Plane,
    /// The lowest corner of a box (3) and the highest (3): six of them.
    Box,
    /// [`Axis`] and radius of a cylinder without ends: one.
    Cylinder(Side),
    /// A [`Frustum`]: one.
    Frustum(Side),
    /// An [`Edge`]: its [`Foot`].
    Edge,
    /// Point (3) and normal (3) of the face of a triangle, three times a [`Border`], whether it owns them (3), whether it is wide,
    /// three times an [`Edge`]: the [`Foot`], and the normal there.
    Triangle,
    /// Normal (3), weight and overlap of three points of a connected part of a mesh, the first guess of a root: a
    /// [`PatchTouch`](patch::PatchTouch).
    Patch(EnergyPower),
    /// Point (3), pivot (3), origin (3), orientation (4), velocity (3) and angular velocity (3) of a wall that moves, a direction in
    /// its frame (3): the point seen from its frame, the direction seen from the lab, the velocity at the point.
    Move,
}

impl WallKernel {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Plane,
        Self::Box,
        Self::Cylinder(Side::Inside),
        Self::Cylinder(Side::Outside),
        Self::Frustum(Side::Inside),
        Self::Frustum(Side::Outside),
        Self::Edge,
        Self::Triangle,
        Self::Patch(EnergyPower::Square),
        Self::Patch(EnergyPower::FiveHalves),
        Self::Move,
    ];

    /// What it is about, for tables.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Plane => "the nearest point of a plane",
            Self::Box => "of the six faces of a box",
            Self::Cylinder(Side::Inside) => "of a tube without ends",
            Self::Cylinder(Side::Outside) => "of a rod without ends",
            Self::Frustum(Side::Inside) => "of a tube or a hopper with ends",
            Self::Frustum(Side::Outside) => "of a solid cylinder or cone",
            Self::Edge => "of an edge of a mesh",
            Self::Triangle => "of a triangle of a mesh, edges included",
            Self::Patch(EnergyPower::Square) => "three points of a mesh as one touch, energy as δ²",
            Self::Patch(EnergyPower::FiveHalves) => "three points of a mesh as one touch, energy as δ^{5/2}",
            Self::Move => "where and how fast a wall is that moves",
        }
    }

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Plane | Self::Box => 9,
            Self::Cylinder(_) => 3 + AXIS + 1,
            Self::Frustum(_) => 3 + FRUSTUM,
            Self::Edge => 3 + EDGE,
            Self::Triangle => 9 + 3 * BORDER + 4 + 3 * EDGE,
            Self::Patch(_) => 3 * 5 + 1,
            Self::Move => 22,
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
            Self::Plane => to_numbers(surface::plane(vector(0), vector(3), vector(6))),
            Self::Box => {
                let faces = surface::faces(vector(0), vector(3), vector(6));
                faces.into_iter().flat_map(to_numbers).collect()
            }
            Self::Cylinder(side) => {
                to_numbers(surface::cylinder(vector(0), &Axis::read(n, 3), n[3 + AXIS], side))
            }
            Self::Frustum(side) => to_numbers(surface::frustum(vector(0), &Frustum::read(n, 3), side)),
            Self::Edge => to_numbers(patch::edge(vector(0), &Edge::read(n, 3))),
            Self::Triangle => triangle(n),
            Self::Patch(power) => touch_of_patch(n, power),
            Self::Move => {
                let (point, q, origin) = (vector(0), Quat::read(n, 9), vector(6));
                let seen = surface::to_reference(point, vector(3), origin, q);
                let normal = surface::direction_to_lab(vector(19), q);
                let velocity = surface::velocity_at(point, origin, vector(13), vector(16));
                [seen, normal, velocity].into_iter().flat_map(to_numbers).collect()
            }
        }
    }
}

fn triangle<R: Real>(n: &[R]) -> Vec<R> {
    let (centre, normal) = (LabVec::read(n, 0), LabVec::read(n, 6));
    let borders = [0, 1, 2].map(|k| Border::read(n, 9 + k * BORDER));
    let at = 9 + 3 * BORDER;
    let edges: [Foot<R>; 3] = [0, 1, 2].map(|k| patch::edge(centre, &Edge::read(n, at + 4 + k * EDGE)));
    let heights = patch::heights(centre, [LabVec::read(n, 3), normal], borders);
    let foot = patch::triangle(normal, heights, [n[at], n[at + 1], n[at + 2]], n[at + 3], edges);
    let mut out = to_numbers(foot);
    out.extend(to_numbers(patch::normal(&foot, normal)));
    out
}

fn touch_of_patch<R: Real>(n: &[R], power: EnergyPower) -> Vec<R> {
    let with =
        |patch: Patch<R>, k: usize| patch.with(LabVec::read(n, 5 * k), n[5 * k + 3], n[5 * k + 4], power);
    let patch = (0..3).fold(Patch::empty(), with);
    to_numbers(patch.touch(patch.energy(power), power, n[15]))
}
