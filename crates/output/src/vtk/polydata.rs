//! One `.vtp` file: VTK's XML for points, vertices, lines and triangles, its arrays appended as raw little-endian
//! bytes.

use crate::atomic::{Survives, replace};
use crate::bytes::Element;
use crate::{Error, Mark};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// A file in the making. Arrays are written in the order in which they are added.
pub(super) struct PolyData {
    arrays: Vec<ArrayInfo>,
    /// Each array after its length.
    data: Vec<u8>,
    points: usize,
    vertices: usize,
    lines: usize,
    triangles: usize,
}

/// Where an array belongs: an element of the XML. The order is that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    PointData,
    CellData,
    Points,
    Verts,
    Lines,
    Polys,
}

/// The array by which a surface is shaded.
pub(super) const NORMALS: &str = "Normals";

struct ArrayInfo {
    section: Section,
    name: &'static str,
    kind: &'static str,
    components: usize,
    /// Names of the components, where x, y, z is not what they are.
    component_names: &'static [&'static str],
    offset: usize,
}

impl PolyData {
    /// Points alone, each of which is a cell, so that filters see them.
    pub(super) fn of_points<T: Element>(points: impl ExactSizeIterator<Item = T>) -> Self {
        let count = points.len();
        let mut file = Self::new(points);
        let numbers = || (0..count).map(number);
        file.array(Section::Verts, "connectivity", numbers());
        file.array(Section::Verts, "offsets", numbers().map(|number| number + 1));
        file.vertices = count;
        file
    }

    /// Lines, each between a point and the next.
    pub(super) fn of_lines<T: Element>(points: impl ExactSizeIterator<Item = T>) -> Self {
        let count = points.len() / 2;
        let mut file = Self::new(points);
        file.array(Section::Lines, "connectivity", (0..2 * count).map(number));
        file.array(Section::Lines, "offsets", (1..=count).map(|line| number(2 * line)));
        file.lines = count;
        file
    }

    /// Triangles, by the numbers of their corners.
    pub(super) fn of_triangles<T: Element>(
        points: impl ExactSizeIterator<Item = T>,
        triangles: impl ExactSizeIterator<Item = [i32; 3]>,
    ) -> Self {
        let count = triangles.len();
        let mut file = Self::new(points);
        file.array(Section::Polys, "connectivity", triangles);
        file.array(Section::Polys, "offsets", (1..=count).map(|triangle| number(3 * triangle)));
        file.triangles = count;
        file
    }

    fn new<T: Element>(points: impl ExactSizeIterator<Item = T>) -> Self {
        let count = points.len();
        let mut file =
            Self { arrays: Vec::new(), data: Vec::new(), points: count, vertices: 0, lines: 0, triangles: 0 };
        file.array(Section::Points, "Points", points);
        file
    }

    /// Adds an array.
    pub(super) fn array<T: Element>(
        &mut self,
        section: Section,
        name: &'static str,
        values: impl Iterator<Item = T>,
    ) {
        self.named_array(section, name, &[], values);
    }

    /// Adds an array whose components have names.
    pub(super) fn named_array<T: Element>(
        &mut self,
        section: Section,
        name: &'static str,
        component_names: &'static [&'static str],
        values: impl Iterator<Item = T>,
    ) {
        let offset = self.data.len();
        // Lists of triangles are flat for VTK.
        let components = if matches!(section, Section::Verts | Section::Lines | Section::Polys) {
            1
        } else {
            T::COMPONENTS
        };
        self.arrays.push(ArrayInfo {
            section,
            name,
            kind: vtk_type(T::TYPE),
            components,
            component_names,
            offset,
        });
        0_u64.put(&mut self.data);
        self.data.reserve(values.size_hint().0 * T::SIZE);
        for value in values {
            value.put(&mut self.data);
        }
        let length = (self.data.len() - offset - u64::SIZE) as u64;
        self.data[offset..offset + u64::SIZE].copy_from_slice(&length.to_le_bytes());
    }

    /// Writes the file, which also says of which time (s) and step it is, and gives what is in it.
    pub(super) fn write(self, path: &Path, time: f64, step: u64) -> Result<Mark, Error> {
        let (most, corners) = (i32::MAX as usize, 3 * self.triangles);
        if self.points.max(corners) > most {
            let what = format!(
                "it would have {} points and {corners} corners of triangles, of which ParaView's files have at most {most}",
                self.points
            );
            return Err(Error::file("write", path)(io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        let bytes = self.into_bytes(time, step);
        replace(path, Survives::Kill, &bytes)?;
        Ok(Mark::of_bytes(path.file_name().unwrap_or_default(), &bytes))
    }

    fn into_bytes(self, time: f64, step: u64) -> Vec<u8> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n\
             <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
             <PolyData>\n<FieldData>\n",
        );
        for (kind, name, value) in
            [("Float64", "TimeValue", format!("{time:?}")), ("Int64", "step", step.to_string())]
        {
            let _ = writeln!(
                text,
                "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfTuples=\"1\" format=\"ascii\">{value}</DataArray>"
            );
        }
        let _ = writeln!(
            text,
            "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"{}\">",
            self.points, self.vertices, self.lines, self.triangles
        );
        let sections = [
            Section::PointData,
            Section::CellData,
            Section::Points,
            Section::Verts,
            Section::Lines,
            Section::Polys,
        ];
        // Files without lines do not name them.
        for section in sections.into_iter().filter(|section| *section != Section::Lines || self.lines > 0) {
            let has_normals =
                section == Section::PointData && self.arrays.iter().any(|array| array.name == NORMALS);
            let use_of = if has_normals { format!(" Normals=\"{NORMALS}\"") } else { String::new() };
            let _ = writeln!(text, "<{section:?}{use_of}>");
            for array in self.arrays.iter().filter(|array| array.section == section) {
                array.describe(&mut text);
            }
            let _ = writeln!(text, "</{section:?}>");
        }
        text.push_str("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
        let mut bytes = text.into_bytes();
        bytes.reserve(self.data.len() + 40);
        bytes.extend_from_slice(&self.data);
        bytes.extend_from_slice(b"\n</AppendedData>\n</VTKFile>\n");
        bytes
    }
}

impl ArrayInfo {
    fn describe(&self, text: &mut String) {
        let Self { name, kind, components, offset, .. } = self;
        let _ =
            write!(text, "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\"");
        for (number, name) in self.component_names.iter().enumerate() {
            let _ = write!(text, " ComponentName{number}=\"{name}\"");
        }
        let _ = writeln!(text, " format=\"appended\" offset=\"{offset}\"/>");
    }
}

fn vtk_type(kind: &str) -> &'static str {
    match kind {
        "u8" => "UInt8",
        "u16" => "UInt16",
        "i16" => "Int16",
        "u32" => "UInt32",
        "i32" => "Int32",
        "u64" => "UInt64",
        "i64" => "Int64",
        "f32" => "Float32",
        _ => "Float64",
    }
}

/// The number of a point. [`PolyData::write`] refuses files with more than there are numbers for.
#[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]
pub(super) fn number(index: usize) -> i32 {
    index as i32
}
