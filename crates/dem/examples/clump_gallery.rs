//! Draws every built-in shape as a picture: `cargo run -p tumble-dem --example clump_gallery [file.svg]`.
//!
//! Spheres are drawn from back to front in slices parallel to the picture, each a disc with the shading of
//! its sphere. So spheres that penetrate each other meet in the right curve, which sorting whole spheres
//! cannot give.

#![allow(clippy::disallowed_methods, reason = "a drawing or a measurement: no result depends on it")]

use std::fmt::Write as _;
use std::io::Write as _;
use tumble_dem::clump::{ClumpSphere, shapes};

const WIDTH: f64 = 1600.0;
/// The distance of slices, in pixels.
const SLICE: f64 = 0.8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = gallery();
    match std::env::args_os().nth(1) {
        Some(path) => std::fs::write(path, picture)?,
        None => std::io::stdout().write_all(picture.as_bytes())?,
    }
    Ok(())
}

/// One row of the picture.
struct Row {
    names: &'static [&'static str],
    /// Pixels per metre.
    scale: f64,
    /// Height of the ground in the picture.
    ground: f64,
    material: &'static str,
}

fn gallery() -> String {
    let rows = [
        Row {
            names: &["king", "queen", "bishop", "knight", "rook", "pawn"],
            scale: 4700.0,
            ground: 500.0,
            material: "ivory",
        },
        Row {
            names: &["sphere", "rod", "fibre", "tetrahedron", "t-handle", "planar-cross", "cross"],
            scale: 5400.0,
            ground: 800.0,
            material: "steel",
        },
    ];
    let mut svg = String::from(HEAD);
    for row in &rows {
        for (column, name) in row.names.iter().enumerate() {
            let Some(shape) = shapes::named(name) else { continue };
            let x = WIDTH * (column as f64 + 0.5) / row.names.len() as f64;
            draw(&mut svg, &shape.spheres(), x, row);
            let label = name.replace('-', " ");
            let count = shape.spheres().len();
            let plural = if count == 1 { "" } else { "s" };
            let y = row.ground + 52.0;
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y:.1}">{label}</text><text class="n" x="{x:.1}" y="{:.1}">{count} sphere{plural}</text>"#,
                y + 20.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The spheres on the ground, turned to a view from the front, a little from above.
fn draw(svg: &mut String, spheres: &[ClumpSphere], x: f64, row: &Row) {
    let (turn_sin, turn_cos) = 0.42_f64.sin_cos();
    let (tilt_sin, tilt_cos) = 0.30_f64.sin_cos();
    let lowest = spheres.iter().map(|s| s.centre.z - s.radius).fold(f64::INFINITY, f64::min);
    let reach = spheres.iter().map(|s| s.centre.x.hypot(s.centre.y) + s.radius).fold(0.0, f64::max);
    let foot = spheres
        .iter()
        .filter(|s| s.centre.z - s.radius < lowest + 0.15 * s.radius)
        .map(|s| s.centre.x.hypot(s.centre.y) + 0.8 * s.radius)
        .fold(0.0, f64::max);
    let shadow = row.scale * (0.35 * reach + 0.65 * foot);
    let _ = writeln!(
        svg,
        r#"<ellipse cx="{x:.1}" cy="{:.1}" rx="{:.1}" ry="{:.1}" fill="url(#shadow)"/>"#,
        row.ground,
        1.45 * shadow,
        1.45 * shadow * tilt_sin + 4.0
    );
    // Depth towards the viewer, place in the picture, radius, and which part of the radius the slice shows.
    let mut discs = Vec::new();
    for s in spheres {
        // The viewer looks along +y; a piece that looks along +x shows its profile, turned a little.
        let (px, py) =
            (turn_cos * s.centre.x + turn_sin * s.centre.y, turn_cos * s.centre.y - turn_sin * s.centre.x);
        let pz = s.centre.z - lowest;
        let (right, up, depth) = (px, tilt_cos * pz + tilt_sin * py, tilt_sin * pz - tilt_cos * py);
        // Only the half towards the viewer shows.
        let mut height = 0.0_f64;
        while height < 1.0 {
            let part = (1.0 - height * height).sqrt();
            discs.push((
                depth + height * s.radius,
                x + row.scale * right,
                row.ground - row.scale * up,
                row.scale * s.radius,
                part,
            ));
            height += SLICE / (row.scale * s.radius);
        }
    }
    discs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let _ = writeln!(svg, r#"<g fill="url(#{})">"#, row.material);
    for (i, &(_, cx, cy, radius, part)) in discs.iter().enumerate() {
        let hidden = discs[i + 1..]
            .iter()
            .any(|&(_, x, y, r, p)| (x - cx).hypot(y - cy) + part * radius < p * r - 1e-9 && r > 0.0);
        if !hidden {
            let _ = writeln!(
                svg,
                r#"<circle r="{part:.3}" transform="matrix({radius:.2} 0 0 {radius:.2} {cx:.2} {cy:.2})"/>"#
            );
        }
    }
    svg.push_str("</g>\n");
}

const HEAD: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900" width="1600" height="900">
<defs>
<radialGradient id="ivory" gradientUnits="userSpaceOnUse" cx="-.12" cy="-.18" r="1.2" fx="-.42" fy="-.5">
<stop offset="0" stop-color="#fffdf4"/><stop offset=".3" stop-color="#f3e3c0"/><stop offset=".68" stop-color="#c79d62"/><stop offset=".92" stop-color="#7d5527"/><stop offset="1" stop-color="#5b3b18"/>
</radialGradient>
<radialGradient id="steel" gradientUnits="userSpaceOnUse" cx="-.12" cy="-.18" r="1.2" fx="-.42" fy="-.5">
<stop offset="0" stop-color="#ffffff"/><stop offset=".3" stop-color="#c9dcec"/><stop offset=".68" stop-color="#6d94b8"/><stop offset=".92" stop-color="#2f5478"/><stop offset="1" stop-color="#1e3b58"/>
</radialGradient>
<radialGradient id="shadow"><stop offset="0" stop-color="#000" stop-opacity=".38"/><stop offset=".55" stop-color="#000" stop-opacity=".22"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
</defs>
<style>text{font:600 20px "Helvetica Neue",Arial,sans-serif;fill:#26323d;text-anchor:middle}.n{font-weight:400;font-size:14px;fill:#6a7681}</style>
<rect width="1600" height="900" fill="#fff"/>
"##;
