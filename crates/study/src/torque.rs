//! The torques that problems may have, and the one list of them.
//!
//! A new torque is a variant of [`Torque`] and an entry of [`TORQUES`]: command line and help follow from it.

use tumble_rotation::Spin;
use tumble_rotation::math::elementary::{exp, ln, sin_cos};
use tumble_rotation::math::{BodyVec, LabVec};

/// A torque as a function of orientation, angular velocity and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Torque {
    /// No torque.
    None,
    /// Constant in the body frame, N m.
    Body(BodyVec<f64>),
    /// Constant in the lab frame, N m.
    Lab(LabVec<f64>),
    /// A exp(C t) about the lab's y axis.
    Exponential {
        /// A, N m.
        amplitude: f64,
        /// C, 1/s.
        growth: f64,
    },
    /// The three-dimensional torque of Seelen et al. 2016, eq. (5), along the body axes as in their eq. (8).
    Seelen,
    /// A constant lab force on a point of the body, the origin being held.
    HeavyTop {
        /// The force, N.
        force: LabVec<f64>,
        /// The point, m.
        point: BodyVec<f64>,
    },
    /// −c ω
    Drag {
        /// c, N m s.
        coefficient: f64,
    },
}

impl Torque {
    /// The torque in the lab frame, N m.
    #[inline]
    pub fn at(self, spin: Spin<f64>, t: f64) -> LabVec<f64> {
        match self {
            Self::None => LabVec::zero(),
            Self::Body(torque) => spin.q.to_lab(torque),
            Self::Lab(torque) => torque,
            Self::Exponential { amplitude, growth } => LabVec::new(0.0, amplitude * exp(growth * t), 0.0),
            Self::Seelen => spin.q.to_lab(seelen(t)),
            Self::HeavyTop { force, point } => spin.q.to_lab(point).cross(force),
            Self::Drag { coefficient } => spin.q.to_lab(spin.omega * -coefficient),
        }
    }

    /// The potential energy, J, of a torque that conserves energy.
    pub fn potential(self, spin: Spin<f64>) -> Option<f64> {
        match self {
            Self::None => Some(0.0),
            Self::HeavyTop { force, point } => Some(-force.dot(spin.q.to_lab(point))),
            Self::Body(_) | Self::Lab(_) | Self::Exponential { .. } | Self::Seelen | Self::Drag { .. } => {
                None
            }
        }
    }

    /// The numbers that determine it, in the order of its parameters in [`TORQUES`].
    pub fn parameters(self) -> Vec<f64> {
        match self {
            Self::None | Self::Seelen => Vec::new(),
            Self::Body(torque) => torque.to_array().to_vec(),
            Self::Lab(torque) => torque.to_array().to_vec(),
            Self::Exponential { amplitude, growth } => vec![amplitude, growth],
            Self::HeavyTop { force, point } => [force.to_array(), point.to_array()].concat(),
            Self::Drag { coefficient } => vec![coefficient],
        }
    }
}

/// The prescribed torque of Seelen et al. 2016, eq. (5).
pub(crate) fn seelen(t: f64) -> BodyVec<f64> {
    BodyVec::new(
        5e-4 * sin_cos(200.0 * std::f64::consts::PI * t).0,
        1e-5 * exp(3.0 + 24.0 * t),
        1e-5 * exp(52.0 * t * ln(5.0)),
    )
}

/// A kind of torque, as listed and chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct TorqueKind {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// What may be given, in order.
    pub parameters: &'static [Parameter],
    make: fn(&[f64]) -> Torque,
}

/// One or more numbers that a torque depends on.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// What it is.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its components where none are given.
    pub default: &'static [f64],
}

const fn parameter(name: &'static str, unit: &'static str, default: &'static [f64]) -> Parameter {
    Parameter { name, unit, default }
}

/// Every torque.
pub const TORQUES: &[TorqueKind] = &[
    TorqueKind { name: "none", description: "free body", parameters: &[], make: |_| Torque::None },
    TorqueKind {
        name: "body",
        description: "constant in the body frame",
        parameters: &[parameter("torque", "N m", &[0.5, 0.0, 0.0])],
        make: |p| Torque::Body(BodyVec::new(p[0], p[1], p[2])),
    },
    TorqueKind {
        name: "lab",
        description: "constant in the lab frame",
        parameters: &[parameter("torque", "N m", &[0.5, 0.0, 0.0])],
        make: |p| Torque::Lab(LabVec::new(p[0], p[1], p[2])),
    },
    TorqueKind {
        name: "exponential",
        description: "A exp(C t) about the lab y axis (Zhao & van Wachem 2013, test 3)",
        parameters: &[parameter("A", "N m", &[1e5]), parameter("C", "1/s", &[1.0])],
        make: |p| Torque::Exponential { amplitude: p[0], growth: p[1] },
    },
    TorqueKind {
        name: "seelen",
        description: "(5e-4 sin 200πt, 1e-5 exp(3+24t), 1e-5·5^(52t)) N m along the body axes (Seelen et al. 2016, eq. 5)",
        parameters: &[],
        make: |_| Torque::Seelen,
    },
    TorqueKind {
        name: "heavy-top",
        description: "constant lab force on a body point, the origin held",
        parameters: &[parameter("force", "N", &[0.0, 0.0, -2.0]), parameter("point", "m", &[0.3, 0.2, 0.5])],
        make: |p| Torque::HeavyTop {
            force: LabVec::new(p[0], p[1], p[2]),
            point: BodyVec::new(p[3], p[4], p[5]),
        },
    },
    TorqueKind {
        name: "drag",
        description: "linear drag −c ω",
        parameters: &[parameter("c", "N m s", &[0.2])],
        make: |p| Torque::Drag { coefficient: p[0] },
    },
];

impl TorqueKind {
    /// The torque of this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TORQUES.iter().find(|kind| kind.name == name)
    }

    /// The default numbers.
    pub fn defaults(&self) -> Vec<f64> {
        self.parameters.iter().flat_map(|parameter| parameter.default.iter().copied()).collect()
    }

    /// The torque with these numbers, and the default for what is missing at the end; nothing if there are
    /// more numbers than the torque takes.
    pub fn with(&self, numbers: &[f64]) -> Option<Torque> {
        let mut all = self.defaults();
        all.get_mut(..numbers.len())?.copy_from_slice(numbers);
        Some((self.make)(&all))
    }

    /// How it is written on the command line with its defaults, such as `exponential=100000,1`.
    pub fn usage(&self) -> String {
        let numbers: Vec<String> = self.defaults().iter().map(f64::to_string).collect();
        if numbers.is_empty() { self.name.into() } else { format!("{}={}", self.name, numbers.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_and_the_variants_agree() {
        for kind in TORQUES {
            let torque = kind.with(&[]).unwrap();
            assert_eq!(torque.parameters(), kind.defaults(), "{}", kind.name);
            assert!(kind.with(&[1.0; 7]).is_none(), "{}", kind.name);
            assert_eq!(TorqueKind::find(kind.name).unwrap().description, kind.description);
        }
        let partly = TorqueKind::find("exponential").unwrap().with(&[3.0]).unwrap();
        assert_eq!(partly, Torque::Exponential { amplitude: 3.0, growth: 1.0 });
    }
}
