//! `[[coarse_fields]]`: fields on a grid, made of bodies and contacts while a run goes on.

use super::Every;
use super::bodies::check_corners;
use super::measure::check_name;
use super::output::EveryForm;
use crate::diagnostic::Problem;
use crate::form::{Any, Context, Number, Numbers, Text, Vector, Whole, table};
use crate::units::Length;

/// Cells of one grid: with their sums and those of the frame before, half a gigabyte.
const MOST_CELLS: u64 = 1_000_000;

table! {
    /// Coarse-grained fields on a grid: files of this name in the folder `fields` of the results.
    CoarseField {
        check check_coarse;

        /// What they are called: letters, digits, `-` and `_`. Files are named after it.
        name: String => Text, required, "\"profile\"";
        /// Lower corner of the grid.
        low: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Upper corner of the grid.
        high: [f64; 3] => Vector<Number<Length, Any>>, required, "[1, 1, 1]";
        /// Cells along x, y and z. Along an axis with one cell fields are means over the whole length: `[40, 1, 20]` is a plane, `[1, 1, 20]` a line.
        cells: [u64; 3] => Numbers<Whole<1, 100_000>, 3>, required, "[1, 1, 20]";
        /// Width of the smoothing function, in cells: from knot to knot of a cubic B-spline, which reaches twice as far.
        smoothing: u64 => Whole<1, 1000>, default 1, "2";
        /// How often it looks: a time, or a number of steps; about 20 times in the whole run if absent, or 10 times in a window.
        every: Every => EveryForm, optional, "\"1 ms\"";
        /// Time or number of steps over which its samples are averaged, for a frame each; without, every sample is a frame.
        window: Every => EveryForm, optional, "\"50 ms\"";
    }
}

fn check_coarse(field: &CoarseField, context: &mut Context<'_>) {
    check_name(&field.name, &field.places, "files are named after it", context);
    check_corners(field.low, field.high, &field.places, context);
    let path = context.path();
    let cells = field.cells.into_iter().fold(1_u64, u64::saturating_mul);
    if cells > MOST_CELLS {
        let message = format!("`{path}.cells` makes {cells} cells, and a grid can have {MOST_CELLS}");
        context.report(
            Problem::error(field.places.of("cells"), message)
                .label("too many")
                .help("take larger cells, a smaller box, or a plane: `cells` with a 1 in it"),
        );
    }
}
