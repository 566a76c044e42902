//! `[cell]`: a periodic domain that deforms.

use crate::diagnostic::Problem;
use crate::form::{Any, Choice, Context, Number, Positive, ZeroOrMore, table};
use crate::keys::AxisName;
use crate::units::{Frequency, Length, Mass, Pressure, Ratio, Viscosity};

table! {
    /// A periodic domain that deforms: lengths that are prescribed, or pressures that are held, along each axis. Bodies move with it, and their velocities are those that are left without that motion.
    Cell {
        check check_cell;

        /// What becomes of its length along x; it stays if absent.
        x: AxisControl => AxisControl, optional, "{ rate = \"-0.1 1/s\" }";
        /// The same along y.
        y: AxisControl => AxisControl, optional, "{ pressure = \"10 kPa\" }";
        /// The same along z.
        z: AxisControl => AxisControl, optional, "{ pressure = \"10 kPa\" }";
        /// Whether its layers slide over each other; with a pressure across them, say.
        shear: ShearControl => ShearControl, optional, "{ flow = \"x\", gradient = \"z\", rate = \"1 1/s\" }";
        /// Inertia of each axis that holds a pressure; that of all bodies if absent.
        mass: f64 => Positive<Mass>, optional, "\"1 kg\"";
        /// What resists a change of length of axes that hold a pressure, as a fluid would: the pressure by this is the fastest rate. Nothing if absent.
        viscosity: f64 => ZeroOrMore<Viscosity>, optional, "\"1000 Pa s\"";
    }
}

table! {
    /// What becomes of the length of an axis: either `rate` or `pressure`.
    AxisControl {
        check check_control;

        /// How fast it grows by its present length; negative where it becomes shorter.
        rate: f64 => Number<Frequency, Any>, optional, "\"-0.1 1/s\"";
        /// The length at which that stops.
        until: f64 => Positive<Length>, optional, "\"8 cm\"";
        /// Instead: the pressure along the axis that it holds, of contacts and motion together. Compression is positive.
        pressure: f64 => Number<Pressure, Any>, optional, "\"10 kPa\"";
    }
}

table! {
    /// Simple shear: the space moves along one axis, the faster the farther it is along another one.
    ShearControl {
        check check_shear;

        /// Along which axis it moves.
        flow: AxisName => Choice<AxisName>, required, "\"x\"";
        /// Along which axis it does so the faster.
        gradient: AxisName => Choice<AxisName>, required, "\"z\"";
        /// How much faster by the distance; negative for the other way.
        rate: f64 => Number<Frequency, Any>, required, "\"1 1/s\"";
        /// The strain, rate by time, at which that stops; positive for either way.
        until: f64 => Positive<Ratio>, optional, "2.5";
    }
}

fn check_shear(shear: &ShearControl, context: &mut Context<'_>) {
    if shear.flow == shear.gradient {
        let message = "the `flow` of a shear is along one axis, and its `gradient` along another one";
        context.report(Problem::error(shear.places.key("gradient"), message));
    }
}

fn check_control(control: &AxisControl, context: &mut Context<'_>) {
    if control.rate.is_some() == control.pressure.is_some() {
        let message = "an axis of a cell has either a `rate` or a `pressure`";
        context.report(Problem::error(control.places.table(), message));
    }
    if control.until.is_some() && control.rate.is_none() {
        let message = "`until` has no effect without `rate`";
        context.report(Problem::warning(control.places.key("until"), message));
    }
}

fn check_cell(cell: &Cell, context: &mut Context<'_>) {
    let axes = [&cell.x, &cell.y, &cell.z];
    if axes.iter().all(|axis| axis.is_none()) && cell.shear.is_none() {
        let message = "`cell` says nothing of any axis or of a shear, so it does nothing";
        context.report(Problem::warning(cell.places.table(), message));
    }
    if axes.into_iter().flatten().any(|axis| axis.pressure.is_some()) {
        return;
    }
    for key in ["mass", "viscosity"].into_iter().filter(|key| cell.places.has(key)) {
        let message = format!("`cell.{key}` has no effect where no axis holds a pressure");
        context.report(Problem::warning(cell.places.key(key), message));
    }
}
