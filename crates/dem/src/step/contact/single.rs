//! A block of contacts in single precision: taken from the block of the workbench, and given back to the tables.

use super::block::Block;
use super::lanes::{LANES, Lanes, row, set_row};
use super::react::{GivenLanes, Results};
use crate::physics::contact::{GIVEN, Given, POINT, Side};
use crate::physics::geometry::Geometry;
use crate::precision::{Float, narrow, narrow_q};
use tumble_math::LabVec;

/// Numbers of the contacts of a block. Points are as seen from the first body of each.
#[derive(Debug)]
pub(crate) struct Single {
    pub(super) given: SingleGiven,
    pub(super) constants: Vec<Lanes<f32>>,
    pub(super) memory: Vec<Lanes<f32>>,
    pub(super) outcome: Vec<Lanes<f32>>,
}

/// What is given of them.
#[derive(Debug)]
pub(super) struct SingleGiven([Lanes<f32>; GIVEN]);

impl GivenLanes<f32> for SingleGiven {
    #[inline(always)]
    fn given(&self, lane: usize) -> Given<f32> {
        Given::from_array(row(&self.0, lane))
    }
}

impl Single {
    pub(super) const fn new() -> Self {
        Self {
            given: SingleGiven([Lanes::all(1.0); GIVEN]),
            constants: Vec::new(),
            memory: Vec::new(),
            outcome: Vec::new(),
        }
    }

    /// Takes a block as single precision, and makes room for what it leaves.
    #[inline(always)]
    pub(super) fn take(&mut self, block: &Block, constants: usize, memory: &[Lanes], outcomes: usize) {
        for lane in 0..LANES {
            let given = single(&block.given(lane));
            set_row(&mut self.given.0, lane, given.to_array());
        }
        take(&mut self.constants, &block.constants[..constants]);
        take(&mut self.memory, memory);
        self.outcome.resize(outcomes, Lanes::all(0.0));
    }

    /// Gives back what contacts remember and do.
    #[inline(always)]
    pub(super) fn give(&self, block: &Block, results: &mut Results<'_>) {
        give(&self.memory, results.memory);
        give(&self.outcome, results.outcome);
        // Apart from all that is read, and copied when it is done.
        let mut points = [Lanes::all(0.0); 3];
        for ((point, column), origin) in points.iter_mut().zip(&self.outcome[POINT]).zip(&block.a.position) {
            for lane in 0..LANES {
                point[lane] = column[lane].wide() + origin[lane];
            }
        }
        results.outcome[POINT].copy_from_slice(&points);
    }
}

#[inline(always)]
fn take(to: &mut Vec<Lanes<f32>>, from: &[Lanes]) {
    to.resize(from.len(), Lanes::all(0.0));
    for (to, from) in to.iter_mut().zip(from) {
        for lane in 0..LANES {
            to[lane] = f32::narrow(from[lane]);
        }
    }
}

#[inline(always)]
fn give(from: &[Lanes<f32>], to: &mut [Lanes]) {
    for (to, from) in to.iter_mut().zip(from) {
        for lane in 0..LANES {
            to[lane] = from[lane].wide();
        }
    }
}

/// A contact as seen from its first body.
#[inline(always)]
fn single(given: &Given<f64>) -> Given<f32> {
    let origin = given.a.position;
    let Geometry { overlap, slope, normal, point, radius } = given.geometry;
    Given {
        geometry: Geometry {
            overlap: f32::narrow(overlap),
            slope: f32::narrow(slope),
            normal: narrow(normal),
            point: f32::nearby(point, origin),
            radius: f32::narrow(radius),
        },
        a: side(&given.a, origin),
        b: side(&given.b, origin),
        weight: f32::narrow(given.weight),
        shared_mass: f32::narrow(given.shared_mass),
        part: f32::narrow(given.part),
        known: f32::narrow(given.known),
    }
}

#[inline(always)]
fn side(side: &Side<f64>, origin: LabVec<f64>) -> Side<f32> {
    Side {
        position: f32::nearby(side.position, origin),
        velocity: narrow(side.velocity),
        omega: narrow(side.omega),
        q: narrow_q(side.q),
        inverse_moments: narrow(side.inverse_moments),
        inverse_mass: f32::narrow(side.inverse_mass),
    }
}
