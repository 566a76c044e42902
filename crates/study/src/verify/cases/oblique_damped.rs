//! Alumina spheres that hit a plane at every angle, with dashpots: Chung & Ooi 2011, test 4, where they stick as well as where they
//! slide, and the same with a restitution that is far from one.

use crate::verify::arrange::Throw;
use crate::verify::citations::{CHUNG_2011, KHARAZ_2001};
use crate::verify::oblique::{Impact, damping_for, stiffness_ratio};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, relative_error};
use crate::verify::{Case, Error, Group};
use tumble_dem::LabVec;
use tumble_dem::citations::TSUJI_1992;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_report::{Axis, Cell, Figure, Mark, Outcome, Panel, Series, Table};

setup! {
    /// Radius
    radius: 0.0025, "m";
    /// Density
    density: 4000.0, "kg/m³";
    /// Young's modulus
    young: 380e9, "Pa";
    /// Poisson's ratio
    poisson: 0.23, "";
    /// Coefficient of friction
    friction: 0.092, "";
    /// Normal restitution of the benchmark
    restitution: 0.98, "";
    /// Normal restitution, low
    low: 0.5, "";
    /// Speed before the impact
    speed: 3.9, "m/s";
    /// Time steps in an elastic contact
    steps: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-damped",
    title: "an alumina sphere with dashpots sticks to a wall, or sticks and slides",
    group: Group::Impact,
    sources: &[CHUNG_2011, KHARAZ_2001, TSUJI_1992],
    setup: "As oblique-sliding, at angles from 2° to 80°, with the restitution of the benchmark and with 0.5. Points \
            that the benchmark shows, computed and measured, are drawn beside it.",
    exact: "the documented law with its dashpots as differential equations, integrated apart from the engine with \
            thirty times finer steps",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Angles to the normal, °.
const ANGLES: [u32; 18] = [2, 4, 6, 8, 10, 12, 14, 17, 20, 23, 26, 29, 32, 35, 40, 50, 65, 80];

/// What Chung & Ooi show for test 4: tangential restitution over the angle, by their program for alumina, and measured by Kharaz
/// et al.; as the developers of Kratos Multiphysics read them off the figure.
const PROGRAM: [(f64, f64); 13] = [
    (5.17, 0.948),
    (10.16, 0.687),
    (14.99, 0.624),
    (20.06, 0.616),
    (25.05, 0.634),
    (30.12, 0.684),
    (35.03, 0.737),
    (40.02, 0.781),
    (50.00, 0.845),
    (59.98, 0.893),
    (69.96, 0.932),
    (80.02, 0.966),
    (85.01, 0.983),
];
const MEASURED: [(f64, f64); 10] = [
    (2.24, 0.797),
    (4.22, 0.746),
    (9.84, 0.675),
    (20.22, 0.599),
    (30.36, 0.690),
    (39.54, 0.774),
    (49.60, 0.848),
    (71.07, 0.937),
    (79.23, 0.970),
    (85.17, 0.979),
];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut table = Table::new(
        "Rebound",
        &[
            "restitution",
            "angle_deg",
            "sliding_part",
            "tangential_restitution",
            "exact_restitution",
            "spin_rad_per_s",
            "exact_spin",
        ],
    );
    let (mut findings, mut series) = (Vec::new(), Vec::new());
    for (restitution, given) in [(theory.restitution, simulation.restitution), (theory.low, simulation.low)] {
        let impact = Impact {
            stiffness_ratio: stiffness_ratio(theory.poisson),
            friction: theory.friction,
            damping: damping_for(restitution),
        };
        let mut errors = [Vec::new(), Vec::new(), Vec::new()];
        let (mut points, mut at_10) = (Vec::new(), [f64::NAN; 2]);
        for degrees in ANGLES {
            let angle = f64::from(degrees).to_radians();
            let (slope, towards) = (angle.tan(), theory.speed * angle.cos());
            let exact = impact.rebound(slope);
            let after = rebound(simulation, given, angle)?;
            let tangential = after.velocity.x / (towards * slope);
            let exact_tangential = exact.along(slope) / slope;
            let exact_spin = exact.spin(slope) * towards / theory.radius;
            errors[0].push(relative_error(tangential, exact_tangential));
            errors[1].push(relative_error(after.angular_velocity.y, exact_spin));
            errors[2].push(relative_error(after.velocity.z, restitution * towards));
            if degrees == 10 {
                at_10 = [exact_tangential, tangential];
            }
            points.push((f64::from(degrees), tangential));
            table.rows.push(vec![
                Cell::Number(restitution),
                Cell::Count(degrees.into()),
                Cell::Number(exact.sliding),
                Cell::Number(tangential),
                Cell::Number(exact_tangential),
                Cell::Number(after.angular_velocity.y),
                Cell::Number(exact_spin),
            ]);
        }
        let [tangential, spin, normal] = errors.map(largest);
        let what = |text: &str| format!("e = {restitution}: {text}");
        let resolved = "1000 steps in a contact, second order, leave some 10⁻⁵; band fivefold";
        let little = "the same, of a spin that is small where it sticks: 4·10⁻⁵; band fivefold";
        findings.extend([
            equals(what("tangential restitution at 10°"), at_10[0], at_10[1], 4e-5, resolved),
            at_most(what("tangential restitution: worst error"), tangential, 4e-5, resolved),
            at_most(what("spin after: worst error"), spin, 2e-4, little),
            at_most(what("normal restitution: worst error"), normal, 4e-5, resolved),
        ]);
        let law = (1..=80).map(f64::from).map(|degrees: f64| {
            let slope = degrees.to_radians().tan();
            (degrees, impact.rebound(slope).along(slope) / slope)
        });
        series.push(Series::new(format!("law, e = {restitution}"), law.collect(), Mark::Line));
        series.push(Series::new(format!("ours, e = {restitution}"), points, Mark::LinePoints));
    }
    series.push(Series::new("Chung & Ooi", PROGRAM.to_vec(), Mark::Published));
    series.push(Series::new("measured", MEASURED.to_vec(), Mark::Published));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("angle to the normal (°)"),
        y: Axis::linear("tangential restitution"),
        series,
    };
    let figure = Figure { title: "alumina on a wall, 3.9 m/s".into(), panels: vec![panel] };
    Ok(Outcome {
        figures: vec![("oblique-damped".into(), figure)],
        tables: vec![("oblique-damped".into(), table)],
        findings,
    })
}

fn rebound(setup: Setup, restitution: f64, angle: f64) -> Result<tumble_dem::BodyState, Error> {
    let Setup { radius, density, young, poisson, friction, speed, steps, .. } = setup;
    let throw = Throw {
        material: Material::new("alumina", density, young, poisson),
        properties: PairProperties::new(restitution, friction),
        law: LawKind::HertzMindlin,
        radius,
        velocity: LabVec::new(speed * angle.sin(), 0.0, -speed * angle.cos()),
        spin: LabVec::zero(),
        steps,
    };
    throw.rebound()
}
