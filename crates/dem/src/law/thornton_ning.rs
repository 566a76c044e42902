//! Thornton & Ning — elastic–perfectly plastic spheres that adhere: Thornton & Ning 1998.
//!
//! A contact is JKR's until the pressure in its middle, 2E*a/πR* − √(2WE*/πa), is p_y: at the radius a_y of its area. From there on the pressure grows no more, while the area stays that of JKR at the overlap:
//!
//! > dF/da = 2πp_y a − √(2πWE*a),  δ = a²/R* − √(2πWa/E*)
//!
//! (with which dF/dδ is their eq. for plastic loading). Drawn back from the area of radius a, where the force is F_m, it is JKR's of spheres that yielding has made flatter, of the radius R_p with the same force at the same area,
//!
//! > R_p = 4E*a³/3(F_m + √(8πWE*a³)),  δ_p = a²(1/R* − 1/R_p),
//!
//! and δ − δ_p for the overlap; pressed again it goes back the same way. So it tears off where JKR's contact of radius R_p does, which may be while spheres that had stayed round would still overlap, and is then lost what that is,
//! 7.092 (W⁵R_p⁴/E*²)^{1/3}: the entry `adhesion`. What yielding has taken, the entry `plastic`, is the work so far less what is stored. Surfaces that have torn off meet again where the flatter spheres touch, at δ_p.
//!
//! In the units of [`jkr`](super::jkr), a = Ly², with p_y = s WR*/L², the yield begins at y_y³ − s y_y = 1, and beyond
//!
//! > F = F_JKR − 2πWR* f,  f = y⁶/3 − 2y³/3 − s y⁴/2 + G,  f(y_y) = 0,  R_p/R* = y⁶/(y⁶ − 3f),
//!
//! so that all work is a polynomial in y. A collision from the speed V without a dashpot has e² = 1 − (plastic + adhesion)/½m*V². (Theirs is that of `thornton` less (V_s/V)² with JKR's sticking speed V_s: what this comes to where adhesion
//! does little to the yield.) Without adhesion it is [`thornton`](super::thornton), and [`jkr`](super::jkr) where nothing yields.
//!
//! **Limits.** Surfaces that the attraction alone makes yield are beyond the theory: a contact whose pressure reaches p_y while it is pulled on the whole, y_y³ < 3, yields from where its force vanishes on, at the pressure that it has there.
//! p_y is the *contact pressure*, W the work of adhesion, not the surface energy of one material. Dashpots, the tangential spring and what friction is limited by are those of `jkr`, with its area at the present overlap, and the pull-off
//! force of R_p. How deep a contact was is forgotten when surfaces are farther apart than where JKR's contacts tear off.

use super::frictional::{Normal, rub};
use super::grip::{divisor, positive};
use super::hertz_mindlin::HertzMindlinConstants;
use super::jkr::{Area, JkrConstants, TORN, TOUCH, cube_root};
use super::luding::{DRAWN, PLASTIC};
use super::thornton::{ThorntonConstants, YIELD_PRESSURE};
use super::{
    ADHESION, Contact, ContactLaw, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower, HertzMindlin, Jkr,
    LawInfo, NORMAL_DAMPING, Range, Reaction, SLIDING, Spring, TANGENTIAL_DAMPING, Thornton,
};
use crate::citations::THORNTON_1998;
use crate::material::{MaterialError, Meeting};
use crate::property::{ADHESIVE_FRICTION, FRICTION, POISSON, RESTITUTION, WORK_OF_ADHESION, YOUNG};
use crate::{books, record};
use core::f64::consts::PI;
use tumble_math::Real;

/// Spheres that yield at a pressure and adhere, with friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThorntonNing;

/// s where a contact yields at the overlap without force, y³ = 3: 3^{2/3} − 3^{−1/3}.
const WITHOUT_FORCE: f64 = 1.386_722_548_701_269;

/// Farther in than spheres overlap, m: where the range of a contact ends that has torn off.
const NOWHERE: f64 = 1e9;

record! {
    /// What yielding has made of a contact; nothing is all zero.
    Flattened, FLATTENED {
        /// The largest overlap, m.
        deepest: R,
        /// ∛(R_p/R*) − 1.
        broader: R,
        /// δ_p, m.
        left: R,
        /// What yielding has taken, J.
        lost: R,
        /// 1 if the surfaces have torn off.
        parted: R,
    }
}

record! {
    /// The constants of two materials, and of a contact that remembers how it has yielded.
    ThorntonNingConstants, THORNTON_NING_CONSTANTS {
        /// All but yielding.
        jkr: JkrConstants<R>,
        /// p_y/W, 1/m: by L²/R* it is s.
        pressure: R,
        /// Nothing, of two materials.
        own: Flattened<R>,
    }
}

record! {
    /// What is remembered.
    Stuck, STUCK {
        /// The tangential spring.
        spring: Spring<R>,
        /// How it has yielded.
        own: Flattened<R>,
    }
}

books! {
    /// The books of a contact that yields, adheres and rubs.
    ThorntonNingBooks, THORNTON_NING_BOOKS {
        /// Energy of the normal spring, from touch on: negative where it pulled together.
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
        /// Lost where the contact tears off at the end of its range.
        torn: ADHESION,
        /// Lost where it tears off before.
        drawn: DRAWN,
    }
}

/// A contact at an overlap.
struct State<R> {
    /// N.
    force: R,
    /// What it took to get here, but for what had been lost before, J.
    work: R,
    /// N/m.
    slope: R,
    /// How it has yielded by then.
    own: Flattened<R>,
}

impl<R: Real> State<R> {
    #[inline(always)]
    fn at(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> Self {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let ThorntonNingConstants { jkr, own, .. } = constants;
        // Deeper than it was it is round, and else flatter.
        let deeper = own.deepest.lt(overlap);
        let broader = R::select(deeper, one, one + own.broader);
        let unit = constants.unit(radius);
        let flat = radius * (broader * broader * broader);
        let pressed = R::select(deeper, overlap, overlap - own.left);
        let area = Area::of_unit(unit * broader * broader, flat, pressed);
        let (elastic, stored) = area.elastic(jkr, flat);
        let scale = R::lit(2.0 * PI) * jkr.work;
        let square = unit * unit;

        let s = constants.pressure * square / radius;
        let s = R::select(s.lt(R::lit(WITHOUT_FORCE)), R::lit(WITHOUT_FORCE), s);
        let first = yield_root(s);
        let yields = R::select(deeper, R::select(first.lt(area.y), one, zero), zero);
        let yields = R::lit(0.5).lt(yields);
        // Where it does not, first yield stands for it.
        let y = R::select(yields, area.y, first);
        let lacking = Lacking { s, rest: zero - Lacking { s, rest: zero }.force(first) };
        let less = R::select(yields, lacking.force(y), zero);
        let spared = R::select(yields, lacking.work(y) - lacking.work(first), zero);
        let (y2, y3) = (y * y, y * y * y);
        let work = stored - scale * square * spared;

        let ratio = one / (one - R::lit(3.0) * less / (y3 * y3));
        let root = cube_root(ratio);
        let fourth = (y2 * y2) * R::lit(0.5);
        let (tenth, seventh) = (y3 * y3 * y2 * y2, y3 * y2 * y2);
        let kept = R::lit(2.0 / 15.0) * tenth / (ratio * ratio) - R::lit(2.0 / 3.0) * seventh / ratio + fourth;
        let kept = kept + R::lit(0.6 * TOUCH) * ratio * root;
        let lost = R::select(yields, work - scale * square * kept, zero);
        let flattened = Flattened {
            deepest: overlap,
            broader: root - one,
            left: square / radius * (R::lit(3.0) * less / y2),
            lost,
            parted: zero,
        };
        let (now, before) = (flattened.to_array(), own.to_array());
        let own = Flattened::from_array(core::array::from_fn(|i| R::select(deeper, now[i], before[i])));
        let slope = area.slope(jkr);
        // dF/dy over dδ/dy.
        let falls = scale * radius * radius / square * (y3 - s * y - one) / (y * (two - one / y3));
        Self {
            force: elastic - scale * radius * less,
            work: R::select(deeper, work - constants.own.lost, stored),
            slope: slope - R::select(yields, falls, zero),
            own,
        }
    }
}

/// What the pressure lacks of JKR's beyond the first yield, in the units of the energy of JKR's.
#[derive(Clone, Copy)]
struct Lacking<R> {
    s: R,
    /// G.
    rest: R,
}

impl<R: Real> Lacking<R> {
    /// f.
    #[inline(always)]
    fn force(&self, y: R) -> R {
        let cube = y * y * y;
        (cube * R::lit(1.0 / 3.0) - R::lit(2.0 / 3.0) - R::lit(0.5) * self.s * y) * cube + self.rest
    }

    /// ∫ f dδ, of which differences count.
    #[inline(always)]
    fn work(&self, y: R) -> R {
        let (s, rest, fourth) = (self.s, self.rest, (y * y) * (y * y));
        let high = (R::lit(2.0 / 15.0) * y * y - R::lit(0.25) * s) * fourth;
        let middle = (R::lit(0.2) * s - R::lit(10.0 / 21.0) * y * y) * y;
        (high + middle + rest + R::lit(1.0 / 3.0)) * fourth - (rest + rest) * y
    }
}

impl<R: Real> ThorntonNingConstants<R> {
    /// L of spheres that are still round, m; of flatter ones it goes with R_p^{2/3}.
    #[inline(always)]
    fn unit(&self, radius: R) -> R {
        cube_root(self.jkr.length * radius * radius)
    }

    /// The overlap at which the contact tears off, m.
    #[inline(always)]
    fn end(&self, radius: R) -> R {
        let unit = self.unit(radius);
        self.own.left - R::lit(TORN) * (unit * unit) / radius * (R::lit(1.0) + self.own.broader)
    }

    /// What is stored from touch to the tear-off, all of which is lost, J.
    #[inline(always)]
    fn torn(&self, radius: R) -> R {
        let unit = self.unit(radius);
        let broader = R::lit(1.0) + self.own.broader;
        let square = broader * broader;
        // y³ = ½ there.
        let of_unit = R::lit(0.1 / TOUCH + 0.6 * TOUCH);
        R::lit(2.0 * PI) * self.jkr.work * (unit * unit) * (square * square) * of_unit
    }

    /// Whether surfaces hold on to each other at an overlap, as a number.
    #[inline(always)]
    fn holds(&self, radius: R, overlap: R) -> R {
        let (zero, one) = (R::lit(0.0), R::lit(1.0));
        let again = R::select(self.own.left.lt(overlap), one, zero);
        let still = R::select(overlap.lt(self.end(radius)), zero, one);
        R::select(R::lit(0.5).lt(self.own.parted), again, still)
    }
}

impl ContactLaw for ThorntonNing {
    const INFO: LawInfo = LawInfo {
        name: "thornton-ning",
        summary: "elastic–perfectly plastic spheres that adhere: jkr until they yield as thornton does",
        citation: THORNTON_1998,
        uses_velocity: true,
        energy_power: EnergyPower::FiveHalves,
        needs: &[
            &YOUNG,
            &POISSON,
            &WORK_OF_ADHESION,
            &YIELD_PRESSURE,
            &ADHESIVE_FRICTION,
            &RESTITUTION,
            &FRICTION,
        ],
    };

    const RANGE: Range = Range::Lasting;

    const LETS_GO: bool = true;

    type Constants<R: Real> = ThorntonNingConstants<R>;
    type Memory<R: Real> = Stuck<R>;
    type Books<R: Real> = ThorntonNingBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<ThorntonNingConstants<f64>, MaterialError> {
        let HertzMindlinConstants { hertz, dissipation } = HertzMindlin::constants(meeting)?;
        let work = meeting.of_pair(&WORK_OF_ADHESION)?;
        let jkr = JkrConstants {
            hertz,
            work,
            length: PI * work / (2.0 * hertz.effective_modulus),
            tear_off: 1.0,
            hold: meeting.of_pair(&ADHESIVE_FRICTION)?,
            dissipation,
        };
        let own = Flattened { deepest: 0.0, broader: 0.0, left: 0.0, lost: 0.0, parted: 0.0 };
        Ok(ThorntonNingConstants { jkr, pressure: meeting.of_pair(&YIELD_PRESSURE)? / work, own })
    }

    #[inline(always)]
    fn of_contact<R: Real>(
        constants: &ThorntonNingConstants<R>,
        memory: &Stuck<R>,
    ) -> ThorntonNingConstants<R> {
        ThorntonNingConstants { own: memory.own, ..*constants }
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &ThorntonNingConstants<R>) -> Dissipation<R> {
        constants.jkr.dissipation
    }

    /// Of a contact that has torn off there is none.
    #[inline(always)]
    fn range<R: Real>(constants: &ThorntonNingConstants<R>, radius: R) -> R {
        R::select(R::lit(0.5).lt(constants.own.parted), R::lit(-NOWHERE), -constants.end(radius))
    }

    #[inline(always)]
    fn elastic<R: Real>(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> (R, R) {
        let holds = constants.holds(radius, overlap);
        let state = State::at(constants, radius, overlap);
        (state.force * holds, state.work * holds)
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> R {
        Jkr::normal_stiffness(&constants.jkr, radius, overlap)
    }

    #[inline(always)]
    fn slope<R: Real>(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> R {
        State::at(constants, radius, overlap).slope * constants.holds(radius, overlap)
    }

    #[inline(always)]
    fn contact_radius<R: Real>(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> R {
        Jkr::contact_radius(&constants.jkr, radius, overlap)
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &ThorntonNingConstants<R>, radius: R, overlap: R) -> R {
        Jkr::tangential_stiffness(&constants.jkr, radius, overlap)
    }

    /// The shorter one of what adhesion and yielding make of it.
    fn contact_time(constants: &ThorntonNingConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
        let JkrConstants { hertz, dissipation, work, .. } = constants.jkr;
        let pressure = PI * constants.pressure * work;
        let root = pressure / (2.0 * hertz.effective_modulus);
        let mindlin = HertzMindlinConstants { hertz, dissipation };
        let yielding = ThorntonConstants { mindlin, pressure, depth: root * root };
        let yielding = Thornton::contact_time(&yielding, radius, mass, speed);
        Jkr::contact_time(&constants.jkr, radius, mass, speed).min(yielding)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &ThorntonNingConstants<R>,
        contact: Contact<R>,
        memory: Stuck<R>,
        dt: R,
    ) -> Reaction<R, Stuck<R>, ThorntonNingBooks<R>> {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        let before = Self::of_contact(constants, &memory);
        let (radius, overlap) = (contact.radius, contact.overlap);
        let holds = before.holds(radius, overlap);
        let own = State::at(&before, radius, overlap).own;
        let plastic = (own.lost - before.own.lost) * holds;
        let own = Flattened { parted: one - holds, ..own };
        let now = ThorntonNingConstants { own, ..before };

        // Surfaces that tear off within the step slide until then: a spring that is let go takes half of its way.
        let tears = R::select(R::lit(0.5).lt(before.own.parted), zero, one - holds);
        let way = contact.overlap_before - overlap;
        let part = positive(contact.overlap_before - before.end(radius)) / divisor(way);
        let slide = R::select(R::lit(0.5).lt(tears), part * two, one);
        let contact = Contact { slide: contact.slide * slide, ..contact };

        let normal = Normal::of::<Self>(&before, &contact);
        // What it took, less what yielding took of it in this step.
        let (stored, viscous) = (normal.stored - plastic, normal.viscous * holds);
        let normal = Normal { inertia: normal.inertia * holds, stored, ..normal };
        let total = normal.elastic - viscous;
        let broader = one + own.broader;
        let pull_off = R::lit(1.5 * PI) * constants.jkr.work * radius * (broader * broader * broader);
        let bearing = positive(total + constants.jkr.hold * pull_off) * holds;
        let reaction = rub::<Self, R>(constants, contact, memory.spring, dt, (normal, total, bearing));
        let books = reaction.books;
        Reaction {
            force: reaction.force,
            normal_force: reaction.normal_force,
            memory: Stuck { spring: reaction.memory, own },
            books: ThorntonNingBooks {
                normal: books.normal,
                tangential: books.tangential,
                normal_damping: books.normal_damping,
                tangential_damping: books.tangential_damping,
                sliding: books.sliding,
                plastic,
                torn: now.torn(radius) * holds,
                drawn: before.torn(radius) * tears,
            },
        }
    }
}

/// The root y > 1 of y³ − s y = 1, for s from 1 on: from above, where Newton's method goes down to it.
#[inline(always)]
fn yield_root<R: Real>(s: R) -> R {
    let one = R::lit(1.0);
    let mut y = (one + s).sqrt();
    for _ in 0..4 {
        y = y - ((y * y - s) * y - one) / (R::lit(3.0) * y * y - s);
    }
    y
}
