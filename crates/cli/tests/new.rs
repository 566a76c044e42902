//! `new` writes examples as they are in the repository, and never over somebody's file.

use crate::common::{Folder, refused, stdout};
use std::fs;
use std::path::Path;

#[test]
fn every_example_is_written_as_it_is() {
    let folder = Folder::new("new");
    let list = stdout(&folder.run(&["new", "--list"]));
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"chess") && names.contains(&"settling"), "{list}");
    for name in names {
        let told = stdout(&folder.run(&["new", name]));
        assert!(told.starts_with(&format!("{name}.toml written: ")), "{told}");
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenes/{name}.toml"));
        let written = fs::read_to_string(folder.0.join(format!("{name}.toml"))).unwrap();
        assert_eq!(written, fs::read_to_string(original).unwrap());
        let description = written.lines().next().unwrap().trim_start_matches("# ");
        assert!(list.contains(description), "{list}");
    }
}

#[test]
fn a_file_that_exists_needs_force() {
    let folder = Folder::new("new-force");
    let precious = folder.0.join("my/chess.toml");
    fs::create_dir(folder.0.join("my")).unwrap();
    fs::write(&precious, "precious").unwrap();
    let output = folder.run(&["new", "chess", "--out", "my/chess.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("my/chess.toml exists") && message.contains("--force"), "{message}");
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    stdout(&folder.run(&["new", "chess", "--out", "my/chess.toml", "--force"]));
    assert_ne!(fs::read_to_string(&precious).unwrap(), "precious");
    let output = folder.run(&["new", "chess", "--out", "my"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[test]
fn unknown_examples_get_a_suggestion() {
    assert!(refused(&["new", "ches"]).contains("did you mean `chess`?"));
    assert!(refused(&["new", "zzz"]).contains("known: chess, "));
    assert!(refused(&["new"]).contains("EXAMPLE"));
}
