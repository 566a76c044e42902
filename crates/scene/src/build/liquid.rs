//! Films of liquid: what is said of them, and that a law has them where there are any.

use crate::diagnostic::Problem;
use crate::keys::SceneKeys;
use crate::place::Places;
use tumble_dem::MaterialId;
use tumble_dem::law::LawKind;
use tumble_dem::law::film_bridge::LARGEST_BRIDGE;
use tumble_dem::liquid::Liquid;
use tumble_dem::material::Materials;

/// The measure of what there is with films alone.
const OF_LIQUID: &str = "liquid";

/// The liquid of a scene.
pub(super) fn liquid(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) -> Option<Liquid> {
    let Some(liquid) = &keys.liquid else {
        without_liquid(keys, materials, problems);
        return None;
    };
    if liquid.share > 1.0 {
        let message = "a body gives no more than the whole of its film to a bridge";
        problems.push(Problem::error(liquid.places.of("share"), message).label("above 0 and at most 1"));
    }
    if !has_films(keys, materials) {
        let message = "no contact law of this scene does anything with films of liquid";
        let help = "law = \"film-bridge\" in [contact], or for a pair of materials in [[pairs]]";
        problems.push(Problem::error(liquid.places.table(), message).help(help));
    }
    Some(Liquid { share: liquid.share })
}

/// Whether the contacts of any two materials have bridges out of films.
fn has_films(keys: &SceneKeys, materials: &Materials) -> bool {
    let ids = || (0..u16::MAX).zip(materials.as_slice()).map(|(id, _)| MaterialId(id));
    let law = |a: MaterialId, b: MaterialId| -> LawKind {
        materials.model(a, b).unwrap_or(keys.contact.model()).law
    };
    ids().any(|a| ids().filter(|b| *b >= a).any(|b| law(a, b).info().reads(&LARGEST_BRIDGE)))
}

/// What a scene without liquid says of it.
fn without_liquid(keys: &SceneKeys, materials: &Materials, problems: &mut Vec<Problem>) {
    let help = "add a table [liquid]";
    let wrong = |places: &Places| {
        let message = "`film` needs a scene with `liquid`";
        Problem::error(places.key("film"), message).help(help)
    };
    let populations = keys.bodies.iter().map(|each| &each.places);
    for places in populations.chain(keys.streams.iter().map(|each| &each.places)) {
        problems.extend(places.has("film").then(|| wrong(places)));
    }
    if has_films(keys, materials) {
        let message = "the law `film-bridge` takes its bridges from films of liquid, and there are none";
        let help = "add a table [liquid] and `film` to the bodies; or take `willett`, whose bridges all have one volume";
        problems.push(Problem::error(keys.contact.places.table(), message).help(help));
    }
    for measure in keys.measures.iter().filter(|measure| measure.kind.name() == OF_LIQUID) {
        let message = format!("the measure `{}` needs `liquid`", measure.name);
        problems.push(Problem::error(measure.places.key("kind"), message).help(help));
    }
}
