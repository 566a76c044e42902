//! Every command line of the README, of CONTRIBUTING and of the book is one that the program understands. None is run
//! here; those of the tutorial are, by `tutorial.rs`.

use std::path::{Path, PathBuf};

/// The lines `tumble …` of the blocks of commands, without what follows as a comment.
fn commands(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut language = None;
    // A line that ends with a backslash goes on with the next.
    let text = text.replace("\\\n", " ");
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("```") {
            language = if language.is_some() { None } else { Some(rest.trim().to_owned()) };
        } else if language.as_deref().is_some_and(|language| ["sh", "bash", "console"].contains(&language)) {
            let line = line.trim_start().trim_start_matches("$ ");
            let line = line.split(" #").next().unwrap_or_default().trim();
            if line.starts_with("tumble ") {
                found.push(line.to_owned());
            }
        }
    }
    found
}

/// As a shell would split it, as far as these lines need one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for letter in line.chars() {
        match (letter, quote) {
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            // What follows is for the shell.
            ('|' | '>' | '&' | ';', None) => break,
            _ => word.push(letter),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let book = std::fs::read_dir(root.join("docs/book/src")).unwrap();
    documents.extend(
        book.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")),
    );
    documents
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let mut count = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        for line in commands(&text) {
            // Names in capitals stand for something of the reader's own.
            if words(&line).iter().any(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()))
            {
                continue;
            }
            count += 1;
            let parsed = tumble_cli::command().try_get_matches_from(words(&line));
            if let Err(error) = parsed {
                let help = matches!(
                    error.kind(),
                    clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion
                );
                assert!(help, "{}: {line}\n{error}", document.display());
            }
        }
    }
    assert!(count >= 10, "only {count} commands were found");
}

#[test]
fn a_command_that_does_not_exist_is_noticed() {
    let text = "```sh\ntumble new --list   # scenes\ntumble fly drum.toml\n```\ntumble no block\n";
    assert_eq!(commands(text), ["tumble new --list", "tumble fly drum.toml"]);
    assert!(tumble_cli::command().try_get_matches_from(words("tumble new --list")).is_ok());
    assert!(tumble_cli::command().try_get_matches_from(words("tumble fly drum.toml")).is_err());
}
