//! A program that is launched several times at once says so, instead of doing the same several times: once, with exit code 2, before
//! anything is written.

use crate::common::{DROP, Folder};
use std::fs;
use std::process::{Command, Output};

fn launched(folder: &Folder, rank: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tumble"))
        .args(arguments)
        .current_dir(&folder.0)
        .env("PMI_SIZE", "3")
        .env("PMI_RANK", rank)
        .output()
        .unwrap()
}

#[test]
fn the_first_of_several_processes_says_why_none_does_anything() {
    let folder = Folder::new("launched");
    fs::write(folder.0.join("drop.toml"), DROP).unwrap();
    // With MPI, other processes would be waited for.
    let shared: &[&[&str]] = if cfg!(feature = "mpi") {
        &[]
    } else {
        &[&["run", "drop.toml"], &["sweep", "drop.toml", "--seeds", "2"]]
    };
    for arguments in [&[&["check", "drop.toml"][..], &["info", "drop.toml"]], shared].concat() {
        let [first, other] = ["0", "2"].map(|rank| launched(&folder, rank, arguments));
        assert_eq!([&first, &other].map(|output| output.status.code()), [Some(2); 2], "{first:?}");
        let said = String::from_utf8(first.stderr).unwrap();
        assert!(said.starts_with("error: 3 processes were launched, and would all do the same"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(first.stdout.is_empty() && other.stdout.is_empty() && other.stderr.is_empty(), "{other:?}");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
}
