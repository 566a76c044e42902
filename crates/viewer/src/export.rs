//! A film: the page with its data in it, in one file that needs no server and no network.

use crate::base64::Encoder;
use crate::page::around_data;
use crate::{Error, FilmFields, Source};
use serde_json::Value;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use tumble_output::trajectory::TrajectoryReader;
use tumble_output::{Part, write_stream};

/// How a film is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// One frame out of so many is kept; and the last one.
    pub every: NonZeroUsize,
    /// Whether an older file of the name is replaced.
    pub force: bool,
}

/// A film that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Film {
    /// What the run is called.
    pub title: String,
    /// Frames that are in it.
    pub frames: usize,
    /// Frames that would be, but are damaged in the trajectory.
    pub lost: usize,
    /// Coarse-grained fields of planes and grids.
    pub fields: FilmFields,
    /// Length of the file.
    pub bytes: u64,
}

/// Writes a film. The file is there as a whole or not at all, and is never in memory as a whole.
pub fn export(source: &Source, to: &Path, options: ExportOptions) -> Result<Film, Error> {
    source.check()?;
    check_place(source, to, options.force)?;
    let mut reader = TrajectoryReader::open(source.trajectory()).map_err(Error::Trajectory)?;
    let title = reader.header().title.clone();
    let warm = reader.header().arrays.iter().any(|array| array.name == "temperatures");
    let mut thinned = reader.thinned(options.every);
    let fields = FilmFields::new(source, warm);
    let mut unreadable = None;
    let written = write_stream(to, |out| {
        let (before, after) = around_data();
        out.write_all(before.as_bytes())?;
        out.write_all(b"<script type=\"application/json\" id=\"tumble-data\">{\"trajectory\":\"")?;
        let mut encoder = Encoder::new(out);
        loop {
            match thinned.piece() {
                Ok(Some(piece)) => encoder.put(piece)?,
                Ok(None) => break,
                Err(error) => {
                    unreadable = Some(error);
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
        }
        encoder.finish()?;
        out.write_all(b"\"")?;
        let tables = source
            .tables()
            .filter_map(|(name, path)| Some((name, Value::String(fs::read_to_string(path).ok()?))));
        put(out, "tables", &Value::Object(tables.collect()))?;
        fields.write(source, out)?;
        let summary = text_of(source, Part::Summary).and_then(|text| serde_json::from_str(&text).ok());
        put(out, "summary", &summary.unwrap_or(Value::Null))?;
        let gravity = text_of(source, Part::Scene).and_then(|scene| gravity(&scene));
        put(out, "scene", &gravity.map_or(Value::Null, Value::String))?;
        put(out, "title", &Value::String(title.clone()))?;
        out.write_all(b"}</script>")?;
        out.write_all(after.as_bytes())
    });
    match unreadable {
        Some(error) => return Err(Error::Trajectory(error)),
        None => written.map_err(Error::Film)?,
    }
    let (frames, lost) = (thinned.frames(), thinned.lost());
    let bytes = to.metadata().map_err(Error::path(to))?.len();
    Ok(Film { title, frames, lost, fields, bytes })
}

/// Whether a film can be put there, and nothing is lost by it.
fn check_place(source: &Source, to: &Path, force: bool) -> Result<(), Error> {
    let unsuitable = |what| Err(Error::Unsuitable { path: to.to_owned(), what });
    if to.is_dir() {
        return unsuitable("a folder");
    }
    // The same file may have several names.
    let there = fs::canonicalize(to).ok();
    let own = Part::ALL.into_iter().filter_map(|part| fs::canonicalize(source.part(part)?).ok());
    if there.is_some_and(|there| own.into_iter().any(|own| own == there)) {
        return unsuitable("a part of the results");
    }
    if to.symlink_metadata().is_ok() && !force {
        return Err(Error::Exists { path: to.to_owned() });
    }
    Ok(())
}

fn text_of(source: &Source, part: Part) -> Option<String> {
    let path = source.part(part)?;
    source.look(&path).ok()?;
    fs::read_to_string(path).ok()
}

/// The line of a scene that says which way is down. The others are not sent along: they may name folders of whoever
/// made the film.
fn gravity(scene: &str) -> Option<String> {
    let mut top = scene.lines().take_while(|line| !line.starts_with('['));
    top.find(|line| line.starts_with("gravity =")).map(str::to_owned)
}

/// One more member of the object. A browser takes `</script>` for the end of the data wherever it stands, so no `<` is
/// written as such.
fn put(out: &mut dyn Write, name: &str, value: &Value) -> io::Result<()> {
    write!(out, ",\"{name}\":{}", value.to_string().replace('<', "\\u003c"))
}
