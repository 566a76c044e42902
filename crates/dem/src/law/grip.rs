//! The frictional spring: spring and slider in series, a dashpot beside them, and a limit on their sum. One
//! element for sliding, rolling and twisting.
//!
//! The slider acts on the spring alone and the dashpot fills up to the limit (Cundall & Strack 1979: no
//! dashpot while sliding). So the spring is continuous and no loss can be negative: projection onto a ball is
//! monotone. Shortening the spring until spring *and* dashpot balance the limit, as is also done, winds it up
//! from nothing when sliding slows down.
//!
//! A spring of changing stiffness k keeps its force while k grows and its length while k falls (Thornton et
//! al. 2013); here with the mean k of a growing step, which makes it second order. Both ways it loses energy,
//! never gains: this micro-slip is counted as slip. Work by the trapezoid rule equals stored + lost exactly.

use super::{Resistance, Resisted};
use std::ops::{Add, Mul, Sub};
use tumble_math::{LabVec, Real};

/// A force or a couple: a vector in the tangent plane, or a number about the normal.
pub(super) trait Load<R: Real>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<R, Output = Self>
{
    fn dot(self, other: Self) -> R;
    fn size(self) -> R;
    fn choose(mask: R::Mask, yes: Self, no: Self) -> Self;
}

impl<R: Real> Load<R> for LabVec<R> {
    #[inline(always)]
    fn dot(self, other: Self) -> R {
        LabVec::dot(self, other)
    }
    #[inline(always)]
    fn size(self) -> R {
        self.norm()
    }
    #[inline(always)]
    fn choose(mask: R::Mask, yes: Self, no: Self) -> Self {
        let pick = |yes, no| R::select(mask, yes, no);
        Self::new(pick(yes.x, no.x), pick(yes.y, no.y), pick(yes.z, no.z))
    }
}

impl<R: Real> Load<R> for R {
    #[inline(always)]
    fn dot(self, other: Self) -> R {
        self * other
    }
    #[inline(always)]
    fn size(self) -> R {
        self.abs()
    }
    #[inline(always)]
    fn choose(mask: R::Mask, yes: Self, no: Self) -> Self {
        R::select(mask, yes, no)
    }
}

/// The element's constants at one instant.
#[derive(Clone, Copy)]
pub(super) struct FrictionalSpring<R> {
    /// Stiffness at the last step.
    pub(super) stiffness_before: R,
    pub(super) stiffness: R,
    pub(super) damping: R,
    /// The most it can bear.
    pub(super) limit: R,
}

/// How i moved relative to j.
#[derive(Clone, Copy)]
pub(super) struct Motion<R, V> {
    /// Since the last step.
    pub(super) displacement: V,
    /// Now.
    pub(super) velocity: V,
    pub(super) dt: R,
}

/// What the element does to i.
#[derive(Clone, Copy)]
pub(super) struct Grip<R, V> {
    /// Of spring and dashpot.
    pub(super) load: V,
    /// Of the spring.
    pub(super) elastic: V,
    pub(super) stored: R,
    pub(super) damped: R,
    pub(super) slipped: R,
}

impl<R, Couple> From<Grip<R, Couple>> for Resistance<R, Couple, Couple> {
    #[inline(always)]
    fn from(Grip { load, elastic, stored, slipped, damped }: Grip<R, Couple>) -> Self {
        Self { torque: load, memory: elastic, books: Resisted { stored, slipped, damped } }
    }
}

impl<R: Real> FrictionalSpring<R> {
    /// One step on from a spring that bore `before`.
    #[inline(always)]
    pub(super) fn grip<V: Load<R>>(self, before: V, motion: Motion<R, V>) -> Grip<R, V> {
        let half = R::lit(0.5);
        let one = R::lit(1.0);
        let (k0, k1) = (self.stiffness_before, self.stiffness);
        let softer = R::select(k1.lt(k0), k1, k0);
        // Quotients in pairs, with one division for each pair.
        let (divisor_0, divisor_1) = (divisor(k0), divisor(k1));
        let per_both = one / (divisor_0 * divisor_1);
        let (per_k0, per_k1) = (divisor_1 * per_both, divisor_0 * per_both);
        // Of a growing stiffness the mean, of a falling one the last. It is the mean of a k that goes with √δ while
        // δ grows evenly: that of the two ends would be good to Δt^{3/2} only where a contact begins. In parts of k₁, with
        // the sum s and the difference d of both ends, it is s/2 + d²/6s = (3s² + d²)/6s.
        let part = R::select(k0.lt(k1), k0 * per_k1, one);
        let (sum, growth) = (one + part, one - part);
        let (six, square) = (R::lit(6.0) * sum, growth * growth);
        let above = R::lit(3.0) * (sum * sum) + square;
        let per_quotient = one / (six * above);
        let mean = k1 * (sum * half + square * (above * per_quotient));
        let per_mean = per_k1 * (six * six * per_quotient);

        let shortened = before * R::select(k1.lt(k0), k1 * per_k0, one);
        let trial = shortened - motion.displacement * mean;
        let elastic = self.slide(shortened, trial);
        let both = elastic - motion.velocity * self.damping;
        let load = both * within(both.size(), self.limit);

        let stored_before = before.dot(before) * per_k0 * half;
        let stored = elastic.dot(elastic) * per_k1 * half;
        let sliding = (before + elastic).dot(trial - elastic) * per_mean * half;
        let stiffening = ((mean - softer) * stored_before + (k1 - mean) * stored) * per_mean;
        let softening = (k0 - softer) * half * per_k0 * per_k1 * before.dot(elastic);
        Grip {
            load,
            elastic,
            stored,
            damped: (elastic - load).dot(motion.velocity) * motion.dt,
            // Negative only in a step that reverses the whole spring, which nothing resolves.
            slipped: positive(sliding) + stiffening + positive(softening),
        }
    }
}

impl<R: Real> FrictionalSpring<R> {
    /// The spring after a step that would take it from `before` to `trial`.
    ///
    /// A spring that slides has the length L of the limit and turns towards the sliding, at an angle θ to it, by
    /// dθ/dt = −(k v/L) sin θ. Shortening the trial along its own direction is the backward Euler step of this;
    /// with the way first scaled by 1 + ½ s cos θ, s = k∫v dt/L, and by the mean of L in the step over its
    /// beginning (both bounded, for steps that nothing resolves), it is second order.
    #[inline(always)]
    fn slide<V: Load<R>>(self, before: V, trial: V) -> V {
        let (one, half, three, five) = (R::lit(1.0), R::lit(0.5), R::lit(3.0), R::lit(5.0));
        let way = trial - before;
        let (square, limit) = (before.dot(before), self.limit * self.limit);
        let forth = before.dot(way) + before.dot(way);
        let bend = one + half * forth / (divisor(square + limit) + forth.abs());
        let growth = (five * square + three * limit) / divisor(three * square + five * limit);
        let turned = before + way * (bend * growth);
        let slid = turned * (self.limit / divisor(turned.size()));
        V::choose(limit.lt(trial.dot(trial)), slid, trial)
    }
}

/// `x`, or zero where it is negative.
#[inline(always)]
pub(super) fn positive<R: Real>(x: R) -> R {
    R::select(R::lit(0.0).lt(x), x, R::lit(0.0))
}

/// `x`, or one where nothing can be divided by it: the dividend is zero there as well.
#[inline(always)]
pub(super) fn divisor<R: Real>(x: R) -> R {
    R::select(R::lit(0.0).lt(x), x, R::lit(1.0))
}

/// The factor that brings `size` down to `limit`.
#[inline(always)]
fn within<R: Real>(size: R, limit: R) -> R {
    R::select(limit.lt(size), limit / size, R::lit(1.0))
}
