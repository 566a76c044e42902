//! A sphere and a wall, which touch wherever the shape of the wall says; and an ellipsoid, in the place of which there is a sphere behind each touch.

use super::{NarrowPhase, has, set_pair, side};
use crate::bodies::AtInstant;
use crate::contact::block::Block;
use crate::contact::lanes::{LANES, set_row};
use crate::contact::{Kept, Key, Physics};
use crate::engine::Space;
use crate::law;
use crate::neighbour::WallPair;
use crate::physics::contact::Side;
use crate::physics::geometry::{Geometry, Sphere, sphere_on_wall};
use crate::physics::solid::Solid;
use crate::rows_by_id::index32;
use crate::wall::{Touch, Wall};
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::batch::InstructionSet;

/// Pairs of a sphere and a wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnWalls;

/// A touch of a wall, in the lab.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallTouch {
    place: u32,
    touch: Touch,
}

impl NarrowPhase for OnWalls {
    type Touch = WallTouch;
    /// For the touches of one sphere.
    type Room = Vec<Touch>;
    const WITH_WALLS: bool = true;
    const SLIDES: bool = true;
    const IN_LANES: bool = false;

    fn find(
        places: Range<usize>,
        space: &Space,
        physics: Physics<'_>,
        known: &Kept,
        touches: &mut Vec<Touch>,
        found: &mut Vec<WallTouch>,
    ) {
        found.clear();
        for place in places {
            touches_at(space, physics, place, touches);
            if touches.is_empty() {
                continue;
            }
            let place = index32(place);
            if physics.pairs.beyond_touch && physics.model.range() == law::Range::Lasting {
                touches.retain(|touch| {
                    let known = || lasts(space, physics, known, [place, touch.feature], touch.overlap);
                    touch.overlap > 0.0 || known()
                });
            }
            found.extend(touches.iter().map(|&touch| WallTouch { place, touch }));
        }
    }

    #[inline(always)]
    fn place(touch: &WallTouch) -> [u32; 2] {
        [touch.place, touch.touch.feature]
    }

    fn features(wall: u32, walls: &[Wall]) -> u32 {
        walls.get(wall as usize).map_or(0, |wall| wall.shape.features())
    }

    #[inline(always)]
    fn rows(touch: &WallTouch, space: &Space) -> [u32; 2] {
        let pair = space.neighbours.wall_pairs[touch.place as usize];
        [space.bodies.owner[pair.sphere as usize], pair.wall]
    }

    #[inline]
    fn gather(block: &mut Block, touches: &[WallTouch], keys: &[Key], space: &Space, physics: Physics<'_>) {
        for (lane, (touch, key)) in touches.iter().zip(keys).enumerate().take(LANES) {
            gather_one(block, lane, touch, *key, space, physics);
        }
    }

    #[inline]
    fn gather_places(block: &mut Block, touches: &[WallTouch], keys: &[Key], space: &Space, _: Physics<'_>) {
        for (lane, (touch, key)) in touches.iter().zip(keys).enumerate().take(LANES) {
            let geometry = Self::geometry(touch, space);
            block.set_geometry(lane, geometry);
            set_row(&mut block.a.position, lane, space.bodies.at_force[key.a as usize].position);
            set_row(&mut block.b.position, lane, geometry.point.to_array());
        }
    }

    /// It is there already.
    #[inline(always)]
    fn compute(_: &mut Block, _: InstructionSet) {}

    #[inline(always)]
    fn geometry(WallTouch { place, touch }: &WallTouch, space: &Space) -> Geometry<f64> {
        let number = space.neighbours.wall_pairs[*place as usize].sphere;
        let sphere = if space.bodies.is_ellipsoid(number) {
            space.bodies.solid(number, [0.0; 3]).sphere(-touch.normal)
        } else {
            Sphere::from_array(space.bodies.spheres[number as usize])
        };
        sphere_on_wall(sphere, touch.normal, touch.overlap, touch.slope)
    }

    /// Nothing moves a wall.
    fn sides(touch: &WallTouch, space: &Space) -> [Side<f64>; 2] {
        let [a, _] = Self::rows(touch, space);
        let wall = Side {
            position: Self::position_b(touch, space),
            velocity: LabVec::zero(),
            omega: LabVec::zero(),
            q: Quat::identity(),
            inverse_moments: BodyVec::zero(),
            inverse_mass: 0.0,
        };
        [side(&space.bodies, a as usize), wall]
    }

    /// Where it is touched.
    fn position_b(touch: &WallTouch, space: &Space) -> LabVec<f64> {
        Self::geometry(touch, space).point
    }

    fn overlap(key: Key, space: &Space, physics: Physics<'_>) -> f64 {
        let mut touches = Vec::new();
        touches_at(space, physics, key.place as usize, &mut touches);
        let touch = touches.iter().find(|touch| touch.feature == key.feature);
        touch.map_or(0.0, |touch| touch.overlap)
    }

    fn smaller_radius(key: Key, space: &Space) -> f64 {
        let sphere = space.neighbours.wall_pairs[key.place as usize].sphere;
        space.bodies.spheres[sphere as usize][3]
    }
}

/// Whether a contact without overlap is known, and goes on as far as its own bridge does where it has one.
fn lasts(space: &Space, physics: Physics<'_>, known: &Kept, at: [u32; 2], overlap: f64) -> bool {
    if physics.layout.liquid.is_none() {
        return has(known.keys(), at);
    }
    let pair = space.neighbours.wall_pairs[at[0] as usize];
    let material = space.bodies.material[space.bodies.owner[pair.sphere as usize] as usize];
    let wall = space.walls[pair.wall as usize].material.0;
    let radius = space.bodies.spheres[pair.sphere as usize][3];
    let range = |memory: Vec<f64>| physics.pairs.range_of_contact(material, wall, radius, &memory);
    known.memory_at(at).is_some_and(|memory| overlap > -range(memory))
}

/// Puts a sphere and the wall that it touches into a lane.
#[inline]
fn gather_one(
    block: &mut Block,
    lane: usize,
    touch: &WallTouch,
    key: Key,
    space: &Space,
    physics: Physics<'_>,
) {
    let (bodies, row) = (&space.bodies, key.a as usize);
    let geometry = OnWalls::geometry(touch, space);
    let (point, radius) = (geometry.point, geometry.radius);
    block.set_geometry(lane, geometry);
    block.sphere_a[3][lane] = radius;
    block.sphere_b[3][lane] = radius;
    let pose = &space.poses[key.b as usize];
    let wall = AtInstant {
        position: point.to_array(),
        velocity: pose.velocity_at(point).to_array(),
        omega: pose.angular_velocity.to_array(),
        q: Quat::identity().to_array(),
    };
    if physics.remembers() {
        block.a.set(lane, &bodies.at_force[row]);
        if !block.one_kind {
            block.a.set_kind(lane, bodies.kind[row], &bodies.kinds);
        }
    } else {
        block.a.set(lane, &bodies.at_time_level(row));
    }
    block.b.set(lane, &wall);
    block.b.set_immovable(lane);
    if !block.one_material {
        set_pair(block, lane, OnWalls::materials([key.a, key.b], space), physics);
    }
}

/// What a sphere touches of the wall that it is listed with.
#[inline]
fn touches_at(space: &Space, physics: Physics<'_>, place: usize, touches: &mut Vec<Touch>) {
    let pair = space.neighbours.wall_pairs[place];
    let [x, y, z, radius] = space.bodies.spheres[pair.sphere as usize];
    let (wall, pose) = (&space.walls[pair.wall as usize], &space.poses[pair.wall as usize]);
    let centre = LabVec::new(x, y, z);
    let mut range = 0.0;
    if physics.pairs.beyond_touch {
        let material = space.bodies.material[space.bodies.owner[pair.sphere as usize] as usize];
        range = physics.pairs.range_of(material, wall.material.0, radius);
    }
    let triangles = || &space.neighbours.triangles[pair.triangles[0] as usize..pair.triangles[1] as usize];
    touches.clear();
    if space.bodies.is_ellipsoid(pair.sphere) {
        return touches_of_ellipsoid(space, pair, range, touches);
    }
    if wall.motion.is_static() {
        // As most of those that are listed.
        if wall.shape.clearly_misses(centre, radius + range) {
            return;
        }
        wall.shape.touches(centre, radius + range, physics.power, triangles(), touches);
    } else {
        let centre = pose.to_reference(centre);
        wall.shape.touches(centre, radius + range, physics.power, triangles(), touches);
        for touch in touches.iter_mut() {
            touch.normal = pose.direction_to_lab(touch.normal);
        }
    }
    if range > 0.0 {
        for touch in touches.iter_mut() {
            touch.overlap -= range;
        }
    }
}

/// What an ellipsoid touches of the wall that it is listed with.
fn touches_of_ellipsoid(space: &Space, pair: WallPair, range: f64, touches: &mut Vec<Touch>) {
    let (wall, pose) = (&space.walls[pair.wall as usize], &space.poses[pair.wall as usize]);
    if wall.motion.is_static() {
        wall.shape.touches_of_ellipsoid(&space.bodies.solid(pair.sphere, [0.0; 3]), range, touches);
        return;
    }
    let points = space.bodies.points_of(pair.sphere).map(|point| {
        let [x, y, z, _] = space.bodies.spheres[point as usize];
        pose.to_reference(LabVec::new(x, y, z))
    });
    let seen = Solid::of_points(points, space.bodies.spheres[pair.sphere as usize][3]);
    wall.shape.touches_of_ellipsoid(&seen, range, touches);
    for touch in touches.iter_mut() {
        touch.normal = pose.direction_to_lab(touch.normal);
    }
}
