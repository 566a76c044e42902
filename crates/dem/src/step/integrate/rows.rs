//! The rows of the bodies while they move: one block after the other through all hooks of the scheme.

use super::moving::{Displacement, Show, Translate, go_round};
use super::narrow::{Hooks, Narrow};
use super::placing::Place;
use super::scratch::{BlockColumns, KindBlock, LoadBlock, SCRATCH, Scratch, blocks, whole_vectors};
use super::{Mover, Needed};
use crate::bodies::{AtInstant, Bodies, Shapes, Sums, Wrench};
use crate::columns::{Chunk, ROWS, set_row};
use crate::kind::Kinds;
use crate::physics::field::turned_by_hand;
use crate::precision::{Float, Precision, narrow, narrow_q, wide};
use crate::prefetch::prefetch;
use core::marker::PhantomData;
use core::ops::Range;
use tumble_math::{BodyVec, LabVec, Quat};
use tumble_rotation::Hook;
use tumble_rotation::batch;

/// A range of rows, which begins with a chunk.
pub(super) struct Rows<'a> {
    pub(super) position: &'a mut [Chunk<3>],
    pub(super) velocity: &'a mut [Chunk<3>],
    pub(super) q: &'a mut [Chunk<4>],
    pub(super) omega: &'a mut [Chunk<3>],
    pub(super) memory: &'a mut [Chunk<14>],
    pub(super) acting: &'a mut [Wrench],
    pub(super) kinds: &'a Kinds,
    pub(super) kind: &'a [u32],
    pub(super) held: &'a [bool],
    pub(super) fresh: &'a mut [bool],
    pub(super) template: &'a [u16],
    pub(super) at_force: &'a mut [AtInstant],
    pub(super) first_sphere: &'a [u32],
    pub(super) spheres: &'a mut [[f64; 4]],
    pub(super) needed_first: &'a [u32],
    pub(super) needed: &'a [u32],
}

/// What the block after the present one is read from.
struct NextBlock {
    chunks: Range<usize>,
    rows: Range<usize>,
    spheres: Range<usize>,
}

/// The state of a row, to be put back.
pub(super) struct RowState {
    pub(super) row: usize,
    pub(super) position: [f64; 3],
    pub(super) velocity: [f64; 3],
    pub(super) omega: [f64; 3],
    pub(super) q: [f64; 4],
    pub(super) memory: [f64; 14],
}

impl<'a> Rows<'a> {
    pub(super) fn of(bodies: &'a mut Bodies, sums: &'a mut Sums, needed: &'a Needed) -> (Self, &'a Shapes) {
        let rows = Self {
            position: bodies.position.chunks_mut(),
            velocity: bodies.velocity.chunks_mut(),
            q: bodies.q.chunks_mut(),
            omega: bodies.omega.chunks_mut(),
            memory: bodies.memory.chunks_mut(),
            acting: &mut sums.acting,
            kinds: &bodies.kinds,
            kind: &bodies.kind,
            held: &bodies.held,
            fresh: &mut bodies.fresh,
            template: &bodies.template,
            at_force: &mut bodies.at_force,
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

    /// The first so many of them.
    pub(super) fn first(self, rows: usize) -> Self {
        Self { held: &self.held[..rows], ..self }
    }

    /// Splits between two chunks.
    pub(super) fn split_at(self, row: usize) -> (Self, Self) {
        debug_assert!(row.is_multiple_of(ROWS));
        let chunk = row / ROWS;
        let (position, position2) = self.position.split_at_mut(chunk);
        let (velocity, velocity2) = self.velocity.split_at_mut(chunk);
        let (q, q2) = self.q.split_at_mut(chunk);
        let (omega, omega2) = self.omega.split_at_mut(chunk);
        let (memory, memory2) = self.memory.split_at_mut(chunk.min(self.memory.len()));
        let (acting, acting2) = self.acting.split_at_mut(row);
        let (fresh, fresh2) = self.fresh.split_at_mut(row);
        let (at_force, at_force2) = self.at_force.split_at_mut(row);
        let sphere = (self.first_sphere[row] - self.first_sphere[0]) as usize;
        let (spheres, spheres2) = self.spheres.split_at_mut(sphere);
        let left = Self {
            position,
            velocity,
            q,
            omega,
            memory,
            acting,
            kinds: self.kinds,
            kind: &self.kind[..row],
            held: &self.held[..row],
            fresh,
            template: &self.template[..row],
            at_force,
            first_sphere: &self.first_sphere[..=row],
            spheres,
            needed_first: self.needed_first.get(..=row).unwrap_or_default(),
            needed: self.needed,
        };
        let right = Self {
            position: position2,
            velocity: velocity2,
            q: q2,
            omega: omega2,
            memory: memory2,
            acting: acting2,
            kinds: self.kinds,
            kind: &self.kind[row..],
            held: &self.held[row..],
            fresh: fresh2,
            template: &self.template[row..],
            at_force: at_force2,
            first_sphere: &self.first_sphere[row..],
            spheres: spheres2,
            needed_first: self.needed_first.get(row..).unwrap_or_default(),
            needed: self.needed,
        };
        (left, right)
    }

    pub(super) fn advance(&mut self, rows: Range<usize>, mover: &Mover, shapes: &Shapes) -> f64 {
        match mover.precision {
            Precision::Double => self.advance_in::<f64>(rows, mover, shapes),
            Precision::Single => self.advance_in::<f32>(rows, mover, shapes),
        }
    }

    /// Places the spheres of some rows, which begin with a chunk, where they are.
    pub(super) fn place<R: Float>(&mut self, rows: Range<usize>, mover: &Mover, shapes: &Shapes) {
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { after, frames, kinds, .. } = &mut **scratch;
            for range in blocks(rows) {
                kinds.fill(self.kinds, &self.kind[range.clone()]);
                self.shown_q(&range, mover, after);
                let (scale, few, float) = (&kinds.scale, mover.thresholds.spheres_to_place, PhantomData::<R>);
                mover.set.run(Place { rows: self, range, shapes, q: after, scale, frames, few, float });
            }
        });
    }

    fn advance_in<R: Hooks>(&mut self, rows: Range<usize>, mover: &Mover, shapes: &Shapes) -> f64 {
        SCRATCH.with_borrow_mut(|scratch| {
            let mut longest = 0;
            for range in blocks(rows) {
                longest = self.advance_block::<R>(range, mover, shapes, scratch).max(longest);
            }
            let longest = f64::from_bits(longest);
            mover.deformation.map_or(longest, |own| longest + own.approach)
        })
    }

    /// Returns the bits of the longest displacement: of numbers that are not negative, the larger one has
    /// the larger bits, and NaN has larger ones than any.
    fn advance_block<R: Hooks>(
        &mut self,
        range: Range<usize>,
        mover: &Mover,
        shapes: &Shapes,
        scratch: &mut Scratch,
    ) -> u64 {
        let Scratch { kinds, load, before, after, seen, frames, displacements, narrow } = scratch;
        let dt = R::narrow(mover.dt);
        let (chunk, rows) = (range.start / ROWS, whole_vectors(range.len()));
        kinds.fill(self.kinds, &self.kind[range.clone()]);
        self.load(&range, load);
        self.shown_q(&range, mover, before);
        let held = self.remember(self.held, &range);
        let next = self.next_block(&range, mover);
        prefetch(&self.position[next.chunks.clone()]);
        self.finish_step::<R>(&range, mover, (load, kinds), narrow);
        prefetch(&self.velocity[next.chunks.clone()]);
        mover.set.run(Translate {
            position: self.position[chunk].each_mut().map(|c| &mut c[..rows]),
            velocity: self.velocity[chunk].each_mut().map(|c| &mut c[..rows]),
            force: &load.force,
            inverse_mass: &kinds.inverse_mass[..rows],
            dt,
            deformation: mover.deformation.as_ref(),
        });
        prefetch(&self.q[next.chunks.clone()]);
        if mover.torque_at_end() {
            self.hook::<R>(Hook::BeforeTorque, mover, range.clone(), (load, kinds), narrow);
        }
        for kept in &held {
            self.move_by_hand(kept, dt);
        }
        go_round(&mut self.position[chunk], range.len(), &mover.domain);
        prefetch(&self.omega[next.chunks.clone()]);
        if mover.shows() {
            prefetch(&self.at_force[next.rows.clone()]);
            self.look::<R>(Hook::AtTorque, mover, range.clone(), (load, kinds), seen, narrow);
            let inverse_mass = &kinds.inverse_mass;
            mover.set.run(Show { rows: self, range: range.clone(), seen, load, inverse_mass, dt });
        }
        self.shown_q(&range, mover, after);
        let longest = mover.set.run(Displacement {
            before,
            after,
            velocity: self.velocity[chunk].each_ref().map(|c| &c[..rows]),
            arm: &kinds.arm[..rows],
            dt: mover.deformation.map_or(mover.dt, |own| mover.dt * own.reach),
            count: range.len(),
            displacements,
            float: PhantomData::<R>,
        });
        prefetch(&self.acting[next.rows]);
        for (acting, &mass) in self.acting[range.clone()].iter_mut().zip(&kinds.mass) {
            let weight = mover.gravity * mass;
            *acting = Wrench { force: weight.to_array(), torque: [0.0; 3] };
        }
        prefetch(&self.spheres[next.spheres]);
        let (scale, float) = (&kinds.scale, PhantomData::<R>);
        let few = mover.thresholds.spheres_to_place;
        mover.set.run(Place { rows: self, range, shapes, q: after, scale, frames, few, float });
        longest
    }

    /// Where the block after this one is; nowhere if there is none, or if it is near anyway.
    fn next_block(&self, range: &Range<usize>, mover: &Mover) -> NextBlock {
        let end = if self.len() > mover.thresholds.rows_in_cache {
            self.len().min(range.end + ROWS)
        } else {
            range.end
        };
        let rows = range.end..end;
        let sphere = |row: usize| (self.first_sphere[row] - self.first_sphere[0]) as usize;
        NextBlock {
            chunks: rows.start.div_ceil(ROWS)..rows.end.div_ceil(ROWS),
            spheres: sphere(rows.start)..sphere(rows.end),
            rows,
        }
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
    pub(super) fn shown_q(&self, range: &Range<usize>, mover: &Mover, q: &mut BlockColumns<4>) {
        if mover.staggered() {
            for (k, body) in self.at_force[range.clone()].iter().enumerate() {
                for (copy, value) in q.iter_mut().zip(body.q) {
                    copy[k] = value;
                }
            }
        } else {
            let rows = whole_vectors(range.len());
            for (copy, column) in q.iter_mut().zip(&self.q[range.start / ROWS]) {
                copy[..rows].copy_from_slice(&column[..rows]);
            }
        }
    }

    /// What is left to do of the last step, now that the torque at its end is known.
    fn finish_step<R: Hooks>(
        &mut self,
        range: &Range<usize>,
        mover: &Mover,
        given: (&LoadBlock, &KindBlock),
        narrow: &mut Narrow,
    ) {
        // A fresh body is at the end of its step already.
        let kept = if mover.torque_at_end() { self.remember(self.fresh, range) } else { Vec::new() };
        if kept.len() < range.len() {
            self.hook::<R>(Hook::AfterTorque, mover, range.clone(), given, narrow);
            for kept in kept {
                let (chunk, row) = (kept.row / ROWS, kept.row % ROWS);
                set_row(&mut self.omega[chunk], row, kept.omega);
                set_row(&mut self.q[chunk], row, kept.q);
                if let Some(memory) = self.memory.get_mut(chunk) {
                    set_row(memory, row, kept.memory);
                }
            }
        }
        if self.fresh[range.clone()].contains(&true) {
            self.fresh[range.clone()].fill(false);
        }
    }

    /// The state of the marked rows.
    pub(super) fn remember(&self, marked: &[bool], range: &Range<usize>) -> Vec<RowState> {
        if !marked[range.clone()].contains(&true) {
            return Vec::new();
        }
        let chunk = range.start / ROWS;
        let keep = |row: usize| {
            let k = row % ROWS;
            RowState {
                row,
                position: self.position[chunk].map(|c| c[k]),
                velocity: self.velocity[chunk].map(|c| c[k]),
                omega: self.omega[chunk].map(|c| c[k]),
                q: self.q[chunk].map(|c| c[k]),
                memory: self.memory.get(chunk).map_or([0.0; 14], |memory| memory.map(|c| c[k])),
            }
        };
        range.clone().filter(|&row| marked[row]).map(keep).collect()
    }

    /// A held body keeps its velocity, and its angular velocity in the lab.
    fn move_by_hand<R: Float>(&mut self, kept: &RowState, dt: R) {
        let moved = narrow(LabVec::from_array(kept.velocity)) * dt;
        let position = LabVec::from_array(kept.position) + wide(moved);
        let q: Quat<R> = narrow_q(Quat::from_array(kept.q));
        let q = turned_by_hand(q, narrow(BodyVec::from_array(kept.omega)), dt);
        let (chunk, row) = (kept.row / ROWS, kept.row % ROWS);
        set_row(&mut self.position[chunk], row, position.to_array());
        set_row(&mut self.velocity[chunk], row, kept.velocity);
        // Turning about ω leaves ω as the body sees it unchanged.
        set_row(&mut self.omega[chunk], row, kept.omega);
        set_row(&mut self.q[chunk], row, q.to_array().map(R::wide));
    }

    pub(super) fn hook<R: Hooks>(
        &mut self,
        hook: Hook,
        mover: &Mover,
        range: Range<usize>,
        given: (&LoadBlock, &KindBlock),
        narrow: &mut Narrow,
    ) {
        let columns = self.columns(range, given, core::array::from_fn(|_| Default::default()));
        R::run_hook(mover, hook, columns, &given.1.unit, narrow);
    }

    /// What the rows of a block look like through a hook: q and ω.
    pub(super) fn look<R: Hooks>(
        &mut self,
        hook: Hook,
        mover: &Mover,
        range: Range<usize>,
        given: (&LoadBlock, &KindBlock),
        seen: &mut BlockColumns<7>,
        narrow: &mut Narrow,
    ) {
        let rows = whole_vectors(range.len());
        let columns = self.columns(range, given, seen.each_mut().map(|c| &mut c[..rows]));
        R::run_hook(mover, hook, columns, &given.1.unit, narrow);
    }

    pub(super) fn columns<'b>(
        &'b mut self,
        range: Range<usize>,
        (load, kinds): (&'b LoadBlock, &'b KindBlock),
        seen: [&'b mut [f64]; 7],
    ) -> batch::Columns<'b, f64> {
        let (chunk, rows) = (range.start / ROWS, whole_vectors(range.len()));
        let memory = match self.memory.get_mut(chunk) {
            Some(memory) => memory.each_mut().map(|c| &mut c[..rows]),
            None => core::array::from_fn(|_| Default::default()),
        };
        batch::Columns {
            q: self.q[chunk].each_mut().map(|c| &mut c[..rows]),
            omega: self.omega[chunk].each_mut().map(|c| &mut c[..rows]),
            memory,
            torque: load.torque.each_ref().map(|c| &c[..rows]),
            moments: kinds.moments.each_ref().map(|c| &c[..rows]),
            inverse: kinds.inverse.each_ref().map(|c| &c[..rows]),
            seen,
        }
    }
}
