//! Guarantee: a recorded kernel computes the same bits as the kernel itself, replayed in Rust or printed as C
//! and compiled, in `f32` and `f64`. So GPUs, which run the printed form, agree with the CPU. It can break by
//! a literal that does not read back exactly, by a missing operation, or by a compiler that fuses products
//! and sums.

#![allow(clippy::disallowed_methods, reason = "tests compare with functions of the platform")]
#![cfg(feature = "trace")]

#[path = "common/sampling.rs"]
mod sampling;

use sampling::Random;
use std::process::Command;
use tumble_math::trace::{Precision, Tape, Traced};
use tumble_math::{BodyVec, EulerZxz, Quat, Real, RotationMatrix, elementary, exp_map};

const SAMPLES: usize = 2000;

/// Names of kernels, since a closure cannot be generic, and their numbers of inputs.
const KERNELS: [(&str, usize); 7] = [
    ("exp", 3),
    ("exp_step", 3),
    ("log", 4),
    ("atan2", 2),
    ("matrix_to_quat", 9),
    ("orthonormalised", 9),
    ("euler_z_x_z", 4),
];

fn kernel<R: Real>(name: &str, x: &[R]) -> Vec<R> {
    let vector = || BodyVec::new(x[0], x[1], x[2]);
    let quat = || Quat::new(x[0], x[1], x[2], x[3]);
    let matrix = || RotationMatrix::new([[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]]);
    match name {
        "exp" => exp_map::exp(vector()).to_array().to_vec(),
        "exp_step" => exp_map::exp_step(vector()).to_array().to_vec(),
        "log" => exp_map::log::<R, ()>(quat()).to_array().to_vec(),
        "atan2" => vec![elementary::atan2(x[0], x[1])],
        "matrix_to_quat" => Quat::from(matrix()).to_array().to_vec(),
        "orthonormalised" => matrix().orthonormalised().rows.concat(),
        "euler_z_x_z" => {
            let angles = EulerZxz::from(quat());
            vec![angles.phi, angles.theta, angles.psi]
        }
        _ => unreachable!("no kernel {name}"),
    }
}

/// Inputs at random and where kernels change their formula.
fn samples(inputs: usize) -> Vec<Vec<f64>> {
    let mut random = Random(15);
    let special = [0.0, -0.0, 1.0, -1.0, 1e-30, 0.5, std::f64::consts::PI, 100.0];
    let mut all: Vec<Vec<f64>> = (0..SAMPLES)
        .map(|i| {
            let scale = [1.0, 1e-8, 3.0, 100.0][i % 4];
            (0..inputs).map(|_| random.between(-scale, scale)).collect()
        })
        .collect();
    for i in 0..special.len() {
        all.push((0..inputs).map(|j| special[(i + j * i) % special.len()]).collect());
    }
    // Rotations, for the kernels that take matrices.
    if inputs == 9 {
        for _ in 0..SAMPLES {
            let q = Quat::from_array(random.unit_quaternion());
            all.push(RotationMatrix::from(q).rows.concat());
        }
    }
    all
}

/// The tests, for one precision.
macro_rules! precision_tests {
    (
        $module:ident, $float:ident, $bits:ident, $precision:expr,
        $c_type:literal, $c_bits:literal, $scan:literal
    ) => {
        mod $module {
            use super::*;

            fn inputs(count: usize) -> Vec<Vec<$float>> {
                samples(count).into_iter().map(|x| x.into_iter().map(|x| $float::lit(x)).collect()).collect()
            }

            fn bits(x: Vec<$float>) -> Vec<$bits> {
                // One NaN is as good as another: their payload is not fixed by IEEE 754.
                x.into_iter().map(|x| if x.is_nan() { $bits::MAX } else { x.to_bits() }).collect()
            }

            #[test]
            fn a_replayed_tape_gives_the_same_bits() {
                for (name, count) in KERNELS {
                    let tape = Tape::record(count, |x: &[Traced]| kernel(name, x));
                    for x in inputs(count) {
                        let (direct, replayed) = (kernel(name, &x), tape.replay(&x));
                        assert_eq!(bits(replayed), bits(direct), "{name}({x:?})");
                    }
                }
            }

            #[test]
            fn the_printed_kernel_gives_the_same_bits() {
                for (name, count) in KERNELS {
                    let tape = Tape::record(count, |x: &[Traced]| kernel(name, x));
                    let program =
                        c_program(&tape.to_cuda("kernel", $precision), &tape, $c_type, $c_bits, $scan);
                    let samples = inputs(count);
                    let text: String =
                        samples.iter().flatten().map(|x| format!("{:x}\n", x.to_bits())).collect();
                    let printed = run_c(&format!("{}_{name}", stringify!($module)), &program, &text);
                    let from_c: Vec<$float> = printed
                        .split_whitespace()
                        .map(|word| $float::from_bits($bits::from_str_radix(word, 16).unwrap()))
                        .collect();
                    assert_eq!(from_c.len(), samples.len() * tape.outputs(), "{name}");
                    for (x, from_c) in samples.iter().zip(from_c.chunks(tape.outputs())) {
                        assert_eq!(bits(from_c.to_vec()), bits(kernel(name, x)), "{name}({x:?})");
                    }
                }
            }
        }
    };
}
precision_tests!(double, f64, u64, Precision::Double, "double", "unsigned long long", "%llx");
precision_tests!(single, f32, u32, Precision::Single, "float", "unsigned int", "%x");

/// A C program that reads inputs as bits in hexadecimal and writes outputs likewise.
fn c_program(kernel: &str, tape: &Tape, c_type: &str, c_bits: &str, scan: &str) -> String {
    let (inputs, outputs) = (tape.inputs(), tape.outputs());
    format!(
        "#include <math.h>
#include <stdio.h>
{kernel}
union number {{ {c_type} value; {c_bits} bits; }};
int main(void)
{{
    union number n;
    {c_type} in[{inputs}], out[{outputs}];
    for (;;) {{
        for (int i = 0; i < {inputs}; ++i) {{
            if (scanf(\"{scan}\", &n.bits) != 1) return 0;
            in[i] = n.value;
        }}
        kernel(in, out);
        for (int i = 0; i < {outputs}; ++i) {{
            n.value = out[i];
            printf(\"{scan}\\n\", n.bits);
        }}
    }}
}}
"
    )
}

/// Compiles and runs a C program, and returns what it prints.
fn run_c(name: &str, program: &str, input: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [source, binary, data] = ["c", "out", "txt"].map(|ending| folder.join(format!("{name}.{ending}")));
    std::fs::write(&source, program).unwrap();
    std::fs::write(&data, input).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(&compiler)
        .args(["-O2", "-ffp-contract=off", "-D__device__=", "-o"])
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .unwrap_or_else(|error| panic!("no C compiler `{compiler}`: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).stdin(std::fs::File::open(&data).unwrap()).output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}
