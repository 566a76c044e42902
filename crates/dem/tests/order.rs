//! Contact laws see positions, velocities and spins of one instant, whatever the rotation scheme: a clump in
//! a damped, frictional contact converges with the order that its scheme declares for torques that depend on
//! orientation and angular velocity. It does so at usual steps and at very short ones, where a first-order part
//! would come out that is too small to be seen before, and towards a solution that the engine has no part in.

mod equations;
mod pair;

use crate::common::{Z, add_clump, add_floor, largest, lopsided, order_of};
use equations::{Equations, Rubbing};
use tumble_dem::law::{ContactModel, LawKind, RollingKind, TwistingKind};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyState, BodyVec, Engine, LabVec, MaterialId, Quat, SchemeKind, Settings, World};

/// Where a clump collides with what.
#[derive(Clone, Copy, Debug)]
struct Case {
    law: LawKind,
    friction: f64,
    /// Against another clump, or on a plane.
    pair: bool,
    /// How far the surfaces are apart at the start, m.
    gap: f64,
}

/// Time that is integrated, s: a quarter of a contact.
const DURATION: f64 = 1e-3;

/// Steps in that time that people take, and far shorter ones, where a small first-order part comes out.
const USUAL: [u32; 4] = [24, 48, 96, 192];
const SHORT: [u32; 3] = [192, 768, 3072];
/// Steps of the reference between two of four instants.
const REFERENCE: u32 = 4096;

/// A sphere of a clump: its centre in the body, and its radius.
type Sphere = (BodyVec<f64>, f64);

/// The world of a case, and the spheres that touch, those of the upper clump first.
fn world(case: Case) -> (World, [Sphere; 2]) {
    let material = Material::new("m", 2500.0, 4e6, 0.25).with_stiffness(1e4);
    let properties = PairProperties::new(0.5, case.friction).with_rolling(0.1, 0.3).with_twisting(0.3);
    let mut world = crate::common::world(material, properties);
    let clump = add_clump(&mut world, &lopsided());
    world.gravity = LabVec::new(0.0, 1.0, -9.81);
    let spheres: Vec<Sphere> =
        world.templates[0].spheres().iter().map(|sphere| (sphere.centre, sphere.radius)).collect();
    // The farthest point in a direction, and the sphere it is on.
    let reach = |q: Quat<f64>, direction: LabVec<f64>| {
        let arms =
            spheres.iter().map(|&(centre, radius)| (q.to_lab(centre) + direction * radius, (centre, radius)));
        arms.max_by(|a, b| a.0.dot(direction).total_cmp(&b.0.dot(direction))).unwrap()
    };
    let q = Quat::from_rotation_vector(LabVec::new(0.3, -0.5, 0.2));
    let other = Quat::from_rotation_vector(LabVec::new(-0.4, 1.2, 0.5));
    let ((below, lower), (above, upper)) = (reach(q, -Z), reach(other, Z));
    let moving = LabVec::new(0.4, 0.1, -0.2);
    let spin = LabVec::new(20.0, -30.0, 25.0);
    let place = |point: LabVec<f64>| Z * case.gap + point - below;
    if case.pair {
        world.add_body(Body::at(clump, place(above)).turned(q).moving(moving).spinning(spin));
        world.add_body(Body::at(clump, LabVec::zero()).turned(other).spinning(spin * -0.6));
    } else {
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        world.add_body(Body::at(clump, place(LabVec::zero())).turned(q).moving(moving).spinning(spin));
    }
    (world, [lower, upper])
}

fn engine(case: Case, scheme: SchemeKind, steps: u32) -> Engine {
    let contact = ContactModel {
        law: case.law,
        rolling: RollingKind::ElasticPlastic,
        twisting: TwistingKind::ElasticPlastic,
    };
    let dt = DURATION / f64::from(steps);
    Engine::new(world(case).0, Settings { contact, rotation: scheme.into(), ..Settings::new(dt) }).unwrap()
}

/// All bodies at four instants.
fn run(case: Case, scheme: SchemeKind, steps: u32) -> Vec<BodyState> {
    let mut engine = engine(case, scheme, steps);
    let mut states = Vec::new();
    for _ in 0..4 {
        engine.advance(u64::from(steps / 4)).unwrap();
        assert_eq!(engine.contact_count(), 1, "{case:?}: the equations are those of one contact");
        states.extend(engine.bodies());
    }
    states
}

/// The same by the equations of motion.
fn exact(case: Case, steps: u32) -> Vec<BodyState> {
    let (world, touching) = world(case);
    let bodies = engine(case, SchemeKind::KickRotateKick, 1).bodies();
    let mut rubbing = bodies.iter().zip(touching);
    let mut next = || rubbing.next().map(|(&state, (centre, radius))| Rubbing { state, centre, radius });
    let (a, b) = (next().unwrap(), next());
    let mut equations = Equations::new(case.law, &world.materials, world.gravity, &a, b.as_ref());
    let mut states = Vec::new();
    for _ in 0..4 {
        equations.advance(0.25 * DURATION, steps);
        states.extend(equations.bodies());
    }
    states
}

/// The largest errors of position, velocity, orientation and angular velocity.
fn errors(states: &[BodyState], exact: &[BodyState]) -> [f64; 4] {
    let each = |error: fn(&BodyState, &BodyState) -> f64| {
        largest(states.iter().zip(exact).map(|(state, exact)| error(state, exact)))
    };
    [
        each(|a, b| (a.position - b.position).norm()),
        each(|a, b| (a.velocity - b.velocity).norm()),
        each(|a, b| (b.orientation.conjugate() * a.orientation).rotation_vector::<tumble_math::Lab>().norm()),
        each(|a, b| (a.angular_velocity - b.angular_velocity).norm()),
    ]
}

/// The orders of the four errors, each the worst over the cases.
fn orders(cases: &[Case], scheme: SchemeKind, exact: &[Vec<BodyState>], steps: &[u32]) -> [f64; 4] {
    let worst = |&steps: &u32| {
        let all: Vec<[f64; 4]> =
            cases.iter().zip(exact).map(|(&case, exact)| errors(&run(case, scheme, steps), exact)).collect();
        [0, 1, 2, 3].map(|which| largest(all.iter().map(|errors| errors[which])))
    };
    let errors: Vec<_> = steps.iter().map(worst).collect();
    // Halvings from each number of steps to the next.
    let halvings = f64::from(steps[1] / steps[0]).log2();
    let order = |which: usize| order_of(&errors.iter().map(|all| all[which]).collect::<Vec<_>>()) / halvings;
    [0, 1, 2, 3].map(order)
}

fn lowest<'a>(orders: impl IntoIterator<Item = &'a f64>) -> f64 {
    -largest(orders.into_iter().map(|order| -order))
}

fn accepted() -> impl Iterator<Item = SchemeKind> {
    SchemeKind::ALL.iter().copied().filter(|scheme| scheme.info().torque_times.len() == 1)
}

/// The order that a scheme declares for torques that depend on orientation and angular velocity.
fn declared(scheme: SchemeKind) -> u8 {
    let orders = scheme.info().orders;
    let [a, b] = [orders.orientation_torque, orders.velocity_torque];
    a.q.min(a.omega).min(b.q).min(b.omega)
}

const LAWS: [LawKind; 2] = [LawKind::Linear, LawKind::HertzMindlin];

/// From the midst of a contact, sticking or sliding in directions that turn.
fn touching() -> Vec<Case> {
    let mut cases = Vec::new();
    for law in LAWS {
        for friction in [10.0, 0.1] {
            cases.extend([false, true].map(|pair| Case { law, friction, pair, gap: -1e-3 }));
        }
    }
    cases
}

/// A scheme of first order may look better where its error happens to be small, but not everywhere.
#[test]
fn contacts_converge_with_the_order_of_the_scheme() {
    let cases = touching();
    let exact: Vec<_> = cases.iter().map(|&case| [exact(case, REFERENCE)]).collect();
    for scheme in accepted() {
        let each = cases.iter().zip(&exact);
        let table: Vec<_> = each.map(|(&case, exact)| orders(&[case], scheme, exact, &USUAL)).collect();
        let lowest = lowest(table.iter().flatten());
        let what = format!("{}: {table:.2?}", scheme.name());
        if declared(scheme) >= 2 {
            assert!(lowest >= 1.8, "{what}");
        } else {
            assert!((0.7..1.3).contains(&lowest), "{what}");
        }
    }
}

/// What is of first order in the contact itself has nothing to do with the scheme, and may be so small that usual
/// steps do not show it.
#[test]
fn second_order_stays_with_short_steps() {
    for case in touching() {
        let exact = [exact(case, REFERENCE)];
        for scheme in SOME {
            let orders = orders(&[case], scheme, &exact, &SHORT);
            assert!(lowest(&orders) >= 1.9, "{} {case:?}: {orders:.2?}", scheme.name());
        }
    }
}

/// The equations are integrated well enough to judge the engine by: half as many steps give the same, compared
/// with what the engine is away with its shortest step.
#[test]
fn the_reference_has_converged() {
    let beginning = LAWS.map(|law| Case { law, friction: 10.0, pair: true, gap: 3e-5 });
    for case in touching().into_iter().chain(beginning) {
        let reference = exact(case, REFERENCE);
        let coarse = errors(&exact(case, REFERENCE / 2), &reference);
        let engine = errors(&run(case, SchemeKind::KickRotateKick, SHORT[2]), &reference);
        for (coarse, engine) in coarse.into_iter().zip(engine) {
            assert!(coarse < 0.1 * engine, "{case:?}: {coarse:e}, engine {engine:e}");
        }
    }
}

/// One of each time level, and the two that codes in use have.
const SOME: [SchemeKind; 5] = [
    SchemeKind::MagnusLeapfrog,
    SchemeKind::KickRotateKick,
    SchemeKind::ImprovedPcdm,
    SchemeKind::NoSquish,
    SchemeKind::WaltonBraun,
];

/// From before a contact that begins somewhere within a step: the worst of several places. With the linear law all
/// dashpots jump there; those of Hertz–Mindlin begin as δ^¼ and its springs stiffen as δ^½. The engine allows for
/// either, without which orders would be 1, 5/4 and 3/2.
#[test]
fn contacts_that_begin_converge_as_well() {
    for law in LAWS {
        for friction in [10.0, 0.1] {
            for pair in [false, true] {
                let gaps = [1.0, 1.29, 1.58, 1.87].map(|gap| gap * 2e-5);
                let cases = gaps.map(|gap| Case { law, friction, pair, gap });
                let exact = cases.map(|case| exact(case, REFERENCE));
                for scheme in SOME {
                    let orders = orders(&cases, scheme, &exact, &USUAL);
                    let what = format!("{} {:?}: {orders:.2?}", scheme.name(), cases[0]);
                    assert!(lowest(&orders) >= 1.8, "{what}");
                }
                let orders = orders(&cases, SchemeKind::MagnusLeapfrog, &exact, &SHORT);
                assert!(lowest(&orders) >= 1.8, "short steps, {:?}: {orders:.2?}", cases[0]);
            }
        }
    }
}
