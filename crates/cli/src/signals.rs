//! Ctrl-C and SIGTERM: the first asks a run to end in good order, a second one ends the program at once. SIGUSR1 asks a run that can be
//! resumed, as queues of computing centres do some time before its time is over.

use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether someone asked the program to end. Clones share the request.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    /// Whether that was the system and no person.
    by_system: Arc<AtomicBool>,
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
        flag::register(SIGTERM, Arc::clone(&interrupt.by_system))?;
        Ok(interrupt)
    }

    /// As [`catch`](Self::catch), and SIGUSR1 as well, any number of times: for what can be resumed.
    pub fn catch_to_resume() -> io::Result<Self> {
        let interrupt = Self::catch()?;
        flag::register(SIGUSR1, Arc::clone(&interrupt.by_system))?;
        flag::register(SIGUSR1, Arc::clone(&interrupt.requested))?;
        Ok(interrupt)
    }

    /// Takes notice of all of these signals, any number of times, and never ends by them: for a process that another one ends.
    pub fn catch_to_wait() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM, SIGUSR1] {
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

    /// Whether it was asked by the system, with SIGTERM or SIGUSR1, and not by a person.
    pub fn by_system(&self) -> bool {
        self.by_system.load(Ordering::SeqCst)
    }

    /// Asks the program to end, as a person does.
    pub fn request(&self) {
        self.requested.store(true, Ordering::SeqCst);
    }
}
