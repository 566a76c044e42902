//! `walls.slides` and `walls.turns`: walls that move by themselves, as bodies and a drive push them.

use super::timing::timed;
use crate::form::{Any, Flag, Number, Numbers, Positive, Vector, ZeroOrMore, table};
use crate::units::{
    Angle, Area, Damping, Force, Inertia, Length, Mass, Pressure, Ratio, Torque, TurningDamping,
};

timed! {
    /// A wall that slides by itself: a piston, a lid, a plate that holds a force or a pressure. `start`, `stop`, `ramp` and `table` say how much of the force or pressure there is when.
    Slides {
        one_of [],

        /// The direction in which it slides, of any length.
        along: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 0, -1]";
        /// Its mass, which also weighs.
        mass: f64 => Positive<Mass>, required, "\"2 kg\"";
        /// The force that drives it, along the direction; the bodies bear it when it has come to rest.
        force: f64 => Number<Force, Any>, optional, "\"100 N\"";
        /// Instead: the pressure with which it drives, on `area`.
        pressure: f64 => Number<Pressure, Any>, optional, "\"10 kPa\"";
        /// The area that the pressure acts on.
        area: f64 => Positive<Area>, optional, "\"100 cm^2\"";
        /// What slows it down, per speed.
        damping: f64 => ZeroOrMore<Damping>, default 0.0, "\"50 N s/m\"";
        /// How far back and forth it can go from where it was drawn; as far as it likes if absent. A stop takes its speed.
        between: [f64; 2] => Numbers<Number<Length, Any>, 2>, optional, "[0, \"20 cm\"]";
        /// Whether gravity pulls at it.
        weighs: bool => Flag, default true, "false";
    }
}

timed! {
    /// A wall that turns by itself: a gate on hinges, a paddle that a motor turns with a given torque. `start`, `stop`, `ramp` and `table` say how much of the torque there is when.
    Turns {
        one_of [],

        /// Direction of the axis, of any length; the right-hand rule gives the sense.
        axis: [f64; 3] => Vector<Number<Ratio, Any>>, required, "[0, 1, 0]";
        /// A point on the axis.
        pivot: [f64; 3] => Vector<Number<Length, Any>>, default [0.0; 3], "[0, 0, 0]";
        /// Its moment of inertia about the axis.
        inertia: f64 => Positive<Inertia>, required, "\"0.01 kg m^2\"";
        /// The torque that drives it.
        torque: f64 => Number<Torque, Any>, default 0.0, "\"0.5 N m\"";
        /// What slows it down, per angular speed.
        damping: f64 => ZeroOrMore<TurningDamping>, default 0.0, "\"0.02 N m s\"";
        /// How far back and forth it can turn from where it was drawn; as far as it likes if absent. A stop takes its speed.
        between: [f64; 2] => Numbers<Number<Angle, Any>, 2>, optional, "[0, \"90 deg\"]";
        /// Its mass, if it weighs; then `centre` says where.
        mass: f64 => Positive<Mass>, optional, "\"0.5 kg\"";
        /// Its centre of mass, where it was drawn.
        centre: [f64; 3] => Vector<Number<Length, Any>>, optional, "[0, 0, -0.1]";
    }
}
