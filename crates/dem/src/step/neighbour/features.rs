//! Pairs of features of two bodies that are near each other, where there are rounded polyhedra.

use super::grid::NearBodies;
use crate::bodies::{Bodies, Feature};
use tumble_math::LabVec;

/// Features of each of two bodies that are near the other one at all, with balls that hold them.
#[derive(Default)]
pub(super) struct FeatureScratch {
    a: Vec<Near>,
    b: Vec<Near>,
}

/// A feature, by its sphere.
#[derive(Clone, Copy)]
struct Near {
    sphere: u32,
    feature: Feature,
    centre: LabVec<f64>,
    reach: f64,
}

impl FeatureScratch {
    /// Appends the pairs that may be nearer than touch and a skin more.
    pub(super) fn pairs(
        &mut self,
        bodies: &Bodies,
        pair: NearBodies,
        shift: [f64; 3],
        skin: f64,
        found: &mut Vec<[u32; 2]>,
    ) {
        let [row_a, row_b] = [pair.a as usize, pair.b as usize];
        let offset = LabVec::from_array(shift);
        let [ball_a, ball_b] = [(row_a, LabVec::zero()), (row_b, offset)]
            .map(|(row, shift)| (LabVec::from_array(bodies.position.row(row)) + shift, bodies.bounding[row]));
        near_ball(bodies, (row_a, LabVec::zero()), ball_b, skin, &mut self.a);
        near_ball(bodies, (row_b, offset), ball_a, skin, &mut self.b);
        for own in &self.a {
            for other in self.b.iter().filter(|other| own.feature.meets(other.feature)) {
                let reach = own.reach + other.reach + skin;
                if (own.centre - other.centre).norm_squared() < reach * reach
                    && bodies.meeting([own.sphere, other.sphere], shift, skin).is_some()
                {
                    found.push([own.sphere, other.sphere]);
                }
            }
        }
    }
}

/// The features of a row, shifted, that are near a ball.
fn near_ball(
    bodies: &Bodies,
    (row, shift): (usize, LabVec<f64>),
    (centre, radius): (LabVec<f64>, f64),
    skin: f64,
    near: &mut Vec<Near>,
) {
    near.clear();
    for sphere in bodies.first_sphere[row]..bodies.first_sphere[row + 1] {
        let feature = bodies.feature(sphere);
        let Some((middle, reach)) = bodies.ball_of(sphere) else { continue };
        let (place, beyond) = (middle + shift, reach + radius + skin);
        if (place - centre).norm_squared() < beyond * beyond {
            near.push(Near { sphere, feature, centre: place, reach });
        }
    }
}
