//! Simple parts of space and surfaces, which streams, outlets and measures have in common.

use crate::diagnostic::Problem;
use crate::form::{Any, Context, Number, Positive, Vector, table};
use crate::place::Places;
use crate::units::{Length, Ratio};
use tumble_dem::LabVec;
use tumble_dem::placement;

table! {
    /// A cylinder with its two ends.
    Tube {
        check check_tube;

        /// The middle of one end.
        from: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// The middle of the other.
        to: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 1]";
        /// Radius.
        radius: f64 => Positive<Length>, required, "\"10 cm\"";
    }
}

table! {
    /// A flat disc.
    Disc {
        check check_disc;

        /// The middle.
        centre: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 1]";
        /// Square to it, of any length.
        normal: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 0, 1]";
        /// Radius.
        radius: f64 => Positive<Length>, required, "\"10 cm\"";
    }
}

table! {
    /// A ball.
    Ball {
        /// The middle.
        centre: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Radius.
        radius: f64 => Positive<Length>, required, "\"10 cm\"";
    }
}

impl Tube {
    /// The region of the engine that it is.
    pub fn region(&self) -> placement::Region {
        let v = LabVec::from_array;
        placement::Region::Cylinder { from: v(self.from), to: v(self.to), radius: self.radius }
    }
}

fn check_tube(tube: &Tube, context: &mut Context<'_>) {
    check_length([tube.from, tube.to], &tube.places, context);
}

/// Something between `from` and `to`.
pub(super) fn check_length([from, to]: [[f64; 3]; 2], places: &Places, context: &mut Context<'_>) {
    if from.iter().zip(to).all(|(from, to)| from - to == 0.0) {
        let message = format!("`{}` has no length: its two ends are at one place", context.path());
        context.report(Problem::error(places.of("to"), message));
    }
}

fn check_disc(disc: &Disc, context: &mut Context<'_>) {
    check_normal(disc.normal, &disc.places, context);
}

pub(super) fn check_normal(normal: [f64; 3], places: &Places, context: &mut Context<'_>) {
    if normal.iter().all(|&component| component == 0.0) {
        let message =
            format!("`{}.normal` must not be the zero vector, which has no direction", context.path());
        context.report(Problem::error(places.of("normal"), message));
    }
}
