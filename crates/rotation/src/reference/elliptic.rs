//! Elliptic functions and integrals, all in terms of the *complementary* parameter m₁ = 1 − m.
//!
//! Sources: Jacobi's functions by descending Landen transformation (R. Bulirsch, Numer. Math. 7 (1965) 78,
//! procedure sncndn); the symmetric integrals `R_F` and `R_J` by duplication (B. C. Carlson, Numer. Algorithms 10
//! (1995) 13; DLMF 19.36). Near a separatrix m → 1 and only m₁ tells how near, hence the choice of argument.
//! Every function is accurate to a few units in the last place.

use core::f64::consts::FRAC_PI_2;

/// Jacobi's functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobi {
    /// sn u, like a sine
    pub sn: f64,
    /// cn u, like a cosine
    pub cn: f64,
    /// dn u = √(1 − m sn² u)
    pub dn: f64,
}

/// The means of the descending Landen transformation, at most this many for m₁ ≥ 10⁻³⁰⁸.
const LANDEN: usize = 16;

/// sn, cn and dn of u for the complementary parameter 0 ≤ m₁ ≤ 1.
///
/// ```
/// use tumble_rotation::reference::elliptic::{jacobi, quarter_period};
/// let f = jacobi(0.5 * quarter_period(0.36), 0.36);            // k′ = 0.6
/// assert!((f.sn * f.sn - 1.0 / 1.6).abs() < 1e-15);             // sn²(K/2) = 1/(1 + k′)
/// assert!((f.dn * f.dn - 0.6).abs() < 1e-15);                   // dn²(K/2) = k′
/// ```
pub fn jacobi(u: f64, m1: f64) -> Jacobi {
    if m1 <= 0.0 {
        let sech = 1.0 / u.cosh();
        return Jacobi { sn: u.tanh(), cn: sech, dn: sech };
    }
    let mut means = [(0.0, 0.0); LANDEN];
    let (mut a, mut b, mut levels) = (1.0, m1.sqrt(), 0);
    loop {
        means[levels] = (a, b);
        levels += 1;
        let mean = 0.5 * (a + b);
        // Quadratic convergence: the next difference would be below rounding.
        if (a - b).abs() <= 1e-9 * a || levels == LANDEN {
            a = mean;
            break;
        }
        b = (a * b).sqrt();
        a = mean;
    }
    let (sin, cos) = (a * u).sin_cos();
    if sin == 0.0 {
        return Jacobi { sn: sin, cn: cos, dn: 1.0 };
    }
    // Upwards again, in the cotangent of the amplitude.
    let (mut cotangent, mut dn) = (a * cos / sin, 1.0);
    let mut ratio = cos / sin;
    for &(a, b) in means[..levels].iter().rev() {
        ratio *= cotangent;
        cotangent *= dn;
        dn = (b + ratio) / (a + ratio);
        ratio = cotangent / a;
    }
    let sn = (1.0 / cotangent.hypot(1.0)).copysign(sin);
    Jacobi { sn, cn: cotangent * sn, dn }
}

/// The complete integral K, a quarter of the period of sn; infinite for m₁ = 0.
pub fn quarter_period(m1: f64) -> f64 {
    let (mut a, mut b) = (1.0, m1.max(0.0).sqrt());
    if b == 0.0 {
        return f64::INFINITY;
    }
    while (a - b).abs() > 1e-9 * a {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    FRAC_PI_2 / (0.5 * (a + b))
}

/// The argument u, |u| ≤ K, of given sn, cn ≥ 0 and dn: Legendre's F. It keeps its accuracy where the
/// amplitude itself is too near π/2 to tell.
pub fn first_kind(f: Jacobi) -> f64 {
    f.sn * carlson_rf(f.cn * f.cn, f.dn * f.dn, 1.0)
}

/// Legendre's Π(n) = ∫₀ᵘ du/(1 − n sn² u) for n ≤ 0 and |u| ≤ K, where `f` is [`jacobi`] of `u` and `m1`.
///
/// Mapped to 0 < N = (m − n)/(1 − n) ≤ 1 (DLMF 19.7.9), so that all terms have one sign, for n ≪ 0 too.
pub fn third_kind(n: f64, u: f64, f: Jacobi, m1: f64) -> f64 {
    if n == 0.0 {
        return u;
    }
    let m = 1.0 - m1;
    let mapped = (m - n) / (1.0 - n);
    let (s2, c2, d2) = (f.sn * f.sn, f.cn * f.cn, f.dn * f.dn);
    // On the separatrix, m₁ = 0, cn = dn, and Π(N) diverges but does not count.
    let (over, third) = if m1 > 0.0 {
        let p = c2 + m1 / (1.0 - n) * s2;
        (f.cn / f.dn, m1 * (u + mapped / 3.0 * f.sn * s2 * carlson_rj(c2, d2, 1.0, p)))
    } else {
        (1.0, 0.0)
    };
    let arc = ((-n * mapped).sqrt() * f.sn * over).atan() * (-n / mapped).sqrt();
    ((m * u - n / (1.0 - n) * third) / mapped + arc) / (1.0 - n)
}

/// Carlson's `R_F`(x, y, z) = ½ ∫₀^∞ dt/√((t+x)(t+y)(t+z)); of the arguments, none negative, one may be zero.
pub fn carlson_rf(x: f64, y: f64, z: f64) -> f64 {
    let mut v = [x, y, z];
    if v.iter().filter(|&&c| c == 0.0).count() > 1 {
        return f64::INFINITY;
    }
    loop {
        let mean = (v[0] + v[1] + v[2]) / 3.0;
        let [dx, dy, dz] = v.map(|c| 1.0 - c / mean);
        // The series leaves out the sixth power.
        let spread = dx.abs().max(dy.abs()).max(dz.abs());
        if spread <= 1e-3 || spread.is_nan() {
            let (e2, e3) = (dx * dy + dx * dz + dy * dz, dx * dy * dz);
            let series = 1.0 + e2 * (e2 / 24.0 - 0.1 - 3.0 / 44.0 * e3) + e3 / 14.0;
            return series / mean.sqrt();
        }
        let [rx, ry, rz] = v.map(f64::sqrt);
        let shift = rx * ry + rx * rz + ry * rz;
        v = v.map(|c| 0.25 * (c + shift));
    }
}

/// Carlson's `R_J`(x, y, z, p) = 3/2 ∫₀^∞ dt/((t+p)√((t+x)(t+y)(t+z))) for (p−x)(p−y)(p−z) ≥ 0;
/// of x, y, z one may be zero.
pub fn carlson_rj(x: f64, y: f64, z: f64, p: f64) -> f64 {
    let (mut v, mut p) = ([x, y, z], p);
    if v.iter().filter(|&&c| c == 0.0).count() > 1 {
        return f64::INFINITY;
    }
    let (mut sum, mut scale) = (0.0, 1.0);
    let mut delta = v.iter().map(|c| p - c).product::<f64>();
    loop {
        let mean = (v[0] + v[1] + v[2] + 2.0 * p) / 5.0;
        let [dx, dy, dz] = v.map(|c| 1.0 - c / mean);
        let dp = -0.5 * (dx + dy + dz);
        let spread = dx.abs().max(dy.abs()).max(dz.abs()).max(dp.abs());
        if spread <= 1e-3 || spread.is_nan() {
            let xyz = dx * dy * dz;
            let e2 = dx * dy + dx * dz + dy * dz - 3.0 * dp * dp;
            let e3 = xyz + 2.0 * e2 * dp + 4.0 * dp.powi(3);
            let e4 = (2.0 * xyz + e2 * dp + 3.0 * dp.powi(3)) * dp;
            let e5 = xyz * dp * dp;
            let even = 1.0 + e2 * (9.0 / 88.0 * e2 - 3.0 / 14.0) - 3.0 / 22.0 * e4;
            let odd = e3 / 6.0 - 9.0 / 52.0 * e2 * e3 + 3.0 / 26.0 * e5;
            return 6.0 * sum + scale * (even + odd) / (mean * mean.sqrt());
        }
        let ([rx, ry, rz], rp) = (v.map(f64::sqrt), p.sqrt());
        let shift = rx * ry + rx * rz + ry * rz;
        let d = (rp + rx) * (rp + ry) * (rp + rz);
        sum += scale / d * arctangent_ratio(delta / (d * d));
        v = v.map(|c| 0.25 * (c + shift));
        p = 0.25 * (p + shift);
        (delta, scale) = (delta / 64.0, scale / 4.0);
    }
}

/// `R_C`(1, 1 + e) = atan(√e)/√e for e ≥ 0.
fn arctangent_ratio(e: f64) -> f64 {
    let root = e.max(0.0).sqrt();
    if root > 0.0 { root.atan() / root } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-15 * b.abs().max(1e-3)
    }

    // Values from mpmath with 40 digits.
    #[test]
    fn jacobi_functions_and_quarter_periods() {
        for (u, m1, sn, cn, dn) in [
            (0.7, 0.36, 0.618_755_648_952_545_3, 0.785_583_507_266_614_2, 0.868_890_399_307_738_5),
            (3.0, 0.5, 0.630_028_998_242_033_2, -0.776_571_607_370_589, 0.895_283_045_012_620_6),
            (-2.5, 1e-3, -0.986_843_322_251_561, 0.161_679_489_507_796_45, 0.164_663_648_296_077_05),
            (12.0, 1e-8, 0.999_999_981_729_871_8, -0.000_191_155_057_366_144_83, 0.000_215_731_906_752_922_3),
            (20.0, 1e-16, 1.0, -1.942_257_697_745_258e-9, 1.018_687_218_749_949_2e-8),
            (9.0, 1.0, 0.412_118_485_241_756_6, -0.911_130_261_884_676_9, 1.0),
            (1.3, 0.9999, 0.963_551_215_069_848, 0.267_523_935_260_790_2, 0.999_953_577_375_266_8),
            (40.0, 0.25, -0.855_900_108_329_504_3, -0.517_141_184_360_270_1, 0.671_249_769_773_634_4),
        ] {
            let f = jacobi(u, m1);
            let worst = (f.sn - sn).abs().max((f.cn - cn).abs()).max((f.dn - dn).abs());
            assert!(worst < 3e-16 * f64::max(1.0, u), "{worst} at {u}, {m1}");
        }
        for (m1, quarter) in [
            (0.36, 1.995_302_777_664_729_4),
            (0.5, 1.854_074_677_301_371_9),
            (1e-3, 4.841_132_560_550_297),
            (1e-8, 10.596_634_757_087_66),
            (1e-16, 19.806_975_105_072_258),
            (1.0, FRAC_PI_2),
            (0.9999, 1.570_835_598_912_152_3),
            (0.25, 2.156_515_647_499_643_4),
        ] {
            assert!(close(quarter_period(m1), quarter));
        }
    }

    #[test]
    fn the_hyperbolic_limit() {
        let (f, limit) = (jacobi(3.0, 1e-18), jacobi(3.0, 0.0));
        assert!((f.sn - limit.sn).abs() < 1e-15 && (f.dn - limit.dn).abs() < 1e-15);
        assert!(quarter_period(0.0).is_infinite());
    }

    #[test]
    fn symmetric_integrals() {
        assert!(close(carlson_rf(0.5, 1.0, 2.0), 0.968_857_653_272_452_4));
        assert!(close(carlson_rf(0.0, 1e-6, 1.0), 8.294_051_463_615_44));
        assert!(close(carlson_rf(1e-10, 2e-10, 1.0), 12.017_846_239_932_27));
        assert!(close(carlson_rj(0.5, 1.0, 2.0, 3.0), 0.466_980_099_471_426_93));
        assert!(close(carlson_rj(0.0, 1e-6, 1.0, 1.5), 14.847_268_040_254_017));
        assert!(close(carlson_rj(1e-10, 2e-10, 1.0, 40.0), 0.884_380_703_009_617_8));
        assert!(close(carlson_rj(0.2, 0.7, 1.0, 1.0), 1.659_085_278_427_509_4));
        assert!(close(carlson_rj(0.3, 0.3, 0.3, 0.3), 0.3_f64.powf(-1.5)));
        assert!(carlson_rf(0.0, 0.0, 1.0).is_infinite() && carlson_rj(0.0, 0.0, 1.0, 2.0).is_infinite());
        assert!(carlson_rf(f64::NAN, 1.0, 1.0).is_nan());
    }

    #[test]
    fn legendre_integrals() {
        for (n, u, m1, pi) in [
            (-1.5, 0.8, 0.3, 0.651_645_366_624_825_4),
            (-30.0, 1.2, 0.01, 0.278_055_237_352_570_8),
            (-0.2, 2.5, 1e-4, 2.238_186_261_721_857_8),
        ] {
            let f = jacobi(u, m1);
            assert!(close(first_kind(f), u));
            assert!((third_kind(n, u, f, m1) - pi).abs() < 1e-15 * u);
        }
        // Far out Π ≈ π/(2√−n), however large n.
        let f = jacobi(1.0, 0.5);
        assert!(close(third_kind(-1e20, 1.0, f, 0.5), 0.5e-10 * core::f64::consts::PI));
        let (near, limit) = (jacobi(2.0, 1e-17), jacobi(2.0, 0.0));
        assert!(close(third_kind(-3.0, 2.0, near, 1e-17), third_kind(-3.0, 2.0, limit, 0.0)));
    }
}
