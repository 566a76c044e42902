//! The pieces of bodies where some are no spheres: each is known by the first of its points. A capsule has the spheres at its two ends, an ellipsoid
//! its centre and the ends of its three semi-axes.

use super::Bodies;
use crate::physics::geometry::Sphere;
use crate::physics::piece::{Core, Piece};
use crate::physics::solid::Solid;
use tumble_math::LabVec;

/// In the place of the last point of a piece: no piece is known by this point, the second end of a capsule.
pub(crate) const NO_PIECE: u32 = u32::MAX;

/// There as well: it is the end of a semi-axis of an ellipsoid, and no sphere at all.
pub(crate) const TIP: u32 = u32::MAX - 1;

/// The places of the points of a piece, as [`Solid::of_points`] asks for them.
pub(crate) type Points = [u32; 4];

impl Bodies {
    /// Whether any template has pieces that are no spheres.
    #[inline(always)]
    pub(crate) fn has_pieces(&self) -> bool {
        !self.last_point.is_empty()
    }

    /// Whether any template has ellipsoids.
    #[inline(always)]
    pub(crate) fn has_ellipsoids(&self) -> bool {
        self.shapes.has_ellipsoids
    }

    /// The points of the piece that is known by a placed sphere. Only where there are such pieces.
    #[inline(always)]
    pub(crate) fn points_of(&self, sphere: u32) -> Points {
        let last = self.last_point[sphere as usize];
        let next = |number: u32| if last == sphere + 3 { sphere + number } else { sphere };
        [sphere, if last == sphere { sphere } else { sphere + 1 }, next(2), next(3)]
    }

    /// Whether a placed sphere is the centre of an ellipsoid.
    #[inline(always)]
    pub(crate) fn is_ellipsoid(&self, sphere: u32) -> bool {
        self.has_ellipsoids() && self.last_point[sphere as usize] == sphere.wrapping_add(3)
    }

    /// Whether it is the end of a semi-axis of one.
    #[inline(always)]
    pub(crate) fn is_tip(&self, sphere: u32) -> bool {
        self.has_ellipsoids() && self.last_point[sphere as usize] == TIP
    }

    /// The piece that is known by a placed sphere, shifted, of which an ellipsoid is the sphere at its centre. Only where there are such pieces.
    #[inline(always)]
    pub(crate) fn piece(&self, sphere: u32, [x, y, z]: [f64; 3]) -> Piece<f64> {
        let shift = LabVec::new(x, y, z);
        let last = self.last_point[sphere as usize];
        let last = if last == sphere + 3 { sphere } else { last };
        let [first, second] = [sphere, last].map(|end| {
            let [x, y, z, _] = self.spheres[end as usize];
            LabVec::new(x, y, z) + shift
        });
        Piece { core: Core::between([first, second]), radius: self.spheres[sphere as usize][3] }
    }

    /// The same, with an ellipsoid as it is.
    #[inline(always)]
    pub(crate) fn solid(&self, sphere: u32, [x, y, z]: [f64; 3]) -> Solid<f64> {
        let shift = LabVec::new(x, y, z);
        let points = self.points_of(sphere).map(|point| {
            let [x, y, z, _] = self.spheres[point as usize];
            LabVec::new(x, y, z) + shift
        });
        Solid::of_points(points, self.spheres[sphere as usize][3])
    }

    /// The sphere by which a piece touches a wall at a point.
    pub(crate) fn sphere_behind(&self, sphere: u32, point: LabVec<f64>) -> Sphere<f64> {
        if self.is_ellipsoid(sphere) {
            let own = self.solid(sphere, [0.0; 3]);
            return own.sphere_behind(point);
        }
        Sphere::from_array(self.spheres[sphere as usize])
    }

    /// How far the piece that is known by a placed sphere reaches from its centre, m: of an ellipsoid its longest semi-axis.
    pub(crate) fn reach_of(&self, sphere: u32) -> f64 {
        let place = |point: u32| {
            let [x, y, z, _] = self.spheres[point as usize];
            LabVec::new(x, y, z)
        };
        if !self.is_ellipsoid(sphere) {
            return self.spheres[sphere as usize][3];
        }
        let squares = [1, 2, 3].map(|number| (place(sphere + number) - place(sphere)).norm_squared());
        squares.into_iter().fold(0.0, f64::max).sqrt()
    }

    /// The pieces of a row by their spheres, where they are now, shifted. Only where there are such pieces.
    pub(crate) fn pieces(&self, row: usize, shift: [f64; 3]) -> impl Iterator<Item = (u32, Piece<f64>)> {
        let known = |sphere: &u32| self.last_point[*sphere as usize] < TIP;
        let spheres = self.first_sphere[row]..self.first_sphere[row + 1];
        spheres.filter(known).map(move |sphere| (sphere, self.piece(sphere, shift)))
    }
}
