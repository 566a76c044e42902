//! What a step costs, as ratios within one run: each scheme against Direct Euler one body at a time, and
//! batches against the scalar loop and against a loop that only moves the same bytes.
//!
//! `cargo bench -p tumble-rotation` prints everything; `-- batch` or `-- scalar` a part.
#![allow(missing_docs, clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;
use tumble_rotation::batch::{Columns, InstructionSet, run_hook_with};
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
    numbers: Vec<f64>,
}

impl Store {
    const VALUES: [f64; 16] = [
        1.0,
        0.0,
        0.0,
        0.0,
        0.3,
        -0.9,
        0.6,
        0.05,
        0.01,
        -0.02,
        0.0114,
        0.02,
        0.0228,
        1.0 / 0.0114,
        50.0,
        1.0 / 0.0228,
    ];

    fn stride(bodies: usize) -> usize {
        bodies.next_multiple_of(512) + 40
    }

    fn new(bodies: usize) -> Self {
        let row = |value: f64| (0..Self::stride(bodies)).map(move |i| value * (1.0 + 1e-9 * i as f64));
        Self { bodies, numbers: Self::VALUES.into_iter().flat_map(row).collect() }
    }

    fn columns(&mut self) -> Columns<'_, f64> {
        let (stride, bodies) = (Self::stride(self.bodies), self.bodies);
        let mut columns = self.numbers.chunks_exact_mut(stride).map(|c| &mut c[..bodies]);
        let mut next = || columns.next().unwrap();
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
fn move_bytes(columns: &mut Columns<'_, f64>) {
    let n = columns.len();
    let [w, x, y, z] = columns.q.each_mut().map(|c| &mut c[..n]);
    let [a, b, c] = columns.omega.each_mut().map(|c| &mut c[..n]);
    let given = [columns.torque, columns.moments, columns.inverse].map(|v| v.map(|c| &c[..n]));
    move_rows(w, x, y, z, a, b, c, given);
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
    for bodies in [2048, 1_000_000] {
        let calls = if bodies > 100_000 { 1 } else { 50 };
        let rounds = if bodies > 100_000 { 25 } else { 40 };
        let mut store = Store::new(bodies);
        let per_body = |ns: f64| ns / bodies as f64;
        println!("\nbatch of {bodies} bodies, f64, one thread, ns a body");
        let mut roofline = f64::INFINITY;
        let mut aos = f64::INFINITY;
        let mut sets: Vec<(InstructionSet, f64, f64)> = Vec::new();
        for _ in 0..3 {
            let mut copy = Store::new(bodies);
            roofline =
                roofline.min(per_body(best_ns(calls, rounds, || move_bytes(black_box(&mut copy.columns())))));
            aos = aos.min(SchemeKind::SpiralLeapfrog.visit(ArrayOfStructs(bodies)));
            for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
                let mut time = |kind| {
                    per_body(best_ns(calls, rounds, || {
                        run_hook_with(set, kind, Hook::AfterTorque, store.columns(), 1e-3);
                    }))
                };
                let (spiral, magnus) = (time(SchemeKind::SpiralLeapfrog), time(SchemeKind::MagnusLeapfrog));
                match sets.iter_mut().find(|row| row.0 == set) {
                    Some(row) => (row.1, row.2) = (row.1.min(spiral), row.2.min(magnus)),
                    None => sets.push((set, spiral, magnus)),
                }
            }
        }
        println!("{:30}{roofline:>8.2}", "moving the same bytes");
        println!("{:30}{aos:>8.2}   spiral-leapfrog", "scalar array of structures");
        println!(
            "{:30}{:>8}{:>14}{:>14}{:>8}{:>16}",
            "", "spiral", "scalar/batch", "batch/bytes", "magnus", "magnus/spiral"
        );
        for (set, spiral, magnus) in sets {
            println!(
                "{:30}{spiral:>8.2}{:>14.2}{:>14.2}{magnus:>8.2}{:>16.2}",
                format!("{set:?}"),
                aos / spiral,
                spiral / roofline,
                magnus / spiral
            );
        }
    }
}
