//! A sphere that sticks to the wall it hits swings on its tangential spring: the super-ball.

use crate::verify::arrange::Throw;
use crate::verify::setup::setup;
use crate::verify::theory::at_most;
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use tumble_dem::LabVec;
use tumble_dem::citations::{CUNDALL_1979, SCHAEFER_1996};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::property::STIFFNESS_RATIO;
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius
    radius: 0.02, "m";
    /// Density
    density: 1100.0, "kg/m³";
    /// Normal stiffness
    stiffness: 1e5, "N/m";
    /// Smallest ratio of tangential to normal stiffness
    smallest: 0.05, "";
    /// Largest ratio of tangential to normal stiffness
    largest: 1.0, "";
    /// Velocity along the wall
    along: 1.0, "m/s";
    /// Velocity towards the wall
    towards: 2.0, "m/s";
    /// Time steps in a contact
    steps: 4000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-sticking",
    title: "a rubber ball sticks to a wall while it touches",
    group: Group::Impact,
    sources: &[SCHAEFER_1996, CUNDALL_1979],
    setup: "An elastic ball that cannot slide hits a wall obliquely, with linear springs of twenty ratios of stiffness. \
            At 2/7 its surface turns right round, as that of a super-ball.",
    exact: "the surface swings with the mass 2m/7 for half a period of the normal spring: its velocity u becomes \
            u cos(π√(7kₜ/2kₙ))",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const COUNT: u32 = 20;

impl Setup {
    fn ratio(&self, number: u32) -> f64 {
        let part = f64::from(number) / f64::from(COUNT - 1);
        self.smallest * (1.0 - part) + self.largest * part
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let exact = |ratio: f64| (PI * (3.5 * ratio).sqrt()).cos();
    let (mut worst, mut kept, mut points) = (0.0_f64, 0.0_f64, Vec::new());
    let mut super_ball = f64::NAN;
    for number in 0..=COUNT {
        // The last one is the super-ball.
        let is_last = number == COUNT;
        let [ratio, given] =
            [theory, simulation].map(|setup| if is_last { 2.0 / 7.0 } else { setup.ratio(number) });
        let Setup { radius, density, stiffness, along, towards, steps, .. } = simulation;
        let rubber = Material::new("rubber", density, 1e7, 0.49).with(&STIFFNESS_RATIO, given);
        let throw = Throw {
            material: rubber.with_stiffness(stiffness),
            properties: PairProperties::new(1.0, 1e4),
            law: LawKind::Linear,
            radius,
            velocity: LabVec::new(along, 0.0, -towards),
            spin: LabVec::zero(),
            steps,
        };
        let after = throw.rebound()?;
        let surface = (after.velocity.x - after.angular_velocity.y * theory.radius) / theory.along;
        if is_last {
            super_ball = surface;
        } else {
            points.push((ratio, surface));
        }
        worst = crate::verify::theory::largest([worst, (surface - exact(ratio)).abs()]);
        let momentum = (after.velocity.x + 0.4 * theory.radius * after.angular_velocity.y) / theory.along;
        kept = crate::verify::theory::largest([kept, (momentum - 1.0).abs()]);
    }
    let reason = "the last step of the contact is cut off anywhere: first order, 4000 steps";
    let findings = vec![
        at_most("surface velocity: worst error", worst, 1e-3, reason),
        at_most(
            "super-ball, kₜ/kₙ = 2/7: error",
            (super_ball + 1.0).abs(),
            1e-7,
            "the swing turns round as the contact ends",
        ),
        at_most("momentum about the contact: worst change", kept, 1e-12, "nothing but rounding"),
    ];
    let curve = (0..=200)
        .map(|i| theory.smallest + (theory.largest - theory.smallest) * f64::from(i) / 200.0)
        .map(|ratio| (ratio, exact(ratio)))
        .collect();
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("kₜ/kₙ"),
        y: Axis::linear("surface velocity after over before"),
        series: vec![Series::new("exact", curve, Mark::Line), Series::new("ours", points, Mark::LinePoints)],
    };
    let figure = Figure { title: "a ball that sticks while it touches".into(), panels: vec![panel] };
    Ok(Outcome { figures: vec![("oblique-sticking".into(), figure)], findings, ..Outcome::default() })
}
