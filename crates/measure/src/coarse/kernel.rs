//! The smoothing function of coarse-grained fields, and sums over lines that are exact for it.
//!
//! φ(x) = M(x/a) M(y/b) M(z/c) / (abc), M being the cubic B-spline: four pieces of third degree on −2 … 2, twice differentiable, never
//! negative, with the integral 1 and the variance 1/3 (Schoenberg 1946). What makes it the one to take here:
//!
//! - its values at the nodes of a grid add up to the same number wherever it stands, if a is a whole number of cells: the mass on the
//!   grid is that of the bodies, not up to some error of a quadrature but up to rounding;
//! - along a straight line it is a polynomial of ninth degree between two planes of the grid, which points of Gauss integrate
//!   exactly, also times what falls evenly along the line: so the stresses are exact as well, and with them the balances of momentum
//!   and spin at every point.

/// The cubic B-spline with knots at −2, −1, 0, 1, 2.
pub(super) fn spline(u: f64) -> f64 {
    let distance = u.abs();
    let (far, near) = ((2.0 - distance).max(0.0), (1.0 - distance).max(0.0));
    (far * far * far - 4.0 * (near * near * near)) / 6.0
}

/// How far it reaches, in distances from knot to knot.
pub(super) const REACH: f64 = 2.0;

/// Places on 0 … 1 and weights of Gauss and Legendre, exact up to the eleventh degree: the places are the roots of the Legendre
/// polynomial P₆.
pub(super) const GAUSS: [(f64, f64); 6] = [
    (0.033_765_242_898_423_99, 0.085_662_246_189_585_17),
    (0.169_395_306_766_867_74, 0.180_380_786_524_069_3),
    (0.380_690_406_958_401_55, 0.233_956_967_286_345_52),
    (0.619_309_593_041_598_5, 0.233_956_967_286_345_52),
    (0.830_604_693_233_132_3, 0.180_380_786_524_069_3),
    (0.966_234_757_101_576, 0.085_662_246_189_585_17),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral is 1, the variance 1/3, and the sum over all whole numbers 1, wherever one begins.
    #[test]
    fn moments_of_the_spline_and_its_partition_of_one() {
        let moment = |power: i32| {
            let piece = |from: f64| {
                let at = |(place, weight): (f64, f64)| {
                    let u = from + place;
                    (0..power).fold(weight * spline(u), |product, _| product * u)
                };
                GAUSS.into_iter().map(at).sum::<f64>()
            };
            [-2.0, -1.0, 0.0, 1.0].into_iter().map(piece).sum::<f64>()
        };
        assert!((moment(0) - 1.0).abs() < 1e-15);
        assert!(moment(1).abs() < 1e-15);
        assert!((moment(2) - 1.0 / 3.0).abs() < 1e-15);
        for begin in [0.0, 0.1, 0.37, 0.5, 0.93] {
            let sum: f64 = (-3..=3).map(|node| spline(f64::from(node) - begin)).sum();
            assert!((sum - 1.0).abs() < 1e-15, "{sum}");
        }
    }

    /// ∫₀¹ tⁿ dt = 1/(n + 1) up to n = 11, and not beyond.
    #[test]
    fn six_points_are_exact_up_to_the_eleventh_degree() {
        let error = |degree: u32| {
            let at = |(place, weight): (f64, f64)| (0..degree).fold(weight, |product, _| product * place);
            (GAUSS.into_iter().map(at).sum::<f64>() - 1.0 / f64::from(degree + 1)).abs()
        };
        assert!((0..=11).all(|degree| error(degree) < 3e-16));
        assert!(error(12) > 1e-9);
    }
}
