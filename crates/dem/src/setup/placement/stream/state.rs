//! What a stream remembers, as bytes.
//!
//! | bytes | |
//! | --- | --- |
//! | 0–7 | `TmbStrm2`, the last digit the version |
//! | 8–15 | bodies that came in |
//! | 16–23 | their mass in kg, as a number of double precision |
//! | 24–31 | state of the generator of places |
//! | 32–39 | checksum of all before: FNV-1a of 64 bits |
//!
//! Numbers are little-endian.

use core::fmt;

/// All that changes in a stream while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StreamState {
    /// How many bodies came in.
    pub inserted: u64,
    /// Their mass, kg.
    pub mass: f64,
    /// The state of the generator that places are drawn from.
    pub random: u64,
}

/// Bytes that are not the state of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamStateError {
    /// There are more or fewer bytes than a state has.
    Length(usize),
    /// They do not begin as a state does.
    NotAState,
    /// The state was written by another version.
    Version(u8),
    /// Some bytes changed since they were written.
    Damaged,
}

const MAGIC: [u8; 7] = *b"TmbStrm";
const VERSION: u8 = b'2';

impl StreamState {
    /// How many bytes a state has.
    pub const BYTES: usize = 40;

    /// The state as bytes.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..7].copy_from_slice(&MAGIC);
        bytes[7] = VERSION;
        bytes[8..16].copy_from_slice(&self.inserted.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.mass.to_bits().to_le_bytes());
        bytes[24..32].copy_from_slice(&self.random.to_le_bytes());
        let sum = checksum(&bytes[..32]);
        bytes[32..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The state of these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StreamStateError> {
        let bytes: &[u8; Self::BYTES] =
            bytes.try_into().map_err(|_| StreamStateError::Length(bytes.len()))?;
        if bytes[..7] != MAGIC {
            return Err(StreamStateError::NotAState);
        }
        if bytes[7] != VERSION {
            return Err(StreamStateError::Version(bytes[7]));
        }
        let number = |at: usize| u64::from_le_bytes(core::array::from_fn(|k| bytes[at + k]));
        let mass = f64::from_bits(number(16));
        if number(32) != checksum(&bytes[..32]) || !mass.is_finite() {
            return Err(StreamStateError::Damaged);
        }
        Ok(Self { inserted: number(8), mass, random: number(24) })
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

impl fmt::Display for StreamStateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(bytes) => {
                write!(f, "the state of a stream has {} bytes, not {bytes}", StreamState::BYTES)
            }
            Self::NotAState => write!(f, "these bytes are not the state of a stream"),
            Self::Version(version) => write!(
                f,
                "the state of the stream has the version {:?}; this program reads {:?}",
                char::from(*version),
                char::from(VERSION)
            ),
            Self::Damaged => write!(f, "the state of the stream is damaged: its checksum does not fit"),
        }
    }
}

impl std::error::Error for StreamStateError {}
