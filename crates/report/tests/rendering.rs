//! Figures are well-formed SVG that shows every curve, the same for the same data; their CSV holds every point.

use crate::markup::{Tag, tags};
use tumble_report::{Axis, Figure, Mark, Panel, Series};

const NASTY: &str = "a < b & \"c\"";

fn figure() -> Figure {
    let line = |n: u32| (1..=20).map(|i| (f64::from(i) * 1e-3, f64::from(i * n) * 1e-7)).collect();
    let series = vec![
        Series::new(NASTY, line(1), Mark::LinePoints),
        Series::new(NASTY, vec![(2e-3, 2e-7)], Mark::Published),
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
        x: Axis { log, ..Axis::linear("Δt / s") },
        y: Axis { log, ..Axis::linear("error") },
        series: series.clone(),
    };
    Figure { title: "A figure".into(), panels: vec![panel(true), panel(false)] }
}

/// The tags of a drawing, none of which has a number that cannot be drawn.
fn drawn(svg: &str) -> Vec<Tag> {
    let tags = tags(svg);
    for (name, value) in tags.iter().flat_map(|tag| &tag.attributes) {
        assert!(
            name.starts_with("data-") || !(value.contains("NaN") || value.contains("inf")),
            "{name}={value}"
        );
    }
    tags
}

/// How many points the markers of a drawing have: each is begun by a move to its middle.
fn points(tags: &[Tag], class: &str) -> usize {
    tags.iter()
        .filter(|tag| tag.has_class(class))
        .map(|tag| tag.attribute("d").unwrap().matches('M').count())
        .sum()
}

#[test]
fn svg_is_well_formed_and_complete() {
    let svg = figure().to_svg();
    let tags = drawn(&svg);
    let count = |name: &str| tags.iter().filter(|tag| tag.name == name).count();
    assert_eq!(count("svg"), 1);
    assert_eq!(count("clipPath"), 2);
    assert_eq!(tags.iter().filter(|tag| tag.has_class("series")).count(), 2 * 5);
    // The first curve, its published value and those of "gaps" that can be drawn; then the legend, which has each
    // curve once and one entry for all that is published.
    let (logarithmic, linear) = (20 + 1 + 1, 20 + 1 + 3);
    assert_eq!(points(&tags, "dots"), logarithmic + linear + 3);
    for label in [NASTY, "exact", "order 1", "gaps", "A figure", "Δt / s", "open points: published"] {
        assert!(tags.iter().any(|tag| tag.text == label), "{label}");
    }
    assert!(tags.iter().any(|tag| tag.name == "tspan" && tag.text == "−6"));
}

#[test]
fn what_is_published_lies_over_the_curves_it_is_compared_with_and_looks_like_them() {
    let mut figure = figure();
    figure.panels.truncate(1);
    figure.panels[0].series.swap(0, 1);
    let tags = drawn(&figure.to_svg());
    let names: Vec<&str> = tags.iter().filter_map(|tag| tag.attribute("data-name")).collect();
    assert_eq!(names, ["order 1", NASTY, "exact", "gaps", &format!("{NASTY}, published")]);
    let of = |name: &str| tags.iter().find(|tag| tag.attribute("data-name") == Some(name)).unwrap();
    let (ours, theirs) = (of(NASTY), of(names[4]));
    assert_eq!(ours.attribute("color"), theirs.attribute("color"));
    assert_eq!(ours.attribute("data-key"), theirs.attribute("data-key"), "they are picked together");
}

#[test]
fn error_bars_reach_from_low_to_high() {
    let mut figure = figure();
    let bars = Series::new("bars", vec![(1.0, 5.0), (2.0, 6.0)], Mark::LinePoints);
    let bars = bars.with_spread(vec![(0.0, 10.0), (f64::NAN, 7.0)]);
    figure.panels.truncate(1);
    figure.panels[0] = Panel {
        title: String::new(),
        x: Axis::linear("x"),
        y: Axis::linear("y"),
        series: vec![bars.clone(), Series { mark: Mark::Line, label: "band".into(), ..bars }],
    };
    let tags = drawn(&figure.to_svg());
    // A stroke and two caps for the one that can be drawn.
    assert_eq!(points(&tags, "whiskers"), 3);
    let frame = tags.iter().find_map(|tag| tag.attribute("data-frame")).unwrap();
    let frame: Vec<f64> = frame.split(' ').map(|number| number.parse().unwrap()).collect();
    let stroke = tags.iter().find(|tag| tag.has_class("whiskers")).unwrap().attribute("d").unwrap();
    let stroke = stroke.rsplit('M').next().unwrap();
    let (from, to) = stroke.split_once('V').unwrap();
    let (low, high): (f64, f64) = (from.split(' ').nth(1).unwrap().parse().unwrap(), to.parse().unwrap());
    // From 0 to 10, of an axis that is 4 % longer at either end.
    assert!(((low - high) / frame[3] - 1.0 / 1.08).abs() < 1e-3, "{stroke} in {frame:?}");
    assert_eq!(figure.to_csv().lines().nth(1), Some("1,bars,1,5,0,10"));
}

#[test]
fn bars_begin_at_zero_and_categories_go_by_their_names() {
    let names = ["short", "a name that is much too long to stand upright below a bar", "c"];
    let values = [3.0, 1.5, f64::NAN];
    let bar = |turned: bool| -> Vec<(f64, f64)> {
        let points = values.iter().enumerate().map(|(place, &value)| (place as f64, value));
        points.map(|(place, value)| if turned { (value, place) } else { (place, value) }).collect()
    };
    let panel = |x: Axis, y: Axis, turned: bool| Panel {
        title: String::new(),
        x,
        y,
        series: vec![
            Series::new("cost", bar(turned), Mark::Bars),
            Series::new("cost, published", bar(turned), Mark::Published),
        ],
    };
    let figure = Figure {
        title: String::new(),
        panels: vec![
            panel(Axis::categories("", names), Axis::linear("time (s)"), false),
            panel(Axis::linear("time (s)"), Axis::categories("", names), true),
        ],
    };
    let tags = drawn(&figure.to_svg());
    let bars: Vec<&Tag> = tags.iter().filter(|tag| tag.has_class("bars")).collect();
    // Two bars that can be drawn in each panel, and the legend.
    assert_eq!(
        bars.iter().map(|bar| bar.attribute("d").unwrap().matches('M').count()).collect::<Vec<_>>(),
        [2, 2, 1]
    );
    // Upright ones: from their ends down to a common line, the second half as long.
    let upright = bars[0].attribute("d").unwrap();
    let bar = |piece: &str| {
        let end: f64 = piece.split([' ', 'm']).nth(1).unwrap().parse().unwrap();
        let zero: f64 = piece.split('V').nth(1).unwrap().split('h').next().unwrap().parse().unwrap();
        zero - end
    };
    let lengths: Vec<f64> = upright.split('M').skip(1).map(bar).collect();
    assert!((lengths[1] / lengths[0] - 0.5).abs() < 1e-3, "{lengths:?}");
    assert!(names.iter().all(|name| tags.iter().filter(|tag| tag.text == *name).count() == 2));
    assert!(figure.to_csv().contains("1,cost,short,3\n") && figure.to_csv().contains("2,cost,3,short\n"));
}

#[test]
fn a_column_of_a_journal_is_wide_enough() {
    let tags = drawn(&figure().to_column_svg());
    let width: f64 = tags[0].attribute("width").unwrap().parse().unwrap();
    let points_per_pixel = 85.0 / 25.4 * 72.0 / width;
    for tag in &tags {
        if let Some(size) = tag.attribute("font-size") {
            let size = size.parse::<f64>().unwrap() * points_per_pixel;
            let least = if tag.name == "tspan" { 5.0 } else { 6.0 };
            assert!(size >= least, "{size:.1} pt: {tag:?}");
        }
    }
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
    drawn(&empty.to_svg());
    drawn(&Figure::default().to_svg());
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
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("a/b");
    let [drawing, data] = figure().save(&inner, "figure").unwrap();
    assert_eq!(std::fs::read_to_string(drawing).unwrap(), figure().to_svg());
    assert_eq!(std::fs::read_to_string(&data).unwrap(), figure().to_csv());
    assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 2, "nothing temporary is left");
    // A file where a folder should be.
    let error = figure().save(&data, "figure").unwrap_err().to_string();
    assert!(error.contains("figure.csv"), "{error}");
}
