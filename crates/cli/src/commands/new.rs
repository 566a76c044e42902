//! `tumble new`: writes an example scene.

use crate::failure::Failure;
use crate::output::{self, name};
use crate::scene_file::typed_path;
use crate::values::{self, plain, unknown};
use clap::Args;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tumble::scene::{EXAMPLES, Example};

const AFTER_HELP: &str = "\
Examples:
  tumble new --list                                  which examples there are
  tumble new chess                                   writes chess.toml
  tumble new chess --out my/scene.toml";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Options {
    /// The example
    #[arg(
        value_name = "EXAMPLE",
        value_parser = values::named(example, example_names),
        hide_possible_values = true,
        required_unless_present = "list"
    )]
    example: Option<&'static Example>,

    /// Where to write it [default: EXAMPLE.toml in this folder]
    #[arg(long, value_name = "FILE", requires = "example")]
    out: Option<PathBuf>,

    /// Replace a file of that name
    #[arg(long)]
    force: bool,

    /// List the examples
    #[arg(long, conflicts_with = "example")]
    list: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let Some(example) = options.example else { return output::print(&list()) };
    let path = options.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.toml", example.name)));
    write(&path, example.text, options.force)?;
    let shown = path.display();
    let run = typed_path(&path);
    output::print(&format!("{shown} written: {}\nTry  tumble run {run}\n", example.description()))
}

/// Writes a file that is not there yet, unless told to replace it.
fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let Some(file) = path.file_name().and_then(|file| file.to_str()) else {
        return Err(Failure::BadInput(format!("--out {}: expected the name of a file", path.display())));
    };
    if path.is_dir() {
        return Err(Failure::BadInput(format!(
            "--out {0}: there is a folder of that name; name a file in it, such as {0}/{file}.toml",
            path.display()
        )));
    }
    if path.exists() && !force {
        return Err(Failure::BadInput(format!(
            "{} exists; choose another name with --out, or add --force to replace it",
            path.display()
        )));
    }
    tumble_report::save(path.parent().unwrap_or(Path::new("")), file, text)?;
    Ok(())
}

fn list() -> String {
    let width = EXAMPLES.iter().map(|example| example.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for example in EXAMPLES {
        let room = " ".repeat(width - example.name.len());
        let _ = writeln!(text, "{}{room}  {}", name(example.name), example.description());
    }
    text
}

fn example(text: &str) -> Result<&'static Example, String> {
    let wanted = plain(text.trim_end_matches(".toml"));
    Example::named(&wanted).ok_or_else(|| unknown("example", text, example_names().into_iter()))
}

fn example_names() -> Vec<&'static str> {
    EXAMPLES.iter().map(|example| example.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_says_what_it_shows_in_three_lines() {
        for example in EXAMPLES {
            let first: Vec<&str> = example.text.lines().take(4).collect();
            assert!(first[..3].iter().all(|line| line.starts_with("# ")), "{}", example.name);
            assert!(first[3].is_empty() && example.description().len() < 110, "{}", example.name);
            assert!(example.text.contains("\nversion = 1\n"), "{}", example.name);
        }
    }

    #[test]
    fn every_scene_of_the_repository_is_an_example() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let scenes = entries.filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
        let mut names: Vec<String> =
            scenes.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort_unstable();
        let mut known = example_names();
        known.sort_unstable();
        assert_eq!(names, known);
    }
}
