//! PLY files, text or binary (`ply-rs-bw`), of which the corners (`vertex`, with `x`, `y` and `z`) and the faces (`face`, with
//! `vertex_indices` or `vertex_index`) are read; colours, normals and the rest have no meaning for a solid. Faces of more than three corners become fans.

use super::Point;
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{Property, PropertyAccess, PropertyAccessResult};

/// One of a file's elements: a corner has coordinates, a face has numbers of corners, counted from 0.
#[derive(Debug, Default)]
struct Element {
    at: [Option<f64>; 3],
    corners: Vec<i64>,
}

impl PropertyAccess for Element {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, value: Property) -> PropertyAccessResult {
        match name {
            "x" => self.at[0] = number(&value),
            "y" => self.at[1] = number(&value),
            "z" => self.at[2] = number(&value),
            "vertex_indices" | "vertex_index" => self.corners = numbers(value),
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

fn number(value: &Property) -> Option<f64> {
    match *value {
        Property::Float(x) => Some(f64::from(x)),
        Property::Double(x) => Some(x),
        Property::Char(x) => Some(f64::from(x)),
        Property::UChar(x) => Some(f64::from(x)),
        Property::Short(x) => Some(f64::from(x)),
        Property::UShort(x) => Some(f64::from(x)),
        Property::Int(x) => Some(f64::from(x)),
        Property::UInt(x) => Some(f64::from(x)),
        _ => None,
    }
}

/// A list of whole numbers; an empty one if they are not whole.
fn numbers(value: Property) -> Vec<i64> {
    fn widened<T: Into<i64>>(list: Vec<T>) -> Vec<i64> {
        list.into_iter().map(Into::into).collect()
    }
    match value {
        Property::ListChar(list) => widened(list),
        Property::ListUChar(list) => widened(list),
        Property::ListShort(list) => widened(list),
        Property::ListUShort(list) => widened(list),
        Property::ListInt(list) => widened(list),
        Property::ListUInt(list) => widened(list),
        _ => Vec::new(),
    }
}

/// The triangles of a PLY file; an error is what is wrong with it.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<[Point; 3]>, String> {
    let file = Parser::<Element>::new().read_ply(&mut &*bytes).map_err(|error| in_words(&error))?;
    let elements = |name: &str| {
        let found = file.payload.iter().find(|(own, _)| own.as_str() == name);
        found.map(|(_, list)| list).ok_or_else(|| format!("it has no element `{name}`"))
    };
    let points: Vec<Point> = (0..).zip(elements("vertex")?).map(corner).collect::<Result<_, _>>()?;
    let mut triangles = Vec::new();
    for (row, face) in elements("face")?.iter().enumerate() {
        if face.corners.len() < 3 {
            let count = face.corners.len();
            return Err(format!(
                "face {row} (from 0): a face has at least three corners, this one has {count}"
            ));
        }
        let corners: Vec<Point> =
            face.corners.iter().map(|&place| find(row, place, &points)).collect::<Result<_, _>>()?;
        triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
    }
    Ok(triangles)
}

fn in_words(error: &ply_rs_bw::parser::ParseError) -> String {
    // Some of its messages have a second line.
    let text = error.to_string();
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("; ")
}

fn corner((row, element): (usize, &Element)) -> Result<Point, String> {
    match element.at {
        [Some(x), Some(y), Some(z)] if x.is_finite() && y.is_finite() && z.is_finite() => {
            Ok(Point::new(x, y, z))
        }
        [Some(_), Some(_), Some(_)] => Err(format!("vertex {row} (from 0): its coordinates are not finite")),
        _ => Err(format!("vertex {row} (from 0): expected the numbers `x`, `y` and `z`")),
    }
}

fn find(row: usize, place: i64, points: &[Point]) -> Result<Point, String> {
    let found = usize::try_from(place).ok().and_then(|place| points.get(place));
    found.copied().ok_or_else(|| {
        format!("face {row} (from 0): there is no vertex {place} among {} (from 0)", points.len())
    })
}
