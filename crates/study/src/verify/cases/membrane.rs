//! Nets under pressure: a tube of bonds that bears it, and a closed net that gives way.

use crate::verify::arrange::{add_sphere, world};
use crate::verify::citations::LANDAU_1976;
use crate::verify::setup::setup;
use crate::verify::theory::{equals, sphere_mass};
use crate::verify::{Case, Error, Group};
use core::f64::consts::PI;
use std::sync::Arc;
use tumble_dem::bond::{Beam, BeamModel, Bond, BondKind, Limits};
use tumble_dem::field::Drag;
use tumble_dem::material::{Material, PairProperties};
use tumble_dem::membrane::{Membrane, Sleeve};
use tumble_dem::placement::near_pairs;
use tumble_dem::wall::Timing;
use tumble_dem::{Body, BodyId, Engine, LabVec, Settings};
use tumble_report::Outcome;

setup! {
    /// Radius of the tube, half of the diagonals of the octahedron
    radius: 0.02, "m";
    /// Length of the tube
    length: 0.03, "m";
    /// Pressure
    pressure: 1000.0, "Pa";
    /// Density of the beads at the nodes
    density: 1000.0, "kg/m³";
}

/// Beads of the tube around it and along it; their radius and that of bonds, m, and the modulus of these, Pa.
const AROUND: u32 = 30;
const RINGS: u32 = 9;
const BEAD: f64 = 1.8e-3;
const BOND: f64 = 0.5e-3;
const YOUNG: f64 = 1e8;

pub(super) const CASE: Case = Case {
    id: "membrane",
    title: "nets of beads under pressure",
    group: Group::Bonds,
    sources: &[LANDAU_1976],
    setup: "A tube of bonded beads with open ends is pressed from inside until it is at rest. Six free beads at the corners of an octahedron are pressed from outside for a while.",
    exact: "Laplace: a cut along the tube bears pRL on each of its two sides; what the pressure on a closed net puts in is −pΔV, and the beads of the octahedron have it \
            as kinetic energy, V = 4a³/3",
    parameters: Setup::PARAMETERS,
    compute: |inputs| compute(Setup::of(&inputs.theory), Setup::of(&inputs.simulation)),
};

fn compute(theory: Setup, simulation: Setup) -> Result<Outcome, Error> {
    let Setup { radius, length, pressure, density } = theory;
    let mut outcome = Outcome::default();
    let tube = simulation.tube()?;
    let cut: f64 = tube.bonds().iter().map(across).sum();
    let polygon = "a ring of 30 beads is a polygon, by (π/30)² smaller than the circle";
    outcome.findings.push(equals("tube: force across two cuts (N)", 2.0 * pressure * radius * length, cut, 0.01, polygon));

    let net = simulation.octahedron()?;
    let place = net.bodies()[0].position.x;
    let volumes = [radius, place].map(|a| 4.0 / 3.0 * a * a * a);
    let work = pressure * (volumes[0] - volumes[1]);
    let second = "of second order in the step, 1000 of them";
    let speed = -(work / (3.0 * sphere_mass(density, BEAD))).sqrt();
    let ledger = net.ledger();
    outcome.findings.extend([
        equals("octahedron: work, −pΔV (J)", work, ledger.field_work, 1e-6, second),
        equals("octahedron: speed of a bead (m/s)", speed, net.bodies()[0].velocity.x, 1e-6, second),
        equals("octahedron: volume (m³)", volumes[1], net.membranes()[0].volume, 1e-12, "that of eight wedges"),
    ]);
    Ok(outcome)
}

/// What a bond that leads through the plane y = 0 pulls across it, N.
fn across(bond: &tumble_dem::BondState) -> f64 {
    let [from, to] = [bond.end.y, bond.end.y + bond.line.y];
    if (from < 0.0) == (to < 0.0) { 0.0 } else { (bond.force.y * bond.line.y.signum()).abs() }
}

impl Setup {
    /// A tube that is pressed from inside, at rest.
    fn tube(&self) -> Result<Engine, Error> {
        let material = Material::new("rubber", self.density, 1e7, 0.3);
        let mut world = world(material, PairProperties::new(1.0, 0.0));
        let bead = add_sphere(&mut world, BEAD)?;
        let z = |height: f64| LabVec::new(0.0, 0.0, height);
        let sleeve = Sleeve {
            from: z(0.0),
            to: z(self.length),
            radius: self.radius,
            around: AROUND,
            rings: RINGS,
        };
        for place in sleeve.places() {
            world.add_body(Body::at(bead, place));
        }
        let beam = Beam { model: BeamModel::Timoshenko, young: YOUNG, poisson: 0.3, radius: BOND };
        // Each with its six neighbours: the next ones are √3 as far.
        world.bonds = near_pairs(&world, 0.3 * BEAD)
            .iter()
            .map(|pair| Bond {
                bodies: pair.bodies,
                arms: pair.arms,
                kind: BondKind::Beam,
                stiffness: beam.stiffness(2.0 * BEAD + pair.gap),
                damping: 0.0,
                limits: Limits::NONE,
                contact: false,
            })
            .collect();
        let triangles = sleeve.triangles().into_iter().map(|corners| corners.map(BodyId)).collect();
        let inside = Timing::window(Some(0.0), None, 2e-3)?;
        world.membranes.push(Arc::new(Membrane::new("tube", triangles, -self.pressure, inside)?));
        // Free motion fades at 3000 1/s.
        world.drag = Some(Drag::linear(3000.0 * sphere_mass(self.density, BEAD) / (6.0 * PI * BEAD)));
        let mut engine = Engine::new(world, Settings::new(1e-5))?;
        engine.advance(1500)?;
        Ok(engine)
    }

    /// Six beads at the ends of three axes, pressed until they have gone some way.
    fn octahedron(&self) -> Result<Engine, Error> {
        let mut world = world(Material::new("rubber", self.density, 1e7, 0.3), PairProperties::new(1.0, 0.0));
        let bead = add_sphere(&mut world, BEAD)?;
        let (one, all) = (self.radius, &mut world);
        let ends = [[one, 0.0, 0.0], [0.0, one, 0.0], [0.0, 0.0, one]].map(|end| {
            [1.0, -1.0].map(|side| all.add_body(Body::at(bead, LabVec::from_array(end) * side)))
        });
        let mut triangles = Vec::new();
        for corner in 0..8_usize {
            let side = |axis: usize| corner >> axis & 1;
            let [a, b, c] = [0, 1, 2].map(|axis| ends[axis][side(axis)]);
            let mirrored = (side(0) + side(1) + side(2)) % 2 == 1;
            triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
        }
        world.membranes.push(Arc::new(Membrane::new("octahedron", triangles, self.pressure, Timing::Always)?));
        let mass = sphere_mass(self.density, BEAD);
        // It starts with ⅔pa²/m, and goes about a third of the way in.
        let duration = (0.6 * mass / (2.0 / 3.0 * self.pressure * self.radius)).sqrt();
        let mut engine = Engine::new(world, Settings::new(duration / 1000.0))?;
        engine.advance(1000)?;
        Ok(engine)
    }
}
