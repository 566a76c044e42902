//! The loop over a block of contacts: the law with all that belongs to it. The physics is in
//! [`physics`](crate::physics); here it is called for all lanes, branch-free, compiled for every instruction set.

use super::block::Block;
use super::lanes::{LANES, Lanes, row, set_row};
use crate::law::{ContactLaw, RollingModel, TwistingModel};
use crate::physics::contact::{Asks, Clock, MEMORY, Memory, OUTCOME, Outcome, TURNING, Turning, act};
use crate::physics::kicks::{Beginning, correct};
use core::marker::PhantomData;
use tumble_math::Real;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// What a block of contacts leaves: what is remembered, and what it does.
pub(crate) struct Results<'a> {
    /// What is remembered of the last step; afterwards, of this one.
    pub(crate) memory: &'a mut [Lanes; MEMORY],
    pub(crate) turning: &'a mut [Lanes; TURNING],
    pub(crate) outcome: &'a mut [Lanes; OUTCOME],
    pub(crate) couple: &'a mut [Lanes; 3],
}

/// Evaluates the law of all lanes.
pub(crate) struct EvaluateLaw<'a> {
    pub(crate) block: &'a Block,
    pub(crate) results: Results<'a>,
    pub(crate) clock: Clock<f64>,
    pub(crate) set: InstructionSet,
}

impl EvaluateLaw<'_> {
    pub(crate) fn run<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) {
        self.set.run(LawLoop::<L, M, T> { work: self, model: PhantomData });
    }
}

struct LawLoop<'a, L, M, T> {
    work: EvaluateLaw<'a>,
    model: PhantomData<(L, M, T)>,
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Kernel for LawLoop<'_, L, M, T> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let EvaluateLaw { block, results: Results { memory, turning, outcome, couple }, clock, .. } =
            self.work;
        law_loop::<L, M, T>(block, memory, turning, outcome, couple, clock);
    }
}

#[allow(
    clippy::needless_range_loop,
    reason = "loops over lanes are written with their index, as vectors see them"
)]
/// The loop. What it writes comes in parameters of their own, so that the compiler knows that they do not
/// overlap; else it would not vectorise.
#[inline(always)]
fn law_loop<L: ContactLaw, M: RollingModel, T: TwistingModel>(
    block: &Block,
    memory: &mut [Lanes; MEMORY],
    turning: &mut [Lanes; TURNING],
    outcome: &mut [Lanes; OUTCOME],
    couple: &mut [Lanes; 3],
    clock: Clock<f64>,
) {
    let moving = Asks::<L, M, T>::MOTION;
    let turns = Asks::<L, M, T>::TURNING;
    let [lasted, onset] = if moving { beginnings::<L>(block, clock) } else { LONG_KNOWN };
    let mut displacements = [0.0; LANES];
    // Copies, so that what is read overlaps with nothing that is written.
    let old_memory = if moving { *memory } else { [[0.0; LANES]; MEMORY] };
    let old_turning = if turns { *turning } else { [[0.0; LANES]; TURNING] };
    for k in 0..LANES {
        let beginning = Beginning { lasted: lasted[k], onset: onset[k] };
        let remembered = Memory::from_array(row(&old_memory, k));
        let turned = Turning::from_array(row(&old_turning, k));
        let (evaluated, displacement) =
            act::<L, M, T, f64>(&block.given(k), beginning, &remembered, &turned, clock);
        displacements[k] = displacement;
        if moving {
            set_row(memory, k, evaluated.memory.to_array());
        }
        if turns {
            set_row(turning, k, evaluated.turning.to_array());
            set_row(couple, k, evaluated.couple.to_array());
        }
        set_row(outcome, k, evaluated.outcome.to_array());
    }
    let deepest = (0..LANES).fold(0.0, |most: f64, k| {
        let beyond = displacements[k] - block.overlap[k];
        f64::select(most < beyond, beyond, most)
    });
    // Few blocks have a contact that begins or ends.
    if 0.0 < deepest {
        let so_far = *outcome;
        for k in 0..LANES {
            let done = Outcome::from_array(row(&so_far, k));
            let corrected = correct::<L, f64>(&block.given(k), done, displacements[k]);
            set_row(outcome, k, corrected.to_array());
        }
    }
}

/// The beginnings of all lanes: how long each has lasted, and the factors of dashpots.
type Beginnings = [Lanes; 2];

/// Contacts that did not begin in this step.
const LONG_KNOWN: Beginnings = [[0.0; LANES], [1.0; LANES]];

/// When contacts began that are new in this step. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn beginnings<L: ContactLaw>(block: &Block, clock: Clock<f64>) -> Beginnings {
    let [mut lasted, mut onset] = LONG_KNOWN;
    let known = block.known.iter().fold(1.0, |least: f64, &known| f64::select(known < least, known, least));
    if 0.5 < known || clock.elapsed <= 0.0 {
        return LONG_KNOWN;
    }
    for k in 0..LANES {
        let beginning = Beginning::of::<L>(&block.given(k), clock);
        lasted[k] = beginning.lasted;
        onset[k] = beginning.onset;
    }
    [lasted, onset]
}
