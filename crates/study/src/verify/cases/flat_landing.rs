//! Restitution of bodies that land with many spheres at once.

use crate::verify::arrange::{X, Z, add_clump, add_floor, damped_laws, settings, through_contact, world};
use crate::verify::citations::STRONGE_2000;
use crate::verify::setup::setup;
use crate::verify::theory::{at_most, largest};
use crate::verify::{Case, Error, Group};
use tumble_dem::clump::ClumpSphere;
use tumble_dem::law::LawKind;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::wall::Motion;
use tumble_dem::{Body, Engine, LabVec, MaterialId, Quat, Settings, Sharing};
use tumble_report::{Axis, Figure, Mark, Outcome, Panel, Series};

setup! {
    /// Radius of the spheres
    radius: 0.005, "m";
    /// Distance of their centres, in radii
    spacing: 1.7, "";
    /// Density
    density: 2500.0, "kg/m³";
    /// Young's modulus
    young: 1e8, "Pa";
    /// Poisson's ratio
    poisson: 0.25, "";
    /// Normal stiffness in the linear law
    stiffness: 1e5, "N/m";
    /// Restitution, of lossy bodies
    low: 0.5, "";
    /// Restitution, of bouncy ones
    high: 0.9, "";
    /// Closing speed
    speed: 0.2, "m/s";
    /// Tilt of those that land almost flat
    tilt: 1e-4, "rad";
    /// Time step
    dt: 5e-6, "s";
}

pub(super) const CASE: Case = Case {
    id: "flat-landing",
    title: "bodies that land with many spheres at once",
    group: Group::Impact,
    sources: &[STRONGE_2000],
    setup: "Rods, plates and cubes of 1 to 100 spheres land on a plane, flat, with a speed along it as well, and almost flat; and \
            meet each other face to face. Forces of contacts add up, or their mean acts.",
    exact: "the restitution asked for, whatever the number of spheres; with the mass of each point by itself a rod of nine would \
            bounce with 0.25 instead of 0.5, and a plate of a hundred with 0.08",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

/// Spheres along x, y, z.
const SHAPES: [[u32; 3]; 7] = [[1, 1, 1], [2, 1, 1], [3, 1, 1], [9, 1, 1], [3, 3, 1], [3, 3, 3], [10, 10, 1]];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Flat,
    AlmostFlat,
    FaceToFace,
}

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let mut outcome = Outcome::default();
    let mut series = Vec::new();
    for law in damped_laws() {
        for (sharing, of_forces) in [(Sharing::Sum, "sum"), (Sharing::Average, "mean")] {
            for way in [Way::Flat, Way::AlmostFlat, Way::FaceToFace] {
                let (mut errors, mut points) = (Vec::new(), Vec::new());
                for shape in SHAPES {
                    for (asked, given) in [(theory.low, simulation.low), (theory.high, simulation.high)] {
                        let found = rebound(simulation, law, sharing, shape, way, given)?;
                        errors.push((found / asked - 1.0).abs());
                        if asked < 0.7 {
                            points.push((
                                f64::from(shape.iter().product::<u32>()),
                                (found / asked - 1.0).abs(),
                            ));
                        }
                    }
                }
                let name = match way {
                    Way::Flat => "flat",
                    Way::AlmostFlat => "almost flat",
                    Way::FaceToFace => "face to face",
                };
                let what = format!("{}, {of_forces}, {name}: worst error of e", law.name());
                let reason = "tilted by a small part of the overlap, one end lands before the other";
                outcome.findings.push(at_most(what, largest(errors), 0.02, reason));
                if way == Way::Flat {
                    series.push(Series::new(
                        format!("{}, {of_forces}", law.name()),
                        points,
                        Mark::LinePoints,
                    ));
                }
            }
        }
    }
    let panel = Panel {
        title: String::new(),
        x: Axis::log("spheres of the body"),
        y: Axis::log("relative error of a restitution of 0.5"),
        series,
    };
    let figure = Figure { title: "rods, plates and cubes land flat".into(), panels: vec![panel] };
    outcome.figures.push(("flat-landing".into(), figure));
    Ok(outcome)
}

fn block(setup: Setup, [n, m, k]: [u32; 3]) -> Vec<ClumpSphere> {
    let at = |i: u32| setup.spacing * setup.radius * f64::from(i);
    let along = |i: u32| (0..m).flat_map(move |j| (0..k).map(move |l| [i, j, l]));
    (0..n).flat_map(along).map(|place| ClumpSphere::new(place.map(at), setup.radius)).collect()
}

/// Closing speed after over before.
fn rebound(
    setup: Setup,
    law: LawKind,
    sharing: Sharing,
    shape: [u32; 3],
    way: Way,
    restitution: f64,
) -> Result<f64, Error> {
    let Setup { radius, spacing, density, young, poisson, stiffness, speed, tilt, dt, .. } = setup;
    let material = Material::new("m", density, young, poisson).with_stiffness(stiffness);
    let mut world = world(material, PairProperties::new(restitution, 0.0));
    let clump = add_clump(&mut world, &block(setup, shape))?;
    // From the middle to the ends of the spheres, and a gap.
    let half = Z * (radius * (1.0 + 0.5 * spacing * f64::from(shape[2] - 1)) + 1e-4);
    if way == Way::FaceToFace {
        world.add_body(Body::at(clump, half).moving(Z * (-0.5 * speed)));
        world.add_body(Body::at(clump, -half).moving(Z * (0.5 * speed)));
    } else {
        let turn = if way == Way::Flat { 0.0 } else { tilt };
        let turned = Quat::from_rotation_vector(LabVec::new(0.3 * turn, turn, 0.0));
        add_floor(&mut world, MaterialId(0), Motion::fixed())?;
        world.add_body(Body::at(clump, half).turned(turned).moving(X * speed - Z * speed));
    }
    let mut engine = Engine::new(world, Settings { sharing, ..settings(law, dt) })?;
    through_contact(&mut engine)?;
    let speeds: Vec<f64> = engine.bodies().iter().map(|body| body.velocity.z).collect();
    Ok((speeds[0] - speeds.get(1).copied().unwrap_or(0.0)) / speed)
}
