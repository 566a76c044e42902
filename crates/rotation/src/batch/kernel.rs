//! The loop over the rows of a batch. It is compiled once per instruction set (`dispatch.rs`), scheme, hook
//! and precision, and must vectorise each time; `cargo xtask vectorised` reads the assembly to make sure.
//!
//! To vectorise, the compiler must know that what the loop writes does not overlap what it reads. It does
//! if each written column is a parameter of its own: exclusive references, one by one, not in an array.

use super::columns::{Columns, MAX_MEMORY};
use crate::{Drive, Hook, Memory, PrincipalInertia, RotationScheme, Spin};
use tumble_math::{Quat, Real, Vec3};

/// Rows in a block: a multiple of every vector, long enough to outweigh what is done once per block, and short
/// enough not to waste much on the last, filled-up one.
const ROWS: usize = 32;

type Column<R> = [R; ROWS];

/// The hook as a type, so that each gets its own loop.
pub(super) trait ConstHook {
    const HOOK: Hook;
}

/// What a block of rows is computed from beside its state.
struct Given<'a, R> {
    memory: [&'a Column<R>; MAX_MEMORY],
    torque: [&'a Column<R>; 3],
    moments: [&'a Column<R>; 3],
    inverse: [&'a Column<R>; 3],
}

#[inline(always)]
pub(super) fn run<S: RotationScheme, R: Real, H: ConstHook>(columns: &mut Columns<'_, R>, dt: R) {
    let width = <S::Memory<R>>::WIDTH;
    const { assert!(<S::Memory<R>>::WIDTH <= MAX_MEMORY, "a scheme may remember up to 14 numbers") };
    let ones = [R::lit(1.0); ROWS];
    let mut memory_out = [ones; MAX_MEMORY];
    for first in (0..columns.len()).step_by(ROWS) {
        let range = first..columns.len().min(first + ROWS);
        if range.len() == ROWS {
            let given = Given {
                memory: if width == 0 {
                    [&ones; MAX_MEMORY]
                } else {
                    columns.memory.each_ref().map(|c| block(c, first, &ones))
                },
                torque: columns.torque.map(|c| block(c, first, &ones)),
                moments: columns.moments.map(|c| block(c, first, &ones)),
                inverse: columns.inverse.map(|c| block(c, first, &ones)),
            };
            if H::HOOK.only_looks() {
                let [w, x, y, z] = columns.q.each_ref().map(|c| *block(c, first, &ones));
                let [a, b, c] = columns.omega.each_ref().map(|c| *block(c, first, &ones));
                let seen = copied_rows::<S, R, H>([w, x, y, z, a, b, c], &given, &mut memory_out, dt);
                store(&mut columns.seen, &seen, range.clone());
            } else {
                // The usual case: a full block, changed where it lies.
                let [w, x, y, z] = columns.q.each_mut().map(|c| c[range.clone()].as_mut_array());
                let [a, b, c] = columns.omega.each_mut().map(|c| c[range.clone()].as_mut_array());
                if let (Some(w), Some(x), Some(y), Some(z), Some(a), Some(b), Some(c)) = (w, x, y, z, a, b, c)
                {
                    rows::<S, R, H>(w, x, y, z, a, b, c, &given, &mut memory_out, dt);
                }
            }
        } else {
            // The last rows, filled up with ones.
            let mut memory = [ones; MAX_MEMORY];
            for (padded_column, column) in memory.iter_mut().zip(&columns.memory[..width]) {
                *padded_column = padded(column, first);
            }
            let torque = columns.torque.map(|c| padded(c, first));
            let moments = columns.moments.map(|c| padded(c, first));
            let inverse = columns.inverse.map(|c| padded(c, first));
            let given = Given {
                memory: memory.each_ref(),
                torque: torque.each_ref(),
                moments: moments.each_ref(),
                inverse: inverse.each_ref(),
            };
            let [w, x, y, z] = columns.q.each_ref().map(|c| padded(c, first));
            let [a, b, c] = columns.omega.each_ref().map(|c| padded(c, first));
            let result = copied_rows::<S, R, H>([w, x, y, z, a, b, c], &given, &mut memory_out, dt);
            if H::HOOK.only_looks() {
                store(&mut columns.seen, &result, range.clone());
            } else {
                let [q @ .., a, b, c] = result;
                store(&mut columns.q, &q, range.clone());
                store(&mut columns.omega, &[a, b, c], range.clone());
            }
        }
        if !H::HOOK.only_looks() {
            store(&mut columns.memory[..width], &memory_out[..width], range);
        }
    }
}

/// The loop on a copy of the state: q, then ω.
#[inline(always)]
fn copied_rows<S: RotationScheme, R: Real, H: ConstHook>(
    state: [Column<R>; 7],
    given: &Given<'_, R>,
    memory_out: &mut [Column<R>; MAX_MEMORY],
    dt: R,
) -> [Column<R>; 7] {
    let [mut w, mut x, mut y, mut z, mut a, mut b, mut c] = state;
    rows::<S, R, H>(&mut w, &mut x, &mut y, &mut z, &mut a, &mut b, &mut c, given, memory_out, dt);
    [w, x, y, z, a, b, c]
}

/// The loop itself.
#[allow(clippy::too_many_arguments, reason = "see the top of this file")]
#[inline(always)]
fn rows<S: RotationScheme, R: Real, H: ConstHook>(
    qw: &mut Column<R>,
    qx: &mut Column<R>,
    qy: &mut Column<R>,
    qz: &mut Column<R>,
    omega_x: &mut Column<R>,
    omega_y: &mut Column<R>,
    omega_z: &mut Column<R>,
    given: &Given<'_, R>,
    memory_out: &mut [Column<R>; MAX_MEMORY],
    dt: R,
) {
    for i in 0..ROWS {
        let spin = Spin {
            q: Quat::new(qw[i], qx[i], qy[i], qz[i]),
            omega: Vec3::new(omega_x[i], omega_y[i], omega_z[i]),
        };
        let inertia = PrincipalInertia::from_parts(vector(&given.moments, i), vector(&given.inverse, i));
        let drive = Drive { torque: vector(&given.torque, i), inertia, dt };
        let mut memory = <S::Memory<R>>::blank();
        for (value, column) in memory.as_mut().iter_mut().zip(&given.memory) {
            *value = column[i];
        }
        let memory = <S::Memory<R>>::from_columns(memory);
        let (spin, memory) = H::HOOK.call::<S, R, _>(spin, memory, drive);
        qw[i] = spin.q.w;
        qx[i] = spin.q.x;
        qy[i] = spin.q.y;
        qz[i] = spin.q.z;
        omega_x[i] = spin.omega.x;
        omega_y[i] = spin.omega.y;
        omega_z[i] = spin.omega.z;
        for (value, column) in memory.to_columns().as_ref().iter().zip(&mut *memory_out) {
            column[i] = *value;
        }
    }
}

#[inline(always)]
fn vector<R: Copy, F>(columns: &[&Column<R>; 3], i: usize) -> Vec3<R, F> {
    Vec3::new(columns[0][i], columns[1][i], columns[2][i])
}

/// A full block of a column, or `ones` of a column that is not used.
#[inline(always)]
fn block<'a, R>(column: &'a [R], first: usize, ones: &'a Column<R>) -> &'a Column<R> {
    column.get(first..).and_then(|rest| rest.first_chunk()).unwrap_or(ones)
}

/// The rest of a column, filled up with ones.
#[inline(always)]
fn padded<R: Real>(column: &[R], first: usize) -> Column<R> {
    let mut block = [R::lit(1.0); ROWS];
    for (slot, value) in block.iter_mut().zip(column.get(first..).unwrap_or_default()) {
        *slot = *value;
    }
    block
}

#[inline(always)]
fn store<R: Copy>(columns: &mut [&mut [R]], blocks: &[Column<R>], range: core::ops::Range<usize>) {
    for (column, block) in columns.iter_mut().zip(blocks) {
        column[range.clone()].copy_from_slice(&block[..range.len()]);
    }
}
