//! The contacts of a segment and what they remember, and how an old one is found again.

use super::Key;
use super::lanes::LaneTable;
use crate::physics::contact::Track;
use crate::record::Record;
use tumble_math::LabVec;

/// Contacts in the order of their keys, and what they remember.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) keys: Vec<Key>,
    /// The numbers of [`Remembered`](crate::physics::contact::Remembered); empty if the model remembers nothing.
    pub(crate) memory: LaneTable,
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Becomes a copy, in the room that it has.
    pub(super) fn copy(&mut self, of: &Self) {
        self.keys.clone_from(&of.keys);
        self.memory.copy(&of.memory);
    }

    /// Whether anything is allocated.
    pub(super) fn has_room(&self) -> bool {
        self.keys.capacity() > 0
    }

    /// What follows a contact.
    pub(super) fn track(&self, index: usize) -> Track<f64> {
        Track::read(&self.memory.row(index), 0)
    }

    /// The old contact that goes on as this one: the same place and feature. A sphere that slides from one
    /// part of a wall, which it leaves, onto the next takes along what it remembers, if the normal has not
    /// changed much.
    #[inline]
    pub(super) fn matching(
        &self,
        from: usize,
        key: Key,
        normal: [f64; 3],
        touched: impl Fn(u32) -> bool,
        taken: &[bool],
    ) -> Option<usize> {
        let mut other = None;
        for (index, (old, taken)) in self.keys.iter().zip(taken).enumerate().skip(from) {
            if old.place != key.place {
                break;
            }
            if old.feature == key.feature {
                return Some(index);
            }
            let similar = self.track(index).normal.dot(LabVec::from_array(normal)) > 0.9;
            if other.is_none() && similar && !taken && !touched(old.feature) {
                other = Some(index);
            }
        }
        other
    }
}
