//! The columns of a batch, borrowed.

use tumble_math::{BodyVec, Quat};

/// The widest memory of any scheme.
pub(crate) const MAX_MEMORY: usize = 14;

/// Borrowed columns, one slice per component, all of one length: a row is a body.
#[derive(Debug)]
pub struct Columns<'a, R> {
    /// Orientation: w, x, y, z.
    pub q: [&'a mut [R]; 4],
    /// Angular velocity in the body frame.
    pub omega: [&'a mut [R]; 3],
    /// What the scheme remembers; columns beyond its width may be empty.
    pub memory: [&'a mut [R]; MAX_MEMORY],
    /// Torque last evaluated, in the lab frame.
    pub torque: [&'a [R]; 3],
    /// Principal moments of inertia.
    pub moments: [&'a [R]; 3],
    /// Their inverses.
    pub inverse: [&'a [R]; 3],
    /// Where hooks that only look write what they see: q, then ω.
    pub seen: [&'a mut [R]; 7],
}

/// Every body at one instant: columns of orientation and angular velocity.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a, R> {
    /// Orientation: w, x, y, z.
    pub q: [&'a [R]; 4],
    /// Angular velocity in the body frame.
    pub omega: [&'a [R]; 3],
}

impl<R: Copy> Seen<'_, R> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.q[0].len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Orientation and angular velocity of one body.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn body(&self, row: usize) -> (Quat<R>, BodyVec<R>) {
        let (q, omega) = (self.q.map(|column| column[row]), self.omega.map(|column| column[row]));
        (Quat::from_array(q), BodyVec::from_array(omega))
    }
}

impl<R> Columns<'_, R> {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.q[0].len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every column that a memory of this width needs has the same length.
    pub(crate) fn fits(&self, memory_width: usize, hook_looks: bool) -> bool {
        let n = self.len();
        let state = self.q.iter().chain(&self.omega).chain(&self.memory[..memory_width]);
        let given = self.torque.iter().chain(&self.moments).chain(&self.inverse);
        state.map(|c| c.len()).chain(given.map(|c| c.len())).all(|len| len == n)
            && (!hook_looks || self.seen.iter().all(|c| c.len() == n))
    }

    /// The rows before and from `row`, for two threads.
    pub fn split_at(self, row: usize) -> (Self, Self) {
        let (q, q2) = split_mut(self.q, row);
        let (omega, omega2) = split_mut(self.omega, row);
        let (memory, memory2) = split_mut(self.memory, row);
        let (seen, seen2) = split_mut(self.seen, row);
        let (torque, torque2) = split(self.torque, row);
        let (moments, moments2) = split(self.moments, row);
        let (inverse, inverse2) = split(self.inverse, row);
        (
            Self { q, omega, memory, torque, moments, inverse, seen },
            Self {
                q: q2,
                omega: omega2,
                memory: memory2,
                torque: torque2,
                moments: moments2,
                inverse: inverse2,
                seen: seen2,
            },
        )
    }
}

type Halves<T, const N: usize> = ([T; N], [T; N]);

fn split_mut<R, const N: usize>(columns: [&mut [R]; N], row: usize) -> Halves<&mut [R], N> {
    let mut left: [&mut [R]; N] = core::array::from_fn(|_| &mut [][..]);
    let mut right: [&mut [R]; N] = core::array::from_fn(|_| &mut [][..]);
    for ((column, left), right) in columns.into_iter().zip(&mut left).zip(&mut right) {
        let row = row.min(column.len());
        (*left, *right) = column.split_at_mut(row);
    }
    (left, right)
}

fn split<R, const N: usize>(columns: [&[R]; N], row: usize) -> Halves<&[R], N> {
    (columns.map(|column| &column[..row]), columns.map(|column| &column[row..]))
}
