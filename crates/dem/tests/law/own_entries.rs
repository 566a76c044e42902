//! A law from outside the engine with constants, a memory and an entry of the ledger of its own: it runs with the same bits on
//! any number of threads and from saved bytes, its entry is told and closes the balance, and no other law has it.

use crate::common::{Z, add_floor, add_sphere, advance_through_contact, assert_close, order_of};
use crate::crowds::{
    THIN_SKIN, advance, assert_same, busy_world, closed_box, crowd, engine, settings, state, world,
};
use crate::law::bench::{self, Energies, UP};
use crate::law::recipe::scaled_linear::ScaledLinear;
use tumble_dem::citations::Citation;
use tumble_dem::domain::Domain;
use tumble_dem::law::{
    Books, Contact, ContactLaw, ContactModel, Dissipation, ELASTIC_NORMAL, ELASTIC_TANGENTIAL, EnergyPower,
    Entry, EntryKind, LawInfo, LawKind, Linear, NORMAL_DAMPING, Reaction, SLIDING, Spring,
    TANGENTIAL_DAMPING, frictional, rolling, twisting,
};
use tumble_dem::material::{Material, MaterialError, Meeting, PairProperties};
use tumble_dem::record::Record;
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, Ledger, MaterialId, SavedState, Settings, World};
use tumble_math::Real;

/// What the surfaces lose where they give way for good.
const YIELDED: Entry = Entry::new("yielded", "lost where surfaces yield", EntryKind::Slipped);

/// How much stiffer surfaces that have yielded are: the square of one over the restitution.
const HARDER: f64 = 4.0;

/// Springs that yield: F = k₁δ while a contact gets deeper than it ever was, k₂δ − (k₂ − k₁)δₘ else, never pulling, with
/// the largest overlap δₘ so far. With k₂ = 4k₁ half of the speed comes back, whatever it was; friction beside.
///
/// F²/2k₂ is stored. What is lost, ½k₁(1 − k₁/k₂)δₘ², follows from δₘ alone.
#[derive(Clone, Copy, Debug, Default)]
struct Yielding;

tumble_dem::record! {
    /// The constants of two materials.
    YieldingConstants, YIELDING_CONSTANTS {
        /// k₁, N/m.
        first: R,
        /// k₂, N/m.
        again: R,
        /// kₜ, N/m.
        tangential: R,
        /// Coefficient of friction.
        friction: R,
    }
}

tumble_dem::record! {
    /// What is remembered: a record within a record, vectors that turn along and a number that does not.
    Yielded, YIELDED_NUMBERS {
        /// δₘ, m.
        deepest: R,
        /// The tangential spring.
        spring: Spring<R>,
    }
}

tumble_dem::books! {
    /// Those of friction, and what yields.
    YieldingBooks, YIELDING_BOOKS {
        /// In front of what other laws have.
        yielded: YIELDED,
        normal: ELASTIC_NORMAL,
        tangential: ELASTIC_TANGENTIAL,
        normal_damping: NORMAL_DAMPING,
        tangential_damping: TANGENTIAL_DAMPING,
        sliding: SLIDING,
    }
}

impl ContactLaw for Yielding {
    const INFO: LawInfo = LawInfo {
        name: "yielding",
        summary: "linear springs that yield, Coulomb friction",
        citation: Citation { short: "here", full: "A law of this test.", doi: None },
        uses_velocity: false,
        energy_power: EnergyPower::Square,
        needs: Linear::INFO.needs,
    };

    type Constants<R: Real> = YieldingConstants<R>;
    type Memory<R: Real> = Yielded<R>;
    type Books<R: Real> = YieldingBooks<R>;

    fn constants(meeting: &Meeting<'_>) -> Result<YieldingConstants<f64>, MaterialError> {
        let linear = Linear::constants(meeting)?;
        let (first, tangential) = (linear.stiffness_normal, linear.stiffness_tangential);
        let friction = linear.dissipation.friction;
        Ok(YieldingConstants { first, again: HARDER * first, tangential, friction })
    }

    #[inline(always)]
    fn dissipation<R: Real>(constants: &YieldingConstants<R>) -> Dissipation<R> {
        Dissipation { friction: constants.friction, ..Dissipation::none() }
    }

    /// Of a contact that gets deeper.
    #[inline(always)]
    fn elastic<R: Real>(constants: &YieldingConstants<R>, _: R, overlap: R) -> (R, R) {
        let force = constants.first * overlap;
        (force, force * overlap * R::lit(0.5))
    }

    #[inline(always)]
    fn normal_stiffness<R: Real>(constants: &YieldingConstants<R>, _: R, _: R) -> R {
        constants.first
    }

    #[inline(always)]
    fn tangential_stiffness<R: Real>(constants: &YieldingConstants<R>, _: R, _: R) -> R {
        constants.tangential
    }

    /// A quarter of a period of each spring; then the surfaces part without force.
    fn contact_time(constants: &YieldingConstants<f64>, _: f64, mass: f64, _: f64) -> f64 {
        let quarter = |stiffness: f64| 0.5 * std::f64::consts::PI * (mass / stiffness).sqrt();
        quarter(constants.first) + quarter(constants.again)
    }

    #[inline(always)]
    fn react<R: Real>(
        constants: &YieldingConstants<R>,
        contact: Contact<R>,
        memory: Yielded<R>,
        dt: R,
    ) -> Reaction<R, Yielded<R>, YieldingBooks<R>> {
        let YieldingConstants { first, again, .. } = *constants;
        let (half, zero) = (R::lit(0.5), R::lit(0.0));
        let overlap = contact.pressed::<Self>();
        let before = memory.deepest;
        let deepest = R::select(before.lt(overlap), overlap, before);
        let force = again * overlap - (again - first) * deepest;
        let force = R::select(zero.lt(force), force, zero);
        // The overlap at which a contact that never was deeper has this force.
        let fresh = Contact { overlap: force / first, ..contact };
        let friction = frictional::<Self, R>(constants, fresh, memory.spring, dt);
        let lost = half * first * (again - first) / again;
        Reaction {
            force: friction.force,
            normal_force: friction.normal_force,
            memory: Yielded { deepest, spring: friction.memory },
            books: YieldingBooks {
                yielded: lost * (deepest - before) * (deepest + before),
                normal: half * force * force / again,
                tangential: friction.books.tangential,
                normal_damping: friction.books.normal_damping,
                tangential_damping: friction.books.tangential_damping,
                sliding: friction.books.sliding,
            },
        }
    }
}

/// With a resistance of the list, whose books follow those of the law.
fn yielding() -> ContactModel {
    ContactModel::of::<Yielding, rolling::ElasticPlastic, twisting::ElasticPlastic>()
}

/// What a ledger tells under this name, in the table and among the entries of laws.
fn told(ledger: &Ledger) -> [Vec<f64>; 2] {
    let own = ledger.own.iter().filter(|(entry, _)| *entry == YIELDED).map(|(_, energy)| *energy).collect();
    [ledger.entries().filter(|(name, _)| *name == YIELDED.key).map(|(_, energy)| energy).collect(), own]
}

/// The entry, which is there once.
fn yielded(ledger: &Ledger) -> f64 {
    let [table, own] = told(ledger);
    assert_eq!((&table, table.len()), (&own, 1), "{ledger:?}");
    table[0]
}

const RADIUS: f64 = 0.01;
const SPEED: f64 = 0.7;

/// A ball that falls on a floor, or on another ball, `steps` in the time of the collision; and the energy it comes with.
fn collision(on_floor: bool, steps: f64) -> (Engine, f64) {
    let gel = Material::new("gel", 1100.0, 2e6, 0.4).with_stiffness(1e4);
    let mut world = crate::common::world(gel, PairProperties::new(0.9, 0.3));
    let ball = add_sphere(&mut world, RADIUS);
    let contact = ContactModel::of::<Yielding, rolling::None, twisting::None>();
    let (id, whole) = (MaterialId(0), world.templates[0].mass(1100.0, 1.0));
    let mass = if on_floor { whole } else { 0.5 * whole };
    let time = contact.law.contact_time(&world.materials, (id, id), (RADIUS, mass), SPEED).unwrap();
    let dt = time / steps;
    let way = Z * (0.6 * SPEED * dt);
    if on_floor {
        add_floor(&mut world, id, Motion::fixed());
        world.add_body(Body::at(ball, Z * RADIUS + way).moving(Z * -SPEED));
    } else {
        world.add_body(Body::at(ball, Z * -RADIUS).moving(Z * (0.5 * SPEED)));
        world.add_body(Body::at(ball, Z * RADIUS + way).moving(Z * (-0.5 * SPEED)));
    }
    let engine = Engine::new(world, Settings { contact, ..Settings::new(dt) }).unwrap();
    (engine, 0.5 * mass * SPEED * SPEED)
}

/// Of v, √(k₁/k₂) comes back, and 1 − k₁/k₂ of the energy is in the entry: to second order in the step.
#[test]
fn a_collision_loses_what_yields() {
    for on_floor in [true, false] {
        let errors = [50.0, 100.0, 200.0, 400.0].map(|steps| {
            // Over phases between steps and the deepest overlap.
            let squares = (0..8).map(|phase| {
                let (mut engine, energy) = collision(on_floor, steps + f64::from(phase) / 8.0);
                let start = engine.ledger();
                assert_eq!(told(&start), [[0.0], [0.0]].map(Vec::from), "it is told from the start");
                advance_through_contact(&mut engine);
                let end = engine.ledger();
                let lost = yielded(&end);
                assert_close("lost", end.lost(), lost, 1e-12);
                let bodies = engine.bodies();
                let below = if on_floor { 0.0 } else { bodies[0].velocity.z };
                let back = bodies[bodies.len() - 1].velocity.z - below;
                let speed = back / SPEED - (1.0 / HARDER).sqrt();
                let books = lost / energy - (1.0 - 1.0 / HARDER);
                let balance = (end.balance() - start.balance()) / energy;
                speed.abs().max(books.abs()).max(balance.abs()).powi(2)
            });
            (squares.sum::<f64>() / 8.0).sqrt()
        });
        let order = order_of(&errors);
        assert!(order > 1.8 && errors[3] < 1e-4, "on the floor {on_floor}: order {order:.2}, {errors:?}");
    }
}

/// A crowd in a box, without gravity.
fn gas() -> World {
    let mut world = world();
    world.bodies = crowd(&world, 150, 0.1, 5);
    world.walls.push(closed_box(0.1));
    world
}

/// Where everything rubs, rolls and yields, the balance closes with the entry, and would not without it.
#[test]
fn the_balance_of_a_crowd_closes_with_it() {
    let world = gas();
    let errors = [100, 200, 400].map(|steps: u32| {
        let dt = 4e-3 / f64::from(steps);
        let mut engine = engine(&world, &Settings { contact: yielding(), dt, ..settings() });
        let start = engine.ledger();
        advance(&mut engine, steps.into());
        let end = engine.ledger();
        let lost = yielded(&end);
        assert!(lost > 0.1 * start.kinetic() && end.sliding > 0.0 && end.rolling > 0.0, "{end:?}");
        assert!(end.normal_damping == 0.0 && end.own.len() == 1, "{end:?}");
        let parts = end.sliding + end.tangential_damping + end.rolling + end.separation;
        assert_close("all that is lost", end.lost(), parts + lost, 1e-12);
        ((end.balance() - start.balance()) / start.kinetic()).abs()
    });
    let order = order_of(&errors);
    assert!(order > 1.7 && errors[2] < 1e-4, "order {order:.2}: {errors:?}");
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_from_saved_bytes() {
    let world = busy_world(Domain::open());
    let base = Settings { contact: yielding(), skin: Some(THIN_SKIN), ..settings() };
    let (mut whole, mut middle) = (engine(&world, &base), Vec::new());
    for part in [170, 130] {
        advance(&mut whole, part);
        middle.push(whole.save().to_bytes());
    }
    assert!(whole.contact_count() > 20);
    assert!(yielded(&whole.ledger()) > 1e-2 * whole.ledger().kinetic());
    assert!(state(&whole).iter().any(|(name, energy)| name == "ledger: yielded" && *energy > 0.0));
    for threads in [1, 2, 3] {
        let of = |threads| engine(&world, &Settings { threads, ..base.clone() });
        let mut other = of(threads);
        advance(&mut other, 170);
        let bytes = other.save().to_bytes();
        assert!(bytes == middle[0], "{threads} threads: other bytes");
        let saved = SavedState::from_bytes(&bytes, &world).unwrap();
        assert!(saved.contact_count() > 20);
        let mut next = of(4 - threads);
        next.restore(&saved).unwrap();
        assert_same(&state(&other), &state(&next), &format!("restored from {threads} threads"));
        for mut engine in [other, next] {
            advance(&mut engine, 130);
            assert_same(&state(&whole), &state(&engine), &format!("{threads} threads"));
            assert!(engine.save().to_bytes() == middle[1], "{threads} threads: other bytes");
        }
    }
}

/// What bodies that were taken out have lost remains lost.
#[test]
fn it_outlasts_bodies() {
    let world = gas();
    let mut engine = engine(&world, &Settings { contact: yielding(), ..settings() });
    advance(&mut engine, 300);
    let before = engine.ledger();
    let touching: Vec<_> = engine.contacts().iter().map(|contact| contact.body.0).collect();
    let mut gone: Vec<_> =
        engine.bodies().iter().map(|body| body.id).filter(|id| !touching.contains(id)).collect();
    gone.truncate(50);
    assert!(gone.len() > 30);
    engine.remove_bodies(&gone).unwrap();
    let after = engine.ledger();
    assert_close("kept", yielded(&after), yielded(&before), 1e-14);
    assert_close("balance", after.balance(), before.balance(), 1e-12);
    advance(&mut engine, 300);
    assert!(yielded(&engine.ledger()) > yielded(&after));
}

/// A law has its own entries, and nobody else's.
#[test]
fn worlds_of_other_laws_do_not_have_it() {
    let world = gas();
    let listed = [LawKind::Hertz, LawKind::HertzMindlin, LawKind::Linear]
        .map(|law| ContactModel { law, ..ContactModel::default() });
    let outside = ContactModel::of::<ScaledLinear, rolling::ElasticPlastic, twisting::None>();
    let names = |contact| {
        let mut engine = engine(&world, &Settings { contact, ..settings() });
        advance(&mut engine, 50);
        let ledger = engine.ledger();
        (ledger.own.len(), ledger.entries().map(|(name, _)| name).collect::<Vec<_>>())
    };
    let (count, ours) = names(yielding());
    assert_eq!((count, ours.last()), (1, Some(&YIELDED.key)));
    for contact in listed.into_iter().chain([outside]) {
        let (count, theirs) = names(contact);
        assert_eq!((count, &theirs[..]), (0, &ours[..ours.len() - 1]), "{contact:?}");
    }
}

/// One contact, pressed and let go: books and memory are as declared.
#[test]
fn its_records_have_the_numbers_that_were_declared() {
    assert_eq!((YIELDING_CONSTANTS, YIELDED_NUMBERS, YIELDING_BOOKS), (4, 4, 6));
    assert_eq!(<YieldingBooks<f64> as Books<f64>>::ENTRIES[0], YIELDED);
    let gel = Material::new("gel", 1100.0, 2e6, 0.4).with_stiffness(1e4);
    let pair = bench::pair::<Yielding>(gel.clone(), gel, PairProperties::new(0.9, 0.3));
    assert!(
        yielding().has_history()
            && !ContactModel { law: LawKind::Hertz, ..ContactModel::default() }.has_history()
    );
    let mut memory: Yielded<f64> = Record::zero();
    let (mut lost, mut overlap_before) = (0.0, 0.0);
    for (overlap, force, deepest) in [
        (1e-5, 0.1, 1e-5),
        (2e-5, 0.2, 2e-5),
        (1.75e-5, 0.1, 2e-5),
        (1e-5, 0.0, 2e-5),
        (2e-5, 0.2, 2e-5),
        (3e-5, 0.3, 3e-5),
    ] {
        let contact = Contact { overlap_before, ..Contact::at_rest(UP, RADIUS, overlap) };
        let reaction = Yielding::react(&pair, contact, memory, 1e-6);
        assert!((reaction.force.z - force).abs() < 1e-15 && (reaction.normal_force - force).abs() < 1e-15);
        lost += reaction.books.yielded;
        (memory, overlap_before) = (reaction.memory, overlap);
        assert_eq!(memory.deepest.to_bits(), f64::to_bits(deepest));
        let energies = Energies::of(reaction.books);
        energies.assert_no_gain();
        assert!((energies.stored - force * force / 8e4).abs() < 1e-20, "{energies:?}");
        assert!((lost - 0.375e4 * deepest * deepest).abs() < 1e-20, "{lost}");
    }
}

/// Recordings have its numbers in their places, and give those of the function.
#[cfg(feature = "trace")]
#[test]
fn a_recording_of_it_replays_to_the_same_bits() {
    use tumble_dem::LabVec;
    use tumble_dem::law::{CONTACT, RESISTED, trace};
    let model = ContactModel::of::<Yielding, rolling::None, twisting::None>();
    let tape = trace::record(model);
    assert_eq!(tape.inputs(), YIELDING_CONSTANTS + CONTACT + YIELDED_NUMBERS + 1);
    assert_eq!(tape.outputs(), 7 + YIELDED_NUMBERS + YIELDING_BOOKS + RESISTED);
    let gel = Material::new("gel", 1100.0, 2e6, 0.4).with_stiffness(1e4);
    let pair = bench::pair::<Yielding>(gel.clone(), gel, PairProperties::new(0.9, 0.3));
    for (overlap, deepest) in [(-1e-6, 0.0), (2e-6, 0.0), (2e-6, 1e-6), (2e-6, 2.1e-6), (1e-6, 2e-6)] {
        let slide = LabVec::new(1e-7, -2e-7, 0.0);
        let contact = Contact { slide, mass: 1e-3, ..Contact::at_rest(UP, RADIUS, overlap) };
        let memory = Yielded { deepest, spring: Spring { force: LabVec::new(1e-3, 2e-3, 0.0) } };
        let given = [&pair.to_array()[..], &contact.to_array(), &memory.to_array(), &[1e-6]].concat();
        let Reaction { force, normal_force, memory, books } = Yielding::react(&pair, contact, memory, 1e-6);
        let (force, memory, books) = (force.to_array(), memory.to_array(), books.to_array());
        let direct = [&force[..], &[0.0; 3], &[normal_force], &memory, &books, &[0.0; RESISTED]].concat();
        let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(tape.replay(&given)), bits(direct), "{overlap} of {deepest}");
    }
}
