//! The normal distribution and its inverse agree with values computed in 40-digit arithmetic, and with each other.

use tumble_math::elementary::{exp, normal_below, normal_quantile};

/// x and the part below it.
const BELOW: [[f64; 2]; 16] = [
    [-10.0, 7.619_853_024_160_525e-24],
    [-7.5, 3.190_891_672_910_896_3e-14],
    [-5.0, 2.866_515_718_791_939e-7],
    [-3.0, 0.001_349_898_031_630_094_6],
    [-2.25, 0.012_224_472_655_044_703],
    [-2.0, 0.022_750_131_948_179_21],
    [-1.5, 0.066_807_201_268_858_07],
    [-1.0, 0.158_655_253_931_457_05],
    [-0.25, 0.401_293_674_317_076_3],
    [-0.000_976_562_5, 0.499_610_407_991_219_5],
    [0.125, 0.549_738_224_830_112_9],
    [1.0, 0.841_344_746_068_542_9],
    [1.75, 0.959_940_843_136_182_9],
    [2.0, 0.977_249_868_051_820_8],
    [3.0, 0.998_650_101_968_369_9],
    [6.0, 0.999_999_999_013_412_3],
];

/// A part, and the number that it is below.
const QUANTILES: [[f64; 2]; 19] = [
    [1e-300, -37.047_096_299_361_2],
    [1e-100, -21.273_453_560_965_326],
    [1e-30, -11.464_024_688_443_615],
    [1e-16, -8.222_082_216_130_435],
    [1e-09, -5.997_807_015_007_686_5],
    [1e-05, -4.264_890_793_922_825],
    [0.001, -3.090_232_306_167_813_6],
    [0.01, -2.326_347_874_040_841],
    [0.02, -2.053_748_910_631_823],
    [0.025, -1.959_963_984_540_054_3],
    [0.1, -1.281_551_565_544_600_4],
    [0.25, -0.674_489_750_196_081_7],
    [0.375, -0.318_639_363_964_375_14],
    [0.5, 0.0],
    [0.625, 0.318_639_363_964_375_14],
    [0.75, 0.674_489_750_196_081_7],
    [0.9, 1.281_551_565_544_600_6],
    [0.975, 1.959_963_984_540_053_8],
    [0.999, 3.090_232_306_167_813],
];

#[test]
fn the_distribution_has_known_values() {
    for [x, part] in BELOW {
        let ours = normal_below(x);
        assert!((ours / part - 1.0).abs() < 1e-14, "{x}: {ours:e} for {part:e}");
    }
    assert_eq!([-1e3, 1e3].map(|x| normal_below(x).to_bits()), [0.0, 1.0].map(f64::to_bits));
    assert!(normal_below(f64::NAN).is_nan());
}

#[test]
fn the_inverse_has_known_values() {
    for [part, x] in QUANTILES {
        let ours = normal_quantile(part);
        assert!((ours - x).abs() <= 1e-14 * x.abs().max(1.0), "{part}: {ours} for {x}");
    }
    let ends = [0.0, 1.0].map(normal_quantile);
    assert!(ends[0] == f64::NEG_INFINITY && ends[1] == f64::INFINITY, "{ends:?}");
    assert!([-0.1, 1.1, f64::NAN].map(normal_quantile).iter().all(|x| x.is_nan()));
}

#[test]
fn there_and_back() {
    for k in -500_i32..=500 {
        let x = 0.01 * f64::from(k);
        let back = normal_quantile(normal_below(x));
        // Near one, the part itself has no more digits than this leaves.
        let lost = 1e-14 + 3e-16 * exp(0.5 * x.max(0.0) * x.max(0.0));
        assert!((back - x).abs() < lost, "{x}: {back}");
    }
    let rises = (-800..800).map(|k| normal_below(0.01 * f64::from(k)));
    assert!(rises.clone().zip(rises.skip(1)).all(|(a, b)| a <= b));
}
