//! Which row a body is in, by its id.

use crate::error::Error;
use crate::parallel::Threads;

/// So many bodies can come in during a run, and so many spheres can be there at a time. The largest number itself
/// stands for none.
pub(crate) const MOST: usize = u32::MAX as usize;

/// The number of something of which there are at most [`MOST`]: whoever lets bodies in, or makes lists, asks for that.
#[inline(always)]
pub(crate) fn index32(index: usize) -> u32 {
    debug_assert!(index <= MOST, "{index} was let in");
    #[allow(clippy::cast_possible_truncation, reason = "at most MOST")]
    {
        index as u32
    }
}

/// A body that is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    id: u32,
    row: u32,
}

/// The ids of the bodies that are here. RowsById are given in ascending order and never again, so a list in their order
/// grows at its end, and has room for nothing but what is here, however many came and went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowsById {
    entries: Vec<Entry>,
    /// The next one to be given.
    next: u32,
}

impl RowsById {
    /// The bodies of these rows, if their ids are all different and given already.
    pub(crate) fn of(ids: &[u32], next: u32) -> Option<Self> {
        let mut all = Self { entries: Vec::with_capacity(ids.len()), next };
        all.assign(ids, &Threads::ONE);
        let distinct = all.entries.windows(2).all(|pair| pair[0].id < pair[1].id);
        (distinct && all.entries.last().is_none_or(|last| last.id < next)).then_some(all)
    }

    /// Names the next row.
    pub(crate) fn give(&mut self, row: u32) -> u32 {
        let id = self.next;
        self.entries.push(Entry { id, row });
        self.next += 1;
        id
    }

    /// Whether there are ids for so many more bodies.
    pub(crate) fn check_room(&self, more: usize) -> Result<(), Error> {
        if more <= MOST - self.next as usize {
            Ok(())
        } else {
            Err(Error::TooMany { what: "bodies", most: MOST })
        }
    }

    /// Takes the rows as they are now: some bodies may have gone, others lie elsewhere.
    pub(crate) fn assign(&mut self, ids: &[u32], threads: &Threads) {
        self.entries.clear();
        self.entries.extend((0..).zip(ids).map(|(row, &id)| Entry { id, row }));
        threads.sort_by_key(&mut self.entries, |entry| entry.id);
        self.entries.shrink_to(2 * ids.len());
    }

    /// The next id to be given.
    pub(crate) fn next(&self) -> u32 {
        self.next
    }

    /// The row of an id.
    #[inline]
    pub(crate) fn row(&self, id: u32) -> Option<usize> {
        let (first, last) = (self.entries.first()?.id, self.entries.last()?.id);
        if id < first || id > last {
            return None;
        }
        // Of the ids from the first to the last, so many are missing: where none are, there is one place to look at.
        let offset = (id - first) as usize;
        let missing = (last - first) as usize + 1 - self.entries.len();
        let (from, to) = (offset.saturating_sub(missing), (offset + 1).min(self.entries.len()));
        let found = self.entries[from..to].binary_search_by_key(&id, |entry| entry.id).ok()?;
        Some(self.entries[from + found].row as usize)
    }

    /// All rows, by ascending id.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.entries.iter().map(|entry| entry.row as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn rows_are_those_of_a_plain_search_while_bodies_come_and_go() {
        let mut random = Random::new(3);
        let (mut ids, mut rows) = (RowsById::default(), Vec::new());
        for round in 0..400_u32 {
            for _ in 0..random.bits() % 7 {
                let row = u32::try_from(rows.len()).unwrap();
                rows.push(ids.give(row));
            }
            // First in, first out; at random; and another order.
            rows.retain(|&id| match round % 3 {
                0 => id + 60 > ids.next(),
                1 => random.uniform() < 0.9,
                _ => true,
            });
            rows.sort_by_key(|id| id.wrapping_mul(0x9e37_79b9) >> 3);
            ids.assign(&rows, &Threads::ONE);
            for id in 0..ids.next() + 2 {
                assert_eq!(ids.row(id), rows.iter().position(|&other| other == id), "id {id}");
            }
            let by_id: Vec<u32> = ids.rows().map(|row| rows[row]).collect();
            assert!(by_id.is_sorted() && by_id.len() == rows.len());
            assert!(ids.entries.capacity() <= 2 * rows.len().max(8), "{}", ids.entries.capacity());
            assert_eq!(RowsById::of(&rows, ids.next()).as_ref(), Some(&ids));
        }
        assert!(ids.next() > 900 && rows.len() < 60, "{} of {}", rows.len(), ids.next());
    }

    #[test]
    fn ids_that_occur_twice_or_were_never_given_are_refused() {
        assert_eq!(RowsById::of(&[3, 1, 3], 9), None);
        assert_eq!(RowsById::of(&[3, 9], 9), None);
        assert!(RowsById::of(&[3, 8], 9).is_some());
    }

    #[test]
    fn there_are_as_many_as_there_are_numbers() {
        let ids = RowsById::of(&[], u32::MAX - 2).unwrap();
        assert_eq!(ids.check_room(2), Ok(()));
        let error = ids.check_room(3).unwrap_err();
        assert_eq!(error.to_string(), "too many bodies: at most 4294967295");
    }
}
