//! The Brazilian test: a disc of bonded grains between two platens is split by what pulls across the load.
//!
//! The disc has flats. Grains are packed between walls, the lower and the upper of which are as far apart as the flats shall be, and the disc is
//! cut out from between them: so the grains of its flats lie on planes, as walls pressed them, and each platen touches all of them at once. A disc
//! that is round touches its platens at single grains, which give way long before it splits.

use super::compression::{self, SIDES};
use super::history::{History, Instant, Loading, load};
use super::specimen::{NEAR, Packed, TOUCHING, pack};
use super::{POTYONDY_2004, picture, published};
use crate::papers::kept::Job;
use crate::papers::{Bench, Entry, Error, Reproduction, figure, linear, panel, series, table};
use core::f64::consts::PI;
use tumble_report::{Band, Cell, Finding, Mark, Outcome};

pub(in crate::papers) const BRAZILIAN: Entry = Entry {
    id: "rock/brazilian",
    paper: POTYONDY_2004,
    title: "Brazilian test of bonded grains",
    setup: &[
        "Grains and cement are those of `rock/compression`. The disc is as wide as the block of that test, half as thick, of grains as large as the published ones, \
         and has two flats, which are seen from its axis under an angle of 2α = 30°: it is cut out of a packing \
         whose lower and upper walls are as far apart as the flats. Two smooth platens press on these.",
        "The tensile strength is k · 2P/πDt, with P the largest force, D the diameter, and t the thickness. k is the stress of Griffith's criterion in the middle of an \
         elastic disc, (σ₁ − σ₃)²/8|σ₁ + σ₃| in units of 2P/πDt, with loads along parallel chords spread evenly over the flats: σ₁ = cos³ α, and \
         σ₃ = −(cos³ α + cos α + α/sin α). It is one without flats.",
    ],
    notes: &[
        "Set before anything ran: 30 % for the strength, twice what published specimens scatter by; between 4.1 and 12.4 for the ratio of both strengths, which is nearer \
         to the 7.2 of the published model than to the 21.5 of the rock; and 0.6 for the part of the broken bonds that are within 0.15 D of the loaded diameter, which \
         would be 0.38 if a disc broke everywhere alike. The first two are missed: our discs are stronger than the published ones by more than half, however they are cemented. \
         So nothing is claimed of the strength, and of the ratio only that it is on that side of it: tension too strong is the known failure of the model, since spheres do not interlock.",
        "Bonds at the platens and along the loaded diameter break one by one while the load still rises. The column `first_fall_MPa` has the strength from the load that \
         first falls, by 0.2 %. Ten grains across the disc are few, and damage is spread.",
        "The paper cuts a round disc. A flat of at least 20° makes sure that a disc breaks from its middle (Wang, Jia, Kou, Zhang, Lindqvist, Int. J. Rock Mech. Min. Sci. 41 (2004) 245); they have 0.964 for k at 20°, \
         where the formula here gives 0.956.",
        "Without `--full`, the block that gives the compressive strength is of larger grains than the disc.",
    ],
    see: &["rock/compression"],
    scene: None,
    run: brazilian,
};

/// Half of the angle under which a flat is seen, α.
const HALF_ANGLE: f64 = 15.0 * PI / 180.0;
/// Mean diameter of grains, as published, m.
const DIAMETER: f64 = 3.05e-3;
const LOADING: Loading =
    Loading { gap: TOUCHING, speed: 0.4, fading: 1e5, damping: 4e-8, fallen: 0.6, broken: 0.01 };
/// What is near to the loaded diameter, as a part of the diameter.
const BAND: f64 = 0.15;

/// Stresses in the middle of a disc that is loaded evenly over two flats, in units of 2P/πDt: the one that pulls across the load, and the one along it.
///
/// Two forces P along a chord at the angle θ from the diameter cause −4 cos³ θ + cos θ along the load and cos θ − 4 sin² θ cos θ across it (the simple radial stresses of both
/// ends and an even pull: Timoshenko & Goodier, Theory of Elasticity, art. 41). These are means over the places sin θ of the chords.
fn stresses(half_angle: f64) -> [f64; 2] {
    let across = half_angle.cos().powi(3);
    [across, -(across + half_angle.cos() + half_angle / half_angle.sin())]
}

/// k: the uniaxial strength that Griffith's criterion compares these with, in the same units.
fn correction(half_angle: f64) -> f64 {
    let [pull, push] = stresses(half_angle);
    if 3.0 * pull + push > 0.0 { pull } else { (pull - push).powi(2) / (-8.0 * (pull + push)) }
}

/// Of the packing that a disc is cut from: between the faces of the disc, and between its flats along z.
fn room() -> [f64; 3] {
    let [across, ..] = SIDES;
    [across, 0.5 * across, across * HALF_ANGLE.cos()]
}

/// The grains of a packing whose centres are in the disc about an axis along y, whose flats are the lower and the upper wall.
fn cut(packed: Packed) -> Packed {
    let radius = 0.5 * diameter_of(packed.sides);
    let [x, _, z] = packed.sides.map(|side| 0.5 * side);
    let inside = |place: &tumble_dem::LabVec<f64>| (place.x - x).hypot(place.z - z) <= radius;
    let (places, radii) =
        packed.places.into_iter().zip(packed.radii).filter(|(place, _)| inside(place)).unzip();
    Packed { places, radii, sides: packed.sides }
}

/// Of a disc whose flats are as far apart as the walls of its packing, m.
fn diameter_of([_, _, height]: [f64; 3]) -> f64 {
    height / HALF_ANGLE.cos()
}

/// The part of bonds that broke near to the loaded diameter.
fn banded(history: &History) -> f64 {
    let middle = 0.5 * history.sides[0];
    let near = BAND * diameter_of(history.sides);
    let inside = history.cracks.iter().filter(|crack| (crack.place[0] - middle).abs() <= near).count();
    inside as f64 / history.cracks.len() as f64
}

/// k · 2P/πDt, MPa.
fn stress(history: &History, force: f64) -> f64 {
    let [_, thickness, _] = history.sides;
    correction(HALF_ANGLE) * 2.0 * force / (PI * diameter_of(history.sides) * thickness) * 1e-6
}

/// From the largest load, MPa.
fn strength(history: &History) -> f64 {
    stress(history, history.peak().force)
}

/// The load that first falls by a five-hundredth once bonds break, N; the largest one if it never does.
fn first_fall(history: &History) -> f64 {
    let mut highest: f64 = 0.0;
    for now in &history.instants {
        if now.broken > 0.0 && now.force < 0.998 * highest {
            break;
        }
        highest = highest.max(now.force);
    }
    highest
}

fn job((loading, seed): &(Loading, u64)) -> Job {
    compression::job("rock-brazilian", room(), DIAMETER, loading, *seed)
}

fn brazilian(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let seeds = compression::seeds(bench);
    let loadings = [TOUCHING, NEAR].map(|gap| Loading { gap, ..LOADING });
    let items: Vec<(Loading, u64)> =
        loadings.into_iter().flat_map(|loading| seeds.iter().map(move |&seed| (loading, seed))).collect();
    let runs = bench.runs(&items, job, |(loading, seed)| {
        let disc = cut(pack(bench, room(), DIAMETER, *seed)?);
        load(bench, &disc, [0.0, disc.sides[2]], DIAMETER, *seed, loading)
    })?;
    let histories: Vec<History> = runs.iter().map(History::of).collect();
    let crushed = compression::crushed(bench, NEAR)?;
    let mut rows = table(
        "each specimen",
        &[
            "cemented_where",
            "seed",
            "grains",
            "bonds",
            "peak_N",
            "strength_MPa",
            "first_fall_MPa",
            "broken_at_peak",
            "broken_at_end",
            "within_0.15_D",
            "tensile_part",
            "books_off",
        ],
    );
    let mut panels = vec![
        panel("load", linear("approach of platens (mm)"), linear("k 2P/πDt (MPa)")),
        panel("broken bonds", linear("approach of platens (mm)"), linear("number")),
        panel("where bonds broke", linear("across the load (mm)"), linear("along the load (mm)")),
    ];
    let mut sums = [[0.0; 3]; 2];
    for ((loading, seed), history) in items.iter().zip(&histories) {
        let near = loading.gap > TOUCHING;
        let cemented = if near { "near" } else { "touching" };
        let own = [strength(history), banded(history), history.tensile_part()];
        for (sum, value) in sums[usize::from(near)].iter_mut().zip(own) {
            *sum += value / seeds.len() as f64;
        }
        rows.rows.push(vec![
            cemented.into(),
            Cell::Count(*seed),
            Cell::Number(history.grains),
            Cell::Number(history.bonds),
            Cell::Number(history.peak().force),
            Cell::Number(own[0]),
            Cell::Number(stress(history, first_fall(history))),
            Cell::Number(history.peak().broken),
            Cell::Count(history.cracks.len() as u64),
            Cell::Number(own[1]),
            Cell::Number(own[2]),
            Cell::Number(history.worst_books()),
        ]);
        let label = format!("{cemented}, specimen {seed}");
        let per_newton = strength(history) / history.peak().force;
        let curve = |y: &dyn Fn(&Instant) -> f64| {
            let points = history.instants.iter().map(|now| (1e3 * now.platens, y(now))).collect();
            series(&label, Mark::Line, points)
        };
        panels[0].series.push(curve(&|now| now.force * per_newton));
        panels[1].series.push(curve(&|now| now.broken));
        let middle = [0, 2].map(|axis| 0.5 * history.sides[axis]);
        let from = |place: [f64; 3]| (1e3 * (place[0] - middle[0]), 1e3 * (place[2] - middle[1]));
        let places = history.cracks.iter().map(|crack| from(crack.place)).collect();
        panels[2].series.push(series(&label, Mark::Published, places));
    }
    let books = histories.iter().map(History::worst_books).fold(0.0, f64::max);
    let snapshot = histories.last().map(|history| {
        let caption = format!(
            "Where {} of {} bonds broke, until the load had fallen to {} of its peak. Platens are below and above; the disc is {:.1} mm wide.",
            history.cracks.len(),
            history.bonds,
            LOADING.fallen,
            1e3 * diameter_of(history.sides)
        );
        picture(&history.cracks, [[0.0; 3], history.sides], 0.4 * DIAMETER, caption)
    });
    let outcome = Outcome {
        figures: vec![("rock-brazilian".into(), figure("a disc of bonded grains is split", panels))],
        tables: vec![("rock-brazilian".into(), rows)],
        findings: findings(sums, crushed, books),
    };
    let all = Reproduction { outcome, snapshot, ..Reproduction::default() };
    Ok(all.if_quick_leaving_out(bench, "One specimen; three with `--full`."))
}

/// Means over specimens, of grains that are cemented where they touch, and where they almost do; and how strong a block of the latter is, MPa.
fn findings([touching, near]: [[f64; 3]; 2], crushed: f64, books: f64) -> Vec<Finding> {
    let known = published();
    let (model, rock) = (known.at("brazilian_MPa", "model"), known.at("brazilian_MPa", "rock"));
    let ratio = |column: &str| known.at("compressive_MPa", column) / known.at("brazilian_MPa", column);
    let between = (ratio("model") * ratio("rock")).sqrt();
    let [strength, banded, tensile] = near;
    vec![
        Finding::new(
            "touching: Brazilian strength (MPa)",
            model,
            touching[0],
            Band::Any,
            "the number of bonds of a grain decides, and the published one is not known here: no claim",
        ),
        Finding::new(
            "near: Brazilian strength (MPa)",
            model,
            strength,
            Band::Any,
            "outside the 30 % that were set before: no claim",
        ),
        Finding::new(
            "near: Brazilian strength, beside that of the rock (MPa)",
            rock,
            strength,
            Band::Any,
            "the published model is three times too strong when pulled, too",
        ),
        Finding::new(
            "near: compressive over Brazilian strength",
            ratio("model"),
            crushed / strength,
            Band::AtMost(between),
            "the known failure: nearer to the ratio of the published model than to that of the rock, or below both",
        ),
        Finding::alone(
            "near: part of the broken bonds within 0.15 D of the loaded diameter",
            banded,
            Band::AtLeast(0.6),
            "the disc splits along the load; it would be 0.38 if it broke everywhere alike",
        ),
        Finding::alone(
            "near: part of the bonds broken by pull and bending",
            tensile,
            Band::AtLeast(0.5),
            "the middle of the disc is pulled apart",
        ),
        Finding::alone(
            "energy missing in the books over the work of the platens",
            books,
            Band::AtMost(0.01),
            "books close with second order in Δt, and what breaks is booked half a step late at the most",
        ),
    ]
}

#[cfg(test)]
mod tests {
    //! The stresses in the middle of a disc are those of an integral over its loads, and what is cut out is a disc.

    use super::*;
    use tumble_dem::LabVec;

    #[test]
    fn stresses_are_means_over_chords() {
        for half_angle in [1e-4, 0.1, HALF_ANGLE, 0.4] {
            let count = 20_000_u32;
            let mut sums = [0.0; 2];
            for n in 0..count {
                let place = half_angle.sin() * (f64::from(n) + 0.5) / f64::from(count);
                let theta = place.asin();
                sums[0] += (theta.cos() - 4.0 * place * place * theta.cos()) / f64::from(count);
                sums[1] += (theta.cos() - 4.0 * theta.cos().powi(3)) / f64::from(count);
            }
            for (sum, exact) in sums.into_iter().zip(stresses(half_angle)) {
                assert!((sum - exact).abs() < 1e-8, "{half_angle}: {sum} {exact}");
            }
        }
        let [pull, push] = stresses(1e-9);
        assert!((pull - 1.0).abs() < 1e-12 && (push + 3.0).abs() < 1e-12, "those of a disc without flats");
        assert!((correction(1e-9) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_disc_is_round_and_flat() {
        let sides = room();
        let mut places = Vec::new();
        for i in 0..200 {
            for k in 0..200 {
                let at = |n: i32, side: f64| side * (f64::from(n) + 0.5) / 200.0;
                places.push(LabVec::new(at(i, sides[0]), 0.0, at(k, sides[2])));
            }
        }
        let all = places.len() as f64;
        let radii = vec![1.0; places.len()];
        let disc = cut(Packed { places, radii, sides });
        let part = disc.places.len() as f64 / all;
        // A circle without two segments of the angle 2α.
        let radius = 0.5 * SIDES[0];
        let area = radius * radius * (PI - 2.0 * HALF_ANGLE + (2.0 * HALF_ANGLE).sin());
        assert!((part * sides[0] * sides[2] / area - 1.0).abs() < 2e-3, "{part}");
        assert!((diameter_of(sides) / SIDES[0] - 1.0).abs() < 1e-12);
        assert_eq!(disc.radii.len(), disc.places.len());
    }
}
