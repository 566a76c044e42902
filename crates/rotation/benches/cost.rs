//! What a step costs, as ratios within one run: each scheme against Direct Euler one body at a time, and
//! batches against the scalar loop and against a loop that only moves the same bytes.
//!
//! `cargo bench -p tumble-rotation --features trace,threads` prints everything; `-- batch` or `-- scalar` at the
//! end a part.
#![allow(missing_docs, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;
use tumble_rotation::batch::{Columns, InstructionSet, run_hook, run_hook_with};
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{
    Drive, Hook, PrincipalInertia, RotationScheme, SchemeKind, SchemeVisitor, Spin, trace,
};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wants = |part: &str| wanted.is_empty() || wanted.iter().any(|w| part.contains(w.as_str()));
    if wants("scalar") {
        scalar();
    }
    if wants("batch") {
        batches();
    }
}

/// Nanoseconds of one call, the best of many: noise only ever adds time.
fn best_ns(calls_per_round: u32, rounds: u32, mut call: impl FnMut()) -> f64 {
    call();
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..calls_per_round {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(calls_per_round)
        })
        .fold(f64::INFINITY, f64::min)
}

/// One asymmetric body, or an array of them, advanced by plain calls.
#[derive(Clone, Copy)]
struct OneBody<M> {
    spin: Spin<f64>,
    memory: M,
    drive: Drive<f64, PrincipalInertia<f64>>,
}

fn one_body<S: RotationScheme>(i: usize) -> OneBody<S::Memory<f64>> {
    let shift = 1e-3 * i as f64;
    let spin = Spin { q: Quat::identity(), omega: BodyVec::new(0.3 + shift, -0.9, 0.6) };
    let inertia = PrincipalInertia::from_moments(BodyVec::new(0.0114, 0.02, 0.0228));
    let drive = Drive { torque: LabVec::new(0.05, 0.01, -0.02), inertia, dt: 1e-3 };
    let (spin, memory) = S::start(spin, drive);
    OneBody { spin, memory, drive }
}

#[inline(always)]
fn step<S: RotationScheme>(body: &mut OneBody<S::Memory<f64>>) {
    (body.spin, body.memory) = S::before_torque(body.spin, body.memory, body.drive);
    for stage in 1..S::INFO.torque_times.len() {
        (body.spin, body.memory) = S::between_torques(stage - 1, body.spin, body.memory, body.drive);
    }
    (body.spin, body.memory) = S::after_torque(body.spin, body.memory, body.drive);
}

/// One body, each step waiting for the one before: what a single tumbling body costs.
struct Sequence;
impl SchemeVisitor for Sequence {
    type Output = f64;
    fn visit<S: RotationScheme>(self, _: S) -> f64 {
        let mut body = one_body::<S>(0);
        best_ns(20, 60, || {
            for _ in 0..100 {
                step::<S>(&mut body);
            }
            black_box(&mut body);
        }) / 100.0
    }
}

/// An array of structures, one body after the other: what a usual DEM loop costs.
struct ArrayOfStructs(usize);
impl SchemeVisitor for ArrayOfStructs {
    type Output = f64;
    fn visit<S: RotationScheme>(self, _: S) -> f64 {
        let mut bodies: Vec<_> = (0..self.0).map(one_body::<S>).collect();
        let rounds = if self.0 > 100_000 { 10 } else { 60 };
        best_ns(u32::try_from(1 + 20_000 / self.0).unwrap_or(1), rounds, || {
            for body in &mut bodies {
                step::<S>(black_box(body));
            }
        }) / self.0 as f64
    }
}

fn scalar() {
    println!("one step of one body, f64 (ratio to direct-euler with its normalisation)\n");
    println!(
        "{:24}{:>8}{:>14}{:>8}{:>14}{:>8}",
        "scheme", "flops", "in sequence", "ratio", "in an array", "ratio"
    );
    let base = SchemeKind::DirectEuler;
    // The yardstick is measured anew beside each scheme, so that a slow minute slows both.
    for &kind in SchemeKind::ALL {
        let (mut sequence, mut array) = ((f64::INFINITY, f64::INFINITY), (f64::INFINITY, f64::INFINITY));
        for _ in 0..3 {
            sequence = (sequence.0.min(kind.visit(Sequence)), sequence.1.min(base.visit(Sequence)));
            array = (
                array.0.min(kind.visit(ArrayOfStructs(1024))),
                array.1.min(base.visit(ArrayOfStructs(1024))),
            );
        }
        println!(
            "{:24}{:>8}{:>11.1} ns{:>8.2}{:>11.1} ns{:>8.2}",
            kind.name(),
            trace::flops(kind),
            sequence.0,
            sequence.0 / sequence.1,
            array.0,
            array.0 / array.1,
        );
    }
}

/// The columns of a batch, in memory of our own.
struct Store {
    bodies: usize,
    stride: usize,
    numbers: Vec<f64>,
}

/// How far each column begins into its page.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    /// Each at another place, as `Batch` lays them out.
    Staggered,
    /// All at the same place, as separate large allocations are.
    Aligned,
}

impl Store {
    const VALUES: [f64; 16] = [
        1.0,
        0.0,
        0.0,
        0.0, // q
        0.3,
        -0.9,
        0.6, // ω
        0.05,
        0.01,
        -0.02, // torque
        0.0114,
        0.02,
        0.0228, // moments
        1.0 / 0.0114,
        50.0,
        1.0 / 0.0228, // inverse
    ];

    fn new(bodies: usize, layout: Layout) -> Self {
        let stride = bodies.next_multiple_of(512) + if layout == Layout::Staggered { 40 } else { 0 };
        let column = |value: f64| (0..stride).map(move |i| value * (1.0 + 1e-9 * i as f64));
        Self { bodies, stride, numbers: Self::VALUES.into_iter().flat_map(column).collect() }
    }

    fn columns(&mut self) -> Columns<'_, f64> {
        let bodies = self.bodies;
        let mut columns = self.numbers.chunks_exact_mut(self.stride).map(|c| &mut c[..bodies]);
        let mut next = || columns.next().unwrap_or_default();
        Columns {
            q: [next(), next(), next(), next()],
            omega: [next(), next(), next()],
            memory: Default::default(),
            torque: [next(), next(), next()],
            moments: [next(), next(), next()],
            inverse: [next(), next(), next()],
            seen: Default::default(),
        }
    }
}

/// Reads the sixteen columns a step reads and writes the seven it writes, row by row as a step does, with
/// next to no arithmetic: what the memory allows.
fn move_bytes(columns: Columns<'_, f64>) {
    let [w, x, y, z] = columns.q;
    let [a, b, c] = columns.omega;
    move_rows(w, x, y, z, a, b, c, [columns.torque, columns.moments, columns.inverse]);
}

fn move_bytes_in_parallel(columns: Columns<'_, f64>) {
    if columns.len() <= 4096 {
        return move_bytes(columns);
    }
    let middle = (columns.len() / 2).next_multiple_of(4096);
    let (left, right) = columns.split_at(middle);
    rayon::join(|| move_bytes_in_parallel(left), || move_bytes_in_parallel(right));
}

#[allow(clippy::too_many_arguments, reason = "exclusive references one by one, so that it vectorises")]
#[inline(never)]
fn move_rows(
    w: &mut [f64],
    x: &mut [f64],
    y: &mut [f64],
    z: &mut [f64],
    a: &mut [f64],
    b: &mut [f64],
    c: &mut [f64],
    [t, m, inv]: [[&[f64]; 3]; 3],
) {
    let n = w.len();
    let (x, y, z, a, b, c) = (&mut x[..n], &mut y[..n], &mut z[..n], &mut a[..n], &mut b[..n], &mut c[..n]);
    let (t, m, inv) = (t.map(|s| &s[..n]), m.map(|s| &s[..n]), inv.map(|s| &s[..n]));
    for i in 0..n {
        w[i] += t[0][i] + inv[0][i];
        x[i] += t[1][i] + inv[1][i];
        y[i] += t[2][i] + inv[2][i];
        z[i] += m[0][i];
        a[i] += m[1][i];
        b[i] += m[2][i];
        c[i] += 1.0;
    }
}

fn batches() {
    small_batch();
    for layout in [Layout::Staggered, Layout::Aligned] {
        large_batch(layout);
    }
}

/// In the second-level cache: arithmetic, on each instruction set.
fn small_batch() {
    let bodies = 2048;
    let mut store = Store::new(bodies, Layout::Staggered);
    let mut scalar = f64::INFINITY;
    let sets: Vec<_> = InstructionSet::ALL.into_iter().filter(|set| set.is_available()).collect();
    let mut times = vec![[f64::INFINITY; 2]; sets.len()];
    for _ in 0..3 {
        scalar = scalar.min(SchemeKind::SpiralLeapfrog.visit(ArrayOfStructs(bodies)));
        for (set, times) in sets.iter().zip(&mut times) {
            for (time, kind) in times.iter_mut().zip(COMPARED) {
                let step = || run_hook_with(*set, kind, Hook::AfterTorque, store.columns(), 1e-3);
                *time = time.min(best_ns(50, 40, step) / bodies as f64);
            }
        }
    }
    println!("\nbatch of {bodies} bodies, f64, one thread, ns a body\n");
    println!("{:36}{scalar:>8.2}", "spiral, scalar array of structures");
    for (set, [spiral, magnus]) in sets.iter().zip(times) {
        println!(
            "{:36}{spiral:>8.2}   scalar/batch {:.2}, magnus/spiral {:.2}",
            format!("spiral, batch, {set:?}"),
            scalar / spiral,
            magnus / spiral
        );
    }
}

const COMPARED: [SchemeKind; 2] = [SchemeKind::SpiralLeapfrog, SchemeKind::MagnusLeapfrog];

/// In main memory: how close to the time it takes to move the bytes, on one thread and on all.
fn large_batch(layout: Layout) {
    let bodies = 1_000_000;
    let mut store = Store::new(bodies, layout);
    let mut copy = Store::new(bodies, layout);
    let per_body = |ns: f64| ns / bodies as f64;
    let (mut scalar, mut bytes, mut times) = (f64::INFINITY, [f64::INFINITY; 2], [[f64::INFINITY; 2]; 2]);
    for _ in 0..3 {
        scalar = scalar.min(SchemeKind::SpiralLeapfrog.visit(ArrayOfStructs(bodies)));
        bytes[0] = bytes[0].min(per_body(best_ns(1, 25, || move_bytes(copy.columns()))));
        bytes[1] = bytes[1].min(per_body(best_ns(1, 25, || move_bytes_in_parallel(copy.columns()))));
        for (kind, row) in COMPARED.into_iter().enumerate() {
            let set = InstructionSet::widest();
            let one = best_ns(1, 25, || run_hook_with(set, row, Hook::AfterTorque, store.columns(), 1e-3));
            let all = best_ns(1, 25, || run_hook(row, Hook::AfterTorque, store.columns(), 1e-3));
            times[kind] = [times[kind][0].min(per_body(one)), times[kind][1].min(per_body(all))];
        }
    }
    let begin =
        if layout == Layout::Staggered { "staggered" } else { "beginning at the same place in their pages" };
    println!("\nbatch of {bodies} bodies, f64, {:?}, columns {begin}, ns a body\n", InstructionSet::widest());
    println!("{:36}{scalar:>8.2}", "spiral, scalar array of structures");
    for (threads, name) in ["one thread", "all threads"].into_iter().enumerate() {
        let [spiral, magnus] = times.map(|time| time[threads]);
        println!("{:36}{:>8.2}", format!("moving the same bytes, {name}"), bytes[threads]);
        println!(
            "{:36}{spiral:>8.2}   scalar/batch {:.2}, batch/bytes {:.2}, magnus/spiral {:.2}",
            format!("spiral, batch, {name}"),
            scalar / spiral,
            spiral / bytes[threads],
            magnus / spiral
        );
    }
}
