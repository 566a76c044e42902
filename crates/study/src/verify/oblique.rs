//! A sphere that hits a plane obliquely, by integrating the Hertz–Mindlin law as the book has it. Nothing of the engine's
//! laws is used: the cases that stick and slip in one impact are held against this.
//!
//! In units of the sphere's mass m, its normal speed v and the length D with K D^{5/2} = mv², K = 4/3 E*√R, the overlap x,
//! the velocity u of the surface along the plane and the force T of the tangential spring obey
//!
//! > ẍ = −F,  F = x^{3/2} + a x^{1/4} ẋ where that is positive, else 0
//! >
//! > u̇ = −7/2 (T + cu within ±μF)
//! >
//! > Ṫ = ku while x grows, ku + T ẋ/2x while it falls; T within ±μF
//!
//! with k = 3/2 κ√x and c = a√κ x^{1/4}, κ = kₜ/kₙ = 2(1 − ν)/(2 − ν) for one material: the spring keeps its force while it
//! stiffens and its length while it softens. The 7/2 is that of a solid sphere. Runge–Kutta of fourth order with steps of
//! 1/30 000 of the contact, finer where it begins as a root of the time; the bounds are applied in every stage.

/// The constants of an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    /// κ, the tangential over the normal stiffness.
    pub(super) stiffness_ratio: f64,
    /// μ
    pub(super) friction: f64,
    /// a
    pub(super) damping: f64,
}

/// After the impact, over the normal speed before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rebound {
    /// Velocity off the plane.
    pub(super) off: f64,
    /// Velocity of the surface along the plane.
    pub(super) surface: f64,
    /// The part of the contact time in which it slid.
    pub(super) sliding: f64,
}

impl Rebound {
    /// Velocity of the centre along the plane: friction takes 2/7 of the change of the surface's from it.
    pub(super) fn along(&self, before: f64) -> f64 {
        before - (before - self.surface) / 3.5
    }

    /// Spin by radius.
    pub(super) fn spin(&self, before: f64) -> f64 {
        2.5 * (before - self.surface) / 3.5
    }
}

/// κ of two bodies of one material.
pub(super) fn stiffness_ratio(poisson: f64) -> f64 {
    2.0 * (1.0 - poisson) / (2.0 - poisson)
}

/// The dashpot that gives a restitution, by halving: the larger, the less rebounds.
pub(super) fn damping_for(restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..45 {
        let damping = 0.5 * (low + high);
        let head_on = Impact { stiffness_ratio: 1.0, friction: 0.0, damping };
        if head_on.rebound(0.0).off > restitution {
            low = damping;
        } else {
            high = damping;
        }
    }
    0.5 * (low + high)
}

const STEP: f64 = 1e-4;

#[derive(Clone, Copy)]
struct State {
    overlap: f64,
    closing: f64,
    surface: f64,
    spring: f64,
}

impl State {
    fn moved(self, rate: Self, time: f64) -> Self {
        Self {
            overlap: self.overlap + rate.overlap * time,
            closing: self.closing + rate.closing * time,
            surface: self.surface + rate.surface * time,
            spring: self.spring + rate.spring * time,
        }
    }
}

impl Impact {
    /// The normal force, which never pulls.
    fn force(&self, at: State) -> f64 {
        let x = at.overlap.max(0.0);
        (x * x.sqrt() + self.damping * x.sqrt().sqrt() * at.closing).max(0.0)
    }

    fn rate(&self, at: State) -> State {
        let (x, force) = (at.overlap.max(0.0), self.force(at));
        let limit = self.friction * force;
        let spring = at.spring.clamp(-limit, limit);
        let dashpot = self.damping * self.stiffness_ratio.sqrt() * x.sqrt().sqrt() * at.surface;
        let load = (spring + dashpot).clamp(-limit, limit);
        let stiffening = 1.5 * self.stiffness_ratio * x.sqrt() * at.surface;
        let softening = if at.closing < 0.0 && x > 0.0 { 0.5 * spring * at.closing / x } else { 0.0 };
        State { overlap: at.closing, closing: -force, surface: -3.5 * load, spring: stiffening + softening }
    }

    /// What becomes of a sphere without spin that moves with `along` over its normal speed along the plane.
    pub(super) fn rebound(&self, along: f64) -> Rebound {
        let mut now = State { overlap: 0.0, closing: 1.0, surface: along, spring: 0.0 };
        let (mut time, mut slid) = (0.0_f64, 0.0);
        loop {
            let step = (0.02 * time).clamp(1e-9, STEP);
            let k1 = self.rate(now);
            let k2 = self.rate(now.moved(k1, 0.5 * step));
            let k3 = self.rate(now.moved(k2, 0.5 * step));
            let k4 = self.rate(now.moved(k3, step));
            let mut next = now.moved(k1, step / 6.0).moved(k2, step / 3.0).moved(k3, step / 3.0);
            next = next.moved(k4, step / 6.0);
            let force = self.force(next);
            if next.closing < 0.0 && (next.overlap <= 0.0 || force <= 0.0) {
                return Rebound { off: -next.closing, surface: next.surface, sliding: slid / time };
            }
            let limit = self.friction * force;
            if next.spring.abs() > limit {
                slid += step;
            }
            next.spring = next.spring.clamp(-limit, limit);
            now = next;
            time += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where it slides to the end, friction takes 7/2 μ(1 + e) from the surface.
    #[test]
    fn sliding_is_the_closed_form() {
        for restitution in [1.0, 0.98, 0.5] {
            let damping = damping_for(restitution);
            let impact = Impact { stiffness_ratio: stiffness_ratio(0.3), friction: 0.2, damping };
            let rebound = impact.rebound(3.0);
            assert!((rebound.off - restitution).abs() < 1e-6, "{rebound:?}");
            let exact = 3.0 - 3.5 * 0.2 * (1.0 + restitution);
            assert!((rebound.surface - exact).abs() < 1e-6, "{rebound:?}, {exact}");
            assert!((rebound.along(3.0) - (3.0 - 0.2 * (1.0 + restitution))).abs() < 1e-6);
        }
    }

    /// The law has no scale but μ: without dashpots the rebound over μ depends on the incidence over μ alone.
    #[test]
    fn the_rebound_scales_with_friction() {
        let of = |friction: f64| {
            Impact { stiffness_ratio: 0.8, friction, damping: 0.0 }.rebound(2.0 * friction).surface / friction
        };
        assert!((of(0.1) - of(0.4)).abs() < 1e-9, "{} {}", of(0.1), of(0.4));
    }
}
