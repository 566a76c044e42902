//! Loops compiled once per instruction set, and the choice between them at run time.
#![allow(unsafe_code, reason = "calls functions compiled for instruction sets that were detected")]

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

    /// Runs the kernel as compiled for this instruction set, or for the baseline if this processor does not
    /// have it.
    ///
    /// ```
    /// use tumble_rotation::batch::{InstructionSet, Kernel};
    ///
    /// struct Double<'a>(&'a mut [f64]);
    /// impl Kernel for Double<'_> {
    ///     type Output = ();
    ///     #[inline(always)]
    ///     fn run(self) {
    ///         for x in self.0 {
    ///             *x = *x + *x;
    ///         }
    ///     }
    /// }
    /// let mut numbers = [1.5; 100];
    /// InstructionSet::widest().run(Double(&mut numbers));
    /// assert_eq!(numbers, [3.0; 100]);
    /// ```
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            // SAFETY: the processor has this instruction set.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.is_available() => unsafe { avx512(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => unsafe { avx2(kernel) },
            _ => baseline(kernel),
        }
    }
}

/// Work to be compiled for every instruction set.
pub trait Kernel {
    /// What it computes.
    type Output;
    /// Does the work. Must be `#[inline(always)]`, and so must all that it calls, or it is compiled for the
    /// baseline alone.
    fn run(self) -> Self::Output;
}

#[inline(never)]
fn baseline<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

// Neither enables FMA: a fused multiply–add rounds once where the others round twice.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512vl,avx512dq")]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
