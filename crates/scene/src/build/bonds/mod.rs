//! Bonds between the bodies of a scene.

mod file;

use super::files;
use super::populate::Origins;
use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys};
use file::Own;
use std::collections::BTreeSet;
use std::path::Path;
use tumble_dem::bond::{Bond, BondRule, Making, Strength, TouchBonds, Weibull, Width};
use tumble_dem::placement::{NearPair, near_pairs};
use tumble_dem::random::Random;
use tumble_dem::{BodyId, MaterialId, World};

/// Makes all bonds, whose bodies are in their places, and reports what is wrong with them.
pub(super) fn bonds(
    keys: &SceneKeys,
    folder: &Path,
    world: &World,
    origins: &Origins,
    problems: &mut Vec<Problem>,
) -> Vec<Bond> {
    let mut all: Vec<Bond> = Vec::new();
    let mut known: BTreeSet<[BodyId; 2]> = BTreeSet::new();
    for (number, entry) in (0..).zip(&keys.bonds).filter(|(_, entry)| entry.touch.is_none()) {
        let known_problems = problems.len();
        let found = candidates(entry, folder, world, problems);
        let is_meant = |near: &NearPair| {
            let bodies = near.bodies.map(BodyId::index);
            is_between(entry, keys, world, bodies) && is_of_populations(entry, origins, bodies)
        };
        let meant: Vec<(NearPair, Own)> = found.into_iter().filter(|(near, _)| is_meant(near)).collect();
        if meant.is_empty() && problems.len() == known_problems {
            problems.push(bonds_nobody(entry, number));
        }
        let again = meant.iter().filter(|(near, _)| !known.insert(near.bodies)).count();
        if again > 0 {
            let message =
                format!("`bonds.{number}` bonds {again} of its pairs of bodies once more: both bonds act");
            problems.push(Problem::warning(entry.places.table(), message));
        }
        let seed = Random::numbered(keys.seed, number).bits();
        all.extend(meant.iter().map(|(near, own)| bond(entry, own, near, world, seed)));
    }
    all
}

/// The pairs that an entry speaks of, wherever it has them from, and what each has of its own.
fn candidates(
    entry: &keys::Bonds,
    folder: &Path,
    world: &World,
    problems: &mut Vec<Problem>,
) -> Vec<(NearPair, Own)> {
    let mut found = Vec::new();
    if let Some(pairs) = &entry.pairs {
        let mut closest = Closest::of(world);
        for &pair in pairs {
            match closest.between(pair) {
                Ok(near) => found.extend(near.map(|near| (near, Own::default()))),
                Err(message) => problems.push(Problem::error(entry.places.of("pairs"), message)),
            }
        }
    } else if let Some(csv) = &entry.csv {
        match file_pairs(entry, csv, folder, world) {
            Ok(pairs) => found = pairs,
            Err(problem) => problems.push(*problem),
        }
    } else {
        let near = near_pairs(world, entry.gap.unwrap_or(0.0));
        found.extend(near.into_iter().map(|near| (near, Own::default())));
    }
    found
}

fn file_pairs(
    entry: &keys::Bonds,
    csv: &Path,
    folder: &Path,
    world: &World,
) -> Result<Vec<(NearPair, Own)>, Box<Problem>> {
    let place = entry.places.of("csv");
    let (mut closest, mut found, mut bad) = (Closest::of(world), Vec::new(), Vec::new());
    for row in file::read(folder, csv, place)? {
        if entry.kind == keys::BondKind::Parallel && (row.own.bending.or(row.own.twist)).is_some() {
            bad.push(format!(
                "{}, line {}: parallel bonds have no `bending` and no `twist`, which count as `tension` and `shear`",
                csv.display(),
                row.line
            ));
            continue;
        }
        match closest.between(row.pair) {
            Ok(near) => found.extend(near.map(|near| (near, row.own))),
            Err(message) => bad.push(format!("{}, line {}: {message}", csv.display(), row.line)),
        }
    }
    let wrong = |error: String| Problem::error(place, error).label("this file of bonds");
    files::bad_rows(&bad, wrong).map_or(Ok(found), |problem| Err(Box::new(problem)))
}

fn bonds_nobody(entry: &keys::Bonds, number: u64) -> Problem {
    let key = match entry {
        keys::Bonds { pairs: Some(_), .. } => "pairs",
        keys::Bonds { csv: Some(_), .. } => "csv",
        _ => "gap",
    };
    let help = match entry.gap {
        Some(gap) => format!(
            "no two of them are within {} m of each other: a wider `gap` may be meant",
            tumble_dem::readable(gap)
        ),
        None => "none of these pairs are of the materials and populations that it names".to_owned(),
    };
    Problem::error(entry.places.key(key), format!("`bonds.{number}` bonds no bodies")).help(help)
}

/// Finds where two bodies are closest, whatever their distance.
struct Closest<'w> {
    world: &'w World,
    /// With nobody but the two.
    alone: World,
}

impl<'w> Closest<'w> {
    fn of(world: &'w World) -> Self {
        let alone = World { templates: world.templates.clone(), domain: world.domain, ..World::default() };
        Self { world, alone }
    }

    fn between(&mut self, [a, b]: [u64; 2]) -> Result<Option<NearPair>, String> {
        let (world, count) = (self.world, self.world.bodies.len());
        let [a, b] = [a.min(b), a.max(b)];
        let (Ok(first), Ok(second), true) = (u32::try_from(a), u32::try_from(b), a != b && b < count as u64)
        else {
            return Err(format!(
                "there is no pair of bodies {a} and {b} to bond: bodies are numbered from 0 to {}",
                count.saturating_sub(1)
            ));
        };
        let ids = [BodyId(first), BodyId(second)];
        let bodies = ids.map(|id| world.bodies[id.index()]);
        // Of the two alone, every distance is near enough.
        let reach = world.domain.nearest(bodies[0].position, bodies[1].position).norm();
        self.alone.bodies = bodies.to_vec();
        Ok(near_pairs(&self.alone, reach).first().map(|near| NearPair { bodies: ids, ..*near }))
    }
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

fn bond(entry: &keys::Bonds, own: &Own, near: &NearPair, world: &World, seed: u64) -> Bond {
    let [from, to] = near.bodies.map(|id| world.bodies[id.index()].position);
    let line = world.domain.nearest(from, to) + near.arms[1] - near.arms[0];
    rule(entry, own, seed).bond(near, line.norm())
}

/// What an entry says of its bonds, and of one what that has of its own.
fn rule(entry: &keys::Bonds, own: &Own, seed: u64) -> BondRule {
    let or_never = |stress: Option<f64>| stress.unwrap_or(f64::INFINITY);
    let young = entry.young;
    let making = match entry.kind {
        keys::BondKind::Beam => Making::Beam { model: entry.beam, young, poisson: entry.poisson },
        keys::BondKind::Parallel => Making::Parallel { young, ratio: entry.stiffness_ratio.unwrap_or(1.0) },
    };
    let of_smaller = Width::OfSmaller(entry.radius_ratio.unwrap_or(1.0));
    BondRule {
        making,
        width: own.radius.or(entry.radius).map_or(of_smaller, Width::Radius),
        damping: entry.damping,
        strength: Strength {
            tension: or_never(own.tension.or(entry.tension)),
            shear: or_never(own.shear.or(entry.shear)),
            bending: or_never(own.bending.or(entry.bending)),
            twist: or_never(own.twist.or(entry.twist)),
        },
        weibull: entry.weibull.map(|modulus| Weibull { modulus, seed }),
        contact: entry.contact,
    }
}

/// The bonds that bodies get where they touch. A run that goes on with the bodies of another one has no populations.
pub(super) fn touch_bonds(
    keys: &SceneKeys,
    origins: Option<&Origins>,
    problems: &mut Vec<Problem>,
) -> Vec<TouchBonds> {
    let mut all = Vec::new();
    for (number, entry) in (0..).zip(&keys.bonds).filter(|(_, entry)| entry.touch == Some(true)) {
        if entry.populations.is_some() && origins.is_none() {
            let message = format!(
                "`bonds.{number}` bonds nobody: a run that goes on with another one has no populations"
            );
            problems.push(Problem::warning(entry.places.key("populations"), message));
        }
        let material = |name: &String| {
            let place = keys.materials.iter().position(|(known, _)| known == name)?;
            u16::try_from(place).ok().map(MaterialId)
        };
        let between = entry.between.as_deref().and_then(|names| {
            let [a, b] = names else { return None };
            Some([material(a)?, material(b)?])
        });
        let number_of = |body: usize| u32::try_from(body).unwrap_or(u32::MAX);
        let of_population = |population: &u64| {
            let of = origins?.get(usize::try_from(*population).ok()?)?;
            Some(number_of(of.start)..number_of(of.end))
        };
        let among =
            entry.populations.as_ref().map(|all| all.iter().filter_map(of_population).collect::<Vec<_>>());
        for population in entry.populations.iter().flatten() {
            if origins.is_some_and(|known| *population >= known.len() as u64) {
                let message = format!("`bonds.{number}` names population {population}, which there is not");
                problems.push(Problem::error(entry.places.of("populations"), message));
            }
        }
        let seed = Random::numbered(keys.seed, number).bits();
        let own = TouchBonds {
            rule: rule(entry, &Own::default(), seed),
            from: entry.from.unwrap_or(0.0),
            until: entry.until.unwrap_or(f64::INFINITY),
            between,
            among,
        };
        all.push(own);
    }
    all
}
