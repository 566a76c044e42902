//! Style and script of reports stay small, and texts can be read on their grounds in both themes.

const STYLE: &str = include_str!("../src/html/report.css");
const SCRIPT: &str = include_str!("../src/html/report.js");

#[test]
fn style_and_script_are_small_and_stay_in_their_elements() {
    assert!(STYLE.len() + SCRIPT.len() < 25_000, "{} bytes", STYLE.len() + SCRIPT.len());
    assert!(!STYLE.contains("</") && !SCRIPT.contains("</"));
}

/// The variables of each block of the style that sets them.
fn themes() -> Vec<Vec<(&'static str, &'static str)>> {
    let blocks = STYLE.split('{').filter(|block| block.contains("--paper:"));
    let lines = |block: &'static str| block.split('}').next().unwrap().lines();
    let variable =
        |line: &'static str| line.trim().strip_prefix("--")?.trim_end_matches(';').split_once(": ");
    blocks.map(|block| lines(block).filter_map(variable).collect()).collect()
}

/// Relative luminance as WCAG 2 has it.
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

#[test]
fn texts_have_the_contrast_that_wcag_aa_asks_for() {
    let themes = themes();
    assert_eq!(themes.len(), 3, "light; dark by the system; dark by choice");
    assert_eq!(themes[1], themes[2]);
    for theme in &themes {
        let colour = |name: &str| theme.iter().find(|(found, _)| *found == name).unwrap().1;
        for text in ["ink", "soft", "link", "reproduced", "explained", "differs", "reported", "guide"] {
            for ground in ["paper", "raised"] {
                let (a, b) = (luminance(colour(text)), luminance(colour(ground)));
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
            }
        }
    }
}

#[test]
fn every_variable_is_set() {
    for used in STYLE.split("var(--").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(themes().iter().all(|theme| theme.iter().any(|(name, _)| *name == used)), "{used}");
    }
}
