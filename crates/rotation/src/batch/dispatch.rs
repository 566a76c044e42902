//! Run-time choice of scheme, hook, instruction set and threads for the loop of `kernel.rs`.
#![allow(unsafe_code, reason = "calls functions compiled for instruction sets that were detected")]

use super::columns::Columns;
use super::kernel::{self, ConstHook};
use crate::{Hook, Memory, Number, RotationScheme, SchemeKind, SchemeVisitor};
use tumble_math::Real;

/// A number that batches are compiled for: `f32` or `f64`.
///
/// The loops of all schemes are compiled with this crate, once, not again in every crate that uses them.
pub trait Vectorised: Number + Send + Sync {
    /// What [`run_hook_with`] calls.
    #[doc(hidden)]
    fn run(set: InstructionSet, scheme: SchemeKind, hook: Hook, columns: Columns<'_, Self>, dt: Self);
}

macro_rules! impl_vectorised {
    ($($float:ident),+) => {
        $(impl Vectorised for $float {
            fn run(set: InstructionSet, scheme: SchemeKind, hook: Hook, columns: Columns<'_, Self>, dt: Self) {
                scheme.visit(Run { hook, columns, dt, set });
            }
        })+
    };
}
impl_vectorised!(f32, f64);

/// An instruction set the loops are compiled for. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum InstructionSet {
    /// What every processor of the target has: SSE2 on x86-64, Neon on aarch64.
    Baseline,
    /// AVX2: four `f64` at a time.
    Avx2,
    /// AVX-512: eight `f64` at a time.
    Avx512,
}

impl InstructionSet {
    /// All instruction sets, the widest last.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Whether this processor has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512dq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The widest that this processor has.
    pub fn widest() -> Self {
        Self::ALL.into_iter().rfind(|set| set.is_available()).unwrap_or(Self::Baseline)
    }
}

/// Runs one hook of a scheme over all rows, with the widest instruction set, on the threads of the current
/// rayon pool if the crate has the feature `threads`.
///
/// # Panics
/// If the columns differ in length.
pub fn run_hook<R: Vectorised>(scheme: SchemeKind, hook: Hook, columns: Columns<'_, R>, dt: R) {
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
    scheme: SchemeKind,
    hook: Hook,
    columns: Columns<'_, R>,
    dt: R,
) {
    let set = if set.is_available() { set } else { InstructionSet::Baseline };
    R::run(set, scheme, hook, columns, dt);
}

/// Rows a thread takes at a time: enough to outweigh handing them over.
#[cfg(feature = "threads")]
const GRAIN: usize = 4096;

#[cfg(feature = "threads")]
fn in_parallel<R: Vectorised>(
    scheme: SchemeKind,
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

struct Run<'a, R> {
    hook: Hook,
    columns: Columns<'a, R>,
    dt: R,
    set: InstructionSet,
}

impl<R: Real> SchemeVisitor for Run<'_, R> {
    type Output = ();
    fn visit<S: RotationScheme>(self, _: S) {
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
    match set {
        InstructionSet::Baseline => baseline::<S, R, H>(columns, dt),
        // SAFETY: `set` is available on this processor; `run_hook_with` made sure of it.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2::<S, R, H>(columns, dt) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512::<S, R, H>(columns, dt) },
        #[cfg(not(target_arch = "x86_64"))]
        InstructionSet::Avx2 | InstructionSet::Avx512 => baseline::<S, R, H>(columns, dt),
    }
}

#[inline(never)]
fn baseline<S: RotationScheme, R: Real, H: ConstHook>(columns: &mut Columns<'_, R>, dt: R) {
    kernel::run::<S, R, H>(columns, dt);
}

// Neither enables FMA: a fused multiply–add rounds once where the others round twice.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2")]
fn avx2<S: RotationScheme, R: Real, H: ConstHook>(columns: &mut Columns<'_, R>, dt: R) {
    kernel::run::<S, R, H>(columns, dt);
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
fn avx512<S: RotationScheme, R: Real, H: ConstHook>(columns: &mut Columns<'_, R>, dt: R) {
    kernel::run::<S, R, H>(columns, dt);
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
