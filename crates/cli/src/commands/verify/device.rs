//! `tumble verify --device`: whether a graphics card ends with the bits that are written down in the repository.

use super::{Options, VerifyFormat};
use crate::failure::Failure;
use crate::kernels;
use crate::output::{self, Format};
use serde_json::json;
use tumble::gpu::{self, Choice as Device, Refused};
use tumble_dem::Error;
use tumble_dem::law::LawKind;
use tumble_report::{Cell, Table};
use tumble_study::verify::pinned::{self, Scene};

/// What became of a scene.
enum End {
    Same,
    Different,
    /// It has something that cards do not do.
    Refused,
    /// It did not come to its end.
    Failed(String),
}

/// How many scenes are named that end otherwise.
const SHOWN: usize = 8;

const COLUMNS: [&str; 5] = ["law", "scenes", "the same bits", "refused", "differing"];

pub(super) fn run(device: Device, options: &Options) -> Result<(), Failure> {
    let refused = |why: Refused| Failure::BadInput(format!("--device {device}: {why}"));
    gpu::look_for(device).map_err(refused)?;
    let kernels = kernels::folder();
    if !options.quiet {
        output::progress(&format!("Computing {} scenes on {device}…", Scene::all().count()));
    }
    let ends = pinned::on(|engine, steps| {
        let mut solver = match gpu::start(engine, device, kernels.as_deref()) {
            Ok(started) => started.solver,
            Err(Refused::Beyond(_)) => return Err(End::Refused),
            Err(why) => return Err(End::Failed(why.to_string())),
        };
        solver.advance(steps).map_err(|error: Error| End::Failed(error.to_string()))?;
        Ok(solver)
    })
    .map_err(|error| Failure::Failed(error.to_string()))?;
    let ends: Vec<(Scene, End)> = ends.into_iter().map(|(scene, bits)| (scene, end(&scene, bits))).collect();
    if !options.quiet {
        output::print(&match options.format {
            VerifyFormat::Text => output::table(&table(&ends), Format::Text),
            VerifyFormat::Csv => output::table(&table(&ends), Format::Csv),
            VerifyFormat::Markdown => output::table(&table(&ends), Format::Markdown),
            VerifyFormat::Json => format!("{:#}\n", json(&ends)),
        })?;
    }
    let told: Vec<String> = ends
        .iter()
        .filter_map(|(scene, end)| Some(format!("\n  {}: {}", scene.name(), end.told()?)))
        .collect();
    if told.is_empty() {
        return Ok(());
    }
    let first = &told[..told.len().min(SHOWN)];
    let rest = told.len() - first.len();
    let rest = if rest == 0 { String::new() } else { format!("\n  and {rest} more") };
    Err(Failure::NotReproduced(format!(
        "{} of {} scenes did not end with the bits that are written down:{}{rest}",
        told.len(),
        ends.len(),
        first.concat()
    )))
}

fn end(scene: &Scene, bits: Result<u64, End>) -> End {
    match bits {
        Ok(bits) if scene.pinned() == Some(bits) => End::Same,
        Ok(_) => End::Different,
        Err(end) => end,
    }
}

impl End {
    /// What to say of it, unless all is well.
    fn told(&self) -> Option<&str> {
        match self {
            Self::Same | Self::Refused => None,
            Self::Different => Some("other bits"),
            Self::Failed(why) => Some(why),
        }
    }
}

/// A row for each law.
fn table(ends: &[(Scene, End)]) -> Table {
    let mut table = Table::new("", &COLUMNS);
    for &law in LawKind::ALL {
        let of_law: Vec<&End> =
            ends.iter().filter(|(scene, _)| scene.contact.law == law).map(|(_, end)| end).collect();
        let same = of_law.iter().filter(|end| matches!(end, End::Same)).count();
        let refused = of_law.iter().filter(|end| matches!(end, End::Refused)).count();
        let differing = of_law.len() - same - refused;
        let counts = [of_law.len(), same, refused, differing].map(|count| Cell::Count(count as u64));
        table.rows.push(core::iter::once(law.name().into()).chain(counts).collect());
    }
    table
}

fn json(ends: &[(Scene, End)]) -> serde_json::Value {
    let object = |(scene, end): &(Scene, End)| {
        json!({
            "law": scene.contact.law.name(),
            "rolling": scene.contact.rolling.name(),
            "twisting": scene.contact.twisting.name(),
            "around": scene.place(),
            "same": matches!(end, End::Same),
            "refused": matches!(end, End::Refused),
            "told": end.told(),
        })
    };
    ends.iter().map(object).collect()
}
