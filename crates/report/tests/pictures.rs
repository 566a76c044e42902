//! Pictures of bodies are well-formed, deterministic, and show what is in front.

use crate::markup::{Tag, tags};
use tumble_report::{Ball, Rod, Snapshot, Surface};

fn circles(svg: &str) -> Vec<Tag> {
    tags(svg).into_iter().filter(|tag| tag.name == "circle").collect()
}

fn ball(centre: [f64; 3], radius: f64, group: usize) -> Ball {
    Ball { centre, radius, group, body: group }
}

#[test]
fn near_balls_are_drawn_last_and_hidden_ones_not_at_all() {
    // The eye is where x is large and y small, and a little above.
    let away = [-0.6 * 12.0 / 13.0, 0.8 * 12.0 / 13.0, -5.0 / 13.0];
    let along = |distance: f64| away.map(|part| distance * part);
    let snapshot = Snapshot {
        balls: vec![ball(along(0.0), 2.0, 0), ball(along(9.0), 1.0, 1), ball(along(-9.0), 1.0, 2)],
        ..Snapshot::default()
    };
    let drawn = circles(&snapshot.to_svg());
    let fills: Vec<&str> = drawn.iter().map(|circle| circle.attribute("fill").unwrap()).collect();
    assert_eq!(fills, ["url(#ball00)", "url(#ball22)"]);
    let gradients: Vec<Tag> =
        tags(&snapshot.to_svg()).into_iter().filter(|tag| tag.name == "radialGradient").collect();
    assert_eq!(gradients.len(), 2, "only those that are used");
    assert_eq!(snapshot.to_svg(), snapshot.to_svg());
}

#[test]
fn many_are_thinned() {
    // A lattice of small balls at the same depth: all can be seen.
    let at = |i: u32, j: u32| {
        let (right, up) = (f64::from(i), f64::from(j));
        [0.8 * right - 0.6 * 5.0 / 13.0 * up, 0.6 * right + 0.8 * 5.0 / 13.0 * up, 12.0 / 13.0 * up]
    };
    let balls = (0..100).flat_map(|i| (0..80).map(move |j| ball(at(i, j), 0.5, 0))).collect();
    let snapshot = Snapshot { balls, ..Snapshot::default() };
    assert_eq!(circles(&snapshot.to_svg()).len(), Snapshot::MOST_DRAWN);
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let mut snapshot = Snapshot {
        balls: vec![
            ball([f64::NAN, 0.0, 0.0], 1.0, 0),
            ball([0.0; 3], -1.0, 0),
            ball([0.0, f64::INFINITY, 0.0], 1.0, 0),
        ],
        walls: vec![Surface { points: vec![[f64::NAN; 3]; 3], triangles: vec![[0, 1, 2], [7, 8, 9]] }],
        ..Snapshot::default()
    };
    assert_eq!(circles(&snapshot.to_svg()).len(), 0);
    snapshot.balls.push(ball([1e-3; 3], 1e-3, 77));
    assert_eq!(circles(&snapshot.to_svg()).len(), 1);
    assert!(!snapshot.to_svg().contains("NaN"));
}

/// A rod that goes away from the eye passes behind a ball with one end and before it with the other.
#[test]
fn rods_are_smooth_bars_in_parts() {
    let away = [-0.6 * 12.0 / 13.0, 0.8 * 12.0 / 13.0, -5.0 / 13.0];
    let right = [0.8, 0.6, 0.0];
    let at = |aside: f64, depth: f64| [0, 1, 2].map(|axis| aside * right[axis] + depth * away[axis]);
    let rod = Rod { ends: [at(-20.0, -20.0), at(20.0, 20.0)], radius: 1.0, group: 1, body: 4 };
    let snapshot = Snapshot {
        balls: vec![ball(at(-10.0, 0.0), 2.0, 0), ball(at(10.0, 0.0), 2.0, 2)],
        rods: vec![rod, Rod { radius: f64::NAN, ..rod }],
        ..Snapshot::default()
    };
    let svg = snapshot.to_svg();
    let drawn: Vec<Tag> =
        tags(&svg).into_iter().filter(|tag| ["circle", "rect"].contains(&&*tag.name)).collect();
    let place = |fill: &str| drawn.iter().position(|tag| tag.attribute("fill") == Some(fill)).unwrap();
    let bars: Vec<usize> = (0..drawn.len())
        .filter(|&number| drawn[number].attribute("fill") == Some("url(#ball11bar)"))
        .collect();
    assert!(bars.len() > 5 && !svg.contains("NaN"));
    // The near half is on the left: some of it is drawn after the ball there, and some of the far half before the other.
    assert!(bars.last() > Some(&place("url(#ball00)")) && bars.first() < Some(&place("url(#ball22)")));
    // All along it is as wide as its radius, and has round ends.
    let widths: Vec<&str> = bars.iter().map(|&bar| drawn[bar].attribute("rx").unwrap()).collect();
    assert!(widths.iter().all(|width| *width == widths[0]));
}
