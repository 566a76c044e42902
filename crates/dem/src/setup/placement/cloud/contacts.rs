//! What bodies in a growing crowd may overlap: lists of spheres near each other, near bodies that stay where
//! they are, and near walls. They hold until some sphere may have moved by half the skin.

use super::super::cells::Cells;
use super::super::room::Room;
use super::relax::Pose;
use crate::clump::Covering;
use crate::rows_by_id::index32;
use crate::world::Body;
use core::ops::ControlFlow;
use tumble_math::{BodyVec, LabVec, RotationMatrix};

/// Spheres that cover all bodies of a crowd.
pub(super) struct Spheres {
    /// The body of each, and where it is in that body in full size.
    pub(super) body: Vec<u32>,
    pub(super) centre: Vec<BodyVec<f64>>,
    /// In full size, with the gap and a margin.
    pub(super) radius: Vec<f64>,
    /// From the centre of mass in the lab, in the present size.
    pub(super) arm: Vec<LabVec<f64>>,
    /// In the lab.
    pub(super) place: Vec<LabVec<f64>>,
}

impl Spheres {
    /// The spheres of bodies that are to keep a distance from each other: the gap of the room, and a margin.
    pub(super) fn new(room: &Room<'_>, bodies: &[Body], margin: f64) -> Self {
        let (mut body, mut centre, mut radius) = (Vec::new(), Vec::new(), Vec::new());
        for (number, each) in (0..).zip(bodies) {
            for Covering { sphere, .. } in room.shape(each.template).cover() {
                body.push(number);
                centre.push(sphere.centre * each.scale);
                radius.push(sphere.radius * each.scale * (1.0 + room.gap) * (1.0 + margin));
            }
        }
        let nowhere = vec![LabVec::zero(); body.len()];
        Self { body, centre, radius, arm: nowhere.clone(), place: nowhere }
    }

    /// Puts the spheres where their bodies are, in this size.
    pub(super) fn place(&mut self, poses: &[Pose], size: f64) {
        let mut sphere = 0;
        for (number, &(position, q)) in (0..).zip(poses) {
            let turn = RotationMatrix::from(q);
            while self.body.get(sphere) == Some(&number) {
                self.arm[sphere] = turn.to_lab(self.centre[sphere]) * size;
                self.place[sphere] = position + self.arm[sphere];
                sphere += 1;
            }
        }
    }
}

/// Spheres that may overlap.
#[derive(Default)]
pub(super) struct Lists {
    /// Two spheres of different bodies of the crowd.
    pub(super) pairs: Vec<[u32; 2]>,
    /// A sphere of the crowd, and the centre and radius of one that stays.
    pub(super) fixed: Vec<(u32, LabVec<f64>, f64)>,
    /// A sphere of the crowd, a wall, and the triangles of it that may be touched.
    pub(super) walls: Vec<(u32, u32, Vec<u32>)>,
}

impl Lists {
    /// Lists of all that is nearer than the skin, for placed spheres in this size.
    pub(super) fn new(room: &Room<'_>, spheres: &Spheres, size: f64, skin: f64) -> Self {
        let mut lists = Self::default();
        let reach = |radius: f64| radius * size + 0.5 * skin;
        let largest = spheres.radius.iter().fold(0.0, |a: f64, &b| a.max(b));
        let mut cells = Cells::new(room.low, room.high, &room.domain, reach(largest), spheres.body.len());
        let mut triangles = Vec::new();
        for (sphere, &place) in spheres.place.iter().enumerate() {
            let number = index32(sphere);
            let (radius, body) = (spheres.radius[sphere] * size, spheres.body[sphere]);
            let around = reach(spheres.radius[sphere]);
            // Each finds those before it.
            let _ = cells.visit_near(place, around, |other, square| {
                let near = around + other.radius;
                if other.body != body && square < near * near {
                    lists.pairs.push([other.sphere, number]);
                }
                ControlFlow::Continue(())
            });
            cells.insert(place, around, body, number);
            let _ = room.cells.visit_near(place, radius + skin, |other, square| {
                let near = radius + skin + other.radius;
                if square < near * near {
                    lists.fixed.push((number, other.centre, other.radius));
                }
                ControlFlow::Continue(())
            });
            for (wall, (of, pose)) in (0..).zip(&room.walls) {
                let point = pose.to_reference(place);
                if of.shape.near(point, radius + skin) {
                    of.shape.candidates(point, radius + skin, &mut triangles);
                    lists.walls.push((number, wall, triangles.clone()));
                }
            }
        }
        lists
    }
}
