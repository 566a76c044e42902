//! The heavy top of Brüls, Cardona & Arnold 2012, integrated by the rotation library.

use crate::verify::citations::BRULS_2012;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, order_of};
use crate::verify::{Case, Error, Group};
use tumble_report::{Axis, Band, Figure, Finding, Mark, Outcome, Panel, Series};
use tumble_rotation::math::{BodyVec, LabVec, Quat};
use tumble_rotation::reference::HeavyTop;
use tumble_rotation::{PrincipalInertia, RotationScheme, Rotor, SchemeKind, SchemeVisitor, Spin};

setup! {
    /// Mass
    mass: 15.0, "kg";
    /// Moment of inertia about the axis
    axial: 0.468_75, "kg m²";
    /// Moment of inertia across it, about the centre
    across: 0.234_375, "kg m²";
    /// Distance of the centre from the fixed point
    arm: 1.0, "m";
    /// Gravity
    gravity: 9.81, "m/s²";
    /// Spin about the axis
    spin: 150.0, "rad/s";
    /// Spin about the last axis
    precession: -4.615_38, "rad/s";
    /// Smallest time step
    dt: 2.5e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "heavy-top",
    title: "a fast heavy top about a fixed point",
    group: Group::Rotation,
    sources: &[BRULS_2012],
    setup: "A top with one point fixed spins at 150 rad/s under gravity. It is integrated for 0.5 s with five schemes at \
            five time steps; its torque depends on the orientation, which shows what a scheme is worth.",
    exact: "energy 5435.6967908655 J; centre after 0.5 s at (−0.70246829705659, −0.021165184701923, −0.71140025765173) m, \
            by Taylor series in 25 digits",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const END: f64 = 0.5;
const CENTRE: LabVec<f64> = LabVec::new(-0.702_468_297_056_59, -0.021_165_184_701_923, -0.711_400_257_651_73);
const ENERGY: f64 = 5_435.696_790_865_5;

/// Schemes, their order with a torque that depends on orientation, and how near the smallest step must come.
const SCHEMES: [(SchemeKind, f64, f64); 5] = [
    (SchemeKind::MagnusLeapfrog, 2.0, 1e-6),
    (SchemeKind::KickRotateKick, 2.0, 1e-9),
    (SchemeKind::SpiralLeapfrog, 2.0, 1e-5),
    (SchemeKind::Dullweber, 2.0, 1e-6),
    (SchemeKind::RungeKutta4, 4.0, 1e-9),
];

impl Setup {
    fn top(&self) -> Result<HeavyTop, Error> {
        let steiner = self.across + self.mass * self.arm * self.arm;
        let start = Spin { q: Quat::identity(), omega: BodyVec::new(0.0, self.spin, self.precession) };
        let inertia = PrincipalInertia::new([steiner, self.axial, steiner])?;
        let weight = LabVec::new(0.0, 0.0, -self.mass * self.gravity);
        Ok(HeavyTop::new(inertia, BodyVec::new(0.0, self.arm, 0.0), weight, start)?)
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let top = simulation.top()?;
    let mut outcome = Outcome::default();
    let start = theory.top()?;
    outcome.findings.push(equals(
        "energy at the start (J)",
        ENERGY,
        start.energy(start.start()),
        1e-12,
        "nothing but rounding of the published digits",
    ));
    let (mut by_step, mut energies) = (Vec::new(), Vec::new());
    for (scheme, order, nearest) in SCHEMES {
        let (mut errors, mut drifts) = (Vec::new(), Vec::new());
        for halvings in 0..5 {
            let dt = simulation.dt * f64::from(1 << halvings);
            let (end, drift) = scheme.visit(Run { top, dt })?;
            errors.push((dt, (top.tip(end) - CENTRE).norm()));
            drifts.push((dt, drift));
        }
        let what = |text: &str| format!("{}: {text}", scheme.name());
        let reason =
            "three to twenty times the larger of the two at this step, which turns the top by 0.004 rad";
        outcome.findings.extend([
            at_most(what("centre after 0.5 s: error (m)"), errors[0].1, nearest, reason),
            at_most(what("energy: worst relative change"), drifts[0].1, nearest, reason),
        ]);
        // The three smallest steps, the largest of them first.
        let slopes: Vec<f64> = errors.iter().take(3).rev().map(|error| error.1).collect();
        outcome.findings.push(Finding::new(
            what("order of that error"),
            order,
            order_of(&slopes),
            Band::Between(order - 0.3, order + 0.3),
            "over a factor of four in the step",
        ));
        by_step.push(Series::new(scheme.name(), errors, Mark::LinePoints));
        energies.push(Series::new(scheme.name(), drifts, Mark::LinePoints));
    }
    let panel =
        |y: &str, series| Panel { title: String::new(), x: Axis::log("Δt (s)"), y: Axis::log(y), series };
    let panels =
        vec![panel("error of the centre (m)", by_step), panel("worst relative change of energy", energies)];
    outcome.figures.push(("heavy-top".into(), Figure { title: "heavy top, 0.5 s".into(), panels }));
    Ok(outcome)
}

/// The state at the end, and the largest relative change of energy on the way.
struct Run {
    top: HeavyTop,
    dt: f64,
}

impl SchemeVisitor for Run {
    type Output = Result<(Spin<f64>, f64), Error>;

    fn visit<S: RotationScheme>(self, scheme: S) -> Self::Output {
        let Self { top, dt } = self;
        let torque = |q, omega, _| top.torque(Spin { q, omega });
        let mut rotor = Rotor::new(scheme, top.inertia(), top.start(), dt, torque)?;
        let energy = top.energy(top.start());
        let mut drift = 0.0;
        let mut step = 0_u32;
        while rotor.time() + 0.5 * dt < END {
            rotor.step()?;
            step += 1;
            if step.is_multiple_of(16) {
                drift = largest([drift, (top.energy(rotor.state()) / energy - 1.0).abs()]);
            }
        }
        Ok((rotor.state(), drift))
    }
}
