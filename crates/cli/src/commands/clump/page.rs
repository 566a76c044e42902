//! The page of a clump: both surfaces with their errors as colours, the certificate, the ladder.

use super::{certificate, ladder, picture, short};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Report, Section, Series};
use tumble_shape::{Fitted, MassFrom, Solid};

pub(super) fn page(name: &str, command: &str, fitted: &Fitted, solid: &Solid) -> Report {
    let c = &fitted.certificate;
    let sections = vec![
        Section {
            title: "Both surfaces".into(),
            pictures: picture::pictures(solid, &fitted.spheres, c.surface.upper),
            setup: vec![format!(
                "Red where the spheres stick out of the mesh, blue where they stay inside, both up to {} m, the certified error; \
                 grey where the surfaces meet.",
                short(c.surface.upper)
            )],
            ..Section::default()
        },
        Section {
            title: "Certificate".into(),
            setup: certificate(fitted, solid),
            facts: facts(fitted, solid),
            command: command.into(),
            notes: vec![
                "The surface error is the Hausdorff distance of the two surfaces: no point of either is farther from the other. It is enclosed by \
                 bisection, with bounds for whole pieces of surface, so that the upper one is proved."
                    .into(),
            ],
            ..Section::default()
        },
        Section {
            title: "Spheres against errors".into(),
            outcome: Outcome {
                figures: if fitted.ladder.len() > 1 { vec![("ladder".into(), figure(fitted, solid))] } else { Vec::new() },
                tables: vec![("ladder".into(), ladder(fitted, solid))],
                ..Outcome::default()
            },
            notes: vec!["Lengths are relative to the size, the diameter of a ball of the same volume.".into()],
            ..Section::default()
        },
    ];
    Report {
        title: format!("{name}: {} spheres", fitted.spheres.len()),
        subtitle: format!(
            "A clump for a mesh of {} triangles; surfaces at most {} % of the size apart.",
            solid.triangles().len(),
            short(100.0 * c.surface.upper / solid.size())
        ),
        made_by: vec![("version".into(), env!("CARGO_PKG_VERSION").into())],
        sections,
        ..Report::default()
    }
}

fn facts(fitted: &Fitted, solid: &Solid) -> Vec<(String, String)> {
    let c = &fitted.certificate;
    let metres = |bound: &tumble_shape::Bound| format!("{} to {} m", short(bound.lower), short(bound.upper));
    let [smallest, largest] = [f64::min as fn(f64, f64) -> f64, f64::max]
        .map(|pick| fitted.spheres.iter().map(|s| s.radius).reduce(pick).unwrap_or(0.0));
    let at = c.surface.at.to_array().map(short).join(", ");
    let mass = if fitted.mass == MassFrom::Union { "the union of the spheres" } else { "the mesh" };
    let facts = [
        ("spheres", fitted.spheres.len().to_string()),
        ("radii", format!("{} to {} m", short(smallest), short(largest))),
        ("surface error", metres(&c.surface)),
        ("farthest at", format!("({at}) m")),
        ("mesh to spheres", metres(&c.mesh_to_spheres)),
        ("spheres to mesh", metres(&c.spheres_to_mesh)),
        ("mean distance", format!("{} m", short(c.mean))),
        ("volume", format!("{} m³ (mesh), {} m³ (union)", short(solid.mass().volume), short(c.union.volume))),
        ("difference of the volumes", short(c.volume_error)),
        ("distance of the centres / size", short(c.centre_error)),
        ("difference of the inertias", short(c.inertia_error)),
        ("mass properties of", mass.to_owned()),
        ("connected parts", c.parts.to_string()),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn figure(fitted: &Fitted, solid: &Solid) -> Figure {
    let points = |of: fn(&tumble_shape::Certificate) -> f64| {
        fitted
            .ladder
            .iter()
            .map(|r| (r.spheres.len() as f64, 100.0 * of(&r.certificate) / solid.size()))
            .collect()
    };
    let panel = Panel {
        title: String::new(),
        x: Axis::log("spheres"),
        y: Axis::log("error, % of the size"),
        series: vec![
            Series::new("surface, certified", points(|c| c.surface.upper), Mark::LinePoints),
            Series::new("mean", points(|c| c.mean), Mark::LinePoints),
        ],
    };
    Figure { title: "What more spheres are worth.".into(), panels: vec![panel] }
}
