//! Bodies drawn: weights, sizes, and whether velocities have the distributions they are named after.

use super::{BALL, PAWN, ROD, bits, v};
use tumble_dem::placement::{Choice, Mix, Orientation, PlacementError, Scale, Velocity};
use tumble_dem::random::Random;
use tumble_dem::{BodyVec, LabVec, MaterialId, Quat, TemplateId};

#[test]
fn what_is_fixed_is_not_drawn() {
    let q = Quat::new(0.6, 0.0, 0.8, 0.0);
    let choice = Choice {
        material: MaterialId(3),
        scale: Scale::Fixed(2.0),
        orientation: Orientation::Fixed(q),
        velocity: Velocity::Fixed(v(1.0, 2.0, 3.0)),
        spin: Velocity::Fixed(v(-1.0, 0.0, 4.0)),
        held: true,
        ..Choice::of(ROD)
    };
    let mut random = Random::new(5);
    let body = choice.draw(&mut random);
    assert_eq!((body.template, body.material, body.scale, body.held), (ROD, MaterialId(3), 2.0, true));
    assert_eq!((body.orientation, body.position), (q, LabVec::zero()));
    assert_eq!((body.velocity, body.angular_velocity), (v(1.0, 2.0, 3.0), v(-1.0, 0.0, 4.0)));
    assert_eq!(random, Random::new(5), "nothing was left to chance");
}

#[test]
fn weights_and_sizes_are_as_asked() {
    let choice = Choice {
        scale: Scale::Uniform { low: 0.5, high: 1.5 },
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 0.0), (PAWN, 3.0)]).unwrap()
    };
    let mut random = Random::new(1);
    let n = 40_000;
    let bodies: Vec<_> = (0..n).map(|_| choice.draw(&mut random)).collect();
    let pawns = bodies.iter().filter(|body| body.template == PAWN).count();
    assert!(bodies.iter().all(|body| body.template != ROD));
    // Five standard deviations of 87.
    assert!(pawns.abs_diff(30_000) < 433, "{pawns}");
    let mean = bodies.iter().map(|body| body.scale).sum::<f64>() / f64::from(n);
    assert!((mean - 1.0).abs() < 5.0 * 0.2887 / 200.0, "{mean}");
    assert!(bodies.iter().all(|body| (0.5..1.5).contains(&body.scale)));
    let parts: Vec<_> = choice.templates.parts().collect();
    assert_eq!(parts, [(BALL, 0.25), (ROD, 0.0), (PAWN, 0.75)]);
}

#[test]
fn the_same_seed_draws_the_same_bodies() {
    let choice = Choice {
        scale: Scale::Uniform { low: 0.5, high: 1.5 },
        orientation: Orientation::Random,
        velocity: Velocity::Maxwell { sigma: 0.3 },
        spin: Velocity::RandomDirection { speed: 2.0 },
        ..Choice::weighted(&[(BALL, 1.0), (ROD, 2.0)]).unwrap()
    };
    let draw = |seed| {
        let mut random = Random::new(seed);
        bits(&(0..100).map(|_| choice.draw(&mut random)).collect::<Vec<_>>())
    };
    assert_eq!(draw(3), draw(3));
    assert_ne!(draw(3), draw(4));
    // Going on from a state is going on.
    let mut first = Random::new(9);
    let _ = choice.draw(&mut first);
    let mut second = Random::from_state(first.state());
    assert_eq!(bits(&[choice.draw(&mut first)]), bits(&[choice.draw(&mut second)]));
}

/// The normal distribution by its series, Φ(x) = ½ + φ(x) Σ x²ᵏ⁺¹/(2k + 1)‼.
fn normal_cdf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    let mut k = 3.0;
    while term.abs() > 1e-17 * sum.abs() {
        term *= x * x / k;
        sum += term;
        k += 2.0;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * core::f64::consts::PI).sqrt()
}

/// The largest difference of a sample's distribution from what it should be, times √n (Kolmogorov, Smirnov):
/// above 1.95 in one of a thousand samples.
fn kolmogorov(mut sample: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let mut largest: f64 = 0.0;
    for (i, &x) in sample.iter().enumerate() {
        let (below, above) = (i as f64 / n, (i + 1) as f64 / n);
        let difference = (cdf(x) - below).abs().max((above - cdf(x)).abs());
        assert!(difference.is_finite());
        largest = largest.max(difference);
    }
    largest * n.sqrt()
}

#[test]
fn normal_numbers_are_normal() {
    let mut random = Random::new(42);
    let sample: Vec<f64> = (0..1_000_000).map(|_| random.normal()).collect();
    let moment = |k: i32| sample.iter().map(|x| x.powi(k)).sum::<f64>() / sample.len() as f64;
    // The k-th moment has a variance of (m₂ₖ − mₖ²)/n; these are four standard deviations.
    for (k, expected, variance) in
        [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0), (6, 15.0, 10_170.0)]
    {
        let allowed = 4.0 * f64::sqrt(variance / sample.len() as f64);
        assert!((moment(k) - expected).abs() < allowed, "moment {k} is {}", moment(k));
    }
    let tail = sample.iter().filter(|x| x.abs() > 3.0).count();
    assert!(tail.abs_diff(2700) < 208, "{tail} beyond three standard deviations");
    let neighbours: f64 = sample.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / sample.len() as f64;
    assert!(neighbours.abs() < 4.0 / (sample.len() as f64).sqrt(), "neighbours depend on each other");
    let distance = kolmogorov(sample.clone(), normal_cdf);
    assert!(distance < 1.63, "{distance}");
    // The test itself tells a normal distribution from one that is one percent wider.
    assert!(kolmogorov(sample, |x| normal_cdf(x / 1.01)) > 1.63);
}

#[test]
fn a_gas_has_maxwells_speeds_and_no_direction() {
    let sigma = 0.3;
    let gas = Choice { velocity: Velocity::Maxwell { sigma }, ..Choice::of(BALL) };
    let mut random = Random::new(8);
    let sample: Vec<LabVec<f64>> = (0..20_000).map(|_| gas.draw(&mut random).velocity).collect();
    // Of the square of the speed: chi-squared with three degrees of freedom.
    let speeds: Vec<f64> = sample.iter().map(|velocity| velocity.norm() / sigma).collect();
    let maxwell =
        |x: f64| 2.0 * normal_cdf(x) - 1.0 - (2.0 / core::f64::consts::PI).sqrt() * x * (-0.5 * x * x).exp();
    assert!(kolmogorov(speeds, maxwell) < 1.63);
    for component in [|v: &LabVec<f64>| v.x, |v: &LabVec<f64>| v.y, |v: &LabVec<f64>| v.z] {
        let distance = kolmogorov(sample.iter().map(|v| component(v) / sigma).collect(), normal_cdf);
        assert!(distance < 1.63, "{distance}");
    }
}

#[test]
fn one_speed_in_all_directions() {
    let choice = Choice { spin: Velocity::RandomDirection { speed: 4.0 }, ..Choice::of(BALL) };
    let mut random = Random::new(8);
    let sample: Vec<LabVec<f64>> = (0..20_000).map(|_| choice.draw(&mut random).angular_velocity).collect();
    assert!(sample.iter().all(|spin| (spin.norm() - 4.0).abs() < 1e-14 * 4.0));
    // Each component of a random direction is uniform (Archimedes).
    assert!(kolmogorov(sample.iter().map(|spin| spin.x).collect(), |x| 0.5 + x / 8.0) < 1.63);
    assert!(kolmogorov(sample.iter().map(|spin| spin.z).collect(), |z| 0.5 + z / 8.0) < 1.63);
    let turned = Choice { orientation: Orientation::Random, ..Choice::of(BALL) };
    let axis = |random: &mut Random| turned.draw(random).orientation.to_lab(BodyVec::new(0.0, 1.0, 0.0)).y;
    assert!(kolmogorov((0..20_000).map(|_| axis(&mut random)).collect(), |y| 0.5 + 0.5 * y) < 1.63);
}

#[test]
fn numbered_generators_have_nothing_in_common() {
    let mut first: Vec<u64> = (0..10_000).map(|number| Random::numbered(1, number).bits()).collect();
    let mean = first.iter().map(|&bits| bits as f64 / 2f64.powi(64)).sum::<f64>() / 1e4;
    assert!((mean - 0.5).abs() < 5.0 * 0.2887 / 100.0, "{mean}");
    // Nor do they run into each other.
    first.extend((0..100).flat_map(|number| {
        let mut random = Random::numbered(1, number);
        core::iter::repeat_with(move || random.bits()).skip(1).take(100)
    }));
    first.sort_unstable();
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
    assert_ne!(Random::numbered(1, 7), Random::numbered(2, 7));
}

#[test]
fn impossible_choices_say_why() {
    let message = |choice: Choice| choice.check(2).unwrap_err().to_string();
    assert_eq!(message(Choice::of(TemplateId(2))), "there is no template 2; the world has 2");
    let scale = |scale| Choice { scale, ..Choice::of(BALL) };
    assert!(
        message(scale(Scale::Fixed(0.0))).starts_with("the scale of the bodies is 0, expected a positive")
    );
    assert!(message(scale(Scale::Fixed(f64::NAN))).contains("is NaN, expected a positive"));
    assert!(message(scale(Scale::Uniform { low: 2.0, high: 1.0 })).contains("is -1, expected"));
    assert!(
        message(scale(Scale::Uniform { low: -1.0, high: 1.0 }))
            .contains("smallest scale of the bodies is -1")
    );
    let velocity = Velocity::Fixed(v(f64::INFINITY, 0.0, 0.0));
    assert!(
        message(Choice { velocity, ..Choice::of(BALL) })
            .contains("velocity of the bodies is [inf, 0.0, 0.0]")
    );
    let spin = Velocity::Maxwell { sigma: -1.0 };
    assert!(message(Choice { spin, ..Choice::of(BALL) }).contains("spin of the bodies is -1"));
    let orientation = Orientation::Fixed(Quat::new(1.0, 1.0, 0.0, 0.0));
    assert!(message(Choice { orientation, ..Choice::of(BALL) }).contains("expected a unit quaternion"));
    let weights = |weights: &[(TemplateId, f64)]| Mix::new(weights).unwrap_err();
    assert!(matches!(weights(&[]), PlacementError::Invalid { .. }));
    assert!(weights(&[(BALL, 0.0)]).to_string().contains("sum of the weights"));
    assert!(weights(&[(BALL, 1.0), (ROD, -1.0)]).to_string().contains("weight of a template is -1"));
    assert!(weights(&[(BALL, f64::INFINITY)]).to_string().contains("inf"));
}
