//! Files that a scene names: found, or a message that says where they were looked for.

use crate::diagnostic::Problem;
use crate::place::Place;
use crate::suggest::nearest;
use std::path::{Path, PathBuf};
use tumble_dem::wall::Stl;

/// The path of a file that a key names, if it is a file.
pub(super) fn find(folder: &Path, file: &Path, place: Place) -> Result<PathBuf, Box<Problem>> {
    let path = folder.join(file);
    let problem = match std::fs::metadata(&path) {
        Ok(metadata) if metadata.is_file() => return Ok(path),
        Ok(_) => Problem::error(place, format!("{} is not a file", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let there = "paths start from the folder of the scene";
            let problem = Problem::error(place, format!("there is no file {}", path.display())).label(there);
            problem.maybe_help(similar(&path).map(|name| format!("did you mean `{name}`?")))
        }
        Err(error) => Problem::error(place, format!("{} cannot be read: {error}", path.display())),
    };
    Err(Box::new(problem))
}

/// Bad rows of a table that are told beside the first, and after how many the rest is not read.
const BAD_ROWS_SHOWN: usize = 9;
pub(super) const MOST_BAD_ROWS: usize = 1000;

/// What is wrong with the rows of a table, as one problem; nothing, if nothing is.
pub(super) fn bad_rows(bad: &[String], wrong: impl Fn(String) -> Problem) -> Option<Problem> {
    let (first, others) = bad.split_first()?;
    let problem = others.iter().take(BAD_ROWS_SHOWN).fold(wrong(first.clone()), Problem::help);
    let unseen = others.len().saturating_sub(BAD_ROWS_SHOWN);
    let more = if bad.len() > MOST_BAD_ROWS { "at least " } else { "" };
    Some(problem.maybe_help((unseen > 0).then(|| format!("{more}{unseen} rows more are wrong"))))
}

/// The triangles of an STL file that a key names.
pub(super) fn stl(folder: &Path, file: &Path, place: Place) -> Result<Stl, Box<Problem>> {
    let read = Stl::read(find(folder, file, place)?);
    read.map_err(|error| Box::new(bad_stl(place, &error)))
}

/// What is wrong with such a file.
pub(super) fn bad_stl(place: Place, error: &dyn core::error::Error) -> Problem {
    Problem::error(place, error.to_string()).label("this STL file")
}

/// The file in the same folder whose name is most like this one.
fn similar(path: &Path) -> Option<String> {
    const MOST: usize = 2000;
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.take(MOST).flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    nearest(&wanted, names.iter().map(String::as_str)).map(str::to_owned)
}
