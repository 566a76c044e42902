//! How long a large mesh takes: a rock of 100 820 triangles, to 200 spheres, with its ladder and its certificate.
//!
//! `cargo run --release -p tumble-shape --example large`

#![allow(clippy::print_stdout, reason = "what it is for")]

use std::time::Instant;
use tumble_shape::{Bodies, Solid, Wanted, bodies, fit};

fn main() {
    let start = Instant::now();
    let triangles = bodies::rock(0.04, 7, 71);
    let solid = Solid::new(&triangles, Bodies::One).expect("our own meshes are closed");
    println!("{} triangles, a solid after {:.1} s", triangles.len(), start.elapsed().as_secs_f64());
    let fitted = fit(&solid, &Wanted::default(), |stage| {
        println!(
            "{:.1} s: {} spheres, {:.2} %",
            start.elapsed().as_secs_f64(),
            stage.spheres,
            100.0 * stage.surface / solid.size()
        );
        true
    });
    let surface = fitted.certificate.surface;
    println!(
        "{} spheres, surface error {:.2} % (proved), volume {:.1e}, inertia {:.1e}, after {:.1} s",
        fitted.spheres.len(),
        100.0 * surface.upper / solid.size(),
        fitted.certificate.volume_error,
        fitted.certificate.inertia_error,
        start.elapsed().as_secs_f64()
    );
}
