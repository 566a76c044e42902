//! The engine on graphics cards.
//!
//! | where | what |
//! | --- | --- |
//! | [`device`] | something that runs kernels: a card, or the processor in its place |

pub mod device;
