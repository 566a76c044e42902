//! Materials, the properties of their pairs, and what can be wrong with them.
//!
//! Densities and moduli belong to one material; restitution and friction to a pair. A wall has a material
//! like any body, and a rigid one is a material of infinite Young's modulus (or stiffness, for the linear
//! law). Nothing is checked on entry: [`Materials::pair`] checks all that a pair depends on and names what is
//! wrong.

use crate::law::{ContactLaw, PAIR, Pair, restitution};
use std::collections::BTreeMap;
use std::fmt;

/// One material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// What messages call it.
    pub name: String,
    /// kg/m³.
    pub density: f64,
    /// Young's modulus E, Pa; infinite if rigid.
    pub young: f64,
    /// Poisson's ratio ν.
    pub poisson: f64,
    /// kₙ of a contact of this material with itself in the linear law, N/m; infinite if rigid.
    pub stiffness: Option<f64>,
    /// kₜ/kₙ in the linear law.
    pub stiffness_ratio: f64,
}

/// The properties of two materials in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairProperties {
    /// Coefficient of normal restitution of a head-on collision.
    pub restitution: f64,
    /// Coefficient of friction, static and dynamic.
    pub friction: f64,
    /// Coefficient of rolling friction: the arm of the rolling couple over the effective radius.
    pub rolling_friction: f64,
    /// Rolling dashpot over the critical one.
    pub rolling_damping: f64,
    /// Coefficient of friction against twisting; Marshall's model takes that of sliding.
    pub twisting_friction: f64,
}

impl Material {
    /// A material with kₜ/kₙ = 2/7 and no stiffness for the linear law yet.
    pub fn new(name: impl Into<String>, density: f64, young: f64, poisson: f64) -> Self {
        let stiffness_ratio = 2.0 / 7.0;
        Self { name: name.into(), density, young, poisson, stiffness: None, stiffness_ratio }
    }

    /// The material with this stiffness for the linear law, N/m.
    pub fn with_stiffness(self, stiffness: f64) -> Self {
        Self { stiffness: Some(stiffness), ..self }
    }

    /// E* and G* of a contact, Pa.
    pub(crate) fn effective_moduli(a: &Self, b: &Self) -> Result<(f64, f64), MaterialError> {
        let normal = |m: &Self| (1.0 - m.poisson * m.poisson) / m.young;
        let shear = |m: &Self| 2.0 * (2.0 - m.poisson) * (1.0 + m.poisson) / m.young;
        let compliance = normal(a) + normal(b);
        if compliance > 0.0 {
            Ok((1.0 / compliance, 1.0 / (shear(a) + shear(b))))
        } else {
            Err(MaterialError::BothRigid { pair: [a.name.clone(), b.name.clone()], key: "young" })
        }
    }

    /// kₙ and kₜ of a contact in the linear law, N/m: the harmonic means.
    pub(crate) fn linear_stiffnesses(a: &Self, b: &Self) -> Result<(f64, f64), MaterialError> {
        let stiffness = |m: &Self| match m.stiffness {
            Some(stiffness) => Ok(stiffness),
            None => Err(MaterialError::NoStiffness { material: m.name.clone() }),
        };
        let (ka, kb) = (stiffness(a)?, stiffness(b)?);
        let compliance = 1.0 / ka + 1.0 / kb;
        if compliance > 0.0 {
            let tangential = 1.0 / (ka * a.stiffness_ratio) + 1.0 / (kb * b.stiffness_ratio);
            Ok((2.0 / compliance, 2.0 / tangential))
        } else {
            Err(MaterialError::BothRigid { pair: [a.name.clone(), b.name.clone()], key: "stiffness" })
        }
    }

    /// Whether every property is one that a material can have.
    pub fn check(&self) -> Result<(), MaterialError> {
        let positive = |x: f64| x > 0.0;
        let stiffness = self.stiffness.unwrap_or(1.0);
        let checks = [
            (
                "density",
                self.density,
                positive(self.density) && self.density.is_finite(),
                "a positive number, in kg/m³",
            ),
            (
                "young",
                self.young,
                positive(self.young),
                "a positive number, in Pa, or infinite for a rigid material",
            ),
            ("poisson", self.poisson, -1.0 < self.poisson && self.poisson <= 0.5, "above −1 and at most 0.5"),
            (
                "stiffness",
                stiffness,
                positive(stiffness),
                "a positive number, in N/m, or infinite for a rigid material",
            ),
            (
                "stiffness_ratio",
                self.stiffness_ratio,
                positive(self.stiffness_ratio) && self.stiffness_ratio.is_finite(),
                "a positive number, such as 2/7",
            ),
        ];
        for (key, value, good, expected) in checks {
            if !good {
                return Err(MaterialError::Material { material: self.name.clone(), key, value, expected });
            }
        }
        Ok(())
    }
}

impl PairProperties {
    /// Whether every property is one that the pair of these names can have.
    pub fn check(&self, pair: [&str; 2]) -> Result<(), MaterialError> {
        let friction = "zero or a positive number";
        let not_negative = |x: f64| x >= 0.0 && x.is_finite();
        let e = self.restitution;
        let checks = [
            (
                "restitution",
                e,
                (restitution::SMALLEST..=1.0).contains(&e),
                "at least 0.001 and at most 1 (zero is impossible: a contact that never pulls always gives \
                 some rebound, and the dashpot grows without bound towards none)",
            ),
            ("friction", self.friction, not_negative(self.friction), friction),
            ("rolling_friction", self.rolling_friction, not_negative(self.rolling_friction), friction),
            ("rolling_damping", self.rolling_damping, not_negative(self.rolling_damping), friction),
            ("twisting_friction", self.twisting_friction, not_negative(self.twisting_friction), friction),
        ];
        for (key, value, good, expected) in checks {
            if !good {
                return Err(MaterialError::Pair { pair: pair.map(str::to_owned), key, value, expected });
            }
        }
        Ok(())
    }

    /// The frictions of a pair; the moduli, stiffnesses and dashpots are for the law to fill in.
    pub(crate) fn undamped(&self) -> Pair<f64> {
        Pair {
            friction: self.friction,
            rolling_friction: self.rolling_friction,
            rolling_damping: self.rolling_damping,
            twisting_friction: self.twisting_friction,
            ..Pair::from_array([0.0; PAIR])
        }
    }
}

impl Default for PairProperties {
    /// Elastic and without friction.
    fn default() -> Self {
        Self {
            restitution: 1.0,
            friction: 0.0,
            rolling_friction: 0.0,
            rolling_damping: 0.0,
            twisting_friction: 0.0,
        }
    }
}

/// The materials of a simulation and the properties of their pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Materials {
    list: Vec<Material>,
    default: Option<PairProperties>,
    pairs: BTreeMap<(u16, u16), PairProperties>,
}

impl Materials {
    /// Adds a material and gives its number.
    ///
    /// There is room for 65535; beyond that a material is not added, and the number is one that
    /// [`pair`](Self::pair) refuses.
    pub fn add(&mut self, material: Material) -> u16 {
        let number = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        if number < u16::MAX {
            self.list.push(material);
        }
        number
    }

    /// The properties of every pair that has none of its own.
    pub fn set_default(&mut self, properties: PairProperties) {
        self.default = Some(properties);
    }

    /// The properties of the pair a, b, which is the pair b, a.
    pub fn set_pair(&mut self, a: u16, b: u16, properties: PairProperties) {
        self.pairs.insert((a.min(b), a.max(b)), properties);
    }

    /// The material of this number.
    pub fn material(&self, number: u16) -> Result<&Material, MaterialError> {
        let unknown = MaterialError::Unknown { number, count: self.list.len() };
        self.list.get(usize::from(number)).ok_or(unknown)
    }

    /// The materials, each at its number.
    pub fn as_slice(&self) -> &[Material] {
        &self.list
    }

    /// The properties of a pair: its own, or else the default.
    pub fn properties(&self, a: u16, b: u16) -> Result<PairProperties, MaterialError> {
        let names = [self.material(a)?.name.clone(), self.material(b)?.name.clone()];
        let own = self.pairs.get(&(a.min(b), a.max(b))).copied();
        own.or(self.default).ok_or(MaterialError::NoProperties { pair: names })
    }

    /// The constants of a pair for the law `L`: the same whichever comes first.
    pub fn pair<L: ContactLaw>(&self, a: u16, b: u16) -> Result<Pair<f64>, MaterialError> {
        let properties = self.properties(a, b)?;
        // In one order only, so that rounding cannot tell them apart.
        let (first, second) = (self.material(a.min(b))?, self.material(a.max(b))?);
        first.check()?;
        second.check()?;
        properties.check([&first.name, &second.name])?;
        L::pair(first, second, &properties)
    }
}

/// What can be wrong with materials.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MaterialError {
    /// No material has this number.
    Unknown {
        /// What was given.
        number: u16,
        /// How many materials there are.
        count: usize,
    },
    /// A pair has no properties, and there is no default.
    NoProperties {
        /// The names of the materials.
        pair: [String; 2],
    },
    /// A property that no material has.
    Material {
        /// The name of the material.
        material: String,
        /// The property.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What it can be.
        expected: &'static str,
    },
    /// A property that no pair has.
    Pair {
        /// The names of the materials.
        pair: [String; 2],
        /// The property.
        key: &'static str,
        /// What was given.
        value: f64,
        /// What it can be.
        expected: &'static str,
    },
    /// The linear law needs a stiffness.
    NoStiffness {
        /// The name of the material.
        material: String,
    },
    /// Two rigid materials cannot touch.
    BothRigid {
        /// The names of the materials.
        pair: [String; 2],
        /// The property that is infinite in both.
        key: &'static str,
    },
}

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { number, count } => {
                write!(f, "there is no material number {number}: there are {count}, counted from 0")
            }
            Self::NoProperties { pair: [a, b] } => write!(
                f,
                "the pair {a}–{b} has no restitution and friction: set them for the pair, \
                 or a default for all pairs"
            ),
            Self::Material { material, key, value, expected } => {
                write!(f, "material {material}: {key} must be {expected}, but is {value}")
            }
            Self::Pair { pair: [a, b], key, value, expected } => {
                write!(f, "pair {a}–{b}: {key} must be {expected}, but is {value}")
            }
            Self::NoStiffness { material } => write!(
                f,
                "material {material}: the linear law needs its stiffness, in N/m; set it, \
                 or choose a Hertzian law"
            ),
            Self::BothRigid { pair: [a, b], key } => write!(
                f,
                "pair {a}–{b}: {key} is infinite in both, so that nothing gives way; make it finite in one"
            ),
        }
    }
}

impl std::error::Error for MaterialError {}
