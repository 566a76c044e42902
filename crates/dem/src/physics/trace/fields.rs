//! Forces on a body that are not contacts, as recorded kernels.

use crate::physics::field::{
    FLUID, Fluid, PUSHED, Pushed, attraction, drag, hand_power, turned_by_hand, uniform,
};
use crate::record::{Record, to_numbers};
use tumble_math::trace::{Tape, Traced};
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// What acts on a body beside contacts, and what a hand does to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKernel {
    /// [`Fluid`], radius, velocity (3), angular velocity (3): what is [`Pushed`], and its power.
    Drag,
    /// Acceleration (3), factor, mass, position (3), two parts, velocity (3): the force, and its power.
    Uniform,
    /// Centre (3), rate, and the same: the force, and its power.
    Attraction,
    /// What acts ([`Pushed`]), weight (3), the load of fields ([`Pushed`]), velocity (3), q (4), ω in the body (3): what the hand
    /// spends.
    Hand,
    /// Velocity (3), q (4), ω in the body (3), Δt: how far a held body goes, and its orientation after it.
    Hold,
}

impl FieldKernel {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Drag, Self::Uniform, Self::Attraction, Self::Hand, Self::Hold];

    /// How many numbers a recording takes.
    pub const fn inputs(self) -> usize {
        match self {
            Self::Drag => FLUID + 7,
            Self::Uniform | Self::Attraction => 13,
            Self::Hand => 2 * PUSHED + 13,
            Self::Hold => 11,
        }
    }

    /// Records it.
    pub fn record(self) -> Tape {
        Tape::record(self.inputs(), |numbers| self.evaluate::<Traced>(numbers))
    }

    /// Evaluates it directly on numbers in the order of a recording.
    ///
    /// # Panics
    /// If there are fewer than [`inputs`](Self::inputs) numbers.
    pub fn evaluate<R: Real>(self, n: &[R]) -> Vec<R> {
        let vector = |at: usize| LabVec::<R>::read(n, at);
        let with_power = |force: LabVec<R>| {
            let force = force * n[8] * n[9];
            let pushed = Pushed { force, torque: LabVec::zero() };
            [&force.to_array()[..], &[pushed.power(vector(10), LabVec::zero())]].concat()
        };
        match self {
            Self::Drag => {
                let (velocity, omega) = (vector(FLUID + 1), vector(FLUID + 4));
                let pushed = drag(&Fluid::read(n, 0), n[FLUID], velocity, omega);
                let mut numbers = to_numbers(pushed);
                numbers.push(pushed.power(velocity, omega));
                numbers
            }
            Self::Uniform => with_power(uniform(vector(0), n[3], n[4])),
            Self::Attraction => with_power(attraction(vector(0), n[3], n[4], vector(5))),
            Self::Hand => {
                let (acting, load) = (Pushed::read(n, 0), Pushed::read(n, PUSHED + 3));
                let at = 2 * PUSHED + 3;
                let omega = Quat::read(n, at + 3).to_lab(BodyVec::read(n, at + 7));
                vec![hand_power(&acting, vector(PUSHED), &load, vector(at), omega)]
            }
            Self::Hold => {
                let displacement = vector(0) * n[10];
                let q = turned_by_hand(Quat::read(n, 3), BodyVec::read(n, 7), n[10]);
                [&displacement.to_array()[..], &q.to_array()].concat()
            }
        }
    }
}
