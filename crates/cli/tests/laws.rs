//! `laws` tells about every contact law and resistance of the engine.

use crate::common::{Folder, refused, stdout};
use tumble_dem::law::{LawKind, RollingKind, TwistingKind};

#[test]
fn every_law_is_listed_and_told_about() {
    let folder = Folder::new("laws");
    let text = stdout(&folder.run(&["laws"]));
    let csv = stdout(&folder.run(&["laws", "--format", "csv"]));
    let count = LawKind::ALL.len() + RollingKind::ALL.len() + TwistingKind::ALL.len();
    assert_eq!(csv.lines().count(), 1 + count, "{csv}");
    assert!(csv.starts_with("part,name,"), "{csv}");
    for law in LawKind::ALL {
        assert!(text.contains(law.name()), "{text}");
        let facts = stdout(&folder.run(&["laws", law.name()]));
        assert!(facts.contains(&format!("law = \"{}\"", law.name())), "{facts}");
        assert!(facts.contains(law.info().citation.full), "{facts}");
        for key in law.info().needs {
            assert!(facts.contains(key.key), "{facts}");
        }
    }
    assert!(text.lines().all(|line| line.chars().count() <= 130), "{text}");
}

#[test]
fn a_name_that_several_models_have_tells_about_all() {
    let folder = Folder::new("several");
    let facts = stdout(&folder.run(&["laws", "Elastic Plastic"]));
    assert!(
        facts.contains("rolling = \"elastic-plastic\"") && facts.contains("twisting = \"elastic-plastic\"")
    );
    assert!(facts.contains("Ai, ") && facts.contains("Marshall"), "{facts}");
}

#[test]
fn markdown_is_that_of_the_book() {
    let folder = Folder::new("markdown");
    let markdown = stdout(&folder.run(&["laws", "--format", "markdown"]));
    assert_eq!(markdown.matches(" --: |\n").count(), 4, "{markdown}");
    assert_eq!(markdown, tumble_cli::law_tables().map(|table| table.to_markdown()).join("\n"));
}

#[test]
fn unknown_names_get_a_suggestion() {
    assert!(refused(&["laws", "herz"]).contains("did you mean `hertz`"));
    assert!(refused(&["laws", "mindlin"]).contains("did you mean `hertz-mindlin`?"));
    assert!(refused(&["laws", "xyz"]).contains("known: hertz, "));
}
