//! A triangle mesh: what became of its triangles, whether it has holes, where it lies.

use super::report::{Report, Value, fact};
use super::{Kind, Options, Subject};
use crate::failure::Failure;
use tumble_dem::LabVec;
use tumble_dem::wall::stl::StlForm;
use tumble_dem::wall::{MeshOptions, Stl, TriangleMesh};

pub(super) const KIND: Kind = Kind { what: "STL meshes", is, report };

/// Said to be one by its name, by its first word, or by its length: 84 bytes and 50 for each triangle.
fn is(subject: &Subject) -> bool {
    let text = subject.head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&subject.head).trim_ascii_start();
    let begins = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let announced = subject.head.get(80..84).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes);
    let fits = announced.is_some_and(|count| subject.length == 84 + 50 * u64::from(count));
    !subject.is_folder && (begins || fits || subject.has_extension("stl"))
}

fn report(subject: &Subject, options: &Options) -> Result<Report, Failure> {
    let bad = |error: String| Failure::BadInput(error);
    let stl = Stl::read(subject.path).map_err(|error| bad(error.to_string()))?;
    let here = |error: tumble_dem::wall::Error| bad(format!("{}: {error}", subject.name()));
    let stl = stl.scaled(options.scale).map_err(here)?;
    let mesh = stl.mesh(MeshOptions::default()).map_err(here)?;
    let of = mesh.report();
    let [low, high] = mesh.bounds();
    let watertight = of.open_edges == 0 && of.branching_edges == 0;
    let form = match stl.form {
        StlForm::Ascii => "STL, text",
        StlForm::Binary => "STL, binary",
    };
    Ok(Report {
        file: subject.name(),
        kind: "triangle mesh",
        facts: vec![
            fact("format", "format", Value::Text(form.into())),
            fact("name", "name", Value::Text(stl.name.clone())),
            fact("triangles", "triangles", Value::Count(of.triangles as u64)),
            fact("degenerate", "dropped, without area", Value::Count(of.degenerate as u64)),
            fact("duplicate", "dropped, given twice", Value::Count(of.duplicate as u64)),
            fact("faces", "flat faces", Value::Count(of.faces as u64)),
            fact("edges", "edges", Value::Count(of.edges as u64)),
            fact("vertices", "corners", Value::Count(of.vertices as u64)),
            fact("open_edges", "open edges", Value::Count(of.open_edges as u64)),
            fact("branching_edges", "edges of three or more", Value::Count(of.branching_edges as u64)),
            fact("watertight", "watertight", Value::Flag(watertight)),
            fact("lowest_m", "lowest corner, m", Value::Vector(low.to_array())),
            fact("highest_m", "highest corner, m", Value::Vector(high.to_array())),
            fact("size_m", "size, m", Value::Vector((high - low).to_array())),
            fact("area_m2", "area, m²", Value::Number(area(&mesh))),
        ],
        comparison: None,
        parts: None,
        remarks: remarks(&mesh, high - low),
    })
}

fn area(mesh: &TriangleMesh) -> f64 {
    mesh.triangles().map(|[a, b, c]| 0.5 * (b - a).cross(c - a).norm()).sum()
}

/// Meshes larger than this, m, are most often drawings in millimetres.
const HUGE: f64 = 20.0;

fn remarks(mesh: &TriangleMesh, size: LabVec<f64>) -> Vec<String> {
    let mut remarks = Vec::new();
    let open = mesh.report().open_edges;
    if open > 0 {
        remarks.push(format!(
            "{open} edges belong to a single triangle: right for a sheet or an open vessel, holes in anything else."
        ));
    }
    if size.to_array().into_iter().any(|length| length > HUGE) {
        remarks.push("STL files have no unit; if this one is in millimetres, add --scale 1e-3.".into());
    }
    remarks
}
