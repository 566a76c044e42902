//! Milliseconds of one SPIRAL step of 10⁶ bodies, the best of many: what `rotation.py` compares the package with.
//!
//! The program prints one number: `Batch::step_with_held_torques` on one thread.
#![allow(missing_docs, clippy::print_stdout)]

use std::time::Instant;
use tumble_rotation::batch::Batch;
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::{PrincipalInertia, SchemeKind, Spin};

const BODIES: u32 = 1_000_000;

fn main() -> Result<(), tumble_rotation::Error> {
    let inertia = PrincipalInertia::new([0.0114, 0.02, 0.0228])?;
    let bodies = (0..BODIES).map(|body| {
        let omega = BodyVec::new(0.3 + f64::from(body) / f64::from(BODIES), -0.9, 0.6);
        (Spin { q: Quat::identity(), omega }, inertia)
    });
    let torque = |_, _, _, _| LabVec::new(0.05, 0.01, -0.02);
    let mut batch = Batch::new(SchemeKind::SpiralLeapfrog, 1e-3, bodies, torque)?;
    let time = |_| {
        let start = Instant::now();
        batch.step_with_held_torques();
        start.elapsed().as_secs_f64() * 1e3
    };
    println!("{}", (0..30).map(time).fold(f64::INFINITY, f64::min));
    Ok(())
}
