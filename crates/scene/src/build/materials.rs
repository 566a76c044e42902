//! Materials and their pairs, checked by the engine for the law of the scene.

use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys};
use crate::place::{Place, Places};
use std::collections::BTreeSet;
use tumble_dem::law::{ContactLaw, LawVisitor};
use tumble_dem::material::{Material, MaterialError, Materials, PairProperties};

/// The materials of a scene; what is wrong with them is among the problems.
pub(super) fn materials(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Materials {
    let mut materials = Materials::default();
    for (name, each) in &keys.materials {
        let material = Material {
            name: name.clone(),
            density: each.density,
            young: each.young.unwrap_or(f64::INFINITY),
            poisson: each.poisson.unwrap_or(0.25),
            stiffness: each.stiffness,
            stiffness_ratio: each.stiffness_ratio,
        };
        if each.places.is_sound() {
            check_material(material.clone(), each, problems);
            check_needs(keys, name, each, problems);
        }
        materials.add(material);
    }
    // The reader filled in what was left out.
    let complete = PairProperties::default();
    if let Some(pair) = &keys.pair {
        let properties = pair.over(complete);
        check_pair(properties, ["any", "any"], &pair.places, problems);
        materials.set_default(properties);
    }
    for pair in &keys.pairs {
        let numbers: Vec<u16> = pair.between.iter().filter_map(|name| number(keys, Some(name))).collect();
        let ([a, b], [name_a, name_b]) = (&numbers[..], &pair.between[..]) else { continue };
        let properties = pair.over(complete);
        check_pair(properties, [name_a, name_b], &pair.places, problems);
        materials.set_pair(*a, *b, properties);
    }
    materials
}

/// The number of a material.
pub(super) fn number(keys: &SceneKeys, name: Option<&str>) -> Option<u16> {
    let index = keys.materials.iter().position(|(known, _)| Some(known.as_str()) == name)?;
    u16::try_from(index).ok()
}

/// Looks at every two materials that can meet.
pub(super) fn check_meetings(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) {
    let of_bodies = keys.bodies.iter().map(|each| &each.material);
    let of_streams = keys.streams.iter().map(|each| &each.material);
    let moving: BTreeSet<u16> =
        of_bodies.chain(of_streams).filter_map(|name| number(keys, name.as_deref())).collect();
    let walls: BTreeSet<u16> =
        keys.walls.iter().filter_map(|wall| number(keys, wall.material.as_deref())).collect();
    let mut lacking = Vec::new();
    for &a in &moving {
        for &b in moving.iter().filter(|&&b| b >= a).chain(walls.difference(&moving)) {
            match keys.contact.law.visit(PairOf { materials, a, b }) {
                // Reported with the material or pair itself.
                Ok(())
                | Err(
                    MaterialError::Material { .. }
                    | MaterialError::Pair { .. }
                    | MaterialError::NoStiffness { .. },
                ) => {}
                Err(error @ MaterialError::NoProperties { .. }) => lacking.push((a, error)),
                Err(error) => problems.push(at_material(keys, a, &error)),
            }
        }
    }
    // One message will do: one table mends them all.
    if let Some((a, error)) = lacking.first() {
        let more = lacking.len() - 1;
        let problem = at_material(keys, *a, error).help(
            "add a table [pair] with restitution and friction; it holds for every pair without its own",
        );
        let rest = (more > 0).then(|| format!("{more} more pairs have none"));
        problems.push(problem.maybe_help(rest));
    }
}

fn at_material(keys: &SceneKeys, number: u16, error: &MaterialError) -> Problem {
    let place = keys.materials.get(usize::from(number)).map(|(_, material)| match error {
        MaterialError::BothRigid { key, .. } => material.places.of(key),
        _ => material.places.table(),
    });
    Problem::error(place.unwrap_or_default(), error.to_string())
}

/// Reports every property that no material can have, not just the first that the engine comes across.
fn check_material(mut material: Material, each: &keys::Material, problems: &mut Vec<Problem>) {
    while let Err(MaterialError::Material { key, value, expected, material: name }) = material.check() {
        let message = format!("material `{name}`: {key} must be {expected}, but is {value}");
        problems.push(Problem::error(each.places.of(key), message));
        match key {
            "density" => material.density = 1.0,
            "young" => material.young = 1.0,
            "poisson" => material.poisson = 0.0,
            "stiffness" => material.stiffness = None,
            "stiffness_ratio" => material.stiffness_ratio = 1.0,
            _ => return,
        }
    }
}

fn check_pair(mut pair: PairProperties, names: [&str; 2], places: &Places, problems: &mut Vec<Problem>) {
    if !places.is_sound() {
        return;
    }
    while let Err(MaterialError::Pair { key, value, expected, .. }) = pair.check(names) {
        let message = format!("{key} must be {expected}, but is {value}");
        problems.push(Problem::error(places.of(key), message));
        match key {
            "restitution" => pair.restitution = 1.0,
            "friction" => pair.friction = 0.0,
            "rolling_friction" => pair.rolling_friction = 0.0,
            "rolling_damping" => pair.rolling_damping = 0.0,
            "twisting_friction" => pair.twisting_friction = 0.0,
            _ => return,
        }
    }
}

/// The properties that the law reads must be given.
fn check_needs(keys: &SceneKeys, name: &str, material: &keys::Material, problems: &mut Vec<Problem>) {
    let info = keys.contact.law.info();
    let given = [
        ("young", material.young.is_some()),
        ("poisson", material.poisson.is_some()),
        ("stiffness", material.stiffness.is_some()),
    ];
    for (key, given) in given {
        if !given && info.needs.contains(&key) {
            let law: Place = keys.contact.places.of("law");
            let mut problem = Problem::error(
                material.places.table(),
                format!("material `{name}` needs the key `{key}`: the contact law {} reads it", info.name),
            )
            .label("it is missing here");
            if keys.contact.places.has("law") {
                problem = problem.related(law, "the law");
            }
            problems.push(problem);
        }
    }
}

struct PairOf<'a> {
    materials: &'a Materials,
    a: u16,
    b: u16,
}

impl LawVisitor for PairOf<'_> {
    type Output = Result<(), MaterialError>;
    fn visit<L: ContactLaw>(self, _: L) -> Self::Output {
        self.materials.pair::<L>(self.a, self.b).map(|_| ())
    }
}
