//! Bodies at random places and in random orientations, one after the other, none of which overlaps another.

use super::room::{Bounds, Outline, Room, largest_covering};
use crate::clump::ClumpTemplate;
use crate::domain::Domain;
use crate::random::Random;
use crate::world::{Body, TemplateId};
use core::fmt;
use tumble_math::LabVec;

/// A box could not be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    /// How many bodies found a place.
    pub placed: usize,
    /// How many were asked for.
    pub wanted: usize,
    /// How often the next one was tried.
    pub attempts: u32,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { placed, wanted, attempts } = self;
        write!(
            f,
            "no room for body {placed} of {wanted} after {attempts} attempts; use a larger box, or fewer or \
             smaller bodies"
        )
    }
}

impl std::error::Error for NoRoom {}

/// Tries to place a body before giving up.
const ATTEMPTS: u32 = 100_000;

/// Puts one body of each template number in `which` into a box, one after the other, wherever it fits.
///
/// `gap` is the least distance between two spheres, or a sphere and the box, as a part of their radii.
/// [`Cloud`](super::Cloud) does more: other bodies, walls, periodic domains, crowds too dense for this way.
///
/// # Panics
/// If a number in `which` is not that of a template.
pub fn random_cloud(
    templates: &[impl AsRef<ClumpTemplate>],
    which: &[TemplateId],
    low: LabVec<f64>,
    high: LabVec<f64>,
    gap: f64,
    random: &mut Random,
) -> Result<Vec<Body>, NoRoom> {
    let shapes: Vec<&ClumpTemplate> = templates.iter().map(AsRef::as_ref).collect();
    let largest = shapes.iter().map(|shape| largest_covering(shape)).fold(0.0, f64::max);
    let expected = which.iter().map(|template| shapes[usize::from(template.0)].cover().len()).sum();
    let mut room =
        Room::new(shapes, Bounds::of_box(low, high, gap), Domain::open(), Vec::new(), largest, expected);
    let mut bodies = Vec::with_capacity(which.len());
    let mut outline = Outline::new();
    for (number, &template) in (0..).zip(which) {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let body = Body::at(template, LabVec::zero()).turned(random.orientation());
            room.outline(&body, &mut outline);
            if let Some(position) = room.draw_place(&outline, random).filter(|&p| room.is_free(p, &outline)) {
                room.settle(position, &outline, number);
                bodies.push(Body { position, ..body });
                break;
            }
            if attempts == ATTEMPTS {
                return Err(NoRoom { placed: bodies.len(), wanted: which.len(), attempts });
            }
        }
    }
    Ok(bodies)
}
