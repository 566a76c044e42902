//! The edges: nothing moves, nothing touches, nothing rubs, one side is rigid, single precision.

use crate::common::{for_every_law, only_pushes};
use crate::law::bench::{UP, assert_close, constants, pair};
use tumble_dem::law::{
    Books, Constants, Contact, ContactLaw, ContactModel, ContactVisitor, Dmt, ELASTIC_NORMAL, Entry,
    EntryKind, FilmBridge, Hertz, HertzMindlin, Jkr, LawKind, Linear, Luding, Rabinovich, Resisted,
    RollingKind, RollingModel, Thornton, ThorntonNing, TwistingKind, TwistingModel, VanDerWaals, Willett,
    luding::PLASTIC, react, rolling, twisting,
};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::{WORK_OF_ADHESION, YOUNG};
use tumble_dem::record::{PerPart, Record, to_numbers};
use tumble_math::{LabVec, Real};

fn material() -> Material {
    Material::new("m", 2500.0, 1e9, 0.25).with_stiffness(1e6)
}

fn properties() -> PairProperties {
    let properties = PairProperties::new(0.5, 0.5).with_rolling(0.05, 0.3).with_twisting(0.5);
    for_every_law(properties).with(&WORK_OF_ADHESION, 0.1)
}

fn contact() -> Contact<f64> {
    Contact {
        velocity: LabVec::new(0.2, -0.1, -0.3),
        spin: LabVec::new(10.0, -20.0, 30.0),
        slide: LabVec::new(2e-8, -1e-8, 0.0),
        turn: LabVec::new(1e-6, -2e-6, 3e-6),
        mass: 1e-5,
        inertia: 1e-10,
        ..Contact::at_rest(UP, 1e-3, 1e-6)
    }
}

/// What the springs of the law, against rolling and against twisting exerted at the last step, where there are any.
#[derive(Clone, Copy)]
struct Springs {
    law: [f64; 3],
    rolling: [f64; 3],
    twist: [f64; 1],
}

impl Springs {
    const NONE: Self = Self { law: [0.0; 3], rolling: [0.0; 3], twist: [0.0] };
}

/// A record of such numbers, and of zeros where it has more.
fn remember<R: Real, M: Record<R>>(numbers: &[f64]) -> M {
    let mut numbers: Vec<R> = numbers.iter().map(|&number| R::lit(number)).collect();
    numbers.resize(numbers.len().max(M::SIZE), R::lit(0.0));
    M::read(&numbers[..], 0)
}

struct React<R> {
    properties: PairProperties,
    contact: Contact<R>,
    before: Springs,
}

/// What a model of any types does.
#[derive(Debug)]
struct Done<R> {
    force: LabVec<R>,
    torque: LabVec<R>,
    normal_force: R,
    /// Elastic energy of the normal spring.
    normal: R,
    /// All that is lost.
    lost: Vec<R>,
    /// All that there is.
    numbers: Vec<R>,
}

impl Done<f64> {
    /// Where surfaces adhere, friction is limited by more than what presses.
    fn acts_along_the_normal(&self, model: ContactModel) -> bool {
        let normal = if only_pushes(model) { self.normal_force } else { self.force.z };
        self.force == UP * normal && self.normal_force >= normal && self.torque == LabVec::zero()
    }
}

impl<R: Real> ContactVisitor for React<R> {
    type Output = Done<R>;
    fn visit<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(self) -> Done<R> {
        let exact = to_numbers(constants::<L, Ro, Tw>(material(), material(), self.properties));
        let constants = remember::<R, Constants<L, Ro, Tw, R>>(&exact);
        let Springs { law, rolling, twist } = &self.before;
        let history = PerPart { law: remember(law), rolling: remember(rolling), twisting: remember(twist) };
        let r = react::<L, Ro, Tw, R>(&constants, self.contact, history, R::lit(1e-7));
        let books = [to_numbers(r.books), to_numbers(r.resisted)].concat();
        let entries = [<L::Books<R> as Books<R>>::ENTRIES, <Resisted<R> as Books<R>>::ENTRIES].concat();
        let named = || books.iter().zip(&entries);
        let (&normal, _) = named().find(|(_, entry)| **entry == ELASTIC_NORMAL).unwrap();
        // Yielding needs no motion.
        let moved = |entry: &Entry| *entry != PLASTIC;
        let lost =
            |entry: &Entry| matches!(entry.kind, EntryKind::Damped | EntryKind::Slipped) && moved(entry);
        let lost = named().filter(|(_, entry)| lost(entry)).map(|(&energy, _)| energy).collect();
        let mut numbers = [r.force.to_array(), r.torque.to_array()].concat();
        numbers.extend([r.normal_force, self.contact.pressed::<L>()]);
        numbers.extend(to_numbers(r.history));
        numbers.extend(books);
        Done { force: r.force, torque: r.torque, normal_force: r.normal_force, normal, lost, numbers }
    }
}

#[test]
fn no_overlap_is_no_contact() {
    for model in ContactModel::all().filter(|model| !model.law.range().is_beyond_touch()) {
        for overlap in [0.0, -1e-6] {
            let contact = Contact { overlap, ..contact() };
            let reaction =
                model.visit(React { properties: properties(), contact, before: Springs::NONE }).unwrap();
            assert!(reaction.numbers.iter().all(|&x| x == 0.0), "{model:?}: {reaction:?}");
        }
    }
}

#[test]
fn without_motion_only_the_normal_spring_acts() {
    let rest = LabVec::zero();
    let contact = Contact { velocity: rest, spin: rest, slide: rest, turn: rest, ..contact() };
    for model in ContactModel::all() {
        let reaction =
            model.visit(React { properties: properties(), contact, before: Springs::NONE }).unwrap();
        assert!(reaction.normal_force > 0.0 && reaction.normal > 0.0);
        assert!(reaction.acts_along_the_normal(model), "{reaction:?}");
        assert!(reaction.lost.iter().all(|&x| x == 0.0), "{reaction:?}");
    }
}

#[test]
fn without_any_friction_nothing_but_the_normal_force_acts() {
    let properties = for_every_law(PairProperties::new(0.5, 0.0)).with(&WORK_OF_ADHESION, 0.1);
    for model in ContactModel::all() {
        // Springs left over from a friction that there no longer is are let go.
        let before = Springs { law: [1e-3, 2e-3, 0.0], rolling: [1e-9, 2e-9, 0.0], twist: [1e-9] };
        let contact = Contact { overlap_before: 0.9e-6, ..contact() };
        let reaction = model.visit(React { properties: properties.clone(), contact, before }).unwrap();
        assert!(reaction.numbers.iter().all(|x| x.is_finite()), "{model:?}: {reaction:?}");
        assert!(reaction.acts_along_the_normal(model), "{reaction:?}");
    }
}

/// |Fₜ| ≤ μFₙ, whatever spring and dashpot would like; and the contact never pulls.
#[test]
fn the_force_keeps_within_coulombs_cone() {
    for law in [LawKind::HertzMindlin, LawKind::Linear] {
        let model = ContactModel { law, ..ContactModel::default() };
        for speed in [-3.0, -0.3, 0.0, 0.3, 3.0] {
            for slide in [0.0, 1e-9, 1e-7, 1e-5] {
                let contact = Contact {
                    velocity: LabVec::new(1.0, 2.0, speed),
                    slide: LabVec::new(slide, -slide, 0.0),
                    overlap_before: 1.1e-6,
                    ..contact()
                };
                let before = Springs { law: [0.0, 0.01, 0.0], ..Springs::NONE };
                let r = model.visit(React { properties: properties(), contact, before }).unwrap();
                let tangential = (r.force - UP * r.force.z).norm();
                assert!(r.force.z >= 0.0 && tangential <= 0.5 * r.force.z * (1.0 + 1e-12), "{r:?}");
            }
        }
    }
}

#[test]
fn a_rigid_partner_is_the_limit_of_a_stiff_one() {
    fn same<L: ContactLaw>(rigid: &Material, stiff: &Material) {
        type Roll = rolling::ElasticPlastic;
        type Twist = twisting::ElasticPlastic;
        let [a, b] = [rigid, stiff]
            .map(|m| to_numbers(constants::<L, Roll, Twist>(material(), m.clone(), properties())));
        for (a, b) in a.into_iter().zip(b) {
            assert!(a.is_finite() && (a - b).abs() <= 1e-12 * a.abs(), "{a} and {b}");
        }
    }
    let rigid = material().with(&YOUNG, f64::INFINITY).with_stiffness(f64::INFINITY);
    let stiff = material().with(&YOUNG, 1e24).with_stiffness(1e21);
    same::<Hertz>(&rigid, &stiff);
    same::<HertzMindlin>(&rigid, &stiff);
    same::<Linear>(&rigid, &stiff);
    same::<Jkr>(&rigid, &stiff);
    same::<Dmt>(&rigid, &stiff);
    same::<VanDerWaals>(&rigid, &stiff);
    same::<Willett>(&rigid, &stiff);
    same::<Rabinovich>(&rigid, &stiff);
    same::<FilmBridge>(&rigid, &stiff);
    same::<Thornton>(&rigid, &stiff);
    same::<ThorntonNing>(&rigid, &stiff);
    same::<Luding>(&rigid, &stiff);
}

#[test]
fn single_precision_agrees() {
    let single = |v: LabVec<f64>| LabVec::from_array(v.to_array().map(f32::lit));
    let c = contact();
    let low = Contact {
        velocity: single(c.velocity),
        spin: single(c.spin),
        slide: single(c.slide),
        turn: single(c.turn),
        mass: f32::lit(c.mass),
        inertia: f32::lit(c.inertia),
        ..Contact::at_rest(single(c.normal), f32::lit(c.radius), f32::lit(c.overlap))
    };
    for model in ContactModel::all() {
        let before = Springs::NONE;
        let high = model.visit(React { properties: properties(), contact: c, before }).unwrap();
        let low = model.visit(React { properties: properties(), contact: low, before }).unwrap();
        assert_eq!(high.numbers.len(), low.numbers.len());
        for (a, b) in high.numbers.into_iter().zip(low.numbers) {
            let (size, error) = (a.abs(), (a - f64::from(b)).abs());
            // What is zero may be the difference of two energies.
            assert!(error <= 2e-5 * size + 1e-7 * high.normal, "{model:?}: {a} and {b}");
        }
    }
}

#[test]
fn models_are_found_by_name() {
    for &kind in LawKind::ALL {
        assert_eq!(LawKind::from_name(kind.name()), Some(kind));
    }
    for &kind in RollingKind::ALL {
        assert_eq!(RollingKind::from_name(kind.name()), Some(kind));
    }
    for &kind in TwistingKind::ALL {
        assert_eq!(TwistingKind::from_name(kind.name()), Some(kind));
    }
    assert_eq!(LawKind::from_name("hooke"), None);
    let combinations = LawKind::ALL.len() * RollingKind::ALL.len() * TwistingKind::ALL.len();
    assert_eq!(ContactModel::all().count(), combinations);
    let hertz = ContactModel { law: LawKind::Hertz, ..ContactModel::default() };
    assert!(!hertz.uses_velocity() && !hertz.has_history() && ContactModel::default().has_history());
}

const HERTZ_TWISTING: ContactModel =
    ContactModel { law: LawKind::Hertz, rolling: RollingKind::None, twisting: TwistingKind::ElasticPlastic };

/// The facts are true: what is declared not to depend on velocity or history does not.
#[test]
fn the_facts_declared_are_true() {
    for model in ContactModel::all() {
        let with = |velocity: f64, (overlap_before, before): (f64, Springs)| {
            let c = contact();
            let contact =
                Contact { velocity: c.velocity * velocity, spin: c.spin * velocity, overlap_before, ..c };
            let r = model.visit(React { properties: properties(), contact, before }).unwrap();
            [r.force.to_array(), r.torque.to_array()]
        };
        let none = (0.0, Springs::NONE);
        let some = Springs { law: [1e-4, 2e-4, 0.0], rolling: [1e-9, 2e-9, 0.0], twist: [1e-10] };
        let some = (0.9e-6, some);
        // A twisting dashpot is a share of the law's own, and the elastic law has none to share.
        let declared = model.uses_velocity() && model != HERTZ_TWISTING;
        assert_eq!(with(1.0, none) != with(-1.0, none), declared, "{model:?}");
        assert_eq!(with(1e-3, none) != with(1e-3, some), model.has_history(), "{model:?}");
    }
}

#[test]
fn the_stiffness_is_the_slope_of_the_force() {
    fn check<L: ContactLaw>() {
        let pair = pair::<L>(material(), material(), properties());
        let radius = 2e-3;
        let pulled = -0.5 * L::range(&pair, radius);
        for overlap in [1e-6, pulled].into_iter().filter(|overlap: &f64| *overlap != 0.0) {
            let h = 1e-4 * overlap.abs();
            let [(below, u0), (above, u1)] = [overlap - h, overlap + h].map(|d| L::elastic(&pair, radius, d));
            assert_close("slope", (above - below) / (2.0 * h), L::slope(&pair, radius, overlap), 1e-6);
            assert_close("force", (u1 - u0) / (2.0 * h), L::elastic(&pair, radius, overlap).0, 1e-6);
        }
    }
    check::<Hertz>();
    check::<HertzMindlin>();
    check::<Linear>();
    check::<Jkr>();
    check::<Dmt>();
    check::<VanDerWaals>();
    check::<Willett>();
    check::<Rabinovich>();
    check::<FilmBridge>();
    check::<Thornton>();
    check::<ThorntonNing>();
    check::<Luding>();
}
