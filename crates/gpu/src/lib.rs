//! The engine on graphics cards: the same steps as the engine of the processor, with the same bits.
//!
//! | where | what |
//! | --- | --- |
//! | [`start`], [`Choice`] | an engine put where it was asked to run |
//! | [`CardEngine`] | an engine whose steps are done by a device |
//! | `card`, `table`, `world` | a world in the memory of a device, and so many steps of it |
//! | `source`, `kernels/` | its program: the physics of `tumble-dem` printed as C, and loops, lists and sums around it |
//! | [`device`] | something that runs kernels: a card, or the processor in its place |

mod card;
mod choice;
pub mod device;
mod engine;
mod source;
mod table;
mod world;

pub use choice::{Choice, Place, Started, UnknownDevice, check, look_for, open, start};
pub use engine::{CardEngine, Declined, Refused};
