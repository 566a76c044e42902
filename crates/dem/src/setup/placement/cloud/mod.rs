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
use super::error::{Crowded, PlacementError, not_negative, positive};
use super::patience;
use super::region::Region;
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

/// Bodies at random places in a region, as many as make up an amount.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::placement::{Amount, Choice, Packing, Region};
/// use tumble_dem::random::Random;
/// use tumble_dem::{LabVec, World};
/// let mut world = World::default();
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 0.01)?)?;
/// let (from, to) = (LabVec::zero(), LabVec::new(0.0, 0.0, 0.1));
/// let packing = Packing {
///     region: Region::Cylinder { from, to, radius: 0.05 },
///     amount: Amount::Fraction(0.5),
///     gap: 1e-3,
/// };
/// let bodies = packing.place(&Choice::of(ball), &world, &mut Random::new(1))?;
/// assert_eq!(bodies.len(), 94);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    /// Where: a box or a cylinder.
    pub region: Region,
    /// How many bodies.
    pub amount: Amount,
    /// The least distance between two spheres, or a sphere and the region or a wall, as a part of their radii.
    pub gap: f64,
}

/// How many bodies are put in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// This many.
    Count(usize),
    /// As many as have this mass, kg; to within half a body.
    Mass(f64),
    /// As many as fill this part of the region with their volumes; to within half a body.
    Fraction(f64),
}

/// Tries to place a body before packing them all. Few, since packing is fast where there is much room.
const ATTEMPTS: u32 = 1000;
/// Bodies that are to fill more than this part of a region do not find room one by one.
const SPARSE: f64 = 0.4;

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
        let packing = Packing { region: Region::Box { low, high }, amount: Amount::Count(count), gap };
        packing.place(choice, world, random)
    }
}

impl Packing {
    /// Places the bodies in a world, as [`Cloud::place`] does.
    pub fn place(
        &self,
        choice: &Choice,
        world: &World,
        random: &mut Random,
    ) -> Result<Vec<Body>, PlacementError> {
        let gap = self.gap;
        self.region.check()?;
        positive("volume of the region for the bodies", self.region.volume())?;
        not_negative("gap of the cloud", gap)?;
        choice.check(world.templates.len())?;
        let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
        let mean = choice.mean_volume(&shapes);
        let volume = self.volume(mean, choice, world)?;
        let expected = volume / mean;
        if expected > MOST_BODIES as f64 {
            return Err(PlacementError::TooMany { wanted: expected.ceil() });
        }
        let asked = volume / self.region.volume();
        // Before any of them is drawn: this many would not fit if they were liquid.
        if asked > 1.0 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most MOST_BODIES")]
            let wanted = expected as usize;
            return Err(Crowded { placed: 0, wanted, reached: 0.0, asked }.into());
        }
        let mut bodies: Vec<Body> = match self.amount {
            Amount::Count(count) => (0..count).map(|_| choice.draw(random)).collect(),
            Amount::Mass(_) | Amount::Fraction(_) => draw_volume(choice, &shapes, volume, random),
        };
        let count = bodies.len();
        let bounds = Bounds { region: self.region.clone(), out: 0.0, gap };
        let dense = matches!(self.amount, Amount::Fraction(fraction) if fraction > SPARSE);
        let placed = if dense {
            0
        } else {
            let mut room = Room::in_world(world, bounds.clone(), choice, count);
            add_one_by_one(&mut room, &mut bodies, choice.orientation, 1.0, random)
        };
        if patience::was_over() {
            return Err(PlacementError::Interrupted);
        }
        if placed < count {
            let room = Room::in_world(world, bounds, choice, count);
            pack::pack(&room, &mut bodies, choice.orientation, random).map_err(|reached| {
                let at_random = asked * placed as f64 / count as f64;
                let reached = reached.max(at_random);
                if patience::was_over() {
                    return PlacementError::Interrupted;
                }
                match self.amount {
                    Amount::Fraction(asked) => PlacementError::TooDense { asked, reached },
                    _ => Crowded { placed, wanted: count, reached, asked }.into(),
                }
            })?;
        }
        for body in &mut bodies {
            body.position = world.domain.wrap(body.position);
        }
        Ok(bodies)
    }

    /// The volume of all bodies, m³, where one has this volume on average.
    fn volume(&self, mean: f64, choice: &Choice, world: &World) -> Result<f64, PlacementError> {
        match self.amount {
            Amount::Count(count) if count > MOST_BODIES => {
                Err(PlacementError::TooMany { wanted: count as f64 })
            }
            Amount::Count(count) => Ok(count as f64 * mean),
            Amount::Mass(mass) => {
                positive("mass of the bodies", mass)?;
                let material = world.materials.as_slice().get(choice.material.index());
                let density = material.map_or(f64::NAN, |material| material.density);
                positive("density of the bodies", density)?;
                Ok(mass / density)
            }
            Amount::Fraction(fraction) => {
                positive("solid fraction", fraction)?;
                if fraction > DENSEST {
                    return Err(PlacementError::TooDense { asked: fraction, reached: 0.0 });
                }
                Ok(fraction * self.region.volume())
            }
        }
    }
}

/// Nothing packs more densely at random than this, whatever the mixture of sizes: it is not tried.
const DENSEST: f64 = 0.85;

/// Draws bodies until they have a volume: the last one brings it as near as can be.
fn draw_volume(choice: &Choice, shapes: &[&ClumpTemplate], volume: f64, random: &mut Random) -> Vec<Body> {
    let (mut bodies, mut sum) = (Vec::new(), 0.0);
    while bodies.len() < MOST_BODIES {
        let body = choice.draw(random);
        let full = shapes[usize::from(body.template.0)].volume();
        let own = full * (body.scale * body.scale * body.scale);
        if sum + 0.5 * own > volume {
            break;
        }
        sum += own;
        bodies.push(body);
    }
    bodies
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
