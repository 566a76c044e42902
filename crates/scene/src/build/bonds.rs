//! Bonds between the bodies of a scene.

use super::populate::Origins;
use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys};
use std::collections::BTreeSet;
use tumble_dem::bond::{Beam, Bond, Strength, weibull_factor};
use tumble_dem::placement::{NearPair, near_pairs};
use tumble_dem::random::Random;
use tumble_dem::{BodyId, World};

/// Makes all bonds, whose bodies are in their places, and reports what is wrong with them.
pub(super) fn bonds(
    keys: &SceneKeys,
    world: &World,
    origins: &Origins,
    problems: &mut Vec<Problem>,
) -> Vec<Bond> {
    let mut all: Vec<Bond> = Vec::new();
    let mut known: BTreeSet<[BodyId; 2]> = BTreeSet::new();
    for (number, entry) in (0..).zip(&keys.bonds) {
        let found = match &entry.pairs {
            Some(pairs) => listed(pairs, entry, world, problems),
            None => near_pairs(world, entry.gap.unwrap_or(0.0)),
        };
        let is_meant = |near: &NearPair| {
            let bodies = near.bodies.map(BodyId::index);
            is_between(entry, keys, world, bodies) && is_of_populations(entry, origins, bodies)
        };
        let meant: Vec<NearPair> = found.into_iter().filter(is_meant).collect();
        if meant.is_empty() && problems.iter().all(|problem| problem.place != entry.places.of("pairs")) {
            let message = format!("`bonds.{number}` bonds no bodies");
            let key = if entry.pairs.is_some() { "pairs" } else { "gap" };
            let help = match entry.gap {
                Some(gap) => format!(
                    "no two of them are within {} m of each other: a wider `gap` may be meant",
                    tumble_dem::readable(gap)
                ),
                None => "none of these pairs are of the materials and populations that it names".to_owned(),
            };
            problems.push(Problem::error(entry.places.key(key), message).help(help));
        }
        let again = meant.iter().filter(|near| !known.insert(near.bodies)).count();
        if again > 0 {
            let message =
                format!("`bonds.{number}` bonds {again} of its pairs of bodies once more: both bonds act");
            problems.push(Problem::warning(entry.places.table(), message));
        }
        let seed = Random::numbered(keys.seed, number).bits();
        all.extend(meant.iter().map(|near| bond(entry, near, world, seed)));
    }
    all
}

/// The pairs that an entry lists, each at its spheres that are closest.
fn listed(
    pairs: &[[u64; 2]],
    entry: &keys::Bonds,
    world: &World,
    problems: &mut Vec<Problem>,
) -> Vec<NearPair> {
    let count = world.bodies.len();
    let mut alone = World { templates: world.templates.clone(), domain: world.domain, ..World::default() };
    let mut found = Vec::new();
    for &[a, b] in pairs {
        let [a, b] = [a.min(b), a.max(b)];
        let Some(bodies) = [a, b]
            .map(|id| u32::try_from(id).ok())
            .into_iter()
            .collect::<Option<Vec<_>>>()
            .filter(|_| a != b && b < count as u64)
        else {
            let message = format!(
                "there is no pair of bodies {a} and {b} to bond: bodies are numbered from 0 to {}",
                count.saturating_sub(1)
            );
            problems.push(Problem::error(entry.places.of("pairs"), message));
            continue;
        };
        // Of the two alone, every distance is near enough.
        alone.bodies = bodies.iter().map(|&id| world.bodies[id as usize]).collect();
        let reach = world.domain.nearest(alone.bodies[0].position, alone.bodies[1].position).norm();
        let near = near_pairs(&alone, reach);
        found.extend(
            near.first().map(|near| NearPair { bodies: [BodyId(bodies[0]), BodyId(bodies[1])], ..*near }),
        );
    }
    found
}

fn is_between(entry: &keys::Bonds, keys: &SceneKeys, world: &World, bodies: [usize; 2]) -> bool {
    let Some([a, b]) = entry.between.as_deref() else { return true };
    let name = |body: usize| keys.materials.get(world.bodies[body].material.index()).map(|(name, _)| name);
    let [first, second] = bodies.map(name);
    (first, second) == (Some(a), Some(b)) || (first, second) == (Some(b), Some(a))
}

fn is_of_populations(entry: &keys::Bonds, origins: &Origins, bodies: [usize; 2]) -> bool {
    let Some(populations) = &entry.populations else { return true };
    let is_in = |body: usize| {
        let of = origins.iter().position(|bodies| bodies.contains(&body));
        of.is_some_and(|of| populations.contains(&(of as u64)))
    };
    bodies.into_iter().all(is_in)
}

fn bond(entry: &keys::Bonds, near: &NearPair, world: &World, seed: u64) -> Bond {
    let [from, to] = near.bodies.map(|id| world.bodies[id.index()].position);
    let line = world.domain.nearest(from, to) + near.arms[1] - near.arms[0];
    let smaller = near.radii[0].min(near.radii[1]);
    let beam = Beam {
        model: entry.beam,
        young: entry.young,
        poisson: entry.poisson,
        radius: entry.radius.unwrap_or_else(|| entry.radius_ratio.unwrap_or(1.0) * smaller),
    };
    let or_never = |stress: Option<f64>| stress.unwrap_or(f64::INFINITY);
    let strength = Strength {
        tension: or_never(entry.tension),
        shear: or_never(entry.shear),
        bending: or_never(entry.bending),
        twist: or_never(entry.twist),
    };
    let scatter = entry.weibull.map_or(1.0, |modulus| weibull_factor(modulus, seed, near.bodies));
    Bond {
        bodies: near.bodies,
        arms: near.arms,
        stiffness: beam.stiffness(line.norm()),
        damping: entry.damping,
        limits: beam.limits(&strength).times(scatter),
        contact: entry.contact,
    }
}
