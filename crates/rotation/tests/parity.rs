//! Guarantee: one source, one result. For every scheme the recorded kernel replays to the same bits as the
//! function it was recorded from, in `f32` and `f64`; so does the C that is printed from it; and a batch gives
//! the same bits on every instruction set, on any number of threads, and as the bodies one by one.

use std::fmt::{LowerHex, Write as _};
use std::process::Command;
use tumble_rotation::batch::{Batch, Columns, InstructionSet, Vectorised, run_hook_with};
use tumble_rotation::math::trace::Precision;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::trace::{self, Shape};
use tumble_rotation::{
    Hook, Number, PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin,
};

/// Numbers in [−1, 1), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// Inputs of a recording: a unit q, ω, a plausible memory, torque, moments, Δt.
    fn inputs(&mut self, kind: SchemeKind, shape: Shape) -> Vec<f64> {
        let q = Quat::new(self.next(), self.next(), self.next(), self.next()).normalised();
        let mut numbers = q.to_array().to_vec();
        let free = 3 + kind.memory_width() + 3;
        numbers.extend((0..free).map(|_| 2.0 * self.next()));
        numbers.extend((0..shape.numbers()).map(|_| 2.0 + self.next()));
        numbers.push(0.05 * (1.5 + self.next()));
        numbers
    }
}

trait Bits: Vectorised {
    type Word: PartialEq + LowerHex + core::fmt::Debug;
    fn bits(self) -> Self::Word;
}
impl Bits for f64 {
    type Word = u64;
    fn bits(self) -> u64 {
        self.to_bits()
    }
}
impl Bits for f32 {
    type Word = u32;
    fn bits(self) -> u32 {
        self.to_bits()
    }
}

fn bits<R: Bits>(numbers: &[R]) -> Vec<R::Word> {
    numbers.iter().map(|x| x.bits()).collect()
}

const HOOKS: [Hook; 8] = [
    Hook::Start,
    Hook::BeforeTorque,
    Hook::AtTorque,
    Hook::BetweenTorques(0),
    Hook::BetweenTorques(1),
    Hook::BetweenTorques(2),
    Hook::AfterTorque,
    Hook::Synchronise,
];
const SHAPES: [Shape; 3] = [Shape::General, Shape::Spherical, Shape::WithInverses];

fn cases() -> impl Iterator<Item = (SchemeKind, Shape, Hook)> {
    let hooks = |(kind, shape)| HOOKS.into_iter().map(move |hook| (kind, shape, hook));
    SchemeKind::ALL.iter().flat_map(|&kind| SHAPES.map(|shape| (kind, shape))).flat_map(hooks)
}

fn replays_to_the_same_bits<R: Bits>() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (kind, shape, hook) in cases() {
        let tape = trace::record(kind, shape, hook);
        for _ in 0..50 {
            let numbers: Vec<R> = random.inputs(kind, shape).into_iter().map(R::lit).collect();
            let direct = trace::evaluate(kind, shape, hook, &numbers);
            assert_eq!(bits(&tape.replay(&numbers)), bits(&direct), "{} {hook:?} {shape:?}", kind.name());
        }
    }
}

#[test]
fn a_recording_replays_to_the_same_bits_in_f64() {
    replays_to_the_same_bits::<f64>();
}

#[test]
fn a_recording_replays_to_the_same_bits_in_f32() {
    replays_to_the_same_bits::<f32>();
}

/// Compiles the printed kernels with the system's C compiler (Rust itself links with it) and runs them.
fn printed_c_gives_the_same_bits<R: Bits>(precision: Precision, real: &str, word: &str) {
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    let mut source = format!(
        "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#define __device__ static\n\
         static void show(const {real} *x, int n)\n{{\n    for (int i = 0; i < n; i++) {{\n        \
         {word} w;\n        memcpy(&w, x + i, sizeof w);\n        printf(\"%llx \", (unsigned long long)w);\n    \
         }}\n    printf(\"\\n\");\n}}\n"
    );
    let mut calls = String::new();
    let mut expected = String::new();
    for (case, (kind, shape, hook)) in cases().enumerate() {
        let tape = trace::record(kind, shape, hook);
        source += &tape.to_cuda(&format!("kernel_{case}"), precision);
        for _ in 0..3 {
            let numbers: Vec<R> = random.inputs(kind, shape).into_iter().map(R::lit).collect();
            let list = numbers.iter().fold(String::new(), |mut list, &x| {
                let _ = write!(list, "{:e}, ", Into::<f64>::into(x));
                list
            });
            let _ = writeln!(
                calls,
                "    {{ const {real} in[] = {{ {list} }}; {real} out[{n}]; kernel_{case}(in, out); show(out, {n}); }}",
                n = tape.outputs(),
            );
            for word in bits(&trace::evaluate(kind, shape, hook, &numbers)) {
                let _ = write!(expected, "{word:x} ");
            }
            expected.push('\n');
        }
    }
    let _ = write!(source, "int main(void)\n{{\n{calls}    return 0;\n}}\n");

    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join(format!("kernels_{real}.c")), folder.join(format!("kernels_{real}")));
    std::fs::write(&file, source).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let status = Command::new(compiler)
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-o"])
        .args([&program, &file])
        .arg("-lm")
        .status()
        .unwrap();
    assert!(status.success());
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    for ((case, (got, want)), run) in printed.lines().zip(expected.lines()).enumerate().zip((0..3).cycle()) {
        let (kind, shape, hook) = cases().nth(case / 3).unwrap();
        assert_eq!(got, want, "{} {hook:?} {shape:?} run {run}", kind.name());
    }
    assert_eq!(printed.lines().count(), expected.lines().count());
}

#[test]
fn the_printed_c_gives_the_same_bits_in_f64() {
    printed_c_gives_the_same_bits::<f64>(Precision::Double, "double", "unsigned long long");
}

#[test]
fn the_printed_c_gives_the_same_bits_in_f32() {
    printed_c_gives_the_same_bits::<f32>(Precision::Single, "float", "unsigned int");
}

/// 997 bodies: a number that leaves an incomplete block, and an incomplete vector.
fn bodies<R: Number>(count: usize) -> Vec<(Spin<R>, PrincipalInertia<R>)> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut vector =
        |scale: f64, offset: f64| BodyVec::from_array([0; 3].map(|_| R::lit(scale * random.next() + offset)));
    (0..count)
        .map(|_| {
            let (a, omega, moments) = (vector(1.0, 0.0), vector(2.0, 0.0), vector(0.4, 1.5));
            let q = Quat::new(R::lit(0.5), a.x, a.y, a.z).normalised();
            (Spin { q, omega }, PrincipalInertia::from_moments(moments))
        })
        .collect()
}

/// A torque of everything: orientation, velocity, time.
fn torque<R: Number>(q: Quat<R>, omega: BodyVec<R>, time: f64) -> LabVec<R> {
    let arm = q.to_lab(BodyVec::from_array([0.3, -0.2, 0.5].map(R::lit)));
    let force = LabVec::from_array([0.1, 0.4 * time, -1.0].map(R::lit));
    arm.cross(force) - q.to_lab(omega * R::lit(0.2))
}

struct OneByOne<R> {
    spin: Spin<R>,
    inertia: PrincipalInertia<R>,
    dt: R,
}

impl<R: Number> SchemeVisitor for OneByOne<R> {
    type Output = Spin<R>;
    fn visit<S: RotationScheme>(self, scheme: S) -> Spin<R> {
        let mut rotor = Rotor::new(scheme, self.inertia, self.spin, self.dt, torque::<R>).unwrap();
        rotor.run(20).unwrap();
        rotor.native()
    }
}

fn batch_equals_bodies_one_by_one<R: Bits>() {
    let bodies = bodies::<R>(997);
    let dt = R::lit(0.01);
    let word = |spin: Spin<R>| (bits(&spin.q.to_array()), bits(&spin.omega.to_array()));
    for &kind in SchemeKind::ALL {
        let mut batch = Batch::new(kind, dt, bodies.clone(), |_, q, omega, t| torque(q, omega, t)).unwrap();
        for _ in 0..20 {
            batch.step(|_, q, omega, t| torque(q, omega, t));
        }
        for (row, &(spin, inertia)) in bodies.iter().enumerate() {
            let single = kind.visit(OneByOne { spin, inertia, dt });
            assert_eq!(word(batch.native(row)), word(single), "{}, body {row}", kind.name());
        }
    }
}

#[test]
fn a_batch_gives_the_bits_of_single_bodies_in_f64() {
    batch_equals_bodies_one_by_one::<f64>();
}

#[test]
fn a_batch_gives_the_bits_of_single_bodies_in_f32() {
    batch_equals_bodies_one_by_one::<f32>();
}

/// Runs the hooks of a few steps with one instruction set on plain vectors.
fn with_instruction_set<R: Bits>(set: InstructionSet, kind: SchemeKind) -> Vec<R::Word> {
    let mut random = Random(0x1234_5678_9abc_def1);
    let rows = 293;
    let width = kind.memory_width();
    let mut columns: Vec<Vec<R>> = vec![Vec::new(); 7 + width + 3 + 3 + 3 + 7];
    for _ in 0..rows {
        let numbers: Vec<R> = random.inputs(kind, Shape::General).into_iter().map(R::lit).collect();
        for (column, &number) in columns.iter_mut().zip(&numbers[..7 + width + 6]) {
            column.push(number);
        }
        for (i, &moment) in numbers[7 + width + 3..7 + width + 6].iter().enumerate() {
            columns[7 + width + 6 + i].push(R::lit(1.0) / moment);
        }
        for column in &mut columns[7 + width + 9..] {
            column.push(R::lit(0.0));
        }
    }
    for hook in HOOKS {
        let mut next = columns.iter_mut().map(Vec::as_mut_slice);
        let mut next = || next.next().unwrap();
        let (q, omega) = ([next(), next(), next(), next()], [next(), next(), next()]);
        let mut memory: [&mut [R]; 14] = Default::default();
        memory[..width].fill_with(&mut next);
        let columns = Columns {
            q,
            omega,
            memory,
            torque: [next(), next(), next()],
            moments: [next(), next(), next()],
            inverse: [next(), next(), next()],
            seen: [next(), next(), next(), next(), next(), next(), next()],
        };
        run_hook_with(set, kind, hook, columns, R::lit(0.02));
    }
    columns.iter().flat_map(|column| bits(column)).collect()
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let available: Vec<_> = InstructionSet::ALL.into_iter().filter(|set| set.is_available()).collect();
    for &kind in SchemeKind::ALL {
        for &set in &available {
            let baseline = InstructionSet::Baseline;
            assert_eq!(
                with_instruction_set::<f64>(set, kind),
                with_instruction_set::<f64>(baseline, kind),
                "{} f64 {set:?}",
                kind.name()
            );
            assert_eq!(
                with_instruction_set::<f32>(set, kind),
                with_instruction_set::<f32>(baseline, kind),
                "{} f32 {set:?}",
                kind.name()
            );
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // Enough bodies that several threads share them.
    let bodies = bodies::<f64>(20_000);
    let run = |threads: usize, kind: SchemeKind| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let torque = |_, q, omega, time| torque(q, omega, time);
            let mut batch = Batch::new(kind, 0.01, bodies.clone(), torque).unwrap();
            for _ in 0..3 {
                batch.step(torque);
            }
            (0..batch.len()).map(|row| batch.native(row)).collect::<Vec<_>>()
        })
    };
    let words = |spins: &[Spin<f64>]| -> Vec<u64> {
        spins
            .iter()
            .flat_map(|s| [&s.q.to_array()[..], &s.omega.to_array()[..]].concat())
            .map(f64::to_bits)
            .collect()
    };
    for &kind in SchemeKind::ALL {
        let single = words(&run(1, kind));
        for threads in [2, 3, 8] {
            assert!(words(&run(threads, kind)) == single, "{} on {threads} threads", kind.name());
        }
    }
}

#[test]
fn torques_of_all_bodies_together_give_the_same_bits() {
    let bodies = bodies::<f64>(300);
    for &kind in SchemeKind::ALL {
        let each = |_, q, omega, time| torque(q, omega, time);
        let mut one = Batch::new(kind, 0.01, bodies.clone(), each).unwrap();
        let mut all = one.clone();
        for _ in 0..5 {
            one.step(each);
            all.step_together(|seen, columns, time| {
                let torques: Vec<_> = (0..seen.len())
                    .map(|row| seen.body(row))
                    .map(|(q, omega)| torque(q, omega, time).to_array())
                    .collect();
                for (i, column) in columns.iter_mut().enumerate() {
                    column.iter_mut().zip(&torques).for_each(|(slot, torque)| *slot = torque[i]);
                }
            });
        }
        assert!((0..300).all(|row| one.native(row) == all.native(row)), "{}", kind.name());
    }
}
