//! Independent pieces of work on several threads.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// `work` of every item on all cores, in the order of the items, whichever thread does it.
pub(crate) fn map<T: Sync, U: Send>(items: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    map_on(cores(), items, work)
}

/// The same on this many threads.
pub(crate) fn map_on<T: Sync, U: Send>(
    threads: NonZero<usize>,
    items: &[T],
    work: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let threads = threads.get().min(items.len());
    let queue = Mutex::new(items.iter().enumerate());
    let take = || queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
    let mut done: Vec<(usize, U)> = thread::scope(|scope| {
        let worker = || {
            let mut done = Vec::new();
            while let Some((place, item)) = take() {
                done.push((place, work(item)));
            }
            done
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

/// How many threads the machine runs at once.
pub(crate) fn cores() -> NonZero<usize> {
    thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_places() {
        let items: Vec<u64> = (0..1000).collect();
        for threads in [1, 3, 2000] {
            let squares = map_on(NonZero::new(threads).unwrap(), &items, |n| n * n);
            assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
            assert_eq!(squares.len(), 1000);
        }
        assert!(map(&[0_u8; 0], |_| 0).is_empty());
    }
}
