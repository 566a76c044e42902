//! What measures remember, as little-endian bytes in checkpoints.

/// Puts a whole number.
pub(crate) fn put_count(count: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(&count.to_le_bytes());
}

/// Puts a number, with all its bits.
pub(crate) fn put_number(number: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(&number.to_le_bytes());
}

/// Bytes that are being read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(pub(crate) &'a [u8]);

impl Input<'_> {
    pub(crate) fn count(&mut self) -> Option<u64> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*taken))
    }

    pub(crate) fn number(&mut self) -> Option<f64> {
        self.count().map(f64::from_bits)
    }

    /// A length, if so many items of this many bytes can follow.
    pub(crate) fn length(&mut self, bytes: usize) -> Option<usize> {
        let length = usize::try_from(self.count()?).ok()?;
        (length.checked_mul(bytes)? <= self.0.len()).then_some(length)
    }
}
