//! What a scene leaves open because only one thing can be meant, and what only the whole scene can get wrong.

use crate::diagnostic::Problem;
use crate::form;
use crate::keys::SceneKeys;
use crate::place::Places;
use crate::suggest::listed;
use crate::text::SceneText;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tumble_dem::material::Values;
use tumble_dem::property::Owner;

/// Fills in the only material, the properties of pairs and the folder of the results; checks names that must differ.
pub(crate) fn fill(keys: &mut SceneKeys, text: &SceneText, problems: &mut Vec<Problem>) {
    fill_materials(keys, problems);
    for (_, material) in &mut keys.materials {
        material.properties = material.properties.over(&defaults(Owner::Material));
    }
    let general = keys.pair.properties.over(&defaults(Owner::Pair));
    keys.pair.properties = general.clone();
    for pair in &mut keys.pairs {
        pair.properties = pair.properties.over(&general);
    }
    keys.output.folder.get_or_insert_with(|| PathBuf::from("results").join(text.stem()));
    check_twins(keys, problems);
    check_length(keys, problems);
}

/// A scene says how long it runs, or its stages do.
fn check_length(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    let run = &keys.run.places;
    if !run.has("duration") && !run.has("steps") && keys.stages.is_empty() && !keys.places.has("stages") {
        let message = "`run` needs exactly one of `duration`, `steps`";
        let problem = Problem::error(run.table(), message).label("none of them is here");
        problems.push(problem.help("or say how long each of the [[stages]] lasts"));
    }
}

/// What the properties of an owner are where nobody gives them.
fn defaults(owner: Owner) -> Values {
    let mut values = Values::default();
    for property in form::property::of(owner) {
        if let Some(default) = property.default {
            values.set(property, default);
        }
    }
    values
}

fn fill_materials(keys: &mut SceneKeys, problems: &mut Vec<Problem>) {
    let names: Vec<String> = keys.materials.iter().map(|(name, _)| name.clone()).collect();
    let mut fill = |material: &mut Option<String>, places: &Places, of: String| {
        if material.is_some() || places.has("material") {
            return;
        }
        if let [only] = &names[..] {
            *material = Some(only.clone());
            return;
        }
        let problem = Problem::error(places.table(), format!("{of} needs the key `material`"));
        problems.push(if names.is_empty() {
            problem
                .label("of what are these made?")
                .help("add a table such as [materials.glass] with density, young and poisson")
        } else {
            problem
                .label("of which material?")
                .help(format!("the materials of this scene: {}", listed(names.iter().map(String::as_str))))
        });
    };
    for (number, each) in keys.bodies.iter_mut().enumerate() {
        fill(&mut each.material, &each.places, format!("`bodies.{number}`"));
    }
    for (number, each) in keys.streams.iter_mut().enumerate() {
        fill(&mut each.material, &each.places, format!("`streams.{number}`"));
    }
    for (number, each) in keys.walls.iter_mut().enumerate() {
        fill(&mut each.material, &each.places, format!("`walls.{number}`"));
    }
}

/// Two walls of one name, or two entries for one pair, cannot be told apart.
fn check_twins(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    let mut seen = BTreeMap::new();
    for wall in &keys.walls {
        let place = wall.places.of("name");
        if let Some(first) = seen.insert(wall.name.as_str(), place) {
            let message = format!("two walls have the name `{}`", wall.name);
            problems.push(Problem::error(place, message).label("the second").related(first, "the first"));
        }
    }
    let mut seen = BTreeMap::new();
    for outlet in &keys.outlets {
        let place = outlet.places.of("name");
        if let Some(first) = seen.insert(outlet.name.as_str(), place) {
            let message = format!("two outlets have the name `{}`", outlet.name);
            problems.push(Problem::error(place, message).label("the second").related(first, "the first"));
        }
    }
    let mut seen = BTreeMap::new();
    for pair in &keys.pairs {
        let [a, b] = &pair.between[..] else { continue };
        let place = pair.places.of("between");
        if let Some(first) = seen.insert([a.min(b), a.max(b)], place) {
            let message = format!("two entries for the pair `{a}` and `{b}`");
            problems.push(Problem::error(place, message).label("the second").related(first, "the first"));
        }
    }
}
