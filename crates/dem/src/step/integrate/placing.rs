//! From the pose of a body to the places of its spheres.

use super::rows::Rows;
use super::scratch::{BlockColumns, whole_vectors};
use crate::bodies::Shapes;
use crate::columns::ROWS;
use crate::physics::body::{offset, template_to_lab};
use crate::precision::{Float, narrow_q, narrow3, wide3};
use core::marker::PhantomData;
use core::ops::Range;
use tumble_math::Quat;
use tumble_rotation::batch::Kernel;

/// Places the spheres of the rows of a block that are needed.
pub(super) struct Place<'a, 'b, R> {
    pub(super) rows: &'a mut Rows<'b>,
    pub(super) range: Range<usize>,
    pub(super) shapes: &'a Shapes,
    pub(super) q: &'a BlockColumns<4>,
    pub(super) scale: &'a [f64; ROWS],
    pub(super) frames: &'a mut Frames,
    /// Up to so many spheres it is cheaper to place them all, several bodies at a time, than to look which are needed.
    pub(super) few: usize,
    pub(super) float: PhantomData<R>,
}

/// Where the template of each row of a block is.
pub(super) struct Frames {
    /// Matrices that take a vector of the template to the lab, size included: by row, then by column.
    pub(super) turn: [BlockColumns<3>; 3],
    pub(super) centre: BlockColumns<3>,
    /// A sphere of each row.
    pub(super) placed: BlockColumns<3>,
}

impl<R: Float> Kernel for Place<'_, '_, R> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { rows, range, shapes, q, scale, frames, few, .. } = self;
        let Frames { turn, centre, placed } = frames;
        let whole = whole_vectors(range.len());
        for (copy, column) in centre.iter_mut().zip(&rows.position[range.start / ROWS]) {
            copy[..whole].copy_from_slice(&column[..whole]);
        }
        turn_matrices::<R>(whole, q, scale, turn);

        let template = rows.template[range.start];
        let shape = shapes.of(template);
        let base = rows.first_sphere[0];
        let first = (rows.first_sphere[range.start] - base) as usize;
        let alike = rows.template[range.clone()].iter().all(|other| *other == template);
        if alike && shape.len() <= few {
            let spheres = &mut rows.spheres[first..first + range.len() * shape.len()];
            for (number, sphere) in shape.iter().enumerate() {
                place_alike::<R>(whole, turn, centre, *sphere, placed);
                let [x, y, z] = &*placed;
                for (k, body) in spheres.chunks_exact_mut(shape.len()).enumerate() {
                    body[number] = [x[k], y[k], z[k], sphere[3] * scale[k]];
                }
            }
            return;
        }
        for (k, row) in range.enumerate() {
            let first = (rows.first_sphere[row] - base) as usize;
            let shape = shapes.of(rows.template[row]);
            let mut place_one = |number: usize| {
                let [x, y, z, radius] = shape[number];
                let along = |axis: usize| {
                    let row = narrow3([turn[axis][0][k], turn[axis][1][k], turn[axis][2][k]]);
                    centre[axis][k] + offset::<R>(row, narrow3([x, y, z])).wide()
                };
                rows.spheres[first + number] = [along(0), along(1), along(2), radius * scale[k]];
            };
            if let [from, to, ..] = rows.needed_first.get(row..).unwrap_or_default() {
                rows.needed[*from as usize..*to as usize]
                    .iter()
                    .for_each(|&number| place_one(number as usize));
            } else {
                (0..shape.len()).for_each(place_one);
            }
        }
    }
}

#[inline(always)]
pub(super) fn turn_matrices<R: Float>(
    rows: usize,
    q: &BlockColumns<4>,
    scale: &[f64; ROWS],
    turn: &mut [BlockColumns<3>; 3],
) {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = turn;
    assert!(rows <= ROWS);
    for k in 0..rows {
        let q: Quat<R> = narrow_q(Quat::new(q[0][k], q[1][k], q[2][k], q[3][k]));
        let [x, y, z] = template_to_lab(q, R::narrow(scale[k]));
        [xx[k], xy[k], xz[k]] = wide3(x);
        [yx[k], yy[k], yz[k]] = wide3(y);
        [zx[k], zy[k], zz[k]] = wide3(z);
    }
}

/// The same sphere of all bodies of a block.
#[inline(always)]
pub(super) fn place_alike<R: Float>(
    rows: usize,
    turn: &[BlockColumns<3>; 3],
    centre: &BlockColumns<3>,
    [x, y, z, _]: [f64; 4],
    placed: &mut BlockColumns<3>,
) {
    let point = narrow3::<R>([x, y, z]);
    assert!(rows <= ROWS);
    for (axis, placed) in placed.iter_mut().enumerate() {
        let ([a, b, c], centre) = (&turn[axis], &centre[axis]);
        for k in 0..rows {
            placed[k] = centre[k] + offset(narrow3([a[k], b[k], c[k]]), point).wide();
        }
    }
}
