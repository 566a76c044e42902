//! Rolling and twisting resistance on a sphere under gravity.

use crate::law::bench::{Ball, assert_close, constants};
use tumble_dem::law::{ContactLaw, HertzMindlin, Linear, RollingModel, TwistingModel, rolling, twisting};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::{ROLLING_FRICTION, TWISTING_FRICTION};
use tumble_math::LabVec;

const GRAVITY: f64 = 9.81;
const DT: f64 = 1e-5;

fn properties() -> PairProperties {
    PairProperties::new(0.5, 0.5).with_rolling(0.05, 0.3).with_twisting(0.5)
}

/// A sphere that has come to rest on the wall, under gravity inclined by `slope` (its tangent).
fn settled<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(slope: f64) -> Ball<L, Ro, Tw> {
    let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(2e4);
    let constants = constants::<L, Ro, Tw>(material.clone(), material, properties());
    let mut ball = Ball::new(constants, 0.01, 2500.0);
    let cos = 1.0 / (1.0 + slope * slope).sqrt();
    ball.gravity = LabVec::new(GRAVITY * cos * slope, 0.0, -GRAVITY * cos);
    run(&mut ball, 0.2);
    ball
}

fn run<L: ContactLaw, Ro: RollingModel, Tw: TwistingModel>(ball: &mut Ball<L, Ro, Tw>, time: f64) {
    let steps = std::iter::successors(Some(DT), |t| Some(t + DT)).take_while(|&t| t < time);
    for _ in steps {
        ball.step(DT);
    }
}

/// μᵣRFₙ against a rolling sphere: 5/7 μᵣg until it stops, and then it stays.
fn rolls_to_a_stop<L: ContactLaw, Ro: RollingModel>() {
    let mut ball = settled::<L, Ro, twisting::None>(0.0);
    let deceleration = 5.0 / 7.0 * properties().get(&ROLLING_FRICTION).unwrap() * GRAVITY;
    let speed = 0.1;
    ball.velocity.x = speed;
    ball.spin.y = speed / ball.radius;
    let stop = speed / deceleration;
    // The spring of the elastic–plastic model is wound up in a small part of the way.
    run(&mut ball, 0.25 * stop);
    let early = ball.velocity.x;
    run(&mut ball, 0.5 * stop);
    assert_close("deceleration", (early - ball.velocity.x) / (0.5 * stop), deceleration, 2e-3);
    assert_close("rolling", ball.spin.y * ball.radius, ball.velocity.x, 2e-3);
    run(&mut ball, stop);
    assert!(ball.velocity.norm() < 1e-3 * speed, "{}: {:?}", Ro::INFO.name, ball.velocity);
}

#[test]
fn rolling_friction_brings_a_sphere_to_rest() {
    rolls_to_a_stop::<HertzMindlin, rolling::ConstantTorque>();
    rolls_to_a_stop::<HertzMindlin, rolling::ElasticPlastic>();
    rolls_to_a_stop::<Linear, rolling::ConstantTorque>();
    rolls_to_a_stop::<Linear, rolling::ElasticPlastic>();
}

#[test]
fn an_elastic_plastic_sphere_rests_on_a_slope_below_its_rolling_friction() {
    fn check<L: ContactLaw>() {
        let steepest = properties().get(&ROLLING_FRICTION).unwrap();
        let mut held = settled::<L, rolling::ElasticPlastic, twisting::None>(0.9 * steepest);
        run(&mut held, 1.0);
        assert!(held.velocity.norm() < 1e-6, "{:?}", held.velocity);

        let mut rolls = settled::<L, rolling::ElasticPlastic, twisting::None>(1.2 * steepest);
        let before = rolls.velocity.x;
        run(&mut rolls, 1.0);
        // What the resistance leaves of the slope.
        let expected = 5.0 / 7.0 * GRAVITY * 0.2 * steepest / (1.0 + (1.2 * steepest).powi(2)).sqrt();
        assert_close("acceleration", rolls.velocity.x - before, expected, 5e-3);
    }
    check::<HertzMindlin>();
    check::<Linear>();
}

/// A sphere that spins about the normal: the couple 2/3 a μ Fₙ slows it down evenly, then it rests.
#[test]
fn twisting_friction_stops_a_spinning_sphere() {
    fn check<L: ContactLaw>() {
        let mut ball = settled::<L, rolling::None, twisting::ElasticPlastic>(0.0);
        let overlap = ball.radius - ball.position.z;
        let couple = 2.0 / 3.0
            * (ball.radius * overlap).sqrt()
            * properties().get(&TWISTING_FRICTION).unwrap()
            * ball.mass
            * GRAVITY;
        let deceleration = couple / ball.inertia();
        ball.spin.z = 20.0;
        let stop = 20.0 / deceleration;
        run(&mut ball, 0.2 * stop);
        let early = ball.spin.z;
        run(&mut ball, 0.5 * stop);
        assert_close("deceleration", (early - ball.spin.z) / (0.5 * stop), deceleration, 2e-3);
        run(&mut ball, stop);
        // What is left swings on the elastic spring, weakly damped: at most what it can store.
        let stiffness =
            0.5 * L::tangential_stiffness(&ball.constants.law, ball.radius, overlap) * ball.radius * overlap;
        let swing = couple / (ball.inertia() * stiffness).sqrt();
        assert!(ball.spin.z.abs() <= swing && swing < 2.0, "{} of {swing}", ball.spin.z);
        let energy = |ball: &Ball<L, _, _>| ball.kinetic() + ball.resisted.stored;
        let before = energy(&ball);
        run(&mut ball, stop);
        assert!(energy(&ball) < 0.9 * before, "{} of {before}", energy(&ball));
    }
    check::<HertzMindlin>();
    check::<Linear>();
}

/// With everything switched on and everything lost, the books still close.
#[test]
fn the_books_of_a_sphere_that_comes_to_rest_close() {
    type Roll = rolling::ElasticPlastic;
    type Twist = twisting::ElasticPlastic;
    let mut ball = settled::<HertzMindlin, Roll, Twist>(0.0);
    (ball.velocity, ball.spin) = (LabVec::new(0.2, -0.1, 0.0), LabVec::new(3.0, 5.0, 20.0));
    let energy = |ball: &Ball<HertzMindlin, Roll, Twist>| ball.kinetic() + ball.potential() + ball.stored;
    let (before, lost_before, kinetic) = (energy(&ball), ball.lost, ball.kinetic());
    run(&mut ball, 2.0);
    let excess = energy(&ball) + ball.lost - before - lost_before;
    assert!(ball.kinetic() < 1e-3 * kinetic, "still moving: {:?} {:?}", ball.velocity, ball.spin);
    assert!(excess.abs() < 1e-4 * kinetic, "{excess:e} of {kinetic:e}");
}
