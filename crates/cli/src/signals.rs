//! Ctrl-C and SIGTERM: the first asks a run to end in good order, a second one ends the program at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether someone asked the program to end. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
}

impl Interrupt {
    /// Catches Ctrl-C and SIGTERM from now on, for the rest of the program.
    ///
    /// After a first signal, a second one of either kind ends the program with the exit code of its shell
    /// convention: 130 for Ctrl-C, 143 for SIGTERM.
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order, or the first signal would find the request that it has just made.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupt.requested))?;
            flag::register(signal, Arc::clone(&interrupt.requested))?;
        }
        Ok(interrupt)
    }

    /// One that no signal raises.
    pub fn never() -> Self {
        Self::default()
    }

    /// Whether the program was asked to end.
    pub fn requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Asks the program to end, as a signal does.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }
}
