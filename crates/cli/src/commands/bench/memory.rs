//! What a run takes of the memory, where the system tells.

use std::fs;

/// Bytes that a run added to those of this process: now, and at most on the way. What an earlier run gave back, and the
/// allocator kept, is used again and does not count; so of several in a process the first tells most.
#[derive(Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) resident: Option<u64>,
    pub(super) peak: Option<u64>,
}

impl Memory {
    /// The process as it is now; from here on the peak counts.
    pub(super) fn begin() -> Self {
        // Has the system forget the peak so far. Where it cannot, there is no peak to tell.
        let forgotten = fs::write("/proc/self/clear_refs", "5").is_ok();
        let resident = bytes("VmRSS:");
        Self { resident, peak: resident.filter(|_| forgotten) }
    }

    /// What has come on top since then.
    pub(super) fn end(self) -> Self {
        let more = |now: Option<u64>, before: Option<u64>| Some(now?.saturating_sub(before?));
        Self { resident: more(bytes("VmRSS:"), self.resident), peak: more(bytes("VmHWM:"), self.peak) }
    }
}

/// A line of what Linux tells of this process.
fn bytes(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
