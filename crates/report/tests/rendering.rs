//! Figures are well-formed SVG that shows every curve, the same for the same data; their CSV holds every point.

use tumble_report::{Axis, Figure, Mark, Panel, Series};

fn figure() -> Figure {
    let line = |n: u32| (1..=20).map(|i| (f64::from(i) * 1e-3, f64::from(i * n) * 1e-7)).collect();
    let series = vec![
        Series::new("a < b & \"c\"", line(1), Mark::LinePoints),
        Series::new("a < b & \"c\"", vec![(2e-3, 2e-7)], Mark::Published),
        Series::new("exact", line(2), Mark::Line),
        Series::new("order 1", line(3), Mark::Guide),
        Series::new(
            "gaps",
            vec![(1e-3, 1e-7), (2e-3, f64::NAN), (3e-3, 0.0), (-1.0, 1e-7)],
            Mark::LinePoints,
        ),
    ];
    let panel = |log| Panel {
        title: if log { "logarithmic".into() } else { String::new() },
        x: Axis { label: "Δt / s".into(), log },
        y: Axis { label: "error".into(), log },
        series: series.clone(),
    };
    Figure { title: "A figure".into(), panels: vec![panel(true), panel(false)] }
}

/// Tags in order, after checking that they balance and that attributes are quoted.
fn tags(svg: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut seen = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("every tag ends");
        assert!(
            !text.contains('>') && !text.replace("&amp;", "").replace("&lt;", "").contains("& "),
            "{text}"
        );
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert!(!tag.contains("NaN") && !tag.contains("inf"), "{tag}");
            seen.push(name.to_owned());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?} left open");
    seen
}

#[test]
fn svg_is_well_formed_and_complete() {
    let svg = figure().to_svg();
    let tags = tags(&svg);
    let count = |name: &str| tags.iter().filter(|tag| *tag == name).count();
    assert_eq!(count("svg"), 1);
    assert_eq!(count("clipPath"), 2);
    // Circles of the first curve and its published value: 20 + 1 in each panel, and 2 in the legend.
    assert_eq!(count("circle"), 2 * 21 + 2);
    for label in ["a &lt; b &amp; &quot;c&quot;", "exact", "order 1", "gaps", "A figure", "Δt / s"] {
        assert!(svg.contains(label), "{label}");
    }
    assert!(svg.contains("10<tspan dy=\"-4.5\" font-size=\"8.5\">−6</tspan>"));
}

#[test]
fn svg_is_the_same_for_the_same_data() {
    assert_eq!(figure().to_svg(), figure().to_svg());
}

#[test]
fn figures_without_data_are_drawn() {
    let mut empty = figure();
    for panel in &mut empty.panels {
        panel.series.clear();
    }
    tags(&empty.to_svg());
    tags(&Figure::default().to_svg());
}

#[test]
fn csv_holds_every_point_in_full() {
    let csv = figure().to_csv();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("panel,series,x,y"));
    assert_eq!(lines.clone().count(), 2 * (20 + 1 + 20 + 20 + 4));
    assert_eq!(lines.next(), Some("logarithmic,\"a < b & \"\"c\"\"\",0.001,1e-7"));
    assert!(csv.contains("logarithmic,\"a < b & \"\"c\"\", published\",0.002,2e-7"));
    // A panel without a title goes by its number.
    assert!(csv.contains("\n2,gaps,0.002,NaN\n"));
}

#[test]
fn files_are_written_into_a_new_folder() {
    let folder = std::env::temp_dir().join(format!("tumble-study-{}", std::process::id()));
    let inner = folder.join("a/b");
    let [drawing, data] = figure().save(&inner, "figure").unwrap();
    assert_eq!(std::fs::read_to_string(drawing).unwrap(), figure().to_svg());
    assert_eq!(std::fs::read_to_string(&data).unwrap(), figure().to_csv());
    assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 2, "nothing temporary is left");
    // A file where a folder should be.
    let error = figure().save(&data, "figure").unwrap_err().to_string();
    assert!(error.contains("figure.csv"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}
