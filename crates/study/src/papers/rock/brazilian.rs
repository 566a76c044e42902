//! The Brazilian test: a disc is squeezed across, and splits.

use super::compression::{diameter, job, seeds};
use super::history::{History, Loading, load};
use super::specimen::{NEAR, Packed, pack};
use super::{POTYONDY_2004, picture, published};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, linear, panel, series, table};
use core::f64::consts::PI;
use tumble_report::{Band, Cell, Finding, Mark, Outcome};

pub(in crate::papers) const BRAZILIAN: Entry = Entry {
    id: "rock/brazilian",
    paper: POTYONDY_2004,
    title: "a disc of bonded grains is split",
    setup: &[
        "A disc is cut out of a block that is packed and cemented as the second one of `rock/compression`, and squeezed \
         between two smooth platens. Its tensile strength is 2P/πDt, with the largest force P, the diameter D \
         and the thickness t between the walls of the block.",
    ],
    notes: &[
        "The model is too strong in tension: published are 27.8 MPa for the model and 9.3 MPa for the rock, while \
         both have the same compressive strength. That is a known failure of spheres with parallel bonds, and \
         has to be found here as well.",
        "Coarser grains make the disc stronger, since its fracture toughness grows with the root of their size.",
    ],
    see: &["rock/compression"],
    scene: None,
    run: brazilian,
};

const ACROSS: f64 = 31.7e-3;
const SIDES: [f64; 3] = [ACROSS, ACROSS, ACROSS];
const LOADING: Loading =
    Loading { gap: NEAR, speed: 0.4, fading: 1e5, damping: 4e-8, fallen: 0.7, broken: 0.06 };

/// The grains of a block that are wholly in the disc about y that touches its sides.
fn disc(packed: Packed) -> Packed {
    let [x, _, z] = packed.sides;
    let outer = 0.5 * ACROSS;
    let inside = |grain: &usize| {
        let place = packed.places[*grain];
        let [from_x, from_z] = [place.x - 0.5 * x, place.z - 0.5 * z];
        (from_x * from_x + from_z * from_z).sqrt() + packed.radii[*grain] <= outer
    };
    let kept: Vec<usize> = (0..packed.places.len()).filter(inside).collect();
    let places: Vec<_> = kept.iter().map(|&grain| packed.places[grain]).collect();
    let radii: Vec<_> = kept.iter().map(|&grain| packed.radii[grain]).collect();
    Packed { places, radii, sides: packed.sides }
}

fn brazilian(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let (seeds, diameter) = (seeds(bench), diameter(bench));
    let job = |seed: &u64| job("rock-brazilian", SIDES, diameter, &LOADING, *seed);
    let runs = bench.runs(seeds, job, |&seed| {
        let disc = disc(pack(bench, SIDES, diameter, seed)?);
        load(bench, &disc, None, diameter, seed, &LOADING)
    })?;
    let histories: Vec<History> = runs.iter().map(History::of).collect();
    let columns = [
        "seed",
        "grains",
        "bonds",
        "strength_MPa",
        "broken_at_peak",
        "broken_at_end",
        "tensile_part",
        "near_plane",
        "books_off",
    ];
    let mut rows = table("each specimen", &columns);
    let mut panels = vec![
        panel("force", linear("way of the platens (µm)"), linear("2P/πDt (MPa)")),
        panel("broken bonds", linear("way of the platens (µm)"), linear("number")),
    ];
    let mut sums = [0.0; 3];
    for (seed, history) in seeds.iter().zip(&histories) {
        let peak = history.peak();
        let stress = |force: f64| 2.0 * force / (PI * ACROSS * history.sides[1]) * 1e-6;
        let near = near_plane(history);
        let own = [stress(peak.force), history.tensile_part(), near];
        for (sum, value) in sums.iter_mut().zip(own) {
            *sum += value / seeds.len() as f64;
        }
        rows.rows.push(vec![
            Cell::Count(*seed),
            Cell::Number(history.grains),
            Cell::Number(history.bonds),
            Cell::Number(own[0]),
            Cell::Number(peak.broken),
            Cell::Count(history.cracks.len() as u64),
            Cell::Number(own[1]),
            Cell::Number(near),
            Cell::Number(history.worst_books()),
        ]);
        let label = format!("specimen {seed}");
        let curve = |points| series(&label, Mark::Line, points);
        let way = |platens: f64| 1e6 * platens;
        let instants = || history.instants.iter();
        panels[0].series.push(curve(instants().map(|now| (way(now.platens), stress(now.force))).collect()));
        panels[1].series.push(curve(instants().map(|now| (way(now.platens), now.broken)).collect()));
    }
    let [strength, tensile, near] = sums;
    let known = published();
    let findings = vec![
        Finding::new(
            "Brazilian strength (MPa)",
            known.at("brazilian_MPa", "model"),
            strength,
            Band::Between(20.0, 50.0),
            "grains twice as large make it stronger by up to √2, and a disc of ten grains across scatters",
        ),
        Finding::new(
            "Brazilian strength over that of the rock",
            known.at("brazilian_MPa", "model") / known.at("brazilian_MPa", "rock"),
            strength / known.at("brazilian_MPa", "rock"),
            Band::AtLeast(2.0),
            "the known failure of the model: far too strong in tension",
        ),
        Finding::alone(
            "part of the bonds broken by pull and bending",
            tensile,
            Band::AtLeast(0.5),
            "a disc that is squeezed is pulled across the load",
        ),
        Finding::alone(
            "part of broken bonds within a quarter of the radius of the loaded plane",
            near,
            Band::AtLeast(0.4),
            "the disc splits along the load; bonds spread evenly would have 0.31 there",
        ),
        Finding::alone(
            "energy missing in the books over the work of the platens",
            histories.iter().map(History::worst_books).fold(0.0, f64::max),
            Band::AtMost(0.01),
            "books close with second order in Δt, and what breaks is booked half a step late at the most",
        ),
    ];
    let snapshot = histories.first().map(|history| {
        let caption = format!(
            "Where {} of {} bonds broke in a disc of {:.1} mm that is squeezed along z.",
            history.cracks.len(),
            history.bonds,
            1e3 * ACROSS
        );
        picture(&history.cracks, [[0.0; 3], history.sides], 0.4 * diameter, caption)
    });
    let outcome = Outcome {
        figures: vec![("rock-brazilian".into(), figure("a disc of bonded grains is split", panels))],
        tables: vec![("rock-brazilian".into(), rows)],
        findings,
    };
    let all = Reproduction { outcome, snapshot, ..Reproduction::default() };
    Ok(all.if_quick_leaving_out(bench, "One specimen; three with `--full`."))
}

/// The part of broken bonds that are within a quarter of the radius of the plane through both lines of load.
fn near_plane(history: &History) -> f64 {
    let middle = 0.5 * history.sides[0];
    let near = history.cracks.iter().filter(|crack| (crack.place[0] - middle).abs() < 0.125 * ACROSS);
    near.count() as f64 / history.cracks.len() as f64
}
