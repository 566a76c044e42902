//! Oblique impacts of a sphere on a wall, and sliding that turns into rolling.

use crate::law::bench::{self, UP, assert_close, pair};
use tumble_dem::law::{Contact, ContactLaw, HertzMindlin, Linear, Spring, rolling, twisting};
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::STIFFNESS_RATIO;
use tumble_dem::record::{Nothing, PerPart, Record};
use tumble_math::LabVec;

/// A sphere that nothing keeps from rolling and spinning.
type Ball<L> = bench::Ball<L, rolling::None, twisting::None>;

/// One whose contact has these constants, touching the wall.
fn ball<L: ContactLaw>(&law: &L::Constants<f64>, radius: f64, density: f64) -> Ball<L> {
    Ball::new(PerPart { law, rolling: Nothing, twisting: Nothing }, radius, density)
}

/// Throws a sphere at the wall with velocity (vx, 0, vz) and waits until it is free again.
fn impact<L: ContactLaw>(mut ball: Ball<L>, (vx, vz): (f64, f64), steps: f64) -> Ball<L> {
    let dt = L::contact_time(&ball.constants.law, ball.radius, ball.mass, -vz) / steps;
    ball.velocity = LabVec::new(vx, 0.0, vz);
    // A third of a step before the contact.
    ball.position.z -= vz * dt / 3.0;
    loop {
        ball.step(dt);
        if ball.position.z > ball.radius && ball.velocity.z > 0.0 {
            return ball;
        }
    }
}

/// Chung & Ooi 2011, test 4, in the regime where it slides to the end.
#[test]
fn an_alumina_sphere_slides_off_the_wall() {
    let alumina = Material::new("alumina", 4000.0, 380e9, 0.23).with_stiffness(1e8);
    let properties = PairProperties::new(0.98, 0.092);
    let hertz = pair::<HertzMindlin>(alumina.clone(), alumina.clone(), properties.clone());
    let linear = pair::<Linear>(alumina.clone(), alumina, properties);
    for degrees in [35, 40, 45, 50, 60, 70, 80, 85] {
        let angle = f64::from(degrees).to_radians();
        let velocity = (3.9 * angle.sin(), -3.9 * angle.cos());
        let hertz = impact(ball::<HertzMindlin>(&hertz, 0.0025, 4000.0), velocity, 200.0);
        let linear = impact(ball::<Linear>(&linear, 0.0025, 4000.0), velocity, 200.0);
        for (v, spin) in [(hertz.velocity, hertz.spin), (linear.velocity, linear.spin)] {
            let expected = 1.0 - 0.182_16 / angle.tan();
            assert_close("tangential restitution", v.x / velocity.0, expected, 5e-3);
            assert_close("spin", spin.y, 710.424 * angle.cos(), 5e-3);
        }
    }
}

/// A softer one, which slides to the end as well: vx′ = vx − μ(1 + e)|vz| = 1.963 m/s.
#[test]
fn an_aluminium_sphere_rebounds_obliquely() {
    let material = Material::new("aluminium", 2700.0, 70e9, 0.33);
    let properties = PairProperties::new(0.98, 0.092);
    let pair = pair::<HertzMindlin>(material.clone(), material, properties);
    for steps in [200.0, 20_000.0] {
        let after = impact(ball::<HertzMindlin>(&pair, 0.0025, 2700.0), (2.5069, -2.9876), steps);
        let (v, spin) = (after.velocity.x, after.spin.y);
        assert!((v - 1.963).abs() < 0.002 && (spin - 544.2).abs() < 1.0, "{v} m/s, {spin} rad/s");
    }
}

/// Sticking throughout, the surface of the sphere swings on the tangential spring with the mass 2/7 m for
/// half a period of the normal one: u′ = u cos(π√(7kₜ/2kₙ)), the super-ball for kₜ/kₙ = 2/7.
#[test]
fn a_sticking_sphere_swings_on_the_linear_spring() {
    for ratio in [2.0 / 7.0, 0.1, 0.8] {
        let rubber = Material::new("rubber", 1100.0, 1e7, 0.49).with(&STIFFNESS_RATIO, ratio);
        let rubber = rubber.with_stiffness(1e5);
        let properties = PairProperties::new(1.0, 1e4);
        let pair = pair::<Linear>(rubber.clone(), rubber, properties);
        let after = impact(ball::<Linear>(&pair, 0.02, 1100.0), (1.0, -2.0), 20_000.0);
        let swing = (std::f64::consts::PI * (3.5 * ratio).sqrt()).cos();
        let surface = after.velocity.x - after.spin.y * 0.02;
        assert!((surface - swing).abs() < 2e-4, "kₜ/kₙ = {ratio}: {surface} instead of {swing}");
        // Nothing can turn the angular momentum about the contact point.
        assert!((after.velocity.x + 0.4 * 0.02 * after.spin.y - 1.0).abs() < 1e-12);
    }
}

/// Mindlin's spring, loaded along x = κδ and unloaded at constant x: T = 16/3 G*√R* κ δ^{3/2}, then as √δ.
#[test]
fn a_mindlin_contact_follows_its_closed_form() {
    let glass = Material::new("glass", 2500.0, 48e9, 0.2);
    let properties = PairProperties::new(1.0, 1e4);
    let pair = pair::<HertzMindlin>(glass.clone(), glass, properties);
    let (radius, depth, slope, n) = (2e-3, 1e-6, 0.4, 2000);
    let mut overlap_before = 0.0;
    let mut step = |memory: Spring<f64>, overlap: f64, slide: f64| {
        let slide = LabVec::new(slide, 0.0, 0.0);
        let contact = Contact { overlap_before, slide, mass: 1e-3, ..Contact::at_rest(UP, radius, overlap) };
        overlap_before = overlap;
        HertzMindlin::react(&pair, contact, memory, 1e-7)
    };
    let mut spring = Spring::zero();
    for i in 1..=n {
        let overlap = depth * f64::from(i) / f64::from(n);
        spring = step(spring, overlap, slope * depth / f64::from(n)).memory;
    }
    let loaded =
        16.0 / 3.0 * pair.hertz.effective_shear_modulus * radius.sqrt() * slope * depth * depth.sqrt();
    assert_close("loaded", -spring.force.x, loaded, 1e-5);
    for i in (n / 4..n).rev() {
        spring = step(spring, depth * f64::from(i) / f64::from(n), 0.0).memory;
    }
    assert_close("half unloaded", -spring.force.x, 0.5 * loaded, 1e-5);
    // Loaded again at constant x, it keeps the force it has.
    let again = step(spring, depth, 0.0);
    assert_close("loaded again", -again.force.x, 0.5 * loaded, 1e-5);
}

/// What is lost and what is stored is what the sphere no longer has, whatever the angle.
#[test]
fn the_books_of_an_impact_close() {
    fn error<L: ContactLaw>(pair: &L::Constants<f64>, vx: f64, steps: f64) -> f64 {
        let after = impact(ball::<L>(pair, 0.003, 2500.0), (vx, -1.0), steps);
        let before = 0.5 * after.mass * (vx * vx + 1.0);
        ((after.kinetic() + after.lost) / before - 1.0).abs()
    }
    let material = Material::new("glass", 2500.0, 48e9, 0.2).with_stiffness(1e7);
    let properties = PairProperties::new(0.8, 0.4);
    let hertz = pair::<HertzMindlin>(material.clone(), material.clone(), properties.clone());
    let linear = pair::<Linear>(material.clone(), material, properties);
    for vx in [0.1, 0.5, 1.0, 2.0, 4.0] {
        for (steps, bound) in [(100.0, 2e-3), (1000.0, 2e-5)] {
            let errors = [error::<HertzMindlin>(&hertz, vx, steps), error::<Linear>(&linear, vx, steps)];
            assert!(errors.iter().all(|&e| e < bound), "vx = {vx}, {steps} steps: {errors:?}");
        }
    }
}

/// A sphere set down sliding without spin: it rolls from t = 2u/(7μg) on, at 5/7 u.
#[test]
fn sliding_turns_into_rolling() {
    fn check<L: ContactLaw>() {
        let (gravity, friction, speed) = (9.81, 0.3, 1.0);
        let material = Material::new("m", 2500.0, 1e7, 0.25).with_stiffness(2e4);
        let properties = PairProperties::new(0.5, friction);
        let pair = pair::<L>(material.clone(), material, properties);
        let mut ball = ball::<L>(&pair, 0.01, 2500.0);
        ball.gravity = LabVec::new(0.0, 0.0, -gravity);
        let dt = 1e-5;
        // Lets it settle before it is pushed.
        for _ in 0..20_000 {
            ball.step(dt);
        }
        ball.velocity.x = speed;
        let mut time = 0.0;
        while ball.velocity.x - ball.spin.y * ball.radius > 1e-3 * speed {
            ball.step(dt);
            time += dt;
            assert!(time < 1.0, "it never rolls");
        }
        assert_close("time", time, 2.0 * speed / (7.0 * friction * gravity), 5e-3);
        for _ in 0..20_000 {
            ball.step(dt);
        }
        assert_close("speed", ball.velocity.x, 5.0 / 7.0 * speed, 1e-3);
        assert_close("spin", ball.spin.y * ball.radius, 5.0 / 7.0 * speed, 1e-3);
    }
    check::<HertzMindlin>();
    check::<Linear>();
}
