//! Which dashpot gives the coefficient of restitution asked for, if the contact never pulls.
//!
//! In units of the elastic collision a head-on impact obeys x″ + x^{3/2} + a x^{1/4} x′ = 0 (Hertz; Tsuji et
//! al. 1992) or x″ + x + a x′ = 0 (linear) from x = 0, x′ = 1, and ends when the *force* vanishes, before x
//! does (Schwager & Pöschel 2007); then e = −x′, a function of `a` alone. It is integrated by RK4 and
//! inverted by regula falsi, with + − × ÷ only: every machine finds the same bits.
//!
//! With x = y⁴ and dt = 4y³ ds the Hertzian equation becomes the polynomial y˙ = v, v˙ = −4y⁴(y⁵ + a v),
//! which has no root to spoil the order of the integrator where the contact begins.

/// The smallest restitution that can be asked for: towards zero the dashpot grows without bound.
pub const SMALLEST: f64 = 1e-3;

/// `a` of the linear spring for the restitution `e` in [[`SMALLEST`], 1].
pub fn linear_damping(e: f64) -> f64 {
    invert(linear_rebound, e)
}

/// `a` of the Hertzian spring for the restitution `e` in [[`SMALLEST`], 1].
pub fn hertz_damping(e: f64) -> f64 {
    invert(hertz_rebound, e)
}

fn linear_rebound(a: f64) -> f64 {
    rebound(|[x, v]| [v, -(x + a * v)], |[x, v]| x + a * v, 1.0 / (256.0 + 128.0 * a))
}

fn hertz_rebound(a: f64) -> f64 {
    let pull = |[y, v]: [f64; 2]| (y * y) * (y * y) * y + a * v;
    rebound(|[y, v]| [v, -4.0 * (y * y) * (y * y) * pull([y, v])], pull, 1.0 / 256.0)
}

/// Minus the velocity at which the force, of the sign of `push`, vanishes.
fn rebound(rate: impl Fn([f64; 2]) -> [f64; 2], push: impl Fn([f64; 2]) -> f64, step: f64) -> f64 {
    let advance = |s: [f64; 2], h: f64| {
        let moved = |k: [f64; 2], by: f64| [s[0] + k[0] * by, s[1] + k[1] * by];
        let k1 = rate(s);
        let k2 = rate(moved(k1, 0.5 * h));
        let k3 = rate(moved(k2, 0.5 * h));
        let k4 = rate(moved(k3, h));
        [0, 1].map(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    };
    let mut state = [0.0, 1.0];
    let mut next = advance(state, step);
    while push(next) > 0.0 {
        state = next;
        next = advance(state, step);
    }
    // The force vanishes within this step; at the instant it does the velocity is stationary, so the error of
    // the instant does not matter.
    let (mut early, mut late) = (0.0, step);
    for _ in 0..40 {
        let middle = 0.5 * (early + late);
        if push(advance(state, middle)) > 0.0 {
            early = middle;
        } else {
            late = middle;
        }
    }
    -advance(state, early)[1]
}

/// The `a` for which `restitution(a)` = e, falling from 1 at a = 0; by regula falsi (Illinois).
fn invert(restitution: impl Fn(f64) -> f64, e: f64) -> f64 {
    // e = 1 exactly, and whatever is not a restitution at all: no dashpot.
    if !(SMALLEST..1.0).contains(&e) {
        return 0.0;
    }
    let (mut low, mut above) = (0.0, 1.0 - e);
    let mut high = 1.0;
    let mut below = restitution(high) - e;
    while below > 0.0 {
        (low, above) = (high, below);
        high *= 2.0;
        below = restitution(high) - e;
    }
    for _ in 0..100 {
        let guess = (low * below - high * above) / (below - above);
        if !(low < guess && guess < high) {
            break;
        }
        let excess = restitution(guess) - e;
        if excess.abs() < 1e-13 {
            return guess;
        }
        if excess > 0.0 {
            (low, above, below) = (guess, excess, 0.5 * below);
        } else {
            (high, below, above) = (guess, excess, 0.5 * above);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Schwager & Pöschel 2007 for their three cases, with γ = a/2 and ω₀ = 1.
    fn closed_form(a: f64) -> f64 {
        let g = 0.5 * a;
        if g < 1.0 {
            let w = (1.0 - g * g).sqrt();
            (-g / w * (std::f64::consts::PI - (2.0 * g * w).atan2(w * w - g * g))).exp()
        } else {
            let w = (g * g - 1.0).sqrt();
            (-g / w * ((g + w) / (g - w)).ln()).exp()
        }
    }

    #[test]
    fn the_linear_rebound_is_the_closed_form() {
        for a in [1e-3, 0.1, 0.5, 1.0, 1.4, 1.5, 1.99, 2.01, 3.0, 10.0, 30.0] {
            let error = linear_rebound(a) - closed_form(a);
            assert!(error.abs() < 1e-10, "a = {a}: {error:e}");
        }
    }

    /// The equation itself, in time and in x, by a symplectic method of low order with very small steps.
    #[test]
    fn the_hertzian_rebound_solves_the_equation() {
        for a in [0.05, 0.5, 2.0, 6.0] {
            let h = 2e-6;
            let (mut x, mut v) = (0.0_f64, 1.0_f64);
            let force = |x: f64, v: f64| x * x.sqrt() + a * x.sqrt().sqrt() * v;
            loop {
                let middle = x + 0.5 * h * v;
                // Implicit midpoint in v, which enters linearly.
                let c = a * middle.sqrt().sqrt();
                let mean = (v - 0.5 * h * middle * middle.sqrt()) / (1.0 + 0.5 * h * c);
                v = 2.0 * mean - v;
                x += h * mean;
                if force(x.max(0.0), v) <= 0.0 {
                    break;
                }
            }
            let error = hertz_rebound(a) + v;
            assert!(error.abs() < 1e-6, "a = {a}: {error:e}");
        }
    }

    #[test]
    fn the_inverse_gives_the_restitution_back() {
        for e in [1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0 - 1e-9] {
            for (damping, rebound) in
                [(linear_damping(e), closed_form as fn(f64) -> f64), (hertz_damping(e), hertz_rebound)]
            {
                let error = rebound(damping) - e;
                assert!(error.abs() < 1e-9, "e = {e}: a = {damping}, error {error:e}");
            }
        }
        assert!(linear_damping(1.0).to_bits() == 0 && hertz_damping(1.0).to_bits() == 0);
    }

    /// Halving the step changes e by less than the tolerance promised: the step is fine enough.
    #[test]
    fn the_step_is_fine_enough() {
        for a in [0.01, 0.3, 1.0, 4.0, 16.0] {
            let pull = |[y, v]: [f64; 2]| y.powi(5) + a * v;
            let finer = rebound(|[y, v]| [v, -4.0 * y.powi(4) * pull([y, v])], pull, 1.0 / 2048.0);
            assert!((finer - hertz_rebound(a)).abs() < 1e-9, "a = {a}: {:e}", finer - hertz_rebound(a));
        }
    }
}
