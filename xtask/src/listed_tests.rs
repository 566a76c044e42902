//! Every test file is part of its crate's one test program: a file that `suite.rs` does not name would never run.

use crate::documented_paths::list;
use crate::{Failure, root};

pub(crate) fn check() -> Result<(), Failure> {
    let mut unlisted = Vec::new();
    for suite in list(&root().join("crates"))?.iter().map(|package| package.join("tests/suite.rs")) {
        let Ok(listed) = std::fs::read_to_string(&suite) else { continue };
        for path in list(suite.parent().unwrap_or(root()))? {
            let is_module =
                path.join("mod.rs").is_file() || path.extension().is_some_and(|kind| kind == "rs");
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if is_module && path != suite && !listed.contains(&format!("mod {name};")) {
                let file = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
                unlisted.push(format!("{file}: add `mod {name};` to suite.rs beside it"));
            }
        }
    }
    if unlisted.is_empty() { Ok(()) } else { Err(unlisted.join("\n").into()) }
}
