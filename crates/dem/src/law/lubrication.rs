//! What the viscosity of a liquid bridge does: Reynolds' lubrication along the normal (Adams & Perchard 1985), Goldman, Cox & Brenner 1967 along the tangent.
//!
//! > Fₙ = 6πμR*² vₙ/h,  Fₜ = 6πμR* vₜ (8/15 ln(R*/h) + 0.9588),  h = max(S, εR*)
//!
//! against the relative velocity v at the contact, as long as there is a bridge, from touch until it breaks. S is the whole gap, and the forces are those of spheres that are immersed: an upper bound for a bridge that holds
//! little liquid. They are for a sphere and a plane; two spheres have them with R* for the radius, exactly along the normal. ε is the property `viscous_gap`, which stands for the height of
//! asperities: closer, and where surfaces overlap, the forces grow no more. μ, the property `liquid_viscosity`, is 0 unless it is given. What is lost is the entry `bridge_viscosity`.
//!
//! The forces jump where a bridge forms and where it breaks.

use super::bridge::{BRIDGES, Bridge, BridgeBooks};
use super::grip::positive;
use super::{
    Contact, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, Entry, EntryKind, NORMAL_DAMPING, Reaction, SLIDING, Spring,
    TANGENTIAL_DAMPING,
};
use crate::material::{MaterialError, Meeting};
use crate::property::{self, Owner, Property, Quantity};
use crate::{books, record};
use core::f64::consts::PI;
use core::ops::Bound::Included;
use tumble_math::Real;

/// μ.
pub const LIQUID_VISCOSITY: Property = Property {
    key: "liquid_viscosity",
    of: Owner::Pair,
    quantity: Some(Quantity::VISCOSITY),
    range: property::Range::NOT_NEGATIVE.in_words("zero or a positive number, in Pa s"),
    default: Some(0.0),
    summary: "Viscosity of the liquid of bridges, which resists that surfaces approach, part and slide; 1 mPa s for water",
    example: "\"1 mPa s\"",
};

/// ε.
pub const VISCOUS_GAP: Property = Property {
    key: "viscous_gap",
    of: Owner::Pair,
    quantity: None,
    range: property::Range {
        from: Included(0.001),
        to: Included(1.0),
        words: "at least 0.001 and at most 1",
    },
    default: Some(0.01),
    summary: "Gap below which viscous forces of bridges grow no more, in parts of the effective radius: the height of asperities",
    example: "0.01",
};

/// Lost to the viscosity of bridges.
pub const BRIDGE_VISCOSITY: Entry =
    Entry::new("bridge_viscosity", "lost to the viscosity of liquid bridges", EntryKind::Damped);

record! {
    /// The constants of two materials.
    Lubrication, LUBRICATION {
        /// 6πμ, Pa s.
        viscosity: R,
        /// ε.
        smallest: R,
    }
}

books! {
    /// The books of a contact with a bridge of a viscous liquid.
    ViscousBooks, VISCOUS_BOOKS {
        /// Energy of the normal spring and of the bridge, from touch on.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
        /// Lost to viscosity.
        viscous: BRIDGE_VISCOSITY,
        /// Lost where the bridge breaks.
        broken: BRIDGES,
    }
}

impl Lubrication<f64> {
    pub(super) fn of(meeting: &Meeting<'_>) -> Result<Self, MaterialError> {
        let viscosity = 6.0 * PI * meeting.of_pair(&LIQUID_VISCOSITY)?;
        Ok(Self { viscosity, smallest: meeting.of_pair(&VISCOUS_GAP)? })
    }
}

impl<R: Real> Lubrication<R> {
    /// Force over speed along the normal and along the tangent, N s/m.
    #[inline(always)]
    fn coefficients(&self, radius: R, overlap: R) -> [R; 2] {
        let one = R::lit(1.0);
        let gap = positive(-overlap) / radius;
        let gap = R::select(self.smallest.lt(gap), gap, self.smallest);
        let scale = self.viscosity * radius;
        let inverse = one / gap;
        // Beyond a radius the logarithm would turn its sign; no bridge is that long.
        let near = R::select(gap.lt(one), inverse, one);
        [scale * inverse, scale * (R::lit(8.0 / 15.0) * logarithm(near) + R::lit(0.9588))]
    }
}

/// What a bridge does with the viscosity of its liquid, `part` of it: 1, or 0 where there is no bridge.
#[inline(always)]
pub(super) fn react<R: Real>(
    bridge: &impl Bridge<R>,
    (lubrication, part): (&Lubrication<R>, R),
    contact: Contact<R>,
    spring: Spring<R>,
    dt: R,
) -> Reaction<R, Spring<R>, ViscousBooks<R>> {
    let reaction = bridge.react(contact, spring, dt);
    let [along, across] = lubrication.coefficients(contact.radius, contact.overlap);
    // Of a velocity that has the factor of dashpots in the first step of a contact, which begin otherwise than this does.
    let (along, across) = (along * part * contact.jump, across * part * contact.jump);
    let apart = contact.separation_speed();
    let sliding = contact.velocity - contact.normal * apart;
    let drag = contact.normal * (along * apart) + sliding * across;
    let BridgeBooks { normal, tangential, normal_damping, tangential_damping, sliding: rubbed, broken } =
        reaction.books;
    Reaction {
        force: reaction.force - drag,
        normal_force: reaction.normal_force,
        memory: reaction.memory,
        books: ViscousBooks {
            normal,
            tangential,
            normal_damping,
            tangential_damping,
            sliding: rubbed,
            viscous: drag.dot(contact.velocity) * dt,
            broken,
        },
    }
}

/// How the last kick of a contact that lasts for this part of the next step is weighed along the normal: where a bridge breaks only viscosity acts
/// there, which jumps; where surfaces part that never had one, dashpots do.
#[inline(always)]
pub(super) fn ending<R: Real>(fraction: R, onset: R, overlap: R) -> R {
    R::select(overlap.lt(R::lit(0.0)), fraction + R::lit(0.5), onset)
}

/// ln x for 1 ≤ x < 1000, which is all that bridges are drawn out: by five square roots, and the series of the inverse hyperbolic tangent.
#[inline(always)]
pub(super) fn logarithm<R: Real>(x: R) -> R {
    let one = R::lit(1.0);
    let root = x.sqrt().sqrt().sqrt().sqrt().sqrt();
    let z = (root - one) / (root + one);
    let square = z * z;
    let mut sum = R::lit(0.0);
    for odd in [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * square + R::lit(1.0 / odd);
    }
    R::lit(64.0) * z * sum
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    /// Of e^n, whose digits are known, and by ln xy = ln x + ln y.
    #[test]
    fn the_logarithm_is_one() {
        let powers =
            [1.0, core::f64::consts::E, 7.389_056_098_930_65, 20.085_536_923_187_668, 54.598_150_033_144_236];
        for (n, power) in (0..).zip(powers) {
            assert!(
                (logarithm(power) - f64::from(n)).abs() < 2e-14 * f64::from(n + 1),
                "{n}: {:e}",
                logarithm(power)
            );
        }
        for x in [1.0 + 1e-9, 1.01, 1.7, 5.0, 29.0_f64] {
            assert!((logarithm(x * x) - 2.0 * logarithm(x)).abs() < 5e-14, "{x}");
        }
        assert!((logarithm(1.0 + 1e-9_f64) - 1e-9).abs() < 1e-14);
    }
}
