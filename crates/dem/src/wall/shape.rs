//! The shapes of walls: the one list, and the questions an engine asks of whichever it is.

use super::{Cone, Cylinder, Drawing, Enclosure, Plane, Pose, Region, Seen, Touch, TriangleMesh, WallShape};
use crate::law::EnergyPower;
use crate::physics::solid::Solid;
use std::sync::Arc;
use tumble_math::LabVec;

macro_rules! shapes {
    ($($(#[doc = $doc:literal])+ $name:ident($type:ty), $key:literal;)+) => {
        /// The shape of a wall, in its reference frame: one of the list, called directly, or one of a program's own.
        /// What they answer is described at [`WallShape`].
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum Shape {
            $($(#[doc = $doc])+ $name($type),)+
            /// A shape of a program's own.
            Other(Arc<dyn WallShape>),
        }

        /// Which shape of the list. Whatever has something to say of each, such as the keys of scenes, matches on
        /// this: a new shape does not compile until it has been thought of everywhere.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ShapeKind {
            $($(#[doc = $doc])+ $name,)+
        }

        impl ShapeKind {
            /// All of them, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The name, which is that of its key in scenes.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)+
                }
            }
        }

        impl PartialEq for Shape {
            /// Whether it is the same shape; of those of a program's own, the very same.
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$name(a), Self::$name(b)) => a == b,)+
                    (Self::Other(a), Self::Other(b)) => Arc::ptr_eq(a, b),
                    _ => false,
                }
            }
        }

        $(impl From<$type> for Shape {
            fn from(shape: $type) -> Self {
                Self::$name(shape)
            }
        })+

        /// Run-time choice outside, static dispatch inside.
        macro_rules! each {
            ($self:ident, $shape:ident => $answer:expr) => {
                match $self {
                    $(Self::$name($shape) => $answer,)+
                    Self::Other($shape) => $answer,
                }
            };
        }
    };
}

shapes! {
    /// A half space.
    Plane(Plane), "plane";
    /// A closed box around the spheres.
    Box(Enclosure), "box";
    /// A tube or a rod.
    Cylinder(Cylinder), "cylinder";
    /// A hopper or a solid cone.
    Cone(Cone), "cone";
    /// A surface of triangles, which walls may share.
    Mesh(Arc<TriangleMesh>), "mesh";
}

impl Shape {
    /// A shape of a program's own.
    pub fn of(shape: impl WallShape) -> Self {
        Self::Other(Arc::new(shape))
    }

    /// Appends the touches of a sphere: [`WallShape::touches`].
    ///
    /// # Panics
    /// If a candidate is not a triangle of the mesh.
    #[inline]
    pub fn touches(
        &self,
        centre: LabVec<f64>,
        radius: f64,
        power: EnergyPower,
        candidates: &[u32],
        found: &mut Vec<Touch>,
    ) {
        each!(self, shape => WallShape::touches(shape, centre, radius, power, candidates, found));
    }

    /// Whether a sphere does not touch it, where that can be seen at a glance: by its distance from flat faces.
    #[inline(always)]
    pub(crate) fn clearly_misses(&self, centre: LabVec<f64>, radius: f64) -> bool {
        match self {
            Self::Plane(plane) => plane.signed_distance(centre) >= radius,
            Self::Box(enclosure) => enclosure.signed_distance(centre) >= radius,
            _ => false,
        }
    }

    /// The distance from a point to the surface, m; negative in a solid. Exact; that of a mesh costs a search, which
    /// [`near`](Self::near) cuts short.
    pub fn distance(&self, point: LabVec<f64>) -> f64 {
        each!(self, shape => WallShape::distance(shape, point))
    }

    /// Whether the surface is within `reach` of a point, m, or the point in a solid.
    pub fn near(&self, point: LabVec<f64>, reach: f64) -> bool {
        each!(self, shape => WallShape::near(shape, point, reach))
    }

    /// Puts the triangles of a mesh within `reach` of a point into `triangles`, ascending; leaves it empty
    /// for other shapes. What was in it is lost, its room is used.
    pub fn candidates(&self, point: LabVec<f64>, reach: f64, triangles: &mut Vec<u32>) {
        triangles.clear();
        each!(self, shape => WallShape::candidates(shape, point, reach, triangles));
    }

    /// Whether a centre is in the solid of a shape that has one. Always false for the thin sheets.
    pub fn escaped(&self, centre: LabVec<f64>) -> bool {
        each!(self, shape => WallShape::escaped(shape, centre))
    }

    /// Whether the space that it leaves free is convex: [`WallShape::is_convex_room`].
    pub fn is_convex_room(&self) -> bool {
        each!(self, shape => WallShape::is_convex_room(shape))
    }

    /// Whether an ellipsoid can touch it: [`WallShape::takes_ellipsoids`].
    pub fn takes_ellipsoids(&self) -> bool {
        each!(self, shape => WallShape::takes_ellipsoids(shape))
    }

    /// Appends the touches of an ellipsoid: [`WallShape::touches_of_ellipsoid`].
    #[inline]
    pub fn touches_of_ellipsoid(&self, ellipsoid: &Solid<f64>, range: f64, found: &mut Vec<Touch>) {
        each!(self, shape => WallShape::touches_of_ellipsoid(shape, ellipsoid, range, found));
    }

    /// The smallest radius of curvature about the free space, m: [`WallShape::narrowest`].
    pub fn narrowest(&self) -> Option<f64> {
        each!(self, shape => WallShape::narrowest(shape))
    }

    /// Whether it is a thin sheet, touched from both sides: a mesh, a tube or a hopper of finite length.
    pub fn is_sheet(&self) -> bool {
        each!(self, shape => WallShape::is_sheet(shape))
    }

    /// Whether the straight line from one point to another goes through the sheet; never through what is no sheet.
    pub fn is_crossed(&self, from: LabVec<f64>, to: LabVec<f64>) -> bool {
        self.is_sheet() && each!(self, shape => WallShape::is_crossed(shape, from, to))
    }

    /// One more than the largest number of a feature.
    pub fn features(&self) -> u32 {
        each!(self, shape => WallShape::features(shape))
    }

    /// Balls that hold all of the surface that has an end, m.
    pub fn extent(&self) -> Vec<(LabVec<f64>, f64)> {
        each!(self, shape => WallShape::extent(shape))
    }

    /// The surface as triangles, for pictures.
    pub fn draw(&self, seen: &Seen) -> Drawing {
        each!(self, shape => WallShape::draw(shape, seen))
    }

    /// How far the surface can have moved between two poses of the wall as seen from a region:
    /// [`WallShape::displacement_bound`].
    pub fn displacement_bound(&self, from: &Pose, to: &Pose, region: Region) -> f64 {
        let of_material = from.displacement_bound(to, region);
        of_material.min(each!(self, shape => WallShape::displacement_bound(shape, from, to, region)))
    }
}

impl From<TriangleMesh> for Shape {
    fn from(mesh: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}
