//! What bonds are made of, where their bodies say how long and how wide they are: at the start, or where bodies touch during a run.

use super::{Beam, BeamModel, Bond, BondKind, Limits, ParallelBond, Stiffness, Strength, weibull_factor};
use crate::error::Error;
use crate::id::{BodyId, MaterialId};
use crate::placement::NearPair;
use core::ops::Range;

/// Bonds alike, but for their bodies.
///
/// ```
/// use tumble_dem::bond::{BeamModel, BondRule, Making, Width};
/// use tumble_dem::placement::near_pairs;
/// use tumble_dem::{Body, LabVec, World, clump::ClumpTemplate};
/// let mut world = World::default();
/// let ball = world.add_template(ClumpTemplate::sphere("ball", 1e-3)?)?;
/// world.bodies = [0.0, 2e-3].map(|x| Body::at(ball, LabVec::new(x, 0.0, 0.0))).to_vec();
/// let beam = Making::Beam { model: BeamModel::Timoshenko, young: 1e9, poisson: 0.25 };
/// let rule = BondRule { width: Width::OfSmaller(0.5), ..BondRule::new(beam) };
/// world.bonds = near_pairs(&world, 1e-6).iter().map(|near| rule.bond(near, 2e-3)).collect();
/// assert!((world.bonds[0].stiffness.axial / 392.7e3 - 1.0).abs() < 1e-4); // EA/a
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondRule {
    /// Of what kind, and how stiff.
    pub making: Making,
    /// How wide.
    pub width: Width,
    /// As [`Bond::damping`], s.
    pub damping: f64,
    /// What they bear.
    pub strength: Strength,
    /// How that scatters, if it does.
    pub weibull: Option<Weibull>,
    /// As [`Bond::contact`].
    pub contact: bool,
}

/// Of what kind bonds are, and how stiff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Making {
    /// A [`Beam`].
    Beam {
        /// What its stiffnesses are taken from.
        model: BeamModel,
        /// E, Pa.
        young: f64,
        /// ν.
        poisson: f64,
    },
    /// A [`ParallelBond`] of a modulus.
    Parallel {
        /// k̄ₙ times the length, Pa.
        young: f64,
        /// k̄ₙ/k̄ₛ.
        ratio: f64,
    },
}

/// How wide bonds are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Width {
    /// All have this radius, m.
    Radius(f64),
    /// This part of the smaller of the [two radii](NearPair::radii).
    OfSmaller(f64),
}

/// How strengths scatter: [`weibull_factor`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weibull {
    /// m.
    pub modulus: f64,
    /// What each bond draws depends on it.
    pub seed: u64,
}

impl BondRule {
    /// As wide as the smaller piece, without damping, unbreakable, and instead of the contact.
    pub fn new(making: Making) -> Self {
        let never = f64::INFINITY;
        let strength = Strength { tension: never, shear: never, bending: never, twist: never };
        Self { making, width: Width::OfSmaller(1.0), damping: 0.0, strength, weibull: None, contact: false }
    }

    /// The bond of two bodies whose ends are so far apart, m.
    pub fn bond(&self, near: &NearPair, length: f64) -> Bond {
        let [first, second] = near.radii;
        let radius = match self.width {
            Width::Radius(radius) => radius,
            Width::OfSmaller(ratio) => ratio * first.min(second),
        };
        let scatter = self.weibull.map_or(1.0, |own| weibull_factor(own.modulus, own.seed, near.bodies));
        let (kind, stiffness, limits) = self.made(length, radius, first / (first + second));
        Bond {
            bodies: near.bodies,
            arms: near.arms,
            kind,
            stiffness,
            damping: self.damping,
            limits: limits.times(scatter),
            contact: self.contact,
        }
    }

    fn made(&self, length: f64, radius: f64, at: f64) -> (BondKind, Stiffness, Limits) {
        match self.making {
            Making::Beam { model, young, poisson } => {
                let beam = Beam { model, young, poisson, radius };
                (BondKind::Beam, beam.stiffness(length), beam.limits(&self.strength))
            }
            Making::Parallel { young, ratio } => {
                let disc = ParallelBond::of_modulus(young, ratio, length, radius);
                // Where two spheres of these radii touch.
                let limits = disc.limits(self.strength.tension, self.strength.shear);
                (BondKind::Parallel { at }, disc.stiffness(), limits)
            }
        }
    }
}

/// Bonds that bodies get during a run: two that touch while this is so, and have none, get one. It is at rest as they are at that instant.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchBonds {
    /// What they are.
    pub rule: BondRule,
    /// From when on, s.
    pub from: f64,
    /// Until when, but not then, s; for ever if that is infinite.
    pub until: f64,
    /// Only between bodies of these two materials.
    pub between: Option<[MaterialId; 2]>,
    /// Only between bodies with these numbers.
    pub among: Option<Vec<Range<u32>>>,
}

impl TouchBonds {
    /// Between all bodies, for ever.
    pub fn new(rule: BondRule) -> Self {
        Self { rule, from: 0.0, until: f64::INFINITY, between: None, among: None }
    }

    /// Whether bonds are made at a time, s.
    pub(crate) fn is_open(&self, time: f64) -> bool {
        self.from <= time && time < self.until
    }

    /// Whether two bodies may get one.
    pub(crate) fn is_for(&self, bodies: [BodyId; 2], materials: [u16; 2]) -> bool {
        let [first, second] = materials.map(MaterialId);
        let is_between =
            self.between.is_none_or(|meant| meant == [first, second] || meant == [second, first]);
        let is_among =
            |id: BodyId| self.among.as_ref().is_none_or(|all| all.iter().any(|some| some.contains(&id.0)));
        is_between && bodies.into_iter().all(is_among)
    }

    /// Checks what is said of them, in a world with so many materials.
    pub(crate) fn check(&self, of: &str, materials: usize) -> Result<(), Error> {
        let invalid = |what, value: f64, expected| {
            Err(Error::Invalid { of: of.into(), what, value: crate::error::readable(value), expected })
        };
        if !(self.from >= 0.0 && self.from.is_finite()) {
            return invalid("beginning", self.from, "a time in s that is not negative");
        }
        if self.until.is_nan() || self.until <= self.from {
            return invalid("end", self.until, "a time in s after the beginning");
        }
        if let Some(unknown) = self.between.into_iter().flatten().find(|id| usize::from(id.0) >= materials) {
            let (what, number) = ("material", unknown.0.into());
            return Err(Error::Unknown { of: of.into(), what, number, count: materials });
        }
        // Whatever the bodies: of a bond as long and as wide as 1 m.
        let near = NearPair {
            bodies: [BodyId(0), BodyId(1)],
            arms: [tumble_math::LabVec::zero(); 2],
            radii: [1.0; 2],
            gap: 0.0,
        };
        let bond = self.rule.bond(&near, 1.0);
        crate::step::bond::check_numbers(&bond, of)
    }
}
