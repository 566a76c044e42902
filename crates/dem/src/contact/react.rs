//! The loops over a block of contacts: geometry, and the law with all that belongs to it. The physics is in
//! [`physics`](crate::physics); here it is called for all lanes, branch-free, compiled for every instruction set.

use super::block::Block;
use super::lanes::{LANES, Lanes, row, set_row};
use crate::law::{ContactLaw, RollingModel, TwistingModel};
use crate::physics::contact::{Asks, Clock, MEMORY, Memory, OUTCOME, Outcome, TURNING, Turning, act};
use crate::physics::geometry::{Sphere, spheres};
use crate::physics::kicks::{Beginning, correct};
use crate::precision::{Float, Precision};
use core::marker::PhantomData;
use tumble_math::{LabVec, Real};
use tumble_rotation::batch::{InstructionSet, Kernel};

/// Overlap, normal and point of contacts between two spheres each.
pub(crate) struct SphereGeometry<'a>(pub(crate) &'a mut Block);

impl Kernel for SphereGeometry<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let block = self.0;
        for k in 0..LANES {
            let a = Sphere::from_array(row(&block.sphere_a, k));
            let b = Sphere::from_array(row(&block.sphere_b, k));
            block.set_geometry(k, spheres(a, b));
        }
    }
}

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
    pub(crate) precision: Precision,
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

impl<L: ContactLaw, M: RollingModel, T: TwistingModel, R: Float> Kernel for LawLoop<'_, L, M, T, R> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let EvaluateLaw { block, results: Results { memory, turning, outcome, couple }, clock, .. } =
            self.work;
        let clock = Clock::<R>::from_array(clock.to_array().map(R::narrow));
        law_loop::<L, M, T, R>(block, memory, turning, outcome, couple, clock);
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
    block: &Block,
    memory: &mut [Lanes; MEMORY],
    turning: &mut [Lanes; TURNING],
    outcome: &mut [Lanes; OUTCOME],
    couple: &mut [Lanes; 3],
    clock: Clock<R>,
) {
    let moving = Asks::<L, M, T>::MOTION;
    let turns = Asks::<L, M, T>::TURNING;
    let [lasted, onset] = if moving { beginnings::<L, R>(block, clock) } else { long_known() };
    let mut displacements = [R::narrow(0.0); LANES];
    // Copies, so that what is read overlaps with nothing that is written.
    let old_memory = if moving { *memory } else { [[0.0; LANES]; MEMORY] };
    let old_turning = if turns { *turning } else { [[0.0; LANES]; TURNING] };
    for k in 0..LANES {
        let beginning = Beginning { lasted: lasted[k], onset: onset[k] };
        let remembered = Memory::from_array(row(&old_memory, k).map(R::narrow));
        let turned = Turning::from_array(row(&old_turning, k).map(R::narrow));
        let (evaluated, displacement) =
            act::<L, M, T, R>(&block.given(k), beginning, &remembered, &turned, clock);
        displacements[k] = displacement;
        if moving {
            set_row(memory, k, evaluated.memory.to_array().map(R::wide));
        }
        if turns {
            set_row(turning, k, evaluated.turning.to_array().map(R::wide));
            set_row(couple, k, evaluated.couple.to_array().map(R::wide));
        }
        set_row(outcome, k, in_lab(evaluated.outcome, block.origin(k)).to_array());
    }
    let zero = R::narrow(0.0);
    let deepest = (0..LANES).fold(zero, |most, k| {
        let beyond = displacements[k] - R::narrow(block.overlap[k]);
        R::select(most < beyond, beyond, most)
    });
    // Few blocks have a contact that begins or ends.
    if zero < deepest {
        let so_far = *outcome;
        for k in 0..LANES {
            let given = block.given(k);
            let mut done = Outcome::from_array(row(&so_far, k).map(R::narrow));
            done.point = given.geometry.point;
            let corrected = correct::<L, R>(&given, done, displacements[k]);
            set_row(outcome, k, in_lab(corrected, block.origin(k)).to_array());
        }
    }
}

/// What a contact does, for all to see.
#[inline(always)]
fn in_lab<R: Float>(outcome: Outcome<R>, origin: LabVec<f64>) -> Outcome<f64> {
    let point = R::in_lab(outcome.point, origin);
    Outcome { point, ..Outcome::from_array(outcome.to_array().map(R::wide)) }
}

/// The beginnings of all lanes: how long each has lasted, and the factors of dashpots.
type Beginnings<R> = [[R; LANES]; 2];

/// Contacts that did not begin in this step.
#[inline(always)]
fn long_known<R: Float>() -> Beginnings<R> {
    [[R::narrow(0.0); LANES], [R::narrow(1.0); LANES]]
}

/// When contacts began that are new in this step. Few blocks have any, so this has a loop of its own.
#[inline(always)]
fn beginnings<L: ContactLaw, R: Float>(block: &Block, clock: Clock<R>) -> Beginnings<R> {
    let [mut lasted, mut onset] = long_known();
    let known = block.known.iter().fold(1.0, |least: f64, &known| f64::select(known < least, known, least));
    if 0.5 < known || clock.elapsed <= R::narrow(0.0) {
        return long_known();
    }
    for k in 0..LANES {
        let beginning = Beginning::of::<L>(&block.given(k), clock);
        lasted[k] = beginning.lasted;
        onset[k] = beginning.onset;
    }
    [lasted, onset]
}
