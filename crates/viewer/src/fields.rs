//! Coarse-grained fields: which there are, when they have frames, and the numbers of single frames.
//!
//! Fields of planes and grids are in `.vti` files, of which the page asks for one quantity of one frame at a time: a grid has many
//! quantities, and one looks at few. Fields of lines are tables, and served as such. Names of fields and quantities in an address are
//! compared with those that are there, and never become a part of a path.

use crate::Source;
use serde::Serialize;
use std::path::PathBuf;
use tumble_measure::coarse::Quantity;
use tumble_output::vtk::{ImageEntry, ImageHead, image_names, images};
use tumble_output::{Error, Part};

/// How many frames there are of the fields on a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldStatus {
    /// What they are called.
    pub name: String,
    /// How many frames there are.
    pub frames: usize,
}

/// The fields on a grid, as the page is told of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The lower corner and the sides of a cell, m.
    pub(crate) low: [f64; 3],
    pub(crate) sides: [f64; 3],
    pub(crate) cells: [usize; 3],
    /// Where the window of each frame begins, and its end, s; the same for an instant.
    pub(crate) starts: Vec<f64>,
    pub(crate) times: Vec<f64>,
    pub(crate) quantities: Vec<FieldQuantity>,
}

/// A quantity of a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct FieldQuantity {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
    /// The names of its components, as `xy`; one, which is empty, for a number.
    pub(crate) parts: Vec<String>,
    /// What it is, in words.
    pub(crate) what: &'static str,
}

/// The folder of fields.
fn folder(source: &Source) -> Option<PathBuf> {
    source.part(Part::Fields)
}

/// The tables of fields on lines and in single boxes, by what they are called in an address: `fields/NAME.csv`.
pub(crate) fn tables(source: &Source) -> Vec<(String, PathBuf)> {
    let Some(folder) = folder(source) else { return Vec::new() };
    let table = |name: String| {
        let path = folder.join(format!("{name}.csv"));
        (format!("{}/{name}.csv", Part::Fields.name()), path)
    };
    image_names(&folder).into_iter().map(table).filter(|(_, path)| source.look(path).is_ok()).collect()
}

/// Which fields of planes and grids have how many frames.
pub(crate) fn status(source: &Source) -> Vec<FieldStatus> {
    let frames = |(name, entries): (String, Vec<ImageEntry>)| FieldStatus { name, frames: entries.len() };
    series(source).filter_map(Result::ok).map(frames).collect()
}

/// All fields of planes and grids, and why some cannot be shown.
pub(crate) fn all(source: &Source) -> (Vec<Field>, Vec<Error>) {
    let (mut fields, mut problems) = (Vec::new(), Vec::new());
    for found in series(source) {
        let field = found.and_then(|(name, entries)| {
            let head = ImageHead::read(&entries[0].path)?;
            Ok(Field::of(name, &head, &entries, source))
        });
        match field {
            Ok(field) => fields.push(field),
            Err(problem) => problems.push(problem),
        }
    }
    (fields, problems)
}

/// The names of planes and grids that have frames, and these.
fn series(source: &Source) -> impl Iterator<Item = Result<(String, Vec<ImageEntry>), Error>> {
    let folder = folder(source).unwrap_or_default();
    let names = image_names(&folder).into_iter();
    // What has a table beside it is a line.
    let names = {
        let folder = folder.clone();
        names.filter(move |name| folder.join(format!("{name}.csv")).symlink_metadata().is_err())
    };
    let found = names.map(move |name| images(&folder, &name).map(|entries| (name, entries)));
    found.filter(|found| !matches!(found, Ok((_, entries)) if entries.is_empty()))
}

/// The file of a frame of a field, and what is in it; none if there is no such frame.
fn frame(source: &Source, name: &str, number: usize) -> Result<Option<(PathBuf, ImageHead)>, Error> {
    let Some(folder) = folder(source) else { return Ok(None) };
    if !image_names(&folder).iter().any(|known| known == name) {
        return Ok(None);
    }
    let entry = images(&folder, name)?.into_iter().nth(number);
    entry.map(|ImageEntry { path, .. }| Ok((path.clone(), ImageHead::read(&path)?))).transpose()
}

/// The numbers of `NAME/NUMBER/QUANTITY`, little-endian and in single precision; none if there are none.
pub(crate) fn values(source: &Source, wanted: &str) -> Result<Option<Vec<u8>>, Error> {
    let parts: Vec<&str> = wanted.split('/').collect();
    let [name, number, quantity] = parts[..] else { return Ok(None) };
    let Ok(number) = number.parse() else { return Ok(None) };
    let Some((path, head)) = frame(source, name, number)? else { return Ok(None) };
    Ok(head.values(&path, quantity)?.map(|values| values.iter().flat_map(|x| x.to_le_bytes()).collect()))
}

impl Field {
    fn of(name: String, head: &ImageHead, entries: &[ImageEntry], source: &Source) -> Self {
        let quantities = head.arrays.iter().map(|array| {
            // Of another version of the program there may be others.
            let known = Quantity::from_name(&array.name);
            FieldQuantity {
                name: array.name.clone(),
                unit: known.map_or("", |quantity| quantity.unit),
                parts: array.components.iter().map(|part| part.to_lowercase()).collect(),
                what: known.map_or("", |quantity| quantity.what),
            }
        });
        let times: Vec<f64> = entries.iter().map(|entry| entry.time).collect();
        Self {
            low: head.origin,
            sides: head.spacing,
            cells: head.cells,
            starts: if has_window(source, &name) { starts(&times) } else { times.clone() },
            times,
            quantities: quantities.collect(),
            name,
        }
    }
}

/// Where windows begin that end at these times and follow each other.
fn starts(times: &[f64]) -> Vec<f64> {
    let first = match times {
        [first, second, ..] => (2.0 * first - second).max(0.0),
        _ => 0.0,
    };
    std::iter::once(first).chain(times.iter().copied()).take(times.len()).collect()
}

/// Whether the scene averages a field over windows; as runs write their scenes, each key is on a line of its own.
fn has_window(source: &Source, name: &str) -> bool {
    let scene = source.part(Part::Scene).filter(|path| source.look(path).is_ok());
    let scene = scene.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    let named = format!("name = {name:?}");
    let mut tables = scene.split("\n[").filter(|table| table.starts_with("[coarse_fields]]"));
    let table = tables.find(|table| table.lines().any(|line| line == named));
    table.is_some_and(|table| table.lines().any(|line| line.starts_with("window = ")))
}
