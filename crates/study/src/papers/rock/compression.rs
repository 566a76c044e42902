//! Uniaxial compression of a block between two smooth platens, its sides free.

use super::history::{COLUMNS, History, Instant, Loading, load};
use super::specimen::pack;
use super::{POTYONDY_2004, picture, published};
use crate::papers::kept::Job;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, linear, panel, series, table};
use tumble_report::{Band, Cell, Finding, Mark, Outcome};

pub(in crate::papers) const COMPRESSION: Entry = Entry {
    id: "rock/compression",
    paper: POTYONDY_2004,
    title: "uniaxial compression of bonded grains",
    setup: &[
        "Spheres of radii between r and 1.66 r, with equal numbers of all sizes, are packed without friction \
         between six walls, at 20 MPa and then at 1 MPa. Whatever touches gets a parallel bond as wide as the smaller of the two \
         grains. Grains and cement have the published numbers: 72 GPa, normal over shear stiffness 2.5, \
         friction 0.5, 2630 kg/m³, strengths of 175 ± 40 MPa in tension and shear, normally distributed. \
         Contacts act beside their bonds. The side walls go, and two smooth platens come together.",
        "Strains are those of the middle three fifths of the height: slopes of displacements over places by \
         least squares. Young's modulus and Poisson's ratio are slopes between a tenth and half of the \
         strength, which is the largest force over the section between the walls.",
    ],
    notes: &[
        "The block is as large as the published one, of grains twice as large, and an eighth as many. \
         Grains are larger against everything that happens in the block, so that it scatters more and its \
         ends matter more.",
        "Bonds add their forces up from step to step, as published. What bonds store follows from these \
         forces, so the books of energy close; they say by how much.",
        "The paper stops motion by local damping. Here cement has dashpots, contacts a restitution of 0.5, \
         and grains are slowed as in a fluid.",
    ],
    see: &["rock/brazilian"],
    scene: None,
    run: compression,
};

/// Mean diameter of grains, and the block, m.
pub(super) const DIAMETER: f64 = 3.05e-3;
const SIDES: [f64; 3] = [31.7e-3, 31.7e-3, 63.4e-3];
const LOADING: Loading = Loading { speed: 0.4, fading: 1e5, damping: 4e-8, fallen: 0.7 };

/// Which specimens are made.
pub(super) fn seeds(bench: &Bench<'_>) -> &'static [u64] {
    bench.choose(&[1], &[1, 2, 3])
}

/// What a run depends on.
pub(super) fn job(name: &str, sides: [f64; 3], loading: &Loading, seed: u64) -> Job {
    let Loading { speed, fading, damping, fallen } = loading;
    let [x, y, z] = sides;
    let inputs = format!(
        "{name} diameter={DIAMETER:e} x={x} y={y} z={z} speed={speed} fading={fading:e} damping={damping:e} fallen={fallen} \
         seed={seed}"
    );
    Job::new(inputs, COLUMNS, 1.0)
}

fn compression(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let seeds = seeds(bench);
    let job = |seed: &u64| job("rock-compression", SIDES, &LOADING, *seed);
    let runs = bench.runs(seeds, job, |&seed| {
        let packed = pack(bench, SIDES, DIAMETER, seed)?;
        load(bench, &packed, Some([0.0, packed.sides[2]]), DIAMETER, seed, &LOADING)
    })?;
    let histories: Vec<History> = runs.iter().map(History::of).collect();
    let mut rows = table(
        "each specimen",
        &[
            "seed",
            "grains",
            "bonds",
            "young_GPa",
            "poisson",
            "strength_MPa",
            "strain_at_peak_percent",
            "broken_at_peak",
            "broken_at_end",
            "tensile_part",
            "books_off",
        ],
    );
    let mut panels = vec![
        panel("stress", linear("axial strain (%)"), linear("axial stress (MPa)")),
        panel("sides", linear("axial strain (%)"), linear("lateral strain (%)")),
        panel("broken bonds", linear("axial strain (%)"), linear("number")),
    ];
    let mut sums = [0.0; 4];
    for (seed, history) in seeds.iter().zip(&histories) {
        let area = history.sides[0] * history.sides[1];
        let [stiffness, widening] = history.slopes();
        let peak = history.peak();
        let (young, strength) = (stiffness / area * 1e-9, peak.force / area * 1e-6);
        let own = [young, widening, strength, history.tensile_part()];
        for (sum, value) in sums.iter_mut().zip(own) {
            *sum += value / seeds.len() as f64;
        }
        rows.rows.push(vec![
            Cell::Count(*seed),
            Cell::Number(history.grains),
            Cell::Number(history.bonds),
            Cell::Number(young),
            Cell::Number(widening),
            Cell::Number(strength),
            Cell::Number(100.0 * peak.strain),
            Cell::Number(peak.broken),
            Cell::Count(history.cracks.len() as u64),
            Cell::Number(history.tensile_part()),
            Cell::Number(history.worst_books()),
        ]);
        let label = format!("specimen {seed}");
        let curve = |y: &dyn Fn(&Instant) -> f64| {
            let points = history.instants.iter().map(|now| (100.0 * now.strain, y(now))).collect();
            series(&label, Mark::Line, points)
        };
        panels[0].series.push(curve(&|now| now.force / area * 1e-6));
        panels[1].series.push(curve(&|now| 100.0 * now.lateral));
        panels[2].series.push(curve(&|now| now.broken));
    }
    let [young, poisson, strength, tensile] = sums;
    let known = published();
    let model = |quantity: &str| known.at(quantity, "model");
    let coarse = "the published grains are half as large; the stiffness of a packing scatters with its number of contacts by several percent";
    let findings = vec![
        Finding::new("Young's modulus (GPa)", model("young_GPa"), young, Band::Relative(0.15), coarse),
        Finding::new("Poisson's ratio", model("poisson"), poisson, Band::Between(0.18, 0.33), coarse),
        Finding::new(
            "compressive strength (MPa)",
            model("compressive_MPa"),
            strength,
            Band::Relative(0.25),
            "the published grains are half as large; strength grows with resolution, and few specimens scatter",
        ),
        Finding::alone(
            "part of the bonds broken by pull and bending",
            tensile,
            Band::AtLeast(0.5),
            "granite splits along the load: most cracks open, though all is under pressure",
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
            "Where {} of {} bonds broke, until the load had fallen to {} of its peak. The block is {:.1} mm high.",
            history.cracks.len(),
            history.bonds,
            LOADING.fallen,
            1e3 * history.sides[2]
        );
        picture(&history.cracks, [[0.0; 3], history.sides], 0.4 * DIAMETER, caption)
    });
    let outcome = Outcome {
        figures: vec![("rock-compression".into(), figure("a block of bonded grains is crushed", panels))],
        tables: vec![("rock-compression".into(), rows)],
        findings,
    };
    let all = Reproduction { outcome, snapshot, ..Reproduction::default() };
    Ok(all.if_quick_leaving_out(bench, "One specimen; three with `--full`."))
}
