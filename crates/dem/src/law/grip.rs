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

use std::ops::{Add, Mul, Sub};
use tumble_math::{LabVec, Real};

/// A force or a couple: a vector in the tangent plane, or a number about the normal.
pub(super) trait Load<R: Real>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<R, Output = Self>
{
    fn dot(self, other: Self) -> R;
    fn size(self) -> R;
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

impl<R: Real> FrictionalSpring<R> {
    /// One step on from a spring that bore `before`.
    #[inline(always)]
    pub(super) fn grip<V: Load<R>>(self, before: V, motion: Motion<R, V>) -> Grip<R, V> {
        let half = R::lit(0.5);
        let one = R::lit(1.0);
        let (k0, k1) = (self.stiffness_before, self.stiffness);
        let softer = R::select(k1.lt(k0), k1, k0);
        // Of a growing stiffness the mean, of a falling one the last.
        let mean = (softer + k1) * half;
        let (per_k0, per_k1, per_mean) = (one / divisor(k0), one / divisor(k1), one / divisor(mean));

        let trial = before * (softer * per_k0) - motion.displacement * mean;
        let elastic = trial * within(trial.size(), self.limit);
        let both = elastic - motion.velocity * self.damping;
        let load = both * within(both.size(), self.limit);

        let stored_before = before.dot(before) * per_k0 * half;
        let stored = elastic.dot(elastic) * per_k1 * half;
        let sliding = (before + elastic).dot(trial - elastic) * per_mean * half;
        let stiffening = (k1 - softer) * half * per_mean * (stored_before + stored);
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
