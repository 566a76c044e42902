//! Files made from the code: tables of schemes, contact laws and verification cases, measures, keys and schema of scenes, fingerprints of the
//! results of schemes and contact models, figures.
//! Nothing in them depends on the clock, so that `--check` can tell whether they are up to date.

use crate::{Failure, golden, root};
use tumble_rotation::SchemeKind;
use tumble_study::{Preset, Study, scheme_table, time_step_range};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write the files.
    Write,
    /// Compare them with what would be written.
    Check,
}

pub(crate) fn run(mode: Mode) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for (path, contents) in files()? {
        let file = root().join(&path);
        if std::fs::read_to_string(&file).is_ok_and(|present| present == contents) {
            continue;
        }
        match mode {
            Mode::Check => stale.push(path),
            Mode::Write => {
                if let Some(folder) = file.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&file, contents)?;
                println!("wrote {path}");
            }
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("out of date: {}; run `cargo xtask generate` and commit", stale.join(", ")).into())
}

fn files() -> Result<Vec<(String, String)>, Failure> {
    let mut files = vec![
        ("docs/book/src/generated/schemes.md".to_owned(), scheme_table().to_markdown()),
        (
            "docs/book/src/generated/laws.md".to_owned(),
            tumble_cli::law_tables().map(|table| table.to_markdown()).join("\n"),
        ),
        ("docs/book/src/generated/verification.md".to_owned(), tumble_study::verify::table().to_markdown()),
        ("docs/book/src/generated/scene-keys.md".to_owned(), tumble_scene::reference_markdown()),
        ("docs/book/src/generated/measures.md".to_owned(), tumble_scene::measures_markdown()),
        ("docs/book/src/generated/coarse-fields.md".to_owned(), tumble_scene::coarse_fields_markdown()),
        ("scenes/schema.json".to_owned(), format!("{:#}\n", tumble_scene::schema())),
        ("crates/rotation/tests/golden.csv".to_owned(), golden::fingerprints()?),
        ("crates/study/src/verify/pinned.csv".to_owned(), tumble_study::verify::pinned::file()?),
    ];
    for (name, preset, largest, smallest) in [
        ("work-precision", "spiral-cylinder", 0.1, 1e-4),
        ("heavy-top", "heavy-top", 0.2, 1e-3),
        ("drag", "drag", 0.2, 1e-3),
    ] {
        files.push((format!("docs/book/src/figures/{name}.svg"), work_precision(preset, smallest, largest)?));
    }
    Ok(files)
}

/// The schemes worth comparing at a glance: those in use, and the best of each kind.
const SCHEMES: [SchemeKind; 13] = [
    SchemeKind::DirectEuler,
    SchemeKind::VelocityVerlet,
    SchemeKind::Fincham,
    SchemeKind::Buss,
    SchemeKind::Omelyan,
    SchemeKind::Richardson,
    SchemeKind::RungeKutta4,
    SchemeKind::ImprovedPcdm,
    SchemeKind::SpiralSynchronous,
    SchemeKind::SpiralLeapfrog,
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::Dullweber,
];

fn work_precision(preset: &str, smallest: f64, largest: f64) -> Result<String, Failure> {
    let preset = Preset::find(preset).ok_or_else(|| format!("no preset {preset}"))?;
    let study = Study {
        problem: preset.problem(),
        schemes: SCHEMES.to_vec(),
        time_steps: time_step_range(smallest, largest, 4),
        target: 1e-5,
    };
    let mut figure = study.run()?.work_precision();
    // The last panel is measured by the clock.
    figure.panels.truncate(2);
    Ok(figure.to_svg())
}
