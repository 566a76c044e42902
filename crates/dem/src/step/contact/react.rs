//! The loop over a block of contacts: the law with all that belongs to it. The physics is in
//! [`physics`](crate::physics); here it is called for all lanes, branch-free, compiled for every instruction set.

use super::block::Block;
use super::lanes::{LANES, Lanes, set_row};
use super::single::Single;
use crate::law::{Constants, ContactLaw, RESISTED, RollingModel, TwistingModel};
use crate::physics::contact::{ACTION, Action, Asks, Clock, Given, Remembered, act};
use crate::physics::kicks::{Beginning, correct};
use crate::precision::{Float, Precision};
use crate::record::Record;
use core::marker::PhantomData;
use tumble_rotation::batch::{InstructionSet, Kernel};

/// What a block of contacts leaves. As many columns as the model asks for.
pub(crate) struct Results<'a> {
    /// What contacts remember: of the last step, until they are evaluated.
    pub(crate) memory: &'a mut [Lanes],
    /// What they do.
    pub(crate) outcome: &'a mut [Lanes],
}

/// Evaluates the law of all lanes.
pub(crate) struct EvaluateLaw<'a> {
    pub(crate) block: &'a Block,
    pub(crate) results: Results<'a>,
    pub(crate) clock: Clock<f64>,
    pub(crate) set: InstructionSet,
    pub(crate) precision: Precision,
    /// Room for a block in single precision.
    pub(super) single: &'a mut Single,
}

impl EvaluateLaw<'_> {
    pub(crate) fn run<L: ContactLaw, M: RollingModel, T: TwistingModel>(self) {
        match self.precision {
            Precision::Double => self.set.run(LawLoop::<L, M, T, f64> { work: self, model: PhantomData }),
            Precision::Single => self.set.run(LawLoop::<L, M, T, f32> { work: self, model: PhantomData }),
        }
    }
}

struct LawLoop<'a, L, M, T, R> {
    work: EvaluateLaw<'a>,
    model: PhantomData<(L, M, T, R)>,
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Kernel for LawLoop<'_, L, M, T, f64> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let EvaluateLaw { block, results: Results { memory, outcome }, clock, .. } = self.work;
        law_loop::<L, M, T, f64>(block, &block.constants, memory, outcome, clock);
    }
}

impl<L: ContactLaw, M: RollingModel, T: TwistingModel> Kernel for LawLoop<'_, L, M, T, f32> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let EvaluateLaw { block, mut results, clock, single, .. } = self.work;
        let size = Remembered::<L, M, T, f32>::SIZE;
        single.take(block, Constants::<L, M, T, f32>::SIZE, &results.memory[..size], outcomes::<L, M, T>());
        let Single { given, constants, memory, outcome } = &mut *single;
        let clock = Clock::from_array(clock.to_array().map(f32::narrow));
        law_loop::<L, M, T, f32>(given, constants, memory, outcome, clock);
        single.give(block, &mut results);
    }
}

/// What is given of the contacts of a block, in lanes of some numbers.
pub(super) trait GivenLanes<R> {
    /// What is given of the contact in a lane.
    fn given(&self, lane: usize) -> Given<R>;
}

impl GivenLanes<f64> for Block {
    #[inline(always)]
    fn given(&self, lane: usize) -> Given<f64> {
        Self::given(self, lane)
    }
}

#[allow(
    clippy::needless_range_loop,
    reason = "loops over lanes are written with their index, as vectors see them"
)]
/// The loop. What it writes comes in parameters of their own, so that the compiler knows that they do not
/// overlap; else it would not vectorise.
#[inline(always)]
fn law_loop<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Float>(
    block: &impl GivenLanes<R>,
    constants: &[Lanes<R>],
    memory: &mut [Lanes<R>],
    outcome: &mut [Lanes<R>],
    clock: Clock<R>,
) {
    let size = Remembered::<L, M, T, R>::SIZE;
    // Slices of lengths that the compiler knows.
    let memory = &mut memory[..size];
    let constants = &constants[..Constants::<L, M, T, R>::SIZE];
    let outcome = &mut outcome[..outcomes::<L, M, T>()];
    let moving = Asks::<L, M, T>::MOTION;
    let [lasted, onset, onset_inverse] =
        if moving { beginnings::<L, R>(block, constants, clock) } else { long_known() };
    let zero = R::lit(0.0);
    let mut displacements = [zero; LANES];
    for k in 0..LANES {
        let beginning = Beginning { lasted: lasted[k], onset: onset[k], onset_inverse: onset_inverse[k] };
        let constants = read(constants, k);
        let remembered = read(memory, k);
        let (evaluated, displacement) =
            act::<L, M, T, R>(&block.given(k), &constants, beginning, remembered, clock);
        displacements[k] = displacement;
        let mut numbers = [zero; MOST];
        evaluated.remembered.write(&mut numbers[..], 0);
        for column in 0..size {
            memory[column][k] = numbers[column];
        }
        evaluated.write_outcome(&mut numbers[..]);
        for column in 0..outcomes::<L, M, T>() {
            outcome[column][k] = numbers[column];
        }
    }
    let deepest = (0..LANES).fold(zero, |most, k| {
        let beyond = displacements[k] - block.given(k).geometry.overlap;
        R::select(most < beyond, beyond, most)
    });
    // Few blocks have a contact that begins or ends.
    if zero < deepest {
        // Apart from all that is read, and copied when it is done.
        let mut corrected = [Lanes::all(zero); ACTION];
        for k in 0..LANES {
            let done: Action<R> = read(outcome, k);
            let constants = read(constants, k);
            let action = correct::<L, R>(&block.given(k), &constants, done, displacements[k]);
            set_row(&mut corrected, k, action.to_array());
        }
        outcome[..ACTION].copy_from_slice(&corrected);
    }
}

/// More numbers than a record of any law has.
const MOST: usize = 64;

/// A record from a lane. By way of an array, since a pointer to columns that is itself read from memory may point anywhere:
/// the loop would be compiled a second time, without vectors, for columns that overlap.
#[inline(always)]
fn read<R: Float, T: Record<R>>(columns: &[Lanes<R>], lane: usize) -> T {
    const { assert!(T::SIZE <= MOST, "a record of a law has too many numbers") };
    let mut numbers = [R::lit(0.0); MOST];
    for column in 0..T::SIZE {
        numbers[column] = columns[column][lane];
    }
    T::read(&numbers[..], 0)
}

/// How many columns tell what contacts do.
const fn outcomes<L: ContactLaw, M: RollingModel, T: TwistingModel>() -> usize {
    let turning = if Asks::<L, M, T>::TURNING { RESISTED + 3 } else { 0 };
    ACTION + <L::Books<f64> as Record<f64>>::SIZE + turning
}

/// The beginnings of all lanes: how long each has lasted, the factors of dashpots, and one over those.
type Beginnings<R> = [[R; LANES]; 3];

/// Contacts that did not begin in this step.
#[inline(always)]
fn long_known<R: Float>() -> Beginnings<R> {
    [[R::lit(0.0); LANES], [R::lit(1.0); LANES], [R::lit(1.0); LANES]]
}

/// When contacts began that are new in this step. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn beginnings<L: ContactLaw, R: Float>(
    block: &impl GivenLanes<R>,
    constants: &[Lanes<R>],
    clock: Clock<R>,
) -> Beginnings<R> {
    let [mut lasted, mut onset, mut onset_inverse] = long_known();
    let known = (0..LANES).fold(R::lit(1.0), |least, k| {
        let known = block.given(k).known;
        R::select(known < least, known, least)
    });
    if R::lit(0.5) < known || clock.elapsed <= R::lit(0.0) {
        return long_known();
    }
    for k in 0..LANES {
        let constants = read(constants, k);
        let beginning = Beginning::of::<L>(&block.given(k), &constants, clock);
        lasted[k] = beginning.lasted;
        onset[k] = beginning.onset;
        onset_inverse[k] = beginning.onset_inverse;
    }
    [lasted, onset, onset_inverse]
}
