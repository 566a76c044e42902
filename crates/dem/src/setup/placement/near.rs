//! Which bodies of a world are close to each other before it is simulated.

use super::overlaps::{cells_for, sound_bodies};
use super::room::{Outline, outline};
use crate::id::BodyId;
use crate::world::World;
use core::ops::ControlFlow;
use std::collections::BTreeMap;
use tumble_math::LabVec;

/// Two bodies that are close to each other, at their spheres that are closest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// The one with the lower number first.
    pub bodies: [BodyId; 2],
    /// From each centre of mass to the centre of that sphere, in the lab, m.
    pub arms: [LabVec<f64>; 2],
    /// Radii of the two spheres, m.
    pub radii: [f64; 2],
    /// How far apart they are, m; negative where they overlap.
    pub gap: f64,
}

/// Finds all pairs of bodies of a world whose surfaces are at most so far apart, by their numbers.
///
/// Bodies that no engine would take are left out.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::placement::near_pairs;
/// use tumble_dem::{Body, LabVec, World};
/// let mut world = World::default();
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 1.0)?)?;
/// world.bodies = [0.0, 2.0, 4.5].map(|x| Body::at(ball, LabVec::new(x, 0.0, 0.0))).to_vec();
/// assert_eq!(near_pairs(&world, 0.1).len(), 1);
/// assert_eq!(near_pairs(&world, 0.6).len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn near_pairs(world: &World, gap: f64) -> Vec<NearPair> {
    let bodies = sound_bodies(world);
    let mut cells = cells_for(world, &bodies);
    let mut outlines: BTreeMap<u32, Outline> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (id, body, shape) in bodies {
        let mut spheres = Outline::new();
        outline(shape, body, 0.0, &mut spheres);
        let mut nearest: BTreeMap<u32, NearPair> = BTreeMap::new();
        for &(arm, radius) in &spheres {
            let _ = cells.visit_near(body.position + arm, radius + gap, |other, square| {
                let apart = square.sqrt() - radius - other.radius;
                let closer = nearest.get(&other.body).is_none_or(|known| apart < known.gap);
                let their = outlines.get(&other.body).and_then(|of| of.get(other.sphere as usize));
                if let Some(&(their, _)) = their.filter(|_| apart <= gap && closer) {
                    let pair = NearPair {
                        bodies: [BodyId(other.body), id],
                        arms: [their, arm],
                        radii: [other.radius, radius],
                        gap: apart,
                    };
                    nearest.insert(other.body, pair);
                }
                ControlFlow::Continue(())
            });
        }
        pairs.extend(nearest.into_values());
        for (number, &(arm, radius)) in (0..).zip(&spheres) {
            cells.insert(body.position + arm, radius, id.0, number);
        }
        outlines.insert(id.0, spheres);
    }
    pairs.sort_unstable_by_key(|pair| pair.bodies);
    pairs
}
