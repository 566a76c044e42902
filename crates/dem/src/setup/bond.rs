//! Bonds between bodies, as they are put into a world: which bodies, where, how stiff, how strong.
//!
//! A bond acts like a beam without mass between two points of two bodies ([`crate::physics::bond`] has the equations). A [`Beam`] of
//! round cross-section gives the four stiffnesses of a bond of length a, with A = πR², I = πR⁴/4, J = 2I and G = E/2(1 + ν):
//!
//! | model | axial c_A | shear c_D | bending c_B | twist c_T |
//! | --- | --- | --- | --- | --- |
//! | `timoshenko` | EA/a | 12EI/a³(1 + Φ), Φ = 12EI/κGAa² | EI/a | GJ/a |
//! | `bernoulli-euler` | EA/a | 12EI/a³ | EI/a | GJ/a |
//! | `short-cylinder` | E′A/a | GA/a | E′I/a | GJ/a |
//!
//! κ = 6(1 + ν)/(7 + 6ν) is that of G. R. Cowper, J. Appl. Mech. 33 (1966) 335, for a full circle. E′ = E(1 − ν)/(1 + ν)(1 − 2ν) is the modulus of a layer
//! that cannot give way sideways: a bond much shorter than thick between two bodies that are far stiffer. Kuzkin and Asonov (2012) calibrate their
//! potential by the same three cases.
//!
//! A [`ParallelBond`] is another kind of bond, whose forces are added up from step to step ([`crate::physics::parallel_bond`]).

mod parallel;
mod rule;

pub use parallel::ParallelBond;
pub use rule::{BondRule, Making, TouchBonds, Weibull, Width};

use crate::id::BodyId;
use crate::physics::bond::BondAction;
use crate::random::Random;
use core::f64::consts::PI;
use core::fmt;
use tumble_math::LabVec;
use tumble_math::elementary::{exp, ln};

/// A bond as it is put into the world. It is at rest as the bodies are then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// The two bodies.
    pub bodies: [BodyId; 2],
    /// From each centre of mass to its end of the bond, in the lab, m.
    pub arms: [LabVec<f64>; 2],
    /// What follows from how its bodies move.
    pub kind: BondKind,
    /// How it resists.
    pub stiffness: Stiffness,
    /// T of the dashpots beside its stiffnesses, s; see [`crate::physics::bond`].
    pub damping: f64,
    /// What it bears.
    pub limits: Limits,
    /// Whether the two bodies also feel their contact. Without, they do once no bond is left between them.
    pub contact: bool,
}

/// What the forces of a bond follow from.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum BondKind {
    /// A potential of the poses of its bodies: [`crate::physics::bond`]. Each of its limits is for itself.
    #[default]
    Beam,
    /// Increments that are added up from step to step: [`crate::physics::parallel_bond`]. Pull and bending count together against the limits of both, and
    /// so do shear and twist.
    Parallel {
        /// Which part of the way from the end at the first body to that at the second the disc is at, 0 to 1.
        at: f64,
    },
}

impl BondKind {
    /// In scenes and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beam => "beam",
            Self::Parallel { .. } => "parallel",
        }
    }
}

/// The four stiffnesses of a bond.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Stiffness {
    /// When its ends are pulled apart, N/m.
    pub axial: f64,
    /// When they are shifted and do not turn, N/m.
    pub shear: f64,
    /// When they are bent against each other, N m.
    pub bending: f64,
    /// When they are twisted, N m.
    pub twist: f64,
}

/// How a bond can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakMode {
    /// Pulled along its axis.
    Tension,
    /// Sheared off.
    Shear,
    /// Bent.
    Bending,
    /// Twisted.
    Twist,
}

impl BreakMode {
    /// All of them, in the order of [`Limits`].
    pub const ALL: [Self; 4] = [Self::Tension, Self::Shear, Self::Bending, Self::Twist];

    /// In tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tension => "tension",
            Self::Shear => "shear",
            Self::Bending => "bending",
            Self::Twist => "twist",
        }
    }
}

impl fmt::Display for BreakMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The loads beyond which a bond breaks, each by itself; infinite where it never does. They are compared with what its springs exert, without
/// its dashpots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Pull along the bond, N. Pressure breaks no bond.
    pub tension: f64,
    /// Force across it, N.
    pub shear: f64,
    /// The larger of the moments that bend its ends, N m.
    pub bending: f64,
    /// The moment that twists it, N m.
    pub twist: f64,
}

impl Limits {
    /// A bond that never breaks.
    pub const NONE: Self =
        Self { tension: f64::INFINITY, shear: f64::INFINITY, bending: f64::INFINITY, twist: f64::INFINITY };

    /// In the order of [`BreakMode::ALL`].
    pub fn to_array(self) -> [f64; 4] {
        [self.tension, self.shear, self.bending, self.twist]
    }

    /// All of them times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let [tension, shear, bending, twist] = self.to_array().map(|limit| limit * factor);
        Self { tension, shear, bending, twist }
    }
}

/// How much of what it bears a bond is loaded with, in each way, given the inverses of its limits; whether pull and bending, and shear and twist, are
/// one stress each.
pub(crate) fn used(action: &BondAction<f64>, inverse_limits: [f64; 4], together: bool) -> [f64; 4] {
    let loads = [action.tension, action.shear, action.bending, action.twist];
    let [tension, shear, bending, twist] = core::array::from_fn(|mode| loads[mode] * inverse_limits[mode]);
    if together { [tension + bending, shear + twist, 0.0, 0.0] } else { [tension, shear, bending, twist] }
}

/// In which way a bond is loaded beyond its limits, given as their inverses: the worst of them.
pub(crate) fn overloaded(
    action: &BondAction<f64>,
    inverse_limits: [f64; 4],
    together: bool,
) -> Option<BreakMode> {
    let used = used(action, inverse_limits, together);
    let worst = (0..4).max_by(|&a, &b| used[a].total_cmp(&used[b]))?;
    (used[worst] > 1.0).then(|| BreakMode::ALL[worst])
}

/// What a beam's stiffnesses are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum BeamModel {
    /// A beam that shears.
    #[default]
    Timoshenko,
    /// A beam that does not.
    BernoulliEuler,
    /// A layer of glue, far shorter than thick.
    ShortCylinder,
}

impl BeamModel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Timoshenko, Self::BernoulliEuler, Self::ShortCylinder];

    /// In scenes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timoshenko => "timoshenko",
            Self::BernoulliEuler => "bernoulli-euler",
            Self::ShortCylinder => "short-cylinder",
        }
    }

    /// What it is, in a line.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Timoshenko => "a beam that bends and shears",
            Self::BernoulliEuler => "a slender beam, which does not shear",
            Self::ShortCylinder => "a layer of glue, far shorter than thick",
        }
    }
}

/// A beam of round cross-section.
///
/// ```
/// use tumble_dem::bond::{Beam, BeamModel};
/// let beam = Beam { model: BeamModel::BernoulliEuler, young: 1e9, poisson: 0.25, radius: 1e-3 };
/// let bond = beam.stiffness(4e-3);
/// // Its ends clamped, such a beam is shifted by 12EI/a³, and bent by EI/a.
/// assert!((bond.shear * 4e-3 * 4e-3 / bond.bending - 12.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// What its stiffnesses are taken from.
    pub model: BeamModel,
    /// E, Pa.
    pub young: f64,
    /// ν.
    pub poisson: f64,
    /// R, m.
    pub radius: f64,
}

/// The stresses that a beam bears, Pa; infinite where it never breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Pull over cross-section.
    pub tension: f64,
    /// Shear force over cross-section.
    pub shear: f64,
    /// At the outermost fibre of a beam that is bent, MR/I.
    pub bending: f64,
    /// At the surface of a beam that is twisted, MR/J.
    pub twist: f64,
}

impl Beam {
    /// A = πR², m².
    pub fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }

    /// I = πR⁴/4, m⁴.
    pub fn second_moment(&self) -> f64 {
        0.25 * self.area() * self.radius * self.radius
    }

    /// G, Pa.
    pub fn shear_modulus(&self) -> f64 {
        0.5 * self.young / (1.0 + self.poisson)
    }

    /// κ: the part of the cross-section that counts for shear.
    pub fn shear_factor(&self) -> f64 {
        6.0 * (1.0 + self.poisson) / (7.0 + 6.0 * self.poisson)
    }

    /// Of a bond of this length, m.
    pub fn stiffness(&self, length: f64) -> Stiffness {
        let (area, moment, g) = (self.area(), self.second_moment(), self.shear_modulus());
        let nu = self.poisson;
        let confined = self.young * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let clamped = 12.0 * self.young * moment / (length * length * length);
        let (modulus, shear) = match self.model {
            BeamModel::BernoulliEuler => (self.young, clamped),
            BeamModel::Timoshenko => {
                let phi = clamped * length / (self.shear_factor() * g * area);
                (self.young, clamped / (1.0 + phi))
            }
            BeamModel::ShortCylinder => (confined, g * area / length),
        };
        Stiffness {
            axial: modulus * area / length,
            shear,
            bending: modulus * moment / length,
            twist: g * 2.0 * moment / length,
        }
    }

    /// What it bears.
    pub fn limits(&self, strength: &Strength) -> Limits {
        let (area, section) = (self.area(), self.second_moment() / self.radius);
        Limits {
            tension: strength.tension * area,
            shear: strength.shear * area,
            bending: strength.bending * section,
            twist: strength.twist * 2.0 * section,
        }
    }
}

/// By what the strength of one of many bonds is multiplied: drawn from W. Weibull's distribution (J. Appl. Mech. 18 (1951) 293), of which a part
/// exp(−xᵐ) is above x. So the strength that is given is the one that 1/e of all bonds bear, the characteristic one, and m the modulus of the
/// material.
///
/// What a bond draws depends on the seed and on its bodies, and on no other bond.
pub fn weibull_factor(modulus: f64, seed: u64, bodies: [BodyId; 2]) -> f64 {
    let [a, b] = bodies.map(|id| u64::from(id.0));
    let number = a.min(b) << 32 | a.max(b);
    let part = Random::numbered(seed, number).uniform();
    // A uniform number can be zero, and no bond is without strength.
    exp(ln((-ln(1.0 - part)).max(f64::EPSILON)) / modulus)
}
