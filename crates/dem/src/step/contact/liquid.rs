//! The volumes of liquid bridges, which stand with what contacts remember.

use super::narrow::NarrowPhase;
use super::{Contacts, Kept, Key, Name, Segment};
use crate::engine::Space;
use tumble_math::elementary::cbrt;

/// Where a contact is among those of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BridgePlace {
    with_wall: bool,
    segment: usize,
    index: usize,
}

/// What is remembered of a bridge in its first step, in which its volume is not known.
pub(crate) const PENDING: f64 = -1.0;

impl Space {
    /// What the memory of a contact that begins has in the place of a volume.
    pub(super) fn first_volume(&self, key: Key, with_wall: bool) -> f64 {
        let wet = |row: u32| self.bodies.film.get(row as usize).is_some_and(|film| *film > 0.0);
        if wet(key.a) || (!with_wall && wet(key.b)) { PENDING } else { 0.0 }
    }
}

impl<B: NarrowPhase> Contacts<B> {
    /// Whether all contacts are those of the step before, as far as lists have not been built between.
    pub(crate) fn are_the_same(&self) -> bool {
        let walls = self.with_walls.iter().all(|segment| segment.same);
        walls && self.between.iter().all(|segment| segment.same)
    }

    /// All contacts by name, with their places.
    pub(crate) fn places(&self, space: &Space, found: &mut Vec<(Name, BridgePlace)>) {
        let mut add = |with_wall: bool, segment: usize, kept: &Kept| {
            for (index, key) in kept.keys().iter().enumerate() {
                found.push((Name::of(*key, with_wall, space), BridgePlace { with_wall, segment, index }));
            }
        };
        self.between.iter().enumerate().for_each(|(number, segment)| add(false, number, &segment.kept));
        self.with_walls.iter().enumerate().for_each(|(number, segment)| add(true, number, &segment.kept));
    }

    fn kept_at(&self, place: BridgePlace) -> &Kept {
        if place.with_wall { &self.with_walls[place.segment].kept } else { &self.between[place.segment].kept }
    }

    /// The volume that a contact remembers, m³, from the column `at` on.
    pub(crate) fn bridge(&self, place: BridgePlace, at: usize) -> f64 {
        self.kept_at(place).remembered(place.index, at)
    }

    /// Has a contact remember a volume.
    pub(crate) fn set_bridge(&mut self, place: BridgePlace, at: usize, volume: f64) {
        let kept = if place.with_wall {
            &mut self.with_walls[place.segment].kept
        } else {
            &mut self.between[place.segment].kept
        };
        kept.set_remembered(place.index, at, [volume, cbrt(volume)]);
    }
}

impl<N: NarrowPhase> Segment<N> {
    /// Has a contact that begins remember whether there is liquid.
    #[inline]
    pub(super) fn wet(&mut self, index: usize, key: Key, at: usize, space: &Space) {
        let volume = space.first_volume(key, N::WITH_WALLS);
        self.kept.set_remembered(index, at, [volume; 2]);
    }
}
