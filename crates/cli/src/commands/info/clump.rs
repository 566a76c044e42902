//! A clump: the mass properties of the union of its spheres, beside those of the sum of them.

use super::report::{Column, Comparison, Fact, Report, Value, fact};
use super::{Kind, Options, Subject};
use crate::failure::Failure;
use tumble_dem::clump::{ClumpFormat, ClumpSphere, ClumpTemplate, MassModel, read_clump};
use tumble_dem::{BodyVec, LabVec};
use tumble_rotation::math::elementary::cbrt;

pub(super) const KIND: Kind = Kind { what: "clump files (x, y, z, radius)", is, report };

/// Text; reading tells more.
fn is(subject: &Subject) -> bool {
    !subject.is_folder && !subject.head.contains(&0)
}

fn report(subject: &Subject, options: &Options) -> Result<Report, Failure> {
    let bad = |error: String| Failure::BadInput(error);
    let spheres = read_clump(subject.path).map_err(|error| bad(format!("read as a clump: {error}")))?;
    let spheres: Vec<ClumpSphere> = spheres.into_iter().map(|sphere| scaled(sphere, options.scale)).collect();
    let template = |model| {
        ClumpTemplate::new("", &spheres, model).map_err(|error| bad(format!("{}: {error}", subject.name())))
    };
    let (union, sum) = (template(MassModel::Union)?, template(MassModel::SumOfSpheres)?);
    let column = |key, label, template| Column { key, label, facts: facts(template, options.density) };
    let radii = || spheres.iter().map(|sphere| sphere.radius);
    let format = match ClumpFormat::detect(&String::from_utf8_lossy(&subject.head)) {
        ClumpFormat::Table => "x, y, z, radius",
        ClumpFormat::Liggghts => "LIGGGHTS: x, y, z, radius, type",
        ClumpFormat::DemEngine => "columns named by a header",
    };
    Ok(Report {
        file: subject.name(),
        kind: "clump",
        facts: vec![
            fact("format", "format", Value::Text(format.into())),
            fact("spheres", "spheres", Value::Count(spheres.len() as u64)),
            fact(
                "smallest_radius_m",
                "smallest radius, m",
                Value::Number(radii().fold(f64::INFINITY, f64::min)),
            ),
            fact("largest_radius_m", "largest radius, m", Value::Number(radii().fold(0.0, f64::max))),
        ],
        comparison: Some(Comparison {
            columns: vec![
                column("union", "union of the spheres", &union),
                column("sum_of_spheres", "sum of the spheres", &sum),
            ],
        }),
        parts: None,
        remarks: remarks(union.volume(), sum.volume(), options),
    })
}

fn scaled(sphere: ClumpSphere, factor: f64) -> ClumpSphere {
    ClumpSphere { centre: sphere.centre * factor, radius: sphere.radius * factor }
}

fn facts(template: &ClumpTemplate, density: Option<f64>) -> Vec<Fact> {
    let volume = template.volume();
    let mut facts = vec![fact("volume_m3", "volume, m³", Value::Number(volume))];
    if let Some(density) = density {
        facts.push(fact("mass_kg", "mass, kg", Value::Number(template.mass(density, 1.0))));
    }
    let size = template.bounding_radius();
    facts.push(fact("centre_m", "centre of mass, m", Value::Vector(without_noise(template.centre(), size))));
    facts.push(if let Some(density) = density {
        let moments = template.moments(density, 1.0).to_array();
        fact("principal_moments_kg_m2", "principal moments, kg m²", Value::Vector(moments))
    } else {
        let moments = template.moments_per_density().to_array();
        fact("principal_moments_over_density_m5", "principal moments / density, m⁵", Value::Vector(moments))
    });
    let axis = |x, y, z| {
        let axis = template.orientation().to_lab(BodyVec::new(x, y, z));
        Value::Vector(without_noise(axis, 1.0))
    };
    facts.push(fact("axis_1", "axis of the first", axis(1.0, 0.0, 0.0)));
    facts.push(fact("axis_2", "axis of the second", axis(0.0, 1.0, 0.0)));
    facts.push(fact("axis_3", "axis of the third", axis(0.0, 0.0, 1.0)));
    facts.push(fact("bounding_radius_m", "bounding radius, m", Value::Number(size)));
    let equivalent = cbrt(volume * 0.75 / std::f64::consts::PI);
    facts.push(fact(
        "equivalent_radius_m",
        "radius of a sphere of that volume, m",
        Value::Number(equivalent),
    ));
    facts
}

fn remarks(union: f64, sum: f64, options: &Options) -> Vec<String> {
    let mut remarks = Vec::new();
    let excess = (sum / union - 1.0) * 100.0;
    // Touching spheres differ by rounding.
    if excess > 1e-9 {
        remarks.push(format!(
            "Spheres overlap: their sum counts {excess:.3} % more volume than there is. Bodies have the mass of \
             the union unless a scene says otherwise."
        ));
    } else {
        remarks.push("No spheres overlap: both are the same.".into());
    }
    if options.density.is_none() {
        remarks.push("With --density, masses are given.".into());
    }
    remarks
}

/// A vector whose components are zero where they are rounding errors of lengths of this `size`.
fn without_noise(vector: LabVec<f64>, size: f64) -> [f64; 3] {
    vector.to_array().map(|x| if x.abs() < 1e-14 * size { 0.0 } else { x })
}
