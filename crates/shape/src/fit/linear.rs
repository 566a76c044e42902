//! Small symmetric systems of equations, by Cholesky's decomposition.

/// Solves a x = b for a symmetric positive definite matrix; none if it is not.
pub(super) fn solve<const N: usize>(a: &[[f64; N]; N], b: &[f64; N]) -> Option<[f64; N]> {
    let lower = decompose(a)?;
    let mut x = *b;
    for i in 0..N {
        for k in 0..i {
            x[i] -= lower[i][k] * x[k];
        }
        x[i] /= lower[i][i];
    }
    for i in (0..N).rev() {
        for k in i + 1..N {
            x[i] -= lower[k][i] * x[k];
        }
        x[i] /= lower[i][i];
    }
    Some(x)
}

/// L with L Lᵀ = a.
fn decompose<const N: usize>(a: &[[f64; N]; N]) -> Option<[[f64; N]; N]> {
    let mut lower = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            let mut sum = a[i][j];
            sum -= lower[i][..j].iter().zip(&lower[j][..j]).map(|(a, b)| a * b).sum::<f64>();
            if i == j {
                // What is left of a pivot by rounding is none.
                if sum.is_nan() || sum <= 1e-14 * a[i][i] {
                    return None;
                }
                lower[i][i] = sum.sqrt();
            } else {
                lower[i][j] = sum / lower[j][j];
            }
        }
    }
    Some(lower)
}
