//! What a step of a scheme costs, whatever the torque costs.

use crate::Problem;
use std::hint::black_box;
use std::time::Instant;
use tumble_rotation::math::LabVec;
use tumble_rotation::{Drive, RotationScheme, SchemeKind, SchemeVisitor};

/// Steps per timing, and timings of which the best counts: other work on the machine only ever adds time.
const STEPS: u32 = 10_000;
const REPEATS: u32 = 7;

/// Nanoseconds per step of one body on one core, all hooks of the scheme included, its torque for free.
///
/// Each step waits for the one before, so this is latency; batches of bodies go several times faster.
pub fn nanoseconds_per_step(problem: &Problem, scheme: SchemeKind) -> f64 {
    scheme.visit(Stopwatch { problem })
}

struct Stopwatch<'a> {
    problem: &'a Problem,
}

impl SchemeVisitor for Stopwatch<'_> {
    type Output = f64;

    fn visit<S: RotationScheme>(self, _: S) -> f64 {
        let spin = self.problem.start;
        // A free body that turns little stays clear of overflow and of denormal numbers.
        let dt = 1e-3 / spin.omega.norm().max(1e-6);
        let mut drive = Drive { torque: LabVec::zero(), inertia: self.problem.inertia, dt };
        let start = S::start(spin, drive);
        let mut best = f64::INFINITY;
        for _ in 0..REPEATS {
            let (mut spin, mut memory) = start;
            let begin = Instant::now();
            for _ in 0..STEPS {
                (spin, memory) = S::before_torque(spin, memory, drive);
                let stages = S::INFO.torque_times.len();
                for stage in 0..stages {
                    black_box(S::at_torque(spin, memory, drive));
                    drive.torque = black_box(LabVec::zero());
                    (spin, memory) = if stage + 1 < stages {
                        S::between_torques(stage, spin, memory, drive)
                    } else {
                        S::after_torque(spin, memory, drive)
                    };
                }
            }
            black_box(spin);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        best / f64::from(STEPS) * 1e9
    }
}
