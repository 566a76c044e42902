//! How many spheres a surface error takes: ours beside the algorithms of others, all judged by the same certificate.
//!
//! `cargo run --release -p tumble-shape --example compare`
//!
//! For each body, ours is fitted; then every other algorithm gets more and more spheres until its certified surface error is no larger than ours.
//! Those algorithms put spheres inside the mesh. Growing all their radii by the same length, half of the error, nearly halves it and costs nothing, so that is
//! given to them in a second column.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it is for")]

mod others;

use others::{METHODS, Method, surface};
use tumble_dem::clump::ClumpSphere;
use tumble_shape::{Bodies, Certificate, Point, Solid, Wanted, bodies, fit};

/// More spheres than this are not tried.
const MOST: usize = 1500;

fn main() {
    let all: [(&str, Vec<[Point; 3]>); 8] = [
        ("cube", bodies::cuboid([0.01; 3])),
        ("ellipsoid 4:3:2", bodies::ellipsoid([0.01, 0.0075, 0.005], 12)),
        ("torus 3:1", bodies::torus(0.009, 0.003, [48, 20])),
        ("cylinder 1:2", bodies::cylinder(0.005, 0.02, 48)),
        ("rock", bodies::rock(0.02, 3, 12)),
        ("sand grain", bodies::grain(0.002, 1, 12)),
        ("another sand grain", bodies::grain(0.002, 2, 12)),
        ("pawn", bodies::pawn(0.05, 32)),
    ];
    let only: Vec<String> = std::env::args().skip(1).collect();
    print!("| body | error, % | ours |");
    for method in METHODS {
        print!(" {} |", method.name);
    }
    println!("\n|{}", " --- |".repeat(3 + METHODS.len()));
    for (name, triangles) in all {
        if !only.is_empty() && !only.iter().any(|wanted| name.starts_with(wanted.as_str())) {
            continue;
        }
        let solid = Solid::new(&triangles, Bodies::One).expect("our own meshes are closed");
        let ours = fit(&solid, &Wanted { surface: 0.05 * solid.size(), ..Wanted::default() }, |_| true);
        let error = ours.certificate.surface.upper;
        print!("| {name} | {:.2} | {} |", 100.0 * error / solid.size(), ours.spheres.len());
        for method in METHODS {
            let [plain, grown] = [false, true].map(|grown| needed(&solid, method, error, grown));
            print!(" {plain}, {grown} |");
        }
        println!();
    }
}

/// How many spheres an algorithm needs for an error.
fn needed(solid: &Solid, method: &Method, error: f64, grown: bool) -> String {
    let points = surface(solid, 0.3 * error);
    let gap = |spheres: &[ClumpSphere]| {
        let away = |p: &Point| {
            spheres.iter().map(|s| (*p - s.centre).norm() - s.radius).fold(f64::INFINITY, f64::min)
        };
        points.iter().map(|(point, _)| away(point)).fold(0.0, f64::max)
    };
    // Its own measure of fineness, from coarse to fine.
    let mut fineness = 2.5 * error;
    while fineness > 0.2 * error {
        let mut spheres = (method.spheres)(solid, fineness, MOST);
        if spheres.len() >= MOST {
            break;
        }
        fineness *= 0.85;
        if grown {
            let by = 0.5 * gap(&spheres);
            for sphere in &mut spheres {
                sphere.radius += by;
            }
        }
        // Points tell quickly that it is not enough; that it is, only the certificate.
        let enough = !spheres.is_empty() && gap(&spheres) <= error;
        if enough && Certificate::of(solid, &spheres).surface.upper <= error {
            return spheres.len().to_string();
        }
    }
    "–".to_owned()
}
