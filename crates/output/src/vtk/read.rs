//! What an [`ImageWriter`](super::ImageWriter) wrote, read back: which image is of which time, and single arrays of one.
//!
//! Only the beginning of an image is read to know what is in it, and of its numbers only those that are asked for.

use super::series::{IMAGE, Series};
use crate::single::narrow;
use crate::{Error, plain};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// An image of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageEntry {
    /// s
    pub time: f64,
    /// Steps since the start.
    pub step: u64,
    /// Where it is.
    pub path: PathBuf,
}

/// The images of one name in a folder, in the order of time.
pub fn images(folder: &Path, name: &str) -> Result<Vec<ImageEntry>, Error> {
    let mut series = Series::new(name.to_owned(), IMAGE);
    series.read(folder)?;
    let entries =
        series.listed_files().map(|(time, step, file)| ImageEntry { time, step, path: folder.join(file) });
    Ok(entries.collect())
}

/// The names of the series of images in a folder, in alphabetical order; none if there is no such folder.
pub fn image_names(folder: &Path) -> Vec<String> {
    // A link may lead to anything.
    if !folder.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Vec::new();
    }
    let entries = folder.read_dir().into_iter().flatten().filter_map(Result::ok);
    let files = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> =
        files.filter_map(|file| file.strip_suffix(".pvd").map(str::to_owned)).collect();
    names.sort_unstable();
    names
}

/// What is in the file of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageHead {
    /// The lower corner, m.
    pub origin: [f64; 3],
    /// The sides of a cell, m.
    pub spacing: [f64; 3],
    /// How many cells there are along x, y and z.
    pub cells: [usize; 3],
    /// Its arrays.
    pub arrays: Vec<ImageArrayHead>,
    /// Where the numbers of all arrays begin.
    data: u64,
}

/// An array in the file of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageArrayHead {
    /// Its name.
    pub name: String,
    /// The names of its components; one, which is empty, for a number.
    pub components: Vec<String>,
    offset: u64,
}

/// Where the text ends and the numbers begin.
const BEFORE_DATA: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
/// More than the text of any image has.
const LONGEST: u64 = 1 << 16;

impl ImageHead {
    /// Reads the beginning of a file.
    pub fn read(path: &Path) -> Result<Self, Error> {
        plain::check(path)?;
        let mut bytes = Vec::new();
        let read = plain::open(path)?.take(LONGEST).read_to_end(&mut bytes);
        read.map_err(Error::file("read", path))?;
        let not_ours = || Error::damaged(path, "this is not an image as Tumble writes it");
        let end = bytes.windows(BEFORE_DATA.len()).position(|piece| piece == BEFORE_DATA);
        let end = end.ok_or_else(not_ours)?;
        let text = str::from_utf8(&bytes[..end]).map_err(|_| not_ours())?;
        Self::parse(text, (end + BEFORE_DATA.len()) as u64).ok_or_else(not_ours)
    }

    fn parse(text: &str, data: u64) -> Option<Self> {
        let image = text.lines().find(|line| line.starts_with("<ImageData "))?;
        let arrays = text.lines().filter(|line| line.contains(" format=\"appended\" "));
        // From 0 to how many there are, along each axis.
        let extent: Vec<&str> = attribute(image, "WholeExtent")?.split(' ').collect();
        let cells = three(&extent.into_iter().skip(1).step_by(2).collect::<Vec<_>>().join(" "))?;
        let head = Self {
            origin: three(attribute(image, "Origin")?)?,
            spacing: three(attribute(image, "Spacing")?)?,
            cells,
            arrays: arrays.map(ImageArrayHead::parse).collect::<Option<_>>()?,
            data,
        };
        let finite = head.origin.iter().chain(&head.spacing).all(|number| number.is_finite());
        (finite && head.len().is_some_and(|cells| cells > 0)).then_some(head)
    }

    /// How many cells there are; none if that is no number of anything.
    fn len(&self) -> Option<usize> {
        let [x, y, z] = self.cells;
        x.checked_mul(y)?.checked_mul(z)
    }

    /// The numbers of an array in single precision: the components of all cells, one cell after the other; x goes fastest. None
    /// if there is no array of this name.
    pub fn values(&self, path: &Path, name: &str) -> Result<Option<Vec<f32>>, Error> {
        let Some(array) = self.arrays.iter().find(|array| array.name == name) else { return Ok(None) };
        let cut_off = || Error::damaged(path, format!("its numbers of {name} are not all there"));
        plain::check(path)?;
        let mut file = plain::open(path)?;
        let bytes = self.len().and_then(|cells| cells.checked_mul(8 * array.components.len()));
        let bytes = bytes.ok_or_else(cut_off)? as u64;
        let start = self.data.saturating_add(array.offset);
        let length = file.metadata().map_err(Error::file("read", path))?.len();
        if start.saturating_add(8).saturating_add(bytes) > length {
            return Err(cut_off());
        }
        let said = take(&mut file, start, 8).map_err(Error::file("read", path))?;
        if said != bytes.to_le_bytes() {
            return Err(cut_off());
        }
        let numbers = take(&mut file, start + 8, bytes).map_err(Error::file("read", path))?;
        let (numbers, _) = numbers.as_chunks::<8>();
        Ok(Some(numbers.iter().map(|number| narrow(f64::from_le_bytes(*number))).collect()))
    }
}

impl ImageArrayHead {
    fn parse(line: &str) -> Option<Self> {
        let count: usize = attribute(line, "NumberOfComponents")?.parse().ok()?;
        let component = |number| attribute(line, &format!("ComponentName{number}")).unwrap_or("").to_owned();
        Some(Self {
            name: attribute(line, "Name")?.to_owned(),
            // As many as a tensor has.
            components: (count <= 9).then(|| (0..count).map(component).collect())?,
            offset: attribute(line, "offset")?.parse().ok()?,
        })
    }
}

/// What an attribute of an element says.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn three<T: std::str::FromStr>(text: &str) -> Option<[T; 3]> {
    let parts: Vec<T> = text.split(' ').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    parts.try_into().ok()
}

fn take(file: &mut File, from: u64, count: u64) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}
