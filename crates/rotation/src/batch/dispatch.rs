//! Run-time choice of scheme, hook, instruction set and threads for the loop of `kernel.rs`.

use super::columns::Columns;
use super::instruction_set::{InstructionSet, Kernel};
use super::kernel::{self, ConstHook};
use crate::{AnyScheme, Hook, Memory, Number, RotationScheme};
use core::marker::PhantomData;
use tumble_math::Real;

/// A number that batches are compiled for: `f32` or `f64`.
///
/// The loops of the list are compiled with this crate, once, not again in every crate that uses them.
pub trait Vectorised: Number + Send + Sync {
    /// What [`run_hook_with`] calls.
    #[doc(hidden)]
    fn run(scheme: AnyScheme, work: Run<'_, Self>);
}

macro_rules! impl_vectorised {
    ($($float:ident: $run:ident),+) => {
        $(impl Vectorised for $float {
            fn run(scheme: AnyScheme, work: Run<'_, Self>) {
                scheme.erased().$run(work);
            }
        })+
    };
}
impl_vectorised!(f32: run_single, f64: run_double);

/// Runs one hook of a scheme over all rows, with the widest instruction set, on the threads of the current
/// rayon pool if the crate has the feature `threads`.
///
/// # Panics
/// If the columns differ in length.
pub fn run_hook<R: Vectorised>(scheme: impl Into<AnyScheme>, hook: Hook, columns: Columns<'_, R>, dt: R) {
    let scheme = scheme.into();
    let set = InstructionSet::widest();
    #[cfg(feature = "threads")]
    in_parallel(scheme, hook, columns, dt, set);
    #[cfg(not(feature = "threads"))]
    run_hook_with(set, scheme, hook, columns, dt);
}

/// As [`run_hook`], on this thread, with an instruction set of the caller's choice, or the baseline if
/// this processor does not have it.
///
/// # Panics
/// If the columns differ in length.
pub fn run_hook_with<R: Vectorised>(
    set: InstructionSet,
    scheme: impl Into<AnyScheme>,
    hook: Hook,
    columns: Columns<'_, R>,
    dt: R,
) {
    R::run(scheme.into(), Run { hook, columns, dt, set });
}

/// Rows a thread takes at a time: enough to outweigh handing them over.
#[cfg(feature = "threads")]
const GRAIN: usize = 4096;

#[cfg(feature = "threads")]
fn in_parallel<R: Vectorised>(
    scheme: AnyScheme,
    hook: Hook,
    columns: Columns<'_, R>,
    dt: R,
    set: InstructionSet,
) {
    if columns.len() <= GRAIN {
        return run_hook_with(set, scheme, hook, columns, dt);
    }
    // Split at a multiple of the grain, so that the pieces do not share a cache line.
    let (left, right) = {
        let middle = (columns.len() / 2).next_multiple_of(GRAIN);
        columns.split_at(middle)
    };
    rayon::join(|| in_parallel(scheme, hook, left, dt, set), || in_parallel(scheme, hook, right, dt, set));
}

/// A hook to be called for all rows.
#[doc(hidden)]
pub struct Run<'a, R> {
    hook: Hook,
    columns: Columns<'a, R>,
    dt: R,
    set: InstructionSet,
}

impl<R: Real> Run<'_, R> {
    pub(crate) fn run<S: RotationScheme>(self) {
        let Self { hook, mut columns, dt, set } = self;
        assert!(
            columns.fits(<S::Memory<R>>::WIDTH, hook.only_looks()),
            "the columns of a batch must have the same length"
        );
        let columns = &mut columns;
        match hook {
            // Not called at every step: the baseline will do.
            Hook::Start => kernel::run::<S, R, Start>(columns, dt),
            Hook::Synchronise => kernel::run::<S, R, Synchronise>(columns, dt),
            Hook::BeforeTorque => with_set::<S, R, BeforeTorque>(set, columns, dt),
            Hook::AtTorque => with_set::<S, R, AtTorque>(set, columns, dt),
            Hook::AfterTorque => with_set::<S, R, AfterTorque>(set, columns, dt),
            Hook::BetweenTorques(_) if S::INFO.torque_times.len() == 1 => {}
            Hook::BetweenTorques(0) => with_set::<S, R, BetweenTorques<0>>(set, columns, dt),
            Hook::BetweenTorques(1) => with_set::<S, R, BetweenTorques<1>>(set, columns, dt),
            Hook::BetweenTorques(_) => with_set::<S, R, BetweenTorques<2>>(set, columns, dt),
        }
    }
}

fn with_set<S: RotationScheme, R: Real, H: ConstHook>(
    set: InstructionSet,
    columns: &mut Columns<'_, R>,
    dt: R,
) {
    set.run(Loop::<S, R, H> { columns, dt, kind: PhantomData });
}

struct Loop<'a, 'b, S, R, H> {
    columns: &'a mut Columns<'b, R>,
    dt: R,
    kind: PhantomData<(S, H)>,
}

impl<S: RotationScheme, R: Real, H: ConstHook> Kernel for Loop<'_, '_, S, R, H> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        kernel::run::<S, R, H>(self.columns, self.dt);
    }
}

macro_rules! const_hooks {
    ($($name:ident),+) => {
        $(
            pub(super) enum $name {}
            impl ConstHook for $name {
                const HOOK: Hook = Hook::$name;
            }
        )+
    };
}
const_hooks!(Start, BeforeTorque, AtTorque, AfterTorque, Synchronise);

pub(super) enum BetweenTorques<const STAGE: u8> {}
impl<const STAGE: u8> ConstHook for BetweenTorques<STAGE> {
    const HOOK: Hook = Hook::BetweenTorques(STAGE);
}
