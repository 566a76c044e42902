//! A rod that hits a smooth wall with its end: the impulse of a rigid body at every angle.

use crate::verify::arrange::{
    Z, add_clump, add_floor, contact_time, damped_laws, first, settings, through_contact, world,
};
use crate::verify::citations::STRONGE_2000;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest, sphere_mass};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::shapes;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, BodyState, Engine, LabVec, MaterialId, Quat};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius of the three spheres
    radius: 0.005, "m";
    /// Distance of their centres
    spacing: 0.008, "m";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e9, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e6, "N/m";
    /// Restitution
    restitution: 0.8, "";
    /// Speed, so low that the rod hardly turns while it touches
    speed: 0.02, "m/s";
    /// Time steps in the elastic contact of one sphere
    steps: 400.0, "";
}

pub(super) const CASE: Case = Case {
    id: "rod-on-wall",
    title: "a rod of three spheres hits a smooth wall with its end",
    group: Group::Impact,
    sources: &[STRONGE_2000],
    setup: "A clump of three overlapping spheres, not turning, hits a plane without friction at angles from 10° to 90° \
            between its axis and the plane. Its mass and moments are those of the union.",
    exact: "impulse J = m(1 + e)v/(1 + m r²/I), r being the distance of the contact from the centre along the wall; \
            spin after r J/I",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut impulses = Vec::new();
    let mut exact_curve = Vec::new();
    for law in damped_laws() {
        let (mut impulse_errors, mut spin_errors, mut points) = (Vec::new(), Vec::new(), Vec::new());
        exact_curve.clear();
        for degrees in (10..=90).step_by(10) {
            let angle = f64::from(degrees).to_radians();
            let after = rebound(simulation, law, angle)?;
            // Principal moments ascend: the last is one across the axis.
            let (mass, moment) = (after.mass, after.moments.z);
            let lever = theory.spacing * angle.cos();
            let weight = 1.0 + mass * lever * lever / moment;
            let exact = mass * (1.0 + theory.restitution) * theory.speed / weight;
            let ours = mass * (after.velocity.z + theory.speed);
            let free = mass * theory.speed;
            impulse_errors.push((ours - exact).abs() / free);
            // The end that is hit is below, towards −x.
            spin_errors.push(
                (after.angular_velocity.y - lever * exact / moment).abs() * theory.spacing / theory.speed,
            );
            exact_curve.push((f64::from(degrees), exact / free));
            points.push((f64::from(degrees), ours / free));
        }
        let reason =
            "the rod turns by some 10⁻⁴ while it touches, and 400 steps resolve the dashpot to as much";
        outcome.findings.push(at_most(
            format!("{}: impulse over mv: worst error", law.name()),
            largest(impulse_errors),
            1e-3,
            reason,
        ));
        outcome.findings.push(at_most(
            format!("{}: spin times spacing over v: worst error", law.name()),
            largest(spin_errors),
            1e-3,
            reason,
        ));
        impulses.push(Series::new(law.name(), points, Mark::LinePoints));
    }
    impulses.insert(0, Series::new("exact", exact_curve, Mark::Line));
    let panel = Panel {
        title: String::new(),
        x: Axis::linear("angle between axis and wall (°)"),
        y: Axis::linear("impulse over mv"),
        series: impulses,
    };
    let figure = Figure { title: "a rod hits a smooth wall".into(), panels: vec![panel] };
    outcome.figures.push(("rod-on-wall".into(), figure));
    Ok(outcome)
}

fn rebound(setup: Setup, law: LawKind, angle: f64) -> Result<BodyState, Error> {
    let Setup { radius, spacing, density, young, poisson, stiffness, restitution, speed, steps } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(restitution, 0.0));
    let rod = add_clump(&mut world, &shapes::rod(3, radius, spacing))?;
    add_floor(&mut world, MaterialId(0), Motion::fixed())?;
    let dt = contact_time(&world.materials, law, (radius, sphere_mass(density, radius)), speed)? / steps;
    // The axis of the rod lies along the body's x; turned so that its end at −x is the lower one.
    let turn = Quat::from_rotation_vector(LabVec::new(0.0, -angle, 0.0));
    let height = spacing * angle.sin() + radius + 0.4 * speed * dt;
    world.add_body(Body::at(rod, Z * height).turned(turn).moving(Z * -speed));
    let mut engine = Engine::new(world, settings(law, dt))?;
    through_contact(&mut engine)?;
    Ok(first(&engine))
}
