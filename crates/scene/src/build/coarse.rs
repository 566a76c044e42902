//! Coarse-grained fields: their grids, and what a periodic domain allows.

use super::measures::{check_names, intervals};
use crate::diagnostic::Problem;
use crate::keys::{CoarseField, SceneKeys};
use tumble_dem::LabVec;
use tumble_dem::domain::Domain;
use tumble_measure::coarse::{CoarseSpec, Grid};

/// Frames of a whole run, where nothing else is said.
const FRAMES: u64 = 20;

/// The coarse-grained fields of a scene, for a run of so many steps; the keys get their intervals in steps. What is wrong is among the
/// problems.
pub(super) fn coarse(
    keys: &mut SceneKeys,
    domain: &Domain,
    dt: f64,
    steps: u64,
    problems: &mut Vec<Problem>,
) -> Vec<CoarseSpec> {
    let names = keys.coarse_fields.iter().map(|field| (&*field.name, &field.places));
    check_names(names, "coarse-grained fields", "files are named after it", problems);
    let mut specs = Vec::with_capacity(keys.coarse_fields.len());
    for (number, field) in keys.coarse_fields.iter_mut().enumerate() {
        let path = format!("coarse_fields.{number}");
        let CoarseField { every, window, places, .. } = field;
        let (every, window) = intervals((every, window), places, &path, (dt, steps, FRAMES), problems);
        check_reach(field, &path, domain, problems);
        specs.push(CoarseSpec { name: field.name.clone(), grid: grid(field), every, window });
    }
    specs
}

fn grid(field: &CoarseField) -> Grid {
    let cells = field.cells.map(|cells| usize::try_from(cells).unwrap_or(usize::MAX));
    let smoothing = u32::try_from(field.smoothing).unwrap_or(u32::MAX);
    Grid::new(LabVec::from_array(field.low), LabVec::from_array(field.high), cells, smoothing)
}

/// Of a body only the images next to the domain are looked at.
fn check_reach(field: &CoarseField, path: &str, domain: &Domain, problems: &mut Vec<Problem>) {
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let (length, side) = (domain.lengths()[axis], (field.high[axis] - field.low[axis]));
        let reach = 2.0 * field.smoothing as f64 * side / field.cells[axis] as f64;
        if field.cells[axis] > 1 && reach > length {
            let message = format!(
                "`{path}.smoothing` reaches {reach:.4e} m along {name}, further than the periodic domain is long"
            );
            let problem = Problem::error(field.places.of("smoothing"), message);
            problems.push(problem.label(format!("the domain has {length:.4e} m")).help(
                "take more cells or less smoothing; along an axis with one cell fields are means over all of it",
            ));
        }
    }
}
