//! `[cell]`: a periodic domain that deforms.

use crate::diagnostic::Problem;
use crate::form::{Any, Choice, Context, Number, Positive, ZeroOrMore, table};
use crate::keys::AxisName;
use crate::units::{Frequency, Length, Mass, Pressure, Ratio, Time, Viscosity};

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
        /// Inertia of each axis that holds a pressure and of a shear that holds a stress; that of all bodies if absent.
        mass: f64 => Positive<Mass>, optional, "\"1 kg\"";
        /// What resists a change of length of axes that hold a pressure, and a shear that holds a stress, as a fluid would: the stress by this is the fastest rate. Nothing if absent.
        viscosity: f64 => ZeroOrMore<Viscosity>, optional, "\"1000 Pa s\"";
    }
}

table! {
    /// What becomes of the length of an axis: either `rate` or `pressure`, or the one after the other.
    AxisControl {
        check check_control;

        /// How fast it grows by its present length; negative where it becomes shorter. Beside `pressure`: from the time `from` on.
        rate: f64 => Number<Frequency, Any>, optional, "\"-0.1 1/s\"";
        /// The length at which that stops.
        until: f64 => Positive<Length>, optional, "\"8 cm\"";
        /// Instead, or before: the pressure along the axis that it holds, of contacts and motion together. Compression is positive.
        pressure: f64 => Number<Pressure, Any>, optional, "\"10 kPa\"";
        /// When an axis that holds a pressure begins to be strained at its `rate` instead.
        from: f64 => ZeroOrMore<Time>, optional, "\"0.2 s\"";
    }
}

table! {
    /// Simple shear: the space moves along one axis, the faster the farther it is along another one. Either with a `rate`, or until a `stress` is borne.
    ShearControl {
        one_of ["rate", "stress"];
        check check_shear;

        /// Along which axis it moves.
        flow: AxisName => Choice<AxisName>, required, "\"x\"";
        /// Along which axis it does so the faster.
        gradient: AxisName => Choice<AxisName>, required, "\"z\"";
        /// How much faster by the distance; negative for the other way.
        rate: f64 => Number<Frequency, Any>, optional, "\"1 1/s\"";
        /// The strain, rate by time, at which that stops; positive for either way.
        until: f64 => Positive<Ratio>, optional, "2.5";
        /// Instead: the shear stress that bodies are to bear, of contacts and motion together; positive along the flow, above the middle.
        stress: f64 => Number<Pressure, Any>, optional, "\"1 kPa\"";
    }
}

fn check_shear(shear: &ShearControl, context: &mut Context<'_>) {
    if shear.flow == shear.gradient {
        let message = "the `flow` of a shear is along one axis, and its `gradient` along another one";
        context.report(Problem::error(shear.places.key("gradient"), message));
    }
    if shear.until.is_some() && shear.rate.is_none() {
        let message = "`until` has no effect without `rate`";
        context.report(Problem::warning(shear.places.key("until"), message));
    }
}

fn check_control(control: &AxisControl, context: &mut Context<'_>) {
    let both = control.rate.is_some() && control.pressure.is_some();
    if control.rate.is_none() && control.pressure.is_none() || both && control.from.is_none() {
        let message = "an axis of a cell has either a `rate` or a `pressure`, or both and `from`";
        let help =
            "with both, the pressure is held until the time `from`, and the axis is strained from then on";
        context.report(Problem::error(control.places.table(), message).help(help));
    }
    if control.from.is_some() && !both {
        let message = "`from` has no effect without both a `pressure`, which is held before, and a `rate`, for the time after";
        context.report(Problem::warning(control.places.key("from"), message));
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
    let stressed = cell.shear.as_ref().is_some_and(|shear| shear.stress.is_some());
    if stressed || axes.into_iter().flatten().any(|axis| axis.pressure.is_some()) {
        return;
    }
    for key in ["mass", "viscosity"].into_iter().filter(|key| cell.places.has(key)) {
        let message = format!("`cell.{key}` has no effect where nothing holds a pressure or a shear stress");
        context.report(Problem::warning(cell.places.key(key), message));
    }
}
