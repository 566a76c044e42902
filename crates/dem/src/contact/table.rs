//! The contacts of a segment and what they remember, and how an old one is found again.

use super::lanes::LaneTable;
use super::{Key, MEMORY, TURNING};

/// Contacts in the order of their keys, and what they remember.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) keys: Vec<Key>,
    /// Empty if the law remembers nothing.
    pub(crate) memory: LaneTable<MEMORY>,
    /// Empty if there is no rolling or twisting resistance.
    pub(crate) turning: LaneTable<TURNING>,
}

impl Table {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }
}

impl Table {
    /// Takes over what the contacts of a block remember.
    pub(super) fn recall_block(&mut self, from: &Self, block: usize) {
        if !self.memory.is_empty() {
            *self.memory.block_mut(block) = *from.memory.block(block);
        }
        if !self.turning.is_empty() {
            *self.turning.block_mut(block) = *from.turning.block(block);
        }
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
            let [x, y, z, ..] = self.memory.row(index);
            let similar = x * normal[0] + y * normal[1] + z * normal[2] > 0.9;
            if other.is_none() && similar && !taken && !touched(old.feature) {
                other = Some(index);
            }
        }
        other
    }
}
