//! What a run ran on.

use serde::{Deserialize, Serialize};
use std::fs;

/// A computer, as far as it tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, or its architecture.
    pub processor: String,
    /// Cores that the program may use.
    pub cores: usize,
    /// Memory, bytes.
    pub memory_bytes: Option<u64>,
    /// The operating system and its version.
    pub system: String,
}

impl Machine {
    /// This computer.
    pub fn this() -> Self {
        let named = |path: &str, key: &str| {
            let text = fs::read_to_string(path).ok()?;
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let line = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let kilobytes =
            named("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
        let system = [line("/proc/sys/kernel/ostype"), line("/proc/sys/kernel/osrelease")];
        let system = system.into_iter().collect::<Option<Vec<_>>>().map(|parts| parts.join(" "));
        Self {
            processor: named("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: kilobytes.map(|number| number * 1024),
            system: system.unwrap_or_else(|| std::env::consts::OS.into()),
        }
    }
}
