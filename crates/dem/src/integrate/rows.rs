//! The rows of the bodies while they move: one block after the other through all hooks of the scheme.

use super::moving::{Displacement, Show, Translate};
use super::placing::Place;
use super::scratch::{Block, LoadBlock, SCRATCH, Scratch, blocks};
use super::{Motion, Needed};
use crate::bodies::{Bodies, Load, Seen, Shapes};
use crate::columns::split;
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::Hook;
use tumble_rotation::batch;

pub(super) type Column<'a> = &'a mut [f64];

/// A range of rows, borrowed column by column.
pub(super) struct Rows<'a> {
    pub(super) position: [Column<'a>; 3],
    pub(super) velocity: [Column<'a>; 3],
    pub(super) q: [Column<'a>; 4],
    pub(super) omega: [Column<'a>; 3],
    pub(super) memory: [Column<'a>; 14],
    pub(super) acting: &'a mut [Load],
    pub(super) moments: [&'a [f64]; 3],
    pub(super) inverse: [&'a [f64]; 3],
    pub(super) measures: [&'a [f64]; 3],
    pub(super) held: &'a [bool],
    pub(super) fresh: &'a mut [bool],
    pub(super) template: &'a [u16],
    pub(super) scale: &'a [f64],
    pub(super) seen: &'a mut [Seen],
    pub(super) first_sphere: &'a [u32],
    pub(super) spheres: &'a mut [[f64; 4]],
    pub(super) needed_first: &'a [u32],
    pub(super) needed: &'a [u32],
}

/// The state of a row, to be put back.
pub(super) struct Kept {
    pub(super) row: usize,
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) omega: [f64; 3],
    pub(super) q: [f64; 4],
    pub(super) memory: [f64; 14],
}

impl<'a> Rows<'a> {
    pub(super) fn of(bodies: &'a mut Bodies, needed: &'a Needed) -> (Self, &'a Shapes) {
        let rows = Self {
            position: bodies.position.all_mut(),
            velocity: bodies.velocity.all_mut(),
            q: bodies.q.all_mut(),
            omega: bodies.omega.all_mut(),
            memory: bodies.memory.all_mut(),
            acting: &mut bodies.acting,
            moments: bodies.moments.all(),
            inverse: bodies.inverse.all(),
            measures: bodies.measures.all(),
            held: &bodies.held,
            fresh: &mut bodies.fresh,
            template: &bodies.template,
            scale: &bodies.scale,
            seen: &mut bodies.seen,
            first_sphere: &bodies.first_sphere,
            spheres: &mut bodies.spheres,
            needed_first: &needed.first,
            needed: &needed.spheres,
        };
        (rows, &bodies.shapes)
    }

    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        let (position, position2) = split(self.position, row);
        let (velocity, velocity2) = split(self.velocity, row);
        let (q, q2) = split(self.q, row);
        let (omega, omega2) = split(self.omega, row);
        let remembered = if self.memory[0].is_empty() { 0 } else { row };
        let (memory, memory2) = split(self.memory, remembered);
        let (acting, acting2) = self.acting.split_at_mut(row);
        let (fresh, fresh2) = self.fresh.split_at_mut(row);
        let (seen, seen2) = self.seen.split_at_mut(row);
        let sphere = (self.first_sphere[row] - self.first_sphere[0]) as usize;
        let (spheres, spheres2) = self.spheres.split_at_mut(sphere);
        let left = Self {
            position,
            velocity,
            q,
            omega,
            memory,
            acting,
            moments: self.moments.map(|c| &c[..row]),
            inverse: self.inverse.map(|c| &c[..row]),
            measures: self.measures.map(|c| &c[..row]),
            held: &self.held[..row],
            fresh,
            template: &self.template[..row],
            scale: &self.scale[..row],
            seen,
            first_sphere: &self.first_sphere[..=row],
            spheres,
            needed_first: &self.needed_first[..=row],
            needed: self.needed,
        };
        let right = Self {
            position: position2,
            velocity: velocity2,
            q: q2,
            omega: omega2,
            memory: memory2,
            acting: acting2,
            moments: self.moments.map(|c| &c[row..]),
            inverse: self.inverse.map(|c| &c[row..]),
            measures: self.measures.map(|c| &c[row..]),
            held: &self.held[row..],
            fresh: fresh2,
            template: &self.template[row..],
            scale: &self.scale[row..],
            seen: seen2,
            first_sphere: &self.first_sphere[row..],
            spheres: spheres2,
            needed_first: &self.needed_first[row..],
            needed: self.needed,
        };
        (left, right)
    }

    pub(super) fn advance(mut self, motion: &Motion, shapes: &Shapes) -> f64 {
        SCRATCH.with_borrow_mut(|scratch| {
            let mut longest = 0;
            for range in blocks(self.len()) {
                longest = self.advance_block(range, motion, shapes, scratch).max(longest);
            }
            f64::from_bits(longest)
        })
    }

    /// Returns the bits of the longest displacement: of numbers that are not negative, the larger one has
    /// the larger bits, and NaN has larger ones than any.
    pub(super) fn advance_block(
        &mut self,
        range: Range<usize>,
        motion: &Motion,
        shapes: &Shapes,
        scratch: &mut Scratch,
    ) -> u64 {
        let Scratch { load, before, after, seen, frames, ways } = scratch;
        self.load(&range, load);
        self.shown_q(&range, motion, before);
        let held = self.remember(self.held, &range);
        self.finish_step(&range, motion, load);
        motion.set.run(Translate {
            position: self.position.each_mut().map(|c| &mut c[range.clone()]),
            velocity: self.velocity.each_mut().map(|c| &mut c[range.clone()]),
            force: &load.force,
            inverse_mass: &self.measures[1][range.clone()],
            dt: motion.dt,
        });
        if motion.torque_at_end() {
            self.hook(Hook::BeforeTorque, motion, range.clone(), load);
        }
        for kept in &held {
            self.move_by_hand(kept, motion.dt);
        }
        if motion.velocities_seen || motion.staggered() {
            self.look(Hook::AtTorque, motion, range.clone(), load, seen);
            motion.set.run(Show { rows: self, range: range.clone(), seen, load, dt: motion.dt });
        }
        self.shown_q(&range, motion, after);
        let longest = motion.set.run(Displacement {
            before,
            after,
            velocity: self.velocity.each_ref().map(|c| &c[range.clone()]),
            arm: &self.measures[2][range.clone()],
            dt: motion.dt,
            ways,
        });
        for row in range.clone() {
            let weight = motion.gravity * self.measures[0][row];
            self.acting[row] = Load { force: weight.to_array(), torque: [0.0; 3] };
        }
        motion.set.run(Place { rows: self, range, shapes, q: after, frames });
        longest
    }

    /// What acts on the rows of a block.
    pub(super) fn load(&self, range: &Range<usize>, load: &mut LoadBlock) {
        for (k, acting) in self.acting[range.clone()].iter().enumerate() {
            for axis in 0..3 {
                load.force[axis][k] = acting.force[axis];
                load.torque[axis][k] = acting.torque[axis];
            }
        }
    }

    /// The orientations at which the spheres of a block are placed.
    pub(super) fn shown_q(&self, range: &Range<usize>, motion: &Motion, q: &mut Block<4>) {
        if motion.staggered() {
            for (k, seen) in self.seen[range.clone()].iter().enumerate() {
                for (copy, value) in q.iter_mut().zip(seen.q) {
                    copy[k] = value;
                }
            }
        } else {
            for (copy, column) in q.iter_mut().zip(&self.q) {
                copy[..range.len()].copy_from_slice(&column[range.clone()]);
            }
        }
    }

    /// What is left to do of the last step, now that the torque at its end is known.
    pub(super) fn finish_step(&mut self, range: &Range<usize>, motion: &Motion, load: &LoadBlock) {
        // A fresh body is at the end of its step already.
        let kept = if motion.torque_at_end() { self.remember(self.fresh, range) } else { Vec::new() };
        if kept.len() < range.len() {
            self.hook(Hook::AfterTorque, motion, range.clone(), load);
            for kept in kept {
                set(&mut self.omega, kept.row, kept.omega);
                set(&mut self.q, kept.row, kept.q);
                if !self.memory[0].is_empty() {
                    set(&mut self.memory, kept.row, kept.memory);
                }
            }
        }
        self.fresh[range.clone()].fill(false);
    }

    /// The state of the marked rows.
    pub(super) fn remember(&self, marked: &[bool], range: &Range<usize>) -> Vec<Kept> {
        if !marked[range.clone()].contains(&true) {
            return Vec::new();
        }
        let vector = |columns: &[Column<'_>; 3], row: usize| columns.each_ref().map(|c| c[row]);
        let keep = |row: usize| Kept {
            row,
            position: vector(&self.position, row),
            velocity: vector(&self.velocity, row),
            omega: vector(&self.omega, row),
            q: self.q.each_ref().map(|c| c[row]),
            memory: self.memory.each_ref().map(|c| c.get(row).copied().unwrap_or(0.0)),
        };
        range.clone().filter(|&row| marked[row]).map(keep).collect()
    }

    /// A held body keeps its velocity, and its angular velocity in the lab.
    pub(super) fn move_by_hand(&mut self, kept: &Kept, dt: f64) {
        let position = LabVec::from_array(kept.position) + LabVec::from_array(kept.velocity) * dt;
        let q = Quat::from_array(kept.q).turn_body(BodyVec::from_array(kept.omega), dt).normalised();
        set(&mut self.position, kept.row, position.to_array());
        set(&mut self.velocity, kept.row, kept.velocity);
        // Turning about ω leaves ω as the body sees it unchanged.
        set(&mut self.omega, kept.row, kept.omega);
        set(&mut self.q, kept.row, q.to_array());
    }

    pub(super) fn hook(&mut self, hook: Hook, motion: &Motion, range: Range<usize>, load: &LoadBlock) {
        let columns = self.columns(range, load, core::array::from_fn(|_| Default::default()));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
    }

    /// What the rows of a block look like through a hook: q and ω.
    pub(super) fn look(
        &mut self,
        hook: Hook,
        motion: &Motion,
        range: Range<usize>,
        load: &LoadBlock,
        seen: &mut Block<7>,
    ) {
        let rows = range.len();
        let columns = self.columns(range, load, seen.each_mut().map(|c| &mut c[..rows]));
        batch::run_hook_with(motion.set, motion.scheme, hook, columns, motion.dt);
    }

    pub(super) fn columns<'b>(
        &'b mut self,
        range: Range<usize>,
        load: &'b LoadBlock,
        seen: [&'b mut [f64]; 7],
    ) -> batch::Columns<'b, f64> {
        let remembered = if self.memory[0].is_empty() { 0..0 } else { range.clone() };
        batch::Columns {
            q: self.q.each_mut().map(|c| &mut c[range.clone()]),
            omega: self.omega.each_mut().map(|c| &mut c[range.clone()]),
            memory: self.memory.each_mut().map(|c| &mut c[remembered.clone()]),
            torque: load.torque.each_ref().map(|c| &c[..range.len()]),
            moments: self.moments.map(|c| &c[range.clone()]),
            inverse: self.inverse.map(|c| &c[range.clone()]),
            seen,
        }
    }
}

#[inline(always)]
fn set<const N: usize>(columns: &mut [Column<'_>; N], row: usize, values: [f64; N]) {
    for (column, value) in columns.iter_mut().zip(values) {
        column[row] = value;
    }
}
