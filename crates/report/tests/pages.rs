//! A report is one well-formed file that needs nothing else, links what belongs together, and takes no text for markup.

use crate::markup::{Tag, tags};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tumble_report::{
    Against, Axis, Ball, Band, Cell, Figure, Finding, Mark, Outcome, Panel, Picture, Report, Section, Series,
    Snapshot, Source, Table,
};

/// A report that has something in every field, all of it `text`; data and identifiers are given.
fn report(text: &str, data: &str, doi: &str) -> Report {
    let own = |text: &str| text.to_owned();
    let panel = Panel {
        title: own(text),
        x: Axis::categories(text, [text]),
        y: Axis::linear(text),
        series: vec![
            Series::new(text, vec![(0.0, 1.0)], Mark::Bars),
            Series::new(text, vec![(0.0, 1.0)], Mark::Published),
            Series::new(text, vec![(0.0, 1.0), (1.0, 2.0)], Mark::Guide),
        ],
    };
    let mut table = Table::new(text, &[text, text]);
    table.rows.push(vec![Cell::Text(own(text)), Cell::Number(1.0)]);
    let mut long = table.clone();
    long.rows = vec![table.rows[0].clone(); 30];
    let section = |id: String| Section {
        id,
        title: own(text),
        group: own(text),
        sources: vec![Source::new(text, Some(doi))],
        setup: vec![own(text)],
        facts: vec![(own(text), own(text))],
        command: own(text),
        shortened: vec![own(text)],
        outcome: Outcome {
            figures: vec![(
                own(text),
                Figure { title: own(text), panels: vec![panel.clone(), panel.clone()] },
            )],
            tables: vec![(own(text), table.clone()), (own(text), long.clone())],
            findings: vec![
                Finding::new(text, 1.0, 2.0, Band::Relative(0.1), text),
                Finding::alone(text, 2.0, Band::AtMost(3.0), text),
            ],
        },
        snapshot: Some(Snapshot {
            caption: own(text),
            balls: vec![
                Ball { centre: [0.0; 3], radius: 1.0, group: 0, body: 0 },
                Ball { centre: [0.0, 3.0, 0.0], radius: 1.0, group: 1, body: 1 },
            ],
            groups: vec![own(text), own(text)],
            ..Snapshot::default()
        }),
        pictures: vec![Picture {
            caption: own(text),
            width: 2,
            palette: vec![[255; 3], [10, 20, 30]],
            points: vec![0, 1, 1],
            density: 1,
        }],
        notes: vec![own(text)],
        scene: Some(own(text)),
        data: vec![own(data)],
        see: vec![own(text), "nowhere".into()],
        seconds: Some(1.0),
    };
    Report {
        title: own(text),
        subtitle: own(text),
        made_by: vec![(own(text), own(text))],
        against: Against::Published,
        sections: vec![section(own(text)), section(format!("{text}2"))],
    }
}

/// What a page is made of: tags and attributes, apart from texts and addresses. Drawings make room for long texts, so
/// of them it is what may occur.
fn structure(tags: &[Tag]) -> (Vec<(&str, Vec<&str>)>, BTreeSet<&str>) {
    let (mut page, mut drawings) = (Vec::new(), BTreeSet::new());
    let mut in_drawing = false;
    for tag in tags {
        in_drawing |= tag.name == "svg";
        let names = tag.attributes.iter().map(|(name, _)| name.as_str());
        if in_drawing {
            drawings.extend(names.chain([tag.name.as_str()]));
        } else {
            page.push((tag.name.as_str(), names.collect()));
        }
        in_drawing &= tag.name != "/svg";
    }
    drawings.remove("transform");
    (page, drawings)
}

fn hrefs(tags: &[Tag]) -> Vec<&str> {
    tags.iter().filter(|tag| tag.name == "a").filter_map(|tag| tag.attribute("href")).collect()
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("</script>".to_owned()),
        Just("<!--".to_owned()),
        Just("\"><img src=x onerror=alert(1)>".to_owned()),
        Just("' onload='".to_owned()),
        Just("&amp;&#60;".to_owned()),
        Just("]]>".to_owned()),
        "[^`]{0,8}",
    ];
    // Never empty: parts without text are left out.
    prop::collection::vec(piece, 0..4).prop_map(|pieces| format!("x{}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_text_breaks_out(text in text()) {
        let plain = tags(&report("x", "a.csv", "10.1/x").to_html());
        let page = tags(&report(&text, "a.csv", "10.1/x").to_html());
        prop_assert!(structure(&page) == structure(&plain), "{:?}", text);
        // And it is shown as it is, but for what cannot be shown.
        let shown: String = text.chars().filter(|c| !c.is_control() || "\n\t".contains(*c)).collect();
        let shown = shown.replace(['\u{fffe}', '\u{ffff}'], "");
        let heading = page.iter().find(|tag| tag.name == "h1").unwrap();
        prop_assert_eq!(&heading.text, &shown);
        prop_assert!(page.iter().any(|tag| tag.name == "td" && tag.has_class("reason") && tag.text == shown));
    }

    #[test]
    fn links_stay_in_the_page_or_beside_it(data in ".{0,20}", doi in ".{0,20}") {
        let page = tags(&report("x", &data, &doi).to_html());
        for href in hrefs(&page) {
            let known = href.starts_with('#') || href.starts_with("https://doi.org/10.");
            let beside = !href.starts_with('/') && !href.contains([':', '\\']) && href.split('/').all(|part| part != "..");
            prop_assert!(known || beside, "{}", href);
        }
    }

    #[test]
    fn code_is_marked_and_nothing_else(text in "[`<a]{1,12}") {
        tags(&report(&format!("x{text}"), "a.csv", "10.1/x").to_html());
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let html = report("x", "a.csv", "10.1/x").to_html();
    let page = tags(&html);
    for tag in &page {
        assert!(
            !["link", "iframe", "object", "embed", "base", "form"].contains(&tag.name.as_str()),
            "{tag:?}"
        );
        // Pictures are in the page itself.
        let within = |source: &str| tag.name == "img" && source.starts_with("data:image/png;base64,");
        assert!(tag.attribute("src").is_none_or(within), "{tag:?}");
        assert!(tag.attributes.iter().all(|(name, _)| !name.starts_with("on")), "{tag:?}");
    }
    assert!(!html.contains("@import") && !html.contains("url(h") && !html.contains("fetch("));
    let policy =
        page.iter().find(|tag| tag.attribute("http-equiv") == Some("Content-Security-Policy")).unwrap();
    assert!(policy.attribute("content").unwrap().starts_with("default-src 'none'"));
}

#[test]
fn every_link_in_the_page_leads_somewhere_and_ids_differ() {
    let page = tags(&report("x y", "a.csv", "10.1/x").to_html());
    let mut ids: Vec<&str> = page.iter().filter_map(|tag| tag.attribute("id")).collect();
    let inner: Vec<&str> = hrefs(&page).into_iter().filter_map(|href| href.strip_prefix('#')).collect();
    assert!(inner.iter().all(|target| ids.contains(target)), "{inner:?}\n{ids:?}");
    // From the summary, from its own head, from its neighbour, and as something to compare with.
    assert!(inner.iter().filter(|target| **target == "x-y").count() >= 4, "{inner:?}");
    for tag in &page {
        if let Some(target) = tag.attribute("clip-path") {
            assert!(ids.contains(&target.trim_start_matches("url(#").trim_end_matches(')')), "{target}");
        }
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn the_summary_counts_verdicts_and_names_what_is_outside() {
    let html = report("fig", "a.csv", "10.1/x").to_html();
    let page = tags(&html);
    let counts: Vec<&str> = page.iter().filter(|tag| tag.name == "b").map(|tag| tag.text.as_str()).collect();
    assert_eq!(counts, ["2", "2"], "two reproduced, two differ");
    assert!(html.contains("2 of 4 numbers of which something is claimed lie outside their bands"), "{html}");
    let mut good = report("fig", "a.csv", "10.1/x");
    good.sections.iter_mut().for_each(|section| section.outcome.findings.truncate(0));
    good.sections[0].outcome.findings.push(Finding::alone("x", 1.0, Band::AtMost(2.0), ""));
    assert!(good.to_html().contains("All 1 numbers"));
    good.against = Against::Exact;
    assert!(good.to_html().contains("passed") && !good.to_html().contains("> reproduced"));
}

#[test]
fn a_report_without_findings_begins_with_its_sections() {
    let mut bare = report("part", "a.csv", "10.1/x");
    bare.sections.iter_mut().for_each(|section| section.outcome.findings.clear());
    let page = tags(&bare.to_html());
    assert!(
        page.iter().any(|tag| tag.has_class("contents")) && !page.iter().any(|tag| tag.has_class("counts"))
    );
    tags(&Report::default().to_html());
    let empty = Report { sections: vec![Section::default(), Section::default()], ..Report::default() };
    tags(&empty.to_html());
}

#[test]
fn those_who_cannot_see_are_told() {
    let page = tags(&report("fig", "a.csv", "10.1/x").to_html());
    for tag in page.iter().filter(|tag| tag.name == "svg") {
        let named = tag.attribute("role") == Some("img")
            && tag.attribute("aria-label").is_some_and(|l| !l.is_empty());
        assert!(named || tag.attribute("aria-hidden") == Some("true"), "{tag:?}");
    }
    assert!(page.iter().filter(|tag| tag.name == "th").all(|tag| tag.attribute("scope").is_some()));
    assert_eq!(page.iter().filter(|tag| tag.name == "h1").count(), 1);
    assert_eq!(hrefs(&page)[0], "#content", "the first link skips the head");
    assert_eq!(page.iter().find(|tag| tag.name == "html").unwrap().attribute("lang"), Some("en"));
}

#[test]
fn it_is_saved_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let report = report("x", "a.csv", "10.1/x");
    let path = report.save(folder.path()).unwrap();
    assert_eq!(path.file_name().unwrap(), Report::FILE);
    assert_eq!(std::fs::read_to_string(path).unwrap(), report.to_html());
}
