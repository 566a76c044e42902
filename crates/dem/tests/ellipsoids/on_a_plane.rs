//! Guarantee: an ellipsoid that rocks and spins on a smooth plane does what a body with the potential of its height does: small rocking has the period
//! of the closed form, and the motion tends to that of an independent integration with the square of the time step.

use crate::common::{Z, add_floor, largest, order_of, world};
use crate::crowds::plain;
use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyVec, Engine, LabVec, MaterialId, Quat, SchemeKind, Settings};

/// Principal moments ascend along these, so that the template stands as it is given.
const AXES: [f64; 3] = [0.012, 0.009, 0.006];
const DENSITY: f64 = 1500.0;
const YOUNG: f64 = 2e7;
const POISSON: f64 = 0.25;
const GRAVITY: f64 = 9.81;

fn mass() -> f64 {
    DENSITY * 4.0 / 3.0 * core::f64::consts::PI * AXES[0] * AXES[1] * AXES[2]
}

/// k in F = k δ^3/2, of a sphere with the volume of the ellipsoid.
fn hertz() -> f64 {
    let radius = (AXES[0] * AXES[1] * AXES[2]).cbrt();
    4.0 / 3.0 * YOUNG / (2.0 * (1.0 - POISSON * POISSON)) * radius.sqrt()
}

/// How deep it lies when nothing moves.
fn depth() -> f64 {
    (mass() * GRAVITY / hertz()).powf(2.0 / 3.0)
}

fn on_floor(q: Quat<f64>, height: f64, spin: LabVec<f64>, dt: f64) -> Engine {
    let mut world = world(Material::new("m", DENSITY, YOUNG, POISSON), PairProperties::new(1.0, 0.0));
    add_floor(&mut world, MaterialId(0), Motion::fixed());
    world.gravity = Z * -GRAVITY;
    let ellipsoids = &[ClumpEllipsoid::new(AXES)];
    let pieces = ClumpPieces { ellipsoids, ..ClumpPieces::default() };
    let template = ClumpTemplate::of("e", pieces, MassModel::Union).unwrap();
    let template = world.add_template(template).unwrap();
    world.add_body(Body::at(template, Z * height).turned(q).spinning(spin));
    let settings = Settings {
        contact: plain(LawKind::Hertz),
        rotation: SchemeKind::KickRotateKick.into(),
        max_overlap: 0.5,
        ..Settings::new(dt)
    };
    Engine::new(world, settings).unwrap()
}

/// About its middle axis, without friction: ω² = m g (a²/c − c)/I, since h(θ) = √(a² sin² θ + c² cos² θ).
#[test]
fn small_rocking_has_the_period_of_the_closed_form() {
    let [a, _, c] = AXES;
    let moment = 0.2 * mass() * (a * a + c * c);
    let exact = core::f64::consts::TAU / (mass() * GRAVITY * (a * a / c - c) / moment).sqrt();
    let angle = 2e-3;
    let dt = 2e-5;
    let mut engine =
        on_floor(Quat::from_rotation_vector(LabVec::new(0.0, angle, 0.0)), c - depth(), LabVec::zero(), dt);
    // From one passage of the middle to the third after it, interpolated.
    let (mut crossings, mut last) = (Vec::new(), -angle);
    while crossings.len() < 5 {
        engine.advance(10).unwrap();
        let tilt = engine.bodies()[0].orientation.to_lab(BodyVec::new(1.0, 0.0, 0.0)).z;
        if last * tilt < 0.0 {
            crossings.push(engine.time() - 10.0 * dt * tilt / (tilt - last));
        }
        last = tilt;
    }
    let period = 0.5 * (crossings[4] - crossings[0]);
    assert!((period / exact - 1.0).abs() < 2e-5, "{period} s instead of {exact} s");
}

/// The mass in the dashpot is that at the point, rotation included: an ellipsoid that lands aslant on a smooth plane leaves it with the restitution asked
/// for, of the velocity of the point that touches.
#[test]
fn landing_aslant_has_the_restitution_asked_for() {
    let restitution = 0.6;
    for turn in [LabVec::new(0.0, 0.4, 0.0), LabVec::new(0.7, 0.2, 0.3), LabVec::new(0.2, 1.1, -0.4)] {
        let q = Quat::from_rotation_vector(turn);
        let properties = PairProperties::new(restitution, 0.0);
        let mut world = world(Material::new("m", DENSITY, 1e9, POISSON), properties);
        add_floor(&mut world, MaterialId(0), Motion::fixed());
        let pieces = ClumpPieces { ellipsoids: &[ClumpEllipsoid::new(AXES)], ..ClumpPieces::default() };
        let template = ClumpTemplate::of("e", pieces, MassModel::Union).unwrap();
        let template = world.add_template(template).unwrap();
        let down = q.to_body(-Z).to_array();
        let reach = (0..3).map(|k| (AXES[k] * down[k]).powi(2)).sum::<f64>().sqrt();
        let arm = q.to_lab(BodyVec::from_array([0, 1, 2].map(|k| AXES[k] * AXES[k] * down[k] / reach)));
        world.add_body(Body::at(template, Z * (reach * (1.0 + 1e-9))).turned(q).moving(Z * -0.1));
        let mut engine =
            Engine::new(world, Settings { contact: plain(LawKind::HertzMindlin), ..Settings::new(2e-7) })
                .unwrap();
        crate::common::advance_through_contact(&mut engine);
        let body = &engine.bodies()[0];
        let speed = body.velocity.z + body.angular_velocity.cross(arm).z;
        // The body turns by some 10⁻⁴ rad meanwhile.
        assert!((speed / 0.1 - restitution).abs() < 2e-3, "{turn:?}: {}", speed / 0.1);
        assert!(body.angular_velocity.norm() > 1.0, "it lands beside its centre");
    }
}

/// Position and velocity upwards, orientation, spin in the body's frame.
type Motions = ([f64; 2], Quat<f64>, BodyVec<f64>);

/// What changes them: Hertz' force on the depth h(n) − z of the point that is lowest, with the lever of that point.
fn rates((of_height, q, omega): Motions) -> ([f64; 2], [f64; 4], BodyVec<f64>) {
    let [height, speed] = of_height;
    let down = q.to_body(-Z).to_array();
    let reach = (0..3).map(|k| (AXES[k] * down[k]).powi(2)).sum::<f64>().sqrt();
    let point = BodyVec::from_array([0, 1, 2].map(|k| AXES[k] * AXES[k] * down[k] / reach));
    let force = hertz() * (reach - height).max(0.0).powf(1.5);
    let torque = point.cross(BodyVec::from_array(down) * -force);
    let square = |k: usize| AXES[k] * AXES[k];
    let moments = [(1, 2), (0, 2), (0, 1)].map(|(i, j)| 0.2 * mass() * (square(i) + square(j)));
    let [x, y, z] = omega.to_array();
    let turning = BodyVec::new(moments[0] * x, moments[1] * y, moments[2] * z);
    let [u, v, w] = (torque - omega.cross(turning)).to_array();
    // Half the product with (0, ω).
    let [a, b, c, d] = q.to_array();
    let change =
        [-b * x - c * y - d * z, a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x];
    (
        [speed, force / mass() - GRAVITY],
        change.map(|part| 0.5 * part),
        BodyVec::new(u / moments[0], v / moments[1], w / moments[2]),
    )
}

/// Runge and Kutta's fourth-order step.
fn step(now: Motions, dt: f64) -> Motions {
    let after = |(([z, v], q, omega), part): (Motions, f64),
                 (dz, dq, domega): ([f64; 2], [f64; 4], BodyVec<f64>)| {
        let q = q.to_array();
        let q = Quat::from_array([0, 1, 2, 3].map(|k| q[k] + part * dq[k]));
        ([z + part * dz[0], v + part * dz[1]], q, omega + domega * part)
    };
    let first = rates(now);
    let second = rates(after((now, 0.5 * dt), first));
    let third = rates(after((now, 0.5 * dt), second));
    let fourth = rates(after((now, dt), third));
    let mut end = now;
    for (rate, weight) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
        end = after((end, weight * dt / 6.0), rate);
    }
    (end.0, end.1.normalised(), end.2)
}

#[test]
fn spinning_tends_to_an_independent_integration_with_second_order() {
    let q = Quat::from_rotation_vector(LabVec::new(0.5, 0.4, 0.2));
    let spin = LabVec::new(3.0, -5.0, 20.0);
    let down = q.to_body(-Z).to_array();
    let reach = (0..3).map(|k| (AXES[k] * down[k]).powi(2)).sum::<f64>().sqrt();
    let (height, duration) = (reach - depth(), 0.04);
    let mut exact: Motions = ([height, 0.0], q, q.to_body(spin));
    for _ in 0..40_000 {
        exact = step(exact, duration / 40_000.0);
    }
    let errors = [1, 2, 4].map(|finer: u32| {
        let dt = 2e-5 / f64::from(finer);
        let mut engine = on_floor(q, height, spin, dt);
        let start = engine.ledger().mechanical();
        engine.advance(u64::from(2000 * finer)).unwrap();
        let drift = (engine.ledger().mechanical() / start - 1.0).abs();
        assert!(drift < 1e-5, "{drift:e}");
        let body = &engine.bodies()[0];
        let turned = [BodyVec::new(1.0, 0.0, 0.0), BodyVec::new(0.0, 0.0, 1.0)]
            .map(|axis| (body.orientation.to_lab(axis) - exact.1.to_lab(axis)).norm());
        // Nothing pushes sideways.
        assert!(body.position.x.abs() + body.position.y.abs() < 1e-15);
        largest([turned[0], turned[1], (body.position.z - exact.0[0]).abs() / height])
    });
    let order = order_of(&errors);
    assert!((order - 2.0).abs() < 0.2 && errors[2] < 1e-4, "order {order:.2}, {errors:?}");
}
