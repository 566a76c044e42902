//! What moves with all bodies together: walls that move by themselves, and a cell that deforms. Forces on them are exact sums, which are added up
//! over ranks as the integers that they are made of; so every rank moves them alike.

use super::link::Halt;
use super::part::Part;
use crate::contact::{WallLoad, sum_on_walls};
use tumble_math::ExactSum;

impl Part {
    /// Gives walls that move by themselves what all bodies do to them.
    pub(super) fn load_free_walls(&mut self) -> Result<(), Halt> {
        let walls = self.engine.free_walls();
        if walls.is_empty() {
            return Ok(());
        }
        let engine = &self.engine;
        let all = sum_on_walls(engine.contacts.iter().zip(engine.rules.groups.layouts()), &engine.space);
        let mut sums: Vec<ExactSum> = walls.iter().flat_map(|wall| all[*wall]).collect();
        self.add_exactly(&mut sums)?;
        for (wall, sums) in walls.into_iter().zip(sums.as_chunks().0) {
            self.engine.loads[wall] = WallLoad::of(sums);
        }
        Ok(())
    }

    /// Gives the cell what all bodies do to it.
    pub(super) fn load_cell(&mut self) -> Result<(), Halt> {
        let mut sums = self.engine.sums_on_cell();
        if !sums.is_empty() {
            self.add_exactly(&mut sums)?;
            self.engine.take_sums_on_cell(&sums);
        }
        Ok(())
    }

    /// Makes each sum that of all ranks. What is not finite is trouble.
    fn add_exactly(&mut self, sums: &mut [ExactSum]) -> Result<(), Halt> {
        self.trouble |= sums.iter().any(|sum| sum.to_limbs().1.to_bits() != 0);
        let mut words: Vec<u64> =
            sums.iter().flat_map(|sum| sum.to_limbs().0).map(i64::cast_unsigned).collect();
        self.link.sums(&mut words)?;
        for (sum, words) in sums.iter_mut().zip(words.as_chunks().0) {
            *sum = ExactSum::of_limbs(words.map(u64::cast_signed));
        }
        Ok(())
    }
}
