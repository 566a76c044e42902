//! How the frame of a contact turns from one step to the next.

use tumble_math::{LabVec, Real};

/// How the frame of a contact turned since the last step: with its normal, by the shortest way, and about it
/// with the mean spin of the two bodies. What a contact remembers turns along, so a pair that turns as a whole
/// feels nothing of it (objectivity).
#[derive(Clone, Copy, Debug)]
pub struct FrameTurn<R> {
    old: LabVec<R>,
    new: LabVec<R>,
    inverse: R,
    cosine: R,
    sine: R,
}

impl<R: Real> FrameTurn<R> {
    /// The twist is that of a point at a distance from the normal that moved so far about it.
    #[inline(always)]
    pub(crate) fn new(old: LabVec<R>, new: LabVec<R>, moved: R, distance: R) -> Self {
        let (zero, one, two) = (R::lit(0.0), R::lit(1.0), R::lit(2.0));
        // No shortest way leads to the opposite normal, and `old + new` is zero then.
        let both = one + old.dot(new);
        let there = zero.lt(both);
        let both = R::select(there, both, one);
        // With the tangent of half the angle as a quotient t = moved/2 distance: cos = 1 − 2t²/(1 + t²), sin = 2t/(1 + t²). That
        // is a rotation to round-off, none at all where t² is, and the angle to third order. Both quotients have one division.
        let across = two * distance;
        let square = moved * moved;
        let sum = across * across + square;
        let inverse = one / (sum * both);
        let scale = two * (both * inverse);
        Self {
            old,
            new,
            inverse: R::select(there, sum * inverse, zero),
            cosine: one - square * scale,
            sine: across * moved * scale,
        }
    }

    /// A vector in the old tangent plane, in the new one.
    #[inline(always)]
    pub(crate) fn carry_into_plane(&self, vector: LabVec<R>) -> LabVec<R> {
        let carried = self.carry_tangent(vector);
        carried - self.new * carried.dot(self.new)
    }

    #[inline(always)]
    pub(crate) fn carry(&self, vector: LabVec<R>) -> LabVec<R> {
        let along = vector.dot(self.old);
        self.new * along + self.carry_tangent(vector - self.old * along)
    }

    /// As [`carry`](Self::carry), of a vector at right angles to the old normal.
    #[inline(always)]
    pub(crate) fn carry_tangent(&self, vector: LabVec<R>) -> LabVec<R> {
        let turned = vector - (self.old + self.new) * (vector.dot(self.new) * self.inverse);
        turned * self.cosine + self.new.cross(turned) * self.sine
    }
}
