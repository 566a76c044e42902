//! Materials and their pairs, checked by the engine for the contact models of the scene.

use crate::diagnostic::Problem;
use crate::form::property::readers;
use crate::keys::{self, SceneKeys};
use crate::place::{Place, Places};
use std::collections::BTreeSet;
use tumble_dem::law::ContactModel;
use tumble_dem::material::{Holder, Material, MaterialError, Materials, PairProperties, Values};
use tumble_dem::property::{Owner, Property};
use tumble_dem::{MaterialId, World, readable};

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
            check_read(keys, &models(keys), IN_SCENE, &each.properties, &each.places, problems);
        }
        if let Err(error) = materials.add(material) {
            problems.push(Problem::error(each.places.table(), error.to_string()));
        }
    }
    // The reader filled in what was left out.
    let pair = &keys.pair;
    let properties = PairProperties { properties: pair.properties.clone(), model: None };
    check_pair(keys, &models(keys), IN_SCENE, &properties, &pair.places, problems);
    materials.set_default(properties);
    for pair in &keys.pairs {
        let numbers: Vec<MaterialId> =
            pair.between.iter().filter_map(|name| number(keys, Some(name))).collect();
        let [a, b] = numbers[..] else { continue };
        let model = pair.model(keys.contact.model());
        let properties = PairProperties { properties: pair.properties.clone(), model };
        match model {
            Some(model) => check_pair(keys, &[model], IN_PAIR, &properties, &pair.places, problems),
            None => check_pair(keys, &models(keys), IN_SCENE, &properties, &pair.places, problems),
        }
        materials.set_pair(a, b, properties);
    }
    materials
}

/// The models of a scene.
pub(super) fn models(keys: &SceneKeys) -> Vec<ContactModel> {
    let general = keys.contact.model();
    core::iter::once(general).chain(keys.pairs.iter().filter_map(|pair| pair.model(general))).collect()
}

/// Who might have read a property.
const IN_SCENE: &str = "nothing in this scene reads";
const IN_PAIR: &str = "the contact model of this pair does not read";

/// The number of a material.
pub(super) fn number(keys: &SceneKeys, name: Option<&str>) -> Option<MaterialId> {
    let index = keys.materials.iter().position(|(known, _)| Some(known.as_str()) == name)?;
    u16::try_from(index).ok().map(MaterialId)
}

/// The materials of bodies, and of walls.
struct Used {
    moving: BTreeSet<MaterialId>,
    walls: BTreeSet<MaterialId>,
}

impl Used {
    fn of(keys: &SceneKeys) -> Self {
        let of_bodies = keys.bodies.iter().map(|each| &each.material);
        let of_streams = keys.streams.iter().map(|each| &each.material);
        let of_walls = keys.walls.iter().map(|wall| &wall.material);
        let number = |name: &Option<String>| number(keys, name.as_deref());
        Self {
            moving: of_bodies.chain(of_streams).filter_map(number).collect(),
            walls: of_walls.filter_map(number).collect(),
        }
    }

    /// Every two materials that can meet, once.
    fn meetings(&self) -> impl Iterator<Item = [MaterialId; 2]> {
        self.moving.iter().flat_map(|&a| {
            let others = self.moving.iter().filter(move |&&b| b >= a);
            others.chain(self.walls.difference(&self.moving)).map(move |&b| [a, b])
        })
    }
}

/// The entry of two materials, if they have one.
fn entry(keys: &SceneKeys, [a, b]: [MaterialId; 2]) -> Option<&keys::PairOf> {
    let name = |id: MaterialId| keys.materials.get(id.index()).map(|(name, _)| name.as_str());
    let (a, b) = (name(a)?, name(b)?);
    keys.pairs.iter().find(|pair| pair.between == [a, b] || pair.between == [b, a])
}

/// The materials that bodies, streams or walls are made of.
pub(super) fn used(keys: &SceneKeys, world: &World) -> BTreeSet<MaterialId> {
    let Used { moving, walls } = Used::of(keys);
    moving.into_iter().chain(walls).chain(world.bodies.iter().map(|body| body.material)).collect()
}

/// Entries for pairs that never meet likely name the wrong materials.
pub(super) fn check_pairs_meet(keys: &SceneKeys, world: &World, problems: &mut Vec<Problem>) {
    let mut used = Used::of(keys);
    used.moving.extend(world.bodies.iter().map(|body| body.material));
    let meetings: BTreeSet<[MaterialId; 2]> = used.meetings().map(|[a, b]| [a.min(b), a.max(b)]).collect();
    for pair in &keys.pairs {
        let numbers: Vec<MaterialId> =
            pair.between.iter().filter_map(|name| number(keys, Some(name))).collect();
        let [a, b] = numbers[..] else { continue };
        if !meetings.contains(&[a.min(b), a.max(b)]) {
            let message = format!("the materials {} and {} never meet", pair.between[0], pair.between[1]);
            problems.push(Problem::warning(pair.places.of("between"), message).label("without effect"));
        }
    }
}

/// Looks at every two materials that can meet.
pub(super) fn check_meetings(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) {
    let mut left_open = None;
    for [a, b] in Used::of(keys).meetings() {
        let own = materials.model(a, b);
        if entry(keys, [a, b]).is_none() {
            left_open.get_or_insert([a, b]);
        }
        match own.unwrap_or(keys.contact.model()).check(materials, a, b) {
            // Reported with the material or pair itself.
            Ok(()) | Err(MaterialError::Impossible { .. }) => {}
            Err(MaterialError::Missing { of: Holder::Material(_), .. }) if own.is_none() => {}
            Err(error) => problems.push(at_meeting(keys, [a, b], &error)),
        }
    }
    if let Some([a, b]) = left_open.filter(|_| !keys.places.has("pair")) {
        let name = |id: MaterialId| keys.materials.get(id.index()).map_or("", |(name, _)| name.as_str());
        let message =
            format!("nothing is said of {} and {}: they collide without loss and friction", name(a), name(b));
        let place =
            keys.materials.get(a.index()).map_or(Place::default(), |(_, material)| material.places.table());
        let help =
            "add a table [pair] with restitution and friction; it holds for every pair without its own";
        problems.push(Problem::warning(place, message).help(help));
    }
}

fn at_meeting(keys: &SceneKeys, pair: [MaterialId; 2], error: &MaterialError) -> Problem {
    let [a, _] = pair;
    let material = keys.materials.get(a.index()).map(|(_, material)| &material.places);
    let own = entry(keys, pair);
    let place = match error {
        MaterialError::BothRigid { key, .. } => material.map(|places| places.of(key)),
        MaterialError::Missing { of: Holder::Pair(_), .. } => {
            let own = own.map(|pair| pair.places.table());
            own.or(Some(keys.pair.places.table()))
        }
        MaterialError::Missing { of: Holder::Material(lacks), .. } => {
            let lacking = keys.materials.iter().find(|(name, _)| name == lacks);
            let place = lacking.map(|(_, material)| material.places.table()).unwrap_or_default();
            let problem = Problem::error(place, error.to_string()).label("it is missing here");
            let chosen = own.and_then(|own| {
                let key = CHOICES.into_iter().find(|key| own.places.has(key))?;
                Some((own.places.of(key), key))
            });
            return match chosen {
                Some((place, key)) => problem.related(place, format!("the {key} of the pair")),
                None => problem,
            };
        }
        _ => material.map(Places::table),
    };
    Problem::error(place.unwrap_or_default(), error.to_string())
}

/// What the engine says of a property, at its place.
fn at_property(places: &Places, error: &MaterialError, of: &str) -> Problem {
    match error {
        MaterialError::Impossible { key, value, expected, .. } => Problem::error(
            places.of(key),
            format!("{of}{key} must be {expected}, but is {}", readable(*value)),
        ),
        other => Problem::error(places.table(), other.to_string()),
    }
}

fn check_pair(
    keys: &SceneKeys,
    models: &[ContactModel],
    nobody: &str,
    properties: &PairProperties,
    places: &Places,
    problems: &mut Vec<Problem>,
) {
    if places.is_sound() {
        problems.extend(properties.problems(["any"; 2]).map(|error| at_property(places, &error, "")));
        check_read(keys, models, nobody, &properties.properties, places, problems);
    }
}

/// The properties of materials that the model of the scene reads must be given; not those of a material that only meets
/// others under models of their own, which are asked for pair by pair.
fn check_needs(keys: &SceneKeys, name: &str, material: &keys::Material, problems: &mut Vec<Problem>) {
    let general = keys.contact.model();
    let Some(id) = number(keys, Some(name)) else { return };
    let used = Used::of(keys);
    let mut own = used
        .meetings()
        .filter(|pair| pair.contains(&id))
        .map(|pair| entry(keys, pair).and_then(|entry| entry.model(general)).is_some());
    // One that nothing is made of has no meetings.
    if own.next().is_some_and(|first| first && own.all(|own| own)) {
        return;
    }
    for (key, ([part, reader], needs)) in CHOICES.into_iter().zip(general.parts()) {
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

/// The keys that choose a model, in the order of its parts.
const CHOICES: [&str; 3] = ["law", "rolling", "twisting"];

/// What is given and not read most likely was meant to do something, unless it is what it would be anyway.
fn check_read(
    keys: &SceneKeys,
    models: &[ContactModel],
    nobody: &str,
    values: &Values,
    places: &Places,
    problems: &mut Vec<Problem>,
) {
    for (property, value) in values.iter() {
        let meant =
            places.has(property.key) && property.default.is_none_or(|default| (value - default).abs() > 0.0);
        let of_heat = keys.heat.as_ref().is_some_and(|heat| heat.conduction.needs().contains(&property));
        if meant && !of_heat && !models.iter().any(|model| model.reads(property)) {
            let message = format!("{nobody} `{}`", property.key);
            let help = format!("it is read by {}", readers(property));
            problems.push(Problem::warning(places.key(property.key), message).help(help));
        }
    }
}
