//! Dzhanibekov's wing nut: a body that spins about its middle axis turns over at regular intervals.

use crate::verify::arrange::{body_spin, first, free_body};
use crate::verify::citations::{ASHBAUGH_1991, LANDAU_1976};
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use core::f64::consts::FRAC_PI_2;
use tumble_dem::{BodyVec, SchemeKind};
use tumble_report::{Cell, Outcome, Table};

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
    dt: 0.005, "s";
}

pub(super) const CASE: Case = Case {
    id: "dzhanibekov",
    title: "a wing nut turns over every 19.55 s",
    group: Group::Rotation,
    sources: &[ASHBAUGH_1991, LANDAU_1976],
    setup: "A body is spun up about its middle axis with one per cent of disturbance. The instants at which the spin \
            about that axis changes its sign are interpolated; the mean of four intervals counts.",
    exact: "half a period is 2K(k)/λ with λ² = (I₃ − I₂)(L² − 2EI₁)/I₁I₂I₃ and 1 − k² = (I₃ − I₁)(L² − 2EI₂)/(I₃ − I₂)(L² − \
            2EI₁); K by the arithmetic–geometric mean",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Intervals that are averaged.
const INTERVALS: u32 = 4;
/// Far more than the intervals take.
const MOST_STEPS: u64 = 1_000_000;

impl Setup {
    /// From one flip to the next, s.
    fn interval(&self) -> f64 {
        let (mut moments, mut omega) =
            ([self.smallest, self.middle, self.largest], [self.first, self.second, self.third]);
        // L² − 2E I, from terms that do not cancel where they need not.
        let excess = |moments: [f64; 3], omega: [f64; 3], about: f64| -> f64 {
            moments.iter().zip(omega).map(|(m, w)| m * (m - about) * w * w).sum()
        };
        if excess(moments, omega, moments[1]) < 0.0 {
            // The spin circles the axis of the smallest moment instead.
            moments.reverse();
            omega.reverse();
        }
        let [a, b, c] = moments;
        let rate = ((c - b) * excess(moments, omega, a) / (a * b * c)).abs().sqrt();
        let complement = (c - a) * excess(moments, omega, b) / ((c - b) * excess(moments, omega, a));
        2.0 * quarter_period(complement.sqrt()) / rate
    }
}

/// K of the complementary modulus: π/2 over the arithmetic–geometric mean of it and 1.
fn quarter_period(complementary: f64) -> f64 {
    let (mut a, mut g) = (1.0_f64, complementary);
    // The digits double each time.
    for _ in 0..10 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    FRAC_PI_2 / a
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = theory.interval();
    let mut outcome = Outcome::default();
    let mut table = Table::new("Instants of the flips", &["scheme", "flip", "t_s", "interval_s"]);
    for scheme in [SchemeKind::MagnusLeapfrog, SchemeKind::KickRotateKick, SchemeKind::Dullweber] {
        let flips = flips(simulation, scheme)?;
        let ours = (flips[flips.len() - 1] - flips[0]) / f64::from(INTERVALS);
        for (number, t) in flips.iter().enumerate() {
            let interval = if number == 0 { None } else { Some(t - flips[number - 1]) };
            let cells = [Cell::Count(number as u64 + 1), Cell::Number(*t), Cell::optional(interval)];
            table.rows.push([scheme.name().into()].into_iter().chain(cells).collect());
        }
        outcome.findings.push(equals(
            format!("{}: from flip to flip (s)", scheme.name()),
            exact,
            ours,
            if scheme == SchemeKind::Dullweber { 1e-5 } else { 1e-8 },
            "the interval depends on the logarithm of the disturbance, which errors of each step change; axis splitting \
             is of second order, the others of fourth",
        ));
    }
    outcome.tables.push(("dzhanibekov".into(), table));
    Ok(outcome)
}

/// When the spin about the middle axis changes its sign, s.
fn flips(setup: Setup, scheme: SchemeKind) -> Result<Vec<f64>, Error> {
    let moments = [setup.smallest, setup.middle, setup.largest];
    let omega = BodyVec::new(setup.first, setup.second, setup.third);
    let mut engine = free_body(moments, omega, scheme, setup.dt)?;
    let mut flips = Vec::new();
    let mut before = omega.y;
    for _ in 0..MOST_STEPS {
        engine.advance(1)?;
        let now = body_spin(&first(&engine)).y;
        if before * now < 0.0 {
            flips.push(engine.time() - setup.dt * now / (now - before));
            if flips.len() > INTERVALS as usize {
                return Ok(flips);
            }
        }
        before = now;
    }
    Err(Error::Never { what: "the last flip", steps: MOST_STEPS })
}
