//! Coarse-grained fields at their newest frame: profiles along lines, pictures of planes, and of grids in three dimensions a cut
//! through the middle.

use super::part;
use std::path::Path;
use tumble_measure::coarse::{CoarseFields, CoarseFrame, CoarseSpec, Grid, Parts, Quantity};
use tumble_output::Part;
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Picture, Section, Series, typeset};

/// The section; none if there is no frame of any field.
pub(super) fn section(fields: &CoarseFields) -> Option<Section> {
    let (mut figures, mut pictures, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    for (number, spec) in fields.specs().enumerate() {
        let Some(frame) = fields.latest(number) else { continue };
        facts.push((spec.name.clone(), sentence(spec, frame)));
        match spec.grid.resolved()[..] {
            [] => {}
            [axis] => figures.push((format!("fields-{}", spec.name), profiles(spec, frame, axis))),
            _ => pictures.extend(SHOWN.iter().filter_map(|shown| picture(spec, frame, shown))),
        }
    }
    let blank =
        "Where there is less than a thousandth of the largest density, pictures are blank and curves end.";
    Some(Section {
        title: "Coarse-grained fields".into(),
        notes: (!figures.is_empty() || !pictures.is_empty()).then(|| blank.to_owned()).into_iter().collect(),
        outcome: Outcome { figures, ..Outcome::default() },
        pictures,
        facts,
        ..Section::default()
    })
    .filter(|section| !section.facts.is_empty())
}

/// The series for ParaView and the tables, by their paths from the folder.
pub(super) fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(part(folder, Part::Fields)).into_iter().flatten().filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_shown = |name: &String| [".pvd", ".csv"].iter().any(|ending| name.ends_with(ending));
    let mut files: Vec<String> =
        names.filter(is_shown).map(|name| format!("{}/{name}", Part::Fields.name())).collect();
    files.sort_unstable();
    files
}

/// Where and when, in words.
fn sentence(spec: &CoarseSpec, frame: &CoarseFrame) -> String {
    let [nx, ny, nz] = spec.grid.cells();
    let samples = spec.window.map_or(1, |window| window / spec.every.max(1));
    let when = match samples {
        0 | 1 => format!("at {} s", typeset(frame.time)),
        samples => format!("mean of {samples} instants up to {} s", typeset(frame.time)),
    };
    format!("{nx} × {ny} × {nz} cells; {when}")
}

/// What is drawn of each grid, and how it is called.
const SHOWN: [(&str, &str); 4] = [
    ("solid_fraction", "solid fraction"),
    ("velocity", "speed (m/s)"),
    ("pressure", "pressure (Pa)"),
    ("granular_temperature", "granular temperature (m²/s²)"),
];

const AXES: [&str; 3] = ["x", "y", "z"];

/// The fields along a line.
fn profiles(spec: &CoarseSpec, frame: &CoarseFrame, axis: usize) -> Figure {
    let places: Vec<f64> = (0..spec.grid.len()).map(|cell| spec.grid.centre(cell)[axis]).collect();
    let empty = empty(frame);
    let drawn = [
        ("solid_fraction", "solid fraction", &[""][..]),
        ("velocity", "velocity (m/s)", &["x", "y", "z"]),
        ("contact_stress", "contact stress (Pa)", &["xx", "yy", "zz", "xz"]),
        ("granular_temperature", "granular temperature (m²/s²)", &[""]),
    ];
    let panels = drawn.into_iter().filter_map(|(name, label, parts)| {
        let quantity = Quantity::from_name(name)?;
        let (values, names) = (frame.values(quantity), quantity.parts.names());
        let curve = |part: &&'static str| {
            let values = values.iter().skip(names.iter().position(|name| name == part)?).step_by(names.len());
            let shown = values.zip(&empty).map(|(value, empty)| if *empty { f64::NAN } else { *value });
            let points = places.iter().copied().zip(shown).collect();
            Some(Series::new(*part, points, Mark::Line))
        };
        let series = parts.iter().filter_map(curve).collect();
        let x = Axis::linear(format!("{} (m)", AXES[axis]));
        Some(Panel { title: String::new(), x, y: Axis::linear(label), series })
    });
    Figure { title: format!("{}: fields along {}.", spec.name, AXES[axis]), panels: panels.collect() }
}

/// Cells with less than this part of the largest density are blank.
const EMPTY: f64 = 1e-3;
/// Width of a picture, in points; of planes that are higher than wide, the height.
const SIZE: usize = 640;
/// Height of the bar of colours, in points.
const BAR: usize = 14;
/// Colours that values have; before them comes the one of cells where there is nothing.
const COLOURS: usize = 200;

/// A field in a plane; none where it has no values.
fn picture(spec: &CoarseSpec, frame: &CoarseFrame, (name, label): &(&str, &str)) -> Option<Picture> {
    let (across, up, cells) = plane(&spec.grid)?;
    let quantity = Quantity::from_name(name)?;
    let all = frame.values(quantity);
    let empty = empty(frame);
    let value = |cell: usize| match quantity.parts {
        _ if empty[cell] => f64::NAN,
        Parts::Vector => all[3 * cell..3 * cell + 3].iter().map(|part| part * part).sum::<f64>().sqrt(),
        _ => all[cell],
    };
    let values: Vec<Vec<f64>> =
        cells.iter().map(|row| row.iter().map(|cell| value(*cell)).collect()).collect();
    let there = || values.iter().flatten().copied().filter(|value| value.is_finite());
    let (low, high) = (there().reduce(f64::min)?, there().reduce(f64::max)?);
    let colour = |value: f64| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the number of colours"
        )]
        let number = ((value - low) / (high - low) * (COLOURS - 1) as f64)
            .round()
            .clamp(0.0, (COLOURS - 1) as f64) as u8;
        if value.is_finite() { number + 1 } else { 0 }
    };
    let sides = spec.grid.sides();
    let (rows, columns) = (values.len(), values[0].len());
    let (wide, tall) = (sides[across] * columns as f64, sides[up] * rows as f64);
    let points_of = |length: f64| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most the size of a picture"
        )]
        let points = (SIZE as f64 * length / wide.max(tall)) as usize;
        points.max(1)
    };
    let (width, height) = (points_of(wide), points_of(tall));
    let mut points = Vec::with_capacity(width * (height + 2 * BAR));
    for y in 0..height {
        // Rows go down in a picture.
        let row = &values[rows - 1 - y * rows / height];
        points.extend((0..width).map(|x| colour(row[x * columns / width])));
    }
    points.resize(points.len() + BAR / 2 * width, 0);
    for _ in 0..BAR {
        points.extend((0..width).map(|x| colour(low + (high - low) * x as f64 / width as f64)));
    }
    let caption = format!(
        "{}: {label}, {} to the right and {} up. The bar goes from {} to {}.",
        spec.name,
        AXES[across],
        AXES[up],
        typeset(low),
        typeset(high)
    );
    Some(Picture { caption, width, palette: palette(), points, density: 2 })
}

/// Which cells have next to nothing in them: there a field is that of the outermost reach of some body.
fn empty(frame: &CoarseFrame) -> Vec<bool> {
    let density = Quantity::from_name("density").map_or(Vec::new(), |quantity| frame.values(quantity));
    let largest = density.iter().copied().fold(0.0, f64::max);
    density.iter().map(|density| *density <= EMPTY * largest).collect()
}

/// The axes to the right and up, and the cells of the plane, row by row; in three dimensions the one in the middle of the axis with fewest
/// cells.
fn plane(grid: &Grid) -> Option<(usize, usize, Vec<Vec<usize>>)> {
    let cells = grid.cells();
    let through = (0..3).rev().min_by_key(|&axis| cells[axis])?;
    let (across, up) = [(1, 2), (0, 2), (0, 1)][through];
    let at = |i: usize, j: usize| {
        let mut cell = [0; 3];
        (cell[through], cell[across], cell[up]) = (cells[through] / 2, i, j);
        grid.place(cell)
    };
    let rows = (0..cells[up]).map(|j| (0..cells[across]).map(|i| at(i, j)).collect());
    Some((across, up, rows.collect()))
}

/// From dark blue over green to yellow, each lighter than the one before, so that it is read without colours too.
fn palette() -> Vec<[u8; 3]> {
    const KNOTS: [[f64; 3]; 5] = [
        [38.0, 24.0, 95.0],
        [44.0, 84.0, 142.0],
        [32.0, 146.0, 140.0],
        [110.0, 198.0, 92.0],
        [250.0, 232.0, 60.0],
    ];
    let mut colours = vec![[0; 3]];
    for number in 0..COLOURS {
        let place = number as f64 / (COLOURS - 1) as f64 * (KNOTS.len() - 1) as f64;
        let knot = (number * (KNOTS.len() - 1) / (COLOURS - 1)).min(KNOTS.len() - 2);
        let part = place - knot as f64;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 255")]
        let colour =
            core::array::from_fn(|i| (KNOTS[knot][i] * (1.0 - part) + KNOTS[knot + 1][i] * part) as u8);
        colours.push(colour);
    }
    colours
}
