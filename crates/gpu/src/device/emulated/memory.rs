//! Memory of the processor that kernels know by its address.
//!
//! It lies between bytes of a known value: a kernel that writes next to it is found out.
#![allow(unsafe_code, reason = "kernels write to it behind Rust's back")]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Where memory begins, as on a card: a multiple of so many bytes. As much is on either side of it.
const ALIGNMENT: usize = 256;
/// What surrounds memory.
const MARK: u8 = 0xb5;

/// Memory, with its surroundings.
#[derive(Debug)]
pub(super) struct Memory {
    first: NonNull<u8>,
    bytes: usize,
    layout: Layout,
}

// SAFETY: it is plain bytes. Those who touch them, kernels and the functions below, take turns by the lock of the device.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// So many bytes, all zero, unless there are not as many.
    pub(super) fn new(bytes: usize) -> Option<Self> {
        let all = bytes.checked_add(2 * ALIGNMENT)?;
        let layout = Layout::from_size_align(all, ALIGNMENT).ok()?;
        // SAFETY: the layout has at least the surroundings, hence a size that is not zero.
        let first = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        // Kernels make a pointer of the number again.
        let _ = first.as_ptr().expose_provenance();
        let memory = Self { first, bytes, layout };
        for place in memory.surroundings() {
            // SAFETY: surroundings lie within what was allocated, which nobody else knows yet.
            unsafe { memory.first.as_ptr().add(place).write_bytes(MARK, ALIGNMENT) };
        }
        Some(memory)
    }

    /// Where kernels find it.
    pub(super) fn address(&self) -> u64 {
        (self.first.as_ptr() as usize + ALIGNMENT) as u64
    }

    pub(super) fn write(&self, offset: usize, bytes: &[u8]) {
        let target = self.place(offset, bytes.len());
        // SAFETY: `place` has checked the bounds, and a buffer never overlaps memory that Rust knows as a slice.
        unsafe { target.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }

    pub(super) fn read(&self, offset: usize, bytes: &mut [u8]) {
        let source = self.place(offset, bytes.len());
        // SAFETY: as for `write`; every byte was set when the memory was allocated.
        unsafe { source.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
    }

    /// Whether nobody wrote next to the memory, or else what happened.
    pub(super) fn check_surroundings(&self) -> Result<(), String> {
        for place in self.surroundings() {
            let mut around = [0; ALIGNMENT];
            // SAFETY: surroundings lie within what was allocated.
            unsafe { self.first.as_ptr().add(place).copy_to_nonoverlapping(around.as_mut_ptr(), ALIGNMENT) };
            if let Some(at) = around.iter().position(|&byte| byte != MARK) {
                let (bytes, at) = (self.bytes, place + at);
                return Err(if at < ALIGNMENT {
                    format!(
                        "it, or one before it, wrote {} bytes before a buffer of {bytes} bytes",
                        ALIGNMENT - at
                    )
                } else {
                    let after = at - ALIGNMENT - bytes;
                    format!(
                        "it, or one before it, wrote {after} bytes after the end of a buffer of {bytes} bytes"
                    )
                });
            }
        }
        Ok(())
    }

    /// Where the bytes before and after the memory begin.
    fn surroundings(&self) -> [usize; 2] {
        [0, ALIGNMENT + self.bytes]
    }

    fn place(&self, offset: usize, bytes: usize) -> *mut u8 {
        assert!(offset.checked_add(bytes).is_some_and(|end| end <= self.bytes), "checked by the buffer");
        // SAFETY: within what was allocated, by the check above.
        unsafe { self.first.as_ptr().add(ALIGNMENT + offset) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, once.
        unsafe { dealloc(self.first.as_ptr(), self.layout) };
    }
}
