//! Every path that a document names in backticks exists: pages that describe a tree rot unless checked.

use crate::{Failure, root};

const DOCUMENTS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

pub(crate) fn check() -> Result<(), Failure> {
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let text = std::fs::read_to_string(root().join(document)).map_err(|e| format!("{document}: {e}"))?;
        for (number, line) in text.lines().enumerate() {
            for path in paths(line) {
                if !root().join(path).exists() {
                    missing.push(format!("{document}:{}: `{path}` does not exist", number + 1));
                }
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n").into()) }
}

/// What stands in backticks and looks like a path from the root: a first folder that exists, and a slash.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|text| {
        let first = text.split('/').next().unwrap_or_default();
        text.contains('/') && !text.contains([' ', '<', '*', '{']) && root().join(first).is_dir()
    })
}
