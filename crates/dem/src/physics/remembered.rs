//! What a contact remembers from one step to the next.

use super::frame::FrameTurn;
use crate::law::{ContactLaw, History, RollingModel, TwistingModel};
use crate::record;
use crate::record::{Numbers, NumbersMut, Record};
use core::marker::PhantomData;
use tumble_math::{LabVec, Real};

/// What a law and its resistances ask for.
pub(crate) struct Asks<L, M, T>(PhantomData<(L, M, T)>);

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Asks<L, M, T> {
    const ROLLING: bool = M::INFO.uses_velocity || <M::Memory<f64> as Record<f64>>::SIZE > 0;
    const TWISTING: bool = T::INFO.uses_velocity || <T::Memory<f64> as Record<f64>>::SIZE > 0;
    const LASTS: bool = <L::Memory<f64> as Record<f64>>::SIZE > 0 || Self::JUMPS;
    /// Whether the force of the normal spring jumps where contacts begin or end.
    pub(crate) const JUMPS: bool = L::JUMPS || L::RANGE.is_beyond_touch();
    /// Whether something resists turning.
    pub(crate) const TURNING: bool = Self::ROLLING || Self::TWISTING;
    /// Whether the contact remembers anything, or its force depends on velocities.
    pub(crate) const MOTION: bool = L::INFO.uses_velocity || Self::LASTS || Self::TURNING;
}

record! {
    /// What is remembered of the last step to follow a contact, whatever its law.
    Track, TRACK {
        /// Unit vector from b to a.
        normal: LabVec<R>,
        /// Relative velocity in the tangent plane; along the normal, how fast the frame twists times the effective radius.
        motion: LabVec<R>,
        /// m.
        overlap: R,
        /// Energy of the springs that end with the contact, with its weight, J.
        ending: R,
    }
}

record! {
    /// What the last kick of a contact gave in advance, for the time until the contact ends.
    Ahead, AHEAD {
        /// Of the normal spring, N, without weight and slope.
        force: R,
        /// How much of the step to come it was said to last, in steps; 0 if it was not said to end.
        rest: R,
    }
}

/// All that a contact remembers of the last step.
#[derive(Clone, Copy, Debug)]
pub struct Remembered<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real> {
    /// What follows it.
    pub track: Track<R>,
    /// ω of a minus ω of b, rad/s. Only where something resists turning.
    pub spin: LabVec<R>,
    /// What its last kick gave in advance. Only where forces jump.
    pub ahead: Ahead<R>,
    /// What its law and its resistances remember.
    pub history: History<L, M, T, R>,
}

/// Nothing at all for a law that asks for nothing but the overlap.
impl<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real> Record<R> for Remembered<L, M, T, R> {
    const SIZE: usize =
        if Asks::<L, M, T>::MOTION { Self::HISTORY + <History<L, M, T, R> as Record<R>>::SIZE } else { 0 };

    #[inline(always)]
    fn read(from: &(impl Numbers<R> + ?Sized), at: usize) -> Self {
        let (moving, turning) = (Asks::<L, M, T>::MOTION, Asks::<L, M, T>::TURNING);
        Self {
            track: if moving { Track::read(from, at) } else { Track::zero() },
            spin: if turning { LabVec::read(from, at + TRACK) } else { LabVec::zero() },
            ahead: if Self::JUMPS { Ahead::read(from, at + Self::AHEAD) } else { Ahead::zero() },
            history: if moving { Record::read(from, at + Self::HISTORY) } else { Record::zero() },
        }
    }

    #[inline(always)]
    fn write(self, to: &mut (impl NumbersMut<R> + ?Sized), at: usize) {
        if Asks::<L, M, T>::TURNING {
            self.spin.write(to, at + TRACK);
        }
        if Self::JUMPS {
            self.ahead.write(to, at + Self::AHEAD);
        }
        if Asks::<L, M, T>::MOTION {
            self.track.write(to, at);
            self.history.write(to, at + Self::HISTORY);
        }
    }

    #[inline(always)]
    fn carried(self, frame: &FrameTurn<R>) -> Self {
        Self { history: self.history.carried(frame), ..self }
    }
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Real> Remembered<L, M, T, R> {
    const JUMPS: bool = Asks::<L, M, T>::JUMPS;
    /// Where it stands what was given in advance.
    const AHEAD: usize = TRACK + if Asks::<L, M, T>::TURNING { 3 } else { 0 };
    /// Where the history begins.
    pub(crate) const HISTORY: usize = Self::AHEAD + if Self::JUMPS { AHEAD } else { 0 };
}
