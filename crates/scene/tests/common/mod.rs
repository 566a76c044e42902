//! Scene files that the tests share.

use std::path::{Path, PathBuf};

/// The scene files of a folder of the tests, by name.
pub(crate) fn scenes(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths
}

/// What the comment lines `# key: …` of a scene say.
pub(crate) fn comments<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let head = format!("# {key}: ");
    text.lines()
        .take_while(|line| line.starts_with('#'))
        .filter_map(|line| line.strip_prefix(&head))
        .collect()
}
