//! Recorded kernels, replayed and as C.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use tumble_math::Real;
use tumble_math::trace::{Precision, Tape};

/// A number whose bits are compared.
pub(crate) trait Bits: Real<Mask = bool> + Into<f64> {
    /// What it is called in Rust and in C, and an integer of the same size in C.
    const NAMES: [&str; 2];
    const PRECISION: Precision;
    fn word(self) -> u64;
}
impl Bits for f64 {
    const NAMES: [&str; 2] = ["double", "unsigned long long"];
    const PRECISION: Precision = Precision::Double;
    fn word(self) -> u64 {
        self.to_bits()
    }
}
impl Bits for f32 {
    const NAMES: [&str; 2] = ["float", "unsigned int"];
    const PRECISION: Precision = Precision::Single;
    fn word(self) -> u64 {
        self.to_bits().into()
    }
}

/// The bits of numbers.
pub(crate) fn words<R: Bits>(numbers: &[R]) -> Vec<u64> {
    numbers.iter().map(|number| number.word()).collect()
}

/// A kernel with numbers that it was given and what they became.
pub(crate) struct Printed<R> {
    pub(crate) what: String,
    pub(crate) tape: Tape,
    pub(crate) runs: Vec<[Vec<R>; 2]>,
}

/// Compiles printed kernels with the system's C compiler, with which Rust itself links, and runs them.
pub(crate) fn check_printed<R: Bits>(file: &str, kernels: &[Printed<R>]) {
    let [real, word] = R::NAMES;
    let mut source = format!(
        "#include <math.h>\n#include <stdio.h>\n#include <string.h>\n#define __device__ static\n\
         static void show(const {real} *x, int n) {{ for (int i = 0; i < n; i++) {{ {word} w; \
         memcpy(&w, x + i, sizeof w); printf(\"%llx \", (unsigned long long)w); }} printf(\"\\n\"); }}\n"
    );
    let (mut calls, mut expected) = (String::new(), Vec::new());
    for (number, Printed { what, tape, runs }) in kernels.iter().enumerate() {
        source += &tape.to_cuda(&format!("kernel_{number}"), R::PRECISION);
        for [given, became] in runs {
            let list: Vec<String> = given.iter().map(|&x| format!("{:e}", Into::<f64>::into(x))).collect();
            let (list, n) = (list.join(", "), tape.outputs());
            writeln!(
                calls,
                "    {{ const {real} in[] = {{ {list} }}; {real} out[{n}]; kernel_{number}(in, out); show(out, {n}); }}"
            )
            .unwrap();
            let line: Vec<String> = words(became).iter().map(|word| format!("{word:x} ")).collect();
            expected.push((what, line.concat()));
        }
    }
    write!(source, "int main(void) {{\n{calls}    return 0;\n}}\n").unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (code, program) = (folder.join(format!("{file}_{real}.c")), folder.join(format!("{file}_{real}")));
    std::fs::write(&code, source).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(compiler)
        .args(["-std=c99", "-O1", "-ffp-contract=off", "-o"])
        .arg(&program)
        .arg(&code)
        .arg("-lm")
        .status()
        .unwrap();
    assert!(compiled.success());
    let output = Command::new(&program).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(expected.len(), text.lines().count());
    for ((what, ours), theirs) in expected.iter().zip(text.lines()) {
        assert_eq!(ours, theirs, "{real}, {what}");
    }
}
