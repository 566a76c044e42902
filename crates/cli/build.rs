//! Tells the program which commit and which compiler it was built from; reports of published numbers say so.
//!
//! It runs again when the commit or a source changes. Without a repository or `git` there is no commit.

use std::path::Path;
use std::process::{Command, Stdio};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let compiler = std::env::var("RUSTC").ok().and_then(|rustc| answer(&rustc, &["--version"]));
    if let Some(compiler) = compiler {
        println!("cargo::rustc-env=TUMBLE_COMPILER={compiler}");
    }
    // A package from elsewhere may lie in somebody's repository, whose commits are not ours.
    if !Path::new("../../.git").exists() {
        return;
    }
    // Every commit and checkout adds a line to this file.
    if let Some(log) = answer("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let crates = Path::new("..").read_dir().into_iter().flatten().flatten();
    for sources in crates.map(|entry| entry.path().join("src")).filter(|sources| sources.is_dir()) {
        println!("cargo::rerun-if-changed={}", sources.display());
    }
    if let Some(commit) = answer("git", &["describe", "--always", "--exclude=*", "--dirty"]) {
        println!("cargo::rustc-env=TUMBLE_COMMIT={commit}");
    }
}

/// The one line that a program answers, if it does.
fn answer(program: &str, words: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.trim();
    (output.status.success() && !line.is_empty()).then(|| line.to_owned())
}
