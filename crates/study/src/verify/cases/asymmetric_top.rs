//! A free body with three different moments: Jacobi's elliptic functions, orientation included.

use crate::angle_between;
use crate::verify::arrange::{body_spin, first, free_body};
use crate::verify::citations::{LANDAU_1976, VAN_ZON_2007};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::{BodyVec, Quat, SchemeKind};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};
use tumble_rotation::citations::CELLEDONI_2008;
use tumble_rotation::reference::FreeBody;
use tumble_rotation::{PrincipalInertia, Spin};

setup! {
    /// Smallest moment of inertia
    smallest: 1.0, "kg m²";
    /// Middle moment of inertia
    middle: 2.0, "kg m²";
    /// Largest moment of inertia
    largest: 3.0, "kg m²";
    /// Spin about the first axis
    first: 0.01, "rad/s";
    /// Spin about the middle axis
    second: 1.0, "rad/s";
    /// Spin about the last axis
    third: 0.01, "rad/s";
    /// Time step
    dt: 0.01, "s";
}

pub(super) const CASE: Case = Case {
    id: "asymmetric-top",
    title: "a free body with three different moments",
    group: Group::Rotation,
    sources: &[VAN_ZON_2007, LANDAU_1976, CELLEDONI_2008],
    setup: "A body flies through the engine without any force for 40 s, two flips, with two rotation schemes. It begins \
            close to the unstable middle axis, where errors grow fastest.",
    exact: "ω by Jacobi's elliptic functions, orientation by the integral of the third kind; the numbers at t = 1 s were \
            computed by Taylor series in 25 digits",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// After 1 s, from Taylor series in arithmetic of 25 digits.
const OMEGA_AT_1: [f64; 3] = [0.001_148_329_195_002_186, 1.000_049_339_452_839, 0.008_191_838_620_238_527];
const Q_AT_1: [f64; 4] =
    [0.877_561_966_547_391, 0.002_526_241_386_958_486, 0.479_434_520_841_925_4, 0.004_599_260_701_876_518];

impl Setup {
    fn moments(&self) -> [f64; 3] {
        [self.smallest, self.middle, self.largest]
    }

    fn omega(&self) -> BodyVec<f64> {
        BodyVec::new(self.first, self.second, self.third)
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let start = Spin { q: Quat::identity(), omega: theory.omega() };
    let exact = FreeBody::new(PrincipalInertia::new(theory.moments())?, start)?;
    let mut outcome = Outcome::default();
    let (mut errors, mut courses) = (Vec::new(), Vec::new());
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick] {
        let mut engine = free_body(simulation.moments(), simulation.omega(), scheme, simulation.dt)?;
        let (mut angles, mut middle, mut spins) = (Vec::new(), Vec::new(), Vec::new());
        let mut at_1 = (BodyVec::zero(), Quat::identity());
        for second in 1..=40 {
            while engine.time() + 0.5 * simulation.dt < f64::from(second) {
                engine.advance(1)?;
            }
            let (t, body) = (engine.time(), first(&engine));
            let (ours, expected) = (body_spin(&body), exact.at(t));
            if second == 1 {
                at_1 = (ours, body.orientation);
            }
            angles.push((t, angle_between(body.orientation, expected.q)));
            spins.push((ours - expected.omega).norm());
            middle.push((t, ours.y));
        }
        let what = |text: &str| format!("{}: {text}", scheme.name());
        let reason = "of fourth order, and amplified near the unstable axis";
        let early = "of fourth order, before anything is amplified";
        let spin_error = (at_1.0 - BodyVec::from_array(OMEGA_AT_1)).norm();
        outcome.findings.extend([
            equals(what("middle spin at 1 s (rad/s)"), OMEGA_AT_1[1], at_1.0.y, 1e-11, early),
            at_most(what("spin at 1 s: error (rad/s)"), spin_error, 1e-11, early),
            at_most(
                what("orientation at 1 s: error (rad)"),
                angle_between(at_1.1, Quat::from_array(Q_AT_1)),
                1e-11,
                early,
            ),
            at_most(
                what("orientation, 40 s: worst error (rad)"),
                largest(angles.iter().map(|a| a.1)),
                1e-7,
                reason,
            ),
            at_most(what("spin, 40 s: worst error (rad/s)"), largest(spins), 1e-7, reason),
        ]);
        errors.push(Series::new(scheme.name(), angles, Mark::LinePoints));
        courses.push(Series::new(scheme.name(), middle, Mark::LinePoints));
    }
    let curve = (0..=400).map(|i| 0.1 * f64::from(i)).map(|t| (t, exact.omega(t).y)).collect();
    courses.insert(0, Series::new("exact", curve, Mark::Line));
    let panel =
        |title: &str, y: Axis, series| Panel { title: title.into(), x: Axis::linear("t (s)"), y, series };
    let panels = vec![
        panel("spin about the middle axis", Axis::linear("spin (rad/s)"), courses),
        panel("error", Axis::log("angle off the exact orientation (rad)"), errors),
    ];
    let figure = Figure { title: "free asymmetric top".into(), panels };
    outcome.figures.push(("asymmetric-top".into(), figure));
    Ok(outcome)
}
