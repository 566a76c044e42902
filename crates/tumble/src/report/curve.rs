//! Curves over time, with no more points than can be told apart.

use tumble_report::{Axis, Mark, Panel, Series};

/// More points than this cannot be told apart in a figure.
const MOST_POINTS: usize = 800;

/// The label of the axis of all curves over time.
pub(super) const TIME: &str = "time (s)";

/// A curve over time.
pub(super) fn over_time(name: &str, time: &[f64], values: &[f64]) -> Series {
    let points: Vec<(f64, f64)> = time.iter().copied().zip(values.iter().copied()).collect();
    Series::new(name, thinned(&points), Mark::Line)
}

/// Curves over time in a panel.
pub(super) fn panel(title: &str, y: Axis, series: Vec<Series>) -> Panel {
    Panel { title: title.into(), x: Axis::linear(TIME), y, series }
}

/// The curve with fewer points: of each stretch the lowest and the highest, so that no peak is lost.
pub(super) fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
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
