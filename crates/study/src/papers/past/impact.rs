//! How many bonds of an agglomerate break when it hits a wall, against its speed.

use super::PAST;
use crate::papers::kept::{Job, Rows};
use crate::papers::{Bench, Entry, Error, Reproduction, figure, largest, log, panel, series, table};
use tumble_dem::bond::{Beam, BeamModel, Bond, BondKind, Strength};
use tumble_dem::clump::ClumpTemplate;
use tumble_dem::law::{ContactModel, LawKind};
use tumble_dem::material::{Material, Materials, PairProperties};
use tumble_dem::placement::near_pairs;
use tumble_dem::wall::{Motion, Plane, Wall};
use tumble_dem::{Body, BodyId, Engine, LabVec, MaterialId, Quat, Settings, World};
use tumble_report::{Axis, Band, Cell, Finding, Mark, Outcome};

pub(in crate::papers) const IMPACT: Entry = Entry {
    id: "tumble/impact",
    paper: PAST,
    title: "damage of an agglomerate that hits a wall",
    setup: &[
        "Beads of 2 mm on a face-centred cubic lattice, of which a sphere is cut out and turned, are bonded to their neighbours by beams, and hit a wall at right angles, without gravity. \
         Bonds bear twice as much in a second series as in the first. The damage is the part of all bonds that broke.",
        "A slow agglomerate, none of whose bonds breaks, tells the speed v₀ at which the first one does: that at which the most loaded of them bears just what it can, as \
         springs, dashpots and friction all grow in proportion to the speed. Speeds are multiples of it.",
    ],
    notes: &[
        "Published simulations of agglomerates that stick by surface energy find no damage below a threshold, and above it a damage that grows with the logarithm of the \
         speed over a wide range (Thornton, Yin, Adams, J. Phys. D 29 (1996) 424; Kafui, Thornton, Powder Technol. 109 (2000) 113, for a crystal as here). \
         Bonds of beams have a strength instead of a surface energy, so numbers are not compared; the form is.",
        "Everything but the geometry is of first order in the speed: at the same multiple of v₀, the damage is the same whatever the strength. What is left is how far beads are shifted and turned \
         against each other, and that one bond that breaks a little sooner changes which others do.",
        "Bands were set before anything ran.",
    ],
    see: &[],
    scene: None,
    run: impact,
};

/// Of a bead, m.
const RADIUS: f64 = 1e-3;
const DENSITY: f64 = 2500.0;
/// Of bonds, Pa.
const YOUNG: f64 = 200e6;
const STRENGTHS: [f64; 2] = [0.25e6, 0.5e6];
/// How fast the slow one is, m/s.
const SLOW: f64 = 0.01;
/// How long it is watched, s.
const DURATION: f64 = 1.5e-3;
/// Speeds in parts of that at which the first bond breaks.
const SPEEDS: [f64; 9] = [0.97, 1.03, 1.5, 2.0, 3.0, 4.5, 7.0, 11.0, 17.0];
const COLUMNS: &str = "speed,made,broken,largest,books,impulse_error";

fn impact(bench: &Bench<'_>) -> Result<Reproduction, Error> {
    let radius = bench.choose(6.2e-3, 12e-3);
    let beads = places(radius);
    let thresholds: Vec<f64> =
        STRENGTHS.iter().map(|&strength| threshold(&beads, strength)).collect::<Result<_, _>>()?;
    let items: Vec<[f64; 2]> = STRENGTHS
        .iter()
        .zip(&thresholds)
        .flat_map(|(&strength, first)| SPEEDS.map(|times| [strength, times * first]))
        .collect();
    let job = |&[strength, speed]: &[f64; 2]| {
        let inputs =
            format!("impact radius={radius:e} strength={strength:e} speed={speed:e} duration={DURATION:e}");
        Job::new(inputs, COLUMNS, 1.0)
    };
    let runs = bench.runs(&items, job, |&[strength, speed]| collide(bench, &beads, strength, speed))?;
    let outcomes: Vec<&[f64]> = runs.iter().map(|rows| rows[0].as_slice()).collect();
    let mut rows = table(
        "each impact",
        &["strength_MPa", "speed_m_s", "speed_over_first", "damage", "largest_fragment", "books_off"],
    );
    let mut panels = vec![
        panel(
            "damage",
            log("speed over that of the first broken bond"),
            Axis::linear("broken bonds, part of all"),
        ),
        panel(
            "largest fragment",
            log("speed over that of the first broken bond"),
            Axis::linear("part of all beads"),
        ),
    ];
    let damages: Vec<Vec<f64>> = outcomes
        .chunks(SPEEDS.len())
        .map(|series| series.iter().map(|run| run[2] / run[1]).collect())
        .collect();
    for (series_of, (&strength, first)) in STRENGTHS.iter().zip(&thresholds).enumerate() {
        let own = &outcomes[series_of * SPEEDS.len()..][..SPEEDS.len()];
        let label = format!("{} MPa", strength * 1e-6);
        let points = |of: &dyn Fn(usize) -> f64| (0..SPEEDS.len()).map(|n| (SPEEDS[n], of(n))).collect();
        let pieces = |n: usize| own[n][3] / beads.len() as f64;
        panels[0].series.push(series(&label, Mark::LinePoints, points(&|n| damages[series_of][n])));
        panels[1].series.push(series(&label, Mark::LinePoints, points(&pieces)));
        for (n, run) in own.iter().enumerate() {
            rows.rows.push(vec![
                Cell::Number(strength * 1e-6),
                Cell::Number(run[0]),
                Cell::Number(run[0] / first),
                Cell::Number(damages[series_of][n]),
                Cell::Number(pieces(n)),
                Cell::Number(run[4]),
            ]);
        }
    }
    let worst = |column: usize| largest(outcomes.iter().map(|run| run[column]));
    let outcome = Outcome {
        figures: vec![("tumble-impact".into(), figure("an agglomerate hits a wall", panels))],
        tables: vec![("tumble-impact".into(), rows)],
        findings: findings(&damages, [thresholds[1] / thresholds[0], worst(4), worst(5)]),
    };
    let all = Reproduction::from(outcome);
    Ok(all.if_quick_leaving_out(bench, format!("An agglomerate of {} beads.", beads.len())))
}

fn findings(damages: &[Vec<f64>], [thresholds, books, impulse]: [f64; 3]) -> Vec<Finding> {
    let apart = damages[0].iter().zip(&damages[1]).map(|(a, b)| (a - b).abs());
    let falls = damages.iter().flat_map(|series| series.windows(2).map(|pair| pair[0] - pair[1]));
    let scaled = "all forces are in proportion to the speed but for the geometry, which changes by a part of about speed over speed of sound";
    vec![
        Finding::new(
            "speed of the first broken bond: twice the strength over once",
            2.0,
            thresholds,
            Band::Relative(0.01),
            scaled,
        ),
        Finding::alone(
            "damage below that speed",
            largest([damages[0][0], damages[1][0]]),
            Band::AtMost(0.0),
            "3 % below, the most loaded bond bears 97 % of its strength",
        ),
        Finding::alone(
            "damage above that speed, the smaller one",
            -largest([-damages[0][1], -damages[1][1]]),
            Band::AtLeast(f64::MIN_POSITIVE),
            "3 % above, at least one bond breaks",
        ),
        Finding::alone(
            "the most by which a faster one is damaged less",
            largest(falls),
            Band::AtMost(0.02),
            "faster means more load on every bond; which bonds are hit scatters by a few of them",
        ),
        Finding::alone(
            "the most by which damages of both strengths differ at the same multiple of that speed",
            largest(apart),
            Band::AtMost(0.05),
            scaled,
        ),
        Finding::alone(
            "how straight the damage is over the logarithm of the speed: r²",
            straightness(damages),
            Band::AtLeast(0.9),
            "published damages follow such a line, between the first broken bonds and rubble: here between 2 % and 80 %",
        ),
        Finding::alone(
            "energy missing in the books over that of the impact",
            books,
            Band::AtMost(0.01),
            "books close with second order in Δt, and what breaks is booked half a step late at the most",
        ),
        Finding::alone(
            "impulse of the wall less the change of momentum, over that",
            impulse,
            Band::AtMost(1e-3),
            "nothing else pushes; forces are looked at in every step",
        ),
    ]
}

/// The square of the correlation of damages and logarithms of speeds, where bonds break and are not all broken.
fn straightness(damages: &[Vec<f64>]) -> f64 {
    let points: Vec<(f64, f64)> = damages
        .iter()
        .flat_map(|series| SPEEDS.iter().zip(series).map(|(speed, damage)| (speed.ln(), *damage)))
        .filter(|(_, damage)| (0.02..0.8).contains(damage))
        .collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let sum =
        |of: &dyn Fn(f64, f64) -> f64| points.iter().map(|point| of(point.0 - x, point.1 - y)).sum::<f64>();
    sum(&|x, y| x * y).powi(2) / (sum(&|x, _| x * x) * sum(&|_, y| y * y))
}

/// Beads of a crystal in a ball, turned so that no plane of it lies on the wall; the lowest bead touches z = 0.
fn places(radius: f64) -> Vec<LabVec<f64>> {
    #[allow(clippy::cast_possible_truncation, reason = "some beads")]
    let most = (radius / RADIUS).ceil() as i32;
    let half = RADIUS * 2.0_f64.sqrt();
    let turn = Quat::from_rotation_vector(LabVec::new(0.37, 0.21, 0.11));
    let mut places = Vec::new();
    for i in -most..=most {
        for j in -most..=most {
            for k in (-most..=most).filter(|k| (i + j + k) % 2 == 0) {
                let place = tumble_dem::BodyVec::new(f64::from(i), f64::from(j), f64::from(k)) * half;
                if place.norm() <= radius - RADIUS {
                    places.push(turn.to_lab(place));
                }
            }
        }
    }
    let lowest = -largest(places.iter().map(|place| -place.z));
    places.iter().map(|place| *place + LabVec::new(0.0, 0.0, RADIUS - lowest)).collect()
}

fn engine(beads: &[LabVec<f64>], strength: f64, speed: f64) -> Result<Engine, Error> {
    let up = LabVec::new(0.0, 0.0, 1.0);
    let bead = Material::of_density("bead", DENSITY).with_stiffness(1e5);
    let materials = Materials::of(bead, PairProperties::new(0.6, 0.4));
    let mut world = World { materials, ..World::default() };
    let template = world.add_template(ClumpTemplate::sphere("bead", RADIUS)?)?;
    for &place in beads {
        world.add_body(Body::at(template, place).moving(up * -speed));
    }
    world.walls.push(Wall::new("wall", Plane::new(LabVec::zero(), up)?, MaterialId(0), Motion::fixed())?);
    let beam = Beam { model: BeamModel::Timoshenko, young: YOUNG, poisson: 0.25, radius: 0.6 * RADIUS };
    let bears =
        Strength { tension: strength, shear: strength, bending: 2.0 * strength, twist: 2.0 * strength };
    world.bonds = near_pairs(&world, 1e-3 * RADIUS)
        .iter()
        .map(|pair| Bond {
            bodies: pair.bodies,
            arms: pair.arms,
            kind: BondKind::Beam,
            stiffness: beam.stiffness(2.0 * RADIUS),
            damping: 0.2e-6,
            limits: beam.limits(&bears),
            contact: false,
        })
        .collect();
    let contact = ContactModel { law: LawKind::Linear, ..ContactModel::default() };
    Ok(Engine::new(world, Settings { contact, ..Settings::new(0.4e-6) })?)
}

/// The speed at which the first bond breaks, m/s.
fn threshold(beads: &[LabVec<f64>], strength: f64) -> Result<f64, Error> {
    let mut slow = engine(beads, strength, SLOW)?;
    let mut used: f64 = 0.0;
    // Its first half: it has left the wall by then.
    while slow.time() < 0.5 * DURATION {
        slow.advance(2)?;
        used = slow.bonds().iter().fold(used, |used, bond| used.max(bond.used));
    }
    Ok(SLOW / used)
}

fn collide(bench: &Bench<'_>, beads: &[LabVec<f64>], strength: f64, speed: f64) -> Result<Rows, Error> {
    let mut engine = engine(beads, strength, speed)?;
    let momentum =
        |engine: &Engine| engine.bodies().iter().map(|body| body.mass * body.velocity.z).sum::<f64>();
    let (begun, balance, energy) = (momentum(&engine), engine.ledger().balance(), engine.ledger().kinetic());
    let dt = engine.settings().dt;
    let (mut impulse, mut before) = (0.0, engine.walls()[0].force.z);
    while engine.time() < DURATION {
        if !bench.goes_on() {
            return Err(Error::Interrupted);
        }
        engine.advance(1)?;
        let now = engine.walls()[0].force.z;
        impulse += 0.5 * (before + now) * dt;
        before = now;
    }
    // The wall feels the opposite of what it does.
    let change = momentum(&engine) - begun;
    let off = (change + impulse).abs() / change.abs();
    let counts = engine.bond_counts();
    let whole: Vec<[usize; 2]> = engine.bonds().iter().map(|bond| bond.bodies.map(BodyId::index)).collect();
    let books = (engine.ledger().balance() - balance).abs() / energy;
    let largest = largest_fragment(beads.len(), &whole) as f64;
    Ok(vec![vec![speed, counts.made as f64, counts.broken as f64, largest, books, off]])
}

/// How many beads the largest group has that bonds hold together.
fn largest_fragment(beads: usize, bonds: &[[usize; 2]]) -> usize {
    let mut group: Vec<usize> = (0..beads).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &[a, b] in bonds {
            let least = group[a].min(group[b]);
            changed |= group[a] != least || group[b] != least;
            (group[a], group[b]) = (least, least);
        }
    }
    let mut sizes = vec![0; beads];
    for of in group {
        sizes[of] += 1;
    }
    sizes.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    //! An agglomerate is a crystal of beads that touch, and pieces of it are counted.

    use super::*;

    #[test]
    fn beads_of_the_crystal_touch_twelve_others() {
        let beads = places(6.2e-3);
        let near = |a: &LabVec<f64>| {
            let apart = beads.iter().map(|b| (*b - *a).norm());
            apart.filter(|&apart| apart > 0.0 && apart < 2.01 * RADIUS).count()
        };
        assert_eq!(beads.iter().map(near).max(), Some(12));
        let lowest = beads.iter().map(|bead| bead.z).fold(f64::INFINITY, f64::min);
        assert!((lowest - RADIUS).abs() < 1e-12, "{lowest}");
    }

    #[test]
    fn pieces_are_what_bonds_hold_together() {
        assert_eq!(largest_fragment(6, &[[0, 1], [4, 5], [3, 4]]), 3);
        assert_eq!(largest_fragment(2, &[]), 1);
    }
}
