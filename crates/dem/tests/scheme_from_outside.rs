//! Rotation schemes that the library does not list, defined here as in a crate of their own, run in the engine and in
//! batches like those of the list: the order that they declare, the same bits on any number of threads, saved states.

#[allow(unreachable_pub, reason = "as in a crate of its own")]
#[path = "../../rotation/tests/recipe/exponential_euler.rs"]
mod exponential_euler;

use crate::common::{add_clump, lopsided, order_of};
use crate::crowds::{
    THIN_SKIN, advance, assert_same, busy_world, engine, same_on_threads_and_after_a_restart, settings, state,
};
use exponential_euler::ExponentialEuler;
use tumble_dem::domain::Domain;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{
    AnyScheme, Body, BodyVec, Engine, Error, InstructionSet, LabVec, Quat, SavedState, SchemeKind, Settings,
};
use tumble_math::Real;
use tumble_rotation::batch::Batch;
use tumble_rotation::kicks::{kicked, midpoint_kick};
use tumble_rotation::schemes::{Fincham, MagnusLeapfrog, NoSquish};
use tumble_rotation::{Drive, Inertia, Orders, PrincipalInertia, RotationScheme, SchemeInfo, Spin};

/// Declares a scheme that is one of the list under another name.
macro_rules! twin {
    ($type:ident of $listed:ident, $name:literal) => {
        #[derive(Clone, Copy, Debug, Default)]
        struct $type;

        impl RotationScheme for $type {
            const INFO: SchemeInfo = SchemeInfo { name: $name, ..$listed::INFO };

            type Memory<R: Real> = <$listed as RotationScheme>::Memory<R>;

            #[inline(always)]
            fn start<R: Real, I: Inertia<R>>(
                spin: Spin<R>,
                drive: Drive<R, I>,
            ) -> (Spin<R>, Self::Memory<R>) {
                $listed::start(spin, drive)
            }
            #[inline(always)]
            fn before_torque<R: Real, I: Inertia<R>>(
                spin: Spin<R>,
                memory: Self::Memory<R>,
                drive: Drive<R, I>,
            ) -> (Spin<R>, Self::Memory<R>) {
                $listed::before_torque(spin, memory, drive)
            }
            #[inline(always)]
            fn at_torque<R: Real, I: Inertia<R>>(
                spin: Spin<R>,
                memory: Self::Memory<R>,
                drive: Drive<R, I>,
            ) -> Spin<R> {
                $listed::at_torque(spin, memory, drive)
            }
            #[inline(always)]
            fn after_torque<R: Real, I: Inertia<R>>(
                spin: Spin<R>,
                memory: Self::Memory<R>,
                drive: Drive<R, I>,
            ) -> (Spin<R>, Self::Memory<R>) {
                $listed::after_torque(spin, memory, drive)
            }
            #[inline(always)]
            fn synchronise<R: Real, I: Inertia<R>>(
                spin: Spin<R>,
                memory: Self::Memory<R>,
                drive: Drive<R, I>,
            ) -> Spin<R> {
                $listed::synchronise(spin, memory, drive)
            }
        }
    };
}
twin!(MagnusTwin of MagnusLeapfrog, "magnus-twin");
twin!(FinchamTwin of Fincham, "fincham-twin");
twin!(NoSquishTwin of NoSquish, "no-squish-twin");
twin!(Usurper of MagnusLeapfrog, "dullweber");

/// A leapfrog with the midpoint rule for ω and the exponential of the new ω for q: of second order.
#[derive(Clone, Copy, Debug, Default)]
struct MidpointLeapfrog;

impl RotationScheme for MidpointLeapfrog {
    const INFO: SchemeInfo = SchemeInfo {
        name: "midpoint-leapfrog",
        summary: "midpoint rule for ω, exponential of the new ω for q",
        orders: Orders::new([(2, 2), (2, 2), (2, 2), (2, 2)]),
        ..MagnusLeapfrog::INFO
    };

    type Memory<R: Real> = ();

    #[inline(always)]
    fn start<R: Real, I: Inertia<R>>(spin: Spin<R>, drive: Drive<R, I>) -> (Spin<R>, ()) {
        (kicked(spin, drive, -0.5, midpoint_kick), ())
    }

    #[inline(always)]
    fn after_torque<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> (Spin<R>, ()) {
        let omega = kicked(spin, drive, 1.0, midpoint_kick).omega;
        (Spin { q: spin.q.turn_body(omega, drive.dt), omega }, ())
    }

    #[inline(always)]
    fn synchronise<R: Real, I: Inertia<R>>(spin: Spin<R>, (): (), drive: Drive<R, I>) -> Spin<R> {
        kicked(spin, drive, 0.5, midpoint_kick)
    }
}

/// Orientation and spin of a free clump after 0.1 s.
fn tumbled(rotation: AnyScheme, steps: u32) -> (Quat<f64>, LabVec<f64>) {
    let mut world =
        crate::common::world(Material::new("m", 2500.0, 4e6, 0.25), PairProperties::new(0.5, 0.3));
    let clump = add_clump(&mut world, &lopsided());
    world.add_body(Body::at(clump, LabVec::zero()).spinning(LabVec::new(20.0, -30.0, 25.0)));
    let settings = Settings { rotation, ..Settings::new(0.1 / f64::from(steps)) };
    let mut engine = Engine::new(world, settings).unwrap();
    engine.advance(u64::from(steps)).unwrap();
    (engine.bodies()[0].orientation, engine.bodies()[0].angular_velocity)
}

#[test]
fn they_converge_with_the_order_that_they_declare() {
    let (q, omega) = tumbled(SchemeKind::MagnusLeapfrog.into(), 20_000);
    for scheme in [AnyScheme::of::<MidpointLeapfrog>(), AnyScheme::of::<ExponentialEuler>()] {
        let errors: Vec<[f64; 2]> = [400, 800, 1600]
            .map(|steps| {
                let (q_found, omega_found) = tumbled(scheme, steps);
                let turn = (q.conjugate() * q_found).rotation_vector::<tumble_math::Lab>();
                [turn.norm(), (omega_found - omega).norm()]
            })
            .to_vec();
        let declared = scheme.info().orders.free;
        for (column, order) in [declared.q, declared.omega].into_iter().enumerate() {
            let measured = order_of(&errors.iter().map(|error| error[column]).collect::<Vec<_>>());
            assert!(
                (measured - f64::from(order)).abs() < 0.1,
                "{scheme:?}: {measured:.2} for {order}: {errors:?}"
            );
        }
    }
}

/// A scheme of the list and its twin from outside go the same way, bit by bit, with and without a memory.
#[test]
fn a_twin_of_a_listed_scheme_has_its_bits() {
    let world = busy_world(Domain::open());
    for (twin, listed) in [
        (AnyScheme::of::<MagnusTwin>(), SchemeKind::MagnusLeapfrog),
        (AnyScheme::of::<FinchamTwin>(), SchemeKind::Fincham),
        (AnyScheme::of::<NoSquishTwin>(), SchemeKind::NoSquish),
    ] {
        assert_ne!(twin, listed.into());
        assert_eq!((twin.kind(), twin.memory_width()), (None, listed.memory_width()));
        let run = |rotation: AnyScheme, set| {
            let instruction_set = Some(set);
            let settings = Settings { rotation, instruction_set, skin: Some(THIN_SKIN), ..settings() };
            let mut engine = engine(&world, &settings);
            advance(&mut engine, 200);
            state(&engine)
        };
        let expected = run(listed.into(), InstructionSet::widest());
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            assert_same(&expected, &run(twin, set), &format!("{twin:?} {set:?}"));
        }
    }
}

#[test]
fn batches_take_them_in_both_precisions() {
    fn ends<R: tumble_rotation::batch::Vectorised + PartialEq>(scheme: AnyScheme) -> Vec<Spin<R>> {
        let inertia = PrincipalInertia::new([1.0, 2.0, 3.0].map(R::lit)).unwrap();
        let bodies = (0..40).map(|i| {
            let omega = BodyVec::new(R::lit(0.3), R::lit(0.1 * f64::from(i)), R::lit(-1.0));
            (Spin { q: Quat::identity(), omega }, inertia)
        });
        let drag = |_, q: Quat<R>, omega: BodyVec<R>, _| q.to_lab(omega * R::lit(-0.2));
        let mut batch = Batch::new(scheme, R::lit(0.01), bodies, drag).unwrap();
        (0..100).for_each(|_| batch.step(drag));
        batch.states(drag)
    }
    for (twin, listed) in [
        (AnyScheme::of::<MagnusTwin>(), SchemeKind::MagnusLeapfrog),
        (AnyScheme::of::<FinchamTwin>(), SchemeKind::Fincham),
    ] {
        assert_eq!(ends::<f64>(twin), ends::<f64>(listed.into()));
        assert_eq!(ends::<f32>(twin), ends::<f32>(listed.into()));
    }
    assert_ne!(ends::<f64>(AnyScheme::of::<MidpointLeapfrog>()), ends(SchemeKind::MagnusLeapfrog.into()));
}

#[test]
fn the_same_bits_on_any_number_of_threads_and_after_a_restart() {
    let world = busy_world(Domain::open());
    for rotation in [AnyScheme::of::<MidpointLeapfrog>(), AnyScheme::of::<FinchamTwin>()] {
        let base = Settings { rotation, skin: Some(THIN_SKIN), ..settings() };
        same_on_threads_and_after_a_restart(&world, &base);
    }
}

#[test]
fn its_states_are_refused_by_other_schemes_by_name() {
    let world = busy_world(Domain::open());
    let of = |rotation| engine(&world, &Settings { rotation, ..settings() });
    let bytes = of(AnyScheme::of::<FinchamTwin>()).save().to_bytes();
    let saved = SavedState::from_bytes(&bytes, &world).unwrap();
    let error = of(SchemeKind::Fincham.into()).restore(&saved).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("'fincham-twin'") && message.contains("'fincham'"), "{message}");
    let listed = of(SchemeKind::Fincham.into()).save();
    assert!(matches!(of(AnyScheme::of::<FinchamTwin>()).restore(&listed), Err(Error::Mismatch { .. })));
}

/// The width of the memory is read from the bytes: a wrong one is told, and nothing is taken for it.
#[test]
fn a_width_that_no_scheme_has_is_refused() {
    let world = busy_world(Domain::open());
    let rotation = AnyScheme::of::<FinchamTwin>();
    let mut bytes = engine(&world, &Settings { rotation, ..settings() }).save().to_bytes();
    let name = b"fincham-twin";
    let at = bytes.windows(name.len()).position(|part| part == name).unwrap() + name.len();
    bytes[at] = 15;
    let error = SavedState::from_bytes(&bytes, &world).unwrap_err().to_string();
    assert!(error.contains("15 numbers") && error.contains("14"), "{error}");
}

#[test]
fn names_of_the_list_are_refused_and_schemes_told_apart() {
    assert_eq!(AnyScheme::of::<MagnusLeapfrog>(), SchemeKind::MagnusLeapfrog.into());
    assert_ne!(AnyScheme::of::<MidpointLeapfrog>(), AnyScheme::of::<MagnusTwin>());
    assert_eq!(format!("{:?}", AnyScheme::of::<MidpointLeapfrog>()), "midpoint-leapfrog");
    let world = busy_world(Domain::open());
    let rotation = AnyScheme::of::<Usurper>();
    let error = Engine::new(world, Settings { rotation, ..settings() }).unwrap_err();
    assert!(matches!(error, Error::Invalid { what: "rotation scheme", .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("dullweber") && message.contains("not in the list"), "{message}");
}
