//! Every contact model ends with the bits that are written down in the repository, whatever the machine.

use crate::verify::citations::DEMMEL_2015;
use crate::verify::pinned::{GRAVITY, Scene};
use crate::verify::setup::setup;
use crate::verify::theory::at_most;
use crate::verify::{Case, Error, Group};
use tumble_dem::Settings;
use tumble_dem::fingerprint::Fnv1a;
use tumble_dem::law::LawKind;
use tumble_report::{Band, Cell, Finding, Outcome, Table};

setup! {
    /// Gravity
    gravity: GRAVITY, "m/s²";
}

pub(super) const CASE: Case = Case {
    id: "pinned-bits",
    title: "the bits of every contact model, on every machine",
    group: Group::Invariance,
    sources: &[DEMMEL_2015],
    setup: "Clumps and spheres tumble for 2300 steps with every law and every rolling and twisting resistance: between walls \
            of which one shakes, around a mesh that turns, and in a periodic domain; with three of the models in single precision as well. The bits of all bodies, contacts, walls and energies make up a \
            number for each scene.",
    exact: "the numbers that are written down in the repository: a machine with others computes something else than those of the \
            developers",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.simulation)),
};

fn compute(simulation: Setup) -> Result<Outcome, Error> {
    let scenes: Vec<Scene> = Scene::all().collect();
    let how = Settings::new(1e-5);
    let ends = crate::parallel::map(&scenes, |scene| scene.end(&how, simulation.gravity));
    let ends = ends.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let mut table =
        Table::new("Fingerprints", &["law", "rolling", "twisting", "around", "found", "written down"]);
    let mut findings = Vec::new();
    let reason = "only operations that round correctly, in one order, and elementary functions of our own";
    for &law in LawKind::ALL {
        let (mut all, mut differing) = (Fnv1a::default(), 0.0);
        for (scene, &(found, _)) in scenes.iter().zip(&ends).filter(|(scene, _)| scene.contact.law == law) {
            all.put_word(found);
            differing += if scene.pinned() == Some(found) { 0.0 } else { 1.0 };
            let pinned = scene.pinned().map_or("nothing".to_owned(), |bits| format!("{bits:016x}"));
            let (rolling, twisting) = (scene.contact.rolling.name(), scene.contact.twisting.name());
            table.rows.push(
                [law.name(), rolling, twisting, &scene.place(), &format!("{found:016x}"), &pinned]
                    .map(Cell::from)
                    .to_vec(),
            );
        }
        findings.push(at_most(
            format!("{} {:016x}, differing", law.name(), all.value()),
            differing,
            0.0,
            reason,
        ));
    }
    let contacts: usize = ends.iter().map(|end| end.1).sum();
    let mean = contacts as f64 / ends.len() as f64;
    let busy = "without contacts there would be nothing to see";
    findings.push(Finding::alone("contacts in the end, on average", mean, Band::AtLeast(1.0), busy));
    Ok(Outcome { findings, tables: vec![("pinned-bits".into(), table)], ..Outcome::default() })
}
