//! A bonded-particle model for rock — Potyondy & Cundall 2004: Lac du Bonnet granite, crushed and split.

mod history;
mod specimen;

pub(super) mod brazilian;
pub(super) mod compression;

use super::published::Published;
use crate::verify::POTYONDY_2004;
use tumble_report::{Ball, Snapshot, Surface};

/// What is published of the model in three dimensions and of the rock.
fn published() -> Published {
    Published::parse(include_str!("../../../../../papers/bonded-particles-2004/published/granite.csv"))
}

/// Where bonds broke in a specimen.
fn picture(cracks: &[history::Crack], [low, high]: [[f64; 3]; 2], radius: f64, caption: String) -> Snapshot {
    let ball = |(body, crack): (usize, &history::Crack)| Ball {
        centre: crack.place,
        radius,
        group: usize::from(crack.sheared),
        body,
    };
    // Bit by bit the number of a corner is its place along x, y and z.
    let corner =
        |corner: u8| [0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { high[axis] } else { low[axis] });
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let walls = vec![Surface {
        points: (0..8).map(corner).collect(),
        triangles: faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }];
    let balls = cracks.iter().enumerate().map(ball).collect();
    let groups = ["broken in tension", "broken in shear"].map(str::to_owned).to_vec();
    Snapshot { caption, balls, groups, walls, ..Snapshot::default() }
}
