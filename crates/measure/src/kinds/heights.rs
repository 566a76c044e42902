//! The surface of a bed or a heap: how high it reaches in each of a row of strips or rings, and how steep it is.

use super::{Info, Measure, is_meant};
use crate::citations::BEAKAWI_2018;
use crate::{Ball, Column, Key, Options, Over, Region, View};
use std::borrow::Cow;
use tumble_dem::LabVec;
use tumble_math::elementary::atan2;

pub(super) const INFO: Info = Info {
    name: "heights",
    summary: "height profile of a bed or heap, and its angle of repose",
    citation: Some(BEAKAWI_2018),
    needs: &[Key::Region],
    takes: &[Key::Bins, Key::Along, Key::Up],
    columns: &[
        Column::mean(
            "angle",
            "deg",
            "slope of the straight line nearest to the tops of the strips or rings; up along `along`, or towards the middle",
        ),
        Column::mean("highest", "m", "the highest top"),
        Column::mean("height_N", "m", "the top of strip or ring N, counted from 1"),
    ],
    make: |options| Box::new(Heights::new(options)),
};

/// Strips where the scene does not say how many.
const BINS: usize = 10;

const WHAT: &str = "the top of a strip or ring";

#[derive(Debug)]
struct Heights {
    region: Option<Region>,
    up: LabVec<f64>,
    /// A unit vector across `up`; rings about the middle of the region if none.
    along: Option<LabVec<f64>>,
    bins: usize,
}

impl Heights {
    fn new(options: &Options) -> Self {
        let up = options.up.unwrap_or(LabVec::new(0.0, 0.0, 1.0)).unit();
        let along = options.along.map(|along| (along - up * along.dot(up)).unit());
        let bins = options.bins.and_then(|bins| usize::try_from(bins).ok()).unwrap_or(BINS).max(1);
        Self { region: options.region.clone(), up, along, bins }
    }

    /// How far a point is along the profile.
    fn place(&self, middle: LabVec<f64>, point: LabVec<f64>) -> f64 {
        let from_middle = point - middle;
        match self.along {
            Some(along) => from_middle.dot(along),
            None => (from_middle - self.up * from_middle.dot(self.up)).norm(),
        }
    }

    /// Where the profile begins, and where it ends.
    fn ends(&self, region: &Region) -> (f64, f64) {
        let [low, high] = region.bounds();
        let half = (high - low) * 0.5;
        let size = |direction: LabVec<f64>| {
            (direction.x * half.x).abs() + (direction.y * half.y).abs() + (direction.z * half.z).abs()
        };
        if let Some(along) = self.along {
            return (-size(along), size(along));
        }
        // The widest ring that fits into the box around the region.
        let across = self.up.farthest_axis().cross(self.up).unit();
        (0.0, size(across).min(size(self.up.cross(across))))
    }
}

impl Measure for Heights {
    fn columns(&self) -> Vec<Column> {
        let height = |number: usize| Column {
            name: Cow::Owned(format!("height_{number}")),
            unit: "m",
            over: Over::Mean,
            what: WHAT,
        };
        INFO.columns[..2].iter().cloned().chain((1..=self.bins).map(height)).collect()
    }

    fn sample(&mut self, now: &View<'_>, values: &mut Vec<f64>) {
        let mut tops: Vec<Option<(f64, f64)>> = vec![None; self.bins];
        if let Some(region) = &self.region {
            let (middle, (low, high)) = (region.middle(), self.ends(region));
            for body in now.bodies().iter().filter(|body| is_meant(Some(region), body)) {
                for Ball { centre, radius, .. } in now.balls(body) {
                    let (place, top) = (self.place(middle, centre), centre.dot(self.up) + radius);
                    let part = (place - low) / (high - low);
                    if !(0.0..1.0).contains(&part) {
                        continue;
                    }
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
                    let bin = &mut tops[((part * self.bins as f64) as usize).min(self.bins - 1)];
                    if bin.is_none_or(|(_, highest)| top > highest) {
                        *bin = Some((place, top));
                    }
                }
            }
        }
        let found: Vec<(f64, f64)> = tops.iter().flatten().copied().collect();
        let sign = if self.along.is_some() { 1.0 } else { -1.0 };
        values.push(slope(&found).map_or(f64::NAN, |slope| atan2(sign * slope, 1.0).to_degrees()));
        values.push(found.iter().map(|(_, top)| *top).reduce(f64::max).unwrap_or(f64::NAN));
        values.extend(tops.iter().map(|top| top.map_or(f64::NAN, |(_, top)| top)));
    }
}

/// The slope of the line of least squares through points; none if they are fewer than two, or one above the other.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / count, y / count);
    let square: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    let mixed: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (points.len() > 1 && square > 0.0).then(|| mixed / square)
}
