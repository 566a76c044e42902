//! A block of contacts side by side, so that their physics is computed several at a time.

use crate::bodies::Seen;

/// Contacts in a block: a multiple of every vector, few enough for the block to stay in the nearest cache.
pub(crate) const LANES: usize = 32;

pub(crate) type Lanes = [f64; LANES];
pub(crate) type Lanes3 = [Lanes; 3];

/// One of the two bodies of each contact.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) position: Lanes3,
    pub(crate) velocity: Lanes3,
    pub(crate) omega: Lanes3,
    pub(crate) q: [Lanes; 4],
    /// Inverse principal moments.
    pub(crate) inverse: Lanes3,
    pub(crate) inverse_mass: Lanes,
}

/// What the kernel reads, and what it writes.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    // Placed spheres of both sides; only for contacts between bodies.
    pub(crate) sphere_a: [Lanes; 4],
    pub(crate) sphere_b: [Lanes; 4],
    // The contact: computed from the spheres, or by the wall.
    pub(crate) overlap: Lanes,
    pub(crate) normal: Lanes3,
    pub(crate) point: Lanes3,
    pub(crate) radius: Lanes,
    // The bodies.
    pub(crate) a: Side,
    pub(crate) b: Side,
    pub(crate) pair: [Lanes; 10],
    /// Which material pair a lane of `pair` holds.
    pub(crate) pair_of: [u32; LANES],
    /// 1, or one over the number of contacts between the two bodies.
    pub(crate) weight: Lanes,
    // What is remembered; `known` is 0 for a contact that has just begun, else 1.
    pub(crate) known: Lanes,
    pub(crate) old_normal: Lanes3,
    pub(crate) old_velocity: Lanes3,
    pub(crate) old_spin: Lanes3,
    pub(crate) history: [Lanes; 8],
    // Results.
    pub(crate) velocity: Lanes3,
    pub(crate) spin: Lanes3,
    pub(crate) new_history: [Lanes; 8],
    pub(crate) force: Lanes3,
    pub(crate) couple: Lanes3,
    pub(crate) stored: Lanes3,
    pub(crate) lost: [Lanes; 4],
}

const ZERO: Lanes = [0.0; LANES];
const ONE: Lanes = [1.0; LANES];

impl Side {
    const fn new() -> Self {
        Self {
            position: [ZERO; 3],
            velocity: [ZERO; 3],
            omega: [ZERO; 3],
            q: [ONE, ZERO, ZERO, ZERO],
            inverse: [ONE; 3],
            inverse_mass: ONE,
        }
    }

    /// Puts a body into a lane.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, seen: &Seen) {
        set_row(&mut self.position, lane, seen.position);
        set_row(&mut self.velocity, lane, seen.velocity);
        set_row(&mut self.omega, lane, seen.omega);
        set_row(&mut self.q, lane, seen.q);
        set_row(&mut self.inverse, lane, seen.inverse);
        self.inverse_mass[lane] = seen.inverse_mass;
    }
}

impl Block {
    /// Lanes that are not used hold two unit spheres that touch, so that nothing in them overflows.
    pub(crate) fn new() -> Self {
        Self {
            sphere_a: [ONE, ZERO, ZERO, ONE],
            sphere_b: [ZERO, ZERO, ZERO, ONE],
            overlap: ONE,
            normal: [ONE, ZERO, ZERO],
            point: [ZERO; 3],
            radius: ONE,
            a: Side::new(),
            b: Side::new(),
            pair: [ONE; 10],
            pair_of: [u32::MAX; LANES],
            weight: ONE,
            known: ZERO,
            old_normal: [ONE, ZERO, ZERO],
            old_velocity: [ZERO; 3],
            old_spin: [ZERO; 3],
            history: [ZERO; 8],
            velocity: [ZERO; 3],
            spin: [ZERO; 3],
            new_history: [ZERO; 8],
            force: [ZERO; 3],
            couple: [ZERO; 3],
            stored: [ZERO; 3],
            lost: [ZERO; 4],
        }
    }
}

/// A vector of a lane.
#[inline(always)]
pub(crate) fn lane<F>(columns: &Lanes3, k: usize) -> tumble_math::Vec3<f64, F> {
    tumble_math::Vec3::new(columns[0][k], columns[1][k], columns[2][k])
}

#[inline(always)]
pub(crate) fn row<const N: usize>(columns: &[Lanes; N], k: usize) -> [f64; N] {
    core::array::from_fn(|c| columns[c][k])
}

#[inline(always)]
pub(crate) fn set_row<const N: usize>(columns: &mut [Lanes; N], k: usize, values: [f64; N]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column[k] = value;
    }
}
