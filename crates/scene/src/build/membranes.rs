//! Membranes: pressures on the nets that populations make.

use super::populate::Origins;
use crate::diagnostic::Problem;
use crate::keys::{SceneKeys, Timed as _};
use std::sync::Arc;
use tumble_dem::BodyId;
use tumble_dem::membrane::Membrane;

/// Makes all membranes, whose nodes are in their places, and reports what is wrong with them.
pub(super) fn membranes(
    keys: &SceneKeys,
    origins: &Origins,
    problems: &mut Vec<Problem>,
) -> Vec<Arc<Membrane>> {
    let names = keys.membranes.iter().map(|membrane| (&*membrane.name, &membrane.places));
    super::measures::check_names(names, "membranes", "messages name them", problems);
    let mut all = Vec::new();
    for entry in &keys.membranes {
        let wrong = |key: &str, message: String| Problem::error(entry.places.of(key), message);
        let population = usize::try_from(entry.population).unwrap_or(usize::MAX);
        let net = keys.bodies.get(population).and_then(|bodies| bodies.sleeve.as_ref());
        let (Some(net), Some(nodes)) = (net, origins.get(population)) else {
            let message =
                format!("the membrane `{}`: `bodies.{}` has no `sleeve`", entry.name, entry.population);
            let help = "a membrane is spread over the nodes of a population with the key `sleeve`";
            problems.push(wrong("population", message).help(help));
            continue;
        };
        let id = |node: u32| BodyId(u32::try_from(nodes.start).unwrap_or(u32::MAX).saturating_add(node));
        let triangles = net.net().triangles().into_iter().map(|corners| corners.map(id)).collect();
        let timing = entry.when().timing().map_err(|error| error.to_string());
        let made = timing.and_then(|timing| {
            Membrane::new(&*entry.name, triangles, entry.pressure, timing).map_err(|error| error.to_string())
        });
        match made {
            Ok(membrane) => all.push(Arc::new(membrane)),
            Err(error) => problems.push(wrong("name", format!("the membrane `{}`: {error}", entry.name))),
        }
    }
    if let Some(domain) = keys.domain.as_ref().filter(|domain| !domain.periodic.is_empty())
        && let Some(entry) = keys.membranes.first()
    {
        let message = format!("the membrane `{}` is in a domain with a periodic axis", entry.name);
        let label = "what is inside a membrane is not known where it has images";
        problems.push(Problem::error(domain.places.of("periodic"), message).label(label));
    }
    all
}

/// Whose bodies come from another run has no nodes of its own.
pub(super) fn check_taken(keys: &SceneKeys, problems: &mut Vec<Problem>) {
    if let Some(entry) = keys.membranes.first() {
        let message =
            format!("the membrane `{}` cannot be made where bodies come from another run", entry.name);
        let help =
            "its nodes are those of a population of this scene: run the scene by itself, or resume the run";
        problems.push(Problem::error(entry.places.table(), message).help(help));
    }
}
