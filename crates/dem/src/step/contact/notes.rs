//! How rows are shared out among threads while contacts are evaluated, and what threads note for each other's rows.

use super::sum::LateList;
use super::{NarrowPhase, Segment, SumRows, Work};
use crate::rows_by_id::index32;

/// What is noted for other rows, in a list for each stretch of them, so that nobody has to look for what concerns him.
pub(crate) struct Notes<'a> {
    /// Where the rows of each list end.
    ends: &'a [u32],
    lists: &'a mut [LateList],
}

impl Notes<'_> {
    /// Forgets what is in the lists from the step before.
    pub(super) fn clear(&mut self) {
        self.lists.iter_mut().for_each(LateList::clear);
    }

    /// Where to note what concerns a row.
    pub(super) fn list_for(&mut self, row: u32) -> &mut LateList {
        &mut self.lists[self.ends.partition_point(|&end| end <= row)]
    }

    /// How much is noted.
    pub(super) fn len(&self) -> usize {
        self.lists.iter().map(LateList::len).sum()
    }
}

/// Where the rows end that are the later ones in the pairs of so many segments each. The last part has the rows without
/// pairs, too.
pub(super) fn part_ends<B: NarrowPhase>(segments: &[Segment<B>], each: usize, rows: usize) -> Vec<u32> {
    let mut ends: Vec<u32> =
        segments.chunks(each).filter_map(|own| own.last()).map(|segment| index32(segment.rows)).collect();
    ends.pop();
    ends.push(index32(rows));
    ends
}

/// The rows of each part.
pub(super) fn rows_of<'a>(ends: &'a [u32], sums: &'a mut SumRows<'_>) -> impl Iterator<Item = SumRows<'a>> {
    let (first, acting, books) = (sums.first, &mut *sums.acting, sums.books.reborrow());
    let mut rest = Some(SumRows { first, acting, books, late: None });
    ends.iter().filter_map(move |&end| {
        let all = rest.take()?;
        let rows = (end - all.first) as usize;
        let (own, others) = all.split_at(rows);
        rest = Some(others);
        Some(own)
    })
}

/// Segments that belong together, so many of them, with the later rows of their pairs and lists for what they do to others.
pub(super) fn parts<'a, B: NarrowPhase>(
    segments: &'a mut [Segment<B>],
    each: usize,
    ends: &'a [u32],
    (late, noted_for): (&'a mut Vec<Vec<LateList>>, &'a [u32]),
    sums: &'a mut SumRows<'_>,
) -> Vec<Work<'a, B>> {
    late.resize_with(ends.len(), Vec::new);
    for lists in late.iter_mut() {
        lists.resize_with(noted_for.len(), LateList::default);
    }
    let of_parts = segments.chunks_mut(each).zip(rows_of(ends, sums)).zip(late);
    let part = |((own, mut sums), lists): ((&'a mut [Segment<B>], SumRows<'a>), &'a mut Vec<LateList>)| {
        sums.late = Some(Notes { ends: noted_for, lists });
        Work::Between(own, sums)
    };
    of_parts.map(part).collect()
}
