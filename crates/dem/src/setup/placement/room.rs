//! A box that bodies are put into, and what is in it already.
//!
//! Bodies stay between the ends of the box with all their spheres. Along a periodic axis of the domain that
//! the box covers there are no ends: bodies stick out at one and come in at the other. Distances to earlier
//! bodies go by the nearest image along every periodic axis.

use super::cells::Cells;
use super::choice::Choice;
use super::region::Region;
use crate::clump::{ClumpTemplate, Covering};
use crate::domain::{Axis, Domain};
use crate::random::Random;
use crate::rows_by_id::index32;
use crate::wall::{Pose, Wall};
use crate::world::{Body, TemplateId, World};
use core::ops::ControlFlow;
use tumble_math::{LabVec, RotationMatrix};

/// A sphere of a body from its centre of mass, in the lab, its radius with the gap.
pub(super) type Outline = Vec<(LabVec<f64>, f64)>;

#[derive(Clone)]
pub(super) struct Room<'a> {
    pub(super) shapes: Vec<&'a ClumpTemplate>,
    pub(super) region: Region,
    /// The corners of a box around all that can be put in.
    pub(super) low: LabVec<f64>,
    pub(super) high: LabVec<f64>,
    pub(super) domain: Domain,
    pub(super) walls: Vec<(&'a Wall, Pose)>,
    /// Which axes have no ends.
    pub(super) endless: [bool; 3],
    /// The least distance from anything else, as a part of the radii.
    pub(super) gap: f64,
    pub(super) cells: Cells,
    /// The number of the first body to come.
    pub(super) bodies: u32,
}

/// What overlaps a body.
#[derive(Clone, Copy, Debug)]
pub(super) enum InTheWay {
    /// Another body, by its number.
    Body(u32),
    /// A wall of the room.
    Wall(usize),
}

/// Where bodies go.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) region: Region,
    /// How far bodies may stick out of it.
    pub(super) out: f64,
    pub(super) gap: f64,
}

impl Bounds {
    /// A box that nothing sticks out of.
    pub(super) fn of_box(low: LabVec<f64>, high: LabVec<f64>, gap: f64) -> Self {
        Self { region: Region::Box { low, high }, out: 0.0, gap }
    }
}

impl<'a> Room<'a> {
    /// An empty region for about so many spheres up to this radius.
    pub(super) fn new(
        shapes: Vec<&'a ClumpTemplate>,
        Bounds { region, out, gap }: Bounds,
        domain: Domain,
        walls: Vec<(&'a Wall, Pose)>,
        largest: f64,
        expected: usize,
    ) -> Self {
        let walls = walls.into_iter().filter(|(_, pose)| pose.present).collect();
        let [low, high] = region.bounds();
        let out = LabVec::new(out, out, out);
        let (low, high) = (low - out, high + out);
        let mut endless = [false; 3];
        let ends = low.to_array().into_iter().zip(high.to_array());
        for ((endless, axis), (low, high)) in endless.iter_mut().zip(domain.axes).zip(ends) {
            if let Axis::Periodic { low: from, high: to } = axis {
                // Ends that were computed may miss those of the domain by rounding.
                let slack = 1e-9 * (to - from);
                let is_box = matches!(region, Region::Box { .. });
                *endless = is_box && low <= from + slack && to <= high + slack;
            }
        }
        let cells = Cells::new(low, high, &domain, largest * (1.0 + gap), expected);
        Self { shapes, region, low, high, domain, walls, endless, gap, cells, bodies: 0 }
    }

    /// A box in a world with its bodies, and its walls as they are at time 0, for so many bodies of a choice.
    pub(super) fn in_world(world: &'a World, bounds: Bounds, choice: &Choice, count: usize) -> Self {
        let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
        let walls = world.walls.iter().map(|wall| (wall, wall.motion.at(0.0))).collect();
        let radius = largest_covering;
        let mut largest = choice.largest(&shapes, radius);
        let spheres = choice.shapes(&shapes).map(|(shape, _)| shape.cover().len()).max().unwrap_or(1);
        let known = |body: &&Body| usize::from(body.template.0) < world.templates.len();
        for body in world.bodies.iter().filter(known) {
            largest = largest.max(radius(shapes[usize::from(body.template.0)]) * body.scale);
        }
        let expected = count.saturating_mul(spheres).saturating_add(world.bodies.len());
        let mut room = Self::new(shapes, bounds, world.domain, walls, largest, expected);
        let mut outline = Outline::new();
        for (number, body) in (0..).zip(&world.bodies).filter(|(_, body)| known(body)) {
            let radius = room.shape(body.template).bounding_radius() * body.scale;
            if room.reaches(body.position, radius) {
                room.outline(body, &mut outline);
                room.settle(body.position, &outline, number);
            }
        }
        room.bodies = index32(world.bodies.len());
        room
    }

    pub(super) fn shape(&self, template: TemplateId) -> &'a ClumpTemplate {
        self.shapes[usize::from(template.0)]
    }

    /// Puts the spheres of a body into `spheres`, about its centre of mass.
    pub(super) fn outline(&self, body: &Body, spheres: &mut Outline) {
        outline(self.shape(body.template), body, self.gap, spheres);
    }

    /// Whether a body at this place, in a ball of this radius, may reach into the box.
    pub(super) fn reaches(&self, place: LabVec<f64>, radius: f64) -> bool {
        let reach = radius * (1.0 + self.gap);
        let (low, high, place) = (self.low.to_array(), self.high.to_array(), place.to_array());
        (0..3).all(|axis| match self.domain.axes[axis] {
            Axis::Open => place[axis] + reach >= low[axis] && place[axis] - reach <= high[axis],
            Axis::Periodic { low: from, high: to } => {
                // From the middle of the box to the nearest image.
                let (length, middle) = (to - from, 0.5 * (low[axis] + high[axis]));
                let away = place[axis] - middle;
                (away - (away / length).round() * length).abs() <= 0.5 * (high[axis] - low[axis]) + reach
            }
        })
    }

    /// Draws a place for the centre of a body from all where it is within the box; none if there is none.
    /// Draws the same count of numbers in any case.
    pub(super) fn draw_place(&self, outline: &Outline, random: &mut Random) -> Option<LabVec<f64>> {
        let (low, high) = (self.low.to_array(), self.high.to_array());
        let (mut from, mut to) = (low, high);
        if !matches!(self.region, Region::Box { .. }) {
            return self.region.draw(outline, random);
        }
        for (axis, kind) in self.domain.axes.iter().enumerate() {
            if let (true, Axis::Periodic { low, high }) = (self.endless[axis], *kind) {
                (from[axis], to[axis]) = (low, high);
            }
        }
        for &(centre, radius) in outline {
            for (axis, c) in centre.to_array().into_iter().enumerate() {
                if !self.endless[axis] {
                    from[axis] = from[axis].max(low[axis] + radius - c);
                    to[axis] = to[axis].min(high[axis] - radius - c);
                }
            }
        }
        let place = LabVec::from_array(core::array::from_fn(|axis| random.between(from[axis], to[axis])));
        (0..3).all(|axis| from[axis] <= to[axis]).then_some(place)
    }

    /// Whether a body at this place keeps clear of the bodies and walls that are there.
    pub(super) fn is_free(&self, place: LabVec<f64>, outline: &Outline) -> bool {
        outline.iter().all(|&(centre, radius)| self.cells.is_free(place + centre, radius))
            && (0..self.walls.len()).all(|wall| self.clear_of_wall(wall, place, outline))
    }

    /// What is in the way of a body at this place.
    pub(super) fn obstacle(&self, place: LabVec<f64>, outline: &Outline) -> Option<InTheWay> {
        for &(centre, radius) in outline {
            let mut found = None;
            let _ = self.cells.visit_near(place + centre, radius, |other, square| {
                let reach = radius + other.radius;
                if square >= reach * reach {
                    return ControlFlow::Continue(());
                }
                found = Some(InTheWay::Body(other.body));
                ControlFlow::Break(())
            });
            if found.is_some() {
                return found;
            }
        }
        (0..self.walls.len()).find(|&wall| !self.clear_of_wall(wall, place, outline)).map(InTheWay::Wall)
    }

    /// Puts the spheres of a body in.
    pub(super) fn settle(&mut self, place: LabVec<f64>, outline: &Outline, number: u32) {
        for (sphere, &(centre, radius)) in (0..).zip(outline) {
            self.cells.insert(place + centre, radius, number, sphere);
        }
    }

    fn clear_of_wall(&self, wall: usize, place: LabVec<f64>, outline: &Outline) -> bool {
        let (wall, pose) = &self.walls[wall];
        outline.iter().all(|&(centre, radius)| !wall.shape.near(pose.to_reference(place + centre), radius))
    }
}

/// The largest radius of the spheres that cover a shape.
pub(super) fn largest_covering(shape: &ClumpTemplate) -> f64 {
    shape.cover().iter().fold(0.0, |radius: f64, covering| radius.max(covering.sphere.radius))
}

/// Puts spheres that cover a body into `spheres`, about its centre of mass, their radii with a gap.
pub(super) fn outline(shape: &ClumpTemplate, body: &Body, gap: f64, spheres: &mut Outline) {
    let turn = RotationMatrix::from(body.orientation);
    spheres.clear();
    spheres.extend(shape.cover().iter().map(|Covering { sphere, .. }| {
        (turn.to_lab(sphere.centre) * body.scale, sphere.radius * body.scale * (1.0 + gap))
    }));
}
