//! `energy.csv` as curves: where the energy of a run is, and how far its books are off.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use tumble_report::{Axis, Figure, Mark, Panel, Series};

/// The energies of a run over time.
#[derive(Debug, Default)]
pub(crate) struct Energies {
    /// s
    time: Vec<f64>,
    /// J, in the order of [`CURVES`].
    curves: [Vec<f64>; CURVES.len()],
    /// Relative error of the balance.
    error: Vec<f64>,
    /// Sum of the numbers of bodies of all rows.
    bodies: f64,
}

/// Names of curves, and the columns that each is the sum of.
const CURVES: [(&str, &[&str]); 7] = [
    ("translation", &["translational_J"]),
    ("rotation", &["rotational_J"]),
    ("kinetic", &["translational_J", "rotational_J"]),
    ("potential", &["gravitational_J"]),
    ("elastic", &["elastic_normal_J", "elastic_tangential_J", "elastic_rolling_J"]),
    ("dissipated", &["normal_damping_J", "tangential_damping_J", "sliding_J", "rolling_J", "drag_J"]),
    ("put in", &["wall_work_J", "field_work_J", "hand_work_J", "exchanged_J"]),
];

/// Places among them: translation and rotation come before their sum.
const KINETIC: usize = 2;
const POTENTIAL: usize = 3;
const ELASTIC: usize = 4;

const ERROR: &str = "relative_balance_error";

impl Energies {
    /// Reads the file; the error is a sentence that names it.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let bad = |what: String| format!("{}: {what}", path.display());
        let file = File::open(path).map_err(|error| bad(error.to_string()))?;
        let mut lines = BufReader::new(file).lines();
        let header = lines.next().and_then(Result::ok).unwrap_or_default();
        let columns: Vec<&str> = header.split(',').collect();
        let place = |name: &str| {
            let found = columns.iter().position(|column| *column == name);
            found.ok_or_else(|| bad(format!("it has no column {name}")))
        };
        let (time, error, bodies) = (place("time_s")?, place(ERROR)?, place("bodies")?);
        let mut parts: [Vec<usize>; CURVES.len()] = Default::default();
        for (places, (_, names)) in parts.iter_mut().zip(CURVES) {
            *places = names.iter().map(|name| place(name)).collect::<Result<_, _>>()?;
        }
        let mut energies = Self::default();
        for (number, line) in lines.enumerate() {
            let line = line.map_err(|error| bad(error.to_string()))?;
            let row: Option<Vec<f64>> = line.split(',').map(|field| field.parse().ok()).collect();
            let row = row.filter(|row| row.len() == columns.len());
            let row = row.ok_or_else(|| bad(format!("line {} is not a row of numbers", number + 2)))?;
            energies.time.push(row[time]);
            energies.error.push(row[error]);
            energies.bodies += row[bodies];
            for (curve, places) in energies.curves.iter_mut().zip(&parts) {
                curve.push(places.iter().map(|&place| row[place]).sum());
            }
        }
        // From the origin it has no meaning; from its lowest value it can be compared with the others.
        let lowest = energies.curves[POTENTIAL].iter().copied().fold(f64::INFINITY, f64::min);
        energies.curves[POTENTIAL].iter_mut().for_each(|value| *value -= lowest);
        Ok(energies)
    }

    /// The relative error of the balance at the end, and the largest.
    pub(crate) fn errors(&self) -> Option<(f64, f64)> {
        let largest = self.error.iter().fold(0.0, |largest: f64, error| largest.max(error.abs()));
        self.error.last().map(|&last| (last, largest))
    }

    /// How many bodies there were on average.
    pub(crate) fn mean_bodies(&self) -> Option<f64> {
        (!self.time.is_empty()).then(|| self.bodies / self.time.len() as f64)
    }

    /// Where the energy is: those curves that are not zero throughout.
    ///
    /// Kinetic energy is split where there is little else to see: bodies that only bounce.
    pub(crate) fn panel(&self) -> Panel {
        let size = |curve: &Vec<f64>| curve.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
        let largest = self.curves.iter().map(size).fold(0.0, f64::max);
        // Rounding errors are nothing to look at.
        let is_there = |place: usize| size(&self.curves[place]) > 1e-12 * largest;
        let only_bounce = (POTENTIAL..CURVES.len()).all(|place| place == ELASTIC || !is_there(place));
        let is_shown =
            |place: &usize| is_there(*place) && (*place > KINETIC || (*place < KINETIC) == only_bounce);
        let series = |place: usize| self.series(CURVES[place].0, &self.curves[place]);
        let series = (0..CURVES.len()).filter(is_shown).map(series).collect();
        Panel { title: String::new(), x: time_axis(), y: Axis::linear("energy, J"), series }
    }

    /// The energies, and the error of their balance.
    pub(crate) fn figure(&self, title: &str) -> Figure {
        // Its size: it changes sign, and by powers of ten.
        let size: Vec<f64> = self.error.iter().map(|error| error.abs()).collect();
        let error = Panel {
            title: String::new(),
            x: time_axis(),
            y: Axis::log("relative error of the balance"),
            series: vec![self.series("error", &size)],
        };
        Figure { title: title.to_owned(), panels: vec![self.panel(), error] }
    }

    fn series(&self, name: &str, curve: &[f64]) -> Series {
        let points: Vec<(f64, f64)> = self.time.iter().copied().zip(curve.iter().copied()).collect();
        Series::new(name, thinned(&points), Mark::Line)
    }
}

fn time_axis() -> Axis {
    Axis::linear("time, s")
}

/// More points than this cannot be told apart in a figure.
const MOST_POINTS: usize = 2000;

/// The curve with fewer points: of each stretch the lowest and the highest, so that no peak is lost.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= MOST_POINTS {
        return points.to_vec();
    }
    let stretch = points.len().div_ceil(MOST_POINTS / 2);
    let mut thin = Vec::with_capacity(MOST_POINTS);
    for stretch in points.chunks(stretch) {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends = [stretch.iter().min_by(by_height), stretch.iter().max_by(by_height)];
        let [Some(&low), Some(&high)] = ends else { continue };
        thin.extend(if low.0 <= high.0 { [low, high] } else { [high, low] });
    }
    thin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_curves_keep_their_peaks_and_their_order() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[12_345].1 = 7.0;
        points[67_890].1 = -3.0;
        let thin = thinned(&points);
        assert!(thin.len() <= MOST_POINTS && thin.len() > MOST_POINTS / 3, "{}", thin.len());
        assert!(thin.contains(&(12_345.0, 7.0)) && thin.contains(&(67_890.0, -3.0)));
        assert!(thin.is_sorted_by(|a, b| a.0 <= b.0));
        assert_eq!(thinned(&points[..10]), points[..10]);
    }
}
