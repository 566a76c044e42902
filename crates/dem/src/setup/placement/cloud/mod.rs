//! Bodies at random in a box, none of which overlaps another or anything that is there already.
//!
//! Bodies are put in one after the other wherever there is room. That ends at a solid fraction of about 0.35;
//! for more, all bodies are put in smaller than they are and grown, while those that come to overlap push
//! each other aside (`pack`, `relax`, `push`).

mod contacts;
mod pack;
mod push;
mod relax;

use super::MOST_BODIES;
use super::choice::{Choice, Orientation};
use super::error::{Crowded, PlacementError, inside, not_negative};
use super::patience;
use super::room::{Bounds, Outline, Room};
use crate::clump::ClumpTemplate;
use crate::random::Random;
use crate::rows_by_id::index32;
use crate::world::{Body, World};
use tumble_math::LabVec;

/// A box full of bodies at random places.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::placement::{Choice, Cloud};
/// use tumble_dem::random::Random;
/// use tumble_dem::{LabVec, World};
/// let mut world = World::default();
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.005)?)?;
/// let cloud = Cloud { low: LabVec::zero(), high: LabVec::new(0.1, 0.1, 0.1), count: 500, gap: 1e-3 };
/// let bodies = cloud.place(&Choice::of(ball), &world, &mut Random::new(1))?;
/// world.bodies.extend(bodies);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloud {
    /// The corner of the box with the smallest coordinates, m. Bodies stay in the box with all their spheres,
    /// except along a periodic axis of the world that the box covers: there they may stick out of it.
    pub low: LabVec<f64>,
    /// The corner with the largest coordinates, m.
    pub high: LabVec<f64>,
    /// How many bodies.
    pub count: usize,
    /// The least distance between two spheres, or a sphere and the box or a wall, as a part of their radii.
    pub gap: f64,
}

/// Tries to place a body before packing them all. Few, since packing is fast where there is much room.
const ATTEMPTS: u32 = 1000;

impl Cloud {
    /// Places the bodies in a world, clear of the bodies and walls that it has, these as they are at time 0.
    ///
    /// Meshes and tubes of finite length are thin sheets: what they enclose counts as room.
    pub fn place(
        &self,
        choice: &Choice,
        world: &World,
        random: &mut Random,
    ) -> Result<Vec<Body>, PlacementError> {
        let Self { low, high, count, gap } = *self;
        inside(low, high)?;
        not_negative("gap of the cloud", gap)?;
        choice.check(world.templates.len())?;
        if count > MOST_BODIES {
            return Err(PlacementError::TooMany { wanted: count as f64 });
        }
        let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
        let [x, y, z] = (high - low).to_array();
        let asked = count as f64 * choice.mean_volume(&shapes) / (x * y * z);
        // Before any of them is drawn: this many would not fit if they were liquid.
        if asked > 1.0 {
            return Err(Crowded { placed: 0, wanted: count, reached: 0.0, asked }.into());
        }
        let mut room = Room::in_world(world, Bounds { low, high, gap }, choice, count);
        let mut bodies: Vec<Body> = (0..count).map(|_| choice.draw(random)).collect();
        let placed = add_one_by_one(&mut room, &mut bodies, choice.orientation, 1.0, random);
        if patience::was_over() {
            return Err(PlacementError::Interrupted);
        }
        if placed < count {
            let room = Room::in_world(world, Bounds { low, high, gap }, choice, count);
            pack::pack(&room, &mut bodies, choice.orientation, random).map_err(|reached| {
                let at_random = asked * placed as f64 / count as f64;
                let crowded = Crowded { placed, wanted: count, reached: reached.max(at_random), asked };
                if patience::was_over() { PlacementError::Interrupted } else { crowded.into() }
            })?;
        }
        for body in &mut bodies {
            body.position = world.domain.wrap(body.position);
        }
        Ok(bodies)
    }
}

/// Puts bodies in, smaller by a factor, one after the other wherever they fit; returns how many did.
fn add_one_by_one(
    room: &mut Room<'_>,
    bodies: &mut [Body],
    orientation: Orientation,
    factor: f64,
    random: &mut Random,
) -> usize {
    let first = room.bodies;
    let mut outline = Outline::new();
    for (number, body) in bodies.iter_mut().enumerate() {
        let mut attempts = 0;
        loop {
            if patience::is_over() {
                return number;
            }
            room.outline(&body.scaled(body.scale * factor), &mut outline);
            if let Some(place) = room.draw_place(&outline, random).filter(|&p| room.is_free(p, &outline)) {
                body.position = place;
                room.settle(place, &outline, first + index32(number));
                break;
            }
            attempts += 1;
            if attempts == ATTEMPTS {
                return number;
            }
            body.orientation = orientation.draw(random);
        }
    }
    bodies.len()
}
