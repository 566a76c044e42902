//! Prints the mesh of a rock as an OBJ file: its size in mm, a seed, and how finely it is divided.
//!
//! `cargo run -p tumble-shape --example rock 40 7 7 > scenes/ballast/rock.obj`

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it is for")]

use std::collections::HashMap;

fn main() {
    let numbers: Vec<f64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [size, seed, divisions] = numbers[..] else {
        eprintln!("usage: rock SIZE SEED DIVISIONS");
        std::process::exit(2);
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small whole numbers")]
    let triangles = tumble_shape::bodies::rock(size, seed as u64, divisions as u32);
    println!("# A rock of about {size} mm, seed {seed}: tumble_shape::bodies::rock. Public domain.");
    let mut corners: HashMap<String, usize> = HashMap::new();
    let mut faces = Vec::new();
    for triangle in triangles {
        faces.push(triangle.map(|corner| {
            let line = format!("v {:.4} {:.4} {:.4}", corner.x, corner.y, corner.z);
            let next = corners.len() + 1;
            *corners.entry(line.clone()).or_insert_with(|| {
                println!("{line}");
                next
            })
        }));
    }
    for [a, b, c] in faces {
        println!("f {a} {b} {c}");
    }
}
