//! Temperatures: what is said of them, what materials lack for them, and where a body is not of one temperature.

use super::materials;
use crate::diagnostic::Problem;
use crate::keys::{self, SceneKeys};
use crate::place::Places;
use std::collections::BTreeSet;
use tumble_dem::heat::{
    CONDUCTIVITY, CONTACT_CONDUCTANCE, Conduction, HEAT_CAPACITY, Heat, MOST_BIOT, Surroundings,
    biot_of_contact, biot_of_surface,
};
use tumble_dem::material::Materials;
use tumble_dem::placement::Stream;
use tumble_dem::property::Property;
use tumble_dem::{MaterialId, World};

/// Overlaps are about so large a part of the radius in scenes that are computed with softened materials: for the Biot number of a contact.
const USUAL_OVERLAP: f64 = 0.01;

/// Measures of what there is with heat alone.
const OF_HEAT: [&str; 2] = ["temperature", "wall-heat"];

/// The heat of a scene.
pub(super) fn heat(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) -> Option<Heat> {
    let Some(heat) = &keys.heat else {
        without_heat(keys, problems);
        return None;
    };
    check_needs(keys, heat.conduction, materials, problems);
    let surroundings = heat
        .surroundings
        .as_ref()
        .map(|around| Surroundings { temperature: around.temperature, coefficient: around.coefficient });
    Some(Heat { conduction: heat.conduction, dissipation: heat.dissipation, surroundings })
}

/// The temperatures that a scene without heat gives.
fn without_heat(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    let warn = |places: &Places, key: &'static str| {
        let message = format!("`{key}` has no effect in a scene without `heat`");
        Problem::warning(places.key(key), message).help("add a table [heat]")
    };
    let populations = keys.bodies.iter().map(|each| &each.places);
    for places in populations.chain(keys.streams.iter().map(|each| &each.places)) {
        problems.extend(places.has("temperature").then(|| warn(places, "temperature")));
    }
    for wall in &keys.walls {
        for key in ["temperature", "temperature_table"] {
            problems.extend(wall.places.has(key).then(|| warn(&wall.places, key)));
        }
    }
    for measure in keys.measures.iter().filter(|measure| OF_HEAT.contains(&measure.kind.name())) {
        let message = format!("the measure `{}` needs `heat`", measure.name);
        problems.push(Problem::error(measure.places.key("kind"), message));
    }
}

/// The materials of bodies, and of walls that conduct.
fn warm(keys: &SceneKeys) -> [BTreeSet<MaterialId>; 2] {
    let number = |name: &Option<String>| materials::number(keys, name.as_deref());
    let of_bodies = keys.bodies.iter().map(|each| &each.material);
    let bodies: BTreeSet<MaterialId> =
        of_bodies.chain(keys.streams.iter().map(|each| &each.material)).filter_map(number).collect();
    let conducts = |wall: &&keys::Wall| wall.temperature.is_some() || wall.temperature_table.is_some();
    let walls = keys.walls.iter().filter(conducts).filter_map(|wall| number(&wall.material));
    let all = bodies.iter().copied().chain(walls).collect();
    [bodies, all]
}

/// Every material that is warm needs a heat capacity and a conductivity; every pair a conductance, where that is asked for.
fn check_needs(keys: &SceneKeys, conduction: Conduction, made: &Materials, problems: &mut Vec<Problem>) {
    let [bodies, all] = warm(keys);
    for id in &all {
        let Some((name, material)) = keys.materials.get(id.index()) else { continue };
        for property in [&HEAT_CAPACITY, &CONDUCTIVITY] {
            if material.places.is_sound() && material.properties.get(property).is_none() {
                problems.push(missing(&material.places, &format!("material `{name}`"), property));
            }
        }
    }
    if conduction != Conduction::Area {
        return;
    }
    let pairs = bodies.iter().flat_map(|&a| all.iter().map(move |&b| [a, b]));
    for [a, b] in pairs.filter(|[a, b]| a <= b || !bodies.contains(b)) {
        let given = made.properties(a, b).ok().and_then(|pair| pair.get(&CONTACT_CONDUCTANCE));
        if given.is_none() {
            let name = |id: MaterialId| keys.materials.get(id.index()).map_or("", |(name, _)| name.as_str());
            let of = format!("the pair of {} and {}", name(a), name(b));
            problems.push(missing(&keys.pair.places, &of, &CONTACT_CONDUCTANCE));
            return;
        }
    }
}

fn missing(places: &Places, of: &str, property: &Property) -> Problem {
    let message = format!("{of} needs the key `{}`: heat is conducted by it", property.key);
    Problem::error(places.table(), message).label(format!("such as {} = {}", property.key, property.example))
}

/// Warns where bodies are not of one temperature, as far as numbers of the scene tell.
pub(super) fn check_biot(keys: &SceneKeys, world: &World, streams: &[Stream], problems: &mut Vec<Problem>) {
    let (Some(heat), Some(said)) = (world.heat, &keys.heat) else { return };
    let made = world.materials.as_slice();
    let mut largest = vec![0.0_f64; made.len()];
    let mut see = |material: MaterialId, template: usize, scale: f64| {
        let radius = tumble_math::elementary::cbrt(
            world.templates[template].volume() * (0.75 / core::f64::consts::PI),
        );
        let known = &mut largest[material.index()];
        *known = known.max(radius * scale);
    };
    for body in &world.bodies {
        see(body.material, body.template.index(), body.scale);
    }
    for choice in streams.iter().map(|stream| &stream.inlet().choice) {
        for (id, _) in choice.templates.parts() {
            see(choice.material, id.index(), choice.scale.range(id)[1]);
        }
    }
    let bodies = (0..u16::MAX).map(MaterialId).zip(made).zip(&largest).filter(|(_, radius)| **radius > 0.0);
    for ((id, material), &radius) in bodies {
        let Some(conductivity) = material.get(&CONDUCTIVITY) else { continue };
        let warn = |place, what: &str, biot: f64| {
            let message = format!(
                "the Biot number of bodies of {} {what} is {biot:.2}: they are not of one temperature each, as is computed",
                material.name
            );
            let label = format!("below {MOST_BIOT} they are");
            Problem::warning(place, message)
                .label(label)
                .help("smaller bodies, or a conductivity that is larger")
        };
        if let (Some(around), Some(said)) = (heat.surroundings, &said.surroundings) {
            let biot = biot_of_surface(around.coefficient, conductivity, radius);
            if biot > MOST_BIOT {
                problems.push(warn(said.places.of("coefficient"), "in what is around them", biot));
            }
        }
        let own = world.materials.properties(id, id).ok();
        let per_area = own.and_then(|pair| pair.get(&CONTACT_CONDUCTANCE));
        if let Some(per_area) = per_area.filter(|_| heat.conduction == Conduction::Area) {
            let contact = radius * (0.5 * USUAL_OVERLAP).sqrt();
            let biot = biot_of_contact(per_area, conductivity, contact);
            if biot > 1.0 {
                let message = format!(
                    "contacts of {} conduct {biot:.1} times as well as the constriction of the bodies about them, where they overlap by {:.0} % of the radius",
                    material.name,
                    100.0 * USUAL_OVERLAP
                );
                let help =
                    "conduction = \"radius\" is that of the constriction; or a smaller contact_conductance";
                problems.push(Problem::warning(keys.pair.places.table(), message).help(help));
            }
        }
    }
}
