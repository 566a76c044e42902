//! Materials and their pairs, checked by the engine for the contact model of the scene.

use crate::diagnostic::Problem;
use crate::form::property::readers;
use crate::keys::{self, SceneKeys};
use crate::place::Places;
use std::collections::BTreeSet;
use tumble_dem::MaterialId;
use tumble_dem::material::{Holder, Material, MaterialError, Materials, PairProperties, Values};
use tumble_dem::property::{Owner, Property};

/// The materials of a scene; what is wrong with them is among the problems.
pub(super) fn materials(keys: &SceneKeys, problems: &mut Vec<Problem>) -> Materials {
    let mut materials = Materials::default();
    for (name, each) in &keys.materials {
        let material = Material {
            properties: each.properties.clone(),
            ..Material::of_density(name.clone(), each.density)
        };
        if each.places.is_sound() {
            // The message says which material, and which key.
            for error in material.problems() {
                problems.push(at_property(&each.places, &error, &format!("material `{name}`: ")));
            }
            check_needs(keys, name, each, problems);
            check_read(keys, &each.properties, &each.places, problems);
        }
        if let Err(error) = materials.add(material) {
            problems.push(Problem::error(each.places.table(), error.to_string()));
        }
    }
    // The reader filled in what was left out.
    if let Some(pair) = &keys.pair {
        let properties = PairProperties { properties: pair.properties.clone() };
        check_pair(keys, &properties, &pair.places, problems);
        materials.set_default(properties);
    }
    for pair in &keys.pairs {
        let numbers: Vec<MaterialId> =
            pair.between.iter().filter_map(|name| number(keys, Some(name))).collect();
        let [a, b] = numbers[..] else { continue };
        let properties = PairProperties { properties: pair.properties.clone() };
        check_pair(keys, &properties, &pair.places, problems);
        materials.set_pair(a, b, properties);
    }
    materials
}

/// The number of a material.
pub(super) fn number(keys: &SceneKeys, name: Option<&str>) -> Option<MaterialId> {
    let index = keys.materials.iter().position(|(known, _)| Some(known.as_str()) == name)?;
    u16::try_from(index).ok().map(MaterialId)
}

/// Looks at every two materials that can meet.
pub(super) fn check_meetings(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) {
    let of_bodies = keys.bodies.iter().map(|each| &each.material);
    let of_streams = keys.streams.iter().map(|each| &each.material);
    let moving: BTreeSet<MaterialId> =
        of_bodies.chain(of_streams).filter_map(|name| number(keys, name.as_deref())).collect();
    let walls: BTreeSet<MaterialId> =
        keys.walls.iter().filter_map(|wall| number(keys, wall.material.as_deref())).collect();
    let mut lacking = Vec::new();
    for &a in &moving {
        for &b in moving.iter().filter(|&&b| b >= a).chain(walls.difference(&moving)) {
            match keys.contact.model().check(materials, a, b) {
                // Reported with the material or pair itself.
                Ok(_)
                | Err(
                    MaterialError::Impossible { .. } | MaterialError::Missing { of: Holder::Material(_), .. },
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

fn at_material(keys: &SceneKeys, id: MaterialId, error: &MaterialError) -> Problem {
    let material = keys.materials.get(id.index()).map(|(_, material)| &material.places);
    let place = match error {
        MaterialError::BothRigid { key, .. } => material.map(|places| places.of(key)),
        MaterialError::Missing { of: Holder::Pair([a, b]), .. } => {
            let names = |pair: &&keys::PairOf| pair.between == [&**a, b] || pair.between == [&**b, a];
            let own = keys.pairs.iter().find(names).map(|pair| pair.places.table());
            own.or(keys.pair.as_ref().map(|pair| pair.places.table()))
        }
        _ => material.map(Places::table),
    };
    Problem::error(place.unwrap_or_default(), error.to_string())
}

/// What the engine says of a property, at its place.
fn at_property(places: &Places, error: &MaterialError, of: &str) -> Problem {
    match error {
        MaterialError::Impossible { key, value, expected, .. } => {
            Problem::error(places.of(key), format!("{of}{key} must be {expected}, but is {value}"))
        }
        other => Problem::error(places.table(), other.to_string()),
    }
}

fn check_pair(keys: &SceneKeys, properties: &PairProperties, places: &Places, problems: &mut Vec<Problem>) {
    if places.is_sound() {
        problems.extend(properties.problems(["any"; 2]).map(|error| at_property(places, &error, "")));
        check_read(keys, &properties.properties, places, problems);
    }
}

/// The properties of materials that the model reads must be given.
fn check_needs(keys: &SceneKeys, name: &str, material: &keys::Material, problems: &mut Vec<Problem>) {
    for (key, ([part, reader], needs)) in CHOICES.into_iter().zip(keys.contact.model().parts()) {
        let missing = |property: &&&Property| {
            property.of == Owner::Material && material.properties.get(property).is_none()
        };
        for property in needs.iter().filter(missing) {
            let message =
                format!("material `{name}` needs the key `{}`: the {part} {reader} reads it", property.key);
            let problem = Problem::error(material.places.table(), message).label("it is missing here");
            let places = &keys.contact.places;
            let chosen = places.has(key).then(|| places.of(key));
            problems.push(match chosen {
                Some(place) => problem.related(place, format!("the {key}")),
                None => problem,
            });
        }
    }
}

/// The keys of `[contact]`, in the order of the parts of a model.
const CHOICES: [&str; 3] = ["law", "rolling", "twisting"];

/// What is given and not read most likely was meant to do something, unless it is what it would be anyway.
fn check_read(keys: &SceneKeys, values: &Values, places: &Places, problems: &mut Vec<Problem>) {
    let model = keys.contact.model();
    for (property, value) in values.iter() {
        let meant =
            places.has(property.key) && property.default.is_none_or(|default| (value - default).abs() > 0.0);
        if meant && !model.reads(property) {
            let message = format!("nothing in this scene reads `{}`", property.key);
            let help = format!("it is read by {}", readers(property));
            problems.push(Problem::warning(places.key(property.key), message).help(help));
        }
    }
}
