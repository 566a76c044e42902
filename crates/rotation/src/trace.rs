//! Schemes as recorded kernels: to count their operations, replay them, and print them as CUDA C.
//!
//! A recording takes its numbers in the order q (4), ω (3), memory, torque (3), what it asks of the inertia
//! ([`Shape`]), Δt, and gives q, ω, and the memory unless the hook [only looks](Hook::only_looks).
//!
//! ```
//! use tumble_rotation::{Hook, SchemeKind, trace};
//! let tape = trace::record(SchemeKind::SpiralLeapfrog, trace::Shape::General, Hook::AfterTorque);
//! assert_eq!((tape.inputs(), tape.outputs()), (14, 7));
//! let source = tape.to_cuda("spiral_leapfrog", tumble_rotation::math::trace::Precision::Double);
//! assert!(source.starts_with("__device__ void spiral_leapfrog(const double *in, double *out)"));
//! ```

use crate::{
    AnyScheme, Drive, Hook, Inertia, Memory, PrincipalInertia, RotationScheme, SchemeKind, SchemeVisitor,
    SphericalInertia, Spin,
};
use tumble_math::trace::Tape;
use tumble_math::{BodyVec, LabVec, Quat, Real};

/// Which kind of [`Inertia`] a kernel is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Three principal moments.
    General,
    /// One moment.
    Spherical,
    /// Three principal moments, and three inverses as somebody has them: zero for a body that nothing turns.
    WithInverses,
}

impl Shape {
    /// How many numbers of the inertia a recording takes.
    pub const fn numbers(self) -> usize {
        match self {
            Self::General => 3,
            Self::Spherical => 1,
            Self::WithInverses => 6,
        }
    }
}

/// Records one hook of a scheme.
pub fn record(scheme: impl Into<AnyScheme>, shape: Shape, hook: Hook) -> Tape {
    let scheme = scheme.into();
    Tape::record(inputs(scheme, shape), |numbers| scheme.erased().record(Evaluate { shape, hook, numbers }))
}

/// Evaluates one hook of a scheme directly on numbers in the order of a recording.
///
/// # Panics
/// If `numbers` is shorter than the recording's inputs.
pub fn evaluate<R: Real>(kind: SchemeKind, shape: Shape, hook: Hook, numbers: &[R]) -> Vec<R> {
    kind.visit(Evaluate { shape, hook, numbers })
}

/// Floating-point operations of one step of an asymmetric body, without those of the torque.
pub fn flops(scheme: impl Into<AnyScheme>) -> usize {
    let scheme = scheme.into();
    let count = |hook| record(scheme, Shape::General, hook).flops();
    let stages = u8::try_from(scheme.info().torque_times.len()).unwrap_or(u8::MAX);
    let between: usize = (0..stages.saturating_sub(1)).map(|stage| count(Hook::BetweenTorques(stage))).sum();
    count(Hook::BeforeTorque) + between + count(Hook::AfterTorque)
}

fn inputs(scheme: AnyScheme, shape: Shape) -> usize {
    7 + scheme.memory_width() + 3 + shape.numbers() + 1
}

pub(crate) struct Evaluate<'a, R> {
    shape: Shape,
    hook: Hook,
    numbers: &'a [R],
}

impl<R: Real> SchemeVisitor for Evaluate<'_, R> {
    type Output = Vec<R>;

    fn visit<S: RotationScheme>(self, _: S) -> Vec<R> {
        let n = self.numbers;
        let width = <S::Memory<R>>::WIDTH;
        let after_memory = &n[7 + width..];
        let torque = LabVec::new(after_memory[0], after_memory[1], after_memory[2]);
        match self.shape {
            Shape::General => {
                let moments = BodyVec::new(after_memory[3], after_memory[4], after_memory[5]);
                let inertia = PrincipalInertia::from_moments(moments);
                self.call::<S, _>(Drive { torque, inertia, dt: after_memory[6] })
            }
            Shape::WithInverses => {
                let moments = BodyVec::new(after_memory[3], after_memory[4], after_memory[5]);
                let inverses = BodyVec::new(after_memory[6], after_memory[7], after_memory[8]);
                let inertia = PrincipalInertia::from_parts(moments, inverses);
                self.call::<S, _>(Drive { torque, inertia, dt: after_memory[9] })
            }
            Shape::Spherical => {
                let inertia = SphericalInertia::from_moment(after_memory[3]);
                self.call::<S, _>(Drive { torque, inertia, dt: after_memory[4] })
            }
        }
    }
}

impl<R: Real> Evaluate<'_, R> {
    fn call<S: RotationScheme, I: Inertia<R>>(self, drive: Drive<R, I>) -> Vec<R> {
        let n = self.numbers;
        let spin = Spin { q: Quat::new(n[0], n[1], n[2], n[3]), omega: BodyVec::new(n[4], n[5], n[6]) };
        let width = <S::Memory<R>>::WIDTH;
        let mut columns = <S::Memory<R>>::blank();
        columns.as_mut().copy_from_slice(&n[7..7 + width]);
        let memory = <S::Memory<R>>::from_columns(columns);
        let (spin, memory) = self.hook.call::<S, R, I>(spin, memory, drive);
        let mut out = [&spin.q.to_array()[..], &spin.omega.to_array()[..]].concat();
        if !self.hook.only_looks() {
            out.extend_from_slice(memory.to_columns().as_ref());
        }
        out
    }
}
