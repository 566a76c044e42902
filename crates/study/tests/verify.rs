//! Every verification case passes, and every one can fail: a simulation that is fed another number than theory has a
//! finding outside its band.

use std::collections::BTreeSet;
use tumble_report::{Outcome, Verdict};
use tumble_study::verify::{self, CASES, Case, Error};

fn differences(outcome: &Outcome) -> Vec<String> {
    outcome.differences().map(ToString::to_string).collect()
}

#[test]
fn every_case_passes() {
    let cases: Vec<&Case> = CASES.iter().collect();
    let outcomes = verify::run_all(&cases);
    assert_eq!(outcomes.len(), CASES.len());
    for (case, outcome) in CASES.iter().zip(&outcomes) {
        assert_eq!(differences(outcome), Vec::<String>::new(), "{}", case.id);
        assert!(!outcome.findings.is_empty(), "{} finds nothing", case.id);
        for finding in &outcome.findings {
            assert_eq!(finding.verdict, Verdict::Reproduced, "{}: {finding}", case.id);
            assert!(!finding.reason.is_empty(), "{}: {finding}", case.id);
            let length = finding.what.chars().count();
            assert!(length <= 56, "{}: {:?} has {length} letters", case.id, finding.what);
        }
        for name in outcome.figures.iter().map(|f| &f.0).chain(outcome.tables.iter().map(|t| &t.0)) {
            assert!(name.starts_with(case.id), "{}: files are named after the case, not {name}", case.id);
        }
    }
}

/// A number of each case that a wrong program could have wrong, and what the simulation gets instead.
const SPOILT: [(&str, &str, f64); 64] = [
    ("hertz-impact", "young", 48.01e9),
    ("hertz-plane", "density", 2700.0),
    ("restitution", "smallest", 0.101),
    ("oblique-sliding", "friction", 0.0921),
    ("oblique-aluminium", "restitution", 0.981),
    ("oblique-spin", "friction", 0.401),
    ("oblique-pair", "larger", 0.251),
    ("oblique-sticking", "largest", 1.01),
    ("oblique-grip", "friction", 0.3001),
    ("oblique-damped", "poisson", 0.2305),
    ("rod-on-wall", "spacing", 0.0081),
    ("flat-landing", "low", 0.52),
    ("elastic-phase", "restitution", 0.9999),
    ("adhesion-pull", "work", 0.050_01),
    ("adhesion-rebound", "work", 0.0501),
    ("van-der-waals", "hamaker", 1.001e-19),
    ("liquid-bridge", "volume", 1.001e-12),
    ("bridge-viscosity", "viscosity", 0.005_01),
    ("film-bridge", "share", 0.2502),
    ("yielding-impact", "adhesion", 0.31),
    ("plastic-impact", "pressure", 3.01e6),
    ("spring-release", "along", 0.52),
    ("slip-to-roll", "friction", 0.301),
    ("rolling-stop", "rolling_friction", 0.0501),
    ("rolling-slope", "weak", 0.601),
    ("twisting-stop", "friction", 0.501),
    ("at-rest", "slope", 0.11),
    ("advised-step", "stretch", 20.0),
    ("terminal-velocity", "viscosity", 0.1001),
    ("bond-loads", "poisson", 0.301),
    ("bond-cantilever", "young", 1.001e8),
    ("bond-elastica", "load", 1.02),
    ("bond-vibration", "young", 1.05e8),
    ("membrane", "pressure", 1000.1),
    ("heat-pair", "conductivity", 1.101),
    ("heat-chain", "overlap", 1.001e-4),
    ("heat-bounce", "restitution", 0.605),
    ("symmetric-top", "axial", 1.001),
    ("asymmetric-top", "third", 0.01001),
    ("dzhanibekov", "middle", 2.001),
    ("heavy-top", "gravity", 9.80665),
    ("union-of-two", "distance", 0.008_000_01),
    ("union-of-many", "height", 0.0601),
    ("mesh-independence", "friction", 0.301),
    ("hollow-mesh", "gravity", 9.9),
    ("moving-wall", "restitution", 0.701),
    ("free-wall", "arm", 0.1501),
    ("moved-by-hand", "gravity", 1e-9),
    ("energy-ledger", "steps", 16.0),
    ("coarse-balance", "gravity", 9.811),
    ("coarse-lattice", "young", 1.001e8),
    ("cell-lattice", "young", 1.001e7),
    ("cell-shear", "young", 1.001e7),
    ("cell-stress", "young", 1.001e7),
    ("shear-flow", "friction", 0.0),
    ("coarse-flight", "wiggle", 0.050_01),
    ("rocking-ellipsoid", "shortest", 0.006_01),
    ("standing-bricks", "rounding", 0.001_001),
    ("free-fall", "gravity", 9.810_000_001),
    ("momentum", "gravity", 1e-9),
    ("periodic-shift", "friction", 0.401),
    ("same-bits", "gravity", 9.810_000_001),
    ("pinned-bits", "gravity", 9.810_000_001),
    ("single-precision", "restitution", 0.601),
];

#[test]
fn every_case_can_fail() {
    let spoilt: BTreeSet<&str> = SPOILT.iter().map(|(id, ..)| *id).collect();
    assert_eq!(spoilt, CASES.iter().map(|case| case.id).collect());
    for (id, parameter, value) in SPOILT {
        let case = verify::find(id).unwrap();
        let outcome = case.run_spoilt(parameter, value).unwrap();
        assert!(!differences(&outcome).is_empty(), "{id} does not notice that {parameter} is {value}");
    }
}

#[test]
fn what_is_not_a_number_fails() {
    let case = verify::find("oblique-aluminium").unwrap();
    assert!(matches!(case.run_spoilt("young", f64::NAN), Err(Error::Engine(_))));
    let error = case.run_spoilt("yuong", 1.0).unwrap_err();
    assert_eq!(error.to_string(), "the case oblique-aluminium has no parameter \"yuong\"");
}

#[test]
fn cases_are_told_apart_and_explain_themselves() {
    let ids: BTreeSet<&str> = CASES.iter().map(|case| case.id).collect();
    assert_eq!(ids.len(), CASES.len(), "an id is there twice");
    for case in CASES {
        assert!(case.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", case.id);
        assert!(!case.sources.is_empty() && !case.parameters.is_empty(), "{}", case.id);
        let names: BTreeSet<&str> = case.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), case.parameters.len(), "{}: a parameter is there twice", case.id);
        for parameter in case.parameters {
            assert!(parameter.value.is_finite() && !parameter.meaning.is_empty(), "{}", case.id);
        }
        let words = [case.title, case.setup, case.exact];
        assert!(words.iter().all(|text| !text.is_empty() && !text.contains("  ")), "{}: {words:?}", case.id);
    }
    // Groups follow each other, as headings do.
    let mut groups: Vec<String> = CASES.iter().map(|case| case.group.to_string()).collect();
    groups.dedup();
    assert_eq!(groups.iter().collect::<BTreeSet<_>>().len(), groups.len(), "{groups:?}");
}

#[test]
fn a_section_has_everything_a_reader_needs() {
    let case = verify::find("union-of-two").unwrap();
    let section = case.section(case.run().unwrap());
    assert_eq!(
        (section.id.as_str(), section.command.as_str()),
        ("union-of-two", "tumble verify union-of-two")
    );
    assert_eq!(section.facts[2], ("Distance of their centres".to_owned(), "0.008 m".to_owned()));
    assert!(section.sources[0].doi.is_some() && section.setup.len() == 2);
    let table = verify::table().to_markdown();
    assert!(CASES.iter().all(|case| table.contains(&format!("| `{}` |", case.id))), "{table}");
}

/// The case that `CONTRIBUTING.md` takes as its example is one of the list.
#[test]
fn the_document_shows_a_case_that_is_run() {
    let document = include_str!("../../../CONTRIBUTING.md");
    let file = include_str!("../src/verify/cases/free_fall.rs");
    assert!(document.contains(&format!("```rust,ignore\n{file}```\n")), "copy the file into the document");
    assert!(verify::find("free-fall").is_some());
}
