//! Elastic–perfectly plastic spheres — Thornton 1997.
//!
//! A contact is Hertz's until the pressure in its middle is p_y, at the overlap δ_y = R*(πp_y/2E*)², where a_y² = R*δ_y and F_y = 2/3 πp_y a_y². From there on the pressure grows no more, while the area of
//! contact stays R*δ:
//!
//! > F = F_y + πp_y R*(δ − δ_y)
//!
//! Drawn back from the overlap δₘ, where the force is F_m and a² = R*δₘ, it is Hertz's of spheres that yielding has made flatter, of the radius R_p with the same force at the same area,
//!
//! > R_p = 4E*a³/3F_m,  δ_p = δₘ − a²/R_p,  F = 4/3 E*√R_p (δ − δ_p)^{3/2},
//!
//! and pressed again it goes back the same way. So surfaces part where the force vanishes, at δ_p, before the overlap does, and what is given back is 3F_m²/10E*a. What yielding has taken, the entry `plastic`, is
//! the work so far less that. A collision from the speed v without a dashpot has his restitution
//!
//! > e = (6√3/5)^½ [1 − (v_y/v)²/6]^½ [(v_y/v)/((v_y/v) + 2√(6/5 − (v_y/v)²/5))]^¼  for v > v_y,  ½m*v_y² = 8/15 E*√R* δ_y^{5/2},
//!
//! and 1 below v_y.
//!
//! p_y, the property `yield_pressure`, is the *contact pressure* at which surfaces yield, not the yield stress Y of the material: von Mises' criterion has p_y = 1.6 Y where it begins, and some
//! 2.8 Y, the hardness, where it is fully plastic. There is no adhesion. Tangential stiffness and friction are those of `hertz-mindlin`, with Hertz's area at the present overlap; a dashpot of `restitution`
//! may be added, which never makes surfaces pull. How deep a contact was is forgotten when the overlap ends.

use super::frictional::{Normal, rub};
use super::grip::positive;
use super::hertz::contact_radius;
use super::hertz_mindlin::HertzMindlinConstants;
use super::luding::PLASTIC;
use super::{
    Contact, ContactLaw, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower, Hertz, HertzMindlin, LawInfo,
    NORMAL_DAMPING, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING,
};
use crate::citations::THORNTON_1997;
use crate::material::{MaterialError, Meeting};
use crate::property::{self, FRICTION, Owner, POISSON, Property, Quantity, RESTITUTION, YOUNG};
use crate::{books, record};
use core::f64::consts::PI;
use tumble_math::Real;

/// Spheres that yield at a pressure, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thornton;

/// p_y.
pub const YIELD_PRESSURE: Property = Property {
    key: "yield_pressure",
    of: Owner::Pair,
    quantity: Some(Quantity::PRESSURE),
    range: property::Range::POSITIVE.in_words("a positive number, in Pa; surfaces that never yield are those of hertz-mindlin"),
    default: None,
    summary: "Contact pressure at which surfaces yield: about 1.6 times the yield stress of the softer material where it begins, its hardness where it is fully plastic",
    example: "\"300 MPa\"",
};

record! {
    /// The constants of two materials.
    ThorntonConstants, THORNTON_CONSTANTS {
        /// All but yielding.
        mindlin: HertzMindlinConstants<R>,
        /// πp_y, Pa.
        pressure: R,
        /// δ_y/R*.
        depth: R,
    }
}

record! {
    /// What is remembered.
    Dented, DENTED {
        /// The tangential spring.
        spring: Spring<R>,
        /// δₘ, m.
        deepest: R,
    }
}

books! {
    /// The books of a contact that yields and rubs.
    ThorntonBooks, THORNTON_BOOKS {
        /// Energy of the normal spring.
        normal: ELASTIC_NORMAL,
        /// Elastic energy of the tangential spring.
        tangential: ELASTIC_TANGENTIAL,
        /// Lost by the normal dashpot.
        normal_damping: NORMAL_DAMPING,
        /// Lost by the tangential dashpot.
        tangential_damping: TANGENTIAL_DAMPING,
        /// Lost by friction.
        sliding: SLIDING,
        /// Lost where surfaces yield.
        plastic: PLASTIC,
    }
}

/// A contact that was this deep.
struct Dent<R> {
    /// Whether it has yielded.
    yielded: R,
    /// R_p, m.
    radius: R,
    /// δ_p, m.
    left: R,
    /// What it took to get there, J.
    work: R,
    /// What of that is lost, J.
    lost: R,
    /// F_m, N.
    force: R,
}

impl<R: Real> Dent<R> {
    #[inline(always)]
    fn of(constants: &ThorntonConstants<R>, radius: R, deepest: R) -> Self {
        let (zero, one, half) = (R::lit(0.0), R::lit(1.0), R::lit(0.5));
        let modulus = constants.mindlin.hertz.effective_modulus;
        let first = constants.depth * radius;
        let yields = first.lt(deepest);
        // Where it has not, that of the first yield stands for it.
        let deepest = R::select(yields, deepest, first);
        let more = deepest - first;
        let pressure = constants.pressure * radius;
        let begun = R::lit(2.0 / 3.0) * pressure * first;
        let force = begun + pressure * more;
        let area = contact_radius(radius, deepest);
        let square = radius * deepest;
        let work = R::lit(0.4) * begun * first + (begun + half * pressure * more) * more;
        let kept = R::lit(0.3) * force * force / (modulus * area);
        let flatter = R::lit(4.0 / 3.0) * modulus * area * square / force;
        Self {
            yielded: R::select(yields, one, zero),
            radius: R::select(yields, flatter, radius),
            left: R::select(yields, deepest - square / flatter, zero),
            work,
            lost: R::select(yields, work - kept, zero),
            force,
        }
    }
}

impl ContactLaw for Thornton {
    const INFO: LawInfo = LawInfo {
        name: "thornton",
        summary: "elastic–perfectly plastic spheres, which yield at a pressure; friction",
        citation: THORNTON_1997,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[&YOUNG, &POISSON, &YIELD_PRESSURE, &RESTITUTION, &FRICTION],
    };

    type Constants<R: Real> = ThorntonConstants<R>;
    type Memory<R: Real> = Dented<R>;
    type Books<R: Real> = ThorntonBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<ThorntonConstants<f64>, MaterialError> {
        let mindlin = HertzMindlin::constants(meeting)?;
        let pressure = PI * meeting.of_pair(&YIELD_PRESSURE)?;
        let root = pressure / (2.0 * mindlin.hertz.effective_modulus);
        Ok(ThorntonConstants { mindlin, pressure, depth: root * root })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &ThorntonConstants<R>) -> Dissipation<R> {
        constants.mindlin.dissipation
    }

    /// Of a contact that gets deeper: what is stored is the whole work.
    #[inline(always)]
    fn elastic<R: Real>(constants: &ThorntonConstants<R>, radius: R, overlap: R) -> (R, R) {
        let (force, energy) = Hertz::elastic(&constants.mindlin.hertz, radius, overlap);
        let dent = Dent::of(constants, radius, overlap);
        let yielded = R::lit(0.5).lt(dent.yielded);
        (R::select(yielded, dent.force, force), R::select(yielded, dent.work, energy))
    }

    /// Of Hertz's spheres, that of dashpots; where they have yielded, a contact is softer while it gets deeper.
    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &ThorntonConstants<R>, radius: R, overlap: R) -> R {
        Hertz::normal_stiffness(&constants.mindlin.hertz, radius, overlap)
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &ThorntonConstants<R>, radius: R, overlap: R) -> R {
        let yielded = (constants.depth * radius).lt(overlap);
        R::select(yielded, constants.pressure * radius, Self::normal_stiffness(constants, radius, overlap))
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &ThorntonConstants<R>, radius: R, overlap: R) -> R {
        Hertz::tangential_stiffness(&constants.mindlin.hertz, radius, overlap)
    }

    #[inline(always)]
    fn onset<R: Real>(fraction: R) -> R {
        Hertz::onset(fraction)
    }

    /// Of Hertz's collision at that speed, or of the flatter spheres at the speed with which they part, which a run has to resolve as well: the shorter one.
    fn contact_time(constants: &ThorntonConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let hertz = &constants.mindlin.hertz;
        let elastic = Hertz::contact_time(hertz, radius, mass, speed);
        // The overlap at which the work is all of the energy: beyond δ_y a square equation.
        let first = constants.depth * radius;
        let (pressure, energy) = (constants.pressure * radius, 0.5 * mass * speed * speed);
        let begun = 2.0 / 3.0 * pressure * first;
        let rest = energy - 0.4 * begun * first;
        // Speeds that do not yield.
        if rest <= 0.0 {
            return elastic;
        }
        let more = 2.0 * rest / (begun + (begun * begun + 2.0 * pressure * rest).sqrt());
        let dent = Dent::of(constants, radius, first + more);
        let parting = (2.0 * (dent.work - dent.lost) / mass).sqrt();
        elastic.min(Hertz::contact_time(hertz, dent.radius, mass, parting))
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &ThorntonConstants<R>,
        contact: Contact<R>,
        memory: Dented<R>,
        dt: R,
    ) -> Reaction<R, Dented<R>, ThorntonBooks<R>> {
        let zero = R::lit(0.0);
        let normal = Normal::of::<Self>(constants, &contact);
        let deepest = R::select(memory.deepest.lt(normal.overlap), normal.overlap, memory.deepest);
        let before = Dent::of(constants, contact.radius, memory.deepest);
        let dent = Dent::of(constants, contact.radius, deepest);
        let pressed = positive(normal.overlap - dent.left);
        let (force, stored) = Hertz::elastic(&constants.mindlin.hertz, dent.radius, pressed);
        let elastic = force * contact.slope;
        let viscous = R::select(zero.lt(normal.overlap), normal.viscous, zero);
        let total = positive(elastic - viscous);
        let normal = Normal { elastic, stored, ..normal };
        let reaction = rub::<Self, R>(constants, contact, memory.spring, dt, (normal, total, total));
        let books = reaction.books;
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: Dented { spring: reaction.memory, deepest },
            books: ThorntonBooks {
                normal: books.normal,
                tangential: books.tangential,
                normal_damping: books.normal_damping,
                tangential_damping: books.tangential_damping,
                sliding: books.sliding,
                plastic: dent.lost - before.lost,
            },
        }
    }
}
