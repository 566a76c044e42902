//! An engine spread over ranks: each has some of the bodies, and all together have the bits of one that has them all.
//!
//! ```text
//!            ┌────────── RankedEngine: the whole state between steps, a Solver as any other ─────────┐
//!            │ scatter                                                                        gather │
//!            ▼                                                                                       │
//! every rank   own rows ─▶ move ─▶ ghosts ─▶ longest way ─▶ (new lists) ─▶ contacts ─▶ walls, fields │
//!                                 exchange    maxima         together      by both owners            │
//! ```
//! *Order, ownership and memory are three things.* Sums on a body go by the order that each body carries, its place on a curve and
//! its id; who owns a body decides where that is computed, and rows where it lies. All partners of an own body are on its rank,
//! as own bodies or as ghosts, so each sum has the terms and the order that it has on one process. Ghosts are whole bodies.
//! A contact across a border is evaluated by both owners, with the same numbers, so that nothing is sent back; its history travels by
//! name with the bodies that it belongs to. What is added up over all bodies is exact, and decisions are made on maxima and counts
//! of all. So no result knows where borders are, and bodies may be given to whichever rank has the least to do.
//!
//! Ranks are threads of this process, or processes of their own that do what the first one says ([`Worker`]): the engine knows others
//! as [`Peers`] and nothing else of them.
//!
//! Whatever is not a step, such as looking, changing and saving, is done by one engine that is given the state of all bodies. It
//! also does the few steps in which a wall comes or goes; and where a rank finds that something went wrong, it goes the same way
//! again from the last good state and tells what, so that messages are the same, too.

mod build;
mod channels;
mod costs;
mod crew;
mod engine;
mod exact;
mod fields;
mod ghosts;
mod link;
mod liquid;
mod order;
mod ownership;
mod part;
mod peers;
mod processes;
mod worker;

pub use channels::Channels;
pub use costs::RankCosts;
pub use engine::RankedEngine;
pub use peers::{Alone, Lost, Peers};
pub use processes::{Processes, all_ready};
pub use worker::Worker;
