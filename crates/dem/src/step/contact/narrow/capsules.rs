//! Pairs of pieces where some are capsules: they touch as two spheres do that lie where the pieces are nearest to each other.
//!
//! Each piece of a pair is known by its first sphere. What is told here is which pairs touch, and where those two spheres are;
//! all else is as for [`Spheres`](super::Spheres).

use crate::contact::block::Block;
use crate::contact::lanes::{LANES, Lanes, set_four};
use crate::contact::{Key, image_shift};
use crate::engine::Space;
use crate::physics::geometry::Sphere;
use crate::physics::piece::{Core, Piece, nearest_spheres};
use crate::rows_by_id::index32;
use core::ops::Range;
use tumble_math::LabVec;
use tumble_rotation::batch::Kernel;

/// How far the image of the second piece of a pair that is near the first lies from the piece itself. It is that whose
/// middle is nearest: a body reaches less than a quarter of a period from its centre, so the middles of two that touch are
/// less than half of one apart.
pub(in crate::step::contact) fn piece_shift(space: &Space, pair: [u32; 2]) -> [f64; 3] {
    if space.bodies.has_hulls() {
        // Features of a body may be half of it apart; the bodies are no farther from each other than their radii.
        let [a, b] = pair.map(|sphere| {
            let row = space.bodies.owner[sphere as usize] as usize;
            let [x, y, z] = space.bodies.position.row(row);
            [x, y, z, 0.0]
        });
        return space.periods.shift(&a, &b);
    }
    let [a, b] = pair.map(|sphere| {
        let [x, y, z] = space.bodies.piece(sphere, [0.0; 3]).core.middle.to_array();
        [x, y, z, 0.0]
    });
    space.periods.shift(&a, &b)
}

/// The ends of the two pieces of each pair, in lanes: those of spheres are the same.
struct Ends {
    a: [[Lanes; 4]; 2],
    b: [[Lanes; 4]; 2],
}

impl Ends {
    const fn new() -> Self {
        Self { a: [[Lanes::all(0.0); 4]; 2], b: [[Lanes::all(0.0); 4]; 2] }
    }

    /// Puts the pieces at these places into lanes, the second of each pair where its image is that is near the first.
    #[inline(always)]
    fn set(&mut self, places: &[u32; LANES], space: &Space, one: f64) {
        let (pairs, bodies) = (&space.neighbours.pairs.spheres[..], &space.bodies);
        let (spheres, last_point) = (&bodies.spheres[..], &bodies.last_point[..]);
        for group in 0..LANES / 4 {
            let lane = 4 * group;
            let [k, l, m, n] = [places[lane], places[lane + 1], places[lane + 2], places[lane + 3]];
            let (k, l, m, n) = (pairs[k as usize], pairs[l as usize], pairs[m as usize], pairs[n as usize]);
            set_ends(&mut self.a, lane, [k[0], l[0], m[0], n[0]], (spheres, last_point), one);
            set_ends(&mut self.b, lane, [k[1], l[1], m[1], n[1]], (spheres, last_point), one);
        }
        if space.periods.any {
            for (lane, &place) in places.iter().enumerate() {
                let shift = image_shift(space, place as usize);
                for end in &mut self.b {
                    for (column, shift) in end.iter_mut().zip(shift) {
                        column[lane] += shift;
                    }
                }
            }
        }
    }

    /// The spheres by which the pieces in a lane touch.
    #[inline(always)]
    fn nearest_spheres(&self, lane: usize) -> [Sphere<f64>; 2] {
        nearest_spheres(&piece(&self.a, lane), &piece(&self.b, lane))
    }
}

/// Puts the ends of four pieces into lanes.
#[inline(always)]
fn set_ends(
    [first, second]: &mut [[Lanes; 4]; 2],
    lane: usize,
    [k, l, m, n]: [u32; 4],
    (spheres, last_point): (&[[f64; 4]], &[u32]),
    one: f64,
) {
    let (k, l, m, n) = (k as usize, l as usize, m as usize, n as usize);
    set_four(first, lane, [&spheres[k], &spheres[l], &spheres[m], &spheres[n]], one);
    let (k, l, m, n) = (last_point[k], last_point[l], last_point[m], last_point[n]);
    let (k, l, m, n) = (k as usize, l as usize, m as usize, n as usize);
    set_four(second, lane, [&spheres[k], &spheres[l], &spheres[m], &spheres[n]], one);
}

// Written out: what goes through a closure would go through memory.
#[inline(always)]
fn piece([[x, y, z, radius], [u, v, w, _]]: &[[Lanes; 4]; 2], lane: usize) -> Piece<f64> {
    let first = LabVec::new(x[lane], y[lane], z[lane]);
    let second = LabVec::new(u[lane], v[lane], w[lane]);
    Piece { core: Core::between([first, second]), radius: radius[lane] }
}

/// The search for pairs of pieces that touch.
pub(super) struct FindPieces<'a> {
    pub(super) space: &'a Space,
    pub(super) range: Range<usize>,
    /// How far beyond touch contacts are looked for, m.
    pub(super) reach: f64,
    pub(super) found: &'a mut Vec<u32>,
    /// See [`set_four`].
    pub(super) one: f64,
}

impl Kernel for FindPieces<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { space, range: Range { start, end }, reach, found, one } = self;
        found.clear();
        let (mut ends, mut beyond) = (Ends::new(), Lanes::all(0.0));
        for first in (start..end).step_by(LANES) {
            // Lanes that are not used hold the last pair once more.
            let (mut places, last) = ([0; LANES], index32(end - 1));
            for (place, number) in places.iter_mut().zip(index32(first)..) {
                *place = if number < last { number } else { last };
            }
            ends.set(&places, space, one);
            for k in 0..LANES {
                let [a, b] = ends.nearest_spheres(k);
                let reach = a.radius + b.radius + reach;
                beyond[k] = (a.centre - b.centre).norm_squared() - reach * reach;
            }
            for k in 0..LANES.min(end - first) {
                if beyond[k] < 0.0 {
                    found.push(places[k]);
                }
            }
        }
    }
}

/// Puts the spheres by which pieces touch into the lanes of a block.
pub(super) struct SetNearestSpheres<'a> {
    pub(super) block: &'a mut Block,
    pub(super) keys: &'a [Key],
    pub(super) space: &'a Space,
    /// See [`set_four`].
    pub(super) one: f64,
}

impl Kernel for SetNearestSpheres<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { block, keys, space, one } = self;
        let Some(last) = keys.last() else { return };
        // Lanes that are not used hold the last contact once more.
        let (mut ends, mut places) = (Ends::new(), [last.place; LANES]);
        for (place, key) in places.iter_mut().zip(keys) {
            *place = key.place;
        }
        ends.set(&places, space, one);
        for k in 0..LANES {
            let [a, b] = ends.nearest_spheres(k);
            set_sphere(&mut block.sphere_a, k, a);
            set_sphere(&mut block.sphere_b, k, b);
        }
    }
}

#[inline(always)]
fn set_sphere([x, y, z, radius]: &mut [Lanes; 4], lane: usize, sphere: Sphere<f64>) {
    (x[lane], y[lane], z[lane]) = (sphere.centre.x, sphere.centre.y, sphere.centre.z);
    radius[lane] = sphere.radius;
}
