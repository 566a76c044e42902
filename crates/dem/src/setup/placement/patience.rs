//! Placing that can be given up: a crowd can take minutes to pack, and somebody may not want to wait.

use core::cell::{Cell, RefCell};

/// Asked whether it is enough.
type Ask = Box<dyn FnMut() -> bool>;

thread_local! {
    static ASK: RefCell<Option<Ask>> = const { RefCell::new(None) };
    /// How often nobody was asked since the last time.
    static SINCE: Cell<u32> = const { Cell::new(0) };
    static OVER: Cell<bool> = const { Cell::new(false) };
}

/// So many places are tried between two questions.
const BETWEEN: u32 = 256;

/// Does some work, and has whatever it places on this thread ask now and then whether it is enough. Once `enough` says so,
/// placing ends with [`PlacementError::Interrupted`](super::PlacementError::Interrupted).
pub fn interruptible<T>(enough: impl FnMut() -> bool + 'static, work: impl FnOnce() -> T) -> T {
    /// Puts back what was there, also if the work panics.
    struct Before(Option<Ask>, bool);
    impl Drop for Before {
        fn drop(&mut self) {
            ASK.set(self.0.take());
            OVER.set(self.1);
        }
    }
    let _before = Before(ASK.replace(Some(Box::new(enough))), OVER.replace(false));
    work()
}

/// Whether whoever [waits](interruptible) has had enough, asked after every few calls: for loops that place bodies one by one.
pub fn is_over() -> bool {
    let since = SINCE.get() + 1;
    SINCE.set(since % BETWEEN);
    since == BETWEEN && is_over_now()
}

/// The same, asked at once.
pub(super) fn is_over_now() -> bool {
    if !OVER.get() {
        // While it is being asked it places nothing.
        let said =
            ASK.with(|ask| ask.try_borrow_mut().is_ok_and(|mut ask| ask.as_mut().is_some_and(|ask| ask())));
        OVER.set(said);
    }
    OVER.get()
}

/// Whether whoever waits had enough the last time anybody was asked: what was placed, read or compared is then not all of it.
pub fn was_over() -> bool {
    OVER.get()
}
