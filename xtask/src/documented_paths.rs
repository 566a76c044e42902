//! Every path that a document names in backticks exists: pages that describe a tree rot unless checked.

use crate::{Failure, root};
use std::path::{Path, PathBuf};

pub(crate) fn check() -> Result<(), Failure> {
    let mut missing = Vec::new();
    for document in documents()? {
        let text = std::fs::read_to_string(&document)?;
        let name = document.strip_prefix(root()).unwrap_or(&document).display().to_string();
        for (number, line) in text.lines().enumerate() {
            for path in paths(line) {
                if !root().join(path).exists() {
                    missing.push(format!("{name}:{}: `{path}` does not exist", number + 1));
                }
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n").into()) }
}

/// The Markdown files of the root, of `docs` and of `papers`.
pub(crate) fn documents() -> Result<Vec<PathBuf>, Failure> {
    let mut documents = Vec::new();
    let mut folders = vec![root().join("docs"), root().join("papers")];
    let mut entries: Vec<PathBuf> = list(root())?;
    while let Some(folder) = folders.pop() {
        entries.extend(list(&folder)?);
        folders.extend(list(&folder)?.into_iter().filter(|path| path.is_dir()));
    }
    documents.extend(entries.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "md")));
    documents.sort();
    Ok(documents)
}

/// What a folder holds, by name.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    entries.sort();
    Ok(entries)
}

/// What stands in backticks and looks like a path from the root: a first folder that exists, and a slash.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|text| {
        let first = text.split('/').next().unwrap_or_default();
        // `results` and `target` are made by running things.
        let made = first.is_empty() || ["results", "target"].contains(&first);
        text.contains('/') && !made && !text.contains([' ', '<', '*', '{']) && root().join(first).is_dir()
    })
}
