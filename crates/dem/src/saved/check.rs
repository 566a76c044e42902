//! Whether a state that was read can be gone on from: whatever the engine would later take for granted.

use super::SavedState;
use crate::bodies::Bodies;
use crate::contact::{Name, features};
use crate::domain::{Axis, Domain};
use crate::engine::Altered;
use crate::error::Error;
use crate::world::{BodyId, World};

/// Beyond this, numbers of steps are not whole as `f64`.
const MOST_STEPS: u64 = 1 << 53;

pub(super) fn state(state: &SavedState, world: &World) -> Result<(), Error> {
    crate::check::positive("the saved state", "time step", state.dt)?;
    if state.steps > MOST_STEPS {
        return Err(invalid("number of steps", state.steps.to_string(), "at most 2⁵³"));
    }
    let Altered { dt, since, since_time, gravity, .. } = &state.altered;
    crate::check::positive("the saved state", "time step", *dt)?;
    if *since > state.steps || *since_time < 0.0 {
        let value = format!("{since} at {since_time} s");
        return Err(invalid(
            "step of the last change of the time step",
            value,
            "one no newer than the state",
        ));
    }
    if let Some(gravity) = gravity {
        crate::check::finite("the saved state", "gravity", gravity)?;
    }
    if state.loads.len() != world.walls.len() || state.free.len() != world.walls.len() {
        return Err(Error::Mismatch { what: "it has another number of walls".into() });
    }
    warmth(state, world)?;
    films(state)?;
    if let Some(surfaces) = &state.surfaces {
        surfaces.check(&world.walls)?;
    }
    if state.materials != world.materials.as_slice().len() {
        return Err(Error::Mismatch { what: "it has another number of materials".into() });
    }
    let largest = state.bodies.largest;
    let domain = state.cell.map_or(world.domain, |cell| cell.domain());
    crate::check::domain(&domain, largest, Some(0.0))?;
    positions(&state.bodies, &domain)
}

/// Either all bodies have a temperature, or none.
fn warmth(state: &SavedState, world: &World) -> Result<(), Error> {
    let (bodies, walls) = (&state.bodies, world.walls.len());
    let wrong = |what: &'static str| Err(Error::Mismatch { what: what.into() });
    match &state.heat {
        None if bodies.warmth.is_empty() => Ok(()),
        Some(heat) if heat.walls.len() != walls => wrong("it has the heat of another number of walls"),
        Some(_) if bodies.warmth.len() == bodies.len() => Ok(()),
        _ => wrong("not all of its bodies have a temperature"),
    }
}

/// Either all bodies have a film, or none; and no volume is negative.
fn films(state: &SavedState) -> Result<(), Error> {
    let bodies = &state.bodies;
    let wrong = |what: &'static str| Err(Error::Mismatch { what: what.into() });
    let Some(liquid) = &state.liquid else {
        return if bodies.film.is_empty() {
            Ok(())
        } else {
            wrong("it has films, and does not say where the liquid is")
        };
    };
    let is_volume = |volume: f64| volume >= 0.0 && volume.is_finite();
    if bodies.film.len() != bodies.len() {
        return wrong("not all of its bodies have a film");
    }
    if !bodies.film.iter().copied().all(is_volume)
        || !liquid.bridges.iter().all(|bridge| is_volume(bridge.volume))
    {
        return wrong("the volume of a film or of a liquid bridge is not a volume");
    }
    if !liquid.bridges.is_sorted_by(|first, second| first.name < second.name) {
        return wrong("its liquid bridges are not in the order of their names, each once");
    }
    Ok(())
}

/// Bodies are inside a periodic domain.
fn positions(bodies: &Bodies, domain: &Domain) -> Result<(), Error> {
    for (number, axis) in domain.axes.iter().enumerate() {
        if let Axis::Periodic { low, high } = *axis {
            let mut column = bodies.position.iter().map(|position| position[number]);
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
        let other = if contact.with_wall {
            contact.b[1] == 0
        } else {
            contact.a[0] < contact.b[0] && is_sphere(contact.b)
        };
        is_sphere(contact.a) && other && contact.feature < features(contact, &world.walls)
    };
    if let Some(contact) = contacts.iter().find(|contact| !exists(contact)) {
        return Err(invalid("contact", contact.to_string(), "spheres, walls and parts of them that exist"));
    }
    if let Some([first, second]) = contacts.windows(2).find_map(|pair| match pair {
        [first, second] if first >= second => Some([first, second]),
        _ => None,
    }) {
        let value = format!("{second} after {first}");
        return Err(invalid("contact", value, "contacts in the order of their names, each once"));
    }
    Ok(())
}

fn invalid(what: &'static str, value: String, expected: &'static str) -> Error {
    Error::Invalid { of: "the saved state".into(), what, value, expected }
}

#[cfg(test)]
mod tests {
    use super::super::stored::{Input, Stored};
    use super::*;
    use crate::MaterialId;
    use crate::bodies::{Shapes, Sums};
    use crate::clump::ClumpTemplate;
    use crate::wall::{Enclosure, Motion, Wall};
    use crate::world::Body;
    use tumble_math::LabVec;

    /// The contacts of a world of three balls in a box, as they come back from bytes.
    fn come_back(names: &[Name]) -> Result<Vec<Name>, Error> {
        let mut world = World::default();
        let ball = world.add_template(ClumpTemplate::sphere("ball", 1.0).unwrap()).unwrap();
        let corner = LabVec::new(9.0, 9.0, 9.0);
        let room = Enclosure::new(-corner, corner).unwrap();
        world.walls.push(Wall::new("room", room, MaterialId(0), Motion::fixed()).unwrap());
        let mut bodies = Bodies::new(Shapes::new(&world.templates));
        bodies.append(&mut Sums::default(), &[Body::at(ball, LabVec::zero()); 3], |_| 1.0);
        let mut bytes = Vec::new();
        names.to_vec().put(&mut bytes);
        let back = Vec::take(&mut Input::new(&bytes))?;
        contacts(&back, &bodies, &world)?;
        Ok(back)
    }

    #[test]
    fn contacts_are_told_apart_by_their_features() {
        let of = |b: u32, feature: u32| Name { with_wall: false, a: [0, 0], b: [b, 0], feature };
        let with_wall = |feature: u32| Name { with_wall: true, ..of(0, feature) };
        let names = [of(1, 0), of(2, 0), with_wall(1), with_wall(5)];
        assert_eq!(come_back(&names).unwrap(), names);
        let message = |names: &[Name]| come_back(names).unwrap_err().to_string();
        // Two spheres have one contact, and a box six faces.
        let second = message(&[of(1, 0), of(1, 1)]);
        assert!(second.contains("of sphere 0 of body 0 with sphere 0 of body 1, number 1"), "{second}");
        let seventh = message(&[with_wall(6)]);
        assert!(seventh.contains("of sphere 0 of body 0 with part 6 of wall 0"), "{seventh}");
        assert!(come_back(&[Name { b: [0, 1], ..with_wall(1) }]).is_err());
        for pair in [[with_wall(5), with_wall(1)], [with_wall(1), with_wall(1)]] {
            assert!(message(&pair).contains("in the order of their names, each once"));
        }
    }
}
