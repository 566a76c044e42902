//! Asking for memory before it is needed.
//!
//! Bodies that do not fit into the nearest caches come from far away in every step. A processor foresees which memory
//! comes next in a long row, but not across the many short rows of different tables that a step goes through.
#![allow(unsafe_code, reason = "the instruction takes an address")]

/// What a processor fetches at a time, bytes.
const LINE: usize = 64;

/// Has values fetched into the caches. Whatever is done next does not wait for them.
///
/// A processor takes on a few dozen requests at a time and may forget the rest, so a lot is best asked for table by
/// table, between other work.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T]) {
    let first = values.as_ptr().cast::<i8>();
    for offset in (0..size_of_val(values)).step_by(LINE) {
        // Into the second cache: the first holds little more than the present block.
        fetch_line::<false>(first.wrapping_add(offset));
    }
}

/// Has the value at a place fetched into the nearest cache, for whoever needs it soon.
#[inline(always)]
pub(crate) fn prefetch_soon<T>(values: &[T], place: u32) {
    let first = values.as_ptr().wrapping_add(place as usize).cast::<i8>();
    fetch_line::<true>(first);
    if size_of::<T>() > LINE / 2 {
        fetch_line::<true>(first.wrapping_add(size_of::<T>() - 1));
    }
}

/// Has a line fetched, into the nearest cache or only into the second one.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn fetch_line<const NEAREST: bool>(address: *const i8) {
    use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
    // SAFETY: nothing is read that the program could see, and any address will do.
    unsafe {
        if NEAREST { _mm_prefetch::<_MM_HINT_T0>(address) } else { _mm_prefetch::<_MM_HINT_T1>(address) }
    }
}

/// Nothing is known of other processors yet.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn fetch_line<const NEAREST: bool>(_: *const i8) {}
