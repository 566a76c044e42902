//! Pairs of features where there are rounded polyhedra: corners, edges and cores of these, spheres and capsules. Each pair of the lists touches at one point at most,
//! as two spheres do.

use crate::contact::block::Block;
use crate::contact::lanes::{LANES, set_row};
use crate::contact::{Key, image_shift};
use crate::engine::Space;
use crate::physics::geometry::Sphere;
use crate::rows_by_id::index32;
use core::ops::Range;
use tumble_math::LabVec;

/// Finds the places of the lists where two features touch, or are within `reach` of that.
pub(super) fn find_features(space: &Space, places: Range<usize>, reach: f64, found: &mut Vec<u32>) {
    found.clear();
    for place in places {
        let pair = space.neighbours.pairs.spheres[place];
        let shift = image_shift(space, place);
        // What is no number is told by whoever asks where they touch.
        let apart =
            (space.bodies.meeting(pair, shift, reach)).is_none_or(|meeting| meeting.touch().1 <= -reach);
        if !apart {
            found.push(index32(place));
        }
    }
}

/// The spheres by which two features touch, the second shifted.
pub(super) fn feature_spheres(space: &Space, pair: [u32; 2], shift: [f64; 3]) -> [Sphere<f64>; 2] {
    match space.bodies.meeting(pair, shift, f64::INFINITY) {
        Some(meeting) => meeting.touch().0,
        // Only of what is no number.
        None => [Sphere { centre: LabVec::zero(), radius: f64::NAN }; 2],
    }
}

/// Puts the spheres by which features touch into the lanes of a block.
pub(super) fn set_feature_spheres(block: &mut Block, keys: &[Key], space: &Space) {
    let mut last = None;
    for lane in 0..LANES {
        if let Some(key) = keys.get(lane) {
            let place = key.place as usize;
            let pair = space.neighbours.pairs.spheres[place];
            last = Some(feature_spheres(space, pair, image_shift(space, place)));
        }
        // Lanes that are not used hold the last contact once more.
        if let Some([a, b]) = last {
            set_row(&mut block.sphere_a, lane, a.to_array());
            set_row(&mut block.sphere_b, lane, b.to_array());
        }
    }
}
