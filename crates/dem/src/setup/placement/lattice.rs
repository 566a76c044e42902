//! Bodies on a rectangular lattice.

use super::MOST_BODIES;
use super::choice::{Choice, Orientation};
use super::error::{Obstacle, PlacementError, inside, positive};
use super::overlaps::overlaps;
use super::patience;
use super::room::{Bounds, InTheWay, Outline, Room};
use crate::clump::ClumpTemplate;
use crate::random::Random;
use crate::report::Touching;
use crate::rows_by_id::index32;
use crate::world::{Body, World};
use tumble_math::{LabVec, RotationMatrix};

/// A rectangular lattice in a box, one body on each site.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::placement::{Choice, Lattice, Sites};
/// use tumble_dem::random::Random;
/// use tumble_dem::{LabVec, World};
/// let mut world = World::default();
/// let ball = Choice::of(world.add_template(ClumpTemplate::sphere("ball", 0.1)?)?);
/// let lattice =
///     Lattice { low: LabVec::zero(), high: LabVec::new(3.0, 1.0, 1.0), sites: Sites::Counts([3, 1, 1]) };
/// world.bodies = lattice.place(&ball, &world, &mut Random::new(1))?;
/// assert_eq!(world.bodies[2].position, LabVec::new(2.5, 0.5, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The corner of the box with the smallest coordinates, m.
    pub low: LabVec<f64>,
    /// The corner with the largest coordinates, m.
    pub high: LabVec<f64>,
    /// How many sites, or how far apart.
    pub sites: Sites,
}

/// The sites of a lattice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sites {
    /// This many along each axis. The box is divided into equal cells, and a site is the middle of one.
    Counts([u32; 3]),
    /// This far apart, m: as many as there is room for, at least one along each axis, in the middle of the
    /// box.
    Spacing(LabVec<f64>),
}

/// Bodies whose spheres overlap by less than this part of their radii touch, but for rounding.
const ROUNDING: f64 = 1e-9;

impl Lattice {
    /// How many sites there are along each axis, and how far apart they are, m.
    pub fn sites(&self) -> Result<([u32; 3], LabVec<f64>), PlacementError> {
        inside(self.low, self.high)?;
        let lengths = (self.high - self.low).to_array();
        let wanted = match self.sites {
            Sites::Counts(counts) => counts.map(f64::from),
            Sites::Spacing(spacing) => {
                let spacing = spacing.to_array();
                for spacing in spacing {
                    positive("spacing of the lattice", spacing)?;
                }
                core::array::from_fn(|axis| {
                    (lengths[axis] / spacing[axis] * (1.0 + ROUNDING)).floor().max(1.0)
                })
            }
        };
        for count in wanted {
            positive("count of sites of the lattice", count)?;
        }
        let all: f64 = wanted.iter().product();
        if all > MOST_BODIES as f64 {
            return Err(PlacementError::TooMany { wanted: all });
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, at most MOST_BODIES"
        )]
        let counts = wanted.map(|count| count as u32);
        let spacing = match self.sites {
            Sites::Counts(_) => LabVec::from_array(core::array::from_fn(|axis| lengths[axis] / wanted[axis])),
            Sites::Spacing(spacing) => spacing,
        };
        Ok((counts, spacing))
    }

    /// Places a body on each site of a world, x fastest, then y, then z.
    ///
    /// An error if one overlaps another, or a body or wall of the world, these as they are at time 0.
    pub fn place(
        &self,
        choice: &Choice,
        world: &World,
        random: &mut Random,
    ) -> Result<Vec<Body>, PlacementError> {
        choice.check(world.templates.len())?;
        let (counts @ [nx, ny, nz], spacing) = self.sites()?;
        let middle = (self.low + self.high) * 0.5;
        let site = |index: [u32; 3]| {
            let from_middle = |axis: usize| f64::from(index[axis]) - 0.5 * (f64::from(counts[axis]) - 1.0);
            middle + spacing.times(LabVec::from_array([0, 1, 2].map(from_middle)))
        };
        let indices = (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])));
        let body = |index| {
            let body = Body { position: world.domain.wrap(site(index)), ..choice.draw(random) };
            if patience::is_over() { Err(PlacementError::Interrupted) } else { Ok(body) }
        };
        let bodies: Vec<Body> = indices.map(body).collect::<Result<_, _>>()?;

        // Bodies on the outermost sites may stick out of the box.
        let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
        if choice.shapes(&shapes).any(|(shape, _)| !shape.hulls().is_empty()) {
            return check_exactly(bodies, spacing, choice, world);
        }
        let out = choice.largest(&shapes, ClumpTemplate::bounding_radius);
        let out = LabVec::new(out, out, out);
        let bounds = Bounds::of_box(self.low - out, self.high + out, -ROUNDING);
        let mut room = Room::in_world(world, bounds, choice, bodies.len());
        let mut outline = Outline::new();
        for (number, body) in bodies.iter().enumerate() {
            if patience::is_over() {
                return Err(PlacementError::Interrupted);
            }
            room.outline(body, &mut outline);
            let by = match room.obstacle(body.position, &outline) {
                None => {
                    room.settle(body.position, &outline, room.bodies + index32(number));
                    continue;
                }
                Some(InTheWay::Body(other)) if other >= room.bodies => {
                    return Err(PlacementError::LatticeTooNarrow {
                        bodies: [(other - room.bodies) as usize, number],
                        spacing,
                        needed: spacing_for(choice, &room.shapes),
                    });
                }
                Some(InTheWay::Body(other)) => Obstacle::Body(other),
                Some(InTheWay::Wall(wall)) => Obstacle::Wall(room.walls[wall].0.name.clone()),
            };
            return Err(PlacementError::Occupied { body: number, place: body.position, by });
        }
        Ok(bodies)
    }
}

/// Polyhedra may lie face on face, where the balls that cover them would overlap: what they overlap is looked for without those.
fn check_exactly(
    bodies: Vec<Body>,
    spacing: LabVec<f64>,
    choice: &Choice,
    world: &World,
) -> Result<Vec<Body>, PlacementError> {
    let before = world.bodies.len();
    let mut all = world.clone();
    all.bodies.extend(&bodies);
    let found = overlaps(&all, ROUNDING, usize::MAX).found;
    let Some(overlap) = found.into_iter().find(|overlap| overlap.body.0.index() >= before) else {
        return Ok(bodies);
    };
    let number = overlap.body.0.index() - before;
    let by = match overlap.with {
        Touching::Body(other, _) if other.index() >= before => {
            let shapes: Vec<&ClumpTemplate> = world.templates.iter().map(AsRef::as_ref).collect();
            let (bodies, needed) = ([other.index() - before, number], spacing_for(choice, &shapes));
            return Err(PlacementError::LatticeTooNarrow { bodies, spacing, needed });
        }
        Touching::Body(other, _) => Obstacle::Body(other.0),
        Touching::Wall(wall) => Obstacle::Wall(world.walls[wall.index()].name.clone()),
    };
    Err(PlacementError::Occupied { body: number, place: bodies[number].position, by })
}

/// A spacing at which no two bodies of a choice overlap: the boxes around them do not.
fn spacing_for(choice: &Choice, shapes: &[&ClumpTemplate]) -> LabVec<f64> {
    let (mut down, mut up) = ([0.0; 3], [0.0; 3]);
    for (shape, scale) in choice.shapes(shapes) {
        match choice.orientation {
            Orientation::Random => {
                for end in down.iter_mut().chain(&mut up) {
                    *end = f64::max(*end, shape.bounding_radius() * scale);
                }
            }
            Orientation::Fixed(q) => {
                let turn = RotationMatrix::from(q);
                for sphere in shape.reaching() {
                    let centre = turn.to_lab(sphere.centre).to_array();
                    for axis in 0..3 {
                        down[axis] = f64::max(down[axis], (sphere.radius - centre[axis]) * scale);
                        up[axis] = f64::max(up[axis], (sphere.radius + centre[axis]) * scale);
                    }
                }
            }
        }
    }
    LabVec::from_array(core::array::from_fn(|axis| down[axis] + up[axis]))
}
