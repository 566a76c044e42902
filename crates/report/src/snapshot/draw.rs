//! Draws the picture: far outlines, discs from the farthest to the nearest, near outlines, the legend.
//!
//! A ball is a disc filled with a gradient from a highlight to a dark rim. Overlapping balls of a clump are cut where
//! their discs are, not where the spheres meet, which at this size looks the same. A part of a rod is a bar with round ends and a
//! gradient across it, which is the same all along, so that parts of one rod have no seams. An ellipsoid is a disc that is stretched.
//! A polyhedron is its outline with flat parts on it.

use super::Snapshot;
use super::stone::{Part, Seen};
use super::view::{Disc, View};
use super::visible::{Visible, visible};
use crate::markup::escaped;
use std::fmt::Write as _;

/// Where the picture goes.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    Document,
    /// Into a page, with ids that begin with this.
    Page(&'a str),
}

/// Colours of groups: those of curves, a little softer.
const COLOURS: [[u8; 3]; 8] = [
    [0x3d, 0x87, 0xc2],
    [0xe0, 0x8a, 0x3c],
    [0x35, 0xa5, 0x83],
    [0xc9, 0x86, 0xae],
    [0xd9, 0xc2, 0x55],
    [0x83, 0xbf, 0xe3],
    [0x8a, 0x8f, 0x98],
    [0xc0, 0x5b, 0x4d],
];
/// Bodies of a group differ by these: black or white, and how much of it.
const SHADES: [(u8, f64); 3] = [(255, 0.0), (255, 0.24), (0, 0.16)];
const LEGEND: f64 = 24.0;

/// The picture, and what has to be said about it.
pub(super) fn draw(snapshot: &Snapshot, place: Place<'_>) -> (String, Option<String>) {
    let Some(view) = View::of(snapshot) else {
        return (
            open(snapshot, &place, (200.0, 40.0)) + "</svg>\n",
            Some("There is nothing to draw.".into()),
        );
    };
    let stones = view.stones(snapshot);
    let seen = visible(&view.discs(snapshot), &stones, view.size, Snapshot::MOST_DRAWN);
    let named = used_groups(snapshot);
    let rows = legend_rows(&named, view.size.0);
    let mut svg = open(snapshot, &place, (view.size.0, view.size.1 + rows.len() as f64 * LEGEND));
    let prefix = match place {
        Place::Document => "ball",
        Place::Page(prefix) => prefix,
    };
    gradients(&mut svg, &seen.discs, prefix);
    outlines(&mut svg, &view, false);
    for disc in &seen.discs {
        let (group, shade) = paint(disc);
        let (x, y, radius) = (disc.x, disc.y, disc.radius.max(0.7));
        let fill = format!("fill=\"url(#{prefix}{group}{shade}{})\"", if is_bar(disc) { "bar" } else { "" });
        if let Some(stone) = disc.stone {
            draw_stone(&mut svg, &stones[stone], mixed_base(disc));
        } else if is_bar(disc) {
            bar(&mut svg, disc, radius, &fill);
        } else if let Some(oval) = disc.oval {
            let [xx, xy, yy] = oval.stretch;
            let _ = writeln!(
                svg,
                "<circle r=\"1\" transform=\"matrix({xx:.2} {xy:.2} {xy:.2} {yy:.2} {x:.1} {y:.1})\" {fill}/>"
            );
        } else {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {fill}/>");
        }
    }
    outlines(&mut svg, &view, true);
    legend(&mut svg, &rows, view.size.1);
    svg.push_str("</svg>\n");
    (svg, remark(&seen))
}

fn open(snapshot: &Snapshot, place: &Place<'_>, (width, height): (f64, f64)) -> String {
    let caption = escaped(&snapshot.caption);
    let font = "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" font-size=\"13\" \
                fill=\"#222222\"";
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" {font}"
    );
    match place {
        Place::Document => format!(
            "{head}>\n<title>{caption}</title>\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
        ),
        Place::Page(_) => format!("{head} class=\"snapshot\" role=\"img\" aria-label=\"{caption}\">\n"),
    }
}

/// Whether it is seen from aside.
fn is_bar(disc: &Disc) -> bool {
    half_length(disc) > 0.1
}

/// On the picture, px.
fn half_length(disc: &Disc) -> f64 {
    let [x, y, _] = disc.half;
    (x * x + y * y).sqrt()
}

/// A part of a rod, drawn flat and turned: by less than a quarter, so that its light comes from above.
fn bar(svg: &mut String, disc: &Disc, radius: f64, fill: &str) {
    let [x, y, _] = disc.half;
    let length = if x < 0.0 { -half_length(disc) } else { half_length(disc) };
    let (cosine, sine) = (x / length, y / length);
    let half = length.abs() + radius;
    let _ = writeln!(
        svg,
        "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{:.2}\" height=\"{:.2}\" rx=\"{radius:.2}\" \
         transform=\"matrix({cosine:.4} {sine:.4} {:.4} {cosine:.4} {:.1} {:.1})\" {fill}/>",
        -half,
        -radius,
        2.0 * half,
        2.0 * radius,
        -sine,
        disc.x,
        disc.y
    );
}

/// Where a polyhedron is rounded by less than this on the picture, strips along its edges are not drawn, px.
const THIN: f64 = 0.4;

/// The outline with its round corners, and on it what is turned to the eye.
fn draw_stone(svg: &mut String, stone: &Seen, base: [u8; 3]) {
    let path = |points: &[[f64; 2]]| {
        let mut path = String::new();
        for (number, [x, y]) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' });
        }
        path + "Z"
    };
    let rim = hex(mixed(base, 0, 0.42));
    let _ = writeln!(
        svg,
        "<path d=\"{}\" fill=\"{rim}\" stroke=\"{rim}\" stroke-width=\"{:.2}\" stroke-linejoin=\"round\"/>",
        path(&stone.outline),
        2.0 * stone.rounding.max(0.2)
    );
    let between: &[Part] = if stone.rounding < THIN { &[] } else { &stone.between };
    for part in between.iter().chain(&stone.faces) {
        let colour = hex(lit(base, part.light));
        // As wide as a seam, so that nothing shines through between two parts.
        let _ = writeln!(
            svg,
            "<path d=\"{}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\".3\"/>",
            path(&part.points)
        );
    }
}

/// A colour in the shade, as it is, and in full light.
fn lit(base: [u8; 3], light: f64) -> [u8; 3] {
    if light < 0.6 {
        mixed(base, 0, 0.45 * (1.0 - light / 0.6))
    } else {
        mixed(base, 255, 1.1 * (light - 0.6))
    }
}

/// The colour of a body.
fn mixed_base(disc: &Disc) -> [u8; 3] {
    let (group, shade) = paint(disc);
    let (towards, part) = SHADES[shade];
    mixed(COLOURS[group], towards, part)
}

/// Places among the colours and the shades.
fn paint(disc: &Disc) -> (usize, usize) {
    (disc.group % COLOURS.len(), disc.body % SHADES.len())
}

/// The gradients that are used.
fn gradients(svg: &mut String, discs: &[Disc], prefix: &str) {
    let mut used = [[[false; 2]; SHADES.len()]; COLOURS.len()];
    for disc in discs.iter().filter(|disc| disc.stone.is_none()) {
        let (group, shade) = paint(disc);
        used[group][shade][usize::from(is_bar(disc))] = true;
    }
    svg.push_str("<defs>\n");
    for (group, shades) in used.iter().enumerate() {
        for (shade, &[ball, bar]) in shades.iter().enumerate() {
            let (towards, part) = SHADES[shade];
            let base = mixed(COLOURS[group], towards, part);
            let [light, dark, rim] =
                [mixed(base, 255, 0.6), mixed(base, 0, 0.3), mixed(base, 0, 0.5)].map(hex);
            let base = hex(base);
            if ball {
                let _ = writeln!(
                    svg,
                    "<radialGradient id=\"{prefix}{group}{shade}\" cx=\".5\" cy=\".5\" r=\".5\" fx=\".36\" fy=\".3\">\
                     <stop offset=\"0\" stop-color=\"{light}\"/><stop offset=\".55\" stop-color=\"{base}\"/>\
                     <stop offset=\".9\" stop-color=\"{dark}\"/><stop offset=\"1\" stop-color=\"{rim}\"/></radialGradient>"
                );
            }
            if bar {
                let _ = writeln!(
                    svg,
                    "<linearGradient id=\"{prefix}{group}{shade}bar\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\
                     <stop offset=\"0\" stop-color=\"{dark}\"/><stop offset=\".3\" stop-color=\"{light}\"/>\
                     <stop offset=\".6\" stop-color=\"{base}\"/><stop offset=\"1\" stop-color=\"{rim}\"/></linearGradient>"
                );
            }
        }
    }
    svg.push_str("</defs>\n");
}

/// Edges of walls on one side of the balls: whole behind them, faint before them.
fn outlines(svg: &mut String, view: &View, near: bool) {
    let mut path = String::new();
    for ends in &view.edges {
        let middle = core::array::from_fn(|axis| 0.5 * (ends[0][axis] + ends[1][axis]));
        if view.is_near(middle) == near {
            let (a, b) = (view.point(ends[0]), view.point(ends[1]));
            let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", a.0, a.1, b.0, b.1);
        }
    }
    if !path.is_empty() {
        let opacity = if near { 0.3 } else { 0.75 };
        let _ = writeln!(
            svg,
            "<path class=\"ink\" d=\"{path}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"0.9\" \
             stroke-linecap=\"round\" opacity=\"{opacity}\"/>"
        );
    }
}

/// Groups of which there is a ball, a rod, an ellipsoid or a polyhedron, with their colours; none if they are all the same.
fn used_groups(snapshot: &Snapshot) -> Vec<(usize, &str)> {
    let used = |group: usize| {
        snapshot.balls.iter().any(|ball| ball.group == group)
            || snapshot.rods.iter().any(|rod| rod.group == group)
            || snapshot.ovals.iter().any(|oval| oval.group == group)
            || snapshot.stones.iter().any(|stone| stone.group == group)
    };
    let named: Vec<(usize, &str)> = snapshot
        .groups
        .iter()
        .enumerate()
        .filter(|(group, _)| used(*group))
        .map(|(g, n)| (g, n.as_str()))
        .collect();
    if named.len() > 1 { named } else { Vec::new() }
}

/// Entries as they fit into rows, each with its place from the left.
fn legend_rows<'a>(named: &[(usize, &'a str)], width: f64) -> Vec<Vec<(f64, usize, &'a str)>> {
    let mut rows: Vec<Vec<(f64, usize, &str)>> = Vec::new();
    let mut x = f64::INFINITY;
    for &(group, name) in named {
        let needed = 34.0 + 7.2 * name.chars().count() as f64;
        if x + needed > width {
            rows.push(Vec::new());
            x = 12.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, group, name));
        }
        x += needed;
    }
    rows
}

fn legend(svg: &mut String, rows: &[Vec<(f64, usize, &str)>], top: f64) {
    for (number, row) in rows.iter().enumerate() {
        let y = top + (number as f64 + 0.5) * LEGEND - 4.0;
        for &(x, group, name) in row {
            let colour = hex(COLOURS[group % COLOURS.len()]);
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"7\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 7.0,
                x + 20.0,
                y + 4.5,
                escaped(name)
            );
        }
    }
}

fn remark(seen: &Visible) -> Option<String> {
    let drawn = seen.discs.len();
    (drawn < seen.count)
        .then(|| format!("Thinned: of {} parts in sight the {drawn} that show most are drawn.", seen.count))
}

/// A colour with a part of black or white.
fn mixed(colour: [u8; 3], towards: u8, part: f64) -> [u8; 3] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
    colour.map(|c| (f64::from(c) + part * (f64::from(towards) - f64::from(c))).round() as u8)
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}
