//! The tutorial of the book does what it says: its `sh` blocks are run in order, in one folder, with this program.
#![cfg(unix)]

use crate::common::Folder;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

const TUTORIAL: &str = include_str!("../../../docs/book/src/tutorial.md");

/// What stands between ```` ```sh ```` and ```` ``` ````, in order.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while lines.any(|line| line == "```sh") {
        blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
    }
    blocks
}

/// Runs a block, which must succeed, and gives all that it printed.
fn run(block: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_tumble")).parent().unwrap().to_owned();
    let before = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program].into_iter().chain(env::split_paths(&before))).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-e", "-u", "-o", "pipefail", "-c", block]).current_dir(folder).env("PATH", path);
    let output = shell.output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    assert!(output.status.success(), "{block}\nended with {}:\n{text}", output.status);
    text
}

#[test]
fn every_command_of_the_tutorial_does_what_is_said() {
    let folder = Folder::new("tutorial");
    let blocks = blocks(TUTORIAL);
    assert!(blocks.len() > 8 && blocks.iter().any(|block| block.contains("tumble run")), "{blocks:?}");
    let printed: Vec<(String, String)> = blocks
        .into_iter()
        .map(|block| {
            let text = run(&block, &folder.0);
            (block, text)
        })
        .collect();
    // What the text around a block promises of its output.
    for (command, expected) in [
        ("tumble new --list", "domino"),
        ("tumble check domino.toml", "no problems"),
        ("wrong.toml", "did you mean `density`?"),
        ("wrong.toml", "exit code 2"),
        ("tumble advise", "flat landing"),
        ("tumble info", "Row of dominoes"),
        ("head -n 3", "relative_balance_error"),
        ("cmp ", "the same bytes"),
        ("results/coarse", "longer than the adviser recommends"),
    ] {
        let outputs: Vec<&str> = printed
            .iter()
            .filter(|(block, _)| block.contains(command))
            .map(|(_, text)| text.as_str())
            .collect();
        assert!(outputs.iter().any(|text| text.contains(expected)), "{command}: {expected}: {outputs:?}");
    }
    for file in ["domino/energy.csv", "domino/report.html", "domino/vtk/spheres.pvd", "coarse/scene.toml"] {
        assert!(folder.0.join("results").join(file).is_file(), "{file}");
    }
    let table = fs::read_to_string(folder.0.join("rods.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 2 * 3, "{table}");
}

#[test]
fn only_blocks_marked_so_are_run() {
    let page = "a\n```sh\none\ntwo\n```\n```text\nno\n```\n```sh\nthree\n```\n";
    assert_eq!(blocks(page), ["one\ntwo", "three"]);
}
