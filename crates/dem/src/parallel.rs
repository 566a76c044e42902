//! Threads: how many there are, and how a range of rows is shared among them.
//!
//! No result may depend on the number of threads. Every piece of work writes its own rows only; what is
//! added up across rows is added up in the order of the bodies, or exactly.

use crate::columns::ROWS;
use crate::error::Error;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use rayon::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The threads of an engine.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    /// None for a single thread, which needs no pool.
    pool: Option<Arc<rayon::ThreadPool>>,
    count: usize,
}

impl Threads {
    /// The thread that asks.
    pub(crate) const ONE: Self = Self { pool: None, count: 1 };

    /// This many threads; 0 for as many as the machine has.
    pub(crate) fn new(count: usize) -> Result<Self, Error> {
        let count =
            if count == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { count };
        if count == 1 {
            return Ok(Self { pool: None, count });
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        let pool = pool.map_err(|error| Error::Threads { count, reason: error.to_string() })?;
        Ok(Self { pool: Some(Arc::new(pool)), count })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Into how many pieces to share out work. More than there are threads: one that is held up leaves the rest of
    /// its pieces to the others, and the last piece, for which all others wait, is short.
    pub(crate) fn pieces(&self) -> usize {
        8 * self.count
    }

    /// Runs `work` on one of the threads, so that what it shares out costs less.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Shares out something with rows, in ranges.
    pub(crate) fn split_rows<S: Send, T: Send>(
        &self,
        rows: S,
        len: impl Fn(&S) -> usize,
        split_at: impl Fn(S, usize) -> (S, S),
        work: impl Fn(S) -> T + Sync,
    ) -> Vec<T> {
        if self.count == 1 {
            return vec![work(rows)];
        }
        let each = len(&rows).div_ceil(self.pieces()).next_multiple_of(GRAIN);
        let mut pieces = Vec::with_capacity(self.pieces());
        let mut rest = rows;
        while len(&rest) > each {
            let (piece, others) = split_at(rest, each);
            pieces.push(piece);
            rest = others;
        }
        pieces.push(rest);
        self.share_out(pieces, work)
    }

    /// Shares out the numbers below `len` in ranges, and tells what each gave, in their order.
    pub(crate) fn split_range<T: Send>(
        &self,
        len: usize,
        work: impl Fn(Range<usize>) -> T + Sync + Send,
    ) -> Vec<T> {
        let split_at = |all: Range<usize>, at: usize| {
            let middle = all.start + at;
            (all.start..middle, middle..all.end)
        };
        self.split_rows(0..len, ExactSizeIterator::len, split_at, &work)
    }

    /// A list of what `make` gives for each number below `len`.
    pub(crate) fn collect<T: Send>(&self, len: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        if self.count == 1 {
            return (0..len).map(make).collect();
        }
        self.install(|| (0..len).into_par_iter().with_min_len(GRAIN).map(make).collect())
    }

    /// A list of what `work` gives for each item, which may take long.
    pub(crate) fn map<S: Sync, T: Send>(&self, items: &[S], work: impl Fn(&S) -> T + Sync + Send) -> Vec<T> {
        if self.count == 1 {
            return items.iter().map(work).collect();
        }
        self.install(|| items.par_iter().map(work).collect())
    }

    /// What [`collect`](Self::collect) gives, written over a list of that length.
    pub(crate) fn fill<T: Send>(&self, list: &mut [T], make: impl Fn(usize) -> T + Sync + Send) {
        if self.count == 1 {
            return list.iter_mut().enumerate().for_each(|(index, item)| *item = make(index));
        }
        self.install(|| {
            let items = list.par_iter_mut().with_min_len(GRAIN).enumerate();
            items.for_each(|(index, item)| *item = make(index));
        });
    }

    /// Sorts a list of things whose keys all differ, so that there is one order that they can have.
    pub(crate) fn sort_by_key<T: Send, K: Ord>(&self, list: &mut [T], key: impl Fn(&T) -> K + Sync + Send) {
        if self.count == 1 {
            list.sort_unstable_by_key(key);
        } else {
            self.install(|| list.par_sort_unstable_by_key(key));
        }
    }

    /// Puts lists one after the other into another one, whose memory is used again. `change` may change what it is handed
    /// with the number of its list.
    pub(crate) fn join<T: Copy + Default + Send + Sync>(
        &self,
        lists: &[&[T]],
        into: &mut Vec<T>,
        change: impl Fn(usize, T) -> T + Sync + Send,
    ) {
        into.resize(lists.iter().map(|list| list.len()).sum(), T::default());
        let mut rest = into.as_mut_slice();
        let mut places = Vec::with_capacity(lists.len());
        for (number, list) in lists.iter().enumerate() {
            let (own, others) = rest.split_at_mut(list.len());
            rest = others;
            places.push((number, own));
        }
        self.for_each(&mut places, |(number, own)| {
            for (place, &item) in own.iter_mut().zip(lists[*number]) {
                *place = change(*number, item);
            }
        });
    }

    /// Calls `work` for each item, on all threads.
    pub(crate) fn for_each<S: Send>(&self, items: &mut [S], work: impl Fn(&mut S) + Sync) {
        if self.count == 1 || items.len() <= 1 {
            items.iter_mut().for_each(work);
        } else {
            self.share_out(items.iter_mut().collect(), work);
        }
    }

    /// Calls `work` for each item, on all threads, and tells what it gave, in their order.
    ///
    /// Each thread begins with a part of its own, which is the same in every step as long as there are as many items: what
    /// it works on is still in its cache. Then it helps the others.
    fn share_out<S: Send, T: Send>(&self, items: Vec<S>, work: impl Fn(S) -> T + Sync) -> Vec<T> {
        if self.count == 1 || items.len() <= 1 {
            return items.into_iter().map(work).collect();
        }
        let count = self.count;
        let part = |thread: usize| thread * items.len() / count..(thread + 1) * items.len() / count;
        let parts: Vec<Part> = (0..count)
            .map(part)
            .map(|part| Part { next: AtomicUsize::new(part.start), end: part.end })
            .collect();
        let places: Vec<Mutex<Place<S, T>>> =
            items.into_iter().map(|item| Mutex::new(Place::Waits(item))).collect();
        let go_through = |part: &Part| {
            while let Some(place) = part.take().and_then(|number| places.get(number)) {
                // Nobody else has this number, so nobody waits.
                let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                if let Place::Waits(item) = core::mem::replace(&mut *place, Place::Taken) {
                    *place = Place::Done(work(item));
                }
            }
        };
        let help = || {
            let (others, own) = parts.split_at(rayon::current_thread_index().unwrap_or(0) % count);
            own.iter().chain(others).for_each(go_through);
        };
        // Whoever wakes up too late finds nothing to do, and nobody waits for it.
        self.install(|| {
            rayon::scope(|scope| {
                (1..count).for_each(|_| scope.spawn(|_| help()));
                help();
            });
        });
        let done = places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner));
        done.filter_map(|place| if let Place::Done(gave) = place { Some(gave) } else { None }).collect()
    }
}

/// A part of what is shared out.
///
/// Alone in its cache lines, of which processors fetch two at a time.
#[repr(align(128))]
struct Part {
    next: AtomicUsize,
    end: usize,
}

impl Part {
    /// The number of an item that nobody has taken.
    fn take(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end).then_some(number)
    }
}

/// Where an item stands, and then what came of it.
enum Place<S, T> {
    Waits(S),
    Taken,
    Done(T),
}

/// Threads get whole chunks of rows.
const GRAIN: usize = ROWS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_out_comes_back_in_order() {
        for count in [1, 2, 5] {
            let threads = Threads::new(count).unwrap();
            for length in [0, 1, 127, 128, 5000] {
                let expected: Vec<usize> = (0..length).map(|k| 3 * k).collect();
                assert_eq!(threads.collect(length, |k| 3 * k), expected);
                assert_eq!(threads.map(&(0..length).collect::<Vec<_>>(), |k| 3 * k), expected);
                let mut filled = vec![1; length];
                threads.fill(&mut filled, |k| 3 * k);
                assert_eq!(filled, expected);
                let ranges = threads.split_range(length, |range| range.map(|k| 3 * k).collect::<Vec<_>>());
                assert_eq!(ranges.concat(), expected);
                // 4999 has no divisor in common with any of the lengths.
                let mut sorted: Vec<usize> = (0..length).map(|k| 3 * (k * 4999 % length)).collect();
                threads.sort_by_key(&mut sorted, |&k| k);
                assert_eq!(sorted, expected, "{count} threads, {length} numbers");
            }
        }
    }

    #[test]
    fn lists_are_joined_in_their_order() {
        let threads = Threads::new(3).unwrap();
        let mut joined = vec![9; 100];
        threads.join(&[&[1, 2][..], &[], &[3], &[4, 5, 6]], &mut joined, |list, number| 10 * list + number);
        assert_eq!(joined, [1, 2, 23, 34, 35, 36]);
        threads.join(&[], &mut joined, |_, number| number);
        assert!(joined.is_empty());
    }
}
