//! What rank 0 tells ranks in other processes to do, as bytes.

use super::link::{of_bytes, to_bytes};
use super::ownership::Ownership;
use super::part::AllBodies;

/// Steps to be done.
#[derive(Debug)]
pub(super) struct Order {
    /// The last of them.
    pub(super) last: u64,
    /// From where, if not from where ranks are.
    pub(super) begin: Option<Beginning>,
}

/// All that a rank has to know beside its bodies.
#[derive(Debug)]
pub(super) struct Beginning {
    /// What was passed on by whoever set the first engine up.
    pub(super) note: Vec<u8>,
    /// See [`outline`](crate::Engine::outline).
    pub(super) outline: Vec<u8>,
    pub(super) ownership: Ownership,
    pub(super) all: AllBodies,
}

impl Order {
    /// There are no more.
    pub(super) const END: &[u8] = &[];

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.last.to_le_bytes().to_vec();
        if let Some(Beginning { note, outline, ownership, all }) = &self.begin {
            for part in [note, outline, &to_bytes(all.to_numbers()), &to_bytes(ownership.to_numbers())] {
                out.extend((part.len() as u64).to_le_bytes());
                out.extend(part);
            }
        }
        out
    }

    /// None if there is nothing more to do.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let (last, mut rest) = bytes.split_first_chunk()?;
        let last = u64::from_le_bytes(*last);
        if rest.is_empty() {
            return Some(Self { last, begin: None });
        }
        let mut part = || {
            let (length, after) = rest.split_first_chunk()?;
            let (part, after) = after.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
            rest = after;
            Some(part)
        };
        let (note, outline) = (part()?.to_vec(), part()?.to_vec());
        let all: Vec<f64> = of_bytes(part()?).collect();
        let ownership: Vec<f64> = of_bytes(part()?).collect();
        let all = AllBodies::of_numbers(all.try_into().ok()?);
        Some(Self {
            last,
            begin: Some(Beginning { note, outline, ownership: Ownership::of_numbers(&ownership), all }),
        })
    }
}
