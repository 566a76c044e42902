//! The narrow phase: which pairs of the lists touch, and the geometry of their contacts.
//!
//! | kind of pair | touches | geometry |
//! | --- | --- | --- |
//! | [`Spheres`] | one | in lanes, from the two placed spheres; of other pieces, from those where they are nearest |
//! | [`OnWalls`] | as many as the [`WallShape`](crate::wall::WallShape) says, told apart by their features | by the shape, with the touch |
//!
//! Laws see none of this: they are given a [`Geometry`]. A group of contacts is a contact model with one kind of pair
//! between bodies and one with walls, and every loop over a segment is compiled for its kind.

mod capsules;
mod ellipsoids;
#[cfg(test)]
mod ends;
mod features;
mod spheres;
mod walls;

pub(super) use capsules::piece_shift;
pub(crate) use spheres::{Spheres, touching_spheres};
pub(crate) use walls::OnWalls;

use super::block::Block;
use super::{Kept, Key, Name, Physics};
use crate::bodies::Bodies;
use crate::engine::Space;
use crate::physics::contact::Side;
use crate::physics::geometry::Geometry;
use crate::rows_by_id::index32;
use crate::wall::Wall;
use core::fmt::Debug;
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::batch::InstructionSet;

/// What there is to know of one kind of pairs of pieces.
pub(crate) trait NarrowPhase: Copy + Debug {
    /// A touch that was found.
    type Touch: Copy + Debug + Send + Sync;
    /// What a search needs for itself from one step to the next.
    type Room: Clone + Debug + Default + Send + Sync;
    /// Whether the second piece is a wall: it has no sums, and its row is its number.
    const WITH_WALLS: bool;
    /// Whether a touch that begins where another of the same two pieces ends takes over what that one remembers, if both
    /// have about the same normal: on parts of one surface, along which a piece slides.
    const SLIDES: bool;
    /// Whether [`compute`](Self::compute) finds the geometry of a whole block at once; else [`gather`](Self::gather) does.
    const IN_LANES: bool;

    /// Finds what touches among some places of the lists, in the order of places and features. `found` has what touched
    /// last; `known` are the contacts that there are, some of which may last beyond touch.
    fn find(
        places: Range<usize>,
        space: &Space,
        physics: Physics<'_>,
        known: &Kept,
        room: &mut Self::Room,
        found: &mut Vec<Self::Touch>,
    );

    /// The place of a touch in the lists, and its feature: which of the touches of these two pieces it is. A touch keeps its
    /// feature from step to step; by it the contact is known again, in the next step, in other lists and in saved states.
    fn place(touch: &Self::Touch) -> [u32; 2];

    /// How many features there are, which are the numbers below this. `b` is the wall, where there is one.
    fn features(b: u32, walls: &[Wall]) -> u32;

    /// The rows of the two bodies; of a wall its number.
    fn rows(touch: &Self::Touch, space: &Space) -> [u32; 2];

    /// Puts the two pieces of each contact into a lane, their bodies, and the constants of their materials: at most as many
    /// contacts as there are lanes.
    fn gather(block: &mut Block, touches: &[Self::Touch], keys: &[Key], space: &Space, physics: Physics<'_>);

    /// As [`gather`](Self::gather), for whoever asks for the places of pieces and bodies alone.
    fn gather_places(
        block: &mut Block,
        touches: &[Self::Touch],
        keys: &[Key],
        space: &Space,
        physics: Physics<'_>,
    );

    /// Has the processor fetch what a contact is gathered from, where that is far apart.
    #[inline(always)]
    fn prefetch(_key: Key, _space: &Space) {}

    /// The geometry of all lanes, from the pieces in them.
    fn compute(block: &mut Block, set: InstructionSet);

    /// The geometry of one contact.
    fn geometry(touch: &Self::Touch, space: &Space) -> Geometry<f64>;

    /// The two bodies of a contact, the second where its nearest image is. Of a wall, the point that is touched.
    fn sides(touch: &Self::Touch, space: &Space) -> [Side<f64>; 2];

    /// Where the second of them is.
    fn position_b(touch: &Self::Touch, space: &Space) -> LabVec<f64>;

    /// How far the two of a contact reach into each other now, m.
    fn overlap(key: Key, space: &Space, physics: Physics<'_>) -> f64;

    /// The radius of the smaller piece of a contact, m.
    fn smaller_radius(key: Key, space: &Space) -> f64;

    /// The key of a touch.
    #[inline(always)]
    fn key(touch: &Self::Touch, space: &Space) -> Key {
        let ([place, feature], [a, b]) = (Self::place(touch), Self::rows(touch, space));
        Key { place, feature, a, b }
    }

    /// The materials of the two.
    #[inline(always)]
    fn materials([a, b]: [u32; 2], space: &Space) -> [u16; 2] {
        let other = if Self::WITH_WALLS {
            space.walls[b as usize].material.0
        } else {
            space.bodies.material[b as usize]
        };
        [space.bodies.material[a as usize], other]
    }
}

/// How far the two of a contact reach into each other, m.
pub(crate) fn overlap(space: &Space, physics: Physics<'_>, key: Key, with_wall: bool) -> f64 {
    if with_wall { OnWalls::overlap(key, space, physics) } else { Spheres::overlap(key, space, physics) }
}

/// Effective radius and overlap of a contact, m.
pub(crate) fn radius_and_overlap(space: &Space, physics: Physics<'_>, key: Key, with_wall: bool) -> [f64; 2] {
    if with_wall {
        return [OnWalls::smaller_radius(key, space), OnWalls::overlap(key, space, physics)];
    }
    let geometry = Spheres::geometry(&key.place, space);
    [geometry.radius, geometry.overlap]
}

/// How many features contacts with these names can have.
pub(crate) fn features(name: &Name, walls: &[Wall]) -> u32 {
    let [b, _] = name.b;
    if name.with_wall { OnWalls::features(b, walls) } else { Spheres::features(b, walls) }
}

/// The radius of the smaller piece of a contact, m.
pub(crate) fn smaller_radius(space: &Space, key: Key, with_wall: bool) -> f64 {
    if with_wall { OnWalls::smaller_radius(key, space) } else { Spheres::smaller_radius(key, space) }
}

/// The touches of a segment one by one, of whichever kind.
pub(super) trait Touches {
    fn geometry(&self, index: usize) -> Geometry<f64>;
    fn sides(&self, index: usize) -> [Side<f64>; 2];
    fn position_b(&self, index: usize) -> LabVec<f64>;
    fn materials(&self, index: usize) -> [u16; 2];
}

/// Those of one kind.
pub(super) struct Found<'a, N: NarrowPhase> {
    pub(super) touches: &'a [N::Touch],
    pub(super) space: &'a Space,
}

impl<N: NarrowPhase> Touches for Found<'_, N> {
    fn geometry(&self, index: usize) -> Geometry<f64> {
        N::geometry(&self.touches[index], self.space)
    }

    fn sides(&self, index: usize) -> [Side<f64>; 2] {
        N::sides(&self.touches[index], self.space)
    }

    fn position_b(&self, index: usize) -> LabVec<f64> {
        N::position_b(&self.touches[index], self.space)
    }

    fn materials(&self, index: usize) -> [u16; 2] {
        N::materials(N::rows(&self.touches[index], self.space), self.space)
    }
}

/// Whether keys have the contact at a place with a feature.
pub(super) fn has(keys: &[Key], [place, feature]: [u32; 2]) -> bool {
    keys.binary_search_by_key(&(place, feature), |key| (key.place, key.feature)).is_ok()
}

/// A body as it is at the instant of the force.
fn side(bodies: &Bodies, row: usize) -> Side<f64> {
    let (kind, body) = (bodies.kind(row), &bodies.at_force[row]);
    Side {
        position: LabVec::from_array(body.position),
        velocity: LabVec::from_array(body.velocity),
        omega: LabVec::from_array(body.omega),
        q: Quat::from_array(body.q),
        inverse_moments: BodyVec::from_array(kind.inverse),
        inverse_mass: kind.inverse_mass,
    }
}

/// Puts the constants of a pair of materials into a lane, if they are not there.
#[inline(always)]
fn set_pair(block: &mut Block, lane: usize, [a, b]: [u16; 2], physics: Physics<'_>) {
    let index = usize::from(a) * physics.pairs.materials + usize::from(b);
    // Of at most 65 535 materials.
    let number = index32(index);
    if block.pair_of[lane] != number {
        block.pair_of[lane] = number;
        for (column, constant) in block.constants.iter_mut().zip(physics.pairs.row(index)) {
            column[lane] = *constant;
        }
    }
}
