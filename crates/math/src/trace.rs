//! `Traced`: a number that records what is computed with it.
//!
//! A kernel generic over [`Real`] runs once on `Traced` inputs and leaves a [`Tape`]: its straight-line
//! list of operations. The tape replays the kernel bit for bit in `f32` or `f64`, counts its operations,
//! and prints it as CUDA C (plain C but for `__device__`). That is how GPUs run the very source that the
//! CPU runs.
//!
//! ```
//! use tumble_math::{Real, trace::Tape};
//! let tape = Tape::record(2, |x| vec![(x[0] * x[0] + x[1] * x[1]).sqrt()]);
//! assert_eq!(tape.replay(&[3.0_f64, 4.0]), [5.0]);
//! assert_eq!(tape.flops(), 4);
//! ```

use crate::real::RoundMagic as _;
use crate::{Constant, Real};
use core::fmt::Write as _;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// A recorded number: the place of its value on the tape being recorded by this thread.
#[derive(Clone, Copy, Debug)]
pub struct Traced(usize);

/// A recorded comparison.
#[derive(Clone, Copy, Debug)]
pub struct TracedMask(usize);

/// One recorded operation; operands are places on the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Op {
    Input(usize),
    /// A literal, by its bits, so that equal literals are recorded once.
    Lit(u64),
    Constant(Constant),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Neg(usize),
    Sqrt(usize),
    Round(usize),
    Less(usize, usize),
    Select(usize, usize, usize),
}

#[derive(Default)]
struct Recorder {
    ops: Vec<Op>,
    /// Repeated operations are recorded once: the same operands give the same bits.
    places: HashMap<Op, usize>,
}

fn push(op: Op) -> usize {
    RECORDER.with_borrow_mut(|recorder| {
        let next = recorder.ops.len();
        let place = *recorder.places.entry(op).or_insert(next);
        if place == next {
            recorder.ops.push(op);
        }
        place
    })
}

impl Add for Traced {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(push(Op::Add(self.0, other.0)))
    }
}
impl Sub for Traced {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(push(Op::Sub(self.0, other.0)))
    }
}
impl Mul for Traced {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(push(Op::Mul(self.0, other.0)))
    }
}
impl Div for Traced {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(push(Op::Div(self.0, other.0)))
    }
}
impl Neg for Traced {
    type Output = Self;
    fn neg(self) -> Self {
        Self(push(Op::Neg(self.0)))
    }
}

impl Real for Traced {
    type Mask = TracedMask;
    fn lit(x: f64) -> Self {
        Self(push(Op::Lit(x.to_bits())))
    }
    fn constant(which: Constant) -> Self {
        Self(push(Op::Constant(which)))
    }
    fn sqrt(self) -> Self {
        Self(push(Op::Sqrt(self.0)))
    }
    fn round(self) -> Self {
        Self(push(Op::Round(self.0)))
    }
    fn lt(self, other: Self) -> TracedMask {
        TracedMask(push(Op::Less(self.0, other.0)))
    }
    fn select(mask: TracedMask, yes: Self, no: Self) -> Self {
        Self(push(Op::Select(mask.0, yes.0, no.0)))
    }
}

/// The floating-point type a tape is printed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `float`
    Single,
    /// `double`
    Double,
}

/// The recorded operations of one kernel, without those that no output needs.
#[derive(Clone, Debug)]
pub struct Tape {
    inputs: usize,
    ops: Vec<Op>,
    outputs: Vec<usize>,
}

impl Tape {
    /// Records `kernel` applied to `inputs` numbers.
    ///
    /// Recordings on one thread may not be nested.
    pub fn record(inputs: usize, kernel: impl FnOnce(&[Traced]) -> Vec<Traced>) -> Self {
        RECORDER.with_borrow_mut(|recorder| *recorder = Recorder::default());
        let numbers: Vec<Traced> = (0..inputs).map(|i| Traced(push(Op::Input(i)))).collect();
        let outputs: Vec<usize> = kernel(&numbers).into_iter().map(|x| x.0).collect();
        let ops = RECORDER.with_borrow_mut(|recorder| std::mem::take(recorder).ops);
        Self { inputs, ops, outputs }.without_unused()
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Floating-point operations: sums, products, quotients, roots, roundings, comparisons.
    pub fn flops(&self) -> usize {
        let free = |op: &&Op| matches!(op, Op::Input(_) | Op::Lit(_) | Op::Constant(_) | Op::Neg(_));
        self.ops.len() - self.ops.iter().filter(free).count()
    }

    /// Runs the recorded operations on numbers. Fewer inputs than recorded count as zero.
    pub fn replay<R: Real<Mask = bool>>(&self, inputs: &[R]) -> Vec<R> {
        let mut values: Vec<R> = Vec::with_capacity(self.ops.len());
        let mut masks = vec![false; self.ops.len()];
        for (place, op) in self.ops.iter().enumerate() {
            let at = |i: usize| values[i];
            let value = match *op {
                Op::Input(i) => inputs.get(i).copied().unwrap_or(R::lit(0.0)),
                Op::Lit(bits) => R::lit(f64::from_bits(bits)),
                Op::Constant(which) => R::constant(which),
                Op::Add(a, b) => at(a) + at(b),
                Op::Sub(a, b) => at(a) - at(b),
                Op::Mul(a, b) => at(a) * at(b),
                Op::Div(a, b) => at(a) / at(b),
                Op::Neg(a) => -at(a),
                Op::Sqrt(a) => at(a).sqrt(),
                Op::Round(a) => at(a).round(),
                Op::Less(a, b) => {
                    masks[place] = at(a).lt(at(b));
                    R::lit(0.0)
                }
                Op::Select(mask, yes, no) => R::select(masks[mask], at(yes), at(no)),
            };
            values.push(value);
        }
        self.outputs.iter().map(|&i| values[i]).collect()
    }

    /// The kernel as a CUDA C function `name(const T *in, T *out)`.
    ///
    /// Compile with `-fmad=false` (nvcc, NVRTC) or `-ffp-contract=off` (C): then the bits are the CPU's.
    pub fn to_cuda(&self, name: &str, precision: Precision) -> String {
        let (t, suffix) = match precision {
            Precision::Single => ("float", "f"),
            Precision::Double => ("double", ""),
        };
        let number = |x: f64| match precision {
            Precision::Single => c_literal(f64::from(f32::lit(x)), "f"),
            Precision::Double => c_literal(x, ""),
        };
        let mut text = format!("__device__ void {name}(const {t} *in, {t} *out)\n{{\n");
        for (place, op) in self.ops.iter().enumerate() {
            let expression = match *op {
                Op::Input(i) => format!("in[{i}]"),
                Op::Lit(bits) => number(f64::from_bits(bits)),
                Op::Constant(which) => match precision {
                    Precision::Single => number(f64::from(f32::constant(which))),
                    Precision::Double => number(f64::constant(which)),
                },
                Op::Add(a, b) => format!("v{a} + v{b}"),
                Op::Sub(a, b) => format!("v{a} - v{b}"),
                Op::Mul(a, b) => format!("v{a} * v{b}"),
                Op::Div(a, b) => format!("v{a} / v{b}"),
                Op::Neg(a) => format!("-v{a}"),
                Op::Sqrt(a) => format!("sqrt{suffix}(v{a})"),
                // As in `Real::round`: rint() would differ in the sign of a zero.
                Op::Round(a) => {
                    let magic = match precision {
                        Precision::Single => c_literal(f64::from(f32::ROUND_MAGIC), "f"),
                        Precision::Double => c_literal(f64::ROUND_MAGIC, ""),
                    };
                    format!("(v{a} + {magic}) - {magic}")
                }
                Op::Less(a, b) => format!("v{a} < v{b}"),
                Op::Select(mask, yes, no) => format!("v{mask} ? v{yes} : v{no}"),
            };
            let kind = if matches!(op, Op::Less(..)) { "int" } else { t };
            let _ = writeln!(text, "    const {kind} v{place} = {expression};");
        }
        for (i, place) in self.outputs.iter().enumerate() {
            let _ = writeln!(text, "    out[{i}] = v{place};");
        }
        text.push_str("}\n");
        text
    }

    /// Drops operations that no output depends on and renumbers the rest.
    fn without_unused(self) -> Self {
        let mut used = vec![false; self.ops.len()];
        for &place in &self.outputs {
            used[place] = true;
        }
        for place in (0..self.ops.len()).rev() {
            if used[place] {
                self.ops[place].map_operands(|i| {
                    used[i] = true;
                    i
                });
            }
        }
        let mut moved = vec![0; self.ops.len()];
        let mut ops = Vec::new();
        for (place, op) in self.ops.iter().enumerate() {
            if used[place] {
                moved[place] = ops.len();
                ops.push(op.map_operands(|i| moved[i]));
            }
        }
        let outputs = self.outputs.iter().map(|&i| moved[i]).collect();
        Self { inputs: self.inputs, ops, outputs }
    }
}

impl Op {
    fn map_operands(self, mut f: impl FnMut(usize) -> usize) -> Self {
        match self {
            Op::Input(_) | Op::Lit(_) | Op::Constant(_) => self,
            Op::Add(a, b) => Op::Add(f(a), f(b)),
            Op::Sub(a, b) => Op::Sub(f(a), f(b)),
            Op::Mul(a, b) => Op::Mul(f(a), f(b)),
            Op::Div(a, b) => Op::Div(f(a), f(b)),
            Op::Neg(a) => Op::Neg(f(a)),
            Op::Sqrt(a) => Op::Sqrt(f(a)),
            Op::Round(a) => Op::Round(f(a)),
            Op::Less(a, b) => Op::Less(f(a), f(b)),
            Op::Select(m, yes, no) => Op::Select(f(m), f(yes), f(no)),
        }
    }
}

/// A C literal that reads back as exactly `x`: the shortest decimal form that does, with an exponent. What is no number has none.
fn c_literal(x: f64, suffix: &str) -> String {
    if x.is_nan() { format!("nan{suffix}(\"\")") } else { format!("{x:e}{suffix}") }
}
