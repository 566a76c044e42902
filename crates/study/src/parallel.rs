//! Independent pieces of work on all cores.

use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

/// `work` of every item, in the order of the items, whichever thread does it.
pub(crate) fn map<T: Sync, U: Send>(items: &[T], work: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
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

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_their_places() {
        let items: Vec<u64> = (0..1000).collect();
        let squares = super::map(&items, |n| n * n);
        assert!(squares.iter().zip(&items).all(|(square, n)| *square == n * n));
        assert_eq!(squares.len(), 1000);
        assert!(super::map(&[0_u8; 0], |_| 0).is_empty());
    }
}
