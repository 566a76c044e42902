//! A free symmetric top: its axis goes round the angular momentum at a constant rate.

use crate::angle_between;
use crate::verify::arrange::{body_spin, first, free_body, spin_momentum};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::{BodyVec, Engine, LabVec, Quat, SchemeKind};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};
use tumble_rotation::Spin;
use tumble_rotation::citations::SEELEN_2016;
use tumble_rotation::reference::{self, SymmetricTop};

setup! {
    /// Moment of inertia about the axis
    axial: 1.0, "kg m²";
    /// Moment of inertia across it
    across: 2.0, "kg m²";
    /// Spin about the axis
    spin: 3.0, "rad/s";
    /// Spin across it
    wobble: 1.0, "rad/s";
    /// Duration
    duration: 20.0, "s";
    /// Time step
    dt: 0.005, "s";
}

pub(super) const CASE: Case = Case {
    id: "symmetric-top",
    title: "a free symmetric top precesses",
    group: Group::Rotation,
    sources: &[LANDAU_1976, SEELEN_2016],
    setup: "A body with two equal moments flies through the engine without any force, with two rotation schemes. The way \
            of its axis round the angular momentum is counted over all steps.",
    exact: "the axis goes round the angular momentum at L/I⊥, the spin round the axis at (1 − I∥/I⊥)ω∥ as seen from the \
            body; energy and angular momentum stay",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let momentum = (theory.axial * theory.spin).hypot(theory.across * theory.wobble);
    let (in_lab, in_body) = (momentum / theory.across, (1.0 - theory.axial / theory.across) * theory.spin);
    let start = Spin { q: Quat::identity(), omega: BodyVec::new(theory.spin, theory.wobble, 0.0) };
    let exact = SymmetricTop::new(reference::Axis::X, theory.axial, theory.across, start)?;
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick] {
        let course = Course::of(simulation, scheme)?;
        let what = |text: &str| format!("{}: {text}", scheme.name());
        let error = |&(t, q): &(f64, Quat<f64>)| (t, angle_between(q, exact.at(t).q));
        let errors: Vec<_> = course.orientations.iter().map(error).collect();
        let fourth = "free rotation is of fourth order in both schemes";
        outcome.findings.extend([
            equals(what("precession in the lab (rad/s)"), in_lab, course.in_lab, 1e-9, fourth),
            equals(what("precession in the body (rad/s)"), in_body, course.in_body, 1e-9, fourth),
            at_most(
                what("orientation: worst error (rad)"),
                largest(errors.iter().map(|e| e.1)),
                1e-8,
                fourth,
            ),
            at_most(
                what("angular momentum: worst change"),
                course.momentum_change / momentum,
                1e-9,
                "at most the order of the scheme; some keep it to rounding",
            ),
        ]);
        series.push(Series::new(scheme.name(), errors, Mark::LinePoints));
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("t (s)"),
        y: Axis::log("angle off the exact orientation (rad)"),
        series,
    };
    let figure = Figure { title: "free symmetric top".into(), panels: vec![panel] };
    outcome.figures.push(("symmetric-top".into(), figure));
    Ok(outcome)
}

/// What is measured in a run.
struct Course {
    /// Mean rates, rad/s.
    in_lab: f64,
    in_body: f64,
    orientations: Vec<(f64, Quat<f64>)>,
    momentum_change: f64,
}

impl Course {
    fn of(setup: Setup, scheme: SchemeKind) -> Result<Self, Error> {
        let moments = [setup.axial, setup.across, setup.across];
        let omega = BodyVec::new(setup.spin, setup.wobble, 0.0);
        let mut engine = free_body(moments, omega, scheme, setup.dt)?;
        let momentum = spin_momentum(&first(&engine));
        let axis = |engine: &Engine| first(engine).orientation.to_lab(BodyVec::new(1.0, 0.0, 0.0));
        let (mut lab, mut body) = (0.0, 0.0);
        let (mut axis_before, mut spin_before) = (axis(&engine), body_spin(&first(&engine)));
        let mut orientations = Vec::new();
        let mut momentum_change = 0.0;
        while engine.time() + 0.5 * setup.dt < setup.duration {
            engine.advance(1)?;
            let now = first(&engine);
            let (axis_now, spin_now) = (axis(&engine), body_spin(&now));
            lab += angle_about(momentum, axis_before, axis_now);
            let [y0, z0, y1, z1] = [spin_before.y, spin_before.z, spin_now.y, spin_now.z];
            body += (y0 * z1 - z0 * y1).atan2(y0 * y1 + z0 * z1);
            (axis_before, spin_before) = (axis_now, spin_now);
            momentum_change = largest([momentum_change, (spin_momentum(&now) - momentum).norm()]);
            if engine.steps() % 100 == 0 {
                orientations.push((engine.time(), now.orientation));
            }
        }
        let time = engine.time();
        Ok(Self { in_lab: lab / time, in_body: body.abs() / time, orientations, momentum_change })
    }
}

/// By which angle a vector has turned about an axis, rad.
fn angle_about(axis: LabVec<f64>, before: LabVec<f64>, after: LabVec<f64>) -> f64 {
    let unit = axis * (1.0 / axis.norm());
    let across = |v: LabVec<f64>| v - unit * v.dot(unit);
    let (a, b) = (across(before), across(after));
    a.cross(b).dot(unit).atan2(a.dot(b))
}
