//! Whether a state that was read can be gone on from: whatever the engine would later take for granted.

use super::SavedState;
use crate::bodies::Bodies;
use crate::contact::Name;
use crate::domain::{Axis, Domain};
use crate::error::Error;
use crate::world::{BodyId, World};

/// Beyond this, numbers of steps are not whole as `f64`.
const MOST_STEPS: u64 = 1 << 53;

/// A skin of so many bounding radii of the largest body was neither chosen nor meant; it would list all
/// pairs.
const WIDEST_SKIN: f64 = 64.0;

pub(super) fn state(state: &SavedState, world: &World) -> Result<(), Error> {
    crate::check::positive("the saved state", "time step", state.dt)?;
    if state.steps > MOST_STEPS || state.builds > MOST_STEPS || state.built_at > state.steps {
        let most = state.steps.max(state.builds).max(state.built_at);
        return Err(invalid(
            "number of steps",
            most.to_string(),
            "at most 2⁵³, and lists no newer than the state",
        ));
    }
    if state.loads.len() != world.walls.len() {
        return Err(Error::Mismatch { what: "it has another number of walls".into() });
    }
    if state.materials != world.materials.as_slice().len() {
        return Err(Error::Mismatch { what: "it has another number of materials".into() });
    }
    let largest = state.bodies.largest;
    let lengths = [state.longest, state.skin, state.travelled, state.wall_travelled];
    if let Some(length) = lengths.iter().find(|length| **length < 0.0) {
        return Err(invalid("skin or displacement", length.to_string(), "at least 0"));
    }
    if state.bodies.len() > 0 && state.skin > WIDEST_SKIN * largest {
        return Err(invalid("skin", state.skin.to_string(), "no more than 64 radii of the largest body"));
    }
    crate::check::domain(&world.domain, largest, Some(0.0))?;
    positions(&state.bodies, &world.domain)
}

/// Bodies are inside a periodic domain, and were when the lists were built.
fn positions(bodies: &Bodies, domain: &Domain) -> Result<(), Error> {
    for (number, axis) in domain.axes.iter().enumerate() {
        if let Axis::Periodic { low, high } = *axis {
            let built = bodies.built.iter().map(|pose| pose.position[number]);
            let mut column = bodies.position.iter().map(|position| position[number]).chain(built);
            if let Some(x) = column.find(|x| !(low..high).contains(x)) {
                return Err(invalid("position", x.to_string(), "a place in the periodic domain"));
            }
        }
    }
    Ok(())
}

/// Contacts are between spheres and walls that exist, and each is there once.
pub(super) fn contacts(contacts: &[Name], bodies: &Bodies, world: &World) -> Result<(), Error> {
    let is_sphere = |[id, number]: [u32; 2]| {
        let spheres = bodies.row(BodyId(id)).map(|row| bodies.sphere_range(row).len());
        spheres.is_some_and(|spheres| (number as usize) < spheres)
    };
    let exists = |contact: &Name| {
        let [wall, feature] = contact.b;
        let other = if contact.with_wall {
            world.walls.get(wall as usize).is_some_and(|wall| feature < wall.shape.features())
        } else {
            contact.a[0] < contact.b[0] && is_sphere(contact.b)
        };
        is_sphere(contact.a) && other
    };
    if let Some(contact) = contacts.iter().find(|contact| !exists(contact)) {
        let value = format!("between {:?} and {:?}", contact.a, contact.b);
        return Err(invalid("contact", value, "spheres and walls that exist"));
    }
    if let Some([first, second]) = contacts.windows(2).find_map(|pair| match pair {
        [first, second] if first >= second => Some([first, second]),
        _ => None,
    }) {
        let value =
            format!("between {:?} and {:?} after {:?} and {:?}", second.a, second.b, first.a, first.b);
        return Err(invalid("contact", value, "contacts in the order of their names, each once"));
    }
    Ok(())
}

fn invalid(what: &'static str, value: String, expected: &'static str) -> Error {
    Error::Invalid { of: "the saved state".into(), what, value, expected }
}
