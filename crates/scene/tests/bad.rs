//! Scenes that are wrong. Each says in its first lines what the message must contain, and how many problems
//! there are: `# expect: …`, `# problems: …`, and `# set: key=value` for what is set from outside.

use std::fmt::Write;
use tumble_scene::{Diagnostics, Scene, SceneText, Severity};

fn problems(path: &std::path::Path) -> (String, Diagnostics) {
    let mut text = SceneText::read(path).unwrap_or_else(|problems| panic!("{problems}"));
    let source = std::fs::read_to_string(path).expect("it was read just now");
    for set in crate::common::comments(&source, "set") {
        let (key, value) = set.split_once('=').expect("key=value");
        text = text.set(key, value);
    }
    let built = Scene::parse(text).and_then(|scene| scene.build(Some(1)));
    (source, built.map_or_else(|problems| problems, |built| built.warnings))
}

#[test]
fn bad_scenes_say_what_is_wrong() {
    let scenes = crate::common::scenes("bad");
    assert!(scenes.len() >= 40);
    let mut failures = String::new();
    for path in scenes {
        let (source, found) = problems(&path);
        let rendered = found.render(false);
        let expected = crate::common::comments(&source, "expect");
        let count: usize =
            crate::common::comments(&source, "problems").first().map_or(1, |n| n.parse().expect("a number"));
        assert!(!expected.is_empty(), "{path:?} expects nothing");
        let missing: Vec<&&str> = expected.iter().filter(|text| !rendered.contains(**text)).collect();
        if !missing.is_empty() || found.problems().len() != count {
            let got = found.problems().len();
            let _ = write!(
                failures,
                "{path:?}: expected {count} problems, got {got}; not said: {missing:?}\n{rendered}\n"
            );
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn messages_name_file_line_and_column() {
    let path =
        crate::common::scenes("bad").into_iter().find(|path| path.ends_with("unknown_key.toml")).unwrap();
    let (source, found) = problems(&path);
    let line = 1 + source.lines().position(|line| line.starts_with("densty")).unwrap();
    let rendered = found.render(false);
    assert!(rendered.contains(&format!("unknown_key.toml:{line}:1\n")), "{rendered}");
    assert!(rendered.contains("densty = 2500") && rendered.contains("^^^^^^ unknown key"), "{rendered}");
    assert!(rendered.ends_with("1 error\n"), "{rendered}");
}

#[test]
fn colours_are_optional() {
    let path = &crate::common::scenes("bad")[0];
    let (_, found) = problems(path);
    assert!(found.render(true).contains('\u{1b}'));
    assert!(!found.render(false).contains('\u{1b}'));
    assert!(found.count(Severity::Error) + found.count(Severity::Warning) == found.problems().len());
}

#[test]
fn files_that_are_no_scenes() {
    let message = |path: &str| SceneText::read(path).unwrap_err().to_string();
    assert!(message("no/such/scene.toml").contains("cannot read the scene no/such/scene.toml"));
    assert!(message(env!("CARGO_MANIFEST_DIR")).contains("cannot read"));
    let path = std::env::temp_dir().join(format!("tumble-scene-{}.toml", std::process::id()));
    std::fs::write(&path, b"version = 1\n\xff\xfe").unwrap();
    let message = message(path.to_str().unwrap());
    std::fs::remove_file(&path).unwrap();
    assert!(message.contains("not text in UTF-8: see line 2"), "{message}");
}
