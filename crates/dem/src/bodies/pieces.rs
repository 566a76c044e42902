//! The pieces of bodies where some are capsules: a capsule is known by the sphere at its first end.

use super::Bodies;
use crate::physics::piece::{Core, Piece};
use tumble_math::LabVec;

/// In the place of the other end of a capsule: no piece is known by this sphere.
pub(crate) const NO_PIECE: u32 = u32::MAX;

impl Bodies {
    /// Whether any template has capsules.
    #[inline(always)]
    pub(crate) fn has_capsules(&self) -> bool {
        !self.other_end.is_empty()
    }

    /// The piece that is known by a placed sphere, shifted. Only where there are capsules.
    #[inline(always)]
    pub(crate) fn piece(&self, sphere: u32, [x, y, z]: [f64; 3]) -> Piece<f64> {
        let shift = LabVec::new(x, y, z);
        let [first, second] = [sphere, self.other_end[sphere as usize]].map(|end| {
            let [x, y, z, _] = self.spheres[end as usize];
            LabVec::new(x, y, z) + shift
        });
        Piece { core: Core::between([first, second]), radius: self.spheres[sphere as usize][3] }
    }

    /// The pieces of a row by their spheres, where they are now, shifted. Only where there are capsules.
    pub(crate) fn pieces(&self, row: usize, shift: [f64; 3]) -> impl Iterator<Item = (u32, Piece<f64>)> {
        let known = |sphere: &u32| self.other_end[*sphere as usize] != NO_PIECE;
        let spheres = self.first_sphere[row]..self.first_sphere[row + 1];
        spheres.filter(known).map(move |sphere| (sphere, self.piece(sphere, shift)))
    }
}
