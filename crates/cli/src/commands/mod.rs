//! The commands, one file or folder each: its options, which are its help, and what it does.

pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod info;
pub(crate) mod laws;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod schemes;
pub(crate) mod study;
