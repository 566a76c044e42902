//! How many others each body touches.

use super::{Info, Measure, is_meant, ratio};
use crate::citations::THORNTON_2000;
use crate::{Column, Key, Region, View};
use tumble_dem::Touching;

pub(super) const INFO: Info = Info {
    name: "coordination",
    summary: "mean coordination numbers: what bodies touch, with and without walls and rattlers",
    citation: Some(THORNTON_2000),
    needs: &[],
    takes: &[Key::Region],
    columns: &[
        Column::mean("bodies", "", "other bodies that a body touches, on average"),
        Column::mean("bodies_and_walls", "", "bodies and walls that a body touches, on average"),
        Column::mean(
            "mechanical",
            "",
            "the same without rattlers: bodies that touch at most one thing, and the touches that they make",
        ),
        Column::mean("rattlers", "", "the part of the bodies that touch at most one thing"),
        Column::mean("contacts", "", "points of contact of a body, on average: clumps may touch at several"),
    ],
    make: |options| Box::new(Coordination { region: options.region.clone() }),
};

#[derive(Debug)]
struct Coordination {
    region: Option<Region>,
}

impl Measure for Coordination {
    fn columns(&self) -> Vec<Column> {
        INFO.columns.to_vec()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let bodies = now.bodies();
        let mut points = vec![0_u32; bodies.len()];
        // Which body touches which other thing, a wall behind all bodies.
        let mut touches: Vec<(usize, u64)> = Vec::new();
        for contact in now.contacts() {
            for side in now.sides(contact) {
                let Some(place) = now.place(side.body.id) else { continue };
                let with = match side.with {
                    Touching::Body(id, _) => u64::from(id.0),
                    Touching::Wall(wall) => u64::from(u32::MAX) + 1 + u64::from(wall.0),
                };
                points[place] += 1;
                touches.push((place, with));
            }
        }
        touches.sort_unstable();
        touches.dedup();
        let mut degree = vec![[0_u32; 2]; bodies.len()];
        for (place, with) in &touches {
            degree[*place][0] += u32::from(u32::try_from(*with).is_ok());
            degree[*place][1] += 1;
        }
        let is_rattler = |place: usize| degree[place][1] <= 1;
        // Touches of a body that does not rattle, but for those with rattlers.
        let mut firm = vec![0_u32; bodies.len()];
        for (place, with) in &touches {
            let other = u32::try_from(*with).ok().and_then(|id| now.place(tumble_dem::BodyId(id)));
            if !is_rattler(*place) && !other.is_some_and(is_rattler) {
                firm[*place] += 1;
            }
        }
        let (mut meant, mut firm_count, mut sums) = (0, 0, [0.0; 4]);
        for (place, _) in bodies.iter().enumerate().filter(|(_, body)| is_meant(self.region.as_ref(), body)) {
            meant += 1;
            sums[0] += f64::from(degree[place][0]);
            sums[1] += f64::from(degree[place][1]);
            sums[2] += f64::from(firm[place]);
            sums[3] += f64::from(points[place]);
            firm_count += usize::from(!is_rattler(place));
        }
        values.extend([ratio(sums[0], meant), ratio(sums[1], meant), ratio(sums[2], firm_count)]);
        values.push(ratio((meant - firm_count) as f64, meant));
        values.push(ratio(sums[3], meant));
    }
}
