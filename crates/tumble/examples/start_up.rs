//! How long a scene of many bodies from a CSV file takes until its first step, and how much memory:
//!
//! `cargo run --release -p tumble --example start_up -- FOLDER [BODIES] [TEMPLATE]`
//!
//! Writes `bodies.csv` and `scene.toml` to the folder, then times reading, building and the engine, on one thread.
//! The template is `rod` (three spheres) or any other built-in shape; bodies stand on a lattice with room to turn.

#![allow(clippy::disallowed_methods, reason = "a drawing or a measurement: no result depends on it")]
#![allow(clippy::print_stdout, reason = "a program that prints a table")]

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;
use tumble::dem::Engine;
use tumble::dem::random::Random;
use tumble::scene::{Scene, SceneText};

/// From body to body, m.
const SPACING: f64 = 0.05;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(arguments.first().ok_or("which folder?")?);
    let count: usize = arguments.get(1).map_or(Ok(100_000), |text| text.parse())?;
    let template = arguments.get(2).map_or("rod", String::as_str);
    fs::create_dir_all(folder)?;
    let bodies = folder.join("bodies.csv");
    fs::write(&bodies, table(count, template))?;
    fs::write(folder.join("scene.toml"), scene(count, template))?;
    println!("{count} bodies, {:.1} MB of CSV", fs::metadata(&bodies)?.len() as f64 * 1e-6);

    let (begin, memory) = (Instant::now(), peak_memory());
    let mut last = begin;
    let mut lap = |what: &str| {
        let now = Instant::now();
        println!("{what:<32}{:>8.3} s{:>10.0} MB", now.duration_since(last).as_secs_f64(), peak_memory());
        last = now;
    };
    let scene = Scene::parse(SceneText::read(folder.join("scene.toml"))?)?;
    lap("scene text");
    let built = scene.build(Some(1))?;
    lap("bodies, checks, time step");
    let engine = Engine::new(built.world, built.settings)?;
    lap("engine");
    let spheres = engine.sphere_count();
    println!(
        "{:<32}{:>8.3} s; {spheres} spheres; {memory:.0} MB before",
        "total",
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Bodies in a cube, turned at random, slowly moving.
fn table(count: usize, template: &str) -> String {
    let edge = (1..=count).find(|edge| edge.pow(3) >= count).unwrap_or(1);
    let mut random = Random::new(1);
    let mut text = "template,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n".to_owned();
    for number in 0..count {
        let cell = [number % edge, number / edge % edge, number / (edge * edge)];
        let position = cell.map(|cell| SPACING * (cell as f64 + 0.5));
        let motion = [random.direction(), random.direction()].map(tumble::dem::LabVec::to_array);
        let _ = write!(text, "{template}");
        let numbers = position.into_iter().chain(random.orientation().to_array());
        for value in numbers.chain(motion.into_iter().flatten()) {
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    text
}

fn scene(count: usize, template: &str) -> String {
    let size = SPACING * (count as f64).cbrt().ceil();
    format!(
        "version = 1\ngravity = [0, 0, -9.81]\nrun = {{ steps = 1000 }}\npair = {{ restitution = 0.6, friction = 0.4 }}\n\
         bodies = [{{ csv = \"bodies.csv\" }}]\nwalls = [{{ name = \"box\", box = {{ low = [0, 0, 0], high = \
         [{size}, {size}, {size}] }} }}]\n[materials]\nglass = {{ density = 2500, young = 6e9, poisson = 0.25 }}\n\
         [templates]\n{template} = {{ shape = \"{template}\" }}\n"
    )
}

/// The most memory that this process ever had, MB; NaN where the system does not tell.
fn peak_memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().map_or(f64::NAN, |kilobytes| kilobytes * 1.024e-3)
}
