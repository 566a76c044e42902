//! Every test that a document or another test names in backticks exists, and every command that a document tells
//! people to run.

use crate::documented_paths::{documents, list};
use crate::{Failure, USAGE, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(crate) fn check() -> Result<(), Failure> {
    let mut sources = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root().join(folder), &mut sources)?;
    }
    let mut functions = BTreeSet::new();
    let mut pages = Vec::new();
    for path in sources {
        let text = std::fs::read_to_string(&path)?;
        functions.extend(defined(&text).map(str::to_owned));
        if path.components().any(|part| part.as_os_str() == "tests") {
            pages.push((path, text));
        }
    }
    for path in documents()? {
        let text = std::fs::read_to_string(&path)?;
        pages.push((path, text));
    }
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        let name = path.strip_prefix(root()).unwrap_or(path).display();
        for (number, line) in (1..).zip(text.lines()) {
            let tests = tests(line).filter(|test| !functions.contains(*test));
            wrong.extend(tests.map(|test| format!("{name}:{number}: there is no test `{test}`")));
            if path.extension().is_some_and(|kind| kind == "md") {
                wrong.extend(problem(line).map(|problem| format!("{name}:{number}: {problem}")));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// All Rust files below a folder.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in list(folder)? {
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            sources.push(path);
        }
    }
    Ok(())
}

/// The names of functions.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    let named = |line: &str| line.split_once("fn ").map(|(_, rest)| rest.len());
    text.lines().filter_map(move |line| {
        let rest = &line[line.len() - named(line)?..];
        rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|name| !name.is_empty())
    })
}

/// What stands in backticks and can only be the name of a test: a sentence with underscores.
fn tests(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).filter(|text| {
        text.matches('_').count() >= 4
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    })
}

/// What is wrong with the commands of a line: `cargo xtask NAME`, `cargo test -p PACKAGE --test FILE`.
fn problem(line: &str) -> Option<String> {
    let words: Vec<&str> =
        line.split([' ', '`', '(', ')', ',', ';']).filter(|word| !word.is_empty()).collect();
    for (at, pair) in words.windows(2).enumerate() {
        if pair == ["cargo", "xtask"] {
            let command = words.get(at + 2).map_or("", |word| word.trim_end_matches(['.', ':', '*']));
            let known = USAGE.lines().any(|line| line.trim_start().split(' ').next() == Some(command));
            if !known && command.chars().all(|c| c.is_ascii_lowercase()) && !command.is_empty() {
                return Some(format!("there is no command `cargo xtask {command}`"));
            }
        }
        if pair[0] == "--test" && words.contains(&"cargo") {
            // The nearest before it: a line can have several commands.
            let package = words[..at].windows(2).rev().find(|pair| pair[0] == "-p")?[1];
            let folder = root().join("crates").join(package.trim_start_matches("tumble-")).join("tests");
            let file = folder.join(pair[1].trim_end_matches(['.', ':'])).with_extension("rs");
            if !file.is_file() {
                return Some(format!("`{}` has no test file {}", package, pair[1]));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{defined, problem, tests};

    #[test]
    fn names_and_commands_that_do_not_exist_are_noticed() {
        let line = "see `a_test_with_a_name_of_its_own`, `two_words` and `crates/dem/tests/order.rs`";
        assert_eq!(tests(line).collect::<Vec<_>>(), ["a_test_with_a_name_of_its_own"]);
        let source = "#[test]\nfn a_test_with_a_name_of_its_own() {\n}\npub(crate) fn other<T>(x: T) {}\n";
        assert_eq!(defined(source).collect::<Vec<_>>(), ["a_test_with_a_name_of_its_own", "other"]);
        assert_eq!(problem("run `cargo xtask test`, which"), None);
        assert!(problem("run `cargo xtask tset`").is_some());
        assert_eq!(problem("`cargo test -p tumble-rotation --test order`; it"), None);
        assert_eq!(
            problem(
                "`cargo test -p tumble-rotation --test order`, `cargo test -p tumble-dem --test suite law`"
            ),
            None
        );
        assert!(problem("`cargo test -p tumble-rotation --test ordre`").is_some());
    }
}
