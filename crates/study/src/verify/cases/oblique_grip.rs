//! Steel spheres that hit a plane at every angle, without loss but by friction: Chung & Ooi 2011, test 5, where they
//! stick, and where they stick and slide in one impact.

use crate::verify::arrange::Throw;
use crate::verify::citations::{CHUNG_2011, MAW_1976};
use crate::verify::oblique::{Impact, stiffness_ratio};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, relative_error};
use crate::verify::{Case, Error, Group, maw};
use tumble_dem::LabVec;
use tumble_dem::citations::MINDLIN_1949;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_report::{Axis, Band, Cell, Figure, Finding, Mark, Outcome, Panel, Series, Table};

setup! {
    /// Radius
    radius: 1e-5, "m";
    /// Density
    density: 7850.0, "kg/m³";
    /// Young's modulus
    young: 208e9, "Pa";
    /// Poisson's ratio
    poisson: 0.3, "";
    /// Coefficient of friction
    friction: 0.3, "";
    /// Velocity towards the wall
    towards: 5.0, "m/s";
    /// Time steps in a contact
    steps: 1000.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-grip",
    title: "a steel sphere sticks to a wall, or sticks and slides",
    group: Group::Impact,
    sources: &[CHUNG_2011, MAW_1976, MINDLIN_1949],
    setup: "An elastic sphere without spin hits a plane of its own material with the same normal velocity at angles from 2° to \
            80° to the normal, with the Hertz–Mindlin law. The theory of Maw et al., in which parts of the contact \
            area slip, and published points are drawn beside it.",
    exact: "the documented law as differential equations, integrated apart from the engine with thirty times finer steps",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Angles to the normal, °.
const ANGLES: [u32; 24] =
    [2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46, 49, 52, 55, 58, 62, 70, 80];

/// The largest incidence that is drawn, over μ.
const WIDEST: f64 = 10.0;

/// What Chung & Ooi show for test 5: the velocity of the surface along the plane before and after over μvₙ, by their program and by
/// finite elements; as the developers of Kratos Multiphysics read them off the figure.
const PROGRAM: [(f64, f64); 14] = [
    (0.066, -0.080),
    (0.332, -0.280),
    (0.671, -0.493),
    (1.009, -0.747),
    (1.335, -1.000),
    (1.662, -1.267),
    (2.000, -1.533),
    (2.350, -1.813),
    (2.991, -2.440),
    (3.341, -2.693),
    (4.006, -2.787),
    (4.997, -2.000),
    (6.000, -1.013),
    (9.988, 3.013),
];
const FINITE_ELEMENTS: [(f64, f64); 15] = [
    (0.006, -0.027),
    (0.272, -0.027),
    (0.586, -0.027),
    (0.876, -0.080),
    (1.190, -0.213),
    (1.553, -0.373),
    (1.915, -0.627),
    (2.314, -0.947),
    (2.785, -1.253),
    (3.317, -1.520),
    (3.970, -1.720),
    (4.755, -1.707),
    (5.758, -1.200),
    (7.124, 0.133),
    (9.118, 2.147),
];

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let impact =
        Impact { stiffness_ratio: stiffness_ratio(theory.poisson), friction: theory.friction, damping: 0.0 };
    let mut table = Table::new(
        "Rebound, in units of the normal velocity",
        &["angle_deg", "sliding_part", "surface", "exact_surface", "maw_surface", "spin", "exact_spin"],
    );
    let mut errors = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    let (mut kept, mut gripping) = (Vec::new(), 0.0);
    let mut ours_curve = Vec::new();
    let (mut at_10, mut exact_at_10) = ([f64::NAN; 2], [f64::NAN; 2]);
    for degrees in ANGLES {
        let slope = f64::from(degrees).to_radians().tan();
        let exact = impact.rebound(slope);
        let after = rebound(simulation, slope)?;
        let (along, spin) =
            (after.velocity.x / theory.towards, after.angular_velocity.y * theory.radius / theory.towards);
        let surface = along - spin;
        let full = maw::rebound(impact.stiffness_ratio, theory.friction, slope);
        errors[0].push((along - exact.along(slope)).abs());
        errors[1].push(relative_error(along, exact.along(slope)));
        errors[2].push(relative_error(spin, exact.spin(slope)));
        errors[3].push(relative_error(after.velocity.z, theory.towards));
        kept.push(((along + 0.4 * spin) / slope - 1.0).abs());
        if exact.sliding < 0.9 {
            gripping += 1.0;
        }
        if degrees == 10 {
            at_10 = [along / slope, after.angular_velocity.y];
            exact_at_10 = [exact.along(slope) / slope, exact.spin(slope) * theory.towards / theory.radius];
        }
        let over_friction = slope / theory.friction;
        if over_friction <= WIDEST {
            ours_curve.push((over_friction, surface / theory.friction));
        }
        let numbers = [exact.sliding, surface, exact.surface, full, spin, exact.spin(slope)];
        let mut row = vec![Cell::Count(degrees.into())];
        row.extend(numbers.map(Cell::Number));
        table.rows.push(row);
    }
    let [velocity, restitution, spin, normal] = errors.map(largest);
    let resolved = "1000 steps in a contact, second order, leave some 10⁻⁵; band fivefold";
    let little = "the same, of a spin that is small where it sticks: 4·10⁻⁵; band fivefold";
    let findings = vec![
        equals("tangential restitution at 10°", exact_at_10[0], at_10[0], 4e-5, resolved),
        equals("spin after at 10° (rad/s)", exact_at_10[1], at_10[1], 2e-4, little),
        at_most("velocity along the wall, over vₙ: worst error", velocity, 2e-5, resolved),
        at_most("tangential restitution: worst error", restitution, 4e-5, resolved),
        at_most("spin after: worst error", spin, 2e-4, little),
        at_most(
            "velocity off the wall: worst error",
            normal,
            1e-6,
            "the first and the last kick are corrected",
        ),
        at_most(
            "momentum about the contact: worst change",
            largest(kept),
            1e-11,
            "one force at one point does both: nothing but rounding",
        ),
        Finding::alone(
            "angles at which it does not slide nearly all the time",
            gripping,
            Band::AtLeast(10.0),
            "sliding alone is judged in other cases",
        ),
    ];
    let curve = |count: u32, surface: &dyn Fn(f64) -> f64| -> Vec<(f64, f64)> {
        let point = |x: f64| (x, surface(x * theory.friction) / theory.friction);
        (1..=count).map(|i| point(WIDEST * f64::from(i) / f64::from(count))).collect()
    };
    let law = curve(100, &|slope| impact.rebound(slope).surface);
    let full = curve(50, &|slope| maw::rebound(impact.stiffness_ratio, theory.friction, slope));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("surface velocity before, over μvₙ"),
        y: Axis::linear("surface velocity after, over μvₙ"),
        series: vec![
            Series::new("law, integrated apart", law, Mark::Line),
            Series::new("ours", ours_curve, Mark::LinePoints),
            Series::new("Maw et al.", full, Mark::Line),
            Series::new("finite elements", FINITE_ELEMENTS.to_vec(), Mark::Published),
            Series::new("Chung & Ooi", PROGRAM.to_vec(), Mark::Published),
        ],
    };
    let figure = Figure { title: "steel on a wall, 5 m/s".into(), panels: vec![panel] };
    Ok(Outcome {
        figures: vec![("oblique-grip".into(), figure)],
        tables: vec![("oblique-grip".into(), table)],
        findings,
    })
}

fn rebound(setup: Setup, slope: f64) -> Result<tumble_dem::BodyState, Error> {
    let Setup { radius, density, young, poisson, friction, towards, steps } = setup;
    let throw = Throw {
        material: Material::new("steel", density, young, poisson),
        properties: PairProperties::new(1.0, friction),
        law: LawKind::HertzMindlin,
        radius,
        velocity: LabVec::new(towards * slope, 0.0, -towards),
        spin: LabVec::zero(),
        steps,
    };
    throw.rebound()
}
