//! Walls: fixed or moving surfaces that spheres touch. Geometry and motion only; no contact law.
//!
//! A [`Wall`] is a [`Shape`] in a *reference frame* that a [`Motion`] carries through the laboratory, as prescribed or, with a
//! [`Freedom`], as bodies and a drive push it. The
//! engine takes a sphere's centre into the reference frame with [`Pose::to_reference`], asks
//! [`Shape::touches`], and takes the normals back with [`Pose::direction_to_lab`]. Both frames are written
//! as [`LabVec`]: the reference frame is the laboratory at the moment the wall was drawn.
//!
//! A **touch** is a local minimum of the distance from the centre to the surface that is less than the
//! radius. A sphere in the corner of a box touches three faces, one on a convex edge touches that edge once.
//! What a centre *beyond* the surface gets is described at [`WallShape`].

mod checks;
mod cone;
mod crossing;
mod cylinder;
mod drawing;
mod enclosure;
mod error;
mod freedom;
mod frustum;
pub mod mesh;
mod motion;
mod plane;
mod pose;
mod shape;
pub mod stl;
mod timing;
mod wall_shape;

pub use cone::Cone;
pub use cylinder::Cylinder;
pub use drawing::{Drawing, SEGMENTS, Seen};
pub use enclosure::Enclosure;
pub use error::Error;
pub(crate) use freedom::Drifted;
pub use freedom::{Freedom, Way};
pub use mesh::{
    EDGE_INDICES, FACET_INDICES, FACET_NUMBERS, MeshOptions, MeshReport, MeshTables, TriangleMesh,
    VERTEX_INDICES,
};
pub use motion::{Drive, Motion, Movement, Presence};
pub use plane::Plane;
pub use pose::{Pose, Region};
pub use shape::{Shape, ShapeKind};
pub use stl::{Stl, StlError};
pub use timing::{Row as TimingRow, Timing, USUAL_RAMP};
pub use wall_shape::WallShape;

use crate::heat::WallTemperature;
use crate::id::MaterialId;
use crate::physics::solid::Solid;
use crate::physics::surface::Nearest;
use tumble_math::LabVec;

/// A surface, what it is made of, and how it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// The name in messages and output; not empty.
    pub name: String,
    /// The surface, in the reference frame.
    pub shape: Shape,
    /// What it is made of.
    pub material: MaterialId,
    /// How the reference frame moves through the laboratory.
    pub motion: Motion,
    /// How warm it is; one without is an insulator. Of no meaning in a world without [heat](crate::World::heat).
    pub temperature: Option<WallTemperature>,
}

impl Wall {
    /// A wall; the name must not be blank. Shape and motion were checked when they were made.
    ///
    /// ```
    /// use tumble_dem::MaterialId;
    /// use tumble_dem::wall::{Motion, Movement, Plane, Wall};
    /// use tumble_math::LabVec;
    /// let floor = Plane::new(LabVec::zero(), LabVec::new(0.0, 0.0, 1.0))?;
    /// let shaking = Motion::new(vec![Movement::Vibration {
    ///     amplitude: LabVec::new(0.0, 0.0, 1e-3),
    ///     frequency: 50.0,
    ///     phase: 0.0,
    /// }])?;
    /// let table = Wall::new("shaking table", floor, MaterialId(0), shaking)?;
    /// assert!(!table.motion.is_static());
    /// # Ok::<(), tumble_dem::wall::Error>(())
    /// ```
    pub fn new(
        name: impl Into<String>,
        shape: impl Into<Shape>,
        material: MaterialId,
        motion: Motion,
    ) -> Result<Self, Error> {
        let name = name.into();
        if name.trim().is_empty() {
            return Err(Error::Unnamed);
        }
        Ok(Self { name, shape: shape.into(), material, motion, temperature: None })
    }

    /// With this temperature, whatever flows through it.
    #[must_use]
    pub fn at_temperature(self, temperature: WallTemperature) -> Self {
        Self { temperature: Some(temperature), ..self }
    }
}

/// Where the spheres are that a cylinder or a cone is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The spheres are within the tube or hopper.
    Inside,
    /// The surface bounds a solid obstacle, and the spheres are around it.
    Outside,
}

/// One contact of a sphere with a wall, in the wall's reference frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Which part of the wall is touched: the key of a contact's history. The numbers are those of each
    /// shape's documentation; they depend on nothing but the shape.
    pub feature: u32,
    /// Unit vector from the wall towards the centre of the sphere; the wall pushes along it.
    pub normal: LabVec<f64>,
    /// Radius less distance, m; positive. More than the radius where the centre is within a solid.
    pub overlap: f64,
    /// How fast the overlap grows as the centre moves against the normal: 1, but where several parts of a mesh
    /// make up one touch.
    pub slope: f64,
}

impl Touch {
    /// That of a sphere with the nearest point of a surface, if it is near enough.
    #[inline]
    fn at(Nearest { feature, distance, normal }: Nearest<f64>, radius: f64) -> Option<Self> {
        let touch = Self { feature: whole(feature), normal, overlap: radius - distance, slope: 1.0 };
        if distance < radius { Some(touch) } else { None }
    }

    /// That of an ellipsoid with a flat face, told by the distance of its centre, if it reaches that far and a range more.
    #[inline]
    fn of_ellipsoid(
        ellipsoid: &Solid<f64>,
        Nearest { feature, distance, normal }: Nearest<f64>,
        range: f64,
    ) -> Option<Self> {
        let overlap = ellipsoid.height(normal) - distance;
        (overlap > -range).then(|| Self { feature: whole(feature), normal, overlap, slope: 1.0 })
    }
}

/// The whole number that physics has as a number like any other.
#[inline]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small, whole and not negative")]
fn whole(number: f64) -> u32 {
    number as u32
}
