//! The loop over a block of contacts: the law with all that belongs to it. The physics is in
//! [`physics`](crate::physics); here it is called for all lanes, branch-free, compiled for every instruction set.

use super::block::Block;
use super::lanes::{LANES, Lane, LaneMut, Lanes, row};
use crate::law::{Constants, ContactLaw, RESISTED, RollingModel, TwistingModel};
use crate::physics::contact::{ACTION, Action, Asks, Clock, Remembered, act};
use crate::physics::kicks::{Beginning, correct};
use crate::record::Record;
use core::marker::PhantomData;
use tumble_math::Real;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// What a block of contacts leaves: what is remembered, and what it does. As many columns as the model asks for.
pub(crate) struct Results<'a> {
    pub(crate) memory: &'a mut [Lanes],
    pub(crate) outcome: &'a mut [Lanes],
}

/// Evaluates the law of all lanes.
pub(crate) struct EvaluateLaw<'a> {
    pub(crate) block: &'a Block,
    /// What contacts remember of the last step.
    pub(crate) remembered: &'a [Lanes],
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
        let EvaluateLaw { block, remembered, results: Results { memory, outcome }, clock, .. } = self.work;
        law_loop::<L, M, T>(block, remembered, memory, outcome, clock);
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
    remembered: &[Lanes],
    memory: &mut [Lanes],
    outcome: &mut [Lanes],
    clock: Clock<f64>,
) {
    let size = Remembered::<L, M, T, f64>::SIZE;
    // Slices of lengths that the compiler knows.
    let (remembered, memory) = (&remembered[..size], &mut memory[..size]);
    let constants = &block.constants[..Constants::<L, M, T, f64>::SIZE];
    let outcome = &mut outcome[..outcomes::<L, M, T>()];
    let moving = Asks::<L, M, T>::MOTION;
    let [lasted, onset] = if moving { beginnings::<L>(block, constants, clock) } else { LONG_KNOWN };
    let mut displacements = [0.0; LANES];
    for k in 0..LANES {
        let beginning = Beginning { lasted: lasted[k], onset: onset[k] };
        let constants = Record::read(&Lane { columns: constants, lane: k }, 0);
        let remembered = Record::read(&Lane { columns: remembered, lane: k }, 0);
        let (evaluated, displacement) =
            act::<L, M, T, f64>(&block.given(k), &constants, beginning, remembered, clock);
        displacements[k] = displacement;
        evaluated.remembered.write(&mut LaneMut { columns: memory, lane: k }, 0);
        evaluated.write_outcome(&mut LaneMut { columns: outcome, lane: k });
    }
    let deepest = (0..LANES).fold(0.0, |most: f64, k| {
        let beyond = displacements[k] - block.overlap[k];
        f64::select(most < beyond, beyond, most)
    });
    // Few blocks have a contact that begins or ends.
    if 0.0 < deepest {
        let mut so_far = [[0.0; LANES]; ACTION];
        so_far.copy_from_slice(&outcome[..ACTION]);
        for k in 0..LANES {
            let done = Action::from_array(row(&so_far, k));
            let constants = L::Constants::read(&Lane { columns: constants, lane: k }, 0);
            let corrected = correct::<L, f64>(&block.given(k), &constants, done, displacements[k]);
            corrected.write(&mut LaneMut { columns: outcome, lane: k }, 0);
        }
    }
}

/// How many columns tell what contacts do.
const fn outcomes<L: ContactLaw, M: RollingModel, T: TwistingModel>() -> usize {
    let turning = if Asks::<L, M, T>::TURNING { RESISTED + 3 } else { 0 };
    ACTION + <L::Books<f64> as Record<f64>>::SIZE + turning
}

/// The beginnings of all lanes: how long each has lasted, and the factors of dashpots.
type Beginnings = [Lanes; 2];

/// Contacts that did not begin in this step.
const LONG_KNOWN: Beginnings = [[0.0; LANES], [1.0; LANES]];

/// When contacts began that are new in this step. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn beginnings<L: ContactLaw>(block: &Block, constants: &[Lanes], clock: Clock<f64>) -> Beginnings {
    let [mut lasted, mut onset] = LONG_KNOWN;
    let known = block.known.iter().fold(1.0, |least: f64, &known| f64::select(known < least, known, least));
    if 0.5 < known || clock.elapsed <= 0.0 {
        return LONG_KNOWN;
    }
    for k in 0..LANES {
        let constants = L::Constants::read(&Lane { columns: constants, lane: k }, 0);
        let beginning = Beginning::of::<L>(&block.given(k), &constants, clock);
        lasted[k] = beginning.lasted;
        onset[k] = beginning.onset;
    }
    [lasted, onset]
}
