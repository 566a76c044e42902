//! `[domain]`, `[drag]` and `[[fields]]`: the space that bodies move in, and what pulls at them there.

use super::bodies::check_corners;
use super::timing::timed;
use crate::diagnostic::Problem;
use crate::form::{Any, Choice, Context, ListOf, Number, Positive, Vector, ZeroOrMore, table};
use crate::units::{Acceleration, Angle, Density, Frequency, Length, Pull, Ratio, Speed, Time, Viscosity};

/// An axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AxisName {
    /// x
    #[default]
    X,
    /// y
    Y,
    /// z
    Z,
}

table! {
    /// Periodic space: what leaves at one end comes back at the other.
    Domain {
        check check_domain;

        /// Lower ends of the axes; those of open axes have no meaning.
        low: [f64; 3] => Vector<Number<Length, Any>>, required, "[0, 0, 0]";
        /// Upper ends.
        high: [f64; 3] => Vector<Number<Length, Any>>, required, "[1, 1, 1]";
        /// The periodic axes; the others are open.
        periodic: Vec<AxisName> => ListOf<Choice<AxisName>, 1>, required, "[\"x\", \"y\"]";
    }
}

fn check_domain(domain: &Domain, context: &mut Context<'_>) {
    check_corners(domain.low, domain.high, &domain.places, context);
}

table! {
    /// A fluid around the bodies; each is dragged as the sphere of its volume. There is no buoyancy.
    Drag {
        check check_drag;

        /// Dynamic viscosity, for Stokes' linear force and torque.
        viscosity: f64 => ZeroOrMore<Viscosity>, default 0.0, "\"1 mPa s\"";
        /// Density of the fluid, for the quadratic force.
        density: f64 => ZeroOrMore<Density>, default 0.0, "1.2";
        /// Drag coefficient, for the quadratic force.
        coefficient: f64 => ZeroOrMore<Ratio>, default 0.0, "0.44";
        /// Velocity of the fluid.
        flow: [f64; 3] => Vector<Number<Speed, Any>>, default [0.0; 3], "[1, 0, 0]";
    }
}

fn check_drag(drag: &Drag, context: &mut Context<'_>) {
    let quadratic = [("density", drag.density), ("coefficient", drag.coefficient)];
    for ((key, value), (other, missing)) in [(quadratic[0], quadratic[1]), (quadratic[1], quadratic[0])] {
        if value > 0.0 && missing == 0.0 {
            let message = format!("`drag.{key}` has no effect without `drag.{other}`");
            context.report(Problem::warning(drag.places.key(key), message));
        }
    }
    if drag.viscosity == 0.0 && drag.density * drag.coefficient == 0.0 && !drag.places.has("density") {
        let message = "`drag` has neither a viscosity nor a density and a coefficient, so it does nothing";
        context.report(Problem::warning(drag.places.table(), message));
    }
}

timed! {
    /// A force on every body.
    Field {
        one_of ["uniform", "attraction"],

        /// The same acceleration everywhere, constant or oscillating.
        uniform: Uniform => Uniform, optional, "{ acceleration = [1, 0, 0], frequency = \"50 Hz\" }";
        /// A pull towards a point that grows with the distance.
        attraction: Attraction => Attraction, optional, "{ centre = [0, 0, 0], rate = 10 }";
    }
}

table! {
    /// The same acceleration everywhere.
    Uniform {
        /// The acceleration, or its amplitude.
        acceleration: [f64; 3] => Vector<Number<Acceleration, Any>>, required, "[1, 0, 0]";
        /// Times the sine of this frequency; constant if absent.
        frequency: f64 => Positive<Frequency>, optional, "\"50 Hz\"";
        /// Phase of that sine.
        phase: f64 => Number<Angle, Any>, default 0.0, "\"90 deg\"";
    }
}

table! {
    /// The acceleration `rate` times the way to the centre.
    Attraction {
        /// The point.
        centre: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, 0]";
        /// Acceleration per distance.
        rate: f64 => Number<Pull, Any>, required, "10";
    }
}

table! {
    /// Gravity at a time.
    GravityAt {
        /// The time.
        time: f64 => ZeroOrMore<Time>, required, "\"1 s\"";
        /// The acceleration then.
        value: [f64; 3] => Vector<Number<Acceleration, Any>>, required, "[0, 0, -9.81]";
    }
}
