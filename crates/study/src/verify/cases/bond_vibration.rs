//! A bonded cantilever that swings: its lowest frequency.

use crate::verify::arrange::{X, Y};
use crate::verify::beam::{Cantilever, FIRST, whole};
use crate::verify::citations::{KUZKIN_2012, LANDAU_1976};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use core::f64::consts::{PI, TAU};
use tumble_dem::bond::{Beam, BeamModel};
use tumble_report::Outcome;

setup! {
    /// Length
    length: 0.5, "m";
    /// Radius of the cross-section
    radius: 0.02, "m";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Speed of the tip, over length and lowest frequency
    swing: 1e-4, "";
}

pub(super) const CASE: Case = Case {
    id: "bond-vibration",
    title: "a cantilever of bonds swings",
    group: Group::Bonds,
    sources: &[KUZKIN_2012, LANDAU_1976],
    setup: "A row of bonded spheres is held at one end and given the velocities of its lowest mode; the times at which the tip passes through rest are \
            read for two swings. With 10 and 20 bonds.",
    exact: "ω = (βL)² √(EI/μL⁴) with cosh βL cos βL = −1, βL = 1.875104 and the mass μ of the spheres per length",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn cantilever(setup: Setup, bonds: u32) -> Cantilever {
    let Setup { length, radius, young, .. } = setup;
    let beam = Beam { model: BeamModel::BernoulliEuler, young, poisson: 0.25, radius };
    Cantilever { beam, length, bonds }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut errors = Vec::new();
    for bonds in [10, 20] {
        let exact = cantilever(theory, bonds).frequency();
        let found = frequency(&cantilever(simulation, bonds), theory.swing)?;
        errors.push(found / exact - 1.0);
        let reason = "masses at points, which turn as well; it falls with the square of the length of bonds";
        outcome.findings.push(equals(format!("{bonds} bonds: frequency (1/s)"), exact, found, 0.02, reason));
    }
    let (order, reason) = ((errors[0] / errors[1]).abs().log2(), "from 10 to 20 bonds");
    outcome.findings.push(equals("order in the length of bonds", 2.0, order, 0.1, reason));
    let (found, reason) = (errors[1].abs(), "with 20 bonds, whose spheres turn and stand for half the mass of a bond each");
    outcome.findings.push(crate::verify::theory::at_most("relative error with 20 bonds", found, 5e-3, reason));
    Ok(outcome)
}

/// Deflection and slope of the lowest mode, the tip deflected by 1; x over length.
fn mode(x: f64) -> [f64; 2] {
    let sigma = (FIRST.sinh() - FIRST.sin()) / (FIRST.cosh() + FIRST.cos());
    let at = |x: f64| {
        let b = FIRST * x;
        let deflection = b.cosh() - b.cos() - sigma * (b.sinh() - b.sin());
        let slope = FIRST * (b.sinh() + b.sin() - sigma * (b.cosh() - b.cos()));
        [deflection, slope]
    };
    let [tip, _] = at(1.0);
    at(x).map(|value| value / tip)
}

/// From the times at which the tip passes through rest, the first time at the start.
fn frequency(beam: &Cantilever, swing: f64) -> Result<f64, Error> {
    const SWINGS: u32 = 2;
    // Far less than a swing, so that the way between two looks is straight.
    const STRIDE: u64 = 20;
    let mut world = beam.world()?;
    let speed = swing * beam.length * beam.frequency();
    for (number, body) in (0_u32..).zip(&mut world.bodies).skip(1) {
        let [deflection, slope] = mode(f64::from(number) / f64::from(beam.bonds));
        body.velocity = X * (speed * deflection);
        body.angular_velocity = Y * (speed * slope / beam.length);
    }
    let mut engine = Cantilever::engine(world)?;
    let (tip, dt) = (beam.bonds as usize, engine.settings().dt);
    let most = whole(2.0 * f64::from(SWINGS) * TAU / beam.frequency() / dt);
    let (mut before, mut crossings) = (0.0, 0);
    for _ in 0..most / STRIDE {
        engine.advance(STRIDE)?;
        let now = engine.bodies()[tip].position.x;
        if now * before < 0.0 {
            crossings += 1;
            if crossings == 2 * SWINGS {
                let time = engine.time() - dt * STRIDE as f64 * now / (now - before);
                return Ok(f64::from(crossings) * PI / time);
            }
        }
        before = now;
    }
    Err(Error::Never { what: "the end of the last swing", steps: most })
}
