//! A block of contacts side by side, so that their physics is computed several at a time.

use super::lanes::{LANES, Lanes, set_row};
use crate::bodies::Seen;

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

/// What the kernel reads.
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
    /// 0 for a contact that has just begun, else 1.
    pub(crate) known: Lanes,
    /// What is remembered of the last step.
    pub(crate) memory: [Lanes; 10],
    pub(crate) turning: [Lanes; 7],
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
            memory: [ZERO; 10],
            turning: [ZERO; 7],
        }
    }
}
