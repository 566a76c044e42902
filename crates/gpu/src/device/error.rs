//! What can be wrong with a device, and what can go wrong on it.

use core::fmt;
use std::path::PathBuf;

/// A device that is not there, or work that it did not do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is no driver for cards, or it does not start.
    NoDriver {
        /// What was missing or what the driver said.
        reason: String,
    },
    /// No card has this number.
    NoSuchCard {
        /// Which was asked for, from zero.
        ordinal: usize,
        /// How many there are.
        count: usize,
    },
    /// The card is older than the kernels can be compiled for.
    TooOld {
        /// Its name.
        name: String,
        /// Its compute capability.
        capability: (u32, u32),
    },
    /// There is no compiler for kernels on cards.
    NoNvrtc {
        /// What was tried.
        reason: String,
    },
    /// There is no compiler for kernels on the processor.
    NoCompiler {
        /// What was tried.
        tried: Vec<String>,
    },
    /// A program is none.
    Compilation {
        /// What the compiler said.
        log: String,
    },
    /// Not enough memory.
    OutOfMemory {
        /// How much was asked for, bytes.
        asked: usize,
        /// How much there was, bytes, where it is known.
        free: Option<usize>,
    },
    /// More of a buffer than it has.
    OutOfBounds {
        /// Where it was to begin, bytes.
        offset: usize,
        /// How much was asked for, bytes.
        bytes: usize,
        /// How long the buffer is, bytes.
        length: usize,
    },
    /// The buffer is one of another device.
    ForeignBuffer,
    /// A kernel did not start or did not finish.
    Launch {
        /// Its name.
        kernel: String,
        /// Why.
        cause: String,
    },
    /// A call of the driver failed, perhaps because of work that was launched before.
    Driver {
        /// What was to be done.
        what: &'static str,
        /// What the driver said.
        cause: String,
    },
    /// A file for compiled kernels could not be written or loaded.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: String,
    },
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDriver { reason } => {
                write!(f, "there is no working NVIDIA driver on this machine: {reason}")
            }
            Self::NoSuchCard { ordinal, count: 0 } => {
                write!(f, "card {ordinal} was asked for, but the driver knows of none")
            }
            Self::NoSuchCard { ordinal, count: 1 } => {
                write!(f, "card {ordinal} was asked for, but there is only card 0")
            }
            Self::NoSuchCard { ordinal, count } => {
                write!(f, "card {ordinal} was asked for, but there are {count}, from 0 to {}", count - 1)
            }
            Self::TooOld { name, capability: (major, minor) } => write!(
                f,
                "{name} is too old: it has compute capability {major}.{minor}, and {}.{} is needed",
                super::OLDEST_CAPABILITY.0,
                super::OLDEST_CAPABILITY.1
            ),
            Self::NoNvrtc { reason } => write!(
                f,
                "the compiler for kernels, NVRTC, is missing: install the CUDA toolkit 12 or 13, or its package cuda-nvrtc alone ({reason})"
            ),
            Self::NoCompiler { tried } => write!(
                f,
                "there is no C++ compiler to emulate a card with: {} cannot be run",
                tried.join(", ")
            ),
            Self::Compilation { log } => write!(f, "the kernels cannot be compiled:\n{}", log.trim_end()),
            Self::OutOfMemory { asked, free: Some(free) } => {
                write!(f, "{asked} bytes of memory were asked for on the device, which has {free} left")
            }
            Self::OutOfMemory { asked, free: None } => {
                write!(f, "{asked} bytes of memory were asked for on the device, which has less")
            }
            Self::OutOfBounds { offset, bytes, length } => {
                write!(f, "{bytes} bytes from byte {offset} on are not within a buffer of {length} bytes")
            }
            Self::ForeignBuffer => write!(f, "the buffer belongs to another device"),
            Self::Launch { kernel, cause } => write!(f, "the kernel {kernel} failed: {cause}"),
            Self::Driver { what, cause } => write!(f, "the driver could not {what}: {cause}"),
            Self::File { path, cause } => write!(f, "{}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for DeviceError {}
