//! Contact laws and resistances that the engine does not list, defined here as in a crate of their own, run in it like those
//! of the lists: the same bits on any number of threads, books, advice and saved states included.

use crate::common::{Z, add_floor, add_sphere, advance_through_contact, assert_close, order_of};
use crate::crowds::{
    THIN_SKIN, advance, assert_same, busy_world, engine, same_on_threads_and_after_a_restart, settings, state,
};
use crate::law::recipe::scaled_linear::ScaledLinear;
use tumble_dem::citations::CUNDALL_1979;
use tumble_dem::domain::Domain;
use tumble_dem::law::hertz_mindlin::HertzMindlinConstants;
use tumble_dem::law::{
    Contact, ContactLaw, ContactModel, Dissipation, EnergyPower, FrictionalBooks, HertzMindlin, LawInfo,
    LawKind, Reaction, Resistance, ResistanceInfo, Resisted, RollingKind, RollingModel, Spring, Support,
    TwistingKind, frictional, rolling, twisting,
};
use tumble_dem::material::{Material, MaterialError, Meeting, PairProperties};
use tumble_dem::record::{Nothing, Record};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, Error, LabVec, MaterialId, SavedState, Settings, World};
use tumble_math::Real;

/// Declares a law that is Hertz–Mindlin under another name.
macro_rules! twin {
    ($type:ident, $name:literal) => {
        #[derive(Clone, Copy, Debug, Default)]
        struct $type;

        impl ContactLaw for $type {
            const INFO: LawInfo = LawInfo { name: $name, ..HertzMindlin::INFO };

            type Constants<R: Real> = HertzMindlinConstants<R>;
            type Memory<R: Real> = Spring<R>;
            type Books<R: Real> = FrictionalBooks<R>;

            fn constants(meeting: &Meeting<'_>) -> Result<HertzMindlinConstants<f64>, MaterialError> {
                HertzMindlin::constants(meeting)
            }
            #[inline(always)]
            fn dissipation<R: Real>(constants: &HertzMindlinConstants<R>) -> Dissipation<R> {
                HertzMindlin::dissipation(constants)
            }
            #[inline(always)]
            fn elastic<R: Real>(constants: &HertzMindlinConstants<R>, radius: R, overlap: R) -> (R, R) {
                HertzMindlin::elastic(constants, radius, overlap)
            }
            #[inline(always)]
            fn normal_stiffness<R: Real>(pair: &HertzMindlinConstants<R>, radius: R, overlap: R) -> R {
                HertzMindlin::normal_stiffness(pair, radius, overlap)
            }
            #[inline(always)]
            fn tangential_stiffness<R: Real>(pair: &HertzMindlinConstants<R>, radius: R, overlap: R) -> R {
                HertzMindlin::tangential_stiffness(pair, radius, overlap)
            }
            #[inline(always)]
            fn onset<R: Real>(fraction: R) -> R {
                HertzMindlin::onset(fraction)
            }
            fn contact_time(pair: &HertzMindlinConstants<f64>, radius: f64, mass: f64, speed: f64) -> f64 {
                HertzMindlin::contact_time(pair, radius, mass, speed)
            }
            #[inline(always)]
            fn react<R: Real>(
                constants: &HertzMindlinConstants<R>,
                contact: Contact<R>,
                memory: Spring<R>,
                dt: R,
            ) -> Reaction<R, Spring<R>, FrictionalBooks<R>> {
                frictional::<Self, R>(constants, contact, memory, dt)
            }
        }
    };
}
twin!(Twin, "twin");
twin!(Usurper, "linear");

/// A couple against rolling, proportional to the rate of it and to the load.
#[derive(Clone, Copy, Debug, Default)]
struct Syrup;

impl RollingModel for Syrup {
    const INFO: ResistanceInfo = ResistanceInfo {
        name: "syrup",
        summary: "a couple that grows with the rate of rolling",
        citation: Some(CUNDALL_1979),
        uses_velocity: true,
        needs: &[],
    };

    type Constants<R: Real> = Nothing;
    type Memory<R: Real> = Nothing;

    fn constants(_: &Meeting<'_>) -> Result<Nothing, MaterialError> {
        Ok(Nothing)
    }

    #[inline(always)]
    fn resist<R: Real>(
        _: &Nothing,
        contact: &Contact<R>,
        support: &Support<R>,
        _: Nothing,
        dt: R,
    ) -> Resistance<R, LabVec<R>, Nothing> {
        let spin = contact.tangential(contact.spin);
        let strength = R::lit(1e-4) * support.normal_force * contact.radius;
        let damped = spin.dot(spin) * strength * dt;
        Resistance {
            torque: spin * -strength,
            memory: Nothing,
            books: Resisted { damped, ..Resisted::zero() },
        }
    }
}

/// The law of the recipe, with a resistance from outside and one of the list.
pub(crate) fn recipe() -> ContactModel {
    ContactModel::of::<ScaledLinear, Syrup, twisting::ElasticPlastic>()
}

const SPEED: f64 = 0.5;
const RADIUS: f64 = 0.01;

/// A ball that falls onto a floor, `steps` in the time of the collision.
fn collision(restitution: f64, steps: f64) -> Engine {
    let mut world = World::default();
    let gel = world.materials.add(Material::new("gel", 1100.0, 2e6, 0.4)).unwrap();
    world.materials.set_default(PairProperties::new(restitution, 0.3));
    let ball = add_sphere(&mut world, RADIUS);
    add_floor(&mut world, gel, Motion::fixed());
    let contact = ContactModel::of::<ScaledLinear, rolling::None, twisting::None>();
    let mass = world.templates[0].mass(1100.0, 1.0);
    let time = contact.law.contact_time(&world.materials, (gel, gel), (RADIUS, mass), SPEED).unwrap();
    let dt = time / steps;
    world.add_body(Body::at(ball, Z * (RADIUS + 1.4 * SPEED * dt)).moving(Z * -SPEED));
    Engine::new(world, Settings { contact, ..Settings::new(dt) }).unwrap()
}

#[test]
fn it_has_the_restitution_that_was_asked_for() {
    for restitution in [1.0, 0.7, 0.3] {
        let mut engine = collision(restitution, 500.37);
        advance_through_contact(&mut engine);
        assert_close("rebound", engine.bodies()[0].velocity.z / SPEED, restitution, 2e-4);
    }
}

#[test]
fn its_books_close_to_second_order() {
    let errors = [50.37, 100.37, 200.37].map(|steps| {
        let mut engine = collision(0.6, steps);
        let start = engine.ledger().balance();
        advance_through_contact(&mut engine);
        let end = engine.ledger();
        assert!(end.lost() > 0.5 * start, "the dashpot takes 64 %: {end:?}");
        ((end.balance() - start) / start).abs()
    });
    let order = order_of(&errors);
    assert!(order > 1.7 && errors[2] < 1e-3, "order {order:.2}: {errors:?}");
}

/// A law of the list and its twin from outside go the same way, bit by bit, and get the same advice.
#[test]
fn a_twin_of_a_listed_law_has_its_bits() {
    let world = busy_world(Domain::open());
    let listed = ContactModel {
        law: LawKind::HertzMindlin,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let twin = ContactModel::of::<Twin, rolling::ElasticPlastic, twisting::ElasticPlastic>();
    assert_ne!(listed, twin);
    let [ours, theirs] = [twin, listed].map(|contact| {
        let mut engine = engine(&world, &Settings { contact, ..settings() });
        advance(&mut engine, 300);
        engine
    });
    assert!(ours.contact_count() > 20);
    assert_same(&state(&theirs), &state(&ours), "twin");
    let limits = |engine: &Engine| {
        let limits = engine.advise().limits;
        limits.into_iter().map(|limit| (limit.kind, limit.seconds.to_bits())).collect::<Vec<_>>()
    };
    assert!(limits(&ours).len() > 3);
    assert_eq!(limits(&ours), limits(&theirs));
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_after_a_restart() {
    let world = busy_world(Domain::open());
    let base = Settings { contact: recipe(), skin: Some(THIN_SKIN), ..settings() };
    let whole = same_on_threads_and_after_a_restart(&world, &base);
    assert!(whole.contact_count() > 20 && whole.ledger().rolling > 0.0);
}

#[test]
fn its_states_are_refused_by_other_models_by_name() {
    let world = busy_world(Domain::open());
    let of = |contact| engine(&world, &Settings { contact, ..settings() });
    let saved = SavedState::from_bytes(&of(recipe()).save().to_bytes(), &world).unwrap();
    let error = of(ContactModel::default()).restore(&saved).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error:?}");
    let message = error.to_string();
    for name in ["scaled-linear", "syrup", "elastic-plastic", "hertz-mindlin"] {
        assert!(message.contains(name), "{message}");
    }
    let listed = of(ContactModel::default()).save();
    assert!(matches!(of(recipe()).restore(&listed), Err(Error::Mismatch { .. })));
}

#[test]
fn models_are_told_apart() {
    let listed = ContactModel::of::<HertzMindlin, rolling::None, twisting::None>();
    assert_eq!(listed, ContactModel::default());
    assert_eq!(recipe(), recipe());
    assert_ne!(recipe(), ContactModel::of::<ScaledLinear, Syrup, twisting::None>());
    assert_eq!((recipe().law.name(), recipe().rolling.name()), ("scaled-linear", "syrup"));
    assert!(format!("{:?}", recipe()).contains("scaled-linear"));
    assert_eq!(recipe().law.info().energy_power, EnergyPower::Square);
}

/// What does not belong together, or takes a name of the lists, is refused with what was expected.
#[test]
fn parts_of_several_models_and_names_of_the_lists_are_refused() {
    let mut world = World::default();
    world.materials.add(Material::new("gel", 1100.0, 2e6, 0.4)).unwrap();
    world.materials.set_default(PairProperties::new(0.5, 0.3));
    let ball = add_sphere(&mut world, RADIUS);
    world.add_body(Body::at(ball, LabVec::zero()).made_of(MaterialId(0)));
    let refused = |contact| {
        let error = Engine::new(world.clone(), Settings { contact, ..Settings::new(1e-5) }).unwrap_err();
        assert!(matches!(error, Error::Invalid { what: "contact model", .. }), "{error:?}");
        error.to_string()
    };
    let mixed = ContactModel { rolling: RollingKind::None, ..recipe() };
    assert!(refused(mixed).contains("those of one ContactModel::of"), "{}", refused(mixed));
    let other = ContactModel::of::<Twin, rolling::None, twisting::None>();
    let mixed = ContactModel { law: other.law, ..recipe() };
    assert!(refused(mixed).contains("those of one ContactModel::of"));
    let usurper = refused(ContactModel::of::<Usurper, rolling::None, twisting::None>());
    assert!(usurper.contains("linear") && usurper.contains("not in the list"), "{usurper}");
}
