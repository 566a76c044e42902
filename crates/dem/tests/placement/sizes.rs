//! Sizes are distributed as asked, by number and by mass; parts by mass and by number belong together as the cube of the
//! size says; and a seed gives the same bits everywhere.

use super::{BALL, ROD, v, world};
use std::sync::Arc;
use tumble_dem::placement::{
    By, Choice, Inlet, Mix, Scale, SizeDistribution, SizeLaw, SizeMeasure, Sizes, Stream,
};
use tumble_dem::random::Random;

const ENDS: [f64; 2] = [0.5, 4.0];

fn laws() -> Vec<SizeLaw> {
    vec![
        SizeLaw::Table { sizes: vec![0.25, 1.0, 1.5, 3.0, 5.0], passing: vec![0.0, 0.2, 0.2, 0.7, 1.0] },
        SizeLaw::Normal { mean: 1.7, deviation: 0.6 },
        SizeLaw::LogNormal { median: 1.4, sigma: 0.4 },
        SizeLaw::Weibull { scale: 1.9, shape: 1.3 },
        SizeLaw::Weibull { scale: 1.9, shape: 3.0 },
        SizeLaw::Weibull { scale: 1.9, shape: 8.0 },
    ]
}

/// The density of a law, from the textbook, with functions of the platform.
fn density(law: &SizeLaw, d: f64) -> f64 {
    use std::f64::consts::PI;
    match law {
        SizeLaw::Table { sizes, passing } => {
            let at = sizes.iter().rposition(|&size| size <= d).unwrap_or(0).min(sizes.len() - 2);
            (passing[at + 1] - passing[at]) / (sizes[at + 1] - sizes[at])
        }
        SizeLaw::Normal { mean, deviation } => {
            (-0.5 * ((d - mean) / deviation).powi(2)).exp() / (deviation * (2.0 * PI).sqrt())
        }
        SizeLaw::LogNormal { median, sigma } => {
            (-0.5 * ((d / median).ln() / sigma).powi(2)).exp() / (d * sigma * (2.0 * PI).sqrt())
        }
        SizeLaw::Weibull { scale, shape } => {
            shape / scale * (d / scale).powf(shape - 1.0) * (-(d / scale).powf(*shape)).exp()
        }
    }
}

/// The integral of density times dᵖ by the midpoint rule: slow, and independent of all that is tested.
fn integral(law: &SizeLaw, power: i32, low: f64, high: f64) -> f64 {
    // A sieve curve jumps at its sieves.
    if let SizeLaw::Table { sizes, .. } = law
        && let Some(&sieve) = sizes.iter().find(|&&sieve| low < sieve && sieve < high)
    {
        return integral(law, power, low, sieve) + integral(law, power, sieve, high);
    }
    let n = 350_000;
    let step = (high - low) / f64::from(n);
    let at = |k: i32| low + (f64::from(k) + 0.5) * step;
    (0..n).map(|k| density(law, at(k)) * at(k).powi(power)).sum::<f64>() * step
}

#[test]
fn parts_below_a_size_by_number_and_by_mass() {
    for law in laws() {
        for by in [By::Number, By::Mass] {
            let sizes = SizeDistribution::new(law.clone(), by, ENDS).unwrap();
            // The law is of `by`; the other has another power of the size.
            let [number, mass] = if by == By::Number { [0, 3] } else { [-3, 0] };
            let whole = [number, mass].map(|power| integral(&law, power, ENDS[0], ENDS[1]));
            for size in [0.5, 0.75, 1.0, 1.5, 2.25, 3.5, 4.0] {
                for (of, power, whole) in [(By::Number, number, whole[0]), (By::Mass, mass, whole[1])] {
                    let exact = integral(&law, power, ENDS[0], size) / whole;
                    let ours = sizes.below(of, size);
                    assert!(
                        (ours - exact).abs() < 1e-9,
                        "{law:?} {by:?}: {ours} of {of:?} below {size}, not {exact}"
                    );
                }
            }
            let cube = whole[1] / whole[0];
            assert!((sizes.mean_cube() / cube - 1.0).abs() < 1e-9, "{law:?} {by:?}");
        }
    }
}

#[test]
fn the_inverse_is_the_inverse() {
    for law in laws() {
        for by in [By::Number, By::Mass] {
            let sizes = SizeDistribution::new(law.clone(), by, ENDS).unwrap();
            let mut last = 0.0;
            for k in 0..=200 {
                let part = f64::from(k) / 200.0;
                let size = sizes.quantile(part);
                assert!((ENDS[0]..=ENDS[1]).contains(&size) && size >= last, "{law:?}: {size}");
                let back = sizes.below(By::Number, size);
                // A sieve curve has a flat part, where sizes are as good as one another.
                assert!((back - part).abs() < 1e-12, "{law:?} {by:?}: {part} comes back as {back}");
                last = size;
            }
        }
    }
}

/// Median by number of log-normal sizes whose median by mass is known: exp(−3σ²) of it (Hatch and Choate, 1929).
#[test]
fn hatch_and_choate() {
    let law = SizeLaw::LogNormal { median: 2e-3, sigma: 0.25 };
    let sizes = SizeDistribution::new(law, By::Mass, [2e-4, 2e-2]).unwrap();
    let median = 2e-3 * (-3.0 * 0.25_f64 * 0.25).exp();
    assert!((sizes.quantile(0.5) / median - 1.0).abs() < 1e-9, "{}", sizes.quantile(0.5));
    assert!((sizes.below(By::Mass, 2e-3) - 0.5).abs() < 1e-9);
}

#[test]
fn what_is_drawn_is_what_was_asked_for() {
    let n = 100_000;
    for law in laws() {
        for by in [By::Number, By::Mass] {
            let sizes = SizeDistribution::new(law.clone(), by, ENDS).unwrap();
            let mut random = Random::new(11);
            let mut drawn: Vec<f64> = (0..n).map(|_| sizes.draw(&mut random)).collect();
            drawn.sort_by(f64::total_cmp);
            // Kolmogorov's distance exceeds 1.95/√n once in a thousand times. Sizes a few hundred apart bound it from above.
            let step = 250;
            let distance = drawn
                .iter()
                .enumerate()
                .step_by(step)
                .map(|(k, &size)| (sizes.below(By::Number, size) - k as f64 / f64::from(n)).abs());
            let distance = distance.fold(0.0, f64::max) + step as f64 / f64::from(n);
            assert!(
                distance < 1.95 / f64::from(n).sqrt() + step as f64 / f64::from(n),
                "{law:?} {by:?}: {distance}"
            );
            // Parts of the mass between sieves.
            let all: f64 = drawn.iter().map(|d| d.powi(3)).sum();
            for sieve in [1.0, 1.5, 2.0, 3.0] {
                let below: f64 = drawn.iter().filter(|&&d| d < sieve).map(|d| d.powi(3)).sum();
                let asked = sizes.below(By::Mass, sieve);
                assert!(
                    (below / all - asked).abs() < 0.015,
                    "{law:?} {by:?}: {} for {asked} below {sieve}",
                    below / all
                );
            }
        }
    }
}

#[test]
fn a_size_is_a_scale_of_every_template() {
    let world = world();
    let law = SizeLaw::Normal { mean: 1.0, deviation: 0.2 };
    let distribution = SizeDistribution::new(law, By::Number, [0.5, 1.5]).unwrap();
    for measure in [SizeMeasure::Volume, SizeMeasure::Longest, SizeMeasure::Sieve] {
        let sizes = Sizes::new(distribution.clone(), measure, &world.templates);
        let scale = Scale::Sizes(Arc::new(sizes.clone()));
        let choice = Choice { scale, ..Choice::weighted(&[(BALL, 1.0), (ROD, 1.0)]).unwrap() };
        let mut random = Random::new(2);
        for _ in 0..200 {
            let body = choice.draw(&mut random);
            let template = &world.templates[usize::from(body.template.0)];
            // The rod is 2.2 long between its outer centres.
            let size = match measure {
                SizeMeasure::Volume => (6.0 / std::f64::consts::PI * template.volume()).cbrt() * body.scale,
                SizeMeasure::Longest if body.template == BALL => 2.0 * body.scale,
                SizeMeasure::Longest => 4.2 * body.scale,
                // Lengthwise it passes what one of its spheres passes.
                SizeMeasure::Sieve => 2.0 * body.scale,
            };
            assert!((0.5 - 1e-8..=1.5 + 1e-8).contains(&size), "{measure:?}: {size}");
            assert!((sizes.size(body.template, body.scale) - size).abs() < 1e-8);
        }
    }
}

#[test]
fn templates_by_mass() {
    let world = world();
    let law = SizeLaw::Weibull { scale: 2.0, shape: 2.0 };
    let distribution = SizeDistribution::new(law, By::Mass, [1.0, 3.0]).unwrap();
    let scales = [
        Scale::Fixed(0.5),
        Scale::Uniform { low: 0.5, high: 2.0 },
        Scale::Sizes(Arc::new(Sizes::new(distribution, SizeMeasure::Longest, &world.templates))),
    ];
    for scale in scales {
        let templates = Mix::by_mass(&[(BALL, 1.0), (ROD, 3.0)], &scale, &world.templates).unwrap();
        let choice = Choice { templates, scale: scale.clone(), ..Choice::of(BALL) };
        let mut random = Random::new(3);
        let mut volumes = [0.0, 0.0];
        for _ in 0..100_000 {
            let body = choice.draw(&mut random);
            volumes[usize::from(body.template.0)] += super::volume(&world, &body);
        }
        let part = volumes[1] / (volumes[0] + volumes[1]);
        assert!((part - 0.75).abs() < 0.01, "{scale:?}: {part} of the mass is of rods");
    }
}

#[test]
fn a_seed_gives_these_bits() {
    let bits = |law: &SizeLaw, by: By| {
        let sizes = SizeDistribution::new(law.clone(), by, ENDS).unwrap();
        let mut random = Random::new(5);
        (0..100).fold(0_u64, |sum, _| sum.rotate_left(7) ^ sizes.draw(&mut random).to_bits())
    };
    let found: Vec<[u64; 2]> =
        laws().iter().map(|law| [bits(law, By::Number), bits(law, By::Mass)]).collect();
    assert_eq!(found, PINNED);
}

/// As every platform has to have them.
#[rustfmt::skip]
const PINNED: [[u64; 2]; 6] = [
    [2_486_006_665_076_338_232, 16_939_283_037_493_371_390],
    [254_814_943_907_431_952, 8_530_675_899_937_115_986],
    [16_962_558_122_931_633_649, 4_161_939_901_468_804_902],
    [10_844_281_415_159_482_246, 11_269_252_845_238_581_753],
    [9_858_813_952_050_898_917, 6_796_388_025_275_455_438],
    [18_068_130_841_114_103_674, 4_663_762_147_513_911_041],
];

#[test]
fn impossible_sizes_say_why() {
    let message =
        |law: SizeLaw, ends: [f64; 2]| SizeDistribution::new(law, By::Number, ends).unwrap_err().to_string();
    let normal = SizeLaw::Normal { mean: 2e-3, deviation: 1e-4 };
    assert!(message(normal.clone(), [2.0, 3.0]).contains("are the sizes in the same unit?"));
    assert!(
        message(normal.clone(), [3e-3, 2e-3])
            .contains("largest size is 0.002 m, expected more than the smallest")
    );
    assert!(message(normal.clone(), [0.0, 1.0]).contains("smallest size is 0, expected a positive"));
    assert!(
        message(SizeLaw::Normal { mean: 1.0, deviation: 0.0 }, ENDS)
            .contains("standard deviation of the sizes is 0")
    );
    assert!(
        message(SizeLaw::Weibull { scale: 1.0, shape: -1.0 }, ENDS).contains("exponent of the sizes is -1")
    );
    let table = |sizes: &[f64], passing: &[f64]| {
        message(SizeLaw::Table { sizes: sizes.to_vec(), passing: passing.to_vec() }, ENDS)
    };
    assert!(table(&[1.0, 2.0], &[0.0]).contains("as many parts as sizes"));
    assert!(table(&[2.0, 1.0], &[0.0, 1.0]).contains("a larger one"));
    assert!(table(&[1.0, 2.0, 3.0], &[0.0, 0.7, 0.5]).contains("0.5 after 0.7, expected no less"));
    assert!(table(&[1.0, 2.0], &[0.1, 1.0]).contains("from 0.1 to 1.0, expected from 0 to 1"));
}

#[test]
fn a_stream_has_sizes_too() {
    let world = world();
    let law = SizeLaw::LogNormal { median: 1.0, sigma: 0.3 };
    let sizes = Sizes::new(
        SizeDistribution::new(law, By::Mass, [0.5, 2.0]).unwrap(),
        SizeMeasure::Volume,
        &world.templates,
    );
    let choice = Choice { scale: Scale::Sizes(Arc::new(sizes)), ..Choice::of(BALL) };
    let stream =
        |side: f64| Stream::new(Inlet::new(choice.clone(), v(0.0, 0.0, 0.0), super::cube(side)), &world, 1);
    assert!(stream(2.5).is_ok());
    // Some bodies have room in it.
    assert!(stream(0.7).is_ok());
    assert!(stream(0.49).unwrap_err().to_string().contains("too small for its bodies"));
}
