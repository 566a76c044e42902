//! The commands, one file or folder each: its options, which are its help, and what it does.

pub(crate) mod advise;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod clump;
pub(crate) mod completions;
pub(crate) mod export;
pub(crate) mod info;
pub(crate) mod laws;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod schemes;
pub(crate) mod study;
pub(crate) mod sweep;
pub(crate) mod verify;
pub(crate) mod view;
