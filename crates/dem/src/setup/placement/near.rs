//! Which bodies of a world are close to each other before it is simulated.

use super::ends::Ends;
use super::overlaps::{cells_for, sound_bodies};
use super::room::{Outline, outline};
use crate::clump::Covering;
use crate::id::BodyId;
use crate::world::World;
use core::ops::ControlFlow;
use std::collections::{BTreeMap, BTreeSet};
use tumble_math::LabVec;

/// Two bodies that are close to each other, at their pieces that are closest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearPair {
    /// The one with the lower number first.
    pub bodies: [BodyId; 2],
    /// From each centre of mass to where a bond would begin, in the lab, m: the centre of a sphere, the nearest point of the core of a capsule,
    /// the centre of an ellipsoid or of a polyhedron.
    pub arms: [LabVec<f64>; 2],
    /// Radii of the two spheres or capsules, m; of another piece that of the sphere of its volume.
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
        // Many of the balls that cover two pieces may be near each other, and it is the pieces that are asked for.
        let mut looked_at = BTreeSet::new();
        for (&Covering { piece, .. }, &(arm, radius)) in shape.cover().iter().zip(&spheres) {
            let _ = cells.visit_near(body.position + arm, radius + gap, |other, square| {
                let mut ends = Ends {
                    arms: [LabVec::zero(), arm],
                    radii: [other.radius, radius],
                    gap: square.sqrt() - radius - other.radius,
                };
                let theirs = world.bodies.get(other.body as usize);
                let their_shape =
                    theirs.and_then(|theirs| world.templates.get(usize::from(theirs.template.0)));
                let (Some(theirs), Some(their_shape), true) = (theirs, their_shape, ends.gap <= gap) else {
                    return ControlFlow::Continue(());
                };
                if shape.is_of_spheres() && their_shape.is_of_spheres() {
                    let known = outlines.get(&other.body).and_then(|of| of.get(other.sphere as usize));
                    ends.arms[0] = known.map_or(ends.arms[0], |(arm, _)| *arm);
                } else if looked_at.insert((piece, other.body, other.sphere)) {
                    let apart = world.domain.nearest(theirs.position, body.position);
                    let there = ((theirs, &**their_shape), other.sphere);
                    ends = Ends::of_pieces([there, ((body, shape), piece)], apart);
                } else {
                    return ControlFlow::Continue(());
                }
                let closer = nearest.get(&other.body).is_none_or(|known| ends.gap < known.gap);
                if ends.gap <= gap && closer {
                    let Ends { arms, radii, gap } = ends;
                    nearest
                        .insert(other.body, NearPair { bodies: [BodyId(other.body), id], arms, radii, gap });
                }
                ControlFlow::Continue(())
            });
        }
        pairs.extend(nearest.into_values());
        for (&Covering { piece, .. }, &(arm, radius)) in shape.cover().iter().zip(&spheres) {
            cells.insert(body.position + arm, radius, id.0, piece);
        }
        outlines.insert(id.0, spheres);
    }
    pairs.sort_unstable_by_key(|pair| pair.bodies);
    pairs
}
