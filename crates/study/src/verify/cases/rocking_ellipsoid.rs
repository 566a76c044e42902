//! An ellipsoid that rocks on a plane: small oscillations about the position in which it stands on its shortest semi-axis.
//!
//! With its centre at the height h(θ) above the plane, where h'' = a²/c − c at θ = 0 (the radius of curvature less the height), the potential is mgh.
//! On a smooth plane the centre goes straight up and down, and the kinetic energy is ½Iθ̇² at second order. On a rough one it rolls: the point of
//! contact is at rest, and the energy is ½(I + mc²)θ̇². So ω² = mg(a²/c − c)/(I + mc²), or without mc² (Landau & Lifshitz, § 21).

use crate::verify::arrange::{X, Z, add_floor, first, settings, world};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::equals;
use crate::verify::{Case, Error, Group};
use core::f64::consts::{PI, TAU};
use tumble_dem::clump::{ClumpEllipsoid, ClumpPieces, ClumpTemplate, MassModel};
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyVec, Engine, LabVec, MaterialId, Quat, SchemeKind, Settings};
use tumble_rotation::math::elementary::cbrt;
use tumble_report::Outcome;

setup! {
    /// Gravity
    gravity: 9.81, "m/s²";
    /// The semi-axis along which it rocks
    longest: 0.012, "m";
    /// The one across the plane in which it rocks
    middle: 0.009, "m";
    /// The one on which it stands
    shortest: 0.006, "m";
    /// Density
    density: 1500.0, "kg/m³";
    /// Young's modulus
    young: 1e9, "Pa";
    /// Angle at the start
    angle: 2e-3, "rad";
    /// Time step
    dt: 1e-5, "s";
}

pub(super) const CASE: Case = Case {
    id: "rocking-ellipsoid",
    title: "an ellipsoid rocks on a plane",
    group: Group::Shape,
    sources: &[LANDAU_1976],
    setup: "An ellipsoid that stands on its shortest semi-axis is let go when slightly tilted, on a smooth and on a rough plane.",
    exact: "ω² = mg(a²/c − c)/I on the smooth one; I + mc² instead of I where it rolls",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

const POISSON: f64 = 0.25;

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let (a, c) = (theory.longest, theory.shortest);
    // Divided by the mass.
    let inertia = 0.2 * (a * a + c * c);
    let period = |inertia: f64| TAU / (theory.gravity * (a * a / c - c) / inertia).sqrt();
    let smooth = equals(
        "period on the smooth plane (s)",
        period(inertia),
        rock(simulation, 0.0)?,
        2e-5,
        "the square of the angle and of the time step",
    );
    let rough = equals(
        "period on the rough plane (s)",
        period(inertia + c * c),
        rock(simulation, 5.0)?,
        5e-4,
        "springs give way along the plane by about as much as they are pressed in, a part 1e-4 of the height",
    );
    Ok(Outcome { findings: vec![smooth, rough], ..Outcome::default() })
}

/// Steps between two looks.
const STEPS: u32 = 10;

/// The mean of two periods.
fn rock(setup: Setup, friction: f64) -> Result<f64, Error> {
    let properties = PairProperties::new(1.0, friction);
    let mut world = world(Material::new("m", setup.density, setup.young, POISSON), properties);
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    world.gravity = Z * -setup.gravity;
    let axes = [setup.longest, setup.middle, setup.shortest];
    let pieces = ClumpPieces { ellipsoids: &[ClumpEllipsoid::new(axes)], ..ClumpPieces::default() };
    let template = world.add_template(ClumpTemplate::of("ellipsoid", pieces, MassModel::Union)?)?;
    // As deep as it rests: Hertz, with the radius of the sphere of its volume.
    let product = axes[0] * axes[1] * axes[2];
    let weight = setup.density * 4.0 / 3.0 * PI * product * setup.gravity;
    let stiffness = 4.0 / 3.0 * setup.young / (2.0 * (1.0 - POISSON * POISSON)) * cbrt(product).sqrt();
    let depth = cbrt(weight / stiffness);
    let height = setup.shortest - depth * depth;
    let tilt = Quat::from_rotation_vector(LabVec::new(0.0, setup.angle, 0.0));
    world.add_body(Body::at(template, Z * height).turned(tilt));
    let settings = Settings { rotation: SchemeKind::KickRotateKick.into(), ..settings(LawKind::HertzMindlin, setup.dt) };
    let mut engine = Engine::new(world, settings)?;
    let lean = |engine: &Engine| {
        let body = first(engine);
        body.orientation.to_lab(BodyVec::from_array(X.to_array())).z
    };
    let (mut passages, mut last) = (Vec::new(), lean(&engine));
    while passages.len() < 5 {
        engine.advance(STEPS.into())?;
        let now = lean(&engine);
        if last * now < 0.0 {
            passages.push(engine.time() - f64::from(STEPS) * setup.dt * now / (now - last));
        }
        last = now;
    }
    Ok(0.5 * (passages[4] - passages[0]))
}
