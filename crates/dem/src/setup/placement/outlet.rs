//! Bodies that leave during a run: those in a zone are taken out and counted.

use super::error::{PlacementError, cylinder, finite, inside, positive};
use super::region::Tube;
use crate::id::BodyId;
use crate::solver::Solver;
use tumble_math::LabVec;

/// Where bodies are taken out, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    /// A box.
    Box {
        /// The corner with the smallest coordinates.
        low: LabVec<f64>,
        /// The corner with the largest coordinates.
        high: LabVec<f64>,
    },
    /// A cylinder with its ends.
    Cylinder {
        /// The middle of one end.
        from: LabVec<f64>,
        /// The middle of the other.
        to: LabVec<f64>,
        /// Its radius.
        radius: f64,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        centre: LabVec<f64>,
        /// Its radius.
        radius: f64,
    },
    /// All that is on one side of a plane.
    HalfSpace {
        /// Any point of the plane.
        point: LabVec<f64>,
        /// Points out of the half that bodies leave in, as the normal of a wall does; of any length.
        normal: LabVec<f64>,
    },
}

impl Zone {
    fn check(&self) -> Result<(), PlacementError> {
        match *self {
            Self::Box { low, high } => inside(low, high),
            Self::Cylinder { from, to, radius } => cylinder(from, to, radius),
            Self::Sphere { centre, radius } => {
                finite("middle of the sphere", centre)?;
                positive("radius of the sphere", radius)
            }
            Self::HalfSpace { point, normal } => {
                finite("point of the plane", point)?;
                finite("normal of the plane", normal)?;
                positive("length of the normal of the plane", normal.norm())
            }
        }
    }

    /// Whether a point is in it.
    pub fn contains(&self, point: LabVec<f64>) -> bool {
        match *self {
            Self::Box { low, high } => {
                let [low, high, at] = [low, high, point].map(LabVec::to_array);
                (0..3).all(|axis| low[axis] <= at[axis] && at[axis] <= high[axis])
            }
            Self::Cylinder { from, to, radius } => {
                let tube = Tube::new(from, to - from, radius);
                let (along, across) = tube.parts(point);
                (0.0..=tube.length).contains(&along) && across.norm() <= radius
            }
            Self::Sphere { centre, radius } => (point - centre).norm() <= radius,
            Self::HalfSpace { point: on, normal } => (point - on).dot(normal) <= 0.0,
        }
    }
}

/// A zone in use, with what left through it.
///
/// ```
/// use tumble_dem::LabVec;
/// use tumble_dem::placement::{Outlet, Zone};
/// let below = Zone::HalfSpace { point: LabVec::zero(), normal: LabVec::new(0.0, 0.0, 1.0) };
/// let outlet = Outlet::new("drain", below)?;
/// assert!(outlet.zone().contains(LabVec::new(3.0, 4.0, -1.0)));
/// assert_eq!(outlet.taken().bodies, 0);
/// # Ok::<(), tumble_dem::placement::PlacementError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outlet {
    name: String,
    zone: Zone,
    taken: Taken,
}

/// What left through an outlet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Taken {
    /// How many bodies.
    pub bodies: u64,
    /// Their mass, kg.
    pub mass: f64,
}

impl Taken {
    /// How many bytes it has.
    pub const BYTES: usize = 16;

    /// As bytes, for a checkpoint.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.bodies.to_le_bytes());
        bytes[8..].copy_from_slice(&self.mass.to_bits().to_le_bytes());
        bytes
    }

    /// Of its bytes; none if they cannot be those of it.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let number = |at: usize| u64::from_le_bytes(core::array::from_fn(|k| bytes[at + k]));
        let taken = Self { bodies: number(0), mass: f64::from_bits(number(8)) };
        (taken.mass.is_finite() && taken.mass >= 0.0).then_some(taken)
    }
}

impl Outlet {
    /// An outlet through which nothing has left yet.
    pub fn new(name: impl Into<String>, zone: Zone) -> Result<Self, PlacementError> {
        zone.check()?;
        Ok(Self { name: name.into(), zone, taken: Taken::default() })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where bodies leave.
    pub fn zone(&self) -> &Zone {
        &self.zone
    }

    /// What left so far.
    pub fn taken(&self) -> Taken {
        self.taken
    }

    /// Goes on from what had left.
    pub fn restore(&mut self, taken: Taken) {
        self.taken = taken;
    }

    /// The bodies of an engine whose centre of mass is in the zone now, which are counted as gone: they have to be taken
    /// out. Held bodies stay.
    pub fn due(&mut self, engine: &dyn Solver) -> Vec<BodyId> {
        let mut due = Vec::new();
        let taken = &mut self.taken;
        // By number, so the sum of masses has one order.
        engine.visit_bodies(&mut |some| {
            for body in some.iter().filter(|body| !body.held && self.zone.contains(body.position)) {
                due.push(body.id);
                taken.bodies += 1;
                taken.mass += body.mass;
            }
        });
        due
    }
}
