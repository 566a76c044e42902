//! Which bodies of a world overlap each other, or a wall, before it is simulated.

use super::cells::{Cells, Placed};
use super::patience;
use super::room::{Outline, largest_covering, outline};
use crate::clump::{ClumpTemplate, Convex, Covering, Role, TemplateSphere};
use crate::id::{BodyId, WallId};
use crate::physics::ellipsoid::facing;
use crate::physics::solid::Solid;
use crate::report::Touching;
use crate::rows_by_id::index32;
use crate::wall::{Pose, Wall};
use crate::world::{Body, World};
use core::ops::ControlFlow;
use std::collections::BTreeSet;
use tumble_math::LabVec;

/// A body that overlaps another one, or a wall, at time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// The body, and which of its spheres. A capsule is known by the sphere at its first end, an ellipsoid and a polyhedron by that at its
    /// centre.
    pub body: (BodyId, u32),
    /// What it overlaps: a body before it in the world, or a wall.
    pub with: Touching,
    /// How deep, m. More than the radius for a sphere whose centre is beyond a wall.
    pub depth: f64,
    /// Radius of the sphere, or of the smaller of the two, m.
    pub radius: f64,
}

/// What [`overlaps`] found.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlaps {
    /// The first of them: by body, then by what it overlaps, bodies before walls. Of all spheres of two
    /// bodies, or of a body and a wall, those that overlap deepest.
    pub found: Vec<Overlap>,
    /// How many there are, as far as they were counted.
    pub total: usize,
    /// Whether all were counted. The search is given up after some millions of overlapping spheres, as there
    /// are when all bodies are at the same place.
    pub complete: bool,
}

const MOST_SPHERES: usize = 5_000_000;

/// Finds the bodies of a world that overlap by more than a `tolerance`, as a part of the smaller radius;
/// tells of at most `most` of them.
///
/// Bodies that no engine would take (unknown template, size or place that is not finite) are left out.
///
/// ```
/// use tumble_dem::clump::ClumpTemplate;
/// use tumble_dem::placement::overlaps;
/// use tumble_dem::{Body, LabVec, World};
/// let mut world = World::default();
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 1.0)?)?;
/// world.bodies = [0.0, 1.5, 3.5].map(|x| Body::at(ball, LabVec::new(x, 0.0, 0.0))).to_vec();
/// let overlaps = overlaps(&world, 1e-9, 10);
/// assert_eq!((overlaps.total, overlaps.found[0].depth), (1, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlaps(world: &World, tolerance: f64, most: usize) -> Overlaps {
    let bodies = sound_bodies(world);
    let walls: Vec<(&Wall, Pose)> = world.walls.iter().map(|wall| (wall, wall.motion.at(0.0))).collect();
    let mut cells = cells_for(world, &bodies);
    let mut overlapping_spheres = 0;
    let mut all = Overlaps { found: Vec::new(), total: 0, complete: true };
    let (mut spheres, mut own): (Outline, Vec<Overlap>) = (Vec::new(), Vec::new());
    for &(id, body, shape) in &bodies {
        if patience::is_over() {
            all.complete = false;
            break;
        }
        outline(shape, body, 0.0, &mut spheres);
        own.clear();
        overlapping_spheres += with_bodies(world, &cells, (id, body, shape), &spheres, tolerance, &mut own);
        if !shape.is_of_spheres() {
            // Walls are touched by the ends of capsules.
            spheres = (0..shape.touching_spheres()).map(|sphere| end(shape, body, sphere)).collect();
        }
        for (wall, of) in (0..).zip(&walls).filter(|(_, (_, pose))| pose.present) {
            let of_spheres = with_wall((wall, of), id, body, shape, &spheres, tolerance);
            let of_ellipsoids = ellipsoids_with_wall((wall, of), id, body, shape, tolerance);
            own.extend(
                of_spheres.into_iter().chain(of_ellipsoids).max_by(|a, b| a.depth.total_cmp(&b.depth)),
            );
        }
        all.total += own.len();
        all.found.extend(own.iter().take(most - all.found.len()));
        if overlapping_spheres > MOST_SPHERES {
            all.complete = false;
            break;
        }
        outline(shape, body, 0.0, &mut spheres);
        for (Covering { piece, .. }, &(centre, radius)) in shape.cover().iter().zip(&spheres) {
            cells.insert(body.position + centre, radius, id.0, *piece);
        }
    }
    all
}

/// A body with its number and its shape.
pub(super) type Numbered<'a> = (BodyId, &'a Body, &'a ClumpTemplate);

/// The bodies that an engine would take.
pub(super) fn sound_bodies(world: &World) -> Vec<Numbered<'_>> {
    (0..)
        .zip(&world.bodies)
        .filter_map(|(number, body)| {
            let shape = world.templates.get(usize::from(body.template.0))?;
            let [x, y, z] = body.position.to_array();
            let [w, i, j, k] = body.orientation.to_array();
            let sound = [x, y, z, w, i, j, k, body.scale].into_iter().all(f64::is_finite) && body.scale > 0.0;
            sound.then_some((BodyId(number), body, &**shape))
        })
        .collect()
}

/// A sphere of a body, about its centre of mass.
pub(super) fn end(shape: &ClumpTemplate, body: &Body, sphere: usize) -> (LabVec<f64>, f64) {
    let TemplateSphere { centre, radius } = shape.spheres()[sphere];
    (body.orientation.to_lab(centre) * body.scale, radius * body.scale)
}

/// A piece of a body that is known by a sphere, about its centre of mass. Of bodies without polyhedra.
pub(super) fn piece(shape: &ClumpTemplate, body: &Body, sphere: u32) -> Solid<f64> {
    let sphere = sphere as usize;
    let points = shape.points_of(sphere).map(|point| end(shape, body, point).0);
    Solid::of_points(points, end(shape, body, sphere).1)
}

/// How far two pieces reach into each other, where their covers do, and the smaller radius.
fn depth_of_pieces(world: &World, of: (&Body, &ClumpTemplate, u32), other: &Placed) -> [f64; 2] {
    let (body, shape, sphere) = of;
    let Some(theirs) = world.bodies.get(other.body as usize) else { return [0.0; 2] };
    let Some(their_shape) = world.templates.get(usize::from(theirs.template.0)) else { return [0.0; 2] };
    if !(shape.hulls().is_empty() && their_shape.hulls().is_empty()) {
        return depth_of_convex(world, of, (theirs, their_shape, other.sphere));
    }
    let (own, shape) = (piece(shape, body, sphere), their_shape);
    let mut their = piece(shape, theirs, other.sphere);
    // The image whose middle is nearest.
    let middles = [body.position + own.centre, theirs.position + their.centre];
    their.centre = own.centre + world.domain.nearest(middles[0], middles[1]);
    let smaller = own.radius.min(their.radius);
    let overlap = facing(&own, &their, true).overlap;
    // Where no direction is found they are deep in each other.
    [if overlap.is_nan() { smaller } else { overlap }, smaller]
}

/// A piece that is no ellipsoid, known by a sphere, about the centre of mass of its body; none if it is one.
pub(super) fn convex(shape: &ClumpTemplate, body: &Body, sphere: u32) -> Option<Convex> {
    let place = |sphere: u32| end(shape, body, sphere as usize).0;
    let (_, radius) = end(shape, body, sphere as usize);
    match shape.role(sphere as usize) {
        Role::Ellipsoid | Role::Tip => None,
        Role::Core(hull) => shape.hulls().get(hull as usize).map(|hull| hull.convex(place, radius)),
        Role::FirstEnd => Some(Convex::round([place(sphere), place(sphere + 1)], radius)),
        Role::Sphere | Role::SecondEnd | Role::Corner => Some(Convex::round([place(sphere); 2], radius)),
        Role::Edge(ends) => Some(Convex::round(ends.map(place), radius)),
    }
}

/// How far two pieces reach into each other of which at least one belongs to a body with polyhedra, and the smaller radius. Contacts of polyhedra and
/// ellipsoids are refused elsewhere.
fn depth_of_convex(
    world: &World,
    (body, shape, sphere): (&Body, &ClumpTemplate, u32),
    (other, other_shape, other_sphere): (&Body, &ClumpTemplate, u32),
) -> [f64; 2] {
    let (Some(own), Some(their)) = (convex(shape, body, sphere), convex(other_shape, other, other_sphere))
    else {
        return [0.0; 2];
    };
    // The image that is nearest: that of the body, since a body is less than a quarter of a period wide.
    let their = their.moved(world.domain.nearest(body.position, other.position));
    let smaller = own.radius().min(their.radius());
    // Where the cores reach into each other, no depth is known.
    let overlap = own.overlap(&their);
    [if overlap.is_finite() { overlap } else { own.radius() + their.radius() }, smaller]
}

/// Empty cells over all bodies.
pub(super) fn cells_for(world: &World, bodies: &[Numbered<'_>]) -> Cells {
    let ranges =
        [0, 1, 2].map(|axis| range(bodies.iter().map(|(_, body, _)| body.position.to_array()[axis])));
    let [low, high] = [0, 1].map(|end| LabVec::from_array(ranges.map(|range| range[end])));
    let radius = |(_, body, shape): &Numbered<'_>| largest_covering(shape) * body.scale;
    let largest = bodies.iter().map(radius).fold(0.0, f64::max);
    let count = bodies.iter().map(|(.., shape)| shape.cover().len()).sum();
    Cells::new(low, high, &world.domain, largest, count)
}

/// Where coordinates lie: nearly all of them if a few are far away, lest one body that is lost makes the
/// cells of all others too wide.
fn range(coordinates: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut sorted: Vec<f64> = coordinates.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let ends = |cut: usize| [sorted.get(cut), sorted.iter().nth_back(cut)].map(|x| x.copied().unwrap_or(0.0));
    let (all, most) = (ends(0), ends(sorted.len() / 100));
    let length = |[low, high]: [f64; 2]| high - low;
    if length(all) > 2.0 * length(most) { most } else { all }
}

/// Finds the deepest overlap with each of the bodies in the cells; returns how many spheres overlap.
fn with_bodies(
    world: &World,
    cells: &Cells,
    (id, body, shape): (BodyId, &Body, &ClumpTemplate),
    spheres: &Outline,
    tolerance: f64,
    found: &mut Vec<Overlap>,
) -> usize {
    let of_spheres = world.templates.iter().all(|template| template.is_of_spheres());
    // Many of the balls that cover two pieces may overlap, and it is the pieces that are asked for.
    let mut looked_at = BTreeSet::new();
    for (&Covering { piece: sphere, .. }, &(centre, radius)) in shape.cover().iter().zip(spheres) {
        let _ = cells.visit_near(body.position + centre, radius, |other, square| {
            // The root only where it is worth it.
            let reach = radius + other.radius;
            if square < reach * reach && (of_spheres || looked_at.insert((sphere, other.body, other.sphere)))
            {
                let [depth, smaller] = if of_spheres {
                    [reach - square.sqrt(), radius.min(other.radius)]
                } else {
                    depth_of_pieces(world, (body, shape, sphere), other)
                };
                if depth > tolerance * smaller {
                    let with = Touching::Body(BodyId(other.body), other.sphere);
                    found.push(Overlap { body: (id, sphere), with, depth, radius: smaller });
                }
            }
            ControlFlow::Continue(())
        });
    }
    let spheres = found.len();
    let other = |overlap: &Overlap| match overlap.with {
        Touching::Body(other, sphere) => (other, sphere),
        Touching::Wall(wall) => (BodyId(u32::MAX), wall.0),
    };
    found.sort_by(|a, b| {
        let deepest_first = b.depth.total_cmp(&a.depth);
        other(a)
            .0
            .cmp(&other(b).0)
            .then(deepest_first)
            .then((a.body.1, other(a).1).cmp(&(b.body.1, other(b).1)))
    });
    found.dedup_by_key(|overlap| other(overlap).0);
    spheres
}

/// The deepest overlap with a wall.
fn with_wall(
    (number, (wall, pose)): (u32, &(&Wall, Pose)),
    id: BodyId,
    body: &Body,
    shape: &ClumpTemplate,
    spheres: &Outline,
    tolerance: f64,
) -> Option<Overlap> {
    if !wall.shape.near(pose.to_reference(body.position), shape.bounding_radius() * body.scale) {
        return None;
    }
    let mut deepest: Option<Overlap> = None;
    for (sphere, &(centre, radius)) in (0..).zip(spheres) {
        let point = pose.to_reference(body.position + centre);
        if wall.shape.near(point, radius * (1.0 - tolerance)) {
            let depth = radius - wall.shape.distance(point);
            if depth > tolerance * radius && deepest.is_none_or(|overlap| depth > overlap.depth) {
                deepest =
                    Some(Overlap { body: (id, sphere), with: Touching::Wall(WallId(number)), depth, radius });
            }
        }
    }
    deepest
}

/// The deepest overlap of an ellipsoid with a wall.
fn ellipsoids_with_wall(
    (number, (wall, pose)): (u32, &(&Wall, Pose)),
    id: BodyId,
    body: &Body,
    shape: &ClumpTemplate,
    tolerance: f64,
) -> Option<Overlap> {
    let mut touches = Vec::new();
    let mut deepest: Option<Overlap> = None;
    for [sphere, ..] in shape.ellipsoids() {
        let (_, radius) = end(shape, body, sphere);
        let points = shape.points_of(sphere);
        let points = points.map(|point| pose.to_reference(body.position + end(shape, body, point).0));
        touches.clear();
        wall.shape.touches_of_ellipsoid(&Solid::of_points(points, radius), 0.0, &mut touches);
        for depth in touches.iter().map(|touch| touch.overlap).filter(|depth| *depth > tolerance * radius) {
            if deepest.is_none_or(|overlap| depth > overlap.depth) {
                let with = Touching::Wall(WallId(number));
                deepest = Some(Overlap { body: (id, index32(sphere)), with, depth, radius });
            }
        }
    }
    deepest
}
