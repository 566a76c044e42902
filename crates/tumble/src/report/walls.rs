//! `walls.csv` as curves: how hard the bodies press on each wall and turn it, and what moving walls spend.

use super::columns::Columns;
use super::curve::{over_time, panel};
use std::path::Path;
use tumble_report::{Axis, Figure, Outcome, Section};

/// Walls with curves of their own: those that feel most.
const MOST_WALLS: usize = 8;

/// What walls feel over time.
pub(super) struct Walls {
    walls: Vec<Wall>,
}

struct Wall {
    name: String,
    /// s
    time: Vec<f64>,
    /// N
    force: Vec<f64>,
    /// About the wall's origin, Nm.
    torque: Vec<f64>,
    /// W
    power: Vec<f64>,
    /// Along its way, of one that moves by itself, m or rad.
    moved: Vec<f64>,
}

impl Walls {
    /// Reads the file; the error is a sentence that names it.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let mut table = Columns::open(path)?;
        let (time, name, power) = (table.place("time_s")?, table.place("wall")?, table.place("power_W")?);
        let force = [table.place("force_x_N")?, table.place("force_y_N")?, table.place("force_z_N")?];
        let moved = table.place("moved_m_or_rad")?;
        let torque = [table.place("torque_x_Nm")?, table.place("torque_y_Nm")?, table.place("torque_z_Nm")?];
        let mut walls: Vec<Wall> = Vec::new();
        // Rows of an instant are in the order of the walls, so the next row is of the next wall.
        let mut next = 0;
        while let Some(row) = table.next()? {
            let known = walls.get(next).is_some_and(|wall| wall.name == row[name]);
            if !known {
                let found = walls.iter().position(|wall| wall.name == row[name]);
                next = found.unwrap_or_else(|| {
                    let [time, force, torque, power, moved] = [const { Vec::new() }; 5];
                    walls.push(Wall { name: row[name].clone(), time, force, torque, power, moved });
                    walls.len() - 1
                });
            }
            let size = |places: [usize; 3]| {
                let mut square = 0.0;
                for place in places {
                    let part = table.number(&row, place)?;
                    square += part * part;
                }
                Ok::<f64, String>(square.sqrt())
            };
            let wall = &mut walls[next];
            wall.time.push(table.number(&row, time)?);
            wall.force.push(size(force)?);
            wall.torque.push(size(torque)?);
            wall.power.push(table.number(&row, power)?);
            wall.moved.push(table.number(&row, moved)?);
            next = (next + 1) % walls.len();
        }
        Ok(Self { walls })
    }

    /// The section; none if no wall ever felt anything.
    pub(super) fn section(&self) -> Option<Section> {
        let largest =
            |values: &[f64]| values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
        let mut pressed: Vec<&Wall> = self.walls.iter().filter(|wall| largest(&wall.force) > 0.0).collect();
        let left_out = pressed.len().saturating_sub(MOST_WALLS);
        pressed.sort_by(|a, b| largest(&b.force).total_cmp(&largest(&a.force)));
        pressed.truncate(MOST_WALLS);
        if pressed.is_empty() {
            return None;
        }
        let forces = pressed.iter().map(|wall| over_time(&wall.name, &wall.time, &wall.force)).collect();
        // A single curve has no legend.
        let on = |what: &str| match pressed.as_slice() {
            [wall] => format!("{what} {}", wall.name),
            _ => what.split(' ').next().unwrap_or_default().to_owned(),
        };
        let mut panels = vec![panel(&on("force on"), Axis::linear("size of the force (N)"), forces)];
        let turned = pressed.iter().filter(|wall| largest(&wall.torque) > 0.0);
        let torques: Vec<_> = turned.map(|wall| over_time(&wall.name, &wall.time, &wall.torque)).collect();
        if !torques.is_empty() {
            let label = "size of the torque about the wall's origin (N m)";
            panels.push(panel(&on("torque on"), Axis::linear(label), torques));
        }
        let moving = pressed.iter().filter(|wall| largest(&wall.power) > 0.0);
        let powers: Vec<_> = moving.map(|wall| over_time(&wall.name, &wall.time, &wall.power)).collect();
        if !powers.is_empty() {
            panels.push(panel(&on("power of"), Axis::linear("power put in (W)"), powers));
        }
        let free = pressed.iter().filter(|wall| largest(&wall.moved) > 0.0);
        let ways: Vec<_> = free.map(|wall| over_time(&wall.name, &wall.time, &wall.moved)).collect();
        if !ways.is_empty() {
            panels.push(panel(&on("way of"), Axis::linear("moved by itself (m or rad)"), ways));
        }
        let title = match left_out {
            0 => "What the bodies exert on the walls over time.".to_owned(),
            _ => format!(
                "What the bodies exert on the {MOST_WALLS} walls that feel most; {left_out} others are not shown."
            ),
        };
        let outcome =
            Outcome { figures: vec![("walls".into(), Figure { title, panels })], ..Outcome::default() };
        Some(Section { title: "Walls".into(), outcome, ..Section::default() })
    }
}
