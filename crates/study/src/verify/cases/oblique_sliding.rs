//! Alumina spheres that hit a plane at every angle: Chung & Ooi 2011, test 4, where they slide to the end.

use crate::verify::arrange::Throw;
use crate::verify::citations::{CHUNG_2011, FOERSTER_1994, KHARAZ_2001};
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, equals, largest, relative_error};
use crate::verify::{Case, Error, Group};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::{BodyState, LabVec};
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
    /// Normal restitution
    restitution: 0.98, "";
    /// Coefficient of friction
    friction: 0.092, "";
    /// Speed before the impact
    speed: 3.9, "m/s";
    /// Time steps in an elastic contact
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "oblique-sliding",
    title: "an alumina sphere hits a wall at every angle",
    group: Group::Impact,
    sources: &[CHUNG_2011, KHARAZ_2001, FOERSTER_1994],
    setup: "A sphere without spin hits a plane of its own material with the same speed at angles from 5° to 85° to the \
            normal, with the Hertz–Mindlin law. The set-up is that of the experiments of Kharaz et al.",
    exact: "beyond 32.5° it slides to the end: tangential restitution 1 − μ(1 + e) cot θ, spin 5μ(1 + e) v cos θ/2R; \
            at any angle its angular momentum about the point of contact stays",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// From here on friction cannot stop the sliding, °.
const SLIDES_FROM: u32 = 35;

impl Setup {
    /// μ(1 + e): what the tangential velocity loses, over the normal velocity.
    fn lost(&self) -> f64 {
        self.friction * (1.0 + self.restitution)
    }

    fn tangential_restitution(&self, angle: f64) -> f64 {
        1.0 - self.lost() / angle.tan()
    }

    fn spin(&self, angle: f64) -> f64 {
        2.5 * self.lost() * self.speed * angle.cos() / self.radius
    }
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut table = Table::new(
        "Rebound",
        &[
            "angle_deg",
            "tangential_restitution",
            "exact_restitution",
            "spin_rad_per_s",
            "exact_spin",
            "normal_restitution",
        ],
    );
    let (mut restitution, mut spin) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let (mut errors, mut kept, mut normal) = ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
    let mut at_45 = [f64::NAN; 2];
    for degrees in (5..=85).step_by(5) {
        let angle = f64::from(degrees).to_radians();
        let along = theory.speed * angle.sin();
        let after = rebound(simulation, angle)?;
        let ours = [after.velocity.x / along, after.angular_velocity.y];
        let exact = [theory.tangential_restitution(angle), theory.spin(angle)];
        let slides = degrees >= SLIDES_FROM;
        if slides {
            for which in [0, 1] {
                errors[which].push(relative_error(ours[which], exact[which]));
            }
            restitution[0].push((f64::from(degrees), exact[0]));
            spin[0].push((f64::from(degrees), exact[1]));
        }
        if degrees == 45 {
            at_45 = ours;
        }
        restitution[1].push((f64::from(degrees), ours[0]));
        spin[1].push((f64::from(degrees), ours[1]));
        // v + 2/5 Rω, of which friction at the surface can change nothing.
        kept.push(((after.velocity.x + 0.4 * theory.radius * after.angular_velocity.y) / along - 1.0).abs());
        let rebound = after.velocity.z / (theory.speed * angle.cos());
        normal.push(relative_error(rebound, theory.restitution));
        let known = |exact: f64| if slides { Cell::Number(exact) } else { Cell::Empty };
        table.rows.push(vec![
            Cell::Count(degrees.into()),
            Cell::Number(ours[0]),
            known(exact[0]),
            Cell::Number(ours[1]),
            known(exact[1]),
            Cell::Number(rebound),
        ]);
    }
    let angle = 45_f64.to_radians();
    let resolved = "400 steps in a contact leave some 10⁻⁶ of friction and restitution; band twentyfold";
    let [restitution_errors, spin_errors] = errors;
    let findings = vec![
        equals(
            "tangential restitution at 45°",
            theory.tangential_restitution(angle),
            at_45[0],
            1e-4,
            resolved,
        ),
        equals("spin after at 45° (rad/s)", theory.spin(angle), at_45[1], 1e-4, resolved),
        at_most("tangential restitution, sliding: worst error", largest(restitution_errors), 1e-4, resolved),
        at_most("spin after, sliding: worst error", largest(spin_errors), 1e-4, resolved),
        at_most("normal restitution: worst error", largest(normal), 1e-4, resolved),
        at_most(
            "momentum about the contact: worst change",
            largest(kept),
            1e-11,
            "one force at one point does both: nothing but rounding",
        ),
    ];
    let panel = |title: &str, y: &str, [exact, ours]: [Vec<(f64, f64)>; 2]| Panel {
        title: title.into(),
        x: Axis::linear("angle to the normal (°)"),
        y: Axis::linear(y),
        series: vec![
            Series::new("exact, sliding", exact, Mark::Line),
            Series::new("ours", ours, Mark::LinePoints),
        ],
    };
    let panels = vec![
        panel("tangential restitution", "tangential restitution", restitution),
        panel("spin", "spin after (rad/s)", spin),
    ];
    let figure = Figure { title: "alumina on a wall, 3.9 m/s".into(), panels };
    Ok(Outcome {
        figures: vec![("oblique-sliding".into(), figure)],
        tables: vec![("oblique-sliding".into(), table)],
        findings,
    })
}

fn rebound(setup: Setup, angle: f64) -> Result<BodyState, Error> {
    let Setup { radius, density, young, poisson, restitution, friction, speed, steps } = setup;
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
